/* SPDX-License-Identifier: GPL-3.0-or-later
   Choices: scalars that an iteration keeps or replaces.  */
#ifndef PARAGON_CHOICES_H
#define PARAGON_CHOICES_H

#include "judge.h"

/* Add PHIS, in the header of PLAN's loop, to its reductions.  Return one of them that is no choice, or NULL.  */
extern gphi *pg_match_choices (struct pg_plan *plan, const vec<gphi *> &phis);

/* Add to NAMES, which is empty, those of LOOP that may hold what PHI, in its header, carries: PHI's result and what
   PHIs hand on.  */
extern void pg_choice_names (class loop *loop, gphi *phi, vec<tree> *names);

/* Build PHIs that say in INITIAL's type whether PHI, a choice in the header of LOOP, was replaced since the preheader,
   where they are INITIAL.  Return the one that goes with NAME, one of its names.  */
extern tree pg_choice_flag (class loop *loop, gphi *phi, tree initial, tree name);

/* True if STORE is guarded by a test that has it replace PRESENT by what is larger, or smaller, which is operation *OP,
   and nothing else comes of that test but JOINED, if that is not NULL_TREE.  */
extern bool pg_replaces_p (gimple *store, tree present, const_tree joined, enum pg_reduction_op *op);

#endif
