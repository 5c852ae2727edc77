/* SPDX-License-Identifier: MIT
   Sparse vector added to a dense one.  No two entries of a sparse vector stand in the same place, but only its index
   list knows.  */
#include "kernels.h"

void
saxpy (int nz, double a, const double *x, const int *idx, double *y)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < nz; i++)
    y[idx[i]] += a * x[i];
}
