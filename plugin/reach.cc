/* SPDX-License-Identifier: GPL-3.0-or-later
   Whether the stores of one reference reach all that another one touches, where numbers known on entry tell:

       for (j = 0; j < m; j++)
	 line[j] = a[j];
       for (j = from; j < to; j++)	from - 1 >= 0 and m - 1 - to >= 0
	 b[j] = line[j + 1] - line[j - 1];

   What is touched, in turn J of its loop, is among what is stored in turn J + SHIFT of the other one, in each
   dimension.  So each SHIFT must be 0 or more, and the turns of the first plus SHIFT no more than those of the second.
   These are polynomials in what entry expressions are made of, exact ones: the runtime computes with 64 bits, and
   rejects what has no room there.  Where they are numbers, they are decided here; others become checks, which are made
   at each entry (struct pg_wrap_check), and without which nothing of the region is known by numbers.  */

#include "reach.h"

/* A dimension of what is stored: its number, that of the dimension of what is touched that makes the same steps, or -1,
   and by how many bytes it goes on; 0 if that is no constant.  */
struct step
{
  int stored, touched;
  HOST_WIDE_INT bytes;
};

/* Sort from wide steps to narrow ones.  */
static int
compare_steps (const void *a, const void *b)
{
  const struct step *left = (const struct step *) a, *right = (const struct step *) b;
  unsigned HOST_WIDE_INT left_bytes = absu_hwi (left->bytes), right_bytes = absu_hwi (right->bytes);
  return left_bytes == right_bytes ? left->stored - right->stored : left_bytes < right_bytes ? 1 : -1;
}

/* Set DISTANCE to node A of PLAN minus node B.  */
static bool
subtract (const struct pg_plan *plan, int a, int b, struct pg_polynomial *distance)
{
  struct pg_polynomial subtrahend;
  return pg_expand (plan, a, false, distance) && pg_expand (plan, b, false, &subtrahend)
	 && pg_add (distance, subtrahend, -1);
}

/* The steps of STEP bytes that there nearly are in NUMBER bytes.  */
static HOST_WIDE_INT
nearest_steps (HOST_WIDE_INT number, HOST_WIDE_INT step)
{
  HOST_WIDE_INT half = (number < 0) == (step < 0) ? step / 2 : -(step / 2);
  return (number + half) / step;
}

/* The steps of STEP bytes in NUMBER bytes that leave FIRST or more, and less than one step more.  */
static HOST_WIDE_INT
whole_steps (HOST_WIDE_INT number, HOST_WIDE_INT step, HOST_WIDE_INT first)
{
  HOST_WIDE_INT width = absu_hwi (step), rest = (number - first) % width;
  return (number - first - (rest < 0 ? rest + width : rest)) / step;
}

/* Move the steps of STEP bytes out of DISTANCE, to SHIFT; the last ones if IS_LAST: FIRST bytes or more are to be left
   then.  */
static bool
take_steps (HOST_WIDE_INT step, bool is_last, HOST_WIDE_INT first, struct pg_polynomial *distance,
	    struct pg_polynomial *shift)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 60;
  *shift = *distance;
  if (step > max || step < -max)
    return false;
  for (int i = 0; i < distance->n_terms; i++)
    {
      HOST_WIDE_INT number = distance->terms[i].number;
      if (number > max || number < -max)
	return false;
      bool is_number = distance->terms[i].n_leaves == 0;
      HOST_WIDE_INT n = is_last && is_number ? whole_steps (number, step, first) : nearest_steps (number, step);
      shift->terms[i].number = n;
      distance->terms[i].number = number - n * step;
    }
  return true;
}

/* Add to NEEDS that VALUE is 0 or more.  False: it is not.  */
static bool
need (struct pg_needs *needs, const struct pg_polynomial &value)
{
  HOST_WIDE_INT number;
  if (pg_number_p (value, &number))
    return number >= 0;
  needs->values.safe_push (value);
  return true;
}

bool
pg_need_node (struct pg_needs *needs, int index)
{
  struct pg_polynomial value;
  return pg_expand (needs->plan, index, false, &value) && need (needs, value);
}

/* Add to NEEDS that the first dimension of STEP has the turns of the second, which begin SHIFT turns later, or turn
   SHIFT if there is no second one.  */
static bool
need_turns (struct pg_needs *needs, const struct step *step, const struct pg_polynomial &shift)
{
  struct pg_polynomial more;
  const struct pg_plan *plan = needs->plan;
  const struct pg_plan_linear none = pg_linear_zero ();
  const struct pg_plan_linear *last = &plan->dims[step->stored].last;
  const struct pg_plan_linear *touched_last = step->touched < 0 ? &none : &plan->dims[step->touched].last;
  for (int i = 0; i < PG_MAX_DIMS; i++)
    if (last->coef[i] != touched_last->coef[i])
      return false;
  return subtract (plan, last->base, touched_last->base, &more) && pg_add (&more, shift, -1) && need (needs, shift)
	 && need (needs, more);
}

/* Bytes from FROM up to TO, relative to an address.  */
struct span
{
  HOST_WIDE_INT from, to;
};

