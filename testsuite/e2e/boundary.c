/* SPDX-License-Identifier: MIT */
//! stat: pool >= 6
//! no-stat: -Os
/* What crosses the boundary of an outlined loop: live-ins and live-outs of all types, wide ones, narrow ones and those
   of bit-fields; parameters passed by value that live in memory; an address of the caller's frame that starts an
   induction variable.  */
#include <complex.h>
#include <stdbool.h>
#include "print.h"

#define N 2000

enum colour { RED = 1, GREEN = 200 };

struct packed
{
  unsigned flag : 1;
  unsigned wide : 23;
  signed int narrow : 8;
};

struct pair
{
  double x, y;
};

struct block
{
  long v[9];
  int n;
};

KERNEL void
live_ins (int n, bool flag, enum colour colour, short h, float f, __int128 wide, double complex z, struct packed s,
	  long *restrict out, const int *restrict in)
{
  unsigned bits = s.wide;
  int low = s.narrow;
  int i;

  for (i = 0; i < n; i++)
    {
      long t = in[i] * h + (long) (f * in[i]) + (long) (wide >> 60) + bits * 3u + low;
      if (flag)
	t += (long) (creal (z) * in[i] + cimag (z));
      out[i] = t ^ colour ^ (long) wide;
    }
}

KERNEL struct pair
in_memory (int n, struct pair scale, struct block block, double *restrict out)
{
  const long *p = block.v;
  struct pair last = { 0, 0 };
  int i;

  for (i = 0; i < n; i++)
    out[i] = scale.x * i + block.v[i % 9] * scale.y;
  for (i = 0; i < 9; i++)
    last.x += *p++ * out[i];
  for (i = 0; i < n; i++)
    {
      last.y = out[i] + block.n;
      out[i] = last.y * 2;
    }
  return last;
}

KERNEL long
frame (int n, const int *in)
{
  long local[N];
  long *p = local;
  __int128 wide = 0;
  double complex z = 0;
  bool odd = false;
  int i;

  for (i = 0; i < n; i++)
    *p++ = in[i] * 5L + i;
  for (i = 0; i < n; i++)
    {
      wide = (__int128) local[i] * in[n - 1 - i];
      z = local[i] + in[i] * I;
      odd = local[i] & 1;
      local[i] -= in[i];
    }
  for (i = 1; i < n; i++)
    local[0] = local[0] * 31 + local[i];
  return local[0] + (long) wide + (long) (creal (z) - cimag (z)) + odd + (p - local);
}

int
main (void)
{
  static long out[N];
  static double d[N];
  static int in[N];
  struct packed s = { 1, 5000001, -77 };
  struct block block = { { 3, 1, 4, 1, 5, 9, 2, 6, 5 }, 42 };
  struct pair pair = { 0.5, -1.25 };
  unsigned seed = 5;
  int i;

  for (i = 0; i < N; i++)
    in[i] = (int) (next_random (&seed) % 4096);
  for (i = 0; i < 3; i++)
    {
      int n = N - 700 * i;
      live_ins (n, i & 1, i ? RED : GREEN, -300, 1.75f, ((__int128) 77 << 64) + 5, 2 + 3 * I, s, out, in);
      print_bits ("out", out, sizeof out);
      pair = in_memory (n, pair, block, d);
      print_bits ("d", d, sizeof d);
      printf ("%a %a %ld\n", pair.x, pair.y, frame (n, in));
      pair.x = i + 1;
      pair.y = 0.125;
    }
  return 0;
}
