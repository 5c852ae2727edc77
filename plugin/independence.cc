/* SPDX-License-Identifier: GPL-3.0-or-later
   Which references may meet in different iterations: proven apart, proven to meet, or left to the run time.

   A pair, of which one writes, is apart if its objects are different (declarations, points-to sets, restrict), or
   if the address forms have equal constant coefficients and no iteration distance but zero brings them together.
   Type-based alias rules say nothing here: they exclude that a value flows, not that an iteration overwrites what
   another one read before.  */

#include "judge.h"

enum answer
{
  PAIR_APART,
  PAIR_MEETS,
  PAIR_UNKNOWN
};

/* A shorter distance that is sure to occur makes a loop sequential; a longer one leaves room for windows.  */
static const HOST_WIDE_INT short_distance = 64;

/* True if the objects behind references A and B are certainly different, in all iterations.  */
static bool
objects_differ_p (tree a, tree b)
{
  tree base_a = get_base_address (a), base_b = get_base_address (b);
  if (!base_a || !base_b)
    return false;
  if (DECL_P (base_a) && DECL_P (base_b))
    return compare_base_decls (base_a, base_b) == 0;
  tree pointer_a = TREE_CODE (base_a) == MEM_REF ? TREE_OPERAND (base_a, 0) : NULL_TREE;
  tree pointer_b = TREE_CODE (base_b) == MEM_REF ? TREE_OPERAND (base_b, 0) : NULL_TREE;
  if (pointer_a && pointer_b)
    {
      /* Clique 1 is that of the function's own restrict parameters.  Others come from inlined bodies, whose promise
	 holds for one activation, that is for one iteration.  */
      if (MR_DEPENDENCE_CLIQUE (base_a) == 1 && MR_DEPENDENCE_CLIQUE (base_b) == 1
	  && MR_DEPENDENCE_BASE (base_a) != MR_DEPENDENCE_BASE (base_b))
	return true;
      return !ptr_derefs_may_alias_p (pointer_a, pointer_b);
    }
  if (pointer_a && DECL_P (base_b))
    return !ptr_derefs_may_alias_p (pointer_a, build_fold_addr_expr (base_b));
  if (pointer_b && DECL_P (base_a))
    return !ptr_derefs_may_alias_p (pointer_b, build_fold_addr_expr (base_a));
  return false;
}

bool
pg_store_may_reach_load (tree store, tree load)
{
  if (objects_differ_p (store, load))
    return false;
  return !flag_strict_aliasing || alias_sets_conflict_p (get_alias_set (store), get_alias_set (load));
}

/* The bytes that REF spans beyond its address in one iteration of dimension 0: [*LOW, *HIGH).  */
static bool
constant_extent (const struct pg_plan *plan, const struct pg_plan_ref *ref, HOST_WIDE_INT *low, HOST_WIDE_INT *high)
{
  *low = 0;
  *high = ref->len;
  for (unsigned d = 1; d < plan->dims.length (); d++)
    {
      if (ref->address.coef[d] < 0)
	continue;
      HOST_WIDE_INT coef, last, reach;
      if (!pg_linear_constant (plan, &plan->dims[d].last, &last) || !pg_node_value (plan, ref->address.coef[d], &coef)
	  || __builtin_mul_overflow (coef, MAX (last, 0), &reach) || reach > (HOST_WIDE_INT_1 << 40)
	  || reach < -(HOST_WIDE_INT_1 << 40))
	return false;
      *(reach < 0 ? low : high) += reach;
    }
  return true;
}

static HOST_WIDE_INT
floor_quotient (HOST_WIDE_INT a, HOST_WIDE_INT b)
{
  return a / b - (a % b != 0 && a < 0);
}

/* Can references A and B of one base meet in iterations that differ?  PAIR_MEETS only if no inner loop blurs the
   answer.  */
