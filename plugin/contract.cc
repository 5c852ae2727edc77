/* SPDX-License-Identifier: GPL-3.0-or-later
   Floating-point contraction: where the target has fused multiply-add and the flags let the compiler form it, the same
   source may round once or twice, depending on what surrounds it.

       t = a * b;  e = t;  c = t + d;      two roundings if t is also stored, one if the store is seen through

   The original loop, F and the no-alias F are compiled apart, so a product may be fused in one and not in another
   unless nothing but its one use decides: it is used once, in a sum of the same block that has no other
   product.  Flags that leave the bits open (-ffast-math) make no demand.

   Code around the loop has its say, too.  Only a product and a sum of one block are fused, and blocks become one when
   what stands between them vanishes: a loop of few turns that is unrolled, one that is replaced by a call of memset.
   With a guard neither happens.  */

#include "judge.h"

static bool
target_fuses_p (const_tree type)
{
  return direct_internal_fn_supported_p (IFN_FMA, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED)
	 || direct_internal_fn_supported_p (IFN_FMS, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED);
}

static bool
product_p (tree value)
{
  return TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value))
	 && gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value)) == MULT_EXPR;
}

/* The negation of a product is fused like the product.  */
static tree
strip_negation (tree value)
{
  if (TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value))
      && gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value)) == NEGATE_EXPR)
    return gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
  return value;
}

static bool
sum_p (gimple *stmt)
{
  return is_gimple_assign (stmt)
	 && (gimple_assign_rhs_code (stmt) == PLUS_EXPR || gimple_assign_rhs_code (stmt) == MINUS_EXPR);
}

/* True if the sums that VALUE, a product or the negation of one, goes into are certain.  ACCUMULATES is set if one
   of them adds to a value of the previous iteration or of memory.  */
static bool
fate_certain_p (tree value, bool *accumulates)
{
  unsigned n_uses = 0, n_sums = 0;
  gimple *sum = NULL;
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      n_uses++;
      if (sum_p (stmt) || (is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == NEGATE_EXPR))
	{
	  n_sums++;
	  sum = stmt;
	}
    }
  if (n_sums == 0)
    return true;
  if (n_uses > 1 || gimple_bb (sum) != gimple_bb (SSA_NAME_DEF_STMT (value)))
    return false;
  if (!sum_p (sum))
    return fate_certain_p (gimple_assign_lhs (sum), accumulates);
  tree a = gimple_assign_rhs1 (sum), b = gimple_assign_rhs2 (sum);
  tree other = a == value ? b : a;
  if (product_p (strip_negation (other)))
    return false;
  gimple *def = TREE_CODE (other) == SSA_NAME ? SSA_NAME_DEF_STMT (other) : NULL;
  *accumulates |= def && (is_a<gphi *> (def) || gimple_assign_load_p (def));
  return true;
}

/* True if LOOP, an inner loop of the nest, stores to memory.  */
static bool
stores_p (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      found |= gimple_vdef (gsi_stmt (gsi)) && !gimple_clobber_p (gsi_stmt (gsi));
  free (body);
  return found;
}

/* True if VALUE is used by something else than a PHI.  */
static bool
used_in_body_p (tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    if (!is_gimple_debug (USE_STMT (use)) && !is_a<gphi *> (USE_STMT (use)))
      return true;
  return false;
}

/* True if PRODUCT goes into a sum that an inner loop with stores carries to its next iteration and uses for nothing
   else: whether such a loop is vectorised, with the products apart from sums in order, depends on what is known of its
   pointers.  */
static bool
carried_beside_stores_p (const struct pg_plan *plan, gimple *product)
{
  class loop *loop = gimple_bb (product)->loop_father;
  if (loop == plan->loop || !stores_p (loop))
    return false;
  tree value = gimple_assign_lhs (product);
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    if (sum_p (USE_STMT (use)) && !used_in_body_p (gimple_assign_lhs (USE_STMT (use))))
      return true;
  return false;
}

static bool
fusable_product_p (tree value)
{
  return product_p (value) && FLOAT_TYPE_P (TREE_TYPE (value)) && flag_fp_contract_mode == FP_CONTRACT_FAST
	 && target_fuses_p (TREE_TYPE (value));
}

/* True if LOOP may be unrolled until no loop is left.  */
static bool
few_turns_p (class loop *loop)
{
  HOST_WIDE_INT most = likely_max_stmt_executions_int (loop);
  return most >= 0 && most <= MAX (param_max_completely_peel_times, loop->unroll) + 1;
}

/* True if VALUE, made in block FROM, goes into a sum on the other side of the loop of PLAN, or, if AROUND, that of
   another turn of a loop around it.  N_STEPS bounds the walk.  */
static bool
summed_beyond_p (const struct pg_plan *plan, tree value, basic_block from, bool around, unsigned n_steps)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      basic_block bb = gimple_bb (stmt);
      if (is_gimple_debug (stmt) || flow_bb_inside_loop_p (plan->loop, bb))
	continue;
      if (sum_p (stmt) && (around || (bb != from && dominated_by_p (CDI_DOMINATORS, bb, plan->loop->header))))
	return true;
      bool negation = is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == NEGATE_EXPR;
      bool turn = is_a<gphi *> (stmt) && bb->loop_father->header == bb
		  && flow_bb_inside_loop_p (bb->loop_father, plan->loop->header);
      if (n_steps && (negation || is_a<gphi *> (stmt))
	  && summed_beyond_p (plan, gimple_get_lhs (stmt), from, around || turn, n_steps - 1))
	return true;
    }
  return false;
}

/* A product of the function that would be fused with a sum if the loop of PLAN vanished; null if there is none.  */
static gimple *
product_apart (const struct pg_plan *plan)
{
  bool few = few_turns_p (plan->loop);
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  {
    if (!fusable_product_p (name))
      continue;
    basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (name));
    if (few || (!flow_bb_inside_loop_p (plan->loop, bb) && summed_beyond_p (plan, name, bb, false, 3)))
      return SSA_NAME_DEF_STMT (name);
  }
  return NULL;
}

bool
pg_judge_contraction (struct pg_plan *plan)
{
  bool floats = false, accumulates = false, fuses = false;
  basic_block *body = get_loop_body_in_dom_order (plan->loop);
  gimple *uncertain = NULL;
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (!is_gimple_assign (stmt) && !is_gimple_call (stmt))
	  continue;
	tree lhs = gimple_get_lhs (stmt);
	if (!lhs || !FLOAT_TYPE_P (TREE_TYPE (lhs)))
	  continue;
	floats = true;
	if (fusable_product_p (lhs))
	  {
	    bool here = false;
	    fuses = true;
	    if (!fate_certain_p (lhs, &here) || (here && carried_beside_stores_p (plan, stmt)))
	      uncertain = stmt;
	    accumulates |= here;
	  }
      }
  free (body);

  if (flag_associative_math || flag_unsafe_math_optimizations || flag_reciprocal_math)
    {
      plan->region_flags |= floats ? PG_REGION_FIXED_GRID : 0;
      return true;
    }
  if (!uncertain)
    uncertain = product_apart (plan);
  if (uncertain)
    return pg_refuse (plan, PG_WHY_FP_CONTRACT, uncertain);

  /* With disjoint groups a sum in memory may be kept in a register, and chains of sums are fused by other rules.  */
  if (fuses && accumulates && param_avoid_fma_max_bits)
    plan->build_noalias = plan->groups_apart = false;
  return true;
}
