/* SPDX-License-Identifier: MIT
   Is a kernel what a kernel must be?  See kir.h.

   In order, as each step trusts those before:

     carries	   are of types that can be combined so, and in the arguments, each in bytes of its own
     instructions  operands, targets and numbers are there, and types fit the shape
     blocks	   no instruction is there twice; ends end blocks, phis begin them
     flow	   all blocks are reached; phis have a value for each block before
     values	   each is computed before it is used: its block dominates the use's  */
#include "flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verifier
{
  const struct pg_kir_kernel *kernel;
  struct pg_kir_error *error;
  uint32_t *memory; /* all that follows lies in it */
  size_t memory_len;
  uint32_t *block_of, *place_of; /* of instructions */
  uint32_t *n_before;            /* of blocks: how many are before */
  uint32_t *seen;                /* of blocks: a mark of the last who looked */
  struct pg_kir_flow flow;
};

static __attribute__ ((format (printf, 3, 4))) bool
fail (struct verifier *verifier, uint32_t at, const char *format, ...)
{
  va_list rest;
  va_start (rest, format);
  vsnprintf (verifier->error->text, sizeof verifier->error->text, format, rest);
  va_end (rest);
  verifier->error->at = at;
  return false;
}

static enum pg_kir_type
type_of (const struct pg_kir_kernel *kernel, pg_kir_value value)
{
  return (enum pg_kir_type) kernel->instrs[value].type;
}

static enum pg_kir_kind
kind_of (enum pg_kir_type type)
{
  return pg_kir_types[type].kind;
}

void
pg_kir_count (enum pg_kir_shape shape, int *n_operands, int *n_targets)
{
  static const int counts[][2] = {
    [PG_KIR_VALUE] = { 0, 0 },       [PG_KIR_NEXT] = { 1, 0 },      [PG_KIR_INDEX] = { 0, 0 },
    [PG_KIR_INT2] = { 2, 0 },        [PG_KIR_FLOAT1] = { 1, 0 },    [PG_KIR_FLOAT2] = { 2, 0 },
    [PG_KIR_CMP_INT] = { 2, 0 },     [PG_KIR_CMP_FLOAT] = { 2, 0 }, [PG_KIR_NARROW] = { 1, 0 },
    [PG_KIR_WIDEN] = { 1, 0 },       [PG_KIR_INT_FLOAT] = { 1, 0 }, [PG_KIR_FLOAT_INT] = { 1, 0 },
    [PG_KIR_FLOAT_FLOAT] = { 1, 0 }, [PG_KIR_BITS] = { 1, 0 },      [PG_KIR_SELECT] = { 3, 0 },
    [PG_KIR_ADDRESS] = { 2, 0 },     [PG_KIR_LOAD] = { 1, 0 },      [PG_KIR_STORE] = { 2, 0 },
    [PG_KIR_PHI] = { -1, -1 },       [PG_KIR_JUMP] = { 0, 1 },      [PG_KIR_BRANCH] = { 1, 2 },
    [PG_KIR_SWITCH] = { -1, -1 },    [PG_KIR_RETURN] = { 0, 0 },    [PG_KIR_SHARED] = { 0, 0 },
    [PG_KIR_ATOMIC] = { 2, 0 },      [PG_KIR_SWAP] = { 3, 0 },      [PG_KIR_BARRIER] = { 0, 0 },
    [PG_KIR_FACT] = { 1, 0 },        [PG_KIR_FLOAT3] = { 3, 0 },
  };
  *n_operands = counts[shape][0];
  *n_targets = counts[shape][1];
}

