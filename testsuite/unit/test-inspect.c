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
#include "loop-model.h"
#include "pool.h"

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
  if (monitor->wanted[0])
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
  for (int i = 0; i < 30; i++)
    assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  n_monitors = 0;
  assert_int_equal (pg_inspect (inspector, view, 0, 10), 10);
  assert_int_equal (n_monitors, 1);
  pg_environment.plan = PG_PLAN_POOL;
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
  model.ref_table[0].flags &= (uint8_t) ~PG_REF_FEEDS_LOAD;
  assert_true (pg_inspect_possible (view));
  model.ref_table[1].flags |= PG_REF_FEEDS;
  assert_false (pg_inspect_possible (view));
  model.region.flags |= PG_REGION_SLICE_STABLE;
  assert_true (pg_inspect_possible (view));
  model.region.monitor = NULL;
  assert_false (pg_inspect_possible (view));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_first_conflict_is_found_exactly),
    cmocka_unit_test (planted_conflicts_are_found_where_they_are),
    cmocka_unit_test (a_layout_that_fits_saves_a_pass),
    cmocka_unit_test (what_numbers_tell_is_not_traced),
    cmocka_unit_test (a_small_macro_chunk_is_one_job),
    cmocka_unit_test (an_inspection_leaves_errno_and_flags_alone),
    cmocka_unit_test (a_range_too_wide_for_a_shadow_cannot_be_told),
    cmocka_unit_test (only_safe_monitors_are_run),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
