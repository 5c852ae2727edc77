/* SPDX-License-Identifier: MIT */
//! args: 0, 3, 40
//! opts: -O2, -O2 -flto, -O3, -O3 -g, -O3 -march=native, -O1, -Os, -Ofast
//! stat: pool >= 12
//! scan: report 5 "function":"with_[a-z_]*","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 4 "function":"without_[a-z_]*","depth":1,.*"outlined":false
/* Functions that fill arrays which they name: those that a loop calls fill the arrays that an iteration has, everybody
   else's fill the program's.  One that nobody may look into does not, nor one that computes what it stores, that lets
   addresses out, or that fills only some of what is read.  */
#include "print.h"
#include <string.h>

#define N 200
#define M 41

double line[M + 1][5], other[M + 1];
static int marks[M + 1], *mark;
static double out[N];

__attribute__ ((noinline)) void
clear (int m, int k)
{
  int j;

  for (j = 0; j < m; j++)
    {
      line[j][k] = 0.0;
      line[j][2] = 1.0;
      other[j] = -1;
    }
  line[m][0] = line[m][1] = line[m][2] = line[m][3] = line[m][4] = 0.5;
  other[m] = 0;
}

static __attribute__ ((noinline)) void
clear_all (void)
{
  memset (line, 0, sizeof line);
  other[3] = 7;
}

/* Its values come from elsewhere; it tells how many there were.  */
static __attribute__ ((noinline)) int
copy (const int *from, int m)
{
  int j;

  for (j = 0; j <= m; j++)
    marks[j] = from[j];
  return m + 1;
}

static __attribute__ ((noinline)) void
old_style (m, by)
     int m;
     double by;
{
  int j;

  for (j = 0; j <= m; j++)
    other[j] = by;
  for (j = 0; j <= m; j++)
    marks[j] = m - j;
}

static __attribute__ ((noipa)) void
closed (int m)
{
  int j;

  for (j = 0; j <= m; j++)
    other[j] = 3;
}

static __attribute__ ((noinline)) void
scale (int m, double by)
{
  int j;

  for (j = 0; j <= m; j++)
    other[j] = by * 0.1 + by;
}

static __attribute__ ((noinline)) void
let_out (int m)
{
  int j;

  for (j = 0; j <= m; j++)
    marks[j] = 4;
  mark = &marks[m];
}

KERNEL void
with_edges (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      clear (m, 1);
      for (j = 0; j <= m; j++)
	line[j][1] += i * j;
      for (j = 0; j <= m; j++)
	sum += line[j][1] * line[j][2] - other[j];
      out[i] += sum;
    }
}

KERNEL void
with_memset (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      clear_all ();
      for (j = 0; j < M; j++)
	line[j][3] += out[i] + j + m;
      other[3] += i;
      out[i] = line[M - 1][3] * 0.5 + line[0][0] + other[3];
    }
}

KERNEL void
with_values (int n, int m, const int *from)
{
  int i, n_copied;

  for (i = 0; i < n; i++)
    {
      n_copied = copy (from, m);
      marks[m] += i;
      out[i] += marks[m] + marks[0] * n_copied;
    }
}

KERNEL void
with_old_style (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      old_style (m, out[i]);
      other[m] += 1;
      out[i] = other[m] - marks[m] + other[0];
    }
}

KERNEL void
with_several (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      old_style (m, (double) i);
      for (j = 0; j <= m; j++)
	marks[j] += i;
      clear (m, 1);
      out[i] += marks[m] + other[m] + line[m][2];
    }
}

KERNEL void
without_looking (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      closed (m);
      out[i] += other[m] + i;
    }
}

KERNEL void
without_constants (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      scale (m, i);
      out[i] += other[m] * 0.3 + i;
    }
}

KERNEL void
without_address (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      let_out (m);
      marks[m] += i;
      out[i] += marks[m];
    }
}

/* The first iteration reads what the program left.  */
KERNEL void
without_filling (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      out[i] += line[m][3];
      clear (m, 1);
      line[m][3] = i;
    }
}

int
main (int argc, char **argv)
{
  static void (*volatile clear_by_address) (int, int) = clear;
  int m = argc > 1 ? atoi (argv[1]) : 0, t, from[M + 1];

  fill_permutation (from, M + 1, 5);
  for (t = 0; t < 2; t++)
    {
      with_edges (N, m);
      print_bits ("line", line, sizeof line);
      with_memset (N, m);
      print_bits ("line", line, sizeof line);
      with_values (N, m, from);
      print_bits ("marks", marks, sizeof marks);
      with_old_style (N, m);
      print_bits ("other", other, sizeof other);
      with_several (N, m);
      print_bits ("marks", marks, sizeof marks);
      without_looking (N, m);
      without_constants (N, m);
      without_address (N, m);
      without_filling (N, m);
      print_bits ("line", line, sizeof line);
      clear_by_address (m, t);
      print_bits ("line", line, sizeof line);
      print_bits ("other", other, sizeof other);
      print_bits ("marks", marks, sizeof marks);
      print_bits ("out", out, sizeof out);
      printf ("%d\n", *mark);
    }
  return 0;
}
