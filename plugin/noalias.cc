/* SPDX-License-Identifier: GPL-3.0-or-later
   What GCC may assume about pointers in F and in the no-alias F.

   GCC notes restrict on memory references as a clique and a base: two references of one clique with different bases
   share no byte.  The no-alias F is a copy of F in which each reference has its group as base, in one clique:

       MEM[p_1] = MEM[q_2]	==>	MEM[p_1, clique 2, base 1] = MEM[q_2, clique 2, base 2]

   so that loops are vectorised without run-time checks.  F itself gets the sets of groups that the judge proved apart
   for the parent's pointers: what points-to analysis knew of them does not cross the boundary otherwise.  It is a
   promise about groups only: references of one group may depend on each other, and loops get no safelen.
   References to declared objects stay as they are.

   Clique 1 belongs to the function in which points-to analysis saw the restrict qualifiers, and is forgotten when that
   runs again; where a loop moved to another function, its references get a clique that stays.  */

#include "noalias.h"
#include "columns.h"
#include "fused.h"
#include "judge.h"

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

/* What is assumed of references.  */
enum assumption
{
  SETS_APART,  /* in F: the judge has proved it */
  GROUPS_APART /* in the no-alias F: what the run time has checked */
};

/* The set or group of ACCESS, by what is ASSUMED, where GCC can make use of it, else -1.  */
static int
usable_group (const struct pg_plan *plan, const struct pg_plan_access *access, enum assumption assumed)
{
  int group = plan->refs[access->ref].group;
  if (!pointer_reference (pg_child_operand (access)) || group >= 60000)
    return -1;
  return assumed == SETS_APART ? plan->sets[group] : group;
}

/* The innermost dimension of PLAN around both A and B.  */
static int
common_dim (const struct pg_plan *plan, int a, int b)
{
  while (a != b)
    if (a > b)
      a = plan->dims[a].parent;
    else
      b = plan->dims[b].parent;
  return a;
}

/* True if ACCESS has another address in each iteration of dimension DIM of PLAN, or of a loop in it.  */
static bool
varies_in_p (const struct pg_plan *plan, const struct pg_plan_access *access, int dim)
{
  const struct pg_plan_ref *ref = &plan->refs[access->ref];
  for (int d = ref->dim; d >= dim; d = plan->dims[d].parent)
    if (ref->address.coef[d] >= 0)
      return true;
  return false;
}

/* True if ACCESS of PLAN is a store that moves memory piece after piece.  */
static bool
moves_memory_p (const struct pg_plan *plan, const struct pg_plan_access *access)
{
  const struct pg_plan_ref *ref = &plan->refs[access->ref];
  HOST_WIDE_INT step;
  int coef = ref->address.coef[ref->dim];
  return access->is_store && coef >= 0 && pg_node_value (plan, coef, &step) && absu_hwi (step) == (uint64_t) ref->len
	 && pg_child_moves_memory_p (access->stmt, plan->loop);
}

/* The innermost dimension of PLAN around both A and B.  */
static int
dim_around (const struct pg_plan *plan, const struct pg_plan_access *a, const struct pg_plan_access *b)
{
  return common_dim (plan, plan->refs[a->ref].dim, plan->refs[b->ref].dim);
}

/* True if the innermost loop of PLAN around it and STORE loads what OTHER does, unless they are known to be apart, in
   each iteration from the same place.  */
static bool
loads_again_p (const struct pg_plan *plan, const struct pg_plan_access *store, const struct pg_plan_access *other)
{
  return !other->is_store && !varies_in_p (plan, other, dim_around (plan, store, other));
}

/* True if GCC may make much better code of PLAN's loop where STORE and OTHER are known to be apart, and vectorises no
   loop: where STORE may leave the innermost loop around both, or copies or fills memory, which becomes a call.
   Elsewhere there is a load or two to be saved, which is not worth one more function.  */
