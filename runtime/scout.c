/* SPDX-License-Identifier: MIT
   A pass of an inspection: the monitor run over a macro-chunk by jobs on the pool, each with a scout that it calls.
   Little work is one job, on the caller: waking others would take longer.

   The monitor calls touch () for every access that the loop would make, so the functions here are all that counts
   in an inspection's time.  There is one for each kind of pass, made from one inline function, and each begins
   with the question whether this reference has a part in the pass at all.  */
#include "scout.h"
#include "budget.h"
#include "environment.h"
#include "futex.h"
#include "pool.h"

#include <errno.h>
#include <string.h>

enum
{
  JOBS_PER_THREAD = 4, /* the pool balances by handing out jobs */
  ALONE_NS = 20000,    /* work up to this is one job */
  FEW_ITERS = 64,      /* so much, if its cost is not known */
  CACHE_LINE = 64,
  SCOUT_LEN = 2 * CACHE_LINE
};

struct scout
{
  struct pg_monitor monitor; /* first: what the monitor sees */
  const struct pg_role *roles;
  struct pg_trace *traces;
  _Atomic uint32_t *cells; /* the shadow's */
  uint64_t *map;           /* the sieve's, to mark in or to compare with */
  int64_t bias;            /* stamp of iteration i: i + BIAS */
  uint32_t floor;
  uint32_t conflict; /* smallest stamp so far */
  uint32_t n_touched;
  size_t n_runs, max_runs; /* met, and kept */
  struct pg_run *runs;
  bool is_doubtful;
  bool has_long_run;
};

_Static_assert(sizeof (struct scout) <= SCOUT_LEN, "traces begin behind the scout");

static inline void
report (struct scout *scout, uint32_t stamp)
{
  if (stamp < scout->conflict)
    scout->conflict = stamp;
}

/* Note the run of REF in STREAM, if any.  */
static void
end_run (struct scout *scout, const struct pg_trace *t, int64_t ref, int stream)
{
  uintptr_t low = t->streams[stream].low, len = t->streams[stream].end - low;
  if (t->streams[stream].end == 0)
    return;
  if (scout->n_runs < scout->max_runs)
    scout->runs[scout->n_runs] = (struct pg_run) { low, (uint32_t) len, (uint32_t) ref };
  scout->n_runs++;
  scout->has_long_run |= len > UINT32_MAX;
}

/* Note LEN bytes at ADDRESS in the runs of REF.  Streams mostly take turns: the one that is due is asked first, and
   makes room where nobody goes on.  */
static void
add_to_run (struct scout *scout, struct pg_trace *t, int64_t ref, uintptr_t address, uintptr_t len)
{
  for (int tries = 0; tries < PG_STREAMS; tries++)
    {
      int stream = (t->stream + 1 + tries) % PG_STREAMS;
      if (address + len < t->streams[stream].low || address > t->streams[stream].end)
	continue;
      if (address < t->streams[stream].low)
	t->streams[stream].low = address;
      if (address + len > t->streams[stream].end)
	t->streams[stream].end = address + len;
      t->stream = (uint8_t) stream;
      return;
    }
  t->stream = (t->stream + 1) % PG_STREAMS;
  end_run (scout, t, ref, t->stream);
  t->streams[t->stream].low = address;
  t->streams[t->stream].end = address + len;
}

/* Note how REF, which feeds the monitor, goes through memory.  */
static __attribute__ ((noinline)) void
trace_steps (struct scout *scout, int64_t ref, uintptr_t address, uintptr_t len)
{
  struct pg_trace *t = &scout->traces[ref];
  if (scout->roles[ref].what & PG_ROLE_RUNS)
    {
      add_to_run (scout, t, ref, address, len);
      return;
    }
  intptr_t gap_above = (intptr_t) (address - t->last) - (intptr_t) t->last_len;
  intptr_t gap_below = (intptr_t) (t->last - address) - (intptr_t) len;
  if (t->end != 0)
    t->is_sparse |= gap_above > PG_DENSE_STEP || gap_below > PG_DENSE_STEP;
  t->last = address;
  t->last_len = len;
}

