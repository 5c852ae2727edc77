/* SPDX-License-Identifier: MIT
   Gauss-Seidel sweeps, each in lexicographic order, over a square of n x n points.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

int
main (int argc, char **argv)
{
  int n, sweeps, i, t;
  double *u;

  arguments (argc, argv, "n sweeps", &n, &sweeps);
  if (n > INT_MAX / n)
    fail ("n is too large");
  u = allocate ((size_t) n * n, sizeof *u);
  for (i = 0; i < n * n; i++)
    u[i] = random_double ();

  for (t = 0; t < sweeps; t++)
    {
      lap_start ();
      seidel (n, u);
      lap_stop ();
    }

  print_doubles ("u", u, (long) n * n);
  finish ();
  return 0;
}
