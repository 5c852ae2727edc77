/* SPDX-License-Identifier: GPL-3.0-or-later
   References: every load and store of the loop, as an address form, merged where two are the same.

       t = y[i];  y[i] = t + x[i];        y: update (8 bytes at y + 8 I);  x: read (8 bytes at x + 8 I)

   No access is left out but those that cannot take part in a conflict: private variables of the loop body and constant
   data.  A call has those of the function's summary.  */

#include "judge.h"
#include "summary.h"

/* Data that nothing can write.  */
static bool
constant_data_p (const_tree decl)
{
  return VAR_P (decl) && TREE_READONLY (decl) && (TREE_STATIC (decl) || DECL_EXTERNAL (decl));
}

static tree
find_address_of (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return *tp == (tree) data ? *tp : NULL_TREE;
}

/* True if STMT mentions DECL anywhere.  */
static bool
mentions_p (gimple *stmt, tree decl)
{
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (op && walk_tree_without_duplicates (&op, find_address_of, decl))
	return true;
    }
  return false;
}

bool
pg_mentioned_outside_p (const struct pg_plan *plan, tree decl)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    {
      for (gphi_iterator gpi = gsi_start_phis (bb); !gsi_end_p (gpi); gsi_next (&gpi))
	for (unsigned i = 0; i < gimple_phi_num_args (gpi.phi ()); i++)
	  {
	    tree arg = gimple_phi_arg_def (gpi.phi (), i);
	    if (walk_tree_without_duplicates (&arg, find_address_of, decl))
	      return true;
	  }
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  gimple *stmt = gsi_stmt (gsi);
	  if (!flow_bb_inside_loop_p (plan->loop, bb) && !is_gimple_debug (stmt) && !gimple_clobber_p (stmt)
	      && mentions_p (stmt, decl))
	    return true;
	}
    }
  return false;
}

/* True if DECL, an automatic variable, belongs to one iteration of PLAN's loop: its address is never taken, nothing
   outside the loop mentions it, and each iteration ends its lifetime.  Neither alone is enough: a clobber may be that
   of an outer variable (placement new), and a variable of the loop alone may carry values between iterations.  */
static bool
private_variable_p (const struct pg_plan *plan, tree decl)
{
  if (!VAR_P (decl) || TREE_STATIC (decl) || DECL_EXTERNAL (decl) || TREE_ADDRESSABLE (decl)
      || DECL_HAS_VALUE_EXPR_P (decl) || !DECL_SIZE_UNIT (decl) || TREE_CODE (DECL_SIZE_UNIT (decl)) != INTEGER_CST
      || decl_function_context (decl) != cfun->decl)
    return false;
  if (pg_mentioned_outside_p (plan, decl))
    return false;
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_clobber_p (gsi_stmt (gsi)) && gimple_assign_lhs (gsi_stmt (gsi)) == decl
	  && dominated_by_p (CDI_DOMINATORS, plan->loop->latch, bb) && bb->loop_father == plan->loop)
	return true;
  return false;
}

bool
pg_private_p (const struct pg_plan *plan, const_tree decl)
{
  return plan->privates.contains (CONST_CAST_TREE (decl));
}

/* A bit-field is accessed as the storage unit that holds it: stores read and write its neighbours.  NULL_TREE if where
   the unit lies is computed when the program runs, behind a member of variable length.  */
static tree
storage_unit (tree ref, bool *is_bit_field)
{
  *is_bit_field = false;
  if (TREE_CODE (ref) != COMPONENT_REF || !DECL_BIT_FIELD_TYPE (TREE_OPERAND (ref, 1)))
    return ref;
  tree unit = DECL_BIT_FIELD_REPRESENTATIVE (TREE_OPERAND (ref, 1));
  if (!unit)
    return ref;
  if (TREE_CODE (DECL_FIELD_OFFSET (unit)) != INTEGER_CST)
    return NULL_TREE;
  *is_bit_field = true;
  return build3 (COMPONENT_REF, TREE_TYPE (unit), TREE_OPERAND (ref, 0), unit, NULL_TREE);
}

/* What comes behind the test of a loop does not run in its last iteration, and an iteration of PLAN's loop may begin
   with the test.  */
bool
pg_in_each_iteration_p (const struct pg_plan *plan, const class loop *loop, basic_block bb)
{
  edge exit = single_exit (loop);
  bool body_is_left = loop == plan->loop && plan->exit_at_top;
  return dominated_by_p (CDI_DOMINATORS, loop->latch, bb)
	 && (body_is_left || (exit && dominated_by_p (CDI_DOMINATORS, exit->src, bb)));
}

