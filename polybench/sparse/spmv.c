/* SPDX-License-Identifier: MIT
   Sparse matrix times vector, compressed sparse rows.  */
#include "kernels.h"

void
spmv (int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
  int i, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (i = 0; i < n; i++)
    {
      double sum = 0.0;

      for (k = ptr[i]; k < ptr[i + 1]; k++)
	sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}
