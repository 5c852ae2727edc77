/* SPDX-License-Identifier: MIT
   The tally of a run.  See tally.h.

   It reads what the run has not yet written: no store of the loop reaches what the tally loads, as the plugin has
   shown, or numbers show here, with the scalars' ends put where entry expressions find them.  Before that, it may have
   seen anything, and raised any floating-point flag; those of the loop F raises again.  */
#include "tally.h"
#include "pool.h"
#include "reduce.h"
#include "trace.h"

#include <string.h>

/* Job JOB: the tally of a chunk.  */
static void
tally_chunk (void *arg, int64_t job)
{
  struct pg_entry *entry = arg;
  int64_t index = pg_cut_chunk (&entry->cut, job), lo = entry->bounds[index], hi = entry->bounds[index + 1];
  void *chunk = entry->chunk_args + (size_t) index * entry->stride;
  if (lo == hi)
    return;
  int64_t traced = pg_trace_begin (PG_TRACE_CHUNK, entry->region);
  pg_reduce_tally (entry->region, chunk, entry->args, lo);
  if (pg_has_cursors (entry->region))
    pg_parts_tally (&entry->parts, entry->view, index, chunk);
  pg_join_begin (&entry->join);
  entry->region->tally (chunk, lo, hi, NULL);
  pg_join_end (&entry->join, index);
  PG_TRACE (CHUNK, traced, entry->region, .numbers = { lo, hi });
}

/* Have each chunk of ENTRY begin with what those before it leave, and the entry know where that ends.  */
static void
begin_chunks (struct pg_entry *entry)
{
  const struct pg_region *region = entry->region;
  char *so_far = __builtin_alloca_with_align (region->args_len + 1, 64);
  memcpy (so_far, entry->args, region->args_len);
  for (int c = 0; c < entry->cut.n_chunks; c++)
    if (entry->bounds[c] < entry->bounds[c + 1])
      pg_reduce_begin (region, so_far, entry->chunk_args + (size_t) c * entry->stride);
  for (uint32_t r = 0; r < region->n_reductions; r++)
    if (region->reductions[r].is_carried)
      memcpy ((char *) entry->args + region->reductions[r].end, so_far + region->reductions[r].offset,
	      pg_reduce_len (region->reductions[r].type));
}

/* Whether the iterations of ENTRY are free, and the tally of those up to HI has read what F will, by numbers.  */
static bool
is_free (struct pg_entry *entry, int64_t hi)
{
  const struct pg_region *region = entry->region;
  struct pg_view *view = entry->view;
  if (region->klass == PG_CLASS_PARALLEL)
    return true;
  pg_view_renew (view, region, entry->args, entry->n_iters);
  if (pg_cursors_decide (region))
    return pg_view_own_known (view);
  view->effort = entry->is_forced ? 0 : pg_plan_effort (entry->plan, hi - entry->done, pg_view_turns (view));
  enum pg_l1 verdict = pg_l1_check (view);
  return (verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT) && pg_view_all_settled (view)
	 && (region->n_array_reductions == 0 || pg_parts_len (view) >= 0);
}

bool
pg_tally_run (struct pg_entry *entry, int64_t hi)
{
  pg_join_open (&entry->join);
  pg_pool_run_whole (tally_chunk, entry, entry->cut.n_chunks);
  fesetenv (&entry->join.env);
  begin_chunks (entry);
  if (pg_has_cursors (entry->region)
      && !pg_parts_begin (&entry->parts, entry->view, entry->cut.n_chunks, entry->bounds, entry->chunk_args,
			  entry->stride, entry->args))
    return false;
  return is_free (entry, hi);
}

void
pg_tally_finish (struct pg_entry *entry)
{
  if (pg_has_cursors (entry->region))
    pg_parts_finish (&entry->parts, entry->view, entry->cut.n_chunks);
}