/* True if BB runs in every iteration of its loops, up to PLAN's.  */
static bool
unconditional_p (const struct pg_plan *plan, basic_block bb)
{
  for (class loop *l = bb->loop_father;; l = loop_outer (l))
    {
      if (!pg_in_each_iteration_p (plan, l, bb))
	return false;
      if (l == plan->loop)
	return true;
      bb = l->header;
    }
}

/* True if VALUE is a counter of a loop within PLAN's, or little more is computed from one.  */
static bool
counter_p (const struct pg_plan *plan, tree value)
{
  for (int depth = 0; depth < 3 && TREE_CODE (value) == SSA_NAME && INTEGRAL_TYPE_P (TREE_TYPE (value)); depth++)
    {
      gimple *def = SSA_NAME_DEF_STMT (value);
      if (SSA_NAME_IS_DEFAULT_DEF (value) || !flow_bb_inside_loop_p (plan->loop, gimple_bb (def)))
	return false;
      if (gimple_code (def) == GIMPLE_PHI)
	return gimple_bb (def) == gimple_bb (def)->loop_father->header;
      if (!is_gimple_assign (def) || !(gimple_assign_cast_p (def) || gimple_assign_rhs_code (def) == PLUS_EXPR))
	return false;
      value = gimple_assign_rhs1 (def);
    }
  return false;
}

/* What VALUE was before it was converted.  */
static tree
converted_from (tree value)
{
  while (TREE_CODE (value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF (value)
	 && gimple_assign_cast_p (SSA_NAME_DEF_STMT (value)))
    value = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
  return value;
}

/* True if TEST compares a counter of a loop within PLAN's, or what INNER or a loop around it counts up or down to.  */
static bool
test_of_counter_p (const struct pg_plan *plan, const gcond *test, class loop *inner)
{
  tree a = gimple_cond_lhs (test), b = gimple_cond_rhs (test);
  if (counter_p (plan, a) || counter_p (plan, b))
    return true;
  for (class loop *l = inner; l != plan->loop; l = loop_outer (l))
    {
      edge exit = single_exit (l);
      struct pg_exit_test at_exit;
      if (!exit || !pg_find_exit_test (l, exit, &at_exit))
	continue;
      tree end = converted_from (at_exit.end);
      if (TREE_CODE (end) == SSA_NAME && (end == converted_from (a) || end == converted_from (b)))
	return true;
    }
  return false;
}

/* True if it is unusual for an iteration of PLAN's loop to take AWAY, which leads past something in INNER: only if a
   counter has some value, or has passed it.  */
static bool
unusual_p (const struct pg_plan *plan, edge away, class loop *inner)
{
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (away->src));
  return test && gimple_cond_code (test) != (away->flags & EDGE_TRUE_VALUE ? NE_EXPR : EQ_EXPR)
	 && test_of_counter_p (plan, test, inner);
}

void
pg_find_ways_past (const struct pg_plan *plan, const class loop *loop, const vec<basic_block> &goals, vec<edge> *ways)
{
  auto_bitmap before;
  auto_vec<basic_block> blocks;
  for (basic_block goal : goals)
    if (bitmap_set_bit (before, goal->index))
      blocks.safe_push (goal);
  edge e;
  edge_iterator ei;
  for (unsigned i = 0; i < blocks.length (); i++)
    if (blocks[i] != loop->header)
      FOR_EACH_EDGE (e, ei, blocks[i]->preds)
	if (bitmap_set_bit (before, e->src->index))
	  blocks.safe_push (e->src);
  for (unsigned i = goals.length (); i < blocks.length (); i++)
    FOR_EACH_EDGE (e, ei, blocks[i]->succs)
      if (e != plan->exit && !bitmap_bit_p (before, e->dest->index))
	ways->safe_push (e);
}

/* True if BB, directly in LOOP and around or in INNER, runs in nearly every iteration of LOOP: whatever leads past it
   is unusual.  */
static bool
usual_within_p (const struct pg_plan *plan, class loop *loop, basic_block bb, class loop *inner)
{
  auto_vec<basic_block, 1> goals;
  auto_vec<edge> ways;
  goals.quick_push (bb);
  pg_find_ways_past (plan, loop, goals, &ways);
  for (edge way : ways)
    if (!unusual_p (plan, way, inner))
      return false;
  return true;
}

/* True if BB runs in nearly every iteration of its loops, up to PLAN's: what else decides is tests of counters, as
   those that loops have before their first turn.  */
static bool
usual_p (const struct pg_plan *plan, basic_block bb)
{
  class loop *inner = bb->loop_father;
  for (class loop *l = inner; usual_within_p (plan, l, bb, inner); l = loop_outer (l))
    {
      if (l == plan->loop)
	return true;
      bb = loop_preheader_edge (l)->src;
    }
  return false;
}

