/* SPDX-License-Identifier: MIT
   An electromagnetic wave in two dimensions, driven at one edge.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

int
main (int argc, char **argv)
{
  int nx, ny, steps, i, t;
  long n;
  double *ex, *ey, *hz;

  arguments (argc, argv, "nx ny steps", &nx, &ny, &steps);
  if (nx > INT_MAX / ny)
    fail ("nx * ny is too large");
  n = (long) nx * ny;
  ex = allocate (n, sizeof *ex);
  ey = allocate (n, sizeof *ey);
  hz = allocate (n, sizeof *hz);
  for (i = 0; i < n; i++)
    {
      ex[i] = random_double ();
      ey[i] = random_double ();
      hz[i] = random_double ();
    }

  for (t = 0; t < steps; t++)
    {
      lap_start ();
      fdtd_2d (nx, ny, (double) t, ex, ey, hz);
      lap_stop ();
    }

  print_doubles ("ex", ex, n);
  print_doubles ("ey", ey, n);
  print_doubles ("hz", hz, n);
  finish ();
  return 0;
}
