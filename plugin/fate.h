/* SPDX-License-Identifier: GPL-3.0-or-later
   What becomes of a floating-point product where the target has fused multiply-add.  */
#ifndef PARAGON_FATE_H
#define PARAGON_FATE_H

#include "judge.h"

enum pg_fate
{
  PG_FATE_APART,    /* it goes into no sum */
  PG_FATE_FUSED,    /* it goes into one, which has no other product */
  PG_FATE_ORDERED,  /* it goes into sums, and the order of the block's products decides which of them are fused */
  PG_FATE_UNCERTAIN /* what surrounds it decides */
};

/* True if VALUE is a product that the compiler may fuse with a sum, which makes a difference.  */
extern bool pg_fusable_p (tree value);

/* True if the target has instructions that fuse products like VALUE with sums, whatever the flags allow.  */
extern bool pg_target_fuses_p (tree value);

/* What VALUE is the negation of, or itself: a negated product is fused like the product.  */
extern tree pg_strip_negation (tree value);

/* True if STMT changes no more than a sign.  */
extern bool pg_sign_p (gimple *stmt);

/* True if STMT is a sum or a difference.  */
extern bool pg_sum_p (gimple *stmt);

/* The fate of the product STMT, wherever its loop is compiled.  *ACCUMULATES is set if one of its sums adds to a value
   of the previous iteration or of memory.  */
extern enum pg_fate pg_fate_of (gassign *stmt, bool *accumulates);

/* True if each iteration of a loop of PLAN that has loops in it, and the product STMT, makes another product: where
   that loop is vectorised, it is not made once for all of them, apart from their sums.  */
extern bool pg_varies_around_p (const struct pg_plan *plan, gassign *stmt);

/* True if LOOP may be unrolled until no loop is left.  */
extern bool pg_few_turns_p (class loop *loop);

/* True if that may become of it once it is vectorised.  */
extern bool pg_few_vector_turns_p (class loop *loop);

/* True if whatever the compiler does to LOOP, one of PLAN's, leaves the products of a block in their order, unless it
   is told more of its pointers.  */
extern bool pg_order_certain_p (const struct pg_plan *plan, class loop *loop);

/* How two products may become one.  */
enum pg_twins
{
  PG_TWINS_NO,
  PG_TWINS_WITHOUT_STORES, /* if no store comes between what they are made of */
  PG_TWINS_SHIFTED         /* if an iteration keeps what another one loaded */
};

/* How the products A and B of PLAN's loop may become one.  */
extern enum pg_twins pg_twins (const struct pg_plan *plan, gassign *a, gassign *b);

#endif
