/* SPDX-License-Identifier: MIT
   A region's iterations on a device: speculation, step L4 of the check ladder.  Paragon paper, s3, s4.3.

     choose	the kernel's objects (objects.h) and the references that may conflict	view, by numbers and bounds
		the method, what threads are for (shape.h), and the kernels (kernels.h)
     look	which objects does the device have?
     put	the others, and logs, on the device
     run	the method's kernels over a chunk of iterations; judge; copy what it wrote to staging
     commit	what all chunks have written, to where it belongs
     drop	all that the entry has there

   Chunks follow one another on the device.  Nothing of the program is changed before the commit, which cannot fail.  */
#ifndef PARAGON_SPECULATE_H
#define PARAGON_SPECULATE_H

#include "device-costs.h"
#include "entry.h"
#include "environment.h"
#include "kernels.h"
#include "objects.h"
#include "round.h"
#include "stats.h"
#include "suspects.h"

struct pg_speculation
{
  struct pg_speculation *next; /* of all */
  const struct pg_region *region;
  struct pg_row *row; /* where copies are counted */
  struct pg_kernels kernels;
  enum pg_offloaded never;    /* why its entries never run on a device; PG_OFFLOAD_RAN: they may */
  struct pg_kir_size full;    /* of its grids, if there is enough to do; no threads: not yet known */
  int64_t n_chunks;           /* in which it is run; 0: not yet known */
  struct pg_loop_costs costs; /* by pg_device_costs_read */
  bool has_hints;             /* of an earlier run (device-hints.h) */

  /* The entry in progress.  */
  struct pg_device *device;
  struct pg_view *view;
  struct pg_objects objects;
  struct pg_suspects suspects;
  struct pg_wish wish;
  bool is_reentrant; /* it may be run again on memory that it has changed, with the same result */
  uint8_t *is_open;  /* n_refs */
  struct pg_variant *variant;
  struct pg_kir_size size; /* of its grids at most */
  int64_t n_turns;         /* iterations there for one of the loop */
  struct pg_nest *shared;  /* by teams; NULL: none is */
  struct pg_kir_array arrays[PG_KIR_MOST_BASES];
  uint64_t blocks[2 * PG_KIR_MOST_BASES + 2]; /* memory of the device, to be freed */
  uint32_t n_blocks;
  uint64_t verdict, partials; /* there */
  struct pg_kir_epoch epoch;
  uint64_t n_marked;   /* by scans */
  int64_t n_in, n_out; /* bytes of objects, copied */
  int64_t choose_ns;   /* what the choice took; 0: it compiled kernels, or was for the entry before */
  struct pg_device_sample sample;
  char args[PG_DEVICE_ARGS_LEN];
  char staged_args[PG_DEVICE_ARGS_LEN]; /* the loop's, as the last chunk that was good left them */

  /* Of the manager's entries (manager.h).  */
  struct pg_view *own_view;
  char entry_args[PG_DEVICE_ARGS_LEN];
  enum pg_offloaded chosen; /* what the choice came to */
  struct pg_round round;
};

/* One for REGION, with ROW in the statistics; NULL: no memory.  Ownership: kept for good.  Calls malloc.  Threads: who
   has claimed the manager, or is it.  */
struct pg_speculation *pg_speculation_new (const struct pg_region *region, struct pg_row *row);

/* Why the calling thread's entries may not run on a device as SPEC; PG_OFFLOAD_RAN: they may.  */
enum pg_offloaded pg_speculation_refused (const struct pg_speculation *spec);

/* Choose how to run iterations [FIRST, N) of an entry with VIEW on DEVICE, which the caller has taken.  VIEW is kept
   until pg_speculation_drop.  PG_OFFLOAD_RAN: SPEC is ready to be put.  */
enum pg_offloaded pg_speculation_choose (struct pg_speculation *spec, struct pg_device *device, struct pg_view *view,
					 int64_t first);

/* Have room, and find out what of the loop's objects DEVICE has.  What the program writes to those from now on does not
   have to be put, if the loop is re-entrant and this writes it.  */
enum pg_offloaded pg_speculation_look (struct pg_speculation *spec);

/* Nanoseconds that N_ITERS iterations of the entry take there, after a look; -1: unknown.  */
int64_t pg_speculation_ns (struct pg_speculation *spec, int64_t n_iters);

/* Put what the loop with ARGS needs there, after a look.  ARGS is copied.  Reads the
   program's memory, which may change and go away meanwhile, if what was read is then not committed.  */
enum pg_offloaded pg_speculation_put (struct pg_speculation *spec, const void *args);

/* Run iterations [LO, HI) there, after all that were run before, and copy what they have written here.
   PG_OFFLOAD_RAN: it can be committed; else nothing more can be run.  */
enum pg_offloaded pg_speculation_run (struct pg_speculation *spec, int64_t lo, int64_t hi);

/* Write what has been run to the program's memory, and to ARGS.  Cannot fail.  Threads: nobody else may be at work on
   the entry.  */
void pg_speculation_commit (struct pg_speculation *spec, void *args);

/* Give back what the entry had.  */
void pg_speculation_drop (struct pg_speculation *spec);

/* Whether kernels are only run to be measured.  */
static inline bool
pg_speculation_is_unsafe (void)
{
  return pg_environment.method == PG_N_METHODS;
}

/* The threads of grids of SIZE.  */
static inline int64_t
pg_speculation_threads (const struct pg_kir_size *size)
{
  return size->n_blocks * size->n_threads;
}

/* The statuses of the parts, as what becomes of an entry.  */
enum pg_offloaded pg_offloaded_of (enum pg_device_status status);
enum pg_offloaded pg_offloaded_of_kernels (enum pg_kernels_status status);
enum pg_offloaded pg_offloaded_of_objects (enum pg_objects_status status);

#endif
