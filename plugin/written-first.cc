/* SPDX-License-Identifier: GPL-3.0-or-later
   What an iteration has written before it gets to an access, and what each iteration writes.

       for (p = 0; p < m; p++)
	 sum[p] = 0;			a writer
       for (p = 0; p < m; p++)
	 a[p] = sum[p];			what is loaded was written before

   Asked for by work arrays of loops, and by summaries of functions, whose bodies count as loops of one iteration.  */

#include "judge.h"
#include "reach.h"

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

/* True if WRITER stores at the same places in each iteration of PLAN's loop in which it does.  */
static bool
same_places_p (const struct pg_plan *plan, const struct writer *writer)
{
  const struct pg_plan_ref *ref = &plan->refs[writer->ref];
  if (!(ref->flags & PG_REF_AFFINE) || ref->address.coef[0] >= 0)
    return false;
  for (int d = ref->dim; d > 0; d = plan->dims[d].parent)
    if (plan->dims[d].last.coef[0] >= 0)
      return false;
  return true;
}

/* True if WRITER stores in every iteration of PLAN's loop or in none, at the same places.  */
static bool
steady_p (const struct pg_plan *plan, const struct writer *writer)
{
  struct position position;
  if (!same_places_p (plan, writer))
    return false;
  locate (writer, &position);
  climb (plan, &position, plan->loop);
  add_conditions (plan, &position);
  return position.is_known;
}

/* True if all of A is among B, or holds by what is added to NEEDS, which may be null.  */
static bool
among_p (const vec<struct condition> &a, const vec<struct condition> &b, struct pg_needs *needs)
{
  for (const struct condition &wanted : a)
    {
      bool found = false;
      for (const struct condition &condition : b)
	found |= condition.code == wanted.code && condition.is_true == wanted.is_true
		 && operand_equal_p (condition.lhs, wanted.lhs, 0) && operand_equal_p (condition.rhs, wanted.rhs, 0);
      if (!found && !(needs && pg_need_condition (needs, wanted.code, wanted.lhs, wanted.rhs, wanted.is_true)))
	return false;
    }
  return true;
}

/* True if dimension D of PLAN has all iterations that its number says, as far as constants tell, or, if NEEDS is not
   null, if all holds that is added to them.  */
static bool
has_all_turns_p (const struct pg_plan *plan, int d, struct pg_needs *needs)
{
  HOST_WIDE_INT number;
  const struct pg_plan_linear *least = &plan->dims[d].least;
  if (!plan->dims[d].has_least)
    return true;
  for (int i = 0; i < PG_MAX_DIMS; i++)
    if (!pg_node_value (plan, least->coef[i], &number) || number < 0)
      return false;
  return pg_node_value (plan, least->base, &number) ? number >= 0 : needs && pg_need_node (needs, least->base);
}

/* True if dimension D of PLAN runs as often as its number says, if that is not negative, or if it is not by what is
   added to NEEDS, which may be null.  */
static bool
runs_by_number_p (const struct pg_plan *plan, int d, struct pg_needs *needs)
{
  if (!plan->dims[d].once)
    return true;
  for (int i = 0; i < PG_MAX_DIMS; i++)
    if (plan->dims[d].last.coef[i] >= 0)
      return false;
  return needs && pg_need_node (needs, plan->dims[d].last.base);
}

/* Dimensions of PLAN from DIM up to OUTER, without that.  False: one of them may run where its number says otherwise,
   even if all holds that is added to NEEDS, which may be null, or how often depends on another one of them.  */
