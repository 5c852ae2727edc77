/* SPDX-License-Identifier: MIT
   The loops in which the solver spends its time (see kernels.h).  Dot products stay in order, so that every build
   prints the same residuals.  Levels of few rows are not worth a team of threads.  */
#include "kernels.h"

void
spmv (int n, const int *ptr, const int *col, const double *val, const double *x, double *y)
{
  int i, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (i = 0; i < n; i++)
    {
      double sum = 0.0;

      for (k = ptr[i]; k < ptr[i + 1]; k++)
	sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}

double
dot (int n, const double *x, const double *y)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

void
copy (int n, const double *x, double *y)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    y[i] = x[i];
}

void
axpy (int n, double a, const double *x, double *y)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    y[i] += a * x[i];
}

void
xpay (int n, const double *x, double a, double *y)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    y[i] = x[i] + a * y[i];
}

void
waxpy (int n, double a, const double *x, const double *y, double *w)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    w[i] = y[i] + a * x[i];
}

void
update_direction (int n, double beta, double omega, const double *r, const double *v, double *p)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

void
axpbypz (int n, double a, const double *y, double b, const double *z, double *x)
{
  int i;

#pragma omp parallel for
  /* main loop */
  for (i = 0; i < n; i++)
    x[i] = x[i] + a * y[i] + b * z[i];
}

void
solve_lower_rows (int n, const int *row, const int *ptr, const int *col, const double *val, const double *b,
		  double *y)
{
  int i, k;

#pragma omp parallel for private (k) if (n >= 1000)
  /* main loop */
  for (i = 0; i < n; i++)
    {
      double sum = b[row[i]];

      for (k = ptr[i]; k < ptr[i + 1]; k++)
	sum -= val[k] * y[col[k]];
      y[row[i]] = sum;
    }
}

void
solve_upper_rows (int n, const int *row, const int *ptr, const int *col, const double *val, const double *diag,
		  const double *b, double *y)
{
  int i, k;

#pragma omp parallel for private (k) if (n >= 1000)
  /* main loop */
  for (i = 0; i < n; i++)
    {
      double sum = b[row[i]];

      for (k = ptr[i]; k < ptr[i + 1]; k++)
	sum -= val[k] * y[col[k]];
      y[row[i]] = sum / diag[i];
    }
}
