/* SPDX-License-Identifier: MIT */
//! mapped: team
//! stat: pool >= 1
/* Rows of a sparse matrix of integers: a row's sum may be had in any order, by several threads, though it is not known
   how long it is.  */
#include "print.h"

#define N 300

static int start[N + 1], column[20 * N], value[20 * N], x[N], y[N];

KERNEL void
multiply (int n)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      int sum = 0;
      for (k = start[i]; k < start[i + 1]; k++)
        sum += value[k] * x[column[k]];
      y[i] = sum;
    }
}

int
main (void)
{
  unsigned seed = 5;
  int i, k = 0;

  for (i = 0; i < N; i++)
    {
      int len = (int) (next_random (&seed) % 20);
      start[i] = k;
      x[i] = (int) next_random (&seed);
      while (len-- > 0)
        {
          value[k] = (int) next_random (&seed);
          column[k++] = (int) (next_random (&seed) % N);
        }
    }
  start[N] = k;
  for (i = 0; i < 3; i++)
    {
      multiply (N - 100 * i);
      print_bits ("y", y, sizeof y);
    }
  return 0;
}
