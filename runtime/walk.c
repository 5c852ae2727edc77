/* SPDX-License-Identifier: MIT
   The walk.  See walk.h.

   Macro-chunks are gone through strictly in order, with a barrier after each, so each is a loop of its own: what is
   read in order to check it is what the program itself would read at that point, and conflicts over a longer distance
   than a macro-chunk do not matter.  For each macro-chunk of a region whose addresses only the run time can know:

     a verdict of before holds		(L2, verdict.h)		it runs on the pool
     an inspection pays, or may yet pay	(L3, inspect.h, plan.h)	what is free runs on the pool, the rest on the caller
     neither				(L5)			it runs on the caller, and in a long entry, later
								ones are looked at again

   A verdict that does not hold may be as good as before at the next entry: data that changed for once often change
   back.  So an inspection that takes longer than it saves comes when the verdict has failed twice in a row.

   The first macro-chunks are small, so that little is wasted where there are conflicts, and where an inspection turns
   out dear.  Where there are conflicts, each is twice as long as the one before.  Where there are none, an entry's rest
   is one, once the purse pays for it; until then, now and then a larger one than all before is inspected, as far as the
   purse pays, to know better what the rest would cost.  A verdict is about the macro-chunk that it was reached for.

   The caller takes part in inspections; it does not go on with the loop while others look ahead of it.  Where threads
   are free, both ways do the same work on them, so neither is faster; the caller would only be spared inspections that
   do not pay, and those the purse keeps few.  For that, what the loop writes would have to be proven apart from what
   the monitor reads before the first iteration, and where the writes are indirect, only an inspection proves that.  */
#include "walk.h"
#include "doacross.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "pool.h"
#include "trace.h"
#include "verdict.h"
#include "watch.h"

enum
{
  MOST_MISS_NS = 1000,    /* of a search that finds nothing */
  MACRO_NS = 100000,      /* work of a first macro-chunk */
  MACRO_SHARE = 16,       /* of the iterations, when costs are unknown */
  LARGEST_SHARE = 8,      /* of the iterations, where there were conflicts */
  LEAST_MOST_NS = 100000, /* work of a macro-chunk that is kept short for the caches' sake */
  WAIT_NS = 5000000,      /* before the next look for a free CPU */
  LATER_NS = 2000000,     /* work before a look that comes to nothing is repeated in the same entry */
  MOST_CONFLICTS = 2      /* in one entry, when they cost more than a quarter of it */
};

/* The result of a look at a macro-chunk that is neither known to be clean nor worth an inspection.  */
#define NOT_WORTH ((int64_t) -1)

/* The result of a look where threads must not work on the loop at all.  */
#define FORBIDDEN ((int64_t) -2)

/* LEN rounded up to whole chunks of the fixed grid, if ENTRY has one.  */
static int64_t
whole_chunks (const struct pg_entry *entry, int64_t len)
{
  int64_t chunk_len = pg_entry_grid_len (entry);
  return (len + chunk_len - 1) / chunk_len * chunk_len;
}

/* A good length for the first macro-chunk of ENTRY, by what is known now.  */
static int64_t
first_len (const struct pg_entry *entry)
{
  int64_t n_iters = entry->n_iters, share = n_iters / MACRO_SHARE + 1;
  int64_t len = entry->is_forced || pg_environment.inject ? share : pg_plan_iters (entry->plan, MACRO_NS, share);
  return whole_chunks (entry, len < n_iters ? len : n_iters);
}

/* The most iterations that the next macro-chunk of STATE's entry shall have.  */
static int64_t
most_len (const struct pg_state *state)
{
  const struct pg_entry *entry = &state->entry;
  if (entry->plan->has_conflicted || pg_environment.inject)
    return entry->n_iters / LARGEST_SHARE + 1;
  if (entry->plan->inspect_ps == 0)
    return first_len (entry);
  int64_t good = state->inspector == NULL ? 0 : pg_verdict_good_len (state->inspector);
  int64_t least = pg_plan_iters (entry->plan, LEAST_MOST_NS, 1);
  return good == 0 || pg_watch_is_allowed () ? entry->n_iters : good > least ? good : least;
}

