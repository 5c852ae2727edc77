/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether what was compiled from a loop rounds where the original does.  */
#ifndef PARAGON_ROUNDING_H
#define PARAGON_ROUNDING_H

#include "plan.h"

/* Have the functions of OUT compared with the original, the current function, once all are compiled.  Requires: OUT is
   described.  */
extern void pg_rounding_expect (const struct pg_plan *plan, const struct pg_outlined *out);

/* Which operand of the sum STMT, 1 or 2, is a product that the original fuses it with, in all copies of it; 0 if none
   is; -1 if that is not known.  */
extern int pg_rounding_taken_in (gimple *stmt);

extern gimple_opt_pass *pg_make_pass_rounding (gcc::context *context);

#endif
