/* SPDX-License-Identifier: MIT
   Taking out what nobody needs.  */
#ifndef PG_KIR_PRUNE_H
#define PG_KIR_PRUNE_H

#include "kir.h"

/* Take out of KERNEL, verified, all instructions that have no effect, by whatever way.  Loads have none.  False: no
   memory; KERNEL is as it was.  */
bool pg_kir_prune (struct pg_kir_kernel *kernel);

/* Note that VALUE is needed.  STACK has N values whose operands are not looked at yet; how many there are then.  */
static inline uint32_t
pg_kir_need (uint32_t *is_needed, pg_kir_value *stack, uint32_t n, pg_kir_value value)
{
  if (is_needed[value])
    return n;
  is_needed[value] = true;
  stack[n] = value;
  return n + 1;
}

/* Note that the operands of the N values on STACK are needed, theirs, and so on.  */
void pg_kir_need_operands (const struct pg_kir_kernel *kernel, uint32_t *is_needed, pg_kir_value *stack, uint32_t n);

#endif
