/* SPDX-License-Identifier: MIT
   The interpreter.  See interpret.h.  */
#include "interpret.h"
#include "evaluate.h"

#include <string.h>

/* Bytes of a machine's own memory: values, phis' values to be, carried values.  */
static size_t
own_len (const struct pg_kir_kernel *kernel)
{
  return (2 * (size_t) kernel->n_instrs + kernel->n_carries) * sizeof (uint64_t);
}

bool
pg_kir_machine_begin (struct pg_kir_machine *machine, const struct pg_kir_kernel *kernel)
{
  *machine = (struct pg_kir_machine) { .kernel = kernel };
  machine->values = kernel->resize (NULL, 0, own_len (kernel));
  machine->carries = machine->values + 2 * kernel->n_instrs;
  return machine->values != NULL;
}

void
pg_kir_machine_end (struct pg_kir_machine *machine)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  kernel->resize (machine->values, own_len (kernel), 0);
  machine->values = NULL;
}

/* The LEN bytes at ADDRESS, if they lie in the SPACE_LEN bytes at LOW, or NULL.  */
static char *
within (char *low, size_t space_len, uint64_t address, unsigned len)
{
  uint64_t offset = address - (uint64_t) (uintptr_t) low;
  return offset < space_len && len <= space_len - offset ? low + offset : NULL;
}

/* The LEN bytes at ADDRESS, if MACHINE's kernel may read or write them, or NULL.  */
static char *
reach (const struct pg_kir_machine *machine, uint64_t address, unsigned len, bool is_write)
{
  char *bytes = NULL;
  if (machine->place != NULL)
    bytes = within (machine->place->shared, machine->kernel->shared_len, address, len);
  for (size_t s = 0; s < machine->n_spaces && bytes == NULL; s++)
    if (machine->spaces[s].is_writable || !is_write)
      bytes = within (machine->spaces[s].low, machine->spaces[s].len, address, len);
  return bytes;
}

/* What an atomic operation OP on a value of TYPE, OLD, leaves, being given A, and by a swap B.  */
static uint64_t
changed (enum pg_kir_op op, enum pg_kir_type type, uint64_t old, uint64_t a, uint64_t b)
{
  static const enum pg_kir_op plain[PG_KIR_N_OPS] = {
    [PG_KIR_OP_ATOMIC_ADD] = PG_KIR_OP_ADD,   [PG_KIR_OP_ATOMIC_AND] = PG_KIR_OP_AND,
    [PG_KIR_OP_ATOMIC_OR] = PG_KIR_OP_OR,     [PG_KIR_OP_ATOMIC_XOR] = PG_KIR_OP_XOR,
    [PG_KIR_OP_ATOMIC_SMIN] = PG_KIR_OP_SMIN, [PG_KIR_OP_ATOMIC_SMAX] = PG_KIR_OP_SMAX,
    [PG_KIR_OP_ATOMIC_UMIN] = PG_KIR_OP_UMIN, [PG_KIR_OP_ATOMIC_UMAX] = PG_KIR_OP_UMAX,
  };
  if (op == PG_KIR_OP_ATOMIC_SET)
    return a;
  if (op == PG_KIR_OP_ATOMIC_SWAP)
    return old == a ? b : old;
  enum pg_kir_op with = pg_kir_types[type].kind == PG_KIR_KIND_FLOAT ? PG_KIR_OP_FADD : plain[op];
  uint64_t result;
  pg_kir_evaluate (with, type, type, (const uint64_t[]) { old, a, 0 }, &result);
  return result;
}

/* An atomic operation for INSTR, on OPERANDS.  */
static enum pg_kir_outcome
change_memory (const struct pg_kir_machine *machine, const struct pg_kir_instr *instr, const uint64_t *operands,
	       uint64_t *result)
{
  unsigned len = pg_kir_types[instr->type].len;
  char *bytes = reach (machine, operands[0], len, true);
  if (bytes == NULL || operands[0] % len != 0)
    return bytes == NULL ? PG_KIR_OUTSIDE : PG_KIR_MISALIGNED;
  if (machine->touch != NULL)
    machine->touch (machine->context, (uint32_t) instr->number, (uintptr_t) operands[0], len, true);
  *result = 0;
  memcpy (result, bytes, len);
  uint64_t now = changed (instr->op, instr->type, *result, operands[1], operands[2]);
  memcpy (bytes, &now, len);
  return PG_KIR_DONE;
}

