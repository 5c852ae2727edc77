/* SPDX-License-Identifier: MIT
   A pass of an inspection: the monitor run over a macro-chunk by jobs on the pool, each with a scout that it tells
   (telling.h).  Little work is one job, on the caller: waking others would take longer.

   What all jobs of a thread can share is the thread's seat: maps of the sieve, and logs.  */
#include "scout.h"
#include "budget.h"
#include "environment.h"
#include "futex.h"
#include "pool.h"
#include "telling.h"
#include "thread.h"
#include "trace.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum
{
  JOBS_PER_THREAD = 4, /* the pool balances by handing out jobs */
  ALONE_NS = 20000,    /* work up to this is one job */
  FEW_ITERS = 64,      /* so much, if its cost is not known */
  JOB_NS = 10000,      /* what is more is cut into jobs of at least about so much */
  LONG_NS = 20000000,  /* and at most about so much, so that signals get in between them, */
  MOST_ROUNDS = 256,   /* but at most so many jobs for each thread */
  MONITOR_SHARE = 3,   /* about so many times the loop's own work is the monitor's, until that is known */
  SCOUT_LEN = 5 * PG_CACHE_LINE
};

_Static_assert(sizeof (struct pg_scout) <= SCOUT_LEN, "traces begin behind the scout");

static struct pg_scout *
scout_of (const struct pg_inspector *inspector, int64_t index)
{
  return (struct pg_scout *) (inspector->jobs + (size_t) index * inspector->job_stride);
}

const struct pg_trace *
pg_scout_traces (const struct pg_inspector *inspector, int64_t index)
{
  return (const struct pg_trace *) ((const char *) scout_of (inspector, index) + SCOUT_LEN);
}

const struct pg_run *
pg_scout_runs (const struct pg_inspector *inspector, int64_t index, size_t *n)
{
  const struct pg_scout *scout = scout_of (inspector, index);
  *n = scout->n_runs;
  return scout->n_runs > scout->max_runs || scout->has_long_run ? NULL : scout->runs;
}

/* Nothing that job LO's iterations could still say would change the result of PASS.  */
static bool
is_decided (struct pg_pass *pass, int64_t first_stamp)
{
  if (pass->is_tracing)
    return false;
  return pass->marking == PG_MARK_SIEVE
	   ? atomic_load_explicit (&pass->is_doubtful, memory_order_relaxed)
	   : first_stamp > (int64_t) atomic_load_explicit (&pass->conflict, memory_order_relaxed);
}

/* What a thread uses while it runs a job, for one after the other.  Logs stand in front of the seats, aligned to their
   length.  Seats are taken from the first on, so those ever taken in a run are the first ones.  */
struct seat
{
  _Atomic bool is_taken;
};

static struct seat *
seat_of (const struct pg_pass *pass, int64_t index)
{
  size_t logs_len = (size_t) pass->n_seats * pass->inspector->region->n_refs * PG_LOG_LEN;
  return (struct seat *) (pass->inspector->seats + logs_len + (size_t) index * PG_CACHE_LINE);
}

/* Take a seat.  There are as many as threads.  */
static int64_t
take_seat (const struct pg_pass *pass)
{
  for (;; sched_yield ())
    for (int64_t i = 0; i < pass->n_seats; i++)
      if (!atomic_exchange_explicit (&seat_of (pass, i)->is_taken, true, memory_order_acquire))
	return i;
}

/* Free all seats for a run of PASS.  A run that a signal's handler jumped out of leaves some taken.  */
static void
clear_seats (struct pg_pass *pass)
{
  for (int64_t i = 0; i < pass->n_seats; i++)
    atomic_store_explicit (&seat_of (pass, i)->is_taken, false, memory_order_relaxed);
}

