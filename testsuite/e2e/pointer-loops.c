/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Loops of the old school: pointers that walk, an end pointer, two speeds, strides of a struct.  */
#include "print.h"

#define N 1800

struct cell
{
  char tag;
  float value;
  short count;
};

KERNEL void
add (const float *a, const float *b, float *c, const float *end)
{
  while (a < end)
    *c++ = *a++ + *b++;
}

KERNEL void
every_other (const float *p, const float *end, float *q)
{
  for (; p < end; p += 2)
    *q++ = p[0] - p[1];
}

KERNEL void
reverse_copy (const float *p, float *q, int n)
{
  q += n;
  while (n-- > 0)
    *--q = *p++;
}

KERNEL void
count (struct cell *cell, struct cell *end)
{
  for (; cell != end; cell++)
    if (cell->tag == 'x')
      {
        cell->count++;
        cell->value *= 1.5f;
      }
}

int
main (void)
{
  static float a[N], b[N], c[N];
  static struct cell cells[N];
  int i;

  for (i = 0; i < N; i++)
    {
      a[i] = (float) (i % 83);
      b[i] = 1.0f / (float) (i + 1);
      cells[i].tag = "axbx"[i % 4];
      cells[i].value = b[i];
    }
  add (a, b, c, a + N);
  print_bits ("add", c, sizeof c);
  add (a, a + 1, a + 2, a + N - 2);
  print_bits ("overlapping", a, sizeof a);
  every_other (a, a + N, b);
  print_bits ("every other", b, sizeof b);
  reverse_copy (b, c, N);
  print_bits ("reverse", c, sizeof c);
  reverse_copy (c, c, N);
  print_bits ("in place", c, sizeof c);
  count (cells, cells + N);
  for (i = 0; i < N; i += 171)
    printf ("%c %a %d\n", cells[i].tag, (double) cells[i].value, cells[i].count);
  return 0;
}
