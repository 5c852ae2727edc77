/* SPDX-License-Identifier: GPL-3.0-or-later
   Lifting: calls.

   A math function whose result is exact, whoever computes it, is an operation or a few of them; any other one is
   refused.  What a call does to errno and to the floating-point flags is not lifted.  */

#include "lifting.h"

/* A call's first operand and result.  */
struct call
{
  gcall *stmt;
  struct pg_lifted_type type; /* of the first operand */
  struct pg_lifted_type result;
  pg_kir_value a;
};

static pg_kir_value
shift_right (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value, unsigned n)
{
  return pg_emit (lifter, PG_KIR_OP_LSHR, type, value, pg_constant (lifter, type, n));
}

static pg_kir_value
mask (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value, uint64_t bits)
{
  return pg_emit (lifter, PG_KIR_OP_AND, type, value, pg_constant (lifter, type, bits));
}

/* The number of bits of VALUE that are 1: sums of pairs, of fours, of bytes, then of all bytes.  */
static pg_kir_value
count_bits (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value)
{
  const uint64_t ones = 0x0101010101010101, pairs = 0x5555555555555555, fours = 0x3333333333333333;
  value
    = pg_emit (lifter, PG_KIR_OP_SUB, type, value, mask (lifter, type, shift_right (lifter, type, value, 1), pairs));
  value = pg_emit (lifter, PG_KIR_OP_ADD, type, mask (lifter, type, value, fours),
		   mask (lifter, type, shift_right (lifter, type, value, 2), fours));
  value = pg_emit (lifter, PG_KIR_OP_ADD, type, value, shift_right (lifter, type, value, 4));
  value = mask (lifter, type, value, ones * 15);
  value = pg_emit (lifter, PG_KIR_OP_MUL, type, value, pg_constant (lifter, type, ones));
  return shift_right (lifter, type, value, pg_kir_types[type].len * 8 - 8);
}

/* The number of bits below the lowest 1 of VALUE; all, if there is none.  */
static pg_kir_value
count_below (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value)
{
  pg_kir_value less = pg_emit (lifter, PG_KIR_OP_SUB, type, value, pg_constant (lifter, type, 1));
  pg_kir_value flipped = pg_emit (lifter, PG_KIR_OP_XOR, type, value, pg_constant (lifter, type, -1));
  return count_bits (lifter, type, pg_emit (lifter, PG_KIR_OP_AND, type, less, flipped));
}

/* The number of bits above the highest 1 of VALUE.  */
static pg_kir_value
count_above (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value)
{
  for (unsigned n = 1; n < pg_kir_types[type].len * 8; n *= 2)
    value = pg_emit (lifter, PG_KIR_OP_OR, type, value, shift_right (lifter, type, value, n));
  return count_bits (lifter, type, pg_emit (lifter, PG_KIR_OP_XOR, type, value, pg_constant (lifter, type, -1)));
}

/* 0 where VALUE is 0, else one more than the number of bits below its lowest 1.  */
static pg_kir_value
find_first (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value)
{
  pg_kir_value zero = pg_constant (lifter, type, 0);
  pg_kir_value below = count_below (lifter, type, value);
  return pg_emit_select (lifter, type, pg_emit (lifter, PG_KIR_OP_EQ, PG_KIR_I8, value, zero), zero,
			 pg_emit (lifter, PG_KIR_OP_ADD, type, below, pg_constant (lifter, type, 1)));
}

/* VALUE with its bytes in the other order: neighbours are exchanged, then pairs, and so on.  */
static pg_kir_value
swap_bytes (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value value)
{
  unsigned n_bits = pg_kir_types[type].len * 8;
  for (unsigned n = 8; n < n_bits; n *= 2)
    {
      uint64_t low = n == 8 ? 0x00ff00ff00ff00ff : n == 16 ? 0x0000ffff0000ffff : 0xffffffff;
      pg_kir_value up
	= pg_emit (lifter, PG_KIR_OP_SHL, type, mask (lifter, type, value, low), pg_constant (lifter, type, n));
      pg_kir_value down = mask (lifter, type, shift_right (lifter, type, value, n), low);
      value = pg_emit (lifter, PG_KIR_OP_OR, type, up, down);
    }
  return value;
}

/* The smaller one of A and B, or the larger one; of a number and a NaN the number, of two zeros B, as the host's
   library has it.  */
