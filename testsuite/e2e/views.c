/* SPDX-License-Identifier: MIT */
//! flags: -fno-strict-aliasing
//! steps: auto, L1, L3
//! stat: entries >= 1
/* One buffer seen as bytes, shorts and ints, at aligned and odd addresses: elements of different sizes meet, so a check
   that compares addresses for equality is not enough.  */
#include <string.h>
#include "print.h"

#define N 4096

struct __attribute__ ((packed)) loose
{
  unsigned word;
};

KERNEL void
widen (int n, const unsigned char *bytes, unsigned *words)
{
  int i;

  for (i = 0; i < n; i++)
    words[i] = bytes[i] * 257u + 1;
}

KERNEL void
narrow (int n, const unsigned *words, unsigned char *bytes)
{
  int i;

  for (i = 0; i < n; i++)
    bytes[i] = (unsigned char) (words[i] >> 3);
}

KERNEL void
scatter_loose (int n, const int *offset, unsigned char *bytes)
{
  int i;

  for (i = 0; i < n; i++)
    ((struct loose *) (bytes + offset[i]))->word += (unsigned) i * 0x01010101u;
}

KERNEL void
halves (int n, const unsigned short *from, unsigned *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = to[i] * 3 + from[2 * i + 1];
}

int
main (void)
{
  static unsigned buffer[N];
  static int offset[500];
  unsigned char *bytes = (unsigned char *) buffer;
  int i;

  for (i = 0; i < N; i++)
    buffer[i] = (unsigned) i * 2654435761u;
  widen (1000, bytes + 8001, buffer);
  print_bits ("disjoint", buffer, sizeof buffer);
  widen (1000, bytes, buffer);
  print_bits ("same start", buffer, sizeof buffer);
  widen (1000, bytes + 999 * 4, buffer);
  print_bits ("late meeting", buffer, sizeof buffer);
  narrow (1000, buffer, bytes);
  narrow (1000, buffer, bytes + 3);
  print_bits ("narrow", buffer, sizeof buffer);
  halves (N / 2, (unsigned short *) buffer, buffer);
  print_bits ("halves", buffer, sizeof buffer);
  for (i = 0; i < 500; i++)
    offset[i] = i * 5;
  scatter_loose (500, offset, bytes + 1);
  print_bits ("loose", buffer, sizeof buffer);
  offset[300] = offset[20] + 3;
  offset[450] = offset[449] - 2;
  scatter_loose (500, offset, bytes + 1);
  print_bits ("loose, meeting", buffer, sizeof buffer);
  return 0;
}
