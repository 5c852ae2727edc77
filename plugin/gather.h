/* SPDX-License-Identifier: GPL-3.0-or-later
   Gathers: what an inner loop of a monitor reads by a row of integers becomes one call.  */
#ifndef PARAGON_GATHER_H
#define PARAGON_GATHER_H

#include "plan.h"

/* In the monitor of PLAN, the current function, replace calls of touch that an inner loop makes for each of a row of
   integers by one call before that loop.  Requires: loops, dominators, and scev.  */
extern void pg_gather_touches (const struct pg_plan *plan);

#endif
