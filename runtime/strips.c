/* SPDX-License-Identifier: MIT
   Strips.  See strips.h.  */
#include "strips.h"
#include "entry.h"
#include "futex.h"
#include "pool.h"
#include "trace.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

enum
{
  STRIP_NS = 50000, /* work of a strip: to pass on what is ordered takes some microseconds of that */
  LEAST_STRIPS = 4, /* of each job */
  FORCED_LEN = 9,   /* iterations, without a thought of time: some rows side by side (plugin/rows.cc), and one more */
  MOST_LEN = 128,
  SPINS_A_YIELD = 256
};

/* Wait until all strips of STRIPS before OWN are through.  */
static void
wait_for_turn (struct pg_strips *strips, int64_t own)
{
  for (int n = 1; atomic_load_explicit (&strips->turn, memory_order_acquire) != own; n++)
    if (n % SPINS_A_YIELD == 0)
      sched_yield ();
    else
      pg_pause ();
}

/* A thread begins with iteration LO: if it is the first one that does, note when.  */
static void
note_joined (struct pg_strips *strips, int64_t lo)
{
  int64_t nobody = 0;
  if (atomic_compare_exchange_strong (&strips->joined_ns, &nobody, pg_now ()))
    atomic_store (&strips->joined_at, lo);
}

/* Job JOB: run strips until there are none.  */
static void
run_job (void *arg, int64_t job)
{
  struct pg_entry *entry = arg;
  struct pg_strips *strips = &entry->strips;
  const struct pg_region *region = entry->region;
  _Alignas(PG_ORDERED_LEN) char left[MOST_LEN * PG_ORDERED_LEN];
  void *args = entry->chunk_args + (size_t) job * entry->stride;
  memcpy (args, entry->args, region->args_len);
  bool has_joined = pg_thread_self () == entry->caller;
  for (;;)
    {
      int64_t own = atomic_fetch_add_explicit (&strips->next, 1, memory_order_relaxed);
      int64_t lo = strips->lo + own * strips->len;
      if (lo >= strips->hi)
	return;
      if (!has_joined)
	note_joined (strips, lo);
      has_joined = true;
      int64_t hi = strips->hi - lo > strips->len ? lo + strips->len : strips->hi;
      int64_t traced = pg_trace_begin (PG_TRACE_CHUNK, region);
      pg_join_begin (&entry->join);
      region->free_part (args, lo, hi, left);
      wait_for_turn (strips, own);
      region->ordered_part (args, lo, hi, left);
      atomic_store_explicit (&strips->turn, own + 1, memory_order_release);
      pg_join_end (&entry->join, own);
      PG_TRACE (CHUNK, traced, region, .numbers = { lo, hi });
    }
}

/* How many iterations make a strip, where N are to be run by N_JOBS.  */
static int64_t
strip_len (const struct pg_entry *entry, int64_t n, int n_jobs)
{
  int64_t len = entry->is_forced ? FORCED_LEN : pg_plan_iters (entry->plan, STRIP_NS, 1);
  int64_t most = n / ((int64_t) LEAST_STRIPS * n_jobs);
  most = most < MOST_LEN ? most : MOST_LEN;
  len = len < most ? len : most;
  return len < 1 ? 1 : len;
}

int64_t
pg_strips_run (struct pg_entry *entry, int64_t hi, int n_jobs)
{
  struct pg_strips *strips = &entry->strips;
  int64_t start = pg_now ();
  strips->lo = entry->done;
  strips->hi = hi;
  strips->len = strip_len (entry, hi - entry->done, n_jobs);
  atomic_store_explicit (&strips->joined_ns, 0, memory_order_relaxed);
  atomic_store_explicit (&strips->next, 0, memory_order_relaxed);
  atomic_store_explicit (&strips->turn, 0, memory_order_relaxed);
  pg_pool_run_whole (run_job, entry, n_jobs);
  int64_t joined_ns = atomic_load (&strips->joined_ns), at = atomic_load (&strips->joined_at), end = pg_now ();
  return joined_ns > 0 ? pg_plan_share (end - joined_ns, 1000, hi - at)
		       : pg_plan_share (end - start, 1000, hi - strips->lo);
}