/* Where the next macro-chunk of STATE's entry ends.  Where an inspection is dear however few iterations it is about,
   because they scatter over much memory, it had better be about all.  */
static int64_t
macro_end (const struct pg_state *state)
{
  const struct pg_entry *entry = &state->entry;
  int64_t n_iters = entry->n_iters;
  if (entry->plan->is_scattered)
    return n_iters;
  int64_t most = most_len (state);
  if (n_iters - entry->done <= most && pg_plan_pays (entry->plan, n_iters - entry->done, pg_pool_most_threads ()))
    return n_iters;
  if (most == n_iters && !entry->is_forced)
    {
      int64_t trial = whole_chunks (entry, pg_plan_trial (entry->plan, pg_pool_most_threads ()));
      return trial > 0 && trial < n_iters - entry->done ? entry->done + trial : n_iters;
    }
  return pg_grid_macro_end (entry->done, n_iters, first_len (entry),
			    whole_chunks (entry, most < n_iters ? most : n_iters));
}

/* Where to look again for free iterations of ENTRY, where that is not worth it now: when twice as much is done.  Until
   then, a CPU may be free, or the purse full.  */
static int64_t
later (const struct pg_entry *entry)
{
  int64_t len = pg_plan_iters (entry->plan, LATER_NS, entry->n_iters);
  if (len < entry->done)
    len = entry->done;
  return (entry->n_iters - entry->done) / 2 > len ? entry->done + whole_chunks (entry, len) : entry->n_iters;
}

/* Ask the numbers of an entry that began with a gate, without a look at them: what they settle need not be
   inspected.  */
static void
ask_numbers (const struct pg_entry *entry)
{
  if (!entry->view->is_checked && pg_environment.step < 0)
    pg_l1_check (entry->view);
}

/* Inspect macro-chunk [LO, HI), whose like may never have been here: the iterations below the result are free.  LO:
   nobody can tell.  */
static int64_t
inspect (struct pg_state *state, int64_t lo, int64_t hi, bool is_new, bool is_forced)
{
  struct pg_entry *entry = &state->entry;
  ask_numbers (entry);
  pg_inspector_allow (state->inspector, is_forced ? SIZE_MAX : pg_plan_new_len (entry->plan, hi - lo),
		      pg_plan_ns (entry->plan, hi - lo));
  pg_entry_expect (entry, hi - lo);
  pg_pool_start (); /* not the inspection's fault */
  int64_t traced = pg_trace_begin (PG_TRACE_INSPECT, entry->region), start = pg_now (),
	  watched_ns = pg_watch_once_ns ();
  int64_t end = pg_inspect (state->inspector, entry->view, lo, hi);
  if (end == hi)
    pg_verdict_keep (state->inspector, entry->view, lo, hi);
  int64_t once_ns = pg_inspector_once_ns (state->inspector) + pg_watch_once_ns () - watched_ns;
  int64_t ns = pg_now () - start - once_ns;
  pg_plan_pay (entry->plan, once_ns);
  pg_plan_inspected (entry->plan, hi - lo, pg_pool_threads (), ns, end > lo, is_new);
  if (end > lo && end < hi)
    pg_plan_conflict (entry->plan);
  PG_TRACE (INSPECT, traced, entry->region, .numbers = { lo, hi },
	    .words = { end == hi  ? "clean"
		       : end > lo ? "conflict"
				  : "unknown" });
  entry->rung = PG_RUNG_L3;
  return end;
}

