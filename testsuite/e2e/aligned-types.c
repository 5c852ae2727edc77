/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -ftree-vectorize, -O3, -O3 -march=native -ffp-contract=off
//! stat: pool >= 1
/* Elements whose type is aligned to more than it is long: such a pointer says that the loop's first address is aligned,
   and with vectors of 16 bytes it must be.  The first address of another thread is not.  */
#include "print.h"

#define N 4003

typedef int aligned_int __attribute__ ((aligned (16)));
typedef double aligned_double __attribute__ ((aligned (32)));

KERNEL void
walk (int n, aligned_int *to, const aligned_int *from)
{
  while (n--)
    *to++ = *from++ + 1;
}

KERNEL void
triads (int n, const aligned_double *x, const aligned_double *y, aligned_double *z)
{
  int i;

  for (i = 0; i < n; i++)
    z[i] = x[i] + 0.5 * y[i];
}

int
main (void)
{
  static int from[N] __attribute__ ((aligned (32))), to[N] __attribute__ ((aligned (32)));
  static double x[N] __attribute__ ((aligned (32))), y[N] __attribute__ ((aligned (32)));
  static double z[N] __attribute__ ((aligned (32)));
  int i;

  for (i = 0; i < N; i++)
    {
      from[i] = i * 7;
      x[i] = i;
      y[i] = 1.0 / (i + 1);
    }
  walk (N, to, from);
  triads (N, x, y, z);
  print_bits ("to", to, sizeof (to));
  print_bits ("z", z, sizeof (z));
  return 0;
}
