/* SPDX-License-Identifier: MIT */
//! args: 1, 31, 1000, 5999
//! steps: auto, L2, L3, L5
//! inject: none, every:7, at:3, random:11
//! stat: entries >= 1
//! stat-inject: conflicts >= 1
/* One conflict planted in the index array at the distance that the command line names, early and late: the answer
   depends on the order of the two iterations.  */
#include "print.h"

#define N 6000

KERNEL void
relax (int n, const int *index, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = 3 * y[index[i]] + x[i];
}

static int index_of[N];
static unsigned x[N], y[N];

int
main (int argc, char **argv)
{
  int distance = argc > 1 ? atoi (argv[1]) : 1;
  int i, round;

  for (i = 0; i < N; i++)
    x[i] = (unsigned) i * 2654435761u;
  for (round = 0; round < 4; round++)
    {
      fill_permutation (index_of, N, 5);
      i = (N - 1 - distance) * round / 3;
      index_of[i + distance] = index_of[i];
      relax (N, index_of, x, y);
      relax (N, index_of, x, y);
      print_bits ("y", y, sizeof y);
    }
  return 0;
}
