/* SPDX-License-Identifier: GPL-3.0-or-later
   Sums that stay fused with their products.

   A sum that is in memory in the original may be kept in a register where pointers are known to be apart.  Scalar, it
   is fused with its product, as in the original; vectorised in order, the products are made apart:

       for (i = 0; i < m; i++)			s = fma (a[i], x[i], s)	    or	  v = a[i..i+3] * x[i..i+3];
	 *y += a[i] * x[i];						  s = s + v[0] + v[1] + v[2] + v[3]

   So such a loop of the no-alias F is not vectorised.  This is decided right before that, after interchange: then the
   innermost loop may be one whose sums are elements of a row, which vectors do not change.  */

#include "fused.h"
#include "judge.h"
#include "products.h"

/* The attribute on functions with such sums.  No user can write it.  */
static const char attribute[] = "paragon fused";

void
pg_fused_keep (tree decl)
{
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (attribute), NULL_TREE, DECL_ATTRIBUTES (decl));
}

/* True if LOOP carries a floating-point value to its next iteration.  */
static bool
carries_p (class loop *loop)
{
  for (gphi_iterator gpi = gsi_start_phis (loop->header); !gsi_end_p (gpi); gsi_next (&gpi))
    if (FLOAT_TYPE_P (TREE_TYPE (gimple_phi_result (gpi.phi ()))))
      return true;
  return false;
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
    return lookup_attribute (attribute, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    for (auto loop : loops_list (fun, LI_ONLY_INNERMOST))
      if (carries_p (loop) && pg_any_statement_p (loop, multiplying_p))
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
