/* SPDX-License-Identifier: GPL-3.0-or-later
   The guard before a loop that was outlined, in the function of the user:

       n = iterations;			loads what the loop counts to, if that does
       if (n >= region.threshold)
	 {
	   args = { live-ins, initial values of reductions, entry loads, values of entry expressions };
	   if ((*enter_pointer) (&region, &args, n) != 0)
	     { live-outs and reductions = args; goto after the loop; }
	 }
       original loop

   A loop under its threshold pays one load and one compare, beside what it loads itself; everything else is out of its
   way.  Also the registers: what the original loop needs would have to survive the call of enter, and the whole
   function would save registers for that at its start.  So where nobody needs the original loop (pg_keeps_original_p),
   the region says that F is to run what is refused (PG_DESCRIPTOR_F_IF_REFUSED), and the original loop is left to those
   under the threshold:

	   (*enter_pointer) (&region, &args, n);
	   live-outs and reductions = args; goto after the loop;  */

#include "guard.h"
#include "judge.h"

/* Make the statements of SEQ, which are in the function by now, wrap where they would overflow: the program may not
   have computed these values here.  */
static void
make_wrap (const vec<gimple *> &seq)
{
  for (gimple *stmt : seq)
    if (is_gimple_assign (stmt) && INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
	&& TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (gimple_assign_lhs (stmt)))
	&& arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (stmt)))
      rewrite_to_defined_overflow (stmt, true);
}

/* Insert SEQ at the end of BB, before its condition if it has one.  */
static void
append (basic_block bb, gimple_seq seq)
{
  auto_vec<gimple *> stmts;
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi); gsi_next (&gsi))
    stmts.safe_push (gsi_stmt (gsi));

  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  if (!gsi_end_p (gsi) && stmt_ends_bb_p (gsi_stmt (gsi)))
    gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
  else
    gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
  make_wrap (stmts);
}

/* Callback of walk_tree: mark variables whose address is taken.  */
static tree
mark_address_taken (tree *operand, int *, void *)
{
  if (TREE_CODE (*operand) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (*operand, 0));
      if (base && DECL_P (base))
	TREE_ADDRESSABLE (base) = 1;
    }
  return NULL_TREE;
}

/* Compute EXPRESSION, converted to TYPE, at the end of BB.  */
static tree
evaluate (basic_block bb, tree expression, tree type)
{
  gimple_seq seq = NULL;
  tree copy = unshare_expr (expression);
  walk_tree (&copy, mark_address_taken, NULL, NULL);
  tree value = force_gimple_operand (fold_convert (type, copy), &seq, true, NULL_TREE);
  append (bb, seq);
  return value;
}

static void
append_statement (basic_block bb, gimple *stmt)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq, stmt);
  append (bb, seq);
}

/* Load REFERENCE of TYPE at the end of BB.  */
static tree
load (basic_block bb, tree reference, tree type)
{
  tree name = make_ssa_name (type);
  append_statement (bb, gimple_build_assign (name, reference));
  return name;
}

static tree
make_args_variable (const struct pg_args *args)
{
  tree type = build_array_type_nelts (unsigned_char_type_node, args->len);
  tree variable = create_tmp_var_raw (type, "paragon_args");
  SET_DECL_ALIGN (variable, 16 * BITS_PER_UNIT);
  DECL_USER_ALIGN (variable) = 1;
  TREE_ADDRESSABLE (variable) = 1;
  gimple_add_tmp_var (variable);
  return variable;
}

static void
append_clobber (basic_block bb, tree variable)
{
  gimple *clobber = gimple_build_assign (variable, build_clobber (TREE_TYPE (variable)));
  append_statement (bb, clobber);
}

