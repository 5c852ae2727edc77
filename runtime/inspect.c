/* SPDX-License-Identifier: MIT
   The inspector, step L3 of the check ladder.

   The monitor M is the region's loop without its stores: it computes addresses, and calls touch () where the loop would
   access memory.  Jobs on the pool run M over parts of the macro-chunk [LO, HI), in up to three passes:

     trace	the range of bytes of each reference.  Pairs of references whose ranges are apart are settled.
     mark	for the writes of the pairs left open: into the shadow, for each cell the smallest iteration that writes
		it.  Two different writers of a cell conflict, at the later one.
     check	for the reads of these pairs: reader r of a cell with smallest writer m conflicts, if r != m, at the later.

   References of pairs left open form areas: if a may meet b and b may meet c, one shadow area serves the three.  Its
   cells are as large as the common alignment of all touches allows, so cells meet iff bytes do.

   The result is the smallest conflict found, and that is the first real one.  Nothing that is not real is found.  Let
   e be the first iteration that conflicts with an earlier one, d, in cell x.
     Both write x: with x's writers w1 < w2 < ..., w2 <= e.  Each writer other than w1 either finds a smaller stamp or is
     replaced by one later on, and the larger of the two is reported; so w2 is, and nothing smaller for x.
     One reads x, the other writes it: let r be the reader, m the smallest writer.  If r != m, the check reports
     max (r, m) <= e.  If r == m, the other one is a later writer, e, and the marks report w2 <= e as before.
   An update (read and write at one address) is as good as its write.

   M runs ahead of the loop's stores.  If the judge could not exclude that the loop writes what M reads, a read that
   feeds M is a conflict also if its own iteration or an earlier one writes the cell: its value may have been stale, and
   with it every later address.  Let r be the first iteration with a stale value.  What M reports of iterations before r,
   and of r up to that read, is right, so the writer, at or before r, was marked, and the check reports r.
   Later iterations' touches may be wrong, but a wrong mark never replaces a smaller one, and whatever is reported
   because of it is at or after r.  Such a region is inspected only if wrong values cannot make M itself read a wrong
   address, so M does not crash.

   Macro-chunks of one entry resemble each other, so the next inspection marks in its first pass already, with the last
   layout, and the pass is repeated only if the traces then show that it did not fit.  */
#include "inspect.h"
#include "arena.h"
#include "inspector.h"
#include "log.h"
#include "pool.h"

#include <errno.h>
#include <fenv.h>
#include <string.h>

enum
{
  JOBS_PER_THREAD = 4,		/* the pool balances by handing out jobs */
  MAX_SHIFT = 12,
  MAX_MISFITS = 2
};

/* An area is made larger than needed, by a quarter, at most this much, so that the next macro-chunk fits.  */
#define MAX_SLACK ((uintptr_t) 1 << 20)

#define CACHE_LINE 64

struct pg_scout
{
  struct pg_monitor monitor;	/* first: what the monitor sees */
  const struct pg_role *roles;
  struct pg_trace *traces;
  _Atomic uint32_t *cells;
  int64_t bias;			/* stamp of iteration i: i + BIAS */
  uint32_t floor;
  uint32_t conflict;		/* smallest stamp so far */
  uint32_t n_touched;
};

struct pass
{
  struct pg_inspector *inspector;
  const struct pg_view *view;
  int64_t lo, hi, chunk;
  void (*touch) (struct pg_monitor *, int64_t, const void *, int64_t);
  bool is_tracing;
  _Atomic uint32_t conflict;	/* smallest stamp so far; relaxed */
  fenv_t env;			/* the caller's */
};

static inline uint32_t
stamp_of (const struct pg_scout *scout)
{
  return (uint32_t) (scout->monitor.iter + scout->bias);
}

static inline void
report (struct pg_scout *scout, uint32_t stamp)
{
  if (stamp < scout->conflict)
    scout->conflict = stamp;
}

static inline void
trace (struct pg_scout *scout, int64_t ref, uintptr_t address, uintptr_t len)
{
  struct pg_trace *t = &scout->traces[ref];
  if (t->end == 0)
    {
      t->low = t->last = address;
      t->order = scout->n_touched++;
    }
  uintptr_t step = address - t->last + PG_DENSE_STEP;
  t->is_sparse |= step > 2 * PG_DENSE_STEP;
  t->last = address;
  t->bits |= address | len;
  if (address < t->low)
    t->low = address;
  if (address + len > t->end)
    t->end = address + len;
}

