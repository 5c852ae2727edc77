/* SPDX-License-Identifier: GPL-3.0-or-later
   Array reductions: memory that the loop does nothing with but `element = element OP value'.

       for (i = 0; i < n; i++)			for (i = 0; i < n; i++)
	 count[key[i] & 255]++;			  for (j = 0; j < m; j++)
						    sum[j] += a[i][j];

   Iterations meet there, and what comes of it is the same in any order, as with scalars (scalars.cc).  So ranges may
   work on an array each that begins with the operation's identities; these are combined in the end
   (runtime/array-parts.h).  An iteration that reads an element twice before it writes it, or writes it twice, does the
   same to both: an element is always what it was OP something that does not depend on what it was.  A minimum or
   maximum may also be made by a test of what the element is at that point:

       if (a[i] > *most)
	 *most = a[i];

   Where elements are used otherwise, too, they may be cursors (cursors.cc).

   How long such an array is has to be known on entry: by the numbers that tell where the loop goes, or, where an
   element's place is loaded or computed, by what confines it (confine.cc).  */

#include "choices.h"
#include "cycle.h"

/* Where the references of a loop that are to one array go.  */
struct array
{
  struct pg_plan *plan;
  const vec<struct pg_base> *bases;
  int group;
  tree pointer;
  tree type; /* of its elements, or NULL_TREE: none is known yet */
  bool seen_op;
  enum pg_reduction_op op;
  auto_vec<gimple *> operations; /* integer statements that may overflow */
  auto_bitmap taken;             /* SSA versions of what is loaded from it, and used to replace that */
  unsigned n_stores;
  gimple *used_store;   /* one that replaces an element which is used otherwise, too; or NULL */
  auto_vec<tree> names; /* SSA names from there to what it stores */
  auto_vec<struct pg_plan_mirror *> mirrors;
};

/* True if references of GROUP can be an array's, so that there would be a reason to look: a write in each iteration at
   the same place, or anywhere.  */
static bool
is_wanted (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_ref &ref : plan->refs)
    if (ref.group == group && (ref.flags & PG_REF_WRITE)
	&& (!(ref.flags & PG_REF_AFFINE) || (ref.address.coef[0] < 0 && plan->dims[ref.dim].counter < 0)))
      return true;
  return false;
}

/* True if STORE puts what is made of NAME, which is what it replaces, and nothing else.  C goes from one to the
   other.  */
static bool
comes_from_p (struct pg_cycle *c, const struct pg_plan_access *store, tree name)
{
  c->names.truncate (0);
  c->operations.truncate (0);
  c->seen_op = false;
  c->names.safe_push (name);
  return pg_cycle_reaches (c, gimple_assign_rhs1 (store->stmt)) && c->seen_op;
}

/* The load of what STORE replaces, if nothing else is made of that; or NULL.  C goes from one to the other.  */
static gimple *
find_load (const struct array *array, const struct pg_plan_access *store, struct pg_cycle *c)
{
  for (const struct pg_plan_access &load : array->plan->accesses)
    {
      if (load.is_store || array->plan->refs[load.ref].group != array->group || !gimple_assign_load_p (load.stmt)
	  || !operand_equal_p (load.operand, store->operand, OEP_ADDRESS_OF))
	continue;
      if (comes_from_p (c, store, gimple_assign_lhs (load.stmt)))
	return load.stmt;
    }
  return NULL;
}

