/* SPDX-License-Identifier: MIT
   Mapping.  See map.h.

   The kernel that becomes of a loop's blocks b0 ... bn:

       start:  thread, number of threads, first, end and step of this thread's iterations; branch body or done
       body:   i = phi [start first] [latch i + step], each carried value likewise; then b0
       ...     b1 ... bn, where a return has become a jump to latch
       latch:  i + step; branch body or done
       done:   store the carried values, one for each thread; or combine those of the block first

   "next" sets a variable, which is brought back into SSA: a block's value of it on entry is the one that all blocks
   before leave, or else a phi.  Found as a fixed point, from "nothing is known" down, so that a loop that does not
   change the variable needs no phi for it (the phis of blocks of the loop's own count as what is left there).

   Partial values: that of carried value C and thread T stands at index C * N + T, of a block combined to one at C * N
   plus the block's number.  Thread 0 begins with the loop's own initial values, the others with the identity.  Who runs
   nothing leaves its beginning, which the collector passes over: to add a zero to -0 would change it.  */
#include "map.h"
#include "combine.h"

#include <stdio.h>
#include <string.h>

enum
{
  SLOT_LEN = 8, /* of a partial value */
  SLOT_BITS = 3
};

#define NOTHING UINT32_MAX

struct mapper
{
  struct pg_kir_kernel *spmd;
  const struct pg_kir_kernel *loop;
  enum pg_kir_mapping mapping;
  uint32_t offset; /* of the launch */

  pg_kir_block_number start, body, latch, done; /* the loop's block B is BODY + B */
  pg_kir_value thread, n_threads, first, end, step, iter;

  uint32_t *memory; /* the tables that follow lie in it */
  size_t memory_len;
  pg_kir_value *value_of; /* of the loop's values: the mapped ones */

  /* By carried value and block, the latch being block n: what the variable is, a value of the loop or a mark, or
     NOTHING as long as that is not known; where a block sets it; and the phi that it needs, or 0.  */
  uint32_t *on_entry, *set;
  pg_kir_value *phi;
  uint32_t *before;                       /* blocks, for a moment */
  pg_kir_value *begun, *carried, *at_end; /* by carried value: how a thread and an iteration begin, how it ends */
};

static pg_kir_value
add (struct mapper *mapper, pg_kir_block_number block, enum pg_kir_op op, enum pg_kir_type type, int64_t number,
     pg_kir_value a, pg_kir_value b)
{
  return pg_kir_add_simple (mapper->spmd, block, op, type, number, a, b);
}

static pg_kir_value
constant (struct mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, uint64_t bits)
{
  return add (mapper, block, PG_KIR_OP_CONST, type, (int64_t) bits, 0, 0);
}

static void
branch (struct mapper *mapper, pg_kir_block_number block, pg_kir_value condition, pg_kir_block_number yes,
	pg_kir_block_number no)
{
  pg_kir_add (mapper->spmd, block, PG_KIR_OP_BRANCH, PG_KIR_VOID, 0, &condition, 1,
	      (const pg_kir_block_number[]) { yes, no }, 2);
}

static void
jump (struct mapper *mapper, pg_kir_block_number block, pg_kir_block_number target)
{
  pg_kir_add (mapper->spmd, block, PG_KIR_OP_JUMP, PG_KIR_VOID, 0, NULL, 0, &target, 1);
}

/* A field of the launch.  */
static pg_kir_value
launch_field (struct mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, size_t offset)
{
  return add (mapper, block, PG_KIR_OP_ARG, type, mapper->offset + (int64_t) offset, 0, 0);
}

/* The table entry of carried value C at block B, the latch being the last.  */
static size_t
at (const struct mapper *mapper, uint32_t c, uint32_t b)
{
  return (size_t) c * (mapper->loop->n_blocks + 1) + b;
}

/* What stands for the phi of block B of carried value C.  */
static uint32_t
phi_mark (const struct mapper *mapper, uint32_t b)
{
  return mapper->loop->n_instrs + b;
}

