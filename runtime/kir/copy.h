/* SPDX-License-Identifier: MIT
   Copying a kernel's blocks into another kernel, with changes: what passes are made of.  */
#ifndef PG_KIR_COPY_H
#define PG_KIR_COPY_H

#include "kir.h"

enum
{
  PG_KIR_N_LATE = 2 /* operands that pg_kir_copy_late knows */
};

struct pg_kir_copy
{
  struct pg_kir_kernel *to;
  const struct pg_kir_kernel *from;
  void *context;

  /* Told of each block of FROM before its first instruction is copied, if not NULL.  */
  void (*enter) (struct pg_kir_copy *copy, pg_kir_block_number number);

  /* Asked about each instruction of FROM, if not NULL: true, if it was dealt with.  VALUE_OF it is then to be set, if
     it has a value.  What is appended may use the values of TO that VALUE_OF has so far; for others, operands are set
     later, by pg_kir_copy_late.  */
  bool (*replace) (struct pg_kir_copy *copy, pg_kir_value value);

  pg_kir_block_number block;  /* of TO, where things are appended: REPLACE may end it and go on in another one */
  pg_kir_block_number number; /* of FROM: it is being copied */

  /* Its own.  By FROM's values: what stands for them in TO, whether that is a copy, and what pg_kir_copy_late was
     told.  By FROM's blocks: the first and the last block of TO that they became.  */
  uint32_t *memory;
  size_t memory_len;
  pg_kir_value *value_of;
  uint32_t *is_plain;
  pg_kir_value *late[PG_KIR_N_LATE];
  pg_kir_block_number *first, *last;
};

/* Begin to copy FROM, verified: append to TO an empty block for each of FROM's.  False: no memory.  */
bool pg_kir_copy_begin (struct pg_kir_copy *copy);

/* Let the first operand of USER, appended to TO with any, be what stands for operand I of VALUE, one of FROM's, once
   that is known.  One USER for each.  */
static inline void
pg_kir_copy_late (struct pg_kir_copy *copy, pg_kir_value value, unsigned i, pg_kir_value user)
{
  copy->late[i][value] = user;
}

/* Copy all instructions but those that were replaced, and give them their operands and targets.  */
void pg_kir_copy_all (struct pg_kir_copy *copy);

void pg_kir_copy_end (struct pg_kir_copy *copy);

/* Append a phi to BLOCK of KERNEL after the N blocks BEFORE, whose values are set later, by pg_kir_set_operand; or, if
   BEFORE is NULL, with the blocks, by pg_kir_set_phi.  */
pg_kir_value pg_kir_add_phi (struct pg_kir_kernel *kernel, pg_kir_block_number block, enum pg_kir_type type,
			     const pg_kir_block_number *before, unsigned n);
void pg_kir_set_operand (struct pg_kir_kernel *kernel, pg_kir_value value, unsigned i, pg_kir_value operand);
void pg_kir_set_phi (struct pg_kir_kernel *kernel, pg_kir_value phi, unsigned i, pg_kir_block_number before,
		     pg_kir_value operand);

/* Append an end to BLOCK of KERNEL.  */
void pg_kir_add_branch (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_value condition,
			pg_kir_block_number yes, pg_kir_block_number no);
void pg_kir_add_jump (struct pg_kir_kernel *kernel, pg_kir_block_number block, pg_kir_block_number target);

#endif
