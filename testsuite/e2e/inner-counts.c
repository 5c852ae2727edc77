/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Rows that each need another one, where counts that are taken for numbers without end would say that none has any
   turns: a loop that takes its first turn untested, one that goes past zero, one whose start does; and one that ends
   at the end of its type.  */
#include "print.h"

#include <limits.h>

#define ROW 16
#define N_ROWS 4000
#define MARGIN (2 * ROW)

KERNEL void
untested (long n, long m, double *a, double *b)
{
  long i, j;

  for (i = 0; i < n; i++)
    {
      j = i;
      do
        a[i * ROW + j - i] = b[i * ROW + j - i] * 0.5 + i;
      while (++j < m);
    }
}

KERNEL void
past_zero (unsigned n, unsigned from, unsigned to, double *a, double *b)
{
  unsigned i, j;

  for (i = 0; i < n; i++)
    for (j = from; j != to; j++)
      a[i * ROW + (j - from)] = b[i * ROW + (j - from)] * 0.5 + i;
}

KERNEL void
every_other (unsigned n, unsigned half, unsigned to, double *a, double *b)
{
  unsigned i, j;

  for (i = 0; i < n; i++)
    for (j = i * half + 1; j < to; j++)
      a[i * ROW + j] = b[i * ROW + j] * 0.5 + i;
}

KERNEL void
to_top (int n, int from, double *a, double *b)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = from + i; j < INT_MAX; j++)
      a[i * ROW + (j - from)] = b[i * ROW + (j - from)] * 0.5 + i;
}

static double rows[N_ROWS * ROW + MARGIN];

#define EACH_ROW(call)                            \
  do                                              \
    {                                             \
      double *a = rows + MARGIN, *b = a - MARGIN; \
      int i;                                      \
      for (i = 0; i < N_ROWS * ROW + MARGIN; i++) \
        rows[i] = i % 9;                          \
      call;                                       \
      print_bits (#call, rows, sizeof rows);      \
    }                                             \
  while (0)

int
main (void)
{
  EACH_ROW (untested (N_ROWS, 0, a, b));
  EACH_ROW (untested (N_ROWS, 3, a, b));
  EACH_ROW (past_zero (N_ROWS, UINT_MAX - 3, 4, a, b));
  EACH_ROW (past_zero (N_ROWS, 3, 9, a, b));
  EACH_ROW (every_other (N_ROWS, 1u << 31, 7, a, b));
  EACH_ROW (to_top (9, INT_MAX - 9, a, b));
  EACH_ROW (to_top (9, INT_MAX - 12, a, b));
  return 0;
}
