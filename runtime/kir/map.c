/* SPDX-License-Identifier: MIT
   Mapping.  See map.h.

   The kernel that becomes of a loop's blocks b0 ... bn:

       start:  thread, number of threads, first, end and step of this thread's iterations; branch body or done
       body:   i = phi [start first] [latch i + step], each carried value likewise; then b0
       ...     b1 ... bn, where a return has become a jump to latch
       latch:  i + step; branch body or done
       done:   store the carried values (map-done.c)

   Operands are filled in when all is copied: blocks may stand in any order.  */
#include "mapper.h"
#include "combine.h"

#include <stdio.h>
#include <string.h>

enum
{
  SLOT_LEN = 8 /* of a partial value */
};

pg_kir_value
pg_map_add (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type,
	    int64_t number, pg_kir_value a, pg_kir_value b)
{
  return pg_kir_add_simple (mapper->spmd, block, op, type, number, a, b);
}

pg_kir_value
pg_map_constant (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, uint64_t bits)
{
  return pg_map_add (mapper, block, PG_KIR_OP_CONST, type, (int64_t) bits, 0, 0);
}

void
pg_map_branch (struct pg_mapper *mapper, pg_kir_block_number block, pg_kir_value condition, pg_kir_block_number yes,
	       pg_kir_block_number no)
{
  pg_kir_add (mapper->spmd, block, PG_KIR_OP_BRANCH, PG_KIR_VOID, 0, &condition, 1,
	      (const pg_kir_block_number[]) { yes, no }, 2);
}

void
pg_map_jump (struct pg_mapper *mapper, pg_kir_block_number block, pg_kir_block_number target)
{
  pg_kir_add (mapper->spmd, block, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &target, 1);
}

/* A field of the launch.  */
pg_kir_value
pg_map_launch_field (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, size_t offset)
{
  return pg_map_add (mapper, block, PG_KIR_OP_ARG, type, mapper->offset + (int64_t) offset, 0, 0);
}

/* Append a phi for a value of TYPE after the N blocks BEFORE, whose values are filled in later.  */
pg_kir_value
pg_map_phi (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type,
	    const pg_kir_block_number *before, unsigned n)
{
  static const pg_kir_value unknown[PG_KIR_MOST_OPERANDS];
  return pg_kir_add (mapper->spmd, block, PG_KIR_OP_PHI, type, 0, unknown, n, before, n);
}

/* Let operand I of VALUE be OPERAND.  */
void
pg_map_fill (struct pg_mapper *mapper, pg_kir_value value, unsigned i, pg_kir_value operand)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  if (!spmd->is_broken)
    pg_kir_operands (spmd, &spmd->instrs[value])[i] = operand;
}

/* The beginning: which iterations this thread runs.  */
static void
put_start (struct pg_mapper *mapper)
{
  pg_kir_block_number b = mapper->start;
  pg_kir_value in_block = pg_map_add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value of_block = pg_map_add (mapper, b, PG_KIR_OP_THREADS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value block = pg_map_add (mapper, b, PG_KIR_OP_BLOCK, PG_KIR_I64, 0, 0, 0);
  pg_kir_value blocks = pg_map_add (mapper, b, PG_KIR_OP_BLOCKS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value before = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, block, of_block);
  mapper->thread = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, before, in_block);
  mapper->n_threads = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, blocks, of_block);
  pg_kir_value lo = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, lo));
  pg_kir_value hi = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, hi));
  if (mapper->mapping == PG_KIR_CHUNKED)
    {
      pg_kir_value chunk = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, chunk));
      pg_kir_value skipped = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, mapper->thread, chunk);
      mapper->first = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, lo, skipped);
      pg_kir_value end = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, mapper->first, chunk);
      mapper->end = pg_map_add (mapper, b, PG_KIR_OP_SMIN, PG_KIR_I64, 0, end, hi);
      mapper->step = pg_map_constant (mapper, b, PG_KIR_I64, 1);
    }
  else
    {
      mapper->first = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, lo, mapper->thread);
      mapper->end = hi;
      mapper->step = mapper->n_threads;
    }
}

