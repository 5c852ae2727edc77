/* SPDX-License-Identifier: MIT */
//! args: 3, 43, 150
//! opts: -O2, -O2 -flto, -O3, -O3 -g, -O3 -march=native, -O1, -Os
//! stat: doacross >= 14
//! scan: report 9 "depth":1,.*"reason":"ordered".*"outlined":true
/* Nests that add to the same places in each iteration, in an order that fixes the bits, and spend their time on what
   does not depend on that.  */
#include "print.h"

#define N 160
#define M 70

static double a[N][M], x[M], y[M], t[N], r[N], z[M];
static long counts[M];
static struct
{
  float weight;
  int n;
} bins[M];

KERNEL void
transposed_product (int n, int m, double *a, double *x, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      t[i] = 0;
      for (int j = 0; j < m; j++)
	t[i] += a[i * M + j] * x[j];
      for (int j = 0; j < m; j++)
	y[j] += a[i * M + j] * t[i];
    }
}

/* The same of arrays that the compiler knows: the sum stays in a register.  */
KERNEL void
in_a_register (int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0, most = -1;
      for (int j = 0; j < m; j++)
	{
	  sum += a[i][j] * x[j];
	  most = a[i][j] > most ? a[i][j] : most;
	}
      r[i] = sum;
      for (int j = 0; j < m; j++)
	y[j] += a[i][j] * sum - most;
    }
}

KERNEL void
two_sums_of_one_nest (int n, int m, double *a, double *s, double *q, double *p, double *r)
{
  for (int i = 0; i < n; i++)
    {
      q[i] = 0;
      for (int j = 0; j < m; j++)
	{
	  s[j] += r[i] * a[i * M + j];
	  q[i] += a[i * M + j] * p[j];
	}
    }
}

/* A symmetric matrix, of which one half is there.  */
KERNEL void
half_a_matrix (int n, double *a, double *x, double *y, double alpha)
{
  for (int i = 0; i < n; i++)
    {
      double one = alpha * x[i], two = 0;
      for (int j = 0; j < i; j++)
	{
	  y[j] += one * a[i * M + j];
	  two += a[i * M + j] * x[j];
	}
      y[i] += one * a[i * M + i] + alpha * two;
    }
}

/* Where it goes depends on the iteration, on a condition, on a loaded number.  */
KERNEL void
here_and_there (int n, int m, double *a, double *y, double *t, const int *wanted)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 1;
      for (int j = 0; j < m; j++)
	sum = sum * 0.75 + a[i * M + j];
      t[i] = sum;
      int factor = wanted[i];
      if (factor & 1)
	for (int j = 0; j < m; j++)
	  if (a[i * M + j] > 0.5)
	    y[j] = y[j] * 0.5 + factor * sum;
    }
}

/* A place that all write, and an array beside it.  */
KERNEL void
one_place (int n, int m, double *a, double *total, double *z)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum += a[i * M + j];
      *total = *total * 0.999 + sum;
      for (int j = 0; j < 3; j++)
	z[j] = sum - z[j];
    }
}

/* Members of structs; the last one stays.  */
KERNEL void
members (int n, int m, const double *a)
{
  for (int i = 0; i < n; i++)
    {
      int n_large = 0;
      for (int j = 0; j < m; j++)
	n_large += a[i * M + j] * j > 20 && (n_large ^ j) % 3 != 1;
      for (int j = 0; j < m; j++)
	{
	  bins[j].weight += n_large * 0.1f;
	  bins[j].n = i - bins[j].n;
	}
    }
}

/* From row to row and from place to place.  */
KERNEL void
along_the_row (int n, int m, const double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      t[i] = 0;
      for (int j = 0; j < m; j++)
	t[i] = t[i] * 0.5 + a[i * M + j];
      for (int j = 1; j < m; j++)
	y[j] = y[j - 1] * 0.25 + y[j] * 0.5 + t[i];
    }
}

/* What is added up is done with before the next loop begins, and what is written later is another one's.  */
KERNEL void
both_ways (int n, int m, const double *a, double *y, double *t, double *u, long *counts)
{
  for (int i = 0; i < n; i++)
    {
      long n_odd = 0;
      for (int j = 0; j < m; j++)
	{
	  counts[j] = 3 * counts[j] + i;
	  n_odd += (long) (a[i * M + j] * 1000) & 1 ? n_odd + 1 : 1;
	}
      t[i] = n_odd;
      for (int j = m; j-- > 0;)
	y[j] -= t[i] + a[i * M + j];
      u[i] = n_odd + 1;
    }
}

/* None of these, and so a kernel, too.  */
KERNEL void
halve (int n, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] *= 0.5;
}

static void
fill_all (void)
{
  static int unused[N * M];
  fill_numbers (a[0], y, unused, M);
  for (int i = 0; i < N * M; i++)
    a[i / M][i % M] = i * 37 % 101 / 101.0;
  fill_numbers (x, z, unused, M);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : N;
  static double u[2 * N], total;
  static int wanted[N];
  for (int i = 0; i < N; i++)
    wanted[i] = i * 7 % 5;
  fill_all ();
  for (int round = 0; round < 4; round++)
    {
      int m = round == 1 ? 1 : round == 2 ? 0 : M;
      transposed_product (n, m, a[0], x, y, t);
      in_a_register (n, m);
      two_sums_of_one_nest (n, m, a[0], z, r, x, t);
      print_bits ("z", z, sizeof z);
      half_a_matrix (n < M ? n : M, a[0], x, y, 1.5);
      here_and_there (n, m, a[0], y, t, wanted);
      print_bits ("y", y, sizeof y);
      one_place (n, m, a[0], &total, z);
      members (n, m, a[0]);
      along_the_row (n, m, a[0], y, t);
      both_ways (n, m, a[0], y, u, u + N, counts);
      halve (M, y);
    }
  print_bits ("y", y, sizeof y);
  print_bits ("z", z, sizeof z);
  print_bits ("t", t, sizeof t);
  print_bits ("r", r, sizeof r);
  print_bits ("u", u, sizeof u);
  print_bits ("total", &total, sizeof total);
  print_bits ("bins", bins, sizeof bins);
  print_bits ("counts", counts, sizeof counts);
  return 0;
}