static bool
gains_p (const struct pg_plan *plan, const struct pg_plan_access *store, const struct pg_plan_access *other)
{
  const struct pg_plan_access *both[] = { store, other };
  for (const struct pg_plan_access *access : both)
    if (plan->dims[plan->refs[access->ref].dim].loop != gimple_bb (access->stmt)->loop_father
	|| (access->is_store && !varies_in_p (plan, access, dim_around (plan, store, other))))
      return true;
  return !gimple_assign_single_p (store->stmt)
	 || (plan->refs[store->ref].dim == plan->refs[other->ref].dim
	     && (moves_memory_p (plan, store) || moves_memory_p (plan, other)));
}

/* True if the vectoriser, if it takes PLAN's loop, will itself test whether N_PAIRS of groups are apart, once in each
   chunk.  */
static bool
vectoriser_tests_p (const struct pg_plan *plan, int n_pairs)
{
  return flag_tree_loop_vectorize && !plan->loop->inner && n_pairs <= param_vect_max_version_for_alias_checks
	 && (flag_vect_cost_model == VECT_COST_MODEL_DYNAMIC || flag_vect_cost_model == VECT_COST_MODEL_UNLIMITED);
}

/* True if GCC, with the options as they are, may vectorise a loop of PLAN only where it is told that groups are apart,
   which is not so if they ARE_TESTED, or unroll one: there, much may be of use.  Where the vectoriser may add no test
   at run time, it takes loops only whose counts are known.  */
static bool
may_vectorise_p (const struct pg_plan *plan, bool are_tested)
{
  if (are_tested)
    return flag_unroll_loops;
  if ((flag_tree_loop_vectorize && flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP) || flag_unroll_loops)
    return true;
  for (unsigned d = 1; d < plan->dims.length (); d++)
    {
      HOST_WIDE_INT last;
      if (pg_linear_constant (plan, &plan->dims[d].last, &last))
	return true;
    }
  return false;
}

/* True if what is ASSUMED tells GCC anything that it does not know already of STORE, if that is one, and OTHER.  */
static bool
groups_tell_p (const struct pg_plan *plan, const struct pg_plan_access *store, const struct pg_plan_access *other,
	       enum assumption assumed)
{
  int group = usable_group (plan, store, assumed), other_group = usable_group (plan, other, assumed);
  if (!store->is_store || group < 0 || other_group < 0 || group == other_group)
    return false;
  if (!other->is_store && !pg_store_may_reach_load (pg_child_operand (store), pg_child_operand (other)))
    return false;
  const_tree a = pointer_reference (pg_child_operand (store));
  const_tree b = pointer_reference (pg_child_operand (other));
  return MR_DEPENDENCE_CLIQUE (a) == 0 || MR_DEPENDENCE_CLIQUE (a) != MR_DEPENDENCE_CLIQUE (b)
	 || MR_DEPENDENCE_BASE (a) == MR_DEPENDENCE_BASE (b);
}

/* The bytes that REF of PLAN steps in DIM, without a sign; as many as can be if that is unknown.  */
static unsigned HOST_WIDE_INT
step_of (const struct pg_plan *plan, const struct pg_plan_ref *ref, int dim)
{
  HOST_WIDE_INT step;
  return pg_node_value (plan, ref->address.coef[dim], &step) ? absu_hwi (step) : HOST_WIDE_INT_MAX;
}

/* True if a loop in PLAN's goes down columns, and is better interchanged with the one around it.  */
static bool
goes_down_columns_p (const struct pg_plan *plan)
{
  int gains[PG_MAX_DIMS] = {}, losses[PG_MAX_DIMS] = {};
  for (const struct pg_plan_ref &ref : plan->refs)
    if (ref.dim > 0)
      {
	int gain = pg_columns_gain (step_of (plan, &ref, ref.dim), step_of (plan, &ref, plan->dims[ref.dim].parent));
	gains[ref.dim] += gain > 0;
	losses[ref.dim] += gain < 0;
      }
  for (int d = 1; d < PG_MAX_DIMS; d++)
    if (gains[d] > 0 && losses[d] == 0)
      return true;
  return false;
}

/* True if an innermost loop in PLAN's adds floating-point numbers up, in a register or in memory: where it is known
   what pointers do not meet, rows are taken several at a time (rows.cc).  */
