/* SPDX-License-Identifier: MIT
   KIR fuzzer: kernels that are wrong, or right in another way than the generator's.  */
#include "fuzz-kir.h"

/* A random instruction of KERNEL that is in a block, or not.  */
static struct pg_kir_instr *
any_instr (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  return &kernel->instrs[1 + fk_pick (random, kernel->n_instrs - 1)];
}

static struct pg_kir_block *
any_block (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  return &kernel->blocks[fk_pick (random, kernel->n_blocks)];
}

/* A number that is often near NUMBER, and sometimes any.  */
static int64_t
other_number (struct fk_random *random, int64_t number)
{
  switch (fk_pick (random, 4))
    {
    case 0:
      return (int64_t) fk_bits (random);
    case 1:
      return (int64_t) (fk_bits (random) >> fk_pick (random, 64));
    case 2:
      return INT64_MAX - (int64_t) fk_pick (random, 4);
    default:
      return (int64_t) ((uint64_t) number + fk_pick (random, 3) - 1);
    }
}

static void
change_operand (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_instr *instr = any_instr (kernel, random);
  if (instr->n_operands > 0)
    pg_kir_operands (kernel, instr)[fk_pick (random, instr->n_operands)] = fk_pick (random, kernel->n_instrs + 1);
}

/* Use a value of the same type instead.  */
static void
change_operand_well (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_instr *instr = any_instr (kernel, random);
  if (instr->n_operands == 0)
    return;
  pg_kir_value *operand = &pg_kir_operands (kernel, instr)[fk_pick (random, instr->n_operands)];
  for (unsigned i = 0, at = fk_pick (random, kernel->n_instrs); i < kernel->n_instrs; i++)
    {
      pg_kir_value other = (at + i) % kernel->n_instrs;
      if (other == 0 || other == *operand || kernel->instrs[other].type != kernel->instrs[*operand].type)
	continue;
      *operand = other;
      return;
    }
}

static void
change_target (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  for (unsigned i = 0; i < 20; i++)
    {
      struct pg_kir_instr *instr = any_instr (kernel, random);
      if (instr->n_targets == 0)
	continue;
      pg_kir_targets (kernel, instr)[fk_pick (random, instr->n_targets)] = fk_pick (random, kernel->n_blocks + 1);
      return;
    }
}

static void
change_op (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  any_instr (kernel, random)->op = (uint8_t) fk_pick (random, PG_KIR_N_OPS + 1);
}

/* Another operation of the same shape.  */
static void
change_op_well (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_instr *instr = any_instr (kernel, random);
  for (unsigned i = 0, at = fk_pick (random, PG_KIR_N_OPS); i < PG_KIR_N_OPS; i++)
    {
      unsigned op = (at + i) % PG_KIR_N_OPS;
      if (op == instr->op || pg_kir_ops[op].shape != pg_kir_ops[instr->op].shape)
	continue;
      instr->op = (uint8_t) op;
      return;
    }
}

static void
change_type (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  any_instr (kernel, random)->type = (uint8_t) fk_pick (random, PG_KIR_N_TYPES + 1);
}

static void
change_number (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_instr *instr = any_instr (kernel, random);
  instr->number = other_number (random, instr->number);
}

/* The same where there is a number.  */
static void
change_number_well (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  for (unsigned i = 0; i < 20; i++)
    {
      struct pg_kir_instr *instr = any_instr (kernel, random);
      if (pg_kir_ops[instr->op].number == PG_KIR_NUMBER_NONE)
	continue;
      instr->number = other_number (random, instr->number);
      if (instr->op == PG_KIR_OP_CONST)
	instr->number = (int64_t) pg_kir_cut (instr->type, (uint64_t) instr->number);
      return;
    }
}

