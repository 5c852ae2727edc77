/* SPDX-License-Identifier: MIT */
//! device: no-kernel
//! stat: entries >= 1
/* Arrays and structs that live in one iteration: each job needs its own.  One is declared outside the loop and carries
   a value from iteration to iteration, so it is not private.  What is in one before the loop says nothing.  */
#include "print.h"

#define N 2000

struct pair
{
  int first, second;
};

KERNEL void
sort_windows (int n, const int *a, int *b)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      int window[5];
      for (j = 0; j < 5; j++)
        window[j] = a[i + j];
      for (j = 1; j < 5; j++)
        for (k = j; k > 0 && window[k - 1] > window[k]; k--)
          {
            int t = window[k];
            window[k] = window[k - 1];
            window[k - 1] = t;
          }
      b[i] = window[2];
    }
}

KERNEL void
pairs (int n, const int *a, int *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      struct pair p[2];
      p[i & 1].first = a[i];
      p[i & 1].second = a[i + 1];
      p[~i & 1] = p[i & 1];
      b[i] = p[0].first * 10 + p[1].second;
    }
}

KERNEL void
carried (int n, const int *a, int *b)
{
  int i, memory[3] = { 0, 0, 0 };

  for (i = 0; i < n; i++)
    {
      memory[i % 3] += a[i] & 7;
      b[i] = memory[(i + 1) % 3];
    }
}

/* The inner loop begins where an iteration says that it does.  */
KERNEL void
from_own (int n, const int *from, int *restrict b, int at, int end)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      int own[4];
      own[0] = from[i];
      own[at] = from[i] + 1;
      for (j = own[0]; j < end; j++)
	b[i + j] = b[i + j] * 3 + i;
    }
}

/* It takes what it begins with for something else.  */
KERNEL void
by_own (int n, const struct pair *const *from, int *restrict b, int at)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      long own[4];
      own[0] = (long) from[i];
      own[at] = (long) from[i];
      const struct pair *p = *(const struct pair **) own;
      for (j = 0; j < p->first; j++)
	b[i + j] = b[i + j] * 3 + i;
    }
}

/* Leave V where the next function has its frame.  */
KERNEL int
leave_behind (int v)
{
  volatile int left[500];
  int i;

  for (i = 0; i < 500; i++)
    left[i] = v;
  return left[v % 500];
}

static int a[N + 5], b[N], c[20 * N];
static const struct pair *pairs_from[N];

int
main (void)
{
  unsigned seed = 4;
  int i;

  for (i = 0; i < N + 5; i++)
    a[i] = (int) (next_random (&seed) % 1000);
  sort_windows (N, a, b);
  print_bits ("median", b, sizeof b);
  pairs (N, a, b);
  print_bits ("pairs", b, sizeof b);
  carried (N, a, b);
  print_bits ("carried", b, sizeof b);
  for (i = 0; i < N; i++)
    a[i] %= 7;
  leave_behind (1000000);
  from_own (N, a, c, 1, 400);
  print_bits ("from", c, sizeof c);
  static const struct pair five = { 5, 0 };
  for (i = 0; i < N; i++)
    pairs_from[i] = &five;
  leave_behind (1000000);
  by_own (N, pairs_from, c, 1);
  print_bits ("by", c, sizeof c);
  return 0;
}
