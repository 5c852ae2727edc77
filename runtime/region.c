/* SPDX-License-Identifier: MIT
   The story of an entry, from the guard's call to the live-outs.

     admit   may this thread enter now?  takes the region's lock
     choose  what does the region's history say?				plan.h
     settle  are the iterations free of conflicts, by the entry's numbers?	ladder L0, L1
     walk    macro-chunk by macro-chunk, in order: check (ladder L2, L3), then run what is free on the pool and, after a
	     conflict, the rest of the macro-chunk on the caller
     learn   did it pay?

   Refusing means that nothing was changed: the original loop runs.  After the first iteration has run there is no way
   back, only forward on the caller.  A region with a fixed grid is never refused for reasons that may differ from
   run to run: it runs on its grid on the caller, which gives the same bits.

   Lock order: the region's lock, then the pool's.  Both are only ever tried, so no entry waits for another.  */
#include "region.h"
#include "compare.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "pool.h"
#include "verdict.h"

#include <errno.h>

enum
{
  OWN_STACK_LEN = 24 << 10, /* what the runtime itself needs, generously */
  MACRO_NS = 200000,        /* work of a first macro-chunk, for each thread */
  MACRO_SHARE = 16,         /* of the iterations, in a first macro-chunk when costs are unknown */
  MOST_CONFLICTS = 2        /* in one entry, when they cost more than a quarter of it */
};

/* How an entry's iterations are run.  */
enum route
{
  ROUTE_NONE,   /* no way to tell that they are free */
  ROUTE_FREE,   /* all are free */
  ROUTE_WINDOW, /* so many in a row are free */
  ROUTE_INSPECT /* look at each macro-chunk before it runs */
};

static const char *const rung_names[] = {
#define PG_RUNG(id, name) name,
#include "status.def"
};

static const char *const status_names[] = {
#define PG_STATUS(id, name, text) name,
#include "status.def"
};

static bool
has_fixed_grid (const struct pg_region *region)
{
  return (region->flags & PG_REGION_FIXED_GRID) != 0;
}

/* SELF left an entry by a jump: end what is left of it.  */
static void
abandon (struct pg_thread *self)
{
  struct pg_state *state = self->region_state;
  PG_LOG (ENTER, "region %s:%u: an entry was left by a jump", state->row.file, (unsigned) state->row.line);
  pg_pool_abandon ();
  if (atomic_load (&state->owner) == self)
    {
      state->inspector = NULL; /* may be half changed: its memory stays where it is */
      atomic_store (&state->owner, NULL);
    }
  pg_thread_leave_late (self);
}

/* Let the calling thread into REGION, taking its lock, or say why not.  MARK lies in the entry's stack frame.
   *STATE is set if REGION has a row.  */
static enum pg_status
admit (struct pg_region *region, volatile uint64_t *mark, struct pg_state **state)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  *state = pg_state_of (region);
  if (*state == NULL)
    return PG_MEMORY;
  if ((*state)->is_filtered)
    return PG_FILTERED;
  if (self->is_worker || pg_thread_inside (self, mark))
    return PG_NESTED;
  if (self->mark != NULL)
    abandon (self);
  if (pg_thread_in_openmp ())
    return PG_OPENMP;
  if (pg_join_traps ())
    return PG_TRAPS;
  if (pg_thread_stack_left (self, mark) < (size_t) region->frame_len + OWN_STACK_LEN)
    return PG_STACK;
  if (atomic_load_explicit (&(*state)->owner, memory_order_relaxed) != NULL)
    return PG_BUSY;
  self->region_state = *state;
  pg_thread_enter (self, mark);
  if (atomic_compare_exchange_strong_explicit (&(*state)->owner, &nobody, self, memory_order_acquire,
					       memory_order_relaxed))
    return PG_OK;
  pg_thread_leave (self);
  return PG_BUSY;
}

static void
leave (struct pg_state *state)
{
  atomic_store_explicit (&state->owner, NULL, memory_order_release);
  pg_thread_leave (pg_thread_self ());
}

/* Choose by what the user forces, then by history.  */
static enum pg_choice
choose (struct pg_state *state, int64_t n_iters)
{
  switch (pg_environment.plan)
    {
    case PG_PLAN_ORIGINAL:
      return PG_CHOOSE_ORIGINAL;
    case PG_PLAN_POOL:
      return PG_CHOOSE_POOL;
    case PG_PLAN_DEVICE:
      PG_LOG (PLAN, "region %s:%u: there is no device", state->row.file, (unsigned) state->row.line);
      break;
    default:
      break;
    }
  return pg_pool_is_crowded () ? PG_CHOOSE_ORIGINAL : pg_plan_choose (&state->plan, n_iters);
}

