/* SPDX-License-Identifier: GPL-3.0-or-later
   The function that a loop became, as seen by what makes variants of it.  */
#ifndef PARAGON_OUTLINE_H
#define PARAGON_OUTLINE_H

#include "args.h"

/* F in the making.  Statements of the plan are in it by now, and are still the same objects.  */
struct pg_child
{
  tree decl;
  struct function *fun;
  gphi *counter;		/* the iteration number, in the header of the plan's loop */
};

/* Copy CHILD's function as NAME.SUFFIX, to be compiled later.  Return its declaration.  */
extern tree pg_child_clone (const struct pg_child *child, const char *suffix);

/* Tell the call graph about the calls of the current function, rename its virtual operands.  */
extern void pg_child_refresh (void);

/* The operand of STMT that is reference ACCESS of the plan, as it is in the child.  */
extern tree pg_child_operand (const struct pg_plan_access *access);

#endif
