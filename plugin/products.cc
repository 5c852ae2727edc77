/* SPDX-License-Identifier: GPL-3.0-or-later
   Floating-point products, and the sums that may take them in.  */

#include "products.h"
#include "factors.h"

static bool
product_p (tree value)
{
  return TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value))
	 && gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value)) == MULT_EXPR;
}

static bool
target_fuses_p (const_tree type)
{
  return direct_internal_fn_supported_p (IFN_FMA, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED)
	 || direct_internal_fn_supported_p (IFN_FMS, CONST_CAST_TREE (type), OPTIMIZE_FOR_SPEED);
}

bool
pg_target_fuses_floats_p ()
{
  return flag_fp_contract_mode == FP_CONTRACT_FAST
	 && (target_fuses_p (float_type_node) || target_fuses_p (double_type_node));
}

bool
pg_target_fuses_p (tree value)
{
  return product_p (value) && FLOAT_TYPE_P (TREE_TYPE (value)) && target_fuses_p (TREE_TYPE (value));
}

bool
pg_fusable_p (tree value)
{
  return flag_fp_contract_mode == FP_CONTRACT_FAST && pg_target_fuses_p (value)
	 && !pg_exact_p (SSA_NAME_DEF_STMT (value));
}

bool
pg_negation_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && gimple_assign_rhs_code (stmt) == NEGATE_EXPR;
}

bool
pg_sum_p (gimple *stmt)
{
  return is_gimple_assign (stmt)
	 && (gimple_assign_rhs_code (stmt) == PLUS_EXPR || gimple_assign_rhs_code (stmt) == MINUS_EXPR);
}

tree
pg_strip_negation (tree value)
{
  if (TREE_CODE (value) == SSA_NAME && pg_negation_p (SSA_NAME_DEF_STMT (value)))
    return gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
  return value;
}

bool
pg_two_products_p (gimple *stmt)
{
  return pg_sum_p (stmt) && pg_target_fuses_p (pg_strip_negation (gimple_assign_rhs1 (stmt)))
	 && pg_target_fuses_p (pg_strip_negation (gimple_assign_rhs2 (stmt)));
}

bool
pg_summed_p (tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (pg_sum_p (stmt) || (pg_negation_p (stmt) && pg_summed_p (gimple_assign_lhs (stmt))))
	return true;
    }
  return false;
}

bool
pg_few_turns_p (class loop *loop, HOST_WIDE_INT n_lanes)
{
  HOST_WIDE_INT most = likely_max_stmt_executions_int (loop);
  return most >= 0 && most <= (MAX (param_max_completely_peel_times, loop->unroll) + 1) * n_lanes;
}

/* Uses of a product that are looked at; beyond them, it may be summed.  */
static const unsigned max_uses = 50;

/* True if the place where STMT stores depends on what its LOOP computes.  */
static bool
place_varies_p (gimple *stmt, const class loop *loop)
{
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, it, SSA_OP_USE)
    {
      basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (use));
      if (use != gimple_assign_rhs1 (stmt) && bb && flow_bb_inside_loop_p (loop, bb))
	return true;
    }
  return false;
}

/* True if STMT stores where it, or another statement of its loop, may store again before somebody else can see it: then
   it may be left out, and what it stores be used where it is loaded.  */
static bool
store_may_vanish_p (gimple *stmt)
{
  class loop *loop = gimple_bb (stmt)->loop_father;
  tree reference = gimple_assign_lhs (stmt), base = get_base_address (reference);
  if (!loop_outer (loop) || !base || (VAR_P (base) && !is_global_var (base)))
    return true;
  if (pg_few_turns_p (loop, 1) || !place_varies_p (stmt, loop))
    return true;
  bool found = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *other = gsi_stmt (gsi);
	found |= other != stmt && gimple_vdef (other) && stmt_may_clobber_ref_p (other, reference);
      }
  free (body);
  return found;
}

/* True if what STMT makes of a product is no product that may be fused, but a value of its own.  */
static bool
ends_p (gimple *stmt)
{
  tree_code code = is_gimple_assign (stmt) ? gimple_assign_rhs_code (stmt) : ERROR_MARK;
  return code == MULT_EXPR || code == RDIV_EXPR || code == FIX_TRUNC_EXPR || TREE_CODE_CLASS (code) == tcc_comparison;
}

/* True if VALUE, a product or what passes it on, may be summed.  */
static bool
may_be_summed_p (tree value, unsigned *n_uses)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      if ((*n_uses)-- == 0 || pg_sum_p (stmt))
	return true;
      tree lhs = is_a<gphi *> (stmt) || is_gimple_assign (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
      if (!lhs || (TREE_CODE (lhs) == SSA_NAME && !is_a<gphi *> (stmt) && ends_p (stmt)))
	continue;
      if (TREE_CODE (lhs) == SSA_NAME ? may_be_summed_p (lhs, n_uses) : store_may_vanish_p (stmt))
	return true;
    }
  return false;
}

bool
pg_may_be_summed_p (tree value)
{
  unsigned n_uses = max_uses;
  return may_be_summed_p (value, &n_uses);
}
