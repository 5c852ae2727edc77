/* SPDX-License-Identifier: MIT */
//! link: -lm
//! device: flags
//! stat: entries >= 1
/* Math functions: their bits, the errno that the last failing call leaves, and the flags that they raise must be those
   of a loop that ran here.  */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include "print.h"

#define N 1500

KERNEL void
roots (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = sqrt (x[i]) + fabs (x[i]);
}

KERNEL void
powers (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = exp (x[i]) * floor (x[i]);
}

KERNEL void
quotients (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = 1 / x[i];
}

static void
report (const char *what, const double *y)
{
  int flags = fetestexcept (FE_ALL_EXCEPT);

  print_bits (what, y, N * sizeof *y);
  printf ("errno %d%s%s%s%s\n", errno, flags & FE_INVALID ? " invalid" : "", flags & FE_OVERFLOW ? " overflow" : "",
          flags & FE_DIVBYZERO ? " zero" : "", flags & FE_UNDERFLOW ? " underflow" : "");
  errno = 0;
  feclearexcept (FE_ALL_EXCEPT);
}

int
main (void)
{
  static double x[N], y[N];
  int i, k;

  for (k = 0; k < 3; k++)
    {
      for (i = 0; i < N; i++)
        x[i] = (i + 1) * 0.01;
      if (k == 1)
        x[N - 2] = -1;
      if (k == 2)
        x[3] = 900;
      errno = k;
      feclearexcept (FE_ALL_EXCEPT);
      roots (N, x, y);
      report ("roots", y);
      powers (N, x, y);
      report ("powers", y);
      x[N / 2] = k == 1 ? 0 : 5;
      quotients (N, x, y);
      report ("quotients", y);
    }
  return 0;
}
