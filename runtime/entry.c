/* SPDX-License-Identifier: MIT
   The ways to run a part of an entry.  See entry.h.

   errno: the runtime's own calls may change it, so the loop's value is put in place before the loop's code runs on the
   caller and taken after.  */
#include "entry.h"
#include "arena.h"
#include "budget.h"
#include "futex.h"
#include "log.h"
#include "pool.h"
#include "reduce.h"
#include "tally.h"
#include "trace.h"

#include <errno.h>
#include <string.h>

enum
{
  CHUNK_NS = 4000,          /* the least work of a chunk */
  FORCED_CHUNKS = 8,        /* a thread, without a thought of time */
  RUN_NS = 50000000,        /* of each thread's work in a run, about: then it is seen what CPUs are free */
  WHOLE_RUN_NS = 5000000,   /* the same where signals wait for its end */
  SHARED_RUN_NS = 500000,   /* the same where a device runs the loop, too: then it is seen what that did */
  CROWDED_NS = 5000000,     /* of the caller's work, until it is seen whether others still want the CPUs */
  LONG_NS = 500000,         /* of work: who wants to end the program had better not wait for it */
  UNKNOWN_SHARE = 8,        /* of the iterations in the first run when costs are unknown */
  FORCED_SHARE = 2,         /* and in each, without a thought of time: there shall be several */
  FORCED_PART_NS = 5000000, /* but who spends more on a part of its arrays thinks of time */
  PROBE_NS = 10000,
  SAMPLE_PARTS = 8,      /* of which two are samples: a quarter, */
  SAMPLE_NS = 2000000,   /* but no longer than this */
  LITTLE_SHARE = 16,     /* of an entry's work is what may be spent on parts of its arrays to have samples */
  NS_PER_PART_BYTE = 4,  /* of an array reduction, which take less than one to fill and to combine */
  ODD_TIMES = 4,         /* a piece of a probe that takes so many times what those before took, or they took that, */
  ODD_SHARE = 8,         /* is not believed before the next one has run, unless more than 1/ODD_SHARE is done */
  MOST_ODD_NS = 1000000, /* or it takes so long */
  WARM_NS = 4000000,     /* the most that a warm-up takes, about */
  STEADY_SHARE = 8,      /* a piece whose iterations are cheaper by so much says that others were not warm, */
  STEADY_NS = 400000,    /* and that they are, where it is longer than this, and not cheaper, */
  ENOUGH_STEADY = 2,     /* and there are so many in a row */
  ARGS_ALIGN = 64
};

