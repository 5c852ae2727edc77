/* SPDX-License-Identifier: MIT
   Copying kernels.  See copy.h.

   Operands and targets are set when all is copied, because blocks may stand in any order, and what one became may have
   several: who comes from it comes from its last, who goes to it goes to its first.  */
#include "copy.h"

#include <string.h>

static const uint32_t unknown[PG_KIR_MOST_OPERANDS];

pg_kir_value
pg_kir_add_phi (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_type type,
		const pg_kir_block_number *before, unsigned n)
{
  return pg_kir_add (kernel, block, PG_KIR_OP_PHI, type, 0, unknown, n, before == NULL ? unknown : before, n);
}

void
pg_kir_set_operand (struct pg_kir_kernel *kernel, pg_kir_value value, unsigned i, pg_kir_value operand)
{
  if (!kernel->is_broken)
    pg_kir_operands (kernel, &kernel->instrs[value])[i] = operand;
}

void
pg_kir_set_phi (struct pg_kir_kernel *kernel, pg_kir_value phi, unsigned i, pg_kir_block_number before,
		pg_kir_value operand)
{
  pg_kir_set_operand (kernel, phi, i, operand);
  if (!kernel->is_broken)
    pg_kir_targets (kernel, &kernel->instrs[phi])[i] = before;
}

void
pg_kir_add_branch (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_value condition,
		   pg_kir_block_number yes, pg_kir_block_number no)
{
  pg_kir_add (kernel, block, PG_KIR_OP_BRANCH, PG_KIR_VOID, 0, &condition, 1, (const pg_kir_block_number[]) { yes, no },
	      2);
}

void
pg_kir_add_jump (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number target)
{
  pg_kir_add (kernel, block, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &target, 1);
}

bool
pg_kir_copy_begin (struct pg_kir_copy *copy)
{
  const struct pg_kir_kernel *from = copy->from;
  size_t n_values = from->n_instrs, n_blocks = from->n_blocks;
  copy->memory_len = ((2 + PG_KIR_N_LATE) * n_values + 2 * n_blocks) * sizeof *copy->memory;
  copy->memory = from->resize (NULL, 0, copy->memory_len);
  if (copy->memory == NULL)
    return false;
  memset (copy->memory, 0, copy->memory_len);
  copy->value_of = copy->memory;
  copy->is_plain = copy->value_of + n_values;
  for (size_t i = 0; i < PG_KIR_N_LATE; i++)
    copy->late[i] = copy->is_plain + (1 + i) * n_values;
  copy->first = copy->is_plain + (1 + PG_KIR_N_LATE) * n_values;
  copy->last = copy->first + n_blocks;
  for (uint32_t b = 0; b < n_blocks; b++)
    copy->first[b] = copy->last[b] = pg_kir_add_block (copy->to);
  return true;
}

void
pg_kir_copy_end (struct pg_kir_copy *copy)
{
  if (copy->memory != NULL)
    copy->from->resize (copy->memory, copy->memory_len, 0);
  copy->memory = NULL;
}

/* Append VALUE as it is.  */
static void
append (struct pg_kir_copy *copy, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &copy->from->instrs[value];
  pg_kir_value copied = pg_kir_add (copy->to, copy->block, instr->op, instr->type, instr->number, unknown,
				    instr->n_operands, unknown, instr->n_targets);
  if (copied != 0)
    copy->to->instrs[copied].line = instr->line;
  copy->value_of[value] = copied;
  copy->is_plain[value] = true;
}

static void
set_operands (struct pg_kir_copy *copy, pg_kir_value value)
{
  struct pg_kir_kernel *to = copy->to;
  const struct pg_kir_kernel *from = copy->from;
  const struct pg_kir_instr *old = &from->instrs[value], *fresh = &to->instrs[copy->value_of[value]];
  const pg_kir_block_number *place = old->op == PG_KIR_OP_PHI ? copy->last : copy->first;
  for (unsigned i = 0; i < old->n_operands; i++)
    pg_kir_operands (to, fresh)[i] = copy->value_of[pg_kir_operands (from, old)[i]];
  for (unsigned t = 0; t < old->n_targets; t++)
    pg_kir_targets (to, fresh)[t] = place[pg_kir_targets (from, old)[t]];
}

void
pg_kir_copy_all (struct pg_kir_copy *copy)
{
  const struct pg_kir_kernel *from = copy->from;
  for (pg_kir_block_number b = 0; b < from->n_blocks; b++)
    {
      copy->block = copy->first[b];
      copy->number = b;
      if (copy->enter != NULL)
	copy->enter (copy, b);
      for (uint32_t i = 0; i < from->blocks[b].n; i++)
	if (copy->replace == NULL || !copy->replace (copy, from->blocks[b].code[i]))
	  append (copy, from->blocks[b].code[i]);
      copy->last[b] = copy->block;
    }
  for (pg_kir_value value = 1; value < from->n_instrs && !copy->to->is_broken; value++)
    {
      if (copy->is_plain[value])
	set_operands (copy, value);
      for (unsigned i = 0; i < PG_KIR_N_LATE; i++)
	if (copy->late[i][value] != 0)
	  pg_kir_set_operand (copy->to, copy->late[i][value], 0,
			      copy->value_of[pg_kir_operands (from, &from->instrs[value])[i]]);
    }
}
