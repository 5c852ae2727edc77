/* SPDX-License-Identifier: MIT */
//! stat: pool >= 15
/* Loops that count in steps of a length that is known on entry only: up and down, to an end that is included or not,
   that is hit or passed, at once or near the largest number; and steps that lead away from an end that was passed
   before.  */
#include "print.h"

#define N 4000

KERNEL int
up (int from, int to, int step, int *out)
{
  int i;

  for (i = from; i < to; i += step)
    out[i] += i * 3;
  return i;
}

KERNEL int
up_to (int from, int to, int step, int *out)
{
  int i;

  for (i = from; i <= to; i += step)
    out[i] ^= i;
  return i;
}

KERNEL int
down (int from, int to, int step, int *out)
{
  int i;

  for (i = from; i > to; i -= step)
    out[i] -= i;
  return i;
}

KERNEL int
down_to (int from, int to, int step, int *out)
{
  int i;

  for (i = from; to <= i; i += step)
    out[i] += out[i] >> 3;
  return i;
}

/* The body comes first.  */
KERNEL int
body_first (int from, int to, int step, int *out)
{
  int i = from;

  do
    {
      out[i] += 7;
      i += step;
    }
  while (i < to);
  return i;
}

KERNEL int
two_counters (int n, int step, int stride, int *out, const int *in)
{
  int i, k = 0;

  for (i = step - 1; i < n; i += step)
    {
      k += stride;
      out[i] += in[n - k];
    }
  return k;
}

KERNEL int
shorts (short n, short step, int *out)
{
  short i;
  int k = 0;

  for (i = 0; i < n; i += step)
    out[k++] = i;
  return k;
}

KERNEL int
wide (int from, int to, int step, int *out)
{
  int i, k = 0;

  for (i = from; i < to; i += step)
    out[k++] = i;
  return k;
}

int
main (void)
{
  static int w[N], v[N];
  int i;

  for (i = 0; i < N; i++)
    v[i] = i * 7 % 1001;
  printf ("%d %d %d %d\n", up (0, N, 1, w), up (3, N, 7, w), up (5, 5, 3, w), up (N - 1, N, 2000000, w));
  printf ("%d %d %d\n", up (9, 3, -1, w), up (9, 9, 0, w), up (-5, -9, -2, w));
  printf ("%d %d %d\n", up_to (0, N - 1, 1, w), up_to (1, N - 1, 2, w), up_to (4, 4, 5, w));
  printf ("%d %d %d\n", down (N - 1, -1, 1, w), down (N - 1, 0, 13, w), down (4, 7, 5, w));
  printf ("%d %d\n", down_to (N - 1, 0, -1, w), down_to (N - 2, 1, -3, w));
  printf ("%d %d %d\n", body_first (0, N, 3, w), body_first (7, 7, 1, w), body_first (20, 10, -1, w));
  printf ("%d %d\n", two_counters (N, 1, 1, w, v), two_counters (N, 3, 2, w, v));
  printf ("%d %d\n", shorts (3000, 1, w), shorts (32000, 17, w));
  printf ("%d\n", wide (-2000000000, 2000000000, 1000003, w));
  printf ("%d\n", wide (2147480000, 2147483646, 1, w));
  print_bits ("w", w, sizeof w);
  return 0;
}
