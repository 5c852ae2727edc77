/* SPDX-License-Identifier: MIT
   KIR fuzzer: does a kernel show the bits of a NaN that it computed?

   Those bits are not defined, so that such a kernel may leave one thing here and another there.  Floats that are
   computed may be NaNs of unknown bits; what is loaded, given, or made of an integer is not; "select" of "funo x x", a
   constant and x is how a kernel gets rid of them.  Stores, "next" and "bits" show bits.  */
#include "fuzz-kir.h"

#include <stdlib.h>

/* Is INSTR x, or a constant if x is a NaN?  */
static bool
replaces_nan (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  const struct pg_kir_instr *condition = &kernel->instrs[operands[0]];
  const pg_kir_value *of = pg_kir_operands (kernel, condition);
  return condition->op == PG_KIR_OP_FUNO && of[0] == operands[2] && of[1] == operands[2]
	 && kernel->instrs[operands[1]].op == PG_KIR_OP_CONST;
}

/* Are the bits of what INSTR computes unknown, as far as IS_UNKNOWN says it of its operands?  */
static bool
becomes_unknown (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr, const bool *is_unknown)
{
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
  unsigned first = 0;
  switch (instr->op)
    {
    case PG_KIR_OP_SELECT:
      if (replaces_nan (kernel, instr))
	return false;
      first = 1;
      break;
    case PG_KIR_OP_FNEG:
    case PG_KIR_OP_FABS:
    case PG_KIR_OP_PHI:
      break;
    default:
      return shape == PG_KIR_FLOAT1 || shape == PG_KIR_FLOAT2 || shape == PG_KIR_FLOAT3 || shape == PG_KIR_FLOAT_FLOAT;
    }
  for (unsigned i = first; i < instr->n_operands; i++)
    if (is_unknown[operands[i]])
      return true;
  return false;
}

/* Does INSTR show bits that IS_UNKNOWN says are unknown?  */
static bool
shows (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr, const bool *is_unknown)
{
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  if (pg_kir_ops[instr->op].shape == PG_KIR_STORE)
    return is_unknown[operands[1]];
  return (instr->op == PG_KIR_OP_NEXT || instr->op == PG_KIR_OP_BITS) && is_unknown[operands[0]];
}

bool
fk_is_defined (const struct pg_kir_kernel *kernel)
{
  bool *is_unknown = calloc (kernel->n_instrs, sizeof *is_unknown), changes = true, is_shown = false;
  while (changes)
    {
      changes = false;
      for (uint32_t b = 0; b < kernel->n_blocks; b++)
	for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
	  {
	    pg_kir_value value = kernel->blocks[b].code[i];
	    const struct pg_kir_instr *instr = &kernel->instrs[value];
	    bool is_now = becomes_unknown (kernel, instr, is_unknown);
	    changes |= is_now && !is_unknown[value];
	    is_unknown[value] |= is_now;
	    is_shown |= shows (kernel, instr, is_unknown);
	  }
    }
  free (is_unknown);
  return !is_shown;
}
