/* SPDX-License-Identifier: MIT
   Bringing a kernel back into static single assignment.  See edit.h.

   For each value that is used where it is not computed on all ways: it is needed on entry of all blocks from which ways
   lead to a use, but not past the place where it is computed.  What it is there is found as a fixed point, from
   "nothing is known" on; where blocks before differ, there is a phi, and all is found anew.  */
#include "copy.h"
#include "edit.h"
#include "reach.h"

#include <string.h>

/* What a value is on entry of a block.  */
enum
{
  NOTHING, /* known yet */
  ITSELF,
  ZERO,
  OWN_PHI /* and above: the phi of block OWN_PHI - this */
};

struct repairer
{
  struct pg_kir_kernel *kernel;
  pg_kir_block_number origin;
  uint32_t *memory; /* the tables lie in it */
  size_t memory_len;
  uint32_t n_values, n_blocks;
  uint32_t *block_of; /* by value */
  uint32_t *is_past;  /* by block: reached without the value */
  uint32_t *stack, *is_needed, *on_entry, *phi, *before;

  pg_kir_value value; /* the one at hand, and the block that computes it */
  pg_kir_block_number home;
  pg_kir_value zero; /* of its type, if it is needed */
};

/* Where VALUE, an operand of INSTR in BLOCK, is used: a phi's at the end of a block before.  */
static pg_kir_block_number
place_of_use (const struct repairer *repairer, const struct pg_kir_instr *instr, unsigned operand,
	      pg_kir_block_number block)
{
  return instr->op == PG_KIR_OP_PHI ? pg_kir_targets (repairer->kernel, instr)[operand] : block;
}

/* What the value is at the end of BLOCK.  */
static uint32_t
leave (const struct repairer *repairer, pg_kir_block_number block)
{
  if (block == repairer->home)
    return ITSELF;
  return block == repairer->origin || block == 0 ? ZERO : repairer->on_entry[block];
}

/* Call USE for each use of the value at hand.  */
static void
for_each_use (struct repairer *repairer,
	      void (*use) (struct repairer *repairer, pg_kir_value *operand, pg_kir_block_number place))
{
  struct pg_kir_kernel *kernel = repairer->kernel;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands; o++)
	  if (pg_kir_operands (kernel, instr)[o] == repairer->value)
	    use (repairer, &pg_kir_operands (kernel, instr)[o], place_of_use (repairer, instr, o, b));
      }
}

static void
note_need (struct repairer *repairer, pg_kir_value *operand, pg_kir_block_number place)
{
  (void) operand;
  repairer->is_needed[place] |= place != repairer->home;
}

/* Find the blocks on entry of which the value is needed.  */
static void
find_needs (struct repairer *repairer)
{
  bool changes = true;
  memset (repairer->is_needed, 0, repairer->n_blocks * sizeof *repairer->is_needed);
  for_each_use (repairer, note_need);
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < repairer->n_blocks; b++)
	{
	  const struct pg_kir_instr *end = pg_kir_end_of (repairer->kernel, b);
	  for (unsigned t = 0; t < end->n_targets; t++)
	    if (repairer->is_needed[pg_kir_targets (repairer->kernel, end)[t]] && !repairer->is_needed[b]
		&& b != repairer->home && b != repairer->origin)
	      repairer->is_needed[b] = changes = true;
	}
    }
}

/* Let the value enter TARGET as LEFT, too; false: that is something else than is known there, which needs a phi.  */
static bool
enter (struct repairer *repairer, pg_kir_block_number target, uint32_t left, bool *changes)
{
  uint32_t *known = &repairer->on_entry[target];
  if (!repairer->is_needed[target] || *known == left || *known == OWN_PHI + target)
    return true;
  *changes = true;
  *known = *known == NOTHING ? left : OWN_PHI + target;
  return *known == left;
}

/* Find what it is on entry of blocks, given which of them have phis; false: one more has.  */
static bool
spread (struct repairer *repairer)
{
  bool changes = true;
  for (uint32_t b = 0; b < repairer->n_blocks; b++)
    if (repairer->on_entry[b] != OWN_PHI + b)
      repairer->on_entry[b] = NOTHING;
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < repairer->n_blocks; b++)
	{
	  const struct pg_kir_instr *end = pg_kir_end_of (repairer->kernel, b);
	  uint32_t left = leave (repairer, b);
	  for (unsigned t = 0; t < end->n_targets && left != NOTHING; t++)
	    if (!enter (repairer, pg_kir_targets (repairer->kernel, end)[t], left, &changes))
	      return false;
	}
    }
  return true;
}

/* Find what it is there, and where it needs phis.  Once one is found, what was known behind it is not.  */
static void
find_entries (struct repairer *repairer)
{
  memset (repairer->on_entry, 0, repairer->n_blocks * sizeof *repairer->on_entry);
  while (!spread (repairer))
    ;
}

