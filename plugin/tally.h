/* SPDX-License-Identifier: GPL-3.0-or-later
   The tally: the function that tells the runtime what ranges make of carried scalars.  */
#ifndef PARAGON_TALLY_H
#define PARAGON_TALLY_H

#include "args.h"
#include "child.h"
#include "judge.h"

/* Make the tally of PLAN from CHILD, which stores the scalars to ARGS.  Return its declaration.  Requires: CHILD is the
   current function.  Changes nothing in it.  */
extern tree pg_tally_build (const struct pg_plan *plan, const struct pg_args *args, const struct pg_child *child);

#endif
