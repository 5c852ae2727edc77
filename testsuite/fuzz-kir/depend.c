/* SPDX-License-Identifier: MIT
   KIR fuzzer: are a loop's iterations independent?

   Then they may run in any order, as those of a grid do.  Memory is watched while they run: no byte that one iteration
   writes may another one read or write.  Carried values are looked at in the kernel: each "next" is the carried value
   combined with another, the carried value is used for nothing else, and last values are set wherever an iteration
   ends.  */
#include "fuzz-kir.h"

#include <stdlib.h>

enum
{
  NOBODY = -1,
  MANY = -2
};

/* Who wrote and who read each byte of the world, while iteration NOW runs.  */
struct watch
{
  int now;
  int writer[sizeof (struct fk_world)], reader[sizeof (struct fk_world)];
  bool conflicts;
  bool comes_back; /* an iteration, to a byte that it writes */
};

static void
note_access (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write)
{
  struct watch *watch = context;
  uintptr_t first = address - (uintptr_t) fk_world;
  (void) ref;
  for (uintptr_t at = first; at < first + len; at++)
    {
      watch->comes_back |= watch->writer[at] == watch->now || (is_write && watch->reader[at] != NOBODY);
      int *who = is_write ? &watch->writer[at] : &watch->reader[at];
      watch->conflicts |= watch->writer[at] != NOBODY && watch->writer[at] != watch->now;
      watch->conflicts |= is_write && watch->reader[at] != NOBODY && watch->reader[at] != watch->now;
      *who = *who == NOBODY || *who == watch->now ? watch->now : MANY;
    }
}

/* Is VALUE, that a "next" gives carried value NUMBER, a combination with it?  OLD is asked for at one place only.  */
static bool
is_combination (const struct pg_kir_kernel *kernel, pg_kir_value value, uint32_t number)
{
  static const enum pg_kir_op ops[PG_KIR_N_COMBINES] = {
    [PG_KIR_COMBINE_ADD] = PG_KIR_OP_ADD,   [PG_KIR_COMBINE_MUL] = PG_KIR_OP_MUL,
    [PG_KIR_COMBINE_AND] = PG_KIR_OP_AND,   [PG_KIR_COMBINE_OR] = PG_KIR_OP_OR,
    [PG_KIR_COMBINE_XOR] = PG_KIR_OP_XOR,   [PG_KIR_COMBINE_MIN] = PG_KIR_OP_SMIN,
    [PG_KIR_COMBINE_MAX] = PG_KIR_OP_SMAX,  [PG_KIR_COMBINE_UMIN] = PG_KIR_OP_UMIN,
    [PG_KIR_COMBINE_UMAX] = PG_KIR_OP_UMAX,
  };
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  if (instr->op != ops[kernel->carries[number].combine])
    return false;
  for (int i = 0; i < 2; i++)
    {
      const struct pg_kir_instr *operand = &kernel->instrs[pg_kir_operands (kernel, instr)[i]];
      const struct pg_kir_instr *other = &kernel->instrs[pg_kir_operands (kernel, instr)[1 - i]];
      if (operand->op == PG_KIR_OP_CARRY && operand->number == number && other->op != PG_KIR_OP_CARRY)
	return true;
    }
  return false;
}

/* Does block BLOCK say what carried value NUMBER is for the next iteration?  */
static bool
has_next (const struct pg_kir_kernel *kernel, pg_kir_block_number block, uint32_t number)
{
  for (uint32_t i = 0; i < kernel->blocks[block].n; i++)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[block].code[i]];
      if (instr->op == PG_KIR_OP_NEXT && instr->number == number)
	return true;
    }
  return false;
}

/* Does INSTR use carried values only as they are combined?  */
static bool
combines_only (const struct pg_kir_kernel *kernel, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  uint32_t number = (uint32_t) instr->number;
  if (instr->op == PG_KIR_OP_NEXT && kernel->carries[number].combine != PG_KIR_COMBINE_LAST)
    return is_combination (kernel, operands[0], number);
  for (unsigned i = 0; i < instr->n_operands; i++)
    if (kernel->instrs[operands[i]].op == PG_KIR_OP_CARRY
	&& !is_combination (kernel, value, (uint32_t) kernel->instrs[operands[i]].number))
      return false;
  return true;
}

/* Are combinations used by "next" only?  */
static bool
carries_are_combined (const struct pg_kir_kernel *kernel)
{
  bool is_good = true, *is_combined = calloc (kernel->n_instrs, sizeof *is_combined);
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    for (uint32_t v = 1; v < kernel->n_instrs; v++)
      is_combined[v] |= kernel->instrs[v].n_operands == 2 && is_combination (kernel, v, c);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      const struct pg_kir_block *block = &kernel->blocks[b];
      for (uint32_t i = 0; i < block->n; i++)
	{
	  const struct pg_kir_instr *instr = &kernel->instrs[block->code[i]];
	  is_good &= combines_only (kernel, block->code[i]);
	  for (unsigned o = 0; o < instr->n_operands && instr->op != PG_KIR_OP_NEXT; o++)
	    is_good &= !is_combined[pg_kir_operands (kernel, instr)[o]];
	}
      bool returns = kernel->instrs[block->code[block->n - 1]].op == PG_KIR_OP_RETURN;
      for (uint32_t c = 0; c < kernel->n_carries && returns; c++)
	is_good &= kernel->carries[c].combine != PG_KIR_COMBINE_LAST || has_next (kernel, b, c);
    }
  free (is_combined);
  return is_good;
}

bool
fk_is_independent (const struct fk_case *made, bool *is_free)
{
  static struct watch watch;
  int64_t iters[PG_KIR_MOST_DIMS] = { 0 };
  struct pg_kir_machine machine;
  for (size_t i = 0; i < sizeof (struct fk_world); i++)
    watch.writer[i] = watch.reader[i] = NOBODY;
  watch.conflicts = watch.comes_back = false;
  watch.now = 0;
  if (!fk_begin (made, &made->kernel, &machine))
    return false;
  machine.touch = note_access;
  machine.context = &watch;
  do
    watch.now++;
  while (pg_kir_interpret (&machine, iters) == PG_KIR_DONE && fk_next_iteration (made, iters));
  pg_kir_machine_end (&machine);
  *is_free = !watch.comes_back;
  return !watch.conflicts && carries_are_combined (&made->kernel);
}
