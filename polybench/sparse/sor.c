/* SPDX-License-Identifier: MIT
   Successive over-relaxation of one color, in ELLPACK form.  Rows of a color are numbered consecutively; their
   neighbours have other colors.  Short rows are padded with zero entries in the row's own column.  */
#include "kernels.h"

void
sor_color (int lo, int hi, int n, int width, double omega, const int *col, const double *val, const double *diag,
	   const double *b, double *x)
{
  int i, j;

#pragma omp parallel for private (j)
  /* main loop */
  for (i = lo; i < hi; i++)
    {
      double sum = b[i];

      for (j = 0; j < width; j++)
	sum -= val[j * n + i] * x[col[j * n + i]];
      x[i] = (1.0 - omega) * x[i] + omega * sum / diag[i];
    }
}
