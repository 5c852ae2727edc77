/* SPDX-License-Identifier: MIT */
//! opts: -O3 -march=native, -O3 -mfma -mtune=generic, -O2 -mfma -ftree-vectorize, -O2 -march=native
//! opts: -O3 -march=native --param=avoid-fma-max-bits=0 -g, -O3 -mfma -fno-tree-vectorize
//! stat: pool >= 2
/* Loops of a constant count, whose last iterations are copied one behind the other: what is fused there depends on what
   else stands there.  */
#include "print.h"

#define N 1003

static double x[N], y[N], z[N], w[N], v[N], c[N], d[N], few[9], tenths[21];

/* One product for two blocks is fused in neither.  */
KERNEL void
two_sums (void)
{
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
  for (int i = 0; i < N; i++)
    d[i] = y[i] * x[i] - w[i];
}

/* And one that is stored is not fused.  */
KERNEL void
stored_before (void)
{
  for (int i = 0; i < N; i++)
    d[i] = x[i] * y[i];
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
}

/* So is one of what was loaded and what was stored elsewhere, one by one, at once, or as what it really is.  */
KERNEL void
copied (void)
{
  for (int i = 0; i < N; i++)
    v[i] = y[i];
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
  for (int i = 0; i < N; i++)
    d[i] = x[i] * v[i] - w[i];
}

KERNEL void
copied_at_once (void)
{
  __builtin_memcpy (v, y, sizeof v);
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
  for (int i = 0; i < N; i++)
    d[i] = x[i] * v[i] - w[i];
}

KERNEL void
negated (void)
{
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
  v[N - 1] = -x[N - 1];
  for (int i = 0; i < N; i++)
    d[i] = w[i] - v[i] * y[i];
}

KERNEL void
taken_apart (const double *restrict p, const double *restrict q, double *restrict to, double *restrict other)
{
  long bits[N];
  for (int i = 0; i < N; i++)
    __builtin_memcpy (&bits[i], &p[i], sizeof bits[i]);
  for (int i = 0; i < N; i++)
    to[i] = p[i] * q[i] + 0.3;
  for (int i = 0; i < N; i++)
    {
      double number;
      __builtin_memcpy (&number, &bits[i], sizeof number);
      other[i] = number * q[i] - 1.7;
    }
}

KERNEL void
unchanged (const double *p, const double *restrict q, const double *restrict r, const double *restrict s,
	   double *restrict to, double *restrict other, double *t)
{
  double ones[N];
  for (int i = 0; i < N; i++)
    to[i] = p[i] * q[i] + r[i];
  for (int i = N - 1; i > N - 16; i -= 5)
    ones[i] = 1;
  for (int i = N - 1; i > N - 16; i -= 5)
    t[i] = p[i] * ones[i];
  for (int i = 0; i < N; i++)
    other[i] = s[i] - t[i] * q[i];
}

KERNEL void
made_before (double *restrict out)
{
  double t = x[N - 1] * y[N - 1];
  out[0] = t;
  out[1] = t + z[N - 1];
  for (int i = 0; i < N; i++)
    c[i] = x[i] * y[i] + z[i];
}

/* What was stored as a constant is one where it is loaded.  */
KERNEL void
constants (double *restrict a, double *restrict b, double *restrict sums)
{
  for (int i = 0; i < N; i++)
    a[i] = i * 0.1;
  for (int i = 0; i < N; i++)
    b[i] = i * 0.3;
  for (int i = 0; i < N; i++)
    sums[i] = a[i] * b[i] + 1.7;
}

KERNEL void
last_constants (double *restrict a, double *restrict b, double *restrict sums)
{
  a[N - 1] = -1.5;
  b[N - 1] = 1.4;
  for (int i = 0; i < N; i++)
    sums[i] = a[i] * b[i] + 1.1;
}