static bool
find_dims (const struct pg_plan *plan, int dim, int outer, struct pg_needs *needs, vec<int> *dims)
{
  for (int d = dim; d != outer; d = plan->dims[d].parent)
    {
      if (!runs_by_number_p (plan, d, needs))
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
      HOST_WIDE_INT missed = pg_misses_last_p (touched, d);
      if (!turns_distance (plan, w, d, &more) || more < -missed)
	return false;
      if (turns >= 0 && turns - missed <= more)
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

/* Set *FROM and *TO to the bytes that REF of PLAN touches at most behind its address in all turns of DIMS, whose number
   is known; *IS_DENSE is set if it touches all of them.  False: they are not known.  */
static bool
span_of (const struct pg_plan *plan, const struct pg_plan_ref *ref, const vec<int> &dims, HOST_WIDE_INT *from,
	 HOST_WIDE_INT *to, bool *is_dense)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 40;
  auto_vec<int> left;
  left.safe_splice (dims);
  *from = 0;
  *to = ref->len;
  *is_dense = true;
  while (!left.is_empty ())
    {
      HOST_WIDE_INT step = 0, last = 0;
      unsigned next = 0;
      for (unsigned i = 0; i < left.length (); i++)
	{
	  HOST_WIDE_INT other;
	  if (!pg_node_value (plan, ref->address.coef[left[i]], &other) || other > max || other < -max)
	    return false;
	  if (i == 0 || absu_hwi (other) < absu_hwi (step))
	    {
	      next = i;
	      step = other;
	    }
	}
      if (!pg_linear_constant (plan, &plan->dims[left[next]].last, &last))
	last = step == 0 ? -1 : max + 1;
      last -= pg_misses_last_p (ref, left[next]);
      if (last > max)
	return false;
      *is_dense &= last >= 0 && absu_hwi (step) <= (unsigned HOST_WIDE_INT) (*to - *from);
      HOST_WIDE_INT reach;
      if (__builtin_mul_overflow (step, MAX (last, 0), &reach) || reach > max || reach < -max)
	return false;
      *(reach < 0 ? from : to) += reach;
      left.unordered_remove (next);
    }
  return true;
}

/* True if reference WRITTEN touches, in all turns of DIMS, what TOUCHED may in all turns of TOUCHED_DIMS, as far as
   constants tell.  TOUCHED begins DISTANCE bytes behind WRITTEN.  */
static bool
spans_p (const struct pg_plan *plan, const struct pg_plan_ref *written, const vec<int> &dims,
	 const struct pg_plan_ref *touched, const vec<int> &touched_dims, HOST_WIDE_INT distance)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 40;
  HOST_WIDE_INT from, to, touched_from, touched_to;
  bool is_dense, touched_is_dense;
  return span_of (plan, written, dims, &from, &to, &is_dense) && is_dense && distance <= max && distance >= -max
	 && span_of (plan, touched, touched_dims, &touched_from, &touched_to, &touched_is_dense)
	 && from <= distance + touched_from && distance + touched_to <= to;
}

/* True if each of TOUCHED_DIMS that matters follows one of WRITTEN's DIMS, of which others have one turn at least, as
   far as constants tell.  TOUCHED begins DISTANCE bytes behind WRITTEN.  */
