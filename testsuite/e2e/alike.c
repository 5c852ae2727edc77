/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 2
//! steps: auto, L1
//! stat: pool >= 10
//! stat: conflicts == 0
//! scan: report 4 "depth":1,.*"form":"work-array".*"reason":"nonlinear".*"outlined":true
/* Iterations that touch the same, some bytes further on each time, at places that no form describes: strides that
   double, squares.  The command line lets iterations meet.  */
#include "print.h"

#define N 24
#define M 64
#define PADDED (M + 1)

struct complex
{
  double re, im;
};

static struct complex work[M], spectrum[N][PADDED];
static double grid[N][M], heap[2 * M];

/* One step of a Fourier transform after another, from the rows to the array and back.  */
KERNEL void
rows (int n, int log)
{
  int k, l, i, j, half = 1 << (log - 1), lk, lj, li;

  for (k = 0; k < n; k++)
    {
      lj = 1;
      li = 1 << log;
      for (l = 0; l < log; l += 2)
	{
	  lk = lj;
	  lj = 2 * lk;
	  li = li / 2;
	  for (i = 0; i < li; i++)
	    for (j = 0; j < lk; j++)
	      {
		struct complex a = spectrum[k][i * lk + j], b = spectrum[k][i * lk + j + half];
		work[i * lj + j].re = a.re + b.re;
		work[i * lj + j].im = a.im + b.im;
		work[i * lj + lk + j].re = (a.re - b.re) * 0.5;
		work[i * lj + lk + j].im = (a.im - b.im) * 0.25;
	      }
	  if (l == log - 1)
	    for (j = 0; j < 1 << log; j++)
	      spectrum[k][j] = work[j];
	  else
	    {
	      lk = lj;
	      lj = 2 * lk;
	      li = li / 2;
	      for (i = 0; i < li; i++)
		for (j = 0; j < lk; j++)
		  {
		    struct complex a = work[i * lk + j], b = work[i * lk + j + half];
		    spectrum[k][i * lj + j].re = a.re + b.re;
		    spectrum[k][i * lj + j].im = a.im + b.im;
		    spectrum[k][i * lj + lk + j].re = (a.re - b.re) * 0.5;
		    spectrum[k][i * lj + lk + j].im = (a.im - b.im) * 0.25;
		  }
	    }
	}
    }
}

/* The sums of halves, of quarters, ...; a column is not in one piece.  */
KERNEL void
columns (int n, int m, int width, const double *from, double *to)
{
  int k, i, step;

  for (k = 0; k < n; k++)
    {
      for (i = 0; i < m; i++)
	heap[i] = from[i * width + k];
      for (step = 1; step < m; step *= 2)
	for (i = 0; i + step < m; i += 2 * step)
	  heap[i] += heap[i + step];
      for (i = 0; i < m; i++)
	to[i * width + k] = heap[i];
    }
}

/* A step that may be too short, and may be negative; an integer sum beside.  */
KERNEL int
moved (int n, int m, long step, double *x)
{
  double *row = x;
  int k, i, sum = 0;

  for (k = 0; k < n; k++)
    {
      for (i = 0; i * i < m; i++)
	heap[i * i] = row[i * i] + k;
      for (i = 0; i * i < m; i++)
	row[i * i] = heap[i * i] * 2;
      sum += k % 3;
      row += step;
    }
  return sum;
}

/* The pointers of inner loops go on; the array is the caller's.  */
KERNEL void
pointers (int n, int m, const double *from, double *to, double *tmp)
{
  int k, step;

  for (k = 0; k < n; k++)
    {
      const double *p = from + k * m;
      double *q = tmp, *end = tmp + m;
      while (q < end)
	*q++ = *p++;
      for (step = 1; step < m; step *= 3)
	for (q = tmp; q + step < end; q += step)
	  *q -= q[step];
      for (step = 0; step < m; step++)
	to[k * m + step] = tmp[step];
    }
}

/* What is read first was written by the iteration before: by as much as GAP says.  */
KERNEL void
read_first (int n, int m, int gap, double *x)
{
  int k, i, step;

  for (k = 0; k < n; k++)
    {
      for (i = 0; i < m - gap; i++)
	heap[i] = x[k * m + i];
      for (step = 1; step < m; step *= 2)
	for (i = 0; i + step < m; i += 2 * step)
	  heap[i] += heap[i + step];
      for (i = 0; i < m; i++)
	x[k * m + i] = heap[i];
    }
}

static double x[N * M], y[N * M];

int
main (int argc, char **argv)
{
  int wrong = argc > 1 ? atoi (argv[1]) : 0, i, j, sum = 0;

  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++)
      {
	spectrum[i][j].re = i * 7 % 5 + j;
	spectrum[i][j].im = j % 9;
	grid[i][j] = i + j % 7;
	x[i * M + j] = (i * 31 + j * 17) % 13 * 0.5;
      }
  for (i = 0; i < 2; i++)
    {
      rows (N, 6);
      rows (N - wrong, 5);
      columns (N, N, M, grid[0], grid[0]);
      columns (N, N, wrong == 2 ? 4 : M, x, wrong == 1 ? x + 3 : y);
      sum += moved (N, M, wrong == 1 ? 9 : M, x);
      sum += moved (N, M, wrong == 2 ? -9 : -M, x + (N - 1) * M);
      pointers (N, M, x, y, wrong == 0 ? heap : wrong == 1 ? x + 9 : y);
      read_first (N, M, wrong, x);
      print_bits ("x", x, sizeof x);
      print_bits ("y", y, sizeof y);
      print_bits ("heap", heap, sizeof heap);
      print_bits ("work", work, sizeof work);
      print_bits ("grid", grid, sizeof grid);
      print_bits ("spectrum", spectrum, sizeof spectrum);
    }
  printf ("%d\n", sum);
  return 0;
}