/* Do a result of TYPE and operands of types A, B and C fit SHAPE?  */
static bool
types_fit (enum pg_kir_shape shape, enum pg_kir_type type, enum pg_kir_type a, enum pg_kir_type b, enum pg_kir_type c)
{
  enum pg_kir_kind kind = kind_of (type), kind_a = kind_of (a);
  unsigned len = pg_kir_types[type].len, len_a = pg_kir_types[a].len;
  switch (shape)
    {
    case PG_KIR_VALUE:
      return type != PG_KIR_VOID;
    case PG_KIR_INDEX:
      return type == PG_KIR_I64;
    case PG_KIR_INT2:
      return kind == PG_KIR_KIND_INT && a == type && b == type;
    case PG_KIR_FLOAT1:
      return kind == PG_KIR_KIND_FLOAT && a == type;
    case PG_KIR_FLOAT2:
      return kind == PG_KIR_KIND_FLOAT && a == type && b == type;
    case PG_KIR_FLOAT3:
      return kind == PG_KIR_KIND_FLOAT && a == type && b == type && c == type;
    case PG_KIR_CMP_INT:
      return type == PG_KIR_I8 && (kind_a == PG_KIR_KIND_INT || kind_a == PG_KIR_KIND_PTR) && a == b;
    case PG_KIR_CMP_FLOAT:
      return type == PG_KIR_I8 && kind_a == PG_KIR_KIND_FLOAT && a == b;
    case PG_KIR_NARROW:
      return kind == PG_KIR_KIND_INT && kind_a == PG_KIR_KIND_INT && len < len_a;
    case PG_KIR_WIDEN:
      return kind == PG_KIR_KIND_INT && kind_a == PG_KIR_KIND_INT && len > len_a;
    case PG_KIR_INT_FLOAT:
      return kind == PG_KIR_KIND_FLOAT && kind_a == PG_KIR_KIND_INT;
    case PG_KIR_FLOAT_INT:
      return kind == PG_KIR_KIND_INT && kind_a == PG_KIR_KIND_FLOAT;
    case PG_KIR_FLOAT_FLOAT:
      return kind == PG_KIR_KIND_FLOAT && kind_a == PG_KIR_KIND_FLOAT && type != a;
    case PG_KIR_BITS:
      return type != PG_KIR_VOID && type != a && len == len_a;
    case PG_KIR_SELECT:
      return a == PG_KIR_I8 && type != PG_KIR_VOID && b == type && c == type;
    case PG_KIR_ADDRESS:
      return type == PG_KIR_PTR && a == PG_KIR_PTR && b == PG_KIR_I64;
    case PG_KIR_LOAD:
      return type != PG_KIR_VOID && a == PG_KIR_PTR;
    case PG_KIR_STORE:
      return type == PG_KIR_VOID && a == PG_KIR_PTR && b != PG_KIR_VOID;
    case PG_KIR_PHI:
      return type != PG_KIR_VOID;
    case PG_KIR_NEXT:
    case PG_KIR_BARRIER:
      return type == PG_KIR_VOID;
    case PG_KIR_FACT:
      return type == PG_KIR_VOID && a == PG_KIR_I8;
    case PG_KIR_SHARED:
      return type == PG_KIR_PTR;
    case PG_KIR_ATOMIC:
      return a == PG_KIR_PTR && b == type && len >= 4 && kind != PG_KIR_KIND_PTR;
    case PG_KIR_SWAP:
      return a == PG_KIR_PTR && b == type && c == type && len >= 4 && kind == PG_KIR_KIND_INT;
    case PG_KIR_JUMP:
    case PG_KIR_RETURN:
      return type == PG_KIR_VOID;
    case PG_KIR_BRANCH:
      return type == PG_KIR_VOID && a == PG_KIR_I8;
    case PG_KIR_SWITCH:
      return type == PG_KIR_VOID && kind_a == PG_KIR_KIND_INT;
    }
  return false;
}

/* The type of the value that INSTR, a "carry" or "next", takes or gives, and that of the carried value.  */
static enum pg_kir_type
carry_type (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  return instr->op == PG_KIR_OP_CARRY ? instr->type : type_of (kernel, pg_kir_operands (kernel, instr)[0]);
}

