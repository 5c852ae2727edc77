/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-dump=tree-pgloops, -Os -fplugin-arg-paragon-dump=tree-pgloops
//! scan: pgloops 4 "^sweep of reference"
//! scan: pgloops 2 "^row of reference"
//! scan: pgloops 1 "^gather of reference"
//! scan: pgloops 2 "^merge of references"
//! scan: pgloops 7 "^reference [0-9]+ may go on"
/* The monitor touches a row at once where it is known when the inner loop begins: val and col, and what the inner loop
   reads and writes in one place; pieces of a row with gaps, whose distance may be known at run time only; not what is
   chosen or scattered.  Fields that follow each other are one touch, but not across a gap.  What an iteration writes
   speaks for what it reads in the same place.  What is told neither by a row nor by a log may go on where the iteration
   before ended, such as val and col; numbers tell about ptr.  */

void
rows (int n, const long *ptr, const int *col, const double *val, const double *x, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = ptr[i]; k < ptr[i + 1]; k++)
        sum += val[k] * x[col[k]];
      y[i] = sum;
    }
}

void
in_memory (int n, const long *ptr, const int *row, const double *x, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = ptr[2 * i]; k > ptr[2 * i + 1]; k--)
      y[row[i]] = 0.5 * y[row[i]] + x[k];
}

void
with_gaps (int n, const long *ptr, const char *flag, double *y)
{
  int i;
  long k;

  for (i = 0; i < n; i++)
    for (k = ptr[2 * i]; k < ptr[2 * i + 1]; k++)
      {
        y[2 * k] = 1;
        if (y[3 * k] > 0)
          y[k] = 2;
      }
}

void
columns (int n, int m, int stride, const int *col, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++)
      y[k * stride + i] = 2 * y[col[k * n + i]];
}

struct site
{
  short x, y;
  char parity;
  double phase[2];
};

void
fields (int n, const int *index, struct site *sites)
{
  int i;

  for (i = 0; i < n; i++)
    {
      struct site *site = &sites[index[i]];
      site->phase[1] = i;
      site->x = 1;
      site->y = 2;
      site->phase[0] = 3;
    }
}
