/* SPDX-License-Identifier: MIT */
//! device: conflict
//! stat: entries >= 1
/* Few buckets, so nearly every iteration meets another: found to conflict, and left in order.  The update does not
   commute.  */
#include "print.h"

#define N 5000

KERNEL void
mix (int n, const unsigned char *key, unsigned *bucket)
{
  int i;

  for (i = 0; i < n; i++)
    bucket[key[i]] = bucket[key[i]] * 31 + (unsigned) i;
}

int
main (void)
{
  static unsigned char key[N];
  static unsigned bucket[256];
  unsigned seed = 9;
  int i;

  for (i = 0; i < N; i++)
    key[i] = (unsigned char) next_random (&seed);
  for (i = 0; i < 5; i++)
    {
      mix (N, key, bucket);
      print_bits ("bucket", bucket, sizeof bucket);
    }
  return 0;
}
