/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Trip counts of zero, below zero, one, and about the sizes at which chunks change; steps other than one, downwards,
   and loops that test at the end.  */
#include "print.h"

#define N 700

KERNEL void
up (int from, int to, int step, unsigned *a)
{
  int i;

  for (i = from; i < to; i += step)
    a[i] = a[i] * 3 + (unsigned) i;
}

KERNEL void
by_three (int n, unsigned *a)
{
  int i;

  for (i = 1; i <= n; i += 3)
    a[i] += (unsigned) i;
}

KERNEL void
down (int n, unsigned *a)
{
  while (--n >= 0)
    a[n] = a[n] * 5 + (unsigned) n;
}

KERNEL void
at_end (unsigned n, unsigned *a)
{
  unsigned i = 0;

  do
    a[i] ^= i * 9;
  while (++i < n);
}

KERNEL void
not_equal (long from, long to, short *a)
{
  long i;

  for (i = from; i != to; i++)
    a[i] = (short) (a[i] + i);
}

KERNEL void
up_to (unsigned n, unsigned *a)
{
  unsigned i;

  for (i = 1; i <= n; i++)
    a[i] = a[i] * 7 + i;
}

KERNEL void
byte_counts (unsigned char from, unsigned char n, unsigned *a)
{
  unsigned char i;

  for (i = from; i <= n; i++)
    a[i] += i * 11u;
}

int
main (void)
{
  static const int counts[] = { 0, -1, 1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 257, -2147483647 - 1, 511 };
  static unsigned a[N];
  static short b[N];
  int k;

  for (k = 0; k < (int) (sizeof counts / sizeof counts[0]); k++)
    {
      int n = counts[k];
      up (0, n, 1, a);
      up (5, n, 2, a);
      by_three (n, a);
      down (n < 0 ? 0 : n, a);
      at_end ((unsigned) (n < 0 ? 0 : n), a);
      not_equal (0, n < 0 ? 0 : n, b);
      up_to ((unsigned) (n < 0 ? 0 : n), a);
      byte_counts ((unsigned char) k, (unsigned char) (n % 256 == 255 || n < 0 ? 254 : n), a);
      print_bits ("a", a, sizeof a);
      print_bits ("b", b, sizeof b);
    }
  return 0;
}
