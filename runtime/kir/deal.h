/* SPDX-License-Identifier: MIT
   Dealing out the turns of an inner loop of a mapped kernel to the members of a team.

       from:	 ... jump before
       before:	 number of turns; each induction from the member's first turn on; reductions from the identity on
       header:	 turn number k, ... each induction goes on by as many steps as there are members
       left:	 where a member goes on that has no turn left; without an end, to be appended to
       to:	 ... its phis get from BEHIND what they got from the loop  */
#ifndef PG_KIR_DEAL_H
#define PG_KIR_DEAL_H

#include "inner.h"
#include "mapper.h"

struct pg_deal
{
  struct pg_mapper *mapper;
  const struct pg_kir_inner *inner; /* by the blocks and values of the loop that was mapped */
  uint32_t n_members;
  pg_kir_block_number before, left, behind; /* without instructions */
  pg_kir_value n_turns;                     /* of all members, once they are dealt out */
};

/* Let each member take its turns.  */
void pg_kir_deal (struct pg_deal *deal);

/* What all turns leave of ROUND, an induction, appended to BLOCK, where N_TURNS is known.  */
pg_kir_value pg_kir_dealt_result (struct pg_deal *deal, pg_kir_block_number block, const struct pg_kir_round *round);

/* Let all that uses VALUE of the mapped kernel outside of the loop use INSTEAD, but what was added to the kernel since
   there were N_BLOCKS blocks.  IS_TURN says which of these are of the loop.  */
void pg_kir_replace_behind (struct pg_kir_kernel *spmd, pg_kir_value value, pg_kir_value instead, uint32_t n_blocks,
			    const uint32_t *is_turn);

/* The identity of what ROUND of the loop reduces by.  */
pg_kir_value pg_kir_round_identity (struct pg_deal *deal, const struct pg_kir_round *round);

/* A constant, in the first block, as all constants are.  */
pg_kir_value pg_map_early_constant (struct pg_mapper *mapper, enum pg_kir_type type, uint64_t bits);

#endif
