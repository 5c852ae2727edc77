/* SPDX-License-Identifier: MIT
   The story of an entry, from the guard's call to the live-outs.

     admit   may this thread enter now?  takes the region's lock
     choose  what does the region's history say?				plan.h
     count   does the number of iterations stay what it is?
     device   where there is one: does the entry run there, too?		device-plan.h, offload.h, cooperate.h
     settle  are the iterations free of conflicts, by the entry's numbers, or if not all, most pieces of them?
									ladder L0, L1
     walk    macro-chunk by macro-chunk, in order: check (ladder L2, L3), then run what is free on the pool and, after a
	     conflict, the rest of the macro-chunk on the caller; where scalars are carried, each run of the pool begins
	     with a tally, and a look at what the numbers say then		tally.h
     learn   did it pay?

   Refusing means that nothing was changed: the original loop runs.  After the first iteration has run there is no way
   back, only forward on the caller.  A region with a fixed grid is never refused for reasons that may differ from
   run to run: it runs on its grid on the caller, which gives the same bits.

   Lock order: the region's lock, then the pool's.  Both are only ever tried, so no entry waits for another.  */
#include "region.h"
#include "compare.h"
#include "costs.h"
#include "descriptor.h"
#include "doacross.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "manager.h"
#include "pilot.h"
#include "pool.h"
#include "trace.h"
#include "verdict.h"
#include "walk.h"

#include <errno.h>

enum
{
  OWN_STACK_LEN = 24 << 10, /* what the runtime itself needs, generously */
  COPY_SHARE = 16,          /* of an entry's time, so much may be spent on waiting for copies */
  FORCED_EFFORT = 1 << 20,
  GATES_IN_A_ROW = 16, /* of entries whose numbers are not asked */
  LONG_NS = 10000000,  /* entries that are longer are looked at while they run */
  LEAST_SAMPLED = 16,  /* iterations for each thread */
  USUAL_NS = 5000      /* an entry takes so much, whatever becomes of it */
};

/* SELF left an entry by a jump: end what is left of it.  */
static void
abandon (struct pg_thread *self)
{
  struct pg_state *state = self->region_state;
  PG_LOG (ENTER, "region %s:%u: an entry was left by a jump", state->row.file, (unsigned) state->row.line);
  pg_pool_abandon ();
  pg_trace_abandon ();
  if (atomic_load (&state->owner) == self)
    {
      pg_cooperate_end (&state->entry);
      pg_alike_forget (state->entry.alike);
      state->inspector = state->bounds = NULL; /* may be half changed: their memory stays where it is */
      pg_view_forget (state->entry.view);
      atomic_store (&state->owner, NULL);
    }
  pg_thread_leave_late (self);
}

/* Let the calling thread into DESCRIPTOR's region, taking its lock, or say why not.  MARK lies in the entry's stack
   frame.  *STATE is set if the region has a row.  */
static enum pg_status
admit (struct pg_descriptor *descriptor, volatile uint64_t *mark, struct pg_state **state)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  enum pg_status status = pg_state_of (descriptor, state);
  if (status != PG_OK)
    return status;
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
  if (pg_thread_stack_left (self, mark) < (size_t) (*state)->region.frame_len + OWN_STACK_LEN)
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

/* Whether an entry of N_ITERS iterations is known to be over soon: what it cannot have now, it need not wait for.  */
static bool
is_short (const struct pg_state *state, int64_t n_iters)
{
  int64_t ns = pg_plan_ns (&state->plan, n_iters);
  return ns > 0 && ns < LONG_NS;
}

/* Choose by history.  */
static enum pg_choice
choose_on_host (struct pg_state *state, int64_t n_iters)
{
  pg_costs_hint (state);
  if (pg_walk_is_busy (state) && is_short (state, n_iters))
    return PG_CHOOSE_ORIGINAL;
  return pg_plan_choose (&state->plan, n_iters);
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
      return PG_CHOOSE_DEVICE;
    case PG_PLAN_COOPERATE:
      return PG_CHOOSE_COOPERATE;
    default:
      return choose_on_host (state, n_iters);
    }
}

/* How many iterations in a row must be free for runs of so many to be worth while.  */
static int64_t
least_window (const struct pg_entry *entry)
{
  int64_t least = entry->is_forced ? 2 : pg_plan_iters (entry->plan, PG_PLAN_LEAST_NS, 2);
  if (least < pg_entry_grid_len (entry))
    least = pg_entry_grid_len (entry);
  return least < 2 ? 2 : least;
}

