/* SPDX-License-Identifier: GPL-3.0-or-later
   Outlining: a loop becomes a function that runs any range of its iterations, called through the runtime.

       guard		args = { ... }; if (enter (&region, &args, n)) ... else		guard.cc
       loop copy	the original loop, untouched: the fallback
       F		int64_t F (void *args, int64_t lo, int64_t hi, void *ctx)
			  {
			    live-ins = *args;
			    i = i0 + lo * step;			for each induction variable
			    for (k = lo; k < hi; k++)		instead of the loop's own exit condition
			      body
			    *args = live-outs;
			  }

   The loop is versioned; the original's blocks, between an entry block and an exit block, move to F, so that statements
   of the plan are statements of F afterwards; the copy stays.  Induction variables keep their steps: each iteration
   computes what it would have computed in the original, and nothing overflows that did not there.  Only where a range
   starts is computed anew, without overflow.

   Reductions start from their field of args and end in it, and their integer operations wrap, since partial sums of
   ranges may overflow where the whole does not.

   Requires: loop-closed SSA, scev, dominators.  Leaves: the same, virtual operands to be renamed.  */

#include "loops.h"
#include "outline.h"
#include "guard.h"
#include "monitor.h"
#include "noalias.h"

/* A loop on its way out.  */
struct cut
{
  struct pg_plan *plan;
  struct pg_args *args;
  basic_block entry_bb, exit_bb;	/* first and last block of the child */
  gimple *args_def, *lo_def, *hi_def;	/* in ENTRY_BB: names for the parameters, set to 0 until the move */
  struct pg_child child;
};

/* True if something in BB may change memory.  */
static bool
has_store_p (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gimple_vdef (gsi_stmt (gsi)))
      return true;
  return false;
}

/* True if something in BB touches memory.  */
static bool
has_access_p (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi)) && gimple_vuse (gsi_stmt (gsi)))
      return true;
  return false;
}

/* True if PLAN's loop has one exit, at a place where iterations can be cut: at the top before anything is done, or at
   the bottom after everything is done.  */
static bool
shape_ok_p (const struct pg_plan *plan)
{
  class loop *loop = plan->loop;
  edge exit = plan->exit;
  gimple *last = last_stmt (exit->src);
  if (POINTER_SIZE != 64 || single_exit (loop) != exit || (exit->flags & EDGE_COMPLEX) || !can_duplicate_loop_p (loop)
      || !last || gimple_code (last) != GIMPLE_COND || loop->simduid
      || find_common_loop (loop_outer (loop), exit->dest->loop_father) != loop_outer (loop)
      || (loop_preheader_edge (loop)->flags & (EDGE_COMPLEX | EDGE_IRREDUCIBLE_LOOP)))
    return false;

  if (plan->exit_at_top)
    return exit->src == loop->header && !has_access_p (loop->header);

  if (!dominated_by_p (CDI_DOMINATORS, loop->latch, exit->src))
    return false;
  bool at_bottom = true;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (body[i] != exit->src && dominated_by_p (CDI_DOMINATORS, body[i], exit->src) && has_store_p (body[i]))
      at_bottom = false;
  free (body);
  return at_bottom && exit->src->loop_father == loop;
}

/* A name that the unit does not use yet: FUNCTION.paragon.LINE, with .2 and so on where a line has several loops.  */
static tree
new_name (location_t where)
{
  const char *function = targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl)));
  char *name = xasprintf ("%s.paragon.%d", function, LOCATION_LINE (where));
  for (unsigned n = 2; maybe_get_identifier (name); n++)
    {
      free (name);
      name = xasprintf ("%s.paragon.%d.%u", function, LOCATION_LINE (where), n);
    }
  tree identifier = get_identifier (name);
  free (name);
  return identifier;
}

