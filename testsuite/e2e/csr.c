/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
//! no-stat: -O1
/* Compressed rows: the inner bounds are loaded, the column index too; y may alias anything (at -O1, where types do not
   tell, the index arrays too: refused).  Forward elimination over the same matrix carries x from row to row.  */
#include "print.h"

#define N 1500

KERNEL void
spmv (int n, const int *row, const int *col, const double *val, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = row[i]; k < row[i + 1]; k++)
        sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}

KERNEL void
eliminate (int n, const int *row, const int *col, const double *val, double *x)
{
  int i, k;

  for (i = 0; i < n; i++)
    for (k = row[i]; k < row[i + 1]; k++)
      if (col[k] < i)
        x[i] -= val[k] * x[col[k]];
}

static int row[N + 1], col[8 * N];
static double val[8 * N], x[N], y[N];

int
main (void)
{
  unsigned seed = 3;
  int i, k = 0, round;

  for (i = 0; i < N; i++)
    {
      int n = (int) (next_random (&seed) % 8);
      row[i] = k;
      for (; n > 0; n--, k++)
        {
          col[k] = (int) (next_random (&seed) % N);
          val[k] = (double) (next_random (&seed) % 100) / 512;
        }
      x[i] = i % 13 - 6;
    }
  row[N] = k;
  for (round = 0; round < 3; round++)
    {
      spmv (N, row, col, val, x, y);
      print_bits ("y", y, sizeof y);
      eliminate (N, row, col, val, x);
      print_bits ("x", x, sizeof x);
    }
  spmv (N, row, col, val, x, x);
  print_bits ("x in place", x, sizeof x);
  return 0;
}
