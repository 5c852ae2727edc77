/* SPDX-License-Identifier: MIT */
//! args: 3, 43, 150
//! stat: pool >= 1
//! scan: report 9 "function":"not_[a-z_]*","depth":1,.*"class":"sequential".*"outlined":false
//! scan: report 3 "function":"(meets|steps_on|looks_ahead)","depth":1,.*"reason":"ordered".*"outlined":true
/* Nests that add to the same places in each iteration, but whose rest is not free of that; or only by chance, which the
   run time sees.  */
#include "print.h"

#define N 160
#define M 70

static int by[N];
static double a[N][M], y[2 * N + 2 * M], t[2 * N];

/* What is added up decides what is added.  */
KERNEL void
not_by_value (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum += a[i * M + j] * y[0];
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + sum;
    }
}

KERNEL void
not_by_condition (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	if (y[j] < 3)
	  sum += a[i * M + j];
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + sum;
      t[i] = sum;
    }
}

/* What comes out goes elsewhere, too.  */
KERNEL void
not_only_there (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum += a[i * M + j];
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + sum;
      t[i] = y[3];
    }
}

/* An address depends on it; so does a bound.  */
KERNEL void
not_as_index (int n, int m, double *a, int *where, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum += a[i * M + j];
      t[where[0] % 7] += sum;
      where[0] = (where[0] * 5 + i) % 1000;
    }
}

KERNEL void
not_as_bound (int n, double *a, int *count, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < *count; j++)
	sum += a[i * M + j];
      t[i] = sum;
      *count = (*count * 5 + i) % M;
    }
}

/* What was added is overwritten before the iteration is over: all the rest would have to be in order.  */
KERNEL void
not_for_good (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	t[i] = t[i] * 0.5 + a[i * M + j];
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + t[i];
      t[i] = -1;
    }
}

/* A sum that goes up while it is used.  */
KERNEL void
not_at_once (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	{
	  sum += a[i * M + j];
	  y[j] = y[j] * 0.5 + sum;
	}
      t[i] = sum;
    }
}

/* There is nothing but this.  */
KERNEL void
not_without_rest (int n, int m, double *a, double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[j] = y[j] * 0.5 + a[i * M + j];
}

/* It is where others are, by chance: what is read, what is written, what comes next.  */
KERNEL void
meets (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum = sum * 0.5 + a[i * M + j];
      t[i] = sum;
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + sum;
    }
}

KERNEL void
steps_on (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum = sum * 0.5 + a[i * M + j];
      t[i] = sum;
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + t[i] - a[i * M];
    }
}

KERNEL void
looks_ahead (int n, int m, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum = sum * 0.5 + a[i * M + j];
      t[i] = sum;
      for (int j = 0; j < m; j++)
	y[j] = y[j] * 0.5 + t[i + 1];
    }
}

/* The rest needs what the rest of other iterations wrote, for all that the compiler knows, or for sure.  */
KERNEL void
free_or_not (int n, int m, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	sum = sum * 0.5 + t[i * m + j];
      t[i] = sum;
      for (int j = 0; j < M; j++)
	y[j] = y[j] * 0.5 + sum;
    }
}

KERNEL void
not_free (int n, double *a, double *y, double *t)
{
  for (int i = 1; i < n; i++)
    {
      double sum = t[i - 1];
      for (int j = 0; j < M; j++)
	sum = sum * 0.5 + a[i * M + j];
      t[i] = sum;
      for (int j = 0; j < M; j++)
	y[j] = y[j] * 0.5 + sum;
    }
}

/* What is not ordered guards a division that a switch would need.  */
KERNEL void
guarded (int n, double *a, double *y, int *w, double *t)
{
  for (int i = 0; i < n; i++)
    {
      int q;
      double sum = 0;
      for (int j = 0; j < M; j++)
	sum = sum * 0.5 + a[i * M + j];
      if (w[i] == 0)
	q = 3;
      else
	q = 100 / w[i];
      switch (q)
	{
	case 3:
	  t[i] = sum;
	  break;
	case 25:
	  t[i] = 2;
	  break;
	case 50:
	  t[i] = sum * 5;
	  break;
	case 100:
	  t[i] = sum - 1;
	  break;
	case 33:
	  t[i] = sum + 2;
	}
      for (int j = 0; j < M; j++)
	y[j] = y[j] * 0.5 + sum;
    }
}

/* What is free of other iterations may meet itself: here the sum is where the row begins.  */
KERNEL void
in_place (int n, double *a, double *y, double *t)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = M - 1; j >= 0; j--)
	t[i * M] = t[i * M] * 0.5 + a[i * M + j];
      for (int j = 0; j < M; j++)
	y[j] = y[j] * 0.5 + t[i * M];
    }
}

KERNEL void
halve (int n, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] *= 0.5;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : N, where[2] = { 3, 1 }, count = 5;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = (i * 37 + j * 11) % 101 / 101.0;
  for (int round = 0; round < 3; round++)
    {
      not_by_value (n, M, a[0], y, t);
      not_by_condition (n, M, a[0], y, t);
      not_only_there (n, M, a[0], y, t);
      not_as_index (n, M, a[0], where, t);
      not_as_bound (n, a[0], &count, t);
      print_bits ("t", t, sizeof t);
      not_for_good (n, M, a[0], y, t);
      not_at_once (n, M, a[0], y, t);
      not_without_rest (n, M, a[0], y);
      print_bits ("y", y, sizeof y);
      meets (n, M, a[0], a[1], t);
      steps_on (n, M, a[0], t + 5, t);
      meets (n, M, a[0], y, y + 60);
      looks_ahead (n, M, a[0], y, t);
      free_or_not (n < 20 ? n : 20, 7, y, t);
      not_free (n, a[0], y, t);
      for (int i = 0; i < N; i++)
	by[i] = i % 5;
      guarded (n, a[0], y, by, t);
      in_place (n, a[0], y, a[0]);
      halve (N, t);
    }
  print_bits ("a", a, sizeof a);
  print_bits ("y", y, sizeof y);
  print_bits ("t", t, sizeof t);
  printf ("%d %d\n", where[0], count);
  return 0;
}
