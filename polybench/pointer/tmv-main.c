/* SPDX-License-Identifier: MIT
   Transposed matrix times vector, for a random matrix of m x n.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

int
main (int argc, char **argv)
{
  int m, n, reps, i, r;
  double *a, *x, *y;

  arguments (argc, argv, "m n reps", &m, &n, &reps);
  if (m > INT_MAX / n)
    fail ("m * n is too large");
  a = allocate ((size_t) m * n, sizeof *a);
  x = allocate (m, sizeof *x);
  y = allocate (n, sizeof *y);
  for (i = 0; i < m * n; i++)
    a[i] = random_double () - 0.5;
  for (i = 0; i < m; i++)
    x[i] = random_double ();

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      tmv (m, n, a, x, y);
      lap_stop ();
    }

  print_doubles ("y", y, n);
  finish ();
  return 0;
}
