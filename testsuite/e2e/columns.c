/* SPDX-License-Identifier: MIT */
//! opts: default, -O3 -march=native -ffp-contract=off, -O2 -march=native -fno-tree-vectorize
//! opts: -O2 -ftree-vectorize, -O3 -g
//! stat: pool >= 1
/* Loops whose inner loops go down columns, on numbers of columns about the length of a strip.  */
#include "print.h"

#define ROWS 23
#define COLUMNS 600

typedef double row[COLUMNS];
typedef float single_row[COLUMNS];

/* A sum, and something behind it.  */
KERNEL void
means (int n, row *a, double *mean)
{
  for (int j = 0; j < n; j++)
    {
      mean[j] = 0;
      for (int k = 0; k < ROWS; k++)
	mean[j] += a[k][j];
      mean[j] /= ROWS;
    }
}

/* What was loaded before is used in each turn and behind the loop, and a sum begins with it.  */
KERNEL void
carried (int n, int m, row *a, const double *x, double *y)
{
  for (int j = 0; j < n; j += 3)
    {
      double first = x[j] * 0.5, sum = first, product = 1;
      int k = 0;
      do
	{
	  sum += (a[k][j] - first) * x[k];
	  product = product * 0.75 + a[k][j];
	}
      while (++k < m);
      y[j] = sum * first - product;
    }
}

/* The second inner loop changes what the first one reads, in each column by what the first one found there.  */
KERNEL void
orthogonal (int n, row *a, row *q, row *r, int k)
{
  for (int j = k + 1; j < n; j++)
    {
      r[k][j] = 0;
      for (int i = 0; i < ROWS; i++)
	r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < ROWS; i++)
	a[i][j] = a[i][j] - q[i][k] * r[k][j];
    }
}

/* The loop over columns is in another one.  */
KERNEL void
covariance (int n, double count, row *a, row *c)
{
  for (int i = 0; i < ROWS; i++)
    for (int j = i; j < n; j++)
      {
	c[i][j] = 0;
	for (int k = 0; k < ROWS; k++)
	  c[i][j] += a[k][i] * a[k][j];
	c[i][j] /= count - 1;
      }
}

/* Backwards, in whole numbers that wrap, and in single precision.  */
KERNEL void
backwards (int n, unsigned (*u)[COLUMNS], unsigned *v, single_row *f, float *g)
{
  for (int j = n - 1; j >= 0; j--)
    {
      unsigned hash = 17, scale = v[j] * 3;
      float sum = g[j];
      for (int k = 0; k < ROWS; k++)
	{
	  hash = hash * 31 + u[k][j] * scale;
	  sum += f[k][j];
	}
      v[j] = hash;
      g[j] = sum * 0.5f;
    }
}

/* Each iteration has an array of its own.  */
KERNEL void
own_array (int n, row *a, double *y)
{
  for (int j = 0; j < n; j++)
    {
      double own[ROWS], sum = 0;
      for (int k = 0; k < ROWS; k++)
	own[k] = a[k][j] * 2;
      for (int k = 0; k < ROWS; k++)
	sum += own[ROWS - 1 - k] * a[k][j];
      y[j] = sum;
    }
}

/* A column finds what no later one has changed yet, though that comes first in each.  */
KERNEL void
ahead (int n, double *p, row *a, double *y)
{
  for (int i = 0; i < ROWS; i++)
    {
      double *from = p + i * (COLUMNS + 8), *to = y + i * COLUMNS;
      for (int j = 0; j < n; j++)
	{
	  double sum = 0;
	  from[0] = j;
	  for (int k = 0; k < ROWS; k++)
	    sum += a[k][j];
	  to[j] = sum + from[1];
	  from++;
	}
    }
}

/* An inner loop between two others stays as it is, and begins with what was carried to it.  */
KERNEL void
mixed (int n, row *a, const double *x, double *y)
{
  for (int j = 0; j < n; j++)
    {
      double first = x[j] / 3, sum = 0, other = first;
      for (int k = 0; k < ROWS; k++)
	sum += a[k][j];
      for (int k = 0; k < ROWS; k++)
	{
	  other += a[k][j] * first;
	  if (a[k][j] > 3)
	    other += 1;
	}
      for (int k = 0; k < ROWS; k++)
	sum += a[k][j] * other;
      y[j] = sum;
    }
}