/* How many iterations in a row must be free for runs of so many to be worth while.  */
static int64_t
least_window (const struct pg_entry *entry)
{
  int64_t least = entry->is_forced ? 2 : pg_plan_iters (entry->plan, PG_PLAN_LEAST_NS, 2);
  if (has_fixed_grid (entry->region) && least < pg_grid_fixed_len (entry->n_iters))
    least = pg_grid_fixed_len (entry->n_iters);
  return least < 2 ? 2 : least;
}

/* Climb the ladder as far as the entry's numbers lead.  With ROUTE_WINDOW, *WINDOW consecutive iterations are free.
   With ROUTE_NONE, *STATUS says why.  */
static enum route
settle (struct pg_entry *entry, int64_t *window, enum pg_status *status)
{
  const struct pg_region *region = entry->region;
  bool skip_numbers = pg_environment.step == PG_RUNG_L2 || pg_environment.step == PG_RUNG_L3;
  bool numbers_only = pg_environment.step == PG_RUNG_L0 || pg_environment.step == PG_RUNG_L1;
  *status = PG_UNSETTLED;
  if (!skip_numbers)
    {
      enum pg_l1 verdict = pg_l1_check (entry->view);
      if (verdict == PG_L1_DISJOINT && region->body_noalias != NULL && !has_fixed_grid (region))
	entry->body = region->body_noalias;
      if (region->klass == PG_CLASS_PARALLEL || verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT)
	{
	  entry->rung = region->klass == PG_CLASS_PARALLEL ? PG_RUNG_L0 : PG_RUNG_L1;
	  return ROUTE_FREE;
	}
      *window = pg_l1_window (entry->view);
      if (*window >= least_window (entry))
	{
	  entry->rung = PG_RUNG_L1;
	  return ROUTE_WINDOW;
	}
      if (verdict == PG_L1_CONFLICT)
	{
	  *status = PG_CONFLICT;
	  return ROUTE_NONE;
	}
    }
  if (numbers_only || !pg_inspect_possible (entry->view))
    return ROUTE_NONE;
  entry->rung = PG_RUNG_L2;
  return ROUTE_INSPECT;
}

/* LEN rounded up to whole chunks of the fixed grid, if ENTRY has one.  */
static int64_t
whole_chunks (const struct pg_entry *entry, int64_t len)
{
  int64_t chunk_len = has_fixed_grid (entry->region) ? pg_grid_fixed_len (entry->n_iters) : 1;
  return (len + chunk_len - 1) / chunk_len * chunk_len;
}

/* The length of the first macro-chunk of STATE's entry.  */
static int64_t
first_macro_len (struct pg_state *state)
{
  struct pg_entry *entry = &state->entry;
  int64_t n_iters = entry->n_iters;
  int64_t *kept = &state->macro_len[63 - __builtin_clzll ((unsigned long long) n_iters)];
  if (*kept == 0)
    {
      int64_t share = n_iters / MACRO_SHARE + 1;
      *kept = entry->is_forced ? share : pg_plan_iters (entry->plan, (int64_t) MACRO_NS * pg_pool_threads (), share);
    }
  return whole_chunks (entry, *kept < n_iters ? *kept : n_iters);
}

/* Where the next macro-chunk of an entry on ROUTE ends.  */
static int64_t
macro_end (struct pg_state *state, enum route route, int64_t window)
{
  const struct pg_entry *entry = &state->entry;
  int64_t lo = entry->done, n_iters = entry->n_iters;
  int64_t end = n_iters;
  if (route == ROUTE_INSPECT)
    end = pg_grid_macro_end (lo, n_iters, first_macro_len (state));
  else if (pg_environment.inject)
    end = pg_grid_macro_end (lo, n_iters, whole_chunks (entry, n_iters / MACRO_SHARE + 1));
  if (route == ROUTE_WINDOW && end - lo > window)
    end = pg_entry_cut (entry, lo + window);
  return end;
}

/* Check macro-chunk [LO, HI) just before it runs: the iterations below the result are free.  Leaves errno and the
   floating-point environment as they were: the monitor is the program's code.  */
