/* SPDX-License-Identifier: GPL-3.0-or-later
   The address slice: what the monitor needs to compute, and whether it can be trusted.

       y[idx[i]] += a * x[i];        slice: i, idx[i], the bases;  not in it: a, x[i]'s value

   The monitor is F without its stores, so that its loads see memory as it is before the iterations run.  A load in
   the slice ("feeds") may then be stale if the loop itself stores there.  Where the alias oracle excludes that, the
   slice is stable.  Where it does not, a stale value is still found out as a conflict, as long as it only makes a wrong
   address to be logged; but it must never be dereferenced nor bound an inner loop ("feeds a load"), unless the numbers
   of the entry show that it is not stale (PG_REGION_RELIES_ON_LOADS).  */

#include "judge.h"
#include "kernels.h"

/* A backward walk over values and the conditions that they depend on.  */
struct walk
{
  const struct pg_plan *plan;
  bitmap names;       /* SSA versions reached */
  auto_bitmap blocks; /* blocks whose control dependences were followed */
  auto_vec<tree> work;
  auto_vec<int> loads; /* indexes of accesses whose values were reached */
  bool private_load;
};

static void
push_name (struct walk *w, tree name)
{
  if (TREE_CODE (name) == SSA_NAME && bitmap_set_bit (w->names, SSA_NAME_VERSION (name)))
    w->work.safe_push (name);
}

static tree
push_names_in (tree *tp, int *, void *data)
{
  push_name ((struct walk *) data, *tp);
  return NULL_TREE;
}

static void
push_expression (struct walk *w, tree expression)
{
  walk_tree_without_duplicates (&expression, push_names_in, w);
}

/* Push what the branch at the end of BB tests.  */
static void
push_condition (struct walk *w, basic_block bb)
{
  gimple *last = last_stmt (bb);
  if (last && (is_a<gcond *> (last) || is_a<gswitch *> (last)))
    {
      ssa_op_iter it;
      tree use;
      FOR_EACH_SSA_TREE_OPERAND (use, last, it, SSA_OP_USE)
	push_name (w, use);
    }
}

/* True if whether BB runs depends on the branch at the end of BRANCH.  */
static bool
control_dependent_p (basic_block bb, basic_block branch)
{
  if (bb != branch && dominated_by_p (CDI_POST_DOMINATORS, branch, bb))
    return false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, branch->succs)
    if (dominated_by_p (CDI_POST_DOMINATORS, e->dest, bb))
      return true;
  return false;
}

/* Push the conditions on which it depends whether BB runs, within one iteration of the plan's loop.  */
static void
push_control (struct walk *w, basic_block bb)
{
  const class loop *loop = w->plan->loop;
  auto_vec<basic_block> work;
  work.safe_push (bb);
  while (!work.is_empty ())
    {
      basic_block next = work.pop ();
      if (!bitmap_set_bit (w->blocks, next->index))
	continue;
      basic_block *body = get_loop_body (loop);
      for (unsigned i = 0; i < loop->num_nodes; i++)
	if (body[i] != w->plan->exit->src && !single_succ_p (body[i]) && control_dependent_p (next, body[i]))
	  {
	    push_condition (w, body[i]);
	    work.safe_push (body[i]);
	  }
      free (body);
    }
}

static int
access_of_load (const struct pg_plan *plan, gimple *stmt)
{
  for (unsigned i = 0; i < plan->accesses.length (); i++)
    if (plan->accesses[i].stmt == stmt && !plan->accesses[i].is_store)
      return i;
  return -1;
}

static void
follow_statement (struct walk *w, gimple *def)
{
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	{
	  push_expression (w, gimple_phi_arg_def (phi, i));
	  basic_block from = gimple_phi_arg_edge (phi, i)->src;
	  if (gimple_bb (phi) == w->plan->loop->header || !flow_bb_inside_loop_p (w->plan->loop, from))
	    continue;
	  push_control (w, from);
	  if (!single_succ_p (from) && from != w->plan->exit->src)
	    push_condition (w, from);
	}
      return;
    }
  if (gimple_assign_load_p (def))
    {
      int access = access_of_load (w->plan, def);
      tree base = get_base_address (gimple_assign_rhs1 (def));
      if (access >= 0)
	w->loads.safe_push (access);
      else if (base && DECL_P (base) && pg_private_p (w->plan, base))
	w->private_load = true;
    }
  for (unsigned i = 1; i < gimple_num_ops (def); i++)
    if (gimple_op (def, i))
      push_expression (w, gimple_op (def, i));
}

/* Follow all that was pushed to the loop's live-ins.  */
static void
follow (struct walk *w)
{
  while (!w->work.is_empty ())
    {
      tree name = w->work.pop ();
      gimple *def = SSA_NAME_DEF_STMT (name);
      if (!SSA_NAME_IS_DEFAULT_DEF (name) && flow_bb_inside_loop_p (w->plan->loop, gimple_bb (def)))
	follow_statement (w, def);
    }
}

