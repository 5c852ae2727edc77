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

/* Set IS_REACHED of those blocks of KERNEL to 1 to which ways lead from block FROM, which is one of them, and to 0 of
   all others.  No way goes through AVOIDED, which is not reached.  STACK has room for all blocks.  */
void pg_kir_reach (const struct pg_kir_kernel *kernel, pg_kir_block_number from, pg_kir_block_number avoided,
		   uint32_t *is_reached, uint32_t *stack);

#endif
