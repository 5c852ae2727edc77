/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: what operations compute.

   KIR's integers are modulo their size, which is one of the things that GIMPLE's may do where they are not, so signed
   and unsigned arithmetic are the same, but for division, shifts to the right, comparisons and conversions.  What GCC
   knows not to wrap says so, for those that compile the kernel.  */

#include "lifting.h"

/* The operation of KIR that is CODE of integers; PG_KIR_N_OPS: none, or one of another shape.  NEVER_WRAPS: what does
   not fit the type is of no use.  */
static enum pg_kir_op
int_op (enum tree_code code, bool is_unsigned, bool never_wraps)
{
  switch (code)
    {
    case PLUS_EXPR:
      return never_wraps ? PG_KIR_OP_ADD_NW : PG_KIR_OP_ADD;
    case MINUS_EXPR:
      return never_wraps ? PG_KIR_OP_SUB_NW : PG_KIR_OP_SUB;
    case MULT_EXPR:
      return never_wraps ? PG_KIR_OP_MUL_NW : PG_KIR_OP_MUL;
    case TRUNC_DIV_EXPR:
    case EXACT_DIV_EXPR:
      return is_unsigned ? PG_KIR_OP_UDIV : PG_KIR_OP_SDIV;
    case TRUNC_MOD_EXPR:
      return is_unsigned ? PG_KIR_OP_UREM : PG_KIR_OP_SREM;
    case BIT_AND_EXPR:
    case TRUTH_AND_EXPR:
      return PG_KIR_OP_AND;
    case BIT_IOR_EXPR:
    case TRUTH_OR_EXPR:
      return PG_KIR_OP_OR;
    case BIT_XOR_EXPR:
    case TRUTH_XOR_EXPR:
      return PG_KIR_OP_XOR;
    case MIN_EXPR:
      return is_unsigned ? PG_KIR_OP_UMIN : PG_KIR_OP_SMIN;
    case MAX_EXPR:
      return is_unsigned ? PG_KIR_OP_UMAX : PG_KIR_OP_SMAX;
    default:
      return PG_KIR_N_OPS;
    }
}

static enum pg_kir_op
float_op (enum tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
      return PG_KIR_OP_FADD;
    case MINUS_EXPR:
      return PG_KIR_OP_FSUB;
    case MULT_EXPR:
      return PG_KIR_OP_FMUL;
    case RDIV_EXPR:
      return PG_KIR_OP_FDIV;
    default:
      return PG_KIR_N_OPS;
    }
}

/* 1 where VALUE, an i8, is 0, and 0 where it is 1.  */
static pg_kir_value
negate_condition (struct pg_lifter *lifter, pg_kir_value value)
{
  return pg_emit (lifter, PG_KIR_OP_XOR, PG_KIR_I8, value, pg_constant (lifter, PG_KIR_I8, 1));
}

/* The comparison of floats that holds where CODE does not; ERROR_MARK: KIR has CODE itself.  */
static enum tree_code
opposite (enum tree_code code)
{
  switch (code)
    {
    case ORDERED_EXPR:
      return UNORDERED_EXPR;
    case UNLT_EXPR:
      return GE_EXPR;
    case UNLE_EXPR:
      return GT_EXPR;
    case UNGT_EXPR:
      return LE_EXPR;
    case UNGE_EXPR:
      return LT_EXPR;
    case UNEQ_EXPR:
      return LTGT_EXPR;
    default:
      return ERROR_MARK;
    }
}

static pg_kir_value
compare_floats (struct pg_lifter *lifter, enum tree_code code, pg_kir_value a, pg_kir_value b)
{
  switch (code)
    {
    case EQ_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FEQ, PG_KIR_I8, a, b);
    case NE_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FNE, PG_KIR_I8, a, b);
    case LT_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FLT, PG_KIR_I8, a, b);
    case LE_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FLE, PG_KIR_I8, a, b);
    case GT_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FLT, PG_KIR_I8, b, a);
    case GE_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FLE, PG_KIR_I8, b, a);
    case UNORDERED_EXPR:
      return pg_emit (lifter, PG_KIR_OP_FUNO, PG_KIR_I8, a, b);
    case LTGT_EXPR:
      return pg_emit (lifter, PG_KIR_OP_OR, PG_KIR_I8, compare_floats (lifter, LT_EXPR, a, b),
		      compare_floats (lifter, GT_EXPR, a, b));
    default:
      break;
    }
  return opposite (code) == ERROR_MARK ? pg_cannot (lifter, PG_LIFT_OPERATION)
				       : negate_condition (lifter, compare_floats (lifter, opposite (code), a, b));
}