/* Load or store for INSTR at ADDRESS.  Bytes are in the machine's own order, which is little-endian.  */
static enum pg_kir_outcome
access_memory (const struct pg_kir_machine *machine, const struct pg_kir_instr *instr, uint64_t address,
	       enum pg_kir_type type, uint64_t *value)
{
  bool is_write = pg_kir_ops[instr->op].shape == PG_KIR_STORE;
  bool is_anywhere = instr->op == PG_KIR_OP_LOAD_BYTES || instr->op == PG_KIR_OP_STORE_BYTES;
  unsigned len = pg_kir_types[type].len;
  char *bytes = reach (machine, address, len, is_write);
  if (bytes == NULL)
    return PG_KIR_OUTSIDE;
  if (machine->is_strict && !is_anywhere && address % len != 0)
    return PG_KIR_MISALIGNED;
  if (machine->touch != NULL)
    machine->touch (machine->context, (uint32_t) instr->number, (uintptr_t) address, len, is_write);
  if (is_write)
    memcpy (bytes, value, len);
  else
    {
      *value = 0;
      memcpy (value, bytes, len);
    }
  return PG_KIR_DONE;
}

/* Give the phis at the start of BLOCK, entered from BEFORE, their values, all at once; their number.  */
static uint32_t
enter_block (struct pg_kir_machine *machine, pg_kir_block_number number, pg_kir_block_number before)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  const struct pg_kir_block *block = &kernel->blocks[number];
  uint64_t *values = machine->values, *fresh = machine->values + kernel->n_instrs;
  uint32_t n = 0;
  for (; n < block->n && kernel->instrs[block->code[n]].op == PG_KIR_OP_PHI; n++)
    {
      const struct pg_kir_instr *phi = &kernel->instrs[block->code[n]];
      unsigned i = 0;
      while (pg_kir_targets (kernel, phi)[i] != before)
	i++;
      fresh[block->code[n]] = values[pg_kir_operands (kernel, phi)[i]];
    }
  for (uint32_t i = 0; i < n; i++)
    values[block->code[i]] = fresh[block->code[i]];
  return n;
}

/* Where END, the last instruction of a block, leads.  */
static pg_kir_block_number
follow (const struct pg_kir_machine *machine, const struct pg_kir_instr *end)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  const pg_kir_value *operands = pg_kir_operands (kernel, end);
  const pg_kir_block_number *targets = pg_kir_targets (kernel, end);
  if (end->op == PG_KIR_OP_BRANCH)
    return targets[machine->values[operands[0]] == 0];
  for (unsigned i = 1; i < end->n_operands; i++)
    if (machine->values[operands[i]] == machine->values[operands[0]])
      return targets[i];
  return targets[0];
}

