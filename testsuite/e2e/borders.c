/* SPDX-License-Identifier: MIT */
//! args: 0, 1, -1, 2, -2, 40
//! stat: pool >= 14
//! scan: report 6 "depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"gap","depth":1,.*"reason":"fixed-address"
/* Iterations fill an array in pieces, whose ends are numbers that only the entry knows, and read it as a whole: what is
   read was written if the pieces follow each other, which the command line makes true or not.  If not, iterations read
   what others left.  */
#include "print.h"

#define N 24
#define M 120

static double line[M], cells[M][5], from[N][M], to[N][M];

static inline void
set_ends (int last)
{
  for (int c = 0; c < 5; c++)
    cells[0][c] = cells[last][c] = c;
}

/* Both ends, and what is between.  */
KERNEL void
ends_and_middle (int n, int m, int all)
{
  for (int i = 0; i < n; i++)
    {
      line[0] = i;
      for (int j = 1; j <= m; j++)
	line[j] = from[i][j] * 2;
      line[m + 1] = -i;
      for (int j = 0; j < all - 2; j++)
	to[i][j] += line[j] + line[j + 2] * 0.5;
      for (int j = all - 2; j >= 0; j--)
	to[i][j] += line[j + 1] - line[j];
      to[i][0] -= line[all - 1];
    }
}

/* The same of rows, all of whose elements are stored side by side or in turn, and changed before they are read.  */
KERNEL void
rows (int n, int m, int all)
{
  int last = m + 1;

  for (int i = 0; i < n; i++)
    {
      set_ends (last);
      for (int j = 1; j <= m; j++)
	{
	  cells[j][0] = from[i][j] * 2;
	  cells[j][1] = from[i][j] * 3;
	  cells[j][2] = from[i][j] + 1;
	  cells[j][3] = from[i][j] + 2;
	  cells[j][4] = from[i][j] + 3;
	}
      cells[1][1] += 7;
      cells[all - 2][2] -= 8;
      for (int j = 0; j < all - 2; j++)
	{
	  cells[j + 1][3] -= cells[j][4];
	  cells[j + 2][0] += cells[j][1] * 0.25;
	}
      for (int j = all - 1; j >= 0; j--)
	to[i][j] += cells[j][0] + cells[j][1] - cells[j][2] + cells[j][3] * cells[j][4];
    }
}

/* Three pieces, the last of which is filled backwards; the second one may be empty, or be where the others are.  */
KERNEL void
pieces (int n, int first, int second, int all)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < first; j++)
	line[j] = from[i][j] + 1;
      for (int j = first; j < second; j++)
	line[j] = from[i][j] * 3;
      for (int j = M - 1; j >= second; j--)
	line[j] = from[i][j] - 5;
      for (int j = 0; j < all; j++)
	to[i][j] += line[j];
    }
}

/* A dozen loops over the pieces.  */
KERNEL void
many_loops (int n, int m, int all)
{
  for (int i = 0; i < n; i++)
    {
      line[0] = line[m + 1] = i;
      for (int j = 1; j <= m; j++)
	line[j] = from[i][j];
      for (int j = 1; j < all; j++)
	line[j] += 1;
      for (int j = 0; j < all; j++)
	line[j] *= 2;
      for (int j = 1; j < all; j++)
	line[j] -= line[j - 1];
      for (int j = all - 2; j >= 0; j--)
	line[j] *= 0.5;
      for (int j = 3; j < all; j++)
	line[j] -= i;
      for (int j = 2; j < all; j++)
	line[j] -= 3;
      for (int j = 2; j < all; j++)
	line[j] *= line[1];
      for (int j = 0; j < all; j++)
	line[j] *= line[all - 1];
      for (int j = 0; j < all; j++)
	to[i][j] += line[j];
      for (int j = 1; j < all; j++)
	to[i][j] -= line[j - 1] * 0.5;
    }
}

/* One piece that begins where the entry says.  */
KERNEL void
one_place (int n, int first, int at)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j <= first; j++)
	line[j] = from[i][j] * 2;
      for (int j = first + 1; j < first + 20; j++)
	line[j] = from[i][j] * 3;
      to[i][3] += line[at] - line[at + 1];
    }
}

/* There is a gap between pieces.  */
KERNEL void
gap (int n, int first, int all)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < first; j++)
	line[j] = from[i][j] + 1;
      for (int j = first + 1; j < M; j++)
	line[j] = from[i][j] - 5;
      line[first] += from[i][first];
      for (int j = 0; j < all; j++)
	to[i][j] += line[j];
    }
}

/* One element is not filled.  It is no matter where what is read ends before.  */
KERNEL void
hole (int n, int first, int end, int all)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < first; j++)
	line[j] = from[i][j] + 1;
      for (int j = first + 1; j < end; j++)
	line[j] = from[i][j] - 5;
      for (int j = 0; j < all; j++)
	to[i][j] += line[j];
      line[first] = i;
    }
}

int
main (int argc, char **argv)
{
  int shift = argc > 1 ? atoi (argv[1]) : 0;

  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      from[i][j] = i * 3 + j % 7;
  for (int all = 40; all < 60; all += 9)
    {
      ends_and_middle (N, all - 2 + shift, all);
      print_bits ("ends", to, sizeof to);
      print_bits ("line", line, sizeof line);
      rows (N, all - 2 + shift, all);
      print_bits ("rows", to, sizeof to);
      print_bits ("cells", cells, sizeof cells);
      pieces (N, all / 2, all / 2 + shift, all);
      print_bits ("pieces", to, sizeof to);
      many_loops (N, all - 2 + shift, all);
      print_bits ("many", to, sizeof to);
      one_place (N, all / 2, all / 2 + shift);
      print_bits ("one", to, sizeof to);
      gap (N, all / 2, all - shift);
      print_bits ("gap", to, sizeof to);
      hole (N, all / 2, M - 3, all - shift);
      print_bits ("hole", to, sizeof to);
    }
  print_bits ("line", line, sizeof line);
  return 0;
}