/* What stands for the value that a carried value has where the iteration begins.  */
static uint32_t
begin_mark (const struct mapper *mapper)
{
  return phi_mark (mapper, 0);
}

static const struct pg_kir_instr *
end_of (const struct pg_kir_kernel *kernel, pg_kir_block_number block)
{
  return &kernel->instrs[kernel->blocks[block].code[kernel->blocks[block].n - 1]];
}

/* Let carried value C enter block B as VALUE, too; whether that is news.  */
static bool
enter (struct mapper *mapper, uint32_t c, uint32_t b, uint32_t value)
{
  uint32_t *known = &mapper->on_entry[at (mapper, c, b)];
  if (value == NOTHING || *known == value || *known == phi_mark (mapper, b))
    return false;
  *known = *known == NOTHING ? value : phi_mark (mapper, b);
  return true;
}

/* What carried value C is at the end of block B.  */
static uint32_t
leave (const struct mapper *mapper, uint32_t c, uint32_t b)
{
  uint32_t set = mapper->set[at (mapper, c, b)];
  return set == NOTHING ? mapper->on_entry[at (mapper, c, b)] : set;
}

/* Find where carried values need phis.  */
static void
find_phis (struct mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  bool changes = true;
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    for (uint32_t i = 0; i < loop->blocks[b].n; i++)
      {
	const struct pg_kir_instr *instr = &loop->instrs[loop->blocks[b].code[i]];
	if (instr->op == PG_KIR_OP_NEXT)
	  mapper->set[at (mapper, (uint32_t) instr->number, b)] = pg_kir_operands (loop, instr)[0];
      }
  for (uint32_t c = 0; c < loop->n_carries; c++)
    mapper->on_entry[at (mapper, c, 0)] = begin_mark (mapper);
  while (changes)
    {
      changes = false;
      for (uint32_t c = 0; c < loop->n_carries; c++)
	for (uint32_t b = 0; b < loop->n_blocks; b++)
	  {
	    const struct pg_kir_instr *end = end_of (loop, b);
	    uint32_t value = leave (mapper, c, b);
	    for (unsigned t = 0; t < end->n_targets; t++)
	      changes |= enter (mapper, c, pg_kir_targets (loop, end)[t], value);
	    if (end->op == PG_KIR_OP_RETURN)
	      changes |= enter (mapper, c, loop->n_blocks, value);
	  }
    }
}

/* The value in the mapped kernel that MARK, of carried value C, stands for.  */
static pg_kir_value
marked (const struct mapper *mapper, uint32_t c, uint32_t mark)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  if (mark == begin_mark (mapper))
    return mapper->carried[c];
  return mark < loop->n_instrs ? mapper->value_of[mark] : mapper->phi[at (mapper, c, mark - loop->n_instrs)];
}

/* What carried value C is at the end of an iteration.  */
static pg_kir_value
left (const struct mapper *mapper, uint32_t c)
{
  return marked (mapper, c, mapper->on_entry[at (mapper, c, mapper->loop->n_blocks)]);
}

/* The beginning: which iterations this thread runs.  */
static void
put_start (struct mapper *mapper)
{
  pg_kir_block_number b = mapper->start;
  pg_kir_value in_block = add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value of_block = add (mapper, b, PG_KIR_OP_THREADS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value block = add (mapper, b, PG_KIR_OP_BLOCK, PG_KIR_I64, 0, 0, 0);
  pg_kir_value blocks = add (mapper, b, PG_KIR_OP_BLOCKS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value before = add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, block, of_block);
  mapper->thread = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, before, in_block);
  mapper->n_threads = add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, blocks, of_block);
  pg_kir_value lo = launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, lo));
  pg_kir_value hi = launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, hi));
  if (mapper->mapping == PG_KIR_CHUNKED)
    {
      pg_kir_value chunk = launch_field (mapper, b, PG_KIR_I64, offsetof (struct pg_kir_launch, chunk));
      pg_kir_value skipped = add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, mapper->thread, chunk);
      mapper->first = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, lo, skipped);
      pg_kir_value end = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, mapper->first, chunk);
      mapper->end = add (mapper, b, PG_KIR_OP_SMIN, PG_KIR_I64, 0, end, hi);
      mapper->step = constant (mapper, b, PG_KIR_I64, 1);
    }
  else
    {
      mapper->first = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, lo, mapper->thread);
      mapper->end = hi;
      mapper->step = mapper->n_threads;
    }
}

