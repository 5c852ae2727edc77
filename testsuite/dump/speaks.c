/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-dump=tree-pgloops
//! scan: pgloops 1 "^reference 6 speaks for 3"
//! scan: pgloops 1 " speaks for "
//! scan: pgloops 1 "^merge of references 1 and 3"
//! scan: pgloops 1 "^merge of references "
/* A sum that is kept in memory: its store speaks for its load, which may be in another block; not for a load that feeds
   an address, nor for one elsewhere.  Fields that are neighbours are touched as one, though a branch lies between their
   stores; not where the branch leads past one of them.  */

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

struct pair
{
  double first, second;
};

void
around (int n, const int *at, const double *level, struct pair *pairs)
{
  int i;

  for (i = 0; i < n; i++)
    {
      struct pair *pair = &pairs[at[i]];
      pair->first = i;
      pair->second = level[i] < 0 ? -1.0 : 1.0;
    }
}

void
past (int n, const int *at, const int *level, struct pair *pairs)
{
  int i;

  for (i = 0; i < n; i++)
    if (level[i] < 0)
      {
	struct pair *pair = &pairs[at[i]];
	pair->first = i;
	if (level[i] < -1)
	  pair->second = n;
      }
}
