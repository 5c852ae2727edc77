/* SPDX-License-Identifier: MIT
   Jacobi step in two dimensions: each inner point of B is the average of a cross of five points of A.  */
#include "kernels.h"

void
jacobi_2d (int n, double *a, double *b)
{
  int i, j;

#pragma omp parallel for private (j)
  /* main loop */
  for (i = 1; i < n - 1; i++)
    for (j = 1; j < n - 1; j++)
      b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1]
			    + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}
