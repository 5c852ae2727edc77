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
     last iteration wrote; or else another such store to these places comes before it in the same iteration;
   - what is loaded was stored before in the same iteration.

   Whether the array is apart from whatever else the loop accesses is a question of groups as any other: an iteration
   that meets it in one place does so in each, wherever the other one is in the loop.  */

#include "judge.h"

/* That a test of invariants, LHS CODE RHS, comes out as IS_TRUE says.  */
struct condition
{
  enum tree_code code;
  tree lhs, rhs;
  bool is_true;
};

/* Where accesses are: BLOCKS directly in LOOP, or before loops in it in which one access is reached in each turn if the
   CONDITIONS hold.  They are all that matters if IS_KNOWN, else some that must hold.  */
struct position
{
  class loop *loop;
  auto_vec<basic_block> blocks;
  auto_vec<struct condition> conditions;
  bool is_known;
};

/* True if TEST is made in each turn of the loop of POSITION that gets to one of its blocks.  */
static bool
leads_to_all_p (const struct position *position, const_basic_block test)
{
  for (basic_block bb : position->blocks)
    if (!dominated_by_p (CDI_DOMINATORS, bb, test))
      return false;
  return true;
}

/* True if WAY, an edge in PLAN's LOOP, is only what follows its last turn.  */
static bool
ends_loop_p (const struct pg_plan *plan, const class loop *loop, const_edge way)
{
  int dim = pg_dim_of (plan, loop);
  return plan->dims[dim].loop == loop && plan->dims[dim].tests_first && way == single_exit (loop);
}

/* Add to POSITION the conditions on which its blocks are reached in a turn of its loop: tests of what is invariant in
   PLAN's loop, made in each turn that gets so far.  */
static void
add_conditions (const struct pg_plan *plan, struct position *position)
{
  auto_vec<edge> ways;
  pg_find_ways_past (plan, position->loop, position->blocks, &ways);
  for (edge way : ways)
    {
      gcond *test = safe_dyn_cast<gcond *> (last_stmt (way->src));
      if (ends_loop_p (plan, position->loop, way))
	continue;
      if (test && flow_bb_inside_loop_p (position->loop, way->dest) && leads_to_all_p (position, way->src)
	  && pg_invariant_p (plan, gimple_cond_lhs (test)) && pg_invariant_p (plan, gimple_cond_rhs (test)))
	{
	  struct condition condition = { gimple_cond_code (test), gimple_cond_lhs (test), gimple_cond_rhs (test),
					 (way->flags & EDGE_FALSE_VALUE) != 0 };
	  position->conditions.safe_push (condition);
	}
      else
	position->is_known = false;
    }
}

/* Move POSITION out to LOOP, whose own conditions are not yet added.  */
static void
climb (const struct pg_plan *plan, struct position *position, class loop *loop)
{
  for (; position->loop != loop; position->loop = loop_outer (position->loop))
    {
      add_conditions (plan, position);
      position->blocks.truncate (0);
      position->blocks.safe_push (loop_preheader_edge (position->loop)->src);
    }
}

/* Stores of one reference, directly in one loop.  */
struct writer
{
  int ref;
  class loop *loop;
  auto_vec<gimple *> stmts;
};

/* Set POSITION to where WRITER's stores are.  */
static void
locate (const struct writer *writer, struct position *position)
{
  position->loop = writer->loop;
  position->is_known = true;
  for (gimple *stmt : writer->stmts)
    if (!position->blocks.contains (gimple_bb (stmt)))
      position->blocks.safe_push (gimple_bb (stmt));
}

/* True if WRITER stores in every iteration of PLAN's loop or in none, at the same places.  */
static bool
steady_p (const struct pg_plan *plan, const struct writer *writer)
{
  const struct pg_plan_ref *ref = &plan->refs[writer->ref];
  if (!(ref->flags & PG_REF_AFFINE) || ref->address.coef[0] >= 0)
    return false;
  for (int d = ref->dim; d > 0; d = plan->dims[d].parent)
    if (plan->dims[d].last.coef[0] >= 0)
      return false;
  struct position position;
  locate (writer, &position);
  climb (plan, &position, plan->loop);
  add_conditions (plan, &position);
  return position.is_known;
}

