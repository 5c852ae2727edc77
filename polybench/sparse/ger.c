/* SPDX-License-Identifier: MIT
   Rank-one update of a sparse matrix, where it has entries.  Only the index list of the rows knows that no two rows
   share any.  */
#include "kernels.h"

void
ger (int n, const int *ptr, const int *col, double alpha, const double *x, const double *y, double *val)
{
  int i, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (i = 0; i < n; i++)
    for (k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] += alpha * x[i] * y[col[k]];
}