static pg_kir_value
compare_ints (struct pg_lifter *lifter, enum tree_code code, bool is_unsigned, pg_kir_value a, pg_kir_value b)
{
  enum pg_kir_op less = is_unsigned ? PG_KIR_OP_ULT : PG_KIR_OP_SLT;
  enum pg_kir_op at_most = is_unsigned ? PG_KIR_OP_ULE : PG_KIR_OP_SLE;
  switch (code)
    {
    case EQ_EXPR:
      return pg_emit (lifter, PG_KIR_OP_EQ, PG_KIR_I8, a, b);
    case NE_EXPR:
      return pg_emit (lifter, PG_KIR_OP_NE, PG_KIR_I8, a, b);
    case LT_EXPR:
      return pg_emit (lifter, less, PG_KIR_I8, a, b);
    case LE_EXPR:
      return pg_emit (lifter, at_most, PG_KIR_I8, a, b);
    case GT_EXPR:
      return pg_emit (lifter, less, PG_KIR_I8, b, a);
    case GE_EXPR:
      return pg_emit (lifter, at_most, PG_KIR_I8, b, a);
    default:
      return pg_cannot (lifter, PG_LIFT_OPERATION);
    }
}

pg_kir_value
pg_compare (struct pg_lifter *lifter, enum tree_code code, tree type, pg_kir_value a, pg_kir_value b)
{
  struct pg_lifted_type operand;
  if (!pg_lift_type (lifter, type, &operand))
    return 0;
  if (operand.is_complex)
    return pg_cannot (lifter, PG_LIFT_OPERATION);
  return pg_kir_types[operand.type].kind == PG_KIR_KIND_FLOAT ? compare_floats (lifter, code, a, b)
							      : compare_ints (lifter, code, operand.is_unsigned, a, b);
}

/* A division of integers of TYPE, A by B, that rounds down or up, or its remainder.  */
static pg_kir_value
divide (struct pg_lifter *lifter, enum tree_code code, const struct pg_lifted_type *type, pg_kir_value a,
	pg_kir_value b)
{
  enum pg_kir_type t = type->type;
  bool is_up = code == CEIL_DIV_EXPR || code == CEIL_MOD_EXPR;
  bool is_rest = code == FLOOR_MOD_EXPR || code == CEIL_MOD_EXPR;
  pg_kir_value quotient = pg_emit (lifter, type->is_unsigned ? PG_KIR_OP_UDIV : PG_KIR_OP_SDIV, t, a, b);
  pg_kir_value rest = pg_emit (lifter, PG_KIR_OP_SUB, t, a, pg_emit (lifter, PG_KIR_OP_MUL, t, quotient, b));
  pg_kir_value zero = pg_constant (lifter, t, 0);
  pg_kir_value is_odd = pg_emit (lifter, PG_KIR_OP_NE, PG_KIR_I8, rest, zero);
  pg_kir_value differ = pg_constant (lifter, PG_KIR_I8, 0); /* the signs of quotient and rounding */
  if (!type->is_unsigned)
    differ = pg_emit (lifter, PG_KIR_OP_SLT, PG_KIR_I8, pg_emit (lifter, PG_KIR_OP_XOR, t, rest, b), zero);
  if (is_up)
    differ = negate_condition (lifter, differ);
  pg_kir_value is_next = pg_emit (lifter, PG_KIR_OP_AND, PG_KIR_I8, is_odd, differ);
  pg_kir_value next
    = is_rest ? pg_emit (lifter, is_up ? PG_KIR_OP_SUB : PG_KIR_OP_ADD, t, rest, b)
	      : pg_emit (lifter, is_up ? PG_KIR_OP_ADD : PG_KIR_OP_SUB, t, quotient, pg_constant (lifter, t, 1));
  return pg_emit_select (lifter, t, is_next, next, is_rest ? rest : quotient);
}

/* A shift or rotation of A, of TYPE, by B, of TYPE_B.  */
static pg_kir_value
shift (struct pg_lifter *lifter, enum tree_code code, const struct pg_lifted_type *type, pg_kir_value a, tree type_b,
       pg_kir_value b)
{
  enum pg_kir_type t = type->type;
  struct pg_lifted_type count;
  if (!pg_lift_type (lifter, type_b, &count))
    return 0;
  b = pg_convert_int (lifter, type, &count, b);
  if (code == LSHIFT_EXPR)
    return pg_emit (lifter, PG_KIR_OP_SHL, t, a, b);
  if (code == RSHIFT_EXPR)
    return pg_emit (lifter, type->is_unsigned ? PG_KIR_OP_LSHR : PG_KIR_OP_ASHR, t, a, b);
  if (type->precision != pg_kir_types[t].len * 8)
    return pg_cannot (lifter, PG_LIFT_OPERATION);
  pg_kir_value back = pg_emit (lifter, PG_KIR_OP_SUB, t, pg_constant (lifter, t, 0), b);
  bool is_left = code == LROTATE_EXPR;
  return pg_emit (lifter, PG_KIR_OP_OR, t, pg_emit (lifter, PG_KIR_OP_SHL, t, a, is_left ? b : back),
		  pg_emit (lifter, PG_KIR_OP_LSHR, t, a, is_left ? back : b));
}

