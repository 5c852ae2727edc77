/* SPDX-License-Identifier: MIT */
//! args: 0, 1, 2, 3, 4
//! stat: pool >= 10
//! scan-not: report "reason":"uncountable"
/* Loops that load what they count to each time, as their stores might change it: in one argument's run they do so, at
   first, in the middle, or in the last iteration, and then there are more of these or fewer.  */
#include "print.h"

#include <stddef.h>

#define N 400
#define ROWS 40
#define COLS 50

struct matrix
{
  int rows, cols, stride;
  int *data;
};

struct counted
{
  long n, others[3];
  long *data, *end;
};

static int bound;

KERNEL void
line (int *a, const int *n, int k)
{
  int i;

  for (i = 0; i < *n; i++)
    a[i] += k;
}

KERNEL void
global_line (int *a, int k)
{
  int i;

  for (i = 0; i < bound; i++)
    a[i] = a[i] * k + i;
}

KERNEL void
down (int *a, const int *n, int k)
{
  int i;

  for (i = N - 1; i > *n; i -= 3)
    a[i] += k;
}

KERNEL void
inclusive (unsigned *a, const unsigned *n, unsigned k)
{
  unsigned i;

  for (i = 1; i <= *n; i += 2)
    a[i] += k;
}

KERNEL void
bytes (unsigned char *a, const size_t *n, int k)
{
  size_t i;

  for (i = 0; i < *n; i++)
    a[i] = k;
}

KERNEL void
by_pointer (struct counted *c, long k)
{
  long *p;

  for (p = c->data; p != c->end; p++)
    *p += k;
}

KERNEL void
in_struct (struct counted *c, long k)
{
  long i;

  for (i = 0; i < c->n; i++)
    c->data[i] += k + i;
}

KERNEL void
nest (struct matrix *m, int k)
{
  int i, j;

  for (i = 0; i < m->rows; i++)
    for (j = 0; j < m->cols; j++)
      m->data[i * m->stride + j] += k + i;
}

/* Where the inner loop has no turns, what ends it is read all the same.  */
KERNEL void
ends_beside (struct matrix *m, int *a, int *b, int n)
{
  int i, j;

  for (i = 0; i < n; i++)
    {
      for (j = 0; j < m->cols; j++)
	b[i * 20 + j] += i;
      a[i] = 7;
    }
}

KERNEL void
at_least_once (struct matrix *m, int k)
{
  int i, j;

  for (i = 0; i < m->rows; i++)
    {
      j = 0;
      do
	m->data[i * m->stride + j] += k;
      while (++j < m->cols);
    }
}

/* The bound is used, too, and lives on.  */
KERNEL int
used_behind (int *a, const int *n, int k)
{
  int i, last = 0;

  for (i = 0; i < *n; i++)
    {
      a[i] = k * *n + i;
      last = *n;
    }
  return i * 10 + last;
}

struct image
{
  int width, height, others[2];
  unsigned char *pixels;
};

/* Only a monitor can tell which of MAP are read, and it goes by what the stores might change.  */
KERNEL void
look_up (struct image *to, const struct image *from, const unsigned char *map)
{
  int x, y;

  for (y = 0; y < to->height; y++)
    for (x = 0; x < to->width; x++)
      to->pixels[y * to->width + x] = map[from->pixels[y * from->width + x]];
}

/* A test that may fail with any bound: the type's largest number.  */
KERNEL void
to_the_end (unsigned char *a, const unsigned char *n, int k)
{
  unsigned char i;

  for (i = 0; i < *n; i++)
    a[i] += k;
}

static int a[2 * N], b[40 * N], data[ROWS * COLS + N];
static unsigned u[2 * N];
static size_t s[N];
static long l[N];
static unsigned char pixels[2][ROWS * COLS], map[256];