/* There are no more iterations than the array has elements: they are unrolled.  */
KERNEL void
bounded (int n)
{
  for (int i = 0; i < 21; i++)
    tenths[i] = 0.1;
  for (int i = 0; i < n; i++)
    c[i] = x[i] - i * tenths[i];
}

/* A guard between them hides the constants.  */
KERNEL void
across (void)
{
  for (int i = 1; i < N; i++)
    z[i] = i * -1.5;
  for (int i = 1; i < N; i++)
    d[i] = z[i] - 0.1 * w[i];
  for (int i = 0; i < N - 1; i++)
    w[i] = z[i] - z[i] * 1.7;
}

/* What need not be loaded again is multiplied earlier.  */
KERNEL void
earlier (double *restrict p)
{
  for (int i = 0; i < N; i++)
    p[i] = (double) i * i + y[i];
  for (int i = 1; i < N; i++)
    p[i] = z[i] * w[i] - y[i] * y[i];
}

/* Where branches meet behind a product, they may go on apart.  */
KERNEL void
behind_branches (int n, double *restrict p, const double *restrict q, const double *restrict r)
{
  for (int i = 0; i < n; i++)
    p[i] -= r[i] > 1 ? 1.7 * q[i] : r[i] + q[i];
}

/* The vectoriser drops parentheses.  */
KERNEL void
parentheses (int n, double *restrict p, const double *restrict q, const double *restrict r)
{
  for (int i = 0; i < n; i++)
    p[i] = __builtin_assoc_barrier (0.3 * q[i]) + 0.7 * r[i];
}

/* These are in no piece of code together: their products are of different rows.  */
KERNEL void
rows (double (*a)[N], double (*b)[N], double (*s)[N])
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < N; j++)
      s[i][j] = a[i][j] * b[i][j] + 0.3;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < N; j++)
      s[i][j] -= a[i][j] * b[i][j] + 0.1;
}

static double left[40][N], right[40][N], sums[40][N];

int
main (void)
{
  unsigned seed = 7;
  for (int i = 0; i < N; i++)
    {
      x[i] = 1.0 / (1 + next_random (&seed) % 1000);
      y[i] = (next_random (&seed) % 1000) / 7.0;
      z[i] = -x[i] * y[i];
      w[i] = x[i] * y[i];
      for (int k = 0; k < 40; k++)
	{
	  left[k][i] = x[i] + k / 3.0;
	  right[k][i] = y[i] - k / 7.0;
	}
    }
  two_sums ();
  print_bits ("c", c, sizeof c);
  print_bits ("d", d, sizeof d);
  stored_before ();
  print_bits ("c", c, sizeof c);
  print_bits ("d", d, sizeof d);
  copied ();
  print_bits ("copied", c, sizeof c);
  print_bits ("copied", d, sizeof d);
  copied_at_once ();
  print_bits ("copied at once", c, sizeof c);
  print_bits ("copied at once", d, sizeof d);
  negated ();
  print_bits ("negated", c, sizeof c);
  print_bits ("negated", d, sizeof d);
  taken_apart (x, y, c, d);
  print_bits ("taken apart", c, sizeof c);
  print_bits ("taken apart", d, sizeof d);
  unchanged (x, y, z, w, c, d, v);
  print_bits ("unchanged", c, sizeof c);
  print_bits ("unchanged", d, sizeof d);
  made_before (few);
  print_bits ("c", c, sizeof c);
  print_bits ("few", few, sizeof few);
  across ();
  print_bits ("across", w, sizeof w);
  earlier (d);
  print_bits ("earlier", d, sizeof d);
  bounded (21);
  print_bits ("bounded", c, sizeof c);
  behind_branches (N, c, x, y);
  print_bits ("branches", c, sizeof c);
  parentheses (N, c, x, y);
  print_bits ("parentheses", c, sizeof c);
  rows (left, right, sums);
  print_bits ("rows", sums, sizeof sums);
  last_constants (x, y, c);
  print_bits ("last", c, sizeof c);
  constants (x, y, c);
  print_bits ("constants", c, sizeof c);
  return 0;
}
