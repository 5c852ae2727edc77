/* SPDX-License-Identifier: MIT
   Mapping.  See map.h.

   The kernel that becomes of a loop's blocks b0 ... bn:

       start:  thread, number of threads, first, end and step of this thread's iterations; branch body or done
       body:   i = phi [start first] [latch i + step], each carried value likewise; then b0
       ...     b1 ... bn, where a return has become a jump to latch
       latch:  i + step; branch body or done
       done:   store the carried values (map-done.c)

   In 32 bits, i is counted from where the loop counts, if it says so: for (int i = 1; ...) is lifted as
   i = trunc (iter) + 1, and compilers take it badly that two numbers stand for one.  */
#include "mapper.h"
#include "combine.h"

#include <string.h>

enum
{
  SLOT_LEN = 8 /* of a partial value */
};

/* Is VALUE of LOOP the number of the iteration, or its 32 low bits?  */
static bool
is_number (const struct pg_kir_kernel *loop, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &loop->instrs[value];
  return instr->op == PG_KIR_OP_ITER
	 || (instr->op == PG_KIR_OP_TRUNC && instr->type == PG_KIR_I32
	     && loop->instrs[pg_kir_operands (loop, instr)[0]].op == PG_KIR_OP_ITER);
}

/* How much INSTR adds to the number of the iteration, so that nothing wraps around; or else 0.  */
static int64_t
plus_of (const struct pg_kir_kernel *loop, const struct pg_kir_instr *instr)
{
  const pg_kir_value *operands = pg_kir_operands (loop, instr);
  if (instr->op != PG_KIR_OP_ADD_NW || instr->type != PG_KIR_I32 || !is_number (loop, operands[0])
      || loop->instrs[operands[1]].op != PG_KIR_OP_CONST)
    return 0;
  int64_t plus = loop->instrs[operands[1]].number;
  return plus > 0 && plus <= PG_KIR_MOST_PLUS ? plus : 0;
}

/* Find what the loop counts in, if that is the number of the iteration and a constant, and the number is nothing
   else.  */
static void
find_counter (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  mapper->counter = 0;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	pg_kir_value value = loop->blocks[b].code[i];
	const struct pg_kir_instr *instr = &loop->instrs[value];
	int64_t plus = plus_of (loop, instr);
	bool is_used = false;
	for (unsigned o = 0; o < instr->n_operands && !is_number (loop, value); o++)
	  is_used |= is_number (loop, pg_kir_operands (loop, instr)[o]);
	if (is_used && (plus == 0 || mapper->counter != 0))
	  {
	    mapper->counter = 0;
	    return;
	  }
	if (is_used)
	  {
	    mapper->counter = value;
	    mapper->plus = plus;
	  }
      }
}

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

/* A field of the launch.  */
pg_kir_value
pg_map_launch_field (struct pg_mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, size_t offset)
{
  return pg_map_add (mapper, block, PG_KIR_OP_ARG, type, mapper->offset + (int64_t) offset, 0, 0);
}

/* What iterations are counted in.  */
static enum pg_kir_type
count_type (const struct pg_mapper *mapper)
{
  return mapper->mapping == PG_KIR_STRIDED_I32 ? PG_KIR_I32 : PG_KIR_I64;
}

/* VALUE, a number of iterations, as such a count.  */
static pg_kir_value
narrow (struct pg_mapper *mapper, pg_kir_value value)
{
  if (count_type (mapper) == PG_KIR_I64)
    return value;
  return pg_map_add (mapper, mapper->start, PG_KIR_OP_TRUNC, PG_KIR_I32, 0, value, 0);
}

/* VALUE, the number of an iteration, as such a count.  */
static pg_kir_value
as_count (struct pg_mapper *mapper, pg_kir_value value)
{
  if (mapper->counter != 0)
    value = pg_map_add (mapper, mapper->start, PG_KIR_OP_ADD, PG_KIR_I64, 0, value,
			pg_map_constant (mapper, mapper->start, PG_KIR_I64, (uint64_t) mapper->plus));
  return narrow (mapper, value);
}

