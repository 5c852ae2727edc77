/* SPDX-License-Identifier: MIT
   From loop form to SPMD form: iterations become the work of threads.  Paragon paper, s4.2.  */
#ifndef PG_KIR_MAP_H
#define PG_KIR_MAP_H

#include "kir.h"

/* Which iterations of [lo, hi) thread T of N, in all blocks together, runs, one after the other.  */
enum pg_kir_mapping
{
  PG_KIR_STRIDED,      /* lo + T, lo + T + N ...: neighbours run neighbours */
  PG_KIR_STRIDED_TREE, /* the same, and the threads of a block combine what they carried */
  PG_KIR_CHUNKED,      /* STRIDE of them from lo + T * STRIDE on: carried values see them in order */
  PG_KIR_STRIDED_I32,  /* strided, counted in 32 bits: lo and hi + N + PG_KIR_MOST_PLUS fit into them, with a sign */
  PG_KIR_N_MAPPINGS
};

/* By how much what a loop counts in may be more than the number of the iteration.  */
#define PG_KIR_MOST_PLUS 64

/* What stands behind the loop's arguments in those of the kernel in SPMD form, at pg_kir_launch_offset.  */
struct pg_kir_launch
{
  int64_t lo, hi;    /* lo < hi, which is at most INT64_MAX - N */
  int64_t stride;    /* pg_kir_stride, or for PG_KIR_CHUNKED more: stride * N does not overflow */
  uint64_t partials; /* address of 8 bytes for each carried value and thread; unused without carried values */
};

/* The stride for N_ITERS iterations on N_THREADS threads, in all blocks together: from an iteration of a thread to its
   next, or if MAPPING is PG_KIR_CHUNKED, from a thread's first iteration to that of the next thread.  */
int64_t pg_kir_stride (enum pg_kir_mapping mapping, int64_t n_iters, int64_t n_threads);

/* Where the launch stands in the arguments of a kernel that LOOP becomes; a multiple of 8.  */
uint32_t pg_kir_launch_offset (const struct pg_kir_kernel *loop);

/* Make of LOOP, verified, of one dimension, SPMD, which is empty, begun: a kernel for grids of one dimension and blocks
   of N_THREADS at most.  False: not to be had so, *ERROR says why, and SPMD is empty.  */
bool pg_kir_map (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping,
		 uint32_t n_threads, struct pg_kir_error *error);

/* Several threads, a team, for one iteration: they deal out the turns of an inner loop.  See map-team.c.  */
struct pg_kir_team
{
  uint32_t n_members;         /* a power of two; the threads of a block: block after block takes an iteration */
  pg_kir_block_number header; /* of the inner loop; 0: the first that can be dealt out; or PG_KIR_ALL_INNER */

  /* The inner loop's turns may run at once: if an iteration accesses a place that it changes twice, then both times in
     one turn, both times behind the loop, or both times storing before it.  Otherwise only loops that change nothing
     are dealt out, where nothing before them does.  */
  bool is_free;

  bool may_reorder; /* sums and products of floats */
};

/* Instead of an inner loop's header: all loops that can be spread (spread.h).  IS_FREE then says that a place that an
   iteration changes is accessed by turns of one and the same number only, in whichever of these loops.  */
#define PG_KIR_ALL_INNER UINT32_MAX

/* The same as pg_kir_map with PG_KIR_STRIDED, teams standing for threads: of blocks whose number of threads is a
   multiple of TEAM's members, which pg_kir_collect is told are that many times fewer.  */
bool pg_kir_map_team (struct pg_kir_kernel *spmd, const struct pg_kir_kernel *loop, const struct pg_kir_team *team,
		      uint32_t n_threads, struct pg_kir_error *error);

/* Of N_THREADS in all, the first of which began with the identity, too, let PARTIALS go on from what ARGS carries, as
   if they were one run more: what was carried, and then they, in order.  */
void pg_kir_continue (const struct pg_kir_kernel *loop, int64_t n_threads, uint64_t *partials, const char *args);

/* After all N_BLOCKS blocks of N_THREADS have ended, put what they carried, PARTIALS, into the loop's ARGS, the lowest
   iterations first.  */
void pg_kir_collect (const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping, const struct pg_kir_launch *launch,
		     int64_t n_blocks, int64_t n_threads, const uint64_t *partials, char *args);

#endif