static tree
new_parameter (tree function, const char *name, tree type)
{
  tree parameter = build_decl (DECL_SOURCE_LOCATION (function), PARM_DECL, get_identifier (name), type);
  DECL_ARTIFICIAL (parameter) = 1;
  DECL_ARG_TYPE (parameter) = type;
  DECL_CONTEXT (parameter) = function;
  TREE_USED (parameter) = 1;
  return parameter;
}

/* The optimization options for code that runs beside other ranges of its loop: those of the current function, but it
   must not write what the loop does not write (-Ofast allows that).  */
static tree
optimization_for_ranges (void)
{
  if (!flag_store_data_races)
    return DECL_FUNCTION_SPECIFIC_OPTIMIZATION (cfun->decl);
  struct gcc_options options = global_options;
  options.x_flag_store_data_races = 0;
  return build_optimization_node (&options, &global_options_set);
}

/* Declare F, a pg_loop_fn for the loop at WHERE, and give it an empty body in SSA form.  */
static void
declare_child (struct pg_child *child, location_t where)
{
  struct function *parent = cfun;
  tree type = build_function_type_list (intDI_type_node, ptr_type_node, intDI_type_node, intDI_type_node, ptr_type_node,
					NULL_TREE);
  tree name = new_name (where);
  tree decl = build_decl (LOCATION_LOCUS (where), FUNCTION_DECL, name, type);
  SET_DECL_ASSEMBLER_NAME (decl, name);
  TREE_STATIC (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_UNINLINABLE (decl) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (PG_OUTLINED_ATTRIBUTE), NULL_TREE, NULL_TREE);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (decl) = optimization_for_ranges ();
  DECL_FUNCTION_SPECIFIC_TARGET (decl) = DECL_FUNCTION_SPECIFIC_TARGET (parent->decl);
  DECL_INITIAL (decl) = make_node (BLOCK);
  BLOCK_SUPERCONTEXT (DECL_INITIAL (decl)) = decl;

  tree result = build_decl (DECL_SOURCE_LOCATION (decl), RESULT_DECL, NULL_TREE, intDI_type_node);
  DECL_ARTIFICIAL (result) = 1;
  DECL_IGNORED_P (result) = 1;
  DECL_CONTEXT (result) = decl;
  DECL_RESULT (decl) = result;

  static const char *const names[] = { "args", "lo", "hi", "ctx" };
  tree *chain = &DECL_ARGUMENTS (decl);
  for (unsigned i = 0; i < 4; i++)
    {
      *chain = new_parameter (decl, names[i], i == 0 || i == 3 ? ptr_type_node : intDI_type_node);
      chain = &DECL_CHAIN (*chain);
    }

  allocate_struct_function (decl, false);
  set_cfun (parent);
  child->decl = decl;
  child->fun = DECL_STRUCT_FUNCTION (decl);
  child->fun->function_end_locus = LOCATION_LOCUS (where);
  init_tree_ssa (child->fun);
  init_ssa_operands (child->fun);
  child->fun->gimple_df->in_ssa_p = true;
}

/* Add STMT at the end of BB, before its last statement if that ends the block.  */
static void
append (basic_block bb, gimple *stmt)
{
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  if (!gsi_end_p (gsi) && stmt_ends_bb_p (gsi_stmt (gsi)))
    gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
  else
    gsi_insert_after (&gsi, stmt, GSI_NEW_STMT);
}

/* Compute EXPRESSION at the end of BB.  */
static tree
compute (basic_block bb, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (expression, &seq, true, NULL_TREE);
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
  return value;
}

/* A name in the entry block that stands for a parameter of TYPE until there is one.  */
static gimple *
add_placeholder (struct cut *cut, tree type)
{
  gimple *stmt = gimple_build_assign (make_ssa_name (type), build_zero_cst (type));
  append (cut->entry_bb, stmt);
  return stmt;
}