/* The value for MARK.  */
static pg_kir_value
marked (struct repairer *repairer, uint32_t mark)
{
  struct pg_kir_kernel *kernel = repairer->kernel;
  if (mark == ITSELF)
    return repairer->value;
  if (mark >= OWN_PHI)
    return repairer->phi[mark - OWN_PHI];
  if (repairer->zero == 0)
    {
      repairer->zero = pg_kir_add_simple (kernel, 0, PG_KIR_OP_CONST, kernel->instrs[repairer->value].type, 0, 0, 0);
      pg_kir_move_up (kernel, 0, 1, PG_KIR_BEFORE_END);
    }
  return repairer->zero;
}

static void
replace_use (struct repairer *repairer, pg_kir_value *operand, pg_kir_block_number place)
{
  if (place != repairer->home && repairer->on_entry[place] >= OWN_PHI)
    *operand = repairer->phi[repairer->on_entry[place] - OWN_PHI];
}

/* The blocks before BLOCK; their number.  */
static unsigned
find_before (struct repairer *repairer, pg_kir_block_number block)
{
  unsigned n = 0;
  for (uint32_t b = 0; b < repairer->n_blocks; b++)
    if (pg_kir_leads (repairer->kernel, b, block))
      repairer->before[n++] = b;
  return n;
}

/* Give the value at hand its phis.  */
static void
repair (struct repairer *repairer)
{
  struct pg_kir_kernel *kernel = repairer->kernel;
  enum pg_kir_type type = kernel->instrs[repairer->value].type;
  repairer->zero = 0;
  find_needs (repairer);
  find_entries (repairer);
  for (uint32_t b = 0; b < repairer->n_blocks && !kernel->is_broken; b++)
    if (repairer->on_entry[b] == OWN_PHI + b)
      {
	unsigned n = find_before (repairer, b);
	repairer->phi[b] = pg_kir_add_phi (kernel, b, type, repairer->before, n);
	pg_kir_move_up (kernel, b, 1, 0);
      }
  if (kernel->is_broken)
    return;
  for_each_use (repairer, replace_use);
  for (uint32_t b = 0; b < repairer->n_blocks && !kernel->is_broken; b++)
    if (repairer->on_entry[b] == OWN_PHI + b)
      {
	unsigned n = find_before (repairer, b);
	for (unsigned i = 0; i < n; i++)
	  pg_kir_set_operand (kernel, repairer->phi[b], i, marked (repairer, leave (repairer, repairer->before[i])));
      }
}

/* Look at the uses of what block HOME computes.  */
static void
repair_block (struct repairer *repairer, pg_kir_block_number home)
{
  struct pg_kir_kernel *kernel = repairer->kernel;
  repairer->home = home;
  memset (repairer->is_past, 0, repairer->n_blocks * sizeof *repairer->is_past);
  repairer->is_past[home] = true;
  pg_kir_reach (kernel, 0, repairer->is_past, repairer->stack);
  repairer->is_past[home] = false;
  for (uint32_t b = 0; b < repairer->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n && !kernel->is_broken; i++)
      for (unsigned o = 0; o < kernel->instrs[kernel->blocks[b].code[i]].n_operands && !kernel->is_broken; o++)
	{
	  const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	  repairer->value = pg_kir_operands (kernel, instr)[o];
	  if (repairer->value < repairer->n_values && repairer->block_of[repairer->value] == home
	      && repairer->is_past[place_of_use (repairer, instr, o, b)])
	    {
	      repair (repairer);
	      i--; /* once more: phis may have been put before it */
	      break;
	    }
	}
}

static bool
get_tables (struct repairer *repairer)
{
  const struct pg_kir_kernel *kernel = repairer->kernel;
  uint32_t **const tables[] = { &repairer->is_past,  &repairer->stack, &repairer->is_needed,
				&repairer->on_entry, &repairer->phi,   &repairer->before };
  size_t n_tables = sizeof tables / sizeof *tables;
  repairer->n_values = kernel->n_instrs;
  repairer->n_blocks = kernel->n_blocks;
  repairer->memory_len = (repairer->n_values + n_tables * repairer->n_blocks) * sizeof *repairer->memory;
  repairer->memory = kernel->resize (NULL, 0, repairer->memory_len);
  if (repairer->memory == NULL)
    return false;
  memset (repairer->memory, 0, repairer->memory_len);
  repairer->block_of = repairer->memory;
  for (size_t t = 0; t < n_tables; t++)
    *tables[t] = repairer->memory + repairer->n_values + t * repairer->n_blocks;
  for (uint32_t b = 0; b < repairer->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      repairer->block_of[kernel->blocks[b].code[i]] = b;
  return true;
}

bool
pg_kir_repair (struct pg_kir_kernel *kernel, pg_kir_block_number origin)
{
  struct repairer repairer = { .kernel = kernel, .origin = origin };
  if (kernel->is_broken || !get_tables (&repairer))
    return false;
  for (uint32_t b = 0; b < repairer.n_blocks; b++)
    repair_block (&repairer, b);
  kernel->resize (repairer.memory, repairer.memory_len, 0);
  return !kernel->is_broken;
}
