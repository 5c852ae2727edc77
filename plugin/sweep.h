/* SPDX-License-Identifier: GPL-3.0-or-later
   Sweeps: what an inner loop of a monitor touches piece after piece becomes one touch.  */
#ifndef PARAGON_SWEEP_H
#define PARAGON_SWEEP_H

#include "plan.h"

/* What a call of touch does in an inner loop: COUNT times LEN bytes from START on, STEP bytes apart; expressions that
   can be evaluated before the loop.  */
struct pg_swept
{
  tree start, step, len, count;
  bool at_least_once; /* COUNT is not zero */
};

/* In the monitor of PLAN, the current function, replace calls of touch that in each execution of an inner loop together
   sweep over a run of bytes, or over a row of pieces, or are gathered (gather.h), by one call before that loop.  Leaves
   the inner loop where it is.  */
extern void pg_sweep_touches (const struct pg_plan *plan);

/* How often CALL is made in one execution of its innermost loop: an expression of sizetype that can be evaluated before
   that loop, or NULL_TREE.  *AT_LEAST_ONCE is set if that cannot be zero.  */
extern tree pg_sweep_count (const gcall *call, bool *at_least_once);

/* Find out what CALL of touch does in its innermost loop.  False: unknown.  */
extern bool pg_sweep_analyse (const gcall *call, struct pg_swept *swept);

/* Compute EXPRESSION by statements at the end of STMTS.  */
extern tree pg_sweep_compute (gimple_seq *stmts, tree expression);

/* Put WHOLE, a call, behind STMTS at the end of the block before the innermost loop of CALL, and take CALL out.  */
extern void pg_sweep_replace (gcall *call, gimple_seq stmts, gcall *whole);

#endif
