/* SPDX-License-Identifier: MIT
   Reductions into arrays by atomic operations.  See atomic.h.

   A store is the end of a reduction if, in its block, the value that it stores is combined of one that was loaded from
   the same address and of another one, nobody else uses either, and no memory was changed in between.  Addresses are
   the same if they are computed in the same way.  */
#include "atomic.h"
#include "edit.h"
#include "prune.h"

#include <string.h>

enum
{
  MOST_DEPTH = 8 /* to which computations are compared */
};

struct atomizer
{
  struct pg_kir_kernel *kernel;
  const uint8_t *is_asked;
  bool may_reorder;
  uint32_t *n_uses; /* by value */
};

/* How a combination is done in memory; the operand that takes away instead is negated by NEGATION.  */
static const struct rule
{
  enum pg_kir_op op, atomic;
  enum pg_kir_op negation; /* CONST: none */
  bool is_float;
} rules[] = {
  { PG_KIR_OP_ADD, PG_KIR_OP_ATOMIC_ADD, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_SUB, PG_KIR_OP_ATOMIC_ADD, PG_KIR_OP_SUB, false },
  { PG_KIR_OP_AND, PG_KIR_OP_ATOMIC_AND, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_OR, PG_KIR_OP_ATOMIC_OR, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_XOR, PG_KIR_OP_ATOMIC_XOR, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_SMIN, PG_KIR_OP_ATOMIC_SMIN, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_SMAX, PG_KIR_OP_ATOMIC_SMAX, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_UMIN, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_UMAX, PG_KIR_OP_ATOMIC_UMAX, PG_KIR_OP_CONST, false },
  { PG_KIR_OP_FADD, PG_KIR_OP_ATOMIC_ADD, PG_KIR_OP_CONST, true },
  { PG_KIR_OP_FSUB, PG_KIR_OP_ATOMIC_ADD, PG_KIR_OP_FNEG, true },
};

/* The rule for INSTR, or NULL.  */
static const struct rule *
rule_of (const struct atomizer *atomizer, const struct pg_kir_instr *instr)
{
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
    if (rules[r].op == pg_kir_wrapping ((enum pg_kir_op) instr->op) && (atomizer->may_reorder || !rules[r].is_float)
	&& pg_kir_types[instr->type].len >= 4)
      return &rules[r];
  return NULL;
}

/* Do A and B compute the same?  */
static bool
are_same (const struct pg_kir_kernel *kernel, pg_kir_value a, pg_kir_value b, unsigned depth)
{
  const struct pg_kir_instr *of_a = &kernel->instrs[a], *of_b = &kernel->instrs[b];
  if (a == b)
    return true;
  if (depth == 0 || of_a->op != of_b->op || of_a->type != of_b->type || of_a->number != of_b->number
      || of_a->op == PG_KIR_OP_PHI || pg_kir_accesses_memory (of_a->op))
    return false;
  for (unsigned i = 0; i < of_a->n_operands; i++)
    if (!are_same (kernel, pg_kir_operands (kernel, of_a)[i], pg_kir_operands (kernel, of_b)[i], depth - 1))
      return false;
  return true;
}

/* Where in BLOCK, before INDEX, VALUE is loaded, with no memory changed since; INDEX: nowhere.  */
static uint32_t
place_of_load (const struct pg_kir_kernel *kernel, const struct pg_kir_block *block, uint32_t index, pg_kir_value value)
{
  for (uint32_t i = index; i-- > 0;)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[block->code[i]];
      if (block->code[i] == value)
	return instr->op == PG_KIR_OP_LOAD ? i : index;
      if ((pg_kir_accesses_memory (instr->op) && instr->op != PG_KIR_OP_LOAD) || instr->op == PG_KIR_OP_BARRIER)
	return index;
    }
  return index;
}

/* Which operand of what the store at INDEX of BLOCK stores was loaded from the same place, to be changed only; -1:
   none.  */
static int
loaded_operand (const struct atomizer *atomizer, const struct pg_kir_block *block, uint32_t index)
{
  const struct pg_kir_kernel *kernel = atomizer->kernel;
  const struct pg_kir_instr *store = &kernel->instrs[block->code[index]];
  pg_kir_value address = pg_kir_operands (kernel, store)[0], stored = pg_kir_operands (kernel, store)[1];
  const struct pg_kir_instr *combined = &kernel->instrs[stored];
  const struct rule *rule = rule_of (atomizer, combined);
  if (rule == NULL || atomizer->n_uses[stored] != 1)
    return -1;
  for (int i = 0; i < (rule->negation == PG_KIR_OP_CONST ? 2 : 1); i++)
    {
      pg_kir_value loaded = pg_kir_operands (kernel, combined)[i];
      const struct pg_kir_instr *load = &kernel->instrs[loaded];
      if (atomizer->n_uses[loaded] == 1 && place_of_load (kernel, block, index, loaded) < index
	  && atomizer->is_asked[load->number]
	  && are_same (kernel, pg_kir_operands (kernel, load)[0], address, MOST_DEPTH))
	return i;
    }
  return -1;
}

