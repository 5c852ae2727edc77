/* SPDX-License-Identifier: MIT */
//! scan: report 1 "depth":1,.*"class":"possibly parallel","reason":"wrap"
//! stat: pool == 0
//! stat: conflicts == 0
/* A number with a sign that is shifted loses bits, which is no overflow: the fourth iteration is where the first one
   was.  */
#include "print.h"

#include <sys/mman.h>

#define M 64

static int heap[M];

KERNEL void
linear (int n, unsigned char *x)
{
  int k;

  for (k = 0; k < n; k++)
    x[k << 30] = x[k << 30] * 3 + k;
}

KERNEL void
alike (int n, int m, unsigned char *x)
{
  int k, i;

  for (k = 0; k < n; k++)
    {
      for (i = 0; i * i < m; i++)
	heap[i * i] = x[(k << 30) + i * i];
      for (i = 0; i * i < m; i++)
	x[(k << 30) + i * i] = heap[i * i] * 3 + k;
    }
}

int
main (void)
{
  size_t half = (size_t) 2 << 30;
  unsigned char *x
    = mmap (NULL, 2 * half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int i;

  if (x == MAP_FAILED)
    return 2;
  x += half;
  for (i = 0; i < 100; i++)
    {
      linear (64, x);
      alike (64, M, x);
    }
  for (i = -2; i < 2; i++)
    print_bits ("x", x + i * (long) (half / 2), M);
  return 0;
}