static pg_kir_value
least (struct pg_lifter *lifter, enum pg_kir_type type, bool is_largest, pg_kir_value a, pg_kir_value b)
{
  pg_kir_value is_a = pg_emit (lifter, PG_KIR_OP_FLT, PG_KIR_I8, is_largest ? b : a, is_largest ? a : b);
  is_a = pg_emit (lifter, PG_KIR_OP_OR, PG_KIR_I8, is_a, pg_emit (lifter, PG_KIR_OP_FUNO, PG_KIR_I8, b, b));
  return pg_emit_select (lifter, type, is_a, a, b);
}

/* A with the sign of B.  */
static pg_kir_value
copy_sign (struct pg_lifter *lifter, enum pg_kir_type type, pg_kir_value a, pg_kir_value b)
{
  enum pg_kir_type bits = type == PG_KIR_F32 ? PG_KIR_I32 : PG_KIR_I64;
  uint64_t sign = type == PG_KIR_F32 ? 0x80000000 : 0x8000000000000000;
  a = mask (lifter, bits, pg_emit (lifter, PG_KIR_OP_BITS, bits, a), ~sign);
  b = mask (lifter, bits, pg_emit (lifter, PG_KIR_OP_BITS, bits, b), sign);
  return pg_emit (lifter, PG_KIR_OP_BITS, type, pg_emit (lifter, PG_KIR_OP_OR, bits, a, b));
}

/* The operation that CALL is, if it is one of a float; else PG_KIR_N_OPS.  */
static enum pg_kir_op
float_operation (const struct call *call)
{
  switch (gimple_call_combined_fn (call->stmt))
    {
    case CFN_BUILT_IN_SQRT:
    case CFN_BUILT_IN_SQRTF:
    case CFN_SQRT:
      return PG_KIR_OP_FSQRT;
    case CFN_BUILT_IN_FABS:
    case CFN_BUILT_IN_FABSF:
      return PG_KIR_OP_FABS;
    case CFN_BUILT_IN_FLOOR:
    case CFN_BUILT_IN_FLOORF:
    case CFN_FLOOR:
      return PG_KIR_OP_FFLOOR;
    case CFN_BUILT_IN_CEIL:
    case CFN_BUILT_IN_CEILF:
    case CFN_CEIL:
      return PG_KIR_OP_FCEIL;
    case CFN_BUILT_IN_TRUNC:
    case CFN_BUILT_IN_TRUNCF:
    case CFN_TRUNC:
      return PG_KIR_OP_FTRUNC;
    case CFN_BUILT_IN_RINT:
    case CFN_BUILT_IN_RINTF:
    case CFN_RINT:
    case CFN_BUILT_IN_NEARBYINT:
    case CFN_BUILT_IN_NEARBYINTF:
    case CFN_NEARBYINT:
    case CFN_BUILT_IN_LRINT:
    case CFN_BUILT_IN_LRINTF:
    case CFN_BUILT_IN_LLRINT:
    case CFN_BUILT_IN_LLRINTF:
      return PG_KIR_OP_FRINT;
    case CFN_BUILT_IN_ROUND:
    case CFN_BUILT_IN_ROUNDF:
    case CFN_ROUND:
    case CFN_BUILT_IN_LROUND:
    case CFN_BUILT_IN_LROUNDF:
    case CFN_BUILT_IN_LLROUND:
    case CFN_BUILT_IN_LLROUNDF:
      return PG_KIR_OP_FROUND;
    default:
      return PG_KIR_N_OPS;
    }
}

/* What CALL computes of two floats.  */
static pg_kir_value
lift_two (struct pg_lifter *lifter, const struct call *call)
{
  if (gimple_call_num_args (call->stmt) != 2)
    return pg_cannot (lifter, PG_LIFT_MATH);
  pg_kir_value b = pg_scalar_of (lifter, gimple_call_arg (call->stmt, 1));
  switch (gimple_call_combined_fn (call->stmt))
    {
    case CFN_BUILT_IN_FMIN:
    case CFN_BUILT_IN_FMINF:
    case CFN_FMIN:
      return least (lifter, call->type.type, false, call->a, b);
    case CFN_BUILT_IN_FMAX:
    case CFN_BUILT_IN_FMAXF:
    case CFN_FMAX:
      return least (lifter, call->type.type, true, call->a, b);
    case CFN_BUILT_IN_COPYSIGN:
    case CFN_BUILT_IN_COPYSIGNF:
    case CFN_COPYSIGN:
      return copy_sign (lifter, call->type.type, call->a, b);
    default:
      return pg_cannot (lifter, PG_LIFT_MATH);
    }
}

