/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Bodies with switch, continue, goto, short-circuit conditions and an inner loop with a break.  */
#include "print.h"

#define N 2000

KERNEL void
interpret (int n, const unsigned char *op, const int *in, int *out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      int v = in[i];
      switch (op[i] % 7)
        {
        case 0:
          v = -v;
          break;
        case 1:
          v *= 3;
          /* Falls through.  */
        case 2:
          v += 7;
          break;
        case 3:
          continue;
        case 4:
          if (v > 500 && in[i + 1] < v)
            goto skip;
          v ^= 0x55;
          break;
        default:
          v = v / (op[i] + 1) + v % (op[i] + 3);
        }
      out[i] = v;
    skip:;
    }
}

KERNEL void
first_divisor (int n, const int *in, int *out)
{
  int i, d;

  for (i = 0; i < n; i++)
    {
      for (d = 2; d < 40; d++)
        if (in[i] % d == 0)
          break;
      out[i] = d;
    }
}

int
main (void)
{
  static unsigned char op[N];
  static int in[N + 1], out[N];
  unsigned seed = 6;
  int i;

  for (i = 0; i < N; i++)
    {
      op[i] = (unsigned char) next_random (&seed);
      in[i] = (int) (next_random (&seed) % 1000);
    }
  interpret (N, op, in, out);
  print_bits ("interpret", out, sizeof out);
  first_divisor (N, in, out);
  print_bits ("divisor", out, sizeof out);
  interpret (N, op, out, in);
  print_bits ("again", in, sizeof in);
  return 0;
}
