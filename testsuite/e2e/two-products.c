/* SPDX-License-Identifier: MIT */
//! opts: -O3 -mfma, -O3 -march=native, -O3 -march=native -mprefer-vector-width=512
//! opts: -O3 -march=native -ffp-contract=off -fno-toplevel-reorder, -O3 -mfma -ffp-contract=off -fno-toplevel-reorder
//! stat: pool >= 1
/* Which one of two products is fused with their sum depends on the order in which the compiler has them: in copies of
   iterations on the names of values, in vectors on masks.  And what is said of fused sums does not hold for vectors in
   which sums and differences take turns.  */
#include "print.h"

#define N 1003

static double a[2 * N], b[2 * N], c[2 * N], d[2 * N], few[N];
static int at[N];

/* A loop that is all of its function, and copied as a whole.  */
KERNEL void
unrolled (void)
{
  for (int i = 0; i < 5; i++)
    {
      double gathered = b[at[i]] * b[i + 8];

      few[i + 8] = c[i + 6] * c[i + 7] + gathered * a[i + 8];
    }
}

/* With AVX-512, vectors have masks, and what they compute has lost its place in the source.  */
KERNEL void
masked (int n)
{
  for (int i = 0; i < n; i++)
    if (i & 1)
      d[i] = a[i] * b[i] - c[i] * a[i + 1];
}

KERNEL void
in_turn (int n, double t)
{
  for (int i = 0; i < n; i++)
    {
      d[2 * i] = a[2 * i] * b[2 * i] - c[2 * i];
      d[2 * i + 1] = a[2 * i + 1] * t + c[2 * i + 1];
    }
}

int
main (void)
{
  int i;

  for (i = 0; i < 2 * N; i++)
    {
      a[i] = 1 / (i + 1.7);
      b[i] = i * .37 + .1;
      c[i] = 1 / (i + 3.3);
    }
  for (i = 0; i < N; i++)
    at[i] = i * 7 % 40;
  unrolled ();
  print_bits ("unrolled", few, sizeof few);
  masked (N);
  print_bits ("masked", d, sizeof d);
  in_turn (N, .7310585786);
  print_bits ("in turn", d, sizeof d);
  return 0;
}
