/* SPDX-License-Identifier: GPL-3.0-or-later
   F taken apart: a part of it that is free, and one that runs in the order of iterations.  */
#ifndef PARAGON_ORDERED_H
#define PARAGON_ORDERED_H

#include "child.h"

/* Build both parts of PLAN's loop, which has ordered groups, as clones of CHILD, the current function, and put them
   into OUT.  */
extern void pg_ordered_build (const struct pg_plan *plan, const struct pg_child *child, struct pg_outlined *out);

#endif