static int64_t
inspect (struct pg_state *state, int64_t lo, int64_t hi)
{
  struct pg_entry *entry = &state->entry;
  fenv_t env;
  int64_t end = hi;
  fegetenv (&env);
  if (pg_environment.step == PG_RUNG_L3 || !pg_verdict_holds (state->inspector, entry->view, lo, hi))
    {
      entry->rung = PG_RUNG_L3;
      end = pg_inspect (state->inspector, entry->view, lo, hi);
      if (end == hi)
	pg_verdict_keep (state->inspector, entry->view, lo, hi);
    }
  fesetenv (&env);
  return end;
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
  entry->n_redone += entry->n_iters - entry->done;
  pg_entry_run_alone (entry, entry->n_iters);
  pg_plan_back_off (entry->plan);
}

/* Run the rest of STATE's entry on ROUTE.  PG_OK, or, with nothing changed, a refusal.  */
static enum pg_status
walk (struct pg_state *state, enum route route, int64_t window)
{
  struct pg_entry *entry = &state->entry;
  while (entry->done < entry->n_iters)
    {
      int64_t lo = entry->done, hi = macro_end (state, route, window);
      if (route == ROUTE_INSPECT && !entry->is_forced && pg_pool_is_crowded ())
	{
	  pg_entry_run_alone (entry, hi);
	  continue;
	}
      int64_t end = route == ROUTE_INSPECT ? inspect (state, lo, hi) : hi;
      if (end == lo)
	{
	  /* The inspector cannot tell.  */
	  if (lo > 0)
	    give_up (entry);
	  else
	    pg_plan_back_off (entry->plan);
	  return lo > 0 ? PG_OK : PG_UNSETTLED;
	}
      int64_t forced = pg_environment_inject (&pg_environment, lo, hi);
      int64_t conflict = forced < end ? forced : end;
      pg_entry_run_pool (entry, pg_entry_cut (entry, conflict));
      if (conflict == hi)
	continue;
      PG_LOG (CONFLICT, "region %s:%u: iteration %lld of macro-chunk %lld to %lld conflicts%s", state->row.file,
	      (unsigned) state->row.line, (long long) conflict, (long long) lo, (long long) hi,
	      forced < end ? " (forced)" : "");
      entry->n_conflicts++;
      entry->n_redone += hi - entry->done;
      pg_entry_run_alone (entry, hi);
      if (!pg_environment.inject && !entry->is_forced && conflicts_too_often (entry))
	give_up (entry);
    }
  return PG_OK;
}

/* Run an entry that is not for the pool on the caller, if that can gain anything over the original loop: the no-alias F
   is faster on one thread, too.  Otherwise refuse with STATUS.  */
static enum pg_status
run_alone (struct pg_entry *entry, enum pg_status status)
{
  if (entry->region->body_noalias == NULL || has_fixed_grid (entry->region))
    return status;
  if (pg_l1_check (entry->view) != PG_L1_DISJOINT)
    return status;
  entry->body = entry->region->body_noalias;
  pg_entry_run_alone (entry, entry->n_iters);
  return PG_OK;
}

/* Run STATE's entry by the plan and the ladder.  PG_OK, or, with nothing changed, a refusal.  */
static enum pg_status
run_planned (struct pg_state *state, enum pg_choice choice)
{
  struct pg_entry *entry = &state->entry;
  enum pg_status status;
  int64_t window = 0;
  if (pg_environment.step == PG_RUNG_L5)
    {
      pg_entry_run_alone (entry, entry->n_iters);
      return PG_OK;
    }
  if (choice == PG_CHOOSE_ORIGINAL)
    return pg_environment.plan == PG_PLAN_ORIGINAL ? PG_PLANNED : run_alone (entry, PG_PLANNED);
  if (!entry->is_forced && pg_pool_threads () == 1)
    return run_alone (entry, PG_ALONE);
  if (pg_thread_repairs_faults ())
    return PG_FAULT_HANDLER;

  enum route route = settle (entry, &window, &status);
  if (route == ROUTE_NONE)
    return status;
  if (route == ROUTE_INSPECT && state->inspector == NULL)
    state->inspector = pg_inspector_new (entry->region);
  if (route == ROUTE_INSPECT && state->inspector == NULL)
    return PG_MEMORY;

  if (choice == PG_CHOOSE_PROBE)
    {
      pg_entry_probe (entry);
      if (pg_plan_ns (entry->plan, entry->n_iters - entry->done) < PG_PLAN_LEAST_NS)
	{
	  pg_entry_run_alone (entry, entry->n_iters);
	  return PG_OK;
	}
    }
  pg_pool_reserve (entry->region->frame_len);
  return walk (state, route, window);
}

