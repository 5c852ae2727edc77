/* SPDX-License-Identifier: MIT
   Memory of the runtime's own: whole pages straight from the kernel.  See arena.h.

   Scratch of a few pages comes and goes with each small inspection, and to map and unmap it takes as long as the rest:
   the block that was put back last is kept for the next that wants as much.  */
#include "arena.h"
#include "log.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
  SPARE_LEN = 64 << 10 /* the most to be kept */
};

/* The block that is kept, or NULL: its length comes first in it.  Whoever takes it out has it.  */
static _Atomic (size_t *) spare;

/* Round LEN up to whole pages; 0 if that does not fit.  */
static size_t
whole_pages (size_t len)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  return len > SIZE_MAX - page ? 0 : (len + page - 1) / page * page;
}

/* Keep BLOCK of LEN bytes in place of the one that is kept.  */
static void
keep (size_t *block, size_t len)
{
  *block = len;
  size_t *old = atomic_exchange (&spare, block);
  if (old != NULL)
    munmap (old, *old);
}

/* The block that is kept, zeroed, if it is one of LEN bytes.  */
static void *
reuse (size_t len)
{
  size_t *block = atomic_exchange (&spare, NULL);
  if (block == NULL)
    return NULL;
  if (*block == len)
    return memset (block, 0, len);
  keep (block, *block);
  return NULL;
}

void *
pg_arena_get (size_t len)
{
  size_t pages = whole_pages (len);
  if (pages == 0)
    return NULL;
  void *block = pages <= SPARE_LEN ? reuse (pages) : NULL;
  if (block == NULL)
    block = mmap (NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    {
      PG_LOG (MEM, "no memory for %zu bytes", pages);
      return NULL;
    }
  PG_LOG (MEM, "got %zu bytes at %p", pages, block);
  return block;
}

void
pg_arena_put (void *block, size_t len)
{
  if (block == NULL)
    return;
  if (whole_pages (len) <= SPARE_LEN)
    keep (block, whole_pages (len));
  else
    munmap (block, whole_pages (len));
  PG_LOG (MEM, "put %zu bytes at %p", whole_pages (len), block);
}
