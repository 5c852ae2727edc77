/* SPDX-License-Identifier: MIT
   Spreading.  See spread.h.

   One block dominates another if no way from the first block leads past it; it is the header of a loop around another
   if it dominates that and a way leads back from there, all through blocks that it dominates.  */
#include "spread.h"
#include "reach.h"

#include <string.h>

enum
{
  MOST_BLOCKS = 1 << 9 /* of a kernel that is looked at: ways are sought from each block anew */
};

/* Is block H the header of a loop around block B, which is another one?  MARKS and STACK have room for all blocks.  */
static bool
is_around (const struct pg_kir_kernel *loop, pg_kir_block_number h, pg_kir_block_number b, uint32_t *marks,
	   uint32_t *stack)
{
  uint32_t *own = stack + loop->n_blocks;
  memset (marks, 0, loop->n_blocks * sizeof *marks);
  marks[h] = true;
  if (h != 0)
    pg_kir_reach (loop, 0, marks, stack);
  if (marks[b])
    return false; /* a way leads past H */
  memcpy (own, marks, loop->n_blocks * sizeof *marks);
  pg_kir_reach (loop, b, marks, stack);
  for (uint32_t from = 0; from < loop->n_blocks; from++)
    if (marks[from] && !own[from] && pg_kir_leads (loop, from, h))
      return true;
  return false;
}

/* How many loops INNER is in, itself among them; 0: no memory.  Whether it holds another one: *HOLDS.  */
static unsigned
find_depth (const struct pg_kir_inner *inner, const struct pg_kir_kernel *loop, bool *holds)
{
  size_t len = 3 * loop->n_blocks * sizeof (uint32_t);
  uint32_t *memory = loop->resize (NULL, 0, len);
  unsigned depth = 1;
  *holds = false;
  if (memory == NULL)
    return 0;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    if (b != inner->header && is_around (loop, b, inner->header, memory, memory + loop->n_blocks))
      depth++;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t h = 0; h < loop->n_blocks && inner->is_in[b] && !*holds; h++)
      *holds = inner->is_in[h] && h != inner->header && pg_kir_leads (loop, b, h)
	       && (b == h || is_around (loop, h, b, memory, memory + loop->n_blocks));
  loop->resize (memory, len, 0);
  return depth;
}

/* May INNER be dealt out, as number SPREAD->n?  */
static bool
can_be_dealt (struct pg_kir_spread *spread, const struct pg_kir_inner *inner, const struct pg_kir_kernel *loop)
{
  bool holds;
  for (unsigned r = 0; r < inner->n_rounds; r++)
    if (inner->rounds[r].is_reduction)
      return false;
  if (!inner->has_stores || inner->has_nexts || spread->n == PG_KIR_MOST_SPREAD)
    return false;
  spread->depths[spread->n] = find_depth (inner, loop, &holds);
  return spread->depths[spread->n] > 0 && !holds;
}

unsigned
pg_kir_spread_of (const struct pg_kir_spread *spread, pg_kir_block_number b)
{
  unsigned s = 0;
  while (s < spread->n && !spread->inners[s].is_in[b])
    s++;
  return s;
}

/* Does something change memory outside of SPREAD's loops?  */
static bool
leaves_changes (const struct pg_kir_spread *spread, const struct pg_kir_kernel *loop)
{
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      if (pg_kir_changes_memory (loop->instrs[loop->blocks[b].code[i]].op) && pg_kir_spread_of (spread, b) == spread->n)
	return true;
  return false;
}

bool
pg_kir_spread_begin (struct pg_kir_spread *spread, const struct pg_kir_kernel *loop, struct pg_kir_error *error)
{
  spread->n = 0;
  if (loop->n_blocks > MOST_BLOCKS)
    return pg_kir_fail (error, "too large");
  for (uint32_t b = 1; b < loop->n_blocks; b++)
    {
      struct pg_kir_inner inner;
      if (!pg_kir_inner_begin (&inner, loop, b, false, error))
	continue;
      if (can_be_dealt (spread, &inner, loop))
	spread->inners[spread->n++] = inner;
      else
	pg_kir_inner_end (&inner, loop);
    }
  const char *why = loop->n_carries > 0             ? "values are carried from iteration to iteration"
		    : spread->n == 0                ? "there is no inner loop to deal out"
		    : leaves_changes (spread, loop) ? "memory is changed outside of what can be dealt out"
						    : NULL;
  if (why == NULL)
    return true;
  pg_kir_spread_end (spread, loop);
  return pg_kir_fail (error, why);
}

void
pg_kir_spread_end (struct pg_kir_spread *spread, const struct pg_kir_kernel *loop)
{
  while (spread->n > 0)
    pg_kir_inner_end (&spread->inners[--spread->n], loop);
}
