//! link: -Wl,--wrap=pg_log_write
/* SPDX-License-Identifier: MIT
   The inspector: on random loops its answer is the interpreter's, to the iteration.  */
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "inspect.h"
#include "inspector.h"
#include "left-sieve.h"
#include "logged.h"
#include "loop-model.h"
#include "monitor-log.h"
#include "pool.h"
#include "scout.h"

#include <stdio.h>
#include <string.h>

#define N_RANDOM 3000

static struct model model;
static struct oracle oracle;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;
static uint16_t scatter_index[1000];

/* Go through the iterations as the runtime does, in macro-chunks in order, with everything executed before the next one
   is inspected; the same inspector all the way, so that layouts and epochs are used again.  */
static void
the_first_conflict_is_found_exactly (void **state)
{
  int n_clean = 0, n_conflicts = 0, n_early = 0;
  (void) state;
  model.random = 0x3707344a4093822;
  for (int t = 0; t < N_RANDOM; t++)
    {
      model_random_indirect (&model);
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      assert_non_null (inspector);
      for (int entry = 0; entry < 2; entry++)
	{
	  model_fill_memory (&model);
	  for (uint32_t r = 0; r < model.region.n_refs; r++)
	    if (model.refs[r].feed >= 0) /* other buffers, at other alignments */
	      model.refs[r].base += entry * model_pick (&model, 0, 1) * model_pick (&model, -60, 60);
	  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
	  if (model_pick (&model, 0, 1))
	    pg_l1_check (view);
	  assert_true (pg_inspect_possible (view));
	  for (int64_t lo = 0, hi; lo < model.n_iters; lo = hi)
	    {
	      hi = lo + model_pick (&model, 1, model.n_iters);
	      hi = hi < model.n_iters ? hi : model.n_iters;
	      int64_t end = pg_inspect (inspector, view, lo, hi);
	      oracle_run (&oracle, &model, lo, hi, true);
	      int64_t expected = oracle.conflict < hi ? oracle.conflict : hi;
	      if (hi - lo == 1)
		expected = hi;
	      assert_int_equal (end, expected);
	      n_clean += end == hi;
	      n_conflicts += end < hi;
	      n_early += end == lo;
	    }
	}
      pg_inspector_free (inspector);
    }
  assert_in_range (n_clean, N_RANDOM, 6 * N_RANDOM);
  assert_in_range (n_conflicts, N_RANDOM / 2, 6 * N_RANDOM);
  assert_in_range (n_early, N_RANDOM / 100, N_RANDOM);
}

/* for (i < 1000) a[idx[i]] = ...: one update, one feed, with a conflict planted between FIRST and SECOND.  */
static void
scatter (struct model *m, int64_t first, int64_t second)
{
  for (int i = 0; i < 1000; i++)
    scatter_index[i] = (uint16_t) ((i * 7) % 1000);
  if (first != second)
    scatter_index[second] = scatter_index[first];
  memset (m, 0, offsetof (struct model, memory));
  m->n_iters = 1000;
  m->dims[0].parent = -1;
  m->refs[0] = (struct model_ref) { .coef = { 2 }, .len = 2, .flags = PG_REF_READ | PG_REF_FEEDS, .feed = -1 };
  m->refs[0].base = (int64_t) ((intptr_t) scatter_index - (intptr_t) (m->memory + MODEL_ORIGIN));
  m->refs[1] = (struct model_ref) { .len = 8, .flags = PG_REF_READ | PG_REF_WRITE, .feed = 0 };
  model_describe (m, 1, 2);
  m->region.flags |= PG_REGION_SLICE_STABLE;
}

static int n_monitors;
static bool is_index_wanted;

static int64_t
scatter_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  struct model *m = *(struct model **) args;
  double third = 1.0;
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  if (monitor->next[0])
    __atomic_store_n (&is_index_wanted, true, __ATOMIC_RELAXED);
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &scatter_index[i], 2);
      monitor->touch (monitor, 1, m->memory + scatter_index[i] * 8, 8);
      third /= 3.0;
    }
  errno = EDOM;
  __asm__ volatile("" : : "x"(third));
  return 0;
}