static enum pg_kir_type
carried (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  return (enum pg_kir_type) kernel->carries[instr->number].type;
}

/* Has one of the first N carried values bytes among the LEN from OFFSET on in the arguments?  */
static bool
is_carried (const struct pg_kir_kernel *kernel, uint32_t n, uint64_t offset, unsigned len)
{
  for (uint32_t c = 0; c < n; c++)
    if (offset < kernel->carries[c].offset + (uint64_t) pg_kir_types[kernel->carries[c].type].len
	&& kernel->carries[c].offset < offset + len)
      return true;
  return false;
}

/* Is INSTR's number one that there is?  */
static bool
number_fits (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  switch (pg_kir_ops[instr->op].number)
    {
    case PG_KIR_NUMBER_NONE:
      return instr->number == 0;
    case PG_KIR_NUMBER_BITS:
      return (int64_t) pg_kir_cut (instr->type, (uint64_t) instr->number) == instr->number;
    case PG_KIR_NUMBER_OFFSET:
      return instr->number >= 0
	     && instr->number <= (int64_t) kernel->args_len - (int64_t) pg_kir_types[instr->type].len;
    case PG_KIR_NUMBER_DIM:
      return instr->number >= 0 && instr->number < kernel->n_dims;
    case PG_KIR_NUMBER_REF:
      return instr->number >= 0 && instr->number < kernel->n_refs;
    case PG_KIR_NUMBER_CARRY:
      return instr->number >= 0 && instr->number < kernel->n_carries
	     && carry_type (kernel, instr) == carried (kernel, instr);
    case PG_KIR_NUMBER_GRID:
      return instr->number >= 0 && instr->number < kernel->n_dims;
    case PG_KIR_NUMBER_PLACE:
      return instr->number >= 0 && instr->number < kernel->shared_len;
    }
  return false;
}

/* Is OP one of KERNEL's form?  */
static bool
form_fits (const struct pg_kir_kernel *kernel, enum pg_kir_op op)
{
  enum pg_kir_number number = pg_kir_ops[op].number;
  enum pg_kir_shape shape = pg_kir_ops[op].shape;
  if (number == PG_KIR_NUMBER_DIM || number == PG_KIR_NUMBER_CARRY)
    return kernel->n_threads == 0;
  if (number == PG_KIR_NUMBER_GRID || number == PG_KIR_NUMBER_PLACE || shape == PG_KIR_BARRIER)
    return kernel->n_threads > 0;
  return true;
}

/* The operands of phis and switches, whose number is not fixed.  */
static bool
many_fit (const struct pg_kir_kernel *kernel, const struct pg_kir_instr *instr)
{
  const pg_kir_value *operands = pg_kir_operands (kernel, instr);
  enum pg_kir_shape shape = pg_kir_ops[instr->op].shape;
  if (shape == PG_KIR_PHI || shape == PG_KIR_SWITCH)
    if (instr->n_operands == 0 || instr->n_operands != instr->n_targets)
      return false;
  for (unsigned i = 0; i < instr->n_operands; i++)
    if (shape == PG_KIR_PHI && type_of (kernel, operands[i]) != instr->type)
      return false;
    else if (shape == PG_KIR_SWITCH && i > 0
	     && (kernel->instrs[operands[i]].op != PG_KIR_OP_CONST
		 || type_of (kernel, operands[i]) != type_of (kernel, operands[0])))
      return false;
  return true;
}