/* Pointers are computed with as integers: the difference of two, alignment by masks.  */
static pg_kir_value
compute_ints (struct pg_lifter *lifter, enum tree_code code, const struct pg_lifted_type *type, pg_kir_value a,
	      tree type_b, pg_kir_value b)
{
  switch (code)
    {
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    case LROTATE_EXPR:
    case RROTATE_EXPR:
      return shift (lifter, code, type, a, type_b, b);
    case FLOOR_DIV_EXPR:
    case CEIL_DIV_EXPR:
    case FLOOR_MOD_EXPR:
    case CEIL_MOD_EXPR:
      return divide (lifter, code, type, a, b);
    default:
      break;
    }
  bool never_wraps = INTEGRAL_TYPE_P (type_b) && TYPE_OVERFLOW_UNDEFINED (type_b);
  enum pg_kir_op op = int_op (code, type->is_unsigned, never_wraps);
  return op == PG_KIR_N_OPS ? pg_cannot (lifter, PG_LIFT_OPERATION) : pg_emit (lifter, op, type->type, a, b);
}

/* MIN_EXPR and MAX_EXPR leave open what becomes of NaNs and zeros: as the host's instructions do it.  */
static pg_kir_value
compute_floats (struct pg_lifter *lifter, enum tree_code code, enum pg_kir_type type, pg_kir_value a, pg_kir_value b)
{
  if (code == MIN_EXPR)
    return pg_emit_select (lifter, type, pg_emit (lifter, PG_KIR_OP_FLT, PG_KIR_I8, a, b), a, b);
  if (code == MAX_EXPR)
    return pg_emit_select (lifter, type, pg_emit (lifter, PG_KIR_OP_FLT, PG_KIR_I8, b, a), a, b);
  enum pg_kir_op op = float_op (code);
  return op == PG_KIR_N_OPS ? pg_cannot (lifter, PG_LIFT_OPERATION) : pg_emit (lifter, op, type, a, b);
}

/* CODE of A and B, both of the type LIFTED.  */
static pg_kir_value
compute (struct pg_lifter *lifter, enum tree_code code, const struct pg_lifted_type *lifted, pg_kir_value a,
	 tree type_b, pg_kir_value b)
{
  static const struct pg_lifted_type number = { PG_KIR_I64, 64, true, false };
  if (pg_kir_types[lifted->type].kind == PG_KIR_KIND_FLOAT)
    return compute_floats (lifter, code, lifted->type, a, b);
  if (lifted->type == PG_KIR_PTR)
    {
      a = pg_convert_int (lifter, &number, lifted, a);
      b = pg_bytes (lifter, type_b, b);
      return pg_convert_int (lifter, lifted, &number, compute_ints (lifter, code, &number, a, type_b, b));
    }
  return pg_fit (lifter, lifted, compute_ints (lifter, code, lifted, a, type_b, b));
}

struct pg_lifted
pg_binary (struct pg_lifter *lifter, enum tree_code code, tree type, tree type_a, struct pg_lifted a, tree type_b,
	   struct pg_lifted b)
{
  struct pg_lifted result = {};
  struct pg_lifted_type lifted;
  if (code == COMPLEX_EXPR)
    return { a.real, b.real };
  if (!pg_lift_type (lifter, type, &lifted))
    return result;

  if (TREE_CODE_CLASS (code) == tcc_comparison)
    {
      static const struct pg_lifted_type condition = { PG_KIR_I8, 1, true, false };
      result.real = pg_convert_int (lifter, &lifted, &condition, pg_compare (lifter, code, type_a, a.real, b.real));
    }
  else if (code == POINTER_PLUS_EXPR)
    result.real = pg_emit (lifter, PG_KIR_OP_ADDRESS, PG_KIR_PTR, a.real, pg_bytes (lifter, type_b, b.real));
  else if (code == POINTER_DIFF_EXPR)
    {
      static const struct pg_lifted_type difference = { PG_KIR_I64, 64, false, false };
      pg_kir_value n = pg_emit (lifter, PG_KIR_OP_SUB, PG_KIR_I64, pg_bytes (lifter, type_a, a.real),
				pg_bytes (lifter, type_b, b.real));
      result.real = pg_convert_int (lifter, &lifted, &difference, n);
    }
  else
    {
      result.real = compute (lifter, code, &lifted, a.real, type_b, b.real);
      if (lifted.is_complex && (code == PLUS_EXPR || code == MINUS_EXPR))
	result.imaginary = compute (lifter, code, &lifted, a.imaginary, type_b, b.imaginary);
      else if (lifted.is_complex)
	pg_cannot (lifter, PG_LIFT_OPERATION);
    }
  return result;
}

