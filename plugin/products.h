/* SPDX-License-Identifier: GPL-3.0-or-later
   Floating-point products, and the sums that may take them in, where the target has fused multiply-add.  */
#ifndef PARAGON_PRODUCTS_H
#define PARAGON_PRODUCTS_H

#include "gcc-includes.h"

/* True if VALUE is a product that the compiler may fuse with a sum, which makes a difference.  */
extern bool pg_fusable_p (tree value);

/* True if the target has instructions that fuse products like VALUE with sums, whatever the flags allow.  */
extern bool pg_target_fuses_p (tree value);

/* True if the target may make one instruction of a product and a sum of floating-point numbers of some type.  */
extern bool pg_target_fuses_floats_p (void);

/* What VALUE is the negation of, or itself: a negated product is fused like the product.  */
extern tree pg_strip_negation (tree value);

/* True if STMT only changes a sign.  */
extern bool pg_negation_p (gimple *stmt);

/* True if STMT is a sum or a difference.  */
extern bool pg_sum_p (gimple *stmt);

/* True if STMT is one of two products, with whatever signs: which one it is fused with depends on their order, and GCC
   keeps neither.  */
extern bool pg_two_products_p (gimple *stmt);

/* True if some sum takes VALUE, with whatever sign.  */
extern bool pg_summed_p (tree value);

/* False if VALUE, a product, is in no sum, whatever the compiler does.  */
extern bool pg_may_be_summed_p (tree value);

/* True if LOOP, N_LANES iterations of which go together, may be unrolled until no loop is left.  */
extern bool pg_few_turns_p (class loop *loop, HOST_WIDE_INT n_lanes);

#endif