/* Learn that EFFORT was spent on ENTRY's numbers, and whether they HELD.  */
static void
learn_effort (struct pg_entry *entry, int64_t effort, bool held)
{
  pg_plan_learn_effort (entry->plan, held);
  PG_LOG (CHECK, "region %s:%u: %lld inequalities: %s", entry->region->file, (unsigned) entry->region->line,
	  (long long) effort, held ? "no two iterations conflict" : "nothing shown");
}

/* Whether a device runs ENTRY, too, or may yet.  */
static bool
cooperates (const struct pg_entry *entry)
{
  return entry->cooperation.phase != PG_COOPERATES_NOT;
}

/* Cut ENTRY into pieces that run one after the other, most of them free.  False: that is not possible, or no use.  */
static bool
find_pieces (struct pg_entry *entry, struct pg_pieces *pieces)
{
  int64_t effort = entry->is_forced ? FORCED_EFFORT : pg_plan_pieces_effort (entry->plan, entry->n_iters),
	  left = effort;
  bool are_found = pg_pieces_find (entry->view, least_window (entry), pg_entry_grid_len (entry), &left, pieces);
  if (left == effort)
    return false;
  pg_plan_learn_pieces (entry->plan, are_found);
  PG_LOG (CHECK, "region %s:%u: effort %lld: %d pieces, %lld of %lld iterations are free of conflicts",
	  entry->region->file, (unsigned) entry->region->line, (long long) (effort - left), pieces->n,
	  (long long) pieces->n_free, (long long) entry->n_iters);
  return are_found;
}

/* What ENTRY's numbers say about all of it.  */
static enum pg_l1
ask_numbers (struct pg_entry *entry)
{
  int64_t n_turns = entry->plan->alone_ps == 0 ? pg_view_turns (entry->view) : 0;
  int64_t effort = entry->is_forced ? FORCED_EFFORT : pg_plan_effort (entry->plan, entry->n_iters, n_turns);
  entry->view->effort = effort;
  enum pg_l1 verdict = pg_l1_check (entry->view);
  if (entry->view->effort < effort)
    learn_effort (entry, effort - entry->view->effort, verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT);
  return verdict;
}

/* Whether iteration 0 of ENTRY may say more once it is known what that may cost.  */
static bool
may_ask_again (const struct pg_entry *entry)
{
  return pg_alike_possible (entry->region) && entry->plan->alone_ps == 0 && pg_alike_wants_more (entry->alike);
}

/* What iteration 0 of ENTRY says about all, which are alike.  */
static enum pg_l1
ask_alike (struct pg_entry *entry)
{
  int64_t most = entry->is_forced ? INT64_MAX : pg_plan_touches (entry->plan, entry->n_iters);
  if (most == 0)
    return PG_L1_UNSETTLED;
  enum pg_l1 verdict = pg_alike_check (&entry->alike, entry->view, most);
  if (pg_alike_touches (entry->alike) > 0 && !may_ask_again (entry))
    pg_plan_learn_touches (entry->plan, pg_alike_touches (entry->alike),
			   verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT);
  return verdict;
}

/* What ENTRY's numbers, or its first iteration, say about all of it, which is *VERDICT, or about parts.  */
static enum pg_route
settle_by_numbers (struct pg_entry *entry, struct pg_way *way, enum pg_l1 *verdict)
{
  const struct pg_region *region = entry->region;
  *verdict = pg_alike_possible (region) ? ask_alike (entry) : ask_numbers (entry);
  if (*verdict == PG_L1_DISJOINT && region->body_noalias != NULL && !pg_region_has_fixed_grid (region))
    entry->body = region->body_noalias;
  if (region->ordered_part != NULL)
    return *verdict == PG_L1_DISJOINT && !cooperates (entry) && pg_doacross_prepare (entry) ? PG_ROUTE_DOACROSS
											    : PG_ROUTE_NONE;
  if (region->klass == PG_CLASS_PARALLEL || pg_cursors_decide (region) || *verdict == PG_L1_CLEAN
      || *verdict == PG_L1_DISJOINT)
    return PG_ROUTE_FREE;
  if (region->tally != NULL || pg_alike_possible (region))
    return PG_ROUTE_NONE;
  way->window = pg_l1_window (entry->view);
  if (way->window >= least_window (entry))
    return PG_ROUTE_WINDOW;
  if (find_pieces (entry, &way->pieces))
    return PG_ROUTE_PIECES;
  return !cooperates (entry) && pg_doacross_prepare (entry) ? PG_ROUTE_DOACROSS : PG_ROUTE_NONE;
}

