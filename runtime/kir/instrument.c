/* SPDX-License-Identifier: MIT
   Instrumentation.  See instrument.h.

   An access of LEN bytes becomes

       off = address - low; branch inside, outside if off <= array's len - LEN, unsigned
       outside:  verdict |= OUTSIDE_ARRAY; return
       inside:	 g = off >> shift; last = (off + LEN - 1) >> shift
       note:	 g' = phi [inside g] [again g' + 1]; what is to be done for granule g'
       again:	 branch note, done if g' + 1 <= last
       done:	 the access

   where "note" is, for a write, old = atomic minimum of the granule's writer and this iteration; if old is another
   iteration, verdict |= WRITTEN_TWICE; and so on.  The iteration's number is computed once, in the first block.  */
#include "instrument.h"
#include "copy.h"
#include "prune.h"

#include <stddef.h>
#include <string.h>

enum
{
  WRITER_BITS = 2, /* of the 4 bytes of a granule's writer */
  READER_BITS = 3
};

struct instrumenter
{
  struct pg_kir_kernel *to;
  const struct pg_kir_kernel *loop;
  const struct pg_kir_logging *logging;
  struct pg_kir_copy copy;
  uint32_t offset;       /* of the logs in the arguments */
  pg_kir_value id, none; /* the iteration's number, and what stands for none */
};

static pg_kir_value
add (struct instrumenter *in, enum pg_kir_op op, enum pg_kir_type type, int64_t number, pg_kir_value a, pg_kir_value b)
{
  return pg_kir_add_simple (in->to, in->copy.block, op, type, number, a, b);
}

static pg_kir_value
constant (struct instrumenter *in, enum pg_kir_type type, uint64_t bits)
{
  return add (in, PG_KIR_OP_CONST, type, (int64_t) bits, 0, 0);
}

/* A field of the logs, at OFFSET.  */
static pg_kir_value
field (struct instrumenter *in, enum pg_kir_type type, size_t offset)
{
  return add (in, PG_KIR_OP_ARG, type, in->offset + (int64_t) offset, 0, 0);
}

/* The same of array number ARRAY.  */
static pg_kir_value
array_field (struct instrumenter *in, enum pg_kir_type type, unsigned array, size_t offset)
{
  return field (in, type, sizeof (struct pg_kir_logs) + array * sizeof (struct pg_kir_array) + offset);
}

/* Note VERDICT.  */
static void
note_verdict (struct instrumenter *in, enum pg_kir_verdict verdict)
{
  pg_kir_value there = field (in, PG_KIR_PTR, offsetof (struct pg_kir_logs, verdict));
  add (in, PG_KIR_OP_ATOMIC_OR, PG_KIR_I32, in->loop->n_refs, there, constant (in, PG_KIR_I32, verdict));
}

/* Go on in a new block if CONDITION holds, in OTHER if not.  */
static void
go_on_if (struct instrumenter *in, pg_kir_value condition, pg_kir_block_number other)
{
  pg_kir_block_number next = pg_kir_add_block (in->to);
  pg_kir_add_branch (in->to, in->copy.block, condition, next, other);
  in->copy.block = next;
}

/* If WRITER, what a granule's word has, is another iteration than this one, note VERDICT.  */
static void
note_if_other (struct instrumenter *in, pg_kir_value writer, enum pg_kir_verdict verdict)
{
  pg_kir_block_number after = pg_kir_add_block (in->to);
  pg_kir_value is_not_own = add (in, PG_KIR_OP_NE, PG_KIR_I8, 0, writer, in->id);
  pg_kir_value is_any = add (in, PG_KIR_OP_NE, PG_KIR_I8, 0, writer, in->none);
  go_on_if (in, add (in, PG_KIR_OP_AND, PG_KIR_I8, 0, is_not_own, is_any), after);
  note_verdict (in, verdict);
  pg_kir_add_jump (in->to, in->copy.block, after);
  in->copy.block = after;
}

/* The address of the word for granule G, 2^BITS bytes each, of the table at OFFSET of array ARRAY.  */
static pg_kir_value
word (struct instrumenter *in, unsigned array, size_t offset, pg_kir_value g, unsigned bits)
{
  pg_kir_value table = array_field (in, PG_KIR_PTR, array, offset);
  pg_kir_value bytes = add (in, PG_KIR_OP_SHL, PG_KIR_I64, 0, g, constant (in, PG_KIR_I64, bits));
  return add (in, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, table, bytes);
}

