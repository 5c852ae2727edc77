/* SPDX-License-Identifier: GPL-3.0-or-later
   What has to hold of numbers that are known on entry.  */
#ifndef PARAGON_REACH_H
#define PARAGON_REACH_H

#include "judge.h"
#include "polynomial.h"

/* VALUES, of PLAN's nodes alone, that have to be 0 or more.  If ALL_RUN, counts that are 0 unless a condition holds are
   what they are where it does, which has to be then.  If BY_EQUALITY, pieces may follow each other once by two values
   that allow for nothing but equality.  */
struct pg_needs
{
  struct pg_plan *plan;
  auto_vec<struct pg_polynomial> values;
  bool all_run = false, by_equality = false;
};

/* True if two of NEEDS' values from number FROM on leave so many values to what the entry knows as constants say, one
   for equality: that may be, but what leaves more is more likely.  */
extern bool pg_needs_leave_little_p (const struct pg_needs *needs, unsigned from);

/* How unlikely it is that NEEDS' values from number FROM on hold: 0 is best.  Numbers of rows and columns are much
   alike, and large, so that one of them is hardly another one less 60.  */
extern HOST_WIDE_INT pg_needs_lack (const struct pg_needs *needs, unsigned from);

/* True if one of NEEDS' values is hardly ever 0 or more, by the same.  */
extern bool pg_needs_hopeless_p (const struct pg_needs *needs);

/* True if VALUE is what node INDEX of PLAN is, or more, whatever that is.  */
extern bool pg_at_least_p (const struct pg_plan *plan, const struct pg_polynomial &value, int index);

/* Add to NEEDS that the node INDEX is 0 or more.  */
extern bool pg_need_node (struct pg_needs *needs, int index);

/* Add to NEEDS that LHS CODE RHS, of invariants, comes out as IS_TRUE says.  False: it cannot be said so.  */
extern bool pg_need_condition (struct pg_needs *needs, enum tree_code code, tree lhs, tree rhs, bool is_true);

/* LEN bytes from the address of reference WRITTEN on, stored in all turns of DIMS, before others are touched in all
   turns of TOUCHED_DIMS, if NEEDS hold.  Addresses have the same coefficients in other dimensions.  */
struct pg_part
{
  const struct pg_plan_ref *written;
  HOST_WIDE_INT len;
  auto_vec<int> dims, touched_dims;
  struct pg_needs needs;
};

/* True if PART is all that TOUCHED touches, if all holds that is added to NEEDS.  PART's own are not.  */
extern bool pg_reaches (struct pg_needs *needs, const struct pg_part *part, const struct pg_plan_ref *touched);

/* True if all of PARTS together are.  Theirs are added, too.  */
extern bool pg_reach_jointly (struct pg_needs *needs, const vec<struct pg_part *> &parts,
			      const struct pg_plan_ref *touched);

#endif
