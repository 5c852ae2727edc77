/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 7, 32
//! opts: -O1, -O2, -O3, -Os, -O2 -fno-tree-loop-distribute-patterns
//! stat: pool >= 9
//! scan: report 8 "function":"(counts|named|rows|moved|copied|summed|bytes|cleared)","depth":1,.*"outlined":true
//! scan: report 4 "function":"(counts|named|copied|summed)","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 3 "function":"(chain|short_by_one|used)","depth":1,.*"class":"sequential"
/* memset, memcpy and memmove of constant and other lengths: of arrays that each iteration has of its own, of rows, and
   of parts of them.  The command line says how long rows are, 0 among that, and lets rows overlap.  */
#include <string.h>
#include "print.h"

#define N 500
#define M 40

static int key[N][M], totals[64];
static double out[N], a[N][32], b[N][32], c[N][32];

KERNEL void
counts (int n, int m)
{
  int count[64], i, j;

  for (i = 0; i < n; i++)
    {
      double sum = 0;
      memset (count, 0, sizeof count);
      for (j = 0; j < m; j++)
	count[key[i][j]] += j + 1;
      for (j = 0; j < 64; j++)
	sum += count[j] * j;
      out[i] += sum;
    }
}

KERNEL void
named (int n, int m)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      memset (totals, i & 3, sizeof totals);
      for (j = 0; j < m; j++)
	totals[key[i][j]] += j;
      out[i] += totals[key[i][3]];
    }
}

KERNEL void
rows (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    memcpy (a[i], b[i], m * sizeof (double));
}

KERNEL void
moved (int n, int m, double (*to)[32], double (*from)[32])
{
  int i;

  for (i = 0; i < n; i++)
    {
      memmove (to[i], from[i], m * sizeof (double));
      to[i][31] += 1;
    }
}

KERNEL void
copied (int n, int m)
{
  double line[32];
  int i, k;

  for (i = 0; i < n; i++)
    {
      memcpy (line, b[i], m * sizeof (double));
      for (k = 0; k < m; k++)
	c[i][k] += line[m - 1 - k];
    }
}

KERNEL void
summed (int n, int m)
{
  double line[32];
  int i, j, k;

  for (i = 0; i < n; i++)
    {
      memset (line, 0, m * sizeof (double));
      for (j = 0; j < M; j++)
	for (k = 0; k < m; k += 2)
	  line[k] += key[i][j] * (k + 1);
      for (k = 0; k < m; k++)
	c[i][k] += line[k];
    }
}

KERNEL void
bytes (int n, size_t m)
{
  int i;

  for (i = 0; i < n; i++)
    memset ((char *) a[i] + 3, i, m);
}

static __attribute__ ((noinline)) void
clear (double *row, int m)
{
  memset (row, 0, m * sizeof *row);
}

KERNEL void
cleared (int n, int m)
{
  int i;

  for (i = 0; i < n; i++)
    clear (&c[i][32 - m], m);
}

KERNEL void
chain (int n, int m)
{
  int i;

  for (i = 1; i < n; i++)
    memcpy (a[i], a[i - 1], m * sizeof (double));
}

/* The last element that is read is not the copy's.  */
KERNEL void
short_by_one (int n, int m)
{
  double line[33] = { 0 };
  int i, k;

  for (i = 0; i < n; i++)
    {
      memcpy (line, b[i], m * sizeof (double));
      for (k = 0; k <= m; k++)
	c[i][k & 31] += line[k]++;
    }
}

/* The same, which an entry finds out.  */
KERNEL void
one_more (int n, int m)
{
  double line[33];
  int i, k;

  for (k = 0; k < 33; k++)
    line[k] = k;
  for (i = 0; i < n; i++)
    {
      memcpy (line, b[i], m * sizeof (double));
      for (k = 0; k <= m; k++)
	c[i][k] += line[k];
    }
}

/* Another name of what is set.  */
KERNEL double
used (int n)
{
  double line[8], sum = 0;
  double *volatile where;
  int i, k;

  for (i = 0; i < n; i++)
    {
      where = memset (line, 0, sizeof line);
      where[i & 7] = b[i][1];
      for (k = 0; k < 8; k++)
	out[i] += line[k];
    }
  return sum;
}

int
main (int argc, char **argv)
{
  int m = argc > 1 ? atoi (argv[1]) : 5, i, k;

  for (i = 0; i < N; i++)
    {
      for (k = 0; k < M; k++)
	key[i][k] = (i * 31 + k * k * 7) % 64;
      for (k = 0; k < 32; k++)
	{
	  a[i][k] = i + k * 0.5;
	  b[i][k] = i * 0.25 - k;
	}
    }
  counts (N, m);
  named (N, m);
  rows (N, m);
  moved (N, m, a, b);
  moved (N - 5, 31, a + (m == 1 ? 3 : 0), m == 7 ? b : a);
  copied (N, m);
  summed (N, m);
  bytes (N, m * 3);
  print_bits ("c", c, sizeof c);
  cleared (N, m / 2);
  chain (N, m / 3);
  short_by_one (N, m);
  one_more (N, m < 31 ? m : 31);
  used (N);
  print_bits ("out", out, sizeof out);
  print_bits ("totals", totals, sizeof totals);
  print_bits ("a", a, sizeof a);
  print_bits ("c", c, sizeof c);
  return 0;
}
