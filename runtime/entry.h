/* SPDX-License-Identifier: MIT
   One entry of a region while it runs, and the ways to run a part of it.

   An entry always moves forward: `done` iterations are complete, in memory and in ARGS, as if the original loop had run
   them.  So whatever happens next (a conflict, no memory, a change of plan), the rest can run in order on the caller.
   Where a device runs the loop, too, `done` may move on by more than a way to run a part was asked for.

   Entries lie in their region's state, not on the stack: jobs of an entry that was left by a jump may still look.  */
#ifndef PARAGON_ENTRY_H
#define PARAGON_ENTRY_H

#include "alike.h"
#include "array-parts.h"
#include "cooperate.h"
#include "footprint.h"
#include "gate.h"
#include "grid.h"
#include "join.h"
#include "plan.h"
#include "status.h"
#include "strips.h"
#include "thread.h"
#include "work-arrays.h"

#include "paragon_region.h"

#include <stdbool.h>
#include <stdint.h>

/* Only the thread inside the region changes an entry; jobs read it during a run, which orders the two.  What the caller
   writes during a run lies apart from what others read then: they would have to fetch it again and again.  */
struct pg_entry
{
  const struct pg_region *region;
  struct pg_plan *plan;
  struct pg_view *view;
  struct pg_thread *caller;
  void *args;
  int64_t n_iters;
  int64_t done;
  pg_loop_fn *body; /* F or the no-alias F */
  bool is_forced;   /* PARAGON_PLAN=pool: no thought of time */
  int loop_errno;   /* the loop's errno so far */

  /* The run in progress.  */
  bool is_gated;    /* who comes to the next runs has to pass GATE, but for the caller, as long as it goes in order */
  char *chunk_args; /* a copy of ARGS for each chunk, STRIDE apart; kept from entry to entry */
  size_t chunk_args_len, stride;
  struct pg_join join;
  struct pg_work work;
  struct pg_parts parts;
  struct pg_alike *alike; /* what one iteration told: kept from entry to entry; NULL likewise */
  struct pg_steps *steps; /* of a doacross entry: kept from entry to entry; NULL: never asked for, or no memory */
  struct pg_strips strips;
  struct pg_cut cut;
  int64_t bounds[PG_MAX_CHUNKS + 1];
  _Alignas(PG_CACHE_LINE) struct pg_gate gate;

  /* What the caller ran itself: what one thread costs, under the load of this moment.  */
  _Alignas(PG_CACHE_LINE) int64_t caller_ns;
  int64_t caller_iters;
  int n_ahead;    /* so many of the run's first chunks, one after the other */
  bool was_whole; /* of the last run: no signal was delivered on the way */

  struct pg_cooperation cooperation; /* with a device, or not */

  enum pg_rung rung;
  bool used_pool, used_device, used_doacross;
  enum pg_mapped mapped; /* what the device's threads were for, if it was used */
  int64_t n_conflicts, n_redone;
  int64_t pooled_ns, pooled_iters;   /* what the pool ran, verdicts included, inspections not */
  int64_t pooled_alone_ns;           /* of a doacross: what that would have taken the caller */
  int64_t sampled_ns, sampled_iters; /* what ran on the caller of an entry that runs there in part */
  int64_t asked_ns;                  /* spent on asking for verdicts that did not hold, */
  int64_t vain_ns;                   /* and as much of that as is held against it */
  bool has_given_up;
};

/* Whether REGION's results depend on where its iterations are cut, so that they are cut always alike.  */
static inline bool
pg_region_has_fixed_grid (const struct pg_region *region)
{
  return (region->flags & PG_REGION_FIXED_GRID) != 0;
}

static inline bool
pg_entry_has_fixed_grid (const struct pg_entry *entry)
{
  return pg_region_has_fixed_grid (entry->region);
}

/* N_ITERS iterations of REGION may be cut at multiples of this.  */
static inline int64_t
pg_region_grid_len (const struct pg_region *region, int64_t n_iters)
{
  return pg_region_has_fixed_grid (region) ? pg_grid_fixed_len (n_iters, region->first_threshold) : 1;
}

static inline int64_t
pg_entry_grid_len (const struct pg_entry *entry)
{
  return pg_region_grid_len (entry->region, entry->n_iters);
}

/* Make ENTRY a new entry of REGION on the calling thread, keeping its memory.  */
void pg_entry_open (struct pg_entry *entry, const struct pg_region *region, struct pg_plan *plan, void *args,
		    int64_t n_iters, bool is_forced);

/* Run iterations up to HI in order on the caller.  */
void pg_entry_run_alone (struct pg_entry *entry, int64_t hi);

/* Run iterations up to HI, which are free of conflicts, on the pool; on the caller if memory is short.  Signals are
   deferred and, now and then, delivered between complete iterations.  False: ENTRY was gated and the gate is shut;
   the caller may have run some of them.  */
bool pg_entry_run_pool (struct pg_entry *entry, int64_t hi);

/* Have room for N copies of ARGS, at chunk_args, and for the work arrays of those who have them.  False: no memory.  */
bool pg_entry_reserve (struct pg_entry *entry, int n);

/* Say that N_ITERS iterations, or their inspection, are about to run with signals deferred: if that takes long, those
   that end the program do not wait.  */
void pg_entry_expect (struct pg_entry *entry, int64_t n_iters);

/* Run a few iterations on the caller to learn what one costs.  What is far dearer than all that comes after it, as the
   first one often is, does not count.  */
void pg_entry_probe (struct pg_entry *entry);

/* Run ENTRY on the pool, whose iterations are free, but for two parts of it that the caller runs alone, to learn what
   one costs there: one near the beginning and one as far from the end, where iterations may be longer or shorter.  */
void pg_entry_run_sampled (struct pg_entry *entry);

/* Whether what ENTRY spends on parts of its arrays for that is little of its work.  */
bool pg_entry_samples_cheaply (const struct pg_entry *entry);

/* After a probe, go on until iterations are no longer dearer than they will be, for caches and the like are cold: up to
   half of them, for some milliseconds at most.  What they took before that is forgotten.  */
void pg_entry_warm_up (struct pg_entry *entry);

/* What N_ITERS of the entry's iterations would have cost the caller alone, in nanoseconds; 0 if it ran nothing
   itself.  */
int64_t pg_entry_alone_ns (const struct pg_entry *entry, int64_t n_iters);

/* Round HI down to where the entry may be cut: a chunk boundary of the fixed grid, if the region has one.  */
int64_t pg_entry_cut (const struct pg_entry *entry, int64_t hi);

/* Run iterations [0, N_ITERS) of REGION in order on its fixed grid, without an entry: a refused region of this kind
   must still give the same bits.  */
void pg_entry_run_grid (const struct pg_region *region, void *args, int64_t n_iters);

#endif
