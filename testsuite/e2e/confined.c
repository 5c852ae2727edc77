/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 2, 40
//! opts: -O1, -O2, -O3, -O3 -march=native, -Os
//! link: -lm
//! stat: pool >= 12
//! scan: report 6 "function":"(counts|named|masked|faces|peaks|outer)","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 11 "function":"not_[a-z_]*","depth":1,.*"class":"sequential"
//! scan: report 1 "function":"through_a_pointer","depth":1,.*"outlined":true
//! scan: report 3 "function":"(next_one|between|that_often)","depth":1,.*"outlined":true
/* Arrays that each iteration fills before it goes to places in them that are loaded, or computed from what is: the
   declaration of the array tells how far that goes, or the range of the index.  And arrays that are read in each turn
   of an inner loop but the last one, or filled so.  The command line says how many inner turns there are, and in
   `between' and `that_often' how often the array is filled.  */
#include <math.h>
#include <string.h>
#include "print.h"

#define N 160
#define M 40

static int key[N][M], named_counts[32], kept[32];
static unsigned char side[N];
static double out[N], limit = 900, left = 1, low = 2, factor[5] = { 0, 1, 2, 3, 5 }, corner[N][8], peak[N][5][5];

KERNEL void
counts (int n, int m)
{
  int count[32], i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0; j < 32; j++)
	count[j] = 0;
      for (j = 0; j < m; j++)
	count[key[i][j]]++;
      for (j = 0; j < 32; j++)
	sum += count[j] * j * count[(j * 7) & 31];
      out[i] = sum;
    }
}

/* What it holds in the end is seen.  */
KERNEL void
named (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 32; j++)
	named_counts[j] = i;
      for (j = 0; j < m; j++)
	named_counts[key[i][j]] += j;
      out[i] += named_counts[key[i][0]];
    }
}

/* Nobody says how long it is.  */
KERNEL void
masked (int n, int m, int *restrict count)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 32; j++)
	count[j] = 1;
      for (j = 0; j < m; j++)
	count[key[i][j] & 31]++;
      out[i] += count[key[i][1] & 15];
    }
}

/* Some of it is written over, as data say.  */
KERNEL void
faces (int n)
{
  double box[4][4];
  int i, a, b;

  for (i = 0; i < n; i++)
    {
      int lo = side[i] == 1 ? 3 : 0, hi = side[i] == 2 ? 1 : 4;
      double sum = 0;
      for (a = 0; a < 4; a++)
	for (b = 0; b < 4; b++)
	  box[a][b] = i + a * b;
      if (side[i] != 0)
	for (a = lo; a < hi; a++)
	  for (b = 0; b < 4; b++)
	    box[b][a] = 0;
      for (a = 0; a < 4; a++)
	for (b = 0; b < 4; b++)
	  sum += box[a][b] * (b + 1);
      out[i] += sum;
    }
}

/* At -O3 GCC loads Y[k + 1] at the end of a turn (dump/latch.c).  */
KERNEL void
peaks (int n)
{
  double x[5], y[5];
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 5; j++)
	x[j] = factor[j] * (corner[i][1] - corner[i][0]) + corner[i][0];
      for (j = 0; j < 5; j++)
	y[j] = factor[j] * (corner[i][3] - corner[i][2]) + corner[i][2];
      for (k = 0; k < 5; k++)
	for (j = 0; j < 5; j++)
	  {
	    double r = pow (x[j] - left, 2.0) + pow (y[k] - low, 2.0);
	    peak[i][k][j] = r <= limit ? cos (sqrt (r)) : 0;
	  }
      for (k = 0; k < 5; k++)
	for (j = 0; j < 5; j++)
	  {
	    double r = pow (x[j] - low, 2.0) + pow (y[k] - low, 2.0);
	    peak[i][k][j] += r <= limit ? cos (sqrt (r)) : 0;
	  }
    }
}

/* It is filled for an inner loop, too, but not by that.  */
KERNEL void
outer (int n, int m)
{
  int count[32], i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 32; j++)
	count[j] = 0;
      for (j = 0; j < m; j++)
	{
	  count[key[i][j]]++;
	  out[i] += count[key[j][j]];
	}
    }
}

/* Read one further than it is written in each turn but the last one.  */
KERNEL void
next_one (int n)
{
  double w[8];
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0, next;
      for (j = 0; j < 8; j++)
	w[j] = corner[i][j];
      next = w[0];
      for (j = 0;;)
	{
	  sum += next * j;
	  if (++j == 8)
	    break;
	  next = w[j];
	}
      out[i] += sum;
    }
}

/* All of it if it is filled at all.  */
KERNEL void
between (int n, int m, int times)
{
  static int count[32];
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < times; k++)
	for (j = 0; j < 32; j++)
	  count[j] = k;
      for (j = 0; j < m; j++)
	count[key[i][j]]++;
      out[i] += count[key[i][2]];
    }
}

static __attribute__ ((noinline)) void
spread (const double *from, double *to)
{
  double part[8];
  double *p = part;
  int i, j;

  for (i = 0; i < 8; i++)
    *p++ = 0;
  for (j = 0; j < 2; j++)
    for (i = 0; i < 8; i++)
      part[7 - i] += from[i] * j;
  for (i = 0; i < 8; i++)
    to[i] = part[i] + from[i];
}

/* The function goes through its own array with a pointer.  */
KERNEL void
through_a_pointer (int n, double (*to)[8])
{
  int i;

  for (i = 0; i < n; i++)
    spread (corner[i], to[i]);
}