/* Load the live-ins in the entry block.  */
static void
load_live_ins (struct cut *cut)
{
  tree base = gimple_assign_lhs (cut->args_def);
  for (unsigned i = 0; i < cut->args->fields.length (); i++)
    {
      struct pg_arg *field = &cut->args->fields[i];
      if (!field->is_live_in)
	continue;
      tree name = make_ssa_name (field->type);
      append (cut->entry_bb, gimple_build_assign (name, pg_arg_ref (field, base)));
      field->local = compute (cut->entry_bb, fold_convert (TREE_TYPE (field->value), name));
      field->local_def = SSA_NAME_DEF_STMT (field->local);
    }
}

/* VALUE of the parent in the child, given its field ARG or -1.  */
static tree
local_value (struct cut *cut, tree value, int arg)
{
  if (arg >= 0)
    return cut->args->fields[arg].local;
  return TREE_CODE (value) == SSA_NAME ? pg_arg_local (cut->args, value) : value;
}

/* Let IV start where iteration LO of the loop starts: base + lo * step, without overflow.  */
static void
start_iv (struct cut *cut, const struct pg_iv *iv)
{
  tree type = TREE_TYPE (gimple_phi_result (iv->phi));
  tree base = local_value (cut, iv->base, iv->base_arg);
  tree step = local_value (cut, iv->step, iv->step_arg);
  tree lo = gimple_assign_lhs (cut->lo_def);
  tree start = base;

  if (integer_zerop (step))
    ;
  else if (POINTER_TYPE_P (type))
    start = fold_build_pointer_plus (base, fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, lo),
							fold_convert (sizetype, step)));
  else
    {
      tree utype = unsigned_type_for (type);
      tree distance = fold_build2 (MULT_EXPR, utype, fold_convert (utype, lo), fold_convert (utype, step));
      start = fold_convert (type, fold_build2 (PLUS_EXPR, utype, fold_convert (utype, base), distance));
    }
  start = compute (cut->entry_bb, start);
  SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (iv->phi, loop_preheader_edge (cut->plan->loop)), start);
}

/* Count iterations from LO, leave the loop at HI.  */
static void
count_iterations (struct cut *cut)
{
  class loop *loop = cut->plan->loop;
  edge exit = single_exit (loop);
  gcond *cond = as_a<gcond *> (last_stmt (exit->src));

  tree k = make_ssa_name (intDI_type_node), next = make_ssa_name (intDI_type_node);
  gphi *phi = create_phi_node (k, loop->header);
  gimple *increment = gimple_build_assign (next, PLUS_EXPR, k, build_one_cst (intDI_type_node));
  append (cut->plan->exit_at_top ? loop->latch : exit->src, increment);
  add_phi_arg (phi, gimple_assign_lhs (cut->lo_def), loop_preheader_edge (loop), UNKNOWN_LOCATION);
  add_phi_arg (phi, next, loop_latch_edge (loop), UNKNOWN_LOCATION);
  cut->child.counter = phi;

  gimple_cond_set_condition (cond, exit->flags & EDGE_TRUE_VALUE ? GE_EXPR : LT_EXPR,
			     cut->plan->exit_at_top ? k : next, gimple_assign_lhs (cut->hi_def));
  update_stmt (cond);
}

/* Reductions: in from their field, out to it; their integer operations wrap.  */
static void
cut_reductions (struct cut *cut)
{
  tree base = gimple_assign_lhs (cut->args_def);
  edge entry = loop_preheader_edge (cut->plan->loop);
  for (unsigned i = 0; i < cut->plan->reductions.length (); i++)
    {
      gphi *phi = cut->plan->reductions[i].phi;
      const struct pg_arg *field = &cut->args->fields[cut->args->reduction_args[i]];
      tree name = make_ssa_name (field->type);
      append (cut->entry_bb, gimple_build_assign (name, pg_arg_ref (field, base)));
      tree initial = compute (cut->entry_bb, fold_convert (TREE_TYPE (gimple_phi_result (phi)), name));
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (phi, entry), initial);

      tree final_value = compute (cut->exit_bb, fold_convert (field->type, cut->args->reduction_outs[i]));
      append (cut->exit_bb, gimple_build_assign (pg_arg_ref (field, base), final_value));
    }

  for (gimple *stmt : cut->plan->wrap_chain)
    if (is_gimple_assign (stmt) && TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (gimple_assign_lhs (stmt)))
	&& arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (stmt)))
      rewrite_to_defined_overflow (stmt, true);
}