/* The number of the group of references based on POINTER; a base that is not known has a group of its own.  */
static int
group_of (const struct pg_plan *plan, const vec<struct pg_base> &bases, tree pointer)
{
  int next = 0;
  for (unsigned i = 0; i < bases.length (); i++)
    {
      if (pointer && bases[i].pointer && operand_equal_p (bases[i].pointer, pointer, 0))
	return plan->refs[i].group;
      next = MAX (next, plan->refs[i].group + 1);
    }
  return next;
}

/* True if the accesses of reference REF are where STMT is, so that a read and a write there may be one: same value of
   the address, and none without the other, as may be where a call writes only some of it.  */
static bool
same_block_p (const struct pg_plan *plan, unsigned ref, gimple *stmt, bool is_partial)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if ((unsigned) access.ref == ref
	&& (gimple_bb (access.stmt) != gimple_bb (stmt) || is_partial
	    || (access.is_partial && is_gimple_call (access.stmt))))
      return false;
  return true;
}

/* More accesses than these are not looked at: those of a loop become tables, and are compared with each other.  */
static const unsigned most_of_loop = 800, most_of_function = 1500;

/* True if DECL lives no longer than the function whose body PLAN is about.  */
static bool
local_p (const struct pg_plan *plan, const_tree decl)
{
  return pg_function_body_p (plan) && (VAR_P (decl) || TREE_CODE (decl) == PARM_DECL || TREE_CODE (decl) == RESULT_DECL)
	 && !is_global_var (decl);
}

/* True if POINTER, which may be NULL_TREE, is the address of such a variable: what is based on that is in it.  */
static bool
points_to_local_p (const struct pg_plan *plan, const_tree pointer)
{
  const_tree decl
    = pointer && TREE_CODE (pointer) == ADDR_EXPR ? get_base_address (TREE_OPERAND (pointer, 0)) : NULL_TREE;
  return decl && DECL_P (decl) && local_p (plan, decl);
}

/* True if BB, directly in the loop of dimension DIM of PLAN, is not reached in the last turn: as where a value for the
   next one is loaded.  */
static bool
behind_test_p (const struct pg_plan *plan, int dim, basic_block bb)
{
  const class loop *loop = plan->dims[dim].loop;
  edge exit = dim > 0 && loop == bb->loop_father && !plan->dims[dim].tests_first ? single_exit (loop) : NULL;
  return exit && exit->src != bb && dominated_by_p (CDI_DOMINATORS, bb, exit->src);
}

bool
pg_add_access (struct pg_plan *plan, vec<struct pg_base> *bases, gimple *stmt, tree operand, bool is_store,
	       bool is_partial, const struct pg_analysed *place, HOST_WIDE_INT len)
{
  bool is_bit_field;
  tree unit = storage_unit (operand, &is_bit_field);
  if (!unit)
    return pg_refuse (plan, PG_WHY_AGGREGATE, stmt);
  tree decl = get_base_address (unit);
  if (decl && DECL_P (decl) && (constant_data_p (decl) || pg_private_p (plan, decl) || local_p (plan, decl)))
    {
      if (is_store && constant_data_p (decl))
	return pg_refuse (plan, PG_WHY_AGGREGATE, stmt);
      return true;
    }
  if (plan->accesses.length () >= (pg_function_body_p (plan) ? most_of_function : most_of_loop))
    return pg_refuse (plan, PG_WHY_TOO_LARGE, stmt);

  struct pg_analysed analysed;
  if (place)
    analysed = *place;
  else
    pg_analyse_address (plan, unit, gimple_bb (stmt), &analysed, &len);
  if (len <= 0)
    return pg_refuse (plan, PG_WHY_AGGREGATE, stmt);
  if (points_to_local_p (plan, analysed.pointer))
    return true;

  struct pg_plan_ref ref;
  ref.address = analysed.value;
  ref.dim = analysed.dim;
  ref.is_confined = false;
  ref.misses_last = behind_test_p (plan, ref.dim, gimple_bb (stmt));
  ref.flags = is_store ? PG_REF_WRITE : PG_REF_READ;
  if (is_store && is_bit_field)
    ref.flags |= PG_REF_READ;
  if (analysed.form == PG_FORM_LINEAR)
    ref.flags |= PG_REF_AFFINE;
  if (is_partial || !unconditional_p (plan, gimple_bb (stmt)))
    ref.flags |= PG_REF_CONDITIONAL | (usual_p (plan, gimple_bb (stmt)) ? PG_REF_USUAL : 0);
  if (plan->dims[ref.dim].counter >= 0) /* nor is its dimension gone through */
    ref.flags = (ref.flags | PG_REF_CONDITIONAL) & ~PG_REF_USUAL;
  ref.level = 0;
  ref.where = gimple_location (stmt);
  ref.len = len;
  bool affine = analysed.form == PG_FORM_LINEAR;

  /* The same address in the same iteration?  A read and a write are merged within one block only, so that the
     monitor's touch of the write stands for both.  */
  unsigned i;
  for (i = 0; i < plan->refs.length (); i++)
    {
      struct pg_plan_ref *old = &plan->refs[i];
      if (old->len != len || old->dim != ref.dim || ((old->flags & PG_REF_AFFINE) != 0) != affine)
	continue;
      if (affine ? !pg_linear_equal (&old->address, &ref.address)
		 : !operand_equal_p ((*bases)[i].operand, unit, OEP_ADDRESS_OF))
	continue;
      unsigned kind = PG_REF_READ | PG_REF_WRITE;
      if ((old->flags & kind) != (ref.flags & kind) && !same_block_p (plan, i, stmt, is_partial))
	continue;
      break;
    }
  if (i == plan->refs.length ())
    {
      ref.group = group_of (plan, *bases, analysed.pointer);
      struct pg_base base = { analysed.pointer, unit, analysed.form };
      plan->refs.safe_push (ref);
      bases->safe_push (base);
    }
  else
    {
      unsigned conditional = plan->refs[i].flags & ref.flags & PG_REF_CONDITIONAL;
      plan->refs[i].flags = ((plan->refs[i].flags | ref.flags) & ~PG_REF_CONDITIONAL) | conditional;
      plan->refs[i].misses_last &= ref.misses_last;
    }
  struct pg_plan_access access = { stmt, unit, is_store, is_store && (is_partial || is_bit_field), (int) i };
  plan->accesses.safe_push (access);
  return true;
}

