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

#include "child.h"
#include "choices.h"
#include "columns.h"
#include "doacross.h"
#include "guard.h"
#include "kernels.h"
#include "localise.h"
#include "monitor.h"
#include "noalias.h"
#include "numbers.h"
#include "ordered.h"
#include "ranges.h"
#include "rehearse.h"
#include "start.h"
#include "tally.h"

/* A loop on its way out.  */
struct cut
{
  struct pg_plan *plan;
  struct pg_args *args;
  basic_block entry_bb, exit_bb;            /* first and last block of the child */
  gimple *args_def, *lo_def, *hi_def;       /* in ENTRY_BB: names for the parameters, set to 0 until the move */
  auto_vec<struct pg_known_range> live_ins; /* what is known of them */
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

/* True if something in BB touches memory that may be another place in each iteration of PLAN's loop.  */
static bool
has_access_p (const struct pg_plan *plan, basic_block bb)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (gimple_bb (access.stmt) == bb
	&& (access.is_store || !(plan->refs[access.ref].flags & PG_REF_AFFINE)
	    || plan->refs[access.ref].address.coef[0] >= 0))
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
    return exit->src == loop->header && !has_access_p (plan, loop->header);

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
      field->local = pg_child_compute (cut->entry_bb, fold_convert (TREE_TYPE (field->value), name));
      field->local_def = SSA_NAME_DEF_STMT (field->local);
    }
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

  gimple_cond_set_condition (cond, exit->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, cut->plan->exit_at_top ? k : next,
			     gimple_assign_lhs (cut->hi_def));
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
      tree out = cut->args->reduction_outs[i];
      if (!out) /* a flag, of the next one */
	out = pg_choice_flag (cut->plan->loop, phi, name, cut->args->reduction_outs[i + 1]);
      else
	{
	  tree initial = pg_child_compute (cut->entry_bb, fold_convert (TREE_TYPE (gimple_phi_result (phi)), name));
	  SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (phi, entry), initial);
	}
      tree final_value = pg_child_compute (cut->exit_bb, fold_convert (field->type, out));
      append (cut->exit_bb, gimple_build_assign (pg_arg_ref (field, base), final_value));
    }

  for (gimple *stmt : cut->plan->wrap_chain)
    if (is_gimple_assign (stmt) && TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (gimple_assign_lhs (stmt)))
	&& arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (stmt)))
      rewrite_to_defined_overflow (stmt, true);
}

/* Mirrors start from memory; LOADS are the loads.  */
static void
load_mirrors (struct cut *cut, vec<gimple *> *loads)
{
  for (const struct pg_plan_mirror &mirror : cut->plan->mirrors)
    {
      tree name = make_ssa_name (TREE_TYPE (gimple_phi_result (mirror.phi)));
      gimple *load = gimple_build_assign (name, unshare_expr (mirror.reference));
      append (cut->entry_bb, load);
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (mirror.phi, loop_preheader_edge (cut->plan->loop)), name);
      loads->safe_push (load);
    }
}

static void
store_live_outs (struct cut *cut)
{
  tree base = gimple_assign_lhs (cut->args_def);
  for (const struct pg_live_out &out : cut->args->live_outs)
    {
      const struct pg_arg *field = &cut->args->fields[out.arg];
      tree value = pg_child_compute (cut->exit_bb, fold_convert (field->type, out.name));
      append (cut->exit_bb, gimple_build_assign (pg_arg_ref (field, base), value));
    }
}

