/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! steps: auto, L3
//! stat: pool >= 1
//! scan: remarks 1 "restrict\.c:[0-9]+:[0-9]+: optimized: paragon: loop is possibly parallel \(pointers"
/* The restrict of an inlined function holds for one call, that is for one iteration of the loop that it was inlined
   into: the next iteration may read what this one wrote.  That of the function's own parameters holds for the whole
   loop.  */
#include "print.h"

static inline void
step (double *restrict to, const double *restrict from)
{
  *to = *from * 0.5 + 1;
}

KERNEL void
inlined (int n, double *to, const double *from)
{
  int i;

  for (i = 0; i < n; i++)
    step (to + i, from + i);
}

KERNEL void
whole (int n, double *restrict to, const double *restrict from)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = from[i] * 0.5 + 1;
}

int
main (void)
{
  static double data[6001];
  int i;

  for (i = 0; i < 6001; i++)
    data[i] = i % 71;
  inlined (6000, data + 1, data);
  print_bits ("carried", data, sizeof data);
  inlined (3000, data + 3001, data);
  print_bits ("apart", data, sizeof data);
  whole (3000, data, data + 3000);
  print_bits ("whole", data, sizeof data);
  return 0;
}