/* What is to be done about granule G of array ARRAY, being written or read.  */
static void
note_granule (struct instrumenter *in, unsigned array, pg_kir_value g, bool is_write)
{
  unsigned what = in->logging->what;
  int64_t ref = in->loop->n_refs;
  if (is_write)
    {
      pg_kir_value there = word (in, array, offsetof (struct pg_kir_array, writers), g, WRITER_BITS);
      note_if_other (in, add (in, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_I32, ref, there, in->id), PG_KIR_WRITTEN_TWICE);
      return;
    }
  if (what & PG_KIR_TEST_READS)
    {
      pg_kir_value there = word (in, array, offsetof (struct pg_kir_array, writers), g, WRITER_BITS);
      note_if_other (in, add (in, PG_KIR_OP_LOAD, PG_KIR_I32, ref, there, 0), PG_KIR_READ_TOO);
    }
  if (what & PG_KIR_NOTE_READS)
    {
      pg_kir_value lowest = word (in, array, offsetof (struct pg_kir_array, readers), g, READER_BITS);
      pg_kir_value highest = add (in, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, lowest, constant (in, PG_KIR_I64, 4));
      add (in, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_I32, ref, lowest, in->id);
      add (in, PG_KIR_OP_ATOMIC_UMAX, PG_KIR_I32, ref, highest, in->id);
    }
}

/* Put what is to be done about the access VALUE of the loop, LEN bytes of array ARRAY.  */
static void
note_access (struct instrumenter *in, pg_kir_value value, unsigned array, unsigned len, bool is_write)
{
  struct pg_kir_kernel *to = in->to;
  pg_kir_value shift = constant (in, PG_KIR_I64, in->logging->shift_of[array]), last_byte, one, end;
  pg_kir_value address = add (in, PG_KIR_OP_BITS, PG_KIR_I64, 0, in->id, 0);
  pg_kir_copy_late (&in->copy, value, address);
  pg_kir_value low = array_field (in, PG_KIR_I64, array, offsetof (struct pg_kir_array, low));
  pg_kir_value array_len = array_field (in, PG_KIR_I64, array, offsetof (struct pg_kir_array, len));
  pg_kir_value off = add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, address, low);
  pg_kir_value most = add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, array_len, constant (in, PG_KIR_I64, len));
  pg_kir_block_number outside = pg_kir_add_block (to), inside = pg_kir_add_block (to), note = pg_kir_add_block (to);
  pg_kir_block_number done = pg_kir_add_block (to);
  pg_kir_add_branch (to, in->copy.block, add (in, PG_KIR_OP_ULE, PG_KIR_I8, 0, off, most), inside, outside);

  in->copy.block = outside;
  note_verdict (in, PG_KIR_OUTSIDE_ARRAY);
  add (in, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);

  in->copy.block = inside;
  pg_kir_value first = add (in, PG_KIR_OP_LSHR, PG_KIR_I64, 0, off, shift);
  one = constant (in, PG_KIR_I64, 1);
  last_byte = add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, off, constant (in, PG_KIR_I64, len - 1));
  end = add (in, PG_KIR_OP_LSHR, PG_KIR_I64, 0, last_byte, shift);
  pg_kir_add_jump (to, inside, note);

  in->copy.block = note;
  pg_kir_value g = pg_kir_add_phi (to, note, PG_KIR_I64, (const pg_kir_block_number[]) { inside, inside }, 2);
  note_granule (in, array, g, is_write);
  pg_kir_value next = add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, g, one);
  pg_kir_add_branch (to, in->copy.block, add (in, PG_KIR_OP_ULE, PG_KIR_I8, 0, next, end), note, done);
  pg_kir_set_operand (to, g, 0, first);
  pg_kir_set_operand (to, g, 1, next);
  if (!to->is_broken)
    pg_kir_targets (to, &to->instrs[g])[1] = in->copy.block;
  in->copy.block = done;
}

/* The array that INSTR accesses, if something is to be done about it; or PG_KIR_NOT_LOGGED.  */
static unsigned
array_of (const struct instrumenter *in, const struct pg_kir_instr *instr)
{
  bool is_write = instr->op == PG_KIR_OP_STORE;
  unsigned wanted = is_write ? PG_KIR_NOTE_WRITES : PG_KIR_NOTE_READS | PG_KIR_TEST_READS;
  return in->logging->what & wanted ? in->logging->array_of[instr->number] : PG_KIR_NOT_LOGGED;
}

static bool
replace (struct pg_kir_copy *copy, pg_kir_value value)
{
  struct instrumenter *in = copy->context;
  const struct pg_kir_instr *instr = &in->loop->instrs[value];
  bool is_write = instr->op == PG_KIR_OP_STORE, is_access = is_write || instr->op == PG_KIR_OP_LOAD;
  bool is_left_out = in->logging->what & PG_KIR_ADDRESSES_ONLY && (is_write || instr->op == PG_KIR_OP_NEXT);
  if (is_access && array_of (in, instr) != PG_KIR_NOT_LOGGED)
    {
      enum pg_kir_type type
	= is_write ? in->loop->instrs[pg_kir_operands (in->loop, instr)[1]].type : (enum pg_kir_type) instr->type;
      note_access (in, value, array_of (in, instr), pg_kir_types[type].len, is_write);
    }
  return is_left_out;
}

