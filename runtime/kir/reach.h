/* SPDX-License-Identifier: MIT
   Ways through a kernel's blocks.  */
#ifndef PG_KIR_REACH_H
#define PG_KIR_REACH_H

#include "kir.h"

/* No block.  */
#define PG_KIR_NO_BLOCK UINT32_MAX

/* The last instruction of BLOCK of KERNEL, which has one.  */
static inline const struct pg_kir_instr *
pg_kir_end_of (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  return &kernel->instrs[kernel->blocks[block].code[kernel->blocks[block].n - 1]];
}

/* Does the end of block FROM of KERNEL lead to block TO?  */
bool pg_kir_leads (const struct pg_kir_kernel *kernel, pg_kir_block_number from, pg_kir_block_number to);

/* Mark in IS_REACHED the blocks of KERNEL to which ways lead from block FROM, which is one of them.  No way goes
   through blocks that are marked before.  STACK has room for all blocks.  */
void pg_kir_reach (const struct pg_kir_kernel *kernel, pg_kir_block_number from, uint32_t *is_reached, uint32_t *stack);

#endif
