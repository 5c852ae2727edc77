/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums that stay fused with their products.  */
#ifndef PARAGON_FUSED_H
#define PARAGON_FUSED_H

#include "gcc-includes.h"

/* Have the sums of products in the function DECL fused, none made in order beside a vector of products.  */
extern void pg_fused_keep (tree decl);

/* Have SUM, of numbers or of vectors, fused with the product that operand TAKEN, 1 or 2, of it is.  */
extern void pg_fuse (gimple *sum, int taken);

/* True if LOOP carries a floating-point value to its next iteration.  */
extern bool pg_carries_float_p (class loop *loop);

extern gimple_opt_pass *pg_make_pass_fused (gcc::context *context);

#endif