/* True if all of A is among B.  */
static bool
among_p (const vec<struct condition> &a, const vec<struct condition> &b)
{
  for (const struct condition &wanted : a)
    {
      bool found = false;
      for (const struct condition &condition : b)
	found |= condition.code == wanted.code && condition.is_true == wanted.is_true
		 && operand_equal_p (condition.lhs, wanted.lhs, 0) && operand_equal_p (condition.rhs, wanted.rhs, 0);
      if (!found)
	return false;
    }
  return true;
}

/* Dimensions of PLAN from DIM up to OUTER, without that.  False: one of them may run where its number says otherwise,
   or how often depends on another one of them.  */
static bool
find_dims (const struct pg_plan *plan, int dim, int outer, vec<int> *dims)
{
  for (int d = dim; d != outer; d = plan->dims[d].parent)
    {
      if (plan->dims[d].once)
	return false;
      for (int inner = dim; inner != outer; inner = plan->dims[inner].parent)
	if (plan->dims[d].last.coef[inner] >= 0)
	  return false;
      dims->safe_push (d);
    }
  return true;
}

/* Set *DISTANCE to node A minus node B.  False: not a constant.  */
static bool
node_distance (const struct pg_plan *plan, int a, int b, HOST_WIDE_INT *distance)
{
  HOST_WIDE_INT constant_a, constant_b;
  return pg_node_split (plan, a, &constant_a) == pg_node_split (plan, b, &constant_b)
	 && !__builtin_sub_overflow (constant_a, constant_b, distance) && *distance > HOST_WIDE_INT_MIN;
}

/* Set *MORE to how many turns more dimension A of PLAN has than B.  False: not a constant.  */
static bool
turns_distance (const struct pg_plan *plan, int a, int b, HOST_WIDE_INT *more)
{
  for (int d = 0; d < PG_MAX_DIMS; d++)
    if (plan->dims[a].last.coef[d] != plan->dims[b].last.coef[d])
      return false;
  return node_distance (plan, plan->dims[a].last.base, plan->dims[b].last.base, more);
}

/* True if dimension D of PLAN takes reference TOUCHED only where dimension W takes WRITTEN, in the same direction or
   back.  TOUCHED begins *DISTANCE bytes behind WRITTEN; what of that is turns of W is taken off.  */
static bool
follows_p (const struct pg_plan *plan, const struct pg_plan_ref *written, int w, const struct pg_plan_ref *touched,
	   int d, HOST_WIDE_INT *distance)
{
  HOST_WIDE_INT more, step, touched_step, last, touched_last;
  int coef = written->address.coef[w], touched_coef = touched->address.coef[d];
  bool is_constant = pg_node_value (plan, coef, &step) && step != 0 && *distance % step == 0;
  HOST_WIDE_INT turns = is_constant ? *distance / step : 0;
  if (coef == touched_coef)
    {
      if (!turns_distance (plan, w, d, &more) || more < 0)
	return false;
      if (turns >= 0 && turns <= more)
	*distance -= is_constant ? *distance : 0;
      return true;
    }
  if (!is_constant || !pg_node_value (plan, touched_coef, &touched_step) || touched_step != -step
      || !pg_linear_constant (plan, &plan->dims[w].last, &last)
      || !pg_linear_constant (plan, &plan->dims[d].last, &touched_last) || turns > last || turns < touched_last)
    return false;
  *distance = 0;
  return true;
}

/* True if in one turn of dimension COMMON of PLAN, reference WRITTEN touches all that reference TOUCHED may.  Each
   dimension of the latter that matters follows one of the former, of which others have one turn at least.  */
static bool
holds_p (const struct pg_plan *plan, const struct pg_plan_ref *written, const struct pg_plan_ref *touched, int common)
{
  HOST_WIDE_INT distance;
  auto_vec<int> dims, touched_dims;
  if (written->len != touched->len || !(written->flags & touched->flags & PG_REF_AFFINE)
      || !node_distance (plan, touched->address.base, written->address.base, &distance)
      || !find_dims (plan, written->dim, common, &dims) || !find_dims (plan, touched->dim, common, &touched_dims))
    return false;
  for (int d = common; d >= 0; d = plan->dims[d].parent)
    if (written->address.coef[d] != touched->address.coef[d])
      return false;
  for (int d : touched_dims)
    {
      unsigned i = 0;
      if (touched->address.coef[d] < 0)
	continue;
      while (i < dims.length () && !follows_p (plan, written, dims[i], touched, d, &distance))
	i++;
      if (i == dims.length ())
	return false;
      dims.unordered_remove (i);
    }
  for (int d : dims)
    if (plan->dims[d].tests_first)
      return false;
  return distance == 0;
}

