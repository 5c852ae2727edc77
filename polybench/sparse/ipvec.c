/* SPDX-License-Identifier: MIT
   Permuted copies of a vector, both ways.  The gather writes in order; the scatter writes where a permutation says.  */
#include "ipvec.h"

void
gather (int n)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    z[i] = x[perm[i]];
}

void
scatter (int n)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    w[perm[i]] = x[i];
}
