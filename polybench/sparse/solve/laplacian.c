/* SPDX-License-Identifier: MIT
   The seven-point Laplacian: six on the diagonal, minus one for each neighbour on the grid.  */
#include "laplacian.h"

#include "../../common.h"

static void
add_entry (struct csr *a, int *n_entries, int col, double val)
{
  a->col[*n_entries] = col;
  a->val[*n_entries] = val;
  (*n_entries)++;
}

void
make_laplacian (int m, struct csr *a)
{
  int x, y, z, i = 0, n_entries = 0;

  a->file = "laplacian";
  a->n = m * m * m;
  a->is_symmetric = 1;
  a->ptr = allocate ((size_t) a->n + 1, sizeof *a->ptr);
  a->col = allocate ((size_t) 7 * a->n, sizeof *a->col);
  a->val = allocate ((size_t) 7 * a->n, sizeof *a->val);
  a->line = NULL;
  a->ptr[0] = 0;
  for (z = 0; z < m; z++)
    for (y = 0; y < m; y++)
      for (x = 0; x < m; x++)
	{
	  if (z > 0)
	    add_entry (a, &n_entries, i - m * m, -1.0);
	  if (y > 0)
	    add_entry (a, &n_entries, i - m, -1.0);
	  if (x > 0)
	    add_entry (a, &n_entries, i - 1, -1.0);
	  add_entry (a, &n_entries, i, 6.0);
	  if (x < m - 1)
	    add_entry (a, &n_entries, i + 1, -1.0);
	  if (y < m - 1)
	    add_entry (a, &n_entries, i + m, -1.0);
	  if (z < m - 1)
	    add_entry (a, &n_entries, i + m * m, -1.0);
	  i++;
	  a->ptr[i] = n_entries;
	}
}
