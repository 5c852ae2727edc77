/* SPDX-License-Identifier: MIT
   Vector add: c = a + b for random a and b.  */
#include "../common.h"
#include "kernels.h"

int
main (int argc, char **argv)
{
  int n, reps, i, r;
  float *a, *b, *c;

  arguments (argc, argv, "n reps", &n, &reps);
  a = allocate (n, sizeof *a);
  b = allocate (n, sizeof *b);
  c = allocate (n, sizeof *c);
  for (i = 0; i < n; i++)
    {
      a[i] = (float) random_double ();
      b[i] = (float) random_double ();
    }

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      vadd (n, c, a, b);
      lap_stop ();
    }

  print_floats ("c", c, n);
  finish ();
  return 0;
}