/* Single loops: AT is where what they count to is among what they write, or -1.  */
static void
count_in_arrays (int at, int round)
{
  int n = N;
  unsigned un = N;
  size_t sn = N;

  if (at >= 0)
    a[at] = N - 5;
  line (a, at < 0 ? &n : a + at, -round);
  print_bits ("line", a, sizeof a);
  if (at >= 0)
    a[at] = N - 5;
  line (a, at < 0 ? &n : a + at, N / 2);
  print_bits ("line", a, sizeof a);
  bound = N;
  global_line (at < 0 ? a : &bound, at < 0 ? 3 : 0);
  print_bits ("global", a, sizeof a);
  printf ("%d\n", bound);

  if (at >= 0)
    a[at] = 1;
  n = 17;
  down (a, at < 0 ? &n : a + at, 2);
  print_bits ("down", a, sizeof a);
  if (at >= 0)
    u[at] = N - 1;
  inclusive (u, at < 0 ? &un : u + at, -2u);
  print_bits ("inclusive", u, sizeof u);
  if (at >= 0)
    s[at / 8] = N;
  bytes ((unsigned char *) s, at < 0 ? &sn : s + at / 8, 0);
  print_bits ("bytes", s, sizeof s);
}

static void
count_in_struct (int at, int round)
{
  struct counted c = { N, { 0, 0, 0 }, l, l + N };

  if (at >= 0)
    {
      c.data = (long *) &c;
      c.n = 5;
      c.end = (long *) &c + 2;
    }
  by_pointer (&c, 0);
  in_struct (&c, at < 0 ? round : -2);
  printf ("%ld\n", c.n);
  print_bits ("struct", l, sizeof l);
}

static void
count_in_nests (int at, int round)
{
  struct matrix m = { ROWS, COLS, COLS, data };
  struct matrix *own = (struct matrix *) (void *) (data + 8);

  nest (&m, round);
  at_least_once (&m, round);
  m.cols = 0;
  nest (&m, round);
  at_least_once (&m, round);
  ends_beside (&m, at < 0 ? a : &m.rows, b, at < 0 ? N : 4);
  printf ("%d\n", m.cols);
  own->rows = 3;
  own->cols = 1;
  own->stride = 0;
  own->data = data + (at < 0 ? 100 : 8 + at / 150);
  nest (own, -1);
  print_bits ("own", data, 12 * sizeof *data);
  print_bits ("nest", data + 16, sizeof data - 64);
  print_bits ("beside", b, sizeof b);
}

static void
count_in_images (int at, int round)
{
  struct image to = { COLS, ROWS, { 0, 0 }, pixels[0] }, from = to;
  int i;

  from.pixels = at == 1 ? pixels[0] + 1 : pixels[1];
  for (i = 0; i < 256; i++)
    map[i] = (unsigned char) (at == 0 ? 0 : i * 7 + round);
  if (at == 0)
    {
      to.width = sizeof to.height;
      to.pixels = (unsigned char *) &to.height;
    }
  if (at == N / 2)
    to.pixels = pixels[1] - COLS;
  look_up (&to, &from, at == N - 1 ? pixels[0] : map);
  printf ("%d %d\n", to.width, to.height);
  print_bits ("pixels", pixels, sizeof pixels);
}

static void
count_and_use (int at)
{
  int n = N;
  unsigned char few = 200;

  if (at >= 0)
    a[at] = N;
  printf ("used %d\n", used_behind (a, at < 0 ? &n : a + at, 0));
  print_bits ("used", a, sizeof a);
  to_the_end ((unsigned char *) a, at < 0 ? &few : (unsigned char *) a + at / 4, 1);
  print_bits ("end", a, sizeof a);
}

int
main (int argc, char **argv)
{
  static const int places[] = { -1, 0, 1, N / 2, N - 1 };
  int at = places[argc > 1 ? atoi (argv[1]) : 0], round;

  for (round = 1; round < 5; round++)
    {
      count_in_arrays (at, round);
      count_in_struct (at, round);
      count_in_nests (at, round);
      count_in_images (at, round);
      count_and_use (at);
    }
  return 0;
}