static void
planted_conflicts_are_found_where_they_are (void **state)
{
  static const int64_t planted[][2] = { { 0, 0 }, { 0, 1 }, { 0, 31 }, { 0, 999 }, { 500, 501 }, { 998, 999 } };
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  for (size_t p = 0; p < sizeof planted / sizeof planted[0]; p++)
    {
      scatter (&model, planted[p][0], planted[p][1]);
      model.region.monitor = scatter_monitor;
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), p == 0 ? 1000 : planted[p][1]);
    }
  pg_inspector_free (inspector);
}

/* The same loop, which logs its updates.  */
static int64_t
logging_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  struct model *m = *(struct model **) args;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &scatter_index[i], 2);
      log_touch (monitor, 1, m->memory + scatter_index[i] * 8);
    }
  return 0;
}

/* Once a conflict is known, logs of later iterations cost next to nothing: what they write is not marked.  */
static void
nothing_is_marked_behind_a_conflict (void **state)
{
  (void) state;
  scatter (&model, 0, 1);
  model.region.monitor = logging_monitor;
  pg_environment.n_threads = 1;
  pg_pool_forget ();
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  for (int entry = 0; entry < 3; entry++)
    {
      int64_t n_marked = 0;
      inspector->sieve_rest = 2;
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1);
      for (size_t c = 0; c < inspector->n_cells; c++)
	n_marked += inspector->shadow.cells[c] > inspector->shadow.floor;
      assert_in_range (n_marked, 1, PG_LOG_ENTRIES);
    }
  pg_inspector_free (inspector);
  pg_environment.n_threads = 3;
  pg_pool_forget ();
}

/* The second macro-chunk of the same shape takes one run of the monitor, not two.  */
static void
a_layout_that_fits_saves_a_pass (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  n_monitors = 0;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  int n_first = n_monitors;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_int_equal ((n_monitors - n_first) * 2, n_first);
  pg_inspector_free (inspector);
}

/* for (i < 1000) { ... = x[idx[i]]; x[i] = ...; }, where most elements are read in their own iteration, as padded rows
   of a sparse matrix do, and one OWN_DISTANCE before or behind.  */
static int64_t own_distance;

static int64_t
own_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter;
      monitor->touch (monitor, 0, memory + (i == 500 ? i + own_distance : i) * 8, 8);
      monitor->touch (monitor, 1, memory + i * 8, 8);
    }
  return 0;
}

/* Already the first inspection needs one run: what is written is known, and that an iteration reads what it writes is
   no reason for doubt; other reads are.  */
static void
what_an_iteration_surely_writes_it_may_read (void **state)
{
  static const int64_t distances[][2] = { { 0, 1000 }, { 1, 501 }, { -1, 500 }, { -500, 500 }, { 499, 999 } };
  (void) state;
  for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
    {
      model_two_references (&model, 8, own_monitor);
      model.ref_table[1] = (struct pg_ref) { .len = 8, .flags = PG_REF_WRITE | PG_REF_AFFINE };
      int64_t coef[PG_MAX_DIMS] = { 8 };
      model.ref_table[1].address = model_linear (&model, (int64_t) (intptr_t) model.memory, coef);
      own_distance = distances[d][0];
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), distances[d][1]);
      if (own_distance == 0)
	assert_int_equal (n_monitors, pg_pool_threads () * 4);
      pg_inspector_free (inspector);
    }
}

/* A write that may be left out says nothing about what its iteration may read: here another reference writes that.  */
static int64_t
conditional_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter;
      monitor->touch (monitor, 0, memory + i * 8, 8);
      if (i != 500)
	monitor->touch (monitor, 1, memory + i * 8, 8);
      if (i == 600)
	monitor->touch (monitor, 2, memory + 500 * 8, 8);
    }
  return 0;
}

static void
a_write_that_may_not_happen_hides_nothing (void **state)
{
  (void) state;
  model_two_references (&model, 8, conditional_monitor);
  model.refs[2] = model.refs[1];
  model_describe (&model, 1, 3);
  model.region.monitor = conditional_monitor;
  model.ref_table[1] = (struct pg_ref) { .len = 8, .flags = PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL };
  int64_t coef[PG_MAX_DIMS] = { 8 };
  model.ref_table[1].address = model_linear (&model, (int64_t) (intptr_t) model.memory, coef);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  for (int again = 0; again < 3; again++)
    assert_int_equal (pg_inspect (inspector, view, 0, 1000), 600);
  pg_inspector_free (inspector);
}

