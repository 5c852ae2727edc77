/* SPDX-License-Identifier: GPL-3.0-or-later
   The monitor M: a clone of F that tells the runtime which addresses the loop would touch, and changes nothing.

       for (i = lo; i < hi; i++)		for (i = lo; i < hi; i++)
	 {					  {
	   k = idx[i];				    ctx->iter = i;
	   y[k] += a * x[i];	    ==>		    touch (ctx, 0, &idx[i], 4);
	 }					    touch (ctx, 1, &x[i], 8);
						    touch (ctx, 2, &y[idx[i]], 8);
						  }

   Then touches of neighbours in memory become one call (merge.cc), what inner loops touch piece after piece does, too
   (sweep.cc), which makes new neighbours, and calls that are not wanted are left out (tell.cc).  Where one iteration is
   to tell of all (alike.cc), it matters what is touched first: all calls stay where they are.

   The calls are put into F, F is cloned, and they are taken out again: so no access has to be found again in the clone.
   In the clone, what changes memory goes, then whatever feeds neither a call nor a condition: address slices are left.
   Stores to the clone's own variables stay, for they may be part of an address.  */

#include "monitor.h"
#include "judge.h"
#include "kernels.h"
#include "merge.h"
#include "ranges.h"
#include "sweep.h"
#include "tell.h"
#include "touch.h"

/* Calls of touch being put into F.  */
struct instrumented
{
  const struct pg_plan *plan;
  const struct pg_child *child;
  tree ctx, touch; /* SSA names: the monitor, its function */
  auto_vec<gimple *> added;
};

/* Insert STMT before GSI, to be taken out again.  */
static void
add (struct instrumented *in, gimple_stmt_iterator *gsi, gimple *stmt)
{
  gsi_insert_before (gsi, stmt, GSI_SAME_STMT);
  in->added.safe_push (stmt);
}

/* Compute EXPRESSION before GSI.  */
static tree
compute (struct instrumented *in, gimple_stmt_iterator *gsi, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (expression, &seq, true, NULL_TREE);
  while (!gimple_seq_empty_p (seq))
    {
      gimple_stmt_iterator first = gsi_start (seq);
      gimple *stmt = gsi_stmt (first);
      gsi_remove (&first, false);
      add (in, gsi, stmt);
    }
  return value;
}

/* True if access EARLIER of the plan comes before access LATER in each iteration in which LATER comes, at the same
   address.  */
static bool
covers_p (const struct pg_plan_access *earlier, const struct pg_plan_access *later)
{
  basic_block first = gimple_bb (earlier->stmt), second = gimple_bb (later->stmt);
  if (earlier->ref != later->ref || first->loop_father != second->loop_father
      || !operand_equal_p (pg_child_operand (earlier), pg_child_operand (later), 0))
    return false;
  if (first != second)
    return dominated_by_p (CDI_DOMINATORS, second, first);
  for (gimple_stmt_iterator gsi = gsi_for_stmt (earlier->stmt); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi_stmt (gsi) == later->stmt)
      return true;
  return false;
}

/* True if PLAN's loop may write what is in the set of GROUP.  */
static bool
set_is_written_p (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_ref &ref : plan->refs)
    if ((ref.flags & PG_REF_WRITE) && (plan->sets.is_empty () || plan->sets[ref.group] == plan->sets[group]))
      return true;
  return false;
}

/* True if it matters what REF of PLAN, which is no work array's, touches: it decides where others go, or may be written
   in another iteration, or a device wants to know all.  Where one iteration is to tell of all, everything does.  */
static bool
matters_p (const struct pg_plan *plan, const struct pg_plan_ref *ref)
{
  if (plan->region_flags & PG_REGION_ALIKE)
    return true;
  return !pg_work_array_of (plan, ref->group)
	 && ((ref->flags & PG_REF_FEEDS) || pg_kernels_wanted () || set_is_written_p (plan, ref->group));
}

bool
pg_monitor_tells_p (const struct pg_plan *plan, unsigned index)
{
  const struct pg_plan_access *access = &plan->accesses[index];
  if (!matters_p (plan, &plan->refs[access->ref]))
    return false;
  for (unsigned i = 0; i < plan->accesses.length (); i++)
    {
      const struct pg_plan_access *other = &plan->accesses[i];
      /* Within one statement, the first in the plan.  */
      if (i != index && covers_p (other, access) && (other->stmt != access->stmt || i < index))
	return false;
    }
  return true;
}

/* Say before ACCESS what it touches.  */
static void
instrument_access (struct instrumented *in, const struct pg_plan_access *access)
{
  tree operand = pg_child_operand (access);
  HOST_WIDE_INT len;
  gimple_stmt_iterator gsi = gsi_for_stmt (access->stmt);
  tree address = compute (in, &gsi, pg_touch_address (unshare_expr (operand), &len));
  len = MAX (len, in->plan->refs[access->ref].len);
  gcall *call = gimple_build_call (in->touch, PG_TOUCH_N_ARGS, in->ctx, build_int_cst (intDI_type_node, access->ref),
				   address, build_int_cst (intDI_type_node, len));
  gimple_call_set_nothrow (call, true);
  add (in, &gsi, call);
}

