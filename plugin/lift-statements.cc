/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: statements.  */

#include "products.h"
#include "rounding.h"
#include "lifting.h"
#include "rehearse.h"

/* The condition OPERAND of a COND_EXPR, a value or a comparison, as an i8.  */
static pg_kir_value
condition_of (struct pg_lifter *lifter, tree operand)
{
  static const struct pg_lifted_type condition = { PG_KIR_I8, 8, true, false };
  struct pg_lifted_type type;
  if (COMPARISON_CLASS_P (operand))
    return pg_compare (lifter, TREE_CODE (operand), TREE_TYPE (TREE_OPERAND (operand, 0)),
		       pg_scalar_of (lifter, TREE_OPERAND (operand, 0)),
		       pg_scalar_of (lifter, TREE_OPERAND (operand, 1)));
  if (!pg_lift_type (lifter, TREE_TYPE (operand), &type))
    return 0;
  return pg_convert_int (lifter, &condition, &type, pg_scalar_of (lifter, operand));
}

/* LHS = OPERANDS[0] ? OPERANDS[1] : OPERANDS[2]  */
static struct pg_lifted
select (struct pg_lifter *lifter, gimple *stmt)
{
  struct pg_lifted result = {};
  struct pg_lifted_type type;
  if (!pg_lift_type (lifter, TREE_TYPE (gimple_assign_lhs (stmt)), &type))
    return result;
  pg_kir_value condition = condition_of (lifter, gimple_assign_rhs1 (stmt));
  struct pg_lifted yes = pg_value_of (lifter, gimple_assign_rhs2 (stmt));
  struct pg_lifted no = pg_value_of (lifter, gimple_assign_rhs3 (stmt));
  result.real = pg_emit_select (lifter, type.type, condition, yes.real, no.real);
  if (type.is_complex)
    result.imaginary = pg_emit_select (lifter, type.type, condition, yes.imaginary, no.imaginary);
  return result;
}

/* The bits that REFERENCE, a BIT_FIELD_REF, takes of a register.  */
static struct pg_lifted
extract (struct pg_lifter *lifter, tree reference)
{
  struct pg_lifted result = {};
  tree whole = TREE_OPERAND (reference, 0);
  struct pg_lifted_type type, from;
  if (!pg_lift_type (lifter, TREE_TYPE (reference), &type) || !pg_lift_type (lifter, TREE_TYPE (whole), &from))
    return result;
  if (pg_kir_types[from.type].kind != PG_KIR_KIND_INT || pg_kir_types[type.type].kind != PG_KIR_KIND_INT
      || from.is_complex)
    {
      pg_cannot (lifter, PG_LIFT_OPERATION);
      return result;
    }
  struct pg_lifted_type wide = { type.type, pg_kir_types[type.type].len * 8, true, false };
  from.is_unsigned = true;
  result.real = pg_emit (lifter, PG_KIR_OP_LSHR, from.type, pg_scalar_of (lifter, whole),
			 pg_constant (lifter, from.type, tree_to_uhwi (TREE_OPERAND (reference, 2))));
  result.real = pg_convert_int (lifter, &wide, &from, result.real);
  type.precision = tree_to_uhwi (TREE_OPERAND (reference, 1));
  result.real = pg_fit (lifter, &type, result.real);
  return result;
}

/* True if REFERENCE is memory, an element of a string included.  */
static bool
memory_p (gimple *stmt, tree reference)
{
  if (gimple_assign_load_p (stmt))
    return true;
  return handled_component_p (reference) && TREE_CODE (get_base_address (reference)) == STRING_CST;
}

/* VALUE, or what it is the negation of; then *IS_NEGATIVE changes.  */
static tree
without_sign (tree value, bool *is_negative)
{
  gimple *def = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  if (!def || !is_gimple_assign (def) || gimple_assign_rhs_code (def) != NEGATE_EXPR)
    return value;
  *is_negative = !*is_negative;
  return gimple_assign_rhs1 (def);
}

/* OPERAND of type TYPE, or its negation.  */
static pg_kir_value
signed_operand (struct pg_lifter *lifter, enum pg_kir_type type, tree operand, bool is_negative)
{
  pg_kir_value value = pg_scalar_of (lifter, operand);
  return is_negative ? pg_emit (lifter, PG_KIR_OP_FNEG, type, value) : value;
}

