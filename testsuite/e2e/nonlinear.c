/* SPDX-License-Identifier: MIT */
//! steps: auto, L3
//! stat: pool >= 1
/* Addresses computed, but not linearly: squares, exclusive or, quotient and remainder, the site order of a lattice.
   Some are permutations, some meet.  */
#include "print.h"

#define N 4096

KERNEL void
square (unsigned n, unsigned m, unsigned *a)
{
  unsigned i;

  for (i = 0; i < n; i++)
    a[i * i % m] = a[i * i % m] * 3 + i;
}

KERNEL void
swap_bits (unsigned n, unsigned k, const unsigned *a, unsigned *b)
{
  unsigned i;

  for (i = 0; i < n; i++)
    b[i ^ k] = a[i] + i;
}

KERNEL void
transpose (int n, int p, const unsigned *a, unsigned *b)
{
  int i;

  for (i = 0; i < n; i++)
    b[(i % p) * (n / p) + i / p] = a[i];
}

KERNEL void
lattice (int nx, int ny, int nz, unsigned *site)
{
  int x, y, z;

  for (z = 0; z < nz; z++)
    for (y = 0; y < ny; y++)
      for (x = 0; x < nx; x++)
        {
          int i = x + nx * (y + ny * z);
          if ((x + y + z) % 2 == 0)
            site[i / 2] += (unsigned) (x + 10 * y + 100 * z);
          else
            site[(i + nx * ny * nz) / 2] -= (unsigned) i;
        }
}

int
main (void)
{
  static unsigned a[N], b[N];
  int i;

  for (i = 0; i < N; i++)
    a[i] = (unsigned) i * 40503u;
  square (2000, 4093, a);
  print_bits ("square", a, sizeof a);
  swap_bits (N, 0x2a5, a, b);
  print_bits ("xor", b, sizeof b);
  swap_bits (N, 0x2a5, b, b);
  print_bits ("xor in place", b, sizeof b);
  transpose (N, 64, a, b);
  transpose (N, 32, b, a);
  print_bits ("transpose", a, sizeof a);
  lattice (16, 16, 16, a);
  print_bits ("lattice", a, sizeof a);
  return 0;
}
