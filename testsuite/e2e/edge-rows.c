/* SPDX-License-Identifier: MIT */
//! args: 3 4 4, 2 6 6, 20 30 30, 20 30 31, 30 20 20, 0 0 0, 1 1 2
//! opts: -O2, -O3, -O3 -fassociative-math -fno-signed-zeros -fno-trapping-math
//! stat: entries >= 4
//! scan: report 1 "function":"by_equality","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"two_ways","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"once_or_more","depth":1,.*"form":"work-array".*"outlined":true
/* Rows of an array that each iteration fills in pieces: those at the ends by another count than those between, so that
   they are all that is read only where the counts agree; a loop that is left behind its first turn at the earliest; an
   index that is computed in two ways.  Where numbers do not agree, the loop runs as it was.  */
#include "print.h"

#define N 60
#define M 40

static double lines[M][M][3], u[N][M][M];

/* Rows 0 and LAST are filled first.  */
static __attribute__ ((noinline)) void
fill_ends (int last, int m)
{
  int i, k;

  for (i = 0; i < m; i++)
    {
      for (k = 0; k < 3; k++)
	lines[0][i][k] = lines[last][i][k] = 0;
      lines[0][i][1] = lines[last][i][1] = 1;
    }
}

KERNEL void
by_equality (int n, int m, int rows, int count)
{
  int t, j, i;

  for (t = 0; t < n; t++)
    {
      fill_ends (count + 1, m);
      for (i = 0; i < m; i++)
	for (j = 1; j <= rows - 2; j++)
	  {
	    lines[j][i][0] = 1 + u[t][j - 1][i];
	    lines[j][i][1] = 2 + u[t][j][i];
	    lines[j][i][2] = 3 - u[t][j + 1][i];
	  }
      for (j = 0; j <= rows - 3; j++)
	for (i = 0; i < m; i++)
	  {
	    double by = 1 / lines[j][i][1];
	    lines[j + 1][i][1] -= by * lines[j][i][2];
	    lines[j + 2][i][1] -= by * lines[j][i][0] * 0.5;
	    u[t][j][i] += by * lines[j + 2][i][1];
	  }
    }
}

/* The loop in the middle has a turn even if there are too few rows.  Then it reads what this iteration has not written.
   Where it ends is found in two ways.  */
KERNEL void
once_or_more (int n, int m, int rows, const char *way)
{
  int t, j, i, last;

  for (t = 0; t < n; t++)
    {
      for (j = 0; j < rows; j++)
	for (i = 0; i < m; i++)
	  lines[j][i][0] = t - j + i;
      if (way[t])
	{
	  u[t][0][0] += 1;
	  last = rows - 1;
	}
      else
	last = (int) ((unsigned) rows - 1);
      j = 3;
      do
	for (i = 0; i < m; i++)
	  u[t][j][i] += lines[j][i][0];
      while (++j < last);
    }
}

/* The last row is found in two ways.  */
KERNEL void
two_ways (int n, int m, int rows, const char *way)
{
  int t, j, i, last;

  for (t = 0; t < n; t++)
    {
      for (j = 0; j < rows; j++)
	for (i = 0; i < m; i++)
	  lines[j][i][0] = t - j + i;
      if (way[t])
	{
	  u[t][0][0] += 1;
	  last = rows - 1;
	}
      else
	last = (int) ((unsigned) rows - 1);
      for (i = 0; i < m; i++)
	u[t][1][i] += lines[last][i][0];
    }
}

int
main (int argc, char **argv)
{
  int m = atoi (argv[1]), rows = atoi (argv[2]) + 2, count = atoi (argv[3]), t, j, i;
  unsigned seed = 5;
  char way[N];

  for (t = 0; t < N; t++)
    way[t] = t % 3 == 0;
  for (t = 0; t < N; t++)
    for (j = 0; j < M; j++)
      for (i = 0; i < M; i++)
	u[t][j][i] = next_random (&seed) % 1000 * 0.001;
  for (j = 0; j < M; j++)
    for (i = 0; i < M; i++)
      lines[j][i][0] = lines[j][i][1] = lines[j][i][2] = 2 + next_random (&seed) % 10;
  for (t = 0; t < 2; t++)
    {
      by_equality (N, m, rows, count);
      print_bits ("lines", lines, sizeof lines);
      once_or_more (N, m, rows, way);
      print_bits ("u", u, sizeof u);
      two_ways (N, m, rows, way);
      print_bits ("u", u, sizeof u);
      print_bits ("lines", lines, sizeof lines);
    }
  return argc > 4;
}