/* All but the last element, which one iteration after the other adds to.  */
KERNEL void
not_all (int n, int m)
{
  int count[32], i, j;

  count[31] = 0;
  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 31; j++)
	count[j] = 0;
      for (j = 0; j < m; j++)
	count[key[i][j]]++;
      out[i] += count[31] + count[30];
    }
}

KERNEL void
not_as_wide (int n, int m, int *restrict count)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 31; j++)
	count[j] = 0;
      for (j = 0; j < m; j++)
	count[key[i][j] & 31]++;
      out[i] += count[30];
    }
}

KERNEL void
not_each_time (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      if (side[i])
	for (j = 0; j < 32; j++)
	  kept[j] = 0;
      for (j = 0; j < m; j++)
	kept[key[i][j]]++;
      out[i] += kept[3];
    }
}

KERNEL void
not_before (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	kept[key[i][j]]++;
      out[i] += kept[4];
      for (j = 0; j < 32; j++)
	kept[j] = i;
    }
}

/* Another name of the array hands something on.  */
KERNEL void
not_by_that_name_alone (int n, int m, int *other)
{
  int *p = other ? other : kept, i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 32; j++)
	kept[j] = 0;
      for (j = 0; j < m; j++)
	kept[key[i][j]]++;
      p[3] += i;
      out[i] += kept[3];
    }
}

/* A turn of the inner loop reads what another one wrote, or did not write yet.  */
KERNEL void
not_in_time (int n)
{
  static double w[M];
  int i, j;

  for (i = 0; i < n; i++)
    {
      w[0] = i;
      for (j = 0; j < M - 1; j++)
	w[j + 1] = w[(key[i][j] * 3) % M] + 1;
      out[i] += w[M - 1];
    }
}

/* Stores at loaded places fill nothing: neither what is read, nor what is seen in the end.  */
KERNEL void
not_filled (int n)
{
  static double w[32];
  int i;

  for (i = 0; i < n; i++)
    {
      w[0] = i;
      w[key[i][0]] = i * 3 + 1;
      out[i] += w[5] + w[0];
    }
}

KERNEL void
not_left (int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      kept[0] = i;
      kept[key[i][1]] = i * 3 + 1;
    }
}

/* The last element is what the iteration before left there, and is read behind the test of the inner loop.  */
KERNEL void
not_one_less (int n)
{
  double w[32];
  int i, j;

  for (j = 0; j < 32; j++)
    w[j] = j;
  for (i = 0; i < n; i++)
    {
      double sum = 0, next;
      for (j = 0; j < 31; j++)
	w[j] = i + j;
      next = w[0];
      for (j = 0;;)
	{
	  sum += next * j;
	  if (sum > 3)
	    corner[i][j] = sum;
	  else
	    corner[i][j] = -sum * sum;
	  if (++j == 8)
	    break;
	  next = w[key[i][j]];
	}
      w[31] = sum;
      out[i] += sum;
    }
}

/* What is loaded begins within what was filled, and ends behind it.  */
KERNEL void
not_aligned (int n)
{
  static unsigned char bytes[12];
  int i, j;

  for (i = 0; i < n; i++)
    {
      long long v;
      for (j = 0; j < 8; j++)
	bytes[j] = i * j;
      memcpy (&v, bytes + (key[i][0] & 4), 8);
      for (j = 8; j < 12; j++)
	bytes[j] = (v >> j) + i;
      out[i] += v & 0xffffff;
    }
}

/* The last turn writes nothing.  */
KERNEL void
not_in_the_last_turn (int n)
{
  double w[8] = { 0 };
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0;; j++)
	{
	  sum += corner[i][j];
	  if (j == 5)
	    break;
	  w[j] = corner[i][j];
	}
      for (j = 0; j <= 5; j++)
	sum += w[j];
      out[i] += sum;
      w[5] = sum;
    }
}

KERNEL void
that_often (int n, int m)
{
  double w[8] = { 0 };
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0;; j++)
	{
	  sum += corner[i][j & 7];
	  if (j == m)
	    break;
	  w[j & 7] = corner[i][j & 7];
	}
      for (j = 0; j <= m; j++)
	sum += w[j & 7];
      out[i] += sum;
      w[m & 7] = sum;
    }
}

int
main (int argc, char **argv)
{
  static double to[N][8];
  int m = argc > 1 ? atoi (argv[1]) : 9, counted[32] = { 0 }, i, j;

  for (i = 0; i < N; i++)
    {
      side[i] = i % 3;
      for (j = 0; j < M; j++)
	key[i][j] = (i * 31 + j * j * 7) % 32;
      for (j = 0; j < 8; j++)
	corner[i][j] = (i * 7 + j * j * 5) % 61 * 0.25;
    }
  counts (N, m);
  named (N, m);
  masked (N, m, counted);
  faces (N);
  peaks (N);
  outer (N, m);
  next_one (N);
  between (N, m, m > 1);
  between (N, m, m);
  through_a_pointer (N, to);
  print_bits ("out", out, sizeof out);
  not_all (N, m);
  not_as_wide (N, m, counted);
  not_each_time (N, m);
  not_before (N, m);
  not_by_that_name_alone (N, m, m == 1 ? counted : NULL);
  not_in_time (N);
  not_filled (N);
  not_left (N);
  not_one_less (N);
  not_aligned (N);
  not_in_the_last_turn (N);
  that_often (N, m);
  print_bits ("out", out, sizeof out);
  print_bits ("to", to, sizeof to);
  print_bits ("peak", peak, sizeof peak);
  print_bits ("named", named_counts, sizeof named_counts);
  print_bits ("counted", counted, sizeof counted);
  print_bits ("kept", kept, sizeof kept);
  return 0;
}
