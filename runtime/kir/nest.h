/* SPDX-License-Identifier: MIT
   Nests: an iteration's inner loops whose turns may be dealt out, and where accesses stand, seen from one of them.

       before	 on the way to it, or past it
       turn	 in it
       behind	 where it leads to  */
#ifndef PG_KIR_NEST_H
#define PG_KIR_NEST_H

#include "kir.h"

/* Where the accesses of a reference stand.  */
enum
{
  PG_KIR_READ_BEFORE = 1,
  PG_KIR_WRITTEN_BEFORE = 2,
  PG_KIR_IN_TURN = 4,
  PG_KIR_BEHIND = 8
};

struct pg_kir_nest
{
  pg_kir_block_number header; /* of the inner loop */
  uint32_t n_reduced;         /* values that it reduces */
  bool has_stores;            /* or atomic operations */
};

/* Find in LOOP, verified, in loop form, the first countable inner loop that is in no other one and whose header is FROM
   or a later block; reductions of floats are some if their order does not matter: MAY_REORDER.  STANDS, of as many
   bytes as there are references, is set to where their accesses stand.  False: there is none, or no memory.  */
bool pg_kir_find_nest (struct pg_kir_nest *nest, uint8_t *stands, const struct pg_kir_kernel *loop,
		       pg_kir_block_number from, bool may_reorder);

/* The same for the loops that can be spread (spread.h), all of them together: the header is PG_KIR_ALL_INNER.  What is
   in one of them is in a turn, all else before.  DEPTHS, of as many bytes, is set to how many inner loops a reference
   that is in a turn is in; 0: that is not the same for all its accesses.
   False also if there is but one loop, and in no other one, which is the same as a nest.  */
bool pg_kir_find_spread (struct pg_kir_nest *nest, uint8_t *stands, uint8_t *depths, const struct pg_kir_kernel *loop);

#endif
