/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Writes under a condition: elements that the condition skips keep their value, and a store must not appear where the
   program has none (the array's last page may be read-only).  */
#include <sys/mman.h>
#include <unistd.h>
#include "print.h"

KERNEL void
clamp (int n, const int *limit, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > limit[i])
      a[i] = limit[i];
}

KERNEL void
choose (int n, const int *key, int *a, int *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (key[i] & 1)
        a[i] = key[i];
      else
        b[i] += key[i];
      if (key[i] % 5 == 0)
        a[i] -= b[i];
    }
}

int
main (void)
{
  long page = sysconf (_SC_PAGESIZE);
  int n = (int) (2 * page / (long) sizeof (int)), i;
  int *a = mmap (NULL, (size_t) (2 * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int *limit = malloc ((size_t) n * sizeof *limit);
  int *b = calloc ((size_t) n, sizeof *b);
  unsigned seed = 8;

  if (a == MAP_FAILED || limit == NULL || b == NULL)
    return 1;
  for (i = 0; i < n; i++)
    {
      a[i] = (int) (next_random (&seed) % 1000);
      limit[i] = i < n / 2 ? 500 : 1000;
    }
  choose (n, limit, a, b);
  print_bits ("a", a, (size_t) n * sizeof *a);
  print_bits ("b", b, (size_t) n * sizeof *b);
  for (i = n / 2; i < n; i++)
    a[i] %= 1000;
  if (mprotect ((char *) a + page, (size_t) page, PROT_READ) != 0)
    return 1;
  clamp (n, limit, a);
  print_bits ("a", a, (size_t) n * sizeof *a);
  free (limit);
  free (b);
  return 0;
}