/* Let the child, the current function, know what the parent knew of alignments of its live-ins.  */
static void
tell_child (const struct pg_args *args)
{
  for (const struct pg_arg &field : args->fields)
    {
      if (!field.is_live_in || TREE_CODE (field.value) != SSA_NAME || !is_gimple_assign (field.local_def))
	continue;
      tree local = gimple_assign_lhs (field.local_def);
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
  auto_vec<struct pg_known_range> ranges;
  pg_ranges_note (cut->plan, &ranges);
  pg_ranges_place_live_ins (cut->args, &cut->live_ins);
  pg_child_move (child, cut->entry_bb, cut->exit_bb);

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
  pg_ranges_tell (ranges);
  pg_ranges_tell (cut->live_ins);
  append (cut->exit_bb, gimple_build_return (build_zero_cst (intDI_type_node)));
  update_max_bb_count ();
  calculate_dominance_info (CDI_DOMINATORS);
  pg_child_refresh ();
  pop_cfun ();
}

/* Tell describe what was made.  */
static void
fill_in (const struct pg_plan *plan, const struct pg_args *args, struct pg_outlined *out)
{
  out->args_len = args->len;
  for (const struct pg_arg &field : args->fields)
    if (field.is_live_in && field.feeds && out->monitor)
      {
	struct pg_outlined_field live_in = { field.offset, field.len };
	out->live_ins.safe_push (live_in);
      }
  for (const struct pg_live_out &live_out : args->live_outs)
    {
      struct pg_outlined_field field = { args->fields[live_out.arg].offset, args->fields[live_out.arg].len };
      out->live_outs.safe_push (field);
    }
  for (int arg : args->reduction_args)
    out->reduction_offsets.safe_push (args->fields[arg].offset);
  for (int arg : args->work_args)
    out->work_offsets.safe_push (args->fields[arg].offset);
  for (int arg : args->cursor_args)
    out->cursor_offsets.safe_push (arg < 0 ? -1 : args->fields[arg].offset);
  for (int arg : args->end_args)
    out->reduction_ends.safe_push (arg < 0 ? -1 : args->fields[arg].offset);
  for (unsigned i = 0; i < plan->nodes.length (); i++)
    {
      const struct pg_arg *field = args->node_args[i] < 0 ? NULL : &args->fields[args->node_args[i]];
      out->node_offsets.safe_push (field ? field->offset : -1);
      out->node_lens.safe_push (field ? field->len : 0);
      out->node_signed.safe_push (field && !TYPE_UNSIGNED (field->type));
    }
}

/* Copy PLAN's loop; the original is the arm that is taken where HANDLED is not 0.  Fill in GUARD but for its AFTER_BB,
   and the numbers that are NOTED.  Return the copy.  */
static class loop *
make_arms (struct pg_plan *plan, struct pg_guard *guard, vec<struct pg_numbered> *noted)
{
  class loop *loop = plan->loop;
  tree zero = build_zero_cst (intDI_type_node);
  guard->handled = gimple_build_assign (make_ssa_name (intDI_type_node), zero);
  gsi_insert_on_edge_immediate (loop_preheader_edge (loop), guard->handled);

  tree condition = build2 (NE_EXPR, boolean_type_node, gimple_assign_lhs (guard->handled), zero);
  initialize_original_copy_tables ();
  class loop *fallback
    = loop_version (loop, condition, &guard->call_bb, profile_probability::likely (), profile_probability::unlikely (),
		    profile_probability::always (), profile_probability::likely (), true);
  gcc_assert (fallback);
  pg_numbers_note (loop, noted);
  free_original_copy_tables ();
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

  if (pg_kernels_wanted ())
    pg_find_counted (plan);
  struct cut cut = {};
  pg_ranges_note_live_ins (plan, &args, &cut.live_ins);
  struct pg_guard guard;
  auto_vec<struct pg_numbered> noted;
  *fallback = make_arms (plan, &guard, &noted);

  cut.plan = plan;
  cut.args = &args;
  cut.entry_bb = split_edge (loop_preheader_edge (plan->loop));
  cut.exit_bb = split_edge (single_exit (plan->loop));
  guard.after_bb = split_edge (single_succ_edge (cut.exit_bb));
  pg_child_declare (&cut.child, plan);

  cut.args_def = add_placeholder (&cut, ptr_type_node);
  cut.lo_def = add_placeholder (&cut, intDI_type_node);
  cut.hi_def = add_placeholder (&cut, intDI_type_node);
  load_live_ins (&cut);
  pg_start_ivs (plan, &args, cut.entry_bb, gimple_assign_lhs (cut.lo_def));
  count_iterations (&cut);
  cut_reductions (&cut);
  store_live_outs (&cut);
  auto_vec<gimple *> loads;
  load_mirrors (&cut, &loads);
  pg_localise (plan->loop, &args, cut.entry_bb, loads);
  pg_start_trails (plan, &args, gimple_assign_lhs (cut.lo_def));

  pg_guard_build (plan, &args, out->region_decl, &guard);
  free_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  free_numbers_of_iterations_estimates (cfun);
  scev_reset ();
  move_to_child (&cut);
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa);
  pg_numbers_exchange (noted);
  scev_reset ();
  if (pg_rehearsing_p ())
    return true; /* all that matters is what is left in the function */

  push_cfun (cut.child.fun);
  const struct pg_lift_source source = { plan, &args, &cut.child, cut.entry_bb, cut.exit_bb };
  if (plan->ordered_groups.is_empty ())
    pg_kernel_make (&source, plan, out);
  pg_noalias_keep_restrict (&cut.child);
  out->body = cut.child.decl;
  if (!plan->sets.is_empty ())
    pg_noalias_assume (plan, &cut.child);
  out->body_noalias = plan->build_noalias ? pg_noalias_build (plan, &cut.child) : NULL_TREE;
  if (plan->klass == PG_CLASS_PARALLEL && plan->cut_columns && !plan->vectors_change_bits)
    pg_columns_allow (out->body);
  out->monitor = plan->build_monitor ? pg_monitor_build (plan, &cut.child) : NULL_TREE;
  out->doacross = plan->build_doacross ? pg_doacross_build (plan, &cut.child) : NULL_TREE;
  if (!plan->ordered_groups.is_empty ())
    pg_ordered_build (plan, &cut.child, out);
  out->tally = pg_has_tally_p (plan) ? pg_tally_build (plan, &args, &cut.child) : NULL_TREE;
  /* Where there is one for groups that are apart, F itself runs where they are not, which GCC would have to test; but
     with no fallback, it is what runs without the library, too.  */
  if (out->body_noalias && pg_keeps_original_p (plan) && !plan->vectors_change_bits)
    pg_child_keep_loops_single (out->body);
  free_dominance_info (CDI_DOMINATORS);
  pop_cfun ();
  pg_child_introduce (&cut.child);

  out->frame_len = pg_child_frame_len (cut.child.fun) + plan->called_frame_len
		   + MAX (MAX (pg_columns_frame_len (out->body), pg_columns_frame_len (out->body_noalias)),
			  pg_columns_frame_len (out->free_part));
  fill_in (plan, &args, out);
  return true;
}
