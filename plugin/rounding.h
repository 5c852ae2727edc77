/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether what was compiled from a loop rounds where the original does.  */
#ifndef PARAGON_ROUNDING_H
#define PARAGON_ROUNDING_H

#include "plan.h"

/* True if functions can be compared once they are compiled, before data are.  */
extern bool pg_rounding_can_compare_p (void);

/* Mark the sums and products of PLAN's loop, if the target may fuse some; copies of them have the same marks.  */
extern void pg_rounding_mark (const struct pg_plan *plan);

/* Have the functions of OUT compared with the original, the current function, once all are compiled.  Requires: OUT is
   described.  */
extern void pg_rounding_expect (const struct pg_plan *plan, const struct pg_outlined *out);

extern gimple_opt_pass *pg_make_pass_rounding (gcc::context *context);

#endif
