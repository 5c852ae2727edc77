/* SPDX-License-Identifier: MIT
   What is done about an access of LEN bytes, before it:

       off = address - low
       look:	 branch outside, inside if array's len - LEN < off, unsigned
       outside:  verdict |= OUTSIDE_ARRAY; return
       inside:	 g = off >> shift; last = (off + LEN - 1) >> shift
       note:	 g' = phi [inside g] [again g' + 1]; what is to be done for granule g' (note-granule.c)
       again:	 branch note, done if g' + 1 <= last
       done:	 the access

   See instrument.c.  */
#include "instrumenter.h"

#include <stddef.h>

/* End the iteration if LEN bytes at OFF are not in ARRAY.  */
static void
look (struct pg_instrumenter *in, unsigned array, unsigned len, pg_kir_value off)
{
  pg_kir_value array_len = pg_note_array_field (in, PG_KIR_I64, array, offsetof (struct pg_kir_array, len));
  pg_kir_value size = pg_note_constant (in, PG_KIR_I64, len);
  pg_kir_value most = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, array_len, size);
  pg_note_verdict_if (in, pg_note_add (in, PG_KIR_OP_ULT, PG_KIR_I8, 0, most, off), PG_KIR_OUTSIDE_ARRAY, true);
}

/* Count the granules from FIRST to LAST.  */
static void
count (struct pg_instrumenter *in, pg_kir_value first, pg_kir_value last)
{
  pg_kir_value *n = &in->now[PG_FOLLOW_N_MARKED], one = pg_note_constant (in, PG_KIR_I64, 1);
  pg_kir_value more = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, last, first);
  *n = pg_note_add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, *n, more);
  *n = pg_note_add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, *n, one);
}

/* Do what is to be done for each granule of the LEN bytes at OFF.  */
static void
note (struct pg_instrumenter *in, unsigned array, unsigned len, pg_kir_value off, uint32_t to_do)
{
  struct pg_kir_kernel *to = in->to;
  pg_kir_value shift = pg_note_constant (in, PG_KIR_I64, in->logging->shift_of[array]);
  pg_kir_value one = pg_note_constant (in, PG_KIR_I64, 1), more = pg_note_constant (in, PG_KIR_I64, len - 1);
  pg_kir_value first = pg_note_add (in, PG_KIR_OP_LSHR, PG_KIR_I64, 0, off, shift);
  pg_kir_value last_byte = pg_note_add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, off, more);
  pg_kir_value last = pg_note_add (in, PG_KIR_OP_LSHR, PG_KIR_I64, 0, last_byte, shift);
  if (to_do & PG_NOTE_WRITE && pg_note_log (in, array) == PG_KIR_LOG_MARKS)
    count (in, first, last);

  pg_kir_block_number before = in->copy.block, each = pg_kir_add_block (to), done = pg_kir_add_block (to);
  pg_kir_add_jump (to, before, each);
  in->copy.block = each;
  pg_kir_value g = pg_kir_add_phi (to, each, PG_KIR_I64, NULL, 2);
  pg_note_granule (in, array, g, to_do);
  pg_kir_value next = pg_note_add (in, PG_KIR_OP_ADD, PG_KIR_I64, 0, g, one);
  pg_kir_add_branch (to, in->copy.block, pg_note_add (in, PG_KIR_OP_ULE, PG_KIR_I8, 0, next, last), each, done);
  pg_kir_set_phi (to, g, 0, before, first);
  pg_kir_set_phi (to, g, 1, in->copy.block, next);
  in->copy.block = done;
}

void
pg_note_access (struct pg_instrumenter *in, pg_kir_value value)
{
  const struct pg_kir_instr *instr = &in->loop->instrs[value];
  unsigned array = in->logging->array_of[instr->number], len = pg_note_len (in->loop, instr);
  uint32_t to_do = in->to_do[value];
  pg_kir_value address = pg_note_add (in, PG_KIR_OP_BITS, PG_KIR_I64, 0, in->id, 0);
  pg_kir_copy_late (&in->copy, value, 0, address);
  pg_kir_value low = pg_note_array_field (in, PG_KIR_I64, array, offsetof (struct pg_kir_array, low));
  pg_kir_value off = pg_note_add (in, PG_KIR_OP_SUB, PG_KIR_I64, 0, address, low);
  if (to_do & PG_NOTE_LOOK)
    look (in, array, len, off);
  if (to_do & (PG_NOTE_WRITE | PG_NOTE_READ))
    note (in, array, len, off, to_do);
}
