/* SPDX-License-Identifier: MIT */
//! args: 0, 1, -1, 2
//! opts: -O1, -O2, -O2 -fno-tree-ch, -O3, -O3 -march=native, -Os
//! stat: pool >= 80
//! scan: report 1 "function":"fill_rows","depth":1,.*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"add_rows","depth":1,.*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"fill_planes","depth":1,.*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"change_rows","depth":1,.*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"fill_triangle","depth":1,.*"reason":"distance".*"outlined":true
//! scan: report 1 "function":"with_ends","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"with_blocks","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"with_buffer","depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 1 "function":"at_places","depth":1,.*"outlined":false
//! scan: report 1 "function":"with_wanted","depth":1,.*"reason":"fixed-address"
//! scan: report 1 "function":"some_of_it","depth":1,.*"outlined":false
/* Loops that call functions for a row each: what these touch depends on arguments, on how many elements a row has for
   one.  The command line has rows overlap, and what is read of arrays that are filled first be more than that.  */
#include "print.h"

#define N 30
#define M 64
#define APART __attribute__ ((noinline, noclone))

static double a[N + 1][M], b[N + 1][M], cube[N][8][M], work[M + 2], lines[M + 2][4];
static double blocks[M + 2][3][3], pairs[2 * M], shorts[66000];
static int places[N];

static APART void
fill (double *x, int n)
{
  for (int j = 0; j < n; j++)
    x[j] = j * 0.5;
}

static APART void
add (int n, double s, const double *x, double *y)
{
  for (int j = 0; j < n; j++)
    y[j] += s * x[j];
}

static APART void
set_ends (double (*x)[4], int last)
{
  for (int c = 0; c < 4; c++)
    {
      x[0][c] = c;
      x[last][c] = c + 1;
    }
}

/* All elements, by stores of which several stand side by side, and some again.  */
static APART void
set_blocks (double (*x)[3][3], int last)
{
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      x[0][r][c] = x[last][r][c] = r - c;
  for (int c = 0; c < 3; c++)
    x[0][c][c] = x[last][c][c] = 5;
}

static APART void
fill_plane (double *x, int rows, int columns, int row_len, double value)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      x[r * row_len + c] = value + c;
}

static APART double
total (const double *x, int n)
{
  double sum = 0;
  for (int j = 0; j < n; j++)
    sum += x[j];
  return sum;
}

static APART void
double_back (double *x, int n)
{
  for (int j = n - 1; j >= 0; j--)
    x[j] *= 2;
}

static APART void
fill_and_double (double *x, int n)
{
  fill (x, n);
  double_back (x + 1, n - 1);
}

static APART void
store_at (double *x, int at, double value)
{
  x[at] = value;
}

static APART void
store_if (double *x, int wanted, double value)
{
  if (wanted > 0)
    x[0] = value;
}

static APART void
store_two (double *x, int at, int other, double value)
{
  x[at] = value;
  x[other] = value + 1;
}

/* It takes what of an argument is a short, as there is no prototype.  */
static APART void
fill_short (x, n)
     double *x;
     short n;
{
  for (int j = 0; j < n; j++)
    x[j] = j * 0.25;
}

/* The last of what it is given; nothing of that is stored if there are no turns.  */
static APART void
keep_last (double *x, int n, const double *from)
{
  for (int j = 0; j < n; j++)
    x[0] = from[j];
}

/* Only where elements are positive.  */
static APART void
fill_some (double *x, int n, const double *from)
{
  for (int j = 0; j < n; j++)
    if (from[j] > 3)
      x[j] = from[j];
}

KERNEL void
fill_rows (int n, int m, int row_len, double *x)
{
  for (int i = 0; i < n; i++)
    fill (x + i * row_len, m);
}

KERNEL void
add_rows (int n, int m, int row_len, double *x, double *y)
{
  for (int i = 0; i < n; i++)
    add (m, i, x + i * row_len, y + i * row_len);
}

KERNEL void
with_ends (int n, int m, int all, double *x)
{
  for (int i = 0; i < n; i++)
    {
      set_ends (lines, m + 1);
      for (int j = 1; j <= m; j++)
	{
	  lines[j][0] = x[i * M + j];
	  lines[j][1] = x[i * M + j] + 1;
	  lines[j][2] = j;
	  lines[j][3] = i;
	}
      for (int j = 0; j < all; j++)
	x[i * M + j] += lines[j][0] + lines[j][1] * lines[j][2] - lines[j][3];
    }
}

