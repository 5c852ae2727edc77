/* SPDX-License-Identifier: GPL-3.0-or-later
   What GCC may assume about pointers in F and in the no-alias F.

   GCC notes restrict on memory references as a clique and a base: two references of one clique with different bases
   share no byte.  The no-alias F is a copy of F in which each reference has its group as base, in one clique:

       MEM[p_1] = MEM[q_2]	==>	MEM[p_1, clique 2, base 1] = MEM[q_2, clique 2, base 2]

   so that loops are vectorised without run-time checks.  Where the judge proved it for the parent's pointers, F
   itself gets the groups: what points-to analysis knew of them does not cross the boundary otherwise.  It is a
   promise about groups only: references of one group may depend on each other, and loops get no safelen.
   References to declared objects stay as they are.

   Clique 1 belongs to the function in which points-to analysis saw the restrict qualifiers, and is forgotten when that
   runs again; where a loop moved to another function, its references get a clique that stays.  */

#include "noalias.h"

/* The memory reference at the bottom of OPERAND, if it goes through a pointer; else NULL_TREE.  */
static tree
pointer_reference (tree operand)
{
  if (operand && (TREE_CODE (operand) == ADDR_EXPR || TREE_CODE (operand) == WITH_SIZE_EXPR))
    operand = TREE_OPERAND (operand, 0);
  while (operand && handled_component_p (operand))
    operand = TREE_OPERAND (operand, 0);
  return operand && TREE_CODE (operand) == MEM_REF ? operand : NULL_TREE;
}

static unsigned short
new_clique (struct function *fun)
{
  /* 1 is the one that points-to analysis uses.  */
  fun->last_clique = MAX (fun->last_clique, 1) + 1;
  return fun->last_clique;
}

/* True if FUN has no clique left to give.  */
static bool
cliques_exhausted_p (const struct function *fun)
{
  return fun->last_clique > 60000;
}

