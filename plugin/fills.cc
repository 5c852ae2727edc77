/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that fill arrays behind their parameters.

       static void clear (double *w, int n)		for (i = 0; i < n; i++)
       {						  {
	 for (int j = 0; j < n; j++)			    clear (work, m);
	   w[j] = 0;					    ... work[j] += ...;
       }						  }

   A loop that calls one can have the array as a work array (work-arrays.cc), if the array is the call's argument.
   Where all calls have the same one, the compiler makes a copy of the function that names it, and then it takes another
   copy, behind that (told.cc), to fill another array.  So it is told not to copy such functions: they do nothing with
   the arrays but to store constants, and gain little by it.

   That must not change how anything is rounded.  They compute no floating-point numbers, and nothing is inlined for it;
   but a copy has a size of its own, from which follows what else is inlined, and products that come together with sums
   may be fused.  So nothing is done where the target can.  */

#include "fills.h"
#include "products.h"

/* Larger functions are copied as ever.  */
static const unsigned most_statements = 200;

/* True if STMT is one that a filling function may have.  *FILLS is set if it stores something through a pointer.  */
static bool
harmless_p (gimple *stmt, bool *fills)
{
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt) || is_a<gcond *> (stmt) || is_a<glabel *> (stmt)
      || gimple_code (stmt) == GIMPLE_PREDICT || gimple_code (stmt) == GIMPLE_NOP)
    return true;
  if (greturn *end = dyn_cast<greturn *> (stmt))
    return !gimple_return_retval (end);
  if (!is_gimple_assign (stmt) || gimple_has_volatile_ops (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  if (is_gimple_reg (lhs))
    return !FLOAT_TYPE_P (TREE_TYPE (lhs)) && !VECTOR_TYPE_P (TREE_TYPE (lhs));
  tree base = get_base_address (lhs);
  *fills |= base && TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME;
  return gimple_assign_single_p (stmt) && CONSTANT_CLASS_P (gimple_assign_rhs1 (stmt));
}

/* True if FUN does nothing but to fill memory, and some of that through a pointer.  */
static bool
fills_p (function *fun)
{
  bool fills = false;
  unsigned n = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	n += !is_gimple_debug (gsi_stmt (gsi));
	if (n > most_statements || !harmless_p (gsi_stmt (gsi), &fills))
	  return false;
      }
  return fills;
}

namespace
{

const pass_data pass_data_fills = {
  GIMPLE_PASS, "pgfills", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_fills : public gimple_opt_pass
{
public:
  pass_fills (gcc::context *context) : gimple_opt_pass (pass_data_fills, context)
  {
  }

  bool gate (function *) final override
  {
    return !pg_target_fuses_floats_p ();
  }

  unsigned execute (function *fun) final override
  {
    tree decl = fun->decl;
    if (fills_p (fun) && !lookup_attribute ("noclone", DECL_ATTRIBUTES (decl)))
      DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("noclone"), NULL_TREE, DECL_ATTRIBUTES (decl));
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_fills (gcc::context *context)
{
  return new pass_fills (context);
}
