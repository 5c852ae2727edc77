/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums set apart from others, where a function is tried out (rehearse.h).

   A copy of a sum that is fused may be found to be the same as another sum, which is not, and then nothing is left of
   it to be seen:

       for (i = 0; i < n; i++)			    the inner loop is unrolled, and its first iteration has
	 {					    the sum that is there already
	   p = a[5 * i] * b[5 * i];
	   q[i] = p;
	   o[i] = p + c[5 * i];
	   for (k = 0; k < 5; k++)
	     z[5 * i + k] = a[5 * i + k] * b[5 * i + k] + c[5 * i + k];
	 }

   So the products of those that are known to be fused get parentheses, until the compiler is done with finding out what
   is the same: if all becomes what it does without, no sum is another one.  Vectors cannot have parentheses; they are
   fused at once.  */

#include "parted.h"
#include "forms.h"
#include "fused.h"
#include "products.h"
#include "rehearse.h"
#include "rounding.h"

/* Put what SUM is fused with in parentheses, if that is known, or fuse vectors.  */
static void
part (gimple *sum)
{
  struct pg_rounded rounded = pg_rounding_of (sum);
  int taken = pg_rounding_taken_in (&rounded);
  if (taken <= 0)
    return;
  if (VECTOR_TYPE_P (TREE_TYPE (gimple_assign_lhs (sum))))
    {
      pg_fuse (sum, taken);
      return;
    }
  tree product = gimple_op (sum, taken), parted = make_ssa_name (TREE_TYPE (product));
  gimple *stmt = gimple_build_assign (parted, PAREN_EXPR, product);
  gimple_set_location (stmt, gimple_location (sum));
  gimple_stmt_iterator gsi = gsi_for_stmt (sum);
  gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
  gimple_set_op (sum, taken, parted);
  update_stmt (sum);
}

/* True if STMT is one of those parentheses.  */
static bool
parted_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == PAREN_EXPR && pg_forms_mark_of (stmt);
}

/* Have what is in parentheses, STMT, used itself.  */
static void
join (gimple *stmt)
{
  imm_use_iterator it;
  use_operand_p use;
  gimple *user;
  FOR_EACH_IMM_USE_STMT (user, it, gimple_assign_lhs (stmt))
    {
      FOR_EACH_IMM_USE_ON_STMT (use, it)
	SET_USE (use, gimple_assign_rhs1 (stmt));
      update_stmt (user);
    }
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gsi_remove (&gsi, true);
  release_defs (stmt);
}

/* Do CHANGE to all statements of FUN of which IS_ONE holds.  */
static void
for_all (function *fun, bool (*is_one) (gimple *), void (*change) (gimple *))
{
  auto_vec<gimple *> found;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_one (gsi_stmt (gsi)))
	found.safe_push (gsi_stmt (gsi));
  for (gimple *stmt : found)
    change (stmt);
}

namespace
{

const pass_data pass_data_part = {
  GIMPLE_PASS, "pgpart", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

const pass_data pass_data_join = {
  GIMPLE_PASS, "pgjoin", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

/* Sets sums apart, or, if it JOINS, undoes that.  */
class pass_parted : public gimple_opt_pass
{
public:
  pass_parted (const pass_data &data, bool is_join, gcc::context *context)
      : gimple_opt_pass (data, context), joins (is_join)
  {
  }

  bool gate (function *) final override
  {
    return pg_rehearsal_parted_p ();
  }

  unsigned execute (function *fun) final override
  {
    for_all (fun, joins ? parted_p : pg_sum_p, joins ? join : part);
    return 0;
  }

private:
  bool joins;
};

}

gimple_opt_pass *
pg_make_pass_part (gcc::context *context)
{
  return new pass_parted (pass_data_part, false, context);
}

gimple_opt_pass *
pg_make_pass_join (gcc::context *context)
{
  return new pass_parted (pass_data_join, true, context);
}