/* The compare of N with the region's threshold, and the edges out of it.  */
static void
build_compare (const struct pg_guard *guard, tree n, tree region_decl)
{
  tree pointer = build_pointer_type_for_mode (intDI_type_node, ptr_mode, true);
  tree reference = build2 (MEM_REF, intDI_type_node, build_fold_addr_expr (region_decl),
			   build_int_cst (pointer, offsetof (struct pg_descriptor, threshold)));
  tree threshold = load (guard->guard_bb, reference, intDI_type_node);
  append_statement (guard->guard_bb, gimple_build_cond (GE_EXPR, n, threshold, NULL_TREE, NULL_TREE));

  edge taken = single_succ_edge (guard->guard_bb);
  taken->flags = (taken->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  taken->probability = profile_probability::unlikely ();
  edge skipped = make_edge (guard->guard_bb, guard->fallback_bb, EDGE_FALSE_VALUE);
  skipped->probability = taken->probability.invert ();
  guard->call_bb->count = taken->count ();
  guard->fallback_bb->count = skipped->count ();
}

/* Callback of walk_tree: replace the names of entry loads by what was loaded.  */
static tree
replace_loaded (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *loaded = (hash_map<tree, tree> *) data;
  tree *value = TREE_CODE (*tp) == SSA_NAME ? loaded->get (*tp) : NULL;
  if (value)
    *tp = *value;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* EXPRESSION of names some of which were LOADED.  */
static tree
with_loaded (tree expression, hash_map<tree, tree> *loaded)
{
  tree copy = unshare_expr (expression);
  walk_tree (&copy, replace_loaded, loaded, NULL);
  return copy;
}

/* Load what F relies on, which the loop does at least once, too.  */
static void
build_first_loads (basic_block bb, const struct pg_plan *plan, hash_map<tree, tree> *loaded)
{
  for (const struct pg_plan_entry_load &entry_load : plan->entry_loads)
    if (entry_load.is_relied_on)
      loaded->put (entry_load.name, load (bb, with_loaded (entry_load.reference, loaded), TREE_TYPE (entry_load.name)));
}

/* Load what PLAN's loop loads itself, as far as it does if there are N iterations: LOADED says what the names are.
   Where it does not, something else is loaded, the start of OTHER, so that there is no branch.  */
static void
build_entry_loads (basic_block bb, const struct pg_plan *plan, tree n, tree other, hash_map<tree, tree> *loaded)
{
  for (const struct pg_plan_entry_load &entry_load : plan->entry_loads)
    {
      if (entry_load.is_relied_on)
	continue;
      tree reference = with_loaded (entry_load.reference, loaded), type = TREE_TYPE (entry_load.name);
      tree is_any = fold_build2 (GT_EXPR, boolean_type_node, n, build_zero_cst (TREE_TYPE (n)));
      tree when = fold_build2 (TRUTH_AND_EXPR, boolean_type_node, is_any, with_loaded (entry_load.when, loaded));
      tree is_loaded = evaluate (bb, when, boolean_type_node);
      tree there = evaluate (bb, build_fold_addr_expr (reference), ptr_type_node);
      tree address = evaluate (bb, build3 (COND_EXPR, ptr_type_node, is_loaded, there, build_fold_addr_expr (other)),
			       ptr_type_node);
      tree any_type = build_pointer_type_for_mode (type, ptr_mode, true);
      tree aligned = build_aligned_type (type, MIN (TYPE_ALIGN (type), get_object_alignment (reference)));
      tree value = load (bb, build2 (MEM_REF, aligned, address, build_int_cst (any_type, 0)), type);
      loaded->put (entry_load.name,
		   evaluate (bb, build3 (COND_EXPR, type, is_loaded, value, build_zero_cst (type)), type));
    }
}

/* Store the live-ins, the reductions' initial values and the entry expressions' leaves to VARIABLE; some of these were
   LOADED.  The stores are volatile: else they become vectors, which are put together where the last of their values is
   known, before the compare, and leave a vector register's upper half in use for the loop that follows.  */
static void
build_stores (basic_block bb, const struct pg_args *args, tree variable, hash_map<tree, tree> *loaded)
{
  tree address = build_fold_addr_expr (variable);
  for (const struct pg_arg &field : args->fields)
    if (field.value)
      {
	tree value = evaluate (bb, with_loaded (field.value, loaded), field.type);
	tree place = pg_arg_ref (&field, address);
	TREE_THIS_VOLATILE (place) = 1;
	gimple *store = gimple_build_assign (place, value);
	suppress_warning (store, OPT_Wuninitialized);
	append_statement (bb, store);
      }
}

/* Call the runtime; its answer becomes HANDLED.  */
static void
build_call (const struct pg_guard *guard, tree region_decl, tree variable, tree n)
{
  tree pointer = pg_stub_enter_pointer ();
  tree enter = load (guard->call_bb, pointer, TREE_TYPE (pointer));
  gcall *call = gimple_build_call (enter, 3, build_fold_addr_expr (region_decl), build_fold_addr_expr (variable), n);
  gimple_call_set_nothrow (call, true);

  tree handled = gimple_assign_lhs (guard->handled);
  gimple_stmt_iterator gsi = gsi_for_stmt (guard->handled);
  gsi_remove (&gsi, true);
  gimple_call_set_lhs (call, handled);
  append_statement (guard->call_bb, call);
}

/* Let the runtime's answer be of no account: go on behind the loop.  */
static void
drop_fallback (const struct pg_guard *guard)
{
  gimple_stmt_iterator gsi = gsi_last_bb (guard->call_bb);
  gsi_remove (&gsi, true);
  remove_edge (find_edge (guard->call_bb, guard->fallback_bb));
  edge handled = single_succ_edge (guard->call_bb);
  handled->flags = (handled->flags & ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) | EDGE_FALLTHRU;
  handled->probability = profile_probability::always ();
}

/* Load what is at PLACE, of TYPE, behind the loop, where NAME, which moved to the child, is used.  */
static void
load_behind (const struct pg_guard *guard, const_tree name, tree place, tree type)
{
  edge leave = single_succ_edge (guard->after_bb);
  tree value = NULL_TREE;
  for (gphi_iterator psi = gsi_start_phis (leave->dest); !gsi_end_p (psi); gsi_next (&psi))
    {
      gphi *phi = psi.phi ();
      if (PHI_ARG_DEF_FROM_EDGE (phi, leave) != name)
	continue;
      if (!value)
	{
	  value = load (guard->after_bb, place, type);
	  value = evaluate (guard->after_bb, value, TREE_TYPE (gimple_phi_result (phi)));
	}
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (phi, leave), value);
    }
}

/* Load the live-outs, reductions and mirrors, in place of the values that moved to the child.  */
static void
build_loads (const struct pg_plan *plan, const struct pg_args *args, const struct pg_guard *guard, tree variable)
{
  auto_vec<struct pg_live_out> outs;
  for (const struct pg_live_out &out : args->live_outs)
    outs.safe_push (out);
  for (unsigned i = 0; i < plan->reductions.length (); i++)
    {
      struct pg_live_out out = { args->reduction_outs[i], args->reduction_args[i] };
      outs.safe_push (out);
    }

  tree address = build_fold_addr_expr (variable);
  for (const struct pg_live_out &out : outs)
    {
      const struct pg_arg *field = &args->fields[out.arg];
      load_behind (guard, out.name, pg_arg_ref (field, address), field->type);
    }
  for (const struct pg_plan_mirror &mirror : plan->mirrors)
    load_behind (guard, mirror.left, unshare_expr (mirror.reference), TREE_TYPE (mirror.reference));
}

void
pg_guard_build (struct pg_plan *plan, const struct pg_args *args, tree region_decl, const struct pg_guard *guard)
{
  tree variable = make_args_variable (args);
  TREE_ADDRESSABLE (region_decl) = 1;

  hash_map<tree, tree> loaded;
  build_first_loads (guard->guard_bb, plan, &loaded);
  tree n = evaluate (guard->guard_bb, with_loaded (plan->n_iters, &loaded), intDI_type_node);
  build_compare (guard, n, region_decl);
  build_entry_loads (guard->call_bb, plan, n, region_decl, &loaded);
  build_stores (guard->call_bb, args, variable, &loaded);
  build_call (guard, region_decl, variable, n);
  if (pg_keeps_original_p (plan))
    append_clobber (guard->fallback_bb, variable);
  else
    drop_fallback (guard);
  build_loads (plan, args, guard, variable);
  append_clobber (guard->after_bb, variable);
}
