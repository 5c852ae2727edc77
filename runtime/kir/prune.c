/* SPDX-License-Identifier: MIT
   Taking out what nobody needs: values that lead to no store, no atomic operation, no carried value and no branch.  */
#include "prune.h"

#include <string.h>

static bool
has_effect (const struct pg_kir_instr *instr)
{
  switch (pg_kir_ops[instr->op].shape)
    {
    case PG_KIR_STORE:
    case PG_KIR_NEXT:
    case PG_KIR_ATOMIC:
    case PG_KIR_SWAP:
    case PG_KIR_BARRIER:
    case PG_KIR_FACT:
    case PG_KIR_JUMP:
    case PG_KIR_BRANCH:
    case PG_KIR_SWITCH:
    case PG_KIR_RETURN:
      return true;
    default:
      return false;
    }
}

void
pg_kir_need_operands (const struct pg_kir_kernel *kernel, uint32_t *is_needed, pg_kir_value *stack, uint32_t n)
{
  while (n > 0)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[stack[--n]];
      for (unsigned i = 0; i < instr->n_operands; i++)
	n = pg_kir_need (is_needed, stack, n, pg_kir_operands (kernel, instr)[i]);
    }
}

/* Find what is needed.  */
static void
find_needed (const struct pg_kir_kernel *kernel, uint32_t *is_needed, pg_kir_value *stack)
{
  uint32_t n = 0;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      if (has_effect (&kernel->instrs[kernel->blocks[b].code[i]]))
	n = pg_kir_need (is_needed, stack, n, kernel->blocks[b].code[i]);
  pg_kir_need_operands (kernel, is_needed, stack, n);
}

bool
pg_kir_prune (struct pg_kir_kernel *kernel)
{
  size_t len = 2 * kernel->n_instrs * sizeof (uint32_t);
  uint32_t *is_needed = kernel->is_broken ? NULL : kernel->resize (NULL, 0, len);
  if (is_needed == NULL)
    return false;
  memset (is_needed, 0, len);
  find_needed (kernel, is_needed, is_needed + kernel->n_instrs);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      struct pg_kir_block *block = &kernel->blocks[b];
      uint32_t n = 0;
      for (uint32_t i = 0; i < block->n; i++)
	if (is_needed[block->code[i]])
	  block->code[n++] = block->code[i];
      block->n = n;
    }
  kernel->resize (is_needed, len, 0);
  return true;
}
