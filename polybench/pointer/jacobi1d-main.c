/* SPDX-License-Identifier: MIT
   Jacobi steps in one dimension, forth and back between two vectors.  */
#include "../common.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, steps, i, t;
  double *a, *b;

  arguments (argc, argv, "n steps", &n, &steps);
  a = allocate (n, sizeof *a);
  b = allocate (n, sizeof *b);
  for (i = 0; i < n; i++)
    a[i] = b[i] = random_double ();

  for (t = 0; t < steps; t++)
    {
      double *swap = a;

      lap_start ();
      jacobi_1d (n, a, b);
      lap_stop ();
      a = b;
      b = swap;
    }

  print_doubles ("a", a, n);
  finish ();
  return 0;
}
