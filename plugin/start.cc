/* SPDX-License-Identifier: GPL-3.0-or-later
   Where a range of iterations starts.

   An induction variable is computed anew, without overflow.  What is steady is what it is on entry.  A trail is what
   the iteration before left; so those of its statements are run again that make it, one copy for each order of trails:

       y = y0; x = x0;				if (lo >= 2)  x = b[lo - 2];
       for (i = 0; i < n; i++)			if (lo >= 1)  y = x, x = b[lo - 1];
	 {					for (i = lo; i < hi; i++)
	   a[i] = b[i] + x + y;		==>	  ...
	   y = x;
	   x = b[i];				x: order 1; y: order 2
	 }

   The original ran them, too, and no iteration that another job runs at this time writes what they load: the judge
   takes that for a reference of the range's first iteration.  */

#include "start.h"
#include "child.h"

/* VALUE of the parent in the child, given its field ARG or -1.  */
static tree
local_value (struct pg_args *args, tree value, int arg)
{
  if (arg >= 0)
    return args->fields[arg].local;
  return TREE_CODE (value) == SSA_NAME ? pg_arg_local (args, value) : value;
}

/* What IV is in iteration K, computed at the end of BB: base + k * step, in its type if nothing overflows there.  */
static tree
iv_at (struct pg_args *args, const struct pg_iv *iv, basic_block bb, tree k)
{
  tree type = TREE_TYPE (gimple_phi_result (iv->phi));
  tree base = local_value (args, iv->base, iv->base_arg);
  tree step = local_value (args, iv->step, iv->step_arg);
  tree value = base;

  if (integer_zerop (step))
    ;
  else if (POINTER_TYPE_P (type))
    value = fold_build_pointer_plus (
      base, fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, k), fold_convert (sizetype, step)));
  else
    {
      tree in = iv->fits ? type : unsigned_type_for (type);
      tree distance = fold_build2 (MULT_EXPR, in, fold_convert (in, k), fold_convert (in, step));
      value = fold_convert (type, fold_build2 (PLUS_EXPR, in, fold_convert (in, base), distance));
    }
  return pg_child_compute (bb, value);
}

void
pg_start_ivs (const struct pg_plan *plan, struct pg_args *args, basic_block entry_bb, tree lo)
{
  for (const struct pg_iv &iv : args->ivs)
    {
      tree value = iv_at (args, &iv, entry_bb, lo);
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (iv.phi, loop_preheader_edge (plan->loop)), value);
      if (plan->steady.contains (iv.phi))
	SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (iv.phi, loop_latch_edge (plan->loop)), value);
    }
}

/* An iteration, in part, before the loop.  */
struct rerun
{
  struct pg_args *args;
  basic_block bb;
  tree number;               /* of the iteration */
  hash_map<tree, tree> copy; /* names of the loop that are known here */
};

/* What NAME, of the loop or of what comes before it, is in the iteration.  */
static tree
value_of (struct rerun *rerun, tree name)
{
  if (tree *known = rerun->copy.get (name))
    return *known;
  for (const struct pg_iv &iv : rerun->args->ivs)
    if (gimple_phi_result (iv.phi) == name)
      {
	tree value = iv_at (rerun->args, &iv, rerun->bb, rerun->number);
	rerun->copy.put (name, value);
	return value;
      }
  return name;
}

static void
copy_statement (struct rerun *rerun, gimple *stmt)
{
  tree name = gimple_get_lhs (stmt);
  gimple *copy = gimple_copy (stmt);
  tree copied = copy_ssa_name (name, copy);
  use_operand_p use;
  ssa_op_iter it;

  gimple_set_lhs (copy, copied);
  gimple_set_vuse (copy, NULL_TREE);
  update_stmt (copy);
  FOR_EACH_SSA_USE_OPERAND (use, copy, it, SSA_OP_USE)
    SET_USE (use, value_of (rerun, USE_FROM_PTR (use)));
  gimple_stmt_iterator gsi = gsi_last_bb (rerun->bb);
  gsi_insert_after (&gsi, copy, GSI_NEW_STMT);
  rerun->copy.put (name, copied);
}

