/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fplugin-arg-paragon-dump=tree-pgloops, -Os -fplugin-arg-paragon-dump=tree-pgloops
//! scan: pgloops 4 "^gather of reference"
/* The monitor tells at once what an inner loop reads by a row of integers, of 32 or 64 bits, signed or not, in a
   pointer's memory or in an array of the program, two rows by two calls; not what it writes, what it reads by integers
   of its own making, of 16 bits, or in another byte order, by every other one, or from a base that changes; nor in the
   loop itself.  */

unsigned cells[100000];
float field[100000][2];

void
of_the_program (int n, const int *ptr, float *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      float sum = 0;
      for (k = ptr[i]; k < ptr[i + 1]; k++)
        sum += field[cells[k]][1];
      y[i] = sum;
    }
}

void
long_and_ahead (int n, int m, const long *col, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[col[i * m + k] + 1];
      y[i] = sum;
    }
}

void
written (int n, int m, const int *col, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++)
      y[col[i * m + k]] = i;
}

void
own_integers (int n, const int *start, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      int row[8];
      double sum = 0;
      for (k = 0; k < 8; k++)
        row[k] = start[i] + k * k;
      for (k = 0; k < 8; k++)
        sum += x[row[k]];
      y[i] = sum;
    }
}

void
short_integers (int n, int m, const short *col, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[col[i * m + k]];
      y[i] = sum;
    }
}

void
every_other (int n, int m, const int *col, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[col[2 * (i * m + k)]];
      y[i] = sum;
    }
}

void
base_that_changes (int n, int m, const int *start, const int *col, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[start[i] + col[i * m + k]];
      y[i] = sum;
    }
}

void
in_the_loop_itself (int n, const int *col, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[col[i]];
}

void
two_rows (int n, int m, const int *col, const int *more, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[col[i * m + k]] * x[more[i * m + k]];
      y[i] = sum;
    }
}

struct __attribute__ ((scalar_storage_order ("big-endian"))) cell
{
  int at;
};

void
other_byte_order (int n, int m, const struct cell *cells, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      for (k = 0; k < m; k++)
        sum += x[cells[i * m + k].at];
      y[i] = sum;
    }
}
