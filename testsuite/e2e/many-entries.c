/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Loops entered many times: with growing and shrinking sizes, other arrays each time, from a recursive function, from a
   loop body (a region within a region), from an exit handler.  */
#include "print.h"

#define N 1024

static unsigned a[N], b[N];

KERNEL void
mix (unsigned n, const unsigned *x, unsigned *y)
{
  unsigned i;

  for (i = 0; i < n; i++)
    y[i] = y[i] * 9 + x[i];
}

KERNEL void
halve (unsigned n, unsigned *x)
{
  if (n < 16)
    return;
  mix (n / 2, x, x + n / 2);
  halve (n / 2, x);
  halve (n / 2, x + n / 2);
}

KERNEL unsigned
sum (unsigned n, const unsigned *x)
{
  unsigned s = 0, i;

  for (i = 0; i < n; i++)
    s += x[i] * i;
  return s;
}

KERNEL void
all_sums (unsigned n, const unsigned *x, unsigned *y)
{
  unsigned i;

  for (i = 0; i < n; i++)
    y[i] = sum (i, x);
}

static void
at_exit (void)
{
  mix (N, a, b);
  print_bits ("exit", b, sizeof b);
}

int
main (void)
{
  unsigned n;

  for (n = 0; n < N; n++)
    a[n] = n * 2654435761u;
  for (n = 0; n < N; n += 3)
    mix (n, n % 2 ? a : b, n % 2 ? b : a);
  for (n = N; n > 0; n = n * 7 / 8)
    mix (n, a, b);
  print_bits ("a", a, sizeof a);
  print_bits ("b", b, sizeof b);
  halve (N, a);
  print_bits ("halve", a, sizeof a);
  all_sums (300, a, b);
  print_bits ("sums", b, sizeof b);
  atexit (at_exit);
  exit (3);
}
