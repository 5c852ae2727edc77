/* SPDX-License-Identifier: MIT */
//! opts: -O3, -O3 -march=native, -O3 -march=native -mtune=haswell, -O3 -march=native -mtune=znver3
//! opts: -O3 -march=native -mtune=generic, -O3 -march=native -mtune=skylake -mprefer-vector-width=512
//! opts: -O2 -march=native -ftree-vectorize -fvect-cost-model=unlimited
//! stat: pool >= 1
/* Sums of products in nests whose loops may change places, or be taken several turns together.  Where a guard stands
   between two of them they cannot, and where it is known that arrays are apart they can; either may decide whether a
   product is made for each sum, and fused with it, or once for many.  */
#include "print.h"

#define N 33

double a[N][N], b[N][N], c[N][N], x[N], y[N], z[N];

/* In order, the outermost loop goes inside.  */
KERNEL void
columns (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      for (int k = 1; k < N; k++)
	c[k][j] += a[i][k] * z[k];
}

KERNEL void
rows (int n)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < n; j++)
      for (int k = 1; k < N; k++)
	{
	  a[i][k] = b[j][k] + a[j][k] * c[j][k];
	  y[k] += z[k] * z[i];
	}
}

KERNEL void
beside_a_load (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 1; j < N; j++)
      for (int k = 0; k < n; k++)
	{
	  y[k] = a[k][i] + z[i] * z[k];
	  c[j][k] += a[k][i] * b[k][i];
	}
}

/* The product is the same in all turns of the loop over j.  */
KERNEL void
shared (int n)
{
  for (int i = 0; i < N; i++)
    for (int j = 1; j < n; j++)
      for (int k = 0; k < n; k++)
	c[k][j] += x[i] * x[i] * a[k][i];
}

/* Only where A and X are known to be apart.  */
KERNEL void
apart (double (*p)[N], double (*q)[N], double *u, double *v)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	p[j][i] = v[j] + u[j] * q[j][i];
	p[j][i] += u[j] * u[j];
      }
}

/* The inner loop has a count, as N is not 0 where it is entered.  */
KERNEL void
counted (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
	a[i][j] = c[j][i] + x[j] * y[j];
	a[i][j] -= a[i][j] * c[j][i];
      }
}

/* The last product of the inner loop is one for all iterations of the loop around it.  */
KERNEL void
last (int n)
{
  for (int i = n - 3; i < n; i++)
    for (int j = 0; j < i + 1; j++)
      for (int k = 0; k < N; k++)
	{
	  z[j] = b[j][i] + a[k][i] * b[i][k];
	  c[k][j] += c[k][j] * a[j][i];
	}
}

static void
fill (void)
{
  unsigned seed = 7;
  double *const arrays[] = { &a[0][0], &b[0][0], &c[0][0], x, y, z };

  for (int k = 0; k < 6; k++)
    for (int i = 0; i < (k < 3 ? N * N : N); i++)
      arrays[k][i] = ((int) next_random (&seed) % 2001 - 1000) / 977.0;
}

static void
show (void)
{
  print_bits ("a", a, sizeof a);
  print_bits ("c", c, sizeof c);
  print_bits ("y", y, sizeof y);
  print_bits ("z", z, sizeof z);
}

int
main (void)
{
  void (*const kernels[]) (int) = { columns, rows, beside_a_load, shared, counted, last };

  for (int k = 0; k < 6; k++)
    {
      fill ();
      kernels[k](N - 1);
      kernels[k](N - 1);
      show ();
    }
  fill ();
  apart (a, b, x, z);
  show ();
  return 0;
}
