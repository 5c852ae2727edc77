/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -fno-builtin -fno-tree-loop-distribute-patterns
//! run: threads=1,2
//! stat: pool >= 4
/* The program has a memcpy and its like of its own, whose loops are handed over.  The library calls them, too: while
   it makes ready for a loop's first entry, and within entries; there they run as they were written.  */
#include "host.h"
#include <stddef.h>

void *
memcpy (void *restrict to, const void *restrict from, size_t len)
{
  char *bytes = to;
  const char *old = from;
  size_t i;

  for (i = 0; i < len; i++)
    bytes[i] = old[i];
  return to;
}

void *
memmove (void *to, const void *from, size_t len)
{
  char *bytes = to;
  const char *old = from;
  size_t i;

  if (bytes < old)
    for (i = 0; i < len; i++)
      bytes[i] = old[i];
  else
    for (i = len; i > 0; i--)
      bytes[i - 1] = old[i - 1];
  return to;
}

void *
memset (void *to, int value, size_t len)
{
  char *bytes = to;
  size_t i;

  for (i = 0; i < len; i++)
    bytes[i] = (char) value;
  return to;
}

char *
strcpy (char *to, const char *from)
{
  size_t len = 0, i;

  while (from[len])
    len++;
  for (i = 0; i <= len; i++)
    to[i] = from[i];
  return to;
}

int
main (void)
{
  static struct data d;
  static unsigned copy[N];

  prepare (&d, 3);
  printf ("%x\n", work (&d));
  memcpy (copy, d.x, sizeof copy);
  memmove (copy + 1, copy, 2000 * sizeof *copy);
  memset (copy + 3000, 5, 500 * sizeof *copy);
  print_bits ("copy", copy, sizeof copy);
  printf ("%x\n", work (&d));
  return 0;
}
