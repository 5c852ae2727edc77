/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 9, 27
//! stat: pool >= 5
//! scan-not: report "reason":"indirect"
//! scan-not: report "reason":"nonlinear"
/* Addresses are computed from what the loop loads from one place: members of a descriptor that is not to be touched
   where no iteration does, or that the loop's own stores overwrite where the command line says so.  */
#include "print.h"

#include <stddef.h>

#define ROWS 60
#define COLS 70

struct matrix
{
  int rows, cols;
  long stride;
  double *data;
};

struct bytes
{
  long stride, count;
  unsigned char *data;
  struct matrix *of;
};

static struct bytes global;
static double *table[8];

KERNEL void
fill (struct matrix *m, int n, int cols, double with)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < cols; j++)
      m->data[i * m->stride + j] = with * i + j;
}

KERNEL void
copy_rows (struct matrix *m, const struct matrix *from, int n, int cols)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < cols; j++)
      m->data[i * m->stride + j] = from->data[i * from->stride + j] + 1;
}

KERNEL void
fill_if (struct matrix *m, int n, int wanted)
{
  int i;

  for (i = 0; i < n; i++)
    if (wanted > 2)
      m->data[i] = i;
}

/* Any of these stores may change what the next one goes by.  */
KERNEL void
set_bytes (struct bytes *b, int n, int with)
{
  int i;

  for (i = 0; i < n; i++)
    b->data[i * b->stride] = with;
}

KERNEL void
chained (struct bytes *b, int n, int cols)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < cols; j++)
      b->of->data[j * b->of->stride + i] = i + 2 * j;
}

KERNEL void
global_bytes (int n, int with)
{
  int i;

  for (i = 0; i < n; i++)
    global.data[i] = with + i;
}

KERNEL void
from_table (int n, int which, double with)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < 4; j++)
      table[which][4 * i + j] = with * i;
}

static double a[ROWS * COLS], b[ROWS * COLS];
static unsigned char raw[20000];

int
main (int argc, char **argv)
{
  int at = argc > 1 ? atoi (argv[1]) : 0, round;
  struct matrix m = { ROWS, COLS, COLS, a }, from = { ROWS, COLS, -COLS, b + (ROWS - 1) * COLS };
  struct matrix shifted = { ROWS, COLS, COLS, a + at };
  struct bytes *own = (struct bytes *) (raw + 1024);

  for (round = 0; round < 4; round++)
    {
      fill (&m, ROWS, COLS, round);
      fill (&from, ROWS, COLS, 0.5 * round);
      copy_rows (&m, &from, ROWS, COLS);
      copy_rows (&m, &shifted, ROWS - 1, COLS);
      fill (NULL, ROWS, 0, 1);
      fill (NULL, 0, COLS, 1);
      copy_rows (NULL, NULL, ROWS, -1);
      fill_if (NULL, 1000, round % 2);
      fill_if (&from, COLS, 3);
      set_bytes (NULL, 0, 1);
      print_bits ("a", a, sizeof a);

      own->stride = 10;
      own->of = &m;
      own->data = raw + 8000;
      set_bytes (own, 1000, round);
      if (at != 0)
	own->data = raw + 1024 + offsetof (struct bytes, stride) - 10 * (at - 1);
      set_bytes (own, 400, 40);
      print_bits ("raw", raw + 2048, sizeof raw - 2048);
      printf ("stride %ld\n", own->stride);

      chained (own, COLS / 2, ROWS / 2);
      global.data = at == 0 ? raw + 10000 : (unsigned char *) &global;
      global.count = round;
      global_bytes (at == 0 ? 5000 : 16, round);
      table[at % 8] = b + at;
      from_table (ROWS * COLS / 4 - at, at % 8, round);
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
      printf ("global %ld %ld\n", global.stride, global.count);
    }
  return 0;
}
