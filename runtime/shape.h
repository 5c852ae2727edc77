/* SPDX-License-Identifier: MIT
   The shape of a loop on a device: how iterations become threads.  Pure functions of numbers.

     thread	one iteration after the other by each thread: enough of them fill the device
     team	several threads deal out the turns of an inner loop, one iteration after the other: iterations are few
     collapse	each turn of the inner loop is an iteration of its own: iterations are few, and so are turns  */
#ifndef PARAGON_SHAPE_H
#define PARAGON_SHAPE_H

#include "status.h"

#include "kir/map.h"
#include "kir/size.h"

/* What the choice depends on.  */
struct pg_shape_facts
{
  int64_t n_iters;
  int64_t n_running;  /* threads that the device runs at once */
  uint32_t together;  /* of these, those that run in step: a power of two */
  uint32_t n_threads; /* of a block, at most */

  /* The inner loop whose turns may be dealt out, if CAN_TEAM.  */
  bool can_team;
  bool are_most;   /* its turns are most of what an iteration does */
  int64_t n_turns; /* at most; 0: not known */

  /* The turns of the inner loop that may be collapsed, exactly; 0: none may.  */
  int64_t n_collapsed;
};

struct pg_shape
{
  enum pg_mapped mapped;
  uint32_t n_members; /* of a team, a power of two; else 1 */
};

/* Do N_ITERS iterations leave threads idle, of N_RUNNING that could run at once?  */
static inline bool
pg_shape_is_idle (int64_t n_iters, int64_t n_running)
{
  return n_running / n_iters > 1;
}

/* The shape for FACTS: FORCED, where that can be, if it is not PG_N_MAPPED.  */
struct pg_shape pg_shape_choose (const struct pg_shape_facts *facts, enum pg_mapped forced);

/* How LOOP's iterations become threads, one at a time: carried numbers whose order matters see them in order.  */
enum pg_kir_mapping pg_shape_mapping (const struct pg_kir_kernel *loop, bool has_fixed_grid, bool is_short);

/* Can N_ITERS iterations, N_TURNS there for each, and the threads of grids of SIZE be counted in 32 bits?  */
static inline bool
pg_shape_is_short (const struct pg_kir_size *size, int64_t n_iters, int64_t n_turns)
{
  return n_iters <= (INT32_MAX - PG_KIR_MOST_PLUS - size->n_blocks * size->n_threads) / n_turns;
}

/* The blocks of a grid for N iterations, N_MEMBERS threads for each, on grids of SIZE at most: no more threads than run
   at once, but if FIXED_LEN is not 0, for chunks of so many iterations, which are one a thread.  */
uint32_t pg_shape_blocks (const struct pg_kir_size *size, uint32_t n_members, int64_t n, int64_t fixed_len);

#endif
