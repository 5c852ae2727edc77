/* SPDX-License-Identifier: MIT
   Sparse matrix times vector, compressed sparse columns: columns meet in the elements of Y, in an order that fixes
   the result, so this loop is not parallel.  */
#include "kernels.h"

void
csc_mv (int n, const int *ptr, const int *row, const double *val, const double *x, double *y)
{
  int j, k;

  /* main loop */
  for (j = 0; j < n; j++)
    for (k = ptr[j]; k < ptr[j + 1]; k++)
      y[row[k]] += val[k] * x[j];
}