static bool
dims_follow_p (const struct pg_plan *plan, const struct pg_plan_ref *written, const vec<int> &written_dims,
	       const struct pg_plan_ref *touched, const vec<int> &touched_dims, HOST_WIDE_INT distance)
{
  auto_vec<int> dims;
  dims.safe_splice (written_dims);
  if (written->len != touched->len)
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

/* Make PART what reference WRITTEN touches in one turn of dimension COMMON of PLAN, for TOUCHED, if all holds that is
   added to NEEDS, which may be null.  */
static bool
find_part (const struct pg_plan *plan, const struct pg_plan_ref *written, const struct pg_plan_ref *touched, int common,
	   struct pg_needs *needs, struct pg_part *part)
{
  part->written = written;
  if (!(written->flags & touched->flags & PG_REF_AFFINE) || !find_dims (plan, written->dim, common, needs, &part->dims)
      || !find_dims (plan, touched->dim, common, needs, &part->touched_dims))
    return false;
  for (int d : part->dims)
    if (!has_all_turns_p (plan, d, needs))
      return false;
  for (int d = common; d >= 0; d = plan->dims[d].parent)
    if (written->address.coef[d] != touched->address.coef[d])
      return false;
  return true;
}

/* True if PART is all that reference TOUCHED may touch, as constants tell.  */
static bool
holds_p (const struct pg_plan *plan, const struct pg_part *part, const struct pg_plan_ref *touched)
{
  HOST_WIDE_INT distance;
  const struct pg_plan_ref *written = part->written;
  return node_distance (plan, touched->address.base, written->address.base, &distance)
	 && (spans_p (plan, written, part->dims, touched, part->touched_dims, distance)
	     || dims_follow_p (plan, written, part->dims, touched, part->touched_dims, distance));
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
      if (stmt != touched && gimple_bb (stmt) == second
	  && (gimple_bb (touched) != second || pg_precedes_p (stmt, touched)))
	return true;
  return false;
}

/* The same because the conditions of POSITION are among CONDITIONS, of SECOND, or hold by NEEDS, which may be null.  */
static bool
before_by_conditions_p (const struct pg_plan *plan, struct position *position, basic_block second,
			const vec<struct condition> &conditions, struct pg_needs *needs)
{
  for (basic_block first : position->blocks)
    if (leads_to_p (position->loop, second, first))
      return false;
  add_conditions (plan, position);
  return position->is_known && among_p (position->conditions, conditions, needs);
}

/* The block that all stores of WRITER are in, or NULL.  */
static basic_block
block_of (const struct writer *writer)
{
  basic_block bb = gimple_bb (writer->stmts[0]);
  for (gimple *stmt : writer->stmts)
    if (gimple_bb (stmt) != bb)
      return NULL;
  return bb;
}

/* True if writer OTHER stores in each turn in which WRITER does, in one block, and in the same turns of what that
   calls, *DISTANCE bytes behind.  */
static bool
beside_p (const struct pg_plan *plan, const struct writer *writer, const struct writer *other, HOST_WIDE_INT *distance)
{
  const struct pg_plan_linear *a = &plan->refs[writer->ref].address, *b = &plan->refs[other->ref].address;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    if (a->coef[d] != b->coef[d])
      return false;
  return plan->refs[writer->ref].dim == plan->refs[other->ref].dim && block_of (writer)
	 && block_of (writer) == block_of (other) && node_distance (plan, b->base, a->base, distance);
}

/* True if WRITER's stores are not in the block of TOUCHED, if that is not NULL, or one comes before it there.  */
static bool
not_behind_p (const struct writer *writer, gimple *touched)
{
  for (gimple *stmt : writer->stmts)
    if (!touched || (stmt != touched && (gimple_bb (stmt) != gimple_bb (touched) || pg_precedes_p (stmt, touched))))
      return true;
  return false;
}

/* How many bytes the stores of WRITER and of WRITERS beside it write in one turn, from its address on, before TOUCHED
   if that is among them.  */
static HOST_WIDE_INT
joint_len (const struct pg_plan *plan, const struct writer *writer, const vec<struct writer *> &writers,
	   gimple *touched)
{
  HOST_WIDE_INT len = plan->refs[writer->ref].len, before = 0, distance;
  while (len != before)
    {
      before = len;
      for (const struct writer *other : writers)
	if (not_behind_p (other, touched) && beside_p (plan, writer, other, &distance) && distance >= 0
	    && distance <= len)
	  len = MAX (len, distance + plan->refs[other->ref].len);
    }
  return len;
}

/* True if WRITER's stores come before access TOUCHED in each turn of the loop of both that gets there, if all holds
   that is added to NEEDS, which may be null; what they are for it is PART then.  */
static bool
comes_before_p (const struct pg_plan *plan, const struct writer *writer, const vec<struct writer *> &writers,
		const struct pg_plan_access *touched, struct pg_needs *needs, struct pg_part *part)
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
  const struct pg_plan_ref *ref = &plan->refs[writer->ref];
  part->len = joint_len (plan, writer, writers, touched->stmt);
  return among_p (written.conditions, read.conditions, needs)
	 && (always_before_p (writer, &written, touched->stmt, second)
	     || before_by_conditions_p (plan, &written, second, read.conditions, needs))
	 && find_part (plan, ref, &plan->refs[touched->ref], pg_dim_of (plan, common), needs, part);
}

/* Sort the stores to GROUP of PLAN by reference and loop, and keep those that are where numbers say, in all of these
   places, and steady unless the array IS_DEAD behind the loop, and write all of their bytes, in WRITERS.  */