static bool
check_instr (struct verifier *verifier, pg_kir_value value)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  enum pg_kir_type types[3] = { PG_KIR_VOID, PG_KIR_VOID, PG_KIR_VOID };
  int n_operands, n_targets;
  if (instr->op >= PG_KIR_N_OPS || instr->type >= PG_KIR_N_TYPES)
    return fail (verifier, value, "no such operation or type");
  const char *name = pg_kir_ops[instr->op].name;
  if (instr->first > kernel->n_pool || instr->n_operands + instr->n_targets > kernel->n_pool - instr->first)
    return fail (verifier, value, "%s: operands are not there", name);
  pg_kir_count (pg_kir_ops[instr->op].shape, &n_operands, &n_targets);
  if ((n_operands >= 0 && instr->n_operands != n_operands) || (n_targets >= 0 && instr->n_targets != n_targets))
    return fail (verifier, value, "%s: %u operands and %u blocks", name, instr->n_operands, instr->n_targets);
  for (unsigned i = 0; i < instr->n_operands; i++)
    {
      pg_kir_value operand = pg_kir_operands (kernel, instr)[i];
      if (operand == 0 || operand >= kernel->n_instrs || type_of (kernel, operand) == PG_KIR_VOID
	  || kernel->instrs[operand].type >= PG_KIR_N_TYPES)
	return fail (verifier, value, "%s: operand %u is no value", name, i);
      if (i < 3)
	types[i] = type_of (kernel, operand);
    }
  for (unsigned i = 0; i < instr->n_targets; i++)
    if (pg_kir_targets (kernel, instr)[i] >= kernel->n_blocks)
      return fail (verifier, value, "%s: there is no block %u", name, (unsigned) pg_kir_targets (kernel, instr)[i]);
  if (!types_fit (pg_kir_ops[instr->op].shape, instr->type, types[0], types[1], types[2]) || !many_fit (kernel, instr))
    return fail (verifier, value, "%s: types do not fit", name);
  if (kind_of (instr->type) == PG_KIR_KIND_FLOAT && pg_kir_ops[instr->op].shape == PG_KIR_ATOMIC
      && instr->op != PG_KIR_OP_ATOMIC_ADD)
    return fail (verifier, value, "%s: types do not fit", name);
  if (!form_fits (kernel, instr->op))
    return fail (verifier, value, "%s: not in this form", name);
  if (!number_fits (kernel, instr))
    return fail (verifier, value, "%s: the number does not fit", name);
  if (instr->op == PG_KIR_OP_ARG
      && is_carried (kernel, kernel->n_carries, (uint64_t) instr->number, pg_kir_types[instr->type].len))
    return fail (verifier, value, "arg: of bytes of a carried value");
  if (instr->line >= PG_KIR_MOST_LINES)
    return fail (verifier, value, "%s: there is no such line", name);
  return true;
}

static enum pg_kir_shape
shape_of (const struct pg_kir_kernel *kernel, pg_kir_value value)
{
  return pg_kir_ops[kernel->instrs[value].op].shape;
}

/* Check what is in BLOCK, and note where it is.  */
static bool
check_block (struct verifier *verifier, pg_kir_block_number number)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  const struct pg_kir_block *block = &kernel->blocks[number];
  bool may_be_phi = true, may_be_carry = number == 0;
  if (block->n == 0)
    return fail (verifier, 0, "block %u is empty", (unsigned) number);
  for (uint32_t i = 0; i < block->n; i++)
    {
      pg_kir_value value = block->code[i];
      if (value == 0 || value >= kernel->n_instrs)
	return fail (verifier, 0, "block %u: there is no instruction %u", (unsigned) number, (unsigned) value);
      if (!check_instr (verifier, value))
	return false;
      if (verifier->block_of[value] != PG_KIR_NOWHERE)
	return fail (verifier, value, "is there twice");
      verifier->block_of[value] = number;
      verifier->place_of[value] = i;
      enum pg_kir_shape shape = shape_of (kernel, value);
      may_be_phi &= shape == PG_KIR_PHI;
      if (shape == PG_KIR_PHI && !may_be_phi)
	return fail (verifier, value, "phi behind other instructions");
      may_be_carry &= shape != PG_KIR_NEXT;
      if (kernel->instrs[value].op == PG_KIR_OP_CARRY && !may_be_carry)
	return fail (verifier, value, "carry: not in the first block, or behind a \"next\"");
      if ((shape >= PG_KIR_JUMP) != (i == block->n - 1))
	return fail (verifier, value, "block %u does not end where it ends", (unsigned) number);
    }
  return true;
}