static bool
adds_up_p (const struct pg_plan *plan)
{
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (plan->dims[d].loop && !plan->dims[d].loop->inner && pg_carries_float_p (plan->dims[d].loop))
      return true;
  for (const struct pg_plan_access &access : plan->accesses)
    {
      const struct pg_plan_ref *ref = &plan->refs[access.ref];
      if (access.is_store && ref->dim > 0 && ref->address.coef[ref->dim] < 0
	  && FLOAT_TYPE_P (TREE_TYPE (access.operand)))
	return true;
    }
  return false;
}

/* True if what is ASSUMED of PLAN tells GCC anything that it does not know already, and for one more function, that it
   may make use of.  */
static bool
useful_p (const struct pg_plan *plan, enum assumption assumed)
{
  bool only_if_gains = assumed == GROUPS_APART;
  if (only_if_gains && plan->cut_columns && plan->klass != PG_CLASS_PARALLEL
      && (goes_down_columns_p (plan) || (!flag_associative_math && adds_up_p (plan))))
    return true;
  int n_pairs = 0;
  bool gains = false, loads_again = false;
  for (const struct pg_plan_access &store : plan->accesses)
    for (const struct pg_plan_access &other : plan->accesses)
      if (groups_tell_p (plan, &store, &other, assumed))
	{
	  n_pairs++;
	  gains |= !only_if_gains || gains_p (plan, &store, &other);
	  loads_again |= loads_again_p (plan, &store, &other);
	}
  if (n_pairs == 0 || gains)
    return gains;
  bool is_tested = vectoriser_tests_p (plan, n_pairs);
  return (loads_again && !is_tested) || may_vectorise_p (plan, is_tested);
}

/* Put PLAN's references into one clique, by what is ASSUMED of them, for all loops of CHILD.  */
static void
set_groups (const struct pg_plan *plan, const struct pg_child *child, enum assumption assumed,
	    struct pg_noalias_saved *saved)
{
  unsigned short clique = new_clique (child->fun);
  for (const struct pg_plan_access &access : plan->accesses)
    {
      int group = usable_group (plan, &access, assumed);
      if (group < 0)
	continue;
      tree reference = pointer_reference (pg_child_operand (&access));
      struct pg_noalias_saved::reference was = { reference, (unsigned short) MR_DEPENDENCE_CLIQUE (reference),
						 (unsigned short) MR_DEPENDENCE_BASE (reference) };
      saved->references.safe_push (was);
      MR_DEPENDENCE_CLIQUE (reference) = clique;
      MR_DEPENDENCE_BASE (reference) = group + 1;
    }
  for (auto loop : loops_list (child->fun, 0))
    {
      saved->owned.safe_push (loop->owned_clique);
      loop->owned_clique = clique;
    }
}

bool
pg_noalias_begin (const struct pg_plan *plan, const struct pg_child *child, struct pg_noalias_saved *saved)
{
  if (cliques_exhausted_p (child->fun))
    return false;
  set_groups (plan, child, GROUPS_APART, saved);
  return true;
}

void
pg_noalias_end (const struct pg_child *child, struct pg_noalias_saved *saved)
{
  unsigned n = 0;
  for (auto loop : loops_list (child->fun, 0))
    loop->owned_clique = saved->owned[n++];
  /* Backwards: a reference may be two accesses of the plan.  */
  while (!saved->references.is_empty ())
    {
      struct pg_noalias_saved::reference was = saved->references.pop ();
      MR_DEPENDENCE_CLIQUE (was.operand) = was.clique;
      MR_DEPENDENCE_BASE (was.operand) = was.base;
    }
}

void
pg_noalias_assume (const struct pg_plan *plan, const struct pg_child *child)
{
  struct pg_noalias_saved saved;
  if (!cliques_exhausted_p (child->fun) && useful_p (plan, SETS_APART))
    set_groups (plan, child, SETS_APART, &saved);
}

tree
pg_noalias_build (const struct pg_plan *plan, const struct pg_child *child)
{
  struct pg_noalias_saved saved;
  if (!useful_p (plan, GROUPS_APART) || !pg_noalias_begin (plan, child, &saved))
    return NULL_TREE;
  tree decl = pg_child_clone (child, "noalias");
  if (plan->keep_fused)
    pg_fused_keep (decl);
  if (plan->cut_columns)
    pg_columns_allow (decl);
  pg_noalias_end (child, &saved);
  return decl;
}
