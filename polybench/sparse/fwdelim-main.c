/* SPDX-License-Identifier: MIT
   Forward elimination with a random lower triangle of n rows, per_row entries each on average, level by level.  A lap
   is one elimination, through all levels.  */
#include "../common.h"
#include "generate.h"
#include "kernels.h"
#include "levels.h"

#include <string.h>

int
main (int argc, char **argv)
{
  int n, per_row, reps, n_levels, i, l, r;
  int *ptr, *col, *start, *rows;
  double *val, *b, *x;

  arguments (argc, argv, "n per_row reps", &n, &per_row, &reps);
  random_rows (n, per_row, 1, &ptr, &col, &val);
  n_levels = level_sets (n, ptr, col, LOWER, &start, &rows);
  b = allocate (n, sizeof *b);
  x = allocate (n, sizeof *x);
  for (i = 0; i < n; i++)
    b[i] = random_double ();

  for (r = 0; r < reps; r++)
    {
      memcpy (x, b, n * sizeof *x);
      lap_start ();
      for (l = 0; l < n_levels; l++)
	eliminate_rows (start[l + 1] - start[l], rows + start[l], ptr, col, val, x);
      lap_stop ();
    }

  print_doubles ("x", x, n);
  finish ();
  return 0;
}
