/* SPDX-License-Identifier: MIT
   Entries of hand-written regions: each must leave memory and scalars as one thread running the loop would.  */
//! link: -Wl,--wrap=pg_load_cpus -Wl,--wrap=pg_watch_once_ns -Wl,--wrap=pg_plan_begin -Wl,--wrap=pg_plan_leave
//! link: -Wl,--wrap=pg_pool_is_crowded
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "futex.h"
#include "inspector.h"
#include "kernel-pages.h"
#include "load.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

enum
{
  MANY = 1 << 20
};

static int64_t expected[2 * N];
static int n_cpus = INT_MAX, n_asked, n_busy;

__typeof__ (pg_load_cpus) __wrap_pg_load_cpus;
__typeof__ (pg_pool_is_crowded) __wrap_pg_pool_is_crowded;
__typeof__ (pg_watch_once_ns) __real_pg_watch_once_ns, __wrap_pg_watch_once_ns;

/* What a new watch takes, if somebody asks again, and did.  */
static int64_t watch_ns;
static bool has_begun;

int64_t
__wrap_pg_watch_once_ns (void)
{
  static int64_t taken_ns;
  if (has_begun && watch_ns > 0)
    {
      usleep ((useconds_t) (watch_ns / 1000));
      taken_ns += watch_ns;
    }
  has_begun = !has_begun;
  return __real_pg_watch_once_ns () + taken_ns;
}

/* A machine that leaves N_CPUS, however busy this one is; but one when it is asked the first N_BUSY times.  */
int
__wrap_pg_load_cpus (int n_own)
{
  assert_true (n_own > 0);
  return n_asked++ < n_busy ? 1 : n_cpus;
}

/* So no worker is held up either, of whom there may be more than this machine has CPUs, unless a test says so.  */
static bool is_crowded;

bool
__wrap_pg_pool_is_crowded (void)
{
  return is_crowded;
}

/* When the plan was told that entries begin and end.  */
static int64_t told_ns[4];
static size_t n_told;
__typeof__ (pg_plan_begin) __real_pg_plan_begin, __wrap_pg_plan_begin;
__typeof__ (pg_plan_leave) __real_pg_plan_leave, __wrap_pg_plan_leave;

static void
note_told (int64_t ns)
{
  if (n_told < sizeof told_ns / sizeof *told_ns)
    told_ns[n_told++] = ns;
}

void
__wrap_pg_plan_begin (struct pg_plan *plan, int64_t ns)
{
  note_told (ns);
  __real_pg_plan_begin (plan, ns);
}

void
__wrap_pg_plan_leave (struct pg_plan *plan, int64_t ns)
{
  note_told (ns);
  __real_pg_plan_leave (plan, ns);
}

/* No two iterations of a scatter loop write the same.  */
static void
permute (void)
{
  for (int64_t i = 0; i < N; i++)
    b[i] = i * 7 % N;
}

static void
the_plan_is_told_when_entries_begin_and_end (void **state)
{
  struct pg_descriptor *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  (void) state;
  n_told = 0;
  for (int i = 0; i < 2; i++)
    assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (n_told, 4);
  assert_true (told_ns[0] > 0);
  /* What the entries take is not the program's time.  */
  assert_int_equal (told_ns[1], told_ns[0]);
  assert_true (told_ns[2] > told_ns[1]);
  assert_int_equal (told_ns[3], told_ns[2]);
}

/* Nor is what those of other regions take.  */
static void
entries_of_other_regions_are_no_time_of_the_program (void **state)
{
  struct pg_descriptor *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  const int64_t hour_ns = INT64_C (3600000000000);
  (void) state;
  n_told = 0;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  pg_thread_self ()->entries_ns += hour_ns;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  pg_thread_self ()->entries_ns -= hour_ns;
  assert_true (told_ns[2] < told_ns[1]);
}

static void
free_iterations_run_on_the_pool (void **state)
{
  struct pg_descriptor *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  (void) state;
  atomic_store (&n_noalias_calls, 0);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[i], 2 * a[i] + b[i]);
  assert_int_equal (c[N], -1);
  assert_int_equal (row_of (region)->n_pool, 1);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L1], 1);
  assert_true (atomic_load (&n_noalias_calls) > 1);
}

