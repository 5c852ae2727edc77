/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3, -O2 -march=native, -O3 -march=native, -Ofast -march=native
//! opts: -O3 -march=native -mtune=haswell, -O3 -march=native -mtune=znver3
//! opts: -O2 -march=native -ftree-vectorize, -O2 -march=native -ftree-vectorize -fvect-cost-model=unlimited
//! kernels: -O2, -O3 -march=native
//! stat: pool >= 1
/* Sums of products that an inner loop keeps, in memory or in a register.  Whether products are fused with sums depends
   on what becomes of the loops: in order, a vector of products is made apart.  What that is must not depend on what is
   known of the pointers when they run.  */
#include "print.h"

#include <stdlib.h>

#define M 100
#define N 80
#define P 40

/* No product goes into a sum: a kernel can be had in all variants.  */
KERNEL void
scaled (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = 1.1 * x[i];
}

/* Y, in memory, or a sum of its own, plus the matrix A, or its transposed, times X.  */
KERNEL void
rows_in_memory (int m, int n, const double *a, const double *x, double *y)
{
  int i, j;

  for (j = 0; j < n; j++)
    for (i = 0; i < m; i++)
      y[j] += a[j * m + i] * x[i];
}

KERNEL void
rows_subtracted (int m, int n, const float *a, const float *x, float *y)
{
  int i, j;

  for (j = 0; j < n; j++)
    for (i = 0; i < m; i++)
      y[2 * j] -= a[j * m + i] * x[2 * i];
}

KERNEL void
columns_in_memory (int m, int n, const double *a, const double *x, double *y)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      y[j] = 0;
      for (i = 0; i < m; i++)
        y[j] += a[i * n + j] * x[i];
    }
}

KERNEL void
rows_in_register (int m, int n, const double *a, const double *x, double *y)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      double sum = 0;
      for (i = 0; i < m; i++)
        sum += a[j * m + i] * x[i];
      y[j] = sum;
    }
}

KERNEL void
columns_in_register (int m, int n, const double *a, const double *x, double *y)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      double sum = y[j];
      for (i = 0; i < m; i++)
        sum -= a[i * n + j] * x[i];
      y[j] = sum;
    }
}

KERNEL void
columns_apart (int m, int n, const double *restrict a, const double *restrict x, double *restrict y)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      y[j] = 0;
      for (i = 0; i < m; i++)
        y[j] += a[i * n + j] * x[i];
    }
}

/* Each product is the same for all elements of a row of Y.  */
KERNEL void
squares_apart (int m, const double *restrict x, double *restrict y)
{
  int i, j, k;

  for (i = 0; i < 24; i++)
    for (j = 0; j < m; j++)
      {
        y[i * 48 + j] = 0;
        for (k = 0; k < 37; k++)
          y[i * 48 + j] += x[k * 48 + i] * x[k * 48 + i];
      }
}

KERNEL void
squares_in_memory (int m, const double *x, double *y)
{
  int i, j;

  for (j = 0; j < m; j++)
    for (i = 0; i < 37; i++)
      y[j] += x[i * 48] * x[i * 48];
}

/* Some targets fuse sums of vectors only.  */
KERNEL void
scaled_columns_apart (int n, const double *restrict a, const double *restrict x, double *restrict y)
{
  int i, j;

  for (j = 0; j < n; j++)
    {
      y[j] = 0;
      for (i = 0; i < 24; i++)
        y[j] += 0.7 * a[i * 48 + j] * x[2 * i];
    }
}

/* Matrix products; in the second and the last one, B is transposed.  */
KERNEL void
product_in_register (int p, const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < P; i++)
    for (j = 0; j < p; j++)
      {
        double sum = 0;
        for (k = 0; k < P; k++)
          sum += a[i * P + k] * b[k * P + j];
        c[i * P + j] = sum;
      }
}

KERNEL void
transposed_in_register (const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < P; i++)
    for (j = 0; j < P; j++)
      {
        double sum = 0;
        for (k = 0; k < P; k++)
          sum += a[i * P + k] * b[j * P + k];
        c[i * P + j] = sum;
      }
}

KERNEL void
product_in_memory (int p, const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < p; i++)
    for (j = 0; j < p; j++)
      for (k = 0; k < p; k++)
        c[i * P + j] += a[i * P + k] * b[k * P + j];
}

