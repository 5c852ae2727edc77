/* SPDX-License-Identifier: GPL-3.0-or-later
   Scalars that live from one iteration to the next: PHIs in the header of the plan's loop.

   Each must be an induction variable (a function of the iteration number), a trail (trails.cc), a choice (choices.cc),
   a mirror (mirrors.cc) or a reduction:

       s = PHI <init, s'>;  ...  t = PHI <s, s + x>;  ...  s' = t + y;

   a cycle of one associative operation, through merges and inner loops, whose values are used nowhere else.  Then each
   job may start from the operation's identity, and the partial values combine in order.  If an integer's or a pointer's
   are used in the loop, it is carried: there has to be a tally (tally.cc).  */

#include "choices.h"
#include "cycle.h"

/* True if the names on the cycle are used once in each of its operations, and but for FINAL, not after the loop.
   *IS_USED is set if the loop uses them beside the cycle.  */
static bool
cycle_is_closed (const struct pg_cycle *c, tree final, bool *is_used)
{
  *is_used = false;
  for (tree name : c->names)
    {
      if (pg_cycle_doubles_p (c, name))
	return false;
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  gimple *stmt = USE_STMT (use);
	  if (is_gimple_debug (stmt))
	    continue;
	  if (!flow_bb_inside_loop_p (c->plan->loop, gimple_bb (stmt)))
	    {
	      if (name != final)
		return false;
	      continue;
	    }
	  tree def = is_a<gphi *> (stmt) || is_gimple_assign (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
	  if (!def || !c->names.contains (def))
	    *is_used = true;
	}
    }
  return true;
}

bool
pg_scalar_type_of (const_tree type, enum pg_scalar_type *out)
{
  if (SCALAR_FLOAT_TYPE_P (type))
    {
      *out = TYPE_MODE (type) == SFmode ? PG_F32 : PG_F64;
      return true;
    }
  if (!INTEGRAL_TYPE_P (type))
    return false;
  HOST_WIDE_INT len = int_size_in_bytes (type);
  bool full = TYPE_PRECISION (type) == len * BITS_PER_UNIT || TREE_CODE (type) == BOOLEAN_TYPE;
  int log2 = exact_log2 (len);
  if (!full || log2 < 0 || log2 > 3)
    return false;
  *out = (enum pg_scalar_type) ((TYPE_UNSIGNED (type) ? PG_U8 : PG_I8) + log2);
  return true;
}

/* Fill in a reduction if PHI is one.  IS_FP_ORDER: it would be, if floating-point sums might be reordered.  */
static bool
match_reduction (struct pg_plan *plan, gphi *phi, struct pg_plan_reduction *out, bool *is_fp_order)
{
  class loop *loop = plan->loop;
  tree result = gimple_phi_result (phi), type = TREE_TYPE (result);
  tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
  bool is_used, is_pointer = POINTER_TYPE_P (type);
  *is_fp_order = false;
  out->type = PG_U64;
  if (!is_pointer && !pg_scalar_type_of (type, &out->type))
    return false;

  struct pg_cycle c;
  c.plan = plan;
  c.seen_op = false;
  c.names.safe_push (result);
  if (!pg_cycle_reaches (&c, next) || !c.seen_op)
    return false;
  bool is_float = SCALAR_FLOAT_TYPE_P (type);
  bool is_order = pg_cycle_orders_p (&c);
  if (!cycle_is_closed (&c, plan->exit_at_top ? result : next, &is_used) || (is_used && is_float))
    return false;
  if (is_float && !is_order && !flag_associative_math)
    {
      *is_fp_order = true;
      return false;
    }
  if (!pg_cycle_suits_type_p (&c, type))
    return false;
  out->phi = phi;
  out->op = c.op;
  out->leader = -1;
  out->carries = PG_CARRIES_PART;
  out->is_carried = is_used || is_pointer;
  for (unsigned i = 0; out->is_carried && i < c.names.length (); i++)
    {
      struct pg_plan_carried carried = { c.names[i], (int) plan->reductions.length () };
      plan->carried.safe_push (carried);
    }
  if (!is_order)
    for (gimple *stmt : c.operations)
      plan->wrap_chain.safe_push (stmt);
  return true;
}

/* The user's name for what PHI carries, or NULL.  */
static char *
variable_name (gphi *phi)
{
  tree var = SSA_NAME_VAR (gimple_phi_result (phi));
  return var && DECL_NAME (var) ? xstrdup (IDENTIFIER_POINTER (DECL_NAME (var))) : NULL;
}

bool
pg_induction_p (const struct pg_plan *plan, gphi *phi)
{
  affine_iv iv;
  tree result = gimple_phi_result (phi);
  return (INTEGRAL_TYPE_P (TREE_TYPE (result)) || POINTER_TYPE_P (TREE_TYPE (result)))
	 && simple_iv (plan->loop, plan->loop, result, &iv, true) && pg_invariant_p (plan, iv.base)
	 && pg_invariant_p (plan, iv.step);
}

bool
pg_refuse_phi (struct pg_plan *plan, enum pg_reason why, gphi *phi)
{
  tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (plan->loop));
  gimple *where = TREE_CODE (next) == SSA_NAME ? SSA_NAME_DEF_STMT (next) : phi;
  return pg_refuse (plan, why, where, variable_name (phi));
}

bool
pg_refuse_carried (struct pg_plan *plan, gimple *stmt)
{
  if (plan->carried.is_empty ())
    return pg_refuse (plan, PG_WHY_CARRIED_MEMORY, stmt);
  if (!stmt)
    return pg_refuse_phi (plan, PG_WHY_CARRIED_SCALAR, plan->reductions[plan->carried[0].reduction].phi);
  return pg_refuse (plan, PG_WHY_CARRIED_SCALAR, stmt,
		    variable_name (plan->reductions[plan->carried[0].reduction].phi));
}

bool
pg_judge_scalars (struct pg_plan *plan)
{
  class loop *loop = plan->loop;
  auto_vec<gphi *> others;
  for (gphi_iterator gpi = gsi_start_phis (loop->header); !gsi_end_p (gpi); gsi_next (&gpi))
    {
      gphi *phi = gpi.phi ();
      tree result = gimple_phi_result (phi);
      if (virtual_operand_p (result))
	continue;
      if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI (result))
	return pg_refuse (plan, PG_WHY_SETJMP, phi);
      if (pg_induction_p (plan, phi) || (pg_relies_on_loads_p (plan) && pg_match_steady (plan, phi)))
	continue;
      if (pg_match_mirror (plan, phi))
	continue;
      struct pg_plan_reduction reduction;
      bool is_fp_order;
      if (match_reduction (plan, phi, &reduction, &is_fp_order))
	{
	  plan->reductions.safe_push (reduction);
	  continue;
	}
      enum pg_reason why = is_fp_order ? PG_WHY_FP_ORDER : PG_WHY_CARRIED_SCALAR;
      if (pg_match_trail (plan, phi, &why) || pg_match_steady (plan, phi))
	continue;
      if (why != PG_WHY_CARRIED_SCALAR)
	return pg_refuse_phi (plan, why, phi);
      others.safe_push (phi);
    }
  gphi *wrong = pg_match_choices (plan, others);
  return !wrong || pg_refuse_phi (plan, PG_WHY_CARRIED_SCALAR, wrong);
}
