/* SPDX-License-Identifier: MIT */
//! stat: pool >= 40
//! stat: doacross >= 1
//! stat: conflicts <= 0
//! flags: -ffp-contract=off
//! no-stat: -O1, -Ofast
/* Outer loops whose iterations each need the one before, for certain but in a triangle, so that the compiler cannot
   tell: what can run in parallel is the loops inside, once for each turn, or where one of these has an order, too,
   iterations one behind the other.  With -O1 nobody knows that i + 1 does not wrap; with -Ofast the sums inside have a
   fixed grid, which leaves no way back to the loops.  Where products are fused, it depends on the processor whether
   iterations can be one behind the other: see kept-sums.c.  */
#include "print.h"

#define N 40

/* The rows below, not yet multiplied, are added to each row.  */
KERNEL void
multiply_upper (int n, double (*a)[N], double (*b)[N])
{
  int i, j, k;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      {
        for (k = i + 1; k < n; k++)
          b[i][j] += a[k][i] * b[k][j];
        b[i][j] *= 1.5;
      }
}

/* Each row is reduced by those above.  */
KERNEL void
factor (double (*a)[N])
{
  int i, j, k;

  for (i = 0; i < N; i++)
    {
      for (j = 0; j < i; j++)
        {
          for (k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[k][j];
          a[i][j] /= a[j][j];
        }
      for (j = i; j < N; j++)
        for (k = 0; k < i; k++)
          a[i][j] -= a[i][k] * a[k][j];
    }
}

static double a[N][N], b[N][N];

int
main (void)
{
  int i, j;

  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      {
        a[i][j] = (i + j) % 7 * 0.125 + (i == j ? N : 0);
        b[i][j] = (i * 3 + j) % 11 - 5.5;
      }
  multiply_upper (N, a, b);
  print_bits ("multiply_upper", b, sizeof b);
  factor (a);
  print_bits ("factor", a, sizeof a);
  return 0;
}
