/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fno-tree-ch, -O3, -O3 -march=native, -Os
//! stat: pool >= 60
//! scan: report 1 "function":"stencil","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"ends","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"plane","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"records","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"all_parts","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"some_parts","depth":1,.*"reason":"fixed-address".*"outlined":false
//! scan: report 1 "function":"many_loops","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"wanted","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"other_way","depth":1,.*"form":"work-array".*"reason":"distance".*"outlined":true
/* Arrays that each iteration writes before it reads them, if what is read is among what is written: that depends on
   numbers which only the entry knows.  Where it is not, what the iteration before left there is read.  */
#include "print.h"

#define N 12
#define M 6
#define K 3

static double line[M + 4], area[M + 4][M + 4], in[N * M], out[N * M * 2];
static struct
{
  double part[K];
} cells[M + 4];

KERNEL void
stencil (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	line[j] = in[i * M + j];
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] = line[j + 1] - line[j - 1];
    }
}

/* Two elements by themselves.  */
KERNEL void
ends (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	line[j] = in[i * M + j] * 3;
      out[i * M * 2] += line[from] + line[to];
    }
}

/* Rows and columns.  */
KERNEL void
plane (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	for (int k = 0; k < m; k++)
	  area[j][k] = in[i * M + k] + j;
      for (int j = from; j < to; j++)
	for (int k = 1; k < to - 1; k++)
	  out[i * M * 2 + j] += area[j - 1][k + 1] - 2 * area[j + 1][k - 1];
    }
}

/* Each member by itself; the second one is written once more, but not everywhere.  */
KERNEL void
records (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	{
	  cells[j].part[0] = in[i * M + j];
	  cells[j].part[1] = in[i * M + j] * 2;
	  cells[j].part[2] = in[i * M + j] * 3;
	}
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] += cells[j + 1].part[0] + cells[j - 1].part[1] * cells[j].part[2];
      for (int j = from; j < m; j++)
	cells[j].part[1] = in[i * M + j] - in[i * M + j - 1];
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] += cells[j + 1].part[1] - cells[j].part[1];
    }
}

/* All members in a loop of their own, which is no part of what numbers tell.  */
KERNEL void
all_parts (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	{
	  cells[j].part[1] = in[i * M + j] * 2;
	  cells[j].part[0] = in[i * M + j];
	  cells[j].part[2] = in[i * M + j] * 3;
	}
      for (int j = from; j < to; j++)
	for (int l = K - 1; l >= 0; l--)
	  out[i * M * 2 + j] += cells[j + 1].part[l] / (l + 1) - cells[j - 1].part[l];
    }
}

/* Not all of them are written.  */
KERNEL void
some_parts (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	{
	  cells[j].part[0] = in[i * M + j];
	  cells[j].part[2] = in[i * M + j] * 3;
	}
      for (int j = from; j < to; j++)
	for (int l = 0; l < K; l++)
	  out[i * M * 2 + j] += cells[j + 1].part[l] - cells[j - 1].part[l];
      for (int j = 0; j < m; j++)
	cells[j].part[1] = i;
    }
}

/* Eight loops.  */
KERNEL void
many_loops (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	line[j] = in[i * M + j];
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] = line[j] + line[j - 1];
      for (int j = from; j < m; j++)
	line[j] = in[i * M + j] / 3;
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] += line[j] * line[j + 1];
      for (int j = 0; j < m; j++)
	line[j] = in[i * M + j] + 1;
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] -= line[j - 1];
      for (int j = from; j < to; j++)
	out[i * M * 2 + j] += line[j + 1] / 5;
    }
}

/* What would begin below 0, does not begin: numbers without a sign are large there.  */
KERNEL void
below_zero (int n, int m, int from, int to)
{
  size_t least = (size_t) from - 2, end = (size_t) (m < 0 ? 0 : m);
  for (int i = 0; i < n; i++)
    {
      for (size_t j = least; j < end; j++)
	line[j] = in[i * M + j] / 2;
      for (size_t j = least + 1; j < (size_t) to; j++)
	out[i * M * 2 + j] += line[j];
    }
}

/* Below zero on the way down, and in a loop of its own.  */
KERNEL void
down_to_zero (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < from; k++)
      {
	for (size_t j = (size_t) to; j > (size_t) k - 1; j--)
	  line[j] = in[i * M] + j;
	for (size_t j = (size_t) (to < m ? to : m < 0 ? 0 : m); j > (size_t) k; j--)
	  out[i * M * 2 + j] += line[j];
      }
}

/* Written if FROM says so, read in any case.  */
KERNEL void
wanted (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      if (from > 1)
	for (int j = 0; j < m; j++)
	  line[j] = in[i * M + j] * 7;
      for (int j = 2; j < to; j++)
	out[i * M * 2 + j] += line[j];
    }
}

/* Read from its end on, and no number says how far.  */
KERNEL void
other_way (int n, int m, int from, int to)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	line[j] = in[i * M + j] * 9;
      for (int j = to; j > from; j--)
	out[i * M * 2 + j] += line[j];
    }
}

static void (*const kernels[]) (int, int, int, int)
  = { stencil, ends, plane, records, all_parts, some_parts, many_loops, below_zero, down_to_zero, wanted, other_way };

int
main (void)
{
  char name[40];
  for (int i = 0; i < N * M; i++)
    in[i] = (i * 37 % 101) / 7.0;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int m = -1; m <= M; m += m < 0 ? 1 : 3)
      for (int from = 1; from <= 3; from += 2)
	for (int to = from - 1; to <= M + 1; to++)
	  {
	    for (int i = 0; i < N * M * 2; i++)
	      out[i] = i;
	    for (int j = 0; j < M + 4; j++)
	      {
		line[j] = -j;
		for (int l = 0; l < M + 4; l++)
		  area[j][l] = j * l;
		for (int l = 0; l < K; l++)
		  cells[j].part[l] = j - l;
	      }
	    kernels[k](N, m, from, to);
	    snprintf (name, sizeof name, "%d: %d %d %d", (int) k, m, from, to);
	    print_bits (name, out, sizeof out);
	    print_bits ("line", line, sizeof line);
	    print_bits ("area", area, sizeof area);
	    print_bits ("cells", cells, sizeof cells);
	  }
  return 0;
}
