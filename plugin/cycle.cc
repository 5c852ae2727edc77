/* SPDX-License-Identifier: GPL-3.0-or-later
   Cycles.  See cycle.h.  */

#include "cycle.h"

static bool
reduction_op (enum tree_code code, enum pg_reduction_op *op)
{
  switch (code)
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case POINTER_PLUS_EXPR:
      *op = PG_REDUCE_ADD;
      return true;
    case MULT_EXPR:
      *op = PG_REDUCE_MUL;
      return true;
    case BIT_AND_EXPR:
      *op = PG_REDUCE_AND;
      return true;
    case BIT_IOR_EXPR:
      *op = PG_REDUCE_OR;
      return true;
    case BIT_XOR_EXPR:
      *op = PG_REDUCE_XOR;
      return true;
    case MIN_EXPR:
      *op = PG_REDUCE_MIN;
      return true;
    case MAX_EXPR:
      *op = PG_REDUCE_MAX;
      return true;
    default:
      return false;
    }
}

/* True if the value of the operation STMT continues the cycle through exactly one operand.  */
static bool
operation_continues (struct pg_cycle *c, gassign *stmt)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  if (CONVERT_EXPR_CODE_P (code))
    {
      tree from = TREE_TYPE (gimple_assign_rhs1 (stmt));
      return INTEGRAL_TYPE_P (type) && INTEGRAL_TYPE_P (from) && TYPE_PRECISION (type) == TYPE_PRECISION (from)
	     && pg_cycle_reaches (c, gimple_assign_rhs1 (stmt));
    }
  if (code == SSA_NAME)
    return pg_cycle_reaches (c, gimple_assign_rhs1 (stmt));

  enum pg_reduction_op op;
  if (!reduction_op (code, &op) || (c->seen_op && op != c->op))
    return false;
  c->seen_op = true;
  c->op = op;
  if (INTEGRAL_TYPE_P (type))
    c->operations.safe_push (stmt);
  tree first = gimple_assign_rhs1 (stmt), second = gimple_assign_rhs2 (stmt);
  if (first == second)
    return false;
  return pg_cycle_reaches (c, first)
	 || (code != MINUS_EXPR && code != POINTER_PLUS_EXPR && pg_cycle_reaches (c, second));
}

bool
pg_cycle_reaches (struct pg_cycle *c, tree value)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
    return false;
  if (c->names.contains (value))
    return true;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (SSA_NAME_IS_DEFAULT_DEF (value) || !flow_bb_inside_loop_p (c->plan->loop, gimple_bb (def)))
    return false;
  if (c->names.length () > 64)
    return false;
  unsigned mark = c->names.length ();
  c->names.safe_push (value);
  bool ok = false;
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      ok = true;
      for (unsigned i = 0; ok && i < gimple_phi_num_args (phi); i++)
	ok = pg_cycle_reaches (c, gimple_phi_arg_def (phi, i));
    }
  else if (gassign *assign = dyn_cast<gassign *> (def))
    ok = operation_continues (c, assign);
  if (!ok)
    c->names.truncate (mark);
  return ok;
}

bool
pg_cycle_doubles_p (const struct pg_cycle *c, tree name)
{
  gassign *def = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (name));
  return def && gimple_num_ops (def) == 3 && c->names.contains (gimple_assign_rhs1 (def))
	 && c->names.contains (gimple_assign_rhs2 (def));
}

bool
pg_cycle_orders_p (const struct pg_cycle *c)
{
  return c->op == PG_REDUCE_MIN || c->op == PG_REDUCE_MAX;
}

bool
pg_cycle_suits_type_p (const struct pg_cycle *c, const_tree type)
{
  if (TREE_CODE (type) == BOOLEAN_TYPE && c->op != PG_REDUCE_OR && c->op != PG_REDUCE_XOR)
    return false;
  for (unsigned i = 0; pg_cycle_orders_p (c) && i < c->names.length (); i++)
    if (TYPE_UNSIGNED (TREE_TYPE (c->names[i])) != TYPE_UNSIGNED (type))
      return false;
  return true;
}
