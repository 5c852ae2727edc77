/* SPDX-License-Identifier: MIT
   Kernels from bytes.  See pack.h for the form.

   The bytes may be anything: nothing in them is trusted.  Whatever they ask memory for has a byte of its own at least,
   so that memory is bounded by their number.  */
#include "pack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
  LEAST_OPERANDS = 3 /* what an operation may have without saying how many */
};

struct unpacker
{
  struct pg_kir_kernel *kernel;
  struct pg_kir_error *error;
  const unsigned char *bytes;
  size_t len, at;
  uint32_t n_blocks;
  uint32_t line, last_line;     /* of the instruction before; the last that was known */
  uint32_t *operands, *targets; /* room for MOST of each */
  size_t most;
};

/* Say what is wrong at byte AT.  */
static __attribute__ ((format (printf, 3, 4))) bool
fail (struct unpacker *unpacker, size_t at, const char *format, ...)
{
  va_list rest;
  va_start (rest, format);
  vsnprintf (unpacker->error->text, sizeof unpacker->error->text, format, rest);
  va_end (rest);
  unpacker->error->at = (uint32_t) at;
  return false;
}

static enum pg_kir_op
op_of (unsigned code)
{
  switch (code)
    {
#define PG_KIR_OP_CODE(code, id) \
  case code:                     \
    return PG_KIR_OP_##id;
#include "kir-codes.def"
    default:
      return PG_KIR_N_OPS;
    }
}

static enum pg_kir_type
type_of (unsigned code)
{
  switch (code)
    {
#define PG_KIR_TYPE_CODE(code, id) \
  case code:                       \
    return PG_KIR_##id;
#include "kir-codes.def"
    default:
      return PG_KIR_N_TYPES;
    }
}

static enum pg_kir_combine
combine_of (unsigned code)
{
  switch (code)
    {
#define PG_KIR_COMBINE_CODE(code, id) \
  case code:                          \
    return PG_KIR_COMBINE_##id;
#include "kir-codes.def"
    default:
      return PG_KIR_N_COMBINES;
    }
}

/* Take the next byte, which is WHAT.  */
static bool
take_byte (struct unpacker *unpacker, const char *what, unsigned *byte)
{
  *byte = 0;
  if (unpacker->at == unpacker->len)
    return fail (unpacker, unpacker->at, "it ends before %s", what);
  *byte = unpacker->bytes[unpacker->at++];
  return true;
}

/* Take a number, which is WHAT and at most MOST.  */
static bool
take_number (struct unpacker *unpacker, const char *what, uint64_t most, uint64_t *number)
{
  size_t start = unpacker->at;
  unsigned byte = 0x80;
  *number = 0;
  for (unsigned shift = 0; byte & 0x80; shift += 7)
    {
      if (!take_byte (unpacker, what, &byte))
	return false;
      if (shift == 63 && byte > 1)
	return fail (unpacker, start, "%s: not a number of 64 bits", what);
      *number |= (uint64_t) (byte & 0x7f) << shift;
    }
  if (*number > most)
    return fail (unpacker, start, "%s: %" PRIu64 " is more than %" PRIu64, what, *number, most);
  return true;
}

static bool
take_count (struct unpacker *unpacker, const char *what, uint32_t most, uint32_t *count)
{
  uint64_t number;
  if (!take_number (unpacker, what, most, &number))
    return false;
  *count = (uint32_t) number;
  return true;
}

static bool
take_type (struct unpacker *unpacker, enum pg_kir_type *type)
{
  unsigned code;
  if (!take_byte (unpacker, "a type", &code))
    return false;
  *type = type_of (code);
  return *type < PG_KIR_N_TYPES || fail (unpacker, unpacker->at - 1, "there is no type %u", code);
}

static bool
take_operand (struct unpacker *unpacker, pg_kir_value *operand)
{
  size_t start = unpacker->at;
  uint32_t here = unpacker->kernel->n_instrs, distance;
  if (!take_count (unpacker, "an operand", PG_KIR_MOST_VALUES, &distance))
    return false;
  if (distance >= here)
    return fail (unpacker, start, "an operand: %u before instruction %u", (unsigned) distance, (unsigned) here);
  *operand = here - distance;
  if (distance > 0)
    return true;
  if (!take_count (unpacker, "an operand", PG_KIR_MOST_VALUES, &distance))
    return false;
  *operand = here + distance;
  return true;
}

/* Take a target of an instruction of BLOCK.  */
static bool
take_target (struct unpacker *unpacker, pg_kir_block_number block, pg_kir_block_number *target)
{
  size_t start = unpacker->at;
  uint64_t folded;
  if (!take_number (unpacker, "a block", 2 * PG_KIR_MOST_BLOCKS, &folded))
    return false;
  int64_t number = block + pg_kir_unfolded (folded);
  if (number < 0 || number >= unpacker->n_blocks)
    return fail (unpacker, start, "there is no block %" PRId64, number);
  *target = (pg_kir_block_number) number;
  return true;
}

