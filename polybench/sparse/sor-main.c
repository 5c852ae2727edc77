/* SPDX-License-Identifier: MIT
   Multicolor successive over-relaxation for a nine-point stencil with random coefficients on an m x m grid.  Points
   get the smallest color that no earlier neighbour has, and are renumbered color by color.  A lap is one sweep.  */
#include "../common.h"
#include "kernels.h"

#include <limits.h>

#define WIDTH 8
#define MAX_COLORS (WIDTH + 1)

static int m, n;			/* the grid is m x m, n points */
static int *number;			/* new number of each point, row by row of the grid */
static int first[MAX_COLORS + 1];	/* new number of the first point of each color */

/* Store the neighbours of POINT in LIST and return how many there are.  */
static int
neighbours (int point, int *list)
{
  int row = point / m, column = point % m;
  int di, dj, n_found = 0;

  for (di = -1; di <= 1; di++)
    for (dj = -1; dj <= 1; dj++)
      if ((di != 0 || dj != 0) && row + di >= 0 && row + di < m && column + dj >= 0 && column + dj < m)
	list[n_found++] = point + di * m + dj;
  return n_found;
}

static void
color_points (void)
{
  char *color = allocate (n, 1);
  int list[WIDTH], next[MAX_COLORS];
  int point, k, c;

  for (point = 0; point < n; point++)
    {
      int taken = 0, n_list = neighbours (point, list);

      for (k = 0; k < n_list; k++)
	if (list[k] < point)
	  taken |= 1 << color[list[k]];
      for (c = 0; taken & 1 << c; c++)
	;
      color[point] = (char) c;
      first[c + 1]++;
    }
  for (c = 0; c < MAX_COLORS; c++)
    {
      first[c + 1] += first[c];
      next[c] = first[c];
    }
  for (point = 0; point < n; point++)
    number[point] = next[(int) color[point]]++;
}

int
main (int argc, char **argv)
{
  int sweeps, point, i, j, c, t;
  int *col;
  double *val, *diag, *b, *x;

  arguments (argc, argv, "m sweeps", &m, &sweeps);
  if (m > INT_MAX / WIDTH / m)
    fail ("m is too large");
  n = m * m;
  number = allocate (n, sizeof *number);
  col = allocate ((size_t) n * WIDTH, sizeof *col);
  val = allocate ((size_t) n * WIDTH, sizeof *val);
  diag = allocate (n, sizeof *diag);
  b = allocate (n, sizeof *b);
  x = allocate (n, sizeof *x);

  color_points ();
  for (point = 0; point < n; point++)
    {
      int list[WIDTH];
      int n_list = neighbours (point, list);

      i = number[point];
      for (j = 0; j < WIDTH; j++)
	{
	  col[j * n + i] = j < n_list ? number[list[j]] : i;
	  val[j * n + i] = j < n_list ? -random_double () : 0.0;
	}
      diag[i] = WIDTH + random_double ();
      b[i] = random_double ();
      x[i] = 0.0;
    }

  for (t = 0; t < sweeps; t++)
    {
      lap_start ();
      for (c = 0; c < MAX_COLORS; c++)
	sor_color (first[c], first[c + 1], n, WIDTH, 1.25, col, val, diag, b, x);
      lap_stop ();
    }

  print_doubles ("x", x, n);
  finish ();
  return 0;
}
