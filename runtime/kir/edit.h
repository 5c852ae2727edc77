/* SPDX-License-Identifier: MIT
   Changing a kernel's blocks in place.  In between it need not be what a kernel must be.  */
#ifndef PG_KIR_EDIT_H
#define PG_KIR_EDIT_H

#include "kir.h"

/* Move the last N instructions of BLOCK of KERNEL up, so that they stand at INDEX; before its end, if INDEX is
   PG_KIR_BEFORE_END.  */
#define PG_KIR_BEFORE_END UINT32_MAX
void pg_kir_move_up (struct pg_kir_kernel *kernel, pg_kir_block_number block, uint32_t n, uint32_t index);

/* Move the instruction at INDEX of block FROM of KERNEL to the end of block TO, or before it if TO has an end.  */
void pg_kir_move_to (struct pg_kir_kernel *kernel, pg_kir_block_number from, uint32_t index, pg_kir_block_number to);

/* Cut BLOCK of KERNEL before INDEX: what follows goes to a new block, whose number is returned, and to which nothing
   leads yet; phis know of it.  */
pg_kir_block_number pg_kir_cut_block (struct pg_kir_kernel *kernel, pg_kir_block_number block, uint32_t index);

/* Let the end of BLOCK lead to TO where it led to FROM.  */
void pg_kir_lead (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number from,
		  pg_kir_block_number to);

/* Let the phis of BLOCK get from block TO what they got from block FROM.  */
void pg_kir_come (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number from,
		  pg_kir_block_number to);

/* How many phis BLOCK begins with.  */
uint32_t pg_kir_n_phis (const struct pg_kir_kernel *kernel, pg_kir_block_number block);

/* Give each value of KERNEL that is used where it is not computed on all ways phis on the way there.  On a way from
   block ORIGIN on that does not pass where it is computed, it is 0.
   False: no memory, or KERNEL is broken.  */
bool pg_kir_repair (struct pg_kir_kernel *kernel, pg_kir_block_number origin);

#endif