/* The beginning: which iterations this thread runs.  */
static void
put_start (struct pg_mapper *mapper)
{
  pg_kir_block_number b = mapper->start;
  pg_kir_value in_block = pg_map_add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value of_block = pg_map_add (mapper, b, PG_KIR_OP_THREADS, PG_KIR_I64, 0, 0, 0);
  if (mapper->n_members > 1)
    {
      pg_kir_value rest = pg_map_constant (mapper, b, PG_KIR_I64, mapper->n_members - 1);
      pg_kir_value bits = pg_map_constant (mapper, b, PG_KIR_I64, (uint64_t) __builtin_ctz (mapper->n_members));
      mapper->member = pg_map_add (mapper, b, PG_KIR_OP_AND, PG_KIR_I64, 0, in_block, rest);
      in_block = pg_map_add (mapper, b, PG_KIR_OP_LSHR, PG_KIR_I64, 0, in_block, bits);
      of_block = pg_map_add (mapper, b, PG_KIR_OP_LSHR, PG_KIR_I64, 0, of_block, bits);
    }
  mapper->in_block = in_block;
  pg_kir_value block = pg_map_add (mapper, b, PG_KIR_OP_BLOCK, PG_KIR_I64, 0, 0, 0);
  pg_kir_value before = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, block, of_block);
  mapper->thread = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, before, in_block);
  if (mapper->loop->n_carries > 0)
    {
      pg_kir_value blocks = pg_map_add (mapper, b, PG_KIR_OP_BLOCKS, PG_KIR_I64, 0, 0, 0);
      mapper->n_threads = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, blocks, of_block);
    }
  pg_kir_value stride = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, stride));
  pg_kir_value lo = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, lo));
  pg_kir_value hi = pg_map_launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, hi));
  if (mapper->mapping == PG_KIR_CHUNKED)
    {
      pg_kir_value skipped = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, mapper->thread, stride);
      mapper->first = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, lo, skipped);
      pg_kir_value end = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, mapper->first, stride);
      mapper->end = pg_map_add (mapper, b, PG_KIR_OP_SMIN, PG_KIR_I64, 0, end, hi);
      mapper->step = pg_map_constant (mapper, b, PG_KIR_I64, 1);
    }
  else
    {
      pg_kir_value thread = narrow (mapper, mapper->thread);
      mapper->first = pg_map_add (mapper, b, PG_KIR_OP_ADD, count_type (mapper), 0, as_count (mapper, lo), thread);
      mapper->end = as_count (mapper, hi);
      mapper->step = narrow (mapper, stride);
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

/* Let VALUE of the loop be what it is in a grid, if it is something else there.  */
static bool
replace (struct pg_kir_copy *copy, pg_kir_value value)
{
  const struct pg_mapper *mapper = copy->context;
  const struct pg_kir_instr *instr = &mapper->loop->instrs[value];
  if (mapper->counter != 0 && (value == mapper->counter || is_number (mapper->loop, value)))
    {
      copy->value_of[value] = value == mapper->counter ? mapper->iter : 0;
      return true;
    }
  switch (instr->op)
    {
    case PG_KIR_OP_ITER:
      copy->value_of[value] = mapper->number;
      return true;
    case PG_KIR_OP_CARRY:
      copy->value_of[value] = mapper->carried[instr->number];
      return true;
    case PG_KIR_OP_NEXT:
      return true;
    case PG_KIR_OP_RETURN:
      pg_kir_add_jump (copy->to, copy->block, mapper->latch);
      return true;
    default:
      return false;
    }
}

/* What changes from iteration to iteration stands before the first block, the phis of carried values before others.  */
static void
enter (struct pg_kir_copy *copy, pg_kir_block_number number)
{
  struct pg_mapper *mapper = copy->context;
  const struct pg_kir_kernel *loop = mapper->loop;
  const pg_kir_block_number before[] = { mapper->start, mapper->latch };
  pg_map_put_phis (mapper, number, copy->block);
  if (number > 0)
    return;
  mapper->number = mapper->iter = pg_kir_add_phi (mapper->spmd, copy->block, count_type (mapper), before, 2);
  pg_kir_set_operand (mapper->spmd, mapper->iter, 0, mapper->first);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      mapper->carried[c] = pg_kir_add_phi (mapper->spmd, copy->block, loop->carries[c].type, before, 2);
      pg_kir_set_operand (mapper->spmd, mapper->carried[c], 0, mapper->begun[c]);
    }
  if (count_type (mapper) != PG_KIR_I64 && mapper->counter == 0)
    mapper->number = pg_map_add (mapper, copy->block, PG_KIR_OP_SEXT, PG_KIR_I64, 0, mapper->iter, 0);
}

/* To the next iteration, or not.  */
static void
put_latch (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->latch;
  pg_map_put_phis (mapper, loop->n_blocks, b);
  pg_kir_value next = pg_map_add (mapper, b, PG_KIR_OP_ADD, count_type (mapper), 0, mapper->iter, mapper->step);
  pg_kir_value is_there = pg_map_add (mapper, b, PG_KIR_OP_SLT, PG_KIR_I8, 0, next, mapper->end);
  pg_kir_add_branch (mapper->spmd, b, is_there, mapper->copy.first[0], mapper->done);
  pg_kir_set_operand (mapper->spmd, mapper->iter, 1, next);
}

