/* SPDX-License-Identifier: MIT
   Doacross.  See doacross.h.

   Whether it pays is found out while it runs: after a part on the pool, some iterations run on the caller alone, and
   the two are compared.  Another process on one of the CPUs lets a thread of the pool have its first milliseconds
   there, and then takes its share, so parts grow only as long as each wins.  Iterations may grow from one to the next,
   as in a triangular nest, so where the pool was slower it is tried again when twice as much is done.  */
#include "doacross.h"
#include "arena.h"
#include "futex.h"
#include "log.h"
#include "pool.h"
#include "reduce.h"
#include "trace.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum
{
  MOST_PAIRS = 1024,
  MOST_SLOTS = PG_POOL_MOST_QUEUES,
  BLOCK_NS = 5000,  /* work between two looks at the others, */
  LEAST_BLOCKS = 5, /* of which an iteration has so many at least */
  FORCED_BLOCK = 3,
  LONELY_BLOCKS = 8,
  LEAST_ROW_NS = 2000, /* an iteration that is worth a claim: strips have as many as it takes */
  TRIAL_NS = 125000,   /* work that follows on the caller after a part on the pool, */
  TRIAL_SHARE = 4,     /* but at most so much of it */
  FIRST_TURNS = 2,     /* iterations of a part for each thread, at least, */
  LATER_ITERS = 32,    /* and of any part: in fewer, threads wait for each other, */
  GOOD_TRIALS = 2,     /* after so many that were won */
  WORTH_8TH = 7,       /* eighths of what the caller takes, at most */
  LOST_TIMES = 32,     /* what a part has lost is made up for so many times over on the caller, */
  PART_TIMES = 4,      /* and what it took so many times, before the next */
  SPINS_A_YIELD = 256
};

/* The iteration of a slot whose thread is about to have one; of a slot without a thread it is INT64_MAX.  */
#define CLAIMING ((int64_t) -1)

/* That iterations with reference SINK may have to wait for reference SOURCE of earlier ones.  */
struct pair
{
  uint16_t source, sink;
};

/* Where a thread is.  */
struct slot
{
  _Alignas(128) _Atomic int64_t iter;
  _Atomic int64_t done[PG_MAX_DIMS]; /* by dimension */
};

/* What references of a region touch, by iteration and turn.  */
struct extent
{
  struct pg_plane low, end;
  int top; /* the dimension whose turn it is; 0: none */
};

struct pg_steps
{
  struct pg_entry *entry;
  int64_t hi; /* where the run ends */
  _Atomic int64_t next;
  int n_dims;                 /* the region's */
  int64_t block[PG_MAX_DIMS]; /* turns */
  int n_slots;
  int last_job;                             /* that ran iteration hi - 1 */
  int n_pairs, first_pair[PG_MAX_DIMS + 1]; /* by the sink's top */
  struct pair pairs[MOST_PAIRS];
  struct slot slots[MOST_SLOTS];
  struct extent extents[]; /* n_refs */
};

/* A thread on its way through an iteration.  */
struct walker
{
  struct pg_doacross doacross; /* first member */
  struct pg_steps *steps;
  struct slot *slot;
  int64_t iter;
};

static int64_t
plane_at (const struct pg_plane *plane, int64_t iter, int64_t turn)
{
  return plane->base + plane->row * iter + plane->turn * turn;
}

