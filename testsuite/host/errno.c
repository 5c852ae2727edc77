/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! link: -lm
//! stat: pool >= 8
/* errno belongs to a thread.  After a loop it holds what the last iteration that failed put there, whichever thread ran
   it, and what it held before if none failed.  */
#include "host.h"
#include <errno.h>
#include <math.h>

static double x[N], y[N];
static int which[N];

static KERNEL void
logarithms (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = log (from[i]);
}

static KERNEL void
roots (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = sqrt (from[i]);
}

static KERNEL void
either (int n, const int *choice, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = choice[i] ? exp (from[i]) : log (from[i]);
}

/* Iteration AT of the loops fails with EDOM; with OVERFLOW_AT, that one with ERANGE.  */
static void
run (const char *name, int before, int at, int overflow_at)
{
  int i;

  for (i = 0; i < N; i++)
    {
      x[i] = 1.0 + i / 100.0;
      which[i] = i % 2;
    }
  if (at >= 0)
    {
      x[at] = -1.0;
      which[at] = 0;
    }
  if (overflow_at >= 0)
    {
      x[overflow_at] = 1000.0;
      which[overflow_at] = 1;
    }
  errno = before;
  logarithms (N, x, y);
  printf ("%s: log %d", name, errno);
  print_bits ("", y, sizeof y);
  errno = before;
  roots (N, x, y);
  printf ("%s: sqrt %d", name, errno);
  print_bits ("", y, sizeof y);
  errno = before;
  either (N, which, x, y);
  printf ("%s: either %d", name, errno);
  print_bits ("", y, sizeof y);
}

int
main (void)
{
  static const int places[] = { 0, 1, N / 2, N - 1 };
  int i, k;

  run ("none fails", 0, -1, -1);
  run ("none fails", 77, -1, -1);
  for (i = 0; i < 4; i++)
    {
      run ("one fails", 0, places[i], -1);
      run ("one fails", 77, places[i], -1);
      for (k = 0; k < 4; k++)
	if (i != k)
	  {
	    run ("two fail", 0, places[i], places[k]);
	    /* The last failure sets what was there before the first.  */
	    run ("two fail, as before", EDOM, places[i], places[k]);
	    run ("two fail, as before", ERANGE, places[i], places[k]);
	  }
    }
  return 0;
}
