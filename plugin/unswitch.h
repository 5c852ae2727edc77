/* SPDX-License-Identifier: GPL-3.0-or-later
   Unswitching: what a loop only does under flags need not be in what is handed over.  See unswitch.cc.  */
#ifndef PARAGON_UNSWITCH_H
#define PARAGON_UNSWITCH_H

#include "plan.h"

/* How often a block runs, as the compiler sees it.  */
struct pg_counted_block
{
  basic_block bb;
  profile_count count;
};

/* A loop of which there are two now.  */
struct pg_unswitched
{
  class loop *rest;                         /* the one that is as it was; NULL: there is only that */
  class loop *reduced;                      /* the other one */
  basic_block entry;                        /* led to the rest, when there was only that */
  basic_block test_bb;                      /* ends in the first test of which one runs */
  auto_vec<struct pg_counted_block> counts; /* of the rest, before */
};

/* If what PLAN's loop is refused for is only done under conditions that the entry knows, make two of it: a copy, in
   which it is not done, is judged as REDUCED, and OUT tells of both.  False, with nothing changed, if not.  Requires:
   loop-closed SSA, dominators.  Leaves them.  */
extern bool pg_unswitch (const struct pg_plan *plan, struct pg_plan *reduced, struct pg_unswitched *out);

/* Leave nothing but the rest.  */
extern void pg_unswitch_undo (const struct pg_unswitched *unswitched);

/* The reduced loop was handed over: where its FALLBACK would run, let the rest do so.  */
extern void pg_unswitch_join (const struct pg_unswitched *unswitched, class loop *fallback);

#endif
