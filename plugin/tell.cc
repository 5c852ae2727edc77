/* SPDX-License-Identifier: GPL-3.0-or-later
   How a monitor tells of its touches: only of those that are wanted, and through logs where it can.

       touch (ctx, 2, &x[col[k]], 8);    ==>	if (entry = ctx->next[2])
						  {
						    entry->address = &x[col[k]];
						    entry->iter = iter;
						    ctx->next[2] = ++entry;
						    if (entry is at a multiple of a log's length)
						      ctx->drain (ctx, 2);
						  }

   So an access costs a few instructions and no call, and who reads the log goes through many accesses of one reference
   at a time.  Nothing of a log is held in registers, and whatever else would have to survive the calls is loaded where
   it is needed: a monitor has many calls and few registers.

   What feeds the monitor is not logged: the order in which references are first met is known by their touches.  But
   neither that nor what is not a single access is told if it goes on where the one before ended, and may:

       touch (ctx, 1, p, n);	==>	if (ctx->next[1])
					  {
					    tail = &ctx->tails[1];
					    if (tail->end == p && p + n >= p)
					      tail->bits |= tail->end = p + n;
					    else
					      touch (ctx, 1, p, n);
					  }

   An end only moves up: whatever wrong numbers come later, the bytes told so far remain.  So it is with what is
   gathered, whose integers may go on.  */

#include "tell.h"
#include "touch.h"

struct telling
{
  const struct pg_plan *plan;
  tree next; /* SSA name: the member */
  tree iter; /* the iteration's number, once it is needed: else NULL_TREE */
};

/* Insert STMT behind GSI and let GSI point to it.  */
static void
append (gimple_stmt_iterator *gsi, gimple *stmt)
{
  gsi_insert_after (gsi, stmt, GSI_NEW_STMT);
}

/* Load REFERENCE before GSI.  */
static tree
load (gimple_stmt_iterator *gsi, tree reference)
{
  tree value = make_ssa_name (TREE_TYPE (reference));
  gsi_insert_before (gsi, gimple_build_assign (value, reference), GSI_SAME_STMT);
  return value;
}

/* What the monitor stores as the number of its iteration: all that it stores to its parameter.  */
static tree
iteration ()
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_store_p (gsi_stmt (gsi)))
	{
	  tree base = get_base_address (gimple_get_lhs (gsi_stmt (gsi)));
	  if (TREE_CODE (base) == MEM_REF && TREE_OPERAND (base, 0) == pg_touch_ctx ())
	    return gimple_assign_rhs1 (gsi_stmt (gsi));
	}
  gcc_unreachable ();
}

/* Where the next entry of REF's log goes.  */
static tree
next_entry (const struct telling *t, int ref)
{
  return pg_touch_member (t->next, ref * (HOST_WIDE_INT) sizeof (struct pg_log_entry *), ptr_type_node);
}

/* Split the block of STMT behind it, and let it go on there unless COND, the block's last statement then, holds.
   Return the block in between, which is empty.  */
static basic_block
split_at (gimple *stmt, gcond *cond)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gsi_insert_after (&gsi, cond, GSI_NEW_STMT);
  edge to_rest = split_block (gimple_bb (stmt), cond);
  basic_block between = split_edge (to_rest);
  edge inside = single_pred_edge (between);
  inside->flags = EDGE_TRUE_VALUE;
  inside->probability = profile_probability::even ();
  edge skip = make_edge (inside->src, single_succ (between), EDGE_FALSE_VALUE);
  skip->probability = profile_probability::even ();
  return between;
}

/* Put into BB, which is empty, what writes ADDRESS to ENTRY of the log of REF.  */
static void
write_log (struct telling *t, int ref, tree entry, tree address, basic_block bb)
{
  if (!t->iter)
    t->iter = iteration ();
  tree next = make_ssa_name (ptr_type_node);
  tree word = make_ssa_name (pointer_sized_int_node), rest = make_ssa_name (pointer_sized_int_node);
  gimple_stmt_iterator gsi = gsi_start_bb (bb);
  HOST_WIDE_INT at_iter = offsetof (struct pg_log_entry, iter);
  append (&gsi, gimple_build_assign (pg_touch_member (entry, 0, ptr_type_node), address));
  append (&gsi, gimple_build_assign (pg_touch_member (entry, at_iter, intDI_type_node), t->iter));
  append (&gsi, gimple_build_assign (next, POINTER_PLUS_EXPR, entry, size_int (sizeof (struct pg_log_entry))));
  append (&gsi, gimple_build_assign (next_entry (t, ref), next));
  append (&gsi, gimple_build_assign (word, NOP_EXPR, next));
  gimple *last = gimple_build_assign (rest, BIT_AND_EXPR, word, build_int_cst (pointer_sized_int_node, PG_LOG_LEN - 1));
  append (&gsi, last);

  gcond *full = gimple_build_cond (EQ_EXPR, rest, build_zero_cst (pointer_sized_int_node), NULL_TREE, NULL_TREE);
  basic_block inside = split_at (last, full);
  single_pred_edge (inside)->probability = profile_probability::very_unlikely ();
  gsi = gsi_start_bb (inside);
  tree type = build_pointer_type (build_function_type_list (void_type_node, ptr_type_node, intDI_type_node, NULL_TREE));
  tree drain = make_ssa_name (type);
  append (&gsi,
	  gimple_build_assign (drain, pg_touch_member (pg_touch_ctx (), offsetof (struct pg_monitor, drain), type)));
  gcall *call = gimple_build_call (drain, 2, pg_touch_ctx (), build_int_cst (intDI_type_node, ref));
  gimple_call_set_nothrow (call, true);
  append (&gsi, call);
}

