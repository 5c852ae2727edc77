/* SPDX-License-Identifier: MIT
   What the sample programs share: deterministic data, and output in which every bit of an array shows.  */
#ifndef PRINT_H
#define PRINT_H

#include <stdio.h>
#include <stdlib.h>

/* A kernel is compiled for any argument, as if in another file.  */
#define KERNEL __attribute__ ((noipa))

static inline unsigned
next_random (unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

/* Print the FNV-1a hash of LEN bytes at DATA.  */
static inline void
print_bits (const char *name, const void *data, size_t len)
{
  const unsigned char *byte = (const unsigned char *) data;
  unsigned long long hash = 14695981039346656037ull;
  size_t i;

  for (i = 0; i < len; i++)
    hash = (hash ^ byte[i]) * 1099511628211ull;
  printf ("%s %016llx\n", name, hash);
}

/* P[0..N-1] is a permutation of 0..N-1.  */
static inline void
fill_permutation (int *p, int n, unsigned seed)
{
  int i;

  for (i = 0; i < n; i++)
    p[i] = i;
  for (i = n - 1; i > 0; i--)
    {
      int j = (int) (next_random (&seed) % (unsigned) (i + 1));
      int t = p[i];
      p[i] = p[j];
      p[j] = t;
    }
}

/* Fill X, Y and WHOLE, LEN elements each.  */
static inline void
fill_numbers (double *x, double *y, int *whole, int len)
{
  int i;

  for (i = 0; i < len; i++)
    {
      x[i] = i % 101 * 0.25;
      y[i] = i % 31 * 0.5;
      whole[i] = i % 77;
    }
}

#endif