/* Does PHI, in BLOCK, have one value for each block before, computed there?  */
static bool
check_phi (struct verifier *verifier, pg_kir_value phi, pg_kir_block_number block)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  const struct pg_kir_instr *instr = &kernel->instrs[phi];
  if (instr->n_targets != verifier->n_before[block])
    return fail (verifier, phi, "phi of %u values after %u blocks", instr->n_targets,
		 (unsigned) verifier->n_before[block]);
  for (unsigned i = 0; i < instr->n_targets; i++)
    {
      uint32_t before = pg_kir_targets (kernel, instr)[i], value = pg_kir_operands (kernel, instr)[i];
      const struct pg_kir_instr *end = pg_kir_end_of (kernel, before);
      bool leads_here = false;
      verifier->flow.n_left -= end->n_targets;
      for (unsigned t = 0; t < end->n_targets; t++)
	leads_here |= pg_kir_targets (kernel, end)[t] == block;
      if (!leads_here || verifier->seen[before] == phi)
	return fail (verifier, phi, "phi: block %u is not before, or twice", (unsigned) before);
      verifier->seen[before] = phi;
      if (verifier->block_of[value] == PG_KIR_NOWHERE
	  || !pg_kir_dominates (&verifier->flow, verifier->block_of[value], before))
	return fail (verifier, phi, "phi: v%u is not known in block %u", (unsigned) value, (unsigned) before);
    }
  return true;
}

static bool
check_uses (struct verifier *verifier, pg_kir_value user, pg_kir_block_number block)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  const struct pg_kir_instr *instr = &kernel->instrs[user];
  for (unsigned i = 0; i < instr->n_operands; i++)
    {
      uint32_t value = pg_kir_operands (kernel, instr)[i], home = verifier->block_of[value];
      if (home == PG_KIR_NOWHERE
	  || (home == block ? verifier->place_of[value] >= verifier->place_of[user]
			    : !pg_kir_dominates (&verifier->flow, home, block)))
	return fail (verifier, user, "v%u is used before it is computed", (unsigned) value);
    }
  return true;
}

/* Count the blocks before each.  */
static void
count_before (struct verifier *verifier)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  for (uint32_t block = 0; block < kernel->n_blocks; block++)
    {
      const struct pg_kir_instr *end = pg_kir_end_of (kernel, block);
      for (unsigned t = 0; t < end->n_targets; t++)
	{
	  uint32_t target = pg_kir_targets (kernel, end)[t];
	  verifier->n_before[target] += verifier->seen[target] != block;
	  verifier->seen[target] = block;
	}
    }
  memset (verifier->seen, 0, kernel->n_blocks * sizeof *verifier->seen);
}

static bool
check_flow (struct verifier *verifier)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  count_before (verifier);
  if (verifier->n_before[0] > 0)
    return fail (verifier, 0, "something leads back to the first block");
  if (!pg_kir_flow_begin (&verifier->flow, kernel))
    return fail (verifier, 0, "no memory");
  if (verifier->flow.n_order < kernel->n_blocks)
    return fail (verifier, 0, "a block is not reached");
  pg_kir_find_dominators (&verifier->flow);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	pg_kir_value value = kernel->blocks[b].code[i];
	bool is_phi = shape_of (kernel, value) == PG_KIR_PHI;
	bool is_good = is_phi ? check_phi (verifier, value, b) : check_uses (verifier, value, b);
	if (verifier->flow.n_left <= 0)
	  return fail (verifier, value, "its blocks take too long to check");
	if (!is_good)
	  return false;
      }
  return true;
}