/* Make SCOUT, of the job that begins at LO, ready, but for what it finds in a seat.  */
static void
equip (struct pg_scout *scout, const struct pg_pass *pass, int64_t lo)
{
  const struct pg_inspector *inspector = pass->inspector;
  scout->monitor = (struct pg_monitor) {
    .iter = lo,
    .touch = pass->telling->touch,
    .touch_row = pass->telling->touch_row,
    .drain = pass->telling->drain,
    .gather = pass->telling->gather,
  };
  scout->roles = inspector->roles;
  scout->refs = inspector->region->refs;
  scout->traces = (struct pg_trace *) ((char *) scout + SCOUT_LEN);
  scout->monitor.tails = (struct pg_tail *) (scout->traces + inspector->region->n_refs);
  scout->monitor.gathers = scout->monitor.tails + inspector->region->n_refs;
  scout->monitor.next = (struct pg_log_entry **) (scout->monitor.gathers + inspector->region->n_refs);
  scout->cells = inspector->shadow.cells;
  scout->bias = (int64_t) inspector->shadow.floor + 1 - pass->lo;
  scout->floor = inspector->shadow.floor;
  scout->conflict = atomic_load_explicit (&pass->conflict, memory_order_relaxed);
  scout->is_doubtful = atomic_load_explicit (&pass->is_doubtful, memory_order_relaxed);
}

/* Seat SCOUT at seat INDEX.  Its logs are empty.  */
static void
seat (struct pg_scout *scout, const struct pg_pass *pass, int64_t index)
{
  struct pg_inspector *inspector = pass->inspector;
  uint32_t n_refs = inspector->region->n_refs;
  char *logs = inspector->seats + (size_t) index * n_refs * PG_LOG_LEN;
  for (uint32_t r = 0; r < n_refs; r++)
    {
      bool is_wanted = inspector->roles[r].what & pass->telling->roles;
      scout->monitor.next[r] = is_wanted ? (struct pg_log_entry *) (logs + r * PG_LOG_LEN) : NULL;
    }
  if (pass->marking == PG_MARK_SIEVE)
    pg_sieve_take (&inspector->sieve, index, &scout->writes, &scout->reads);
}

/* Let another scout have seat INDEX.  */
static void
unseat (const struct pg_scout *scout, const struct pg_pass *pass, int64_t index)
{
  if (pass->marking == PG_MARK_SIEVE)
    pg_sieve_put (&pass->inspector->sieve, index, &scout->writes, &scout->reads);
  atomic_store_explicit (&seat_of (pass, index)->is_taken, false, memory_order_release);
}

/* Begin the traces of SCOUT, of job INDEX.  */
static void
begin_traces (struct pg_scout *scout, const struct pg_pass *pass, int64_t index)
{
  const struct pg_inspector *inspector = pass->inspector;
  for (uint32_t r = 0; pass->is_tracing && r < inspector->region->n_refs; r++)
    scout->traces[r] = (struct pg_trace) { .low = UINTPTR_MAX };
  pg_telling_begin (scout, inspector->region->n_refs);
  if (!pass->is_tracing)
    return;
  scout->runs = inspector->runs + (size_t) index * inspector->max_runs;
  scout->max_runs = inspector->max_runs;
  scout->n_runs = scout->n_touched = 0;
  scout->has_long_run = false;
}

/* Put what SCOUT found into PASS.  */
static void
hand_in (struct pg_pass *pass, const struct pg_scout *scout)
{
  if (scout->is_doubtful)
    atomic_store_explicit (&pass->is_doubtful, true, memory_order_relaxed);
  uint32_t best = atomic_load_explicit (&pass->conflict, memory_order_relaxed);
  while (scout->conflict < best
	 && !atomic_compare_exchange_weak_explicit (&pass->conflict, &best, scout->conflict, memory_order_relaxed,
						    memory_order_relaxed))
    continue;
}

/* Run the monitor over part INDEX.  Its floating-point flags and errno are not the program's: dropped.  */
static void
run_part (void *arg, int64_t index)
{
  struct pg_pass *pass = arg;
  struct pg_inspector *inspector = pass->inspector;
  struct pg_scout *scout = scout_of (inspector, index);
  int64_t lo = pass->lo + index * pass->chunk;
  int64_t hi = pass->hi - lo < pass->chunk ? pass->hi : lo + pass->chunk;

  equip (scout, pass, lo);
  if (is_decided (pass, lo + scout->bias))
    return;
  int64_t place = take_seat (pass);
  seat (scout, pass, place);
  begin_traces (scout, pass, index);

  int64_t traced = pg_trace_begin (PG_TRACE_MONITOR, inspector->region);
  int saved_errno = errno;
  fenv_t saved_env;
  fegetenv (&saved_env);
  fesetenv (&pass->env);
  inspector->region->monitor ((void *) pass->view->args, lo, hi, scout);
  pass->telling->end (scout, inspector->region->n_refs);
  fesetenv (&saved_env);
  errno = saved_errno;
  PG_TRACE (MONITOR, traced, inspector->region, .numbers = { lo, hi });

  unseat (scout, pass, place);
  hand_in (pass, scout);
}

