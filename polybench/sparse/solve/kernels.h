/* SPDX-License-Identifier: MIT
   The loops in which the solver spends its time: vectors of length N, sparse matrices in CSR.  */
#ifndef SOLVE_KERNELS_H
#define SOLVE_KERNELS_H

/* Y = A X.  */
void spmv (int n, const int *ptr, const int *col, const double *val, const double *x, double *y);

/* The sum of X[i] * Y[i], in order.  */
double dot (int n, const double *x, const double *y);

void copy (int n, const double *x, double *y);				/* y = x */
void axpy (int n, double a, const double *x, double *y);		/* y = y + a x */
void xpay (int n, const double *x, double a, double *y);		/* y = x + a y */
void waxpy (int n, double a, const double *x, const double *y, double *w); /* w = y + a x */
/* p = r + beta (p - omega v) */
void update_direction (int n, double beta, double omega, const double *r, const double *v, double *p);
/* x = x + a y + b z */
void axpbypz (int n, double a, const double *y, double b, const double *z, double *x);

/* One level of a triangular system: for the k-th row in the list ROW, Y[ROW[k]] = B[ROW[k]] less entries PTR[k] to
   PTR[k + 1] - 1 of the row times Y, and for the upper triangle divided by DIAG[k].  No row of a level needs
   another one of it.  */
void solve_lower_rows (int n, const int *row, const int *ptr, const int *col, const double *val, const double *b,
		       double *y);
void solve_upper_rows (int n, const int *row, const int *ptr, const int *col, const double *val, const double *diag,
		       const double *b, double *y);

#endif
