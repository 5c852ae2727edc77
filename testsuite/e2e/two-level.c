/* SPDX-License-Identifier: MIT */
//! steps: auto, L2, L3
//! stat: pool >= 1
/* Two index arrays in a row, gathers and scatters; entries in which the inner array changes and the outer does not, and
   the other way round.  */
#include "print.h"

#define N 3000

KERNEL void
gather_scatter (int n, const int *outer, const int *inner, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[inner[outer[i]]] = 0.5 * y[inner[outer[i]]] + x[outer[n - 1 - i]];
}

static int outer[N], inner[N];
static double x[N], y[N];

int
main (void)
{
  int i, round;

  fill_permutation (outer, N, 1);
  fill_permutation (inner, N, 2);
  for (i = 0; i < N; i++)
    x[i] = i * 0.37;
  for (round = 0; round < 7; round++)
    {
      if (round == 2)
        inner[outer[100]] = inner[outer[7]];
      if (round == 4)
        fill_permutation (inner, N, 3);
      if (round == 5)
        outer[2000] = outer[1990];
      gather_scatter (N, outer, inner, x, y);
      print_bits ("y", y, sizeof y);
    }
  return 0;
}
