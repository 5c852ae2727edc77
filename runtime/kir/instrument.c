/* SPDX-License-Identifier: MIT
   Instrumentation.  See instrument.h.

     note-plan.c     what is to be done about each instruction of the loop
     note-access.c   an access is looked at, and noted granule by granule
     note-granule.c  what is noted of a granule, by kind of log
     note-follow.c   what an iteration counts
     scan.c	     the loops over logs

   Here the loop is copied, and that is done on the way: before each access; before a value is stored that may be a NaN;
   before each end of a block that may lead back, where the budget is counted down:

       left' = left - 1; branch on, out if 0 <= left'
       out:  verdict |= OUT_OF_BUDGET; return
       on:   the block's end

   As blocks have numbers, there is on each way round a block that leads to itself or to one of a lower number.  */
#include "instrument.h"
#include "flow.h"
#include "instrumenter.h"
#include "prune.h"

#include <stddef.h>
#include <string.h>

void
pg_note_verdict_if (struct pg_instrumenter *in, pg_kir_value condition, enum pg_kir_verdict verdict, bool is_end)
{
  pg_kir_block_number noting = pg_kir_add_block (in->to), after = pg_kir_add_block (in->to);
  pg_kir_add_branch (in->to, in->copy.block, condition, noting, after);
  in->copy.block = noting;
  pg_kir_value there = pg_note_field (in, PG_KIR_PTR, offsetof (struct pg_kir_logs, verdict));
  pg_note_add (in, PG_KIR_OP_ATOMIC_OR, PG_KIR_I32, in->loop->n_refs, there,
	       pg_note_constant (in, PG_KIR_I32, verdict));
  if (is_end)
    pg_note_add (in, PG_KIR_OP_RETURN, PG_KIR_VOID, 0, 0, 0);
  else
    pg_kir_add_jump (in->to, noting, after);
  in->copy.block = after;
}

/* Look whether operand I of VALUE of the loop, a float, is a NaN.  */
static void
look_for_nan (struct pg_instrumenter *in, pg_kir_value value, unsigned i)
{
  const struct pg_kir_instr *instr = &in->loop->instrs[value];
  enum pg_kir_type type = (enum pg_kir_type) in->loop->instrs[pg_kir_operands (in->loop, instr)[i]].type;
  if (pg_kir_types[type].kind != PG_KIR_KIND_FLOAT)
    return;
  pg_kir_value size = pg_note_add (in, PG_KIR_OP_FABS, type, 0, in->id, 0);
  pg_kir_copy_late (&in->copy, value, i, size);
  pg_note_verdict_if (in, pg_note_add (in, PG_KIR_OP_FUNO, PG_KIR_I8, 0, size, size), PG_KIR_NAN_SEEN, false);
}

static void
look_for_nans (struct pg_instrumenter *in, pg_kir_value value)
{
  enum pg_kir_op op = (enum pg_kir_op) in->loop->instrs[value].op;
  if (pg_kir_ops[op].shape == PG_KIR_STORE)
    look_for_nan (in, value, 1);
  else if (op == PG_KIR_OP_NEXT || op == PG_KIR_OP_BITS)
    look_for_nan (in, value, 0);
}

static bool
leads_back (const struct pg_kir_kernel *loop, pg_kir_block_number block)
{
  const struct pg_kir_instr *end = pg_kir_end_of (loop, block);
  for (unsigned t = 0; t < end->n_targets; t++)
    if (pg_kir_targets (loop, end)[t] <= block)
      return true;
  return false;
}

static void
count_down (struct pg_instrumenter *in)
{
  pg_kir_value one = pg_note_constant (in, PG_KIR_I64, 1), zero = pg_note_constant (in, PG_KIR_I64, 0);
  pg_kir_value left = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, in->now[PG_FOLLOW_BUDGET], one);
  pg_kir_value is_spent = pg_note_add (in, PG_KIR_OP_SLT, PG_KIR_I8, 0, left, zero);
  pg_note_verdict_if (in, is_spent, PG_KIR_OUT_OF_BUDGET, true);
  in->now[PG_FOLLOW_BUDGET] = left;
}

/* Before END, the last instruction of the block that is copied.  */
static void
leave (struct pg_instrumenter *in, const struct pg_kir_instr *end)
{
  if (in->is_followed[PG_FOLLOW_BUDGET] && leads_back (in->loop, in->copy.number))
    count_down (in);
  if (in->is_followed[PG_FOLLOW_N_MARKED] && end->op == PG_KIR_OP_RETURN)
    pg_note_add (in, PG_KIR_OP_ATOMIC_ADD, PG_KIR_I64, in->loop->n_refs,
		 pg_note_field (in, PG_KIR_PTR, offsetof (struct pg_kir_logs, n_marked)), in->now[PG_FOLLOW_N_MARKED]);
  pg_note_follow_leave (in, in->copy.number);
}

