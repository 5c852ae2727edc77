/* SPDX-License-Identifier: MIT
   Red-black Gauss-Seidel for the Poisson equation on a square of n x n points; a lap is one color.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

int
main (int argc, char **argv)
{
  int n, sweeps, i, t;
  double *u, *f;

  arguments (argc, argv, "n sweeps", &n, &sweeps);
  if (n > INT_MAX / n)
    fail ("n is too large");
  u = allocate ((size_t) n * n, sizeof *u);
  f = allocate ((size_t) n * n, sizeof *f);
  for (i = 0; i < n * n; i++)
    {
      u[i] = random_double ();
      f[i] = random_double () - 0.5;
    }

  for (t = 0; t < sweeps; t++)
    {
      lap_start ();
      relax_color (n, 0, u, f);
      lap_stop ();
      lap_start ();
      relax_color (n, 1, u, f);
      lap_stop ();
    }

  print_doubles ("u", u, (long) n * n);
  finish ();
  return 0;
}
