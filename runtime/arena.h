/* SPDX-License-Identifier: MIT
   Memory of the runtime's own: whole pages straight from the kernel.

   Entries may come from a signal handler or beside a thread that holds malloc's lock, so nothing on an entry's path
   may call malloc.  Blocks are few and long-lived: a region keeps what it got and grows it by replacing it.  */
#ifndef PARAGON_ARENA_H
#define PARAGON_ARENA_H

#include <stddef.h>

/* Give LEN bytes, zeroed and page-aligned, or NULL.  Ownership: the caller's, until pg_arena_put with the same LEN.  */
void *pg_arena_get (size_t len);

/* Take back BLOCK of LEN bytes; NULL is allowed.  */
void pg_arena_put (void *block, size_t len);

#endif
