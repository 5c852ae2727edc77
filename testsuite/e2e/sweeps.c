/* SPDX-License-Identifier: MIT */
//! args: 1, 5
//! steps: auto, L2, L3
//! stat-read: conflicts == 24
//! no-stat: -O1
/* Rows of elements that lie one behind the other, at places that only a table knows: read, written, upwards, downwards,
   in place, and empty where the table points anywhere.  In each entry of each of the six kernels, one element, the
   first or last of its row, belongs to two iterations, at the distance that the command line names; no other is
   shared.  */
#include "read-rows.h"

#define ROWS 1000
#define LEN (12 * ROWS)

KERNEL void
write_rows (int n, const long *row, const long *end, const double *x, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = row[i]; k < end[i]; k++)
      y[k] = x[k] + i;
}

KERNEL void
write_rows_downwards (int n, const long *row, const long *end, const int *x, float *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = end[i] - 1; k >= row[i]; k--)
      y[k] = (float) (x[k] + 2 * i);
}

KERNEL void
add_up_in_memory (int n, const long *row, const long *end, const int *place, const double *x, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = row[i]; k < end[i]; k++)
      y[place[i]] = y[place[i]] * 0.75 + x[k];
}

/* Pointers walk.  */
KERNEL void
walk_rows (int n, const long *row, const long *end, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    if (row[i] < end[i])
      {
        const double *p = x + row[i], *stop = x + end[i];
        double *q = y + row[i];
        while (p < stop)
          *q++ = 2 * *p++ + i;
      }
}

/* Rows of three, two of them a block, at a place in a table: sweeps in sweeps.  */
KERNEL void
write_blocks (int n, const long *row, const double *x, double *y)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (j = 0; j < 2; j++)
      for (k = 0; k < 3; k++)
        y[row[i] + 3 * j + k] = x[3 * j + k] + i;
}

static long row[ROWS], end[ROWS];
static int place[ROWS], order[ROWS], whole[LEN];
static double x[LEN], y[LEN];
static float z[LEN];

/* Rows apart; some are empty, and begin anywhere.  */
static void
lay_out_rows (void)
{
  int i;

  for (i = 0; i < ROWS; i++)
    {
      row[i] = 8L * order[i];
      end[i] = row[i] + 6 + i % 2;
      place[i] = 10 * ROWS + order[i];
      if (i % 10 == 7)
        {
          row[i] = 1000000000L * (i % 3 - 1);
          end[i] = row[i] - i % 4;
        }
    }
}

/* Rows I and J begin at FIRST and SECOND, in space that no other row has.  */
static void
put_rows (int i, long first, long len, int j, long second, long other_len)
{
  row[i] = 9 * ROWS + first;
  end[i] = row[i] + len;
  row[j] = 9 * ROWS + second;
  end[j] = row[j] + other_len;
}

int
main (int argc, char **argv)
{
  int distance = argc > 1 ? atoi (argv[1]) : 1;
  int i, j, round;

  fill_permutation (order, ROWS, 11);
  fill_numbers (x, y, whole, LEN);
  for (round = 0; round < 4; round++)
    {
      i = 20 + 310 * round;
      j = i + distance;
      lay_out_rows ();
      if (round % 2 == 0)
        put_rows (i, 0, 6, j, 5, 9);
      else
        put_rows (i, 0, 6, j, -2, 3);
      write_rows (ROWS, row, end, x, y);
      print_bits ("written", y, sizeof y);
      write_rows_downwards (ROWS, row, end, whole, z);
      print_bits ("downwards", z, sizeof z);
      walk_rows (ROWS, row, end, x, y);
      print_bits ("walked", y, sizeof y);

      lay_out_rows ();
      row[round % 2 ? i : j] = place[round % 2 ? j : i] - (round < 2 ? 5 : 0);
      end[round % 2 ? i : j] = row[round % 2 ? i : j] + 6;
      for (int k = 0; k < ROWS; k++)
        if (k != i && k != j)
          place[k] -= 2000;
      read_rows (ROWS, row, end, place, x, x);
      print_bits ("read", x, sizeof x);
      add_up_in_memory (ROWS, row, end, place, x, x);
      print_bits ("added", x, sizeof x);

      lay_out_rows ();
      for (int k = 0; k < ROWS; k++)
        row[k] = 8L * order[k];
      put_rows (i, 0, 6, j, round % 2 ? -5 : 5, 6);
      write_blocks (ROWS, row, x, y);
      print_bits ("blocks", y, sizeof y);
    }
  return 0;
}