/* Climb the ladder as far as the entry's numbers lead.  With PG_ROUTE_NONE, *STATUS says why.  */
static void
settle (struct pg_entry *entry, struct pg_way *way, enum pg_status *status)
{
  bool skip_numbers = pg_environment.step == PG_RUNG_L2 || pg_environment.step == PG_RUNG_L3;
  bool numbers_only = pg_environment.step == PG_RUNG_L0 || pg_environment.step == PG_RUNG_L1;
  way->route = PG_ROUTE_NONE;
  way->gated = 0;
  *status = PG_UNSETTLED;
  if (!skip_numbers)
    {
      enum pg_l1 verdict;
      way->route = settle_by_numbers (entry, way, &verdict);
      if (way->route != PG_ROUTE_NONE)
	{
	  entry->rung = entry->region->klass == PG_CLASS_PARALLEL ? PG_RUNG_L0 : PG_RUNG_L1;
	  return;
	}
      if (verdict == PG_L1_CONFLICT)
	{
	  *status = PG_CONFLICT;
	  return;
	}
    }
  if (numbers_only || !pg_inspect_possible (entry->view))
    return;
  entry->rung = PG_RUNG_L2;
  way->route = PG_ROUTE_INSPECT;
}

/* Settle ENTRY, as a step of its own in the trace.  */
static void
settle_traced (struct pg_entry *entry, struct pg_way *way, enum pg_status *status)
{
  static const char *const names[]
    = { [PG_ROUTE_NONE] = "no",       [PG_ROUTE_FREE] = "clean",        [PG_ROUTE_WINDOW] = "window",
	[PG_ROUTE_PIECES] = "pieces", [PG_ROUTE_DOACROSS] = "doacross", [PG_ROUTE_INSPECT] = "inspect" };
  int64_t traced = pg_trace_begin (PG_TRACE_CHECK, entry->region);
  settle (entry, way, status);
  PG_TRACE (CHECK, traced, entry->region, .numbers = { 0, entry->n_iters }, .words = { "numbers", names[way->route] });
}

/* Whether an entry of REGION that is not for the pool may be faster on the caller than the original loop: the no-alias
   F is.  */
static bool
gains_alone (const struct pg_region *region)
{
  return region->body_noalias != NULL && !pg_alike_possible (region) && !pg_region_has_fixed_grid (region)
	 && pg_environment.plan != PG_PLAN_ORIGINAL;
}

/* Whether the plan wants ENTRY, which is to be refused with STATUS, run and measured.  */
static bool
is_asked_for (const struct pg_entry *entry, enum pg_status status)
{
  return status == PG_CONFLICT || status == PG_UNSETTLED
	   ? !entry->is_forced && pg_plan_hopeless (entry->plan, entry->n_iters)
	   : status == PG_PLANNED && pg_plan_asks (entry->plan, entry->n_iters);
}

/* Run the rest of an entry that is not for the pool on the caller, if there is no way back, or that can gain anything,
   or a device runs it, too, or the plan asks for it.  Otherwise refuse with STATUS.  */
static enum pg_status
run_alone (struct pg_entry *entry, enum pg_status status)
{
  bool gains = status != PG_CONFLICT && gains_alone (entry->region) && pg_l1_check (entry->view) == PG_L1_DISJOINT;
  bool is_asked = entry->done == 0 && is_asked_for (entry, status);
  if (entry->done == 0 && !gains && !is_asked && !cooperates (entry))
    return status;
  if (gains)
    entry->body = entry->region->body_noalias;
  pg_entry_run_alone (entry, entry->n_iters);
  if (is_asked && entry->caller_iters > 0)
    pg_plan_learn_refused (entry->plan, entry->caller_iters, entry->caller_ns);
  return PG_OK;
}

/* Whether the rest of ENTRY is worth the pool, and may run there by ROUTE.  If not, *STATUS says why.  To count the
   CPUs comes late, and where an inspection may have to come first, it is left to the walk, which may not afford it.
   That asks itself who handles faults, too.  */
static bool
is_for_pool (const struct pg_entry *entry, enum pg_route route, enum pg_status *status)
{
  int64_t ns = pg_plan_ns (entry->plan, entry->n_iters - entry->done);
  *status = PG_PLANNED;
  if (!entry->is_forced && (ns < PG_PLAN_LEAST_NS || !pg_pool_is_worth (ns)))
    return false;
  *status = PG_ALONE;
  int n_threads = route == PG_ROUTE_INSPECT ? pg_pool_most_threads () : pg_pool_threads ();
  if (!entry->is_forced && n_threads == 1)
    return false;
  *status = PG_FAULT_HANDLER;
  if (route != PG_ROUTE_INSPECT && pg_thread_repairs_faults ())
    return false;
  pg_pool_reserve (entry->region->frame_len);
  return true;
}

