/* SPDX-License-Identifier: MIT */
//! opts: -Os, -O1, -O2, -O3
//! stat: pool >= 1
/* What is known of the numbers that a loop is entered with is asked in a function of which a part is to become F.  That
   the loops there have no end yet must not be taken for no iterations at all: F of the inner loop would be empty.  */
#include "print.h"

#define ROWS 72
#define COLUMNS 68

int grid[ROWS][COLUMNS], order[ROWS * COLUMNS], mark[2];

__attribute__ ((noinline)) static void
spread (int *to, int n, int m)
{
  for (int i = 2; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	grid[2 * i + 3][j] = grid[order[i * m + j]][j * 1281u & 7u];
      *to |= i;
    }
}

int
main (void)
{
  for (int i = 0; i < ROWS * COLUMNS; i++)
    {
      order[i] = i * 5 % ROWS;
      grid[i / COLUMNS][i % COLUMNS] = i;
    }
  spread (&mark[0], 16, 64);
  spread (&mark[1], 20, 64);
  spread (&mark[0], -4, 64);
  print_bits ("grid", grid, sizeof grid);
  print_bits ("mark", mark, sizeof mark);
  return 0;
}
