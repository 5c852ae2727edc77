/* SPDX-License-Identifier: MIT
   Many small blocks of the runtime's own memory, without a system call for each.  */
#ifndef PG_PILE_H
#define PG_PILE_H

#include <stddef.h>

enum
{
  PG_PILE_CLASSES = 64
};

/* All zero: empty.  One thread at a time.  */
struct pg_pile
{
  struct pg_pile_chunk *chunks; /* the latest first */
  size_t used;                  /* bytes of it */
  void *free[PG_PILE_CLASSES];  /* blocks that were put back, by size; each begins with the next */
};

/* Give LEN bytes, aligned for any object, with any contents; NULL: no memory.  */
void *pg_pile_get (struct pg_pile *pile, size_t len);

/* Take back BLOCK of LEN bytes; NULL is allowed.  */
void pg_pile_put (struct pg_pile *pile, void *block, size_t len);

/* Take back all of PILE's blocks.  */
void pg_pile_free (struct pg_pile *pile);

#endif
