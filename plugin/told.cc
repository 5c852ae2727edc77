/* SPDX-License-Identifier: GPL-3.0-or-later
   Functions that are told where arrays are.

       static double line[100];			void clear.told (int m, double (*line)[100])
       void					{
       clear (int m)				  for (int j = 0; j < m; j++)
       {					    (*line)[j] = 0;
	 for (int j = 0; j < m; j++)		}
	   line[j] = 0;
       }

   A loop that calls CLEAR can have LINE as a work array (work-arrays.cc) only if F calls something that fills the
   array that F has.  That is a copy of the function, made with its summary, of what the function is by then: all
   that looks at several functions at once is done, and nothing of the program changes.  Others go on calling the
   function.  The copy is compiled like F, behind the program's functions, and only if some F calls it.

   It must compute what the function does, bit by bit, though GCC knows less of what its references may meet.  So
   nothing is copied that has floating-point arithmetic, which might be fused, vectorised or reordered in another way;
   values are moved as they are.  */

#include "told.h"
#include "child.h"
#include "localise.h"
#include "loops.h"
#include "summary.h"

/* Larger functions are not copied, nor are those with more arrays.  */
static const unsigned most_statements = 200, most_arrays = 8;

/* True if STMT computes the same whatever GCC knows of references.  */
static bool
harmless_p (gimple *stmt)
{
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt) || is_a<gcond *> (stmt) || is_a<glabel *> (stmt)
      || is_a<greturn *> (stmt) || gimple_code (stmt) == GIMPLE_PREDICT || gimple_code (stmt) == GIMPLE_NOP)
    return true;
  if (const gcall *call = dyn_cast<const gcall *> (stmt))
    return pg_memory_summary (call) != NULL;
  if (!is_gimple_assign (stmt) || gimple_has_volatile_ops (stmt))
    return false;
  return gimple_assign_single_p (stmt) || !FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)));
}

/* True if a value of TYPE is an argument as a caller has it.  */
static bool
passed_as_it_is_p (const_tree type)
{
  return is_gimple_reg_type (CONST_CAST_TREE (type)) && !TREE_ADDRESSABLE (type);
}

/* True if a copy of FUN does the same.  "noipa" says that nobody looks into it.  */
static bool
copyable_p (function *fun)
{
  tree result = TREE_TYPE (DECL_RESULT (fun->decl));
  if (copy_forbidden (fun) || fun->static_chain_decl || DECL_FUNCTION_VERSIONED (fun->decl)
      || lookup_attribute ("noipa", DECL_ATTRIBUTES (fun->decl))
      || !(VOID_TYPE_P (result) || passed_as_it_is_p (result)))
    return false;
  for (tree parameter = DECL_ARGUMENTS (fun->decl); parameter; parameter = DECL_CHAIN (parameter))
    if (!passed_as_it_is_p (TREE_TYPE (parameter))
	|| (!prototype_p (TREE_TYPE (fun->decl)) && TREE_TYPE (parameter) != DECL_ARG_TYPE (parameter)))
      return false;
  unsigned n = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	n += !is_gimple_debug (gsi_stmt (gsi));
	if (n > most_statements || !harmless_p (gsi_stmt (gsi)))
	  return false;
      }
  return true;
}

/* The type of the address of ARRAY.  */
static tree
address_type (tree array)
{
  return build_pointer_type (TREE_TYPE (array));
}

/* The type of a function that is called as FROM is, with the addresses of ARRAYS as well.  */
static tree
told_type (tree from, const vec<tree> &arrays)
{
  tree types = NULL_TREE, old = TREE_TYPE (from);
  for (tree parameter = DECL_ARGUMENTS (from); parameter; parameter = DECL_CHAIN (parameter))
    types = tree_cons (NULL_TREE, TREE_TYPE (parameter), types);
  for (tree array : arrays)
    types = tree_cons (NULL_TREE, address_type (array), types);
  tree type = build_function_type (TREE_TYPE (old), chainon (nreverse (types), void_list_node));
  return build_type_attribute_variant (type, TYPE_ATTRIBUTES (old));
}

/* The options for a copy of the current function: its own, but it writes nothing that the function does not write.  */
static tree
optimization_for_copy ()
{
  struct gcc_options options = global_options;
  options.x_flag_store_data_races = 0;
  return build_optimization_node (&options, &global_options_set);
}

/* A name for the copy of FUN, which the unit does not use yet.  */
static tree
new_name (function *fun)
{
  const char *function = targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fun->decl)));
  tree name = get_identifier (ACONCAT ((function, ".paragon.told", NULL)));
  for (unsigned n = 2; symtab_node::get_for_asmname (name); n++)
    {
      char *numbered = xasprintf ("%s.paragon.told.%u", function, n);
      name = get_identifier (numbered);
      free (numbered);
    }
  return name;
}

/* Declare a copy of FUN without a body; nothing is known of it but its type, which has addresses of ARRAYS.  It is no
   function for the debugger: FUN's variables are FUN's.  */
