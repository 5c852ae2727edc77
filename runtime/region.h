/* SPDX-License-Identifier: MIT
   What the runtime keeps about a region between entries, and the story of an entry.  */
#ifndef PARAGON_REGION_STATE_H
#define PARAGON_REGION_STATE_H

#include "device-plan.h"
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
  struct pg_row row;       /* first member: the list of rows is the list of states */
  struct pg_region region; /* all but its functions is a copy: the object may be gone */

  /* To know its descriptor again: where it was, which is not to be followed, and what it said.  */
  const struct pg_descriptor *descriptor;
  const unsigned char *packed;
  size_t packed_len;

  bool has_hints;   /* asked for once they could be (costs.h).  Under the lock.  */
  bool is_filtered; /* PARAGON_ONLY, PARAGON_SKIP, PARAGON_LIMIT */

  /* The region's lock: the thread inside.  Taken by trying only (acquire), left by a store (release).  */
  _Atomic (struct pg_thread *) owner;

  /* All below: under the lock.  */
  struct pg_plan plan;
  int64_t waits_until; /* a moment of pg_now: it is left alone, because no CPU was free for what it wants; or 0 */
  int gates_left;      /* so many entries may begin with a gate before numbers are asked again */
  struct pg_inspector *inspector;     /* made when first needed; NULL also if there was no memory */
  struct pg_inspector *bounds;        /* another one, for bounds (bounds.h); likewise */
  struct pg_speculation *speculation; /* made when a device is first thought of, or NULL */
  struct pg_device_plan device_plan;
  struct pg_entry entry;
};

/* Set *STATE to that of DESCRIPTOR's region, made if it is the first entry; to NULL if not PG_OK.
   PG_NESTED: not made, as the thread is making another one.  Threads: any.  */
enum pg_status pg_state_of (struct pg_descriptor *descriptor, struct pg_state **state);

/* In the child of a fork: free the regions whose threads are gone.  */
void pg_states_forget (void);

/* Run an entry of DESCRIPTOR's region on ARGS.  1: done.  0: nothing was changed.  */
int pg_region_run (struct pg_descriptor *descriptor, void *args, int64_t n_iters);

#endif