/* True if STMT, which uses NAME of C, continues C, or puts it where STORE does.  */
static bool
belongs_p (const struct pg_cycle *c, const_tree name, gimple *stmt, const struct pg_plan_access *store)
{
  if (is_gimple_debug (stmt))
    return true;
  if (!flow_bb_inside_loop_p (c->plan->loop, gimple_bb (stmt)))
    return pg_mirror_left (c->plan, name) != NULL;
  if (gimple_store_p (stmt))
    return operand_equal_p (gimple_assign_lhs (stmt), store->operand, OEP_ADDRESS_OF);
  tree def = is_a<gphi *> (stmt) || is_gimple_assign (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
  return def && c->names.contains (def);
}

static bool
is_closed (const struct pg_cycle *c, const struct pg_plan_access *store)
{
  for (tree name : c->names)
    {
      imm_use_iterator it;
      use_operand_p use;
      if (pg_cycle_doubles_p (c, name))
	return false;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	if (!belongs_p (c, name, USE_STMT (use), store))
	  return false;
    }
  return true;
}

/* True if the names of HELD are used for nothing but each other, and TEST; or to leave in MIRROR what it is.  */
static bool
only_tested_p (const struct pg_plan *plan, const struct pg_held *held, const gimple *test,
	       const struct pg_plan_mirror *mirror)
{
  for (tree name : held->names)
    {
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  gimple *stmt = USE_STMT (use);
	  if (is_gimple_debug (stmt) || stmt == test)
	    continue;
	  if (!flow_bb_inside_loop_p (plan->loop, gimple_bb (stmt))
		? !mirror || pg_mirror_left (plan, name) != mirror
		: !is_a<gphi *> (stmt) || !held->names.contains (gimple_phi_result (stmt)))
	    return false;
	}
    }
  return true;
}

/* True if STORE, to ARRAY, is guarded by a test that has it replace what MIRROR carries, or if that is NULL, what is
   loaded in the same iteration, by what is larger, or smaller, which is operation *OP.  */
static bool
compares_p (struct array *array, const struct pg_plan_access *store, const struct pg_plan_mirror *mirror,
	    enum pg_reduction_op *op)
{
  struct pg_held held;
  basic_block bb = gimple_bb (store->stmt);
  if (!single_pred_p (bb) || !single_succ_p (bb) || !flow_bb_inside_loop_p (array->plan->loop, single_pred (bb))
      || !pg_find_held (array->plan, mirror ? mirror->phi : NULL, store->operand, single_pred (bb), single_succ (bb),
			&held)
      || !pg_replaces_p (store->stmt, held.before, held.behind, op)
      || !only_tested_p (array->plan, &held, last_stmt (single_pred (bb)), mirror))
    return false;
  for (tree name : held.names)
    bitmap_set_bit (array->taken, SSA_NAME_VERSION (name));
  return true;
}

/* True if C may be used otherwise, too: its element, which STORE replaces, is a cursor of ARRAY's.  */
static bool
take_cursor (struct array *array, const struct pg_cycle *c, gimple *load, gimple *store)
{
  if (!pg_cursor_p (c, load, store))
    return false;
  array->used_store = store;
  array->names.safe_splice (c->names);
  return true;
}

/* True if STORE, to ARRAY, replaces an element by it and something.  C goes from one to the other, if it is not
   compared.  */
static bool
find_way (struct array *array, const struct pg_plan_access *store, struct pg_cycle *c)
{
  struct pg_plan_mirror *mirror = NULL;
  if (!gimple_assign_single_p (store->stmt) || store->is_partial)
    return false;
  for (struct pg_plan_mirror &other : array->plan->mirrors)
    if (pg_mirror_of_p (&other, store->operand))
      mirror = &other;
  if (mirror)
    array->mirrors.safe_push (mirror);
  if (mirror && comes_from_p (c, store, gimple_phi_result (mirror->phi)))
    return is_closed (c, store);
  gimple *load = mirror ? NULL : find_load (array, store, c);
  if (load)
    {
      bitmap_set_bit (array->taken, SSA_NAME_VERSION (gimple_assign_lhs (load)));
      return is_closed (c, store) || take_cursor (array, c, load, store->stmt);
    }
  c->names.truncate (0);
  c->operations.truncate (0);
  return compares_p (array, store, mirror, &c->op);
}

/* Take STORE, to ARRAY, as what replaces an element by it and something.  */
static bool
take_store (struct array *array, const struct pg_plan_access *store)
{
  struct pg_cycle c;
  enum pg_scalar_type scalar;
  tree type = TREE_TYPE (store->operand);
  c.plan = array->plan;
  if (!find_way (array, store, &c) || !pg_scalar_type_of (type, &scalar) || !pg_cycle_suits_type_p (&c, type)
      || (SCALAR_FLOAT_TYPE_P (type) && !pg_cycle_orders_p (&c) && !flag_associative_math)
      || (array->seen_op && array->op != c.op) || reverse_storage_order_for_component_p (store->operand)
      || (array->type && !types_compatible_p (array->type, type))
      || get_object_alignment (store->operand) < TREE_INT_CST_LOW (TYPE_SIZE (type)))
    return false;
  array->n_stores++;
  array->type = type;
  array->seen_op = true;
  array->op = c.op;
  array->operations.safe_splice (c.operations);
  return true;
}