static tree
declare_copy (function *fun, const vec<tree> &arrays)
{
  tree decl
    = build_decl (DECL_SOURCE_LOCATION (fun->decl), FUNCTION_DECL, new_name (fun), told_type (fun->decl, arrays));
  SET_DECL_ASSEMBLER_NAME (decl, DECL_NAME (decl));
  TREE_STATIC (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  DECL_UNINLINABLE (decl) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (PG_OUTLINED_ATTRIBUTE), NULL_TREE, NULL_TREE);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = optimization_for_copy ();
  DECL_FUNCTION_SPECIFIC_TARGET (decl) = DECL_FUNCTION_SPECIFIC_TARGET (fun->decl);
  cgraph_node::get_create (decl)->parallelized_function = 1;
  return decl;
}

/* Copy the body of FUN to DECL.  As for the debugger, FUN is as if that had not been.  */
static void
copy_body (function *fun, tree decl)
{
  cgraph_node *node = cgraph_node::get (fun->decl);
  bool is_ignored = DECL_IGNORED_P (fun->decl), is_inlined = DECL_POSSIBLY_INLINED (fun->decl);
  bool is_origin = node->used_as_abstract_origin;
  DECL_IGNORED_P (fun->decl) = 1;
  tree_function_versioning (fun->decl, decl, NULL, NULL, false, NULL, NULL);
  DECL_IGNORED_P (fun->decl) = is_ignored;
  DECL_POSSIBLY_INLINED (fun->decl) = is_inlined;
  node->used_as_abstract_origin = is_origin;
  DECL_ABSTRACT_ORIGIN (decl) = NULL_TREE;
  if (scev_initialized_p ())
    scev_reset (); /* it goes by numbers, which are the copy's, too */
}

/* Give the current function one more parameter: where ARRAY is.  Return its value.  */
static tree
add_parameter (tree array)
{
  tree decl = cfun->decl, type = address_type (array);
  tree parameter = build_decl (DECL_SOURCE_LOCATION (decl), PARM_DECL, DECL_NAME (array), type);
  DECL_ARTIFICIAL (parameter) = 1;
  DECL_IGNORED_P (parameter) = 1;
  DECL_ARG_TYPE (parameter) = type;
  DECL_CONTEXT (parameter) = decl;
  TREE_USED (parameter) = 1;
  relayout_decl (parameter);
  DECL_ARGUMENTS (decl) = chainon (DECL_ARGUMENTS (decl), parameter);
  return get_or_create_ssa_default_def (cfun, parameter);
}

/* Forget what pointers of the current function were known to point to: that went by names.  */
static void
forget_pointers ()
{
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  if (POINTER_TYPE_P (TREE_TYPE (name)))
    SSA_NAME_PTR_INFO (name) = NULL;
  pt_solution_reset (&cfun->gimple_df->escaped);
  cfun->gimple_df->ipa_pta = false;
}

/* Let the current function, a copy, access ARRAYS where its new parameters say.  */
static void
take_addresses (const vec<tree> &arrays)
{
  struct pg_args args;
  for (tree array : arrays)
    {
      struct pg_auto entry = { array, (int) args.fields.length () };
      struct pg_arg field = {};
      field.local = add_parameter (array);
      args.fields.safe_push (field);
      args.autos.safe_push (entry);
    }
  forget_pointers ();
  pg_localise_body (&args, split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun))));
  pg_child_refresh ();
}

struct pg_told *
pg_told_make (function *fun, const vec<tree> &arrays)
{
  if (arrays.length () > most_arrays || !copyable_p (fun))
    return NULL;
  struct pg_told *told = new struct pg_told ();
  told->arrays.safe_splice (arrays);
  told->decl = declare_copy (fun, arrays);
  copy_body (fun, told->decl);
  push_cfun (DECL_STRUCT_FUNCTION (told->decl));
  cfun->curr_properties &= ~PROP_loop_opts_done;
  cfun->debug_nonbind_markers = false;
  for (auto loop : loops_list (cfun, 0))
    loop->warned_aggressive_loop_optimizations = true;
  take_addresses (arrays);
  free_dominance_info (CDI_DOMINATORS);
  pop_cfun ();
  return told;
}

bool
pg_told_fits_p (const struct pg_told *told, const gcall *call)
{
  unsigned n = 0;
  tree types = TYPE_ARG_TYPES (TREE_TYPE (told->decl));
  for (; n < gimple_call_num_args (call) && types != void_list_node; n++, types = TREE_CHAIN (types))
    if (!useless_type_conversion_p (TREE_VALUE (types), TREE_TYPE (gimple_call_arg (call, n))))
      return false;
  tree lhs = gimple_call_lhs (call);
  return n == gimple_call_num_args (call) && list_length (types) == (int) told->arrays.length () + 1
	 && (!lhs || useless_type_conversion_p (TREE_TYPE (lhs), TREE_TYPE (TREE_TYPE (told->decl))));
}

/* Have TOLD compiled.  */
static void
compile (struct pg_told *told)
{
  if (!told->is_called)
    {
      cgraph_node::add_new_function (told->decl, true);
      symtab->call_cgraph_insertion_hooks (cgraph_node::get (told->decl));
    }
  told->is_called = true;
}

gcall *
pg_told_call (struct pg_told *told, const gcall *call, const vec<tree> &addresses)
{
  auto_vec<tree> arguments;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    arguments.safe_push (gimple_call_arg (call, i));
  arguments.safe_splice (addresses);
  compile (told);
  gcall *copy = gimple_build_call_vec (told->decl, arguments);
  gimple_call_set_lhs (copy, gimple_call_lhs (call));
  gimple_set_location (copy, gimple_location (call));
  gimple_call_set_nothrow (copy, true);
  return copy;
}
