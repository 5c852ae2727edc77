/* SPDX-License-Identifier: MIT
   Permuted copies of a random vector of n elements; a lap is one gather and one scatter.  */
#include "../common.h"
#include "ipvec.h"

double x[IPVEC_MAX], z[IPVEC_MAX], w[IPVEC_MAX];
int perm[IPVEC_MAX];

int
main (int argc, char **argv)
{
  int n, reps, i, r;

  arguments (argc, argv, "n reps", &n, &reps);
  if (n > IPVEC_MAX)
    fail ("n must not exceed %d", IPVEC_MAX);
  random_permutation (n, perm);
  for (i = 0; i < n; i++)
    x[i] = z[i] = w[i] = random_double ();

  for (r = 0; r < reps; r++)
    {
      lap_start ();
      gather (n);
      scatter (n);
      lap_stop ();
    }

  print_doubles ("z", z, n);
  print_doubles ("w", w, n);
  finish ();
  return 0;
}
