/* SPDX-License-Identifier: MIT
   Instrumentation: kernels that say which memory their iterations touch, and kernels that judge.  Paragon paper, s4.3;
   beyond it, what is noted are iterations, so that an iteration does not conflict with itself.

   Memory that may see conflicts is divided into arrays, and these into granules of 2^n bytes, which logs have something
   for.  Two iterations conflict if they touch the same granule and one of them writes there; with granules no larger
   than the smallest access, if they touch the same byte, or bytes of one access.

     method	 first kernel				  second kernel				    logs
     full	 the loop, notes writes and reads	  pg_kir_scan				    iterations
     selective	 the loop, notes writes			  the loop's addresses, tests reads	    iterations
     none	 the loop, notes writes: nobody reads	  -					    iterations or bits
     inspector	 the loop's addresses, notes writes	  the loop's addresses, tests reads	    iterations
     reduction	 the loop, notes writes and reads	  pg_kir_scan				    marks
     atomic	 the loop, notes writes and reads	  pg_kir_scan				    bits

   The logs of an array are of one of these kinds:

     iterations  a word for the writers and two for the readers of each granule.  Writes find other writers at once.  An
		 iteration does not conflict with itself.  Words are not cleared from launch to launch (pg_kir_epoch).
     marks	 a byte each for writers and readers, set without a look at what was there.  The first kernel counts the
		 granules that it wrote, the second one those that are marked: if there are less, one was written twice.
     bits	 a bit each.  Writes find at once that the granule had been written.

   Marks and bits do not know who wrote: a granule that one iteration writes twice, or reads and writes, is a conflict
   to them, though it is none.  They are to be cleared before each launch.

   Where addresses are computed again, of what the loop may write, they may be others, even if an iteration changed its
   own only.  So for reads that addresses or branches need, the own iteration's writes are a conflict, too; for the
   inspector, only those that may come before the read.

   What that costs: bytes of logs for each granule, and besides the accesses themselves, what is done for each granule
   that one touches ("addresses" is all work of the loop that its addresses need; test-kir-instrument-costs counts it):

     method	 bytes	    a write    a read	    second kernel
     full	 12	    1 atomic   2 atomics    1 load for each granule, 3 for a written one
     selective	 4	    1 atomic   -	    addresses, 1 load for each read
     none	 4 or 1/8   1 atomic   -	    -
     inspector	 4	    1 atomic   -	    addresses, as in the first, 1 load for each read
     reduction	 2	    1 store    1 store	    1 load for 8 granules, 2 if reads were noted
     atomic	 1/4	    1 atomic   1 atomic	    2 loads for 64 granules

   and for reduction an atomic for each iteration, all on one word.  Hence for a loop

     that reads nothing that may conflict	none; of bits where no iteration writes a granule twice
     whose addresses need nothing it writes	inspector, as nothing is done in vain, if conflicts are likely; or else
						selective, as addresses are computed once less
     whose iterations change what they branch	full
     on, or compute addresses of
     that does so, and never meets itself	atomic, with 1/48 of the logs; reduction, where atomics are slow.  */
#ifndef PG_KIR_INSTRUMENT_H
#define PG_KIR_INSTRUMENT_H

#include "kir.h"

enum
{
  PG_KIR_NOTE_WRITES = 1,
  PG_KIR_NOTE_READS = 2,
  PG_KIR_TEST_READS = 4,     /* against the writers that were noted */
  PG_KIR_ADDRESSES_ONLY = 8, /* stores and carried values are left out, and what no address or branch needs */
  PG_KIR_COUNT_ROUNDS = 16,  /* an iteration that goes round in the loop's own blocks too often ends */
  PG_KIR_FIND_NANS = 32,   /* in what is stored or carried, or taken for an integer: their bits are the device's own */
  PG_KIR_NOT_RUN_YET = 64, /* memory is what it was before the loop, as the inspector's kernels find it */

  PG_KIR_NOT_LOGGED = 255, /* the array of a reference that needs no look */
  PG_KIR_MOST_ARRAYS = 254
};

/* What is in the first word that a kernel's logs lead to.  */
enum pg_kir_verdict
{
  PG_KIR_CLEAN = 0,
  PG_KIR_WRITTEN_TWICE = 1, /* by two iterations */
  PG_KIR_READ_TOO = 2,      /* by another iteration than wrote it */
  PG_KIR_OUTSIDE_ARRAY = 4, /* an access that is not in its reference's array: the iteration ended before it */
  PG_KIR_OUT_OF_BUDGET = 8, /* an iteration went round more often than it may, and was ended */
  PG_KIR_NAN_SEEN = 16
};

