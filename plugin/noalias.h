/* SPDX-License-Identifier: GPL-3.0-or-later
   What GCC may assume about pointers in F and in the no-alias F.  */
#ifndef PARAGON_NOALIAS_H
#define PARAGON_NOALIAS_H

#include "child.h"

/* Keep in CHILD what the user's restrict qualifiers said.  Requires: CHILD is the current function.  */
extern void pg_noalias_keep_restrict (const struct pg_child *child);

/* Let CHILD itself assume PLAN's sets of groups disjoint.  Requires: CHILD is the current function, PLAN has sets.  */
extern void pg_noalias_assume (const struct pg_plan *plan, const struct pg_child *child);

/* What references of a function were before they got groups.  */
struct pg_noalias_saved
{
  struct reference
  {
    tree operand;
    unsigned short clique, base;
  };
  auto_vec<struct reference> references;
  auto_vec<unsigned short> owned; /* cliques, by loop */
};

/* Have the references of CHILD, the current function, say that PLAN's groups are disjoint, until that is ended.  False,
   with nothing changed: there are too many such functions.  */
extern bool pg_noalias_begin (const struct pg_plan *plan, const struct pg_child *child, struct pg_noalias_saved *saved);
extern void pg_noalias_end (const struct pg_child *child, struct pg_noalias_saved *saved);

/* Make the variant of CHILD that may assume PLAN's groups disjoint.  Return its declaration, or NULL_TREE if it would
   be no different.  Requires: CHILD is the current function.  Changes nothing in it.  */
extern tree pg_noalias_build (const struct pg_plan *plan, const struct pg_child *child);

#endif
