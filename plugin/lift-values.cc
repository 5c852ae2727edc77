/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: types, constants, and the values of operands.

   An integer type is the KIR type of its mode.  Where its precision is less (bool, bit-fields), the value is kept
   extended, so that loads, comparisons and conversions need not ask; what computes cuts and extends anew (pg_fit).  */

#include "lifting.h"

void
pg_lift_begin (struct pg_lifter *lifter, gimple *stmt)
{
  lifter->stmt = stmt;
  lifter->line = stmt && gimple_has_location (stmt) ? gimple_lineno (stmt) : 0;
}

pg_kir_value
pg_cannot (struct pg_lifter *lifter, enum pg_lift_reason why)
{
  if (lifter->reason != PG_LIFT_LIFTED)
    return 0;
  lifter->reason = why;
  if (dump_file && lifter->stmt)
    {
      fprintf (dump_file, "not lifted: ");
      print_gimple_stmt (dump_file, lifter->stmt, 0);
    }
  return 0;
}

enum pg_kir_type
pg_int_of_len (unsigned len)
{
  return len == 1 ? PG_KIR_I8 : len == 2 ? PG_KIR_I16 : len == 4 ? PG_KIR_I32 : PG_KIR_I64;
}

static bool
lift_int (struct pg_lifter *lifter, const_tree type, struct pg_lifted_type *lifted)
{
  unsigned precision = TYPE_PRECISION (type), bits = GET_MODE_BITSIZE (TYPE_MODE (type)).to_constant ();
  if (bits > 64)
    {
      pg_cannot (lifter, PG_LIFT_INT128);
      return false;
    }
  lifted->type = pg_int_of_len (bits / 8);
  lifted->precision = precision;
  lifted->is_unsigned = TYPE_UNSIGNED (type);
  return true;
}

bool
pg_lift_type (struct pg_lifter *lifter, const_tree type, struct pg_lifted_type *lifted)
{
  *lifted = {};
  if (VECTOR_TYPE_P (type))
    pg_cannot (lifter, PG_LIFT_VECTOR);
  else if (TREE_CODE (type) == COMPLEX_TYPE)
    {
      bool is_lifted = pg_lift_type (lifter, TREE_TYPE (type), lifted);
      lifted->is_complex = true;
      return is_lifted;
    }
  else if (POINTER_TYPE_P (type))
    {
      *lifted = { PG_KIR_PTR, 64, true, false };
      return true;
    }
  else if (INTEGRAL_TYPE_P (type) || TREE_CODE (type) == OFFSET_TYPE)
    return lift_int (lifter, type, lifted);
  else if (!SCALAR_FLOAT_TYPE_P (type))
    pg_cannot (lifter, PG_LIFT_AGGREGATE_COPY);
  else if (TYPE_MODE (type) != SFmode && TYPE_MODE (type) != DFmode)
    pg_cannot (lifter, PG_LIFT_WIDE_FLOAT);
  else
    {
      lifted->type = TYPE_MODE (type) == SFmode ? PG_KIR_F32 : PG_KIR_F64;
      lifted->precision = pg_kir_types[lifted->type].len * 8;
      return true;
    }
  return false;
}

pg_kir_value
pg_emit_many (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, int64_t number,
	      const pg_kir_value *operands, unsigned n_operands, const pg_kir_block_number *targets, unsigned n_targets)
{
  pg_kir_value value
    = pg_kir_add (lifter->kernel, lifter->block, op, type, number, operands, n_operands, targets, n_targets);
  if (value)
    lifter->kernel->instrs[value].line = lifter->line;
  else
    pg_cannot (lifter, PG_LIFT_TOO_LARGE);
  return value;
}

pg_kir_value
pg_emit (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, pg_kir_value a, pg_kir_value b)
{
  const pg_kir_value operands[] = { a, b };
  return pg_emit_many (lifter, op, type, 0, operands, (a != 0) + (b != 0), NULL, 0);
}

