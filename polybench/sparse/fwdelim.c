/* SPDX-License-Identifier: MIT
   Forward elimination in place, for a list of rows: each reads elements of X that earlier lists have finished.  */
#include "kernels.h"

void
eliminate_rows (int n, const int *rows, const int *ia, const int *ja, const double *a, double *x)
{
  int i, j, k;

#pragma omp parallel for private (i, j)
  /* main loop */
  for (k = 0; k < n; k++)
    {
      i = rows[k];
      for (j = ia[i]; j < ia[i + 1]; j++)
	x[i] = x[i] - a[j] * x[ja[j]];
    }
}
