/* SPDX-License-Identifier: MIT */
//! link: -lm
//! stat: pool >= 9
//! scan: report 5 "function":"(waves|cosines|both|falling|circle)".*"class":".*parallel".*"outlined":true
/* What a function of the first iteration's number is, the compiler knows; so it computes that of the next one at the
   end of each iteration.  Of the same argument, sine and cosine are one function.  */
#include <math.h>

#include "print.h"

#define N 3001

static double x[N], y[N];

KERNEL void
waves (int n, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] = cos (i) * 0.5;
}

KERNEL void
cosines (int n, double *to, const double *from)
{
  for (int i = 0; i < n; i++)
    to[i] = from[i] - cos (3 * i);
}

KERNEL void
both (int n, double *to, const double *from)
{
  for (int i = 0; i < n; i++)
    to[i] = sin (i) * from[i] + cos (i);
}

KERNEL void
falling (int n, double *to)
{
  for (int i = n; i-- > 0;)
    to[i] += fabs (sin (n - 1 - i));
}

KERNEL void
circle (int n, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] = sin (to[i]) - cos (to[i]);
}

KERNEL void
twice (int n, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] *= 2;
}

int
main (void)
{
  for (int n = N - 1; n <= N; n++)
    {
      waves (n, x);
      cosines (n, y, x);
      both (n, x, y);
      falling (n, y);
      circle (n, x);
      twice (n, y);
    }
  waves (0, x);
  cosines (1, y, x);
  both (2, x, y);
  print_bits ("x", x, sizeof x);
  print_bits ("y", y, sizeof y);
  return 0;
}
