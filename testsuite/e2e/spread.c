/* SPDX-License-Identifier: MIT */
//! mapped: team
//! stat: pool >= 1
/* Iterations whose stores are in loops inside of inner loops: a team may deal out their turns where each has its own
   part of what is written, and not where parts overlap, move on, or are read by others.  */
#include "print.h"

#define N 24

/* Each turn has its own part, in both loops.  */
KERNEL void
product (int n, double alpha, double beta, const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < n; j++)
        c[i * n + j] *= beta;
      for (k = 0; k < n; k++)
        for (j = 0; j < n; j++)
          c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}

/* The same up to the diagonal.  */
KERNEL void
triangle (int n, const double *a, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      for (j = 0; j <= i; j++)
        c[i * n + j] += a[i * n + k] * a[j * n + k];
}

/* Parts that are shifted between the loops.  */
KERNEL void
shifted (int n, const double *a, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < n; j++)
        c[i * (n + 1) + j] *= 2;
      for (k = 0; k < 3; k++)
        for (j = 1; j <= n; j++)
          c[i * (n + 1) + j] += a[i * n + j - 1] - c[i * (n + 1) + j] * k;
    }
}

/* The part of a turn is another one for each K.  */
KERNEL void
moving (int n, const double *a, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      for (j = 0; j < n; j++)
        c[i * 2 * n + k + j] = c[i * 2 * n + k + j] * 0.5 + a[k * n + j];
}

/* What a turn leaves, the next one reads; and what the loop around them reads.  */
KERNEL void
neighbours (int n, const double *a, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      {
        double first = c[i * n];
        for (j = 0; j < n - 1; j++)
          c[i * n + j] = c[i * n + j + 1] * 0.5 + a[k * n + j] + first;
      }
}

/* One place for all turns, and each J its own of another one.  */
KERNEL void
standing (int n, const double *a, double *c, double *d)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      for (j = 0; j < n; j++)
        {
          d[i * n + k] = d[i * n + k] * 0.5 + a[j];
          c[i * n + j] += a[k * n + j];
        }
}

static double a[N * N], b[N * N], c[2 * N * N + 2 * N], d[N * N];

static void
fill (void)
{
  int i;

  for (i = 0; i < N * N; i++)
    {
      a[i] = (i * 7 % 13 - 6) / 3.0;
      b[i] = 1.0 / (i % 17 + 1);
      d[i] = i;
    }
  for (i = 0; i < 2 * N * N + 2 * N; i++)
    c[i] = i % 5 - 2.25;
}

int
main (void)
{
  fill ();
  product (N, 1.5, 0.75, a, b, c);
  print_bits ("product", c, sizeof c);
  triangle (N, a, c);
  print_bits ("triangle", c, sizeof c);
  fill ();
  shifted (N, a, c);
  print_bits ("shifted", c, sizeof c);
  moving (N, a, c);
  print_bits ("moving", c, sizeof c);
  neighbours (N, a, c);
  print_bits ("neighbours", c, sizeof c);
  fill ();
  standing (N, a, c, d);
  print_bits ("standing", c, sizeof c);
  print_bits ("standing", d, sizeof d);
  return 0;
}