/* True if the way from FROM to TO, blocks directly in LOOP, need not lead through its header.  */
static bool
leads_to_p (const class loop *loop, basic_block from, basic_block to)
{
  auto_bitmap before;
  auto_vec<basic_block> blocks;
  blocks.safe_push (to);
  for (unsigned i = 0; i < blocks.length (); i++)
    {
      edge e;
      edge_iterator ei;
      if (blocks[i] == from)
	return true;
      if (blocks[i] != loop->header)
	FOR_EACH_EDGE (e, ei, blocks[i]->preds)
	  if (bitmap_set_bit (before, e->src->index))
	    blocks.safe_push (e->src);
    }
  return false;
}

/* True if FIRST comes before SECOND in their block.  */
static bool
precedes_p (gimple *first, gimple *second)
{
  for (gimple_stmt_iterator gsi = gsi_for_stmt (first); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi_stmt (gsi) == second)
      return first != second;
  return false;
}

/* True if POSITION, where WRITER's stores are or the loop with them begins, comes before block SECOND, where TOUCHED is
   or the loop with it begins, in each turn of the loop of both that gets to SECOND, by the graph alone.  */
static bool
always_before_p (const struct writer *writer, const struct position *position, gimple *touched, basic_block second)
{
  for (basic_block first : position->blocks)
    if (first != second && dominated_by_p (CDI_DOMINATORS, second, first))
      return true;
  if (position->loop == writer->loop)
    for (gimple *stmt : writer->stmts)
      if (gimple_bb (stmt) == second && (gimple_bb (touched) != second || precedes_p (stmt, touched)))
	return true;
  return false;
}

/* The same because the conditions of POSITION are among CONDITIONS, of SECOND.  */
static bool
before_by_conditions_p (const struct pg_plan *plan, struct position *position, basic_block second,
			const vec<struct condition> &conditions)
{
  for (basic_block first : position->blocks)
    if (leads_to_p (position->loop, second, first))
      return false;
  add_conditions (plan, position);
  return position->is_known && among_p (position->conditions, conditions);
}

/* True if whatever access TOUCHED touches in an iteration of PLAN's loop, WRITER has stored there before.  */
static bool
covers_p (const struct pg_plan *plan, const struct writer *writer, const struct pg_plan_access *touched)
{
  class loop *loop = gimple_bb (touched->stmt)->loop_father, *common = find_common_loop (writer->loop, loop);
  struct position written, read;
  locate (writer, &written);
  read.loop = loop;
  read.blocks.safe_push (gimple_bb (touched->stmt));
  climb (plan, &written, common);
  climb (plan, &read, common);
  add_conditions (plan, &read);
  basic_block second = read.blocks[0];
  return among_p (written.conditions, read.conditions)
	 && (always_before_p (writer, &written, touched->stmt, second)
	     || before_by_conditions_p (plan, &written, second, read.conditions))
	 && holds_p (plan, &plan->refs[writer->ref], &plan->refs[touched->ref], pg_dim_of (plan, common));
}

/* Sort the stores to GROUP of PLAN by reference and loop, and keep those that are steady in WRITERS.  */
static void
find_writers (const struct pg_plan *plan, int group, vec<struct writer *> *writers)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      class loop *loop = gimple_bb (access.stmt)->loop_father;
      if (!access.is_store || plan->refs[access.ref].group != group)
	continue;
      unsigned i = 0;
      while (i < writers->length () && ((*writers)[i]->ref != access.ref || (*writers)[i]->loop != loop))
	i++;
      if (i == writers->length ())
	{
	  struct writer *writer = new struct writer;
	  writer->ref = access.ref;
	  writer->loop = loop;
	  writers->safe_push (writer);
	}
      (*writers)[i]->stmts.safe_push (access.stmt);
    }
  for (unsigned i = writers->length (); i-- > 0;)
    if (!steady_p (plan, (*writers)[i]))
      {
	delete (*writers)[i];
	writers->unordered_remove (i);
      }
}

