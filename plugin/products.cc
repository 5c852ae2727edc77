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
