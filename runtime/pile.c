/* SPDX-License-Identifier: MIT
   Many small blocks.  See pile.h.

   Blocks are cut from chunks one after the other, in sizes of four steps from one power of two to the next.  What is
   put back waits for a block of its size.  Large blocks are the arena's.  */
#include "pile.h"
#include "arena.h"

#include <stdint.h>

enum
{
  CHUNK_LEN = 256 << 10,
  MOST_LEN = CHUNK_LEN / 8,
  LEAST_LEN = 64
};

struct pg_pile_chunk
{
  struct pg_pile_chunk *next;
  _Alignas(LEAST_LEN) char bytes[];
};

/* The size of LEN's class in *LEN; returns the class.  */
static int
round_up (size_t *len)
{
  int power = 6, step = 0;
  while ((size_t) 2 << power <= *len)
    power++;
  size_t base = (size_t) 1 << power;
  while (*len > base + base / 4 * (size_t) step)
    step++;
  *len = base + base / 4 * (size_t) step;
  *len = (*len + LEAST_LEN - 1) / LEAST_LEN * LEAST_LEN;
  return (power - 6) * 4 + step;
}

void *
pg_pile_get (struct pg_pile *pile, size_t len)
{
  if (len > MOST_LEN)
    return pg_arena_get (len);
  int class = round_up (&len);
  void **block = pile->free[class];
  if (block != NULL)
    {
      pile->free[class] = *block;
      return block;
    }
  size_t room = CHUNK_LEN - offsetof (struct pg_pile_chunk, bytes);
  if (pile->chunks == NULL || room - pile->used < len)
    {
      struct pg_pile_chunk *chunk = pg_arena_get (CHUNK_LEN);
      if (chunk == NULL)
	return NULL;
      chunk->next = pile->chunks;
      pile->chunks = chunk;
      pile->used = 0;
    }
  pile->used += len;
  return pile->chunks->bytes + pile->used - len;
}

void
pg_pile_put (struct pg_pile *pile, void *block, size_t len)
{
  if (len > MOST_LEN)
    {
      pg_arena_put (block, len);
      return;
    }
  if (block == NULL)
    return;
  int class = round_up (&len);
  *(void **) block = pile->free[class];
  pile->free[class] = block;
}

void
pg_pile_free (struct pg_pile *pile)
{
  while (pile->chunks != NULL)
    {
      struct pg_pile_chunk *next = pile->chunks->next;
      pg_arena_put (pile->chunks, CHUNK_LEN);
      pile->chunks = next;
    }
  *pile = (struct pg_pile) { .chunks = NULL };
}
