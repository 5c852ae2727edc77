/* SPDX-License-Identifier: MIT
   Ways through a kernel's blocks.  See reach.h.  */
#include "reach.h"

bool
pg_kir_leads (const struct pg_kir_kernel *kernel, pg_kir_block_number from, pg_kir_block_number to)
{
  const struct pg_kir_instr *end = pg_kir_end_of (kernel, from);
  for (unsigned t = 0; t < end->n_targets; t++)
    if (pg_kir_targets (kernel, end)[t] == to)
      return true;
  return false;
}

void
pg_kir_reach (const struct pg_kir_kernel *kernel, pg_kir_block_number from, uint32_t *is_reached, uint32_t *stack)
{
  uint32_t n = 0;
  if (is_reached[from])
    return;
  is_reached[from] = true;
  stack[n++] = from;
  while (n > 0)
    {
      const struct pg_kir_instr *end = pg_kir_end_of (kernel, stack[--n]);
      for (unsigned t = 0; t < end->n_targets; t++)
	{
	  pg_kir_block_number target = pg_kir_targets (kernel, end)[t];
	  if (!is_reached[target])
	    {
	      is_reached[target] = true;
	      stack[n++] = target;
	    }
	}
    }
}
