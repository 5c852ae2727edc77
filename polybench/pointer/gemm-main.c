/* SPDX-License-Identifier: MIT
   Matrix times matrix: c = 1.5 a b + 0.5 c, several times over.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

static double *
random_matrix (int rows, int columns)
{
  double *m;
  int i;

  if (rows > INT_MAX / columns)
    fail ("matrix of %d x %d is too large", rows, columns);
  m = allocate ((size_t) rows * columns, sizeof *m);
  for (i = 0; i < rows * columns; i++)
    m[i] = random_double () - 0.5;
  return m;
}

int
main (int argc, char **argv)
{
  int ni, nj, nk, reps, r;
  double *a, *b, *c;

  arguments (argc, argv, "ni nj nk reps", &ni, &nj, &nk, &reps);
  a = random_matrix (ni, nk);
  b = random_matrix (nk, nj);
  c = random_matrix (ni, nj);

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      gemm (ni, nj, nk, 1.5, 0.5, a, b, c);
      lap_stop ();
    }

  print_doubles ("c", c, (long) ni * nj);
  finish ();
  return 0;
}
