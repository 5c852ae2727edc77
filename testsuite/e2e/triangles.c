/* SPDX-License-Identifier: MIT */
//! stat: pool >= 9
//! stat: L3 <= 0
/* What triangles whose size is an argument touch is known by numbers, whatever type counts, and though the last row has
   no turn; that rows need the ones before, or the ones behind, too.  Nothing is left to the inspector.  */
#include "print.h"

#define N 24
#define ROW 28

#define KERNELS(tag, type)                                          \
  KERNEL void above_##tag (type n, type row, double *a, double *b)  \
  {                                                                 \
    type i, j;                                                      \
                                                                    \
    for (i = 0; i < n; i++)                                         \
      for (j = i + 1; j < n; j++)                                   \
        a[i * row + j] = b[i * row + j] * 3;                        \
  }                                                                 \
  KERNEL void below_##tag (type n, type row, double *a, double *b)  \
  {                                                                 \
    type i, j;                                                      \
                                                                    \
    for (i = 0; i < n; i++)                                         \
      for (j = 0; j <= i; j++)                                      \
        a[i * row + j] += b[i * row + j];                           \
  }                                                                 \
  KERNEL void turned_##tag (type n, type row, double *a, double *b) \
  {                                                                 \
    type i, j;                                                      \
                                                                    \
    for (i = 0; i < n; i++)                                         \
      for (j = n - 1; j > i; j--)                                   \
        a[i * row + j] -= b[i * row + j];                           \
  }

KERNELS (int, int)
KERNELS (unsigned, unsigned)
KERNELS (size, size_t)

KERNEL void
factorise (int n, int row, double *a)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < i; j++)
        {
          for (k = 0; k < j; k++)
            a[i * row + j] -= a[i * row + k] * a[k * row + j];
          a[i * row + j] /= a[j * row + j];
        }
      for (j = i; j < n; j++)
        for (k = 0; k < i; k++)
          a[i * row + j] -= a[i * row + k] * a[k * row + j];
    }
}

KERNEL void
multiply (long m, int n, long row, const double *a, double *b)
{
  long i, j, k;

  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++)
      for (k = i + 1; k < m; k++)
        b[i * row + j] += a[k * row + i] * b[k * row + j];
}

static double a[N * ROW], b[N * ROW];

#define ALL(tag)               \
  do                           \
    {                          \
      above_##tag (N, ROW, a, b);  \
      below_##tag (N, ROW, a, b);  \
      turned_##tag (N, ROW, a, b); \
    }                          \
  while (0)

int
main (void)
{
  int i;

  for (i = 0; i < N * ROW; i++)
    {
      a[i] = 1.0 / (i % 11 + 1);
      b[i] = i % (ROW + 1) ? 1.0 / (i % 7 + 3) : 9;
    }
  ALL (int);
  ALL (unsigned);
  ALL (size);
  print_bits ("triangles", a, sizeof a);
  factorise (N, ROW, b);
  multiply (N, N, ROW, b, a);
  print_bits ("factors", b, sizeof b);
  print_bits ("product", a, sizeof a);
  return 0;
}