/* The range of what is read at addresses that numbers tell is known without a touch.  */
static void
what_numbers_tell_is_not_traced (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  is_index_wanted = false;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_false (is_index_wanted);
  pg_inspector_free (inspector);
}

/* Waking others for a few microseconds of work takes longer than doing it: once its cost is known, it is one job.  */
static void
a_small_macro_chunk_is_one_job (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  pg_environment.plan = PG_PLAN_AUTO;
  n_monitors = 0;
  for (int n_tries = 0; n_tries < 100 && n_monitors != 1; n_tries++) /* another process may make it look dear */
    {
      for (int i = 0; i < 30; i++)
	assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 10), 10);
    }
  assert_int_equal (n_monitors, 1);
  pg_environment.plan = PG_PLAN_POOL;
  pg_inspector_free (inspector);
}

/* Until its cost is known, the loop's own work tells how many jobs an inspection is worth.  */
static void
little_work_is_few_jobs_from_the_start (void **state)
{
  static const struct
  {
    int64_t work_ns;
    int n_jobs;
  } given[]
    = { { 0, 12 }, { 5000, 1 }, { 15000, 3 }, { 25000, 6 }, { 1000000, 12 }, { 200000000, 30 }, { INT64_MAX, 500 } };
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  pg_environment.plan = PG_PLAN_AUTO;
  for (size_t g = 0; g < sizeof given / sizeof *given; g++)
    {
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_inspector_allow (inspector, SIZE_MAX, given[g].work_ns);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      assert_int_equal (n_monitors, 2 * given[g].n_jobs); /* passes */
      pg_inspector_free (inspector);
    }
  pg_environment.plan = PG_PLAN_POOL;
}

/* Where no new memory is allowed, an inspection that needs some cannot tell; what there is, is used.  */
static void
an_inspection_takes_no_more_memory_than_allowed (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  for (int has_shadow = 0; has_shadow < 2; has_shadow++)
    {
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      forget_left_sieve ();
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      pg_inspector_allow (inspector, 0, 0);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 0);
      pg_inspector_allow (inspector, SIZE_MAX, 0);
      inspector->sieve_rest = has_shadow * 2;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      assert_int_equal (inspector->shadow.len > 0, has_shadow);
      pg_inspector_allow (inspector, 0, 0);
      inspector->sieve_rest = has_shadow * 2;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      pg_inspector_free (inspector);
    }
}

/* Make two inspectors of a loop without conflicts, and let the first inspect it, when no sieve is left.  */
static void
inspect_by_the_first (struct pg_inspector **first, struct pg_inspector **second)
{
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  forget_left_sieve ();
  *first = pg_inspector_new (&model.region);
  *second = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_int_equal (pg_inspect (*first, view, 0, 1000), 1000);
}

/* What another one has made is nothing new: it is used where no new memory is allowed.  */
static void
an_inspection_goes_by_the_sieve_that_another_left (void **state)
{
  (void) state;
  struct pg_inspector *first, *second;
  inspect_by_the_first (&first, &second);
  pg_inspector_allow (second, 0, 1000);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 1000);
  assert_int_equal (second->shadow.len, 0);
  scatter (&model, 3, 700);
  model.region.monitor = scatter_monitor;
  pg_inspector_allow (second, SIZE_MAX, 1000);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 700);
  pg_inspector_free (second);
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  pg_inspector_allow (first, 0, 1000);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000); /* as if the second had never been */
  pg_inspector_free (first);
}

/* To make a sieve takes long, once: neither the next inspection nor another inspector's does it again.  */
static void
what_a_new_sieve_took_is_told_apart (void **state)
{
  (void) state;
  struct pg_inspector *first, *second;
  inspect_by_the_first (&first, &second);
  assert_true (pg_inspector_once_ns (first) > 0);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000);
  assert_int_equal (pg_inspector_once_ns (first), 0);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 1000);
  assert_int_equal (pg_inspector_once_ns (second), 0);
  pg_inspector_free (first);
  pg_inspector_free (second);
}

