/* SPDX-License-Identifier: MIT
   Carried values in SPMD form.

   "next" sets a variable, which is brought back into SSA: a block's value of it on entry is the one that all blocks
   before leave, or else a phi.  Found as a fixed point, from "nothing is known" on, so that an inner loop that does not
   change the variable needs no phi for it.

   What is known is a value of the loop, or a mark: the phi of a block, or, as the first block has none, where the
   iteration begins.  */
#include "flow.h"
#include "mapper.h"

/* The table entry of carried value C at block B, the latch being the last.  */
static size_t
at (const struct pg_mapper *mapper, uint32_t c, uint32_t b)
{
  return (size_t) c * (mapper->loop->n_blocks + 1) + b;
}

/* What stands for the phi of block B of carried value C.  */
static uint32_t
phi_mark (const struct pg_mapper *mapper, uint32_t b)
{
  return mapper->loop->n_instrs + b;
}

/* What stands for the value that a carried value has where the iteration begins.  */
static uint32_t
begin_mark (const struct pg_mapper *mapper)
{
  return phi_mark (mapper, 0);
}

/* Let carried value C enter block B as VALUE, too; whether that is news.  */
static bool
enter (struct pg_mapper *mapper, uint32_t c, uint32_t b, uint32_t value)
{
  uint32_t *known = &mapper->on_entry[at (mapper, c, b)];
  if (value == PG_MAP_NOTHING || *known == value || *known == phi_mark (mapper, b))
    return false;
  *known = *known == PG_MAP_NOTHING ? value : phi_mark (mapper, b);
  return true;
}

/* What carried value C is at the end of block B.  */
static uint32_t
leave (const struct pg_mapper *mapper, uint32_t c, uint32_t b)
{
  uint32_t set = mapper->set[at (mapper, c, b)];
  return set == PG_MAP_NOTHING ? mapper->on_entry[at (mapper, c, b)] : set;
}

/* Find where carried values need phis.  */
void
pg_map_find_phis (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  bool changes = true;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	if (instr->op == PG_KIR_OP_NEXT)
	  mapper->set[at (mapper, (uint32_t) instr->number, b)] = pg_kir_operands (loop, instr)[0];
      }
  for (uint32_t c = 0; c < loop->n_carries; c++)
    mapper->on_entry[at (mapper, c, 0)] = begin_mark (mapper);
  while (changes)
    {
      changes = false;
      for (uint32_t c = 0; c < loop->n_carries; c++)
	for (uint32_t b = 0; b < loop->n_blocks; b++)
	  {
	    const struct pg_kir_instr *end = pg_kir_end_of (loop, b);
	    uint32_t value = leave (mapper, c, b);
	    for (unsigned t = 0; t < end->n_targets; t++)
	      changes |= enter (mapper, c, pg_kir_targets (loop, end)[t], value);
	    if (end->op == PG_KIR_OP_RETURN)
	      changes |= enter (mapper, c, loop->n_blocks, value);
	  }
    }
}

/* The value in the mapped kernel that MARK, of carried value C, stands for.  */
static pg_kir_value
marked (const struct pg_mapper *mapper, uint32_t c, uint32_t mark)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  if (mark == begin_mark (mapper))
    return mapper->carried[c];
  return mark < loop->n_instrs ? mapper->copy.value_of[mark] : mapper->phi[at (mapper, c, mark - loop->n_instrs)];
}

/* What carried value C is at the end of an iteration.  */
static pg_kir_value
pg_map_left (const struct pg_mapper *mapper, uint32_t c)
{
  return marked (mapper, c, mapper->on_entry[at (mapper, c, mapper->loop->n_blocks)]);
}

/* The blocks of the loop that lead to B, the latch being the last; their number.  BEFORE has room for all blocks.  */
static unsigned
blocks_before (const struct pg_mapper *mapper, uint32_t b, uint32_t *before)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  unsigned n = 0;
  for (uint32_t from = 0; from < loop->n_blocks; from++)
    {
      const struct pg_kir_instr *end = pg_kir_end_of (loop, from);
      bool leads = end->op == PG_KIR_OP_RETURN && b == loop->n_blocks;
      for (unsigned t = 0; t < end->n_targets; t++)
	leads |= pg_kir_targets (loop, end)[t] == b;
      if (leads)
	before[n++] = from;
    }
  return n;
}

/* The phis that carried values need where block B of the loop, or the latch, begins.  */
void
pg_map_put_phis (struct pg_mapper *mapper, uint32_t b, pg_kir_block_number block)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (b > 0 && mapper->on_entry[at (mapper, c, b)] == phi_mark (mapper, b))
      {
	unsigned n = blocks_before (mapper, b, mapper->before);
	for (unsigned i = 0; i < n; i++)
	  mapper->before[i] = mapper->copy.last[mapper->before[i]];
	mapper->phi[at (mapper, c, b)] = pg_kir_add_phi (mapper->spmd, block, loop->carries[c].type, mapper->before, n);
      }
}

/* Give the phis of carried values their operands.  */
void
pg_map_fill_phis (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      for (uint32_t b = 1; b <= loop->n_blocks; b++)
	if (mapper->phi[at (mapper, c, b)] != 0)
	  {
	    unsigned n = blocks_before (mapper, b, mapper->before);
	    for (unsigned i = 0; i < n; i++)
	      pg_kir_set_operand (mapper->spmd, mapper->phi[at (mapper, c, b)], i,
				  marked (mapper, c, leave (mapper, c, mapper->before[i])));
	  }
      mapper->at_end[c] = pg_map_left (mapper, c);
      pg_kir_set_operand (mapper->spmd, mapper->carried[c], 1, mapper->at_end[c]);
    }
}