/* Give MAPPER its tables.  */
static bool
get_tables (struct pg_mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  size_t n_carries = loop->n_carries, n_places = n_carries * (loop->n_blocks + 1);
  mapper->memory_len = (3 * n_places + loop->n_blocks + 3 * n_carries) * sizeof *mapper->memory;
  uint32_t *memory = mapper->memory = loop->resize (NULL, 0, mapper->memory_len);
  if (memory == NULL)
    return false;
  memset (memory, 0, mapper->memory_len);
  mapper->phi = memory;
  mapper->on_entry = mapper->phi + n_places;
  mapper->set = mapper->on_entry + n_places;
  memset (mapper->on_entry, 0xff, 2 * n_places * sizeof *memory); /* PG_MAP_NOTHING */
  mapper->before = mapper->set + n_places;
  mapper->begun = mapper->before + loop->n_blocks;
  mapper->carried = mapper->begun + n_carries;
  mapper->at_end = mapper->carried + n_carries;
  return pg_kir_copy_begin (&mapper->copy);
}

static void
put_all (struct pg_mapper *mapper)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  mapper->latch = pg_kir_add_block (spmd);
  mapper->done = pg_kir_add_block (spmd);
  if (spmd->is_broken)
    return;
  pg_map_find_phis (mapper);
  if (count_type (mapper) != PG_KIR_I64)
    find_counter (mapper);
  put_start (mapper);
  put_beginnings (mapper);
  pg_kir_add_branch (mapper->spmd, mapper->start,
		     pg_map_add (mapper, mapper->start, PG_KIR_OP_SLT, PG_KIR_I8, 0, mapper->first, mapper->end),
		     mapper->copy.first[0], mapper->done);
  pg_kir_copy_all (&mapper->copy);
  put_latch (mapper);
  pg_map_fill_phis (mapper);
  pg_map_put_done (mapper);
}

int64_t
pg_kir_stride (enum pg_kir_mapping mapping, int64_t n_iters, int64_t n_threads)
{
  return mapping == PG_KIR_CHUNKED ? n_iters / n_threads + (n_iters % n_threads != 0) : n_threads;
}

uint32_t
pg_kir_launch_offset (const struct pg_kir_kernel *loop)
{
  return (loop->args_len + 7) / 8 * 8;
}

bool
pg_map_loop (struct pg_mapper *mapper, uint32_t n_threads, const char *(*finish) (struct pg_mapper *mapper),
	     struct pg_kir_error *error)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_kernel *loop = mapper->loop;
  const char *why = NULL;
  mapper->offset = pg_kir_launch_offset (loop);
  mapper->copy
    = (struct pg_kir_copy) { .to = spmd, .from = loop, .context = mapper, .enter = enter, .replace = replace };
  if (loop->n_threads > 0 || loop->n_dims != 1)
    return pg_kir_fail (error, "not a loop of one dimension");
  if (n_threads == 0 || n_threads > PG_KIR_MOST_THREADS)
    return pg_kir_fail (error, "no block has so many threads");
  if (mapper->offset + sizeof (struct pg_kir_launch) > PG_KIR_MOST_ARGS_LEN || loop->n_refs == PG_KIR_MOST_REFS)
    return pg_kir_fail (error, "too many arguments or references");
  memcpy (spmd->name, loop->name, sizeof spmd->name);
  spmd->args_len = mapper->offset + (uint32_t) sizeof (struct pg_kir_launch);
  spmd->n_refs = loop->n_refs + 1;
  spmd->n_threads = n_threads;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (pg_map_is_combined (mapper->mapping, &loop->carries[c]))
      spmd->shared_len = n_threads * SLOT_LEN;
  mapper->start = pg_kir_add_block (spmd);
  bool is_good = get_tables (mapper);
  if (is_good)
    put_all (mapper);
  if (is_good && !spmd->is_broken && finish != NULL)
    why = finish (mapper);
  if (mapper->memory != NULL)
    loop->resize (mapper->memory, mapper->memory_len, 0);
  pg_kir_copy_end (&mapper->copy);
  if (!is_good || spmd->is_broken)
    why = "too large, or no memory";
  if (why == NULL)
    return true;
  pg_kir_end (spmd);
  return pg_kir_fail (error, why);
}

bool
pg_kir_map (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping,
	    uint32_t n_threads, struct pg_kir_error *error)
{
  struct pg_mapper mapper = { .spmd = spmd, .loop = loop, .mapping = mapping, .n_members = 1 };
  return pg_map_loop (&mapper, n_threads, NULL, error);
}