/* Iterations have numbers of 32 bits there.  */
static void
too_many_iterations_have_no_bounds (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, INT32_MAX);
  n_monitors = 0;
  assert_false (pg_inspect_bounds (inspector, view, 0, INT32_MAX));
  assert_int_equal (pg_inspect (inspector, view, 0, INT32_MAX), 0);
  assert_int_equal (n_monitors, 0);
  assert_true (pg_inspect_bounds (inspector, view, 0, 1000));
  assert_true (inspector->has_bounds);
  pg_inspector_free (inspector);
}

/* The monitor's arithmetic is not the program's: neither errno nor flags may show it.  */
static void
an_inspection_leaves_errno_and_flags_alone (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  feclearexcept (FE_ALL_EXCEPT);
  errno = 0;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_int_equal (errno, 0);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
  pg_inspector_free (inspector);
}

/* Two arrays 2^45 bytes apart, both written through one reference: no shadow could cover that.  */
static int64_t
far_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    monitor->touch (monitor, 1, (const char *) 4096 + (monitor->iter % 2 << 45) + monitor->iter * 8, 8);
  return 0;
}

static void
a_range_too_wide_for_a_shadow_cannot_be_told (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = far_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 0);
  assert_int_equal (pg_inspect (inspector, view, 5, (int64_t) 1 << 32), 5);
  pg_inspector_free (inspector);
}

static void
only_safe_monitors_are_run (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_true (pg_inspect_possible (view));
  model.ref_table[0].flags |= PG_REF_FEEDS_LOAD;
  assert_true (pg_inspect_possible (view));
  model.region.flags &= ~(uint32_t) PG_REGION_SLICE_STABLE;
  assert_false (pg_inspect_possible (view));
  model.region.flags |= PG_REGION_RELIES_ON_LOADS; /* nobody comes here before numbers show that the load stays */
  assert_true (pg_inspect_possible (view));
  model.region.flags &= ~(uint32_t) PG_REGION_RELIES_ON_LOADS;
  assert_false (pg_inspect_possible (view));
  model.ref_table[0].flags &= (uint8_t) ~PG_REF_FEEDS_LOAD;
  assert_true (pg_inspect_possible (view));
  model.ref_table[1].flags |= PG_REF_FEEDS;
  assert_false (pg_inspect_possible (view));
  model.region.flags |= PG_REGION_SLICE_STABLE;
  assert_true (pg_inspect_possible (view));
  model.region.monitor = NULL;
  assert_false (pg_inspect_possible (view));
}

/* A few hundred iterations that scatter over much memory: each writes an even cell and reads odd ones, but for what is
   planted.  Told one by one or by logs.  */
enum
{
  SCATTERED_ITERS = 300,
  FEW_ITERS = 40,
  SCATTERED_CELLS = 1 << 20,
  SCATTERED_MOST_READS = 200
};

static struct
{
  int64_t writes[SCATTERED_ITERS], reads[SCATTERED_ITERS][SCATTERED_MOST_READS]; /* cells */
  int64_t n_reads;
  bool has_logs;
} scattered;

/* Tell MONITOR of CELL by REF.  */
static void
tell_cell (struct pg_monitor *monitor, int64_t ref, int64_t cell)
{
  const char *address = (const char *) ((intptr_t) 1 << 30) + cell * 8;
  if (scattered.has_logs)
    log_touch (monitor, ref, address);
  else if (monitor->next[ref])
    monitor->touch (monitor, ref, address, 8);
}

static int64_t
scattered_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      for (int64_t k = 0; k < scattered.n_reads; k++)
	tell_cell (monitor, 0, scattered.reads[monitor->iter][k]);
      tell_cell (monitor, 1, scattered.writes[monitor->iter]);
    }
  return 0;
}

/* Make SCATTERED free of conflicts, with N_READS an iteration.  */
static void
scatter_anew (int64_t n_reads)
{
  scattered.n_reads = n_reads;
  for (int64_t i = 0; i < SCATTERED_ITERS; i++)
    {
      scattered.writes[i] = i * 7919 * 2 % SCATTERED_CELLS;
      for (int64_t k = 0; k < n_reads; k++)
	scattered.reads[i][k] = model_pick (&model, 0, SCATTERED_CELLS / 2 - 1) * 2 + 1;
    }
}