/* Make a block that runs before LOOP's header is entered if LO is BACK or more.  */
static basic_block
make_block (class loop *loop, tree lo, unsigned back)
{
  basic_block before = loop_preheader_edge (loop)->src;
  basic_block join = split_edge (loop_preheader_edge (loop));
  basic_block bb = split_edge (single_pred_edge (join));

  gimple_stmt_iterator gsi = gsi_last_bb (before);
  gcond *test = gimple_build_cond (GE_EXPR, lo, build_int_cst (TREE_TYPE (lo), back), NULL_TREE, NULL_TREE);
  gsi_insert_after (&gsi, test, GSI_NEW_STMT);
  edge taken = single_pred_edge (bb);
  taken->flags = (taken->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  taken->probability = profile_probability::likely ();
  edge skipped = make_edge (before, join, EDGE_FALSE_VALUE);
  skipped->probability = taken->probability.invert ();
  set_immediate_dominator (CDI_DOMINATORS, join, before);
  return bb;
}

/* Run what makes the trails up to ORDER in iteration LO - BACK, where there is one.  VALUES are what the trails are
   when it begins, then when it ends.  */
static void
run_again (const struct pg_plan *plan, struct pg_args *args, tree lo, unsigned back, unsigned order, vec<tree> *values)
{
  struct rerun rerun;
  rerun.args = args;
  rerun.bb = make_block (plan->loop, lo, back);
  rerun.number
    = pg_child_compute (rerun.bb, fold_build2 (MINUS_EXPR, TREE_TYPE (lo), lo, build_int_cst (TREE_TYPE (lo), back)));
  for (unsigned i = 0; i < plan->trails.length (); i++)
    rerun.copy.put (gimple_phi_result (plan->trails[i].phi), (*values)[i]);
  for (const struct pg_plan_trail_step &step : plan->trail_steps)
    if (step.order <= order)
      copy_statement (&rerun, step.stmt);

  auto_vec<tree> after;
  for (const struct pg_plan_trail &trail : plan->trails)
    {
      tree next = PHI_ARG_DEF_FROM_EDGE (trail.phi, loop_latch_edge (plan->loop));
      after.safe_push (trail.order <= order && TREE_CODE (next) == SSA_NAME ? value_of (&rerun, next) : next);
    }
  edge ran = single_succ_edge (rerun.bb);
  edge skipped = EDGE_PRED (ran->dest, EDGE_PRED (ran->dest, 0) == ran);
  for (unsigned i = 0; i < plan->trails.length (); i++)
    if (plan->trails[i].order <= order)
      {
	gphi *phi = create_phi_node (copy_ssa_name (gimple_phi_result (plan->trails[i].phi)), ran->dest);
	add_phi_arg (phi, after[i], ran, UNKNOWN_LOCATION);
	add_phi_arg (phi, (*values)[i], skipped, UNKNOWN_LOCATION);
	(*values)[i] = gimple_phi_result (phi);
      }
}

void
pg_start_trails (const struct pg_plan *plan, struct pg_args *args, tree lo)
{
  auto_vec<tree> values;
  unsigned most = pg_trails_order (plan);
  for (unsigned i = 0; i < plan->trails.length (); i++)
    {
      tree initial = PHI_ARG_DEF_FROM_EDGE (plan->trails[i].phi, loop_preheader_edge (plan->loop));
      values.safe_push (local_value (args, initial, args->trail_args[i]));
    }
  for (unsigned back = most; back > 0; back--)
    run_again (plan, args, lo, back, most - back + 1, &values);
  for (unsigned i = 0; i < plan->trails.length (); i++)
    SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (plan->trails[i].phi, loop_preheader_edge (plan->loop)), values[i]);
}