/* Where carried values begin.  */
static void
put_beginnings (struct mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->start;
  if (loop->n_carries == 0)
    return;
  pg_kir_value zero = constant (mapper, b, PG_KIR_I64, 0);
  pg_kir_value is_first = add (mapper, b, PG_KIR_OP_EQ, PG_KIR_I8, 0, mapper->thread, zero);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      const struct pg_kir_carry *carry = &loop->carries[c];
      pg_kir_value given = add (mapper, b, PG_KIR_OP_ARG, carry->type, carry->offset, 0, 0);
      pg_kir_value neutral = constant (mapper, b, carry->type, pg_kir_identity (carry->combine, carry->type));
      mapper->begun[c] = pg_kir_add (mapper->spmd, b, PG_KIR_OP_SELECT, carry->type, 0,
				     (const pg_kir_value[]) { is_first, given, neutral }, 3, NULL, 0);
    }
}

/* Append a phi for a value of TYPE after the N blocks BEFORE, whose values are filled in later.  */
static pg_kir_value
put_phi (struct mapper *mapper, pg_kir_block_number block, enum pg_kir_type type, const pg_kir_block_number *before,
	 unsigned n)
{
  static const pg_kir_value unknown[PG_KIR_MOST_OPERANDS];
  return pg_kir_add (mapper->spmd, block, PG_KIR_OP_PHI, type, 0, unknown, n, before, n);
}

/* Let operand I of VALUE be OPERAND.  */
static void
fill (struct mapper *mapper, pg_kir_value value, unsigned i, pg_kir_value operand)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  if (!spmd->is_broken)
    pg_kir_operands (spmd, &spmd->instrs[value])[i] = operand;
}

/* The blocks of the loop that lead to B, the latch being the last; their number.  BEFORE has room for all blocks.  */
static unsigned
blocks_before (const struct mapper *mapper, uint32_t b, uint32_t *before)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  unsigned n = 0;
  for (uint32_t from = 0; from < loop->n_blocks; from++)
    {
      const struct pg_kir_instr *end = end_of (loop, from);
      bool leads = end->op == PG_KIR_OP_RETURN && b == loop->n_blocks;
      for (unsigned t = 0; t < end->n_targets; t++)
	leads |= pg_kir_targets (loop, end)[t] == b;
      if (leads)
	before[n++] = from;
    }
  return n;
}

/* The phis that carried values need where block B of the loop, or the latch, begins.  */
static void
put_carried_phis (struct mapper *mapper, uint32_t b, pg_kir_block_number block)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (b > 0 && mapper->on_entry[at (mapper, c, b)] == phi_mark (mapper, b))
      {
	unsigned n = blocks_before (mapper, b, mapper->before);
	for (unsigned i = 0; i < n; i++)
	  mapper->before[i] += mapper->body;
	mapper->phi[at (mapper, c, b)] = put_phi (mapper, block, loop->carries[c].type, mapper->before, n);
      }
}

/* Copy VALUE of the loop to the end of BLOCK, its operands to be filled in later.  */
static void
copy (struct mapper *mapper, pg_kir_block_number block, pg_kir_value value)
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
copy_block (struct mapper *mapper, uint32_t b)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number block = mapper->body + b;
  put_carried_phis (mapper, b, block);
  for (uint32_t i = 0; i < loop->blocks[b].n; i++)
    {
      pg_kir_value value = loop->blocks[b].code[i];
      const struct pg_kir_instr *instr = &loop->instrs[value];
      if (instr->op == PG_KIR_OP_ITER)
	mapper->value_of[value] = mapper->iter;
      else if (instr->op == PG_KIR_OP_CARRY)
	mapper->value_of[value] = mapper->carried[instr->number];
      else if (instr->op == PG_KIR_OP_RETURN)
	jump (mapper, block, mapper->latch);
      else if (instr->op != PG_KIR_OP_NEXT)
	copy (mapper, block, value);
    }
}

