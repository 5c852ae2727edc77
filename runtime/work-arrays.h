/* SPDX-License-Identifier: MIT
   Memory for work arrays: each iteration writes them before it reads them, so chunks that run at the same time each
   work on memory of their own, but for the last one of a run, which leaves in the program's what the run does.

       run of chunks 0 1 2 3	  0 and 2: block 0, one after the other    1: block 1	 3: the program's

   Which block a chunk gets is of no account.  There is one for each thread, taken while a chunk runs.

   Protocol: blocks are free or taken, a bit each in `free'.  Who clears a bit, an acquire, has the block until it sets
   the bit again, a release.  */
#ifndef PARAGON_WORK_ARRAYS_H
#define PARAGON_WORK_ARRAYS_H

#include "footprint.h"

#include "paragon_region.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory for a region's work arrays: kept from entry to entry.  */
struct pg_work
{
  char *blocks;
  size_t len;            /* of all blocks */
  size_t stride;         /* from block to block */
  _Atomic uint64_t free; /* a bit for each block */
};

/* Whether references of GROUP of REGION are to a work array, or to an array reduction (array-parts.h): iterations that
   meet there are free of each other.  */
bool pg_is_work_group (const struct pg_region *region, int group);

/* Set [*LOW, *END) to the bytes of VIEW's entry that are of GROUP, or to none.  False: not known.  */
bool pg_work_extent (const struct pg_view *view, int group, int64_t *low, int64_t *end);

/* Have memory for the work arrays of VIEW's region while a run is on.  False: there is not so much, or nobody can tell
   how much it takes.  */
bool pg_work_reserve (struct pg_work *work, const struct pg_view *view);

/* Take a block for the calling thread; waits until there is one.  */
int pg_work_take (struct pg_work *work);

/* Let ARGS, a copy of those of VIEW's entry, point to the arrays in BLOCK.  */
void pg_work_redirect (const struct pg_work *work, const struct pg_view *view, int block, void *args);

void pg_work_give (struct pg_work *work, int block);

#endif
