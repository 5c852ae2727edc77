/* SPDX-License-Identifier: GPL-3.0-or-later
   Touches of neighbours in memory, such as the fields of a structure, become one.  */
#ifndef PARAGON_MERGE_H
#define PARAGON_MERGE_H

#include "plan.h"

/* In the monitor for PLAN, the current function, put calls of touch together that stand in one block and are about
   bytes next to each other.  */
extern void pg_merge_touches (const struct pg_plan *plan);

#endif