/* Store the iteration's number where the loop's body starts.  */
static void
instrument_iteration (struct instrumented *in)
{
  class loop *loop = in->plan->loop;
  basic_block bb = loop->header;
  if (in->plan->exit_at_top)
    {
      edge body = EDGE_SUCC (bb, flow_bb_inside_loop_p (loop, EDGE_SUCC (bb, 0)->dest) ? 0 : 1);
      bb = single_pred_p (body->dest) ? body->dest : split_edge (body);
    }
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  tree iter = pg_touch_member (in->ctx, offsetof (struct pg_monitor, iter), intDI_type_node);
  gimple *store = gimple_build_assign (iter, gimple_phi_result (in->child->counter));
  if (gsi_end_p (gsi))
    {
      gsi_insert_after (&gsi, store, GSI_NEW_STMT);
      in->added.safe_push (store);
    }
  else
    add (in, &gsi, store);
}

/* Put the calls of touch into CHILD.  */
static void
instrument (struct instrumented *in)
{
  in->ctx = ssa_default_def (in->child->fun, DECL_CHAIN (DECL_CHAIN (DECL_CHAIN (DECL_ARGUMENTS (in->child->decl)))));
  in->touch = make_ssa_name (pg_touch_type ());
  basic_block entry = single_succ (ENTRY_BLOCK_PTR_FOR_FN (in->child->fun));
  gimple_stmt_iterator gsi = gsi_after_labels (entry);
  tree touch = pg_touch_member (in->ctx, offsetof (struct pg_monitor, touch), pg_touch_type ());
  add (in, &gsi, gimple_build_assign (in->touch, touch));

  instrument_iteration (in);
  for (unsigned i = 0; i < in->plan->accesses.length (); i++)
    if (pg_monitor_tells_p (in->plan, i))
      instrument_access (in, &in->plan->accesses[i]);
}

/* True if STMT of a monitor must stay whatever uses its value.  DATA is the monitor's parameter.  */
static bool
essential_p (gimple *stmt, void *data)
{
  const_tree ctx = (const_tree) data;
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      {
	if (!gimple_store_p (stmt))
	  return false;
	tree base = get_base_address (gimple_assign_lhs (stmt));
	if (TREE_CODE (base) == MEM_REF)
	  return TREE_OPERAND (base, 0) == ctx;
	return auto_var_in_fn_p (base, cfun->decl);
      }
    case GIMPLE_CALL:
      return gimple_call_fn (stmt) && TREE_CODE (gimple_call_fn (stmt)) == SSA_NAME;
    case GIMPLE_PHI:
      return false;
    default:
      return true;
    }
}

/* True if STMT loads a live-in: from the struct that the current function is given.  */
static bool
loads_live_in_p (gimple *stmt)
{
  if (!gimple_assign_load_p (stmt) || TREE_CODE (gimple_assign_rhs1 (stmt)) != MEM_REF)
    return false;
  tree base = TREE_OPERAND (gimple_assign_rhs1 (stmt), 0);
  gimple *copy = TREE_CODE (base) == SSA_NAME ? SSA_NAME_DEF_STMT (base) : NULL;
  return copy && gimple_assign_ssa_name_copy_p (copy)
	 && gimple_assign_rhs1 (copy) == ssa_default_def (cfun, DECL_ARGUMENTS (cfun->decl));
}

/* Load what LOAD does once more before each use in another block, in place of the value.  */
static void
load_where_used (gimple *load)
{
  gimple *stmt;
  imm_use_iterator it;
  use_operand_p use;
  tree value = gimple_assign_lhs (load);
  FOR_EACH_IMM_USE_STMT (stmt, it, value)
    {
      if (gimple_code (stmt) == GIMPLE_PHI || is_gimple_debug (stmt) || gimple_bb (stmt) == gimple_bb (load))
	continue;
      gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
      tree again = make_ssa_name (TREE_TYPE (value));
      gimple *copy = gimple_build_assign (again, unshare_expr (gimple_assign_rhs1 (load)));
      gsi_insert_before (&gsi, copy, GSI_SAME_STMT);
      FOR_EACH_IMM_USE_ON_STMT (use, it)
	SET_USE (use, again);
      update_stmt (stmt);
    }
}

/* Load live-ins where they are used, and nobody has to hold them while the runtime is called.  Nobody writes them.  */
static void
load_live_ins_late ()
{
  basic_block bb;
  auto_vec<gimple *> loads;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (loads_live_in_p (gsi_stmt (gsi)))
	loads.safe_push (gsi_stmt (gsi));
  for (gimple *load : loads)
    load_where_used (load);
}

tree
pg_monitor_build (const struct pg_plan *plan, const struct pg_child *child)
{
  struct instrumented in = {};
  in.plan = plan;
  in.child = child;
  instrument (&in);
  pg_child_refresh ();
  tree decl = pg_child_clone (child, "monitor");
  pg_child_save_code (decl);
  pg_touch_take_out (&in.added);
  pg_child_refresh ();

  push_cfun (DECL_STRUCT_FUNCTION (decl));
  pg_ranges_forget ();
  bool in_order = (plan->region_flags & PG_REGION_ALIKE) != 0;
  if (!in_order)
    {
      pg_merge_touches (plan);
      pg_sweep_touches (plan);
      pg_merge_touches (plan);
    }
  pg_child_reduce (essential_p, pg_touch_ctx ());
  if (!in_order)
    pg_tell_wanted (plan);
  load_live_ins_late ();
  pg_child_refresh ();
  pop_cfun ();
  set_decl_section_name (decl, ".text.unlikely.paragon");
  return decl;
}
