/* SPDX-License-Identifier: MIT */
//! stat: pool >= 8
//! no-stat: -Os
/* A range may start at any iteration: where does each induction variable start then?  Steps that are negative, not
   constant or larger than one; types in which base + iterations * step wraps around or passes the largest int on the
   way; pointers that run down; several variables in one loop; types narrower than int; values used after the loop.  */
#include "print.h"

#define N 3000

KERNEL int
across_zero (int from, int to, unsigned *out)
{
  int i;
  unsigned k = 0;

  /* (to - from) / step * step does not fit in int.  */
  for (i = from; i < to; i += 2000000)
    out[k++] = i;
  return i;
}

KERNEL unsigned char
bytes_wrap (unsigned char value, unsigned n, unsigned char *out)
{
  unsigned i;

  for (i = 0; i < n; i++)
    {
      out[i] = value;
      value += 7;
    }
  return value;
}

KERNEL int
small_signed (signed char from, signed char to, int *out)
{
  signed char c;

  for (c = from; c < to; c++)
    out[c + 128] += c * 3;
  return c;
}

KERNEL long
pointers_down (double *a, const double *b, long n, long stride)
{
  double *p = a + n;
  const double *q = b;

  while (p > a)
    {
      *--p = *q * 0.5;
      q += stride;
    }
  return (p - a) * 100000 + (q - b);
}

KERNEL unsigned
unsigned_wrap (unsigned from, int n, int *out)
{
  unsigned k = from;
  int i;

  for (i = 0; i < n; i++)
    {
      out[k % N] = i;
      k++;
    }
  return k;
}

KERNEL int
two_ends (int n, int *a)
{
  int i, j;

  for (i = 0, j = n - 1; i < j; i++, j--)
    {
      a[i] += a[j];
      a[j] ^= i;
    }
  return i * 10000 + j;
}

KERNEL unsigned long
near_the_top (unsigned long from, unsigned long to, int *out)
{
  unsigned long k;

  for (k = from; k < to; k++)
    out[k - from] += (int) k;
  return k;
}

KERNEL int
by_step (int n, int step, int *out)
{
  int i, count = 0;

  for (i = 0; i < n; i += step)
    {
      out[i] ^= i;
      count++;
    }
  return i * 10 + count % 10;
}

int
main (void)
{
  static unsigned u[N + 1];
  static unsigned char c[N];
  static double a[N], b[3 * N];
  static int w[N];
  int i;

  for (i = 0; i < 3 * N; i++)
    b[i] = i * 0.25;
  for (i = 0; i < N; i++)
    w[i] = i * 7 % 1001;

  printf ("%d\n", across_zero (-2000000000, 2000000000, u));
  print_bits ("u", u, sizeof u);
  printf ("%d %d\n", bytes_wrap (250, N, c), bytes_wrap (3, 5, c));
  print_bits ("c", c, sizeof c);
  printf ("%d %d\n", small_signed (-128, 127, w), small_signed (5, 5, w));
  printf ("%ld %ld\n", pointers_down (a, b, N, 3), pointers_down (a, b, 7, -0));
  print_bits ("a", a, sizeof a);
  printf ("%u %u\n", unsigned_wrap (4294966000u, 2600, w), unsigned_wrap (17, N, w));
  printf ("%d %d\n", two_ends (N, w), two_ends (N - 1, w));
  printf ("%lu\n", near_the_top (-2500ul, -3ul, w));
  printf ("%d %d\n", by_step (N, 1, w), by_step (N - 5, 7, w));
  print_bits ("w", w, sizeof w);
  return 0;
}
