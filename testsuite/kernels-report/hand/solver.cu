/* SPDX-License-Identifier: MIT
   The loops of the solver.  */
#include "hand.cuh"

KERNEL (kernels_spmv_13) (int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
  FOR_EACH (i, 0, n)
    {
      double sum = 0.0;
      for (int k = ptr[i]; k < ptr[i + 1]; k++)
	sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}

KERNEL (kernels_copy_41) (int n, const double *x, double *y)
{
  FOR_EACH (i, 0, n)
    y[i] = x[i];
}

KERNEL (kernels_axpy_52) (int n, double a, const double *x, double *y)
{
  FOR_EACH (i, 0, n)
    y[i] += a * x[i];
}

KERNEL (kernels_xpay_63) (int n, const double *x, double a, double *y)
{
  FOR_EACH (i, 0, n)
    y[i] = x[i] + a * y[i];
}

KERNEL (kernels_waxpy_74) (int n, double a, const double *x, const double *y, double *w)
{
  FOR_EACH (i, 0, n)
    w[i] = y[i] + a * x[i];
}

KERNEL (kernels_update_direction_85) (int n, double beta, double omega, const double *r, const double *v, double *p)
{
  FOR_EACH (i, 0, n)
    p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

KERNEL (kernels_axpbypz_96) (int n, double a, const double *y, double b, const double *z, double *x)
{
  FOR_EACH (i, 0, n)
    x[i] = x[i] + a * y[i] + b * z[i];
}

KERNEL (kernels_solve_lower_rows_108) (int n, const int *row, const int *ptr, const int *col, const double *val,
				       const double *b, double *y)
{
  FOR_EACH (i, 0, n)
    {
      double sum = b[row[i]];
      for (int k = ptr[i]; k < ptr[i + 1]; k++)
	sum -= val[k] * y[col[k]];
      y[row[i]] = sum;
    }
}

KERNEL (kernels_solve_upper_rows_126) (int n, const int *row, const int *ptr, const int *col, const double *val,
				       const double *diag, const double *b, double *y)
{
  FOR_EACH (i, 0, n)
    {
      double sum = b[row[i]];
      for (int k = ptr[i]; k < ptr[i + 1]; k++)
	sum -= val[k] * y[col[k]];
      y[row[i]] = sum / diag[i];
    }
}

KERNEL (rayleigh_shift_13) (int n, const int *place, double mu, const double *a, double *b)
{
  FOR_EACH (k, 0, n)
    b[place[k]] = a[place[k]] - mu;
}
