/* SPDX-License-Identifier: MIT
   Rank-one updates of a sparse matrix and products with it.  Rows and columns are lists of entries, of which only index
   arrays know that none is in two of them.  */
#include "gemver.h"

void
update (const struct sparse *a, const double *u1, const double *v1, const double *u2, const double *v2)
{
  const int *ptr = a->ptr, *col = a->col;
  double *val = a->val;
  int n = a->n, i, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (i = 0; i < n; i++)
    for (k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] += u1[i] * v1[col[k]] + u2[i] * v2[col[k]];
}

void
add_transposed (const struct sparse *a, double beta, const double *y, const double *z, double *x)
{
  const int *ptr = a->col_ptr, *row = a->row, *at = a->at;
  const double *val = a->val;
  int n = a->n, j, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (j = 0; j < n; j++)
    for (k = ptr[j]; k < ptr[j + 1]; k++)
      x[j] += beta * val[at[k]] * y[row[k]];

#pragma omp parallel for
  /* main loop */
  for (j = 0; j < n; j++)
    x[j] += z[j];
}

void
multiply (const struct sparse *a, double alpha, const double *x, double *w)
{
  const int *ptr = a->ptr, *col = a->col;
  const double *val = a->val;
  int n = a->n, i, k;

#pragma omp parallel for private (k)
  /* main loop */
  for (i = 0; i < n; i++)
    {
      w[i] = 0.0;
      for (k = ptr[i]; k < ptr[i + 1]; k++)
	w[i] += alpha * val[k] * x[col[k]];
    }
}
