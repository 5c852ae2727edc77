/* SPDX-License-Identifier: MIT */
//! stat: L1 == 8
//! no-stat: -O3 -march=native
/* An inner loop that is not reached in some entries: its count, N - 1, is then no number of iterations, and its
   references touch nothing.  */
#include "print.h"

#define N 24

KERNEL void
eliminate (int n, int k, double *a, const double *row)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      double sum = 0;
      for (i = 0; i < k; i++)
        {
          a[i * N + j] += row[i];
          sum += row[i] * 2;
        }
      a[k * N + j] = sum;
    }
}

static double a[N * N], row[N];

int
main (void)
{
  int k;

  for (k = 0; k < N; k++)
    row[k] = 1.0 / (k + 3);
  for (k = 0; k < 8; k++)
    eliminate (N, k, a, row);
  print_bits ("a", a, sizeof a);
  return 0;
}
