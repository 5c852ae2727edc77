/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Bit-fields behind an array whose length is known when the program runs: where their storage unit lies cannot be
   named, so that loop stays; the one behind it goes.  */
#include "print.h"

#define N 300

KERNEL int
scale (int n, int *sums)
{
  struct element
  {
    char bytes[n];
    int a : 3, b : 17, c : 12;
  };
  struct element elements[N];
  int i;

  for (i = 0; i < N; i++)
    {
      elements[i].a = 1;
      elements[i].b = i;
    }
  __asm__ volatile("" : : "g"(elements) : "memory");
  for (i = 0; i < N; i++)
    elements[i].b = 5 * elements[i].b;
  __asm__ volatile("" : : "g"(elements) : "memory");
  for (i = 0; i < N; i++)
    sums[i] = 3 * sums[i] + i;
  return elements[N - 1].b + elements[N / 2].a;
}

int
main (void)
{
  static int sums[N];

  printf ("%d\n", scale (1, sums));
  printf ("%d\n", scale (8, sums));
  print_bits ("sums", sums, sizeof (sums));
  return 0;
}
