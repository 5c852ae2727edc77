/* SPDX-License-Identifier: MIT
   What the operations of KIR compute without floats.  See evaluate.h.  This needs no math library.  */
#include "evaluate.h"

/* A division or remainder of integers of TYPE; false: by 0.  */
static bool
divide (enum pg_kir_op op, enum pg_kir_type type, uint64_t a, uint64_t b, uint64_t *result)
{
  int64_t sa = pg_kir_signed (type, a), sb = pg_kir_signed (type, b);
  if (b == 0)
    return false;
  switch (op)
    {
    case PG_KIR_OP_SDIV:
      *result = sb == -1 ? 0 - a : (uint64_t) (sa / sb);
      break;
    case PG_KIR_OP_SREM:
      *result = sb == -1 ? 0 : (uint64_t) (sa % sb);
      break;
    case PG_KIR_OP_UDIV:
      *result = a / b;
      break;
    default:
      *result = a % b;
      break;
    }
  return true;
}

/* What an operation on two integers computes.  */
static bool
evaluate_two (enum pg_kir_op op, enum pg_kir_type type, uint64_t a, uint64_t b, uint64_t *result)
{
  int64_t sa = pg_kir_signed (type, a), sb = pg_kir_signed (type, b);
  unsigned shift = (unsigned) b & (pg_kir_types[type].len * 8 - 1);
  switch (op)
    {
    case PG_KIR_OP_ADD:
    case PG_KIR_OP_ADD_NW:
      *result = a + b;
      return true;
    case PG_KIR_OP_SUB:
    case PG_KIR_OP_SUB_NW:
      *result = a - b;
      return true;
    case PG_KIR_OP_MUL:
    case PG_KIR_OP_MUL_NW:
      *result = a * b;
      return true;
    case PG_KIR_OP_AND:
      *result = a & b;
      return true;
    case PG_KIR_OP_OR:
      *result = a | b;
      return true;
    case PG_KIR_OP_XOR:
      *result = a ^ b;
      return true;
    case PG_KIR_OP_SHL:
      *result = a << shift;
      return true;
    case PG_KIR_OP_LSHR:
      *result = a >> shift;
      return true;
    case PG_KIR_OP_ASHR:
      *result = (uint64_t) (sa >> shift);
      return true;
    case PG_KIR_OP_SMIN:
      *result = sa < sb ? a : b;
      return true;
    case PG_KIR_OP_SMAX:
      *result = sa > sb ? a : b;
      return true;
    case PG_KIR_OP_UMIN:
      *result = a < b ? a : b;
      return true;
    case PG_KIR_OP_UMAX:
      *result = a > b ? a : b;
      return true;
    default:
      return divide (op, type, a, b, result);
    }
}

static bool
compare_ints (enum pg_kir_op op, enum pg_kir_type type, uint64_t a, uint64_t b)
{
  int64_t sa = pg_kir_signed (type, a), sb = pg_kir_signed (type, b);
  switch (op)
    {
    case PG_KIR_OP_EQ:
      return a == b;
    case PG_KIR_OP_NE:
      return a != b;
    case PG_KIR_OP_SLT:
      return sa < sb;
    case PG_KIR_OP_SLE:
      return sa <= sb;
    case PG_KIR_OP_ULT:
      return a < b;
    default:
      return a <= b;
    }
}

bool
pg_kir_evaluate_int (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, const uint64_t *operands,
		     uint64_t *result)
{
  uint64_t a = operands[0], b = operands[1];
  bool is_defined = true;
  *result = 0;
  switch (pg_kir_ops[op].shape)
    {
    case PG_KIR_INT2:
      is_defined = evaluate_two (op, type, a, b, result);
      break;
    case PG_KIR_CMP_INT:
      *result = compare_ints (op, from, a, b);
      break;
    case PG_KIR_NARROW:
    case PG_KIR_BITS:
      *result = a;
      break;
    case PG_KIR_WIDEN:
      *result = op == PG_KIR_OP_SEXT ? (uint64_t) pg_kir_signed (from, a) : a;
      break;
    case PG_KIR_SELECT:
      *result = a != 0 ? b : operands[2];
      break;
    case PG_KIR_ADDRESS:
      *result = a + b;
      break;
    default:
      return false;
    }
  *result = pg_kir_cut (type, *result);
  return is_defined;
}
