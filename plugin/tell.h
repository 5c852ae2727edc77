/* SPDX-License-Identifier: GPL-3.0-or-later
   How a monitor tells of its touches: only of those that are wanted, and through logs where it can.  */
#ifndef PARAGON_TELL_H
#define PARAGON_TELL_H

#include "plan.h"

/* In the monitor for PLAN, the current function, leave calls of touch out where their reference is not wanted, and have
   those of single accesses write to their reference's log.  SSA form and call graph are to be refreshed then.  */
extern void pg_tell_wanted (const struct pg_plan *plan);

#endif
