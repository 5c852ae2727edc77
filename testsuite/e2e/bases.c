/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fPIC, -O3, -Os
//! stat: pool >= 1
/* The compiler keeps few counters, and makes addresses in one array from counters in two others.  Such an address must
   not be taken for one in an array that it is only made from: the load of b[j][i] would leave the loop that stores to
   it.  */
#include "print.h"

#define N 33

double a[N][N], b[N][N], c[N][N], x[N], z[N];

KERNEL void
update (int n)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
	{
	  z[i] = a[k][i] + a[k][i] * x[i] - c[k][i] * a[k][j] * x[i];
	  b[j][k] += b[j][i] * c[i][k];
	}
}

/* Large enough for the pool.  */
KERNEL void
scale (double *restrict u, const double *restrict v, int n)
{
  for (int i = 0; i < n; i++)
    u[i] = v[i] * 3 + 1;
}

static double u[100000], v[100000];

int
main (void)
{
  unsigned seed = 57;
  double *const arrays[] = { &a[0][0], &b[0][0], &c[0][0], x, z };

  for (int k = 0; k < 5; k++)
    for (int i = 0; i < (k < 3 ? N * N : N); i++)
      arrays[k][i] = ((int) next_random (&seed) % 2001 - 1000) / 977.0;
  update (N - 1);
  update (N - 1);
  print_bits ("b", b, sizeof b);
  print_bits ("z", z, sizeof z);
  for (int i = 0; i < 100000; i++)
    v[i] = i % 13;
  scale (u, v, 100000);
  print_bits ("u", u, sizeof u);
  return 0;
}
