/* SPDX-License-Identifier: MIT */
//! opts: -O2 -fno-tree-ch, -O2, -Os
//! stat: pool >= 1
/* Inner loops of no iterations, handed over however short they are.  Nobody may run them: where their variable begins,
   three times of it is no number any more, and the loop is compiled as one that does not begin there.  */
#include "print.h"

#include <limits.h>

#define N 20

static short triples[3 * N + 2];
static double sums[N];

KERNEL void
count_down (int n, int a, int d, short *p)
{
  for (long i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = a; j >= 0; j--)
	p[3 * j + d] = i * j;
      for (long j = a; j >= 0; j--)
	sum += p[3 * j + d] * 3 + p[3 * j + d + 1];
      sums[i] = sum;
    }
}

int
main (void)
{
  const int starts[] = { N - 1, 0, -1, INT_MIN, INT_MIN + 1, -1000000000 };
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
    {
      count_down (N, starts[s], 1, triples);
      print_bits ("triples", triples, sizeof triples);
      print_bits ("sums", sums, sizeof sums);
    }
  return 0;
}