/* What running the monitor over N_ITERS iterations takes one thread, in ns; 0: unknown.  */
static int64_t
expected_ns (const struct pg_inspector *inspector, int64_t n_iters)
{
  if (inspector->iter_ps == 0)
    return inspector->work_ns < INT64_MAX / MONITOR_SHARE ? inspector->work_ns * MONITOR_SHARE : INT64_MAX;
  return inspector->iter_ps < INT64_MAX / n_iters ? inspector->iter_ps * n_iters / 1000 : INT64_MAX;
}

/* The number of jobs for N_ITERS iterations.  */
static int64_t
count_jobs (const struct pg_inspector *inspector, int64_t n_iters)
{
  int64_t ns = expected_ns (inspector, n_iters), n_threads = pg_pool_threads ();
  if (pg_environment.plan == PG_PLAN_POOL || (ns == 0 && n_iters > FEW_ITERS))
    return n_threads * JOBS_PER_THREAD;
  if (ns < ALONE_NS)
    return 1;
  int64_t n_rounds = ns / n_threads / JOB_NS, n_long = ns / n_threads / LONG_NS;
  n_rounds = n_rounds < 1 ? 1 : n_rounds < JOBS_PER_THREAD ? n_rounds : JOBS_PER_THREAD;
  return n_threads * (n_long <= n_rounds ? n_rounds : n_long < MOST_ROUNDS ? n_long : MOST_ROUNDS);
}

/* Make room for the runs of PASS, if any are to be noted.  Without, they are lost.  */
static void
reserve_runs (struct pg_pass *pass)
{
  struct pg_inspector *inspector = pass->inspector;
  bool are_wanted = false;
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    are_wanted |= (inspector->roles[r].what & PG_ROLE_RUNS) != 0;
  if (!are_wanted)
    return;
  int64_t max_runs = pass->chunk * inspector->runs_an_iter + FEW_ITERS;
  inspector->max_runs = max_runs < UINT32_MAX ? (uint32_t) max_runs : 0;
  size_t len = (size_t) pass->n_jobs * inspector->max_runs * sizeof (struct pg_run);
  inspector->runs = pg_budget_grow (inspector->runs, &inspector->runs_len, len);
  if (inspector->runs == NULL)
    inspector->max_runs = 0;
}

bool
pg_pass_begin (struct pg_pass *pass, struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  int64_t n_iters = hi - lo, n_jobs = count_jobs (inspector, hi - lo);
  pass->inspector = inspector;
  pass->view = view;
  pass->lo = lo;
  pass->hi = hi;
  pass->chunk = (n_iters + n_jobs - 1) / n_jobs;
  pass->n_jobs = (n_iters + pass->chunk - 1) / pass->chunk;
  fegetenv (&pass->env);

  size_t trace_len = sizeof (struct pg_trace) + 2 * sizeof (struct pg_tail) + sizeof (struct pg_log_entry *);
  size_t traces_len = inspector->region->n_refs * trace_len;
  inspector->job_stride = SCOUT_LEN + (traces_len + PG_CACHE_LINE - 1) / PG_CACHE_LINE * PG_CACHE_LINE;
  reserve_runs (pass);
  inspector->jobs = pg_budget_grow (inspector->jobs, &inspector->jobs_len, (size_t) n_jobs * inspector->job_stride);
  pass->n_seats = n_jobs < pg_pool_threads () ? n_jobs : pg_pool_threads ();
  size_t seats_len = (size_t) pass->n_seats * (inspector->region->n_refs * PG_LOG_LEN + PG_CACHE_LINE);
  inspector->seats = pg_budget_grow (inspector->seats, &inspector->seats_len, seats_len);
  return inspector->jobs != NULL && inspector->seats != NULL;
}