/* True if ACCESS of PLAN is one of the stores of WRITERS, or comes behind one that covers it.  */
static bool
written_before_p (const struct pg_plan *plan, const vec<struct writer *> &writers, const struct pg_plan_access *access)
{
  for (const struct writer *writer : writers)
    if ((access->is_store && writer->stmts.contains (access->stmt)) || covers_p (plan, writer, access))
      return true;
  return false;
}

/* True if the accesses of PLAN that are of GROUP are those of a work array.  */
static bool
written_first_p (const struct pg_plan *plan, int group)
{
  auto_delete_vec<struct writer> writers;
  find_writers (plan, group, &writers);
  for (const struct pg_plan_access &access : plan->accesses)
    if (plan->refs[access.ref].group == group && !written_before_p (plan, writers, &access))
      return false;
  return true;
}

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
  return *tp == uses->decl || (TREE_CODE (*tp) == SSA_NAME && uses->names.contains (*tp)) ? *tp : NULL_TREE;
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

/* True if all that STMT does with the base is to compute an address from it, which joins the names, or to access GROUP
   of PLAN.  */
static bool
only_accesses_p (const struct pg_plan *plan, struct base_uses *uses, gimple *stmt, int group)
{
  bool mentions = false;
  if (is_gimple_debug (stmt))
    return true;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    mentions |= mentions_base_p (uses, gimple_op (stmt, i));
  if (!mentions || gimple_clobber_p (stmt))
    return true;
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

/* True if all that PLAN's loop does with POINTER, or the variable whose address that is, is to access GROUP.  */
static bool
base_is_at_hand_p (const struct pg_plan *plan, tree pointer, int group)
{
  struct base_uses uses = {};
  if (TREE_CODE (pointer) == ADDR_EXPR)
    uses.decl = get_base_address (TREE_OPERAND (pointer, 0));
  if (uses.decl ? !VAR_P (uses.decl) || DECL_THREAD_LOCAL_P (uses.decl)
		: TREE_CODE (pointer) != SSA_NAME || !pg_invariant_p (plan, pointer))
    return false;
  if (!uses.decl)
    uses.names.safe_push (pointer);
  bool ok = true;
  basic_block *body = get_loop_body_in_dom_order (plan->loop);
  for (unsigned b = 0; ok && b < plan->loop->num_nodes; b++)
    {
      for (gphi_iterator gpi = gsi_start_phis (body[b]); ok && !gsi_end_p (gpi); gsi_next (&gpi))
	for (unsigned i = 0; i < gimple_phi_num_args (gpi.phi ()); i++)
	  ok &= !mentions_base_p (&uses, gimple_phi_arg_def (gpi.phi (), i));
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[b]); ok && !gsi_end_p (gsi); gsi_next (&gsi))
	ok = only_accesses_p (plan, &uses, gsi_stmt (gsi), group);
    }
  free (body);
  return ok;
}

/* True if the guard loads something from GROUP of PLAN.  */
static bool
has_entry_load_p (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_entry_load &load : plan->entry_loads)
    for (const struct pg_plan_access &access : plan->accesses)
      if (access.stmt == load.stmt && plan->refs[access.ref].group == group)
	return true;
  return false;
}

bool
pg_work_array_p (const struct pg_plan *plan, int group)
{
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (array.group == group)
      return true;
  return false;
}

void
pg_find_work_arrays (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  if (!plan->trails.is_empty () || pg_has_tally_p (plan))
    return;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      const struct pg_plan_ref *ref = &plan->refs[i];
      tree pointer = bases[i].pointer;
      if (!(ref->flags & PG_REF_WRITE) || !(ref->flags & PG_REF_AFFINE) || ref->address.coef[0] >= 0 || !pointer
	  || pg_work_array_p (plan, ref->group) || !written_first_p (plan, ref->group)
	  || has_entry_load_p (plan, ref->group) || !base_is_at_hand_p (plan, pointer, ref->group))
	continue;
      struct pg_plan_work_array array = { pointer, ref->group };
      plan->work_arrays.safe_push (array);
    }
}