/* Take the operation of an instruction, and its line.  */
static bool
take_op (struct unpacker *unpacker, enum pg_kir_op *op)
{
  unsigned code;
  uint64_t distance;
  if (!take_byte (unpacker, "an operation", &code))
    return false;
  *op = op_of (code & ~(unsigned) PG_KIR_OTHER_LINE);
  if (*op == PG_KIR_N_OPS)
    return fail (unpacker, unpacker->at - 1, "there is no operation %u", code & ~(unsigned) PG_KIR_OTHER_LINE);
  if (!(code & PG_KIR_OTHER_LINE))
    return true;
  size_t start = unpacker->at;
  if (!take_number (unpacker, "a line", 2 * (uint64_t) PG_KIR_MOST_LINES, &distance))
    return false;
  unpacker->line = 0;
  if (distance == 0)
    return true;
  int64_t line = unpacker->last_line + pg_kir_unfolded (distance - 1);
  if (line <= 0 || line >= PG_KIR_MOST_LINES)
    return fail (unpacker, start, "there is no line %" PRId64, line);
  unpacker->line = unpacker->last_line = (uint32_t) line;
  return true;
}

/* Take the number of an instruction with OP and TYPE.  */
static bool
take_instr_number (struct unpacker *unpacker, enum pg_kir_op op, enum pg_kir_type type, int64_t *number)
{
  uint64_t bits = 0;
  enum pg_kir_number kind = pg_kir_ops[op].number;
  uint64_t most = kind == PG_KIR_NUMBER_BITS ? UINT64_MAX : PG_KIR_MOST_ARGS_LEN;
  if (kind != PG_KIR_NUMBER_NONE && !take_number (unpacker, "a number", most, &bits))
    return false;
  *number = (int64_t) bits;
  if (kind == PG_KIR_NUMBER_BITS && pg_kir_types[type].kind == PG_KIR_KIND_INT)
    *number = pg_kir_unfolded (bits);
  else if (kind == PG_KIR_NUMBER_BITS && pg_kir_types[type].kind == PG_KIR_KIND_FLOAT)
    *number = (int64_t) pg_kir_turned (type, bits);
  return true;
}

/* Take N operands and M targets of an instruction of BLOCK, or as many of both as the form says if they are negative.
   How many there are is left in *N_OPERANDS and *N_TARGETS.  */
static bool
take_operands (struct unpacker *unpacker, pg_kir_block_number block, int n, int m, uint32_t *n_operands,
	       uint32_t *n_targets)
{
  *n_operands = (uint32_t) n;
  *n_targets = (uint32_t) m;
  if (n < 0)
    {
      if (!take_count (unpacker, "a number of operands", (uint32_t) unpacker->most, n_operands))
	return false;
      *n_targets = *n_operands;
    }
  for (uint32_t i = 0; i < *n_operands; i++)
    if (!take_operand (unpacker, &unpacker->operands[i]))
      return false;
  for (uint32_t i = 0; i < *n_targets; i++)
    if (!take_target (unpacker, block, &unpacker->targets[i]))
      return false;
  return true;
}

/* The type of operand N of N_OPERANDS, if there is one and it stands before.  */
static enum pg_kir_type
known_type (const struct unpacker *unpacker, uint32_t n, uint32_t n_operands)
{
  const struct pg_kir_kernel *kernel = unpacker->kernel;
  if (n >= n_operands || unpacker->operands[n] >= kernel->n_instrs)
    return PG_KIR_N_TYPES;
  return (enum pg_kir_type) kernel->instrs[unpacker->operands[n]].type;
}

/* Take an instruction of BLOCK; *IS_END: it ends it.  */
static bool
take_instr (struct unpacker *unpacker, pg_kir_block_number block, bool *is_end)
{
  struct pg_kir_kernel *kernel = unpacker->kernel;
  size_t start = unpacker->at;
  enum pg_kir_op op;
  uint32_t n_operands, n_targets;
  int64_t number;
  int n, m;
  if (!take_op (unpacker, &op))
    return false;
  enum pg_kir_shape shape = pg_kir_ops[op].shape;
  pg_kir_count (shape, &n, &m);
  if (!take_operands (unpacker, block, n, m, &n_operands, &n_targets))
    return false;
  enum pg_kir_type type
    = pg_kir_told_type (shape, known_type (unpacker, 0, n_operands), known_type (unpacker, 1, n_operands));
  if (type == PG_KIR_N_TYPES && !take_type (unpacker, &type))
    return false;
  if (!take_instr_number (unpacker, op, type, &number))
    return false;
  pg_kir_value value
    = pg_kir_add (kernel, block, op, type, number, unpacker->operands, n_operands, unpacker->targets, n_targets);
  if (value == 0)
    return fail (unpacker, start, "too much, or no memory");
  kernel->instrs[value].line = unpacker->line;
  *is_end = shape >= PG_KIR_JUMP;
  return true;
}

