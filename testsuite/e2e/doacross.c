/* SPDX-License-Identifier: MIT */
//! args: 40, 5, 97
//! stat: doacross >= 7
//! no-stat: -Ofast
/* Iterations that need what earlier ones write, though not all of it: each may follow the one before it.  */
#include "print.h"

#define MOST 100
#define AT(x, i, j) x[(i) * n + (j)]

/* A wavefront, in lexicographic order.  */
KERNEL void
sweep (int n, double *a)
{
  int i, j;

  for (i = 1; i < n - 1; i++)
    for (j = 1; j < n - 1; j++)
      AT (a, i, j) = (AT (a, i - 1, j - 1) + AT (a, i - 1, j) + AT (a, i - 1, j + 1) + AT (a, i, j - 1) + AT (a, i, j)
		      + AT (a, i, j + 1) + AT (a, i + 1, j - 1) + AT (a, i + 1, j) + AT (a, i + 1, j + 1))
		     / 9;
}

/* The same from the other end, and of other distances.  */
KERNEL void
sweep_back (int n, double *a)
{
  int i, j;

  for (i = n - 4; i >= 3; i--)
    for (j = n - 3; j >= 2; j--)
      AT (a, i, j) += 0.25 * AT (a, i + 2, j - 2) - 0.5 * AT (a, i, j + 1) + 0.125 * AT (a, i - 3, j + 2);
}

/* Rows without pivoting: two loops in a row.  */
KERNEL void
factor (int n, double *a)
{
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < i; j++)
	{
	  for (k = 0; k < j; k++)
	    AT (a, i, j) -= AT (a, i, k) * AT (a, k, j);
	  AT (a, i, j) /= AT (a, j, j);
	}
      for (j = i; j < n; j++)
	for (k = 0; k < i; k++)
	  AT (a, i, j) -= AT (a, i, k) * AT (a, k, j);
    }
}

KERNEL void
substitute (int n, const double *a, const double *b, double *x)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      x[i] = b[i];
      for (j = 0; j < i; j++)
	x[i] -= AT (a, i, j) * x[j];
      x[i] = x[i] / AT (a, i, i);
    }
}

/* Triangles that begin at the end; integers of any size.  */
KERNEL void
pairs (int n, const int *from, int *table)
{
  int i, j, k;

  for (i = n - 1; i >= 0; i--)
    for (j = i + 1; j < n; j++)
      {
	int best = AT (table, i, j - 1) > AT (table, i + 1, j) ? AT (table, i, j - 1) : AT (table, i + 1, j);
	int both = AT (table, i + 1, j - 1) + (from[i] + from[j] == 3);

	best = both > best ? both : best;
	for (k = i + 1; k < j; k++)
	  best = AT (table, i, k) + AT (table, k + 1, j) > best ? AT (table, i, k) + AT (table, k + 1, j) : best;
	AT (table, i, j) = best;
      }
}

/* A last value, and what else only the last iteration leaves.  */
KERNEL double
last (int n, int m, double *a)
{
  double end = 0;
  int i, j;

  for (i = 1; i < n; i++)
    {
      for (j = 1; j < m; j++)
	AT (a, i, j) = AT (a, i - 1, j) * 0.5 + AT (a, i, j - 1);
      end = AT (a, i, 0) * i;
    }
  return end;
}

/* Bytes, and rows that overlap.  */
KERNEL void
bytes (int n, int stride, unsigned char *p)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      p[i * stride + j] = p[i * stride + j] * 3 + p[i * stride + j + 1];
}

/* All of it needs all of the one before.  */
KERNEL void
in_order (int n, double *a)
{
  int i, j, k;

  for (i = 1; i < n; i++)
    for (j = 0; j < n; j++)
      for (k = 0; k < n; k++)
	AT (a, i, j) += AT (a, i - 1, n - 1 - k) * 0.01;
}

static double a[MOST * MOST], x[MOST];
static int table[(MOST + 1) * (MOST + 1)], from[MOST];
static unsigned char raw[MOST * MOST];

static void
fill (int n)
{
  int i;

  for (i = 0; i < n * n; i++)
    a[i] = i * 7 % 13 + 1 + (i % (n + 1) == 0) * 10 * n;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 40, i, round;

  for (i = 0; i < n; i++)
    from[i] = i * 5 % 4;
  for (round = 0; round < 2; round++)
    {
      fill (n);
      sweep (n, a);
      sweep (n, a);
      sweep_back (n, a);
      print_bits ("sweeps", a, sizeof a);
      fill (n);
      factor (n, a);
      print_bits ("factor", a, sizeof a);
      substitute (n, a, a, x);
      print_bits ("x", x, sizeof x);
      for (i = 0; i < (n + 1) * (n + 1); i++)
	table[i] = 0;
      pairs (n, from, table);
      print_bits ("pairs", table, sizeof table);
      printf ("last %g\n", last (n, n - round, a));
      print_bits ("last", a, sizeof a);
      for (i = 0; i < MOST * MOST; i++)
	raw[i] = i * 11;
      bytes (n, n + round, raw);
      bytes (n / 2, 3, raw);
      bytes (n / 2, -3, raw + 1000);
      print_bits ("raw", raw, sizeof raw);
      in_order (n < 40 ? n : 40, a);
      print_bits ("in order", a, sizeof a);
    }
  return 0;
}
