/* SPDX-License-Identifier: MIT */
//! args: 0, 7, 60
//! stat: pool >= 11
//! scan: report 7 "depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 14 "depth":1,.*"reason":"fixed-address"
/* Iterations write an array before they read it; the loop leaves in it what the last one wrote.  The command line lets
   the array overlap what the loop reads and writes.  */
#include "print.h"

#define N 6
#define M 20

struct complex
{
  float re, im;
};

static union
{
  int half;
  long whole;
} eyes[M];
static double work[M + 2], grid[4][M];
static double once;
static struct complex spectrum[M];

/* A pointer, and sizes that only the entry knows.  */
KERNEL void
product (int n, int m, double *a, const double *c, double *sum)
{
  int i, p, s;

  for (i = 0; i < n; i++)
    {
      for (p = 0; p < m; p++)
	{
	  sum[p] = 0;
	  for (s = 0; s < m; s++)
	    sum[p] += a[i * m + s] * c[s * m + p];
	}
      for (p = 0; p < m; p++)
	a[i * m + p] = sum[p];
    }
}

/* A variable of the program, neighbours of which are read.  */
KERNEL void
smooth (int n, const double *from, double *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M + 2; j++)
	work[j] = from[i * (M + 2) + j] * 0.5;
      for (j = 1; j <= M; j++)
	to[i * (M + 2) + j] = work[j - 1] + work[j] + work[j + 1];
    }
}

/* A variable of the function, that is read when the loop is over; two dimensions of another one.  */
KERNEL double
local (int n, int m, const double *from, double *to)
{
  double row[M], sum = 0;
  int i, j, k;

  for (j = 0; j < M; j++)
    row[j] = j;
  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	row[j] = from[i * m + j] + 1;
      for (k = 0; k < 4; k++)
	for (j = 0; j < m; j++)
	  grid[k][j] = row[j] * k;
      for (k = 0; k < 4; k++)
	for (j = 0; j < m; j++)
	  to[i * m + j] += grid[k][j];
    }
  for (j = 0; j < M; j++)
    sum += row[j] * j;
  return sum;
}

/* What is written again under a condition was written without one; a scalar in memory; a reduction.  */
KERNEL int
choose (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j, count = 0;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	{
	  tmp[j] = from[i * m + j];
	  if (from[i * m + j] > 10)
	    tmp[j] = -tmp[j];
	}
      once = from[i] * 2;
      for (j = 0; j < m; j++)
	to[i * m + j] = tmp[j] + once;
      count += i % 3;
    }
  return count;
}

KERNEL void
members (int n, const float *from, float *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M; j++)
	{
	  spectrum[j].re = from[i * M + j];
	  spectrum[j].im = from[i * M + j] * 2;
	}
      for (j = 0; j < M; j++)
	to[i * M + j] = spectrum[j].re * spectrum[j].im;
    }
}

/* Here iterations do hand something on: the last element, all elements but the first, what a condition left, the
   length, what an earlier iteration wrote.  */
KERNEL void
beyond (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	tmp[j] = from[i * m + j];
      for (j = 0; j < m; j++)
	to[i * m + j] = tmp[j + 1];
    }
}

KERNEL void
recurrence (int n, const double *from, double *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 1; j < M; j++)
      {
	to[i * M + j] = work[j];
	work[j] = from[i * M + j] - work[j - 1];
      }
}

KERNEL void
sometimes (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	if (from[i * m + j] > 5)
	  tmp[j] = from[i * m + j];
      for (j = 0; j < m; j++)
	to[i * m + j] = tmp[j];
    }
}

KERNEL void
shorter (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m - i; j++)
	tmp[j] = from[i * m + j];
      for (j = 0; j < m - i; j++)
	to[i * m + j] = tmp[j];
    }
}

KERNEL void
if_wanted (int n, int m, int which, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      if (i == which)
	for (j = 0; j < m; j++)
	  tmp[j] = from[i * m + j];
      for (j = 0; j < m; j++)
	to[i * m + j] = tmp[j];
    }
}

KERNEL void
now_and_then (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    if (from[i] > 3)
      {
	for (j = 0; j < m; j++)
	  tmp[j] = from[i * m + j];
	for (j = 0; j < m; j++)
	  to[i * m + j] = tmp[j];
      }
}

KERNEL void
as_wanted (int n, int m, int wanted, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      if (wanted)
	for (j = 0; j < m; j++)
	  tmp[j] = from[i * m + j];
      for (j = 0; j < m; j++)
	to[i * m + j] = tmp[j];
      if (!wanted)
	for (j = 0; j < m; j++)
	  tmp[j] = from[i * m + j] * 2;
    }
}

KERNEL void
too_short (int n, const double *from, double *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M - 1; j++)
	work[j] = from[i * M + j];
      for (j = 0; j < M; j++)
	to[i * M + j] = work[j];
      work[M - 1] = i;
    }
}

KERNEL void
too_far (int n, const double *from, double *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M - 1; j++)
	work[j] = from[i * M + j];
      for (j = 0; j < M; j++)
	to[i * M + j] = work[M - 1 - j];
      work[M - 1] = i;
    }
}

