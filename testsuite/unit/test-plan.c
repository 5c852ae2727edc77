/* SPDX-License-Identifier: MIT
   The plan: what it chooses after what it has learned.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan.h"

static void
unknown_costs_are_probed (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  assert_int_equal (pg_plan_choose (&plan, 1), PG_CHOOSE_PROBE);
  assert_int_equal (pg_plan_iters (&plan, 1000, 77), 77);
}

static void
work_decides (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1000, 10000); /* 10 ns an iteration */
  assert_int_equal (pg_plan_choose (&plan, 4999), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 5001), PG_CHOOSE_POOL);
  assert_int_equal (pg_plan_iters (&plan, 1000, 77), 100);
  assert_int_equal (pg_plan_ns (&plan, INT64_MAX), INT64_MAX);
}

static void
a_slow_pool_is_left_alone_for_longer_and_longer (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1, 1000000);
  for (int64_t skip = 1; skip <= 4096; skip *= 2)
    {
      int64_t n_skipped = 0;
      assert_int_equal (pg_plan_choose (&plan, 1), PG_CHOOSE_POOL);
      pg_plan_judge (&plan, 1000000, 1000000);
      while (pg_plan_choose (&plan, 1) == PG_CHOOSE_ORIGINAL)
	n_skipped++;
      assert_int_equal (n_skipped, skip < 1024 ? skip : 1024);
    }
}

static void
a_fast_pool_is_forgiven (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1, 1000000);
  pg_plan_judge (&plan, 1100000, 1000000);
  pg_plan_choose (&plan, 1);
  for (int i = 0; i < 10; i++)
    pg_plan_judge (&plan, 500000, 1000000);
  assert_int_equal (pg_plan_choose (&plan, 1), PG_CHOOSE_POOL);
  pg_plan_judge (&plan, 1100000, 1000000);
  assert_int_equal (plan.skip, 1);
}

/* The threshold rises slowly, and not above what the dearest recent entry needs.  */
static void
the_threshold_rises_in_steps (void **state)
{
  struct pg_plan plan = { 0 };
  int64_t threshold = 10;
  (void) state;
  pg_plan_learn (&plan, 1000, 1000); /* 1 ns: 50000 iterations are worth it */
  for (int i = 1; i < 8; i++)
    assert_int_equal (threshold = pg_plan_raise (&plan, threshold), 10);
  assert_int_equal (threshold = pg_plan_raise (&plan, threshold), 160);
  for (int i = 0; i < 100; i++)
    threshold = pg_plan_raise (&plan, threshold);
  assert_int_equal (threshold, 50000);
}

static void
small_entries_are_probed_again_now_and_then (void **state)
{
  struct pg_plan plan = { 0 };
  int n_probes = 0;
  (void) state;
  pg_plan_learn (&plan, 1000, 1000);
  for (int i = 0; i < 160; i++)
    {
      n_probes += pg_plan_choose (&plan, 10) == PG_CHOOSE_PROBE;
      pg_plan_raise (&plan, INT64_MAX);
    }
  assert_int_equal (n_probes, 10);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (unknown_costs_are_probed),
    cmocka_unit_test (work_decides),
    cmocka_unit_test (a_slow_pool_is_left_alone_for_longer_and_longer),
    cmocka_unit_test (a_fast_pool_is_forgiven),
    cmocka_unit_test (the_threshold_rises_in_steps),
    cmocka_unit_test (small_entries_are_probed_again_now_and_then),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
