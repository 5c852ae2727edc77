/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -D_GNU_SOURCE
//! link: -lm
//! stat: pool >= 2
//! stat: traps >= 1
/* A program that lets a division by zero trap and jumps out of the loop from its SIGFPE handler.  Only the original
   loop can do that: the elements before the division are there, those behind it are not.  Before and after, the same
   loop runs on the pool.  */
#include "host.h"
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf out;
static double x[N], y[N];

static void
on_fpe (int signal, siginfo_t *info, void *context)
{
  (void) signal;
  (void) context;
  siglongjmp (out, info->si_code == FPE_FLTDIV ? 1 : 2);
}

static KERNEL void
invert (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = 1.0 / from[i];
}

int
main (void)
{
  struct sigaction action = { 0 };
  int i, round;

  action.sa_sigaction = on_fpe;
  action.sa_flags = SA_SIGINFO;
  sigaction (SIGFPE, &action, NULL);
  for (i = 0; i < N; i++)
    x[i] = i == N / 2 ? 0.0 : i + 1;
  for (round = 0; round < 3; round++)
    {
      int how;
      for (i = 0; i < N; i++)
	y[i] = -1.0;
      invert (N, x, y);
      print_bits ("no trap", y, sizeof y);
      for (i = 0; i < N; i++)
	y[i] = -1.0;
      how = sigsetjmp (out, 1);
      if (how == 0)
	{
	  feclearexcept (FE_ALL_EXCEPT);
	  feenableexcept (FE_DIVBYZERO);
	  invert (N, x, y);
	}
      fedisableexcept (FE_ALL_EXCEPT);
      printf ("trap %d\n", how);
      /* A vector may be stored late: leave the last few before the division out.  */
      print_bits ("before it", y, (N / 2 - 8) * sizeof *y);
      print_bits ("after it", y + N / 2 + 8, (N / 2 - 8) * sizeof *y);
    }
  return 0;
}