/* c = a + 1 element: disjoint groups are no longer given, and iterations conflict.  */
static void
overlapping_groups_do_not_run_the_noalias_body (void **state)
{
  struct pg_descriptor *region = a_scale_region ();
  struct scale_args args = { a, b, a };
  (void) state;
  for (int i = 0; i < N; i++)
    expected[i] = 2 * a[i] + b[i];
  atomic_store (&n_noalias_calls, 0);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (a, expected, N * sizeof *a);
  assert_int_equal (atomic_load (&n_noalias_calls), 0);
}

static void
reductions_and_live_outs_come_back (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  for (int64_t n = 1; n < 40; n++)
    check_sum (region, n);
  check_sum (region, N);
}

static void
forced_conflicts_change_nothing (void **state)
{
  static const struct
  {
    enum pg_inject_kind kind;
    int64_t number;
  } forced[] = { { PG_INJECT_EVERY, 1 },  { PG_INJECT_EVERY, 7 }, { PG_INJECT_AT, 0 },     { PG_INJECT_AT, 3 },
		 { PG_INJECT_AT, N - 1 }, { PG_INJECT_AT, N },    { PG_INJECT_RANDOM, 1 }, { PG_INJECT_RANDOM, 2 } };
  (void) state;
  for (size_t k = 0; k < sizeof forced / sizeof *forced; k++)
    {
      struct pg_descriptor *sum = a_sum_region (), *scatter = a_scatter_region ();
      pg_environment.inject = true;
      pg_environment.inject_kind = forced[k].kind;
      pg_environment.inject_number = forced[k].number;
      check_sum (sum, N);
      assert_true (row_of (sum)->n_conflicts > 0 || forced[k].number == N);

      struct scatter_args args = { c, b }, serial = { expected, b };
      memcpy (expected, c, sizeof c);
      permute ();
      scatter_body (&serial, 0, N, NULL);
      assert_int_equal (__paragon_enter_v1 (scatter, &args, N), 1);
      assert_memory_equal (c, expected, sizeof c);
      assert_true (row_of (scatter)->n_conflicts > 0 || forced[k].number == N);
    }
}

static void
permutations_are_inspected_then_remembered (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  permute ();
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], 1);
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L2], 1);
  assert_int_equal (row_of (region)->n_conflicts, 0);
}

/* Where nothing is watched, so that there is no gate, either.  */
static void
pieces_that_are_known_become_one (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  pg_environment.is_watch_off = true;
  permute ();
  check_scatter (region);
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L2], 1);
  assert_true (state_of (region)->inspector->lo > 0);
  struct pg_plan *plan = &state_of (region)->plan;
  plan->pieces_ns = plan->purse_ns = INT64_MAX / 64;
  plan->is_on_spree = true;
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], 2);
  assert_int_equal (state_of (region)->inspector->lo, 0);
  assert_int_equal (state_of (region)->inspector->hi, N);
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L2], 2);
}

static int64_t
slow_scatter_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  for (int64_t i = lo; i < hi; i++)
    for (int64_t end = pg_now () + 100; pg_now () < end;)
      pg_pause ();
  return scatter_body (args, lo, hi, ctx);
}

/* Enter a scatter loop that the runtime is left alone with, again and again, until a verdict holds, at most N_ENTRIES
   times.  */
static const struct pg_row *
enter_scatter (struct pg_descriptor *region, int n_entries)
{
  struct scatter_args args = { c, b };
  region->body = slow_scatter_body;
  permute ();
  memcpy (expected, c, sizeof c);
  for (int entry = 0; entry < n_entries; entry++)
    {
      if (!__paragon_enter_v1 (region, &args, N))
	region->body (&args, 0, N, NULL);
      scatter_body (&(struct scatter_args) { expected, b }, 0, N, NULL);
      assert_memory_equal (c, expected, sizeof c);
      if (row_of (region)->n_rungs[PG_RUNG_L2] > 0)
	break;
    }
  return row_of (region);
}

/* Left to itself, the runtime refuses until the purse pays for inspections; in the end their verdicts hold.  */
static void
inspections_come_when_they_can_be_paid (void **state)
{
  (void) state;
  force_pool (4);
  pg_environment.plan = PG_PLAN_AUTO;
  const struct pg_row *row = enter_scatter (a_scatter_region (), 1000);
  assert_true (row->n_rungs[PG_RUNG_L2] > 0); /* so there was an inspection */
}

