/* SPDX-License-Identifier: MIT
   Jacobi step in one dimension: each inner point of B is the average of three points of A.  */
#include "kernels.h"

void
jacobi_1d (int n, double *a, double *b)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 1; i < n - 1; i++)
    b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
}
