/* SPDX-License-Identifier: MIT */
//! stat: pool >= 100
/* What stands behind a loop is reached however often that runs.  Where it is, the guard loads, and iterations of the
   outer loop conflict: each of the inner one is handed over.  */
#include "print.h"

#define N 100

struct counted
{
  int n;
  int *at;
};

KERNEL void
behind_loops (const struct counted *c, int *b, int n, int flag)
{
  int i, j;

  for (i = 0; i < n; i++)
    if (flag)
      {
	for (j = 0; j < c->n; j++)
	  b[i * 8 + j] += j + i;
	c->at[i * 8] += b[i * 8] * 3 + 1;
      }
}

KERNEL void
number (int *b, int n)
{
  int i;

  for (i = 0; i < n; i++)
    b[i] = i;
}

static int b[8 * N + 16];

int
main (void)
{
  struct counted few = { 3, b + 8 };

  number (b, 8 * N);
  behind_loops (&few, b, N, 1);
  print_bits ("behind", b, sizeof b);
  return 0;
}