/* Put CALL at the end of BB.  */
static void
put (gcall *call, basic_block bb)
{
  tree function = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (gimple_call_fn (call)));
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  append (&gsi, call);
  gimple_call_set_fn (call, load (&gsi, unshare_expr (function)));
  update_stmt (call);
}

/* Put into BB, which is empty, what makes a tail longer if CALL of touch goes on from there, and else makes CALL.  */
static void
go_on (gcall *call, basic_block bb)
{
  HOST_WIDE_INT at = pg_touch_ref (call) * (HOST_WIDE_INT) sizeof (struct pg_tail);
  HOST_WIDE_INT member
    = pg_touch_is_gather (call) ? offsetof (struct pg_monitor, gathers) : offsetof (struct pg_monitor, tails);
  tree word = pointer_sized_int_node, type = boolean_type_node;
  gimple_stmt_iterator gsi = gsi_start_bb (bb);
  gimple_seq stmts = NULL;
  if (dump_file)
    fprintf (dump_file, "reference %d may go on\n", pg_touch_ref (call));
  tree tails = make_ssa_name (ptr_type_node), end = make_ssa_name (word), bits = make_ssa_name (word);
  append (&gsi, gimple_build_assign (tails, pg_touch_member (pg_touch_ctx (), member, ptr_type_node)));
  append (&gsi, gimple_build_assign (end, pg_touch_member (tails, at + offsetof (struct pg_tail, end), word)));
  tree address = gimple_convert (&stmts, word, gimple_call_arg (call, PG_TOUCH_ADDRESS));
  tree len = gimple_convert (&stmts, word, gimple_call_arg (call, PG_TOUCH_LEN));
  tree behind = gimple_build (&stmts, PLUS_EXPR, word, address, len);
  tree is_next = gimple_build (&stmts, EQ_EXPR, type, end, address);
  tree is_further = gimple_build (&stmts, GE_EXPR, type, behind, address);
  tree goes_on = gimple_build (&stmts, BIT_AND_EXPR, type, is_next, is_further);
  gsi_insert_seq_after (&gsi, stmts, GSI_CONTINUE_LINKING);

  gcond *cond = gimple_build_cond (NE_EXPR, goes_on, boolean_false_node, NULL_TREE, NULL_TREE);
  basic_block inside = split_at (gsi_stmt (gsi), cond);
  put (call, split_edge (EDGE_SUCC (gimple_bb (cond), EDGE_SUCC (gimple_bb (cond), 0)->dest == inside)));
  gsi = gsi_start_bb (inside);
  tree place = pg_touch_member (tails, at + offsetof (struct pg_tail, bits), word), all = make_ssa_name (word);
  append (&gsi, gimple_build_assign (bits, place));
  append (&gsi, gimple_build_assign (all, BIT_IOR_EXPR, bits, behind));
  append (&gsi, gimple_build_assign (unshare_expr (place), all));
  append (&gsi, gimple_build_assign (pg_touch_member (tails, at + offsetof (struct pg_tail, end), word), behind));
}

/* True if CALL is of a single access that can go to its reference's log.  */
static bool
loggable_p (const struct telling *t, const gcall *call)
{
  const struct pg_plan_ref *ref = &t->plan->refs[pg_touch_ref (call)];
  const_tree len = gimple_call_arg (call, PG_TOUCH_LEN);
  return gimple_call_num_args (call) == PG_TOUCH_N_ARGS && !(ref->flags & PG_REF_FEEDS) && tree_fits_shwi_p (len)
	 && tree_to_shwi (len) == ref->len;
}

/* True if CALL, which is not logged, had better look at the tail: not for single accesses that are mostly known by
   numbers, and not wanted then.  */
static bool
tailed_p (const struct telling *t, const gcall *call)
{
  const struct pg_plan_ref *ref = &t->plan->refs[pg_touch_ref (call)];
  bool is_known = (ref->flags & (PG_REF_AFFINE | PG_REF_CONDITIONAL)) == PG_REF_AFFINE && ref->dim == 0;
  return pg_touch_is_gather (call) || (gimple_call_num_args (call) == PG_TOUCH_N_ARGS && !is_known);
}

/* Make CALL conditional, or write to a log in its place.  */
static void
tell (struct telling *t, gcall *call)
{
  int ref = pg_touch_ref (call);
  bool is_logged = loggable_p (t, call);
  tree address = gimple_call_arg (call, PG_TOUCH_ADDRESS);
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  tree entry = load (&gsi, next_entry (t, ref));
  gcond *cond = gimple_build_cond (NE_EXPR, entry, null_pointer_node, NULL_TREE, NULL_TREE);
  basic_block inside = split_at (call, cond);
  unlink_stmt_vdef (call);
  gsi_remove (&gsi, is_logged);
  if (is_logged)
    {
      release_defs (call);
      write_log (t, ref, entry, address, inside);
      return;
    }
  if (tailed_p (t, call))
    go_on (call, inside);
  else
    put (call, inside);
}

void
pg_tell_wanted (const struct pg_plan *plan)
{
  struct telling telling = {};
  telling.plan = plan;

  auto_vec<gcall *> calls;
  pg_touch_find (&calls);
  free_dominance_info (CDI_DOMINATORS);
  telling.next = pg_touch_load (offsetof (struct pg_monitor, next), build_pointer_type (ptr_type_node));
  for (gcall *call : calls)
    tell (&telling, call);
}
