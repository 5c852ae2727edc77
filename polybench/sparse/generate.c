/* SPDX-License-Identifier: MIT
   Random sparse matrices (see generate.h).  */
#include "generate.h"

#include "../common.h"

#include <limits.h>

void
random_rows (int n, int per_row, int below, int **ptr, int **col, double **val)
{
  int i, k, n_entries = 0;

  if (per_row > INT_MAX / 2 / n)
    fail ("a matrix of %d rows with %d entries each is too large", n, per_row);
  *ptr = allocate ((size_t) n + 1, sizeof **ptr);
  *col = allocate ((size_t) n * (2 * per_row - 1), sizeof **col);
  *val = allocate ((size_t) n * (2 * per_row - 1), sizeof **val);

  (*ptr)[0] = 0;
  for (i = 0; i < n; i++)
    {
      int room = below ? i : n;
      int row_len = 1 + random_below (2 * per_row - 1);

      if (row_len > room)
	row_len = room;
      for (k = 0; k < row_len; k++)
	{
	  /* One entry in each of ROW_LEN equal parts of the row: ascending, none twice.  */
	  int from = (int) ((long) k * room / row_len);
	  int to = (int) ((k + 1L) * room / row_len);

	  (*col)[n_entries] = from + random_below (to - from);
	  (*val)[n_entries] = (2.0 * random_double () - 1.0) / per_row;
	  n_entries++;
	}
      (*ptr)[i + 1] = n_entries;
    }
}
