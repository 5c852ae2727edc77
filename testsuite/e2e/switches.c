/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 2, 4, 8, 16, 32
//! stat: pool >= 2
//! scan: report 1 "function":"registers".*"without":"printf".*"outlined":true
//! scan: report 1 "function":"loaded".*"without":"note".*"outlined":true
//! scan: report 1 "function":"member".*"without":"fprintf".*"outlined":true
//! scan: report 1 "function":"both".*"without":"asm".*"outlined":true
//! scan: report 1 "function":"lowered".*"without":"note".*"outlined":true
//! scan: report 1 "function":"rows".*"without":"note".*"outlined":true
//! scan: report 1 "function":"once".*"without":"note".*"outlined":true
//! scan: report 1 "function":"raised".*"reason":"call".*"outlined":false
//! scan: report 1 "function":"aliased".*"reason":"call".*"outlined":false
//! scan: report 1 "function":"turns","depth":1,.*"reason":"call".*"outlined":false
//! scan: report 1 "function":"sums".*"detail":"note, without which it is carried-scalar: .*"outlined":false
/* Calls of what is not known, and the like, behind tests that have the same outcome throughout the loop: one without
   them is handed over, and what runs where they are asked for, or the runtime refuses, is the loop as it was.  */
#include "print.h"

#define N 5000
#define COLS 60

static double x[N], y[N];
static int whole[N];
static int noted, wanted, is_noisy;

struct options
{
  unsigned flags;
  FILE *log;
};

KERNEL void
note (int what)
{
  noted = noted * 31 + what;
}

KERNEL void
registers (int n, const double *a, double *b, int verbose)
{
  for (int i = 0; i < n; i++)
    {
      if (verbose > 1 && i % 1000 == 0)
	printf ("%d %g\n", i, a[i]);
      b[i] += a[i];
    }
}

/* Loaded in each iteration, twice.  */
KERNEL void
loaded (int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (wanted & 2)
	note (1);
      b[i] += a[i];
      if (wanted & 2)
	note (2);
    }
}

/* Not there where there is no iteration.  */
KERNEL void
member (int n, const struct options *options, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if ((options->flags & 4) && i == 17)
	fprintf (options->log, "%d\n", i);
      b[i] += a[i];
    }
}

/* Two tests, the second in a loop; what is done there is neither known nor a call.  */
KERNEL void
both (int n, int is_loud, double (*a)[COLS])
{
  for (int i = 0; i < n; i++)
    {
      if (is_noisy)
	note (i);
      for (int j = 0; j < COLS; j++)
	{
	  a[i][j] += j;
	  if (is_loud)
	    __asm__ volatile ("" : "+m"(noted));
	}
    }
}

/* What is tested changes where it holds only, and so does what is kept.  */
KERNEL int
lowered (int n, const double *a, double *b, int left)
{
  int seen = 7;
  for (int i = 0; i < n; i++)
    {
      if (left > 0)
	{
	  left -= 3;
	  note (left);
	  seen++;
	}
      b[i] += a[i] * seen;
    }
  return left * 100 + seen;
}

/* Under the test there is a loop, whose own begins with a test of n.  */
KERNEL void
rows (int n, int is_loud, double (*a)[COLS])
{
  for (int i = 0; i < n; i++)
    {
      if (is_loud)
	for (int j = 0; j < n; j++)
	  note (j);
      for (int j = 0; j < COLS; j++)
	a[i][j] *= 2;
    }
}

/* Nothing but what is done under the test stores to what is tested.  */
KERNEL void
once (int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (is_noisy)
	{
	  note (i);
	  is_noisy = 0;
	}
      b[i] += a[i];
    }
}

/* The loop itself changes what is tested.  */
KERNEL void
raised (int n, const int *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (wanted & 64)
	note (i);
      b[i] += 1;
      if (a[i] == 76)
	wanted |= 64;
    }
}

KERNEL void
aliased (int n, const int *flag, int *a)
{
  for (int i = 0; i < n; i++)
    {
      if (*flag == 3)
	note (i);
      a[i]++;
    }
}

/* Whether there is a turn is no flag.  */
KERNEL void
turns (int n, int m, double *a)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	note (j);
      a[i] += i;
    }
}

/* Refused in any case.  */
KERNEL double
sums (int n, const double *a, int verbose)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (verbose)
	note (i);
      sum = sum * .5 + a[i];
    }
  return sum;
}

/* What the entry of the inner loop computes, the loop does not: k + 2147483644 may overflow, as far as is known there,
   and that must not tell the compiler how far k goes.  */
KERNEL int
unneeded (int is_loud, int bound, int n)
{
  int k;
  for (k = 0; k < n; k++)
    {
      for (int i = 0; i < COLS; i++)
	{
	  if (is_loud)
	    if (k + 2147483644 > bound)
	      __asm__ volatile ("nop");
	  whole[i] += i;
	}
      note (k);
      if (k == 6)
	break;
    }
  return k;
}

int
main (int argc, char **argv)
{
  int flags = argc > 1 ? atoi (argv[1]) : 0;
  struct options options = { flags, stdout };
  double (*cells)[COLS] = (double (*)[COLS]) calloc (100, sizeof *cells);
  fill_numbers (x, y, whole, N);
  wanted = flags;
  is_noisy = flags & 8;
  int left = flags & 16;
  for (int times = 0; times < 4; times++)
    {
      registers (N, x, y, flags);
      loaded (N, x, y);
      member (N, &options, x, y);
      member (0, NULL, x, y);
      both (100, flags & 32, cells);
      left = lowered (N, x, y, left);
      rows (100, flags & 32, cells);
      once (N, x, y);
      raised (N, whole, y);
      aliased (100, &whole[50], whole);
      turns (100, flags & 1, y);
      printf ("%d ", unneeded (0, 0, 8));
      printf ("%d %d %d %d %g\n", noted, wanted, is_noisy, left, sums (100, x, flags & 1));
    }
  print_bits ("y", y, sizeof y);
  print_bits ("whole", whole, sizeof whole);
  print_bits ("cells", cells, 100 * sizeof *cells);
  return 0;
}
