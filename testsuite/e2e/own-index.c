/* SPDX-License-Identifier: MIT */
//! args: 6000, 0, 1, -1, 700, -700
//! stat: pool >= 1
/* The written array may be the index array, shifted by what the command line says: then a later iteration's address
   depends on an earlier one's write, and what an inspector read beforehand is stale.  Written values stay indexes.  */
#include "print.h"

#define N 1000

KERNEL void
rewrite (int n, const int *index, int *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = (index[i] * 17 + i) % n;
}

static int buffer[8 * N];

int
main (int argc, char **argv)
{
  int shift = argc > 1 ? atoi (argv[1]) : 0;
  int *index = buffer + N;
  int round;

  for (round = 0; round < 4; round++)
    {
      fill_permutation (index, N, (unsigned) round);
      rewrite (N, index, index + shift);
      print_bits ("buffer", buffer, sizeof buffer);
    }
  return 0;
}
