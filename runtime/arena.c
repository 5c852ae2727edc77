/* SPDX-License-Identifier: MIT
   Memory of the runtime's own: whole pages straight from the kernel.  See arena.h.  */
#include "arena.h"
#include "log.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Round LEN up to whole pages; 0 if that does not fit.  */
static size_t
whole_pages (size_t len)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  return len > SIZE_MAX - page ? 0 : (len + page - 1) / page * page;
}

void *
pg_arena_get (size_t len)
{
  size_t pages = whole_pages (len);
  if (pages == 0)
    return NULL;
  void *block = mmap (NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
  munmap (block, whole_pages (len));
  PG_LOG (MEM, "put %zu bytes at %p", whole_pages (len), block);
}
