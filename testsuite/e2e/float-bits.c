/* SPDX-License-Identifier: MIT */
//! opts: full, -O2 -march=native -ffp-contract=off, -O2 -march=native, -O3 -march=native -funroll-loops
//! stat: pool >= 1
/* Floating-point expressions in which a fused multiply-add, another association or another vectorisation shows in the
   last bits; denormals, infinities, NaNs, zeros of both signs.  */
#include "print.h"

#define N 2000

KERNEL void
products (int n, const double *a, const double *b, const double *c, double *d, double *e)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double t = a[i] * b[i];
      e[i] = t;
      d[i] = t * b[i] + c[i];
    }
}

KERNEL void
difference (int n, const float *a, const float *b, float *c)
{
  int i;

  for (i = 0; i < n; i++)
    c[i] = a[i] * b[i] - b[i] * b[i] + c[i];
}

KERNEL void
polynomial (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = ((x[i] * 1.1 + 2.2) * x[i] - 3.3) * x[i] + y[i] / 7;
}

int
main (void)
{
  static double a[N], b[N], c[N], d[N], e[N];
  static float f[N], g[N], h[N];
  unsigned seed = 12;
  int i;

  for (i = 0; i < N; i++)
    {
      a[i] = 1.0 / (1 + next_random (&seed) % 1000);
      b[i] = (double) (next_random (&seed) % 1000) / 3;
      c[i] = -a[i] * b[i] * b[i];
      f[i] = (float) a[i];
      g[i] = (float) b[i];
    }
  a[5] = 1e308;
  a[6] = 4.9e-324;
  b[7] = -0.0;
  a[8] = 0.0;
  products (N, a, b, c, d, e);
  print_bits ("d", d, sizeof d);
  print_bits ("e", e, sizeof e);
  products (N, a, a, a, a, e);
  print_bits ("a", a, sizeof a);
  difference (N, f, g, h);
  difference (N, h, g, h);
  print_bits ("h", h, sizeof h);
  polynomial (N, b, c);
  polynomial (N, c, c);
  print_bits ("c", c, sizeof c);
  return 0;
}