static bool
replace (struct pg_kir_copy *copy, pg_kir_value value)
{
  struct pg_instrumenter *in = copy->context;
  const struct pg_kir_instr *instr = &in->loop->instrs[value];
  bool is_kept = in->to_do[value] & PG_NOTE_KEEP;
  if (in->to_do[value] & PG_NOTE_ACCESS)
    pg_note_access (in, value);
  if (is_kept && in->logging->what & PG_KIR_FIND_NANS)
    look_for_nans (in, value);
  if (pg_kir_ops[instr->op].shape >= PG_KIR_JUMP)
    leave (in, instr);
  return !is_kept;
}

/* The iteration's number and what it counts stand before all else.  */
static void
begin_iteration (struct pg_instrumenter *in)
{
  pg_kir_value first = pg_note_field (in, PG_KIR_I64, offsetof (struct pg_kir_logs, first));
  pg_kir_value low = pg_note_field (in, PG_KIR_I32, offsetof (struct pg_kir_logs, epoch.low));
  pg_kir_value iter = pg_note_add (in, PG_KIR_OP_ITER, PG_KIR_I64, 0, 0, 0);
  pg_kir_value from_first = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, iter, first);
  pg_kir_value index = pg_note_add (in, PG_KIR_OP_TRUNC, PG_KIR_I32, 0, from_first, 0);
  pg_kir_value one = pg_note_constant (in, PG_KIR_I32, 1);
  in->end = pg_note_field (in, PG_KIR_I32, offsetof (struct pg_kir_logs, epoch.end));
  in->id = pg_note_add (in, PG_KIR_OP_ADD, PG_KIR_I32, 0, low, index);
  pg_kir_value last = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I32, 0, in->end, one);
  in->id_from_end = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I32, 0, last, index);
  if (in->is_followed[PG_FOLLOW_BUDGET])
    in->now[PG_FOLLOW_BUDGET] = pg_note_field (in, PG_KIR_I64, offsetof (struct pg_kir_logs, budget));
  if (in->is_followed[PG_FOLLOW_N_MARKED])
    in->now[PG_FOLLOW_N_MARKED] = pg_note_constant (in, PG_KIR_I64, 0);
}

static void
enter (struct pg_kir_copy *copy, pg_kir_block_number number)
{
  struct pg_instrumenter *in = copy->context;
  pg_note_follow_enter (in, number);
  if (number == 0)
    begin_iteration (in);
}

uint32_t
pg_kir_logs_offset (const struct pg_kir_kernel *loop)
{
  return (loop->args_len + 7) / 8 * 8;
}

bool
pg_kir_next_epoch (struct pg_kir_epoch *epoch, uint64_t n)
{
  if (n > epoch->low)
    return false;
  epoch->end = epoch->low;
  epoch->low -= (uint32_t) n;
  return true;
}

/* Give TO what LOOP has besides its blocks.  */
static void
copy_head (struct pg_instrumenter *in)
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

/* Find what the kernel counts.  */
static void
find_followed (struct pg_instrumenter *in)
{
  unsigned what = in->logging->what;
  for (pg_kir_block_number b = 0; b < in->loop->n_blocks; b++)
    in->is_followed[PG_FOLLOW_BUDGET] |= (what & PG_KIR_COUNT_ROUNDS) && leads_back (in->loop, b);
  for (unsigned array = 0; array < in->logging->n_arrays; array++)
    in->is_followed[PG_FOLLOW_N_MARKED] |= (what & PG_KIR_NOTE_WRITES) && pg_note_log (in, array) == PG_KIR_LOG_MARKS;
}

/* Append all of the loop; false: no memory.  */
static bool
put_all (struct pg_instrumenter *in)
{
  copy_head (in);
  find_followed (in);
  bool is_good = pg_kir_copy_begin (&in->copy) && pg_note_follow_begin (in);
  if (is_good)
    {
      pg_kir_copy_all (&in->copy);
      pg_note_follow_fill (in);
    }
  pg_note_follow_end (in);
  pg_kir_copy_end (&in->copy);
  return is_good;
}

bool
pg_kir_instrument (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop, const struct pg_kir_logging *logging,
		   struct pg_kir_error *error)
{
  struct pg_instrumenter in = {
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
  if (!pg_note_plan (&in, error))
    return false;
  bool is_good = put_all (&in);
  pg_note_forget_plan (&in);
  if (is_good && (logging->what & PG_KIR_ADDRESSES_ONLY) && !to->is_broken)
    is_good = pg_kir_prune (to);
  is_good = (is_good && !to->is_broken) || pg_kir_fail (error, "too large, or no memory");
  if (!is_good)
    pg_kir_end (to);
  return is_good;
}