enum pg_kir_log
{
  PG_KIR_LOG_ITERATIONS,
  PG_KIR_LOG_MARKS,
  PG_KIR_LOG_BITS,
  PG_KIR_N_LOGS
};

/* The numbers that iterations have in a launch and the second kernel after it: those from LOW on, below END.  Of two
   launches, the later one has the lower numbers, so that words of the earlier one, and words that nobody wrote, which
   are all ones, look like those of nobody.  */
struct pg_kir_epoch
{
  uint32_t low, end;
};

/* Let *EPOCH, { UINT32_MAX, UINT32_MAX } when the logs were cleared last, be that of a launch of N iterations.  False:
   there are not so many numbers left, and *EPOCH is as it was: the logs are to be cleared, and *EPOCH with them.  */
bool pg_kir_next_epoch (struct pg_kir_epoch *epoch, uint64_t n);

/* What stands behind the loop's arguments, at pg_kir_logs_offset: this, and then the arrays.  */
struct pg_kir_logs
{
  uint64_t verdict; /* address of 4 bytes, 0 at first */
  uint64_t
    n_marked;    /* address of 8 bytes, 0 at first: how often granules were marked as written; unused without marks */
  int64_t first; /* the iteration that has number EPOCH.LOW */
  struct pg_kir_epoch epoch;
  int64_t budget; /* how often an iteration may go round, if that is counted; at least 0 */
};

struct pg_kir_array
{
  uint64_t low, len;         /* of the memory; at least 8 bytes */
  uint64_t writers, readers; /* addresses of the logs, pg_kir_log_len bytes each; 0: never noted nor tested */
};

/* The bytes of the writers' or the readers' log of N_GRANULES, and what each byte is when it is cleared.  */
uint64_t pg_kir_log_len (enum pg_kir_log log, uint64_t n_granules, bool is_of_readers);
unsigned char pg_kir_cleared (enum pg_kir_log log);

/* What to do about each reference.  An access that happens or is noted is looked at before: is it in its array?  */
struct pg_kir_logging
{
  unsigned what; /* PG_KIR_NOTE_WRITES ... */
  uint32_t n_arrays;
  const uint8_t *array_of; /* by reference: an array's number or PG_KIR_NOT_LOGGED */
  const uint8_t *shift_of; /* by array: granules are 2^SHIFT bytes */
  const uint8_t *log_of;   /* by array: enum pg_kir_log; NULL: all are of iterations */
  const bool *bounds_only; /* by reference: nothing is noted or tested; NULL: of none */
};

/* Where the logs stand in the arguments of a kernel that LOOP becomes; a multiple of 8.  */
uint32_t pg_kir_logs_offset (const struct pg_kir_kernel *loop);

/* Make of LOOP, verified, in loop form, TO, which is empty, begun: a loop that does what LOGGING says.  False: *ERROR
   says why not, and TO is empty.

   What an iteration surely noted or looked at before, at the same address, is not noted or looked at again; nor are
   reads of what it surely wrote before: if another iteration writes there, they both wrote.  */
bool pg_kir_instrument (struct pg_kir_kernel *to, const struct pg_kir_kernel *loop,
			const struct pg_kir_logging *logging, struct pg_kir_error *error);

/* Make of TO, which is empty, begun, the loop over an array's logs, of kind LOG, that tests noted reads against noted
   writes, and counts marks.  For N_GRANULES it has pg_kir_scan_iterations.  If after those of all arrays with marks
   N_MARKED is not what the logs' n_marked says, there was a PG_KIR_WRITTEN_TWICE, which no kernel notes.  */
struct pg_kir_scan_args
{
  uint64_t verdict, writers, readers; /* addresses, as above; of marks, READERS may be 0 */
  struct pg_kir_epoch epoch;          /* of iterations */
  int64_t n_marked;                   /* of marks: a carried value, to which those of writers are added */
};
bool pg_kir_scan (struct pg_kir_kernel *to, enum pg_kir_log log, struct pg_kir_error *error);
uint64_t pg_kir_scan_iterations (enum pg_kir_log log, uint64_t n_granules);

#endif
