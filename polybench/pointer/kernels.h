/* SPDX-License-Identifier: MIT
   The kernels of this folder.  All arrays come as plain pointers; matrices of N columns are stored row after row,
   a[i * n + j].  */
#ifndef POINTER_KERNELS_H
#define POINTER_KERNELS_H

/* C = A + B, vectors of length N.  */
void vadd (int n, float *c, float *a, float *b);

/* One step of a three-point average: inner points of B from A.  */
void jacobi_1d (int n, double *a, double *b);

/* One step of a five-point average on an N x N grid: inner points of B from A.  */
void jacobi_2d (int n, double *a, double *b);

/* One time step, at which the source is SOURCE, of a two-dimensional electromagnetic wave: fields EX, EY and HZ on a
   grid of NX x NY.  */
void fdtd_2d (int nx, int ny, double source, double *ex, double *ey, double *hz);

/* Half a Gauss-Seidel sweep for the Poisson equation on an N x N grid: the inner points of U where i + j + COLOR is
   odd, from their four neighbours, which are not.  F is the right-hand side times the mesh width squared.  */
void relax_color (int n, int color, double *u, double *f);

/* A Gauss-Seidel sweep on an N x N grid: each inner point of U in turn becomes the average of itself and the eight
   points around it.  */
void seidel (int n, double *u);

/* C = ALPHA A B + BETA C; A is NI x NK, B is NK x NJ.  */
void gemm (int ni, int nj, int nk, double alpha, double beta, double *a, double *b, double *c);

/* Y = transposed A times X; A is M x N.  */
void tmv (int m, int n, double *a, double *x, double *y);

#endif
