/* SPDX-License-Identifier: MIT
   Nests.  See nest.h.  */
#include "nest.h"
#include "inner.h"
#include "reach.h"

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
	enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
	if (shape != PG_KIR_LOAD && shape != PG_KIR_STORE && shape != PG_KIR_ATOMIC && shape != PG_KIR_SWAP)
	  continue;
	stands[instr->number] |= inner->is_in[b]        ? PG_KIR_IN_TURN
				 : inner->is_reached[b] ? PG_KIR_BEHIND
							: stands_before (shape);
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
