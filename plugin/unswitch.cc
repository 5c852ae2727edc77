/* SPDX-License-Identifier: GPL-3.0-or-later
   Unswitching: what a loop only does under flags need not be in what is handed over.

       for (i = 0; i < n; i++)			if (!verbose)
	 {					  for (i = 0; i < n; i++)	judged, and handed over
	   if (verbose)				    y[i] += x[i];
	     printf ("%d\n", i);	==>	else
	   y[i] += x[i];			  for (i = 0; i < n; i++)	as it was, also where the other
	 }					    ...				one is refused

   What is left out is what statements are refused for, calls of what is not known and the like, and exits but for one.
   The edge that decides is the innermost around it that can be known on entry never to be taken (never.cc).  */

#include "unswitch.h"
#include "cut.h"
#include "extents.h"
#include "judge.h"
#include "never.h"

/* More tests than this are left alone; so many names are looked at for what says when a loop ends.  */
static const unsigned max_switches = 16, max_seen = 200;

/* Where ways join, each of them is looked at, so many times.  */
static const unsigned max_depth = 3;

/* Larger loops are left alone.  */
static const unsigned max_blocks = 300;

/* Append to LEAVES what VALUE is computed from, in whatever way: names, and places that are loaded from.  SEEN are the
   numbers of names that were looked at.  */
static void
find_leaves (tree value, vec<tree> *leaves, bitmap seen)
{
  if (TREE_CODE (value) != SSA_NAME || bitmap_count_bits (seen) > max_seen
      || !bitmap_set_bit (seen, SSA_NAME_VERSION (value)))
    return;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast<gphi *> (def))
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
      find_leaves (gimple_phi_arg_def (phi, i), leaves, seen);
  else if (gimple_assign_load_p (def))
    leaves->safe_push (gimple_assign_rhs1 (def));
  else if (is_gimple_assign (def))
    for (unsigned i = 1; i < gimple_num_ops (def); i++)
      find_leaves (gimple_op (def, i), leaves, seen);
  else
    leaves->safe_push (value);
}

/* The same for what BB tests.  */
static void
find_leaves_of_test (basic_block bb, vec<tree> *leaves)
{
  auto_bitmap seen;
  if (gcond *test = safe_dyn_cast<gcond *> (last_stmt (bb)))
    for (unsigned i = 0; i < 2; i++)
      find_leaves (gimple_op (test, i), leaves, seen);
}

static bool
share_p (const vec<tree> &a, const vec<tree> &b)
{
  for (tree one : a)
    for (tree other : b)
      if (operand_equal_p (one, other, 0))
	return true;
  return false;
}

/* True if E seems to lead to a loop around BB unless that has no turns, by what says when it ends: no flag.  */
static bool
begins_loop_p (const struct pg_never *never, edge e, basic_block bb)
{
  auto_vec<tree> tested;
  find_leaves_of_test (e->src, &tested);
  for (class loop *loop = bb->loop_father; loop != never->plan->loop; loop = loop_outer (loop))
    {
      if (flow_bb_inside_loop_p (loop, e->src))
	continue;
      auto_vec<tree> ending;
      auto_vec<edge> exits = get_loop_exit_edges (loop);
      for (edge exit : exits)
	find_leaves_of_test (exit->src, &ending);
      if (share_p (tested, ending))
	return true;
    }
  return false;
}

/* True if without BB, in LOOP, that or a loop in it would have one iteration.  */
static bool
goes_on_p (const class loop *loop, basic_block bb)
{
  for (class loop *around = bb->loop_father;; around = loop_outer (around))
    {
      if (around->latch && bb != around->header && dominated_by_p (CDI_DOMINATORS, around->latch, bb))
	return true;
      if (around == loop)
	return false;
    }
}

static bool find_switch (struct pg_never *never, basic_block bb, unsigned depth);