/* Push what ACCESS needs to be reached and addressed.  */
static void
push_access (struct walk *w, const struct pg_plan_access &access)
{
  push_expression (w, access.operand);
  push_control (w, gimple_bb (access.stmt));
}

/* The most FEEDS loads, one after the other, that ACCESS depends on; 255: endless.  DONE holds -1 for unknown, -2 while
   under way.  */
static int
level_of (const struct pg_plan *plan, int access, vec<int> *done)
{
  if ((*done)[access] == -2)
    return 255;
  if ((*done)[access] >= 0)
    return (*done)[access];
  (*done)[access] = -2;
  struct walk w;
  auto_bitmap names;
  w.plan = plan;
  w.names = names;
  w.private_load = false;
  push_access (&w, plan->accesses[access]);
  follow (&w);
  int level = 0;
  for (int load : w.loads)
    level = MAX (level, MIN (255, level_of (plan, load, done) + 1));
  return (*done)[access] = level;
}

/* Push the tests that end inner loops: a stale one might never end.  */
static void
push_inner_bounds (struct walk *w, basic_block *body)
{
  const class loop *loop = w->plan->loop;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, body[i]->succs)
	if (body[i]->loop_father != loop && loop_exit_edge_p (body[i]->loop_father, e))
	  push_condition (w, body[i]);
    }
}

/* Note the live-ins of the loop that the slice did not reach.  */
static void
find_other_live_ins (struct pg_plan *plan, basic_block *body)
{
  for (unsigned b = 0; b < plan->loop->num_nodes; b++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[b]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	ssa_op_iter it;
	tree use;
	if (is_gimple_debug (gsi_stmt (gsi)))
	  continue;
	FOR_EACH_SSA_TREE_OPERAND (use, gsi_stmt (gsi), it, SSA_OP_USE)
	  if (pg_invariant_p (plan, use) && !bitmap_bit_p (plan->slice, SSA_NAME_VERSION (use)))
	    bitmap_set_bit (plan->live_in_other, SSA_NAME_VERSION (use));
      }
}

/* Mark the references that feed, and those that feed loads.  Returns false if a private variable feeds.  */
static bool
mark_references (struct pg_plan *plan, basic_block *body)
{
  struct walk all;
  all.plan = plan;
  all.names = plan->slice;
  all.private_load = false;
  for (const struct pg_plan_access &access : plan->accesses)
    push_access (&all, access);
  follow (&all);
  for (int load : all.loads)
    plan->refs[plan->accesses[load].ref].flags |= PG_REF_FEEDS;

  struct walk deep;
  auto_bitmap names;
  deep.plan = plan;
  deep.names = names;
  deep.private_load = false;
  for (int load : all.loads)
    push_access (&deep, plan->accesses[load]);
  push_inner_bounds (&deep, body);
  follow (&deep);
  for (int load : deep.loads)
    plan->refs[plan->accesses[load].ref].flags |= PG_REF_FEEDS | PG_REF_FEEDS_LOAD;

  auto_vec<int> levels;
  for (unsigned i = 0; i < plan->accesses.length (); i++)
    levels.safe_push (-1);
  for (unsigned i = 0; i < plan->accesses.length (); i++)
    {
      struct pg_plan_ref *ref = &plan->refs[plan->accesses[i].ref];
      int level = level_of (plan, i, &levels);
      ref->level = MAX (ref->level, (unsigned) level);
    }
  return !all.private_load && !deep.private_load;
}

/* True if a store of PLAN's loop may change what LOAD loads.  */
static bool
may_change_p (const struct pg_plan *plan, const struct pg_plan_access *load)
{
  for (const struct pg_plan_access &store : plan->accesses)
    if (store.is_store && pg_store_may_reach_load (store.operand, load->operand))
      return true;
  return false;
}

/* True if no store of the loop can change what the slice loads.  */
static bool
slice_is_stable (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &load : plan->accesses)
    if (!load.is_store && (plan->refs[load.ref].flags & PG_REF_FEEDS) && may_change_p (plan, &load))
      return false;
  return true;
}

/* True if an entry's numbers can show that no store changes what must not be stale: all stores are where numbers say,
   and each such load is from one place.  */
static bool
numbers_may_hold_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      const struct pg_plan_ref *ref = &plan->refs[access.ref];
      bool is_affine = (ref->flags & PG_REF_AFFINE) != 0, moves = false;
      for (int coef : ref->address.coef)
	moves |= coef >= 0;
      if (access.is_store && !is_affine)
	return false;
      if (!access.is_store && (ref->flags & PG_REF_FEEDS_LOAD) && (!is_affine || moves) && may_change_p (plan, &access))
	return false;
    }
  return true;
}

