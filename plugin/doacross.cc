/* SPDX-License-Identifier: GPL-3.0-or-later
   The doacross F: a clone of F whose iterations can run at the same time although later ones need what earlier ones
   write.  Before turns of the loops directly in the region's loop, it asks whether they may run:

       for (j = 1; j < n - 1; j++)		    for (j = 1, k = 0, limit = 0; j < n - 1; j++, k++)
	 a[i][j] = f (a[i-1][j+1], a[i][j-1]);	      {
					     ==>	if (k >= limit)
							  limit = ctx->pass (ctx, 1, k);
							a[i][j] = f (a[i-1][j+1], a[i][j-1]);
						      }

   When a loop is through, that is told as a turn that never comes.  What is asked, and when the answer comes, is the
   run time's affair (runtime/doacross.h).

   Calls in its loops keep them from being vectorised and the like, so little is tried.

   As with the monitor, calls are put into F, F is cloned, and they are taken out again; what surrounds them is made in
   the clone.  */

#include "doacross.h"
#include "touch.h"

/* Arguments of pass.  */
enum
{
  PASS_CTX,
  PASS_DIM,
  PASS_TURN,
  PASS_N_ARGS
};

static tree
pass_type (void)
{
  return build_pointer_type (
    build_function_type_list (intDI_type_node, ptr_type_node, intDI_type_node, intDI_type_node, NULL_TREE));
}

/* Insert STMT where BB begins and note it in ADDED.  */
static void
add (basic_block bb, gimple *stmt, vec<gimple *> *added)
{
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
  added->safe_push (stmt);
}

/* A call of PASS.  */
static gcall *
build_call (tree pass, tree ctx, tree dim, tree turn)
{
  gcall *call = gimple_build_call (pass, PASS_N_ARGS, ctx, dim, turn);
  gimple_call_set_nothrow (call, true);
  return call;
}

/* Put a call into the header of each loop of CHILD that PLAN counts directly in its own.  */
static void
put_calls (const struct pg_plan *plan, const struct pg_child *child, vec<gimple *> *added)
{
  tree ctx = pg_touch_ctx (), pass = make_ssa_name (pass_type ());
  basic_block entry = single_succ (ENTRY_BLOCK_PTR_FOR_FN (child->fun));
  add (entry, gimple_build_assign (pass, pg_touch_member (ctx, offsetof (struct pg_doacross, pass), pass_type ())),
       added);
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (plan->dims[d].parent == 0)
      add (plan->dims[d].loop->header,
	   build_call (pass, ctx, build_int_cst (intDI_type_node, d), build_zero_cst (intDI_type_node)), added);
}

/* A PHI in LOOP's header: 0 at first, then NEXT; that is still to be given if it is NULL_TREE.  */
static gphi *
add_phi (class loop *loop, tree next)
{
  gphi *phi = create_phi_node (make_ssa_name (intDI_type_node), loop->header);
  add_phi_arg (phi, build_zero_cst (intDI_type_node), loop_preheader_edge (loop), UNKNOWN_LOCATION);
  if (next)
    add_phi_arg (phi, next, loop_latch_edge (loop), UNKNOWN_LOCATION);
  return phi;
}

/* Have LOOP count its turns; return the number of the current one.  */
static tree
count_turns (class loop *loop)
{
  tree next = make_ssa_name (intDI_type_node);
  tree turn = gimple_phi_result (add_phi (loop, next));
  gimple_stmt_iterator gsi = gsi_last_bb (loop->latch);
  gimple *increment = gimple_build_assign (next, PLUS_EXPR, turn, build_one_cst (intDI_type_node));
  if (!gsi_end_p (gsi) && stmt_ends_bb_p (gsi_stmt (gsi)))
    gsi_insert_before (&gsi, increment, GSI_SAME_STMT);
  else
    gsi_insert_after (&gsi, increment, GSI_NEW_STMT);
  return turn;
}

/* Make CALL, in the header of its loop, only where the turn has got to the limit; its answer is the next one.  */
static void
ask_at_limit (gcall *call)
{
  class loop *loop = gimple_bb (call)->loop_father;
  tree turn = count_turns (loop), answer = make_ssa_name (intDI_type_node);
  gphi *limit = add_phi (loop, NULL_TREE);
  gimple_call_set_lhs (call, answer);
  gimple_call_set_arg (call, PASS_TURN, turn);
  update_stmt (call);

  basic_block header = loop->header;
  edge to_call = split_block_after_labels (header);
  edge to_rest = split_block (to_call->dest, call);
  gimple_stmt_iterator gsi = gsi_last_bb (header);
  gsi_insert_after (&gsi, gimple_build_cond (LT_EXPR, turn, gimple_phi_result (limit), NULL_TREE, NULL_TREE),
		    GSI_NEW_STMT);
  to_call->flags = EDGE_FALSE_VALUE;
  to_call->probability = profile_probability::unlikely ();
  edge past = make_edge (header, to_rest->dest, EDGE_TRUE_VALUE);
  past->probability = to_call->probability.invert ();
  set_immediate_dominator (CDI_DOMINATORS, to_rest->dest, header);

  gphi *next = create_phi_node (make_ssa_name (intDI_type_node), to_rest->dest);
  add_phi_arg (next, gimple_phi_result (limit), past, UNKNOWN_LOCATION);
  add_phi_arg (next, answer, to_rest, UNKNOWN_LOCATION);
  add_phi_arg (limit, gimple_phi_result (next), loop_latch_edge (loop), UNKNOWN_LOCATION);
}

/* Tell where the loop of CALL is left that it is through.  */
static void
tell_end (gcall *call, class loop *loop)
{
  tree never = TYPE_MAX_VALUE (intDI_type_node);
  gcall *last
    = build_call (gimple_call_fn (call), gimple_call_arg (call, PASS_CTX), gimple_call_arg (call, PASS_DIM), never);
  gsi_insert_on_edge_immediate (single_exit (loop), last);
}

tree
pg_doacross_build (const struct pg_plan *plan, const struct pg_child *child)
{
  auto_vec<gimple *> added;
  put_calls (plan, child, &added);
  pg_child_refresh ();
  tree decl = pg_child_clone (child, "doacross");
  if (!plan->fuses && !plan->vectors_change_bits)
    pg_child_save_work (decl);
  pg_touch_take_out (&added);
  pg_child_refresh ();

  push_cfun (DECL_STRUCT_FUNCTION (decl));
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  calculate_dominance_info (CDI_DOMINATORS);
  auto_vec<gcall *> calls;
  pg_touch_find (&calls);
  for (gcall *call : calls)
    {
      tell_end (call, gimple_bb (call)->loop_father);
      ask_at_limit (call);
    }
  free_dominance_info (CDI_DOMINATORS);
  loop_optimizer_finalize (cfun);
  pg_child_refresh ();
  pop_cfun ();
  return decl;
}