/* What an inspection takes for a new watch is paid, but is no part of what inspections are thought to cost.  */
static void
what_comes_once_is_paid_and_not_expected_again (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  permute ();
  watch_ns = 100000000;
  has_begun = false;
  check_scatter (region);
  watch_ns = 0;
  const struct pg_plan *plan = &((struct pg_state *) region->state)->plan;
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], 1);
  assert_true (plan->purse_ns < -90000000);
  assert_true (plan->inspect_ps * N / 1000 < 25000000);
}

static void
swap_first (void)
{
  int64_t first = b[0];
  b[0] = b[1];
  b[1] = first;
}

/* Enter REGION, whose purse is full, once more, whatever the pool has gained so far.  Whether that was inspected.  */
static bool
is_inspected (struct pg_descriptor *region)
{
  struct pg_plan *plan = &((struct pg_state *) region->state)->plan;
  int64_t before = row_of (region)->n_rungs[PG_RUNG_L3];
  struct scatter_args args = { c, b };
  plan->inspect_ps = 4 * plan->alone_ps;
  plan->purse_ns = INT64_MAX / 64;
  plan->is_on_spree = true;
  plan->is_alone = false;
  plan->skip = 0;
  for (int i = 0; i < PG_PLAN_SIZES; i++)
    plan->sizes[i].skip = 0;
  memcpy (expected, c, sizeof c);
  if (!__paragon_enter_v1 (region, &args, N))
    region->body (&args, 0, N, NULL);
  scatter_body (&(struct scatter_args) { expected, b }, 0, N, NULL);
  assert_memory_equal (c, expected, sizeof c);
  return row_of (region)->n_rungs[PG_RUNG_L3] > before;
}

/* What changed for once is not worth a dear inspection: the verdict of before holds again.  */
static void
dear_inspections_come_when_a_verdict_fails_twice (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  force_pool (4);
  pg_environment.plan = PG_PLAN_AUTO;
  pg_environment.is_watch_off = true; /* else the caller may be through, in order, before anybody asks */
  enter_scatter (region, 1000);
  for (int i = 0; i < 20 && is_inspected (region); i++)
    continue; /* the verdict may be about a part, and more than one entry be needed for the rest */
  swap_first ();
  assert_false (is_inspected (region));
  swap_first ();
  assert_false (is_inspected (region));
  swap_first ();
  assert_false (is_inspected (region));
  bool is_any = false;
  for (int i = 0; i < 100 && !is_any; i++)
    is_any = is_inspected (region);
  assert_true (is_any);
}

/* On a machine that others keep busy they would cost more and gain less.  Waiting costs next to nothing.  */
static void
inspections_wait_for_a_free_cpu (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  force_pool (4);
  pg_environment.plan = PG_PLAN_AUTO;
  n_cpus = 1;
  n_asked = 0;
  const struct pg_row *row = enter_scatter (region, 200);
  assert_int_equal (row->n_pool, 0);
  assert_int_equal (row->n_original + row->n_sequential, 200);
  assert_in_range (n_asked, 1, 100);
  n_cpus = 2;
  enter_scatter (region, 1000);
  assert_true (row->n_rungs[PG_RUNG_L2] > 0);
  n_cpus = INT_MAX;
}

/* The purse pays for a trial of few iterations: it is a chunk of the fixed grid nevertheless, not none.  */
static void
a_trial_is_whole_chunks (void **state)
{
  struct pg_region on_grid = scatter_region;
  (void) state;
  on_grid.flags |= PG_REGION_FIXED_GRID;
  on_grid.body = slow_scatter_body;
  struct pg_descriptor *region = a_new_region (on_grid);
  permute ();
  check_scatter (region);
  struct pg_plan *plan = &state_of (region)->plan;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int i = 0; i < 20; i++)
    {
      pg_plan_learn (plan, N, (int64_t) N * 1000000);
      struct scatter_args args = { c + 1 + i, b }, serial = { expected, b }; /* no verdict is about that */
      memcpy (expected, args.y, N * sizeof *c);
      scatter_body (&serial, 0, N, NULL);
      plan->inspect_ps = 4 * plan->alone_ps;
      plan->inspect_iters = 1;
      plan->least_purse_ns = 0;
      plan->purse_ns = 16 * plan->alone_ps / 1000;
      plan->is_on_spree = false;
      plan->skip = 0;
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
      assert_memory_equal (args.y, expected, N * sizeof *c);
      assert_false (plan->is_scattered);
    }
}

