/* SPDX-License-Identifier: GPL-3.0-or-later
   Entry expressions ("nodes"), each once, and linear forms made of them.  See nodes.h.  */

#include "nodes.h"

struct pg_plan_linear
pg_linear_zero (void)
{
  struct pg_plan_linear zero;
  zero.base = -1;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    zero.coef[d] = -1;
  return zero;
}

bool
pg_linear_equal (const struct pg_plan_linear *a, const struct pg_plan_linear *b)
{
  bool equal = a->base == b->base;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    equal &= a->coef[d] == b->coef[d];
  return equal;
}

/* Nodes are unique: equal expressions have equal indexes, so that equal references can be recognised.  */
int
pg_node_add (struct pg_plan *plan, enum pg_node_op op, int a, int b, HOST_WIDE_INT value, tree leaf)
{
  for (unsigned i = 0; i < plan->nodes.length (); i++)
    {
      const struct pg_plan_node *node = &plan->nodes[i];
      if (node->op == op && node->a == a && node->b == b && node->value == value
	  && (node->leaf == leaf || (node->leaf && leaf && operand_equal_p (node->leaf, leaf, 0))))
	return i;
    }
  struct pg_plan_node node = { op, a, b, value, leaf };
  plan->nodes.safe_push (node);
  return plan->nodes.length () - 1;
}

int
pg_node_constant (struct pg_plan *plan, HOST_WIDE_INT value)
{
  return value == 0 ? -1 : pg_node_add (plan, PG_NODE_CONST, 0, 0, value, NULL_TREE);
}

bool
pg_node_value (const struct pg_plan *plan, int index, HOST_WIDE_INT *value)
{
  if (index < 0)
    {
      *value = 0;
      return true;
    }
  *value = plan->nodes[index].value;
  return plan->nodes[index].op == PG_NODE_CONST;
}

int
pg_node_split (const struct pg_plan *plan, int index, HOST_WIDE_INT *constant)
{
  if (pg_node_value (plan, index, constant))
    return -1;
  *constant = 0;
  const struct pg_plan_node *node = &plan->nodes[index];
  HOST_WIDE_INT value;
  if (node->op == PG_NODE_ADD && pg_node_value (plan, node->a, &value))
    {
      *constant = value;
      return node->b;
    }
  if (node->op == PG_NODE_ADD && pg_node_value (plan, node->b, &value))
    {
      *constant = value;
      return node->a;
    }
  return index;
}

/* Node INDEX plus VALUE.  */
int
pg_node_plus (struct pg_plan *plan, int index, HOST_WIDE_INT value)
{
  int constant = pg_node_constant (plan, value);
  return index < 0 ? constant : constant < 0 ? index : pg_node_add (plan, PG_NODE_ADD, index, constant, 0, NULL_TREE);
}

/* What OP makes of nodes A and B.  Constants come last in sums, so that sums that differ by a constant are
   recognised.  */
int
pg_node_binary (struct pg_plan *plan, enum pg_node_op op, int a, int b)
{
  HOST_WIDE_INT x, y, result;
  if (pg_node_value (plan, a, &x) && pg_node_value (plan, b, &y))
    {
      bool overflow = op == PG_NODE_ADD   ? __builtin_add_overflow (x, y, &result)
		      : op == PG_NODE_SUB ? __builtin_sub_overflow (x, y, &result)
					  : __builtin_mul_overflow (x, y, &result);
      if (!overflow)
	return pg_node_constant (plan, result);
    }
  if (op == PG_NODE_MUL)
    {
      if (a < 0 || b < 0)
	return -1;
      if (pg_node_value (plan, a, &x) && x == 1)
	return b;
      if (pg_node_value (plan, b, &y) && y == 1)
	return a;
    }
  else if (b < 0)
    return a;
  else if (a < 0 && op == PG_NODE_ADD)
    return b;
  int rest_a = pg_node_split (plan, a, &x), rest_b = pg_node_split (plan, b, &y);
  if (op == PG_NODE_MUL)
    {
      if ((rest_a < 0 || rest_b < 0) && (rest_a >= 0 ? x : y) && !__builtin_mul_overflow (x, y, &result))
	return pg_node_plus (plan, pg_node_binary (plan, op, rest_a < 0 ? a : rest_a, rest_a < 0 ? rest_b : b), result);
    }
  else if ((x || y) && (rest_a >= 0 || op == PG_NODE_ADD)
	   && !(op == PG_NODE_ADD ? __builtin_add_overflow (x, y, &result) : __builtin_sub_overflow (x, y, &result)))
    return pg_node_plus (plan, pg_node_binary (plan, op, rest_a, rest_b), result);
  /* The table has no operand "zero".  */
  if (a < 0)
    a = pg_node_add (plan, PG_NODE_CONST, 0, 0, 0, NULL_TREE);
  if (op != PG_NODE_SUB && a > b)
    std::swap (a, b);
  return pg_node_add (plan, op, a, b, 0, NULL_TREE);
}

int
pg_node_of_invariant (struct pg_plan *plan, tree value)
{
  return pg_node_add (plan, PG_NODE_ARG, 0, 0, 0, value);
}

struct pg_plan_linear
pg_linear_binary (struct pg_plan *plan, enum pg_node_op op, const struct pg_plan_linear &a,
		  const struct pg_plan_linear &b)
{
  struct pg_plan_linear out;
  out.base = pg_node_binary (plan, op, a.base, b.base);
  for (int d = 0; d < PG_MAX_DIMS; d++)
    out.coef[d] = pg_node_binary (plan, op, a.coef[d], b.coef[d]);
  return out;
}

struct pg_plan_linear
pg_linear_scale (struct pg_plan *plan, const struct pg_plan_linear &a, int factor)
{
  struct pg_plan_linear out;
  out.base = pg_node_binary (plan, PG_NODE_MUL, a.base, factor);
  for (int d = 0; d < PG_MAX_DIMS; d++)
    out.coef[d] = pg_node_binary (plan, PG_NODE_MUL, a.coef[d], factor);
  return out;
}

struct pg_plan_linear
pg_linear_before (struct pg_plan *plan, const struct pg_plan_linear *a, unsigned n)
{
  struct pg_plan_linear out = *a;
  int distance = pg_node_binary (plan, PG_NODE_MUL, a->coef[0], pg_node_constant (plan, n));
  out.base = pg_node_binary (plan, PG_NODE_SUB, a->base, distance);
  return out;
}

bool
pg_linear_invariant_p (const struct pg_plan_linear &a)
{
  for (int d = 0; d < PG_MAX_DIMS; d++)
    if (a.coef[d] >= 0)
      return false;
  return true;
}

bool
pg_linear_constant (const struct pg_plan *plan, const struct pg_plan_linear *a, HOST_WIDE_INT *value)
{
  return pg_linear_invariant_p (*a) && pg_node_value (plan, a->base, value);
}