static void
store_live_outs (struct cut *cut)
{
  tree base = gimple_assign_lhs (cut->args_def);
  for (const struct pg_live_out &out : cut->args->live_outs)
    {
      const struct pg_arg *field = &cut->args->fields[out.arg];
      tree value = compute (cut->exit_bb, fold_convert (field->type, out.name));
      append (cut->exit_bb, gimple_build_assign (pg_arg_ref (field, base), value));
    }
}

/* The address OBJECT, whose base is a variable of the parent's frame, in the child.  */
static tree
local_address (struct cut *cut, tree address)
{
  poly_int64 offset;
  tree base = get_addr_base_and_unit_offset (TREE_OPERAND (address, 0), &offset);
  struct pg_arg *field = base ? pg_arg_of_auto (cut->args, base) : NULL;
  if (!field)
    return address;
  tree moved = fold_build_pointer_plus (field->local, build_int_cst (sizetype, offset.to_constant ()));
  return compute (cut->entry_bb, fold_convert (TREE_TYPE (address), moved));
}

/* Callback of walk_gimple_op: replace variables of the parent's frame by what their address in args points to.  */
static tree
replace_auto (tree *operand, int *walk_subtrees, void *data)
{
  struct walk_stmt_info *wi = (struct walk_stmt_info *) data;
  struct cut *cut = (struct cut *) wi->info;
  tree t = *operand;
  if (TREE_CODE (t) == ADDR_EXPR && is_gimple_min_invariant (t))
    {
      *operand = local_address (cut, t);
      *walk_subtrees = *operand == t;
    }
  else if (TREE_CODE (t) == PARM_DECL || VAR_P (t))
    {
      struct pg_arg *field = pg_arg_of_auto (cut->args, t);
      if (field)
	*operand = build2 (MEM_REF, TREE_TYPE (t), field->local, build_int_cst (TREE_TYPE (field->local), 0));
      *walk_subtrees = 0;
    }
  else if (TYPE_P (t) || DECL_P (t) || TREE_CODE (t) == SSA_NAME)
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* True if NAME is a value of the parent, to which the child has no access.  */
static bool
foreign_p (const struct cut *cut, const_tree name)
{
  basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (name));
  return bb != cut->entry_bb && !(bb && flow_bb_inside_loop_p (cut->plan->loop, bb));
}

/* Replace in STMT what belongs to the parent by what the child has of it.  */
static void
localise_statement (struct cut *cut, gimple *stmt)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_SSA_USE_OPERAND (use, stmt, it, SSA_OP_USE)
    if (foreign_p (cut, USE_FROM_PTR (use)))
      SET_USE (use, pg_arg_local (cut->args, USE_FROM_PTR (use)));

  struct walk_stmt_info wi = {};
  wi.info = cut;
  if (!cut->args->autos.is_empty ())
    walk_gimple_op (stmt, replace_auto, &wi);
  update_stmt (stmt);
}

static void
localise_phi (struct cut *cut, gphi *phi)
{
  if (virtual_operand_p (gimple_phi_result (phi)))
    return;
  edge entry = loop_preheader_edge (cut->plan->loop);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      use_operand_p use = gimple_phi_arg_imm_use_ptr (phi, i);
      tree arg = USE_FROM_PTR (use);
      if (gimple_phi_arg_edge (phi, i) == entry)
	continue;
      if (TREE_CODE (arg) == SSA_NAME && foreign_p (cut, arg))
	SET_USE (use, pg_arg_local (cut->args, arg));
      else if (TREE_CODE (arg) == ADDR_EXPR)
	SET_USE (use, local_address (cut, arg));
    }
}