static int64_t
very_slow_scatter_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  for (int64_t i = lo; i < hi; i++)
    for (int64_t end = pg_now () + 10000; pg_now () < end;)
      pg_pause ();
  return scatter_body (args, lo, hi, ctx);
}

/* Enter REGION on Y, when no CPU is free but later.  Whether some of it ran on the pool.  */
static bool
enter_when_busy (struct pg_descriptor *region, int64_t *y)
{
  memcpy (expected, y, N * sizeof *y);
  n_asked = 0;
  n_busy = 1;
  int64_t n_before = region->state == NULL ? 0 : row_of (region)->n_pool;
  if (!__paragon_enter_v1 (region, &(struct scatter_args) { y, b }, N))
    region->body (&(struct scatter_args) { y, b }, 0, N, NULL);
  scatter_body (&(struct scatter_args) { expected, b }, 0, N, NULL);
  assert_memory_equal (y, expected, N * sizeof *y);
  n_busy = 0;
  return row_of (region)->n_pool > n_before && n_asked > 1;
}

/* A long entry, though it is the first one, need not run to its end alone because no CPU was free when it began, nor
   because the machine was crowded or the purse empty then; nor need a later one.  On a machine that really is crowded,
   it may take several.  */
static void
long_entries_are_looked_at_again (void **state)
{
  enum
  {
    MOST_TRIES = 50
  };
  struct pg_descriptor *region;
  int n_tries = 0;
  (void) state;
  force_pool (4);
  pg_environment.plan = PG_PLAN_AUTO;
  permute ();
  do
    {
      region = a_scatter_region ();
      region->body = very_slow_scatter_body;
      pg_pool_lost (1000000);
    }
  while (!enter_when_busy (region, c) && ++n_tries < MOST_TRIES);
  do
    state_of (region)->plan.purse_ns = INT64_MAX / 128;                     /* it shall only lack a CPU */
  while (!enter_when_busy (region, a + n_tries) && ++n_tries < MOST_TRIES); /* no verdict is about that */
  assert_in_range (n_tries, 0, MOST_TRIES - 1);
}

static void
planted_conflicts_are_found (void **state)
{
  static const int distances[] = { 1, 31, 1000, N - 1 };
  (void) state;
  pg_environment.is_watch_off = true; /* else the caller may be through, in order, before anybody asks */
  for (int d = 0; d < 4; d++)
    for (int at = 0; at + distances[d] < N; at += 777)
      {
	struct pg_descriptor *region = a_scatter_region ();
	permute ();
	b[at + distances[d]] = b[at];
	check_scatter (region);
	b[0] = b[1];
	check_scatter (region);
	assert_true (row_of (region)->n_conflicts > 0);
      }
}

/* Enter REGION, whose verdict was gated, with a conflict planted, and without it again.  Whether it was found.  */
static bool
is_found_at_gate (struct pg_descriptor *region, int64_t at)
{
  int64_t n_before = row_of (region)->n_conflicts, old = b[at];
  b[at] = b[at - 1];
  check_scatter (region);
  b[at] = old;
  bool is_found = row_of (region)->n_conflicts > n_before;
  for (int i = 0; i < 8; i++)
    check_scatter (region);
  return is_found;
}

/* While others ask whether index data were touched, the caller runs the first chunks in order; if they were, that is
   kept, and the rest is looked at.  Alone, it asks nobody.  */
static void
a_shut_gate_keeps_what_the_caller_ran (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  for (int n_threads = 4; n_threads > 0; n_threads -= 3)
    {
      bool is_any = n_threads == 1;
      force_pool (n_threads);
      region->body = slow_scatter_body;
      permute ();
      for (int i = 0; i < 8; i++)
	check_scatter (region);
      for (int64_t at = 1; at < N; at += N / 16)
	is_any |= is_found_at_gate (region, at);
      assert_true (is_any);
    }
}

/* An entry may begin with a gate, and no look at its numbers; what is inspected later in it needs them.  */
static void
numbers_are_asked_before_an_inspection (void **state)
{
  struct pg_descriptor *region = a_scatter_region ();
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  region->body = slow_scatter_body;
  permute ();
  for (int i = 0; i < 1000 && (i < 8 || state_of (region)->entry.view->is_checked); i++)
    check_scatter (region); /* where others want the CPUs, numbers are looked at again */
  assert_false (state_of (region)->entry.view->is_checked);
  int64_t n_inspected = row_of (region)->n_rungs[PG_RUNG_L3];
  for (int i = 0; i < 1000 && row_of (region)->n_rungs[PG_RUNG_L3] == n_inspected; i++)
    {
      int64_t last = b[N - 1];
      b[N - 1] = b[N - 2];
      b[N - 2] = last;
      check_scatter (region); /* the caller may be through before anybody asks */
    }
  assert_true (row_of (region)->n_rungs[PG_RUNG_L3] > n_inspected);
  assert_true (state_of (region)->entry.view->is_checked);
}

