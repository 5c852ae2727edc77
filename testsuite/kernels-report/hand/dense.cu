/* SPDX-License-Identifier: MIT
   Loops over vectors and matrices.  */
#include "hand.cuh"

KERNEL (vadd_vadd_12) (int n, float *c, float *a, float *b)
{
  FOR_EACH (i, 0, n)
    c[i] = a[i] + b[i];
}

KERNEL (jacobi1d_jacobi_1d_12) (int n, double *a, double *b)
{
  FOR_EACH (i, 1, n - 1)
    b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
}

KERNEL (jacobi2d_jacobi_2d_12) (int n, double *a, double *b)
{
  FOR_EACH (i, 1, n - 1)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j]
	= 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}

KERNEL (jacobi2d_jacobi_2d_13) (int i, int n, double *a, double *b)
{
  FOR_EACH (j, 1, n - 1)
    b[i * n + j]
      = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}

KERNEL (fdtd2d_fdtd_2d_11) (int ny, double source, double *ey)
{
  FOR_EACH (j, 0, ny)
    ey[j] = source;
}

KERNEL (fdtd2d_fdtd_2d_16) (int nx, int ny, double *ey, double *hz)
{
  FOR_EACH (i, 1, nx)
    for (int j = 0; j < ny; j++)
      ey[i * ny + j] = ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

KERNEL (fdtd2d_fdtd_2d_22) (int nx, int ny, double *ex, double *hz)
{
  FOR_EACH (i, 0, nx)
    for (int j = 1; j < ny; j++)
      ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

KERNEL (fdtd2d_fdtd_2d_28) (int nx, int ny, double *ex, double *ey, double *hz)
{
  FOR_EACH (i, 0, nx - 1)
    for (int j = 0; j < ny - 1; j++)
      hz[i * ny + j]
	= hz[i * ny + j] - 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

KERNEL (rbgs_relax_color_13) (int n, int color, double *u, double *f)
{
  FOR_EACH (i, 1, n - 1)
    for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
      u[i * n + j]
	= 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]);
}

KERNEL (seidel_seidel_12) (int n, double *u)
{
  FOR_EACH (i, 1, n - 1)
    for (int j = 1; j < n - 1; j++)
      u[i * n + j] = (u[(i - 1) * n + j - 1] + u[(i - 1) * n + j] + u[(i - 1) * n + j + 1] + u[i * n + j - 1]
		      + u[i * n + j] + u[i * n + j + 1] + u[(i + 1) * n + j - 1] + u[(i + 1) * n + j]
		      + u[(i + 1) * n + j + 1])
		     / 9.0;
}

KERNEL (gemm_gemm_12) (int ni, int nj, int nk, double alpha, double beta, double *a, double *b, double *c)
{
  FOR_EACH (i, 0, ni)
    {
      for (int j = 0; j < nj; j++)
	c[i * nj + j] *= beta;
      for (int k = 0; k < nk; k++)
	for (int j = 0; j < nj; j++)
	  c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}

KERNEL (tmv_tmv_12) (int m, int n, double *a, double *x, double *y)
{
  FOR_EACH (j, 0, n)
    {
      y[j] = 0.0;
      for (int i = 0; i < m; i++)
	y[j] += a[i * n + j] * x[i];
    }
}
