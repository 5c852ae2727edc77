/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* The same loop over arrays on the stack, static, global, on the heap and in a variable-length array, whose address
   the program also takes.  */
#include <string.h>
#include "print.h"

#define N 1200

int global[N];
static int hidden[N];

KERNEL void
on_stack (int n, int *out)
{
  int local[N], i;

  for (i = 0; i < n; i++)
    local[i] = i * i % 1001;
  for (i = 0; i < n; i++)
    global[i] = local[n - 1 - i] + hidden[i];
  for (i = 0; i < n; i++)
    hidden[i] = global[i] - local[i];
  memcpy (out, local, (size_t) n * sizeof *out);
}

KERNEL void
variable_length (int n, int *out)
{
  int local[n], i;

  for (i = 0; i < n; i++)
    local[i] = hidden[i] ^ i;
  for (i = 0; i < n; i++)
    out[i] = local[i] + local[n - 1 - i];
}

int
main (void)
{
  int *heap = malloc (N * sizeof *heap);
  int n;

  if (heap == NULL)
    return 1;
  memset (heap, 0, N * sizeof *heap);
  for (n = N; n > 1; n = n * 2 / 3)
    {
      on_stack (n, heap);
      print_bits ("heap", heap, N * sizeof *heap);
      variable_length (n, heap);
      print_bits ("heap", heap, N * sizeof *heap);
      print_bits ("global", global, sizeof global);
      print_bits ("hidden", hidden, sizeof hidden);
    }
  free (heap);
  return 0;
}