/* How many operands or targets there are, where they are, or a line; mostly of what has targets.  */
static void
change_counts (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_instr *instr = any_instr (kernel, random);
  for (unsigned i = 0; i < 10 && instr->n_targets == 0; i++)
    instr = any_instr (kernel, random);
  switch (fk_pick (random, 4))
    {
    case 0:
      instr->n_operands = (uint16_t) (instr->n_operands + fk_pick (random, 3) - 1);
      break;
    case 1:
      instr->n_targets = (uint16_t) (instr->n_targets + fk_pick (random, 3) - 1);
      break;
    case 2:
      instr->first += fk_once_in (random, 4) ? (uint32_t) fk_bits (random) : fk_pick (random, 5) - 2;
      break;
    default:
      instr->line = (uint32_t) fk_bits (random);
      break;
    }
}

/* Move, exchange, repeat or lose what is in blocks.  */
static void
change_order (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_block *block = any_block (kernel, random), *other = any_block (kernel, random);
  pg_kir_value *one = &block->code[fk_pick (random, block->n)], *two = &other->code[fk_pick (random, other->n)];
  pg_kir_value value = *one;
  switch (fk_pick (random, 4))
    {
    case 0:
      *one = *two;
      *two = value;
      break;
    case 1:
      *one = *two;
      break;
    case 2:
      *one = fk_pick (random, kernel->n_instrs + 2);
      break;
    default:
      if (block->n > 1)
	*one = block->code[--block->n];
      break;
    }
}

/* Exchange two neighbours.  */
static void
change_order_well (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  struct pg_kir_block *block = any_block (kernel, random);
  if (block->n < 3)
    return;
  uint32_t at = fk_pick (random, block->n - 2);
  pg_kir_value value = block->code[at];
  block->code[at] = block->code[at + 1];
  block->code[at + 1] = value;
}

static void
change_head (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  uint32_t *const numbers[] = { &kernel->n_dims, &kernel->n_refs, &kernel->args_len };
  uint32_t *number = numbers[fk_pick (random, 3)];
  if (fk_once_in (random, 6))
    kernel->name[fk_pick (random, 20)] = (char) fk_pick (random, 256);
  else if (kernel->n_carries == 0 || fk_once_in (random, 2))
    *number = (uint32_t) other_number (random, *number);
  else
    {
      struct pg_kir_carry *carry = &kernel->carries[fk_pick (random, kernel->n_carries)];
      if (fk_once_in (random, 2))
	carry->offset = (uint32_t) other_number (random, carry->offset);
      else if (fk_once_in (random, 2))
	carry->combine = (uint8_t) fk_pick (random, PG_KIR_N_COMBINES + 1);
      else
	carry->type = (uint8_t) fk_pick (random, PG_KIR_N_TYPES + 1);
    }
}

/* Is all there that another change looks at: operations, types, operands and targets?  */
static bool
may_be_changed (const struct pg_kir_kernel *kernel)
{
  for (uint32_t v = 1; v < kernel->n_instrs; v++)
    {
      const struct pg_kir_instr *instr = &kernel->instrs[v];
      if (instr->op >= PG_KIR_N_OPS || instr->type >= PG_KIR_N_TYPES || instr->first > kernel->n_pool
	  || (uint32_t) instr->n_operands + instr->n_targets > kernel->n_pool - instr->first)
	return false;
      for (unsigned i = 0; i < instr->n_operands; i++)
	if (pg_kir_operands (kernel, instr)[i] >= kernel->n_instrs)
	  return false;
    }
  return true;
}

void
fk_mutate (struct pg_kir_kernel *kernel, struct fk_random *random)
{
  static void (*const changes[]) (struct pg_kir_kernel * kernel, struct fk_random * random)
    = { change_operand, change_operand_well, change_operand_well, change_target,     change_op,
	change_op_well, change_op_well,      change_type,         change_number,     change_number_well,
	change_counts,  change_order,        change_order_well,   change_order_well, change_head };
  do
    changes[fk_pick (random, sizeof changes / sizeof *changes)](kernel, random);
  while (fk_once_in (random, 3) && may_be_changed (kernel));
}
