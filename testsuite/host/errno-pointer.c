/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3, -O2 -fno-strict-aliasing
//! stat: errno >= 4
/* A pointer to errno, which nothing in the loop tells from others: errno changes while threads work for the loop.  */
#include "host.h"
#include <errno.h>

static int x[N], y[N];

static KERNEL void
add (int n, const int *error, const int *from, int *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = from[i] + *error;
}

static KERNEL void
mark (int n, int *error, const int *from, int *to)
{
  int i;

  for (i = 0; i < n; i++)
    {
      to[i] += from[i];
      if (from[i] < 0)
	*error = from[i] + *error;
    }
}

int
main (void)
{
  int i, round;

  for (i = 0; i < N; i++)
    x[i] = i % 1000 == 999 ? -i : i;
  errno = 7;
  for (round = 0; round < 4; round++)
    {
      add (N, &errno, x, y);
      printf ("%d %d\n", errno, y[N / 2]);
      mark (N, &errno, x, y);
      printf ("%d %d\n", errno, y[N - 1]);
    }
  print_bits ("y", y, sizeof y);
  return 0;
}
