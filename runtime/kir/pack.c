/* SPDX-License-Identifier: MIT
   Kernels into bytes.  See pack.h for the form.  */
#include "pack.h"

#include <string.h>

struct packer
{
  const struct pg_kir_kernel *kernel;
  unsigned char *bytes;
  size_t len, at;            /* AT may be behind LEN: what all of it needs */
  uint32_t *place;           /* of instructions: their number in the form */
  pg_kir_value here;         /* the instruction's number in the form */
  pg_kir_block_number block; /* its block */
  uint32_t line, last_line;  /* of the instruction before; the last that was known */
};

static unsigned char
code_of_op (enum pg_kir_op op)
{
  switch (op)
    {
#define PG_KIR_OP_CODE(code, id) \
  case PG_KIR_OP_##id:           \
    return code;
#include "kir-codes.def"
    case PG_KIR_N_OPS:
      break;
    }
  return 0;
}

static unsigned char
code_of_type (enum pg_kir_type type)
{
  switch (type)
    {
#define PG_KIR_TYPE_CODE(code, id) \
  case PG_KIR_##id:                \
    return code;
#include "kir-codes.def"
    case PG_KIR_N_TYPES:
      break;
    }
  return 0;
}

static unsigned char
code_of_combine (enum pg_kir_combine combine)
{
  switch (combine)
    {
#define PG_KIR_COMBINE_CODE(code, id) \
  case PG_KIR_COMBINE_##id:           \
    return code;
#include "kir-codes.def"
    case PG_KIR_N_COMBINES:
      break;
    }
  return 0;
}

static void
put_byte (struct packer *packer, unsigned char byte)
{
  if (packer->at < packer->len)
    packer->bytes[packer->at] = byte;
  packer->at++;
}

static void
put_count (struct packer *packer, uint64_t n)
{
  for (; n > 0x7f; n >>= 7)
    put_byte (packer, (unsigned char) (n | 0x80));
  put_byte (packer, (unsigned char) n);
}

static void
put_signed (struct packer *packer, int64_t n)
{
  put_count (packer, pg_kir_folded (n));
}

static void
put_operand (struct packer *packer, pg_kir_value operand)
{
  pg_kir_value place = packer->place[operand];
  if (place < packer->here)
    put_count (packer, packer->here - place);
  else
    {
      put_byte (packer, 0);
      put_count (packer, place - packer->here);
    }
}

/* The type of operand N of INSTR, if there is one and it stands before.  */
static enum pg_kir_type
known_type (const struct packer *packer, const struct pg_kir_instr *instr, unsigned n)
{
  const pg_kir_value *operands = pg_kir_operands (packer->kernel, instr);
  if (n >= instr->n_operands || packer->place[operands[n]] >= packer->here)
    return PG_KIR_N_TYPES;
  return (enum pg_kir_type) packer->kernel->instrs[operands[n]].type;
}

static void
put_op (struct packer *packer, const struct pg_kir_instr *instr)
{
  unsigned char code = code_of_op (instr->op);
  if (instr->line == packer->line)
    {
      put_byte (packer, code);
      return;
    }
  put_byte (packer, code | PG_KIR_OTHER_LINE);
  packer->line = instr->line;
  if (instr->line == 0)
    {
      put_count (packer, 0);
      return;
    }
  put_count (packer, 1 + pg_kir_folded ((int64_t) instr->line - packer->last_line));
  packer->last_line = instr->line;
}

static void
put_number (struct packer *packer, const struct pg_kir_instr *instr)
{
  enum pg_kir_number number = pg_kir_ops[instr->op].number;
  enum pg_kir_kind kind = pg_kir_types[instr->type].kind;
  uint64_t bits = (uint64_t) instr->number;
  if (number == PG_KIR_NUMBER_BITS && kind == PG_KIR_KIND_INT)
    put_signed (packer, pg_kir_signed (instr->type, bits));
  else if (number == PG_KIR_NUMBER_BITS && kind == PG_KIR_KIND_FLOAT)
    put_count (packer, pg_kir_turned (instr->type, bits));
  else if (number != PG_KIR_NUMBER_NONE)
    put_count (packer, bits);
}

static void
put_instr (struct packer *packer, const struct pg_kir_instr *instr)
{
  const struct pg_kir_kernel *kernel = packer->kernel;
  enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
  put_op (packer, instr);
  if (shape == PG_KIR_PHI || shape == PG_KIR_SWITCH)
    put_count (packer, instr->n_operands);
  for (unsigned i = 0; i < instr->n_operands; i++)
    put_operand (packer, pg_kir_operands (kernel, instr)[i]);
  for (unsigned i = 0; i < instr->n_targets; i++)
    put_signed (packer, (int64_t) pg_kir_targets (kernel, instr)[i] - packer->block);
  if (pg_kir_told_type (shape, known_type (packer, instr, 0), known_type (packer, instr, 1)) == PG_KIR_N_TYPES)
    put_byte (packer, code_of_type (instr->type));
  put_number (packer, instr);
}

static void
put_header (struct packer *packer)
{
  const struct pg_kir_kernel *kernel = packer->kernel;
  put_byte (packer, PG_KIR_PACK_VERSION);
  put_count (packer, strlen (kernel->name));
  for (const char *c = kernel->name; *c != '\0'; c++)
    put_byte (packer, (unsigned char) *c);
  put_count (packer, kernel->args_len);
  put_count (packer, kernel->n_dims);
  put_count (packer, kernel->n_refs);
  put_count (packer, kernel->n_threads);
  if (kernel->n_threads > 0)
    put_count (packer, kernel->shared_len);
  put_count (packer, kernel->n_carries);
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    {
      put_byte (packer, code_of_type (kernel->carries[c].type));
      put_byte (packer, code_of_combine (kernel->carries[c].combine));
      put_count (packer, kernel->carries[c].offset);
    }
  put_count (packer, kernel->n_blocks);
}

size_t
pg_kir_pack (const struct pg_kir_kernel *kernel, unsigned char *bytes, size_t len)
{
  size_t place_len = kernel->n_instrs * sizeof (uint32_t);
  struct packer packer = { .kernel = kernel, .bytes = bytes, .len = len };
  packer.place = kernel->resize (NULL, 0, place_len);
  if (packer.place == NULL)
    return 0;
  pg_kir_value n = 0;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      packer.place[kernel->blocks[b].code[i]] = ++n;
  put_header (&packer);
  for (packer.block = 0; packer.block < kernel->n_blocks; packer.block++)
    for (uint32_t i = 0; i < kernel->blocks[packer.block].n; i++)
      {
	packer.here++;
	put_instr (&packer, &kernel->instrs[kernel->blocks[packer.block].code[i]]);
      }
  kernel->resize (packer.place, place_len, 0);
  return packer.at;
}
