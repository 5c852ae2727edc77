/* SPDX-License-Identifier: GPL-3.0-or-later
   The monitor: the function that tells the runtime what a loop would touch.  */
#ifndef PARAGON_MONITOR_H
#define PARAGON_MONITOR_H

#include "child.h"

/* Whether PLAN's monitor tells of access number INDEX.  Requires: dominators, of the loop or of the child.  */
extern bool pg_monitor_tells_p (const struct pg_plan *plan, unsigned index);

/* Make the monitor from CHILD.  Return its declaration.  Requires: CHILD is the current function, with dominators.
   Changes nothing in it that stays.  */
extern tree pg_monitor_build (const struct pg_plan *plan, const struct pg_child *child);

#endif
