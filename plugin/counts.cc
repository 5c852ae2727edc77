/* SPDX-License-Identifier: GPL-3.0-or-later
   How often a loop runs, as an expression that the guard evaluates: GCC's count where there is one, and two that it
   does not make, of steps and of ends that only the entry knows.

   Where an expression does not hold, it is -1: no loop is handed over that runs so often.  */

#include "judge.h"

/* As GCC counts.  */
static tree
count_turns (const struct pg_plan *plan)
{
  class tree_niter_desc desc;
  if (!number_of_iterations_exit_assumptions (plan->loop, plan->exit, &desc, NULL) || !desc.niter
      || TREE_CODE (desc.niter) == SCEV_NOT_KNOWN || chrec_contains_undetermined (desc.niter)
      || TYPE_PRECISION (TREE_TYPE (desc.niter)) > 64)
    return NULL_TREE;
  if (!pg_invariant_p (plan, desc.niter) || !pg_invariant_p (plan, desc.may_be_zero)
      || !pg_invariant_p (plan, desc.assumptions) || generic_expr_could_trap_p (desc.niter)
      || generic_expr_could_trap_p (desc.assumptions) || contains_abnormal_ssa_name_p (desc.niter)
      || contains_abnormal_ssa_name_p (desc.assumptions))
    return NULL_TREE;

  /* The latch runs niter times, unless may_be_zero; where the assumptions do not hold, the guard sees -1.  */
  tree type = long_long_integer_type_node;
  tree n = fold_convert (type, unshare_expr (desc.niter));
  if (!integer_zerop (desc.may_be_zero))
    n = fold_build3 (COND_EXPR, type, unshare_expr (desc.may_be_zero), build_zero_cst (type), n);
  if (!plan->exit_at_top)
    n = fold_build2 (PLUS_EXPR, type, n, build_one_cst (type));
  if (!integer_onep (desc.assumptions))
    n = fold_build3 (COND_EXPR, type, unshare_expr (desc.assumptions), n, build_minus_one_cst (type));
  return n;
}

/* A loop that counts in steps of a length that only the entry knows, by an int or less whose overflow is
   undefined:

       for (i = from; i < to; i += step)      (max (to - from, 0) + step - 1) / step

   Where the steps lead away from the end, the guard sees -1.  */
static tree
count_steps (const struct pg_plan *plan, const struct pg_exit_test &test)
{
  enum tree_code code = test.code;
  bool up = code == LT_EXPR || code == LE_EXPR;
  if ((!up && code != GT_EXPR && code != GE_EXPR) || !INTEGRAL_TYPE_P (test.type)
      || !TYPE_OVERFLOW_UNDEFINED (test.type) || TYPE_PRECISION (test.type) > 32 || !test.value.no_overflow)
    return NULL_TREE;
  for (tree part : { test.value.base, test.value.step, test.end })
    if (!pg_invariant_p (plan, part) || generic_expr_could_trap_p (part) || contains_abnormal_ssa_name_p (part))
      return NULL_TREE;

  tree type = long_long_integer_type_node, one = build_one_cst (type), zero = build_zero_cst (type);
  tree from = fold_convert (type, unshare_expr (test.value.base)), to = fold_convert (type, unshare_expr (test.end));
  tree step = fold_convert (type, unshare_expr (test.value.step));
  if (!up)
    {
      std::swap (from, to);
      step = fold_build1 (NEGATE_EXPR, type, step);
    }
  tree distance = fold_build2 (MINUS_EXPR, type, to, from);
  if (code == LE_EXPR || code == GE_EXPR)
    distance = fold_build2 (PLUS_EXPR, type, distance, one);
  distance = fold_build2 (MAX_EXPR, type, distance, zero);
  tree len = fold_build2 (MAX_EXPR, type, step, one);
  tree n = fold_build2 (MINUS_EXPR, type, fold_build2 (PLUS_EXPR, type, distance, len), one);
  n = fold_build2 (TRUNC_DIV_EXPR, type, n, unshare_expr (len));
  if (!plan->exit_at_top)
    n = fold_build2 (PLUS_EXPR, type, n, one);
  /* Not a COND_EXPR: a division by what may be 0 is part of none.  */
  tree leads_away = fold_build2 (LE_EXPR, boolean_type_node, unshare_expr (step), zero);
  return fold_build2 (BIT_IOR_EXPR, type, n, fold_build1 (NEGATE_EXPR, type, fold_convert (type, leads_away)));
}

