/* SPDX-License-Identifier: MIT
   Loops too short to be handed over, entered very often: what the guards cost.

     small-loops KERNEL CALLS

   KERNEL: vadd (pointers, 100 iterations), proven (global arrays, 100) or spmv (indirect, 5 rows of 20 entries).
   Prints a sum, so that nothing can be left out.  The instructions are counted by who runs it.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LEN = 100,
  ROWS = 5,
  PER_ROW = LEN / ROWS
};

static double a[LEN], b[LEN], c[LEN];
double global_from[LEN], global_to[LEN];
static int ptr[ROWS + 1], col[LEN];

__attribute__ ((noipa)) static void
vadd (int n, const double *x, const double *y, double *z)
{
  int i;

  for (i = 0; i < n; i++)
    z[i] = x[i] + y[i];
}

__attribute__ ((noipa)) static void
proven (int n, double factor)
{
  int i;

  for (i = 0; i < n; i++)
    global_to[i] = factor * global_from[i];
}

__attribute__ ((noipa)) static void
spmv (int n, const int *row, const int *column, const double *value, const double *x, double *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      double sum = 0.0;

      for (k = row[i]; k < row[i + 1]; k++)
	sum += value[k] * x[column[k]];
      y[i] = sum;
    }
}

int
main (int argc, char **argv)
{
  long n_calls = argc == 3 ? atol (argv[2]) : 0, call;
  double sum = 0.0;
  int i;

  for (i = 0; i < LEN; i++)
    {
      a[i] = i;
      b[i] = 1.0 / (i + 1);
      global_from[i] = i;
      col[i] = i * 7 % LEN;
    }
  for (i = 0; i <= ROWS; i++)
    ptr[i] = i * PER_ROW;

  for (call = 0; call < n_calls; call++)
    if (strcmp (argv[1], "vadd") == 0)
      vadd (LEN, a, b, c);
    else if (strcmp (argv[1], "proven") == 0)
      proven (LEN, 0.5);
    else
      spmv (ROWS, ptr, col, a, b, c);

  for (i = 0; i < LEN; i++)
    sum += c[i] + global_to[i];
  printf ("%.17g\n", sum);
  return 0;
}