/* True if STMT is a clobber of a variable of the parent's frame, which F must not end.  */
static bool
foreign_clobber_p (struct cut *cut, gimple *stmt)
{
  return gimple_clobber_p (stmt) && DECL_P (gimple_assign_lhs (stmt)) && pg_arg_of_auto (cut->args, gimple_assign_lhs (stmt));
}

/* Debug statements must not mention NAME any more, which moves to another function.  */
static void
reset_debug_uses (tree name)
{
  gimple *stmt;
  imm_use_iterator it;
  if (virtual_operand_p (name))
    return;
  FOR_EACH_IMM_USE_STMT (stmt, it, name)
    if (gimple_debug_bind_p (stmt))
      {
	gimple_debug_bind_reset_value (stmt);
	update_stmt (stmt);
      }
}

/* Let no debug statement outside the loop mention a value of the loop.  */
static void
reset_debug (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	reset_debug_uses (gimple_phi_result (psi.phi ()));
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  tree def;
	  ssa_op_iter it;
	  FOR_EACH_SSA_TREE_OPERAND (def, gsi_stmt (gsi), it, SSA_OP_DEF)
	    reset_debug_uses (def);
	}
    }
  free (body);
}

/* Callback of walk_gimple_op: no warnings about this expression.  */
static tree
silence_operand (tree *operand, int *walk_subtrees, void *)
{
  if (is_gimple_min_invariant (*operand))
    *walk_subtrees = 0;		/* may be shared with the copy */
  else if (EXPR_P (*operand))
    (*operand)->base.nowarning_flag = 1;
  return NULL_TREE;
}

/* No warnings about STMT.  The flags only, not suppress_warning, which goes by location: the copy that stays has
   the same.  */
static void
silence (gimple *stmt)
{
  struct walk_stmt_info wi = {};
  stmt->no_warning = 1;
  walk_gimple_op (stmt, silence_operand, &wi);
}

/* Replace everywhere in the loop what belongs to the parent.  Debug statements go: their values are the parent's.
   Warnings about the user's code were and will be given for the copy that stays.  */
static void
localise (struct cut *cut)
{
  basic_block *body = get_loop_body_in_dom_order (cut->plan->loop);
  for (unsigned i = 0; i < cut->plan->loop->num_nodes; i++)
    {
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	localise_phi (cut, psi.phi ());
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi);)
	{
	  gimple *stmt = gsi_stmt (gsi);
	  if (is_gimple_debug (stmt) || foreign_clobber_p (cut, stmt))
	    {
	      unlink_stmt_vdef (stmt);
	      gsi_remove (&gsi, true);
	      release_defs (stmt);
	      continue;
	    }
	  localise_statement (cut, stmt);
	  silence (stmt);
	  gsi_next (&gsi);
	}
    }
  free (body);
}

/* Let the child, the current function, know what the parent knew about its live-ins: ranges and alignments.  */
static void
tell_child (const struct pg_args *args)
{
  for (const struct pg_arg &field : args->fields)
    {
      if (!field.is_live_in || TREE_CODE (field.value) != SSA_NAME || !is_gimple_assign (field.local_def))
	continue;
      tree local = gimple_assign_lhs (field.local_def);
      value_range range;
      if (INTEGRAL_TYPE_P (TREE_TYPE (local)) && SSA_NAME_RANGE_INFO (field.value)
	  && get_global_range_query ()->range_of_expr (range, field.value) && range.constant_p ())
	set_range_info (local, range);

      unsigned align, misalign;
      if (POINTER_TYPE_P (TREE_TYPE (local)) && SSA_NAME_PTR_INFO (field.value)
	  && get_ptr_info_alignment (SSA_NAME_PTR_INFO (field.value), &align, &misalign))
	set_ptr_info_alignment (get_ptr_info (local), align, misalign);
    }
}

