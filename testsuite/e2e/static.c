/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -static, -O2 -static-pie, -O2 -static -flto
//! run: threads=2
//! scan: report 1 "function":"mix".*"outlined":true
/* A statically linked program has nobody who could open the runtime library: it links without a word and runs its
   original loops.  */
#include "print.h"

KERNEL void
mix (int n, const int *index, unsigned *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[index[i]] = a[index[i]] * 3 + (unsigned) i;
}

int
main (void)
{
  static unsigned a[1000];
  static int index_of[1000];

  fill_permutation (index_of, 1000, 5);
  mix (1000, index_of, a);
  print_bits ("a", a, sizeof a);
  return 0;
}