/* Those are among the automatic variables that the loop names.  */
void
pg_find_privates (struct pg_plan *plan)
{
  auto_vec<basic_block> body;
  auto_vec<tree> seen;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (!gimple_assign_single_p (stmt))
	  continue;
	for (unsigned i = 0; i < 2; i++)
	  {
	    tree op = gimple_op (stmt, i);
	    if (is_gimple_reg (op) || CONSTANT_CLASS_P (op) || TREE_CODE (op) == CONSTRUCTOR)
	      continue;
	    tree decl = get_base_address (op);
	    if (!decl || !VAR_P (decl) || seen.contains (decl) || seen.length () > 50)
	      continue;
	    seen.safe_push (decl);
	    if (private_variable_p (plan, decl))
	      plan->privates.safe_push (decl);
	  }
      }
}

/* Add the accesses of STMT.  */
static bool
judge_accesses (struct pg_plan *plan, vec<struct pg_base> *bases, gimple *stmt)
{
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt))
    return true;
  if (!gimple_vuse (stmt) && !gimple_vdef (stmt))
    return true;
  if (gimple_assign_single_p (stmt))
    {
      tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
      if (gimple_assign_load_p (stmt) && !pg_add_access (plan, bases, stmt, rhs, false, false))
	return false;
      return is_gimple_reg (lhs) || pg_add_access (plan, bases, stmt, lhs, true, false);
    }
  if (gimple_code (stmt) == GIMPLE_RETURN)
    return true; /* of the function that PLAN is about: what it leaves is its caller's */
  /* A math function's virtual operands stand for errno; its arguments are values.  */
  if (is_gimple_call (stmt) && (!gimple_call_lhs (stmt) || is_gimple_reg (gimple_call_lhs (stmt))))
    {
      for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
	if (!is_gimple_val (gimple_call_arg (stmt, i)))
	  return pg_refuse (plan, PG_WHY_AGGREGATE, stmt);
      gcall *call = as_a<gcall *> (stmt);
      return !pg_summary_of (call) || pg_judge_effects (plan, bases, call);
    }
  return pg_refuse (plan, PG_WHY_AGGREGATE, stmt);
}

void
pg_note_affine (struct pg_plan *plan)
{
  bool all_affine = true;
  for (const struct pg_plan_ref &ref : plan->refs)
    all_affine &= (ref.flags & PG_REF_AFFINE) != 0;
  if (all_affine)
    plan->region_flags |= PG_REGION_ALL_AFFINE;
}

bool
pg_judge_references (struct pg_plan *plan, vec<struct pg_base> *bases)
{
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  bool ok = true;
  for (unsigned b = 0; ok && b < body.length (); b++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[b]); ok && !gsi_end_p (gsi); gsi_next (&gsi))
      ok = judge_accesses (plan, bases, gsi_stmt (gsi));

  pg_note_affine (plan);
  return ok;
}
