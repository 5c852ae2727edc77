/* SPDX-License-Identifier: MIT
   Instrumentation, from within: what its parts share.  See instrument.c.  */
#ifndef PG_KIR_INSTRUMENTER_H
#define PG_KIR_INSTRUMENTER_H

#include "copy.h"
#include "instrument.h"

/* What is to be done about an instruction of the loop.  */
enum
{
  PG_NOTE_KEEP = 1,  /* copy it */
  PG_NOTE_LOOK = 2,  /* look whether it is in its array */
  PG_NOTE_WRITE = 4, /* note it */
  PG_NOTE_READ = 8,  /* note or test it */
  PG_NOTE_OWN = 16,  /* what its own iteration wrote is a conflict, too */
  PG_NOTE_ACCESS = PG_NOTE_LOOK | PG_NOTE_WRITE | PG_NOTE_READ
};

/* What changes while an iteration runs.  */
enum pg_followed
{
  PG_FOLLOW_BUDGET,   /* what is left of it */
  PG_FOLLOW_N_MARKED, /* granules */
  PG_N_FOLLOWED
};

struct pg_instrumenter
{
  struct pg_kir_kernel *to;
  const struct pg_kir_kernel *loop;
  const struct pg_kir_logging *logging;
  struct pg_kir_copy copy;
  uint32_t offset; /* of the logs in the arguments */

  /* An iteration's number; the same counted from the epoch's end; the end.  */
  pg_kir_value id, id_from_end, end;

  uint32_t *to_do; /* by value of the loop: PG_NOTE_KEEP ... */
  uint32_t *memory;
  size_t memory_len;

  /* By followed value: whether there is any, what it is now, and by block of the loop, what stands for it at the
     block's beginning, a phi, and at its end.  By block: how many are before it, and a mark for who counts.  */
  bool is_followed[PG_N_FOLLOWED];
  pg_kir_value now[PG_N_FOLLOWED];
  pg_kir_value *phi[PG_N_FOLLOWED], *at_end[PG_N_FOLLOWED];
  uint32_t *n_before, *seen;
  uint32_t *follow_memory;
  size_t follow_memory_len;
};

/* Append: an instruction of two operands at most, a constant, a field of the logs at OFFSET, the same of ARRAY.  */
static inline pg_kir_value
pg_note_add (struct pg_instrumenter *in, enum pg_kir_op op, enum pg_kir_type type, int64_t number, pg_kir_value a,
	     pg_kir_value b)
{
  return pg_kir_add_simple (in->to, in->copy.block, op, type, number, a, b);
}

static inline pg_kir_value
pg_note_constant (struct pg_instrumenter *in, enum pg_kir_type type, uint64_t bits)
{
  return pg_note_add (in, PG_KIR_OP_CONST, type, (int64_t) bits, 0, 0);
}

static inline pg_kir_value
pg_note_field (struct pg_instrumenter *in, enum pg_kir_type type, size_t offset)
{
  return pg_note_add (in, PG_KIR_OP_ARG, type, in->offset + (int64_t) offset, 0, 0);
}

static inline pg_kir_value
pg_note_array_field (struct pg_instrumenter *in, enum pg_kir_type type, unsigned array, size_t offset)
{
  return pg_note_field (in, type, sizeof (struct pg_kir_logs) + array * sizeof (struct pg_kir_array) + offset);
}

/* Note VERDICT if CONDITION holds; and go on, or if it IS_END, end the iteration.  */
void pg_note_verdict_if (struct pg_instrumenter *in, pg_kir_value condition, enum pg_kir_verdict verdict, bool is_end);

static inline enum pg_kir_log
pg_note_log (const struct pg_instrumenter *in, unsigned array)
{
  return in->logging->log_of == NULL ? PG_KIR_LOG_ITERATIONS : (enum pg_kir_log) in->logging->log_of[array];
}

/* The bytes that INSTR, a load or store, accesses.  */
static inline unsigned
pg_note_len (const struct pg_kir_kernel *loop, const struct pg_kir_instr *instr)
{
  bool is_write = pg_kir_is_store (instr);
  return pg_kir_types[is_write ? loop->instrs[pg_kir_operands (loop, instr)[1]].type : instr->type].len;
}

/* note-plan.c: find what is to be done about each instruction.  False: *ERROR says why not.  */
bool pg_note_plan (struct pg_instrumenter *in, struct pg_kir_error *error);
void pg_note_forget_plan (struct pg_instrumenter *in);

/* note-access.c: append what is to be done about VALUE, a load or store of the loop, before it happens.  */
void pg_note_access (struct pg_instrumenter *in, pg_kir_value value);

/* note-granule.c: append what is TO_DO about granule G of array ARRAY, being written or read.  */
void pg_note_granule (struct pg_instrumenter *in, unsigned array, pg_kir_value g, uint32_t to_do);

/* note-follow.c: begin, IS_FOLLOWED being set, where the iteration begins what follows is NOW; told of where a block of
   the loop begins and where it is about to end; and when all is there, give the phis their operands.  */
bool pg_note_follow_begin (struct pg_instrumenter *in);
void pg_note_follow_enter (struct pg_instrumenter *in, pg_kir_block_number number);
void pg_note_follow_leave (struct pg_instrumenter *in, pg_kir_block_number number);
void pg_note_follow_fill (struct pg_instrumenter *in);
void pg_note_follow_end (struct pg_instrumenter *in);

#endif
