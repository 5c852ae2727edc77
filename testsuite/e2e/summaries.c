/* SPDX-License-Identifier: MIT */
//! args: 0, 3, 40
//! link: -lm
//! stat: pool >= 5
//! scan: report 6 "function":"(fill|fill_from|refill|fold_all|smooth_all|both_all)","depth":1,.*"outlined":true
/* Loops that call functions of the unit: these write to arrays of the caller, read what the loop may write, have arrays
   and loops of their own, call others, set errno, return structs.  The command line lets arrays overlap.  */
#include <errno.h>
#include <math.h>
#include "print.h"

#define N 300
#define OUT_OF_LINE __attribute__ ((noinline))

struct pair
{
  double first, second;
};

static double table[5][13];
static double rows[N + 10][5];
static double numbers[8 * N];
static int n_kept;

static OUT_OF_LINE void
exact (double x, double y, double out[5])
{
  int m;

  for (m = 0; m < 5; m++)
    out[m] = table[m][0] + x * (table[m][1] + x * table[m][4]) + y * (table[m][2] + y * table[m][5]);
}

/* OUT[1] only now and then.  */
static OUT_OF_LINE void
fold (const double *from, double out[3])
{
  out[0] = from[0] - from[2];
  if (from[1] > 0)
    out[1] = from[1];
  out[2] = from[0] + 0.5 * out[2];
}

/* A loop that might be handed over itself, were it not within another one.  */
static OUT_OF_LINE double
smooth (const double *from, double *to)
{
  double part[256];
  int i, j;

  for (j = 0; j < 256; j++)
    part[j] = from[1] * j;
  for (i = 0; i < 2; i++)
    for (j = 1; j < 255; j++)
      part[j] = (part[j - 1] + part[j + 1]) * 0.5;
  to[0] = part[100];
  to[1] = part[200];
  return part[7];
}

static OUT_OF_LINE double
both (double x, double *to)
{
  double all[5];

  exact (x, -x, all);
  *to = all[1] + all[3];
  return log (all[0] - 20) + all[4];
}

static OUT_OF_LINE struct pair
halves (double x)
{
  struct pair result = { x * 0.5, x - 1 };

  return result;
}

static OUT_OF_LINE void
rows_to (int n, double x, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = x * i;
}

static OUT_OF_LINE int
keep (int x)
{
  n_kept += x & 1;
  return n_kept;
}

KERNEL void
fill (int n)
{
  double row[5];
  int i, m;

  for (i = 0; i < n; i++)
    {
      exact (i * 0.25, i * 0.75 - 4, row);
      for (m = 0; m < 5; m++)
	rows[i][4 - m] = row[m];
    }
}

/* What each iteration writes is where the work array of the last one is.  */
KERNEL void
fill_from (int n, double *work, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    {
      exact (i, i - 7, work);
      to[i] = work[0] + work[4];
    }
}

/* To where the function reads from.  */
KERNEL void
refill (int n)
{
  int i;

  for (i = 0; i < n; i++)
    exact (i, i + 1, table[i]);
}

KERNEL void
fold_all (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    fold (from + 3 * i, to + 3 * i);
}

KERNEL void
smooth_all (int n, const double *from, double *to, double *results)
{
  int i;

  for (i = 0; i < n; i++)
    results[i] = smooth (&from[4 * i], &to[2 * i]);
}

KERNEL void
both_all (int n, double *to, double *results)
{
  int i;

  for (i = 0; i < n; i++)
    results[i] = both (i * 0.125, to + i);
}

KERNEL void
halve_all (int n, const double *from, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    {
      struct pair pair = halves (from[i]);
      to[i] = pair.first * pair.second;
    }
}

KERNEL void
spread_all (int n, double *to)
{
  int i;

  for (i = 0; i < n; i++)
    rows_to (3, i, to + 2 * i);
}

KERNEL void
keep_all (int n, int *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = keep (i);
}

int
main (int argc, char **argv)
{
  static double results[N], work[5];
  static int counts[N];
  int i, shift = argc > 1 ? atoi (argv[1]) : 0;

  for (i = 0; i < 8 * N; i++)
    numbers[i] = i % 37 - 9.5;
  for (i = 0; i < 5 * 13; i++)
    table[i / 13][i % 13] = i * 0.375;
  fill (N);
  print_bits ("fill", rows, sizeof rows);
  fill_from (N, work, results);
  print_bits ("fill_from", results, sizeof results);
  print_bits ("work", work, sizeof work);
  fill_from (N, numbers + shift + 5, numbers);
  print_bits ("fill_from over", numbers, sizeof numbers);
  fold_all (N, numbers, numbers + 3 * N + shift);
  print_bits ("fold", numbers, sizeof numbers);
  fold_all (N, numbers, numbers + shift);
  print_bits ("fold over", numbers, sizeof numbers);
  smooth_all (N, numbers, numbers + 5 * N, results);
  print_bits ("smooth", numbers, sizeof numbers);
  smooth_all (N, numbers, numbers + shift, results);
  print_bits ("smooth over", numbers, sizeof numbers);
  print_bits ("smooth", results, sizeof results);
  errno = 0;
  both_all (N, numbers, results);
  printf ("errno %d\n", errno == EDOM);
  print_bits ("both", numbers, sizeof numbers);
  print_bits ("both", results, sizeof results);
  halve_all (N, numbers, numbers + 2 * N);
  spread_all (N, numbers + 4 * N);
  print_bits ("halve", numbers, sizeof numbers);
  keep_all (N, counts);
  print_bits ("keep", counts, sizeof counts);
  refill (5);
  print_bits ("refill", table, sizeof table);
  return 0;
}
