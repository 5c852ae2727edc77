/* SPDX-License-Identifier: MIT
   Sparse matrix times vector by columns, for a random n x n matrix with per_column entries a column on average.  */
#include "../common.h"
#include "generate.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, per_column, reps, i, r;
  int *ptr, *row;
  double *val, *x, *y;

  arguments (argc, argv, "n per_column reps", &n, &per_column, &reps);
  random_rows (n, per_column, 0, &ptr, &row, &val);
  x = allocate (n, sizeof *x);
  y = allocate (n, sizeof *y);
  for (i = 0; i < n; i++)
    {
      x[i] = random_double ();
      y[i] = 0.0;
    }

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      csc_mv (n, ptr, row, val, x, y);
      lap_stop ();
    }

  print_doubles ("y", y, n);
  finish ();
  return 0;
}
