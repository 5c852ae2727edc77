/* SPDX-License-Identifier: MIT
   Nests.  See nest.h.  */
#include "nest.h"
#include "inner.h"
#include "map.h"
#include "reach.h"
#include "spread.h"

#include <string.h>

/* Where INSTR, an access, stands in a block before the inner loop.  */
static uint8_t
stands_before (enum pg_kir_shape shape)
{
  return (shape == PG_KIR_STORE ? 0 : PG_KIR_READ_BEFORE) | (shape == PG_KIR_LOAD ? 0 : PG_KIR_WRITTEN_BEFORE);
}

/* Set STANDS; the blocks that the inner loop leads to were reached.  */
static void
find_accesses (const struct pg_kir_inner *inner, const struct pg_kir_kernel *loop, uint8_t *stands)
{
  memset (stands, 0, loop->n_refs);
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	if (pg_kir_accesses_memory (instr->op))
	  stands[instr->number] |= inner->is_in[b]        ? PG_KIR_IN_TURN
				   : inner->is_reached[b] ? PG_KIR_BEHIND
							  : stands_before (pg_kir_ops[instr->op].shape);
      }
}

/* Describe INNER in *NEST and STANDS; false: it is in another inner loop.  */
static bool
describe (struct pg_kir_nest *nest, uint8_t *stands, const struct pg_kir_kernel *loop, struct pg_kir_inner *inner)
{
  if (pg_kir_inner_is_nested (inner, loop))
    return false;
  *nest = (struct pg_kir_nest) { .header = inner->header, .has_stores = inner->has_stores };
  for (unsigned r = 0; r < inner->n_rounds; r++)
    nest->n_reduced += inner->rounds[r].is_reduction;
  find_accesses (inner, loop, stands);
  return true;
}

bool
pg_kir_find_nest (struct pg_kir_nest *nest, uint8_t *stands, const struct pg_kir_kernel *loop, pg_kir_block_number from,
		  bool may_reorder)
{
  bool is_found = false;
  for (pg_kir_block_number b = from == 0 ? 1 : from; b < loop->n_blocks && !is_found; b++)
    {
      struct pg_kir_inner inner;
      struct pg_kir_error error;
      if (!pg_kir_inner_begin (&inner, loop, b, may_reorder, &error))
	continue;
      is_found = describe (nest, stands, loop, &inner);
      pg_kir_inner_end (&inner, loop);
    }
  return is_found;
}

/* Note that an access of reference REF is in a turn of a loop of DEPTH.  */
static void
note_turn (uint8_t *stands, uint8_t *depths, int64_t ref, unsigned depth)
{
  bool is_first = stands[ref] == 0;
  stands[ref] |= PG_KIR_IN_TURN;
  depths[ref] = (is_first || depths[ref] == depth) && depth <= UINT8_MAX ? (uint8_t) depth : 0;
}

bool
pg_kir_find_spread (struct pg_kir_nest *nest, uint8_t *stands, uint8_t *depths, const struct pg_kir_kernel *loop)
{
  struct pg_kir_spread spread;
  struct pg_kir_error error;
  if (!pg_kir_spread_begin (&spread, loop, &error))
    return false;
  if (spread.n == 1 && spread.depths[0] == 1)
    {
      pg_kir_spread_end (&spread, loop);
      return false;
    }
  *nest = (struct pg_kir_nest) { .header = PG_KIR_ALL_INNER, .has_stores = true };
  memset (stands, 0, loop->n_refs);
  memset (depths, 0, loop->n_refs);
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	unsigned s = pg_kir_spread_of (&spread, b);
	if (!pg_kir_accesses_memory (instr->op))
	  continue;
	if (s < spread.n)
	  note_turn (stands, depths, instr->number, spread.depths[s]);
	else
	  stands[instr->number] |= stands_before (pg_kir_ops[instr->op].shape);
      }
  pg_kir_spread_end (&spread, loop);
  return true;
}
