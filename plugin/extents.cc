/* SPDX-License-Identifier: GPL-3.0-or-later
   How far the counters of a nest go:

       for (i = 0; i < n; i++)		first + i * row_len + j is first, first + (m - 1), first + (n - 1) * row_len or
	 for (j = 0; j < m; j++)	first + (n - 1) * row_len + (m - 1) at least, and at most, whatever the sign of
	   x[first + i * row_len + j]	row_len, if it does not wrap, and neither n nor m is 0

   The number of turns is that after which one exit of the loop is taken, if no other one is before: at most.  A test
   behind that exit runs once less than one before it.  All is computed in 64 bits, and what holds on entry says that
   nothing got lost.  */

#include "extents.h"
#include "judge.h"

/* True if nothing comes behind E.  */
static bool
for_good_p (edge e)
{
  basic_block bb = e->dest;
  while (single_succ_p (bb) && single_pred_p (bb))
    bb = single_succ (bb);
  return EDGE_COUNT (bb->succs) == 0 && bb != EXIT_BLOCK_PTR_FOR_FN (cfun);
}

/* True if A rather than B, both exits of a loop, is the one by which that ends as a rule: not one that is hardly ever
   taken, as where a check fails, or else the first one in the source, where loops mostly say how far they go.  */
static bool
more_usual_p (edge a, edge b)
{
  if (for_good_p (a) != for_good_p (b))
    return for_good_p (b);
  if (a->count ().apply_scale (8, 1) < b->count ())
    return false;
  return b->count ().apply_scale (8, 1) < a->count ()
	 || linemap_location_before_p (line_table, LOCATION_LOCUS (gimple_location (last_stmt (a->src))),
				       LOCATION_LOCUS (gimple_location (last_stmt (b->src))));
}

edge
pg_counted_exit (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  class tree_niter_desc desc;
  edge counted = NULL;
  for (edge exit : exits)
    if (exit->src->loop_father == loop && !(exit->flags & EDGE_COMPLEX)
	&& number_of_iterations_exit (loop, exit, &desc, false) && (!counted || more_usual_p (exit, counted)))
      counted = exit;
  return counted;
}

/* What a variable is at most and at least: one of ENDS, of 64 bits with a sign, if HOLDS on entry.  They are what it is
   in first and last turns of loops; IS_NONE, too, is known on entry: there is no turn.  */
struct extent
{
  auto_vec<tree> ends;
  tree holds, is_none;
};

/* More loops than this are not looked at.  */
static const unsigned max_ends = 8;

static tree
both (tree a, tree b)
{
  return fold_build2 (TRUTH_AND_EXPR, boolean_type_node, a, b);
}

static tree
either (tree a, tree b)
{
  return fold_build2 (TRUTH_OR_EXPR, boolean_type_node, a, b);
}

/* A CODE B, of 64 bits with a sign, modulo 2^64.  */
static tree
compute (enum tree_code code, tree a, tree b)
{
  tree modular = unsigned_intDI_type_node;
  return fold_convert (intDI_type_node,
		       fold_build2 (code, modular, fold_convert (modular, a), fold_convert (modular, b)));
}

/* True if VALUE, of 64 bits with a sign, is from LEAST to MOST.  */
static tree
in_range (tree value, tree least, tree most)
{
  return both (fold_build2 (GE_EXPR, boolean_type_node, value, fold_convert (intDI_type_node, least)),
	       fold_build2 (LE_EXPR, boolean_type_node, value, fold_convert (intDI_type_node, most)));
}

/* True if VALUE, of 64 bits with a sign, is one of TYPE.  */
static tree
of_type (tree value, tree type)
{
  if (TYPE_PRECISION (type) < 64)
    return in_range (value, TYPE_MIN_VALUE (type), TYPE_MAX_VALUE (type));
  return TYPE_UNSIGNED (type) ? fold_build2 (GE_EXPR, boolean_type_node, value, build_zero_cst (intDI_type_node))
			      : boolean_true_node;
}

/* VALUE, of up to 64 bits, as 64 bits with a sign; HOLDS if that is no more than 2^BITS and no less than -2^BITS.  */
static tree
moderate (tree value, bool is_difference, unsigned bits, tree *holds)
{
  if (is_difference) /* of an unsigned type, it may stand for less than 0 */
    value = fold_convert (signed_type_for (TREE_TYPE (value)), value);
  value = fold_convert (intDI_type_node, value);
  tree most = build_int_cst (intDI_type_node, HOST_WIDE_INT_1 << bits);
  *holds = both (*holds, in_range (value, build_int_cst (intDI_type_node, -(HOST_WIDE_INT_1 << bits)), most));
  return value;
}

/* True if VALUE can be computed on entry to PLAN's loop.  */
static bool
known_p (const struct pg_plan *plan, tree value)
{
  return pg_invariant_p (plan, value) && !contains_abnormal_ssa_name_p (value) && !generic_expr_could_trap_p (value);
}

/* Find the number of turns after which EXIT of LOOP is taken, as N, and what has to hold on entry for that.  */
static bool
count_turns (const struct pg_plan *plan, class loop *loop, edge exit, tree *n, tree *holds)
{
  class tree_niter_desc desc;
  if (!exit || !number_of_iterations_exit (loop, exit, &desc, false) || !desc.niter
      || TREE_CODE (desc.niter) == SCEV_NOT_KNOWN || !known_p (plan, desc.niter) || !known_p (plan, desc.may_be_zero)
      || !known_p (plan, desc.assumptions))
    return false;
  tree type = TREE_TYPE (desc.niter);
  *n = fold_build3 (COND_EXPR, type, desc.may_be_zero, build_zero_cst (type), desc.niter);
  *holds = both (*holds, desc.assumptions);
  return true;
}

