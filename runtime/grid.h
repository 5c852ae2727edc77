/* SPDX-License-Identifier: MIT
   Where a loop's iterations are cut: into chunks (what one job runs) and into macro-chunks (what is checked and then
   run before the next is looked at).

   Three cuts, all pure functions of their arguments:
   - the fixed grid: chunks that depend on the trip count only, for loops whose bits depend on their ranges;
   - falling chunks: big ones first, small ones last, so that all threads end together though one may be held up; none
     is so big that a run whose iterations are far dearer than thought could not end early;
   - macro-chunks: small ones first, so that little inspection is wasted where there are conflicts.  */
#ifndef PARAGON_GRID_H
#define PARAGON_GRID_H

#include <stdint.h>

enum
{
  PG_MAX_CHUNKS = 1024, /* of one run */
  PG_FIXED_CHUNKS = 64, /* of the fixed grid, at most */
  PG_CHUNK_ALIGN = 8    /* iterations: neighbours share few cache lines, vectors stay whole */
};

/* The length of the fixed grid's chunks for a loop of N_ITERS iterations; the last chunk may be shorter.  */
int64_t pg_grid_fixed_len (int64_t n_iters);

/* Cut [LO, HI) into chunks of CHUNK_LEN, writing their N + 1 BOUNDS; N.  LO is a multiple of CHUNK_LEN.
   Requires: N is at most PG_MAX_CHUNKS.  */
int pg_grid_even (int64_t *bounds, int64_t lo, int64_t hi, int64_t chunk_len);

/* Cut [LO, HI) for N_THREADS into falling chunks of at least LEAST_LEN iterations, the last one excepted, writing their
   N + 1 BOUNDS; N, at most PG_MAX_CHUNKS.  */
int pg_grid_falling (int64_t *bounds, int64_t lo, int64_t hi, int n_threads, int64_t least_len);

/* The end of the macro-chunk that holds iteration LO of N_ITERS, the first macro-chunk having FIRST_LEN iterations.
   All but the last end at a multiple of FIRST_LEN.  The last is not much shorter than the others, but may be half as
   long again.  */
int64_t pg_grid_macro_end (int64_t lo, int64_t n_iters, int64_t first_len);

#endif