/* Tell the trace what is KNOWN of [LO, HI), which STATE's entry has been looking for since TRACED.  */
static void
trace_search (const struct pg_state *state, int64_t traced, int64_t lo, int64_t hi, enum pg_known known)
{
  static const char *const names[] = { [PG_KNOWN_NOT] = "unknown",
				       [PG_KNOWN_GATED] = "watched",
				       [PG_KNOWN_CHANGED] = "changed",
				       [PG_KNOWN_CHANGED_AGAIN] = "changed",
				       [PG_KNOWN_CLEAN] = "clean" };
  PG_TRACE (CHECK, traced, state->entry.region, .numbers = { lo, hi }, .words = { "verdict", names[known] });
}

/* pg_verdict_gate about STATE's entry on WAY from LO on.  */
static bool
find_gate (struct pg_state *state, const struct pg_way *way, int64_t lo, int64_t *hi)
{
  if (lo == 0 && way->gated > 0)
    {
      *hi = way->gated;
      return true;
    }
  int64_t traced = pg_trace_begin (PG_TRACE_CHECK, state->entry.region);
  if (!pg_verdict_gate (state->inspector, state->entry.view, lo, hi, &state->entry.gate))
    return false;
  trace_search (state, traced, lo, *hi, PG_KNOWN_GATED);
  return true;
}

/* pg_verdict_find about STATE's entry from LO on.  */
static enum pg_known
find_verdict (struct pg_state *state, int64_t lo, int64_t *hi)
{
  int64_t traced = pg_trace_begin (PG_TRACE_CHECK, state->entry.region);
  enum pg_known known = pg_verdict_find (state->inspector, state->entry.view, lo, hi);
  trace_search (state, traced, lo, *hi, known);
  return known;
}

/* Whether [LO, HI) of STATE's entry is worth an inspection by the plan, if it finds no conflict.  One that is made
   while others want the CPUs costs more and gains less, if anything: it can wait, and so that waiting costs next to
   nothing, the region is left alone for a while.  */
static bool
affords (struct pg_state *state, int64_t lo, int64_t hi, int64_t wanted)
{
  struct pg_plan *plan = state->entry.plan;
  int n_hoped = pg_pool_most_threads ();
  if (!pg_plan_affords (plan, hi - lo, wanted, n_hoped))
    return false;
  int n_free = pg_pool_free_threads ();
  if (n_free > 1)
    return n_free == n_hoped || pg_plan_affords (plan, hi - lo, wanted, n_free);
  state->waits_until = pg_now () + WAIT_NS;
  PG_LOG (CHECK, "region %s:%u: no CPU is free: not inspected", state->row.file, (unsigned) state->row.line);
  return false;
}

/* A search of NS for a verdict was in vain: what came out of it is KNOWN.  Where there is none, it is missing for all
   that is left, and nothing was read: what took longer was a table touched for the first time, or another process.  */
static void
learn_search (struct pg_state *state, enum pg_known known, int64_t ns)
{
  struct pg_entry *entry = &state->entry;
  entry->asked_ns += ns;
  entry->vain_ns += known == PG_KNOWN_NOT && ns > MOST_MISS_NS ? MOST_MISS_NS : ns;
  if (known != PG_KNOWN_NOT)
    pg_plan_changed (entry->plan);
  else
    pg_plan_earn_again (entry->plan, entry->n_iters - entry->done, pg_verdict_n_before (state->inspector));
}

/* STATE's entry goes on with a macro-chunk that a verdict is about; it was searched for from START on.  */
static void
learn_found (struct pg_state *state, int64_t start, bool is_gated)
{
  struct pg_entry *entry = &state->entry;
  entry->is_gated = is_gated;
  entry->pooled_ns += pg_now () - start;
  pg_plan_reused (entry->plan);
}

/* Whether STATE's entry, which begins with a macro-chunk up to HI that is known again and again, shall be one.  */
static bool
joins (struct pg_state *state, int64_t lo, int64_t hi)
{
  const struct pg_entry *entry = &state->entry;
  return lo == 0 && hi < entry->n_iters && most_len (state) >= entry->n_iters
	 && pg_plan_joins (entry->plan, entry->n_iters, pg_verdict_wanted (state->inspector), pg_pool_most_threads ())
	 && pg_pool_free_threads () > 1;
}

