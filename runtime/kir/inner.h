/* SPDX-License-Identifier: MIT
   Inner loops of a kernel: what there is to know before their turns are dealt out to threads.

   In loop form an inner loop is just a cycle of blocks.  It is countable if nothing but the numbers on its way in
   decides how many turns it takes:

       from:	 ... to the header
       header:   i = phi [from start] [latch i + 1], and for each other thing that goes from turn to turn
		   an induction:  phi [from init] [latch phi + constant]
		   a reduction:	  phi [from init] [latch phi combined with something, on some ways or all]
       exiting:  the only branch out: on while the counter, I or I + 1, is before a bound that the loop does not change
       latch:	 the only way back
       to:	 where the branch out leads

   The test stands at the top, in the header, which does nothing else that counts, or at the bottom, after all of the
   turn.  Behind the loop only that is used of it which goes from turn to turn, as the last one left it.  */
#ifndef PG_KIR_INNER_H
#define PG_KIR_INNER_H

#include "kir.h"

enum
{
  PG_KIR_MOST_ROUND = 16 /* phis of an inner loop's header */
};

/* What goes from turn to turn.  */
struct pg_kir_round
{
  pg_kir_value phi, init, next; /* NEXT: what a turn leaves */
  bool is_reduction;
  enum pg_kir_combine combine; /* of a reduction */
  int64_t step;                /* of an induction */
};

struct pg_kir_inner
{
  pg_kir_block_number header, from, exiting, latch, to;
  bool is_top;     /* tested there */
  bool has_stores; /* or atomic operations */
  bool has_nexts;  /* of what the kernel carries */
  unsigned n_rounds;
  struct pg_kir_round rounds[PG_KIR_MOST_ROUND];

  /* The test: on while the counter, ROUNDS[COUNTER] or its next, is BEFORE the bound; counting down, while the bound is
     before it.  */
  unsigned counter;
  bool tests_next;
  enum pg_kir_op before; /* NE, SLT, SLE, ULT or ULE */
  pg_kir_value bound;

  uint32_t *memory; /* its own; the tables that follow lie in it */
  size_t memory_len;
  uint32_t *is_in;    /* by block: is it of the loop? */
  uint32_t *block_of; /* by value */
  uint32_t *is_reached, *stack;
  uint32_t *is_chained;
};

/* Describe in *INNER the loop of KERNEL, verified, whose header is block HEADER; reductions of floats are some if their
   order does not matter: MAY_REORDER.  False: there is none there, or not a countable one, as *ERROR says.  */
bool pg_kir_inner_begin (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel, pg_kir_block_number header,
			 bool may_reorder, struct pg_kir_error *error);
void pg_kir_inner_end (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel);

/* Is INNER in another inner loop of KERNEL: is there a way from its end back to it?  IS_REACHED then says which blocks
   it leads to.  */
bool pg_kir_inner_is_nested (struct pg_kir_inner *inner, const struct pg_kir_kernel *kernel);

/* The value that ROUND of INNER has behind the loop.  */
pg_kir_value pg_kir_inner_result (const struct pg_kir_inner *inner, unsigned round);

/* Append to BLOCK of KERNEL what computes how many turns INNER takes, an i64, where its counter begins at START and its
   bound is BOUND, values of KERNEL.  */
pg_kir_value pg_kir_add_turns (struct pg_kir_kernel *kernel, pg_kir_block_number block,
			       const struct pg_kir_inner *inner, pg_kir_value start, pg_kir_value bound);

#endif