/* Move the blocks to the child, and make them a function.  */
static void
move_to_child (struct cut *cut)
{
  struct pg_child *child = &cut->child;
  basic_block stub = move_sese_region_to_fn (child->fun, cut->entry_bb, cut->exit_bb, NULL_TREE);
  single_succ_edge (stub)->flags = EDGE_FALLTHRU;
  child->fun->curr_properties = cfun->curr_properties & ~PROP_loop_opts_done;
  child->fun->has_unroll = cfun->has_unroll;
  child->fun->can_throw_non_call_exceptions = cfun->can_throw_non_call_exceptions;
  child->fun->can_delete_dead_exceptions = cfun->can_delete_dead_exceptions;
  for (auto loop : loops_list (child->fun, 0))
    loop->warned_aggressive_loop_optimizations = true;

  cgraph_node *node = cgraph_node::get_create (child->decl);
  node->parallelized_function = 1;
  cgraph_node::add_new_function (child->decl, true);
  node->frequency = cgraph_node::get (cfun->decl)->frequency;
  node->mark_address_taken ();

  push_cfun (child->fun);
  gimple *const defs[] = { cut->args_def, cut->lo_def, cut->hi_def };
  tree parameter = DECL_ARGUMENTS (child->decl);
  for (gimple *def : defs)
    {
      gimple_assign_set_rhs1 (def, ssa_default_def (child->fun, parameter));
      update_stmt (def);
      parameter = DECL_CHAIN (parameter);
    }
  tell_child (cut->args);
  append (cut->exit_bb, gimple_build_return (build_zero_cst (intDI_type_node)));
  update_max_bb_count ();
  calculate_dominance_info (CDI_DOMINATORS);
  pg_child_refresh ();
  pop_cfun ();
}

tree
pg_child_clone (const struct pg_child *child, const char *suffix)
{
  /* A function that is ignored by the debugger needs no abstract instance.  */
  DECL_IGNORED_P (child->decl) = 1;
  cgraph_node *node = cgraph_node::get (child->decl)
			->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL, suffix, NULL_TREE, false);
  DECL_IGNORED_P (child->decl) = 0;
  DECL_IGNORED_P (node->decl) = 0;
  DECL_ABSTRACT_ORIGIN (node->decl) = NULL_TREE;
  node->parallelized_function = 1;
  cgraph_node::add_new_function (node->decl, true);
  node->frequency = cgraph_node::get (child->decl)->frequency;
  node->mark_address_taken ();
  return node->decl;
}

void
pg_child_refresh (void)
{
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa);
  cgraph_edge::rebuild_edges ();
}

tree
pg_child_operand (const struct pg_plan_access *access)
{
  gimple *stmt = access->stmt;
  if (access->is_store)
    return gimple_get_lhs (stmt);
  if (gimple_assign_single_p (stmt))
    return gimple_assign_rhs1 (stmt);
  return access->operand;
}

/* Stack that a call of F needs: variables of its own, and a margin for spills.  */
static HOST_WIDE_INT
frame_len (const struct pg_child *child)
{
  HOST_WIDE_INT len = 1024;
  unsigned i;
  tree decl;
  FOR_EACH_LOCAL_DECL (child->fun, i, decl)
    if (!is_gimple_reg (decl) && DECL_SIZE_UNIT (decl) && tree_fits_shwi_p (DECL_SIZE_UNIT (decl)))
      len += ROUND_UP (tree_to_shwi (DECL_SIZE_UNIT (decl)), 16);
  return len;
}