/* Look at the next macro-chunk of STATE's entry on WAY just before it runs; set *HI to its end.  The iterations below
   the result are free, if the gate is open.  If one was shut, there is none: the macro-chunk began with FROM, and the
   caller has run some of it.  NOT_WORTH: nobody can tell, or should try; FORBIDDEN: no thread may.  Where a macro-chunk
   was known before, a new look is at the same one: verdicts are found by where they begin; but macro-chunks that are
   known again and again, and need not be read, become one.  */
static int64_t
look (struct pg_state *state, const struct pg_way *way, int64_t from, int64_t *hi, bool may_gate)
{
  struct pg_entry *entry = &state->entry;
  bool is_forced = entry->is_forced || pg_environment.step == PG_RUNG_L3, searches = pg_environment.step != PG_RUNG_L3;
  int64_t start = pg_now (), lo = entry->done, end = lo;
  if (!is_forced && pg_pool_is_crowded ())
    {
      *hi = macro_end (state);
      return NOT_WORTH;
    }
  bool is_gated = searches && may_gate && find_gate (state, way, lo, hi);
  if (!is_gated && pg_thread_repairs_faults ())
    return FORBIDDEN;
  enum pg_known known = is_gated ? PG_KNOWN_GATED : searches ? find_verdict (state, from, hi) : PG_KNOWN_NOT;
  bool is_known = is_gated || known == PG_KNOWN_CLEAN;
  if (is_known && !joins (state, lo, *hi))
    {
      learn_found (state, start, is_gated);
      return *hi;
    }
  if (is_known)
    {
      if (pg_thread_repairs_faults ())
	return FORBIDDEN;
      *hi = entry->n_iters;
      end = inspect (state, lo, *hi, false, is_forced);
      return end == lo ? NOT_WORTH : end;
    }
  learn_search (state, known, pg_now () - start);
  if (known == PG_KNOWN_NOT)
    *hi = macro_end (state);
  bool can_wait = known == PG_KNOWN_CHANGED && !pg_plan_gains (entry->plan, *hi - lo, pg_pool_most_threads ());
  if (is_forced || (!can_wait && affords (state, lo, *hi, pg_verdict_wanted (state->inspector))))
    end = inspect (state, lo, *hi, known == PG_KNOWN_NOT && pg_verdict_n_before (state->inspector) == 0, is_forced);
  if (end == lo && known == PG_KNOWN_NOT)
    *hi = later (entry);
  return end == lo ? NOT_WORTH : end;
}

/* Run ENTRY up to HI on the caller, as nobody can tell whether iterations are free, and learn what they take.  */
static void
run_unchecked (struct pg_entry *entry, int64_t hi)
{
  int64_t ns = entry->caller_ns, n_iters = entry->caller_iters;
  pg_entry_run_alone (entry, hi);
  pg_plan_learn (entry->plan, entry->caller_iters - n_iters, entry->caller_ns - ns);
}

/* Whether conflicts cost so much of the entry that the rest is better run in order.  */
static bool
conflicts_too_often (const struct pg_entry *entry)
{
  return entry->n_conflicts >= MOST_CONFLICTS && entry->n_redone > entry->done / 4;
}

/* Stop looking for free iterations in ENTRY, and for a while in its region.  */
static void
give_up (struct pg_entry *entry)
{
  entry->has_given_up = true;
  entry->n_redone += entry->n_iters - entry->done;
  pg_entry_run_alone (entry, entry->n_iters);
  pg_plan_back_off (entry->plan);
}

