/* SPDX-License-Identifier: GPL-3.0-or-later
   Computing with entry expressions and linear forms: constants here, the rest when the runtime does.  */
#ifndef PARAGON_NODES_H
#define PARAGON_NODES_H

#include "judge.h"

/* The node of PLAN that is OP of nodes A and B, VALUE and LEAF (struct pg_plan_node).  */
extern int pg_node_add (struct pg_plan *plan, enum pg_node_op op, int a, int b, HOST_WIDE_INT value, tree leaf);

/* Node INDEX, or 0 if that is -1, plus VALUE.  */
extern int pg_node_plus (struct pg_plan *plan, int index, HOST_WIDE_INT value);

/* A OP B, of nodes; -1 stands for 0.  */
extern int pg_node_binary (struct pg_plan *plan, enum pg_node_op op, int a, int b);

/* A OP B, a sum or a difference of forms.  */
extern struct pg_plan_linear pg_linear_binary (struct pg_plan *plan, enum pg_node_op op, const struct pg_plan_linear &a,
					       const struct pg_plan_linear &b);

/* A times node FACTOR.  */
extern struct pg_plan_linear pg_linear_scale (struct pg_plan *plan, const struct pg_plan_linear &a, int factor);

/* True if A is the same in all iterations.  */
extern bool pg_linear_invariant_p (const struct pg_plan_linear &a);

#endif