/* Assert that the sieve of the last inspection, which was left, HAS_LISTS, and then is clear.  */
static void
assert_sieve_was (bool has_lists)
{
  struct pg_sieve sieve = { .bits = NULL };
  pg_sieve_inherit (&sieve, SIZE_MAX);
  assert_non_null (sieve.bits);
  assert_int_equal (sieve.has_lists, has_lists);
  for (size_t w = 0; has_lists && w < sieve.len / sizeof *sieve.bits; w++)
    assert_int_equal (sieve.bits[w], 0);
  pg_sieve_leave (&sieve);
}

static struct pg_inspector *
new_scattered_inspector (void)
{
  model_two_references (&model, 8, scattered_monitor);
  pg_view_evaluate (view, &model.region, &model.args, SCATTERED_ITERS);
  return pg_inspector_new (&model.region);
}

/* Then the sieve has lists, all the threads', and leaves nothing behind.  Whatever two iterations share, in one job or
   not, is found as always; what an iteration shares with itself is none.  */
static void
few_touches_of_much_memory_are_listed (void **state)
{
  int n_conflicts = 0;
  (void) state;
  for (int t = 0; t < 400; t++)
    {
      struct pg_inspector *inspector = new_scattered_inspector ();
      model.random = (uint64_t) t * 0x9e3779b97f4a7c15 + 1;
      scattered.has_logs = t % 2;
      scatter_anew (3);
      for (int again = 0; again < 3; again++)
	{
	  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
	  assert_sieve_was (true);
	}
      int64_t a = model_pick (&model, 0, SCATTERED_ITERS - 1);
      int64_t b = model_pick (&model, 0, 1) ? model_pick (&model, 0, SCATTERED_ITERS - 1) : a / 8 * 8;
      bool is_read = t / 2 % 2;
      *(is_read ? &scattered.reads[b][1] : &scattered.writes[b]) = scattered.writes[a];
      int64_t expected = a == b ? SCATTERED_ITERS : a > b ? a : b;
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), expected);
      assert_sieve_was (true);
      n_conflicts += a != b;
      pg_inspector_free (inspector);
    }
  assert_in_range (n_conflicts, 300, 395);
}

/* Where lists turn out too short, and from then on have none, conflicts are found too.  Fewer touches have lists
   again, and these begin with clear maps.  */
static void
many_touches_are_not_listed (void **state)
{
  (void) state;
  for (int t = 0; t < 20; t++)
    {
      struct pg_inspector *inspector = new_scattered_inspector ();
      model.random = (uint64_t) t * 0x9e3779b97f4a7c15 + 1;
      scattered.has_logs = t % 2;
      scatter_anew (3);
      for (int again = 0; again < 2; again++)
	assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
      scatter_anew (SCATTERED_MOST_READS);
      for (int again = 0; again < 2; again++)
	{
	  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
	  assert_sieve_was (again == 0);
	  assert_int_equal (inspector->n_doubts, 0);
	}
      scatter_anew (3);
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS / 3), SCATTERED_ITERS / 3);
      assert_sieve_was (true);
      assert_int_equal (inspector->n_doubts, 0);

      scatter_anew (SCATTERED_MOST_READS);
      scattered.reads[t * 10][t] = scattered.writes[100];
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), t == 10  ? SCATTERED_ITERS
									  : t > 10 ? t * 10
										   : 100);
      pg_inspector_free (inspector);
    }
}

/* Inspect N_ITERS by a sieve without lists, if by a sieve, as if the loop were next to no work.  */
static void
inspect_unlisted (struct pg_inspector *inspector, int64_t n_iters)
{
  inspector->n_listed = SCATTERED_CELLS;
  inspector->listed_iters = 1;
  inspector->iter_ps = 1;
  assert_int_equal (pg_inspect (inspector, view, 0, n_iters), n_iters);
}

/* A sieve that is too large for its iterations is less work all the same than to touch a shadow for the first time,
   each page or each cell; but not than to use one again, except where the loop is much more work than both.  */