/* True if REF may be touched at fewer places than the footprint of its address form: under a condition, or in a loop
   whose trip count varies.  */
static bool
has_gaps_p (const struct pg_plan *plan, const struct pg_plan_ref *ref)
{
  if (ref->flags & PG_REF_CONDITIONAL)
    return true;
  for (int d = ref->dim; d > 0; d = plan->dims[d].parent)
    for (int coef : plan->dims[d].last.coef)
      if (coef >= 0)
	return true;
  return false;
}

/* True if the numbers known on entry say whether the loop's accesses meet, so that a monitor could only agree.  Gaps
   let references of one array pass each other, as in

       for (i...) if (i != k) for (j...) a[i*n + j] -= a[i*n + k] * a[k*n + j];

   while different arrays overlap as a whole or not at all, and what is in step in one array does, too.  */
static bool
entry_tells_all_p (const struct pg_plan *plan)
{
  if (!(plan->region_flags & PG_REGION_ALL_AFFINE))
    return false;
  for (const struct pg_plan_ref &a : plan->refs)
    for (const struct pg_plan_ref &b : plan->refs)
      if (a.group == b.group && (a.flags & PG_REF_WRITE) && (has_gaps_p (plan, &a) || has_gaps_p (plan, &b))
	  && pg_likely_carried_p (plan, &a, &b))
	return false;
  return true;
}

/* True if a device that runs PLAN's loop, which is proven, is to be told by a monitor what the loop touches
   (runtime/bounds.h).  */
static bool
needs_bounds_p (const struct pg_plan *plan)
{
  return pg_kernels_wanted () && plan->klass == PG_CLASS_PARALLEL && (plan->region_flags & PG_REGION_SLICE_STABLE)
	 && !(plan->region_flags & PG_REGION_ALL_AFFINE);
}

/* True if ranges of PLAN's iterations end with accesses that are those of the next one: a test at the top loads what it
   compares.  */
static bool
reads_ahead_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (plan->exit_at_top && gimple_bb (access.stmt) == plan->loop->header)
      return true;
  return false;
}

/* True if iterations of PLAN's loop, though later ones need what earlier ones write, may run at the same time, one
   behind the other in the loops directly in it.  */
static bool
follow_each_other_p (const struct pg_plan *plan)
{
  if (!plan->carries || !(plan->region_flags & PG_REGION_ALL_AFFINE) || !plan->reductions.is_empty ()
      || !plan->trails.is_empty () || !plan->work_arrays.is_empty ())
    return false;
  for (const struct pg_plan_dim &dim : plan->dims)
    if (dim.parent == 0)
      return true;
  return false;
}

bool
pg_judge_slice (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  calculate_dominance_info (CDI_POST_DOMINATORS);
  basic_block *body = get_loop_body (plan->loop);
  bool can_monitor = mark_references (plan, body);
  find_other_live_ins (plan, body);
  free (body);
  free_dominance_info (CDI_POST_DOMINATORS);

  bool feeds_load = false;
  can_monitor &= plan->work_is_sure || (plan->region_flags & PG_REGION_ALIKE);
  for (const struct pg_plan_ref &ref : plan->refs)
    {
      feeds_load |= (ref.flags & PG_REF_FEEDS_LOAD) != 0;
      /* The monitor fills no work array.  */
      can_monitor &= !(ref.flags & PG_REF_FEEDS) || !pg_work_array_of (plan, ref.group);
    }
  bool stable = !plan->calls && slice_is_stable (plan);
  if (stable)
    plan->region_flags |= PG_REGION_SLICE_STABLE;
  bool relies = !stable && feeds_load;
  bool may_conflict = plan->klass == PG_CLASS_POSSIBLY && plan->meets < 0 && (!relies || numbers_may_hold_p (plan))
		      && !entry_tells_all_p (plan);
  plan->build_monitor = can_monitor && plan->ordered_groups.is_empty () && !plan->calls && !pg_trails_refer_p (plan)
			&& !reads_ahead_p (plan) && (may_conflict || needs_bounds_p (plan));
  if (plan->build_monitor && relies)
    plan->region_flags |= PG_REGION_RELIES_ON_LOADS;
  plan->build_doacross = plan->klass == PG_CLASS_POSSIBLY && !plan->calls && plan->ordered_groups.is_empty ()
			 && !reads_ahead_p (plan) && follow_each_other_p (plan);
  if (plan->meets >= 0 && !plan->build_doacross)
    return pg_refuse_met (plan, bases);
  if (plan->klass == PG_CLASS_POSSIBLY && !plan->build_monitor && !(plan->region_flags & PG_REGION_ALL_AFFINE))
    return pg_refuse (plan, pg_trails_refer_p (plan) ? PG_WHY_CARRIED_SCALAR : PG_WHY_STALE_ADDRESS, NULL);
  return true;
}
