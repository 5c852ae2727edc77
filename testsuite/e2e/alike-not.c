/* SPDX-License-Identifier: MIT */
//! steps: auto, L3
//! stat: conflicts >= 6
//! scan: report 3 "depth":1,.*"base":"heap","access":"[a-z]*","form":"opaque".*"outlined":true
/* Iterations that are not alike: where they go depends on data, on their number, on what was loaded.  */
#include "print.h"

#define N 24
#define M 64

static double heap[M];
static int heads[M];

KERNEL void
by_data (int n, int m, const double *from, double *to)
{
  int k, i, step;

  for (k = 0; k < n; k++)
    {
      for (step = 1; step < m; step *= 2)
	for (i = 0; i < m; i += step)
	  if (from[k * m + i] > 3)
	    heap[i] = from[k * m + i];
      for (step = 1; step < m; step *= 2)
	to[k * m + step] = heap[step];
    }
}

KERNEL void
by_number (int n, int m, const double *from, double *to)
{
  int k, i, step;

  for (k = 0; k < n; k++)
    {
      for (step = 1; step < m - k; step *= 2)
	heap[step] = from[k * m + step];
      for (step = 1; step < m; step *= 2)
	to[k * m + step] = heap[step];
    }
}

KERNEL void
by_load (int n, int m, const double *from, double *to)
{
  int k, step;

  for (k = 0; k < n; k++)
    {
      for (step = 1; step < m; step *= 2)
	heap[heads[step]] = from[k * m + step];
      for (step = 1; step < m; step *= 2)
	to[k * m + step] = heap[step];
    }
}

static double x[N * M], y[N * M];

int
main (void)
{
  int i;

  for (i = 0; i < N * M; i++)
    x[i] = i * 17 % 13 * 0.5;
  for (i = 0; i < M; i++)
    heads[i] = i * 5 % M;
  for (i = 0; i < 2; i++)
    {
      by_data (N, M, x, y);
      print_bits ("y", y, sizeof y);
      by_number (N, M, x, y);
      print_bits ("y", y, sizeof y);
      by_load (N, M, x, y);
      print_bits ("y", y, sizeof y);
      print_bits ("heap", heap, sizeof heap);
    }
  return 0;
}
