/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Inner loops from or to what the outer one counts: none of their turns, one, or all of them; limits that are negative,
   that are passed, or that lie at the end of their type; and a loop that takes its first turn untested.  What is read
   overlaps with what is written by less and by more than iterations reach.  */
#include "print.h"

#include <limits.h>

#define ROW 16
#define MOST 11
#define MARGIN (3 * ROW)
#define LEN (MOST * ROW + 2 * MARGIN + 2 * ROW)

#define KERNELS(tag, type)                                              \
  KERNEL void to_limit_##tag (type n, type m, double *a, double *b)     \
  {                                                                     \
    type i, j;                                                          \
                                                                        \
    for (i = 0; i < n; i++)                                             \
      for (j = i + 1; j < m; j++)                                       \
        a[i * ROW + j] = b[i * ROW + j] * 3;                            \
  }                                                                     \
  KERNEL void inclusive_##tag (type n, type m, double *a, double *b)    \
  {                                                                     \
    type i, j;                                                          \
                                                                        \
    for (i = 0; i < n; i++)                                             \
      for (j = i; j <= m; j++)                                          \
        a[i * ROW + j] = b[i * ROW + j] * 3;                            \
  }                                                                     \
  KERNEL void from_limit_##tag (type n, type m, double *a, double *b)   \
  {                                                                     \
    type i, j;                                                          \
                                                                        \
    for (i = 0; i < n; i++)                                             \
      for (j = m; j > i; j--)                                           \
        a[i * ROW + j] = b[i * ROW + j] * 3;                            \
  }                                                                     \
  KERNEL void once_##tag (type n, type m, double *a, double *b)         \
  {                                                                     \
    type i, j;                                                          \
                                                                        \
    for (i = 0; i < n; i++)                                             \
      {                                                                 \
        j = i;                                                          \
        do                                                              \
          a[i * ROW + j] = b[i * ROW + j] * 3;                          \
        while (++j < m);                                                \
      }                                                                 \
  }                                                                     \
  KERNEL void in_parts_##tag (type n, type m, double *a, double *b)     \
  {                                                                     \
    type i, j, k;                                                       \
                                                                        \
    for (i = 0; i < n; i++)                                             \
      {                                                                 \
        for (j = 0; j < i; j++)                                         \
          {                                                             \
            for (k = 0; k < j; k++)                                     \
              a[i * ROW + j] -= a[i * ROW + k] * b[k * ROW + j];        \
            a[i * ROW + j] *= 3;                                        \
          }                                                             \
        for (j = i; j < m; j++)                                         \
          for (k = 0; k < i; k++)                                       \
            a[i * ROW + j] -= a[i * ROW + k] * b[k * ROW + j];          \
      }                                                                 \
  }

KERNELS (int, int)
KERNELS (unsigned, unsigned)

KERNEL void
to_top (int n, int from, double *a, double *b)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = from + i; j < INT_MAX; j++)
      a[i * ROW + (j - from)] = b[i * ROW + (j - from)] * 3;
}

KERNEL void
to_unsigned_top (unsigned n, unsigned from, unsigned to, double *a, double *b)
{
  unsigned i, j;

  for (i = 0; i < n; i++)
    for (j = from + i; j < to; j++)
      a[i * ROW + (j - from)] = b[i * ROW + (j - from)] * 3;
}

KERNEL void
around (unsigned n, unsigned from, unsigned to, double *a, double *b)
{
  unsigned i, j;

  for (i = 0; i < n; i++)
    for (j = from + i; j != to; j++)
      a[i * ROW + (j - from)] = b[i * ROW + (j - from)] * 3;
}

/* Rows that each need another one, where counts taken for numbers without end would say that none has any turns.  */

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

static double memory[2 * LEN];

/* A and B: what is read lies SHIFT elements behind what is written.  */
static double *
prepare (int shift, double **b)
{
  int i;

  for (i = 0; i < 2 * LEN; i++)
    memory[i] = i % 9 * 0.25 + 1;
  *b = memory + LEN / 2 + shift;
  return memory + LEN / 2;
}

#define N_ROWS 4000

static double rows[N_ROWS * ROW + MARGIN];

#define EACH_ROW(call)                                              \
  do                                                                \
    {                                                               \
      double *a = rows + MARGIN, *b = a - 2 * ROW;                  \
      int i;                                                        \
      for (i = 0; i < N_ROWS * ROW + MARGIN; i++)                   \
        rows[i] = i % 9;                                            \
      call;                                                         \
      print_bits (#call, rows, sizeof rows);                        \
    }                                                               \
  while (0)

static const int shifts[] = { 0, 1, -ROW, 8 * ROW };

#define EACH_SHIFT(call)                                      \
  do                                                          \
    {                                                         \
      unsigned s;                                             \
      for (s = 0; s < sizeof shifts / sizeof *shifts; s++)    \
        {                                                     \
          double *b, *a = prepare (shifts[s], &b);            \
          call;                                               \
          print_bits (#call, memory, sizeof memory);          \
        }                                                     \
    }                                                         \
  while (0)

#define ALL(tag, n, m)                        \
  do                                          \
    {                                         \
      EACH_SHIFT (to_limit_##tag (n, m, a, b));   \
      EACH_SHIFT (inclusive_##tag (n, m, a, b));  \
      EACH_SHIFT (from_limit_##tag (n, m, a, b)); \
      EACH_SHIFT (once_##tag (n, m, a, b));       \
      EACH_SHIFT (in_parts_##tag (n, m, a, b));   \
    }                                         \
  while (0)

int
main (void)
{
  static const int counts[][2] = { { 1, 1 }, { 2, 0 }, { MOST, MOST }, { MOST, 4 } };
  unsigned k;

  for (k = 0; k < sizeof counts / sizeof *counts; k++)
    {
      int n = counts[k][0], m = counts[k][1];
      ALL (int, n, m);
      ALL (unsigned, (unsigned) n, (unsigned) m);
    }
  ALL (int, MOST, -2);
  ALL (int, -3, 4);
  EACH_SHIFT (to_top (9, INT_MAX - 9, a, b));
  EACH_SHIFT (to_top (MOST, INT_MAX - MOST, a, b));
  EACH_SHIFT (to_unsigned_top (MOST, UINT_MAX - 14, UINT_MAX - 3, a, b));
  EACH_SHIFT (to_unsigned_top (MOST, UINT_MAX - 14, UINT_MAX - 9, a, b));
  EACH_SHIFT (around (MOST, UINT_MAX - 5, 5, a, b));
  EACH_SHIFT (around (MOST, UINT_MAX - 14, UINT_MAX - 4, a, b));
  EACH_ROW (untested (N_ROWS, 0, a, b));
  EACH_ROW (untested (N_ROWS, 3, a, b));
  EACH_ROW (past_zero (N_ROWS, UINT_MAX - 3, 4, a, b));
  EACH_ROW (past_zero (N_ROWS, 3, 9, a, b));
  EACH_ROW (every_other (N_ROWS, 1u << 31, 7, a, b));
  return 0;
}
