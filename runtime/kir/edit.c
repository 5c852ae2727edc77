/* SPDX-License-Identifier: MIT
   Changing a kernel's blocks in place.  See edit.h.  */
#include "edit.h"
#include "reach.h"

#include <string.h>

void
pg_kir_move_up (struct pg_kir_kernel *kernel, pg_kir_block_number block, uint32_t n, uint32_t index)
{
  if (kernel->is_broken)
    return;
  pg_kir_value *code = kernel->blocks[block].code;
  uint32_t n_all = kernel->blocks[block].n;
  index = index == PG_KIR_BEFORE_END ? n_all - n - 1 : index;
  for (; n > 0; n--, index++)
    {
      pg_kir_value moved = code[n_all - n];
      memmove (code + index + 1, code + index, (n_all - n - index) * sizeof *code);
      code[index] = moved;
    }
}

void
pg_kir_move_to (struct pg_kir_kernel *kernel, pg_kir_block_number from, uint32_t index, pg_kir_block_number to)
{
  bool has_end = kernel->blocks[to].n > 0 && pg_kir_ops[pg_kir_end_of (kernel, to)->op].shape >= PG_KIR_JUMP;
  pg_kir_add_simple (kernel, to, PG_KIR_OP_CONST, PG_KIR_I8, 0, 0, 0); /* so that there is room */
  if (kernel->is_broken)
    return;
  struct pg_kir_block *left = &kernel->blocks[from], *entered = &kernel->blocks[to];
  entered->code[entered->n - 1] = left->code[index];
  left->n--;
  memmove (left->code + index, left->code + index + 1, (left->n - index) * sizeof *left->code);
  if (has_end)
    pg_kir_move_up (kernel, to, 1, PG_KIR_BEFORE_END);
}

pg_kir_block_number
pg_kir_cut_block (struct pg_kir_kernel *kernel, pg_kir_block_number block, uint32_t index)
{
  pg_kir_block_number rest = pg_kir_add_block (kernel);
  if (kernel->is_broken)
    return 0;
  struct pg_kir_block *first = &kernel->blocks[block];
  uint32_t room = first->n - index;
  pg_kir_value *code = kernel->resize (NULL, 0, room * sizeof *code);
  kernel->is_broken |= code == NULL;
  if (code == NULL)
    return 0;
  memcpy (code, first->code + index, room * sizeof *code);
  kernel->blocks[rest] = (struct pg_kir_block) { .code = code, .n = room, .room = room };
  first->n = index;
  const struct pg_kir_instr *end = pg_kir_end_of (kernel, rest);
  for (unsigned t = 0; t < end->n_targets; t++)
    pg_kir_come (kernel, pg_kir_targets (kernel, end)[t], block, rest);
  return rest;
}

void
pg_kir_lead (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number from, pg_kir_block_number to)
{
  if (kernel->is_broken)
    return;
  const struct pg_kir_instr *end = pg_kir_end_of (kernel, block);
  for (unsigned t = 0; t < end->n_targets; t++)
    if (pg_kir_targets (kernel, end)[t] == from)
      pg_kir_targets (kernel, end)[t] = to;
}

uint32_t
pg_kir_n_phis (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  uint32_t n = 0;
  while (n < kernel->blocks[block].n && kernel->instrs[kernel->blocks[block].code[n]].op == PG_KIR_OP_PHI)
    n++;
  return n;
}

void
pg_kir_come (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number from, pg_kir_block_number to)
{
  for (uint32_t i = 0; i < pg_kir_n_phis (kernel, block); i++)
    {
      const struct pg_kir_instr *phi = &kernel->instrs[kernel->blocks[block].code[i]];
      for (unsigned t = 0; t < phi->n_targets; t++)
	if (pg_kir_targets (kernel, phi)[t] == from)
	  pg_kir_targets (kernel, phi)[t] = to;
    }
}
