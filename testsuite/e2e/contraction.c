/* SPDX-License-Identifier: MIT */
//! opts: -O2 -march=native --param=avoid-fma-max-bits=0, -O3 -march=native --param=avoid-fma-max-bits=0
//! opts: -O2 -march=native, -O3 -march=native
//! opts: -O3 -march=native --param=vect-epilogues-nomask=0
//! kernels: -O2, -O2 -mfma -mtune=generic
//! link: -lm
//! stat: pool >= 10
/* Sums of products, of which one is fused: which one must not depend on what the loop that is handed over may assume
   of its pointers, nor on how many iterations it is given.  */
#include "print.h"

#define N 3001
#define M 61

/* Where C does not hold the factors, their product need not be made in each iteration.  */
KERNEL void
fixed_factors (int n, double *c, const double *a)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] -= a[0] * a[1];
}

/* Where C is not A and not B, both products are one.  */
KERNEL void
stored_twin (int n, double *c, double *d, const double *a, const double *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      c[i] = a[i] * b[i];
      d[i] = a[i] * b[i] + d[i];
    }
}

/* Where D is not C, the first store to C is of no use.  */
KERNEL void
stored_in_vain (int n, double *c, double *d, const double *a, const double *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      c[i] = a[i] * b[i];
      d[i] = 1 - b[i];
      d[i] += c[i];
      c[i] = b[i];
    }
}

KERNEL void
two_products (int n, const double *a, const double *b, double *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i] - b[i] * b[i] + a[i] * c[i];
}

KERNEL void
shared_product (int n, const float *a, const float *b, float *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = (a[i + 1] - 2.7f * a[i]) * (b[i] - 2.7f * a[i]) - 1.3f * b[i];
}

KERNEL void
rotate (int n, int m, double (*a)[M], const double *s)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 1; j < m; j++)
      a[i][j] = s[0] * a[i][j] - s[1] * s[j] * a[i][j] + s[j] * s[j];
}

KERNEL void
recursive_filter (int n, int m, double (*x)[M], double (*y)[M])
{
  int i, j;

  for (j = 0; j < m; j++)
    {
      double y1 = 0, y2 = 0, x1 = 0;
      for (i = 0; i < n; i++)
	{
	  y[i][j] = 0.3 * x[i][j] + 0.2 * x1 + 0.7 * y1 - 0.1 * y2;
	  x1 = x[i][j];
	  y2 = y1;
	  y1 = y[i][j];
	}
    }
}

KERNEL void
seven_points (int n, double a[][M][M], double b[][M][M])
{
  int i, j, k;

  for (i = 1; i < n - 1; i++)
    for (j = 1; j < M - 1; j++)
      for (k = 1; k < M - 1; k++)
	b[i][j][k] = 0.13 * (a[i + 1][j][k] - 2.3 * a[i][j][k] + a[i - 1][j][k])
		     + 0.13 * (a[i][j + 1][k] - 2.3 * a[i][j][k] + a[i][j - 1][k])
		     + 0.13 * (a[i][j][k + 1] - 2.3 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
}

/* With masks, vectors take both branches in one block, and the rest of the iterations do not.  */
KERNEL void
both_branches (double *restrict c, const double *restrict a, const double *restrict b)
{
  int i;

  for (i = 0; i < M + 1; i++)
    {
      double t = a[i] * b[i];
      if (b[i] > 100)
	c[i] = b[i] + t;
      else
	c[i] = a[i + N / 2] + t;
    }
}

/* The iterations that fill no vector become one block.  Vectors of two of them are multiplied as soon as they are
   loaded, X and Y first.  */
KERNEL void
early_loads (double *restrict c, const double *restrict a, const double *restrict b)
{
  int i;

  for (i = 0; i < M + 1; i++)
    {
      double x = a[i], y = b[i];
      c[i] = a[i + N / 2] * b[i + N / 2] + x * y;
    }
}

/* Unrolled, the first loop leaves a table that the compiler knows.  */
KERNEL void
table_of_constants (double (*c)[24], const double (*a)[24])
{
  static double table[24];
  int i, j;

  for (i = 0; i < 24; i++)
    table[i] = (i * 63 % 251 - 125) / (double) 977;
  for (i = 0; i < 5; i++)
    for (j = 0; j < 5; j++)
      c[i][j] = a[i][j] + table[j] * table[j];
  print_bits ("table", table, sizeof table);
}

static inline double
clamp (double x)
{
  return x > 64.0 ? 64.0 : x < -64.0 ? -64.0 : x;
}

/* What is clamped twice is clamped to the same.  */
KERNEL void
clamped_squares (int n, int m, const int *to, double *c, const double *a)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      c[to[i]] = (a[i] - 0.2) / (2.0 + __builtin_fabs (clamp (c[i]) * clamp (c[(long) i]))) * 0.25;
      for (j = m; j > 0; j--)
	c[to[(i + j) % n]] = (clamp (c[i * 2 % n + j]) + a[j]) * 0.25;
    }
}

