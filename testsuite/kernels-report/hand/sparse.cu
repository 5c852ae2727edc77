/* SPDX-License-Identifier: MIT
   Loops over sparse vectors and matrices.  */
#include "hand.cuh"

KERNEL (saxpy_saxpy_13) (int nz, double a, const double *x, const int *idx, double *y)
{
  FOR_EACH (i, 0, nz)
    y[idx[i]] += a * x[i];
}

KERNEL (ipvec_gather_12) (int n, double *z, const double *x, const int *perm)
{
  FOR_EACH (i, 0, n)
    z[i] = x[perm[i]];
}

KERNEL (ipvec_scatter_23) (int n, double *w, const double *x, const int *perm)
{
  FOR_EACH (i, 0, n)
    w[perm[i]] = x[i];
}

KERNEL (spmv_spmv_12) (int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
  FOR_EACH (i, 0, n)
    {
      double sum = 0.0;
      for (int k = ptr[i]; k < ptr[i + 1]; k++)
	sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}

KERNEL (csc_csc_mv_12) (int n, const int *ptr, const int *row, const double *val, const double *x, double *y)
{
  FOR_EACH (j, 0, n)
    for (int k = ptr[j], end = ptr[j + 1]; k < end; k++)
      y[row[k]] += val[k] * x[j];
}

KERNEL (fwdelim_eliminate_rows_12) (int n, const int *rows, const int *ia, const int *ja, const double *a, double *x)
{
  FOR_EACH (k, 0, n)
    {
      int i = rows[k];
      for (int j = ia[i], end = ia[i + 1]; j < end; j++)
	x[i] = x[i] - a[j] * x[ja[j]];
    }
}

KERNEL (sor_sor_color_14) (int lo, int hi, int n, int width, double omega, const int *col, const double *val,
			   const double *diag, const double *b, double *x)
{
  FOR_EACH (i, lo, hi)
    {
      double sum = b[i];
      for (int j = 0; j < width; j++)
	sum -= val[j * n + i] * x[col[j * n + i]];
      x[i] = (1.0 - omega) * x[i] + omega * sum / diag[i];
    }
}