/* Add to NEVER edges by which alone BB is reached, in DEPTH steps, from the blocks before it.  */
static bool
find_switches_before (struct pg_never *never, basic_block bb, unsigned depth)
{
  unsigned n_off = never->off.length (), n_loads = never->loads.length ();
  auto_vec<tree> conditions;
  conditions.safe_splice (never->conditions);
  edge e;
  edge_iterator it;
  FOR_EACH_EDGE (e, it, bb->preds)
    if (!pg_never_reached_p (never, e->src) && !never->off.contains (e)
	&& ((e->flags & EDGE_COMPLEX) || single_succ_p (e->src) || !pg_never_add (never, e))
	&& !find_switch (never, e->src, depth + 1))
      {
	pg_never_return (never, n_off, conditions, n_loads);
	return false;
      }
  return true;
}

/* Add to NEVER an edge by which alone BB is reached, or several.  DEPTH such steps were made.  */
static bool
find_switch (struct pg_never *never, basic_block bb, unsigned depth)
{
  class loop *loop = never->plan->loop;
  for (basic_block at = bb; at != loop->header; at = get_immediate_dominator (CDI_DOMINATORS, at))
    {
      if (!single_pred_p (at) || goes_on_p (loop, at))
	continue;
      edge e = single_pred_edge (at);
      if (!(e->flags & EDGE_COMPLEX) && !begins_loop_p (never, e, bb) && pg_never_add (never, e))
	return true;
    }
  return bb != bb->loop_father->header && !single_pred_p (bb) && !goes_on_p (loop, bb) && depth < max_depth
	 && find_switches_before (never, bb, depth);
}

/* Find edges of NEVER's loop without which nothing is done that it is refused for, and it has one exit.  False: there
   are none, or it needs none.  */
static bool
find_switches (struct pg_never *never)
{
  class loop *loop = never->plan->loop;
  auto_vec<basic_block> body;
  pg_find_body (never->plan, &body);
  pg_never_begin (never);
  edge counted = single_exit (loop) ? single_exit (loop) : pg_counted_exit (loop);
  for (basic_block bb : body)
    {
      if (bb->flags & BB_IRREDUCIBLE_LOOP)
	return false;
      if (pg_never_reached_p (never, bb))
	continue;
      if (pg_refused_block_p (bb) && !find_switch (never, bb, 0))
	return false;
      edge e;
      edge_iterator it;
      FOR_EACH_EDGE (e, it, bb->succs)
	if (e != counted && loop_exit_edge_p (loop, e) && !pg_never_reached_p (never, bb)
	    && ((e->flags & EDGE_COMPLEX) || !pg_never_add (never, e)) && !find_switch (never, bb, 0))
	  return false;
    }
  return !never->off.is_empty () && never->off.length () <= max_switches && pg_never_steady_p (never);
}

/* Never take E: one of two edges out of its block, whose test is gone then.  */
static void
never_take (edge e)
{
  bool done = remove_path (e);
  gcc_assert (done);
}

/* Replace what LOOP merges where only one way is left.  */
static void
replace_merged (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      if (!single_pred_p (body[i]) || loop_exit_edge_p (single_pred (body[i])->loop_father, single_pred_edge (body[i])))
	continue;
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi);)
	{
	  tree merged = gimple_phi_result (psi.phi ());
	  if (virtual_operand_p (merged) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (merged))
	    {
	      gsi_next (&psi);
	      continue;
	    }
	  replace_uses_by (merged, gimple_phi_arg_def (psi.phi (), 0));
	  remove_phi_node (&psi, true);
	}
    }
  free (body);
}

/* Replace what LOOP has from the iteration before, which has not changed it.  */
static void
replace_kept (class loop *loop)
{
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi);)
    {
      tree kept = gimple_phi_result (psi.phi ());
      if (virtual_operand_p (kept) || PHI_ARG_DEF_FROM_EDGE (psi.phi (), loop_latch_edge (loop)) != kept
	  || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (kept))
	{
	  gsi_next (&psi);
	  continue;
	}
      tree initial = PHI_ARG_DEF_FROM_EDGE (psi.phi (), loop_preheader_edge (loop));
      replace_uses_by (kept, initial);
      remove_phi_node (&psi, true);
    }
}

