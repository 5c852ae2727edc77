/* SPDX-License-Identifier: MIT */
//! stat: L1 >= 4
//! no-stat: -Os
//! stat: conflicts == 0
//! stat-inject: conflicts >= 1
//! inject: none, every:7
/* Triangular nests whose iterations write rows and columns of one matrix: numbers show that no two of them meet, though
   trip counts vary.  */
#include "print.h"

#define N 150

static double a[N][N], b[N][N], c[N][N];

KERNEL void
both_halves (void)
{
  int i, j, k;

  for (i = 0; i < N; i++)
    for (j = i; j < N; j++)
      {
        a[i][j] = 0;
        for (k = 0; k < 20; k++)
          a[i][j] += b[k][i] * b[k][j];
        a[j][i] = a[i][j];
      }
}

KERNEL void
mirror (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = 0; j < i; j++)
      a[j][i] = a[i][j];
}

KERNEL void
swap_halves (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = i + 1; j < N; j++)
      {
        double t = c[i][j];
        c[i][j] = c[j][i];
        c[j][i] = t;
      }
}

/* Rows, and columns from the other end.  */
KERNEL void
anti_halves (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = 0; j < N - i; j++)
      {
        c[i][j] += 1;
        c[N - 1 - j][N - 1 - i] *= 2;
      }
}

int
main (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      {
        b[i][j] = 1.0 / (i + 2 * j + 1);
        c[i][j] = i - 3.0 * j;
      }
  both_halves ();
  print_bits ("a", a, sizeof a);
  a[3][2] = 7;
  mirror ();
  print_bits ("a", a, sizeof a);
  swap_halves ();
  anti_halves ();
  print_bits ("c", c, sizeof c);
  return 0;
}