static void
find_writers (const struct pg_plan *plan, int group, bool is_dead, vec<struct writer *> *writers)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      class loop *loop = gimple_bb (access.stmt)->loop_father;
      const struct pg_plan_ref *ref = &plan->refs[access.ref];
      if (!access.is_store || access.is_partial || ref->is_confined || ref->misses_last || ref->group != group)
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
    if (!(is_dead ? same_places_p : steady_p) (plan, (*writers)[i]))
      {
	delete (*writers)[i];
	writers->unordered_remove (i);
      }
}

/* True if ACCESS of PLAN is one of the stores of WRITER.  */
static bool
among_stores_p (const struct writer *writer, const struct pg_plan_access *access)
{
  return access->is_store && !access->is_partial && writer->ref == access->ref && writer->stmts.contains (access->stmt);
}

/* True if ACCESS of PLAN comes behind a store of WRITERS that covers it, as constants tell.  */
static bool
surely_covered_p (const struct pg_plan *plan, const vec<struct writer *> &writers, const struct pg_plan_access *access)
{
  for (const struct writer *writer : writers)
    {
      struct pg_part part;
      if (comes_before_p (plan, writer, writers, access, NULL, &part)
	  && holds_p (plan, &part, &plan->refs[access->ref]))
	return true;
    }
  return false;
}

/* True if PART may be what TOUCHED touches where all loops of PLAN have turns.  */
static bool
holds_where_loops_run_p (struct pg_plan *plan, const struct pg_part *part, const struct pg_plan_ref *touched)
{
  struct pg_needs needs = {};
  needs.plan = plan;
  needs.all_run = true;
  return pg_reaches (&needs, part, touched);
}

/* The same for PARTS together.  */
static bool
hold_where_loops_run_p (struct pg_plan *plan, const vec<struct pg_part *> &parts, const struct pg_plan_ref *touched)
{
  struct pg_needs needs = {};
  needs.plan = plan;
  needs.all_run = true;
  return pg_reach_jointly (&needs, parts, touched);
}

/* True if PARTS together are what TOUCHED touches where all loops have turns, if all holds that is added to NEEDS,
   equality of two numbers among that.  */
static bool
reach_by_equality_p (struct pg_needs *needs, const vec<struct pg_part *> &parts, const struct pg_plan_ref *touched)
{
  needs->all_run = needs->by_equality = true;
  bool reaches = pg_reach_jointly (needs, parts, touched);
  needs->all_run = needs->by_equality = false;
  return reaches;
}

/* The one of PARTS that is all that TOUCHED touches by what is likeliest to hold, or NULL; if THEY_RUN, there is hope
   for that, where all loops of PLAN have turns, too.  */
static const struct pg_part *
likeliest_part (struct pg_plan *plan, const vec<struct pg_part *> &parts, const struct pg_plan_ref *touched,
		bool they_run)
{
  const struct pg_part *best = NULL;
  HOST_WIDE_INT least = HOST_WIDE_INT_MAX;
  for (const struct pg_part *part : parts)
    {
      struct pg_needs needs = {};
      needs.plan = plan;
      if (pg_reaches (&needs, part, touched) && pg_needs_lack (&needs, 0) < least
	  && (!they_run || (!pg_needs_hopeless_p (&needs) && holds_where_loops_run_p (plan, part, touched))))
	{
	  best = part;
	  least = pg_needs_lack (&needs, 0);
	}
    }
  return best;
}

/* True if ACCESS comes behind stores of WRITERS that cover it, several together or one, if all is 0 or more that is
   added to NEEDS: what may hold where loops run, if there is that.  */
static bool
covered_if_p (const vec<struct writer *> &writers, const struct pg_plan_access *access, struct pg_needs *needs)
{
  struct pg_plan *plan = needs->plan;
  const struct pg_plan_ref *touched = &plan->refs[access->ref];
  auto_delete_vec<struct pg_part> parts;
  unsigned n = needs->values.length ();
  for (const struct writer *writer : writers)
    {
      struct pg_part *part = new struct pg_part;
      part->needs.plan = needs->plan;
      if (comes_before_p (plan, writer, writers, access, &part->needs, part))
	parts.safe_push (part);
      else
	delete part;
    }
  if (pg_reach_jointly (needs, parts, touched) && hold_where_loops_run_p (plan, parts, touched))
    return true;
  needs->values.truncate (n);
  const struct pg_part *best = likeliest_part (plan, parts, touched, true);
  if (!best && (reach_by_equality_p (needs, parts, touched) || pg_reach_jointly (needs, parts, touched)))
    return true;
  if (!best)
    best = likeliest_part (plan, parts, touched, false);
  if (!best)
    return false;
  needs->values.safe_splice (best->needs.values);
  return pg_reaches (needs, best, touched);
}