static void
windows_run_in_parallel (void **state)
{
  (void) state;
  for (int64_t distance = 1; distance < 300; distance = 3 * distance + 1)
    {
      struct pg_descriptor *region = a_shift_region ();
      struct shift_args args = { a, distance }, serial = { expected, distance };
      memcpy (expected, a, sizeof a);
      shift_body (&serial, 0, N, NULL);
      if (__paragon_enter_v1 (region, &args, N) == 0)
	{
	  assert_int_equal (distance, 1);
	  assert_int_equal (row_of (region)->n_statuses[PG_CONFLICT], 1);
	  shift_body (&args, 0, N, NULL);
	}
      else
	assert_int_equal (row_of (region)->n_pool, 1);
      assert_memory_equal (a, expected, sizeof a);
    }
}

/* Every forced rung gives the same answer, or refuses.  */
static void
rungs_can_be_forced (void **state)
{
  (void) state;
  for (int step = PG_RUNG_L0; step < PG_N_RUNGS; step++)
    {
      struct pg_descriptor *region = a_scatter_region ();
      pg_environment.step = step;
      permute ();
      if (step == PG_RUNG_L0 || step == PG_RUNG_L1)
	{
	  struct scatter_args args = { c, b };
	  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
	  assert_int_equal (row_of (region)->n_statuses[PG_UNSETTLED], 1);
	  continue;
	}
      check_scatter (region);
      check_scatter (region);
      assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], step == PG_RUNG_L3 ? 2 : step != PG_RUNG_L5 ? 1 : 0);
      assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L5], step == PG_RUNG_L5 ? 2 : 0);
    }
}

/* Floating-point sums depend on where the loop is cut: it must be cut alike on 1, 2 and 4 threads, on the pool and
   beside it, whatever refuses the entry.  */
static void
the_fixed_grid_gives_the_same_bits (void **state)
{
  double first = 0;
  (void) state;
  for (int n_threads = 1; n_threads <= 4; n_threads *= 2)
    for (int way = 0; way < 5; way++)
      {
	struct pg_descriptor *region = an_fsum_region ();
	struct fsum_args args = { f, 0.1 };
	force_pool (n_threads);
	pg_environment.plan = way == 1 ? PG_PLAN_AUTO : way == 2 ? PG_PLAN_ORIGINAL : PG_PLAN_POOL;
	pg_environment.inject = way == 3;
	pg_environment.inject_number = 100;
	pg_thread_self ()->is_worker = way == 4;
	assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
	pg_thread_self ()->is_worker = false;
	if (first == 0)
	  first = args.sum;
	assert_memory_equal (&first, &args.sum, sizeof first);
      }
}

static void
small_work_raises_the_threshold (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int i = 0; i < 100; i++)
    {
      struct sum_args args = { a, 0, 0, 0 }, serial = args;
      int64_t n = region->threshold > 20 ? region->threshold : 20;
      if (n > N)
	break;
      sum_body (&serial, 0, n, NULL);
      if (__paragon_enter_v1 (region, &args, n))
	assert_memory_equal (&args, &serial, sizeof args);
    }
  assert_true (region->threshold > 20);
}

/* Where the longest range that one call of the body below was given begins.  */
static int64_t longest_lo, longest_len;

static int64_t
note_range (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args;
  (void) ctx;
  if (hi - lo > longest_len)
    {
      longest_lo = lo;
      longest_len = hi - lo;
    }
  return 0;
}

/* A first entry is measured on few iterations, twice as many each time, until they have taken long enough: who is held
   up is soon through.  The rest begins where vectors of the whole would.  */
static void
the_rest_of_a_probe_is_aligned (void **state)
{
  struct pg_region noting = sum_region;
  noting.body = noting.body_noalias = note_range;
  struct pg_descriptor *region = a_new_region (noting);
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  pg_environment.n_threads = 1;
  longest_len = 0;
  assert_int_equal (__paragon_enter_v1 (region, &args, 1 << 30), 1);
  assert_true (longest_lo > 0);
  assert_int_equal (longest_lo & (longest_lo - 1), 0);
}

