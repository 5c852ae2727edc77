/* SPDX-License-Identifier: GPL-3.0-or-later
   The tally: what ranges of iterations make of the scalars that the loop carries and uses.

       for (i = lo; i < hi; i++)		for (i = lo; i < hi; i++)
	 if (b[i] > 0)			==>	  if (b[i] > 0)
	   out[n++] = b[i] * c[i];		    n++;

   The judge: a scalar that would be a reduction, were it not used, can be tallied if its value has no part in what is
   added to it, or in any condition, and if what the tally loads is what the loop loads, though none of the loop's
   stores has been made.  It is if no store may reach it, or none before it in its iteration, since different iterations
   do not meet; else numbers have to show that the two are apart.

   Where only numbers tell that iterations do not meet, the tally runs before they are asked: where its scalars go is
   part of the numbers.  Then it may see values that the loop never does, and must do nothing that could fail by them.
   What the compiler knows of values is of no use there: it goes by what the loop sees.

   The function is a clone of F that keeps its conditions, what they and the scalars need, and stores only these.  What
   is left of a multiplication may be fused with a sum where F's is not: there must be none that could be.  */

#include "tally.h"
#include "products.h"
#include "ranges.h"

/* A walk back over what the tally computes.  */
struct need
{
  struct pg_plan *plan;
  auto_bitmap names; /* SSA versions reached */
  auto_vec<tree> work;
  auto_vec<gimple *> loads;
  gimple *division; /* one of integers, or NULL */
  gimple *wrong;    /* what is in the way, or NULL */
};

/* True if STMT, which uses a name of CURSOR, makes another one of it, or what replaces it.  */
static bool
moves_cursor_p (const struct pg_plan *plan, const struct pg_plan_cursor *cursor, const gimple *stmt)
{
  const struct pg_plan_cursor *made = is_gimple_assign (stmt) ? pg_cursor_of (plan, gimple_assign_lhs (stmt)) : NULL;
  return stmt == plan->work_arrays[cursor->array].store || (made && made->array == cursor->array);
}

/* Note that STMT, which makes a name of carried scalar OWN, or -1, uses NAME.  */
static void
use (struct need *need, gimple *stmt, int own, tree name)
{
  int carried = pg_carried_of (need->plan, name);
  const struct pg_plan_cursor *cursor = pg_cursor_of (need->plan, name);
  if ((carried >= 0 && carried != own) || (cursor && !moves_cursor_p (need->plan, cursor, stmt)))
    need->wrong = stmt;
  if (bitmap_set_bit (need->names, SSA_NAME_VERSION (name)))
    need->work.safe_push (name);
}

/* Note what STMT uses.  */
static void
use_all (struct need *need, gimple *stmt)
{
  tree name, lhs = gimple_get_lhs (stmt);
  int own = lhs && TREE_CODE (lhs) == SSA_NAME ? pg_carried_of (need->plan, lhs) : -1;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (TREE_CODE (gimple_phi_arg_def (phi, i)) == SSA_NAME)
	  use (need, stmt, own, gimple_phi_arg_def (phi, i));
      return;
    }
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, it, SSA_OP_USE)
    use (need, stmt, own, name);
}

/* Note what PLAN's tally needs STMT for.  */
static void
need_statement (struct need *need, gimple *stmt)
{
  if (is_a<gphi *> (stmt))
    ;
  else if (!is_gimple_assign (stmt))
    need->wrong = stmt;
  else if (pg_fusable_p (gimple_assign_lhs (stmt)))
    need->wrong = stmt;
  else if (gimple_assign_load_p (stmt))
    {
      if (!pg_cursor_of (need->plan, gimple_assign_lhs (stmt))) /* the range has an array of its own */
	need->loads.safe_push (stmt);
    }
  else if (INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))) && gimple_could_trap_p (stmt))
    need->division = stmt;
  use_all (need, stmt);
}

/* Go back from the conditions, the scalars and the cursors of PLAN's loop.  */
static void
walk (struct need *need)
{
  const struct pg_plan *plan = need->plan;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    {
      gimple *last = last_stmt (body[i]);
      if (last && body[i] != plan->exit->src && (is_a<gcond *> (last) || is_a<gswitch *> (last)))
	use_all (need, last);
    }
  free (body);
  for (const struct pg_plan_reduction &reduction : plan->reductions)
    if (reduction.is_carried)
      use (need, reduction.phi, &reduction - plan->reductions.address (), gimple_phi_result (reduction.phi));
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (array.store)
      use_all (need, array.store);
  while (!need->work.is_empty () && !need->wrong)
    {
      tree name = need->work.pop ();
      gimple *def = SSA_NAME_DEF_STMT (name);
      if (!SSA_NAME_IS_DEFAULT_DEF (name) && flow_bb_inside_loop_p (plan->loop, gimple_bb (def)))
	need_statement (need, def);
    }
}

/* Mark the references that NEED loads.  *IS_REACHED is set if a store may reach one of them, and *IS_STABLE turns false
   if one that may come before it in an iteration.  False if not all are references.  */
static bool
mark_loads (struct need *need, bool *is_stable, bool *is_reached)
{
  struct pg_plan *plan = need->plan;
  for (gimple *stmt : need->loads)
    {
      tree base = get_base_address (gimple_assign_rhs1 (stmt));
      if (base && DECL_P (base) && pg_private_p (plan, base))
	return false;
      for (const struct pg_plan_access &load : plan->accesses)
	{
	  if (load.stmt != stmt || load.is_store)
	    continue;
	  plan->refs[load.ref].flags |= PG_REF_FEEDS;
	  for (const struct pg_plan_access &store : plan->accesses)
	    if (store.is_store && pg_store_may_reach_load (store.operand, load.operand))
	      {
		*is_reached = true;
		*is_stable
		  = *is_stable && gimple_bb (stmt)->loop_father == plan->loop && pg_precedes_p (stmt, store.stmt);
	      }
	}
    }
  return true;
}

