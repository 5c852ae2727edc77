/* SPDX-License-Identifier: MIT */
//! opts: full
//! steps: auto, L2, L3, L5
//! stat: pool >= 1
/* Writes through a permutation: no two iterations meet, but only the index array knows.  Several entries with the same
   array, then a changed one: a verdict that outlives its data gives another answer.  */
#include "print.h"

#define N 6000

KERNEL void
scatter (int n, const int *index, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = 3 * y[index[i]] + x[i];
}

static int index_of[N];
static double x[N], y[N];

int
main (void)
{
  int i, round;

  fill_permutation (index_of, N, 5);
  for (i = 0; i < N; i++)
    x[i] = i % 97 + 0.125;
  for (round = 0; round < 6; round++)
    {
      if (round == 3)
        index_of[17] = index_of[4000];
      if (round == 4)
        index_of[4001] = index_of[4000];
      scatter (N, index_of, x, y);
      print_bits ("y", y, sizeof y);
    }
  return 0;
}
