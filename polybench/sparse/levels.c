/* SPDX-License-Identifier: MIT
   Level sets of a triangle (see levels.h): one pass over the rows in the order of elimination finds the levels, then
   rows are sorted by counting.  */
#include "levels.h"

#include "../common.h"

int
level_sets (int n, const int *ptr, const int *col, enum triangle triangle, int **start, int **rows)
{
  int *level = allocate (n, sizeof *level);
  int *next;
  int n_levels = 0, step, i, k, l;

  for (step = 0; step < n; step++)
    {
      i = triangle == LOWER ? step : n - 1 - step;
      level[i] = 0;
      for (k = ptr[i]; k < ptr[i + 1]; k++)
	if ((triangle == LOWER ? col[k] < i : col[k] > i) && level[i] <= level[col[k]])
	  level[i] = level[col[k]] + 1;
      if (n_levels <= level[i])
	n_levels = level[i] + 1;
    }

  *start = allocate ((size_t) n_levels + 1, sizeof **start);
  next = allocate ((size_t) n_levels + 1, sizeof *next);
  *rows = allocate (n, sizeof **rows);
  for (l = 0; l <= n_levels; l++)
    (*start)[l] = 0;
  for (i = 0; i < n; i++)
    (*start)[level[i] + 1]++;
  for (l = 0; l < n_levels; l++)
    {
      (*start)[l + 1] += (*start)[l];
      next[l] = (*start)[l];
    }
  for (i = 0; i < n; i++)
    (*rows)[next[level[i]]++] = i;
  return n_levels;
}