static enum answer
distance_test (const struct pg_plan *plan, const struct pg_plan_ref *a, const struct pg_plan_ref *b)
{
  HOST_WIDE_INT start_a, start_b, step, step_b, low_a, high_a, low_b, high_b;
  if (pg_node_split (plan, a->address.base, &start_a) != pg_node_split (plan, b->address.base, &start_b)
      || !pg_node_value (plan, a->address.coef[0], &step) || !pg_node_value (plan, b->address.coef[0], &step_b)
      || step != step_b || step == 0 || !constant_extent (plan, a, &low_a, &high_a)
      || !constant_extent (plan, b, &low_b, &high_b))
    return PAIR_UNKNOWN;
  HOST_WIDE_INT max = HOST_WIDE_INT_1 << 50;
  if (start_a > max || start_a < -max || start_b > max || start_b < -max || step > max || step < -max)
    return PAIR_UNKNOWN;

  /* B, D iterations later, meets A if step * D lies strictly between FROM and TO; D and -D are alike, as any pair may
     come in either order.  */
  HOST_WIDE_INT from = (start_a + low_a) - (start_b + high_b), to = (start_a + high_a) - (start_b + low_b);
  HOST_WIDE_INT width = step < 0 ? -step : step;
  HOST_WIDE_INT first = floor_quotient (from, width) + 1, last = -floor_quotient (-to, width) - 1;
  if (first > last || (first == 0 && last == 0))
    return PAIR_APART;
  HOST_WIDE_INT shortest = first > 0 ? first : last < 0 ? -last : 1;
  if (tree_fits_shwi_p (plan->n_iters) && shortest >= tree_to_shwi (plan->n_iters))
    return PAIR_APART;
  return a->dim == 0 && b->dim == 0 && shortest < short_distance ? PAIR_MEETS : PAIR_UNKNOWN;
}

static enum answer
pair_answer (const struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned i, unsigned j)
{
  const struct pg_plan_ref *a = &plan->refs[i], *b = &plan->refs[j];
  if (i != j && objects_differ_p (bases[i].operand, bases[j].operand))
    return PAIR_APART;
  /* A part of an array is not the program's, not even in one iteration.  */
  const struct pg_plan_work_array *array_a = pg_work_array_of (plan, a->group);
  const struct pg_plan_work_array *array_b = pg_work_array_of (plan, b->group);
  if (a->group != b->group && ((array_a && array_a->is_reduction) || (array_b && array_b->is_reduction)))
    return PAIR_UNKNOWN;
  if (a->flags & b->flags & PG_REF_AFFINE && pg_counted_apart_p (plan, a, b))
    return PAIR_APART;
  if (a->flags & b->flags & PG_REF_AFFINE)
    return distance_test (plan, a, b);
  return PAIR_UNKNOWN;
}

/* The user's text of REF, for messages.  */
static char *
expression_text (tree operand)
{
  tree base = get_base_address (operand);
  tree name = base && DECL_P (base) ? base : NULL_TREE;
  if (base && TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME)
    name = SSA_NAME_VAR (TREE_OPERAND (base, 0));
  return name && DECL_P (name) && DECL_NAME (name) ? xstrdup (IDENTIFIER_POINTER (DECL_NAME (name))) : NULL;
}

static gimple *
statement_of (const struct pg_plan *plan, unsigned ref)
{
  for (const struct pg_plan_access &access : plan->accesses)
    if ((unsigned) access.ref == ref)
      return access.stmt;
  return NULL;
}

/* The reason that says most about references I and J, which only the run time can tell apart.  */
static enum pg_reason
reason_of (const struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned i, unsigned j)
{
  if (bases[i].form == PG_FORM_INDIRECT || bases[j].form == PG_FORM_INDIRECT)
    return PG_WHY_INDIRECT;
  if (bases[i].form == PG_FORM_NONLINEAR || bases[j].form == PG_FORM_NONLINEAR)
    return PG_WHY_NONLINEAR;
  return plan->refs[i].group != plan->refs[j].group ? PG_WHY_POINTERS : PG_WHY_DISTANCE;
}

