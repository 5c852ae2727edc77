/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! link: -lm
//! stat: pool >= 12
/* The rounding mode, and on x86 the treatment of denormal numbers, belong to a thread: jobs on other threads run under
   the caller's, and the caller's is what it was after the loop.  */
#include "host.h"
#include <fenv.h>
#include <math.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

static double x[N], y[N];
static float f[N];
static long rounded[N];

static KERNEL void
smooth (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = from[i] / 3.0 + to[i] * 0.1;
}

static KERNEL void
narrow (int n, const double *from, float *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = (float) (from[i] * 0.7);
}

static KERNEL void
nearest (int n, const double *from, long *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = lrint (from[i]);
}

static KERNEL void
shrink (int n, float *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = to[i] * 1e-20f * 1e-20f;
}

static void
run (const char *name)
{
  int i;

  for (i = 0; i < N; i++)
    y[i] = x[i] = (i - N / 2) / 7.0;
  smooth (N, x, y);
  narrow (N, y, f);
  nearest (N, y, rounded);
  printf ("%s: mode %d\n", name, fegetround ());
  print_bits ("smooth", y, sizeof y);
  print_bits ("narrow", f, sizeof f);
  print_bits ("nearest", rounded, sizeof rounded);
  shrink (N, f);
  print_bits ("shrink", f, sizeof f);
}

int
main (void)
{
  run ("default");
  fesetround (FE_UPWARD);
  run ("upward");
  fesetround (FE_DOWNWARD);
  run ("downward");
  fesetround (FE_TOWARDZERO);
  run ("to zero");
  fesetround (FE_TONEAREST);
  run ("to nearest");
#if defined __x86_64__
  _mm_setcsr (_mm_getcsr () | 0x8040);
  run ("flush to zero, denormals are zero");
  printf ("%x\n", _mm_getcsr () & 0xffc0);
#endif
  return 0;
}
