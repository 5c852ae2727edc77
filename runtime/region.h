/* SPDX-License-Identifier: MIT
   What the runtime keeps about a region between entries, and the story of an entry.  */
#ifndef PARAGON_REGION_STATE_H
#define PARAGON_REGION_STATE_H

#include "entry.h"
#include "stats.h"

#include "inspect.h"
#include "offload.h"
#include "paragon_region.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Made at a region's first entry and never freed: statistics outlive the object that holds the region.  */
struct pg_state
{
  struct pg_row row;              /* first member: the list of rows is the list of states */
  const struct pg_region *region; /* its address, to know it again; not to be followed: the object may be gone */
  size_t view_len;
  bool is_filtered; /* PARAGON_ONLY, PARAGON_SKIP, PARAGON_LIMIT */

  /* The region's lock: the thread inside.  Taken by trying only (acquire), left by a store (release).  */
  _Atomic (struct pg_thread *) owner;

  /* All below: under the lock.  */
  struct pg_plan plan;
  int64_t waits_until; /* a moment of pg_now: it is left alone, because no CPU was free for what it wants; or 0 */
  struct pg_inspector *inspector; /* made when first needed; NULL also if there was no memory */
  struct pg_offload *offload;     /* made when a device is first thought of, or NULL */
  struct pg_entry entry;
};

/* The state of REGION, made if it is the first entry; NULL: no memory.  Threads: any.  */
struct pg_state *pg_state_of (struct pg_region *region);

/* In the child of a fork: free the regions whose threads are gone.  */
void pg_states_forget (void);

/* Run an entry of REGION on ARGS.  1: done.  0: nothing was changed.  */
int pg_region_run (struct pg_region *region, void *args, int64_t n_iters);

#endif
