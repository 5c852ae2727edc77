/* SPDX-License-Identifier: MIT
   Two rank-one updates of a sparse matrix and two products with what results, for a matrix that can be gone through by
   rows and by columns.  */
#ifndef GEMVER_H
#define GEMVER_H

/* The entries of row i are VAL[k] in column COL[k] for k from PTR[i] to PTR[i + 1] - 1.  Those of column j are
   VAL[AT[k]] in row ROW[k] for k from COL_PTR[j] to COL_PTR[j + 1] - 1.  */
struct sparse
{
  int n;
  int *ptr, *col;
  int *col_ptr, *row, *at;
  double *val;
};

/* A += U1 times V1 transposed + U2 times V2 transposed, where A has entries.  */
void update (const struct sparse *a, const double *u1, const double *v1, const double *u2, const double *v2);

/* X += BETA times A transposed times Y, then X += Z.  */
void add_transposed (const struct sparse *a, double beta, const double *y, const double *z, double *x);

/* W = ALPHA A X.  */
void multiply (const struct sparse *a, double alpha, const double *x, double *w);

#endif