void
pg_entry_open (struct pg_entry *entry, const struct pg_region *region, struct pg_plan *plan, void *args,
	       int64_t n_iters, bool is_forced)
{
  entry->region = region;
  entry->plan = plan;
  entry->caller = pg_thread_self ();
  entry->args = args;
  entry->n_iters = n_iters;
  entry->done = 0;
  entry->body = region->body;
  entry->is_forced = is_forced;
  entry->stride = ((size_t) region->args_len + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
  entry->caller_ns = entry->caller_iters = 0;
  entry->rung = PG_RUNG_L5;
  entry->used_pool = entry->used_device = entry->used_doacross = false;
  entry->n_conflicts = entry->n_redone = 0;
  entry->pooled_ns = entry->pooled_iters = entry->pooled_alone_ns = entry->asked_ns = entry->vain_ns = 0;
  entry->sampled_ns = entry->sampled_iters = 0;
  entry->has_given_up = entry->is_gated = false;
  entry->cooperation.phase = PG_COOPERATES_NOT;
}

int64_t
pg_entry_cut (const struct pg_entry *entry, int64_t hi)
{
  if (!pg_entry_has_fixed_grid (entry) || hi == entry->n_iters)
    return hi;
  int64_t len = pg_entry_grid_len (entry);
  return hi / len * len;
}

/* Whether a chunk of REGION that begins with iteration LO works on parts of arrays: the first has the program's.  */
static bool
has_parts (const struct pg_region *region, int64_t lo)
{
  return region->n_array_reductions > 0 && lo > 0;
}

/* What it takes to run an entry in order on the fixed grid.  */
struct grid
{
  const struct pg_region *region;
  pg_loop_fn *body;
  void *args, *chunk; /* room for a copy of ARGS */
  int64_t n_iters;
  const struct pg_parts *parts; /* room for one; or NULL: arrays have none */
  const struct pg_view *view;   /* where there are parts */
};

/* Run [LO, HI) of GRID.  */
static void
run_grid (const struct grid *grid, int64_t lo, int64_t hi)
{
  const struct pg_region *region = grid->region;
  int64_t len = pg_region_grid_len (region, grid->n_iters);
  while (lo < hi)
    {
      int64_t end = hi - lo > len ? lo + len : hi;
      bool has_part = grid->parts != NULL && has_parts (region, lo);
      pg_reduce_start (region, grid->chunk, grid->args, lo);
      if (has_part)
	pg_parts_start (grid->parts, grid->view, 0, grid->chunk);
      grid->body (grid->chunk, lo, end, NULL);
      pg_reduce_take (region, grid->args, grid->chunk, lo);
      if (has_part)
	pg_parts_take (grid->parts, grid->view, 0);
      lo = end;
    }
}

/* Run all of GRID, with memory for parts and what tells of them from here.  */
static void
run_grid_in_parts (struct grid *grid)
{
  size_t view_len = pg_view_len (grid->region);
  struct pg_view *view = pg_arena_get (view_len);
  struct pg_parts parts = { NULL, 0, 0 };
  if (view != NULL)
    {
      pg_view_evaluate (view, grid->region, grid->args, grid->n_iters);
      grid->view = view;
      grid->parts = pg_parts_reserve (&parts, view, 1) ? &parts : NULL;
    }
  run_grid (grid, 0, grid->n_iters);
  pg_budget_put (parts.memory, parts.len);
  pg_arena_put (view, view_len);
}

void
pg_entry_run_grid (const struct pg_region *region, void *args, int64_t n_iters)
{
  void *chunk = __builtin_alloca_with_align (region->args_len + 1, ARGS_ALIGN * 8);
  struct grid grid = { region, region->body, args, chunk, n_iters, NULL, NULL };
  if (region->n_array_reductions > 0)
    run_grid_in_parts (&grid);
  else
    run_grid (&grid, 0, n_iters);
}

/* Run [entry->done, HI) on the caller, untimed.  */
static void
run_in_order (struct pg_entry *entry, int64_t hi)
{
  errno = entry->loop_errno;
  if (pg_entry_has_fixed_grid (entry))
    {
      void *chunk = __builtin_alloca_with_align (entry->stride + 1, ARGS_ALIGN * 8);
      bool has_room = has_parts (entry->region, hi) && pg_parts_reserve (&entry->parts, entry->view, 1);
      struct grid grid = { entry->region, entry->body,    entry->args,
			   chunk,         entry->n_iters, has_room ? &entry->parts : NULL,
			   entry->view };
      run_grid (&grid, entry->done, hi);
    }
  else
    entry->body (entry->args, entry->done, hi, NULL);
  entry->loop_errno = errno;
  entry->done = hi;
}

/* Run [entry->done, HI) on the caller, unless a device was faster.  */
static void
run_piece (struct pg_entry *entry, int64_t hi)
{
  if (!pg_cooperate_take (entry, hi))
    return;
  int64_t lo = entry->done, traced = pg_trace_begin (PG_TRACE_CHUNK, entry->region), start = pg_now ();
  run_in_order (entry, hi);
  entry->caller_ns += pg_now () - start;
  entry->caller_iters += hi - lo;
  PG_TRACE (CHUNK, traced, entry->region, .numbers = { lo, hi });
}

void
pg_entry_run_alone (struct pg_entry *entry, int64_t hi)
{
  if (entry->done >= hi)
    return;
  pg_thread_admit_signals (entry->caller);
  while (entry->done < hi)
    run_piece (entry, pg_cooperate_piece (entry, hi));
}

/* Run [LO, HI), a chunk of a run, with CHUNK as its args.  */
static void
run_body (struct pg_entry *entry, void *chunk, int64_t lo, int64_t hi)
{
  bool is_last = hi == entry->bounds[entry->cut.n_chunks];
  if (entry->region->n_work_arrays == 0 || is_last)
    {
      entry->body (chunk, lo, hi, NULL);
      return;
    }
  int block = pg_work_take (&entry->work);
  pg_work_redirect (&entry->work, entry->view, block, chunk);
  entry->body (chunk, lo, hi, NULL);
  pg_work_give (&entry->work, block);
}

/* Job JOB of an entry's run: a chunk.  As long as the caller takes one after the other, it asks nobody (gate.h).  */
static void
run_chunk (void *arg, int64_t job)
{
  struct pg_entry *entry = arg;
  int64_t index = pg_cut_chunk (&entry->cut, job), lo = entry->bounds[index], hi = entry->bounds[index + 1];
  void *chunk = entry->chunk_args + (size_t) index * entry->stride;
  bool is_caller = pg_thread_self () == entry->caller, is_next = is_caller && index == entry->n_ahead;
  if (is_next)
    entry->n_ahead++;
  if (lo == hi || (entry->is_gated && !is_next && !pg_gate_pass (&entry->gate)))
    return;
  int64_t traced = pg_trace_begin (PG_TRACE_CHUNK, entry->region);
  if (entry->region->tally == NULL) /* else it is ready */
    pg_reduce_start (entry->region, chunk, entry->args, lo);
  if (has_parts (entry->region, lo))
    pg_parts_start (&entry->parts, entry->view, index, chunk);
  pg_join_begin (&entry->join);
  run_body (entry, chunk, lo, hi);
  pg_join_end (&entry->join, index);
  PG_TRACE (CHUNK, traced, entry->region, .numbers = { lo, hi });
  if (is_caller)
    entry->caller_iters += hi - lo;
}

bool
pg_entry_reserve (struct pg_entry *entry, int n)
{
  size_t len = (size_t) n * entry->stride;
  if (entry->region->n_work_arrays > 0 && !pg_work_reserve (&entry->work, entry->view))
    return false;
  if (entry->region->n_array_reductions > 0 && !pg_parts_reserve (&entry->parts, entry->view, n))
    return false;
  if (len <= entry->chunk_args_len)
    return true;
  char *grown = pg_arena_get (len);
  if (grown == NULL)
    return false;
  pg_arena_put (entry->chunk_args, entry->chunk_args_len);
  entry->chunk_args = grown;
  entry->chunk_args_len = len;
  return true;
}

/* NS, or so much work that what ENTRY spends on a part of its arrays is little of it.  */
static int64_t
worth_a_part (const struct pg_entry *entry, int64_t ns)
{
  int64_t part_len = entry->region->n_array_reductions > 0 ? pg_parts_len (entry->view) : 0;
  return ns > part_len * NS_PER_PART_BYTE ? ns : part_len * NS_PER_PART_BYTE;
}

/* Where the next run, on its way to HI, ends: where a half, a quarter, an eighth ... of the loop does, so that in each
   entry runs, and each thread's places in them, are the same, but for a small rest.  */
static int64_t
run_end (const struct pg_entry *entry, int64_t hi)
{
  int64_t left = hi - entry->done, n_iters = entry->n_iters;
  bool is_whole = entry->is_gated || entry->region->tally != NULL;
  int64_t run_ns = entry->cooperation.phase != PG_COOPERATES_NOT ? SHARED_RUN_NS : is_whole ? WHOLE_RUN_NS : RUN_NS;
  int64_t most = pg_plan_team_iters (entry->plan, worth_a_part (entry, run_ns), pg_pool_most_threads (),
				     n_iters / UNKNOWN_SHARE + 1);
  if (entry->is_forced && most > n_iters / FORCED_SHARE + 1)
    most = n_iters / FORCED_SHARE + 1;
  int64_t len = n_iters, unit = pg_entry_grid_len (entry);
  int64_t least = pg_entry_has_fixed_grid (entry) ? unit * pg_pool_queues () : unit; /* a chunk for each thread */
  while (len > most && len / 2 >= least)
    len -= len / 2;
  len = (len + unit - 1) / unit * unit;
  int64_t run_len = len - entry->done % len;
  run_len += run_len < len / 2 ? len : 0;
  return left - run_len < len / 2 ? hi : entry->done + run_len;
}

/* Cut [entry->done, HI) into chunks.  */
static void
cut (struct pg_entry *entry, int64_t hi)
{
  int64_t lo = entry->done;
  int n_owners = pg_pool_queues ();
  if (pg_entry_has_fixed_grid (entry))
    {
      entry->cut = pg_grid_even (entry->bounds, lo, hi, pg_entry_grid_len (entry), n_owners);
      return;
    }
  int64_t most = FORCED_CHUNKS * n_owners, least_ns = worth_a_part (entry, CHUNK_NS);
  if (!entry->is_forced || least_ns > FORCED_PART_NS)
    most = pg_plan_ns (entry->plan, hi - lo) / least_ns;
  if (has_parts (entry->region, hi) && most > pg_parts_most (entry->view))
    most = pg_parts_most (entry->view);
  int64_t ahead = pg_plan_ahead (entry->plan, hi - lo, n_owners, entry->is_gated);
  entry->cut = pg_grid_shares (entry->bounds, lo + ahead, hi, n_owners, most);
  entry->bounds[0] = lo;
}

/* Run the chunks that iterations from entry->done on were cut into, on the pool.  False: the gate is shut, and only
   those are done that the caller ran before it knew.  */
static bool
run_chunks (struct pg_entry *entry)
{
  const struct pg_region *region = entry->region;
  int n = entry->cut.n_chunks, n_ran = n;
  errno = entry->loop_errno;
  entry->n_ahead = 0;
  pg_join_open (&entry->join);
  struct pg_pool_times times
    = entry->is_gated ? pg_pool_run_whole (run_chunk, entry, n) : pg_pool_run (run_chunk, entry, n);
  entry->caller_ns += times.worked_ns;
  entry->was_whole = times.is_whole;
  if (entry->is_gated && entry->n_ahead < n && !pg_gate_pass (&entry->gate))
    n_ran = entry->n_ahead;
  for (int c = 0; c < n_ran; c++)
    {
      if (entry->bounds[c] == entry->bounds[c + 1])
	continue;
      pg_reduce_take (region, entry->args, entry->chunk_args + (size_t) c * entry->stride, entry->bounds[c]);
      if (has_parts (region, entry->bounds[c]))
	pg_parts_take (&entry->parts, entry->view, c);
    }
  entry->done = entry->bounds[n_ran];
  entry->used_pool |= n_ran == n;
  pg_join_close (&entry->join);
  entry->loop_errno = errno;
  if (n_ran == n)
    pg_plan_learn_late (entry->plan, times.late_ns, entry->is_gated);
  return n_ran == n;
}

/* Learn from a run of N iterations on the pool, WALL_NS long and their tally TALLY_NS, of which the caller itself did
   CALLER_ITERS.  */
static void
learn (struct pg_entry *entry, int64_t n, int64_t tally_ns, int64_t wall_ns, int64_t caller_iters, int64_t caller_ns)
{
  pg_plan_learn_pool (entry->plan, n, tally_ns + wall_ns);
  if (caller_iters == 0)
    return;
  pg_plan_learn (entry->plan, caller_iters, caller_ns);
  int64_t alone_ns = pg_plan_share (caller_ns, n, caller_iters);
  if (entry->was_whole && wall_ns > alone_ns && pg_pool_threads () > 1)
    pg_pool_lost (wall_ns - alone_ns);
}

/* Run up to END, TALLY_NS after the tally of that began, as one run of the pool.  False: the gate is shut.  */
static bool
run_team (struct pg_entry *entry, int64_t end, int64_t tally_ns)
{
  int64_t caller_ns = entry->caller_ns, caller_iters = entry->caller_iters, start = pg_now (), lo = entry->done;
  if (!run_chunks (entry))
    return false;
  int64_t ns = pg_now () - start;
  entry->pooled_ns += tally_ns + ns;
  entry->pooled_iters += end - lo;
  learn (entry, end - lo, tally_ns, ns, entry->caller_iters - caller_iters, entry->caller_ns - caller_ns);
  return true;
}

/* Run up to END as one run of the pool if its tally shows that iterations are free.  If not, run it on the caller, and
   what is left, up to HI, unless the user wants the pool: the next run is like this one.  */
static void
run_tallied (struct pg_entry *entry, int64_t end, int64_t hi)
{
  int64_t start = pg_now ();
  if (pg_tally_run (entry, end))
    {
      run_team (entry, end, pg_now () - start);
      pg_tally_finish (entry);
      return;
    }
  PG_LOG (CONFLICT, "region %s:%u: iterations %lld to %lld: what is carried goes where others are", entry->region->file,
	  (unsigned) entry->region->line, (long long) entry->done, (long long) end);
  entry->n_conflicts++;
  entry->has_given_up = !entry->is_forced;
  if (entry->has_given_up)
    pg_plan_back_off (entry->plan);
  pg_entry_run_alone (entry, entry->has_given_up ? hi : end);
}

void
pg_entry_expect (struct pg_entry *entry, int64_t n_iters)
{
  if (entry->is_forced || pg_plan_ns (entry->plan, n_iters) >= LONG_NS)
    pg_thread_expect_long (entry->caller);
}

/* Where the caller, alone on ENTRY's way to END as others want the CPUs, looks again whether they still do.  */
static int64_t
crowded_end (const struct pg_entry *entry, int64_t end)
{
  int64_t left = end - entry->done, n = pg_plan_iters (entry->plan, CROWDED_NS, left);
  int64_t next = n < left ? pg_entry_cut (entry, entry->done + n) : end;
  return next > entry->done ? next : end;
}

bool
pg_entry_run_pool (struct pg_entry *entry, int64_t hi)
{
  bool is_open = true;
  while (entry->done < hi && is_open)
    {
      int64_t end = run_end (entry, hi);
      if (!pg_cooperate_take (entry, end))
	continue;
      cut (entry, end);
      if (!entry->is_forced && pg_pool_is_crowded ())
	pg_entry_run_alone (entry, crowded_end (entry, end));
      else if (!pg_entry_reserve (entry, entry->cut.n_chunks))
	pg_entry_run_alone (entry, hi);
      else if (entry->region->tally != NULL)
	run_tallied (entry, end, hi);
      else
	is_open = run_team (entry, end, 0);
    }
  entry->is_gated = false;
  return is_open;
}

bool
pg_entry_samples_cheaply (const struct pg_entry *entry)
{
  return worth_a_part (entry, 0) * SAMPLE_PARTS <= pg_plan_ns (entry->plan, entry->n_iters) / LITTLE_SHARE;
}

/* Run ENTRY up to PART of SAMPLE_PARTS on the pool.  */
static void
run_part (struct pg_entry *entry, int part)
{
  pg_entry_run_pool (entry, pg_entry_cut (entry, pg_plan_share (entry->n_iters, part, SAMPLE_PARTS)));
}

/* Run ENTRY up to PART of SAMPLE_PARTS, or as far as tells enough, on the caller.  */
static void
take_sample (struct pg_entry *entry, int part)
{
  int64_t lo = entry->done, end = pg_entry_cut (entry, pg_plan_share (entry->n_iters, part, SAMPLE_PARTS));
  int64_t enough = pg_entry_cut (entry, lo + pg_plan_iters (entry->plan, SAMPLE_NS, entry->n_iters));
  int64_t start = pg_now ();
  pg_entry_run_alone (entry, enough > lo && enough < end ? enough : end);
  entry->sampled_ns += pg_now () - start;
  entry->sampled_iters += entry->done - lo;
}

void
pg_entry_run_sampled (struct pg_entry *entry)
{
  run_part (entry, 1);
  take_sample (entry, 2);
  run_part (entry, SAMPLE_PARTS - 2);
  take_sample (entry, SAMPLE_PARTS - 1);
  run_part (entry, SAMPLE_PARTS);
}

/* What has been done doubles each time: the rest then begins at a multiple of a vector's length, as the whole does.
   A piece thus has as many iterations as all before it.  Where they took far longer, they were cold: in the first one
   code and data come from disk and pages from the kernel.  Where it takes far longer, this thread may have waited for
   its CPU: the next piece says.  */
void
pg_entry_probe (struct pg_entry *entry)
{
  int64_t len = pg_entry_grid_len (entry), n_iters = 0, ns = 0;
  bool is_known = false;
  while (entry->done < entry->n_iters && !is_known)
    {
      int64_t piece_iters = entry->caller_iters, piece_ns = entry->caller_ns;
      pg_entry_run_alone (entry, entry->n_iters - entry->done > len ? entry->done + len : entry->n_iters);
      len = entry->done;
      piece_iters = entry->caller_iters - piece_iters;
      piece_ns = entry->caller_ns - piece_ns;
      bool is_odd = piece_ns / ODD_TIMES > ns && piece_ns < MOST_ODD_NS && len <= entry->n_iters / ODD_SHARE;
      if (piece_ns < ns / ODD_TIMES)
	n_iters = ns = 0;
      n_iters += piece_iters;
      ns += piece_ns;
      is_known = ns >= PROBE_NS && !is_odd;
    }
  pg_plan_learn (entry->plan, n_iters, ns);
}

/* Pieces double as in a probe.  */
void
pg_entry_warm_up (struct pg_entry *entry)
{
  int64_t ps = 0;
  int n_steady = 0;
  while (n_steady < ENOUGH_STEADY && entry->done < entry->n_iters / 4 && entry->caller_ns < WARM_NS)
    {
      int64_t n_iters = entry->caller_iters, ns = entry->caller_ns;
      pg_entry_run_alone (entry, 2 * entry->done);
      n_iters = entry->caller_iters - n_iters;
      if (n_iters == 0)
	return;
      ns = entry->caller_ns - ns;
      pg_plan_learn_warm (entry->plan, n_iters, ns);
      n_steady = entry->plan->alone_ps < ps - ps / STEADY_SHARE ? 0 : n_steady + (ns > STEADY_NS);
      ps = entry->plan->alone_ps;
    }
}

int64_t
pg_entry_alone_ns (const struct pg_entry *entry, int64_t n_iters)
{
  if (entry->caller_iters == 0)
    return 0;
  return pg_plan_share (entry->caller_ns, n_iters, entry->caller_iters);
}
