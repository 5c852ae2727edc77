/* SPDX-License-Identifier: MIT */
//! run: threads=2,4
//! stat: pool == 4
//! stat: entries >= 8
//! scan: report 3 "outlined":true
/* Counters that go around, where the output lies on the input: by its ends alone, nothing has been added, or less than
   nothing, so that nothing seems to be stored.  */
#include "print.h"

#define N 3000

static int data[N + 8], folded[N];

/* Where COUNT passes 2^32, it ends below where it began; the places go on.  */
KERNEL unsigned
pack (int n, int *out, const int *in, unsigned count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] & 1)
      out[count++ + 500u] = in[i];
  return count;
}

/* COUNT goes around again and again.  */
KERNEL unsigned
pack_bytes (int n, int *out, const int *in, unsigned char count)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] & 1)
      out[count++] = in[i] * 5;
  return count;
}

/* Nothing is counted here.  */
KERNEL void
fold (int n, int *out, const int *in)
{
  int i;

  for (i = 0; i < n; i++)
    out[i] = in[i] ^ in[i] >> 3;
}

int
main (void)
{
  unsigned seed = 7;
  int i, d;

  for (d = 0; d < 4; d++)
    {
      for (i = 0; i < N + 8; i++)
	data[i] = (int) (next_random (&seed) >> 3) | (d & 1);
      printf ("%u\n", pack (N, data + d, data + 4, -500u));
      print_bits ("around", data, sizeof data);
      printf ("%u\n", pack_bytes (N, data + d, data + 4, 3));
      print_bits ("bytes", data, sizeof data);
      fold (N, folded, data);
      print_bits ("folded", folded, sizeof folded);
    }
  return 0;
}