/* All blocks of the loop, begun by what changes from iteration to iteration.  */
static void
put_body (struct mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  const pg_kir_block_number before[] = { mapper->start, mapper->latch };
  mapper->iter = put_phi (mapper, mapper->body, PG_KIR_I64, before, 2);
  fill (mapper, mapper->iter, 0, mapper->first);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      mapper->carried[c] = put_phi (mapper, mapper->body, loop->carries[c].type, before, 2);
      fill (mapper, mapper->carried[c], 0, mapper->begun[c]);
    }
  for (uint32_t b = 0; b < loop->n_blocks; b++)
    copy_block (mapper, b);
}

/* To the next iteration, or not.  */
static void
put_latch (struct mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->latch;
  put_carried_phis (mapper, loop->n_blocks, b);
  pg_kir_value next = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, mapper->iter, mapper->step);
  pg_kir_value is_there = add (mapper, b, PG_KIR_OP_SLT, PG_KIR_I8, 0, next, mapper->end);
  branch (mapper, b, is_there, mapper->body, mapper->done);
  fill (mapper, mapper->iter, 1, next);
}

/* Give what was copied, and the phis of carried values, their operands.  */
static void
fill_operands (struct mapper *mapper)
{
  const struct pg_kir_kernel *loop = mapper->loop;
  for (pg_kir_value value = 1; value < loop->n_instrs; value++)
    {
      const struct pg_kir_instr *instr = &loop->instrs[value];
      bool is_copied = instr->op != PG_KIR_OP_ITER && instr->op != PG_KIR_OP_CARRY && instr->op != PG_KIR_OP_NEXT
		       && instr->op != PG_KIR_OP_RETURN;
      for (unsigned i = 0; i < instr->n_operands && is_copied; i++)
	fill (mapper, mapper->value_of[value], i, mapper->value_of[pg_kir_operands (loop, instr)[i]]);
    }
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      for (uint32_t b = 1; b <= loop->n_blocks; b++)
	if (mapper->phi[at (mapper, c, b)] != 0)
	  {
	    unsigned n = blocks_before (mapper, b, mapper->before);
	    for (unsigned i = 0; i < n; i++)
	      fill (mapper, mapper->phi[at (mapper, c, b)], i,
		    marked (mapper, c, leave (mapper, c, mapper->before[i])));
	  }
      mapper->at_end[c] = left (mapper, c);
      fill (mapper, mapper->carried[c], 1, mapper->at_end[c]);
    }
}

/* The address of the slot number INDEX, an i64, of the array at START.  */
static pg_kir_value
slot (struct mapper *mapper, pg_kir_block_number b, pg_kir_value start, pg_kir_value index)
{
  pg_kir_value bits = constant (mapper, b, PG_KIR_I64, SLOT_BITS);
  pg_kir_value bytes = add (mapper, b, PG_KIR_OP_SHL, PG_KIR_I64, 0, index, bits);
  return add (mapper, b, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, start, bytes);
}

/* Store VALUE as the partial value number INDEX of carried value C.  */
static void
store_partial (struct mapper *mapper, pg_kir_block_number b, uint32_t c, pg_kir_value index, pg_kir_value value)
{
  pg_kir_value partials = launch_field (mapper, b, PG_KIR_PTR, offsetof (struct pg_kir_launch, partials));
  pg_kir_value number = constant (mapper, b, PG_KIR_I64, c);
  pg_kir_value row = add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, number, mapper->n_threads);
  pg_kir_value place = add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, row, index);
  add (mapper, b, PG_KIR_OP_STORE, PG_KIR_VOID, mapper->loop->n_refs, slot (mapper, b, partials, place), value);
}