static void
a_new_shadow_is_more_work_than_a_sieve (void **state)
{
  (void) state;
  for (int is_dense = 0; is_dense < 2; is_dense++)
    {
      struct pg_inspector *inspector = new_scattered_inspector ();
      scatter_anew (3);
      for (int64_t i = 0; i < SCATTERED_ITERS && is_dense; i++)
	{
	  scattered.writes[i] %= SCATTERED_CELLS / 8;
	  for (int64_t k = 0; k < scattered.n_reads; k++)
	    scattered.reads[i][k] %= SCATTERED_CELLS / 8;
	}
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
      inspect_unlisted (inspector, SCATTERED_ITERS);
      assert_sieve_was (false);
      assert_int_equal (inspector->shadow.len, 0);
      inspector->sieve_rest = 2;
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
      uint32_t top = inspector->shadow.top;
      assert_true (inspector->shadow.len > 0);
      inspector->sieve_rest = 0;
      inspect_unlisted (inspector, SCATTERED_ITERS);
      assert_true (inspector->shadow.top > top);
      top = inspector->shadow.top;
      pg_inspector_allow (inspector, SIZE_MAX, 1000000000);
      inspect_unlisted (inspector, SCATTERED_ITERS);
      assert_sieve_was (false);
      assert_int_equal (inspector->shadow.top, top);
      pg_inspector_free (inspector);
    }
}

/* Of a new shadow, only what is touched is work.  */
static void
a_new_shadow_of_few_touches_is_less_work_than_a_sieve (void **state)
{
  struct pg_inspector *inspector = new_scattered_inspector ();
  (void) state;
  scatter_anew (3);
  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
  assert_int_equal (inspector->shadow.len, 0);
  inspect_unlisted (inspector, FEW_ITERS);
  assert_true (inspector->shadow.len > 0);
  pg_inspector_free (inspector);
}

/* Where all that is read turns out to lie behind all that is written, nothing is marked, and the log says why.  */
static void
ranges_apart_are_clean_and_in_the_log (void **state)
{
  (void) state;
  model_two_references (&model, 8, scattered_monitor);
  model.ref_table[1] = (struct pg_ref) { .len = 8, .flags = PG_REF_WRITE | PG_REF_AFFINE };
  model.ref_table[1].address = model_linear (&model, (int64_t) 1 << 30, (int64_t[PG_MAX_DIMS]) { 8 });
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, SCATTERED_ITERS);
  assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
  pg_log_mask = 1U << PG_LOG_CHECK;
  for (int64_t apart = 0; apart < 2; apart++)
    {
      scatter_anew (3);
      for (int64_t i = 0; i < SCATTERED_ITERS; i++)
	{
	  scattered.writes[i] = i;
	  for (int64_t k = 0; k < 3; k++)
	    scattered.reads[i][k] = SCATTERED_ITERS - 1 + apart + (i + k) % 9;
	}
      int64_t end = pg_inspect (inspector, view, 0, SCATTERED_ITERS);
      assert_int_equal (end, apart ? SCATTERED_ITERS : SCATTERED_ITERS - 1);
      assert_int_equal (strstr (logged, "iterations 0 to 300 are clean by their ranges") != NULL, apart);
    }
  pg_log_mask = 0;
  pg_inspector_free (inspector);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_first_conflict_is_found_exactly),
    cmocka_unit_test (planted_conflicts_are_found_where_they_are),
    cmocka_unit_test (nothing_is_marked_behind_a_conflict),
    cmocka_unit_test (an_inspection_takes_no_more_memory_than_allowed),
    cmocka_unit_test (an_inspection_goes_by_the_sieve_that_another_left),
    cmocka_unit_test (what_a_new_sieve_took_is_told_apart),
    cmocka_unit_test (too_many_iterations_have_no_bounds),
    cmocka_unit_test (a_layout_that_fits_saves_a_pass),
    cmocka_unit_test (what_an_iteration_surely_writes_it_may_read),
    cmocka_unit_test (a_write_that_may_not_happen_hides_nothing),
    cmocka_unit_test (what_numbers_tell_is_not_traced),
    cmocka_unit_test (a_small_macro_chunk_is_one_job),
    cmocka_unit_test (little_work_is_few_jobs_from_the_start),
    cmocka_unit_test (an_inspection_leaves_errno_and_flags_alone),
    cmocka_unit_test (a_range_too_wide_for_a_shadow_cannot_be_told),
    cmocka_unit_test (only_safe_monitors_are_run),
    cmocka_unit_test (few_touches_of_much_memory_are_listed),
    cmocka_unit_test (many_touches_are_not_listed),
    cmocka_unit_test (a_new_shadow_is_more_work_than_a_sieve),
    cmocka_unit_test (a_new_shadow_of_few_touches_is_less_work_than_a_sieve),
    cmocka_unit_test (ranges_apart_are_clean_and_in_the_log),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
