/* SPDX-License-Identifier: MIT */
//! args: 1, 5
//! steps: auto, L2, L3
//! stat-read: conflicts == 16
//! no-stat: -O1
/* Elements with gaps between them, and fields of structures, at places that only a table knows.  In each second entry
   of the four kernels, two iterations meet in one element, the first or last of a row, at the distance that the command
   line names; in the others, they come as near to each other: their rows are in each other's gaps.  */
#include "print.h"

#define ROWS 1000
#define COUNT 12
#define LEN (40 * ROWS)

struct site
{
  short x, y;
  char parity;
  double phase[2];
};

KERNEL void
every_other (int n, const long *row, const double *x, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = row[i]; k < row[i] + 2 * COUNT; k += 2)
      y[k] = x[k] + x[k + 1] + i;
}

KERNEL void
downwards_by_three (int n, const long *row, const int *x, float *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = row[i] + 3 * COUNT; k > row[i]; k -= 3)
      y[k] = (float) (x[k] + 2 * i);
}

/* The step is known at run time only.  It reads what it writes, and between.  */
KERNEL void
columns (int n, int count, long step, const long *row, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < count; k++)
      y[row[i] + k * step] = 0.5 * y[row[i] + k * step] + i;
}

/* Fields that follow each other, and one after a gap.  */
KERNEL void
fields (int n, const int *place, struct site *sites)
{
  int i;

  for (i = 0; i < n; i++)
    {
      struct site *site = &sites[place[i]];
      site->phase[1] = i;
      site->x = (short) i;
      site->y = (short) (2 * i);
      site->phase[0] = 3 - i;
    }
}

static long row[ROWS];
static int place[ROWS], order[ROWS], whole[LEN];
static double x[LEN], y[LEN];
static float z[LEN];
static struct site sites[LEN / 4];

/* Rows apart, but for I and J: SHIFT elements from each other.  */
static void
lay_out_rows (int i, int j, long shift)
{
  int k;

  for (k = 0; k < ROWS; k++)
    {
      row[k] = 38L * order[k];
      place[k] = 9 * order[k];
    }
  row[i] = 39L * ROWS;
  row[j] = row[i] + shift;
  place[i] = 9 * ROWS;
  place[j] = place[i] + (shift % 6 != 0);
}

int
main (int argc, char **argv)
{
  int distance = argc > 1 ? atoi (argv[1]) : 1;
  int i, j, round;

  fill_permutation (order, ROWS, 11);
  fill_numbers (x, y, whole, LEN);
  for (round = 0; round < 8; round++)
    {
      static const long meets[] = { 0, 6, -6, 6 }, misses[] = { 1, 7, -5, 5 };
      i = 20 + 110 * round; /* no macro-chunk ends between I and J */
      j = i + distance;
      lay_out_rows (i, j, round % 2 ? misses[round / 2] : meets[round / 2]);
      every_other (ROWS, row, x, y);
      print_bits ("every other", y, sizeof y);
      downwards_by_three (ROWS, row, whole, z);
      print_bits ("downwards", z, sizeof z);
      columns (ROWS, COUNT, round < 4 ? 3 : -3, row, y);
      print_bits ("columns", y, sizeof y);
      fields (ROWS, place, sites);
      for (int k = 0; k < LEN / 4; k++)
        x[k] = sites[k].x + sites[k].y + sites[k].phase[0] + 2 * sites[k].phase[1];
      print_bits ("fields", x, sizeof x);
    }
  return 0;
}
