/* SPDX-License-Identifier: MIT */
//! sources: parts/link-kernel.c
//! opts: -O2, -O2 -flto, -O2 -no-pie, -O2 -fpie -pie, -O2 -fno-plt, -O2 -mcmodel=large, -O2 -fopenmp
//! opts: -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections, -O2 -g3 -flto -fno-fat-lto-objects
//! opts: -O2 -fno-toplevel-reorder, -O2 -Wl,-z,now, -O2 -fvisibility=hidden, -O2 -s
//! run: threads=2
//! stat: entries >= 1
/* Two objects with regions, linked in all the ways that change where code, data and the stub may be.  */
#include "print.h"

void second_kernel (int n, const int *index, unsigned *a);

int
main (void)
{
  static unsigned a[1000];
  static int index_of[1000];
  int i;

  fill_permutation (index_of, 1000, 5);
  for (i = 0; i < 1000; i++)
    a[i] = (unsigned) i * 3;
  second_kernel (1000, index_of, a);
  print_bits ("a", a, sizeof a);
  return 0;
}
