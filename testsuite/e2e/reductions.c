/* SPDX-License-Identifier: MIT */
//! opts: full
//! kernels: -O2, -Os
//! mapped: team collapse
//! stat: pool >= 1
/* Reductions of every operator, of several at once, under a condition, through an inner loop, from an initial value
   that is not the identity.  The floating-point sum has a fixed order; the minimum of floats keeps its comparison (the
   array holds zeros of both signs and a NaN).  */
#include "print.h"

#define N 3000

struct result
{
  int sum, product, minimum, maximum;
  unsigned and, or, xor;
  long even, inner;
};

KERNEL void
reduce (int n, const int *a, struct result *result)
{
  int sum = 5, minimum = 1000000, maximum = -1000000, i, j;
  unsigned product = 3, and = 0xfffffff7, or = 16, xor = 99;
  long even = -1, inner = 0;

  for (i = 0; i < n; i++)
    sum += a[i];
  for (i = 0; i < n; i++)
    {
      product *= (unsigned) a[i] | 1;
      and &= (unsigned) a[i] | 0xff00;
      or |= (unsigned) a[i];
      xor ^= (unsigned) a[i] * 7;
    }
  for (i = 0; i < n; i++)
    {
      if (a[i] < minimum)
        minimum = a[i];
      maximum = a[i] > maximum ? a[i] : maximum;
    }
  for (i = 0; i < n; i++)
    if (a[i] % 2 == 0)
      even += a[i];
  for (i = 0; i < n / 50; i++)
    for (j = 0; j < 50; j++)
      inner += a[i * 50 + j] * (j - 20);
  result->sum = sum;
  result->product = (int) product;
  result->minimum = minimum;
  result->maximum = maximum;
  result->and = and;
  result->or = or;
  result->xor = xor;
  result->even = even;
  result->inner = inner;
}

KERNEL double
smallest (int n, const double *x)
{
  double m = x[0];
  int i;

  for (i = 1; i < n; i++)
    if (x[i] < m)
      m = x[i];
  return m;
}

KERNEL float
total (int n, const double *x)
{
  float sum = 0;
  int i;

  for (i = 0; i < n; i++)
    sum += (float) x[i];
  return sum;
}

int
main (void)
{
  static int a[N];
  static double x[N];
  struct result result;
  unsigned seed = 21;
  int i, n;

  for (i = 0; i < N; i++)
    {
      a[i] = (int) (next_random (&seed) % 20001) - 10000;
      x[i] = i == 70 ? -0.0 : (double) (a[i] + 10000) / 3;
    }
  for (n = N; n > 1; n = n / 2 - 1)
    {
      reduce (n, a, &result);
      printf ("%d %d %d %d %u %u %u %ld %ld\n", result.sum, result.product, result.minimum, result.maximum, result.and,
              result.or, result.xor, result.even, result.inner);
      printf ("%a %a\n", smallest (n, x), (double) total (n, x));
    }
  return 0;
}
