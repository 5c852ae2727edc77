/* SPDX-License-Identifier: GPL-3.0-or-later
   Where a range of iterations starts: what the header of the loop that F has is entered with.  */
#ifndef PARAGON_START_H
#define PARAGON_START_H

#include "args.h"

/* Let the induction variables of PLAN's loop, which is on its way out, start where iteration LO does.  They are
   computed in ENTRY_BB.  */
extern void pg_start_ivs (const struct pg_plan *plan, struct pg_args *args, basic_block entry_bb, tree lo);

/* Let the trails of PLAN's loop start as what the iteration before LO made of them.  Requires: the loop is independent
   of its function (localise.h).  Changes: may add blocks before the loop.  */
extern void pg_start_trails (const struct pg_plan *plan, struct pg_args *args, tree lo);

#endif