/* Learn that N_ITERS iterations took N_THREADS threads NS.  */
static void
learn_cost (struct pg_inspector *inspector, int64_t n_iters, int64_t n_threads, int64_t ns)
{
  int64_t ps = ns < INT64_MAX / (1000 * n_threads) ? ns * 1000 * n_threads / n_iters : INT64_MAX / 4;
  inspector->iter_ps = (inspector->iter_ps == 0 ? ps : (inspector->iter_ps * 3 + ps) / 4) + 1;
}

/* Run PASS with TELLING.  */
static void
run (struct pg_pass *pass, enum pg_marking marking, const struct pg_telling *telling)
{
  pass->marking = marking;
  pass->telling = telling;
  pass->n_runs++;
  clear_seats (pass);
  int64_t start = pg_now (), n_threads = pg_pool_threads ();
  pg_pool_run (run_part, pass, pass->n_jobs);
  if (pass->is_tracing)
    learn_cost (pass->inspector, pass->hi - pass->lo, pass->n_jobs < n_threads ? pass->n_jobs : n_threads,
		pg_now () - start);
}

/* Forget what earlier runs of PASS found.  */
static void
forget (struct pg_pass *pass)
{
  atomic_store_explicit (&pass->conflict, PG_NO_STAMP, memory_order_relaxed);
  atomic_store_explicit (&pass->is_doubtful, false, memory_order_relaxed);
}

/* Learn from the first and the last job that touched REF how its range moves on.  */
static void
learn_drift (struct pg_inspector *inspector, uint32_t ref, const struct pg_pass *pass)
{
  int64_t first = 0, last = pass->n_jobs - 1;
  while (first < last && pg_scout_traces (inspector, first)[ref].end == 0)
    first++;
  while (first < last && pg_scout_traces (inspector, last)[ref].end == 0)
    last--;
  if (first == last)
    return;
  const struct pg_trace *a = &pg_scout_traces (inspector, first)[ref], *b = &pg_scout_traces (inspector, last)[ref];
  inspector->drifts[ref] = (struct pg_drift) {
    .low = (intptr_t) (b->low - a->low),
    .end = (intptr_t) (b->end - a->end),
    .n_iters = (last - first) * pass->chunk,
    .stays = a->low < b->end && b->low < a->end,
  };
}

/* Put all jobs' traces together.  */
static void
add_up_traces (struct pg_inspector *inspector, const struct pg_pass *pass)
{
  uint32_t n_refs = inspector->region->n_refs;
  memset (inspector->totals, 0, n_refs * sizeof *inspector->totals);
  for (int64_t j = 0; j < inspector->n_traced; j++)
    for (uint32_t r = 0; r < n_refs; r++)
      {
	const struct pg_trace *part = &pg_scout_traces (inspector, j)[r];
	struct pg_range *total = &inspector->totals[r];
	if (part->end == 0)
	  continue;
	if (total->end == 0 || part->low < total->low)
	  total->low = part->low;
	if (part->end > total->end)
	  total->end = part->end;
	total->bits |= part->bits;
      }
  inspector->has_totals = true;
  for (uint32_t r = 0; r < n_refs; r++)
    learn_drift (inspector, r, pass);
}

void
pg_pass_trace (struct pg_pass *pass, enum pg_marking marking)
{
  forget (pass);
  pass->is_tracing = true;
  if (marking == PG_MARK_NOT)
    run (pass, marking, &pg_tell_trace);
  else if (marking == PG_MARK_SIEVE)
    run (pass, marking, &pg_tell_trace_sieve);
  else
    run (pass, marking, &pg_tell_trace_shadow);
  pass->inspector->lo = pass->lo;
  pass->inspector->hi = pass->hi;
  pass->inspector->n_traced = pass->n_jobs;
  add_up_traces (pass->inspector, pass);
}

void
pg_pass_mark (struct pg_pass *pass, enum pg_marking marking)
{
  forget (pass);
  pass->is_tracing = false;
  if (marking == PG_MARK_SIEVE)
    run (pass, marking, &pg_tell_sieve);
  else
    run (pass, marking, &pg_tell_shadow);
}

void
pg_pass_check (struct pg_pass *pass)
{
  pass->is_tracing = false;
  run (pass, PG_MARK_SHADOW, &pg_tell_check);
}
