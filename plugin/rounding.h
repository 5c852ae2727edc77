/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether what was compiled from a loop rounds where the original does.  */
#ifndef PARAGON_ROUNDING_H
#define PARAGON_ROUNDING_H

#include "plan.h"

/* Have the functions of OUT compared with the original, the current function, once all are compiled.  Requires: OUT is
   described.  */
extern void pg_rounding_expect (const struct pg_plan *plan, const struct pg_outlined *out);

/* A sum, as far as it says by itself what it may be fused with.  */
struct pg_rounded
{
  int mark;
  int products[2];  /* the marks of what it adds, 0 for what is no product */
  bool is_certain;  /* neither may be fused */
  bool is_indirect; /* but what it adds may be a product all the same */
};

extern struct pg_rounded pg_rounding_of (gimple *sum);

/* Which operand of SUM, 1 or 2, is a product that the original fuses it with, in all copies of it; 0 if none is; -1 if
   that is not known.  */
extern int pg_rounding_taken_in (const struct pg_rounded *sum);

/* True if the function DECL is compared with an original.  */
extern bool pg_rounding_compared_p (tree decl);

/* DECL, of which that holds, has been told what to fuse, and fuses nothing else.  */
extern void pg_rounding_told (tree decl);

/* The operand that SUM, in the function DECL, is to be fused with, as its original does it: 1, 2, or 0 for none; -1 if
   that is not known, or must not be told.  Requires: DECL is compared with an original.  */
extern int pg_rounding_wanted (tree decl, gimple *sum);

extern gimple_opt_pass *pg_make_pass_rounding (gcc::context *context);

#endif
