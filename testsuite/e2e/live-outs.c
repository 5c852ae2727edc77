/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
//! no-stat: -Os
/* Values of the last iteration that are used after the loop: the index, a pointer, a temporary, one that is assigned
   under a condition.  */
#include "print.h"

#define N 2500

KERNEL void
last_values (int n, const int *a, int *b, long *out)
{
  const int *p = a;
  int i, last = -1, seen = -1;

  for (i = 0; i < n; i++)
    {
      last = *p++ * 2;
      b[i] = last + 1;
    }
  out[0] = i;
  out[1] = p - a;
  out[2] = last;
  for (i = 3; i < n; i += 4)
    {
      b[i] = a[i] * 5;
      last = b[i] - a[n - 1];
    }
  out[3] = i;
  out[4] = last;
  for (i = 0; i < n; i++)
    {
      b[i] ^= 3;
      if (a[i] > 900)
        seen = i;
    }
  out[5] = seen;
}

int
main (void)
{
  static int a[N], b[N];
  long out[6];
  unsigned seed = 2;
  int i, n;

  for (i = 0; i < N; i++)
    a[i] = (int) (next_random (&seed) % 1000);
  for (n = N; n >= 0; n -= 417)
    {
      last_values (n, a, b, out);
      print_bits ("b", b, sizeof b);
      for (i = 0; i < 6; i++)
        printf ("%ld ", out[i]);
      printf ("\n");
    }
  return 0;
}