pg_kir_value
pg_emit_select (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value condition, pg_kir_value yes,
		pg_kir_value no)
{
  const pg_kir_value operands[] = { condition, yes, no };
  return pg_emit_many (lifter, PG_KIR_OP_SELECT, type, 0, operands, 3, NULL, 0);
}

pg_kir_value
pg_invariant (struct pg_lifter *lifter, enum pg_kir_op op, enum pg_kir_type type, int64_t number)
{
  for (const struct pg_kept &invariant : lifter->invariants)
    if (invariant.op == op && invariant.type == type && invariant.number == number)
      return invariant.value;
  struct pg_kept fresh = { op, type, number, pg_kir_add_simple (lifter->kernel, 0, op, type, number, 0, 0) };
  if (!fresh.value)
    pg_cannot (lifter, PG_LIFT_TOO_LARGE);
  lifter->invariants.safe_push (fresh);
  return fresh.value;
}

pg_kir_value
pg_constant (struct pg_lifter *lifter, enum pg_kir_type type, uint64_t bits)
{
  return pg_invariant (lifter, PG_KIR_OP_CONST, type, (int64_t) pg_kir_cut (type, bits));
}

pg_kir_value
pg_fit (struct pg_lifter *lifter, const struct pg_lifted_type *type, pg_kir_value value)
{
  unsigned bits = pg_kir_types[type->type].len * 8;
  if (pg_kir_types[type->type].kind != PG_KIR_KIND_INT || type->precision >= bits)
    return value;
  if (type->is_unsigned)
    return pg_emit (lifter, PG_KIR_OP_AND, type->type, value,
		    pg_constant (lifter, type->type, (HOST_WIDE_INT_1U << type->precision) - 1));
  pg_kir_value distance = pg_constant (lifter, type->type, bits - type->precision);
  return pg_emit (lifter, PG_KIR_OP_ASHR, type->type, pg_emit (lifter, PG_KIR_OP_SHL, type->type, value, distance),
		  distance);
}

/* True if each number of type FROM is one of type TO.  */
static bool
contains_p (const struct pg_lifted_type *to, const struct pg_lifted_type *from)
{
  if (to->is_unsigned == from->is_unsigned)
    return from->precision <= to->precision;
  return from->is_unsigned && from->precision < to->precision;
}

pg_kir_value
pg_convert_int (struct pg_lifter *lifter, const struct pg_lifted_type *to, const struct pg_lifted_type *from,
		pg_kir_value value)
{
  if (to->type == from->type && contains_p (to, from))
    return value;
  enum pg_kir_type number = from->type, result = to->type;
  if (number == PG_KIR_PTR)
    value = pg_emit (lifter, PG_KIR_OP_BITS, number = PG_KIR_I64, value);
  if (result == PG_KIR_PTR)
    result = PG_KIR_I64;
  unsigned len = pg_kir_types[result].len, old_len = pg_kir_types[number].len;
  if (len < old_len)
    value = pg_emit (lifter, PG_KIR_OP_TRUNC, result, value);
  else if (len > old_len)
    value = pg_emit (lifter, from->is_unsigned ? PG_KIR_OP_ZEXT : PG_KIR_OP_SEXT, result, value);
  if (to->type == PG_KIR_PTR)
    return pg_emit (lifter, PG_KIR_OP_BITS, PG_KIR_PTR, value);
  return contains_p (to, from) ? value : pg_fit (lifter, to, value);
}

pg_kir_value
pg_bytes (struct pg_lifter *lifter, const_tree type, pg_kir_value value)
{
  static const struct pg_lifted_type bytes = { PG_KIR_I64, 64, false, false };
  struct pg_lifted_type from;
  return pg_lift_type (lifter, type, &from) ? pg_convert_int (lifter, &bytes, &from, value) : 0;
}

