/* SPDX-License-Identifier: MIT */
//! args: 1, 2, 3, 4, 5, 7, 8, 40
//! opts: -O1, -O2, -O3, -O3 -g, -O3 -march=native, -Os, -Ofast
//! stat: pool >= 4
/* Sums along rows, which are taken several at a time: any number of rows, and of what is in them.  */
#include "print.h"

#define N 41
#define M 61

KERNEL void
one_sum (int n, int m, const double *a, const double *x, double *t)
{
  for (int i = 0; i < n; i++)
    {
      t[i] = 0;
      for (int j = 0; j < m; j++)
	t[i] += a[i * M + j] * x[j];
    }
}

KERNEL void
two_sums (int n, int m, const float *a, const float *b, const float *x, float *t)
{
  for (int i = 0; i < n; i++)
    {
      float one = 1, two = t[i];
      for (int j = 0; j < m; j++)
	{
	  one += a[i * M + j] * x[j];
	  two = b[i * M + j] * x[j] - two * 0.5f;
	}
      t[i] = one * 0.75f + two;
    }
}

KERNEL void
two_loops (int n, int m, const double *a, const double *x, double *t, double *u)
{
  for (int i = 0; i < n; i++)
    {
      double one = t[i], two = 0;
      for (int j = 0; j < m; j++)
	one -= a[i * M + j] * x[j];
      u[i] = one;
      for (int j = m - 1; j > 0; j--)
	two = two * 0.25 + a[i * M + j] * one;
      t[i] = two / (one + 1000);
    }
}

/* Pointers that go on from row to row, and back to front.  */
KERNEL void
by_pointers (long n, unsigned char m, const double *a, const double *x, double *t)
{
  const double *row = a + (n - 1) * M;
  for (long i = 0; i < n; i++, row -= M, t += 2)
    {
      double sum = 0;
      const double *p = row, *q = x;
      for (unsigned char j = 0; j < m; j++)
	sum += *p++ * *q++ + i;
      *t = sum;
    }
}

/* More sums than are worth it side by side; one that takes another number of turns in each row.  */
KERNEL void
four_sums (int n, int m, const double *a, const double *x, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double p = 0, q = 0, r = 0, s = 0;
      for (int j = 0; j < m; j++)
	{
	  p += a[i * M + j] * x[j];
	  q += a[i * M + j] + x[j];
	  r -= a[i * M + j];
	  s = s * 0.5 + x[j];
	}
      t[i] = p + q * r - s;
    }
}

KERNEL void
triangle (int n, const double *a, const double *x, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j <= i; j++)
	sum += a[i * M + j] * x[j];
      t[i] = sum;
    }
}

/* Several rows of a result.  */
KERNEL void
product (int n, int m, const double *a, const double *x, double *c)
{
  for (int i = 0; i < n; i++)
    {
      double one = 0, two = 0;
      for (int j = 0; j < m; j++)
	one += a[i * M + j] * x[j];
      for (int j = 0; j < m; j++)
	two += a[i * M + j] * x[m - 1 - j];
      c[3 * i] = one;
      c[3 * i + 1] = two - c[3 * i + 2];
      c[3 * i + 2] += one * 0.5;
    }
}

static double a[N][M], x[M], t[3 * N], u[N];
static float fa[N][M], fb[N][M], fx[M], ft[N];

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      {
	a[i][j] = (i * 37 + j * 11) % 101 / 101.0;
	x[j] = j * 7 % 19 / 19.0;
	fa[i][j] = a[i][j];
	fb[i][j] = x[j] - a[i][j];
	fx[j] = x[j];
      }
  for (int m = 0; m < M; m = 2 * m + 1)
    {
      one_sum (n, m, a[0], x, t);
      two_sums (n, m, fa[0], fb[0], fx, ft);
      two_loops (n, m, a[0], x, t, u);
      by_pointers (n, m, a[0], x, t);
      print_bits ("t", t, sizeof t);
      four_sums (n, m, a[0], x, t + 1);
      triangle (n, a[0], x, u);
      print_bits ("u", u, sizeof u);
      product (n, m, a[0], x, t);
      print_bits ("t", t, sizeof t);
      print_bits ("ft", ft, sizeof ft);
    }
  return 0;
}
