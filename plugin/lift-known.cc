/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: what is known of inner loops.

   A loop that tests first becomes a test and a loop that tests last, and the test may go far up: out of F, if it says
   the same in all iterations.  Then nothing in F says that the loop's first turn passes the test of all others, and
   whoever compiles the kernel must take it that one turn is made whatever the test says.

       if (0 < n)				F:   i = phi [0] [i + 1]	     known 0 < n
	 for (i ...) the loop that F becomes	 ->	     ...		->   i = phi [0] [i + 1]
	   for (j = 0; j < n; j++)			     if (i + 1 < n) on		     ...

   What is known is of constants and live-ins only, so that it holds whatever an iteration reads.  */
#include "lifting.h"

void
pg_find_counted (struct pg_plan *plan)
{
  for (auto inner : loops_list (cfun, 0))
    {
      class tree_niter_desc desc;
      edge exit = single_exit (inner);
      if (!exit || !flow_loop_nested_p (plan->loop, inner) || !number_of_iterations_exit (inner, exit, &desc, false)
	  || !integer_zerop (desc.may_be_zero) || !integer_onep (desc.assumptions))
	continue;
      gimple *test = last_stmt (exit->src);
      if (test && is_a<gcond *> (test))
	{
	  struct pg_counted counted = { inner->header, as_a<gcond *> (test), (exit->flags & EDGE_TRUE_VALUE) == 0 };
	  plan->counted.safe_push (counted);
	}
    }
}

/* Is VALUE the same in all iterations, and computed before them?  */
static bool
is_given_p (const struct pg_lifter *lifter, tree value)
{
  return TREE_CODE (value) == INTEGER_CST
	 || (TREE_CODE (value) == SSA_NAME && gimple_bb (SSA_NAME_DEF_STMT (value)) == lifter->source->entry_bb);
}

/* What goes into the loop by ENTRY and comes back as NEXT; or NULL_TREE.  */
static tree
init_of (edge entry, tree next)
{
  for (gphi_iterator psi = gsi_start_phis (entry->dest); !gsi_end_p (psi); gsi_next (&psi))
    for (unsigned i = 0; i < gimple_phi_num_args (psi.phi ()); i++)
      if (gimple_phi_arg_edge (psi.phi (), i) != entry && gimple_phi_arg_def (psi.phi (), i) == next)
	return PHI_ARG_DEF_FROM_EDGE (psi.phi (), entry);
  return NULL_TREE;
}

/* Are A and B compared already, on the only way to ENTRY?  */
static bool
are_compared_p (edge entry, tree a, tree b)
{
  for (basic_block bb = entry->src; single_pred_p (bb); bb = single_pred (bb))
    {
      gimple *end = last_stmt (single_pred (bb));
      if (!end || !is_a<gcond *> (end))
	continue;
      tree lhs = gimple_cond_lhs (end), rhs = gimple_cond_rhs (end);
      if ((operand_equal_p (lhs, a) && operand_equal_p (rhs, b))
	  || (operand_equal_p (lhs, b) && operand_equal_p (rhs, a)))
	return true;
    }
  return false;
}

void
pg_lift_known (struct pg_lifter *lifter, edge e)
{
  for (const struct pg_counted &counted : lifter->source->plan->counted)
    {
      if (counted.header != e->dest || flow_bb_inside_loop_p (e->dest->loop_father, e->src))
	continue;
      enum tree_code code = gimple_cond_code (counted.test);
      tree next = gimple_cond_lhs (counted.test), bound = gimple_cond_rhs (counted.test);
      if (is_given_p (lifter, next))
	{
	  std::swap (next, bound);
	  code = swap_tree_comparison (code);
	}
      code = counted.is_true ? code : invert_tree_comparison (code, false);
      tree init = init_of (e, next);
      if (!init || !INTEGRAL_TYPE_P (TREE_TYPE (init)) || !is_given_p (lifter, init) || !is_given_p (lifter, bound)
	  || code == NE_EXPR || code == EQ_EXPR || are_compared_p (e, init, bound))
	continue;
      pg_kir_value known
	= pg_compare (lifter, code, TREE_TYPE (init), pg_scalar_of (lifter, init), pg_scalar_of (lifter, bound));
      pg_emit_many (lifter, PG_KIR_OP_KNOWN, PG_KIR_VOID, 0, &known, 1, NULL, 0);
    }
}
