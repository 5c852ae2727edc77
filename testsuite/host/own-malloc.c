/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fno-plt, -O2 -fPIE -pie -Wl,-z,now
//! run: threads=2
//! sources: parts/own-malloc.c
//! stat: pool >= 1
/* The program has a malloc of its own, which calls a loop that is handed over.  Its first entry may come from the
   dynamic linker while this opens the library, later ones from the library while it starts threads: these run the
   original.  */
#include "host.h"
#include <stddef.h>
#include <stdlib.h>

/* No memset is made of this loop.  */
void
poison (size_t len, unsigned char *bytes)
{
  size_t i;

  for (i = 0; i < len; i++)
    bytes[i] = (unsigned char) (i * 7 + 1);
}

int
main (void)
{
  static struct data d;
  unsigned char *bytes = malloc (100);

  print_bits ("bytes", bytes, 100);
  prepare (&d, 3);
  printf ("%x\n", work (&d));
  bytes = malloc (20000);
  print_bits ("bytes", bytes, 20000);
  return 0;
}
