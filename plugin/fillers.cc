/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that fill arrays which they name.

       static double work[100];				for (i = 0; i < n; i++)
       static void clear (int n)			  {
       {						    clear (m);
	 for (int j = 0; j < n; j++)			    ... work[j] += ...;
	   work[j] = 0;					  }
       }

   A loop that calls one cannot have the array as a work array (work-arrays.cc): the function would go on filling the
   program's.  So it is inlined where a loop calls it, whatever the compiler thinks of its size.  That changes no bit of
   what is computed: only functions count that store nothing but whole numbers and floating-point 0, 1 and -1, and do
   not compute with floating-point numbers.  What those become part of in the caller is exact, whether or not the
   compiler knows the value there and whatever is fused.

   A pass over each function's body says which they are, by an attribute that goes into link-time objects; one over the
   program's calls, when the compiler has made copies of functions for constant arguments, which name what the caller
   named, has them inlined.  */

#include "fillers.h"

/* Larger functions stay calls.  */
static const unsigned most_statements = 120;

static const char attribute[] = "paragon fills";

/* True if VALUE is of no account for how others are rounded.  */
static bool
exact_p (tree value)
{
  if (TREE_CODE (value) == REAL_CST)
    return real_zerop (value) || real_onep (value) || real_minus_onep (value);
  return TREE_CODE (value) == INTEGER_CST;
}

/* True if STMT is one that a filling function may have.  *FILLS is set if it stores something.  */
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
  *fills = true;
  return gimple_assign_single_p (stmt) && exact_p (gimple_assign_rhs1 (stmt));
}

/* True if FUN does nothing but to fill memory.  */
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

/* True if NODE names an array that can be written.  */
static bool
names_array_p (cgraph_node *node)
{
  struct ipa_ref *ref = NULL;
  for (unsigned i = 0; node->iterate_reference (i, ref); i++)
    if (varpool_node *variable = dyn_cast<varpool_node *> (ref->referred))
      if (ref->use != IPA_REF_LOAD && TREE_CODE (TREE_TYPE (variable->decl)) == ARRAY_TYPE
	  && !TREE_READONLY (variable->decl))
	return true;
  return false;
}

/* True if a loop calls NODE.  */
static bool
called_in_loop_p (cgraph_node *node)
{
  for (cgraph_edge *call = node->callers; call; call = call->next_caller)
    if (call->sreal_frequency () > 1)
      return true;
  return false;
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

  unsigned execute (function *fun) final override
  {
    tree decl = fun->decl;
    if (fills_p (fun) && !lookup_attribute (attribute, DECL_ATTRIBUTES (decl)))
      DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (attribute), NULL_TREE, DECL_ATTRIBUTES (decl));
    return 0;
  }
};

const pass_data pass_data_fillers = {
  IPA_PASS, "pgfillers", OPTGROUP_LOOP, TV_PLUGIN_RUN, 0, 0, 0, 0, 0,
};

class pass_fillers : public ipa_opt_pass_d
{
public:
  pass_fillers (gcc::context *context)
      : ipa_opt_pass_d (pass_data_fillers, context, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL)
  {
  }

  unsigned execute (function *) final override
  {
    cgraph_node *node;
    FOR_EACH_FUNCTION (node)
    if (!node->inlined_to && lookup_attribute (attribute, DECL_ATTRIBUTES (node->decl)) && names_array_p (node)
	&& called_in_loop_p (node))
      DECL_DISREGARD_INLINE_LIMITS (node->decl) = 1;
    return 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_fills (gcc::context *context)
{
  return new pass_fills (context);
}

ipa_opt_pass_d *
pg_make_pass_fillers (gcc::context *context)
{
  return new pass_fillers (context);
}
