/* SPDX-License-Identifier: GPL-3.0-or-later
   What has to hold before a loop for an edge in it never to be taken.  */
#ifndef PARAGON_NEVER_H
#define PARAGON_NEVER_H

#include "plan.h"

/* What is found out about edges of a loop.  */
struct pg_never
{
  const struct pg_plan *plan; /* of the loop */
  auto_vec<edge> off;         /* in the loop, or out of it: none is ever taken, if */
  auto_vec<tree> conditions; /* hold on entry, expressions that can each be evaluated where those before it hold; and */
  auto_vec<gimple *> loads;  /* these load the same each time */
  auto_bitmap reached;       /* blocks of the loop, by index, that are reached if none of the edges is taken */

  /* While one is looked at.  */
  bool is_late;             /* what the condition loads is there only where those before it hold */
  auto_vec<gphi *> carried; /* in the loop's header: the same each time if they still are when the iteration ends */
  unsigned n_steps;
};

/* Begin with the loop of NEVER's plan and no edge.  */
extern void pg_never_begin (struct pg_never *never);

/* Add E, one of two edges out of its block, to those of NEVER, if something can be said on entry for that.  */
extern bool pg_never_add (struct pg_never *never, edge e);

/* Take edges out of NEVER but for the first N_OFF; of these, CONDITIONS and the first N_LOADS loads were made.  */
extern void pg_never_return (struct pg_never *never, unsigned n_off, const vec<tree> &conditions, unsigned n_loads);

/* True if BB, of NEVER's loop, is only reached by its edges.  */
extern bool pg_never_reached_p (struct pg_never *never, basic_block bb);

/* True if what NEVER's loop does without its edges leaves alone what the condition was loaded from.  */
extern bool pg_never_steady_p (struct pg_never *never);

#endif