KERNEL void
wide (int n, const double *from, double *to)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M; j++)
	eyes[j].half = from[i * M + j] * 8;
      for (j = 0; j < M; j++)
	to[i * M + j] = eyes[j].whole >> 32;
      for (j = 0; j < M; j++)
	eyes[j].whole = i;
    }
}

KERNEL double
trailing (int n, const double *from, double *to, double *tmp)
{
  double before = 1;
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < M; j++)
	tmp[j] = from[i * M + j];
      to[i] = before;
      before = tmp[0];
    }
  return before;
}

/* The same, where m is 0.  */
KERNEL void
once_at_least (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	tmp[j] = from[i * M + j];
      j = 0;
      do
	to[i * M + j] = tmp[j];
      while (++j < m);
      tmp[0] = i;
    }
}

/* With -Os the first of the inner loops has its test in front of all else, and nothing is around it.  */
KERNEL void
once_at_least_from (int n, int m, int end, const double *from, double *to, double *tmp)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++)
      {
	for (j = k; j < end; j++)
	  tmp[j] = from[i * M + j];
	j = k;
	do
	  to[i * M + j] += tmp[j];
	while (++j < end);
      }
}

/* The same, where m is 0.  */
KERNEL void
perhaps_none (int n, int m, const double *from, double *to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	tmp[0] = from[i * M + j];
      to[i] = tmp[0];
      tmp[0] = i;
    }
}

KERNEL void
squares (int n, const double *from, double *to)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < 4; k++)
	{
	  for (j = 0; j < M; j++)
	    grid[0][j] = from[i * M + j] * k;
	  for (j = 0; j < M; j++)
	    to[i * M + j] += grid[k][j];
	}
      for (k = 0; k < 4; k++)
	for (j = 0; j < M; j++)
	  grid[k][j] = i + k;
    }
}

/* The array's address goes elsewhere, too.  */
KERNEL void
address (int n, int m, const double *from, double **to, double *tmp)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	tmp[j] = from[i * m + j];
      to[i] = tmp + i % m;
    }
}

static double a[N * (M + 2)], b[N * (M + 2)], c[M * M], memory[4096];
static float x[N * M], y[N * M];
static double *addresses[N];

int
main (int argc, char **argv)
{
  int at = argc > 1 ? atoi (argv[1]) : 0, i, round;
  double *tmp = at == 0 ? memory : at < 30 ? a + at : b + at;
  unsigned long sum = 0;

  for (i = 0; i < N * (M + 2); i++)
    {
      a[i] = i % 37 * 0.25;
      b[i] = i % 29 * 0.5;
    }
  for (i = 0; i < M * M; i++)
    c[i] = i % 11 * 0.125 - 0.5;
  for (i = 0; i < N * M; i++)
    x[i] = i % 23;
  for (round = 0; round < 2; round++)
    {
      product (N, M, a, c, tmp);
      product (N, 0, a, c, tmp);
      print_bits ("product", tmp, M * sizeof *tmp);
      smooth (N, a, b);
      printf ("local %g\n", local (N, M - round, a, b));
      printf ("local %g\n", local (N, 0, a, b));
      printf ("choose %d\n", choose (N, M, a, b, tmp));
      print_bits ("choose", tmp, M * sizeof *tmp);
      printf ("once %g\n", once);
      members (N, x, y);
      beyond (N, M, a, b, tmp);
      print_bits ("b", b, sizeof b);
      recurrence (N, a, b);
      sometimes (N, M, a, b, tmp);
      shorter (N, M, a, b, tmp);
      print_bits ("shorter", tmp, M * sizeof *tmp);
      if_wanted (N, M, round, a, b, tmp);
      print_bits ("wanted", tmp, M * sizeof *tmp);
      now_and_then (N - 1, M, a, b, tmp);
      print_bits ("now", tmp, M * sizeof *tmp);
      as_wanted (N, M, round % 2, a, b, tmp);
      print_bits ("b", b, sizeof b);
      too_short (N, a, b);
      too_far (N, a, b);
      wide (N, a, b);
      printf ("trailing %g\n", trailing (N, a, b, tmp));
      once_at_least (N, M, a, b, tmp);
      once_at_least (N, 0, a, b, tmp);
      once_at_least_from (N, M - 5, 3 * round, a, b, tmp);
      print_bits ("b", b, sizeof b);
      perhaps_none (N, 3, a, b, tmp);
      perhaps_none (N, 0, a, b, tmp);
      squares (N, a, b);
      print_bits ("b", b, sizeof b);
      address (N, M, a, addresses, tmp);
      for (i = 0; i < N; i++)
	sum += addresses[i] - tmp;
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
      print_bits ("work", work, sizeof work);
      print_bits ("grid", grid, sizeof grid);
      print_bits ("spectrum", spectrum, sizeof spectrum);
      print_bits ("y", y, sizeof y);
      printf ("addresses %lu\n", sum);
    }
  return 0;
}