/* Combine VALUE, carried value C, of all threads of the block, through shared memory, from block B on; *VALUE is then
   that of the first thread.  With N values left, the first half of them, rounded up, take the others:

       b:	store in shared memory
       round:	n = phi [b: threads] [again: half]; barrier; branch half, out if n is 1
       half:	half = (n + 1) / 2; branch take, again if thread + half < n
       take:	combine with that of thread + half, store; jump again
       again:	jump round

   Returns the block after, in which a barrier was passed.  */
static pg_kir_block_number
combine_block (struct mapper *mapper, pg_kir_block_number b, uint32_t c, pg_kir_value *value)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_carry *carry = &mapper->loop->carries[c];
  int64_t ref = mapper->loop->n_refs;
  pg_kir_block_number round = pg_kir_add_block (spmd), half = pg_kir_add_block (spmd), take = pg_kir_add_block (spmd);
  pg_kir_block_number again = pg_kir_add_block (spmd), out = pg_kir_add_block (spmd);

  pg_kir_value thread = add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value n_threads = add (mapper, b, PG_KIR_OP_THREADS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value shared = add (mapper, b, PG_KIR_OP_SHARED, PG_KIR_PTR, 0, 0, 0);
  pg_kir_value own = slot (mapper, b, shared, thread);
  add (mapper, b, PG_KIR_OP_STORE, PG_KIR_VOID, ref, own, *value);
  jump (mapper, b, round);

  pg_kir_value n = put_phi (mapper, round, PG_KIR_I64, (const pg_kir_block_number[]) { b, again }, 2);
  pg_kir_value one = constant (mapper, round, PG_KIR_I64, 1);
  add (mapper, round, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
  branch (mapper, round, add (mapper, round, PG_KIR_OP_SLT, PG_KIR_I8, 0, one, n), half, out);

  pg_kir_value more = add (mapper, half, PG_KIR_OP_ADD, PG_KIR_I64, 0, n, one);
  pg_kir_value n_half = add (mapper, half, PG_KIR_OP_LSHR, PG_KIR_I64, 0, more, one);
  pg_kir_value other = add (mapper, half, PG_KIR_OP_ADD, PG_KIR_I64, 0, thread, n_half);
  branch (mapper, half, add (mapper, half, PG_KIR_OP_SLT, PG_KIR_I8, 0, other, n), take, again);

  pg_kir_value mine = add (mapper, take, PG_KIR_OP_LOAD, carry->type, ref, own, 0);
  pg_kir_value its = add (mapper, take, PG_KIR_OP_LOAD, carry->type, ref, slot (mapper, take, shared, other), 0);
  pg_kir_value both = pg_kir_add_combine (spmd, take, carry->combine, carry->type, mine, its);
  add (mapper, take, PG_KIR_OP_STORE, PG_KIR_VOID, ref, own, both);
  jump (mapper, take, again);
  jump (mapper, again, round);

  fill (mapper, n, 0, n_threads);
  fill (mapper, n, 1, n_half);
  *value = add (mapper, out, PG_KIR_OP_LOAD, carry->type, ref, own, 0);
  /* The next one to use shared memory waits for those that read it here.  */
  add (mapper, out, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
  return out;
}

/* Does the mapping combine carried value C by blocks?  */
static bool
is_combined (enum pg_kir_mapping mapping, const struct pg_kir_carry *carry)
{
  return mapping == PG_KIR_STRIDED_TREE && carry->combine != PG_KIR_COMBINE_LAST;
}

/* The end: what the thread carried is stored.  */
static void
put_done (struct mapper *mapper)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->done;
  const pg_kir_block_number before[] = { mapper->start, mapper->latch };
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      mapper->carried[c] = put_phi (mapper, b, loop->carries[c].type, before, 2);
      fill (mapper, mapper->carried[c], 0, mapper->begun[c]);
      fill (mapper, mapper->carried[c], 1, mapper->at_end[c]);
    }
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (!is_combined (mapper->mapping, &loop->carries[c]))
      store_partial (mapper, b, c, mapper->thread, mapper->carried[c]);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (is_combined (mapper->mapping, &loop->carries[c]))
      {
	pg_kir_value value = mapper->carried[c];
	b = combine_block (mapper, b, c, &value);
	pg_kir_block_number first = pg_kir_add_block (spmd), rest = pg_kir_add_block (spmd);
	pg_kir_value thread = add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
	pg_kir_value zero = constant (mapper, b, PG_KIR_I64, 0);
	branch (mapper, b, add (mapper, b, PG_KIR_OP_EQ, PG_KIR_I8, 0, thread, zero), first, rest);
	store_partial (mapper, first, c, add (mapper, first, PG_KIR_OP_BLOCK, PG_KIR_I64, 0, 0, 0), value);
	jump (mapper, first, rest);
	b = rest;
      }
  add (mapper, b, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
}

/* Give MAPPER its tables.  */
static bool
get_tables (struct mapper *mapper)
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
  memset (mapper->on_entry, 0xff, 2 * n_places * sizeof *memory); /* NOTHING */
  mapper->before = mapper->set + n_places;
  mapper->begun = mapper->before + n_before;
  mapper->carried = mapper->begun + n_carries;
  mapper->at_end = mapper->carried + n_carries;
  return true;
}

