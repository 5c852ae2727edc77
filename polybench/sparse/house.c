/* SPDX-License-Identifier: MIT
   Householder reflection by a sparse vector: first a sum, in order, then what is taken off.  That no two entries of the
   sparse vector stand in the same place, only its index list knows.  */
#include "kernels.h"

void
house (int nz, double tau, const double *v, const int *idx, double *y)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < nz; i++)
    sum += v[i] * y[idx[i]];
  sum *= tau;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < nz; i++)
    y[idx[i]] -= sum * v[i];
}