/* Is INSTR an access of a reference that was asked for?  */
static bool
is_access (const struct atomizer *atomizer, const struct pg_kir_instr *instr)
{
  return pg_kir_accesses_memory (instr->op) && atomizer->is_asked[instr->number];
}

/* Are all accesses that were asked for the ends of reductions, or their beginnings?  */
static bool
all_reduce (const struct atomizer *atomizer)
{
  const struct pg_kir_kernel *kernel = atomizer->kernel;
  uint32_t n_loads = 0, n_stores = 0;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	if (!is_access (atomizer, instr))
	  continue;
	n_loads += instr->op == PG_KIR_OP_LOAD;
	n_stores += instr->op != PG_KIR_OP_LOAD;
	if (instr->op != PG_KIR_OP_LOAD
	    && (instr->op != PG_KIR_OP_STORE || loaded_operand (atomizer, &kernel->blocks[b], i) < 0))
	  return false;
      }
  return n_loads == n_stores;
}

/* Let the store at INDEX of block B be an atomic operation.  Returns where it stands then.  */
static uint32_t
change_store (struct atomizer *atomizer, pg_kir_block_number b, uint32_t index)
{
  struct pg_kir_kernel *kernel = atomizer->kernel;
  pg_kir_value store = kernel->blocks[b].code[index], stored = pg_kir_operands (kernel, &kernel->instrs[store])[1];
  int loaded = loaded_operand (atomizer, &kernel->blocks[b], index);
  const struct rule rule = *rule_of (atomizer, &kernel->instrs[stored]);
  enum pg_kir_type type = kernel->instrs[stored].type;
  pg_kir_value with = pg_kir_operands (kernel, &kernel->instrs[stored])[1 - loaded];
  if (rule.negation == PG_KIR_OP_SUB)
    {
      pg_kir_value zero = pg_kir_add_simple (kernel, b, PG_KIR_OP_CONST, type, 0, 0, 0);
      with = pg_kir_add_simple (kernel, b, PG_KIR_OP_SUB, type, 0, zero, with);
      pg_kir_move_up (kernel, b, 2, index);
      index += 2;
    }
  else if (rule.negation == PG_KIR_OP_FNEG)
    {
      with = pg_kir_add_simple (kernel, b, PG_KIR_OP_FNEG, type, 0, with, 0);
      pg_kir_move_up (kernel, b, 1, index++);
    }
  kernel->instrs[store].op = (uint8_t) rule.atomic;
  kernel->instrs[store].type = (uint8_t) type;
  pg_kir_operands (kernel, &kernel->instrs[store])[1] = with;
  return index;
}

bool
pg_kir_make_atomic (struct pg_kir_kernel *kernel, const uint8_t *is_asked, bool may_reorder, struct pg_kir_error *error)
{
  struct atomizer atomizer = { .kernel = kernel, .is_asked = is_asked, .may_reorder = may_reorder };
  size_t len = kernel->n_instrs * sizeof *atomizer.n_uses;
  atomizer.n_uses = kernel->resize (NULL, 0, len);
  if (atomizer.n_uses == NULL)
    return pg_kir_fail (error, "no memory");
  memset (atomizer.n_uses, 0, len);
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	for (unsigned o = 0; o < instr->n_operands; o++)
	  atomizer.n_uses[pg_kir_operands (kernel, instr)[o]]++;
      }
  bool is_good = all_reduce (&atomizer);
  for (uint32_t b = 0; b < kernel->n_blocks && is_good; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n && !kernel->is_broken; i++)
      {
	const struct pg_kir_instr *instr = &kernel->instrs[kernel->blocks[b].code[i]];
	if (instr->op == PG_KIR_OP_STORE && is_access (&atomizer, instr))
	  i = change_store (&atomizer, b, i);
      }
  kernel->resize (atomizer.n_uses, len, 0);
  if (!is_good)
    return pg_kir_fail (error, "an access does not combine what is there with something else");
  return pg_kir_prune (kernel) || pg_kir_fail (error, "too large, or no memory");
}
