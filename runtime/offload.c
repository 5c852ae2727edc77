/* SPDX-License-Identifier: MIT
   An entry on a device and nowhere else.  See offload.h.  */
#include "offload.h"
#include "bounds.h"
#include "manager.h"
#include "trace.h"

/* Run ENTRY as SPEC on DEVICE, all in one, if that takes MOST_NS at most.  */
static enum pg_offloaded
run (struct pg_speculation *spec, struct pg_device *device, struct pg_entry *entry, int64_t most_ns)
{
  enum pg_offloaded result = pg_speculation_choose (spec, device, entry->view, entry->done);
  if (result != PG_OFFLOAD_RAN)
    return result;
  result = pg_speculation_look (spec);
  if (result == PG_OFFLOAD_RAN && pg_speculation_ns (spec, entry->n_iters - entry->done) > most_ns)
    result = PG_OFFLOAD_DEAR;
  if (result == PG_OFFLOAD_RAN)
    result = pg_speculation_put (spec, entry->args);
  if (result == PG_OFFLOAD_RAN)
    result = pg_speculation_run (spec, entry->done, entry->n_iters);
  if (result == PG_OFFLOAD_RAN)
    pg_speculation_commit (spec, entry->args);
  pg_speculation_drop (spec);
  return result;
}

/* The same, with whatever device there is.  Threads: who has claimed the manager.  */
static enum pg_offloaded
run_claimed (struct pg_speculation **spec, struct pg_row *row, struct pg_entry *entry, int64_t most_ns)
{
  if (*spec == NULL && (*spec = pg_speculation_new (entry->region, row)) == NULL)
    return PG_OFFLOAD_NO_MEMORY;
  enum pg_offloaded result = pg_speculation_refused (*spec);
  struct pg_device *device = result == PG_OFFLOAD_RAN ? pg_device_take () : NULL;
  if (result != PG_OFFLOAD_RAN || device == NULL)
    return result == PG_OFFLOAD_RAN ? PG_OFFLOAD_NO_DEVICE : result;
  result = run (*spec, device, entry, most_ns);
  pg_device_leave (device);
  if (result == PG_OFFLOAD_RAN)
    pg_offload_note (entry, *spec, entry->n_iters);
  else
    PG_TRACE (DROP, 0, entry->region, .words = { pg_offloaded_names[result] });
  return result;
}

void
pg_offload_note (struct pg_entry *entry, const struct pg_speculation *spec, int64_t point)
{
  enum pg_method method = spec->wish.method;
  entry->done = point;
  entry->used_device = true;
  entry->mapped = spec->wish.mapped;
  entry->rung = method == PG_METHOD_INSPECTOR               ? PG_RUNG_L3
		: method != PG_METHOD_PLAIN                 ? PG_RUNG_L4
		: spec->suspects.is_told                    ? PG_RUNG_L3
		: entry->region->klass == PG_CLASS_PARALLEL ? PG_RUNG_L0
							    : PG_RUNG_L1;
}

/* The manager may be at work for an entry that the host has ended long since, and with what is the region's.  */
enum pg_offloaded
pg_offload_run (struct pg_speculation **spec, struct pg_inspector **bounds, struct pg_row *row, struct pg_entry *entry,
		int64_t most_ns)
{
  enum pg_offloaded result = PG_OFFLOAD_BUSY;
  if (entry->region->kir != NULL)
    pg_bounds_find (bounds, entry->view);
  bool deferred = pg_thread_block_signals (entry->caller);
  if (pg_manager_claim ())
    {
      result = run_claimed (spec, row, entry, most_ns);
      pg_manager_release ();
    }
  pg_thread_restore_signals (entry->caller, deferred);
  if (result == PG_OFFLOAD_CONFLICT)
    {
      PG_TRACE (CONFLICT, 0, entry->region, .numbers = { entry->done }, .words = { "device" });
      entry->n_conflicts++;
      entry->n_redone += entry->n_iters - entry->done;
      pg_entry_run_alone (entry, entry->n_iters);
    }
  return result;
}