/* True if OPERAND lies in an object of so few elements that writing one of them in each iteration must repeat:
   fewer than any number of iterations that is worth handing over.  */
static bool
too_few_elements_p (tree operand, HOST_WIDE_INT len)
{
  tree base = get_base_address (operand);
  return base && DECL_P (base) && tree_fits_shwi_p (DECL_SIZE_UNIT (base))
	 && tree_to_shwi (DECL_SIZE_UNIT (base)) / len < short_distance;
}

/* Refuse PLAN's loop because reference REF writes one place again and again.  */
static bool
refuse_repeated_write (struct pg_plan *plan, const vec<struct pg_base> &bases, unsigned ref, enum pg_reason why)
{
  tree base = get_base_address (bases[ref].operand);
  bool local = base && VAR_P (base) && !TREE_STATIC (base) && !DECL_EXTERNAL (base);
  return pg_refuse (plan, local ? PG_WHY_PRIVATE_ARRAY : why, statement_of (plan, ref),
		    expression_text (bases[ref].operand));
}

/* Refuse PLAN's loop because it takes a monitor to see whether iterations meet, which knows nothing of its work arrays:
   they may meet something, or are ones only if numbers say so.  */
static bool
refuse_work_array (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  unsigned ref = 0;
  while (!(plan->refs[ref].flags & PG_REF_WRITE) || !pg_work_array_of (plan, plan->refs[ref].group))
    ref++;
  return refuse_repeated_write (plan, bases, ref, PG_WHY_FIXED_ADDRESS);
}

bool
pg_refuse_met (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  return pg_refuse (plan, PG_WHY_CARRIED_MEMORY, statement_of (plan, plan->meets),
		    expression_text (bases[plan->meets].operand));
}

bool
pg_numbers_settle_p (const struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  if (plan->region_flags & PG_REGION_ALL_AFFINE)
    return true;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    for (unsigned j = 0; (plan->refs[i].flags & PG_REF_WRITE) && j < plan->refs.length (); j++)
      if (!(plan->refs[i].flags & plan->refs[j].flags & PG_REF_AFFINE)
	  && (i == j || !objects_differ_p (bases[i].operand, bases[j].operand)))
	return false;
  return true;
}

/* Each group of PLAN is a set of its own.  */
static void
part_groups (struct pg_plan *plan)
{
  plan->sets.truncate (0);
  for (const struct pg_plan_ref &ref : plan->refs)
    while (plan->sets.length () <= (unsigned) ref.group)
      plan->sets.safe_push (plan->sets.length ());
}

/* References of groups A and B of PLAN may meet: their sets are one.  */
static void
join_sets (struct pg_plan *plan, int a, int b)
{
  int first = MIN (plan->sets[a], plan->sets[b]), other = MAX (plan->sets[a], plan->sets[b]);
  for (unsigned i = 0; first != other && i < plan->sets.length (); i++)
    if (plan->sets[i] == other)
      plan->sets[i] = first;
}

/* True if no group of PLAN may meet another.  */
static bool
groups_apart_p (const struct pg_plan *plan)
{
  for (unsigned i = 0; i < plan->sets.length (); i++)
    if (plan->sets[i] != (int) i)
      return false;
  return true;
}

