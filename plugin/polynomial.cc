/* SPDX-License-Identifier: GPL-3.0-or-later
   Polynomials in the leaves of a plan's entry expressions.  */

#include "polynomial.h"

/* Values are followed through so many statements.  */
static const unsigned max_steps = 8;

bool
pg_same_leaves_p (const struct pg_term &a, const struct pg_term &b)
{
  return a.n_leaves == b.n_leaves && !memcmp (a.leaves, b.leaves, a.n_leaves * sizeof *a.leaves);
}

HOST_WIDE_INT
pg_number_in (const struct pg_polynomial &sum, const struct pg_term &term)
{
  for (const struct pg_term &other : sum)
    if (pg_same_leaves_p (other, term))
      return other.number;
  return 0;
}

/* Add TERM to SUM.  */
static bool
add_term (struct pg_polynomial *sum, const struct pg_term &term)
{
  for (int i = 0; i < sum->n_terms; i++)
    if (pg_same_leaves_p (sum->terms[i], term))
      return !__builtin_add_overflow (sum->terms[i].number, term.number, &sum->terms[i].number);
  if (sum->n_terms == PG_MOST_TERMS)
    return false;
  sum->terms[sum->n_terms++] = term;
  return true;
}

/* Set PRODUCT to SIGN times A times B.  */
static bool
multiply (const struct pg_term &a, const struct pg_term &b, int sign, struct pg_term *product)
{
  product->n_leaves = a.n_leaves + b.n_leaves;
  if (product->n_leaves > PG_MOST_FACTORS || __builtin_mul_overflow (a.number, b.number, &product->number)
      || __builtin_mul_overflow (product->number, sign, &product->number))
    return false;
  memcpy (product->leaves, a.leaves, sizeof a.leaves);
  for (int i = 0; i < b.n_leaves; i++)
    {
      int at = a.n_leaves + i;
      for (; at > 0 && product->leaves[at - 1] > b.leaves[i]; at--)
	product->leaves[at] = product->leaves[at - 1];
      product->leaves[at] = b.leaves[i];
    }
  return true;
}

bool
pg_add_number (struct pg_polynomial *sum, HOST_WIDE_INT number)
{
  struct pg_term term = {};
  term.number = number;
  return add_term (sum, term);
}

bool
pg_add_product (struct pg_polynomial *sum, const struct pg_polynomial &a, const struct pg_polynomial &b, int sign)
{
  struct pg_term product;
  for (const struct pg_term &of_a : a)
    for (const struct pg_term &of_b : b)
      if (!multiply (of_a, of_b, sign, &product) || !add_term (sum, product))
	return false;
  return true;
}

bool
pg_add (struct pg_polynomial *sum, const struct pg_polynomial &a, int sign)
{
  static const struct pg_polynomial one = { 1, { { 1, 0, {} } } };
  return pg_add_product (sum, a, one, sign);
}

/* Add to SUM a leaf of its own.  */
static bool
add_leaf (struct pg_polynomial *sum, int leaf)
{
  struct pg_term term = { 1, 1, { leaf } };
  return add_term (sum, term);
}

/* Set SUM to A and B, put together by CODE.  */
static bool
combine (enum tree_code code, const struct pg_polynomial &a, const struct pg_polynomial &b, struct pg_polynomial *sum)
{
  sum->n_terms = 0;
  if (code == MULT_EXPR)
    return pg_add_product (sum, a, b, 1);
  return pg_add (sum, a, 1) && pg_add (sum, b, code == MINUS_EXPR ? -1 : 1);
}

/* Set SUM to VALUE, made in so many steps that are not looked at any more if DEPTH is great.  */
static bool
expand_value (tree value, unsigned depth, struct pg_polynomial *sum)
{
  sum->n_terms = 0;
  if (TREE_CODE (value) == INTEGER_CST)
    return pg_add_number (sum, sext_hwi (TREE_INT_CST_LOW (value), MIN (TYPE_PRECISION (TREE_TYPE (value)), 64)));
  gassign *def = TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : NULL;
  enum tree_code code = def ? gimple_assign_rhs_code (def) : ERROR_MARK;
  struct pg_polynomial a, b;
  if (depth < max_steps && (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR || code == POINTER_PLUS_EXPR)
      && expand_value (gimple_assign_rhs1 (def), depth + 1, &a)
      && expand_value (gimple_assign_rhs2 (def), depth + 1, &b) && combine (code, a, b, sum))
    return true;
  tree from = CONVERT_EXPR_CODE_P (code) ? gimple_assign_rhs1 (def) : NULL_TREE;
  if (from && INTEGRAL_TYPE_P (TREE_TYPE (from)) && INTEGRAL_TYPE_P (TREE_TYPE (value))
      && TYPE_PRECISION (TREE_TYPE (from)) <= TYPE_PRECISION (TREE_TYPE (value)))
    return expand_value (from, depth + 1, sum);
  sum->n_terms = 0;
  return TREE_CODE (value) == SSA_NAME && add_leaf (sum, SSA_NAME_VERSION (value));
}

bool
pg_expand (const struct pg_plan *plan, int index, bool all, struct pg_polynomial *sum)
{
  sum->n_terms = 0;
  if (index < 0)
    return true;
  const struct pg_plan_node &node = plan->nodes[index];
  struct pg_polynomial a, b;
  switch (node.op)
    {
    case PG_NODE_CONST:
      return pg_add_number (sum, node.value);
    case PG_NODE_ADD:
    case PG_NODE_SUB:
    case PG_NODE_MUL:
      return pg_expand (plan, node.a, all, &a) && pg_expand (plan, node.b, all, &b)
	     && combine (node.op == PG_NODE_ADD   ? PLUS_EXPR
			 : node.op == PG_NODE_SUB ? MINUS_EXPR
						  : MULT_EXPR,
			 a, b, sum);
    default:
      if (all && expand_value (node.leaf, 0, sum))
	return true;
      sum->n_terms = 0;
      return add_leaf (sum, num_ssa_names + index);
    }
}

bool
pg_number_p (const struct pg_polynomial &sum, HOST_WIDE_INT *number)
{
  *number = 0;
  for (const struct pg_term &term : sum)
    if (term.n_leaves == 0)
      *number = term.number;
    else if (term.number != 0)
      return false;
  return true;
}
