/* SPDX-License-Identifier: MIT
   The flow of control in a kernel: in which order blocks come, and which of them come before others on all ways.  */
#ifndef PG_KIR_FLOW_H
#define PG_KIR_FLOW_H

#include "kir.h"

#define PG_KIR_NOWHERE UINT32_MAX

struct pg_kir_flow
{
  const struct pg_kir_kernel *kernel;
  uint32_t *order;     /* the blocks that are reached, in reverse postorder: N_ORDER of them */
  uint32_t *number;    /* by block: its index in ORDER, or PG_KIR_NOWHERE */
  uint32_t *dominator; /* by block: the nearest one that is on all ways to it */
  uint32_t n_order;
  int64_t
    n_left; /* steps from block to block that may still be taken; what is asked when none are left, is not known */

  uint32_t *memory, *stack, *next; /* its own */
  size_t memory_len;
};

/* The last instruction of BLOCK.  */
static inline const struct pg_kir_instr *
pg_kir_end_of (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  return &kernel->instrs[kernel->blocks[block].code[kernel->blocks[block].n - 1]];
}

/* Begin FLOW, and put the blocks of KERNEL, each of which ends as blocks do, in order.  False: no memory.  */
bool pg_kir_flow_begin (struct pg_kir_flow *flow, const struct pg_kir_kernel *kernel);
void pg_kir_flow_end (struct pg_kir_flow *flow);

/* Find the dominators, all blocks being reached.  */
void pg_kir_find_dominators (struct pg_kir_flow *flow);

/* Is A on all ways to B?  With no steps left, it may be so where this says no.  */
bool pg_kir_dominates (struct pg_kir_flow *flow, pg_kir_block_number a, pg_kir_block_number b);

#endif
