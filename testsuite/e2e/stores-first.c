/* SPDX-License-Identifier: MIT */
//! stat: pool >= 3
/* What an iteration loads it may have stored just before: what is there when the loop is entered is not to be gone by,
   least of all as an address.  */
#include "print.h"

#define N 400

struct counted
{
  int n;
  int *at;
};

/* The first iteration makes the pointer that the test goes by.  */
KERNEL int
to_first (struct counted **table, struct counted **from)
{
  int i = 0;

  do
    table[i] = from[i];
  while (++i < table[0]->n);
  return i;
}

KERNEL void
to_inner (struct counted **table, struct counted **from, int *b, int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      struct counted *first;
      table[i] = from[i];
      first = table[0];
      for (j = 0; j < first->n; j++)
	b[i * 8 + j] += j;
    }
}

/* The first iteration says that the pointer is none.  */
KERNEL void
if_any (int *is_any, const struct counted *p, int *b, int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      is_any[i] = p != NULL;
      if (is_any[0])
	for (j = 0; j < p->n; j++)
	  b[i * 8 + j] += j;
    }
}

KERNEL void
as_often (int *often, const struct counted *p, int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      often[i] = p != NULL;
      for (j = 0; j < often[0]; j++)
	p->at[i] += j;
    }
}

/* A single iteration meets no other one, but what it reads reaches as far as it has just said.  */
KERNEL void
reach (int n, int *often, int *to, const int *from)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      often[i] = 64;
      for (j = 0; j < often[0]; j++)
	to[i * 64 + j] = from[i * 64 + j] * 2 + 1;
    }
}

static struct counted *table[N], *from[N];
static int numbers[N + 16], b[8 * N + 16], d[8 * N + 16];

int
main (void)
{
  struct counted some = { N - 100, d }, few = { 3, d };
  int i, round;

  for (round = 0; round < 2; round++)
    {
      for (i = 0; i < N; i++)
	{
	  from[i] = &some;
	  table[i] = NULL;
	}
      printf ("%d\n", to_first (table, from));
      for (i = 0; i < N; i++)
	{
	  from[i] = &few;
	  table[i] = NULL;
	}
      to_inner (table, from, b, N);
      numbers[0] = 1;
      if_any (numbers, NULL, b, N);
      numbers[0] = 1;
      as_often (numbers, NULL, N);
      as_often (numbers, &few, N);
      print_bits ("inner", b, sizeof b);
      print_bits ("often", d, sizeof d);

      for (i = 0; i < 100; i++)
	b[i] = i;
      numbers[0] = 0;
      reach (1, numbers, b + 1, b);
      print_bits ("reach", b, sizeof b);
    }
  return 0;
}