/* True if all accesses of ARRAY are stores that replace an element, and the loads for that.  */
static bool
only_combines_p (struct array *array)
{
  for (const struct pg_plan_access &access : array->plan->accesses)
    if (access.is_store && array->plan->refs[access.ref].group == array->group && !take_store (array, &access))
      return false;
  for (const struct pg_plan_access &access : array->plan->accesses)
    {
      if (access.is_store || array->plan->refs[access.ref].group != array->group)
	continue;
      tree loaded = gimple_assign_load_p (access.stmt) ? gimple_assign_lhs (access.stmt) : NULL_TREE;
      if (!loaded || TREE_CODE (loaded) != SSA_NAME || !bitmap_bit_p (array->taken, SSA_NAME_VERSION (loaded)))
	return false;
    }
  return !array->used_store || array->n_stores == 1;
}

/* Make ARRAY, if it is one, a reduction of its plan.  */
static bool
take (struct array *array)
{
  struct pg_plan *plan = array->plan;
  HOST_WIDE_INT n;
  if (pg_has_entry_load_p (plan, array->group) || !only_combines_p (array)
      || !pg_base_is_at_hand_p (plan, array->pointer, array->group)
      || !pg_confine (plan, *array->bases, array->pointer, array->group, false, &n))
    return false;
  struct pg_plan_work_array found = { array->pointer, array->group, false, true, array->op, PG_I8, n };
  pg_scalar_type_of (array->type, &found.type);
  plan->work_arrays.safe_push (found);
  for (struct pg_plan_mirror *mirror : array->mirrors)
    mirror->is_taken = true;
  if (array->used_store)
    pg_add_cursors (plan, *array->bases, array->used_store, array->names);
  if (array->op != PG_REDUCE_MIN && array->op != PG_REDUCE_MAX)
    plan->wrap_chain.safe_splice (array->operations);
  return true;
}

void
pg_find_array_reductions (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  if (!plan->trails.is_empty () || pg_has_tally_p (plan))
    return;
  auto_vec<struct pg_plan_ref> refs;
  unsigned n_chain = plan->wrap_chain.length (), flags = plan->region_flags;
  unsigned n_dims = plan->dims.length (), n_checks = plan->checks.length (), n_nodes = plan->nodes.length ();
  refs.safe_splice (plan->refs);
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      struct array array = {};
      auto_vec<struct pg_plan_ref> before;
      array.plan = plan;
      array.bases = &bases;
      array.group = plan->refs[i].group;
      array.pointer = pg_pointer_of (plan, bases, i);
      if (!array.pointer || pg_work_array_of (plan, array.group) || !is_wanted (plan, array.group))
	continue;
      unsigned n_dims_before = plan->dims.length ();
      before.safe_splice (plan->refs);
      pg_unite (plan, bases, array.pointer, array.group);
      if (!take (&array))
	{
	  plan->refs.truncate (0);
	  plan->refs.safe_splice (before);
	  plan->dims.truncate (n_dims_before);
	}
    }
  pg_note_affine (plan);
  if (plan->work_arrays.is_empty () || pg_numbers_settle_p (plan, bases))
    return;
  /* Others would have to be watched.  */
  for (struct pg_plan_mirror &mirror : plan->mirrors)
    mirror.is_taken = false;
  plan->work_arrays.truncate (0);
  plan->cursors.truncate (0);
  plan->dims.truncate (n_dims);
  plan->checks.truncate (n_checks);
  plan->nodes.truncate (n_nodes);
  plan->wrap_chain.truncate (n_chain);
  plan->refs.truncate (0);
  plan->refs.safe_splice (refs);
  plan->region_flags = flags;
}
