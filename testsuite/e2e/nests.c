/* SPDX-License-Identifier: MIT */
//! mapped: team collapse
//! stat: pool >= 1
/* Nests of three loops over linearised, two-dimensional and row-pointer matrices; one whose outer loop carries and
   whose inner one does not.  */
#include "print.h"

#define N 36

KERNEL void
multiply (int n, const double *a, const double *b, double *c)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      {
        double sum = 0;
        for (k = 0; k < n; k++)
          sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
}

KERNEL void
update (int n, double a[][N], double b[][N])
{
  int i, j, k;

  for (k = 0; k < n; k++)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        a[i][j] += b[i][k] * b[k][j];
}

KERNEL void
rows (int n, double **row, double s)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      row[i][j] = row[i][j] * s + i - j;
}

KERNEL void
time_steps (int n, int steps, double *u)
{
  int t, j;

  for (t = 1; t < steps; t++)
    for (j = 0; j < n; j++)
      u[t * n + j] = 0.5 * u[(t - 1) * n + j] + u[t * n + j];
}

static double a[N][N], b[N][N], c[N][N];

int
main (void)
{
  double *row[N];
  int i, j;

  for (i = 0; i < N; i++)
    {
      for (j = 0; j < N; j++)
        {
          a[i][j] = (i * 7 + j * 3) % 11 + 0.1;
          b[i][j] = 1.0 / (i + j + 1);
        }
      row[i] = c[i];
    }
  multiply (N, a[0], b[0], c[0]);
  print_bits ("multiply", c, sizeof c);
  multiply (N, a[0], b[0], a[0]);
  print_bits ("in place", a, sizeof a);
  update (N, a, b);
  print_bits ("update", a, sizeof a);
  rows (N, row, 0.75);
  row[30] = row[2];
  rows (N, row, 1.25);
  print_bits ("rows", c, sizeof c);
  time_steps (N, N, a[0]);
  print_bits ("steps", a, sizeof a);
  return 0;
}