/* True if the entry knows what TEST's value begins with, and steps are of one length, which is *LEN.  */
static bool
regular_p (const struct pg_plan *plan, const struct pg_exit_test &test, HOST_WIDE_INT *len)
{
  tree from = test.value.base, step = test.value.step, type = TREE_TYPE (step);
  if (TREE_CODE (step) != INTEGER_CST || TYPE_PRECISION (type) > 64 || TREE_CODE (test.type) == BOOLEAN_TYPE
      || !pg_invariant_p (plan, from) || generic_expr_could_trap_p (from) || contains_abnormal_ssa_name_p (from))
    return false;
  *len = wi::sext (wi::to_widest (step), TYPE_PRECISION (type)).to_shwi ();
  return *len != HOST_WIDE_INT_MIN;
}

/* When a value of TYPE that goes on in steps of LEN until it is beyond END, or has come to it unless the test
   IS_INCLUSIVE, would leave the type by its last step.  */
static tree
when_leaving (tree type, tree end, HOST_WIDE_INT len, bool is_inclusive)
{
  widest_int reach = (len > 0 ? len : -len) - !is_inclusive;
  unsigned bits = TYPE_PRECISION (type);
  if (reach == 0)
    return boolean_false_node;
  if (len > 0)
    {
      widest_int most = widest_int::from (wi::max_value (bits, TYPE_SIGN (type)), TYPE_SIGN (type)) - reach;
      return fold_build2 (GT_EXPR, boolean_type_node, end, wide_int_to_tree (type, most));
    }
  widest_int least = widest_int::from (wi::min_value (bits, TYPE_SIGN (type)), TYPE_SIGN (type)) + reach;
  return fold_build2 (LT_EXPR, boolean_type_node, end, wide_int_to_tree (type, least));
}

/* A loop that counts to an end that it loads each time, in steps of constant length:

       for (i = from; i < m->n; i += 2)	from < n ? (n - from - 1) / 2 + 1 : 0

   In unsigned numbers: the distance is exact once it is known that there is one.  */
static tree
count_to_loaded (struct pg_plan *plan, const struct pg_exit_test &test)
{
  HOST_WIDE_INT len;
  tree end = regular_p (plan, test, &len) ? pg_known_on_entry (plan, test.end) : NULL_TREE;
  bool up = len > 0, is_inclusive = test.code == (up ? LE_EXPR : GE_EXPR);
  if (!end || (!is_inclusive && test.code != NE_EXPR && test.code != (up ? LT_EXPR : GT_EXPR)))
    return NULL_TREE;
  tree type = POINTER_TYPE_P (test.type) ? size_type_node : test.type, from = unshare_expr (test.value.base);
  from = fold_convert (type, from);
  end = fold_convert (type, end);

  tree wide = long_long_unsigned_type_node, modular = unsigned_type_for (type), one = build_one_cst (wide);
  tree far = fold_convert (modular, unshare_expr (up ? end : from));
  tree near = fold_convert (modular, unshare_expr (up ? from : end));
  tree distance = fold_convert (wide, fold_build2 (MINUS_EXPR, modular, far, near));
  tree length = build_int_cstu (wide, up ? len : -len), n, fails = boolean_false_node;
  if (test.code == NE_EXPR)
    {
      tree rest = fold_build2 (TRUNC_MOD_EXPR, wide, unshare_expr (distance), length);
      fails = fold_build2 (NE_EXPR, boolean_type_node, rest, build_zero_cst (wide));
      n = fold_build2 (TRUNC_DIV_EXPR, wide, distance, length);
    }
  else
    {
      if (!test.value.no_overflow)
	fails = when_leaving (type, unshare_expr (end), len, is_inclusive);
      if (!is_inclusive)
	distance = fold_build2 (MINUS_EXPR, wide, distance, one);
      n = fold_build2 (PLUS_EXPR, wide, fold_build2 (TRUNC_DIV_EXPR, wide, distance, length), one);
      n = fold_build3 (COND_EXPR, wide, fold_build2 (test.code, boolean_type_node, from, end), n,
		       build_zero_cst (wide));
    }

  tree count = long_long_integer_type_node;
  n = fold_convert (count, n);
  if (!plan->exit_at_top)
    n = fold_build2 (PLUS_EXPR, count, n, build_one_cst (count));
  n = fold_build3 (COND_EXPR, count, fails, build_minus_one_cst (count), n);
  return pg_rely_on_loads (plan, n) ? n : NULL_TREE;
}

tree
pg_count_iterations (struct pg_plan *plan)
{
  struct pg_exit_test test;
  tree n = count_turns (plan);
  if (n || !pg_find_exit_test (plan->loop, plan->exit, &test))
    return n;
  return test.is_loaded ? count_to_loaded (plan, test) : count_steps (plan, test);
}