/* Of the iterations that vectors leave over, the compiler knows the numbers, and makes the products itself.  */
KERNEL void
from_numbers (double *restrict c, const double *restrict a)
{
  int i;

  for (i = 0; i < N; i++)
    c[i] = a[i] * (i * 0.1 - (N - 1) * 0.1);
}

/* And here, were the first iteration peeled.  */
KERNEL void
from_first (int n, double *restrict c, const double *restrict a)
{
  double x = 0.1;
  int i;

  for (i = 0; i < n; i++)
    {
      c[i] = x * 0.3 - 0.03;
      x = a[i];
    }
}

static double a[M][M][M], b[M][M][M];
static int to[N];
static double p[N], q[N], r[N], s[N];
static float f[N], g[N], h[N];

/* Which squares are part of a sum is decided behind a branch that stays.  */
KERNEL void
escape (int n, int most, const double *x0, const double *y0, double *last, int *steps)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double x = x0[i], y = y0[i];
      int k = 0;
      while (k < most && x * x + y * y < 4)
	{
	  double t = x * x - y * y - 0.7;
	  y = 2 * x * y + 0.3;
	  x = t;
	  k++;
	}
      steps[i] = k;
      last[i] = x + y;
    }
}

/* A root may set errno: no vectors of products.  */
KERNEL void
sum_of_roots (int n, int m, const double *a, const double *b, double *sums)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0; j < m; j++)
	sum += a[i * m + j] * __builtin_sqrt (b[j]);
      sums[i] = sum;
    }
}

/* That the store is 1000 elements away is known where the counter cannot wrap: in the original only.  */
KERNEL void
apart_by_numbers (int n, float *x, float *y)
{
  for (int i = 0; i < n; i++)
    {
      x[(unsigned) i + 1000] = x[i] * 0.3f;
      y[i] = x[i] * 0.3f - x[i] * 0.6f;
    }
}

int
main (void)
{
  unsigned seed = 3;
  int i;

  for (i = 0; i < N; i++)
    {
      p[i] = 1.0 / (1 + next_random (&seed) % 1000);
      q[i] = (double) (next_random (&seed) % 1000) / 3;
      r[i] = p[i] / 7;
      s[i] = q[i] / 700;
      f[i] = (float) p[i];
      g[i] = (float) q[i];
    }
  for (i = 0; i < M * M * M; i++)
    a[0][0][i] = b[0][0][i] = 1.0 / (1 + next_random (&seed) % 1000);
  fixed_factors (N, r, p);
  fixed_factors (N - 1, r, p + 5);
  print_bits ("fixed", r, sizeof r);
  stored_twin (N, s, r, p, q);
  print_bits ("twin", r, sizeof r);
  stored_in_vain (N, s, r, p, q);
  print_bits ("in vain", r, sizeof r);
  two_products (N, p, q, r);
  two_products (N, r, p, r);
  print_bits ("two", r, sizeof r);
  shared_product (N - 1, f, g, h);
  print_bits ("shared", h, sizeof h);
  rotate (M, M, a[1], p);
  recursive_filter (M, M, a[2], a[3]);
  print_bits ("planes", a, sizeof a);
  both_branches (r, p, q);
  print_bits ("branches", r, sizeof r);
  early_loads (r, p, q);
  print_bits ("early", r, sizeof r);
  seven_points (M, a, b);
  print_bits ("points", b, sizeof b);
  table_of_constants ((double (*)[24]) r, (const double (*)[24]) p);
  print_bits ("known", r, sizeof r);
  for (i = 0; i < N; i++)
    to[i] = (int) (i * 7ll % N);
  clamped_squares (N, 0, to, q, p);
  print_bits ("clamped", q, sizeof q);
  escape (N, 50, p, s, r, to);
  print_bits ("escape", r, sizeof r);
  print_bits ("steps", to, sizeof to);
  sum_of_roots (M, M - 12, p, q, r);
  print_bits ("roots", r, sizeof r);
  from_numbers (r, p);
  print_bits ("numbers", r, sizeof r);
  from_first (N, r, p);
  print_bits ("first", r, sizeof r);
  apart_by_numbers (999, f, g);
  print_bits ("apart", g, sizeof g);
  return 0;
}