/* Have an inspector if ROUTE needs one; false: no memory.  */
static bool
have_inspector (struct pg_state *state, enum pg_route route)
{
  if (route == PG_ROUTE_INSPECT && state->inspector == NULL)
    state->inspector = pg_inspector_new (state->entry.region);
  return route != PG_ROUTE_INSPECT || state->inspector != NULL;
}

/* Whether STATE's entry on ROUTE, chosen by CHOICE, had better be left to its inner loops: what it costs is unknown,
   and to find out takes an iteration, or others were left.  */
static bool
is_for_inner_loops (struct pg_state *state, enum pg_choice choice, enum pg_route route)
{
  const struct pg_entry *entry = &state->entry;
  return route == PG_ROUTE_INSPECT && entry->region->n_dims > 1 && entry->n_iters > 1 && !entry->is_forced
	 && !pg_environment.inject && !cooperates (entry) && pg_environment.step < 0
	 && (choice == PG_CHOOSE_PROBE || entry->plan->n_hopeless > 0) && have_inspector (state, route)
	 && pg_pilot_meets (state->inspector, entry->view);
}

/* Run the rest of STATE's entry, which is for the pool, on WAY.  */
static enum pg_status
walk (struct pg_state *state, const struct pg_way *way)
{
  struct pg_entry *entry = &state->entry;
  if (way->route == PG_ROUTE_INSPECT)
    pg_plan_earn (entry->plan, entry->n_iters);
  enum pg_status status = pg_walk (state, way);
  bool is_left = status == PG_PLANNED || status == PG_FAULT_HANDLER || (status == PG_UNSETTLED && cooperates (entry));
  return is_left ? run_alone (entry, status) : status;
}

/* Whether STATE's entry, chosen by CHOICE, begins with a gate, without a look at its numbers: those of the last entries
   told nothing, and there is a verdict about the very numbers of this one.  Now and then they are asked all the same:
   what may be spent on them is more when more is known of costs.  Sets WAY.  */
static bool
gates_first (struct pg_state *state, enum pg_choice choice, struct pg_way *way)
{
  struct pg_entry *entry = &state->entry;
  enum pg_status ignored;
  if (choice != PG_CHOOSE_POOL || state->gates_left == 0 || state->inspector == NULL || pg_environment.step >= 0
      || cooperates (entry) || !is_for_pool (entry, PG_ROUTE_INSPECT, &ignored)
      || !pg_verdict_gate (state->inspector, entry->view, 0, &way->gated, &entry->gate))
    return false;
  state->gates_left--;
  way->route = PG_ROUTE_INSPECT;
  entry->rung = PG_RUNG_L2;
  return true;
}

/* Whether parts of ENTRY, on ROUTE, tell what it takes the caller alone: it is long, and each part is enough for all
   threads.  */
static bool
samples (const struct pg_entry *entry, enum pg_route route)
{
  enum pg_status ignored;
  return route == PG_ROUTE_FREE && pg_plan_samples (entry->plan, entry->n_iters)
	 && entry->n_iters >= (int64_t) LEAST_SAMPLED * pg_pool_most_threads () && !cooperates (entry)
	 && pg_entry_samples_cheaply (entry) && is_for_pool (entry, route, &ignored);
}

