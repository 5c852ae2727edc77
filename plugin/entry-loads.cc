/* SPDX-License-Identifier: GPL-3.0-or-later
   Entry loads: what addresses are computed from, and the loop loads itself each time from the same place.

       for (i = 0; i < m->rows; i++)		guard:  data = m->rows > 0 && m->cols > 0 ? m->data : 0
	 for (j = 0; j < m->cols; j++)
	   m->data[i * m->stride + j] = 0;	refs:   m->data (read), data + 4 * stride * I + 4 * J (write)

   GCC leaves such a load in the loop where it may not be executed at all, or where the loop's stores might change what
   it loads.  The guard loads it where the first iteration is certain to.

   That stores might change it needs no care here: the load is a reference as others are.  If all that is written by
   addresses computed from the first value is apart from where the value is, as L1 shows, then the first store of all
   does not change it, so that the second is by the same value, and so on; whatever the order.  */

#include "judge.h"

/* More loads than this, one after the other, are taken as indirect.  */
static const unsigned max_loads = 32;

/* True if REFERENCE is a scalar in memory that an address can be taken of, of a type that addresses are computed
   from.  */
static bool
plain_reference_p (const struct pg_plan *plan, tree reference)
{
  tree type = TREE_TYPE (reference);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || TREE_CODE (type) == BOOLEAN_TYPE
      || !type_has_mode_precision_p (type) || TYPE_PRECISION (type) > 64 || TREE_THIS_VOLATILE (reference)
      || reverse_storage_order_for_component_p (reference) || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (type)))
    return false;
  tree part = reference;
  for (; TREE_CODE (part) == COMPONENT_REF || TREE_CODE (part) == ARRAY_REF; part = TREE_OPERAND (part, 0))
    if (TREE_CODE (part) == COMPONENT_REF && DECL_BIT_FIELD_TYPE (TREE_OPERAND (part, 1)))
      return false;
  if (TREE_CODE (part) == MEM_REF)
    return ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (part)));
  return VAR_P (part) && !DECL_THREAD_LOCAL_P (part) && !DECL_HARD_REGISTER (part) && !DECL_HAS_VALUE_EXPR_P (part)
	 && !pg_private_p (plan, part);
}

/* Callback of walk_tree: find a name that the entry does not know, or can come to know by loading it.  */
static tree
find_unknown (tree *tp, int *walk_subtrees, void *data)
{
  struct pg_plan *plan = (struct pg_plan *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return TREE_CODE (*tp) == SSA_NAME && !pg_invariant_p (plan, *tp) && !pg_entry_load (plan, *tp) ? *tp : NULL_TREE;
}

/* What must hold before the loop for the only edge into BB to be taken, from where it leaves; NULL_TREE: it depends on
   the iteration.  */
static tree
condition_of (const struct pg_plan *plan, basic_block bb)
{
  edge e = single_pred_edge (bb);
  if (single_succ_p (e->src))
    return boolean_true_node;
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (e->src));
  if (!test)
    return NULL_TREE;
  tree a = gimple_cond_lhs (test), b = gimple_cond_rhs (test), type = TREE_TYPE (a);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || !pg_invariant_p (plan, a) || !pg_invariant_p (plan, b))
    return NULL_TREE;
  enum tree_code code = gimple_cond_code (test);
  if (e->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, false);
  return fold_build2 (code, boolean_type_node, unshare_expr (a), unshare_expr (b));
}

/* When the first iteration of PLAN's loop, if there is one, comes to BB; NULL_TREE: nobody knows.  */
static tree
when_reached (const struct pg_plan *plan, basic_block bb)
{
  tree when = boolean_true_node;
  for (;;)
    {
      class loop *loop = bb->loop_father;
      if (pg_in_each_iteration_p (plan, loop, bb))
	{
	  if (loop == plan->loop)
	    return when;
	  bb = loop_preheader_edge (loop)->src;
	  continue;
	}
      tree condition = single_pred_p (bb) ? condition_of (plan, bb) : NULL_TREE;
      if (!condition)
	return NULL_TREE;
      when = fold_build2 (TRUTH_AND_EXPR, boolean_type_node, condition, when);
      bb = single_pred (bb);
    }
}

bool
pg_entry_load (struct pg_plan *plan, tree name)
{
  for (const struct pg_plan_entry_load &known : plan->entry_loads)
    if (known.name == name)
      return true;
  gimple *def = SSA_NAME_DEF_STMT (name);
  if (pg_function_body_p (plan))
    return false; /* nothing comes before it */
  if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI (name) || !gimple_assign_load_p (def))
    return false;
  tree reference = gimple_assign_rhs1 (def);
  if (plan->entry_loads.length () >= max_loads || !plain_reference_p (plan, reference))
    return false;
  tree when = when_reached (plan, gimple_bb (def));
  if (!when || walk_tree_without_duplicates (&reference, find_unknown, plan))
    return false;
  struct pg_plan_entry_load load = { def, name, unshare_expr (reference), when };
  plan->entry_loads.safe_push (load);
  return true;
}
