/* SPDX-License-Identifier: MIT
   Loops over sparse vectors and matrices.  */
#include "hand.cuh"

KERNEL (saxpy_saxpy_13) (int nz, double a, const double *x, const int *idx, double *y)
{
  FOR_EACH (i, 0, nz)
    y[idx[i]] += a * x[i];
}

KERNEL (house_house_18) (int nz, double sum, const double *v, const int *idx, double *y)
{
  FOR_EACH (i, 0, nz)
    y[idx[i]] -= sum * v[i];
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

KERNEL (ger_ger_13) (int n, const int *ptr, const int *col, double alpha, const double *x, const double *y, double *val)
{
  FOR_EACH (i, 0, n)
    for (int k = ptr[i], end = ptr[i + 1]; k < end; k++)
      val[k] += alpha * x[i] * y[col[k]];
}

KERNEL (ger_ger_14) (int i, int lo, int hi, const int *col, double alpha, const double *x, const double *y, double *val)
{
  FOR_EACH (k, lo, hi)
    val[k] += alpha * x[i] * y[col[k]];
}

KERNEL (gemver_update_15) (int n, const int *ptr, const int *col, const double *u1, const double *v1, const double *u2,
			   const double *v2, double *val)
{
  FOR_EACH (i, 0, n)
    for (int k = ptr[i], end = ptr[i + 1]; k < end; k++)
      val[k] += u1[i] * v1[col[k]] + u2[i] * v2[col[k]];
}

KERNEL (gemver_update_16) (int i, int lo, int hi, const int *col, const double *u1, const double *v1, const double *u2,
			   const double *v2, double *val)
{
  FOR_EACH (k, lo, hi)
    val[k] += u1[i] * v1[col[k]] + u2[i] * v2[col[k]];
}

KERNEL (gemver_add_transposed_29) (int n, const int *ptr, const int *row, const int *at, double beta, const double *val,
				   const double *y, double *x)
{
  FOR_EACH (j, 0, n)
    for (int k = ptr[j], end = ptr[j + 1]; k < end; k++)
      x[j] += beta * val[at[k]] * y[row[k]];
}

KERNEL (gemver_add_transposed_35) (int n, const double *z, double *x)
{
  FOR_EACH (j, 0, n)
    x[j] += z[j];
}

KERNEL (gemver_multiply_48) (int n, const int *ptr, const int *col, double alpha, const double *val, const double *x,
			     double *w)
{
  FOR_EACH (i, 0, n)
    {
      w[i] = 0.0;
      for (int k = ptr[i], end = ptr[i + 1]; k < end; k++)
	w[i] += alpha * val[k] * x[col[k]];
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
