/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3, -O3 -mavx2, -O3 -march=native, -O3 -fno-tree-slp-vectorize, -Ofast
//! stat: pool >= 1
//! scan: report 1 "function":"alone".*"outlined":true
//! scan: report 1 "function":"pairs".*"reason":"narrowed".*"outlined":false
//! scan: report 1 "function":"whole".*"reason":"narrowed".*"outlined":false
/* Values that are narrowed to float and converted again, side by side or in copies of iterations: vectors of them leave
   the narrowing out, in the original here and in F there.  Where it is one of a kind, it is narrowed everywhere.  */
#include "print.h"

#define N 2002

static double x[2 * N], y[2 * N];
static int parts[2 * N];

KERNEL void
alone (long n, const double *a, double *b)
{
  for (long i = 0; i < n; i++)
    {
      float t = a[i] * 1.7;
      b[i] = t * 3.1;
    }
}

KERNEL void
pairs (long n, const double *a, double *b)
{
  for (long i = 0; i < n; i++)
    {
      float t = a[2 * i] * 1.7, u = a[2 * i + 1] * 1.7;
      b[2 * i] = t * 3.1;
      b[2 * i + 1] = u * 3.1;
    }
}

KERNEL void
inner (long n, const double *a, double *b)
{
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      {
	float t = a[2 * i + j] * 1.3;
	b[2 * i + j] = t * 3.1;
      }
}

/* To integers, too: 2.99999999 is 3 as a float.  */
KERNEL void
whole (long n, const double *a, int *b)
{
  for (long i = 0; i < n; i++)
    {
      float t = a[2 * i] - 1e-9, u = a[2 * i + 1] - 1e-9;
      b[2 * i] = (int) t;
      b[2 * i + 1] = (int) u;
    }
}

KERNEL void
constant (const double *a, double *b)
{
  for (int i = 0; i < N; i++)
    {
      float t = a[i] * 1.9;
      b[i] = t * 3.1;
    }
}

int
main (void)
{
  for (int i = 0; i < 2 * N; i++)
    x[i] = i % 3 ? i * 0.3 + 0.1 : i;
  alone (2 * N - 1, x, y);
  print_bits ("alone", y, sizeof y);
  pairs (N, x, y);
  print_bits ("pairs", y, sizeof y);
  inner (N, x, y);
  print_bits ("inner", y, sizeof y);
  whole (N, x, parts);
  print_bits ("whole", parts, sizeof parts);
  constant (x, y);
  print_bits ("constant", y, sizeof y);
  return 0;
}
