/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 6, 19
//! opts: -O1, -O2, -O3, -O3 -march=native, -Os
//! stat: pool >= 10
//! scan: report 7 "function":"in_[a-z_]*","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 2 "function":"not_[a-z_]*","depth":1,.*"reason":"fixed-address"
/* Arrays that each iteration fills, by addresses in them that are computed before the loop: what runs has another
   array, and other addresses.  The command line says where in the array.  */
#include "print.h"

#define N 300

static double work[20][3][4][4], out[N][20];
static int row[400], taken[N];
static unsigned by[4096];
static unsigned long sums[2048];

KERNEL void
in_rows (int n, int at)
{
  double *p = &work[at][1][0][0], *q = p + 16;
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (j = 0; j < 16; j++)
	p[j] = i * j + 0.5;
      for (j = 0; j < 16; j++)
	q[j] = p[j] * 2 + work[at][1][0][3];
      for (j = 0; j < 16; j++)
	sum += q[j] * p[j + 16];
      out[i][at] = sum;
    }
}

static __attribute__ ((noinline, noclone)) void
fill (double a[][3][4][4], int at, double value)
{
  int j, k;

  for (j = 0; j < 4; j++)
    for (k = 0; k < 4; k++)
      {
	a[0][1][j][k] = value + j;
	a[at][2][j][k] = value * k;
      }
}

static __attribute__ ((noinline, noclone)) void
change_row (double *place, double by)
{
  int j;

  for (j = 0; j < 4; j++)
    place[j] = place[j] * 0.5 + by;
}

static __attribute__ ((noinline, noclone)) void
change (double block[4][4], double by)
{
  int j, k;

  for (j = 0; j < 4; j++)
    for (k = 0; k < 4; k++)
      block[j][k] = block[j][k] * 0.5 + by;
}

KERNEL void
in_calls (int n, int at)
{
  double (*block)[4] = work[at][2];
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      fill (work, at, i * 0.25);
      change (block, i);
      change (work[0][1], 1);
      for (j = 0; j < 4; j++)
	sum += work[at][2][j][3 - j] - block[j][j] + work[0][1][1][j];
      out[i][at] += sum;
    }
}

/* What an int holds is what it is: AT - 3 may be below 0.  */
KERNEL void
in_ints (int n, int at)
{
  int *p = &row[100 + at], *q = &row[97 + at + (at - 3)];
  int i, j;

  for (i = 0; i < n; i++)
    {
      int sum = 0;
      for (j = 0; j < 60; j++)
	row[97 + 2 * at - 3 + j] = i ^ j;
      for (j = 0; j < 9; j++)
	q[j] += 2;
      for (j = 0; j < 4; j++)
	sum = sum * 3 + q[j] + (at <= 6 ? p[j] : 0);
      taken[i] = sum;
    }
}

/* Each element by itself, and then all of them.  */
KERNEL void
in_pieces (int n, int at)
{
  double *p = work[at][0][1];
  int i;

  for (i = 0; i < n; i++)
    {
      p[0] = i;
      p[1] = i + 1;
      p[3] = 1.0 / (i + 2);
      p[2] = i & 3;
      change_row (work[at][0][1], p[2]);
      out[i][at] += p[0] + p[3] * 7;
    }
}

KERNEL void
in_a_part (int n, int at, int m)
{
  double *p = &work[at][0][0][0];
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m; j++)
	p[j] = i - j;
      out[i][at] -= p[m / 2] + work[at][0][0][2];
    }
}

KERNEL double *
in_a_result (int n, int at)
{
  double *p = &work[at][2][1][0];
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 8; j++)
	p[j] = out[i][at] * 0.25 + j;
      out[i][at] = p[7] + p[3];
    }
  return p;
}

KERNEL void
in_parameters (double (*a)[3][4][4], int n, int at)
{
  int i, j;
  double *p = &work[at][1][2][0];

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 8; j++)
	p[j] = j + i;
      a[0][0][0][0] = i;
      out[i][at] += work[at][1][3][1];
    }
}

/* The first iteration reads what was there before the loop.  */
KERNEL void
not_filled (int n, int at)
{
  double *p = &work[at][1][0][0];
  int i, j;

  for (i = 0; i < n; i++)
    {
      out[i][at] += work[at][1][2][1];
      for (j = 0; j < 16; j++)
	p[j] = i * j + 0.5;
    }
}

KERNEL void
not_behind (int n, int at)
{
  double *p = work[at][0][1];
  int i;

  for (i = 0; i < n; i++)
    {
      p[0] = i;
      p[1] = i + 1;
      p[3] = 1.0 / (i + 2);
      change_row (work[at][0][1], i);
      p[2] = i & 3;
      out[i][at] += p[0] + p[3] * 7;
    }
}

static double *volatile kept;

KERNEL void
not_kept (int n, int at)
{
  double *p = &work[at][2][0][0];
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < 16; j++)
	p[j] = i * j;
      kept = p;
      out[i][at] -= p[5];
    }
}

/* Copied for the arrays of the only call: the inner loop adds to a place that is computed before it.  */
static __attribute__ ((noinline)) void
added_up (unsigned long *to, const unsigned *by, int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      {
	to[j] += 186;
	to[by[i] & 127] += by[i];
      }
}

int
main (int argc, char **argv)
{
  int at = argc > 1 ? atoi (argv[1]) : 0;

  in_rows (N, at);
  in_calls (N, at);
  in_ints (N, at);
  in_pieces (N, at == 19 ? 18 : at);
  in_a_part (N, at, 3 + at);
  print_bits ("result", in_a_result (N, at), 8 * sizeof (double));
  in_parameters (work + at, N, at);
  in_parameters (work + 1, N, at);
  print_bits ("work", work, sizeof work);
  not_filled (N, at);
  not_behind (N, at);
  not_kept (N, at);
  print_bits ("work", work, sizeof work);
  print_bits ("row", row, sizeof row);
  print_bits ("taken", taken, sizeof taken);
  print_bits ("out", out, sizeof out);
  for (at = 0; at < 4096; at++)
    by[at] = at * 2654435761u;
  added_up (sums + 1186, by + 257, 60, 256);
  print_bits ("sums", sums, sizeof sums);
  return 0;
}
