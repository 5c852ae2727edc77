/* SPDX-License-Identifier: MIT */
//! link: -lm
//! stat: L0 >= 30
//! inject: none, every:7, random:3
/* Scalars that an iteration keeps or replaces: the largest, the smallest, where it is, the last one that was set.  The
   first of equal ones stays, so does -0 before +0; NaNs are passed over, and stay if they were there before.  */
#include "print.h"

#include <fenv.h>
#include <math.h>

#define N 1000

static double x[N];
static int whole[N];

KERNEL double
largest (int n, const double *a, double m)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      m = a[i];
  return m;
}

KERNEL double
smallest (int n, const double *a, double m)
{
  int i;

  for (i = 0; i < n; i++)
    if (m > a[i])
      m = a[i];
  return m;
}

struct found
{
  double value;
  int at;
  const double *place;
  short side;
};

KERNEL struct found
find_largest (int n, const double *a, double m)
{
  struct found found = { m, -1, 0, 0 };
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > found.value)
      {
	found.value = a[i];
	found.at = i;
	found.place = &a[i];
	found.side = (short) (i & 1);
      }
  return found;
}

KERNEL int
find_smallest_whole (int n, const int *a, int *m)
{
  int least = *m, at = -1, i;

  for (i = 0; i < n; i++)
    if (a[i] < least)
      {
	least = a[i];
	at = i;
      }
  *m = least;
  return at;
}

/* Rows and columns; the test of a row may leave it out.  */
KERNEL int
find_in_matrix (int n, const double *a, double *m)
{
  double most = *m;
  int row = -1, column = -1, i, j;

  for (i = 0; i < n; i++)
    if (a[i * n] != 3)
      for (j = 0; j < n; j++)
	if (fabs (a[i * n + j]) > most)
	  {
	    most = fabs (a[i * n + j]);
	    row = i;
	    column = j;
	  }
  *m = most;
  return row * 1000 + column;
}

/* The last one set, by several conditions; a flag.  */
KERNEL int
last_set (int n, const double *a, int *any)
{
  int last = -7, flag = *any, i;

  for (i = 0; i < n; i++)
    {
      if (a[i] < 0)
	last = i;
      else if (a[i] > 100)
	last = -i;
      if (a[i] == 7)
	flag = 1;
    }
  *any = flag;
  return last;
}

KERNEL int
last_in_rows (int n, const double *a, float *value)
{
  float what = *value;
  int last = -1, i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < i; j++)
      if (a[i * n + j] > 90)
	{
	  last = i * n + j;
	  what = (float) (j * 0.5);
	}
  *value = what;
  return last;
}

/* What is set may be what a range begins with, or anything.  */
KERNEL double
last_values (int n, const double *a, const int *b, int *any, unsigned char *byte)
{
  double value = 0.25;
  int whole = *any, i;
  unsigned char last = *byte;

  for (i = 0; i < n; i++)
    {
      if (a[i] < 0)
	value = a[i];
      if (b[i] < -300)
	whole = b[i];
      if (b[i] % 7 == 3)
	last = (unsigned char) b[i];
    }
  *any = whole;
  *byte = last;
  return value;
}

/* Flags of several types, that are set to what they may be already.  */
KERNEL int
flags (int n, const int *a, int start)
{
  int down = start, up = start, i;
  float real = (float) start;
  _Bool is_small = 0, is_large = 1;

  for (i = 0; i < n; i++)
    {
      if (a[i] < -990)
	down = 0;
      if (a[i] > 990)
	up = 1;
      if (a[i] == 5)
	real = 2;
      if (a[i] == 6)
	is_small = 1;
      if (a[i] == 7)
	is_large = 0;
    }
  return down + 10 * up + 100 * is_small + 1000 * is_large + 10000 * (int) real;
}

/* The loop leaves from its head.  */
KERNEL unsigned char
largest_byte (const unsigned char *a, int n)
{
  unsigned char m = 3;

  while (n-- > 0)
    {
      if (*a > m)
	m = *a;
      a++;
    }
  return m;
}

static void
show (const char *what, int n, double start)
{
  struct found found = find_largest (n, x, start);
  double most = start;
  float value = 2;
  int any = 0, least = 50, last, at;
  unsigned char byte = 255;

  feclearexcept (FE_ALL_EXCEPT);
  print_bits (what, &found.value, sizeof found.value);
  printf ("%d %d %d\n", found.at, found.place ? (int) (found.place - x) : -1, found.side);
  most = largest (n, x, start);
  print_bits ("largest", &most, sizeof most);
  most = smallest (n, x, start);
  print_bits ("smallest", &most, sizeof most);
  most = start;
  at = find_in_matrix (30, x, &most);
  print_bits ("matrix", &most, sizeof most);
  last = last_set (n, x, &any);
  printf ("%d %d %d", at, last, any);
  last = last_in_rows (30, x, &value);
  printf (" %d %g", last, value);
  at = find_smallest_whole (n, whole, &least);
  printf (" %d %d %d", at, least, largest_byte ((const unsigned char *) whole, n));
  last = start == 99 ? -2147483647 - 1 : 12;
  most = last_values (n, x, whole, &last, &byte);
  print_bits (" value", &most, sizeof most);
  printf ("%d %d %d %d", last, byte, flags (n, whole, 0), flags (n, whole, 1));
  printf (" %d\n", fetestexcept (FE_ALL_EXCEPT));
}

int
main (void)
{
  unsigned seed = 5;
  int i;

  for (i = 0; i < N; i++)
    {
      x[i] = next_random (&seed) % 199 - 99.0;
      whole[i] = (int) (next_random (&seed) % 1999) - 999;
    }
  show ("random", N, -1000);
  show ("random", N, 99);
  show ("random", N, NAN);
  show ("random", 900, -INFINITY);
  show ("few", 1, 0);
  for (i = 0; i < N; i++)
    x[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? 0.0 : -0.0;
  show ("zeros", N, -0.0);
  show ("zeros", N, 0.0);
  show ("zeros", N, -1);
  show ("zeros", N, 1);
  for (i = 0; i < N; i++)
    x[i] = i > 600 ? NAN : i == 333 ? INFINITY : -INFINITY;
  show ("infinities", N, -INFINITY);
  show ("infinities", 333, -INFINITY);
  show ("infinities", 333, INFINITY);
  for (i = 0; i < N; i++)
    x[i] = i == 500 ? 7 : NAN;
  show ("NaNs", N, 0);
  show ("NaNs", 400, 0);
  return 0;
}
