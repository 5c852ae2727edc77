/* SPDX-License-Identifier: MIT */
//! opts: full
//! steps: auto, L1, L3
//! mapped: team collapse
//! stat: pool >= 1
/* Five-point stencils on linearised arrays: from one array into another (do-all if they are disjoint), in place (each
   sweep carries), red and black (do-all in each colour), and over rows only.  */
#include "print.h"

#define M 90
#define N 70

KERNEL void
jacobi (int m, int n, const double *in, double *out)
{
  int i, j;

  for (i = 1; i < m - 1; i++)
    for (j = 1; j < n - 1; j++)
      out[i * n + j] = 0.25 * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
}

KERNEL void
red_black (int m, int n, int colour, double *u)
{
  int i, j;

  for (i = 1; i < m - 1; i++)
    for (j = 1 + (i + colour) % 2; j < n - 1; j += 2)
      u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}

KERNEL void
smooth_rows (int m, int n, double *u)
{
  int i, j;

  for (i = 0; i < m; i++)
    for (j = 1; j < n; j++)
      u[i * n + j] += 0.5 * u[i * n + j - 1];
}

static double a[M * N], b[M * N];

int
main (void)
{
  int i, round;

  for (i = 0; i < M * N; i++)
    a[i] = b[i] = i % 31 + 1.0 / (i + 1);
  for (round = 0; round < 3; round++)
    {
      jacobi (M, N, a, b);
      jacobi (M, N, b, a);
      print_bits ("jacobi", a, sizeof a);
      jacobi (M, N, a, a);
      print_bits ("in place", a, sizeof a);
      jacobi (M - 1, N, a, a + N);
      print_bits ("one row on", a, sizeof a);
      red_black (M, N, 0, a);
      red_black (M, N, 1, a);
      print_bits ("red-black", a, sizeof a);
      smooth_rows (M, N, a);
      print_bits ("rows", a, sizeof a);
    }
  return 0;
}