/* Where carried values begin.  */
static void
put_beginnings (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->start;
  if (loop->n_carries == 0)
    return;
  pg_kir_value zero = pg_map_constant (mapper, b, PG_KIR_I64, 0);
  pg_kir_value is_first = pg_map_add (mapper, b, PG_KIR_OP_EQ, PG_KIR_I8, 0, mapper->thread, zero);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      const struct pg_kir_carry *carry = &loop->carries[c];
      pg_kir_value given = pg_map_add (mapper, b, PG_KIR_OP_ARG, carry->type, carry->offset, 0, 0);
      pg_kir_value neutral = pg_map_constant (mapper, b, carry->type, pg_kir_identity (carry->combine, carry->type));
      mapper->begun[c] = pg_kir_add (mapper->spmd, b, PG_KIR_OP_SELECT, carry->type, 0,
				     (const pg_kir_value[]) { is_first, given, neutral }, 3, NULL, 0);
    }
}

/* Copy VALUE of the loop to the end of BLOCK, its operands to be filled in later.  */
static void
copy (struct pg_mapper *mapper, pg_kir_block_number block, pg_kir_value value)
{
  static const pg_kir_value unknown[PG_KIR_MOST_OPERANDS];
  const struct pg_kir_kernel *loop = mapper->loop;
  const struct pg_kir_instr *instr = &loop->instrs[value];
  for (unsigned t = 0; t < instr->n_targets; t++)
    mapper->before[t] = mapper->body + pg_kir_targets (loop, instr)[t];
  pg_kir_value copied = pg_kir_add (mapper->spmd, block, instr->op, instr->type, instr->number, unknown,
				    instr->n_operands, mapper->before, instr->n_targets);
  if (copied != 0)
    mapper->spmd->instrs[copied].line = instr->line;
  mapper->value_of[value] = copied;
}

/* Copy block B of the loop.  */
static void
copy_block (struct pg_mapper *mapper, uint32_t b)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number block = mapper->body + b;
  pg_map_put_phis (mapper, b, block);
  for (uint32_t i = 0; i < loop->blocks[b].n; i++)
    {
      pg_kir_value value = loop->blocks[b].code[i];
      const struct pg_kir_instr *instr = &loop->instrs[value];
      if (instr->op == PG_KIR_OP_ITER)
	mapper->value_of[value] = mapper->iter;
      else if (instr->op == PG_KIR_OP_CARRY)
	mapper->value_of[value] = mapper->carried[instr->number];
      else if (instr->op == PG_KIR_OP_RETURN)
	pg_map_jump (mapper, block, mapper->latch);
      else if (instr->op != PG_KIR_OP_NEXT)
	copy (mapper, block, value);
    }
}

/* All blocks of the loop, begun by what changes from iteration to iteration.  */
static void
put_body (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  const pg_kir_block_number before[] = { mapper->start, mapper->latch };
  mapper->iter = pg_map_phi (mapper, mapper->body, PG_KIR_I64, before, 2);
  pg_map_fill (mapper, mapper->iter, 0, mapper->first);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      mapper->carried[c] = pg_map_phi (mapper, mapper->body, loop->carries[c].type, before, 2);
      pg_map_fill (mapper, mapper->carried[c], 0, mapper->begun[c]);
    }
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    copy_block (mapper, b);
}

/* To the next iteration, or not.  */
static void
put_latch (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->latch;
  pg_map_put_phis (mapper, loop->n_blocks, b);
  pg_kir_value next = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, mapper->iter, mapper->step);
  pg_kir_value is_there = pg_map_add (mapper, b, PG_KIR_OP_SLT, PG_KIR_I8, 0, next, mapper->end);
  pg_map_branch (mapper, b, is_there, mapper->body, mapper->done);
  pg_map_fill (mapper, mapper->iter, 1, next);
}

/* Give what was copied its operands.  */
static void
fill_operands (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  for (pg_kir_value value = 1; value < loop->n_instrs; value++)
    {
      const struct pg_kir_instr *instr = &loop->instrs[value];
      bool is_copied = instr->op != PG_KIR_OP_ITER && instr->op != PG_KIR_OP_CARRY && instr->op != PG_KIR_OP_NEXT
		       && instr->op != PG_KIR_OP_RETURN;
      for (unsigned i = 0; i < instr->n_operands && is_copied; i++)
	pg_map_fill (mapper, mapper->value_of[value], i, mapper->value_of[pg_kir_operands (loop, instr)[i]]);
    }
}

