/* SPDX-License-Identifier: MIT */
//! args: 1, 5
//! steps: auto, L2, L3
//! stat-read: conflicts == 24
//! no-stat: -O1
/* Rows that go on where the one before ended, as those of a sparse matrix do: upwards, downwards, into each other, and
   with nothing in some.  In each entry, one iteration writes the first or the last element of another one's row, at the
   distance that the command line names; no other conflict is there.  The row is the last one of those that are looked
   at together, or one further inside.  */
#include "read-rows.h"

#define ROWS 1000
#define LEN (8 * ROWS)

static long row[ROWS], end[ROWS];
static int place[ROWS];
static double x[2 * LEN];

/* Lay out rows in the way WAY.  */
static void
lay_out_rows (int way)
{
  long at = 100;
  int i;

  for (i = 0; i < ROWS; i++)
    {
      long len = way == 3 && i % 7 == 3 ? 0 : 2 + i % 3;
      row[i] = at;
      end[i] = at + len;
      at += way == 2 ? len - 1 : len;
      place[i] = LEN + i;
    }
  for (i = 0; way == 1 && i < ROWS; i++)
    {
      row[i] = LEN - row[i];
      end[i] = row[i] + 2 + i % 3;
    }
}

int
main (int argc, char **argv)
{
  static const int planted[] = { 62, 188, 400 };
  int distance = argc > 1 ? atoi (argv[1]) : 1;
  int way, p, is_last, i;

  for (way = 0; way < 4; way++)
    for (p = 0; p < 3; p++)
      for (is_last = 0; is_last < 2; is_last++)
        {
          int j = planted[p];

          for (i = 0; i < 2 * LEN; i++)
            x[i] = i % 17;
          lay_out_rows (way);
          place[j - distance] = (int) (is_last ? end[j] - 1 : row[j]);
          read_rows (ROWS, row, end, place, x, x);
          print_bits ("rows", x, sizeof x);
        }
  return 0;
}
