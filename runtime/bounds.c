/* SPDX-License-Identifier: MIT
   Bounds.  See bounds.h.  */
#include "bounds.h"
#include "environment.h"
#include "status.h"
#include "thread.h"
#include "trace.h"
#include "verdict.h"

/* Does VIEW have a reference that numbers do not tell about?  */
static bool
has_unknown (const struct pg_view *view)
{
  for (uint32_t r = 0; r < view->region->n_refs; r++)
    if (!view->places[r].is_affine)
      return true;
  return false;
}

/* May the monitor be asked?  A forced step is one that does without.  Of a proven loop, nobody looks for what makes
   bounds wrong.  */
static bool
may_ask (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  int step = pg_environment.step;
  return (region->klass != PG_CLASS_PARALLEL || (region->flags & PG_REGION_SLICE_STABLE)) && step != PG_RUNG_L0
	 && step != PG_RUNG_L1 && step != PG_RUNG_L4 && pg_inspect_possible (view) && !pg_thread_repairs_faults ();
}

/* Have INSPECTOR's bounds be those of VIEW.  What was read to find them is as it was, in the end, unless it is new.  */
static bool
have_bounds (struct pg_inspector *inspector, struct pg_view *view, enum pg_known *known)
{
  int64_t n_iters = view->n_iters, end = n_iters;
  *known = pg_verdict_find (inspector, view, 0, &end);
  if (*known == PG_KNOWN_CLEAN)
    return true;
  if (!pg_inspect_bounds (inspector, view, 0, n_iters))
    return false;
  pg_verdict_keep (inspector, view, 0, n_iters);
  return true;
}

void
pg_bounds_find (struct pg_inspector **inspector, struct pg_view *view)
{
  enum pg_known known;
  if (!has_unknown (view) || !may_ask (view)
      || (*inspector == NULL && (*inspector = pg_inspector_new (view->region)) == NULL))
    return;
  struct pg_thread *self = pg_thread_self ();
  bool deferred = self->defers_signals;
  int64_t traced = pg_trace_begin (PG_TRACE_CHECK, view->region);
  if (have_bounds (*inspector, view, &known))
    view->bounds = pg_inspector_bounds (*inspector);
  PG_TRACE (CHECK, traced, view->region, .numbers = { 0, view->n_iters },
	    .words = { "bounds", view->bounds == NULL      ? "unknown"
				 : known == PG_KNOWN_CLEAN ? "the same"
							   : "found" });
  pg_thread_restore_signals (self, deferred);
}
