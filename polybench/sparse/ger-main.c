/* SPDX-License-Identifier: MIT
   Rank-one updates of a random sparse n x n matrix with per_row entries a row on average.  */
#include "../common.h"
#include "generate.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, per_row, reps, i, r;
  int *ptr, *col;
  double *val, *x, *y;

  arguments (argc, argv, "n per_row reps", &n, &per_row, &reps);
  random_rows (n, per_row, 0, &ptr, &col, &val);
  x = allocate (n, sizeof *x);
  y = allocate (n, sizeof *y);
  for (i = 0; i < n; i++)
    {
      x[i] = random_double () - 0.5;
      y[i] = random_double ();
    }

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      ger (n, ptr, col, 0.125, x, y, val);
      lap_stop ();
    }

  print_doubles ("val", val, ptr[n]);
  finish ();
  return 0;
}