bool
pg_judge_independence (struct pg_plan *plan, const vec<struct pg_base> &bases)
{
  plan->klass = PG_CLASS_PARALLEL;
  plan->reason = PG_WHY_PROVEN;
  part_groups (plan);
  bool unknown = false, is_alike = (plan->region_flags & PG_REGION_ALIKE) != 0;
  plan->work_is_sure = true;
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    plan->work_is_sure &= !array.is_checked;
  for (unsigned i = 0; i < plan->refs.length (); i++)
    {
      const struct pg_plan_ref *ref = &plan->refs[i];
      if (!(ref->flags & PG_REF_WRITE))
	continue;
      bool is_work = pg_work_array_of (plan, ref->group) != NULL, is_counted = plan->dims[ref->dim].counter >= 0;
      bool is_ordered = plan->ordered_groups.contains (ref->group);
      if ((ref->flags & PG_REF_AFFINE) && ref->address.coef[0] < 0 && !is_work && !is_counted && !is_ordered)
	return refuse_repeated_write (plan, bases, i, PG_WHY_FIXED_ADDRESS);
      if (!(ref->flags & (PG_REF_AFFINE | PG_REF_CONDITIONAL)) && !is_work
	  && too_few_elements_p (bases[i].operand, ref->len))
	return refuse_repeated_write (plan, bases, i, PG_WHY_CARRIED_MEMORY);
      for (unsigned j = 0; j < plan->refs.length (); j++)
	{
	  /* Two writes meet in one order only.  */
	  if (j < i && (plan->refs[j].flags & PG_REF_WRITE))
	    continue;
	  if ((is_work || is_ordered) && plan->refs[j].group == ref->group)
	    continue;
	  if (plan->refs[j].group != ref->group && !objects_differ_p (bases[i].operand, bases[j].operand))
	    join_sets (plan, ref->group, plan->refs[j].group);
	  enum answer answer = pair_answer (plan, bases, i, j);
	  if (answer == PAIR_MEETS)
	    return pg_refuse (plan, PG_WHY_CARRIED_MEMORY, statement_of (plan, j), expression_text (bases[i].operand));
	  if (answer == PAIR_APART)
	    continue;
	  if (is_counted && plan->dims[plan->refs[j].dim].counter >= 0 && ref->group == plan->refs[j].group)
	    return pg_refuse_carried (plan, statement_of (plan, j));
	  plan->carries |= plan->refs[j].group == ref->group && pg_likely_carried_p (plan, ref, &plan->refs[j]);
	  if (plan->refs[j].group == ref->group && pg_certainly_carried_p (plan, ref, &plan->refs[j]))
	    plan->meets = j;
	  enum pg_reason why = reason_of (plan, bases, i, j);
	  /* Reasons are listed from weak to strong.  */
	  if (!unknown || why > plan->reason)
	    {
	      plan->reason = why;
	      gimple *stmt = statement_of (plan, j);
	      plan->reason_where = stmt ? gimple_location (stmt) : UNKNOWN_LOCATION;
	    }
	  unknown = true;
	  plan->work_is_sure &= !is_work && !pg_work_array_of (plan, plan->refs[j].group);
	}
    }
  if (is_alike && !unknown)
    plan->reason = PG_WHY_NONLINEAR;
  if (!plan->ordered_groups.is_empty ())
    plan->reason = PG_WHY_ORDERED;
  unknown |= is_alike || !plan->ordered_groups.is_empty ();
  if (unknown)
    plan->klass = PG_CLASS_POSSIBLY;
  if (unknown && !plan->work_is_sure && !(plan->region_flags & PG_REGION_ALL_AFFINE) && !is_alike)
    return refuse_work_array (plan, bases);

  /* Proven distances rest on the wrap checks, which only the run time can make.  */
  if (!unknown && !plan->checks.is_empty ())
    {
      bool writes = false;
      for (const struct pg_plan_ref &ref : plan->refs)
	writes |= (ref.flags & PG_REF_WRITE) != 0;
      if (writes)
	{
	  plan->klass = PG_CLASS_POSSIBLY;
	  plan->reason = PG_WHY_WRAP;
	  for (const struct pg_plan_work_array &array : plan->work_arrays)
	    if (array.is_checked)
	      plan->reason = PG_WHY_DISTANCE;
	}
    }
  plan->build_noalias = !groups_apart_p (plan) && ((plan->region_flags & PG_REGION_ALL_AFFINE) != 0 || is_alike);
  plan->cut_columns = plan->dims.length () > 1 && plan->work_arrays.is_empty () && plan->ordered_groups.is_empty ();
  return true;
}