void
pg_noalias_keep_restrict (const struct pg_child *child)
{
  if (child->fun->last_clique == 0 || cliques_exhausted_p (child->fun))
    return;

  unsigned short clique = new_clique (child->fun);
  basic_block bb;
  FOR_EACH_BB_FN (bb, child->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      for (unsigned i = 0; i < gimple_num_ops (gsi_stmt (gsi)); i++)
	{
	  tree reference = pointer_reference (gimple_op (gsi_stmt (gsi), i));
	  if (reference && MR_DEPENDENCE_CLIQUE (reference) == 1)
	    MR_DEPENDENCE_CLIQUE (reference) = clique;
	}
  for (auto loop : loops_list (child->fun, 0))
    if (!loop->owned_clique)
      loop->owned_clique = clique;
}

/* The clique and base that a reference had, to be put back.  */
struct saved_reference
{
  tree reference;
  unsigned short clique, base;
};

/* The group of ACCESS where the variant can make use of it, else -1.  */
static int
usable_group (const struct pg_plan *plan, const struct pg_plan_access *access)
{
  int group = plan->refs[access->ref].group;
  return pointer_reference (pg_child_operand (access)) && group < 60000 ? group : -1;
}

/* True if LOAD comes before STORE in each iteration, in its block.  */
static bool
comes_before_p (gimple *load, gimple *store)
{
  for (gimple_stmt_iterator gsi = gsi_for_stmt (load); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi_stmt (gsi) == store)
      return load != store;
  return false;
}

/* True if PLAN's loop loads from the group of LOAD at other addresses as well: values may be kept for another
   iteration.  */
static bool
loads_around_p (const struct pg_plan *plan, const struct pg_plan_access *load)
{
  for (const struct pg_plan_access &other : plan->accesses)
    if (other.ref != load->ref && plan->refs[other.ref].group == plan->refs[load->ref].group)
      return true;
  return false;
}

/* True if GCC may make better code of PLAN's loop where STORE and OTHER are known to be apart.  Whether the vectoriser
   finds more is left to it where it may test that at run time; where it may not, it does not vectorise a loop of so
   many iterations as nobody knows.  Else there is nothing to gain if each iteration loads, computes and stores, in this
   order: the load cannot move up, out of the loop, or to the iteration before, and both are no copy of memory.  */
static bool
gains_p (const struct pg_plan *plan, const struct pg_plan_access *store, const struct pg_plan_access *other)
{
  if ((flag_tree_loop_vectorize && flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP) || flag_unroll_loops
      || plan->loop->inner || other->is_store || !gimple_assign_single_p (store->stmt))
    return true;
  tree value = gimple_assign_rhs1 (store->stmt);
  return TREE_CODE (value) != SSA_NAME || gimple_assign_load_p (SSA_NAME_DEF_STMT (value))
	 || plan->refs[store->ref].address.coef[0] < 0 || plan->refs[other->ref].address.coef[0] < 0
	 || !comes_before_p (other->stmt, store->stmt) || loads_around_p (plan, other);
}

/* True if the groups of PLAN tell GCC anything that it does not know already, and where ONLY_IF_GAINS, that it may
   make use of.  */
static bool
useful_p (const struct pg_plan *plan, bool only_if_gains)
{
  for (const struct pg_plan_access &store : plan->accesses)
    for (const struct pg_plan_access &other : plan->accesses)
      {
	int group = usable_group (plan, &store), other_group = usable_group (plan, &other);
	if (!store.is_store || group < 0 || other_group < 0 || group == other_group
	    || (only_if_gains && !gains_p (plan, &store, &other)))
	  continue;
	const_tree a = pointer_reference (pg_child_operand (&store));
	const_tree b = pointer_reference (pg_child_operand (&other));
	if (MR_DEPENDENCE_CLIQUE (a) == 0 || MR_DEPENDENCE_CLIQUE (a) != MR_DEPENDENCE_CLIQUE (b)
	    || MR_DEPENDENCE_BASE (a) == MR_DEPENDENCE_BASE (b))
	  return true;
      }
  return false;
}

/* Put the groups of PLAN's references into one clique, for all loops of CHILD.  */
static void
set_groups (const struct pg_plan *plan, const struct pg_child *child, vec<struct saved_reference> *saved,
	    vec<unsigned short> *owned)
{
  unsigned short clique = new_clique (child->fun);
  for (const struct pg_plan_access &access : plan->accesses)
    {
      int group = usable_group (plan, &access);
      if (group < 0)
	continue;
      tree reference = pointer_reference (pg_child_operand (&access));
      struct saved_reference was = { reference, (unsigned short) MR_DEPENDENCE_CLIQUE (reference),
				     (unsigned short) MR_DEPENDENCE_BASE (reference) };
      saved->safe_push (was);
      MR_DEPENDENCE_CLIQUE (reference) = clique;
      MR_DEPENDENCE_BASE (reference) = group + 1;
    }
  for (auto loop : loops_list (child->fun, 0))
    {
      owned->safe_push (loop->owned_clique);
      loop->owned_clique = clique;
    }
}

void
pg_noalias_assume (const struct pg_plan *plan, const struct pg_child *child)
{
  auto_vec<struct saved_reference> saved;
  auto_vec<unsigned short> owned;
  if (!cliques_exhausted_p (child->fun) && useful_p (plan, false))
    set_groups (plan, child, &saved, &owned);
}

tree
pg_noalias_build (const struct pg_plan *plan, const struct pg_child *child)
{
  if (cliques_exhausted_p (child->fun) || !useful_p (plan, true))
    return NULL_TREE;

  auto_vec<struct saved_reference> saved;
  auto_vec<unsigned short> owned;
  set_groups (plan, child, &saved, &owned);
  tree decl = pg_child_clone (child, "noalias");

  unsigned n = 0;
  for (auto loop : loops_list (child->fun, 0))
    loop->owned_clique = owned[n++];
  /* Backwards: a reference may be two accesses of the plan.  */
  while (!saved.is_empty ())
    {
      struct saved_reference was = saved.pop ();
      MR_DEPENDENCE_CLIQUE (was.reference) = was.clique;
      MR_DEPENDENCE_BASE (was.reference) = was.base;
    }
  return decl;
}