/* Run STATE's entry on the host by CHOICE and the ladder.  PG_OK, or, with nothing changed, a refusal.  */
static enum pg_status
run_on_host (struct pg_state *state, enum pg_choice choice)
{
  struct pg_entry *entry = &state->entry;
  enum pg_status status;
  struct pg_way way;
  if (choice == PG_CHOOSE_ORIGINAL || choice == PG_CHOOSE_SMALL)
    return run_alone (entry, choice == PG_CHOOSE_SMALL ? PG_SMALL : PG_PLANNED);
  if (gates_first (state, choice, &way))
    return walk (state, &way);
  settle_traced (entry, &way, &status);
  bool is_probed = choice == PG_CHOOSE_PROBE && way.route == PG_ROUTE_NONE && may_ask_again (entry);
  if (is_probed)
    {
      pg_entry_probe (entry);
      settle_traced (entry, &way, &status);
    }
  state->gates_left = way.route == PG_ROUTE_INSPECT ? GATES_IN_A_ROW : 0;
  if (way.route == PG_ROUTE_NONE)
    return status == PG_CONFLICT || pg_alike_possible (entry->region) || cooperates (entry) ? run_alone (entry, status)
											    : status;
  if (is_for_inner_loops (state, choice, way.route))
    return run_alone (entry, PG_CONFLICT);
  pg_plan_hopeful (entry->plan);
  if (choice == PG_CHOOSE_ALONE)
    {
      if (samples (entry, way.route))
	pg_entry_run_sampled (entry);
      else
	pg_entry_run_alone (entry, entry->n_iters);
      return PG_OK;
    }
  if (choice == PG_CHOOSE_PROBE && !is_probed)
    {
      pg_entry_probe (entry);
      if (way.route == PG_ROUTE_INSPECT)
	pg_entry_warm_up (entry);
      bool is_worth = way.route == PG_ROUTE_DOACROSS && is_for_pool (entry, way.route, &status);
      if (way.route == PG_ROUTE_INSPECT || is_worth)
	settle_traced (entry, &way, &status); /* now that it is known what that may cost */
    }
  if (!is_for_pool (entry, way.route, &status))
    return run_alone (entry, status);
  if (!have_inspector (state, way.route))
    return run_alone (entry, PG_MEMORY);
  return walk (state, &way);
}

/* Whether the user says what a device does, and *RUNS is that.  */
static bool
is_device_forced (enum pg_choice choice, enum pg_device_runs *runs)
{
  enum pg_plan_forced plan = pg_environment.plan;
  bool is_tested = pg_environment.race != PG_RACE_AUTO && (plan == PG_PLAN_AUTO || plan == PG_PLAN_POOL);
  *runs = choice == PG_CHOOSE_DEVICE                                                   ? PG_RUNS_DEVICE
	  : choice == PG_CHOOSE_COOPERATE || (is_tested && pg_environment.device != 0) ? PG_RUNS_BOTH
										       : PG_RUNS_HOST;
  return *runs != PG_RUNS_HOST || plan != PG_PLAN_AUTO || pg_environment.device == 0;
}

/* Have what is known of the device and STATE's loop there.  The manager may be at work on it: then, what was known.  */
static void
read_device_costs (struct pg_state *state)
{
  struct pg_device_plan *plan = &state->device_plan;
  if (!pg_manager_claim ())
    return;
  if (state->speculation != NULL)
    pg_device_costs_read (&plan->device, &plan->loop, &state->speculation->costs);
  pg_manager_release ();
}

/* Choose what a device does of STATE's entry.  */
static enum pg_device_runs
choose_device (struct pg_state *state)
{
  struct pg_device_plan *plan = &state->device_plan;
  int64_t n_iters = state->entry.n_iters;
  read_device_costs (state);
  enum pg_device_choice choice = pg_device_plan_choose (plan, n_iters, pg_plan_host_ns (&state->plan, n_iters));
  pg_count (&state->row.n_device_plans[choice], 1);
  PG_LOG (PLAN,
	  "region %s:%u, %lld iterations, plan with a device: %s; ns on the host %lld, there %lld, with copies %lld",
	  state->row.file, (unsigned) state->row.line, (long long) n_iters, pg_device_plan_names[choice],
	  (long long) plan->host_ns, (long long) plan->resident_ns, (long long) plan->now_ns);
  return pg_device_plan_runs (choice);
}

/* Run STATE's entry on the device alone, in MOST_NS.  What becomes of it.  */
static enum pg_offloaded
run_on_device (struct pg_state *state, int64_t most_ns)
{
  enum pg_offloaded result = pg_offload_run (&state->speculation, &state->bounds, &state->row, &state->entry, most_ns);
  pg_count (&state->row.n_offloaded[result], 1);
  PG_LOG (PLAN, "region %s:%u: device: %s", state->row.file, (unsigned) state->row.line, pg_offloaded_names[result]);
  return result;
}

/* Run STATE's entry by CHOICE and by the device, too, waiting for copies as pg_cooperate_begin says.  */
static enum pg_status
run_on_both (struct pg_state *state, enum pg_choice choice, int64_t most_wait_ns, int64_t learn_wait_ns)
{
  struct pg_entry *entry = &state->entry;
  pg_cooperate_begin (entry, &state->speculation, &state->bounds, &state->row, most_wait_ns, learn_wait_ns);
  enum pg_status status = choice == PG_CHOOSE_COOPERATE ? run_alone (entry, PG_PLANNED) : run_on_host (state, choice);
  pg_cooperate_end (entry);
  return status;
}

