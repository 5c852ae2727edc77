/* SPDX-License-Identifier: MIT */
//! args: 0, 3, 40
//! opts: -O2, -O2 -flto, -O3, -O3 -flto, -O3 -march=native, -O1, -Os
//! stat: pool >= 1
//! scan: report 1 "function":"with_[a-z_]*","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 4 "function":"without_[a-z_]*","depth":1,.*"outlined":false
/* A function that only fills arrays is not copied for the array that all calls have, so that iterations can have one of
   their own.  One that
   fills every other row need not fill all that is read (told.c has those that name arrays), one that computes what it
   stores is copied.  */
#include "print.h"

#define N 200
#define M 41

static double work[M + 1][5], other[M + 1], out[N];
static int marks[M + 1];

static __attribute__ ((noinline)) void
clear (int m)
{
  int j, k;

  for (j = 0; j < m; j++)
    {
      for (k = 0; k < 5; k++)
	work[j][k] = 0.0;
      work[j][2] = 1.0;
      other[j] = -1;
    }
  for (j = 0; j < m; j++)
    marks[j] = 7;
  for (j = 0; j < m; j += 2)
    {
      work[j][4] = 1;
      work[j][3] = 0;
    }
  for (k = 0; k < 5; k++)
    work[m][k] = 0;
  other[m] = 0;
  marks[m] = 0;
}

static __attribute__ ((noinline)) void
clear_rows (double rows[][5], int m)
{
  int j, k;

  for (j = 0; j <= m; j++)
    for (k = 0; k < 5; k++)
      rows[j][k] = 0.0;
  for (j = 0; j <= m; j++)
    rows[j][2] = 1.0;
}

static __attribute__ ((noinline)) void
scale (int m, double by)
{
  int j;

  for (j = 0; j <= m; j++)
    other[j] = by * 0.1;
}

KERNEL void
without_arguments (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      clear (m);
      for (j = 0; j <= m; j++)
	work[j][1] += i * j;
      for (j = 0; j <= m; j++)
	sum += work[j][1] * work[j][2] + work[j][4] - other[j];
      out[i] += sum;
    }
}

KERNEL void
without_one (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      clear (m);
      marks[m] += i;
      out[i] -= marks[m] + marks[0] + other[m] * 3;
    }
}

KERNEL void
with_arguments (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      clear_rows (work, m);
      for (j = 0; j <= m; j++)
	work[j][0] -= out[i];
      out[i] = out[i] * 0.5 + work[m][0] * 0.25 + work[m][2];
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

/* The first iteration reads what the program left.  */
KERNEL void
without_filling (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    {
      out[i] += work[m][0];
      clear (m);
      work[m][0] = i;
    }
}

int
main (int argc, char **argv)
{
  int m = argc > 1 ? atoi (argv[1]) : 0, t;

  for (t = 0; t < 2; t++)
    {
      without_arguments (N, m);
      without_one (N, m);
      print_bits ("work", work, sizeof work);
      with_arguments (N, m);
      without_constants (N, m);
      without_filling (N, m);
      print_bits ("work", work, sizeof work);
      print_bits ("other", other, sizeof other);
      print_bits ("marks", marks, sizeof marks);
      print_bits ("out", out, sizeof out);
    }
  return 0;
}