/* What SUM computes if it takes in what it adds as number I, 1 or 2; 0 if that is no product.  */
static pg_kir_value
lift_fused (struct pg_lifter *lifter, gimple *sum, unsigned i)
{
  struct pg_lifted_type type;
  if (!pg_target_fuses_p (pg_strip_negation (gimple_op (sum, i)))
      || !pg_lift_type (lifter, TREE_TYPE (gimple_assign_lhs (sum)), &type))
    return 0;
  bool is_difference = gimple_assign_rhs_code (sum) == MINUS_EXPR, is_negative = is_difference && i == 2;
  gimple *def = SSA_NAME_DEF_STMT (without_sign (gimple_op (sum, i), &is_negative));
  const pg_kir_value operands[] = {
    signed_operand (lifter, type.type, gimple_assign_rhs1 (def), is_negative),
    pg_scalar_of (lifter, gimple_assign_rhs2 (def)),
    signed_operand (lifter, type.type, gimple_op (sum, 3 - i), is_difference && i == 1),
  };
  return pg_emit_many (lifter, PG_KIR_OP_FMA, type.type, 0, operands, 3, NULL, 0);
}

/* What STMT computes, which has two operands.  */
static struct pg_lifted
lift_binary (struct pg_lifter *lifter, gimple *stmt)
{
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  struct pg_lifted first = pg_value_of (lifter, a), second = pg_value_of (lifter, b);
  return pg_binary (lifter, gimple_assign_rhs_code (stmt), TREE_TYPE (gimple_assign_lhs (stmt)), TREE_TYPE (a), first,
		    TREE_TYPE (b), second);
}

/* What SUM, of floating-point numbers, computes, taking in what the original does.  */
static struct pg_lifted
lift_sum (struct pg_lifter *lifter, gimple *sum)
{
  struct pg_rounded rounded = pg_rounding_of (sum);
  if (pg_rehearsal_open_p ())
    {
      struct pg_lifted apart = lift_binary (lifter, sum);
      struct pg_open_sum open = { rounded, apart.real, { lift_fused (lifter, sum, 1), lift_fused (lifter, sum, 2) } };
      lifter->open->safe_push (open);
      return apart;
    }
  int taken = pg_rounding_taken_in (&rounded);
  if (taken < 0)
    pg_cannot (lifter, PG_LIFT_CONTRACTION);
  if (taken <= 0)
    return lift_binary (lifter, sum);
  struct pg_lifted fused = { lift_fused (lifter, sum, taken), 0 };
  return fused;
}

/* What STMT, an assignment to a register, computes.  */
static struct pg_lifted
computed (struct pg_lifter *lifter, gimple *stmt)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt)), a = gimple_assign_rhs1 (stmt);
  if (memory_p (stmt, a))
    return pg_load (lifter, stmt, a);
  if (code == BIT_FIELD_REF)
    return extract (lifter, a);
  if (code == REALPART_EXPR || code == IMAGPART_EXPR || code == VIEW_CONVERT_EXPR)
    {
      tree operand = TREE_OPERAND (a, 0);
      return pg_unary (lifter, code, type, TREE_TYPE (operand), pg_value_of (lifter, operand));
    }
  switch (gimple_assign_rhs_class (stmt))
    {
    case GIMPLE_SINGLE_RHS:
      return pg_value_of (lifter, a);
    case GIMPLE_UNARY_RHS:
      return pg_unary (lifter, code, type, TREE_TYPE (a), pg_value_of (lifter, a));
    case GIMPLE_BINARY_RHS:
      return pg_sum_p (stmt) && FLOAT_TYPE_P (type) ? lift_sum (lifter, stmt) : lift_binary (lifter, stmt);
    default:
      if (code == COND_EXPR)
	return select (lifter, stmt);
      pg_cannot (lifter, PG_LIFT_OPERATION);
      return {};
    }
}

static void
lift_assign (struct pg_lifter *lifter, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_clobber_p (stmt))
    return;
  if (TREE_CODE (lhs) != SSA_NAME)
    {
      if (is_gimple_reg_type (TREE_TYPE (lhs)) && is_gimple_val (gimple_assign_rhs1 (stmt)))
	pg_store (lifter, stmt, lhs, gimple_assign_rhs1 (stmt));
      else
	pg_copy (lifter, stmt, lhs, gimple_assign_rhs1 (stmt));
    }
  else if (!(gimple_assign_ssa_name_copy_p (stmt) && pg_args_p (lhs)))
    pg_set_value (lifter, lhs, computed (lifter, stmt));
}

void
pg_lift_statement (struct pg_lifter *lifter, gimple *stmt)
{
  pg_lift_begin (lifter, stmt);
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      lift_assign (lifter, stmt);
      break;
    case GIMPLE_CALL:
      pg_lift_call (lifter, as_a<gcall *> (stmt));
      break;
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
      break;
    default:
      pg_cannot (lifter, PG_LIFT_OPERATION);
    }
}
