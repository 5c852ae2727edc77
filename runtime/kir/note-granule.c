/* SPDX-License-Identifier: MIT
   What is noted of a granule.  Of those with iterations,

       write:  old = atomic minimum of the granule's word for writers and this iteration's number
	       verdict |= WRITTEN_TWICE if old is another iteration of this epoch
       read:   atomic minimum of the first word for readers and this iteration's number, and of the second one and this
	       iteration's number, counted from the epoch's end: the lowest and the highest iteration
       test:   verdict |= READ_TOO if the word for writers is another iteration of this epoch, or where it matters, any

   of marks, a 1 is stored; of bits,

       write:  old = atomic or of the granule's bit; verdict |= WRITTEN_TWICE if it was set.

   See instrument.c.  */
#include "instrumenter.h"

#include <stddef.h>

#define WRITERS offsetof (struct pg_kir_array, writers)
#define READERS offsetof (struct pg_kir_array, readers)

enum
{
  WRITER_BITS = 2, /* 4 bytes of a granule's writers */
  READER_BITS = 3,
  GRANULE_BITS = 5 /* 32 granules in a word of bits */
};

/* The address that is 2^BITS * INDEX bytes behind the start of the log at FIELD of array ARRAY.  */
static pg_kir_value
place (struct pg_instrumenter *in, unsigned array, size_t field, pg_kir_value index, unsigned bits)
{
  pg_kir_value log = pg_note_array_field (in, PG_KIR_PTR, array, field);
  if (bits > 0)
    index = pg_note_add (in, PG_KIR_OP_SHL, PG_KIR_I64, 0, index, pg_note_constant (in, PG_KIR_I64, bits));
  return pg_note_add (in, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, log, index);
}

/* If OLD, what a granule's word has, is an iteration, another than this one unless it may be its OWN, note VERDICT.  */
static void
note_if_other (struct pg_instrumenter *in, pg_kir_value old, bool own, enum pg_kir_verdict verdict)
{
  pg_kir_value is_it = pg_note_add (in, PG_KIR_OP_ULT, PG_KIR_I8, 0, old, in->end);
  if (!own)
    {
      pg_kir_value is_other = pg_note_add (in, PG_KIR_OP_NE, PG_KIR_I8, 0, old, in->id);
      is_it = pg_note_add (in, PG_KIR_OP_AND, PG_KIR_I8, 0, is_it, is_other);
    }
  pg_note_verdict_if (in, is_it, verdict, false);
}

static void
note_iteration (struct pg_instrumenter *in, unsigned array, pg_kir_value g, uint32_t to_do)
{
  unsigned what = in->logging->what;
  bool is_write = to_do & PG_NOTE_WRITE;
  int64_t ref = in->loop->n_refs;
  if (is_write || what & PG_KIR_TEST_READS)
    {
      pg_kir_value writer = place (in, array, WRITERS, g, WRITER_BITS);
      pg_kir_value old = is_write ? pg_note_add (in, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_I32, ref, writer, in->id)
				  : pg_note_add (in, PG_KIR_OP_LOAD, PG_KIR_I32, ref, writer, 0);
      note_if_other (in, old, to_do & PG_NOTE_OWN, is_write ? PG_KIR_WRITTEN_TWICE : PG_KIR_READ_TOO);
    }
  if (!is_write && what & PG_KIR_NOTE_READS)
    {
      pg_kir_value lowest = place (in, array, READERS, g, READER_BITS), four = pg_note_constant (in, PG_KIR_I64, 4);
      pg_kir_value highest = pg_note_add (in, PG_KIR_OP_ADDRESS, PG_KIR_PTR, 0, lowest, four);
      pg_note_add (in, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_I32, ref, lowest, in->id);
      pg_note_add (in, PG_KIR_OP_ATOMIC_UMIN, PG_KIR_I32, ref, highest, in->id_from_end);
    }
}

static void
note_mark (struct pg_instrumenter *in, unsigned array, pg_kir_value g, uint32_t to_do)
{
  unsigned what = in->logging->what;
  bool is_write = to_do & PG_NOTE_WRITE;
  int64_t ref = in->loop->n_refs;
  if (!is_write && what & PG_KIR_TEST_READS)
    {
      pg_kir_value mark = pg_note_add (in, PG_KIR_OP_LOAD, PG_KIR_I8, ref, place (in, array, WRITERS, g, 0), 0);
      pg_note_verdict_if (in, mark, PG_KIR_READ_TOO, false);
    }
  if (is_write || what & PG_KIR_NOTE_READS)
    pg_note_add (in, PG_KIR_OP_STORE, PG_KIR_VOID, ref, place (in, array, is_write ? WRITERS : READERS, g, 0),
		 pg_note_constant (in, PG_KIR_I8, 1));
}

/* If BIT is in WORD, note VERDICT.  */
static void
note_if_set (struct pg_instrumenter *in, pg_kir_value word, pg_kir_value bit, enum pg_kir_verdict verdict)
{
  pg_kir_value set = pg_note_add (in, PG_KIR_OP_AND, PG_KIR_I32, 0, word, bit);
  pg_note_verdict_if (in, pg_note_add (in, PG_KIR_OP_EQ, PG_KIR_I8, 0, set, bit), verdict, false);
}

static void
note_bit (struct pg_instrumenter *in, unsigned array, pg_kir_value g, uint32_t to_do)
{
  unsigned what = in->logging->what;
  bool is_write = to_do & PG_NOTE_WRITE;
  int64_t ref = in->loop->n_refs;
  pg_kir_value bits = pg_note_constant (in, PG_KIR_I64, GRANULE_BITS), one = pg_note_constant (in, PG_KIR_I32, 1);
  pg_kir_value index = pg_note_add (in, PG_KIR_OP_LSHR, PG_KIR_I64, 0, g, bits);
  pg_kir_value in_word = pg_note_add (in, PG_KIR_OP_TRUNC, PG_KIR_I32, 0, g, 0);
  pg_kir_value bit = pg_note_add (in, PG_KIR_OP_SHL, PG_KIR_I32, 0, one, in_word); /* modulo 32 */
  if (is_write || what & PG_KIR_TEST_READS)
    {
      pg_kir_value word = place (in, array, WRITERS, index, WRITER_BITS);
      pg_kir_value old = is_write ? pg_note_add (in, PG_KIR_OP_ATOMIC_OR, PG_KIR_I32, ref, word, bit)
				  : pg_note_add (in, PG_KIR_OP_LOAD, PG_KIR_I32, ref, word, 0);
      note_if_set (in, old, bit, is_write ? PG_KIR_WRITTEN_TWICE : PG_KIR_READ_TOO);
    }
  if (!is_write && what & PG_KIR_NOTE_READS)
    pg_note_add (in, PG_KIR_OP_ATOMIC_OR, PG_KIR_I32, ref, place (in, array, READERS, index, WRITER_BITS), bit);
}

void
pg_note_granule (struct pg_instrumenter *in, unsigned array, pg_kir_value g, uint32_t to_do)
{
  static void (*const note[PG_KIR_N_LOGS]) (struct pg_instrumenter * in, unsigned array, pg_kir_value g, uint32_t to_do)
    = { note_iteration, note_mark, note_bit };
  note[pg_note_log (in, array)](in, array, g, to_do);
}