/* The chunks that begin with a multiple of an eighth of MANY iterations.  */
static _Atomic unsigned eighths;

static int64_t
note_eighth (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) hi, (void) ctx;
  if (lo % (MANY / 8) == 0)
    atomic_fetch_or (&eighths, 1u << lo / (MANY / 8));
  return 0;
}

/* A long entry is run after run, and where they end does not move with what iterations seem to cost: then each thread
   finds its data where it left them.  With two threads, each has half a run.  */
static void
runs_of_a_long_entry_have_their_places (void **state)
{
  static const struct
  {
    int64_t ns;
    unsigned some, none; /* of the eighths, as far as the first run goes: then it is known that they cost nothing */
  } costs[] = { { 120000000, 5, 10 }, { 190000000, 5, 10 }, { 210000000, 3, 0 }, { 390000000, 3, 0 } };
  (void) state;
  force_pool (2);
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    {
      struct pg_region noting = sum_region;
      noting.body = noting.body_noalias = note_eighth;
      struct pg_descriptor *region = a_new_region (noting);
      struct sum_args args = { a, 0, 0, 0 };
      assert_int_equal (__paragon_enter_v1 (region, &args, 2), 1);
      struct pg_plan *plan = &state_of (region)->plan;
      pg_plan_learn (plan, 16 * MANY, 16 * costs[i].ns);
      plan->late_ns[0] = 0; /* nobody was late, and so shares are even */
      eighths = 0;
      assert_int_equal (__paragon_enter_v1 (region, &args, MANY), 1);
      assert_int_equal (eighths & costs[i].some, costs[i].some);
      assert_int_equal (eighths & costs[i].none, 0);
    }
}

/* Whether threads wait for each other in the body below, how many are in it, and whether there were two.  */
static bool are_to_meet;
static _Atomic int n_in_body;
static _Atomic bool have_met;

static int64_t
meet (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) lo, (void) hi, (void) ctx;
  atomic_fetch_add (&n_in_body, 1);
  for (int i = 0; i < 5000 && are_to_meet && !have_met; i++)
    {
      have_met = n_in_body > 1;
      usleep (1000);
    }
  atomic_fetch_sub (&n_in_body, 1);
  return 0;
}

/* However long iterations are, a run has some for each thread.  */
static void
long_iterations_run_side_by_side (void **state)
{
  struct pg_region meeting = sum_region;
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  force_pool (2);
  meeting.body = meeting.body_noalias = meet;
  struct pg_descriptor *region = a_new_region (meeting);
  assert_int_equal (__paragon_enter_v1 (region, &args, 2), 1);
  pg_plan_learn (&state_of (region)->plan, 16, 16 * 1000000000ll);
  are_to_meet = true;
  assert_int_equal (__paragon_enter_v1 (region, &args, 16), 1);
  assert_true (have_met);
}

/* Where others want the CPUs, the caller goes on alone, and looks again, after each iteration if these are long.  */
static void
a_crowded_pool_is_looked_at_again (void **state)
{
  struct pg_region noting = sum_region;
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  pg_environment.n_threads = 2;
  noting.body = noting.body_noalias = note_range;
  struct pg_descriptor *region = a_new_region (noting);
  assert_int_equal (__paragon_enter_v1 (region, &args, 2), 1);
  pg_plan_learn (&state_of (region)->plan, 16, 16 * 1000000000ll);
  is_crowded = true;
  longest_len = 0;
  assert_int_equal (__paragon_enter_v1 (region, &args, 16), 1);
  is_crowded = false;
  assert_int_equal (longest_len, 1);
}

static int64_t
late_on_workers (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) lo, (void) hi, (void) ctx;
  usleep (pg_thread_self ()->is_worker ? 1000 : 100);
  return 0;
}

/* Others who end runs later than the caller get less: the seam between the two is not in the middle.  */
static void
who_is_late_gets_less (void **state)
{
  struct pg_region late = sum_region, noting = sum_region;
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  force_pool (2);
  late.body = late.body_noalias = late_on_workers;
  noting.body = noting.body_noalias = note_eighth;
  struct pg_descriptor *region = a_new_region (late);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  for (int i = 0; i < 500 && state_of (region)->plan.late_ns[0] <= 0; i++)
    assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_true (state_of (region)->plan.late_ns[0] > 0);
  region = a_new_region (noting);
  assert_int_equal (__paragon_enter_v1 (region, &args, 2), 1);
  pg_plan_learn (&state_of (region)->plan, 16 * MANY, 16 * 12000000);
  state_of (region)->plan.late_ns[0] = 40000;
  eighths = 0;
  assert_int_equal (__paragon_enter_v1 (region, &args, MANY), 1);
  assert_int_equal (eighths & 5, 1);
}

