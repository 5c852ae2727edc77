/* SPDX-License-Identifier: GPL-3.0-or-later
   What has to hold of numbers that are known on entry.  */
#ifndef PARAGON_REACH_H
#define PARAGON_REACH_H

#include "judge.h"
#include "polynomial.h"

/* VALUES, of PLAN's nodes alone, that have to be 0 or more.  */
struct pg_needs
{
  struct pg_plan *plan;
  auto_vec<struct pg_polynomial> values;
};

/* Add to NEEDS that the node INDEX is 0 or more.  */
extern bool pg_need_node (struct pg_needs *needs, int index);

/* Add to NEEDS that LHS CODE RHS, of invariants, comes out as IS_TRUE says.  False: it cannot be said so.  */
extern bool pg_need_condition (struct pg_needs *needs, enum tree_code code, tree lhs, tree rhs, bool is_true);

/* True if WRITTEN_LEN bytes from the address of reference WRITTEN on are, in all turns of DIMS, what TOUCHED touches in
   all turns of TOUCHED_DIMS, if all holds that is added to NEEDS.  Addresses have the same coefficients in other
   dimensions.  */
extern bool pg_reaches (struct pg_needs *needs, const struct pg_plan_ref *written, HOST_WIDE_INT written_len,
			const vec<int> &dims, const struct pg_plan_ref *touched, const vec<int> &touched_dims);

#endif