static bool
take_name (struct unpacker *unpacker)
{
  struct pg_kir_kernel *kernel = unpacker->kernel;
  size_t start = unpacker->at;
  uint32_t len;
  if (!take_count (unpacker, "the length of the name", sizeof kernel->name - 1, &len))
    return false;
  if (len > unpacker->len - unpacker->at)
    return fail (unpacker, start, "it ends within the name");
  memcpy (kernel->name, unpacker->bytes + unpacker->at, len);
  unpacker->at += len;
  return true;
}

static bool
take_carry (struct unpacker *unpacker)
{
  enum pg_kir_type type;
  unsigned code;
  uint32_t offset;
  if (!take_type (unpacker, &type) || !take_byte (unpacker, "a way to combine", &code))
    return false;
  enum pg_kir_combine combine = combine_of (code);
  if (combine == PG_KIR_N_COMBINES)
    return fail (unpacker, unpacker->at - 1, "there is no way %u to combine", code);
  if (!take_count (unpacker, "an offset", PG_KIR_MOST_ARGS_LEN, &offset))
    return false;
  pg_kir_add_carry (unpacker->kernel, type, combine, offset);
  return !unpacker->kernel->is_broken || fail (unpacker, unpacker->at, "no memory");
}

static bool
take_header (struct unpacker *unpacker)
{
  struct pg_kir_kernel *kernel = unpacker->kernel;
  unsigned version;
  uint32_t n_carries;
  if (!take_byte (unpacker, "the version", &version))
    return false;
  if (version != PG_KIR_PACK_VERSION)
    return fail (unpacker, 0, "version %u, not %u", version, PG_KIR_PACK_VERSION);
  if (!take_name (unpacker) || !take_count (unpacker, "the arguments' length", PG_KIR_MOST_ARGS_LEN, &kernel->args_len)
      || !take_count (unpacker, "the number of dimensions", PG_KIR_MOST_DIMS, &kernel->n_dims)
      || !take_count (unpacker, "the number of references", PG_KIR_MOST_REFS, &kernel->n_refs)
      || !take_count (unpacker, "the number of threads", PG_KIR_MOST_THREADS, &kernel->n_threads))
    return false;
  if (kernel->n_threads > 0
      && !take_count (unpacker, "the length of shared memory", PG_KIR_MOST_SHARED_LEN, &kernel->shared_len))
    return false;
  if (!take_count (unpacker, "the number of carried values", PG_KIR_MOST_CARRIES, &n_carries))
    return false;
  for (uint32_t c = 0; c < n_carries; c++)
    if (!take_carry (unpacker))
      return false;
  return take_count (unpacker, "the number of blocks", PG_KIR_MOST_BLOCKS, &unpacker->n_blocks);
}

static bool
take_all (struct unpacker *unpacker)
{
  if (!take_header (unpacker))
    return false;
  for (uint32_t b = 0; b < unpacker->n_blocks; b++)
    {
      bool is_end = false;
      pg_kir_add_block (unpacker->kernel);
      if (unpacker->kernel->is_broken)
	return fail (unpacker, unpacker->at, "no memory");
      while (!is_end)
	if (!take_instr (unpacker, b, &is_end))
	  return false;
    }
  return unpacker->at == unpacker->len || fail (unpacker, unpacker->at, "something follows");
}

bool
pg_kir_unpack (struct pg_kir_kernel *kernel, const unsigned char *bytes, size_t len, struct pg_kir_error *error)
{
  struct unpacker unpacker = { .kernel = kernel, .error = error, .bytes = bytes, .len = len };
  unpacker.most = len < PG_KIR_MOST_OPERANDS ? len : PG_KIR_MOST_OPERANDS;
  size_t room = unpacker.most < LEAST_OPERANDS ? LEAST_OPERANDS : unpacker.most;
  unpacker.operands = kernel->resize (NULL, 0, 2 * room * sizeof *unpacker.operands);
  if (unpacker.operands == NULL)
    return fail (&unpacker, 0, "no memory");
  unpacker.targets = unpacker.operands + room;
  bool is_good = take_all (&unpacker);
  kernel->resize (unpacker.operands, 2 * room * sizeof *unpacker.operands, 0);
  if (!is_good)
    pg_kir_end (kernel);
  return is_good;
}
