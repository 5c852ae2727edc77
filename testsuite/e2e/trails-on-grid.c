/* SPDX-License-Identifier: MIT */
//! opts: -O2 -funsafe-math-optimizations, -O3 -funsafe-math-optimizations
//! stat: pool >= 1
/* A sum whose order the flags leave open is cut the same way in each run, also where iterations conflict and run in
   order.  A range then cannot begin with what the iteration before it loaded, because that was written since.  All
   numbers here are exact.  */
#include "print.h"

#define N 20000

KERNEL float
smooth (int n, float *a, const float *b, float x)
{
  float sum = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      float t = b[i];

      a[i] = t * 0.5f + x;
      x = t;
      sum += t;
    }
  return sum + x;
}

int
main (void)
{
  static float a[N], b[N];
  int i;

  for (i = 0; i < N; i++)
    b[i] = i % 17;
  printf ("%g\n", smooth (N, a, b, 3));
  printf ("%g\n", smooth (N, b, b, 3));
  print_bits ("a", a, sizeof a);
  print_bits ("b", b, sizeof b);
  return 0;
}