/* The innermost loop around AT, and within PLAN's, in which VALUE changes, by the same step each time: as IV says.
   NULL: there is none.  */
static class loop *
changing_loop (const struct pg_plan *plan, tree value, basic_block at, affine_iv *iv)
{
  for (class loop *loop = at->loop_father;; loop = loop_outer (loop))
    {
      if (!simple_iv (loop, at->loop_father, value, iv, true))
	return NULL;
      if (!integer_zerop (iv->step))
	return loop;
      if (loop == plan->loop)
	return NULL;
    }
}

/* Find the EXTENT of VALUE, an integer, where AT is reached.  */
static bool
find_extent (const struct pg_plan *plan, tree value, basic_block at, struct extent *extent)
{
  affine_iv iv;
  tree n, type = TREE_TYPE (value);
  class loop *loop = changing_loop (plan, value, at, &iv);
  edge exit = loop ? pg_counted_exit (loop) : NULL;
  if (!loop || !INTEGRAL_TYPE_P (TREE_TYPE (iv.step)) || !known_p (plan, iv.step)
      || !count_turns (plan, loop, exit, &n, &extent->holds) || exit->src == at || TYPE_PRECISION (TREE_TYPE (n)) > 64)
    return false;
  if (known_p (plan, iv.base))
    extent->ends.safe_push (moderate (iv.base, false, 60, &extent->holds));
  else if (TREE_CODE (iv.base) != SSA_NAME || loop == plan->loop
	   || !find_extent (plan, iv.base, loop_preheader_edge (loop)->src, extent))
    return false;

  /* The last turn has number N, or the one before it if AT is behind the exit.  */
  extent->holds
    = both (extent->holds, fold_build2 (LE_EXPR, boolean_type_node, fold_convert (unsigned_intDI_type_node, n),
					build_int_cst (unsigned_intDI_type_node, HOST_WIDE_INT_1 << 31)));
  tree turns = fold_convert (intDI_type_node, n);
  if (dominated_by_p (CDI_DOMINATORS, at, exit->src))
    {
      extent->is_none
	= either (extent->is_none, fold_build2 (EQ_EXPR, boolean_type_node, n, build_zero_cst (TREE_TYPE (n))));
      turns = compute (MINUS_EXPR, turns, build_one_cst (intDI_type_node));
    }
  tree step = moderate (iv.step, true, 30, &extent->holds);
  tree way = compute (MULT_EXPR, turns, step);
  unsigned n_ends = extent->ends.length ();
  for (unsigned i = 0; i < n_ends; i++)
    extent->ends.safe_push (compute (PLUS_EXPR, extent->ends[i], way));
  for (tree end : extent->ends)
    extent->holds = both (extent->holds, of_type (end, type));
  return n_ends < max_ends;
}

/* What VALUE, an integer, is converted from, if that is no wider; else NULL_TREE.  */
static tree
converted_from (tree value)
{
  gassign *def = TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : NULL;
  if (!def || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def)))
    return NULL_TREE;
  tree from = gimple_assign_rhs1 (def);
  bool is_no_wider
    = INTEGRAL_TYPE_P (TREE_TYPE (from)) && TYPE_PRECISION (TREE_TYPE (from)) <= TYPE_PRECISION (TREE_TYPE (value));
  return is_no_wider ? from : NULL_TREE;
}

/* The condition on entry under which VALUE, of TYPE or to be converted to it, is CODE than BOUND, which is known there,
   whenever block AT is reached; NULL_TREE: none is known.  */
static tree
always_of (const struct pg_plan *plan, tree value, tree type, enum tree_code code, tree bound, basic_block at)
{
  struct extent extent;
  tree from = TREE_TYPE (value);
  extent.holds = boolean_true_node;
  extent.is_none = boolean_false_node;
  if (!find_extent (plan, value, at, &extent))
    return NULL_TREE;
  tree holds = extent.holds;
  for (tree end : extent.ends)
    {
      /* Converted, a value is what it was, unless that changes its sign.  */
      if (TYPE_UNSIGNED (from) != TYPE_UNSIGNED (type))
	holds = both (holds, of_type (end, TYPE_UNSIGNED (from) ? signed_type_for (type) : unsigned_type_for (type)));
      holds = both (holds, fold_build2 (code, boolean_type_node, fold_convert (type, fold_convert (from, end)), bound));
    }
  return either (extent.is_none, holds);
}

tree
pg_always (const struct pg_plan *plan, tree value, enum tree_code code, tree bound, basic_block at)
{
  tree type = TREE_TYPE (value), from = converted_from (value);
  if (!INTEGRAL_TYPE_P (type) || TYPE_PRECISION (type) > 64
      || (code != LT_EXPR && code != LE_EXPR && code != GT_EXPR && code != GE_EXPR))
    return NULL_TREE;
  tree holds = always_of (plan, value, type, code, bound, at);
  return holds || !from ? holds : always_of (plan, from, type, code, bound, at);
}
