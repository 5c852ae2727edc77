/* SPDX-License-Identifier: MIT
   The end of a kernel in SPMD form, and what the host does after it.

   Partial values: that of carried value C and thread T stands at index C * N + T, of a block combined to one at C * N
   plus the block's number.  Thread 0 begins with the loop's own initial values, the others with the identity.  Who runs
   nothing leaves its beginning, which the collector passes over: to add a zero to -0 would change it.  */
#include "mapper.h"
#include "combine.h"

#include <string.h>

enum
{
  SLOT_BITS = 3 /* of a partial value's 8 bytes */
};

/* The address of the slot number INDEX, an i64, of the array at START.  */
static pg_kir_value
slot (struct pg_mapper *mapper, pg_kir_block_number b, pg_kir_value start, pg_kir_value index)
{
  pg_kir_value bits = pg_map_constant (mapper, b, PG_KIR_I64, SLOT_BITS);
  pg_kir_value bytes = pg_map_add (mapper, b, PG_KIR_OP_SHL, PG_KIR_I64, 0, index, bits);
  return pg_map_add (mapper, b, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, start, bytes);
}

/* Store VALUE as the partial value number INDEX of carried value C.  */
static void
store_partial (struct pg_mapper *mapper, pg_kir_block_number b, uint32_t c, pg_kir_value index, pg_kir_value value)
{
  pg_kir_value partials = pg_map_launch_field (mapper, b, PG_KIR_PTR, offsetof (struct pg_kir_launch, partials));
  pg_kir_value number = pg_map_constant (mapper, b, PG_KIR_I64, c);
  pg_kir_value row = pg_map_add (mapper, b, PG_KIR_OP_MUL, PG_KIR_I64, 0, number, mapper->n_threads);
  pg_kir_value place = pg_map_add (mapper, b, PG_KIR_OP_ADD, PG_KIR_I64, 0, row, index);
  pg_map_add (mapper, b, PG_KIR_OP_STORE, PG_KIR_VOID, mapper->loop->n_refs, slot (mapper, b, partials, place), value);
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
combine_block (struct pg_mapper *mapper, pg_kir_block_number b, uint32_t c, pg_kir_value *value)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_carry *carry = &mapper->loop->carries[c];
  int64_t ref = mapper->loop->n_refs;
  pg_kir_block_number round = pg_kir_add_block (spmd), half = pg_kir_add_block (spmd), take = pg_kir_add_block (spmd);
  pg_kir_block_number again = pg_kir_add_block (spmd), out = pg_kir_add_block (spmd);

  pg_kir_value thread = pg_map_add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
  pg_kir_value n_threads = pg_map_add (mapper, b, PG_KIR_OP_THREADS, PG_KIR_I64, 0, 0, 0);
  pg_kir_value shared = pg_map_add (mapper, b, PG_KIR_OP_SHARED, PG_KIR_PTR, 0, 0, 0);
  pg_kir_value own = slot (mapper, b, shared, thread);
  pg_map_add (mapper, b, PG_KIR_OP_STORE, PG_KIR_VOID, ref, own, *value);
  pg_kir_add_jump (spmd, b, round);

  pg_kir_value n = pg_kir_add_phi (spmd, round, PG_KIR_I64, (const pg_kir_block_number[]) { b, again }, 2);
  pg_kir_value one = pg_map_constant (mapper, round, PG_KIR_I64, 1);
  pg_map_add (mapper, round, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
  pg_kir_add_branch (spmd, round, pg_map_add (mapper, round, PG_KIR_OP_SLT, PG_KIR_I8, 0, one, n), half, out);

  pg_kir_value more = pg_map_add (mapper, half, PG_KIR_OP_ADD, PG_KIR_I64, 0, n, one);
  pg_kir_value n_half = pg_map_add (mapper, half, PG_KIR_OP_LSHR, PG_KIR_I64, 0, more, one);
  pg_kir_value other = pg_map_add (mapper, half, PG_KIR_OP_ADD, PG_KIR_I64, 0, thread, n_half);
  pg_kir_add_branch (spmd, half, pg_map_add (mapper, half, PG_KIR_OP_SLT, PG_KIR_I8, 0, other, n), take, again);

  pg_kir_value mine = pg_map_add (mapper, take, PG_KIR_OP_LOAD, carry->type, ref, own, 0);
  pg_kir_value its = pg_map_add (mapper, take, PG_KIR_OP_LOAD, carry->type, ref, slot (mapper, take, shared, other), 0);
  pg_kir_value both = pg_kir_add_combine (spmd, take, carry->combine, carry->type, mine, its);
  pg_map_add (mapper, take, PG_KIR_OP_STORE, PG_KIR_VOID, ref, own, both);
  pg_kir_add_jump (spmd, take, again);
  pg_kir_add_jump (spmd, again, round);

  pg_kir_set_operand (spmd, n, 0, n_threads);
  pg_kir_set_operand (spmd, n, 1, n_half);
  *value = pg_map_add (mapper, out, PG_KIR_OP_LOAD, carry->type, ref, own, 0);
  /* The next one to use shared memory waits for those that read it here.  */
  pg_map_add (mapper, out, PG_KIR_OP_BARRIER, PG_KIR_VOID, 0, 0, 0);
  return out;
}

/* Does the mapping combine carried value C by blocks?  */
bool
pg_map_is_combined (enum pg_kir_mapping mapping, const struct pg_kir_carry *carry)
{
  return mapping == PG_KIR_STRIDED_TREE && carry->combine != PG_KIR_COMBINE_LAST;
}

/* The end: what the thread carried is stored.  */
void
pg_map_put_done (struct pg_mapper *mapper)
{
  struct pg_kir_kernel *spmd = mapper->spmd;
  const struct pg_kir_kernel *loop = mapper->loop;
  pg_kir_block_number b = mapper->done;
  const pg_kir_block_number before[] = { mapper->start, mapper->latch };
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      mapper->carried[c] = pg_kir_add_phi (spmd, b, loop->carries[c].type, before, 2);
      pg_kir_set_operand (spmd, mapper->carried[c], 0, mapper->begun[c]);
      pg_kir_set_operand (spmd, mapper->carried[c], 1, mapper->at_end[c]);
    }
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (!pg_map_is_combined (mapper->mapping, &loop->carries[c]))
      store_partial (mapper, b, c, mapper->thread, mapper->carried[c]);
  for (uint32_t c = 0; c < loop->n_carries; c++)
    if (pg_map_is_combined (mapper->mapping, &loop->carries[c]))
      {
	pg_kir_value value = mapper->carried[c];
	b = combine_block (mapper, b, c, &value);
	pg_kir_block_number first = pg_kir_add_block (spmd), rest = pg_kir_add_block (spmd);
	pg_kir_value thread = pg_map_add (mapper, b, PG_KIR_OP_THREAD, PG_KIR_I64, 0, 0, 0);
	pg_kir_value zero = pg_map_constant (mapper, b, PG_KIR_I64, 0);
	pg_kir_add_branch (spmd, b, pg_map_add (mapper, b, PG_KIR_OP_EQ, PG_KIR_I8, 0, thread, zero), first, rest);
	store_partial (mapper, first, c, pg_map_add (mapper, first, PG_KIR_OP_BLOCK, PG_KIR_I64, 0, 0, 0), value);
	pg_kir_add_jump (spmd, first, rest);
	b = rest;
      }
  pg_map_add (mapper, b, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
}

/* The thread, of N, that ran iteration I, counted from the first.  */
static int64_t
thread_of (enum pg_kir_mapping mapping, const struct pg_kir_launch *launch, int64_t n, int64_t i)
{
  return mapping == PG_KIR_CHUNKED ? i / launch->stride : i % n;
}

void
pg_kir_continue (const struct pg_kir_kernel *loop, int64_t n_threads, uint64_t *partials, const char *args)
{
  for (uint32_t c = 0; c < loop->n_carries; c++)
    {
      const struct pg_kir_carry *carry = &loop->carries[c];
      uint64_t *first = &partials[(int64_t) c * n_threads], carried = 0;
      memcpy (&carried, args + carry->offset, pg_kir_types[carry->type].len);
      if (carry->combine != PG_KIR_COMBINE_LAST)
	*first = pg_kir_combine (carry->combine, carry->type, carried, pg_kir_cut (carry->type, *first));
    }
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
      int64_t n_parts = pg_map_is_combined (mapping, carry) ? (n_used + n_threads - 1) / n_threads : n_used;
      uint64_t value = pg_kir_cut (carry->type, carry->combine == PG_KIR_COMBINE_LAST ? row[last] : row[0]);
      for (int64_t i = 1; i < n_parts && carry->combine != PG_KIR_COMBINE_LAST; i++)
	value = pg_kir_combine (carry->combine, carry->type, value, pg_kir_cut (carry->type, row[i]));
      memcpy (args + carry->offset, &value, pg_kir_types[carry->type].len);
    }
}