static int64_t
floor_quotient (int64_t a, int64_t b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Turns [FIRST, LAST].  */
struct turns
{
  int64_t first, last;
};

/* Leave of TURNS those with START + STEP * turn < LIMIT.  */
static void
keep_below (struct turns *turns, int64_t start, int64_t step, int64_t limit)
{
  if (step == 0 && start >= limit)
    turns->last = turns->first - 1;
  if (step > 0 && floor_quotient (limit - start - 1, step) < turns->last)
    turns->last = floor_quotient (limit - start - 1, step);
  if (step < 0 && floor_quotient (start - limit, -step) + 1 > turns->first)
    turns->first = floor_quotient (start - limit, -step) + 1;
}

/* The last turn of dimension DIM in iteration ITER, or one that is later.  */
static int64_t
last_turn (const struct pg_view *view, int dim, int64_t iter)
{
  const struct pg_form *last = &view->levels[dim].last;
  int64_t turn;
  if (!last->known || __builtin_mul_overflow (last->coef[0], iter, &turn)
      || __builtin_add_overflow (turn, last->base, &turn) || turn > view->levels[dim].most)
    return view->levels[dim].most;
  return turn;
}

/* Set NEEDS to the turns, by dimension, that have to be done of iteration SOURCE before iteration SINK may run turns
   [FROM, TO) of DIM, or if DIM is 0, what is in none; [0] is not 0 if all of it has.  */
static void
find_needs (const struct pg_steps *steps, int64_t sink, int dim, int64_t from, int64_t to, int64_t source,
	    int64_t *needs)
{
  memset (needs, 0, (size_t) steps->n_dims * sizeof *needs);
  for (int p = steps->first_pair[dim]; p < steps->first_pair[dim + 1]; p++)
    {
      const struct extent *a = &steps->extents[steps->pairs[p].source], *b = &steps->extents[steps->pairs[p].sink];
      int64_t low = plane_at (&b->low, sink, b->low.turn < 0 ? to - 1 : from);
      int64_t end = plane_at (&b->end, sink, b->end.turn > 0 ? to - 1 : from);
      struct turns turns = { 0, a->top == 0 ? 0 : last_turn (steps->entry->view, a->top, source) };
      keep_below (&turns, plane_at (&a->low, source, 0), a->low.turn, end);
      keep_below (&turns, -plane_at (&a->end, source, 0), -a->end.turn, -low);
      if (turns.first <= turns.last && needs[a->top] <= turns.last)
	needs[a->top] = turns.last + 1;
    }
}

/* Has what is in SLOT done what NEEDS says, of N_DIMS dimensions?  */
static bool
has_done (struct slot *slot, const int64_t *needs, int n_dims)
{
  bool is_done = needs[0] == 0;
  for (int d = 1; d < n_dims && is_done; d++)
    is_done = needs[d] == 0 || atomic_load_explicit (&slot->done[d], memory_order_acquire) >= needs[d];
  return is_done;
}

/* Wait until turns [FROM, TO) of DIM in WALKER's iteration need nothing more of what is in SLOT.  Is anyone there?  */
static bool
wait_for (const struct walker *walker, struct slot *slot, int dim, int64_t from, int64_t to)
{
  int64_t needs[PG_MAX_DIMS], known = CLAIMING;
  for (int n = 1;; n++)
    {
      int64_t iter = atomic_load_explicit (&slot->iter, memory_order_acquire);
      if (iter >= walker->iter)
	return iter < INT64_MAX;
      if (iter != known && iter != CLAIMING)
	find_needs (walker->steps, walker->iter, dim, from, to, iter, needs);
      known = iter;
      if (iter != CLAIMING && has_done (slot, needs, walker->steps->n_dims))
	return true;
      if (n % SPINS_A_YIELD == 0)
	sched_yield ();
      else
	pg_pause ();
    }
}

/* The same for all slots.  Is another thread at work?  */
static bool
wait_for_all (const struct walker *walker, int dim, int64_t from, int64_t to)
{
  struct pg_steps *steps = walker->steps;
  bool has_others = false;
  for (int s = 0; s < steps->n_slots; s++)
    if (&steps->slots[s] != walker->slot)
      has_others |= wait_for (walker, &steps->slots[s], dim, from, to);
  return has_others;
}

/* See struct pg_doacross.  Who is alone looks up seldom.  */
static int64_t
pass (struct pg_doacross *doacross, int64_t dim, int64_t turn)
{
  struct walker *walker = (struct walker *) doacross;
  int64_t len = walker->steps->block[dim], to = turn + len;
  int64_t last = last_turn (walker->steps->entry->view, (int) dim, walker->iter);
  atomic_store_explicit (&walker->slot->done[dim], turn, memory_order_release);
  if (turn == INT64_MAX)
    return turn;
  if (to > last)
    to = last + 1;
  bool has_others = turn < to && wait_for_all (walker, (int) dim, turn, to);
  return has_others ? turn + len : turn + LONELY_BLOCKS * len;
}

/* Claim the next iteration for WALKER.  False: there is none.  */
static bool
claim (struct walker *walker)
{
  struct pg_steps *steps = walker->steps;
  struct slot *slot = walker->slot;
  for (int d = 0; d < steps->n_dims; d++)
    atomic_store_explicit (&slot->done[d], 0, memory_order_relaxed);
  atomic_store_explicit (&slot->iter, CLAIMING, memory_order_release);
  walker->iter = atomic_fetch_add_explicit (&steps->next, 1, memory_order_acq_rel);
  bool is_there = walker->iter < steps->hi;
  atomic_store_explicit (&slot->iter, is_there ? walker->iter : INT64_MAX, memory_order_release);
  return is_there;
}

/* Job JOB: go through iterations until there are none.  */
static void
run_job (void *arg, int64_t job)
{
  struct pg_steps *steps = arg;
  struct pg_entry *entry = steps->entry;
  void *chunk = entry->chunk_args + (size_t) job * entry->stride;
  struct walker walker = { .doacross = { .pass = pass }, .steps = steps, .slot = &steps->slots[job] };
  int64_t traced = pg_trace_begin (PG_TRACE_CHUNK, entry->region), first = -1, last = -1;
  memcpy (chunk, entry->args, entry->region->args_len);
  while (claim (&walker))
    {
      wait_for_all (&walker, 0, 0, 1);
      pg_join_begin (&entry->join);
      entry->region->doacross (chunk, walker.iter, walker.iter + 1, &walker.doacross);
      pg_join_end (&entry->join, walker.iter - entry->done);
      first = first < 0 ? walker.iter : first;
      last = walker.iter;
    }
  if (last == steps->hi - 1)
    steps->last_job = (int) job;
  PG_TRACE (CHUNK, traced, entry->region, .numbers = { first, last + 1 });
}

/* The dimension directly in the region's loop that reference REF is in, or 0.  */
static int
top_of (const struct pg_region *region, uint32_t ref)
{
  int dim = region->refs[ref].dim;
  while (dim > 0 && region->dims[dim].parent > 0)
    dim = region->dims[dim].parent;
  return dim;
}

/* Find the pairs of STEPS's entry that may meet.  False: too many.  */
static bool
find_pairs (struct pg_steps *steps)
{
  const struct pg_view *view = steps->entry->view;
  uint32_t n_refs = view->region->n_refs;
  steps->n_pairs = 0;
  for (int d = 0; d < steps->n_dims; d++)
    {
      steps->first_pair[d] = steps->n_pairs;
      for (uint32_t sink = 0; sink < n_refs; sink++)
	for (uint32_t source = 0; source < n_refs && steps->extents[sink].top == d; source++)
	  {
	    if (!pg_pair_in_doubt (view, source, sink))
	      continue;
	    if (steps->n_pairs == MOST_PAIRS)
	      return false;
	    steps->pairs[steps->n_pairs++] = (struct pair) { (uint16_t) source, (uint16_t) sink };
	  }
    }
  steps->first_pair[steps->n_dims] = steps->n_pairs;
  return true;
}

/* Are turns of some loop in the region's own not free of each other, as far as is known?  Where they all are, these
   loops are better run in parallel themselves.  */
static bool
has_bound_loop (const struct pg_steps *steps)
{
  const struct pg_view *view = steps->entry->view;
  for (uint32_t d = 1; d < view->region->n_dims; d++)
    if (view->region->dims[d].parent == 0 && (view->region->dims[d].flags & PG_DIM_ORDERED))
      return true;
  for (uint32_t a = 0; a < view->region->n_refs; a++)
    for (uint32_t b = a; b < view->region->n_refs; b++)
      {
	int top = steps->extents[a].top;
	if (top > 0 && top == steps->extents[b].top
	    && ((view->region->refs[a].flags | view->region->refs[b].flags) & PG_REF_WRITE)
	    && !pg_pair_apart_in_turns (view, a, b, top))
	  return true;
      }
  return false;
}

/* The turns of DIM that are a block, by what an iteration takes.  */
static int64_t
block_len (const struct pg_entry *entry, int dim)
{
  int64_t turns = entry->view->levels[dim].most + 1, ns = pg_plan_ns (entry->plan, 1);
  if (entry->is_forced)
    return FORCED_BLOCK;
  int64_t block_ns = ns / LEAST_BLOCKS < BLOCK_NS ? ns / LEAST_BLOCKS : BLOCK_NS;
  int64_t len = ns > 0 ? pg_plan_share (turns > 0 ? turns : 0, block_ns, ns) : 1;
  return len < 1 ? 1 : len;
}

/* Have memory for ENTRY's steps.  */
static bool
reserve (struct pg_entry *entry)
{
  if (entry->steps != NULL)
    return true;
  entry->steps = pg_arena_get (sizeof (struct pg_steps) + entry->region->n_refs * sizeof (struct extent));
  return entry->steps != NULL;
}

bool
pg_doacross_prepare (struct pg_entry *entry)
{
  bool is_ordered = entry->region->ordered_part != NULL;
  if ((entry->region->doacross == NULL && !is_ordered) || entry->region->n_refs > UINT16_MAX
      || pg_numbers_may_change (entry->view) || !reserve (entry))
    return false;
  struct pg_steps *steps = entry->steps;
  steps->entry = entry;
  steps->n_dims = (int) entry->region->n_dims;
  for (uint32_t r = 0; r < entry->region->n_refs; r++)
    {
      struct extent *extent = &steps->extents[r];
      extent->top = top_of (entry->region, r);
      if (entry->view->places[r].is_never)
	extent->low = extent->end = (struct pg_plane) { .base = 0 };
      else if (!pg_place_planes (entry->view, r, extent->top, &extent->low, &extent->end))
	return false;
    }
  return (is_ordered || find_pairs (steps)) && has_bound_loop (steps);
}

/* Have the jobs of STEPS go through iterations up to HI.  */
static void
run_steps (struct pg_steps *steps, int64_t hi)
{
  struct pg_entry *entry = steps->entry;
  steps->hi = hi;
  steps->last_job = 0;
  atomic_store (&steps->next, entry->done);
  for (int s = 0; s < steps->n_slots; s++)
    atomic_store (&steps->slots[s].iter, INT64_MAX);
  for (int d = 1; d < (int) entry->region->n_dims; d++)
    steps->block[d] = block_len (entry, d);
  pg_pool_run_whole (run_job, steps, steps->n_slots);
  pg_reduce_take (entry->region, entry->args, entry->chunk_args + (size_t) steps->last_job * entry->stride,
		  entry->done);
}

/* Run up to END on the pool, and return what an iteration took, in picoseconds.  */
static int64_t
run_team (struct pg_entry *entry, int64_t end)
{
  int64_t start = pg_now (), lo = entry->done, strips_ps = 0;
  errno = entry->loop_errno;
  pg_join_open (&entry->join);
  if (entry->region->ordered_part != NULL)
    strips_ps = pg_strips_run (entry, end, entry->steps->n_slots);
  else
    run_steps (entry->steps, end);
  entry->done = end;
  entry->used_pool = entry->used_doacross = true;
  pg_join_close (&entry->join);
  entry->loop_errno = errno;
  int64_t ns = pg_now () - start;
  entry->pooled_ns += ns;
  entry->pooled_iters += end - lo;
  pg_plan_learn_pool (entry->plan, end - lo, ns);
  return entry->region->ordered_part != NULL ? strips_ps : pg_plan_share (ns, 1000, end - lo);
}

/* Run N iterations of ENTRY, which ends at HI, on the caller alone.  What one takes, in picoseconds.  */
static int64_t
run_alone (struct pg_entry *entry, int64_t n, int64_t hi)
{
  int64_t ns = entry->caller_ns, iters = entry->caller_iters;
  pg_entry_run_alone (entry, hi - entry->done > n ? entry->done + n : hi);
  if (entry->caller_iters == iters)
    return 0;
  pg_plan_learn (entry->plan, entry->caller_iters - iters, entry->caller_ns - ns);
  return pg_plan_share (entry->caller_ns - ns, 1000, entry->caller_iters - iters);
}

/* How many iterations, of ALONE_PS each, the caller runs after N on the pool, to know what they take.  */
static int64_t
trial_iters (int64_t n, int64_t alone_ps)
{
  int64_t iters = alone_ps > 0 ? pg_plan_share (TRIAL_NS, 1000, alone_ps) : n;
  return (iters < n / TRIAL_SHARE ? iters : n / TRIAL_SHARE) + 1;
}

/* How many iterations of ENTRY, of ALONE_PS each, the caller runs before there is another part on the pool, when one
   of N, of TEAM_PS each, has lost LOST_NS: later ones may be others.  Where they grow, it takes less than twice as
   many.  */
static int64_t
iters_until_next (const struct pg_entry *entry, int64_t n, int64_t team_ps, int64_t lost_ns, int64_t alone_ps)
{
  int64_t ns = PART_TIMES * pg_plan_share (team_ps, n, 1000);
  if (ns < LOST_TIMES * lost_ns)
    ns = LOST_TIMES * lost_ns;
  int64_t iters = alone_ps > 0 ? pg_plan_share (ns, 1000, alone_ps) + 1 : n;
  return iters < entry->done + 1 ? iters : entry->done + 1;
}

void
pg_doacross_run (struct pg_entry *entry, int64_t hi)
{
  struct pg_steps *steps = entry->steps;
  int64_t alone_ps = entry->caller_iters > 0 ? pg_plan_share (entry->caller_ns, 1000, entry->caller_iters)
					     : pg_plan_ns (entry->plan, 1000);
  int64_t part_ns = pg_plan_first_part (entry->plan);
  int n_won = 0;
  steps->n_slots = pg_pool_queues ();
  while (entry->done < hi)
    {
      int64_t least = n_won < GOOD_TRIALS ? FIRST_TURNS * steps->n_slots : LATER_ITERS;
      int64_t n = alone_ps > 0 ? pg_plan_share (part_ns, 1000, alone_ps) + 1 : 1, left = hi - entry->done;
      if (n < least)
	n = least;
      if (entry->is_forced || n > left)
	n = left < INT32_MAX ? left : INT32_MAX;
      bool is_long = entry->region->ordered_part != NULL || alone_ps >= LEAST_ROW_NS * (int64_t) 1000;
      bool is_good = entry->is_forced || (is_long && !pg_pool_is_crowded ());
      if (!is_good || !pg_entry_reserve (entry, steps->n_slots))
	{
	  alone_ps = run_alone (entry, entry->done + 1, hi);
	  continue;
	}
      int64_t team_ps = run_team (entry, entry->done + n);
      int64_t before_ps = alone_ps;
      if (!entry->is_forced && entry->done < hi)
	alone_ps = run_alone (entry, trial_iters (n, alone_ps), hi);
      int64_t both_ps = (before_ps + alone_ps) / 2;
      bool has_won = team_ps <= both_ps / 8 * WORTH_8TH;
      entry->pooled_alone_ns += pg_plan_share (both_ps, n, 1000);
      part_ns = pg_plan_next_part (entry->plan, has_won);
      if (entry->is_forced || entry->done == hi)
	continue;
      PG_LOG (PLAN, "region %s:%u: doacross took %lld ns an iteration, the caller alone %lld", entry->region->file,
	      (unsigned) entry->region->line, (long long) team_ps / 1000, (long long) both_ps / 1000);
      n_won += has_won;
      int64_t lost_ns = team_ps > both_ps ? pg_plan_share (team_ps - both_ps, n, 1000) : 0;
      if (lost_ns > 0)
	pg_pool_lost (lost_ns);
      if (!has_won)
	alone_ps = run_alone (entry, iters_until_next (entry, n, team_ps, lost_ns, alone_ps), hi);
    }
}
