/* SPDX-License-Identifier: MIT
   Matrix times matrix, row by row of the result.  */
#include "kernels.h"

void
gemm (int ni, int nj, int nk, double alpha, double beta, double *a, double *b, double *c)
{
  int i, j, k;

#pragma omp parallel for private (j, k)
  /* main loop */
  for (i = 0; i < ni; i++)
    {
      for (j = 0; j < nj; j++)
	c[i * nj + j] *= beta;
      for (k = 0; k < nk; k++)
	for (j = 0; j < nj; j++)
	  c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}