bool
pg_written_before_p (const struct pg_plan *plan, const struct pg_plan_access *access)
{
  auto_delete_vec<struct writer> writers;
  find_writers (plan, plan->refs[access->ref].group, false, &writers);
  return surely_covered_p (plan, writers, access);
}

/* True if POSITION, in PLAN's loop, is reached in each iteration in which DIMS have turns at all.  */
static bool
reached_with_p (struct pg_plan *plan, const struct position *position, const vec<int> &dims)
{
  struct pg_needs needs = {};
  needs.plan = plan;
  if (!position->is_known || !among_p (position->conditions, vNULL, &needs))
    return false;
  for (const struct pg_polynomial &value : needs.values)
    {
      bool is_implied = false;
      for (int d : dims)
	is_implied |= pg_at_least_p (plan, value, plan->dims[d].last.base);
      if (!is_implied)
	return false;
    }
  return true;
}

/* How many bytes ACCESS of PLAN, a store, writes together with others beside it, from its address on, in each iteration
   in which DIMS have turns at all; 0: it is not made in all of these.  */
static HOST_WIDE_INT
steadily_written (struct pg_plan *plan, const struct pg_plan_access *access, const vec<int> &dims)
{
  auto_delete_vec<struct writer> writers;
  find_writers (plan, plan->refs[access->ref].group, false, &writers);
  for (const struct writer *writer : writers)
    {
      struct position position;
      if (!among_stores_p (writer, access))
	continue;
      locate (writer, &position);
      climb (plan, &position, plan->loop);
      add_conditions (plan, &position);
      return reached_with_p (plan, &position, dims) ? joint_len (plan, writer, writers, NULL) : 0;
    }
  return 0;
}

bool
pg_find_extent (struct pg_plan *plan, const struct pg_plan_access *access, struct pg_extent *extent)
{
  const struct pg_plan_ref *ref = &plan->refs[access->ref];
  auto_vec<int> path, constant;
  HOST_WIDE_INT number;
  bool is_dense;
  if (!find_dims (plan, ref->dim, 0, NULL, &path))
    return false;
  for (unsigned d = 1; d < plan->dims.length (); d++)
    if (ref->address.coef[d] >= 0 && !path.contains (d))
      return false;
  bool has_all_turns = true;
  for (int d : path)
    {
      has_all_turns &= has_all_turns_p (plan, d, NULL);
      if (pg_linear_constant (plan, &plan->dims[d].last, &number))
	constant.safe_push (d);
      else
	extent->dims.safe_push (d);
    }
  extent->dims.reverse ();
  struct pg_plan_ref joint = *ref;
  joint.len = access->is_store && has_all_turns ? steadily_written (plan, access, extent->dims) : 0;
  extent->is_whole
    = joint.len > 0 && span_of (plan, &joint, constant, &extent->from, &extent->to, &is_dense) && is_dense;
  return extent->is_whole || span_of (plan, ref, constant, &extent->from, &extent->to, &is_dense);
}

bool
pg_written_first_p (int group, bool is_dead, struct pg_needs *needs)
{
  const struct pg_plan *plan = needs->plan;
  auto_delete_vec<struct writer> writers;
  find_writers (plan, group, is_dead, &writers);
  for (const struct pg_plan_access &access : plan->accesses)
    {
      bool is_first = plan->refs[access.ref].group != group;
      for (unsigned i = 0; !is_first && i < writers.length (); i++)
	is_first = among_stores_p (writers[i], &access);
      if (!is_first && !surely_covered_p (plan, writers, &access) && !covered_if_p (writers, &access, needs))
	return false;
    }
  return true;
}
