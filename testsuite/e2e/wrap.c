/* SPDX-License-Identifier: MIT */
//! stat: entries >= 1
/* Index arithmetic that wraps in its type: a byte counter folded into a small ring, an unsigned base just below its
   limit, a short product.  Taken as linear, these would look like distinct addresses.  */
#include "print.h"

#define N 3000

KERNEL void
ring (unsigned n, unsigned *a)
{
  unsigned i;

  for (i = 0; i < n; i++)
    {
      unsigned char slot = (unsigned char) (i * 3);
      a[slot] = a[slot] * 5 + i;
    }
}

/* START + i passes 2^32 on the way.  */
KERNEL void
past_limit (unsigned n, unsigned start, unsigned *a)
{
  unsigned i;

  for (i = 0; i < n; i++)
    a[start + i + 100] = a[start + i + 100] * 3 + i;
}

KERNEL void
offset (unsigned n, unsigned start, const unsigned *b, unsigned *a)
{
  unsigned i;

  for (i = 0; i < n; i++)
    a[start + i] = b[i] + 1;
}

KERNEL void
short_product (int n, unsigned *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[(unsigned short) (i * 64) / 64] ^= (unsigned) i;
}

int
main (void)
{
  static unsigned a[N], b[N];

  ring (N, a);
  print_bits ("ring", a, sizeof a);
  past_limit (N - 10, -90u, a);
  past_limit (90, -100u, a);
  print_bits ("limit", a, sizeof a);
  offset (N, 0, a, b);
  offset (N - 10, 10, b, a);
  offset (N - 1, 1, a, a);
  print_bits ("offset", a, sizeof a);
  short_product (N, b);
  print_bits ("product", b, sizeof b);
  return 0;
}
