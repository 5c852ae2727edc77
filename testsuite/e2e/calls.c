/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Bodies that call: small helpers that are inlined, one that is not but whose body shows what it does, one that counts
   its calls in a static variable.  */
#include "print.h"

#define N 1500

static inline int
clip (int x)
{
  return x < 0 ? 0 : x > 255 ? 255 : x;
}

static __attribute__ ((noinline)) unsigned
gcd (unsigned a, unsigned b)
{
  while (b != 0)
    {
      unsigned t = a % b;
      a = b;
      b = t;
    }
  return a;
}

static unsigned calls;

static __attribute__ ((noinline)) unsigned
counted (unsigned x)
{
  calls++;
  return x * calls;
}

KERNEL void
brighten (int n, int by, const int *a, int *b)
{
  int i;

  for (i = 0; i < n; i++)
    b[i] = clip (a[i] + by);
}

KERNEL void
divisors (unsigned n, const unsigned *a, unsigned *b)
{
  unsigned i;

  for (i = 0; i < n; i++)
    b[i] = gcd (a[i] + 1, i + 1);
}

KERNEL void
numbered (unsigned n, const unsigned *a, unsigned *b)
{
  unsigned i;

  for (i = 0; i < n; i++)
    b[i] = counted (a[i]);
}

int
main (void)
{
  static int a[N], b[N];
  static unsigned c[N], d[N];
  unsigned i;

  for (i = 0; i < N; i++)
    {
      a[i] = (int) (i * 53 % 400) - 70;
      c[i] = i * 720;
    }
  brighten (N, 20, a, b);
  print_bits ("bright", b, sizeof b);
  brighten (N, -20, b, b);
  print_bits ("in place", b, sizeof b);
  divisors (N, c, d);
  print_bits ("divisors", d, sizeof d);
  numbered (N, c, d);
  print_bits ("numbered", d, sizeof d);
  return 0;
}