static inline void
trace (struct scout *scout, int64_t ref, uintptr_t address, uintptr_t len)
{
  struct pg_trace *t = &scout->traces[ref];
  if (scout->roles[ref].what & (PG_ROLE_FEED | PG_ROLE_RUNS))
    trace_steps (scout, ref, address, len);
  if (address < t->low)
    {
      if (t->end == 0)
	t->order = scout->n_touched++;
      t->low = address;
    }
  if (address + len > t->end)
    t->end = address + len;
  t->bits |= address | len;
}

/* Mark LEN bytes at ADDRESS, all of them in the area of REF and aligned to its cells.  A bit of the sieve that was set
   by the touch before, of the same bytes in the same iteration, as in a sum kept in memory, says nothing new.  */
static inline void
mark (struct scout *scout, int64_t ref, uintptr_t address, uintptr_t len, enum pg_marking marking)
{
  const struct pg_role *role = &scout->roles[ref];
  struct pg_trace *t = &scout->traces[ref];
  size_t cell = role->first + ((address - role->low) >> role->shift), n_cells = len >> role->shift;
  int64_t iter = scout->monitor.iter;
  if (marking == PG_MARK_SIEVE)
    {
      bool is_set = n_cells == 1 ? pg_sieve_mark (scout->map, cell) : pg_sieve_mark_all (scout->map, cell, n_cells);
      if (is_set && (address != t->marked || (int64_t) len != t->marked_len || iter != t->marked_iter))
	scout->is_doubtful = true;
      t->marked = address;
      t->marked_len = (int64_t) len;
      t->marked_iter = iter;
      return;
    }
  for (size_t end = cell + n_cells; cell < end; cell++)
    report (scout, pg_shadow_mark (&scout->cells[cell], scout->floor, (uint32_t) (iter + scout->bias)));
}

static inline void
check (struct scout *scout, const struct pg_role *role, uintptr_t address, uintptr_t len, enum pg_marking marking)
{
  uintptr_t from = address > role->low ? address : role->low;
  uintptr_t end = address + len < role->end ? address + len : role->end;
  if (from >= end)
    return;
  uint32_t stamp = (uint32_t) (scout->monitor.iter + scout->bias);
  size_t cell = role->first + ((from - role->low) >> role->shift);
  size_t behind = role->first + ((end - role->low - 1) >> role->shift) + 1;
  if (marking == PG_MARK_SIEVE)
    {
      scout->is_doubtful
	|= behind - cell == 1 ? pg_sieve_test (scout->map, cell) : pg_sieve_test_any (scout->map, cell, behind - cell);
      return;
    }
  for (; cell < behind; cell++)
    {
      uint32_t writer = pg_shadow_writer (&scout->cells[cell], scout->floor);
      if (writer != PG_NO_STAMP && (writer != stamp || (role->what & PG_ROLE_EARLY)))
	report (scout, writer > stamp ? writer : stamp);
    }
}

/* The touch function of a pass.  While tracing, the layout is a guess: what does not fit is not marked.  */
static inline __attribute__ ((always_inline)) void
touch_any (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n, bool is_tracing,
	   enum pg_marking marking)
{
  struct scout *scout = (struct scout *) monitor;
  const struct pg_role *role = &scout->roles[ref];
  uintptr_t address = (uintptr_t) start, len = (uintptr_t) n;
  uint8_t wanted = (uint8_t) ((is_tracing ? PG_ROLE_TRACE : 0) | (marking != PG_MARK_NOT ? PG_ROLE_MARK : 0));
  if (!(role->what & wanted) || n <= 0)
    return;
  if (is_tracing)
    trace (scout, ref, address, len);
  if (marking == PG_MARK_NOT || !(role->what & PG_ROLE_MARK))
    return;
  if (is_tracing
      && (address < role->low || address >= role->end || len > role->end - address
	  || ((address | len) & (((uintptr_t) 1 << role->shift) - 1)) != 0))
    return;
  mark (scout, ref, address, len, marking);
}

static void
touch_trace (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  touch_any (monitor, ref, start, n, true, PG_MARK_NOT);
}

static void
touch_trace_sieve (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  touch_any (monitor, ref, start, n, true, PG_MARK_SIEVE);
}

static void
touch_trace_shadow (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  touch_any (monitor, ref, start, n, true, PG_MARK_SHADOW);
}

static void
touch_sieve (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  touch_any (monitor, ref, start, n, false, PG_MARK_SIEVE);
}

