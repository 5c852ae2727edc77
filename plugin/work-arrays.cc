/* SPDX-License-Identifier: GPL-3.0-or-later
   Work arrays: memory that each iteration writes before it reads it, and that the next one writes over.

       for (i = 0; i < n; i++)
	 {
	   for (p = 0; p < m; p++)
	     {
	       sum[p] = 0;
	       for (s = 0; s < m; s++)
		 sum[p] += a[i * m + s] * c[s * m + p];
	     }
	   for (p = 0; p < m; p++)
	     a[i * m + p] = sum[p];
	 }

   Iterations meet in `sum' and hand nothing on there.  So F is told by args where the array is, and what runs at the
   same time gets one of its own; who runs the last iteration works on the program's (runtime/work-arrays.h).  For that

   - all that the loop does with the array's base, a pointer or a variable, is to access the array;
   - each store is made in every iteration or in none, at the same places, so that in the end the array holds what the
     last iteration wrote, unless nobody looks; or else another such store to these places comes before it in the same
     iteration;
   - what is loaded was stored before in the same iteration, by what numbers say that are known on entry (reach.cc); in
     places that no number tells, by how far those may go (confine.cc).

   Whether the array is apart from whatever else the loop accesses is a question of groups as any other: an iteration
   that meets it in one place does so in each, wherever the other one is in the loop.  */

#include "judge.h"
#include "reach.h"
#include "summary.h"

/* What is known of an array's base, in the search for what the loop does with it: names that point into the array, or
   the variable that it is.  */
struct base_uses
{
  auto_vec<tree> names;
  tree decl; /* or NULL_TREE */
};

/* True if EXPRESSION mentions the base.  */
static tree
find_base (tree *tp, int *walk_subtrees, void *data)
{
  const struct base_uses *uses = (const struct base_uses *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (*tp == uses->decl)
    return *tp;
  bool is_of_base = TREE_CODE (*tp) == SSA_NAME
		    && (uses->names.contains (*tp) || (uses->decl && pg_address_root (*tp) == uses->decl));
  return is_of_base ? *tp : NULL_TREE;
}

static bool
mentions_base_p (struct base_uses *uses, tree expression)
{
  return expression && walk_tree_without_duplicates (&expression, find_base, uses);
}

/* True if OPERAND is an access through the base, and nothing else in it is of the base.  */
static bool
access_of_base_p (struct base_uses *uses, tree operand)
{
  for (; handled_component_p (operand); operand = TREE_OPERAND (operand, 0))
    for (int i = 1; i < TREE_OPERAND_LENGTH (operand); i++)
      if (mentions_base_p (uses, TREE_OPERAND (operand, i)))
	return false;
  return operand == uses->decl || TREE_CODE (operand) == MEM_REF;
}

/* True if STMT, a load or store with OPERAND, has it as an access of GROUP in PLAN.  */
static bool
is_of_group_p (const struct pg_plan *plan, gimple *stmt, tree operand, int group)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if (access.stmt == stmt && plan->refs[access.ref].group == group
	&& get_base_address (access.operand) == get_base_address (operand))
      return true;
  return false;
}

/* True if the function that CALL calls knows the variable that is the base by its name, and cannot be told of another
   one in its place.  */
static bool
call_names_base_p (const struct base_uses *uses, const gcall *call)
{
  const struct pg_summary *summary = pg_summary_of (call);
  const struct pg_told *told = uses->decl ? pg_told_of (call) : NULL;
  if (told && told->arrays.contains (uses->decl))
    return false;
  for (unsigned i = 0; summary && i < summary->effects.length (); i++)
    if (summary->effects[i].decl && summary->effects[i].decl == uses->decl)
      return true;
  return false;
}

/* True if all that CALL does with the base is to access GROUP of PLAN: the function keeps no pointer to it.  */
static bool
call_only_accesses_p (const struct pg_plan *plan, struct base_uses *uses, const gcall *call, int group)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (mentions_base_p (uses, gimple_call_arg (call, i)) && pg_call_keeps_p (call, i))
      return false;
  for (const struct pg_plan_access &access : plan->accesses)
    if (access.stmt == call && plan->refs[access.ref].group != group && mentions_base_p (uses, access.operand))
      return false;
  return true;
}

/* True if all that STMT does with the base is to compute an address from it, which joins the names, or to access GROUP
   of PLAN.  */