/* Is each carried value of a type that can be combined so, and in the arguments, apart from the others?  */
static bool
check_carries (struct verifier *verifier)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    {
      const struct pg_kir_carry *carry = &kernel->carries[c];
      if (carry->type >= PG_KIR_N_TYPES || carry->type == PG_KIR_VOID || carry->combine >= PG_KIR_N_COMBINES)
	return fail (verifier, 0, "carry %u: no such type or way to combine", (unsigned) c);
      enum pg_kir_kind kinds = pg_kir_combines[carry->combine].kinds, kind = kind_of (carry->type);
      if (carry->combine != PG_KIR_COMBINE_LAST && kind != kinds
	  && (kinds != PG_KIR_KIND_ALL || kind == PG_KIR_KIND_PTR))
	return fail (verifier, 0, "carry %u: %s is not combined by \"%s\"", (unsigned) c,
		     pg_kir_types[carry->type].name, pg_kir_combines[carry->combine].name);
      if ((uint64_t) carry->offset + pg_kir_types[carry->type].len > kernel->args_len)
	return fail (verifier, 0, "carry %u: not in the arguments", (unsigned) c);
      if (is_carried (kernel, c, carry->offset, pg_kir_types[carry->type].len))
	return fail (verifier, 0, "carry %u: bytes of another carried value", (unsigned) c);
    }
  return true;
}

static bool
check_all (struct verifier *verifier)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  if (!check_carries (verifier))
    return false;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    if (!check_block (verifier, b))
      return false;
  return check_flow (verifier);
}

/* Give VERIFIER its tables.  */
static bool
get_tables (struct verifier *verifier)
{
  const struct pg_kir_kernel *kernel = verifier->kernel;
  size_t n_values = kernel->n_instrs, n_blocks = kernel->n_blocks;
  verifier->memory_len = 2 * (n_values + n_blocks) * sizeof (uint32_t);
  uint32_t *memory = verifier->memory = kernel->resize (NULL, 0, verifier->memory_len);
  if (memory == NULL)
    return false;
  memset (memory, 0xff, verifier->memory_len); /* PG_KIR_NOWHERE */
  verifier->block_of = memory;
  verifier->place_of = memory + n_values;
  verifier->n_before = memory + 2 * n_values;
  verifier->seen = verifier->n_before + n_blocks;
  memset (verifier->n_before, 0, n_blocks * sizeof *verifier->n_before);
  return true;
}

bool
pg_kir_verify (const struct pg_kir_kernel *kernel, struct pg_kir_error *error)
{
  struct verifier verifier = { .kernel = kernel, .error = error };
  if (kernel->is_broken)
    return fail (&verifier, 0, "there was not enough memory for it, or it is too large");
  if (kernel->n_blocks == 0 || kernel->n_dims == 0 || kernel->n_dims > PG_KIR_MOST_DIMS)
    return fail (&verifier, 0, "it has no blocks, or no dimensions, or too many");
  if (kernel->n_threads > 0 && (kernel->n_dims > PG_KIR_MOST_GRID_DIMS || kernel->n_carries > 0))
    return fail (&verifier, 0, "a grid has no carried values and three dimensions at most");
  if (kernel->n_threads == 0 && kernel->shared_len > 0)
    return fail (&verifier, 0, "no threads that could share memory");
  if (kernel->args_len > PG_KIR_MOST_ARGS_LEN || kernel->n_refs > PG_KIR_MOST_REFS
      || kernel->n_threads > PG_KIR_MOST_THREADS || kernel->shared_len > PG_KIR_MOST_SHARED_LEN)
    return fail (&verifier, 0, "it has too many arguments, references or threads, or shares too much");
  if (memchr (kernel->name, '\0', sizeof kernel->name) == NULL || strpbrk (kernel->name, "\"\n") != NULL)
    return fail (&verifier, 0, "its name has a quote or a new line in it, or no end");
  if (!get_tables (&verifier))
    return fail (&verifier, 0, "no memory");
  bool is_good = check_all (&verifier);
  pg_kir_flow_end (&verifier.flow);
  kernel->resize (verifier.memory, verifier.memory_len, 0);
  return is_good;
}