/* What CALL, one of fma, computes.  */
static pg_kir_value
multiply_add (struct pg_lifter *lifter, const struct call *call)
{
  pg_kir_value b = pg_scalar_of (lifter, gimple_call_arg (call->stmt, 1));
  const pg_kir_value operands[] = { call->a, b, pg_scalar_of (lifter, gimple_call_arg (call->stmt, 2)) };
  return pg_emit_many (lifter, PG_KIR_OP_FMA, call->type.type, 0, operands, 3, NULL, 0);
}

static pg_kir_value
lift_float (struct pg_lifter *lifter, const struct call *call)
{
  combined_fn function = gimple_call_combined_fn (call->stmt);
  if (function == CFN_BUILT_IN_FMA || function == CFN_BUILT_IN_FMAF || function == CFN_FMA)
    return multiply_add (lifter, call);
  enum pg_kir_op op = float_operation (call);
  if (op == PG_KIR_N_OPS)
    return lift_two (lifter, call);
  pg_kir_value value = pg_emit (lifter, op, call->type.type, call->a);
  if (pg_kir_types[call->result.type].kind == PG_KIR_KIND_INT)
    value = pg_emit (lifter, PG_KIR_OP_FTOS, call->result.type, value);
  return value;
}

/* What CALL computes of an integer, in the integer's type.  */
static pg_kir_value
lift_int (struct pg_lifter *lifter, const struct call *call)
{
  enum pg_kir_type type = call->type.type;
  switch (gimple_call_combined_fn (call->stmt))
    {
    case CFN_BUILT_IN_POPCOUNT:
    case CFN_BUILT_IN_POPCOUNTL:
    case CFN_BUILT_IN_POPCOUNTLL:
    case CFN_POPCOUNT:
      return count_bits (lifter, type, call->a);
    case CFN_BUILT_IN_PARITY:
    case CFN_BUILT_IN_PARITYL:
    case CFN_BUILT_IN_PARITYLL:
    case CFN_PARITY:
      return mask (lifter, type, count_bits (lifter, type, call->a), 1);
    case CFN_BUILT_IN_CTZ:
    case CFN_BUILT_IN_CTZL:
    case CFN_BUILT_IN_CTZLL:
    case CFN_CTZ:
      return count_below (lifter, type, call->a);
    case CFN_BUILT_IN_CLZ:
    case CFN_BUILT_IN_CLZL:
    case CFN_BUILT_IN_CLZLL:
    case CFN_CLZ:
      return count_above (lifter, type, call->a);
    case CFN_BUILT_IN_FFS:
    case CFN_BUILT_IN_FFSL:
    case CFN_BUILT_IN_FFSLL:
    case CFN_FFS:
      return find_first (lifter, type, call->a);
    case CFN_BUILT_IN_BSWAP16:
    case CFN_BUILT_IN_BSWAP32:
    case CFN_BUILT_IN_BSWAP64:
      {
	/* One of 16 bits comes in the lower half of 32.  */
	unsigned unused = pg_kir_types[type].len - pg_kir_types[call->result.type].len;
	return shift_right (lifter, type, swap_bytes (lifter, type, call->a), unused * 8);
      }
    case CFN_BUILT_IN_EXPECT:
      return call->a;
    default:
      return pg_cannot (lifter, gimple_call_internal_p (call->stmt) ? PG_LIFT_OPERATION : PG_LIFT_MATH);
    }
}

void
pg_lift_call (struct pg_lifter *lifter, gcall *stmt)
{
  struct call call = { stmt, {}, {}, 0 };
  tree lhs = gimple_call_lhs (stmt), a = gimple_call_num_args (stmt) ? gimple_call_arg (stmt, 0) : NULL_TREE;
  if (!gimple_call_internal_p (stmt) && !gimple_call_builtin_p (stmt, BUILT_IN_NORMAL))
    pg_cannot (lifter, PG_LIFT_CALL);
  else if (!a || (lhs && TREE_CODE (lhs) != SSA_NAME))
    pg_cannot (lifter, PG_LIFT_OPERATION);
  else if (pg_lift_type (lifter, TREE_TYPE (a), &call.type)
	   && pg_lift_type (lifter, TREE_TYPE (lhs ? lhs : a), &call.result))
    {
      struct pg_lifted value = {};
      call.a = pg_scalar_of (lifter, a);
      if (pg_kir_types[call.type.type].kind == PG_KIR_KIND_FLOAT)
	value.real = lift_float (lifter, &call);
      else
	value.real = pg_convert_int (lifter, &call.result, &call.type, lift_int (lifter, &call));
      if (lhs)
	pg_set_value (lifter, lhs, value);
    }
}
