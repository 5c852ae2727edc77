/* SPDX-License-Identifier: MIT
   KIR as text: for people, and for tests that compare.

       kernel "NAME" args LEN dims N refs N [threads N shared LEN]
       carry TYPE COMBINE OFFSET
       bN:
	 vN = OP TYPE [NUMBER] [OPERAND...] [TARGET...] [line N]
       end

   An instruction without a result has no "vN =".  A constant's number is decimal with a sign for integers, hexadecimal
   bits for floats and pointers; a reference's is "ref N", that of a carried value to be "carry N".  Phis are written by
   pairs: "[bN vN]".  */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void
pg_kir_put (struct pg_kir_text *text, const char *format, ...)
{
  va_list rest;
  va_start (rest, format);
  size_t left = text->at < text->len ? text->len - text->at : 0;
  int n = vsnprintf (left > 0 ? text->start + text->at : NULL, left, format, rest);
  va_end (rest);
  text->at += n > 0 ? (size_t) n : 0;
}

static void
put_number (struct pg_kir_text *text, const struct pg_kir_instr *instr)
{
  switch (pg_kir_ops[instr->op].number)
    {
    case PG_KIR_NUMBER_NONE:
      break;
    case PG_KIR_NUMBER_BITS:
      if (pg_kir_types[instr->type].kind == PG_KIR_KIND_INT)
	pg_kir_put (text, " %" PRId64, pg_kir_signed (instr->type, (uint64_t) instr->number));
      else
	pg_kir_put (text, " 0x%" PRIx64, (uint64_t) instr->number);
      break;
    case PG_KIR_NUMBER_OFFSET:
    case PG_KIR_NUMBER_DIM:
    case PG_KIR_NUMBER_GRID:
    case PG_KIR_NUMBER_PLACE:
      pg_kir_put (text, " %" PRId64, instr->number);
      break;
    case PG_KIR_NUMBER_CARRY:
      if (instr->op == PG_KIR_OP_CARRY)
	pg_kir_put (text, " %" PRId64, instr->number);
      break;
    case PG_KIR_NUMBER_REF:
      break; /* behind the operands */
    }
}

static void
put_instr (struct pg_kir_text *text, const struct pg_kir_kernel *kernel, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const struct pg_kir_op_facts *op = &pg_kir_ops[instr->op];
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  const pg_kir_block_number *targets = pg_kir_targets (kernel, instr);
  pg_kir_put (text, "  ");
  if (instr->type != PG_KIR_VOID)
    pg_kir_put (text, "v%" PRIu32 " = ", value);
  pg_kir_put (text, "%s %s", op->name, pg_kir_types[instr->type].name);
  put_number (text, instr);
  if (op->shape == PG_KIR_PHI)
    for (unsigned i = 0; i < instr->n_operands && i < instr->n_targets; i++)
      pg_kir_put (text, " [b%" PRIu32 " v%" PRIu32 "]", targets[i], operands[i]);
  else
    {
      for (unsigned i = 0; i < instr->n_operands; i++)
	pg_kir_put (text, " v%" PRIu32, operands[i]);
      for (unsigned i = 0; i < instr->n_targets; i++)
	pg_kir_put (text, " b%" PRIu32, targets[i]);
    }
  if (op->number == PG_KIR_NUMBER_REF)
    pg_kir_put (text, " ref %" PRId64, instr->number);
  if (op->shape == PG_KIR_NEXT)
    pg_kir_put (text, " carry %" PRId64, instr->number);
  if (instr->line != 0)
    pg_kir_put (text, " line %" PRIu32, instr->line);
  pg_kir_put (text, "\n");
}

size_t
pg_kir_write (const struct pg_kir_kernel *kernel, char *text, size_t len)
{
  struct pg_kir_text writer = { .start = text, .len = len };
  pg_kir_put (&writer, "kernel \"%s\" args %" PRIu32 " dims %" PRIu32 " refs %" PRIu32, kernel->name, kernel->args_len,
	      kernel->n_dims, kernel->n_refs);
  if (kernel->n_threads > 0)
    pg_kir_put (&writer, " threads %" PRIu32 " shared %" PRIu32, kernel->n_threads, kernel->shared_len);
  pg_kir_put (&writer, "\n");
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    pg_kir_put (&writer, "carry %s %s %" PRIu32 "\n", pg_kir_types[kernel->carries[c].type].name,
		pg_kir_combines[kernel->carries[c].combine].name, kernel->carries[c].offset);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    {
      pg_kir_put (&writer, "b%" PRIu32 ":\n", b);
      for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
	put_instr (&writer, kernel, kernel->blocks[b].code[i]);
    }
  pg_kir_put (&writer, "end\n");
  return writer.at;
}