/* Run INSTR, number VALUE, which does not end a block.  */
static enum pg_kir_outcome
run_instr (struct pg_kir_machine *machine, pg_kir_value value)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  const struct pg_kir_instr *instr = &kernel->instrs[value];
  const pg_kir_value *used = pg_kir_operands (kernel, instr);
  uint64_t operands[3] = { 0, 0, 0 }, *result = &machine->values[value];
  for (unsigned i = 0; i < instr->n_operands; i++)
    operands[i] = machine->values[used[i]];
  switch (instr->op)
    {
    case PG_KIR_OP_CONST:
      *result = (uint64_t) instr->number;
      return PG_KIR_DONE;
    case PG_KIR_OP_ARG:
      *result = 0;
      memcpy (result, machine->args + instr->number, pg_kir_types[instr->type].len);
      return PG_KIR_DONE;
    case PG_KIR_OP_CARRY:
      *result = machine->carries[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_NEXT:
      machine->carries[instr->number] = operands[0];
      return PG_KIR_DONE;
    case PG_KIR_OP_ITER:
      *result = (uint64_t) machine->iters[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_THREAD:
      *result = (uint64_t) machine->place->thread[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_THREADS:
      *result = (uint64_t) machine->place->grid->n_threads[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_BLOCK:
      *result = (uint64_t) machine->place->block[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_BLOCKS:
      *result = (uint64_t) machine->place->grid->n_blocks[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_SHARED:
      *result = (uint64_t) (uintptr_t) (machine->place->shared + instr->number);
      return PG_KIR_DONE;
    case PG_KIR_OP_BARRIER:
      return PG_KIR_DONE;
    case PG_KIR_OP_KNOWN:
      return operands[0] != 0 ? PG_KIR_DONE : PG_KIR_UNTRUE;
    case PG_KIR_OP_LOAD:
    case PG_KIR_OP_LOAD_BYTES:
      return access_memory (machine, instr, operands[0], instr->type, result);
    case PG_KIR_OP_STORE:
    case PG_KIR_OP_STORE_BYTES:
      return access_memory (machine, instr, operands[0], kernel->instrs[used[1]].type, &operands[1]);
    default:
      if (pg_kir_ops[instr->op].shape == PG_KIR_ATOMIC || pg_kir_ops[instr->op].shape == PG_KIR_SWAP)
	return change_memory (machine, instr, operands, result);
      return pg_kir_evaluate (instr->op, instr->type, kernel->instrs[used[0]].type, operands, result)
	       ? PG_KIR_DONE
	       : PG_KIR_DIVIDED_BY_ZERO;
    }
}

static void
take_carries (struct pg_kir_machine *machine)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    {
      machine->carries[c] = 0;
      memcpy (&machine->carries[c], machine->args + kernel->carries[c].offset,
	      pg_kir_types[kernel->carries[c].type].len);
    }
}

static void
leave_carries (const struct pg_kir_machine *machine)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  for (uint32_t c = 0; c < kernel->n_carries; c++)
    memcpy (machine->args + kernel->carries[c].offset, &machine->carries[c], pg_kir_types[kernel->carries[c].type].len);
}

void
pg_kir_start (struct pg_kir_machine *machine)
{
  machine->block = machine->next = 0;
  machine->n_left = machine->most_steps;
}

/* Go from the end of MACHINE's block to the next; false: there is none.  */
static bool
go_to_next_block (struct pg_kir_machine *machine, const struct pg_kir_instr *end)
{
  pg_kir_block_number before = machine->block;
  if (end->op == PG_KIR_OP_RETURN)
    return false;
  machine->block = follow (machine, end);
  machine->next = enter_block (machine, machine->block, before);
  return true;
}

enum pg_kir_progress
pg_kir_go_on (struct pg_kir_machine *machine, uint64_t n, enum pg_kir_outcome *outcome)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  for (; n > 0; n--)
    {
      const struct pg_kir_block *block = &kernel->blocks[machine->block];
      pg_kir_value value = machine->at = block->code[machine->next++];
      const struct pg_kir_instr *instr = &kernel->instrs[value];
      *outcome = machine->n_left-- == 0 ? PG_KIR_TOO_LONG : PG_KIR_DONE;
      if (*outcome == PG_KIR_DONE && machine->next < block->n)
	*outcome = run_instr (machine, value);
      else if (*outcome == PG_KIR_DONE && !go_to_next_block (machine, instr))
	return PG_KIR_ENDED;
      if (*outcome != PG_KIR_DONE)
	return PG_KIR_FAILED;
      if (instr->op == PG_KIR_OP_BARRIER)
	return PG_KIR_AT_BARRIER;
    }
  return PG_KIR_PAUSED;
}

enum pg_kir_outcome
pg_kir_interpret (struct pg_kir_machine *machine, const int64_t *iters)
{
  enum pg_kir_outcome outcome;
  machine->iters = iters;
  take_carries (machine);
  pg_kir_start (machine);
  if (pg_kir_go_on (machine, UINT64_MAX, &outcome) == PG_KIR_ENDED)
    leave_carries (machine);
  return outcome;
}
