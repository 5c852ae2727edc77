/* SPDX-License-Identifier: GPL-3.0-or-later
   Trails: scalars that are one iteration behind.

       x = b[n - 1];				x = PHI <x_before, x'>;	x' = b[i];
       for (i = 0; i < n; i++)
	 {					order 1
	   a[i] = b[i] + x;
	   x = b[i];
	 }

   Source has them as wrap-around variables; the compiler makes them of what an iteration loads that the one before
   loaded, too, and then the load may stand in the latch.  A range of iterations can begin with what the one before it
   left, as that depends on nothing else that is carried (start.cc), provided that what it loads is the same then: in
   each iteration it counts as read there, too.  */

#include "judge.h"
#include "products.h"

/* More values than this are not looked at; nor is there a trail of a trail beyond this.  */
static const unsigned max_steps = 64, max_order = 3;

/* A walk over what makes a trail.  */
struct trail_walk
{
  const struct pg_plan *plan;
  unsigned order;           /* of the trails that were met */
  unsigned depth;           /* of trails in this walk */
  auto_vec<gimple *> steps; /* each behind those that it needs */
  auto_bitmap names;        /* SSA versions reached */
  unsigned n_left;          /* of those that may be */
};

static unsigned order_of (const struct pg_plan *plan, gphi *phi, unsigned depth, vec<gimple *> *steps);

/* True if STMT does the same when it is run again, and runs once in each iteration.  */
static bool
repeatable_p (const struct pg_plan *plan, gimple *stmt)
{
  basic_block bb = gimple_bb (stmt);
  return (is_gimple_assign (stmt) || pg_constant_call_p (stmt)) && !gimple_vdef (stmt) && bb->loop_father == plan->loop
	 && dominated_by_p (CDI_DOMINATORS, plan->loop->latch, bb);
}

static bool
follow (struct trail_walk *w, tree value)
{
  if (TREE_CODE (value) != SSA_NAME || pg_invariant_p (w->plan, value)
      || !bitmap_set_bit (w->names, SSA_NAME_VERSION (value)))
    return true;
  if (w->n_left-- == 0)
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  gphi *phi = dyn_cast<gphi *> (def);
  if (phi && gimple_bb (phi) == w->plan->loop->header)
    {
      if (pg_induction_p (w->plan, phi))
	return true;
      unsigned order = w->depth < max_order ? order_of (w->plan, phi, w->depth + 1, NULL) : 0;
      w->order = MAX (w->order, order);
      return order > 0;
    }
  if (phi || !repeatable_p (w->plan, def))
    return false;
  ssa_op_iter it;
  tree use;
  FOR_EACH_SSA_TREE_OPERAND (use, def, it, SSA_OP_USE)
    if (!follow (w, use))
      return false;
  w->steps.safe_push (def);
  return true;
}

/* The order of PHI, in the header of PLAN's loop, if it is a trail, else 0; DEPTH trails lead to it.  What makes it
   goes to STEPS, which may be null.  */
static unsigned
order_of (const struct pg_plan *plan, gphi *phi, unsigned depth, vec<gimple *> *steps)
{
  struct trail_walk w = { plan, 0, depth, {}, {}, max_steps };
  if (!follow (&w, PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (plan->loop))))
    return 0;
  if (steps)
    steps->safe_splice (w.steps);
  return w.order + 1;
}

/* Add STMT, which makes a trail of ORDER, to PLAN's steps.  */
static void
add_step (struct pg_plan *plan, gimple *stmt, unsigned order)
{
  for (struct pg_plan_trail_step &old : plan->trail_steps)
    if (old.stmt == stmt)
      {
	old.order = MIN (old.order, order);
	return;
      }
  struct pg_plan_trail_step step = { stmt, order };
  plan->trail_steps.safe_push (step);
}

bool
pg_match_trail (struct pg_plan *plan, gphi *phi, enum pg_reason *why)
{
  auto_vec<gimple *> steps;
  unsigned order = order_of (plan, phi, 1, &steps);
  if (order == 0)
    return false;
  /* Run again, a product may have other uses than in the loop.  */
  for (gimple *stmt : steps)
    if (pg_fusable_p (gimple_get_lhs (stmt)))
      {
	*why = PG_WHY_FP_CONTRACT;
	return false;
      }
  for (gimple *stmt : steps)
    add_step (plan, stmt, order);
  struct pg_plan_trail trail = { phi, order };
  plan->trails.safe_push (trail);
  return true;
}

unsigned
pg_trails_order (const struct pg_plan *plan)
{
  unsigned most = 0;
  for (const struct pg_plan_trail &trail : plan->trails)
    most = MAX (most, trail.order);
  return most;
}

bool
pg_trails_refer_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &access : plan->accesses)
    for (const struct pg_plan_trail_step &step : plan->trail_steps)
      if (access.stmt == step.stmt)
	return true;
  return false;
}

/* Add that PLAN's loop may read in an iteration what REF read BACK iterations before.  */
static void
add_earlier (struct pg_plan *plan, vec<struct pg_base> *bases, unsigned ref, unsigned back)
{
  struct pg_plan_ref earlier = plan->refs[ref];
  earlier.flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_CONDITIONAL;
  earlier.address = pg_linear_before (plan, &earlier.address, back);
  for (const struct pg_plan_ref &old : plan->refs)
    if ((old.flags & PG_REF_READ) && (old.flags & PG_REF_AFFINE) && old.len == earlier.len && old.dim == earlier.dim
	&& pg_linear_equal (&old.address, &earlier.address))
      return;
  struct pg_base base = (*bases)[ref];
  plan->refs.safe_push (earlier);
  bases->safe_push (base);
}

bool
pg_judge_trails (struct pg_plan *plan, vec<struct pg_base> *bases)
{
  unsigned most = pg_trails_order (plan);
  for (const struct pg_plan_trail_step &step : plan->trail_steps)
    {
      if (!gimple_assign_load_p (step.stmt))
	continue;
      const_tree decl = get_base_address (gimple_assign_rhs1 (step.stmt));
      if (decl && DECL_P (decl) && pg_private_p (plan, decl))
	return pg_refuse (plan, PG_WHY_CARRIED_SCALAR, step.stmt);
      for (const struct pg_plan_access &access : plan->accesses)
	if (access.stmt == step.stmt && (plan->refs[access.ref].flags & PG_REF_AFFINE))
	  for (unsigned back = 1; back <= most; back++)
	    add_earlier (plan, bases, access.ref, back);
    }
  if (pg_trails_refer_p (plan))
    plan->region_flags |= PG_REGION_TRAILS;
  return true;
}
