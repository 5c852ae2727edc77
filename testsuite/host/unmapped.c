/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! steps: auto, L2
//! stat: pool >= 4
/* Between two entries of a region, memory that the first one read is unmapped, mapped elsewhere or mapped anew with
   other contents; pointers to it stay where they were or not.  What was learned at the first entry may not be looked at
   where it no longer is, nor be believed.  */
#include "host.h"
#include <string.h>
#include <sys/mman.h>

enum
{
  ROWS = 64,
  ROW_CELLS = 1024,
  CELLS = ROWS * ROW_CELLS
};

static int *rows[ROWS];
static unsigned y[CELLS];

static void
map_rows (unsigned seed)
{
  int *order = (int *) malloc (CELLS * sizeof *order);
  int r;

  fill_permutation (order, CELLS, seed);
  for (r = 0; r < ROWS; r++)
    {
      rows[r] = (int *) mmap (NULL, ROW_CELLS * sizeof (int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
      memcpy (rows[r], order + r * ROW_CELLS, ROW_CELLS * sizeof (int));
    }
  free (order);
}

static void
unmap_rows (int from)
{
  int r;

  for (r = from; r < ROWS; r++)
    munmap (rows[r], ROW_CELLS * sizeof (int));
}

static KERNEL void
through_rows (int n_rows, int n, int *const *row, unsigned *to)
{
  int r, i;

  for (r = 0; r < n_rows; r++)
    for (i = 0; i < n; i++)
      to[row[r][i]] = to[row[r][i]] * 3 + (unsigned) i;
}

int
main (void)
{
  int round, r;

  for (round = 0; round < 6; round++)
    {
      map_rows ((unsigned) round % 3);
      through_rows (ROWS, ROW_CELLS, rows, y);
      through_rows (ROWS, ROW_CELLS, rows, y);
      printf ("%x\n", total (CELLS, y));
      /* Fewer rows, the others gone but still pointed to.  */
      unmap_rows (ROWS / 2);
      through_rows (ROWS / 2, ROW_CELLS, rows, y);
      printf ("%x\n", total (CELLS, y));
      for (r = ROWS / 2; r < ROWS; r++)
	rows[r] = rows[0];
      /* All in the upper half are one row now: they conflict.  */
      through_rows (ROWS, ROW_CELLS, rows, y);
      printf ("%x\n", total (CELLS, y));
      for (r = 0; r < ROWS / 2; r++)
	munmap (rows[r], ROW_CELLS * sizeof (int));
    }
  return 0;
}
