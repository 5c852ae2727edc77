/* SPDX-License-Identifier: MIT
   What the operations of KIR compute of floats.  See evaluate.h.  */
#include "evaluate.h"

#include <math.h>
#include <string.h>

static float
f32_of (uint64_t bits)
{
  uint32_t low = (uint32_t) bits;
  float value;
  memcpy (&value, &low, sizeof value);
  return value;
}

static double
f64_of (uint64_t bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static uint64_t
bits_of_f32 (float value)
{
  uint32_t bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static uint64_t
bits_of_f64 (double value)
{
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* A float of TYPE as a double, which holds both.  */
static double
float_of (enum pg_kir_type type, uint64_t bits)
{
  return type == PG_KIR_F32 ? (double) f32_of (bits) : f64_of (bits);
}

static uint64_t
evaluate_f32 (enum pg_kir_op op, float a, float b)
{
  switch (op)
    {
    case PG_KIR_OP_FADD:
      return bits_of_f32 (a + b);
    case PG_KIR_OP_FSUB:
      return bits_of_f32 (a - b);
    case PG_KIR_OP_FMUL:
      return bits_of_f32 (a * b);
    case PG_KIR_OP_FDIV:
      return bits_of_f32 (a / b);
    case PG_KIR_OP_FFLOOR:
      return bits_of_f32 (floorf (a));
    case PG_KIR_OP_FCEIL:
      return bits_of_f32 (ceilf (a));
    case PG_KIR_OP_FTRUNC:
      return bits_of_f32 (truncf (a));
    case PG_KIR_OP_FRINT:
      return bits_of_f32 (rintf (a));
    case PG_KIR_OP_FROUND:
      return bits_of_f32 (roundf (a));
    default:
      return bits_of_f32 (sqrtf (a));
    }
}

static uint64_t
evaluate_f64 (enum pg_kir_op op, double a, double b)
{
  switch (op)
    {
    case PG_KIR_OP_FADD:
      return bits_of_f64 (a + b);
    case PG_KIR_OP_FSUB:
      return bits_of_f64 (a - b);
    case PG_KIR_OP_FMUL:
      return bits_of_f64 (a * b);
    case PG_KIR_OP_FDIV:
      return bits_of_f64 (a / b);
    case PG_KIR_OP_FFLOOR:
      return bits_of_f64 (floor (a));
    case PG_KIR_OP_FCEIL:
      return bits_of_f64 (ceil (a));
    case PG_KIR_OP_FTRUNC:
      return bits_of_f64 (trunc (a));
    case PG_KIR_OP_FRINT:
      return bits_of_f64 (rint (a));
    case PG_KIR_OP_FROUND:
      return bits_of_f64 (round (a));
    default:
      return bits_of_f64 (sqrt (a));
    }
}

/* Negation and absolute value change the sign bit only, also of a NaN.  */
static uint64_t
evaluate_float (enum pg_kir_op op, enum pg_kir_type type, uint64_t a, uint64_t b)
{
  uint64_t sign = (uint64_t) 1 << (pg_kir_types[type].len * 8 - 1);
  if (op == PG_KIR_OP_FNEG)
    return a ^ sign;
  if (op == PG_KIR_OP_FABS)
    return a & ~sign;
  return type == PG_KIR_F32 ? evaluate_f32 (op, f32_of (a), f32_of (b)) : evaluate_f64 (op, f64_of (a), f64_of (b));
}

/* Two of the OPERANDS, of TYPE, multiplied plus the third one, rounded once.  */
static uint64_t
multiply_add (enum pg_kir_type type, const uint64_t *operands)
{
  uint64_t a = operands[0], b = operands[1], c = operands[2];
  return type == PG_KIR_F32 ? bits_of_f32 (fmaf (f32_of (a), f32_of (b), f32_of (c)))
			    : bits_of_f64 (fma (f64_of (a), f64_of (b), f64_of (c)));
}

static bool
compare_floats (enum pg_kir_op op, double a, double b)
{
  switch (op)
    {
    case PG_KIR_OP_FEQ:
      return a == b;
    case PG_KIR_OP_FNE:
      return !(a == b);
    case PG_KIR_OP_FLT:
      return isless (a, b);
    case PG_KIR_OP_FLE:
      return islessequal (a, b);
    default:
      return isunordered (a, b);
    }
}

/* VALUE as an integer of TYPE, towards 0; what does not fit is the least number.  */
static uint64_t
int_of (enum pg_kir_op op, enum pg_kir_type type, double value)
{
  unsigned n_bits = pg_kir_types[type].len * 8;
  double top = ldexp (1.0, (int) n_bits - (op == PG_KIR_OP_FTOS)), least = op == PG_KIR_OP_FTOS ? -top : 0.0;
  value = trunc (value);
  if (!(value >= least && value < top))
    return op == PG_KIR_OP_FTOS ? (uint64_t) 1 << (n_bits - 1) : 0;
  return op == PG_KIR_OP_FTOS ? (uint64_t) (int64_t) value : (uint64_t) value;
}

/* An integer as a float of TYPE, rounded once.  */
static uint64_t
float_from_int (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, uint64_t a)
{
  int64_t sa = pg_kir_signed (from, a);
  if (type == PG_KIR_F32)
    return bits_of_f32 (op == PG_KIR_OP_STOF ? (float) sa : (float) a);
  return bits_of_f64 (op == PG_KIR_OP_STOF ? (double) sa : (double) a);
}

bool
pg_kir_evaluate (enum pg_kir_op op, enum pg_kir_type type, enum pg_kir_type from, const uint64_t *operands,
		 uint64_t *result)
{
  uint64_t a = operands[0], b = operands[1];
  switch (pg_kir_ops[op].shape)
    {
    case PG_KIR_FLOAT1:
    case PG_KIR_FLOAT2:
      *result = evaluate_float (op, type, a, b);
      break;
    case PG_KIR_FLOAT3:
      *result = multiply_add (type, operands);
      break;
    case PG_KIR_CMP_FLOAT:
      *result = compare_floats (op, float_of (from, a), float_of (from, b));
      break;
    case PG_KIR_INT_FLOAT:
      *result = float_from_int (op, type, from, a);
      break;
    case PG_KIR_FLOAT_INT:
      *result = int_of (op, type, float_of (from, a));
      break;
    case PG_KIR_FLOAT_FLOAT:
      *result = type == PG_KIR_F32 ? bits_of_f32 ((float) f64_of (a)) : bits_of_f64 ((double) f32_of (a));
      break;
    default:
      return pg_kir_evaluate_int (op, type, from, operands, result);
    }
  *result = pg_kir_cut (type, *result);
  return true;
}