/* Run STATE's entry as the user says a device does: RUNS.  */
static enum pg_status
run_forced (struct pg_state *state, enum pg_choice choice, enum pg_device_runs runs)
{
  if (runs == PG_RUNS_BOTH)
    return run_on_both (state, choice, INT64_MAX, 0);
  if (runs == PG_RUNS_HOST)
    return run_on_host (state, choice);
  enum pg_offloaded result = run_on_device (state, INT64_MAX);
  if (result == PG_OFFLOAD_RAN || result == PG_OFFLOAD_CONFLICT)
    return PG_OK;
  return run_on_host (state, choose_on_host (state, state->entry.n_iters));
}

/* Run STATE's entry as the plan says, and learn whether it has gained by the device.  */
static enum pg_status
run_by_costs (struct pg_state *state, enum pg_choice choice)
{
  struct pg_entry *entry = &state->entry;
  struct pg_device_plan *plan = &state->device_plan;
  enum pg_device_runs runs = choose_device (state);
  enum pg_offloaded result = PG_OFFLOAD_RAN;
  enum pg_status status = PG_OK;
  int64_t start = pg_now ();
  if (runs == PG_RUNS_DEVICE)
    result = run_on_device (state, pg_device_plan_most_ns (plan));
  if (runs == PG_RUNS_BOTH)
    status = run_on_both (state, choice, plan->host_ns / COPY_SHARE, pg_device_plan_learn_ns (plan));
  else if (runs == PG_RUNS_HOST || (result != PG_OFFLOAD_RAN && result != PG_OFFLOAD_CONFLICT))
    status = run_on_host (state, choice);
  if (runs != PG_RUNS_HOST)
    pg_device_plan_learn (plan, entry->used_device, entry->n_conflicts > 0, pg_now () - start);
  return status;
}

/* Run STATE's entry by the plan, the ladder, and a device.  PG_OK, or, with nothing changed, a refusal.  */
static enum pg_status
run_planned (struct pg_state *state, enum pg_choice choice)
{
  enum pg_device_runs runs;
  if (pg_environment.step == PG_RUNG_L5)
    {
      pg_entry_run_alone (&state->entry, state->entry.n_iters);
      return PG_OK;
    }
  return is_device_forced (choice, &runs) ? run_forced (state, choice, runs) : run_by_costs (state, choice);
}

/* Let the plan learn that an entry of DESCRIPTOR's region was too small.  */
static void
learn_small (struct pg_state *state, struct pg_descriptor *descriptor)
{
  int64_t threshold = __atomic_load_n (&descriptor->threshold, __ATOMIC_RELAXED);
  if (pg_region_has_fixed_grid (&state->region))
    return;
  int64_t raised = pg_plan_raise (&state->plan, threshold, state->region.n_dims > 1);
  if (raised == threshold)
    return;
  PG_LOG (PLAN, "region %s:%u: handed over from %lld iterations on", state->row.file, (unsigned) state->row.line,
	  (long long) raised);
  __atomic_store_n (&descriptor->threshold, raised, __ATOMIC_RELAXED);
}

/* Let the plan learn from an entry that ended with STATUS after WALL_NS.  */
static void
learn (struct pg_state *state, struct pg_descriptor *descriptor, enum pg_choice choice, enum pg_status status,
       int64_t wall_ns)
{
  struct pg_entry *entry = &state->entry;
  int64_t caller_ns = pg_entry_alone_ns (entry, entry->n_iters);
  int64_t alone_ns = pg_plan_alone_ns (entry->plan, entry->n_iters);
  if (entry->used_pool)
    pg_count (&state->row.saved_ns, (alone_ns > 0 ? alone_ns : caller_ns) - wall_ns);
  if (entry->is_forced || choice == PG_CHOOSE_DEVICE || choice == PG_CHOOSE_COOPERATE || entry->used_device
      || pg_environment.inject || entry->has_given_up)
    return;
  if (entry->used_doacross)
    pg_plan_learn_parts (entry->plan, entry->n_iters, entry->pooled_iters, entry->pooled_ns, entry->pooled_alone_ns);
  if (choice == PG_CHOOSE_ALONE && entry->sampled_iters > 0)
    pg_plan_learn_alone (entry->plan, entry->n_iters,
			 pg_plan_share (entry->sampled_ns, entry->n_iters, entry->sampled_iters), true);
  else if (entry->used_pool)
    pg_plan_judge (entry->plan, entry->n_iters, entry->pooled_iters, entry->pooled_ns,
		   entry->used_doacross ? entry->pooled_alone_ns : pg_entry_alone_ns (entry, entry->pooled_iters));
  else if (choice == PG_CHOOSE_ALONE && status == PG_OK)
    pg_plan_learn_alone (entry->plan, entry->n_iters, entry->caller_ns, false);
  else if (entry->vain_ns > 0 || (choice != PG_CHOOSE_PROBE && wall_ns - entry->caller_ns > USUAL_NS))
    pg_plan_searched (entry->plan, entry->n_iters, wall_ns - entry->caller_ns - entry->asked_ns + entry->vain_ns);
  else if (status == PG_OK && caller_ns < PG_PLAN_LEAST_NS)
    learn_small (state, descriptor);
}

