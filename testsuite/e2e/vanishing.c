/* SPDX-License-Identifier: MIT */
//! opts: -O2 -march=native, -O3 -march=native, -O3 -march=native -fno-tree-vectorize, -Ofast -march=native
//! stat: pool >= 1
/* Loops that the plain compiler makes vanish: those of few turns are unrolled, zeroes are set by memset.  Products
   before them and sums in or after them are then in one block and fused.  */
#include "print.h"

#define N 100000
#define FEW 9

static double x[N];

KERNEL double
beyond_zeroes (double a, double b, double c)
{
  double t = a * b;
  int i;

  for (i = 0; i < N; i++)
    x[i] = 0;
  return t + c;
}

KERNEL double
beyond_zeroes_negated (double a, double b, double c)
{
  double t = -(a * b);
  int i;

  for (i = 0; i < N; i++)
    x[i] = 0;
  return t - c;
}

KERNEL void
into_few (double a, double b, const int *index, double *y)
{
  double t = a * b;
  int i;

  for (i = 0; i < FEW; i++)
    y[index[i]] = y[index[i] + FEW] + t;
}

KERNEL double
out_of_few (const double *p, const double *q)
{
  double t[FEW], s = 0;
  int i;

  for (i = 0; i < FEW; i++)
    t[i] = p[i] * q[i];
  for (i = 0; i < FEW; i++)
    s += t[i];
  return s;
}

/* The product of one turn goes into the sum of the next.  */
KERNEL double
turns (double a, double b, int n)
{
  double t = 0, s = 0;
  int i, j;

  for (i = 0; i < 4; i++)
    {
      s += t;
      for (j = 0; j < n; j++)
        x[j] = x[j] + 1;
      t = (a + s) * b;
    }
  return s;
}

/* A loop that stays: the product before it does not matter.  */
KERNEL double
stays (double a, double b, int n)
{
  double t = a * b;
  int i;

  for (i = 0; i < n; i++)
    x[i] = x[i] + t;
  return x[n - 1];
}

int
main (void)
{
  static double p[FEW] = { -1.1 * 1.3 }, q[FEW] = { 1 }, y[2 * FEW];
  static int index[FEW];
  int i;

  for (i = 0; i < FEW; i++)
    {
      index[i] = i;
      y[i + FEW] = -1.1 * 1.3;
    }
  p[FEW - 1] = 1.1;
  q[FEW - 1] = 1.3;
  printf ("beyond %a\n", beyond_zeroes (1.1, 1.3, -1.1 * 1.3));
  printf ("negated %a\n", beyond_zeroes_negated (1.1, 1.3, -1.1 * 1.3));
  into_few (1.1, 1.3, index, y);
  for (i = 0; i < FEW; i++)
    printf ("into %a\n", y[i]);
  printf ("out %a\n", out_of_few (p, q));
  printf ("turns %a\n", turns (1.1, 1.3, 20));
  printf ("stays %a\n", stays (1.1, 1.3, N));
  return 0;
}
