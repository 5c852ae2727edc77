/* SPDX-License-Identifier: MIT */
//! opts: full
//! steps: auto, L1, L3, L5
//! stat: pool >= 1
/* y += a x through pointers: only the numbers of an entry tell whether x and y overlap, and how.  Disjoint runs in
   parallel; y one or more elements ahead of x carries a value from iteration to iteration; behind it reads must come
   before writes.  */
#include "print.h"

KERNEL void
saxpy (int n, double a, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += a * x[i];
}

KERNEL void
copy (int n, const double *x, double *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i] * 0.5 + 1.0;
}

static double data[12600];

int
main (void)
{
  static const int offsets[] = { 4000, 0, 1, -1, 2, 31, -31, 1000, 3999, -3999 };
  unsigned seed = 1;
  int i, k;

  for (i = 0; i < 12600; i++)
    data[i] = (double) (next_random (&seed) % 1000) / 7;
  for (k = 0; k < 10; k++)
    {
      saxpy (4000, 0.25, data + 4500, data + 4500 + (offsets[k] < 4000 ? offsets[k] : -4200));
      print_bits ("saxpy", data, sizeof data);
      copy (4000, data + 4500, data + 4500 + (offsets[k] < 4000 ? offsets[k] : -4200));
      print_bits ("copy", data, sizeof data);
    }
  return 0;
}
