/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fno-plt, -O2 -fPIE -pie -Wl,-z,now
//! run: threads=2
//! stat: pool >= 1
/* The program has a malloc of its own, with a loop that is handed over.  Its first entry may come from the dynamic
   linker while this opens the library, later ones from the library while it starts threads: these run the original.  */
#include "host.h"
#include <stddef.h>

enum
{
  ROOM = 1 << 24
};

static _Alignas (64) char room[ROOM];
static size_t taken;

/* No memset is made of this loop.  */
static KERNEL void
poison (size_t len, unsigned char *bytes)
{
  size_t i;

  for (i = 0; i < len; i++)
    bytes[i] = (unsigned char) (i * 7 + 1);
}

void *
malloc (size_t len)
{
  size_t at = __atomic_fetch_add (&taken, (len + 63) / 64 * 64, __ATOMIC_RELAXED);

  if (len > ROOM || at > ROOM - len)
    return NULL;
  poison (len, (unsigned char *) room + at);
  return room + at;
}

void *
calloc (size_t n, size_t len)
{
  char *bytes = malloc (n * len);
  size_t i;

  for (i = 0; bytes && i < n * len; i++)
    bytes[i] = 0;
  return bytes;
}

void *
realloc (void *old, size_t len)
{
  char *bytes = malloc (len);
  size_t i;

  for (i = 0; old && bytes && i < len; i++)
    bytes[i] = ((char *) old)[i];
  return bytes;
}

void
free (void *bytes)
{
  (void) bytes;
}

int
main (void)
{
  static struct data d;
  unsigned char *bytes;

  prepare (&d, 3);
  printf ("%x\n", work (&d));
  bytes = malloc (20000);
  print_bits ("bytes", bytes, 20000);
  return 0;
}
