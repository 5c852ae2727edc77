/* SPDX-License-Identifier: MIT
   The inspector (step L3 of the check ladder): runs a region's monitor over a macro-chunk, in parallel, and says which
   of its iterations are free of conflicts.  One per region; used by one thread at a time, the region's working one.  */
#ifndef PG_INSPECT_H
#define PG_INSPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "footprint.h"

struct pg_inspector;

/* An inspector for REGION, or NULL: no memory.  */
struct pg_inspector *pg_inspector_new (const struct pg_region *region);

/* Give INSPECTOR back with all its verdicts and shadows.  INSPECTOR may be NULL.  */
void pg_inspector_free (struct pg_inspector *inspector);

/* Can an entry with VIEW be inspected: is there a monitor, and is it safe to run before the loop?  */
bool pg_inspect_possible (const struct pg_view *view);

/* From now on, tables of INSPECTOR grow by LEN bytes at most at a time; at first, there is no limit.  Memory that is
   touched for the first time may cost more than all the rest of an inspection.  What is inspected is WORK_NS of one
   thread's work; 0: unknown.  */
void pg_inspector_allow (struct pg_inspector *inspector, size_t len, int64_t work_ns);

/* Inspect iterations [LO, HI) with memory as it is before LO.  Returns E, LO < E <= HI: no two iterations of [LO, E)
   conflict and, if E < HI, iteration E does with an earlier one; or LO: cannot tell (memory, allowance, range, stale
   addresses).  Requires: pg_inspect_possible.  Threads: runs jobs on the pool.  */
int64_t pg_inspect (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi);

/* Nanoseconds that the last inspection by INSPECTOR spent on memory that the next will find as it wants it.  */
int64_t pg_inspector_once_ns (const struct pg_inspector *inspector);

/* Run the monitor over [LO, HI), with memory as it is before LO, to find the bounds of the references that are not
   affine.  One that another one speaks for, which goes by the same pointers, has none.  False: no memory, or too many
   iterations.  Requires: pg_inspect_possible.  Threads: runs jobs on the pool.  */
bool pg_inspect_bounds (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi);

/* The bounds that were found last, n_refs; after pg_verdict_find, those that belong to a clean verdict.  */
const struct pg_bound *pg_inspector_bounds (const struct pg_inspector *inspector);

#endif
