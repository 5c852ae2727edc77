/* SPDX-License-Identifier: MIT
   Reflections of a dense vector of n elements, all by one sparse vector with nz entries at random places.  */
#include "../common.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, nz, reps, i, r;
  int *idx;
  double *v, *y, length = 0.0;

  arguments (argc, argv, "n nz reps", &n, &nz, &reps);
  if (nz > n)
    fail ("nz must not exceed n");
  idx = allocate (n, sizeof *idx);
  v = allocate (nz, sizeof *v);
  y = allocate (n, sizeof *y);
  random_permutation (n, idx);
  for (i = 0; i < nz; i++)
    {
      v[i] = random_double () + 0.5;
      length += v[i] * v[i];
    }
  for (i = 0; i < n; i++)
    y[i] = random_double ();

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      house (nz, 2.0 / length, v, idx, y);
      lap_stop ();
    }

  print_doubles ("y", y, n);
  finish ();
  return 0;
}
