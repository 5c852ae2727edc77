/* SPDX-License-Identifier: MIT
   Where a loop's iterations are cut: into chunks (what one job runs) and into macro-chunks (what is checked and then
   run before the next is looked at).

   Three cuts, all pure functions of their arguments:
   - the fixed grid: chunks that depend on the trip count only, for loops whose bits depend on their ranges;
   - shares: each thread has one place in a run, so what it works on in one entry it works on in the next, and in other
     loops over the same arrays, and has in its cache.  Where that is, depends on nothing but the run's iterations and
     the threads: loops over the same arrays cost more or less;
   - macro-chunks: small ones first, so that little inspection is wasted where there are conflicts.

   Shares, two threads, four chunks an owner:

       |    0    |  1   | 2  |3|    4    |  5   | 6  |7|	    chunks, in the loop's order
       |        thread 0       |        thread 1       |
	    0       2     4   6     1       3     5   7	    jobs: dealt out to threads in turn

   There are several chunks a thread, so that one who was held up gets help; the last ones are short, so that nobody
   waits for long at the end.  */
#ifndef PARAGON_GRID_H
#define PARAGON_GRID_H

#include <stdint.h>

enum
{
  PG_MAX_CHUNKS = 1024, /* of one run */
  PG_FIXED_CHUNKS = 64, /* of the fixed grid, at most */
  PG_CHUNK_ALIGN = 8,   /* iterations: neighbours share few cache lines, vectors stay whole */
  PG_FIRST_SHARE = 32   /* the first chunk is more than 1/PG_FIRST_SHARE of what its owner has */
};

/* The length of the fixed grid's chunks for a loop of N_ITERS iterations, of which THRESHOLD are just worth handing
   over; the last chunk may be shorter.  */
int64_t pg_grid_fixed_len (int64_t n_iters, int64_t threshold);

/* A cut of a run into chunks, and how its jobs take them.  */
struct pg_cut
{
  int n_chunks;
  int n_owners;  /* threads to whom jobs are dealt out in turn */
  int per_block; /* chunks of one owner, which follow each other */
};

/* The chunk that job JOB takes.  */
static inline int64_t
pg_cut_chunk (const struct pg_cut *cut, int64_t job)
{
  return job % cut->n_owners * cut->per_block + job / cut->n_owners;
}

/* Cut [LO, HI) into chunks of CHUNK_LEN, the last one perhaps shorter, and deal out as many to each of N_OWNERS, or one
   less and an empty one, writing the N + 1 BOUNDS of all.  LO is a multiple of CHUNK_LEN and below HI.
   Requires: N is at most PG_MAX_CHUNKS.  */
struct pg_cut pg_grid_even (int64_t *bounds, int64_t lo, int64_t hi, int64_t chunk_len, int n_owners);

/* Cut [LO, HI) into shares for N_OWNERS, writing the N + 1 BOUNDS of its chunks, some perhaps empty: about MOST_CHUNKS,
   or one an owner if that is more, but at most PG_MAX_CHUNKS.
   Requires: N_OWNERS is at most PG_MAX_CHUNKS.  */
struct pg_cut pg_grid_shares (int64_t *bounds, int64_t lo, int64_t hi, int n_owners, int64_t most_chunks);

/* The end of the macro-chunk that begins with iteration LO of N_ITERS: FIRST_LEN iterations if LO is 0, twice as many
   as the one before otherwise, but at most MOST_LEN.  The last one takes a small rest, too.  */
int64_t pg_grid_macro_end (int64_t lo, int64_t n_iters, int64_t first_len, int64_t most_len);

#endif
