/* SPDX-License-Identifier: MIT
   Shift the diagonal of a sparse matrix, whose places among the entries an index list says: that it has none twice is
   known by the list alone, and may be wrong.  Twice the same is no harm, one after the other.  */
#include "rayleigh.h"

void
shift (int n, const int *place, double mu, const double *a, double *b)
{
  int k;

#pragma omp parallel for
  /* main loop */
  for (k = 0; k < n; k++)
    b[place[k]] = a[place[k]] - mu;
}