KERNEL void
transposed_in_memory (const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < P; i++)
    for (j = 0; j < P; j++)
      for (k = 0; k < P; k++)
        c[i * P + j] += a[i * P + k] * b[j * P + k];
}

/* Arrays that are known to be apart, and numbers of iterations that are known, too: the outer loop may be
   vectorised.  */
static double known[P][P], known_x[P], known_y[P];

KERNEL void
columns_known (void)
{
  int i, j;

  for (j = 0; j < P; j++)
    {
      known_y[j] = 0;
      for (i = 0; i < P; i++)
        known_y[j] += known[i][j] * known_x[i];
    }
}

KERNEL void
squares_allocated (int m, int n, const double *x, double *to)
{
  double *y = calloc ((size_t) n, sizeof *y), *b = malloc ((size_t) m * sizeof *b);
  int i, j;

  if (!y || !b)
    abort ();
  for (i = 0; i < m; i++)
    b[i] = x[i];
  for (j = 0; j < n; j++)
    for (i = 0; i < m; i++)
      y[j] += b[(i + j) % 7 + i / 2] * b[i];
  for (j = 0; j < n; j++)
    to[j] = y[j];
  free (y);
  free (b);
}

static double a[M * N], x[M * N], y[M * N];
static float fa[M * N], fx[2 * M], fy[2 * N];

/* The inner loop may be unrolled once it is vectorised; then the product is in one block with its last sums.  */
KERNEL void
squares_outside (int n, int m)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++)
      for (j = 0; j < 37; j++)
        known[i][j] += a[k * P + i] * a[k * P + i];
}

static void
fill (void)
{
  unsigned seed = 12;
  int i;

  for (i = 0; i < M * N; i++)
    {
      a[i] = (double) (next_random (&seed) % 100000) / 7;
      x[i] = 1 / (1.0 + i);
      y[i] = i / 3.0;
      fa[i] = (float) a[i];
    }
  for (i = 0; i < 2 * M; i++)
    fx[i] = (float) x[i];
  for (i = 0; i < 2 * N; i++)
    fy[i] = (float) y[i];
  for (i = 0; i < P * P; i++)
    known[i / P][i % P] = a[i];
  for (i = 0; i < P; i++)
    known_x[i] = x[i];
}

/* Forward substitution: an iteration needs what those before it made, and may follow them through its sum.  */
KERNEL void
substituted (int n, const double *a, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = y[i];

      for (k = 0; k < i; k++)
	sum -= a[i * n + k] * y[k];
      y[i] = 0.01 * sum;
    }
}

int
main (void)
{
  fill ();
  scaled (N, x, y);
  print_bits ("scaled", y, sizeof y);
  rows_in_memory (M, N, a, x, y);
  print_bits ("rows_in_memory", y, sizeof y);
  rows_subtracted (M, N, fa, fx, fy);
  print_bits ("rows_subtracted", fy, sizeof fy);
  columns_in_memory (M, N, a, x, y);
  print_bits ("columns_in_memory", y, sizeof y);
  rows_in_register (M, N, a, x, y);
  print_bits ("rows_in_register", y, sizeof y);
  columns_in_register (M, N, a, x, y);
  print_bits ("columns_in_register", y, sizeof y);
  columns_apart (M, N, a, x, y);
  print_bits ("columns_apart", y, sizeof y);
  squares_apart (45, a, y);
  print_bits ("squares_apart", y, sizeof y);
  squares_in_memory (75, a, y);
  print_bits ("squares_in_memory", y, sizeof y);
  scaled_columns_apart (28, a, x, y);
  print_bits ("scaled_columns_apart", y, sizeof y);
  product_in_register (P, a, x, y);
  print_bits ("product_in_register", y, sizeof y);
  transposed_in_register (a, x, y);
  print_bits ("transposed_in_register", y, sizeof y);
  product_in_memory (P, a, x, y);
  print_bits ("product_in_memory", y, sizeof y);
  transposed_in_memory (a, x, y);
  print_bits ("transposed_in_memory", y, sizeof y);
  columns_known ();
  print_bits ("columns_known", known_y, sizeof known_y);
  squares_outside (P / 2, P / 2);
  print_bits ("squares_outside", known, sizeof known);
  squares_allocated (M, N, x, y);
  print_bits ("squares_allocated", y, sizeof y);
  substituted (N, a, y);
  print_bits ("substituted", y, sizeof y);
  return 0;
}
