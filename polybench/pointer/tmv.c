/* SPDX-License-Identifier: MIT
   Transposed matrix times vector: one column of A for each element of Y.  */
#include "kernels.h"

void
tmv (int m, int n, double *a, double *x, double *y)
{
  int i, j;

#pragma omp parallel for private (i)
  /* main loop */
  for (j = 0; j < n; j++)
    {
      y[j] = 0.0;
      for (i = 0; i < m; i++)
	y[j] += a[i * n + j] * x[i];
    }
}