static bool
only_accesses_p (const struct pg_plan *plan, struct base_uses *uses, gimple *stmt, int group)
{
  bool mentions = false;
  if (is_gimple_debug (stmt))
    return true;
  if (is_gimple_call (stmt) && call_names_base_p (uses, as_a<gcall *> (stmt)))
    return false;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    mentions |= mentions_base_p (uses, gimple_op (stmt, i));
  if (!mentions || gimple_clobber_p (stmt))
    return true;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    return call_only_accesses_p (plan, uses, call, group);
  if (!is_gimple_assign (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  enum tree_code code = gimple_assign_rhs_code (stmt);
  if (TREE_CODE (lhs) == SSA_NAME && POINTER_TYPE_P (TREE_TYPE (lhs)) && POINTER_TYPE_P (TREE_TYPE (rhs))
      && (code == POINTER_PLUS_EXPR || code == SSA_NAME || CONVERT_EXPR_CODE_P (code))
      && !mentions_base_p (uses, gimple_assign_rhs2 (stmt)))
    {
      uses->names.safe_push (lhs);
      return true;
    }
  if (!gimple_assign_single_p (stmt))
    return false;
  for (unsigned i = 0; i < 2; i++)
    {
      tree operand = gimple_op (stmt, i);
      if (mentions_base_p (uses, operand)
	  && (is_gimple_val (operand) || !access_of_base_p (uses, operand)
	      || !is_of_group_p (plan, stmt, operand, group)))
	return false;
    }
  return true;
}

bool
pg_base_is_at_hand_p (const struct pg_plan *plan, tree pointer, int group)
{
  struct base_uses uses = {};
  if (TREE_CODE (pointer) == ADDR_EXPR)
    uses.decl = get_base_address (TREE_OPERAND (pointer, 0));
  if (uses.decl ? !VAR_P (uses.decl) || DECL_THREAD_LOCAL_P (uses.decl)
		: TREE_CODE (pointer) != SSA_NAME || !pg_invariant_p (plan, pointer))
    return false;
  if (!uses.decl)
    uses.names.safe_push (pointer);
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    {
      for (gphi_iterator gpi = gsi_start_phis (bb); !gsi_end_p (gpi); gsi_next (&gpi))
	for (unsigned i = 0; i < gimple_phi_num_args (gpi.phi ()); i++)
	  if (mentions_base_p (&uses, gimple_phi_arg_def (gpi.phi (), i)))
	    return false;
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	if (!only_accesses_p (plan, &uses, gsi_stmt (gsi), group))
	  return false;
    }
  return true;
}

bool
pg_has_entry_load_p (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_entry_load &load : plan->entry_loads)
    for (const struct pg_plan_access &access : plan->accesses)
      if (access.stmt == load.stmt && plan->refs[access.ref].group == group)
	return true;
  return false;
}

const struct pg_plan_work_array *
pg_work_array_of (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (array.group == group)
      return &array;
  return NULL;
}

/* True if nobody looks behind PLAN's loop at what POINTER is the address of: a variable of the function that is
   mentioned nowhere else.  */
static bool
dead_behind_p (const struct pg_plan *plan, const_tree pointer)
{
  tree decl = TREE_CODE (pointer) == ADDR_EXPR ? TREE_OPERAND (pointer, 0) : NULL_TREE;
  return decl && VAR_P (decl) && auto_var_in_fn_p (decl, cfun->decl) && !pg_mentioned_outside_p (plan, decl);
}

/* Make what reference REF of PLAN, a store, goes to a work array, if it is one: PLAN's references to that then have
   forms that tell how far they go.  False: it is none, and they may be changed.  */
static bool
take (struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref)
{
  int group = plan->refs[ref].group;
  tree pointer = bases[ref].pointer;
  HOST_WIDE_INT n;
  struct pg_needs needs = {};
  needs.plan = plan;
  pg_unite (plan, bases, pointer, group);
  if (!pg_confine (plan, bases, pointer, group, true, &n)
      || !pg_written_first_p (group, dead_behind_p (plan, pointer), &needs) || pg_has_entry_load_p (plan, group)
      || !pg_base_is_at_hand_p (plan, pointer, group))
    return false;
  struct pg_plan_work_array array = { pointer, group, !needs.values.is_empty (), false, PG_REDUCE_ADD, PG_I8, 0 };
  plan->work_arrays.safe_push (array);
  for (const struct pg_polynomial &value : needs.values)
    pg_check_not_negative (plan, value);
  return true;
}

void
pg_find_work_arrays (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  if (!plan->trails.is_empty () || pg_has_tally_p (plan))
    return;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      auto_vec<struct pg_plan_ref> before;
      const struct pg_plan_ref *ref = &plan->refs[i];
      unsigned n_dims = plan->dims.length ();
      if (!(ref->flags & PG_REF_WRITE) || !(ref->flags & PG_REF_AFFINE) || ref->address.coef[0] >= 0
	  || !bases[i].pointer || pg_work_array_of (plan, ref->group))
	continue;
      before.safe_splice (plan->refs);
      if (take (plan, bases, i))
	continue;
      plan->refs.truncate (0);
      plan->refs.safe_splice (before);
      plan->dims.truncate (n_dims);
    }
  pg_note_affine (plan);
}