/* Make SPAN what TOUCHED touches at most in all turns of dimension D, if constants tell.  */
static bool
widen (const struct pg_plan *plan, const struct pg_plan_ref *touched, int d, struct span *span)
{
  const HOST_WIDE_INT max = HOST_WIDE_INT_1 << 40;
  HOST_WIDE_INT bytes, last, reach;
  if (!pg_node_value (plan, touched->address.coef[d], &bytes) || !pg_linear_constant (plan, &plan->dims[d].last, &last)
      || __builtin_mul_overflow (bytes, MAX (last, 0), &reach) || reach > max || reach < -max)
    return false;
  *(reach < 0 ? &span->from : &span->to) += reach;
  return true;
}

/* Put into STEPS one for each of DIMS, in which WRITTEN is, with that of TOUCHED_DIMS in which TOUCHED makes the same
   steps; SPAN is what it touches in one turn of all these.  False: that is not known.  */
static bool
pair_dims (const struct pg_plan *plan, const struct pg_plan_ref *written, const vec<int> &dims,
	   const struct pg_plan_ref *touched, const vec<int> &touched_dims, vec<struct step> *steps, struct span *span)
{
  auto_bitmap paired;
  for (int w : dims)
    {
      struct step step = { w, -1, 0 };
      int coef = written->address.coef[w];
      for (int d : touched_dims)
	if (step.touched < 0 && coef >= 0 && touched->address.coef[d] == coef && bitmap_set_bit (paired, d))
	  step.touched = d;
      if (!pg_node_value (plan, coef, &step.bytes))
	step.bytes = 0;
      steps->safe_push (step);
    }
  span->from = 0;
  span->to = touched->len;
  for (int d : touched_dims)
    if (touched->address.coef[d] >= 0 && !bitmap_bit_p (paired, d) && !widen (plan, touched, d, span))
      return false;
  return true;
}

bool
pg_reaches (struct pg_needs *needs, const struct pg_plan_ref *written, HOST_WIDE_INT written_len, const vec<int> &dims,
	    const struct pg_plan_ref *touched, const vec<int> &touched_dims)
{
  const struct pg_plan *plan = needs->plan;
  auto_vec<struct step> steps;
  struct pg_polynomial distance, shift;
  struct span span;
  HOST_WIDE_INT rest;
  if (!pair_dims (plan, written, dims, touched, touched_dims, &steps, &span)
      || !subtract (plan, touched->address.base, written->address.base, &distance) || !pg_add_number (&distance, 0))
    return false;
  steps.qsort (compare_steps);
  for (unsigned i = 0; i < steps.length (); i++)
    {
      bool is_last = i + 1 == steps.length () || steps[i + 1].bytes == 0;
      shift.n_terms = 0;
      if (steps[i].bytes != 0 && !take_steps (steps[i].bytes, is_last, -span.from, &distance, &shift))
	return false;
      if (!need_turns (needs, &steps[i], shift))
	return false;
    }
  return pg_number_p (distance, &rest) && rest + span.from >= 0 && rest + span.to <= written_len;
}

/* Set SUM to VALUE, an invariant integer.  False: it has no room in 64 bits with a sign.  */
static bool
expand_invariant (struct pg_plan *plan, tree value, struct pg_polynomial *sum)
{
  tree type = TREE_TYPE (value);
  sum->n_terms = 0;
  if (!INTEGRAL_TYPE_P (type) || !type_has_mode_precision_p (type) || TYPE_PRECISION (type) > 64
      || (TYPE_PRECISION (type) == 64 && TYPE_UNSIGNED (type)))
    return false;
  return TREE_CODE (value) == INTEGER_CST ? pg_add_number (sum, tree_to_shwi (value))
					  : pg_expand (plan, pg_node_of_invariant (plan, value), false, sum);
}

/* Add to NEEDS that A - B is LEAST or more.  */
static bool
need_distance (struct pg_needs *needs, const struct pg_polynomial &a, const struct pg_polynomial &b,
	       HOST_WIDE_INT least)
{
  struct pg_polynomial distance = a;
  return pg_add (&distance, b, -1) && pg_add_number (&distance, -least) && need (needs, distance);
}

bool
pg_need_condition (struct pg_needs *needs, enum tree_code code, tree lhs, tree rhs, bool is_true)
{
  struct pg_polynomial a, b;
  if (!expand_invariant (needs->plan, lhs, &a) || !expand_invariant (needs->plan, rhs, &b))
    return false;
  switch (is_true ? code : invert_tree_comparison (code, false))
    {
    case GT_EXPR:
      return need_distance (needs, a, b, 1);
    case GE_EXPR:
      return need_distance (needs, a, b, 0);
    case LT_EXPR:
      return need_distance (needs, b, a, 1);
    case LE_EXPR:
      return need_distance (needs, b, a, 0);
    case EQ_EXPR:
      return need_distance (needs, a, b, 0) && need_distance (needs, b, a, 0);
    case NE_EXPR:
      return TYPE_UNSIGNED (TREE_TYPE (lhs)) && integer_zerop (rhs) && need_distance (needs, a, b, 1);
    default:
      return false;
    }
}
