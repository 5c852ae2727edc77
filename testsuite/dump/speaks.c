/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-dump=tree-pgloops
//! scan: pgloops 1 "^reference 6 speaks for 3"
//! scan: pgloops 1 " speaks for "
/* A sum that is kept in memory: its store speaks for its load, which may be in another block; not for a load that feeds
   an address, nor for one elsewhere.  */

void
eliminate (int n, const long *ptr, const int *row, const int *col, double *x)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = ptr[2 * i]; k < ptr[2 * i + 1]; k++)
      x[row[i]] -= x[col[k]];
}

void
chain (int n, const int *row, int *next, double *x)
{
  int i;

  for (i = 0; i < n; i++)
    {
      x[next[row[i]]] = 1;
      next[row[i]] = i;
    }
}
