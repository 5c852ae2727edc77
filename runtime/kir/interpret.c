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

/* The LEN bytes at ADDRESS, if MACHINE's kernel may read or write them, or NULL.  */
static char *
reach (const struct pg_kir_machine *machine, uint64_t address, unsigned len, bool is_write)
{
  for (size_t s = 0; s < machine->n_spaces; s++)
    {
      const struct pg_kir_space *space = &machine->spaces[s];
      uint64_t offset = address - (uint64_t) (uintptr_t) space->low;
      if (offset < space->len && len <= space->len - offset && (space->is_writable || !is_write))
	return space->low + offset;
    }
  return NULL;
}

/* Load or store for INSTR at ADDRESS.  Bytes are in the machine's own order, which is little-endian.  */
static bool
access_memory (const struct pg_kir_machine *machine, const struct pg_kir_instr *instr, uint64_t address,
	       enum pg_kir_type type, uint64_t *value)
{
  bool is_write = instr->op == PG_KIR_OP_STORE;
  unsigned len = pg_kir_types[type].len;
  char *bytes = reach (machine, address, len, is_write);
  if (bytes == NULL)
    return false;
  if (machine->touch != NULL)
    machine->touch (machine->context, (uint32_t) instr->number, (uintptr_t) address, len, is_write);
  if (is_write)
    memcpy (bytes, value, len);
  else
    {
      *value = 0;
      memcpy (value, bytes, len);
    }
  return true;
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
run_instr (struct pg_kir_machine *machine, pg_kir_value value, const int64_t *iters)
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
      *result = (uint64_t) iters[instr->number];
      return PG_KIR_DONE;
    case PG_KIR_OP_LOAD:
      return access_memory (machine, instr, operands[0], instr->type, result) ? PG_KIR_DONE : PG_KIR_OUTSIDE;
    case PG_KIR_OP_STORE:
      return access_memory (machine, instr, operands[0], kernel->instrs[used[1]].type, &operands[1]) ? PG_KIR_DONE
												     : PG_KIR_OUTSIDE;
    default:
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

enum pg_kir_outcome
pg_kir_interpret (struct pg_kir_machine *machine, const int64_t *iters)
{
  const struct pg_kir_kernel *kernel = machine->kernel;
  pg_kir_block_number block = 0, before = 0;
  uint64_t n_left = machine->most_steps;
  take_carries (machine);
  for (;;)
    {
      const struct pg_kir_block *code = &kernel->blocks[block];
      uint32_t i = enter_block (machine, block, before);
      for (; i < code->n; i++)
	{
	  machine->at = code->code[i];
	  if (n_left-- == 0)
	    return PG_KIR_TOO_LONG;
	  if (i == code->n - 1)
	    break;
	  enum pg_kir_outcome outcome = run_instr (machine, code->code[i], iters);
	  if (outcome != PG_KIR_DONE)
	    return outcome;
	}
      const struct pg_kir_instr *end = &kernel->instrs[machine->at];
      if (end->op == PG_KIR_OP_RETURN)
	{
	  leave_carries (machine);
	  return PG_KIR_DONE;
	}
      before = block;
      block = follow (machine, end);
    }
}