/* True if LOAD is of PLAN's references: what is constant is not, wherever in it that goes.  */
static bool
refers_p (const struct pg_plan *plan, const gimple *load)
{
  bool refers = false;
  for (const struct pg_plan_access &access : plan->accesses)
    refers |= access.stmt == load;
  return refers;
}

/* True if values that the loop never sees can make what NEED needs fail: a load that the loop does not make in each
   iteration, or that these may lead anywhere, a division, an inner loop that does not end.  */
static bool
can_fail_p (const struct need *need)
{
  for (gimple *stmt : need->loads)
    if (!pg_in_each_iteration_p (need->plan, need->plan->loop, gimple_bb (stmt)) || !refers_p (need->plan, stmt))
      return true;
  return need->division || need->plan->loop->inner;
}

bool
pg_has_tally_p (const struct pg_plan *plan)
{
  return !plan->carried.is_empty () || !plan->cursors.is_empty ();
}

bool
pg_judge_tally (struct pg_plan *plan)
{
  struct need need = {};
  bool is_stable = true, is_reached = false;
  need.plan = plan;
  walk (&need);
  if (need.wrong || plan->calls || pg_trails_refer_p (plan) || !mark_loads (&need, &is_stable, &is_reached))
    return pg_refuse_carried (plan, need.wrong);
  if (is_reached && !plan->cursors.is_empty ()) /* there may be no such element */
    return pg_refuse (plan, PG_WHY_STALE_ADDRESS, need.loads[0]);
  if (is_reached && plan->klass == PG_CLASS_POSSIBLY && can_fail_p (&need))
    return pg_refuse_carried (plan, NULL);
  if (is_stable)
    plan->region_flags |= PG_REGION_SLICE_STABLE;
  bool by_numbers = plan->klass == PG_CLASS_POSSIBLY && (plan->region_flags & PG_REGION_ALL_AFFINE);
  if (!by_numbers && (plan->klass != PG_CLASS_PARALLEL || !is_stable))
    return pg_refuse_carried (plan, NULL);
  if (plan->klass == PG_CLASS_PARALLEL && !plan->cursors.is_empty ())
    {
      plan->klass = PG_CLASS_POSSIBLY;
      plan->reason = PG_WHY_CURSORS;
    }
  plan->build_noalias = false;
  for (struct pg_plan_ref &ref : plan->refs)
    if (plan->dims[ref.dim].counter >= 0)
      ref.flags |= PG_REF_OWN;
  return true;
}

/* What stays of the tally whatever uses it.  */
struct kept
{
  tree args; /* the tally's parameter */
  auto_vec<HOST_WIDE_INT> offsets;
  auto_vec<unsigned> stores; /* of what replaces cursors: their statements' numbers, as in the child */
};

/* The name that NAME is a copy of.  */
static tree
copied_from (tree name)
{
  while (TREE_CODE (name) == SSA_NAME && gimple_assign_single_p (SSA_NAME_DEF_STMT (name))
	 && TREE_CODE (gimple_assign_rhs1 (SSA_NAME_DEF_STMT (name))) == SSA_NAME)
    name = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (name));
  return name;
}

/* True if STMT of a tally must stay whatever uses its value.  DATA is a struct kept.  */
static bool
essential_p (gimple *stmt, void *data)
{
  const struct kept *kept = (const struct kept *) data;
  if (gimple_code (stmt) == GIMPLE_PHI || is_gimple_call (stmt) || is_gimple_debug (stmt))
    return false;
  if (!is_gimple_assign (stmt))
    return true;
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_store_p (stmt) && kept->stores.contains (gimple_uid (stmt)))
    return true;
  return gimple_store_p (stmt) && TREE_CODE (lhs) == MEM_REF && copied_from (TREE_OPERAND (lhs, 0)) == kept->args
	 && kept->offsets.contains (mem_ref_offset (lhs).force_shwi ().to_constant ());
}

tree
pg_tally_build (const struct pg_plan *plan, const struct pg_args *args, const struct pg_child *child)
{
  struct kept kept;
  renumber_gimple_stmt_uids (cfun);
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (array.store)
      kept.stores.safe_push (gimple_uid (array.store));
  tree decl = pg_child_clone (child, "tally");
  push_cfun (DECL_STRUCT_FUNCTION (decl));
  pg_ranges_forget ();
  kept.args = ssa_default_def (cfun, DECL_ARGUMENTS (decl));
  for (unsigned i = 0; i < plan->reductions.length (); i++)
    if (plan->reductions[i].is_carried)
      kept.offsets.safe_push (args->fields[args->reduction_args[i]].offset);
  pg_child_reduce (essential_p, &kept);
  for (unsigned i = 0, n = 0; i < plan->work_arrays.length (); i++)
    if (plan->work_arrays[i].store)
      pg_cursors_count (kept.stores[n++], plan->work_arrays[i].step, kept.args,
			args->fields[args->cursor_args[i] + 1].offset);
  pg_child_refresh ();
  pop_cfun ();
  pg_child_keep_conditions (decl);
  return decl;
}