/* Tell describe what was made.  */
static void
fill_in (const struct pg_plan *plan, const struct pg_args *args, struct pg_outlined *out)
{
  out->args_len = args->len;
  for (const struct pg_arg &field : args->fields)
    if (field.is_live_in)
      {
	struct pg_outlined_field live_in = { field.offset, field.len, field.feeds ? (unsigned) PG_FIELD_FEEDS : 0u };
	out->live_ins.safe_push (live_in);
      }
  for (const struct pg_live_out &live_out : args->live_outs)
    {
      struct pg_outlined_field field = { args->fields[live_out.arg].offset, args->fields[live_out.arg].len, 0 };
      out->live_outs.safe_push (field);
    }
  for (int arg : args->reduction_args)
    out->reduction_offsets.safe_push (args->fields[arg].offset);
  for (unsigned i = 0; i < plan->nodes.length (); i++)
    {
      const struct pg_arg *field = args->node_args[i] < 0 ? NULL : &args->fields[args->node_args[i]];
      out->node_offsets.safe_push (field ? field->offset : -1);
      out->node_lens.safe_push (field ? field->len : 0);
      out->node_signed.safe_push (field && !TYPE_UNSIGNED (field->type));
    }
}

/* Copy PLAN's loop; the original is the arm that is taken where HANDLED is not 0.  Fill in GUARD but for its AFTER_BB.
   Return the copy.  */
static class loop *
make_arms (struct pg_plan *plan, struct pg_guard *guard)
{
  class loop *loop = plan->loop;
  guard->handled = gimple_build_assign (make_ssa_name (integer_type_node), build_zero_cst (integer_type_node));
  gsi_insert_on_edge_immediate (loop_preheader_edge (loop), guard->handled);

  tree condition = build2 (NE_EXPR, boolean_type_node, gimple_assign_lhs (guard->handled), build_zero_cst (integer_type_node));
  initialize_original_copy_tables ();
  class loop *fallback = loop_version (loop, condition, &guard->call_bb, profile_probability::likely (),
				       profile_probability::unlikely (), profile_probability::always (),
				       profile_probability::likely (), true);
  free_original_copy_tables ();
  gcc_assert (fallback);
  update_ssa (TODO_update_ssa);

  guard->guard_bb = split_edge (single_pred_edge (guard->call_bb));
  guard->fallback_bb = loop_preheader_edge (fallback)->src;
  return fallback;
}

bool
pg_outline_loop (struct pg_plan *plan, struct pg_outlined *out, class loop **fallback)
{
  struct pg_args args;
  if (!shape_ok_p (plan) || !pg_args_collect (plan, &args))
    return false;

  struct pg_guard guard;
  *fallback = make_arms (plan, &guard);

  struct cut cut = {};
  cut.plan = plan;
  cut.args = &args;
  cut.entry_bb = split_edge (loop_preheader_edge (plan->loop));
  cut.exit_bb = split_edge (single_exit (plan->loop));
  guard.after_bb = split_edge (single_succ_edge (cut.exit_bb));
  declare_child (&cut.child, plan->where);

  cut.args_def = add_placeholder (&cut, ptr_type_node);
  cut.lo_def = add_placeholder (&cut, intDI_type_node);
  cut.hi_def = add_placeholder (&cut, intDI_type_node);
  load_live_ins (&cut);
  for (const struct pg_iv &iv : args.ivs)
    start_iv (&cut, &iv);
  count_iterations (&cut);
  cut_reductions (&cut);
  store_live_outs (&cut);
  reset_debug (plan->loop);
  localise (&cut);

  pg_guard_build (plan, &args, out->region_decl, &guard);
  free_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  free_numbers_of_iterations_estimates (cfun);
  scev_reset ();
  move_to_child (&cut);
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa);

  push_cfun (cut.child.fun);
  pg_noalias_keep_restrict (&cut.child);
  out->body = cut.child.decl;
  out->body_noalias = plan->build_noalias ? pg_noalias_build (plan, &cut.child) : NULL_TREE;
  out->monitor = plan->build_monitor ? pg_monitor_build (plan, &cut.child) : NULL_TREE;
  free_dominance_info (CDI_DOMINATORS);
  pop_cfun ();

  out->frame_len = frame_len (&cut.child);
  out->inner_loops_remain = (*fallback)->inner != NULL;
  fill_in (plan, &args, out);
  return true;
}
