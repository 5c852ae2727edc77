/* SPDX-License-Identifier: GPL-3.0-or-later
   Values that are narrowed, and then converted once more:

       float t = a[i] * 1.7;
       b[i] = t * 3.1;

   Where such statements stand side by side, GCC makes vectors of them, float as many lanes as double; and a conversion
   of vectors there and back it takes for nothing, so that nothing is rounded to float.  They do stand side by side
   where a body has two of them, and in copies of iterations, which F has of others than the original.  */

#include "judge.h"

/* True if STMT narrows a floating-point value that is converted once more.  */
static bool
narrows_p (gimple *stmt)
{
  if (!gimple_assign_cast_p (stmt))
    return false;
  tree value = gimple_assign_lhs (stmt), from = gimple_assign_rhs1 (stmt);
  if (!SCALAR_FLOAT_TYPE_P (TREE_TYPE (value)) || !SCALAR_FLOAT_TYPE_P (TREE_TYPE (from))
      || TYPE_PRECISION (TREE_TYPE (value)) >= TYPE_PRECISION (TREE_TYPE (from)))
    return false;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *user = USE_STMT (use);
      if (is_gimple_assign (user) && (gimple_assign_cast_p (user) || gimple_assign_rhs_code (user) == FIX_TRUNC_EXPR))
	return true;
    }
  return false;
}

/* True if LOOP's iterations may be put side by side, whatever their number: those of the loop around it, or some that
   load what another one loads, too.  */
static bool
puts_side_by_side_p (class loop *loop)
{
  if (flag_unroll_jam && loop_outer (loop_outer (loop)) && !loop->inner)
    return true;
  if (!flag_predictive_commoning || loop->inner)
    return false;
  hash_set<tree_operand_hash> bases;
  bool is_reused = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_vuse (gsi_stmt (gsi)) && gimple_assign_load_p (gsi_stmt (gsi)))
	is_reused |= bases.add (get_base_address (gimple_assign_rhs1 (gsi_stmt (gsi))));
  free (body);
  return is_reused;
}

/* True if copies of BB's statements may stand side by side.  */
static bool
copied_p (basic_block bb)
{
  class loop *loop = bb->loop_father;
  return pg_leaves_copies_p (loop) || puts_side_by_side_p (loop);
}

bool
pg_judge_narrowing (struct pg_plan *plan)
{
  gimple *found = NULL;
  if (!flag_tree_slp_vectorize || flag_unsafe_math_optimizations)
    return true;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes && !found; i++)
    {
      int n = 0;
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !found; gsi_next (&gsi))
	if (narrows_p (gsi_stmt (gsi)) && (++n > 1 || copied_p (body[i])))
	  found = gsi_stmt (gsi);
    }
  free (body);
  return !found || pg_refuse (plan, PG_WHY_NARROWED, found);
}