static void
touch_shadow (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  touch_any (monitor, ref, start, n, false, PG_MARK_SHADOW);
}

static void
check_sieve (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  struct scout *scout = (struct scout *) monitor;
  if ((scout->roles[ref].what & PG_ROLE_CHECK) && n > 0)
    check (scout, &scout->roles[ref], (uintptr_t) start, (uintptr_t) n, PG_MARK_SIEVE);
}

static void
check_shadow (struct pg_monitor *monitor, int64_t ref, const void *start, int64_t n)
{
  struct scout *scout = (struct scout *) monitor;
  if ((scout->roles[ref].what & PG_ROLE_CHECK) && n > 0)
    check (scout, &scout->roles[ref], (uintptr_t) start, (uintptr_t) n, PG_MARK_SHADOW);
}

static struct scout *
scout_of (const struct pg_inspector *inspector, int64_t index)
{
  return (struct scout *) (inspector->jobs + (size_t) index * inspector->job_stride);
}

const struct pg_trace *
pg_scout_traces (const struct pg_inspector *inspector, int64_t index)
{
  return (const struct pg_trace *) ((const char *) scout_of (inspector, index) + SCOUT_LEN);
}

const struct pg_run *
pg_scout_runs (const struct pg_inspector *inspector, int64_t index, size_t *n)
{
  const struct scout *scout = scout_of (inspector, index);
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

/* Run the monitor over part INDEX.  Its floating-point flags and errno are not the program's: dropped.  */
static void
run_part (void *arg, int64_t index)
{
  struct pg_pass *pass = arg;
  struct pg_inspector *inspector = pass->inspector;
  struct scout *scout = scout_of (inspector, index);
  int64_t lo = pass->lo + index * pass->chunk;
  int64_t hi = pass->hi - lo < pass->chunk ? pass->hi : lo + pass->chunk;

  scout->monitor.iter = lo;
  scout->monitor.touch = pass->touch;
  scout->monitor.wanted = inspector->wanted;
  scout->roles = inspector->roles;
  scout->traces = (struct pg_trace *) ((char *) scout + SCOUT_LEN);
  scout->cells = inspector->shadow.cells;
  scout->map = inspector->sieve.bits;
  scout->bias = (int64_t) inspector->shadow.floor + 1 - pass->lo;
  scout->floor = inspector->shadow.floor;
  scout->conflict = PG_NO_STAMP;
  scout->is_doubtful = false;
  if (is_decided (pass, lo + scout->bias))
    return;
  if (pass->marking == PG_MARK_SIEVE && !pass->is_checking)
    scout->map = pg_sieve_clear_map (&inspector->sieve, index);
  if (pass->is_tracing)
    {
      for (uint32_t r = 0; r < inspector->region->n_refs; r++)
	scout->traces[r] = (struct pg_trace) { .low = UINTPTR_MAX };
      scout->runs = inspector->runs + (size_t) index * inspector->max_runs;
      scout->max_runs = inspector->max_runs;
      scout->n_runs = scout->n_touched = 0;
      scout->has_long_run = false;
    }
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    scout->traces[r].marked_len = 0;

  int saved_errno = errno;
  fenv_t saved_env;
  fegetenv (&saved_env);
  fesetenv (&pass->env);
  inspector->region->monitor ((void *) pass->view->args, lo, hi, scout);
  fesetenv (&saved_env);
  errno = saved_errno;

  for (uint32_t r = 0; pass->is_tracing && r < inspector->region->n_refs; r++)
    for (int stream = 0; stream < PG_STREAMS && (inspector->roles[r].what & PG_ROLE_RUNS); stream++)
      end_run (scout, &scout->traces[r], r, stream);
  if (scout->is_doubtful)
    atomic_store_explicit (&pass->is_doubtful, true, memory_order_relaxed);
  uint32_t best = atomic_load_explicit (&pass->conflict, memory_order_relaxed);
  while (scout->conflict < best
	 && !atomic_compare_exchange_weak_explicit (&pass->conflict, &best, scout->conflict, memory_order_relaxed,
						    memory_order_relaxed))
    continue;
}

/* The number of jobs for N_ITERS iterations.  */
static int64_t
count_jobs (const struct pg_inspector *inspector, int64_t n_iters)
{
  bool is_little
    = inspector->iter_ps > 0 ? n_iters < ALONE_NS * INT64_C (1000) / inspector->iter_ps : n_iters <= FEW_ITERS;
  if (is_little && pg_environment.plan != PG_PLAN_POOL)
    return 1;
  return (int64_t) pg_pool_threads () * JOBS_PER_THREAD;
}

/* BLOCK of *LEN bytes, or a larger one in its place, with room for N bytes; NULL: no memory.  The old contents are
   gone.  */
static void *
reserve (void *block, size_t *len, size_t n)
{
  if (n <= *len)
    return block;
  pg_budget_put (block, *len);
  block = pg_budget_get (n);
  *len = block == NULL ? 0 : n;
  return block;
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
  inspector->runs = reserve (inspector->runs, &inspector->runs_len, len);
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

  size_t traces_len = inspector->region->n_refs * sizeof (struct pg_trace);
  inspector->job_stride = SCOUT_LEN + (traces_len + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  reserve_runs (pass);
  inspector->jobs = reserve (inspector->jobs, &inspector->jobs_len, (size_t) n_jobs * inspector->job_stride);
  return inspector->jobs != NULL;
}

/* Learn that N_ITERS iterations took N_THREADS threads NS.  */
static void
learn_cost (struct pg_inspector *inspector, int64_t n_iters, int64_t n_threads, int64_t ns)
{
  int64_t ps = ns < INT64_MAX / (1000 * n_threads) ? ns * 1000 * n_threads / n_iters : INT64_MAX / 4;
  inspector->iter_ps = (inspector->iter_ps == 0 ? ps : (inspector->iter_ps * 3 + ps) / 4) + 1;
}

/* Run PASS with TOUCH, for references with a role in it.  */
static void
run (struct pg_pass *pass, enum pg_marking marking, void (*touch) (struct pg_monitor *, int64_t, const void *, int64_t))
{
  uint8_t roles = pass->is_checking
		    ? PG_ROLE_CHECK
		    : (uint8_t) ((pass->is_tracing ? PG_ROLE_TRACE : 0) | (marking != PG_MARK_NOT ? PG_ROLE_MARK : 0));
  for (uint32_t r = 0; r < pass->inspector->region->n_refs; r++)
    pass->inspector->wanted[r] = (pass->inspector->roles[r].what & roles) != 0;
  pass->marking = marking;
  pass->touch = touch;
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

/* Put all jobs' traces together.  */
static void
add_up_traces (struct pg_inspector *inspector)
{
  uint32_t n_refs = inspector->region->n_refs;
  memset (inspector->totals, 0, n_refs * sizeof *inspector->totals);
  for (int64_t j = 0; j < inspector->n_traced; j++)
    for (uint32_t r = 0; r < n_refs; r++)
      {
	const struct pg_trace *part = &pg_scout_traces (inspector, j)[r];
	struct pg_trace *total = &inspector->totals[r];
	if (part->end == 0)
	  continue;
	if (total->end == 0 || part->low < total->low)
	  total->low = part->low;
	if (part->end > total->end)
	  total->end = part->end;
	total->bits |= part->bits;
      }
}

void
pg_pass_trace (struct pg_pass *pass, enum pg_marking marking)
{
  forget (pass);
  pass->is_tracing = true;
  pass->is_checking = false;
  run (pass, marking,
       marking == PG_MARK_NOT     ? touch_trace
       : marking == PG_MARK_SIEVE ? touch_trace_sieve
				  : touch_trace_shadow);
  pass->inspector->lo = pass->lo;
  pass->inspector->hi = pass->hi;
  pass->inspector->n_traced = pass->n_jobs;
  add_up_traces (pass->inspector);
}

void
pg_pass_mark (struct pg_pass *pass, enum pg_marking marking)
{
  forget (pass);
  pass->is_tracing = pass->is_checking = false;
  run (pass, marking, marking == PG_MARK_SIEVE ? touch_sieve : touch_shadow);
}

void
pg_pass_check (struct pg_pass *pass, enum pg_marking marking)
{
  pass->is_tracing = false;
  pass->is_checking = true;
  run (pass, marking, marking == PG_MARK_SIEVE ? check_sieve : check_shadow);
}
