/* SPDX-License-Identifier: MIT
   Iterations that are alike (PG_REGION_ALIKE): one of them tells of all.

       for (k)	work [0, 80) written, then read		iteration 0, as its monitor tells
		x    [0, 16) read and written		iteration k: 16 k further on

   The monitor is run over iteration 0 alone.  What it touches through a reference without a step, and writes, has to be
   of a work array: written, in that iteration, before it is read, byte by byte.  What references with a step touch has
   to be apart from the same, moved on by so many steps as there are iterations; and all that moves otherwise, work
   arrays too, from that, as a whole.  Then no two iterations meet but in work arrays, where they hand nothing on: each
   writes all that it reads there, and in the end there is what the last one wrote.

   Why iteration 0 is enough: the compiler has shown that what decides about addresses and conditions is the same in all
   iterations, but for what moves, and is not loaded (plugin/alike.cc).

   What was found out is kept for entries with the same numbers and live-ins.  */
#ifndef PG_ALIKE_H
#define PG_ALIKE_H

#include "footprint.h"

#include "paragon_region.h"

#include <stdbool.h>
#include <stdint.h>

struct pg_alike;

/* Whether iterations of REGION are alike, and there is a monitor to tell what one touches.  */
static inline bool
pg_alike_possible (const struct pg_region *region)
{
  return (region->flags & PG_REGION_ALIKE) && region->monitor != NULL;
}

/* What iteration 0 of VIEW's entry tells of all, if MOST touches do.  PG_L1_CONFLICT: iterations meet.  Otherwise, but
   PG_L1_UNSETTLED, VIEW gets bounds, which hold until the next call.  *ALIKE is the region's own, NULL at first, until
   pg_alike_free.  Requires: pg_alike_possible.  Threads: the region's working one.  A signal's handler may leave it by
   a jump, if pg_alike_forget follows.  */
enum pg_l1 pg_alike_check (struct pg_alike **alike, struct pg_view *view, int64_t most);

/* The touches that the last call looked at: 0 if it knew the answer.  */
int64_t pg_alike_touches (const struct pg_alike *alike);

/* Whether the last call could have told more with a MOST that is larger, twice as large at least.  */
bool pg_alike_wants_more (const struct pg_alike *alike);

/* Forget what ALIKE, which may be NULL, has told.  */
void pg_alike_forget (struct pg_alike *alike);

/* Free ALIKE and its memory.  NULL is allowed.  */
void pg_alike_free (struct pg_alike *alike);

#endif