/* In arrays of the program, which are known to be apart.  */
static row left[ROWS], right[ROWS];

KERNEL void
products (int n)
{
  for (int j = 0; j < n; j++)
    {
      double sum = left[0][j];
      for (int k = 1; k < ROWS; k++)
	sum += left[k][j] * right[k][3];
      for (int k = 0; k < ROWS; k++)
	left[k][j] -= sum * 0.0625;
    }
}

/* The product is the same in all columns, but is fused with the sum in each, if it may be.  */
#define MANY_ROWS 90
static row others[MANY_ROWS], sums[MANY_ROWS];
static double factors[MANY_ROWS], firsts[COLUMNS];

KERNEL void
scaled (double scale)
{
  for (int j = 0; j < COLUMNS; j++)
    {
      for (int k = 0; k < MANY_ROWS; k++)
	sums[k][j] = others[k][j] + factors[k] * scale;
      firsts[j] = others[1][j];
    }
}

/* What an iteration of an inner loop stores, a later turn of the next one takes in: that stays in its order.  */
KERNEL void
diagonal (int n, row *a, row *b)
{
  for (int i = 0; i < 3; i++)
    for (int j = 1; j < n; j++)
      for (int k = 0; k < 6; k++)
	b[i * 7 + k][j] = a[i * 7 + k][j] + b[i * 7 + k + 1][j - 1] * 0.5;
}

int
main (void)
{
  static const int lengths[] = { 1, 2, 31, 255, 256, 257, 511, 513, COLUMNS };
  static row a[ROWS], q[ROWS], r[ROWS], c[ROWS];
  static unsigned u[ROWS][COLUMNS], v[COLUMNS];
  static single_row f[ROWS];
  static float g[COLUMNS];
  static double x[COLUMNS], y[COLUMNS], p[ROWS * (COLUMNS + 8)], z[ROWS * COLUMNS];

  for (int k = 0; k < ROWS; k++)
    for (int j = 0; j < COLUMNS; j++)
      {
	a[k][j] = left[k][j] = (k * 7 + j * 13) % 101 / 7.0;
	q[k][j] = right[k][j] = (k * 5 + j * 3) % 31 / 9.0;
	p[k * COLUMNS + j] = k + j / 3.0;
	u[k][j] = (unsigned) (k * 1000 + j);
	f[k][j] = (float) (k + j) / 3;
	x[j] = j % 17 * 0.5;
	g[j] = (float) j / 7;
	v[j] = (unsigned) j;
      }
  for (int k = 0; k < MANY_ROWS; k++)
    {
      factors[k] = (k + 1) / 11.0;
      for (int j = 0; j < COLUMNS; j++)
	others[k][j] = (k * 5 + j * 11) % 97 / 13.0;
    }
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
    {
      int n = lengths[i];
      means (n, a, y);
      print_bits ("means", y, sizeof y);
      carried (n, ROWS, a, x, y);
      print_bits ("carried", y, sizeof y);
      orthogonal (n, a, q, r, (int) i);
      print_bits ("orthogonal", a, sizeof a);
      covariance (n, 600, a, c);
      print_bits ("covariance", c, sizeof c);
      backwards (n, u, v, f, g);
      print_bits ("backwards", v, sizeof v);
      print_bits ("backwards", g, sizeof g);
      own_array (n, a, y);
      print_bits ("own_array", y, sizeof y);
      ahead (n, p, a, z);
      print_bits ("ahead", z, sizeof z);
      mixed (n, a, x, y);
      print_bits ("mixed", y, sizeof y);
      scaled (n / 7.0);
      print_bits ("scaled", sums, sizeof sums);
      diagonal (n, a, q);
      print_bits ("diagonal", q, sizeof q);
      products (n);
      print_bits ("products", left, sizeof left);
    }
  return 0;
}
