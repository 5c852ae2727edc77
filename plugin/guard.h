/* SPDX-License-Identifier: GPL-3.0-or-later
   The guard before a loop that was outlined.  */
#ifndef PARAGON_GUARD_H
#define PARAGON_GUARD_H

#include "args.h"

/* Where the guard goes.

       guard_bb: n >= threshold ?  ->  call_bb: handled = enter (...); handled ?  ->  after_bb: live-outs  ->  ...
		     |                     |
		     +---------------------+-> fallback_bb -> original loop

   Where no inner loop could be handed over instead, a refusal does not come back to the original loop: see
   guard.cc.  */
struct pg_guard
{
  basic_block guard_bb;    /* ends in the edge to CALL_BB */
  basic_block call_bb;     /* ends in the test of HANDLED */
  basic_block after_bb;    /* follows the loop that is to be outlined, which follows CALL_BB */
  basic_block fallback_bb; /* preheader of the original loop */
  gimple *handled;         /* the placeholder that sets HANDLED to 0, in GUARD_BB */
};

/* Fill in the guard of PLAN's region REGION_DECL at GUARD, in the current function.  Requires: the loop is still there.
   Changes: the guard's blocks, the arguments of the PHIs after AFTER_BB.  Leaves virtual operands to be renamed and
   dominators to be recomputed.  */
extern void pg_guard_build (struct pg_plan *plan, const struct pg_args *args, tree region_decl,
			    const struct pg_guard *guard);

#endif
