/* SPDX-License-Identifier: MIT
   Jacobi steps in two dimensions, forth and back between two grids of n x n points.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

int
main (int argc, char **argv)
{
  int n, steps, i, t;
  double *a, *b;

  arguments (argc, argv, "n steps", &n, &steps);
  if (n > INT_MAX / n)
    fail ("n is too large");
  a = allocate ((size_t) n * n, sizeof *a);
  b = allocate ((size_t) n * n, sizeof *b);
  for (i = 0; i < n * n; i++)
    a[i] = b[i] = random_double ();

  for (t = 0; t < steps; t++)
    {
      double *swap = a;

      lap_start ();
      jacobi_2d (n, a, b);
      lap_stop ();
      a = b;
      b = swap;
    }

  print_doubles ("a", a, (long) n * n);
  finish ();
  return 0;
}
