/* SPDX-License-Identifier: MIT
   Carried values of several runs of a loop become one.  See combine.h.

   The smaller and the larger of two floats are chosen by the loop's own comparison, FRESH < OLD and FRESH > OLD: so the
   first of equal ones stays (-0 and +0), and a NaN never replaces a number.  */
#include "combine.h"

#include <string.h>

/* The operation, or for the smaller and larger of floats the comparison, that COMBINE stands for.  */
static enum pg_kir_op
op_of (enum pg_kir_combine combine, bool is_float)
{
  static const enum pg_kir_op ops[PG_KIR_N_COMBINES][2] = {
    [PG_KIR_COMBINE_ADD] = { PG_KIR_OP_ADD, PG_KIR_OP_FADD }, [PG_KIR_COMBINE_MUL] = { PG_KIR_OP_MUL, PG_KIR_OP_FMUL },
    [PG_KIR_COMBINE_AND] = { PG_KIR_OP_AND, PG_KIR_N_OPS },   [PG_KIR_COMBINE_OR] = { PG_KIR_OP_OR, PG_KIR_N_OPS },
    [PG_KIR_COMBINE_XOR] = { PG_KIR_OP_XOR, PG_KIR_N_OPS },   [PG_KIR_COMBINE_MIN] = { PG_KIR_OP_SMIN, PG_KIR_OP_FLT },
    [PG_KIR_COMBINE_MAX] = { PG_KIR_OP_SMAX, PG_KIR_OP_FLT }, [PG_KIR_COMBINE_UMIN] = { PG_KIR_OP_UMIN, PG_KIR_N_OPS },
    [PG_KIR_COMBINE_UMAX] = { PG_KIR_OP_UMAX, PG_KIR_N_OPS },
  };
  return ops[combine][is_float];
}

uint64_t
pg_kir_identity (enum pg_kir_combine combine, enum pg_kir_type type)
{
  bool is_float = pg_kir_types[type].kind == PG_KIR_KIND_FLOAT, is_f64 = type == PG_KIR_F64;
  uint64_t sign = (uint64_t) 1 << (pg_kir_types[type].len * 8 - 1);
  uint64_t infinity = is_f64 ? 0x7ff0000000000000 : 0x7f800000, one = is_f64 ? 0x3ff0000000000000 : 0x3f800000;
  switch (combine)
    {
    case PG_KIR_COMBINE_MUL:
      return is_float ? one : 1;
    case PG_KIR_COMBINE_AND:
    case PG_KIR_COMBINE_UMIN:
      return pg_kir_cut (type, UINT64_MAX);
    case PG_KIR_COMBINE_MIN:
      return is_float ? infinity : sign - 1;
    case PG_KIR_COMBINE_MAX:
      return is_float ? infinity | sign : sign;
    default:
      return 0;
    }
}

/* The same of integers.  */
static uint64_t
combine_integers (enum pg_kir_combine combine, enum pg_kir_type type, uint64_t old, uint64_t fresh)
{
  switch (combine)
    {
    case PG_KIR_COMBINE_ADD:
      return pg_kir_cut (type, old + fresh);
    case PG_KIR_COMBINE_MUL:
      return pg_kir_cut (type, old * fresh);
    case PG_KIR_COMBINE_AND:
      return old & fresh;
    case PG_KIR_COMBINE_OR:
      return old | fresh;
    case PG_KIR_COMBINE_XOR:
      return old ^ fresh;
    case PG_KIR_COMBINE_MIN:
      return pg_kir_signed (type, fresh) < pg_kir_signed (type, old) ? fresh : old;
    case PG_KIR_COMBINE_MAX:
      return pg_kir_signed (type, fresh) > pg_kir_signed (type, old) ? fresh : old;
    case PG_KIR_COMBINE_UMIN:
      return fresh < old ? fresh : old;
    case PG_KIR_COMBINE_UMAX:
      return fresh > old ? fresh : old;
    default:
      return fresh;
    }
}

/* The same of floats: a float's sums and products are rounded to floats.  */
static double
combine_floats (enum pg_kir_combine combine, double old, double fresh)
{
  switch (combine)
    {
    case PG_KIR_COMBINE_ADD:
      return old + fresh;
    case PG_KIR_COMBINE_MUL:
      return old * fresh;
    case PG_KIR_COMBINE_MIN:
      return fresh < old ? fresh : old;
    case PG_KIR_COMBINE_MAX:
      return fresh > old ? fresh : old;
    default:
      return fresh;
    }
}

/* Not by the evaluator, which needs the library of mathematical functions: who runs kernels may do without.  */
uint64_t
pg_kir_combine (enum pg_kir_combine combine, enum pg_kir_type type, uint64_t old, uint64_t fresh)
{
  if (combine == PG_KIR_COMBINE_LAST)
    return fresh;
  if (pg_kir_types[type].kind != PG_KIR_KIND_FLOAT)
    return combine_integers (combine, type, old, fresh);
  double numbers[2], result;
  float narrow;
  uint32_t bits;
  const uint64_t both[] = { old, fresh };
  for (int i = 0; i < 2; i++)
    {
      bits = (uint32_t) both[i];
      memcpy (&narrow, &bits, sizeof narrow);
      memcpy (&numbers[i], &both[i], sizeof *numbers);
      numbers[i] = type == PG_KIR_F32 ? narrow : numbers[i];
    }
  result = combine_floats (combine, numbers[0], numbers[1]);
  if (type == PG_KIR_F64)
    {
      memcpy (&old, &result, sizeof old);
      return old;
    }
  narrow = (float) result;
  memcpy (&bits, &narrow, sizeof bits);
  return bits;
}

pg_kir_value
pg_kir_add_combine (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_combine combine,
		    enum pg_kir_type type, pg_kir_value old, pg_kir_value fresh)
{
  bool is_min = combine == PG_KIR_COMBINE_MIN;
  if (combine == PG_KIR_COMBINE_LAST)
    return fresh;
  enum pg_kir_op op = op_of (combine, pg_kir_types[type].kind == PG_KIR_KIND_FLOAT);
  if (op != PG_KIR_OP_FLT)
    return pg_kir_add_simple (kernel, block, op, type, 0, old, fresh);
  pg_kir_value is_better
    = pg_kir_add_simple (kernel, block, op, PG_KIR_I8, 0, is_min ? fresh : old, is_min ? old : fresh);
  return pg_kir_add (kernel, block, PG_KIR_OP_SELECT, type, 0, (const pg_kir_value[]) { is_better, fresh, old }, 3,
		     NULL, 0);
}
