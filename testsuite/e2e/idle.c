/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! stat: pool >= 1
/* A loop that does nothing is left to the compiler, which removes it: 2^61 iterations would take years, where the
   original runs.  */
#include "print.h"

#define N 1003

static int last;
static double x[N];

/* The inner loop's stores are moved behind it late.  */
KERNEL void
years (void)
{
  for (unsigned long long i = 23; i >= 23; i += 8)
    for (last = 0; last <= 5; last++)
      ;
  last++;
}

KERNEL void
scale (void)
{
  for (int i = 0; i < N; i++)
    x[i] = x[i] * 1.5 + last;
}

int
main (void)
{
  years ();
  scale ();
  print_bits ("x", x, sizeof x);
  return last != 7;
}
