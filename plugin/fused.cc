/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums in what was made of a loop, made as the original makes them.

   F, and whatever else is made of a loop, is compiled apart, and what it knows of pointers, counts and conflicts may
   have the compiler fuse other products.  By then it is known how the original rounds (rehearse.h).  Of most sums, all
   copies take in one certain product, or none.  Where that is so of all sums, it is said in so many words, behind all
   that makes other loops of them, and before vectors are made; nothing else is fused then:

       s = a * b + t	    fused in the original:  s = fma (a, b, t)	    apart:  as it is

   A sum that is fused under a condition is left to the compiler: vectors would compute fma in all iterations, with the
   exceptions that it raises.  What became of all that is looked at in the end (rounding.h).

   Where something is not known, a sum that is in memory in the original may be kept in a register in the no-alias F.
   Scalar, it is fused with its product, as in the original; vectorised in order, the products are made apart:

       for (i = 0; i < m; i++)			s = fma (a[i], x[i], s)	    or	  v = a[i..i+3] * x[i..i+3];
	 *y += a[i] * x[i];						  s = s + v[0] + v[1] + v[2] + v[3]

   So such a loop of the no-alias F is not vectorised.  */

#include "fused.h"
#include "child.h"
#include "forms.h"
#include "judge.h"
#include "products.h"
#include "rounding.h"

/* The attribute on functions with such sums.  No user can write it.  */
static const char attribute[] = "paragon fused";

void
pg_fused_keep (tree decl)
{
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (attribute), NULL_TREE, DECL_ATTRIBUTES (decl));
}

bool
pg_carries_float_p (class loop *loop)
{
  for (gphi_iterator gpi = gsi_start_phis (loop->header); !gsi_end_p (gpi); gsi_next (&gpi))
    if (FLOAT_TYPE_P (TREE_TYPE (gimple_phi_result (gpi.phi ()))))
      return true;
  return false;
}

/* The product that OPERAND is, with whatever sign, or null.  */
static gimple *
product_of (tree operand)
{
  tree value = pg_strip_negation (operand);
  return pg_target_fuses_p (value) ? SSA_NAME_DEF_STMT (value) : NULL;
}

/* True if STMT adds a product.  */
static bool
adding_product_p (gimple *stmt)
{
  return pg_sum_p (stmt) && (product_of (gimple_assign_rhs1 (stmt)) || product_of (gimple_assign_rhs2 (stmt)));
}

/* Negate VALUE, which SUM uses, before it.  */
static tree
negate_before (gimple *sum, tree value)
{
  tree result = make_ssa_name (TREE_TYPE (value));
  gimple *stmt = gimple_build_assign (result, NEGATE_EXPR, value);
  gimple_set_location (stmt, gimple_location (sum));
  gimple_stmt_iterator gsi = gsi_for_stmt (sum);
  gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
  return result;
}

/* A call that computes A * B + C before SUM: - A * B if NEGATES_PRODUCT, - C if NEGATES_SUM.  */
static gcall *
build_fused (gimple *sum, tree a, tree b, tree c, bool negates_product, bool negates_sum)
{
  internal_fn kind = negates_product ? (negates_sum ? IFN_FNMS : IFN_FNMA) : negates_sum ? IFN_FMS : IFN_FMA;
  if (direct_internal_fn_supported_p (kind, TREE_TYPE (c), OPTIMIZE_FOR_SPEED))
    return gimple_build_call_internal (kind, 3, a, b, c);
  a = negates_product ? negate_before (sum, a) : a;
  c = negates_sum ? negate_before (sum, c) : c;
  return gimple_build_call_internal (IFN_FMA, 3, a, b, c);
}

void
pg_fuse (gimple *sum, int taken)
{
  tree operand = gimple_op (sum, taken), other = gimple_op (sum, 3 - taken);
  gimple *product = product_of (operand);
  bool is_difference = gimple_assign_rhs_code (sum) == MINUS_EXPR;
  bool is_negated = SSA_NAME_DEF_STMT (operand) != product;
  gcall *call = build_fused (sum, gimple_assign_rhs1 (product), gimple_assign_rhs2 (product), other,
			     is_negated != (is_difference && taken == 2), is_difference && taken == 1);
  gimple_call_set_lhs (call, gimple_assign_lhs (sum));
  gimple_call_set_nothrow (call, true);
  gimple_set_location (call, gimple_location (sum));
  gimple_stmt_iterator gsi = gsi_for_stmt (sum);
  gsi_replace (&gsi, call, false);
}

/* True if every iteration of the loop around STMT comes to it.  */
static bool
always_p (gimple *stmt)
{
  class loop *loop = gimple_bb (stmt)->loop_father;
  return !loop->latch || dominated_by_p (CDI_DOMINATORS, loop->latch, gimple_bb (stmt));
}

/* A sum that is to be fused with its operand TAKEN.  */
struct fusion
{
  gimple *sum;
  int taken;
};

/* Find the FUSIONS of the current function, which was made of a loop.  False if it has sums of which they are not
   known.  */
static bool
find_fusions (vec<struct fusion> *fusions)
{
  calculate_dominance_info (CDI_DOMINATORS);
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (!pg_sum_p (stmt) || !(pg_forms_mark_of (stmt) || adding_product_p (stmt)))
	  continue;
	struct fusion fusion = { stmt, pg_rounding_wanted (cfun->decl, stmt) };
	if (fusion.taken < 0 || (fusion.taken > 0 && !always_p (stmt) && flag_trapping_math))
	  return false;
	if (fusion.taken > 0)
	  fusions->safe_push (fusion);
      }
  return true;
}

/* Tell the current function, if it was made of a loop, to fuse what is known to be fused in the original, and nothing
   else.  False if something is not known of it.  */
static bool
tell ()
{
  auto_vec<struct fusion> fusions;
  if (!pg_rounding_compared_p (cfun->decl) || !find_fusions (&fusions))
    return false;
  for (const struct fusion &fusion : fusions)
    pg_fuse (fusion.sum, fusion.taken);
  pg_child_fuse_nothing (cfun);
  pg_rounding_told (cfun->decl);
  return true;
}

/* True if STMT makes a product that a sum may take in.  */
static bool
multiplying_p (gimple *stmt)
{
  return is_gimple_assign (stmt) && pg_fusable_p (gimple_assign_lhs (stmt));
}

namespace
{

const pass_data pass_data_fused = {
  GIMPLE_PASS, "pgfused", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_fused : public gimple_opt_pass
{
public:
  pass_fused (gcc::context *context) : gimple_opt_pass (pass_data_fused, context)
  {
  }

  bool gate (function *fun) final override
  {
    return pg_rounding_compared_p (fun->decl) || lookup_attribute (attribute, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    if (!tell () && lookup_attribute (attribute, DECL_ATTRIBUTES (fun->decl)))
      for (auto loop : loops_list (fun, LI_ONLY_INNERMOST))
	if (pg_carries_float_p (loop) && pg_any_statement_p (loop, multiplying_p))
	  loop->dont_vectorize = true;
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_fused (gcc::context *context)
{
  return new pass_fused (context);
}