static void
put_all (struct mapper *mapper)
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
  find_phis (mapper);
  put_start (mapper);
  put_beginnings (mapper);
  branch (mapper, mapper->start, add (mapper, mapper->start, PG_KIR_OP_SLT, PG_KIR_I8, 0, mapper->first, mapper->end),
	  mapper->body, mapper->done);
  put_body (mapper);
  put_latch (mapper);
  fill_operands (mapper);
  put_done (mapper);
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
  struct mapper mapper = { .spmd = spmd, .loop = loop, .mapping = mapping, .offset = pg_kir_launch_offset (loop) };
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
    if (is_combined (mapping, &loop->carries[c]))
      spmd->shared_len = n_threads * SLOT_LEN;
  put_all (&mapper);
  loop->resize (mapper.memory, mapper.memory_len, 0);
  bool is_good = !spmd->is_broken || fail (error, "too large, or no memory");
  if (!is_good)
    pg_kir_end (spmd);
  return is_good;
}

/* The thread, of N, that ran iteration I, counted from the first.  */
static int64_t
thread_of (enum pg_kir_mapping mapping, const struct pg_kir_launch *launch, int64_t n, int64_t i)
{
  return mapping == PG_KIR_CHUNKED ? i / launch->chunk : i % n;
}

void
pg_kir_collect (const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping, const struct pg_kir_launch *launch,
		int64_t n_blocks, int64_t n_threads, const uint64_t *partials, char *args)
{
  int64_t n = n_blocks * n_threads, n_iters = launch->hi - launch->lo;
  int64_t last = thread_of (mapping, launch, n, n_iters - 1);
  int64_t n_used = mapping == PG_KIR_CHUNKED ? last + 1 : n_iters < n ? n_iters : n;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      const struct pg_kir_carry *carry = &loop->carries[c];
      const uint64_t *row = partials + (int64_t) c * n;
      int64_t n_parts = is_combined (mapping, carry) ? (n_used + n_threads - 1) / n_threads : n_used;
      uint64_t value = pg_kir_cut (carry->type, carry->combine == PG_KIR_COMBINE_LAST ? row[last] : row[0]);
      for (int64_t i = 1; i < n_parts && carry->combine != PG_KIR_COMBINE_LAST; i++)
	value = pg_kir_combine (carry->combine, carry->type, value, pg_kir_cut (carry->type, row[i]));
      memcpy (args + carry->offset, &value, pg_kir_types[carry->type].len);
    }
}