/* Mark LEN bytes at ADDRESS, all of them in ROLE's area and aligned to its cells.  */
static inline void
mark (struct pg_scout *scout, const struct pg_role *role, uintptr_t address, uintptr_t len)
{
  _Atomic uint32_t *cell = scout->cells + role->first + ((address - role->low) >> role->shift);
  uint32_t stamp = stamp_of (scout);
  for (uintptr_t n = len >> role->shift; n > 0; n--)
    report (scout, pg_shadow_mark (cell++, scout->floor, stamp));
}

static void
touch_trace (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  if ((scout->roles[ref].what & PG_ROLE_TRACE) && len > 0)
    trace (scout, ref, (uintptr_t) address, (uintptr_t) len);
}

/* Trace, and mark what fits the layout of the last inspection.  */
static void
touch_trace_and_mark (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  const struct pg_role *role = &scout->roles[ref];
  uintptr_t from = (uintptr_t) address, n = (uintptr_t) len;
  if (!(role->what & (PG_ROLE_TRACE | PG_ROLE_MARK)) || len <= 0)
    return;
  trace (scout, ref, from, n);
  if ((role->what & PG_ROLE_MARK) && from >= role->low && from < role->end && n <= role->end - from
      && ((from | n) & (((uintptr_t) 1 << role->shift) - 1)) == 0)
    mark (scout, role, from, n);
}

static void
touch_mark (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  const struct pg_role *role = &scout->roles[ref];
  if ((role->what & PG_ROLE_MARK) && len > 0)
    mark (scout, role, (uintptr_t) address, (uintptr_t) len);
}

static void
touch_check (struct pg_monitor *monitor, int64_t ref, const void *address, int64_t len)
{
  struct pg_scout *scout = (struct pg_scout *) monitor;
  const struct pg_role *role = &scout->roles[ref];
  if (!(role->what & PG_ROLE_CHECK) || len <= 0)
    return;
  uintptr_t from = (uintptr_t) address, end = from + (uintptr_t) len;
  from = from > role->low ? from : role->low;
  end = end < role->end ? end : role->end;
  uint32_t stamp = stamp_of (scout);
  for (; from < end; from += (uintptr_t) 1 << role->shift)
    {
      uint32_t writer = pg_shadow_writer (scout->cells + role->first + ((from - role->low) >> role->shift), scout->floor);
      if (writer != PG_NO_STAMP && (writer != stamp || (role->what & PG_ROLE_EARLY)))
	report (scout, writer > stamp ? writer : stamp);
    }
}

static struct pg_scout *
scout_of (const struct pg_inspector *inspector, int64_t index)
{
  return (struct pg_scout *) (inspector->jobs + (size_t) index * inspector->job_stride);
}

const struct pg_trace *
pg_inspector_traces (const struct pg_inspector *inspector, int64_t index)
{
  return scout_of (inspector, index)->traces;
}

/* Run the monitor over part INDEX.  Its floating-point flags and errno are not the program's: dropped.  A part that
   begins behind a conflict can only find later ones, and is left out unless its traces are wanted.  */
static void
run_part (void *arg, int64_t index)
{
  struct pass *pass = arg;
  struct pg_inspector *inspector = pass->inspector;
  struct pg_scout *scout = scout_of (inspector, index);
  int64_t lo = pass->lo + index * pass->chunk;
  int64_t hi = pass->hi - lo < pass->chunk ? pass->hi : lo + pass->chunk;
  uint32_t n_refs = inspector->region->n_refs;

  scout->bias = (int64_t) inspector->shadow.floor + 1 - pass->lo;
  uint32_t best = atomic_load_explicit (&pass->conflict, memory_order_relaxed);
  if (!pass->is_tracing && lo + scout->bias > (int64_t) best)
    return;
  scout->monitor.iter = lo;
  scout->monitor.touch = pass->touch;
  scout->roles = inspector->roles;
  scout->cells = inspector->shadow.cells;
  scout->floor = inspector->shadow.floor;
  scout->conflict = PG_NO_STAMP;
  scout->traces = (struct pg_trace *) ((char *) scout + CACHE_LINE * 2);
  if (pass->is_tracing)
    {
      scout->n_touched = 0;
      memset (scout->traces, 0, n_refs * sizeof *scout->traces);
    }

  int saved_errno = errno;
  fenv_t saved_env;
  fegetenv (&saved_env);
  fesetenv (&pass->env);
  inspector->region->monitor ((void *) pass->view->args, lo, hi, scout);
  fesetenv (&saved_env);
  errno = saved_errno;

  while (scout->conflict < best
	 && !atomic_compare_exchange_weak_explicit (&pass->conflict, &best, scout->conflict, memory_order_relaxed,
						    memory_order_relaxed))
    continue;
}