KERNEL void
with_blocks (int n, int m, int all, double *x)
{
  for (int i = 0; i < n; i++)
    {
      set_blocks (blocks, m + 1);
      for (int j = 1; j <= m; j++)
	for (int r = 0; r < 3; r++)
	  for (int c = 0; c < 3; c++)
	    blocks[j][r][c] = x[i * M + j] + r * c;
      for (int j = 0; j < all; j++)
	x[i * M + j] += blocks[j][0][1] * blocks[j][1][1] - blocks[j][2][0];
    }
}

KERNEL void
with_buffer (int n, int m, int all, double *x)
{
  for (int i = 0; i < n; i++)
    {
      fill (work, m);
      add (m, 2, x + i * M, work);
      x[i * M] = total (work, all);
    }
}

/* Less elements than the argument says.  */
KERNEL void
with_short (int n, int m, int all, double *x)
{
  for (int i = 0; i < n; i++)
    {
      fill_short (shorts, m);
      x[i * M] += total (shorts, all);
      shorts[all - 1] = i;
    }
}

/* Stored in all iterations, or in none.  */
KERNEL void
with_wanted (int n, int wanted, double *x)
{
  for (int i = 0; i < n; i++)
    {
      store_if (work, wanted, i * 0.5);
      x[i * M] += work[0];
      work[0] = i;
    }
}

/* From both ends, so that they meet.  */
KERNEL void
two_ways (int n, double *x)
{
  for (int i = 0; i < n; i++)
    store_two (x, i, n - 1 - i, i);
}

/* One of two elements is not stored where there are no turns, but the iteration before left it.  */
KERNEL void
with_pairs (int n, int m, int turns, double *x)
{
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
	{
	  store_at (pairs + 2 * j, 0, i);
	  keep_last (pairs + 2 * j + 1, turns, x);
	}
      for (int j = 0; j < m; j++)
	sum += pairs[2 * j] + pairs[2 * j + 1];
      x[i * M] = sum;
      for (int j = 0; j < m; j++)
	{
	  pairs[2 * j] = -i;
	  pairs[2 * j + 1] = -i - j;
	}
    }
}

KERNEL void
fill_planes (int n, int rows, int m, int row_len, double *x)
{
  for (int i = 0; i < n; i++)
    fill_plane (x + i * 8 * M, rows, m, row_len, i);
}

KERNEL void
change_rows (int n, int m, double *x)
{
  for (int i = 0; i < n; i++)
    fill_and_double (&x[i * M], m);
}

KERNEL void
fill_triangle (int n, double (*x)[M])
{
  for (int i = 0; i < n; i++)
    fill (x[i], i);
}

/* Where the argument is no number of the iteration's: anywhere in the array.  */
KERNEL void
at_places (int n, const int *at)
{
  for (int i = 0; i < n; i++)
    {
      store_at (a[0], at[i] * 3, i);
      b[0][i] = a[0][at[i] * 3] * 2;
    }
}

/* What is not filled is what the iteration before left.  */
KERNEL void
some_of_it (int n, int m, double *x)
{
  for (int i = 0; i < n; i++)
    {
      fill_some (work, m, x + i * M);
      x[i * M] += total (work, m);
    }
}

int
main (int argc, char **argv)
{
  int shift = argc > 1 ? atoi (argv[1]) : 0;

  for (int i = 0; i < N; i++)
    {
      places[i] = i * 7 % (N - 3 * (shift > 0));
      for (int j = 0; j < M; j++)
	{
	  a[i][j] = i * 3 + j % 7;
	  b[i][j] = j;
	}
    }
  for (int m = -1; m < 62; m += 15)
    {
      fill_rows (N, m, M, a[0]);
      fill_rows (N / 2, m, m + shift, b[0]);
      add_rows (N, m, M, a[0], b[0]);
      add_rows (N - 1, m, M, a[0] + shift + 1, a[1]);
      print_bits ("rows", a, sizeof a);
      with_ends (N, m, m + 2 + shift < 0 ? 0 : m + 2 + shift, a[0]);
      with_blocks (N, m < 0 ? 0 : m, m + 2 + shift < 0 ? 0 : m + 2 + shift, a[0]);
      print_bits ("blocks", blocks, sizeof blocks);
      with_buffer (N, m, m + shift, b[0]);
      with_short (N, m + 65536, 40, b[0]);
      with_wanted (N, shift, a[0]);
      with_pairs (N, 20, shift, a[0]);
      two_ways (N + N / 2, b[2]);
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
      print_bits ("work", work, sizeof work);
      print_bits ("lines", lines, sizeof lines);
      fill_planes (N, 8, m, M, cube[0][0]);
      fill_planes (N / 2, 3, m, m + shift, cube[0][0]);
      print_bits ("cube", cube, sizeof cube);
      change_rows (N, m, a[0]);
      fill_triangle (N, b);
      at_places (N, places);
      some_of_it (N, m, b[0]);
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
    }
  return 0;
}