/* VALUE of FROM as TO, the numbers being the same as far as they can be.  */
static pg_kir_value
convert (struct pg_lifter *lifter, const struct pg_lifted_type *to, const struct pg_lifted_type *from,
	 pg_kir_value value)
{
  bool is_float = pg_kir_types[to->type].kind == PG_KIR_KIND_FLOAT;
  bool was_float = pg_kir_types[from->type].kind == PG_KIR_KIND_FLOAT;
  if (!is_float && !was_float)
    return pg_convert_int (lifter, to, from, value);
  if (to->type == from->type)
    return value;
  if (is_float && was_float)
    return pg_emit (lifter, PG_KIR_OP_FTOF, to->type, value);
  if (is_float)
    return pg_emit (lifter, from->is_unsigned ? PG_KIR_OP_UTOF : PG_KIR_OP_STOF, to->type, value);
  return pg_fit (lifter, to, pg_emit (lifter, to->is_unsigned ? PG_KIR_OP_FTOU : PG_KIR_OP_FTOS, to->type, value));
}

/* VALUE of FROM as TO, the bits being the same.  */
static pg_kir_value
view (struct pg_lifter *lifter, const struct pg_lifted_type *to, const struct pg_lifted_type *from, pg_kir_value value)
{
  if (to->is_complex != from->is_complex || pg_kir_types[to->type].len != pg_kir_types[from->type].len)
    return pg_cannot (lifter, PG_LIFT_OPERATION);
  if (to->type != from->type)
    value = pg_emit (lifter, PG_KIR_OP_BITS, to->type, value);
  return pg_fit (lifter, to, value);
}

static pg_kir_value
negate (struct pg_lifter *lifter, const struct pg_lifted_type *type, pg_kir_value value)
{
  if (pg_kir_types[type->type].kind == PG_KIR_KIND_FLOAT)
    return pg_emit (lifter, PG_KIR_OP_FNEG, type->type, value);
  return pg_fit (lifter, type, pg_emit (lifter, PG_KIR_OP_SUB, type->type, pg_constant (lifter, type->type, 0), value));
}

static pg_kir_value
absolute (struct pg_lifter *lifter, const struct pg_lifted_type *type, pg_kir_value value)
{
  if (pg_kir_types[type->type].kind == PG_KIR_KIND_FLOAT)
    return pg_emit (lifter, PG_KIR_OP_FABS, type->type, value);
  pg_kir_value is_negative = pg_emit (lifter, PG_KIR_OP_SLT, PG_KIR_I8, value, pg_constant (lifter, type->type, 0));
  return pg_emit_select (lifter, type->type, is_negative, negate (lifter, type, value), value);
}

/* CODE of a part A of TYPE_A, with a result of TYPE.  */
static pg_kir_value
compute_unary (struct pg_lifter *lifter, enum tree_code code, const struct pg_lifted_type *type,
	       const struct pg_lifted_type *type_a, pg_kir_value a)
{
  switch (code)
    {
    case PAREN_EXPR:
    case SSA_NAME:
    case NON_LVALUE_EXPR:
      return a;
    CASE_CONVERT:
    case FLOAT_EXPR:
    case FIX_TRUNC_EXPR:
      return convert (lifter, type, type_a, a);
    case VIEW_CONVERT_EXPR:
      return view (lifter, type, type_a, a);
    case NEGATE_EXPR:
      return negate (lifter, type, a);
    case BIT_NOT_EXPR:
    case TRUTH_NOT_EXPR:
      return pg_fit (lifter, type,
		     pg_emit (lifter, PG_KIR_OP_XOR, type->type, a, pg_constant (lifter, type->type, -1)));
    case ABS_EXPR:
    case ABSU_EXPR:
      return absolute (lifter, type, a);
    default:
      return pg_cannot (lifter, PG_LIFT_OPERATION);
    }
}

struct pg_lifted
pg_unary (struct pg_lifter *lifter, enum tree_code code, tree type, tree type_a, struct pg_lifted a)
{
  struct pg_lifted result = {};
  struct pg_lifted_type lifted, lifted_a;
  if (code == REALPART_EXPR || code == IMAGPART_EXPR)
    {
      result.real = code == REALPART_EXPR ? a.real : a.imaginary;
      return result;
    }
  if (!pg_lift_type (lifter, type, &lifted) || !pg_lift_type (lifter, type_a, &lifted_a))
    return result;
  result.real = compute_unary (lifter, code, &lifted, &lifted_a, a.real);
  if (lifted.is_complex)
    result.imaginary = compute_unary (lifter, code, &lifted, &lifted_a, a.imaginary);
  return result;
}