/* Give MAPPER its tables.  */
static bool
get_tables (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  size_t n_values = loop->n_instrs, n_carries = loop->n_carries, n_places = n_carries * (loop->n_blocks + 1);
  size_t n_before = loop->n_blocks > PG_KIR_MOST_OPERANDS ? loop->n_blocks : PG_KIR_MOST_OPERANDS;
  size_t n = n_values + 3 * n_places + n_before + 3 * n_carries;
  mapper->memory_len = n * sizeof *mapper->memory;
  uint32_t *memory = mapper->memory = loop->resize (NULL, 0, mapper->memory_len);
  if (memory == NULL)
    return false;
  memset (memory, 0, mapper->memory_len);
  mapper->value_of = memory;
  mapper->phi = memory + n_values;
  mapper->on_entry = mapper->phi + n_places;
  mapper->set = mapper->on_entry + n_places;
  memset (mapper->on_entry, 0xff, 2 * n_places * sizeof *memory); /* PG_MAP_NOTHING */
  mapper->before = mapper->set + n_places;
  mapper->begun = mapper->before + n_before;
  mapper->carried = mapper->begun + n_carries;
  mapper->at_end = mapper->carried + n_carries;
  return true;
}

static void
put_all (struct pg_mapper *mapper)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_kernel *loop = mapper->loop;
  mapper->start = pg_kir_add_block (spmd);
  mapper->body = mapper->start + 1;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    pg_kir_add_block (spmd);
  mapper->latch = pg_kir_add_block (spmd);
  mapper->done = pg_kir_add_block (spmd);
  if (spmd->is_broken)
    return;
  pg_map_find_phis (mapper);
  put_start (mapper);
  put_beginnings (mapper);
  pg_map_branch (mapper, mapper->start,
		 pg_map_add (mapper, mapper->start, PG_KIR_OP_SLT, PG_KIR_I8, 0, mapper->first, mapper->end),
		 mapper->body, mapper->done);
  put_body (mapper);
  put_latch (mapper);
  fill_operands (mapper);
  pg_map_fill_phis (mapper);
  pg_map_put_done (mapper);
}

uint32_t
pg_kir_launch_offset (const struct pg_kir_kernel *loop)
{
  return (loop->args_len + 7) / 8 * 8;
}

static bool
fail (struct pg_kir_error *error, const char *text)
{
  *error = (struct pg_kir_error) { .at = 0 };
  snprintf (error->text, sizeof error->text, "%s", text);
  return false;
}

bool
pg_kir_map (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping,
	    uint32_t n_threads, struct pg_kir_error *error)
{
  struct pg_mapper mapper = { .spmd = spmd, .loop = loop, .mapping = mapping, .offset = pg_kir_launch_offset (loop) };
  if (loop->n_threads > 0 || loop->n_dims != 1)
    return fail (error, "not a loop of one dimension");
  if (n_threads == 0 || n_threads > PG_KIR_MOST_THREADS)
    return fail (error, "no block has so many threads");
  if (mapper.offset + sizeof (struct pg_kir_launch) > PG_KIR_MOST_ARGS_LEN || loop->n_refs == PG_KIR_MOST_REFS)
    return fail (error, "too many arguments or references");
  if (!get_tables (&mapper))
    return fail (error, "no memory");
  memcpy (spmd->name, loop->name, sizeof spmd->name);
  spmd->args_len = mapper.offset + (uint32_t) sizeof (struct pg_kir_launch);
  spmd->n_refs = loop->n_refs + 1;
  spmd->n_threads = n_threads;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (pg_map_is_combined (mapping, &loop->carries[c]))
      spmd->shared_len = n_threads * SLOT_LEN;
  put_all (&mapper);
  loop->resize (mapper.memory, mapper.memory_len, 0);
  bool is_good = !spmd->is_broken || fail (error, "too large, or no memory");
  if (!is_good)
    pg_kir_end (spmd);
  return is_good;
}
