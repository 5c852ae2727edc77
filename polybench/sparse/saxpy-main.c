/* SPDX-License-Identifier: MIT
   y += a x for a dense y of n elements and a sparse x with nz entries at random places.  */
#include "../common.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, nz, reps, i, r;
  int *idx;
  double *x, *y;

  arguments (argc, argv, "n nz reps", &n, &nz, &reps);
  if (nz > n)
    fail ("nz must not exceed n");
  idx = allocate (n, sizeof *idx);
  x = allocate (nz, sizeof *x);
  y = allocate (n, sizeof *y);
  random_permutation (n, idx);
  for (i = 0; i < nz; i++)
    x[i] = random_double () - 0.5;
  for (i = 0; i < n; i++)
    y[i] = random_double ();

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      saxpy (nz, 0.25, x, idx, y);
      lap_stop ();
    }

  print_doubles ("y", y, n);
  finish ();
  return 0;
}