/* Run the monitor over all of PASS in parallel.  */
static void
run_pass (struct pass *pass, void (*touch) (struct pg_monitor *, int64_t, const void *, int64_t), bool is_tracing)
{
  int64_t n_jobs = (pass->hi - pass->lo + pass->chunk - 1) / pass->chunk;
  pass->touch = touch;
  pass->is_tracing = is_tracing;
  if (is_tracing)
    pass->inspector->n_traced = n_jobs;
  pg_pool_run (run_part, pass, n_jobs);
}

static bool
get_bit (const uint8_t *bits, size_t at)
{
  return bits[at / 8] >> at % 8 & 1;
}

/* Find the pairs that numbers do not settle within [LO, HI), and say what is to be traced: the references of these
   pairs, and for the verdict cache what feeds the monitor and what is written where only the monitor knows.  Returns
   whether any pair is open.  */
static bool
open_pairs (struct pg_inspector *inspector, const struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = view->region;
  bool any = false;
  memset (inspector->open, 0, ((size_t) region->n_refs * region->n_refs + 7) / 8);
  for (uint32_t a = 0; a < region->n_refs; a++)
    {
      uint8_t flags = region->refs[a].flags;
      bool is_wanted = (flags & PG_REF_FEEDS) || ((flags & PG_REF_WRITE) && !view->places[a].is_affine);
      inspector->roles[a].what &= (uint8_t) ~PG_ROLE_TRACE;
      inspector->roles[a].what |= is_wanted ? PG_ROLE_TRACE : 0;
    }
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	size_t bit = (size_t) a * region->n_refs + b;
	if (!pg_pair_matters (view, a, b)
	    || (view->is_checked && (get_bit (view->settled, bit) || pg_pair_settled (view, a, b, lo, hi))))
	  continue;
	inspector->open[bit / 8] |= (uint8_t) (1 << bit % 8);
	inspector->roles[a].what |= PG_ROLE_TRACE;
	inspector->roles[b].what |= PG_ROLE_TRACE;
	any = true;
      }
  return any;
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
	const struct pg_trace *part = &pg_inspector_traces (inspector, j)[r];
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

/* Settle the open pairs whose traces are apart.  Returns whether one is left.  */
static bool
close_pairs (struct pg_inspector *inspector)
{
  uint32_t n_refs = inspector->region->n_refs;
  bool any = false;
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      {
	size_t bit = (size_t) a * n_refs + b;
	const struct pg_trace *ta = &inspector->totals[a], *tb = &inspector->totals[b];
	if (!get_bit (inspector->open, bit))
	  continue;
	if (ta->end == 0 || tb->end == 0 || ta->end <= tb->low || tb->end <= ta->low)
	  inspector->open[bit / 8] &= (uint8_t) ~(1 << bit % 8);
	else
	  any = true;
      }
  return any;
}

/* What reference REF has to do in an area, with PARTNER as the other one of an open pair.  */
static uint8_t
role_in_pair (const struct pg_region *region, uint32_t ref, uint32_t partner)
{
  uint8_t flags = region->refs[ref].flags;
  uint8_t what = (flags & PG_REF_WRITE) ? PG_ROLE_MARK : PG_ROLE_CHECK;
  if ((flags & PG_REF_FEEDS) && (region->refs[partner].flags & PG_REF_WRITE)
      && !(region->flags & PG_REGION_SLICE_STABLE))
    what |= PG_ROLE_CHECK | PG_ROLE_EARLY;
  return what;
}

/* Does the last layout serve all open pairs, now that the traces are known?  */
static bool
layout_fits (const struct pg_inspector *inspector)
{
  const struct pg_region *region = inspector->region;
  for (uint32_t a = 0; a < region->n_refs; a++)
    for (uint32_t b = a; b < region->n_refs; b++)
      {
	const struct pg_role *ra = &inspector->roles[a], *rb = &inspector->roles[b];
	if (!get_bit (inspector->open, (size_t) a * region->n_refs + b))
	  continue;
	uint8_t what_a = role_in_pair (region, a, b), what_b = role_in_pair (region, b, a);
	if ((ra->what & what_a) != what_a || (rb->what & what_b) != what_b || ra->area != rb->area)
	  return false;
	const uint32_t pair[2] = { a, b };
	for (int i = 0; i < 2; i++)
	  {
	    const struct pg_role *role = &inspector->roles[pair[i]];
	    const struct pg_trace *total = &inspector->totals[pair[i]];
	    if ((total->bits & (((uintptr_t) 1 << role->shift) - 1)) != 0)
	      return false;
	    if ((role->what & PG_ROLE_MARK) && (total->low < role->low || total->end > role->end))
	      return false;
	  }
      }
  return true;
}