/* What ran ENTRY.  */
static const char *
ran_by (const struct pg_entry *entry)
{
  return entry->used_device ? "device" : entry->used_pool ? "pool" : "sequential";
}

/* Count an entry that ran, in WALL_NS.  */
static void
count (struct pg_row *row, const struct pg_entry *entry, int64_t wall_ns)
{
  enum pg_rung rung = entry->used_pool || entry->used_device ? entry->rung : PG_RUNG_L5;
  if (entry->used_device)
    pg_count (&row->n_mapped[entry->mapped], 1);
  pg_count (entry->used_device ? &row->n_device : entry->used_pool ? &row->n_pool : &row->n_sequential, 1);
  pg_count (&row->n_rungs[rung], 1);
  pg_count (&row->n_doacross, entry->used_doacross && !entry->used_device);
  pg_count (&row->n_conflicts, entry->n_conflicts);
  pg_count (&row->n_redone, entry->n_redone);
  pg_count (&row->n_iters, entry->n_iters);
  pg_count (&row->ns, wall_ns);
  PG_LOG (PLAN, "region %s:%u: %s, rung %s, %lld conflicts, %lld ns", row->file, (unsigned) row->line, ran_by (entry),
	  pg_rung_names[rung], (long long) entry->n_conflicts, (long long) wall_ns);
}

/* Whether F is the original loop only as long as no iteration changes what ENTRY's number of iterations was computed
   from, say, and one may.  Then the plan learns that there is nothing to be gained.  */
static bool
has_stale_load (const struct pg_entry *entry)
{
  if (!(entry->region->flags & PG_REGION_RELIES_ON_LOADS) || !pg_numbers_may_change (entry->view))
    return false;
  pg_plan_hopeless (entry->plan, entry->n_iters);
  pg_plan_back_off (entry->plan);
  return true;
}

/* The clock at NS without the time that the thread has spent in entries.  What they take is their regions' to learn,
   and changes with what those learn: it says nothing about what an entry costs the program after it has ended.  */
static int64_t
program_ns (int64_t ns)
{
  return ns - pg_thread_self ()->entries_ns;
}

/* The entry of DESCRIPTOR's region that has been admitted, after its CHOICE.  What the plan refuses has to cost next to
   nothing.  */
static enum pg_status
run_chosen (struct pg_state *state, struct pg_descriptor *descriptor, enum pg_choice choice, void *args,
	    int64_t n_iters)
{
  const struct pg_region *region = &state->region;
  struct pg_entry *entry = &state->entry;
  struct pg_comparison comparison;
  bool is_compared = pg_environment.mode == PG_MODE_COMPARE;
  if (choice == PG_CHOOSE_SMALL)
    {
      pg_plan_refuse (&state->plan, n_iters, 0);
      learn_small (state, descriptor);
      return PG_SMALL;
    }
  bool gains = gains_alone (region) && !pg_plan_is_hopeless (&state->plan) && !state->plan.is_dear;
  if (choice == PG_CHOOSE_ORIGINAL && pg_environment.step != PG_RUNG_L5 && !gains && pg_environment.device == 0)
    {
      pg_plan_refuse (&state->plan, n_iters, pg_plan_wants_begin (&state->plan, n_iters) ? program_ns (pg_now ()) : 0);
      return PG_PLANNED;
    }

  int64_t start = pg_now ();
  pg_plan_begin (&state->plan, program_ns (start));
  pg_entry_open (entry, region, &state->plan, args, n_iters, pg_environment.plan == PG_PLAN_POOL);
  pg_view_renew (entry->view, region, args, n_iters);
  if (pg_view_begins_at (entry->view, &errno))
    return PG_ERRNO;
  if (has_stale_load (entry))
    return PG_STALE_LOAD;
  if (is_compared)
    pg_compare_save (&comparison, entry, &state->row);
  enum pg_status status = run_planned (state, choice);
  if (is_compared)
    pg_compare_check (&comparison, entry, &state->row, status == PG_OK);
  int64_t wall_ns = pg_now () - start;
  learn (state, descriptor, choice, status, wall_ns);
  pg_thread_self ()->entries_ns += wall_ns;
  pg_plan_leave (&state->plan, program_ns (start + wall_ns));
  if (status == PG_OK)
    count (&state->row, entry, wall_ns);
  return status;
}