/* Let the latch of LOOP take the place of blocks before it, as where the next iteration began with a test.  */
static void
join_latch (class loop *loop)
{
  basic_block latch = loop->latch;
  for (;;)
    {
      basic_block bb = single_pred_p (latch) ? single_pred (latch) : loop->header;
      if (bb == loop->header || phi_nodes (latch) || phi_nodes (bb) || !single_succ_p (bb) || !single_pred_p (bb)
	  || bb->loop_father != loop || single_pred (bb)->loop_father != loop || !empty_block_p (latch))
	return;
      for (gimple_stmt_iterator gsi = gsi_after_labels (bb); !gsi_end_p (gsi);)
	gsi_move_to_bb_end (&gsi, latch);
      redirect_edge_and_branch (single_pred_edge (bb), latch);
      delete_basic_block (bb);
    }
}

/* Let TEST be of CONDITION, computed before it.  */
static void
build_test (gcond *test, tree condition)
{
  gimple_seq computed = NULL;
  tree holds = force_gimple_operand (unshare_expr (condition), &computed, true, NULL_TREE);
  auto_vec<gimple *> stmts;
  for (gimple_stmt_iterator gsi = gsi_start (computed); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      suppress_warning (gsi_stmt (gsi), OPT_Wuninitialized);
      if (is_gimple_assign (gsi_stmt (gsi)) && INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_lhs (gsi_stmt (gsi)))))
	stmts.safe_push (gsi_stmt (gsi));
    }
  gimple_cond_set_condition (test, NE_EXPR, holds, build_zero_cst (TREE_TYPE (holds)));
  suppress_warning (test, OPT_Wuninitialized);
  gimple_stmt_iterator gsi = gsi_for_stmt (test);
  if (computed)
    gsi_insert_seq_before (&gsi, computed, GSI_SAME_STMT);
  update_stmt (test);
  for (gimple *stmt : stmts) /* the loop might not compute it */
    if (TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (gimple_assign_lhs (stmt)))
	&& arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (stmt)))
      rewrite_to_defined_overflow (stmt, true);
}

/* One of the two edges out of BB, a test.  */
static edge
true_edge (basic_block bb)
{
  return EDGE_SUCC (bb, EDGE_SUCC (bb, 0)->flags & EDGE_TRUE_VALUE ? 0 : 1);
}

/* Let there be CONDITIONS for what follows the test in BB, whose other edge leads to REST; that one is replaced.  */
static void
build_tests (basic_block bb, const vec<tree> &conditions, basic_block rest)
{
  build_test (as_a<gcond *> (last_stmt (bb)), conditions[0]);
  for (unsigned i = 1; i < conditions.length (); i++)
    {
      bb = split_edge (true_edge (bb));
      gcond *test = gimple_build_cond (NE_EXPR, boolean_true_node, boolean_false_node, NULL_TREE, NULL_TREE);
      gimple_stmt_iterator gsi = gsi_start_bb (bb);
      gsi_insert_after (&gsi, test, GSI_NEW_STMT);
      edge on = single_succ_edge (bb);
      on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
      on->probability = profile_probability::likely ();
      make_edge (bb, rest, EDGE_FALSE_VALUE)->probability = profile_probability::unlikely ();
      build_test (test, conditions[i]);
    }
}

/* The edge out of SRC that is like E, which is one of two.  */
static edge
edge_like (const_edge e, basic_block src)
{
  unsigned outcome = e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
  return EDGE_SUCC (src, (EDGE_SUCC (src, 0)->flags & outcome) == outcome ? 0 : 1);
}

