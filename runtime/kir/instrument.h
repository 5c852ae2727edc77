/* SPDX-License-Identifier: MIT
   Instrumentation: kernels that say which memory their iterations touch, and kernels that judge.  Paragon paper, s4.3;
   beyond it, what is noted are iterations, so that an iteration does not conflict with itself.

   Memory that may see conflicts is divided into arrays, and these into granules of 2^n bytes, each of which has a word
   for its writers and two for its readers.  Iterations have numbers from 0 on.  Two of them conflict if they touch the
   same granule and one of them writes there; with granules no larger than the smallest access, if they touch the same
   byte, or bytes of one access.

     method	 first kernel				  second kernel
     full	 the loop, notes writes and reads	  pg_kir_scan, one iteration a granule
     selective	 the loop, notes writes			  the loop's addresses, tests reads
     none	 the loop, notes writes: nobody reads	  -
     inspector	 the loop's addresses, notes writes	  the loop's addresses, tests reads

   Writes find other writers at once.  */
#ifndef PG_KIR_INSTRUMENT_H
#define PG_KIR_INSTRUMENT_H

#include "kir.h"

enum
{
  PG_KIR_NOTE_WRITES = 1,
  PG_KIR_NOTE_READS = 2,
  PG_KIR_TEST_READS = 4,     /* against the writers that were noted */
  PG_KIR_ADDRESSES_ONLY = 8, /* the loop's stores and carried values are left out, and what only they need */

  PG_KIR_NOT_LOGGED = 255, /* the array of a reference that needs no look */
  PG_KIR_MOST_ARRAYS = 254
};

/* What is in the first word that a kernel's logs lead to.  */
enum pg_kir_verdict
{
  PG_KIR_CLEAN = 0,
  PG_KIR_WRITTEN_TWICE = 1, /* by two iterations */
  PG_KIR_READ_TOO = 2,      /* by another iteration than wrote it */
  PG_KIR_OUTSIDE_ARRAY = 4  /* an access that is not in its reference's array: the iteration ended before it */
};

/* What stands behind the loop's arguments, at pg_kir_logs_offset: this, and then the arrays.  */
struct pg_kir_logs
{
  uint64_t verdict; /* address of 4 bytes, 0 at first */
  int64_t first;    /* the iteration that has number 0; there are less than 2^32 - 1 */
};

struct pg_kir_array
{
  uint64_t low, len; /* of the memory; at least 8 bytes */
  uint64_t writers;  /* address of 4 bytes a granule, all ones at first: the lowest iteration that wrote */
  uint64_t readers;  /* address of twice 4 bytes a granule: the lowest and the highest iteration that read, all ones and
			0 at first */
};

/* What to do about each reference.  */
struct pg_kir_logging
{
  unsigned what; /* PG_KIR_NOTE_WRITES ... */
  uint32_t n_arrays;
  const uint8_t *array_of; /* by reference: an array's number or PG_KIR_NOT_LOGGED */
  const uint8_t *shift_of; /* by array: granules are 2^SHIFT bytes */
};

/* Where the logs stand in the arguments of a kernel that LOOP becomes; a multiple of 8.  */
uint32_t pg_kir_logs_offset (const struct pg_kir_kernel *loop);

/* Make of LOOP, verified, in loop form, TO, which is empty, begun: a loop that does what LOGGING says.  False: *ERROR
   says why not, and TO is empty.  */
bool pg_kir_instrument (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop,
			const struct pg_kir_logging *logging, struct pg_kir_error *error);

/* Make of TO, which is empty, begun, the loop over an array's granules that tests noted reads against noted writes.
   Its arguments: */
struct pg_kir_scan_args
{
  uint64_t verdict, writers, readers; /* addresses, as above */
};
bool pg_kir_scan (struct pg_kir_kernel *to, struct pg_kir_error *error);

#endif