/* 10 us an iteration.  */
static int64_t
slow_scale_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  for (int64_t end = pg_now () + 10000 * (hi - lo); pg_now () < end;)
    continue;
  return scale_body (args, lo, hi, ctx);
}

/* To know what a long entry takes the caller alone, a quarter of it will do, or less; of a short one, all.  */
static void
long_entries_are_alone_in_part (void **state)
{
  static const struct
  {
    int64_t ns;      /* as is believed of some that take less; or 0: what slow ones take */
    int least, most; /* iterations alone, if it is one in part */
  } costs[] = { { 2000000, 0, 0 }, { 20000000, N / 10, N / 4 }, { 0, 1, N / 5 } };
  struct scale_args args = { a, b, c };
  (void) state;
  for (size_t k = 0; k < sizeof costs / sizeof *costs; k++)
    {
      struct pg_region scale = scale_region;
      if (costs[k].ns == 0)
	scale.body = scale.body_noalias = slow_scale_body;
      struct pg_descriptor *region = a_new_region (scale);
      force_pool (2);
      pg_environment.plan = PG_PLAN_AUTO;
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
      struct pg_state *known = state_of (region);
      if (costs[k].ns > 0)
	pg_plan_learn (&known->plan, N, costs[k].ns);
      known->plan.is_alone = true;
      for (int i = 0; i < N; i++)
	c[i] = -1;
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
      for (int i = 0; i < N; i++)
	assert_int_equal (c[i], 2 * a[i] + b[i]);
      assert_in_range (known->entry.sampled_iters, costs[k].least, costs[k].most);
      assert_int_equal (known->entry.used_pool, costs[k].most > 0);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (the_plan_is_told_when_entries_begin_and_end, set_up),
    cmocka_unit_test_setup (entries_of_other_regions_are_no_time_of_the_program, set_up),
    cmocka_unit_test_setup (long_entries_are_alone_in_part, set_up),
    cmocka_unit_test_setup (free_iterations_run_on_the_pool, set_up),
    cmocka_unit_test_setup (overlapping_groups_do_not_run_the_noalias_body, set_up),
    cmocka_unit_test_setup (reductions_and_live_outs_come_back, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
    cmocka_unit_test_setup (permutations_are_inspected_then_remembered, set_up),
    cmocka_unit_test_setup (pieces_that_are_known_become_one, set_up),
    cmocka_unit_test_setup (what_comes_once_is_paid_and_not_expected_again, set_up),
    cmocka_unit_test_setup (inspections_come_when_they_can_be_paid, set_up),
    cmocka_unit_test_setup (dear_inspections_come_when_a_verdict_fails_twice, set_up),
    cmocka_unit_test_setup (inspections_wait_for_a_free_cpu, set_up),
    cmocka_unit_test_setup (long_entries_are_looked_at_again, set_up),
    cmocka_unit_test_setup (planted_conflicts_are_found, set_up),
    cmocka_unit_test_setup (a_trial_is_whole_chunks, set_up),
    cmocka_unit_test_setup (a_shut_gate_keeps_what_the_caller_ran, set_up),
    cmocka_unit_test_setup (numbers_are_asked_before_an_inspection, set_up),
    cmocka_unit_test_setup (windows_run_in_parallel, set_up),
    cmocka_unit_test_setup (rungs_can_be_forced, set_up),
    cmocka_unit_test_setup (the_fixed_grid_gives_the_same_bits, set_up),
    cmocka_unit_test_setup (small_work_raises_the_threshold, set_up),
    cmocka_unit_test_setup (the_rest_of_a_probe_is_aligned, set_up),
    cmocka_unit_test_setup (runs_of_a_long_entry_have_their_places, set_up),
    cmocka_unit_test_setup (long_iterations_run_side_by_side, set_up),
    cmocka_unit_test_setup (a_crowded_pool_is_looked_at_again, set_up),
    cmocka_unit_test_setup (who_is_late_gets_less, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
