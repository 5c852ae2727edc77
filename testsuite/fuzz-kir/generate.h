/* SPDX-License-Identifier: MIT
   KIR fuzzer: a kernel in the making.  */
#ifndef FUZZ_KIR_GENERATE_H
#define FUZZ_KIR_GENERATE_H

#include "fuzz-kir.h"

enum
{
  FK_MOST_KNOWN = 512,
  FK_MOST_VALUES = 8192,
  FK_MOST_PHIS = 4, /* that a join has */
  FK_MOST_WAYS = 8, /* into a join */
  FK_MOST_DEPTH = 3 /* of loops and branches in each other */
};

/* What is known of a value.  */
enum
{
  FK_IS_BASE = 1,     /* FK_REACH bytes or less from the start of a buffer */
  FK_IS_PLACE = 2,    /* 8 bytes there may be accessed */
  FK_IS_WRITABLE = 4, /* and written */
  FK_IS_CLEAN = 8,    /* its bits are defined */
  FK_IS_USED = 16,
  FK_IS_ALIGNED = 32 /* a pointer: a multiple of 8 */
};

/* A block where ways meet, with phis.  */
struct fk_join
{
  pg_kir_block_number block;
  unsigned n_phis, n_ways;
  enum pg_kir_type types[FK_MOST_PHIS];
  pg_kir_value phis[FK_MOST_PHIS];
  bool is_header; /* of a loop: its phis are known where its later ways begin */
  pg_kir_block_number from[FK_MOST_WAYS];
  pg_kir_value values[FK_MOST_WAYS][FK_MOST_PHIS];
};

struct fk_maker
{
  struct fk_case *made;
  struct pg_kir_kernel *kernel;
  struct fk_random random;
  pg_kir_block_number block;         /* what is added goes there */
  pg_kir_value known[FK_MOST_KNOWN]; /* values that may be used in it */
  unsigned n_known;
  uint8_t facts[FK_MOST_VALUES]; /* of each value */
  int n_left;                    /* instructions that may still be added */
  unsigned depth, loop_depth;
  pg_kir_value carried[FK_MOST_CARRIES]; /* where iterations are independent: the carried values */
  struct fk_join *header, *exit;         /* of the innermost loop */
  pg_kir_value step;                     /* its counter's next value */
  pg_kir_value goes_on;                  /* if it is tested behind its body: the test; else 0 */
  pg_kir_value row;                      /* of this iteration in OUT */
  unsigned slot;                         /* of it, the next to be stored into */
};

/* value.c */

/* Add an instruction to the block; it is known from then on.  Operands that are 0 are not there.  */
pg_kir_value fk_add (struct fk_maker *maker, enum pg_kir_op op, enum pg_kir_type type, int64_t number, pg_kir_value a,
		     pg_kir_value b, pg_kir_value c);

/* A random value of TYPE, known or new.  */
pg_kir_value fk_value (struct fk_maker *maker, enum pg_kir_type type);

/* A constant.  */
pg_kir_value fk_const (struct fk_maker *maker, enum pg_kir_type type, int64_t number);

/* VALUE, or if that is a NaN with unknown bits, one with known bits.  */
pg_kir_value fk_clean (struct fk_maker *maker, pg_kir_value value);

/* Say what carried value NUMBER is for the next iteration.  */
void fk_add_next (struct fk_maker *maker, uint32_t number);

/* Any type but void.  */
enum pg_kir_type fk_type (struct fk_maker *maker);

/* Add N random instructions.  */
void fk_add_some (struct fk_maker *maker, unsigned n);

/* Store up to N of the values known since N_BEFORE that nothing has used.  */
void fk_store_unused (struct fk_maker *maker, unsigned n_before, unsigned n);

/* Note that the kernel has SHAPE.  */
static inline void
fk_note (struct fk_maker *maker, enum fk_shape shape)
{
  maker->made->shapes |= (uint64_t) 1 << shape;
}

#endif
