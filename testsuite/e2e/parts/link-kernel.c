/* SPDX-License-Identifier: MIT
   The second file of linking.c: regions, and the stub that finds the runtime, in two objects of one program.  */

void second_kernel (int n, const int *index, unsigned *a);

static unsigned table[512];

void
second_kernel (int n, const int *index, unsigned *a)
{
  int i;

  for (i = 0; i < 512; i++)
    table[i] = table[i] * 5 + (unsigned) i;
  for (i = 0; i < n; i++)
    a[index[i]] += table[i & 511];
}