/* The area of REF: the smallest reference that open pairs lead to.  */
static uint32_t
find_area (uint32_t *areas, uint32_t ref)
{
  while (areas[ref] != ref)
    ref = areas[ref] = areas[areas[ref]];
  return ref;
}

/* Give each reference of an open pair its role, and each area its bytes and cells.  */
static void
lay_out (struct pg_inspector *inspector)
{
  const struct pg_region *region = inspector->region;
  uint32_t n_refs = region->n_refs, *areas = inspector->areas;
  struct pg_role *roles = inspector->roles;

  for (uint32_t r = 0; r < n_refs; r++)
    {
      areas[r] = r;
      roles[r].what &= PG_ROLE_TRACE;
    }
  for (uint32_t a = 0; a < n_refs; a++)
    for (uint32_t b = a; b < n_refs; b++)
      if (get_bit (inspector->open, (size_t) a * n_refs + b))
	{
	  uint32_t area_a = find_area (areas, a), area_b = find_area (areas, b);
	  areas[area_a > area_b ? area_a : area_b] = area_a < area_b ? area_a : area_b;
	  roles[a].what |= role_in_pair (region, a, b);
	  roles[b].what |= role_in_pair (region, b, a);
	}

  inspector->n_cells = 0;
  for (uint32_t area = 0; area < n_refs; area++)
    {
      uintptr_t low = UINTPTR_MAX, end = 0, bits = (uintptr_t) 1 << MAX_SHIFT;
      for (uint32_t r = area; r < n_refs; r++)
	if ((roles[r].what & ~PG_ROLE_TRACE) && find_area (areas, r) == area)
	  {
	    const struct pg_trace *total = &inspector->totals[r];
	    bits |= total->bits;
	    if (!(roles[r].what & PG_ROLE_MARK))
	      continue;
	    low = total->low < low ? total->low : low;
	    end = total->end > end ? total->end : end;
	  }
      if (end == 0)
	continue;
      uintptr_t slack = (end - low) / 4 < MAX_SLACK ? (end - low) / 4 : MAX_SLACK;
      slack &= ~(((uintptr_t) 1 << MAX_SHIFT) - 1);
      low -= low > slack ? slack : 0;
      end += UINTPTR_MAX - end > slack ? slack : 0;
      uint8_t shift = (uint8_t) __builtin_ctzll (bits);
      for (uint32_t r = area; r < n_refs; r++)
	if ((roles[r].what & ~PG_ROLE_TRACE) && find_area (areas, r) == area)
	  {
	    roles[r].low = low;
	    roles[r].end = end;
	    roles[r].first = inspector->n_cells;
	    roles[r].area = area;
	    roles[r].shift = shift;
	  }
      inspector->n_cells += (end - low) >> shift;
    }
}

/* Begin an epoch for the layout.  False: no memory, and no layout is left.  */
static bool
begin_epoch (struct pg_inspector *inspector, int64_t n_iters)
{
  if (pg_shadow_begin (&inspector->shadow, inspector->n_cells, n_iters))
    return true;
  inspector->n_cells = 0;
  return false;
}

/* Is there a reference that reads only?  */
static bool
has_checks (const struct pg_inspector *inspector)
{
  for (uint32_t r = 0; r < inspector->region->n_refs; r++)
    if (inspector->roles[r].what & PG_ROLE_CHECK)
      return true;
  return false;
}

/* Make room for N_JOBS scouts.  */
static bool
reserve_jobs (struct pg_inspector *inspector, int64_t n_jobs)
{
  size_t len = (size_t) n_jobs * inspector->job_stride;
  if (len <= inspector->jobs_len)
    return true;
  pg_arena_put (inspector->jobs, inspector->jobs_len);
  inspector->jobs_len = 0;
  inspector->jobs = pg_arena_get (len);
  if (inspector->jobs == NULL)
    return false;
  inspector->jobs_len = len;
  return true;
}

/* Trace PASS; on return *IS_MARKED says whether its marks are complete too.  Returns whether a pair is open.  */
static bool
trace_and_settle (struct pass *pass, bool *is_marked)
{
  struct pg_inspector *inspector = pass->inspector;
  int64_t n_iters = pass->hi - pass->lo;
  bool guess = inspector->n_cells > 0 && inspector->n_misfits < MAX_MISFITS && begin_epoch (inspector, n_iters);
  run_pass (pass, guess ? touch_trace_and_mark : touch_trace, true);
  add_up_traces (inspector);
  *is_marked = false;
  if (!close_pairs (inspector))
    return false;
  bool fits = inspector->n_cells > 0 && layout_fits (inspector);
  inspector->n_misfits = fits ? 0 : inspector->n_misfits + 1;
  *is_marked = guess && fits;
  return true;
}

