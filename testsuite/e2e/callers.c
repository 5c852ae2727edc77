/* SPDX-License-Identifier: MIT */
//! opts: -O2 -mfma, -O3 -mfma, -O3 -march=native, -O2 -mfma -flto, -O2 -mfma -fPIC -g
//! stat: pool >= 2
/* What is known across a call of a function whose loop is handed over: a constant that it leaves alone, a product.  */
#include "print.h"

#define N 1003

static int filled[N];
static double out[5];

__attribute__ ((noinline)) static void
fill (void)
{
  for (int i = 0; i < N; i++)
    filled[i] = i * 3;
}

/* It has no loop, and calls one that has.  */
__attribute__ ((noinline)) static void
fill_twice (void)
{
  fill ();
  filled[5] += 2;
  fill ();
}

/* Elements are known by number once loops of few turns are unrolled, which is when FILL has its guard.  */
KERNEL void
constant_across (void)
{
  double own[2] = { 0, 0 };
  __asm__ ("" : : "r" (own) : "memory"); /* anybody may change it */
  for (int i = 0; i < 2; i++)
    own[i] = i * 1.75;
  fill ();
  out[0] = 0.3 - own[1] * 1.1;
}

KERNEL void
product_across (void)
{
  double own[4] = { 1.1, 1.2, 1.3, 1.4 };
  __asm__ ("" : : "r" (own) : "memory"); /* anybody may change it */
  for (int i = 0; i < 2; i++)
    out[i + 1] = own[i] * own[i + 2];
  fill_twice ();
  for (int i = 0; i < 2; i++)
    out[i + 3] = own[i] * own[i + 2] + 0.3;
}

int
main (void)
{
  constant_across ();
  print_bits ("filled", filled, sizeof filled);
  product_across ();
  print_bits ("filled", filled, sizeof filled);
  print_bits ("out", out, sizeof out);
  return 0;
}