/* Let the plan learn from an entry that ended with STATUS after WALL_NS.  */
static void
learn (struct pg_state *state, struct pg_region *region, enum pg_status status, int64_t wall_ns)
{
  struct pg_entry *entry = &state->entry;
  int64_t alone_ns = pg_entry_alone_ns (entry);
  if (entry->used_pool)
    {
      pg_count (&state->row.saved_ns, alone_ns - wall_ns);
      if (!pg_environment.inject && !entry->is_forced && !conflicts_too_often (entry))
	pg_plan_judge (entry->plan, wall_ns, alone_ns);
    }
  bool is_small = status == PG_SMALL || (status == PG_OK && !entry->used_pool && alone_ns < PG_PLAN_LEAST_NS);
  if (is_small && !entry->is_forced && !has_fixed_grid (region))
    {
      int64_t threshold = __atomic_load_n (&region->threshold, __ATOMIC_RELAXED);
      int64_t raised = pg_plan_raise (entry->plan, threshold);
      if (raised != threshold)
	{
	  PG_LOG (PLAN, "region %s:%u: handed over from %lld iterations on", state->row.file,
		  (unsigned) state->row.line, (long long) raised);
	  __atomic_store_n (&region->threshold, raised, __ATOMIC_RELAXED);
	}
    }
}

/* The entry of REGION that has been admitted.  */
static enum pg_status
run (struct pg_state *state, struct pg_region *region, void *args, int64_t n_iters, int caller_errno)
{
  struct pg_entry *entry = &state->entry;
  struct pg_comparison comparison;
  bool is_compared = pg_environment.mode == PG_MODE_COMPARE;
  int64_t start = pg_now ();
  pg_entry_open (entry, region, &state->plan, args, n_iters, pg_environment.plan == PG_PLAN_POOL);
  entry->loop_errno = caller_errno;

  enum pg_choice choice = choose (state, n_iters);
  enum pg_status status = PG_SMALL;
  if (choice != PG_CHOOSE_SMALL)
    {
      pg_view_evaluate (entry->view, region, args, n_iters);
      if (is_compared)
	pg_compare_save (&comparison, entry, &state->row);
      status = run_planned (state, choice);
      if (is_compared)
	pg_compare_check (&comparison, entry, &state->row, status == PG_OK);
    }

  int64_t wall_ns = pg_now () - start;
  learn (state, region, status, wall_ns);
  if (status == PG_OK)
    {
      struct pg_row *row = &state->row;
      pg_count (entry->used_pool ? &row->n_pool : &row->n_sequential, 1);
      pg_count (&row->n_rungs[entry->used_pool ? entry->rung : PG_RUNG_L5], 1);
      pg_count (&row->n_conflicts, entry->n_conflicts);
      pg_count (&row->n_redone, entry->n_redone);
      pg_count (&row->n_iters, n_iters);
      pg_count (&row->ns, wall_ns);
      PG_LOG (PLAN, "region %s:%u: %s, rung %s, %lld conflicts, %lld ns", row->file, (unsigned) row->line,
	      entry->used_pool ? "pool" : "sequential", rung_names[entry->used_pool ? entry->rung : PG_RUNG_L5],
	      (long long) entry->n_conflicts, (long long) wall_ns);
    }
  return status;
}

int
pg_region_run (struct pg_region *region, void *args, int64_t n_iters)
{
  int loop_errno = errno;
  struct pg_state *state;
  volatile uint64_t mark = 0;
  enum pg_status status = admit (region, &mark, &state);
  if (status == PG_OK)
    {
      status = run (state, region, args, n_iters, loop_errno);
      loop_errno = state->entry.loop_errno;
      leave (state);
    }
  bool on_grid = status != PG_OK && status != PG_FILTERED && has_fixed_grid (region);
  if (on_grid)
    {
      errno = loop_errno;
      pg_entry_run_grid (region, args, n_iters);
      loop_errno = errno;
    }
  if (state != NULL)
    {
      pg_count (&state->row.n_entries, 1);
      pg_count (&state->row.n_statuses[status], 1);
      if (status != PG_OK)
	pg_count (on_grid ? &state->row.n_sequential : &state->row.n_original, 1);
      PG_LOG (ENTER, "region %s:%u, %lld iterations: %s", state->row.file, (unsigned) state->row.line,
	      (long long) n_iters, status_names[status]);
    }
  errno = loop_errno;
  return status == PG_OK || on_grid;
}
