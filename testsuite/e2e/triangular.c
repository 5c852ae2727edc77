/* SPDX-License-Identifier: MIT */
//! mapped: team
//! stat: pool >= 1
/* Inner loops whose bounds depend on the outer one: lower and upper triangles, packed storage, an inner loop that does
   not run in some iterations.  */
#include "print.h"

#define N 80

KERNEL void
transpose_lower (int n, double *a)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < i; j++)
      a[j * n + i] = a[i * n + j];
}

KERNEL void
scale_upper (int n, const double *d, double *a)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = i; j < n; j++)
      a[i * n + j] *= d[i];
}

KERNEL void
unpack (int n, const double *packed, double *a)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j <= i; j++)
      a[i * n + j] = packed[i * (i + 1) / 2 + j];
}

KERNEL void
band (int n, int width, double *a)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = i - width; j < i; j++)
      if (j >= 0)
        a[i * n + j] = i - j;
}

static double a[N * N], packed[N * (N + 1) / 2], d[N];

int
main (void)
{
  int i;

  for (i = 0; i < N * (N + 1) / 2; i++)
    packed[i] = 1.0 / (i + 3);
  for (i = 0; i < N; i++)
    d[i] = i - 7.5;
  unpack (N, packed, a);
  print_bits ("unpack", a, sizeof a);
  transpose_lower (N, a);
  print_bits ("transpose", a, sizeof a);
  scale_upper (N, d, a);
  print_bits ("scale", a, sizeof a);
  band (N, 5, a);
  band (N, 0, a);
  print_bits ("band", a, sizeof a);
  return 0;
}