/* The constant NUMBER, of the part TYPE.  */
static pg_kir_value
constant_part (struct pg_lifter *lifter, const struct pg_lifted_type *type, const_tree number)
{
  if (TREE_CODE (number) == INTEGER_CST)
    return pg_constant (lifter, type->type, TREE_INT_CST_LOW (number));
  long words[4] = {};
  bool is_double = type->type == PG_KIR_F64;
  real_to_target (words, TREE_REAL_CST_PTR (number), is_double ? DFmode : SFmode);
  uint64_t low = (uint32_t) words[0], high = (uint32_t) words[1];
  return pg_constant (lifter, type->type, is_double ? high << 32 | low : low);
}

static struct pg_lifted
constant (struct pg_lifter *lifter, tree number)
{
  struct pg_lifted_type type;
  struct pg_lifted value = {};
  if (!pg_lift_type (lifter, TREE_TYPE (number), &type))
    return value;
  bool is_complex = TREE_CODE (number) == COMPLEX_CST;
  value.real = constant_part (lifter, &type, is_complex ? TREE_REALPART (number) : number);
  if (is_complex)
    value.imaginary = constant_part (lifter, &type, TREE_IMAGPART (number));
  return value;
}

/* The value that NAME has on entry of F: that of the parameter LO is the iteration, that of an uninitialised variable
   is 0.  */
static struct pg_lifted
entry_value (struct pg_lifter *lifter, tree name)
{
  struct pg_lifted value = {};
  struct pg_lifted_type type;
  tree variable = SSA_NAME_VAR (name);
  if (variable && TREE_CODE (variable) == PARM_DECL)
    {
      if (variable == DECL_CHAIN (DECL_ARGUMENTS (cfun->decl)))
	value.real = pg_invariant (lifter, PG_KIR_OP_ITER, PG_KIR_I64, 0);
    }
  else if (pg_lift_type (lifter, TREE_TYPE (name), &type))
    {
      value.real = pg_constant (lifter, type.type, 0);
      value.imaginary = type.is_complex ? value.real : 0;
    }
  return value;
}

struct pg_lifted
pg_value_of (struct pg_lifter *lifter, tree operand)
{
  struct pg_lifted value = {};
  switch (TREE_CODE (operand))
    {
    case SSA_NAME:
      if (SSA_NAME_IS_DEFAULT_DEF (operand))
	return entry_value (lifter, operand);
      if (SSA_NAME_VERSION (operand) < lifter->values.length ())
	return lifter->values[SSA_NAME_VERSION (operand)];
      return value;
    case INTEGER_CST:
    case REAL_CST:
    case COMPLEX_CST:
      return constant (lifter, operand);
    case ADDR_EXPR:
      value.real = pg_address_of (lifter, TREE_OPERAND (operand, 0));
      return value;
    default:
      break;
    }
  if (UNARY_CLASS_P (operand))
    {
      tree a = TREE_OPERAND (operand, 0);
      return pg_unary (lifter, TREE_CODE (operand), TREE_TYPE (operand), TREE_TYPE (a), pg_value_of (lifter, a));
    }
  if (BINARY_CLASS_P (operand) || COMPARISON_CLASS_P (operand))
    {
      tree a = TREE_OPERAND (operand, 0), b = TREE_OPERAND (operand, 1);
      struct pg_lifted first = pg_value_of (lifter, a), second = pg_value_of (lifter, b);
      return pg_binary (lifter, TREE_CODE (operand), TREE_TYPE (operand), TREE_TYPE (a), first, TREE_TYPE (b), second);
    }
  pg_cannot (lifter, PG_LIFT_OPERATION);
  return value;
}

pg_kir_value
pg_scalar_of (struct pg_lifter *lifter, tree operand)
{
  return pg_value_of (lifter, operand).real;
}

void
pg_set_value (struct pg_lifter *lifter, const_tree name, struct pg_lifted value)
{
  lifter->values[SSA_NAME_VERSION (name)] = value;
}

bool
pg_args_p (tree name)
{
  while (TREE_CODE (name) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF (name)
	 && gimple_assign_ssa_name_copy_p (SSA_NAME_DEF_STMT (name)))
    name = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (name));
  return TREE_CODE (name) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF (name)
	 && SSA_NAME_VAR (name) == DECL_ARGUMENTS (cfun->decl);
}