/* Run the rest of macro-chunk [LO, HI) in order: iteration CONFLICT conflicts with an earlier one.  */
static void
redo (struct pg_state *state, int64_t lo, int64_t hi, int64_t conflict, bool is_injected)
{
  struct pg_entry *entry = &state->entry;
  PG_LOG (CONFLICT, "region %s:%u: iteration %lld of macro-chunk %lld to %lld conflicts%s", state->row.file,
	  (unsigned) state->row.line, (long long) conflict, (long long) lo, (long long) hi,
	  is_injected ? " (forced)" : "");
  PG_TRACE (CONFLICT, 0, entry->region, .numbers = { conflict }, .words = { is_injected ? "force" : "inspection" });
  entry->n_conflicts++;
  entry->n_redone += hi - entry->done;
  pg_entry_run_alone (entry, hi);
  if (!pg_environment.inject && !entry->is_forced && conflicts_too_often (entry))
    give_up (entry);
}

/* Where the next part of STATE's entry on WAY ends, unless it is looked at: nothing can end it before but a
   conflict.  */
static int64_t
part_end (const struct pg_state *state, const struct pg_way *way)
{
  const struct pg_entry *entry = &state->entry;
  int64_t lo = entry->done, end = pg_environment.inject ? macro_end (state) : entry->n_iters;
  if (way->route == PG_ROUTE_PIECES && end > pg_piece_at (&way->pieces, lo)->end)
    return pg_piece_at (&way->pieces, lo)->end;
  return way->route == PG_ROUTE_WINDOW && end - lo > way->window ? pg_entry_cut (entry, lo + way->window) : end;
}

/* Whether iteration LO is of a piece of WAY that is to run in order.  */
static bool
is_in_order (const struct pg_way *way, int64_t lo)
{
  return way->route == PG_ROUTE_PIECES && !pg_piece_at (&way->pieces, lo)->is_free;
}

bool
pg_walk_is_busy (const struct pg_state *state)
{
  return pg_pool_is_crowded () || (state->waits_until != 0 && pg_now () < state->waits_until);
}

enum pg_status
pg_walk (struct pg_state *state, const struct pg_way *way)
{
  struct pg_entry *entry = &state->entry;
  bool is_open = true;
  int n_parts = 0;
  int64_t from = 0; /* where a macro-chunk whose gate was shut begins */
  while (entry->done < entry->n_iters)
    {
      int64_t lo = entry->done, hi = part_end (state, way);
      if (is_in_order (way, lo))
	{
	  pg_entry_run_alone (entry, hi);
	  continue;
	}
      n_parts++;
      from = is_open ? lo : from;
      int64_t end = way->route == PG_ROUTE_INSPECT ? look (state, way, from, &hi, is_open) : hi;
      is_open = true;
      if (end == FORBIDDEN)
	{
	  if (lo == 0)
	    return PG_FAULT_HANDLER;
	  pg_entry_run_alone (entry, entry->n_iters);
	  break;
	}
      if (end == NOT_WORTH)
	{
	  if (lo == 0 && (hi == entry->n_iters || !pg_walk_is_busy (state)))
	    return entry->is_forced ? PG_UNSETTLED : PG_PLANNED;
	  run_unchecked (entry, hi);
	  continue;
	}
      int64_t forced = pg_environment_inject (&pg_environment, lo, hi);
      int64_t conflict = forced < end ? forced : end;
      pg_entry_expect (entry, conflict - lo);
      if (way->route == PG_ROUTE_DOACROSS)
	pg_doacross_run (entry, conflict);
      else
	is_open = pg_entry_run_pool (entry, pg_entry_cut (entry, conflict));
      if (!is_open)
	state->gates_left = 0;
      if (is_open && conflict < hi && entry->done < hi) /* else a device was faster */
	redo (state, lo, hi, conflict, forced < end);
    }
  if (way->route == PG_ROUTE_INSPECT)
    pg_plan_gained (entry->plan, entry->pooled_iters, entry->pooled_ns);
  if (entry->rung == PG_RUNG_L2 && entry->pooled_iters == entry->n_iters)
    pg_plan_in_pieces (entry->plan, n_parts);
  return PG_OK;
}