int64_t
pg_inspect (struct pg_inspector *inspector, struct pg_view *view, int64_t lo, int64_t hi)
{
  const struct pg_region *region = inspector->region;
  struct pass pass = { .inspector = inspector, .view = view, .lo = lo, .hi = hi };
  int64_t n_jobs = (int64_t) pg_pool_threads () * JOBS_PER_THREAD;
  bool is_marked;

  inspector->n_traced = 0;
  if (hi - lo <= 1)
    return hi;
  if (hi - lo >= INT32_MAX || !reserve_jobs (inspector, n_jobs))
    return lo;
  if (!open_pairs (inspector, view, lo, hi))
    return hi;

  inspector->lo = lo;
  inspector->hi = hi;
  pass.chunk = (hi - lo + n_jobs - 1) / n_jobs;
  fegetenv (&pass.env);
  atomic_init (&pass.conflict, PG_NO_STAMP);
  if (!trace_and_settle (&pass, &is_marked))
    {
      PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld are clean by their ranges", region->file, region->line,
	      (long long) lo, (long long) hi);
      return hi;
    }
  if (!is_marked)
    {
      lay_out (inspector);
      if (!begin_epoch (inspector, hi - lo))
	return lo;
      atomic_store_explicit (&pass.conflict, PG_NO_STAMP, memory_order_relaxed);
      run_pass (&pass, touch_mark, false);
    }
  if (has_checks (inspector))
    run_pass (&pass, touch_check, false);

  uint32_t conflict = atomic_load_explicit (&pass.conflict, memory_order_relaxed);
  int64_t end = conflict == PG_NO_STAMP ? hi : lo + (int64_t) (conflict - inspector->shadow.floor - 1);
  PG_LOG (CHECK, "region %s:%u: iterations %lld to %lld are clean%s, %zu cells", region->file, region->line,
	  (long long) lo, (long long) end, end < hi ? " up to a conflict" : "", inspector->n_cells);
  return end;
}

bool
pg_inspect_possible (const struct pg_view *view)
{
  const struct pg_region *region = view->region;
  if (region->monitor == NULL)
    return false;
  if (region->flags & PG_REGION_SLICE_STABLE)
    return true;
  for (uint32_t r = 0; r < region->n_refs; r++)
    {
      uint8_t flags = region->refs[r].flags;
      if ((flags & PG_REF_FEEDS_LOAD) || ((flags & PG_REF_FEEDS) && (flags & PG_REF_WRITE)))
	return false;
    }
  return true;
}

/* Reserve LEN bytes, aligned, of a block of *TOTAL bytes; returns their offset.  */
static size_t
take (size_t *total, size_t len)
{
  size_t at = *total;
  *total += (len + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  return at;
}

struct pg_inspector *
pg_inspector_new (const struct pg_region *region)
{
  size_t n_refs = region->n_refs, len = 0;
  take (&len, sizeof (struct pg_inspector));
  size_t roles = take (&len, n_refs * sizeof (struct pg_role));
  size_t totals = take (&len, n_refs * sizeof (struct pg_trace));
  size_t areas = take (&len, n_refs * sizeof (uint32_t));
  size_t open = take (&len, (n_refs * n_refs + 7) / 8);
  char *block = pg_arena_get (len);
  if (block == NULL)
    return NULL;

  struct pg_inspector *inspector = (struct pg_inspector *) block;
  inspector->region = region;
  inspector->len = len;
  inspector->roles = (struct pg_role *) (block + roles);
  inspector->totals = (struct pg_trace *) (block + totals);
  inspector->areas = (uint32_t *) (block + areas);
  inspector->open = (uint8_t *) (block + open);
  _Static_assert (sizeof (struct pg_scout) <= CACHE_LINE * 2, "traces begin behind the scout");
  take (&inspector->job_stride, CACHE_LINE * 2);
  take (&inspector->job_stride, n_refs * sizeof (struct pg_trace));
  return inspector;
}

void
pg_inspector_free (struct pg_inspector *inspector)
{
  if (inspector == NULL)
    return;
  pg_verdicts_free (inspector);
  pg_shadow_free (&inspector->shadow);
  pg_arena_put (inspector->jobs, inspector->jobs_len);
  pg_arena_put (inspector, inspector->len);
}
