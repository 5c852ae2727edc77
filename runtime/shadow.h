/* SPDX-License-Identifier: MIT
   The shadow: for each cell of program memory, the smallest iteration that writes it.  See shadow.c.  */
#ifndef PG_SHADOW_H
#define PG_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stamp that no iteration has.  */
#define PG_NO_STAMP UINT32_MAX

/* Stamps of one epoch: FLOOR + 1 for its first iteration.  Smaller ones were left behind by earlier epochs.  */
struct pg_shadow
{
  _Atomic uint32_t *cells;
  size_t len; /* bytes of CELLS */
  uint32_t floor;
  uint32_t top; /* the largest stamp of the epoch */
};

/* Begin an epoch of N_ITERS iterations in which there are N_CELLS cells, all unwritten.  False: no memory within the
   budget, or too many iterations.  Requires: nobody else is using SHADOW.  */
bool pg_shadow_begin (struct pg_shadow *shadow, size_t n_cells, int64_t n_iters);

/* Give back SHADOW's memory.  */
void pg_shadow_free (struct pg_shadow *shadow);

/* Note that STAMP writes CELL.  Returns the later one if another iteration of the epoch writes it too, as far as is
   known by now, else PG_NO_STAMP.  */
static inline uint32_t
pg_shadow_mark (_Atomic uint32_t *cell, uint32_t floor, uint32_t stamp)
{
  uint32_t old = atomic_load_explicit (cell, memory_order_relaxed);
  for (;;)
    {
      if (old == stamp)
	return PG_NO_STAMP;
      if (old > floor && old < stamp)
	return stamp;
      if (atomic_compare_exchange_weak_explicit (cell, &old, stamp, memory_order_relaxed, memory_order_relaxed))
	return old > floor ? old : PG_NO_STAMP;
    }
}

/* The smallest iteration that writes CELL, or PG_NO_STAMP.  */
static inline uint32_t
pg_shadow_writer (_Atomic uint32_t *cell, uint32_t floor)
{
  uint32_t writer = atomic_load_explicit (cell, memory_order_relaxed);
  return writer > floor ? writer : PG_NO_STAMP;
}

#endif