/* The entry of DESCRIPTOR's region that has been admitted.  */
static enum pg_status
run (struct pg_state *state, struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  static const char *const names[]
    = { [PG_CHOOSE_ORIGINAL] = "original",  [PG_CHOOSE_SMALL] = "small", [PG_CHOOSE_PROBE] = "probe",
	[PG_CHOOSE_ALONE] = "alone",        [PG_CHOOSE_POOL] = "pool",   [PG_CHOOSE_DEVICE] = "device",
	[PG_CHOOSE_COOPERATE] = "cooperate" };
  int64_t traced = pg_trace_begin (PG_TRACE_ENTRY, &state->region);
  enum pg_choice choice = choose (state, n_iters);
  enum pg_status status = run_chosen (state, descriptor, choice, args, n_iters);
  if (status == PG_OK)
    PG_TRACE (ENTRY, traced, &state->region, .numbers = { n_iters, state->entry.n_conflicts },
	      .words = { names[choice], ran_by (&state->entry) });
  else
    PG_TRACE (ENTRY, traced, &state->region, .numbers = { n_iters },
	      .words = { names[choice], pg_status_names[status] });
  return status;
}

/* Leave the loop of DESCRIPTOR, which cannot be read, alone from now on.  */
static void
shut (struct pg_descriptor *descriptor)
{
  pg_stats_foreign (PG_MALFORMED);
  PG_LOG (ENTER, "a descriptor that the plugin does not write");
  __atomic_store_n (&descriptor->threshold, INT64_MAX, __ATOMIC_RELAXED);
}

/* Run an entry of DESCRIPTOR's region, for which no state can be made now, if it has a fixed grid.  */
static __attribute__ ((noinline)) bool
run_stateless (const struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  struct pg_region region;
  uint32_t packed_len;
  const unsigned char *packed = pg_descriptor_packed (descriptor, &packed_len);
  if (!pg_descriptor_begin (&region, descriptor) || !pg_region_has_fixed_grid (&region))
    return false;
  void *tables = __builtin_alloca_with_align (pg_descriptor_tables_len (&region) + 1, 64);
  if (!pg_descriptor_unpack (&region, descriptor, packed, tables))
    return false;
  pg_entry_run_grid (&region, args, n_iters);
  return true;
}

int
pg_region_run (struct pg_descriptor *descriptor, void *args, int64_t n_iters)
{
  int loop_errno = errno;
  struct pg_state *state;
  volatile uint64_t mark = 0;
  enum pg_status status = admit (descriptor, &mark, &state);
  if (state == NULL)
    {
      errno = loop_errno;
      if (status != PG_MALFORMED)
	return run_stateless (descriptor, args, n_iters);
      shut (descriptor);
      return 0;
    }
  if (status == PG_OK)
    {
      state->entry.loop_errno = loop_errno;
      status = run (state, descriptor, args, n_iters);
      loop_errno = state->entry.loop_errno;
      leave (state);
    }
  else
    PG_TRACE (REFUSED, 0, &state->region, .numbers = { n_iters }, .words = { pg_status_names[status] });
  bool on_grid = status != PG_OK && status != PG_FILTERED && pg_region_has_fixed_grid (&state->region);
  if (on_grid)
    {
      errno = loop_errno;
      pg_entry_run_grid (&state->region, args, n_iters);
      loop_errno = errno;
    }
  pg_count (&state->row.n_entries, 1);
  pg_count (&state->row.n_statuses[status], 1);
  if (status != PG_OK)
    pg_count (on_grid ? &state->row.n_sequential : &state->row.n_original, 1);
  PG_LOG (ENTER, "region %s:%u, %lld iterations: %s", state->row.file, (unsigned) state->row.line, (long long) n_iters,
	  pg_status_names[status]);
  errno = loop_errno;
  return status == PG_OK || on_grid;
}
