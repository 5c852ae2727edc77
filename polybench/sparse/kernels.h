/* SPDX-License-Identifier: MIT
   The kernels of this folder.  Compressed sparse rows (CSR): the entries of row i are VAL[k] in column COL[k] for k
   from PTR[i] to PTR[i + 1] - 1.  */
#ifndef SPARSE_KERNELS_H
#define SPARSE_KERNELS_H

/* Y += A X for a sparse vector X with NZ entries: entry k stands at IDX[k] of the dense vector Y.  */
void saxpy (int nz, double a, const double *x, const int *idx, double *y);

/* Y -= TAU (V . Y) V for a sparse vector V with NZ entries, likewise: the reflection of Y, if TAU is 2 / (V . V).  */
void house (int nz, double tau, const double *v, const int *idx, double *y);

/* A += ALPHA times X times Y transposed, A in CSR, where it has entries.  */
void ger (int n, const int *ptr, const int *col, double alpha, const double *x, const double *y, double *val);

/* Y = A X, A in CSR.  */
void spmv (int n, const int *ptr, const int *col, const double *val, const double *x, double *y);

/* Y += A X, A by compressed sparse columns: ROW says where the entries of column j go.  */
void csc_mv (int n, const int *ptr, const int *row, const double *val, const double *x, double *y);

/* Forward elimination, in place, of the N rows in the list ROWS, none of which needs another one.  A is the part
   below the diagonal, in CSR; the diagonal is one.  */
void eliminate_rows (int n, const int *rows, const int *ia, const int *ja, const double *a, double *x);

/* Relax rows LO to HI - 1, no two of which are neighbours, in place.  The matrix of N rows is in ELLPACK form: WIDTH
   off-diagonal entries a row, the j-th one of row i at VAL[j * N + i].  */
void sor_color (int lo, int hi, int n, int width, double omega, const int *col, const double *val, const double *diag,
		const double *b, double *x);

#endif
