/* SPDX-License-Identifier: MIT */
//! device: memory|ran
//! scan: report 1 "depth":1,.*"class":"possibly parallel","reason":"wrap"
//! stat: pool == 0
/* A number with a sign that is shifted loses bits, which is no overflow: the fourth iteration is where the first one
   was.  And where it is computed without a sign, on one of two ways, it may go around.  */
#include "print.h"

#include <limits.h>
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

KERNEL void
around (int n, int first, const unsigned char *way, unsigned char *x, const unsigned char *from, unsigned char *seen)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      int at = first + i;
      if (way[i])
	{
	  k = at + M / 2;
	  seen[i] = 1;
	}
      else
	{
	  k = (int) ((unsigned) at + M / 2);
	  seen[i] = 2;
	}
      x[k] = from[i] + 1;
    }
}

int
main (void)
{
  static unsigned char way[M], seen[M];
  size_t half = (size_t) 2 << 30;
  unsigned char *x
    = mmap (NULL, 2 * half + 2 * M, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int i;

  if (x == MAP_FAILED)
    return 2;
  x += half + M;
  for (i = 0; i < 100; i++)
    {
      linear (64, x);
      alike (64, M, x);
      around (M, INT_MAX - M, way, x, x + INT_MIN - (M - 4), seen);
    }
  for (i = -2; i < 2; i++)
    print_bits ("x", x + i * (long) (half / 2), M);
  print_bits ("end", x + INT_MAX - M / 2, M / 2 + 1);
  print_bits ("begin", x + INT_MIN - M, 2 * M);
  return 0;
}