/* Make two loops of NEVER's, as OUT tells: itself, and a copy in which none of its edges is ever taken.  What was there
   keeps its blocks and names: if there is only that again, it is compiled to what it would have been.  */
static void
make_two (const struct pg_never *never, struct pg_unswitched *out)
{
  class loop *loop = never->plan->loop;
  auto_vec<edge> off;
  auto_vec<basic_block> body;
  pg_find_body (never->plan, &body);
  for (basic_block bb : body)
    out->counts.safe_push ({ bb, bb->count });
  out->entry = loop_preheader_edge (loop)->src;
  out->counts.safe_push ({ out->entry, out->entry->count });

  tree test = build2 (NE_EXPR, boolean_type_node, boolean_true_node, boolean_false_node);
  profile_probability likely = profile_probability::likely (), unlikely = likely.invert ();
  initialize_original_copy_tables ();
  out->rest = loop;
  out->reduced = loop_version (loop, test, &out->test_bb, unlikely, likely, unlikely, likely, true);
  gcc_assert (out->reduced);
  for (edge e : never->off)
    off.safe_push (edge_like (e, get_bb_copy (e->src)));
  free_original_copy_tables ();
  update_ssa (TODO_update_ssa);
  for (unsigned i = 0; i < 2; i++)
    EDGE_SUCC (out->test_bb, i)->flags ^= EDGE_TRUE_VALUE | EDGE_FALSE_VALUE;
  build_tests (out->test_bb, never->conditions, loop_preheader_edge (loop)->src);
  for (edge e : off)
    never_take (e);
  replace_merged (out->reduced);
  replace_kept (out->reduced);
  pg_cut_remove_unused (out->reduced);
  join_latch (out->reduced);
  pg_cut_refresh ();
}

bool
pg_unswitch (const struct pg_plan *plan, struct pg_plan *reduced, struct pg_unswitched *out)
{
  const class loop *loop = plan->loop;
  struct pg_never never = {};
  never.plan = plan;
  if ((loop_preheader_edge (loop)->flags & (EDGE_COMPLEX | EDGE_IRREDUCIBLE_LOOP)) || !loop->latch
      || loop->num_nodes > max_blocks || !find_switches (&never) || !can_duplicate_loop_p (loop))
    return false;
  location_t where = gimple_location (last_stmt (never.off[0]->src));
  make_two (&never, out);
  pg_judge_loop (out->reduced, reduced);
  const char *name = plan->reason == PG_WHY_MANY_EXITS ? "an early exit" : pg_reasons[plan->reason].name;
  reduced->without = xstrdup (plan->detail ? plan->detail : name);
  reduced->switch_where = where;
  return true;
}

void
pg_unswitch_undo (const struct pg_unswitched *unswitched)
{
  never_take (true_edge (unswitched->test_bb));
  for (const struct pg_counted_block &block : unswitched->counts)
    block.bb->count = block.count;
  basic_block entry = unswitched->entry;
  while (single_succ (entry) != unswitched->rest->header && can_merge_blocks_p (entry, single_succ (entry)))
    merge_blocks (entry, single_succ (entry));
  pg_cut_remove_unused_in (entry);
  pg_cut_refresh ();
}

void
pg_unswitch_join (const struct pg_unswitched *unswitched, class loop *fallback)
{
  edge into = loop_preheader_edge (fallback);
  basic_block bb = into->src;
  if (EDGE_COUNT (bb->preds) == 0)
    return; /* nothing leads there */
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  gcond *never = gimple_build_cond (NE_EXPR, boolean_false_node, boolean_false_node, NULL_TREE, NULL_TREE);
  gsi_insert_after (&gsi, never, GSI_NEW_STMT);
  edge past = make_edge (bb, loop_preheader_edge (unswitched->rest)->src, EDGE_FALSE_VALUE);
  past->probability = profile_probability::always ();
  into->flags = (into->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  into->probability = profile_probability::never ();
  free_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  never_take (into);
  pg_cut_refresh ();
}
