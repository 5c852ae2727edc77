/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
//! scan: report 1 "function":"whole",.*"form":"work-array"
//! scan: report 1 "function":"part","depth":1,.*"reason":"fixed-address"
/* A bit-field is stored with its neighbours: these stay what they were before the loop, and iterations read them.  An
   array of which only bit-fields are written is no work array.  */
#include "print.h"

#define N 300
#define M 40

struct bits
{
  unsigned low : 8, high : 24;
};

KERNEL void
part (int n, int m, struct bits *t, unsigned *to)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < m; k++)
	t[k].low = i + k;
      for (k = 0; k < m; k++)
	to[i * m + k] = t[k].low + t[k].high;
    }
}

KERNEL void
whole (int n, int m, unsigned *t, unsigned *to)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      for (k = 0; k < m; k++)
	t[k] = i + k;
      for (k = 0; k < m; k++)
	to[i * m + k] = t[k] * 3;
    }
}

int
main (void)
{
  static struct bits t[M];
  static unsigned to[N * M], all[M];
  int k;

  for (k = 0; k < M; k++)
    t[k].high = 77 * k;
  part (N, M, t, to);
  print_bits ("part", to, sizeof to);
  print_bits ("bits", t, sizeof t);
  whole (N, M, all, to);
  print_bits ("whole", to, sizeof to);
  print_bits ("all", all, sizeof all);
  return 0;
}
