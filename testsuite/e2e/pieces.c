/* SPDX-License-Identifier: MIT */
//! steps: auto, L1, L3
//! inject: none, every:7, at:3, random:11
//! stat: L1 >= 52
//! stat-inject: conflicts >= 1
/* Loops of which only a few iterations meet others: what one row or element gives to all, rows that meet in the middle,
   and what a piece must not begin with: values of the iteration before, addresses that an iteration has changed.  */
#include "print.h"

#define N 61
#define M 400

static int path[N][N], x[M + 2], y[M + 2], many[60002];
static double r[M + 2], s[M + 2];
static long cells[3 * M];
static volatile int out_of_range = N + 9;

KERNEL void
pivot_row (int n, int k)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

/* The outer loop goes along the rows: accesses of different iterations interleave.  */
KERNEL void
pivot_column (int n, int k)
{
  int i, j;

  for (j = 0; j < n; j++)
    for (i = 0; i < n; i++)
      path[i][j] = path[i][j] ^ (path[i][k] + path[k][j] * 3);
}

KERNEL void
eliminate (int n, int k)
{
  int i, j;

  for (i = 0; i < n; i++)
    if (i != k)
      for (j = 0; j < n; j++)
        path[i][j] -= path[i][k] * path[k][j];
}

KERNEL void
from_one (int n, int *a, const int *b, int k)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = a[k] + b[i];
}

KERNEL void
copy_one (int n, double *a, int k)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = a[k] * 1.5;
}

KERNEL void
from_two (int n, int *a, const int *b, int k, int l)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = a[k] + b[i] * a[l];
}

KERNEL void
cross (int n, double *a, const double *b)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = a[n - 1 - i] + b[i];
}

KERNEL void
twice_as_far (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[2 * i] = a[i] * 3 + i;
}

/* A sum, a largest value and where it was, and a last value, over several pieces.  */
KERNEL int
reduce (int n, int *a, const int *b, int k)
{
  int i, sum = 7, largest = -1, where = -1, last = 0;

  for (i = 0; i < n; i++)
    {
      a[i] = (a[k] + b[i]) & 255;
      sum += a[i] * i;
      if (b[i] * 37 % 101 > largest)
        {
          largest = b[i] * 37 % 101;
          where = i;
        }
      last = b[i] - i;
    }
  return sum * 31 + largest * 7 + where * 3 + last;
}

/* In the middle, an iteration writes where it has read, and the one behind it wants what was there.  */
KERNEL int
one_behind (int n, int *a, int *b, int before)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int t = b[i];

      a[n - 1 - i] = t + 2 * before;
      before = t;
    }
  return before;
}

/* One of the elements says where the others are.  When it is overwritten, each is made of the one before.  */
KERNEL void
by_offset (int n, long *a, const long *offset)
{
  int i;

  for (i = 0; i < n; i++)
    a[i + *offset] = a[i] + 1;
}

static void
fill (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      path[i][j] = (i * 17 + j * 29) % 83;
  for (i = 0; i < M + 2; i++)
    {
      x[i] = i % 13 + 1;
      y[i] = i * 5 % 17;
      r[i] = i % 11 + 0.25;
      s[i] = i % 7 - 0.5;
    }
}

int
main (void)
{
  static const int pivots[] = { 0, 1, 2, N / 2, N - 2, N - 1 };
  static const int places[] = { 0, 1, M / 3, M / 2, M - 1, M + 1 };
  int i, k;

  fill ();
  for (k = 0; k < 6; k++)
    {
      pivot_row (N, pivots[k]);
      print_bits ("row", path, sizeof path);
      pivot_column (N, pivots[k]);
      print_bits ("column", path, sizeof path);
      eliminate (N, pivots[k]);
      print_bits ("eliminate", path, sizeof path);
    }
  eliminate (N / 2, N / 2 + 3);
  eliminate (N / 2, out_of_range - 10);
  print_bits ("other rows", path, sizeof path);
  for (k = 0; k < 6; k++)
    {
      fill ();
      from_one (M, x, y, places[k]);
      copy_one (M, r, places[k]);
      print_bits ("one", x, sizeof x);
      from_two (M, x, y, places[k], places[5 - k]);
      print_bits ("two", x, sizeof x);
      printf ("%d\n", reduce (M, x, y, places[k]));
      print_bits ("reduce", x, sizeof x);
      print_bits ("copy", r, sizeof r);
      cross (M - k, r, s);
      print_bits ("cross", r, sizeof r);
      twice_as_far (M / 2 - k, x);
      print_bits ("twice", x, sizeof x);
      printf ("%d\n", one_behind (M - k, x, x, 5));
      print_bits ("behind", x, sizeof x);
    }
  for (i = 0; i < 60002; i++)
    many[i] = i % 19;
  twice_as_far (30000, many);
  print_bits ("many", many, sizeof many);
  for (k = 0; k < 6; k++)
    {
      for (i = 0; i < 3 * M; i++)
        cells[i] = 0;
      cells[M + places[k]] = M;
      by_offset (M, cells, &cells[M + places[k]]);
      print_bits ("offset", cells, sizeof cells);
    }
  return 0;
}
