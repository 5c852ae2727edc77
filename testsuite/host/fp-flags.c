/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! link: -lm
//! steps: auto, L3
//! stat: pool >= 10
/* Floating-point exception flags belong to a thread.  After a loop the caller has those that it had and those that any
   iteration raised, and no other: the runtime's own arithmetic leaves no trace.  */
#include "host.h"
#include <fenv.h>
#include <float.h>

static double x[N], y[N];
static int index_of[N];

static KERNEL void
divide (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = to[i] / from[i];
}

/* Indirect: the inspector looks at the index array.  */
static KERNEL void
divide_some (int n, const int *index, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[index[i]] = to[index[i]] / from[i];
}

/* Not one floating-point operation.  */
static KERNEL void
copy_some (int n, const int *index, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[index[i]] = from[i];
}

static void
show (const char *name)
{
  printf ("%s:%s%s%s%s%s\n", name, fetestexcept (FE_INVALID) ? " invalid" : "",
	  fetestexcept (FE_DIVBYZERO) ? " division" : "", fetestexcept (FE_OVERFLOW) ? " overflow" : "",
	  fetestexcept (FE_UNDERFLOW) ? " underflow" : "", fetestexcept (FE_INEXACT) ? " inexact" : "");
}

/* All quotients are exact but that at AT, DIVIDEND / DIVISOR.  */
static void
run (const char *name, int at, double dividend, double divisor)
{
  int i;

  for (i = 0; i < N; i++)
    {
      y[i] = i;
      x[i] = 2.0;
    }
  y[at] = dividend;
  x[at] = divisor;
  feclearexcept (FE_ALL_EXCEPT);
  divide (N, x, y);
  show (name);
  for (i = 0; i < N; i++)
    y[i] = i;
  y[index_of[at]] = dividend;
  feclearexcept (FE_ALL_EXCEPT);
  divide_some (N, index_of, x, y);
  show (name);
  feclearexcept (FE_ALL_EXCEPT);
  feraiseexcept (FE_DIVBYZERO);
  copy_some (N, index_of, x, y);
  show (name);
}

int
main (void)
{
  static const int places[] = { 0, N / 3, N - 1 };
  int i;

  fill_permutation (index_of, N, 3);
  for (i = 0; i < 3; i++)
    {
      run ("exact", places[i], 8.0, 4.0);
      run ("inexact", places[i], 1.0, 3.0);
      run ("invalid", places[i], 0.0, 0.0);
      run ("division by zero", places[i], 1.0, 0.0);
      run ("overflow", places[i], DBL_MAX, 0.5);
      run ("underflow", places[i], DBL_MIN, 3.0);
    }
  return 0;
}
