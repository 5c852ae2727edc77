/* SPDX-License-Identifier: GPL-3.0-or-later
   How far the counters of a nest go.  See extents.cc.  */
#ifndef PARAGON_EXTENTS_H
#define PARAGON_EXTENTS_H

#include "plan.h"

/* The exit by which LOOP ends as a rule, and which says how often it runs at most; NULL: none says that.  */
extern edge pg_counted_exit (class loop *loop);

/* The condition on entry to PLAN's loop under which VALUE is CODE (one of <, <=, >, >=) than BOUND, an expression of
   what is known there, whenever block AT is reached; NULL_TREE: none is known.  */
extern tree pg_always (const struct pg_plan *plan, tree value, enum tree_code code, tree bound, basic_block at);

#endif