/* The iteration's number stands before all else.  */
static void
enter (struct pg_kir_copy *copy, pg_kir_block_number number)
{
  struct instrumenter *in = copy->context;
  if (number > 0)
    return;
  pg_kir_value first = field (in, PG_KIR_I64, offsetof (struct pg_kir_logs, first));
  pg_kir_value iter = add (in, PG_KIR_OP_ITER, PG_KIR_I64, 0, 0, 0);
  in->id = add (in, PG_KIR_OP_TRUNC, PG_KIR_I32, 0, add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, iter, first), 0);
  in->none = constant (in, PG_KIR_I32, UINT32_MAX);
}

uint32_t
pg_kir_logs_offset (const struct pg_kir_kernel *loop)
{
  return (loop->args_len + 7) / 8 * 8;
}

/* Give TO what LOOP has besides its blocks.  */
static void
copy_head (struct instrumenter *in)
{
  struct pg_kir_kernel *to = in->to;
  const struct pg_kir_kernel *loop = in->loop;
  memcpy (to->name, loop->name, sizeof to->name);
  to->args_len
    = in->offset + (uint32_t) (sizeof (struct pg_kir_logs) + in->logging->n_arrays * sizeof (struct pg_kir_array));
  to->n_dims = loop->n_dims;
  to->n_refs = loop->n_refs + 1;
  for (uint32_t c = 0; c < loop->n_carries; c++)
    pg_kir_add_carry (to, loop->carries[c].type, loop->carries[c].combine, loop->carries[c].offset);
}

bool
pg_kir_instrument (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, const struct pg_kir_logging *logging,
		   struct pg_kir_error *error)
{
  struct instrumenter in = {
    .to = to,
    .loop = loop,
    .logging = logging,
    .offset = pg_kir_logs_offset (loop),
    .copy = { .to = to, .from = loop, .context = &in, .enter = enter, .replace = replace },
  };
  if (loop->n_threads > 0 || loop->n_dims != 1)
    return pg_kir_fail (error, "not a loop of one dimension");
  if (loop->n_refs == PG_KIR_MOST_REFS || logging->n_arrays > PG_KIR_MOST_ARRAYS
      || in.offset + sizeof (struct pg_kir_logs) + logging->n_arrays * sizeof (struct pg_kir_array)
	   > PG_KIR_MOST_ARGS_LEN)
    return pg_kir_fail (error, "too many arguments, references or arrays");
  copy_head (&in);
  bool is_good = pg_kir_copy_begin (&in.copy);
  if (is_good)
    pg_kir_copy_all (&in.copy);
  pg_kir_copy_end (&in.copy);
  if (is_good && (logging->what & PG_KIR_ADDRESSES_ONLY) && !to->is_broken)
    is_good = pg_kir_prune (to);
  is_good = (is_good && !to->is_broken) || pg_kir_fail (error, "too large, or no memory");
  if (!is_good)
    pg_kir_end (to);
  return is_good;
}

/* Iteration g is granule g: was it written, and read by anybody but who wrote it?  */
static const char scan[] = "kernel \"scan\" args 24 dims 1 refs 1\n"
			   "b0:\n"
			   "  v1 = iter i64 0\n"
			   "  v2 = const i64 2\n"
			   "  v3 = shl i64 v1 v2\n"
			   "  v4 = arg ptr 8\n"
			   "  v5 = address ptr v4 v3\n"
			   "  v6 = load i32 v5 ref 0\n"
			   "  v7 = const i32 -1\n"
			   "  v8 = ne i8 v6 v7\n"
			   "  branch void v8 b1 b3\n"
			   "b1:\n"
			   "  v10 = const i64 3\n"
			   "  v11 = shl i64 v1 v10\n"
			   "  v12 = arg ptr 16\n"
			   "  v13 = address ptr v12 v11\n"
			   "  v14 = load i32 v13 ref 0\n"
			   "  v15 = const i64 4\n"
			   "  v16 = address ptr v13 v15\n"
			   "  v17 = load i32 v16 ref 0\n"
			   "  v18 = ne i8 v14 v6\n"
			   "  v19 = ne i8 v17 v6\n"
			   "  v20 = or i8 v18 v19\n"
			   "  v21 = ne i8 v14 v7\n"
			   "  v22 = and i8 v20 v21\n"
			   "  branch void v22 b2 b3\n"
			   "b2:\n"
			   "  v24 = arg ptr 0\n"
			   "  v25 = const i32 2\n"
			   "  v26 = atomic-or i32 v24 v25 ref 0\n"
			   "  jump void b3\n"
			   "b3:\n"
			   "  return void\n"
			   "end\n";

bool
pg_kir_scan (struct pg_kir_kernel *to, struct pg_kir_error *error)
{
  return pg_kir_read (to, scan, sizeof scan - 1, error);
}
