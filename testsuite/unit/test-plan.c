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

/* A few iterations on a cold cache say little about the many that follow.  */
static void
long_measurements_weigh_more (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 6, 6000);
  assert_int_equal (pg_plan_ns (&plan, 1000), 1000000);
  pg_plan_learn (&plan, 10000, 100000);
  assert_in_range (pg_plan_ns (&plan, 1000), 10000, 11000);
  for (int i = 0; i < 5; i++)
    pg_plan_learn (&plan, 10000, 2000000);
  assert_in_range (pg_plan_ns (&plan, 1000), 150000, 200000);
}

/* Entries that are refused are measured again, ever more rarely.  */
static void
refused_entries_are_measured_now_and_then (void **state)
{
  struct pg_plan plan = { 0 };
  int n_asked = 0;
  (void) state;
  assert_true (pg_plan_asks (&plan));
  for (int i = 1; i < 6400; i++)
    n_asked += pg_plan_asks (&plan);
  assert_in_range (n_asked, 100, 110);
}

/* 1 us an iteration, and inspections that take PERCENT of that.  */
static struct pg_plan
a_plan_with_inspections (int percent)
{
  struct pg_plan plan = { 0 };
  pg_plan_learn (&plan, 1000, 1000000);
  for (int i = 0; i < 100; i++)
    pg_plan_inspected (&plan, 1000, 4, percent * 10000);
  plan.purse_ns = plan.thrift = 0;
  return plan;
}

static void
inspections_that_pay_are_made (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (60);
  (void) state;
  assert_true (pg_plan_affords (&plan, 1000, 4));
  assert_false (pg_plan_affords (&plan, 1000, 2)); /* the pool needs half of the time then */
  pg_plan_learn_pool (&plan, 1000, 900000);
  assert_false (pg_plan_affords (&plan, 1000, 4));
}

/* Whatever they cost, entries lose a twentieth at most.  */
static void
other_inspections_wait_for_the_purse (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  int64_t n_entries = 0, lost_ns = 0;
  (void) state;
  for (int n_inspections = 0; n_inspections < 20; n_entries++)
    {
      pg_plan_earn (&plan, 1000);
      if (!pg_plan_affords (&plan, 1000, 4))
	continue;
      pg_plan_inspected (&plan, 1000, 4, 2000000);
      pg_plan_reused (&plan);
      lost_ns += 2000000 + 250000 - 1000000;
      n_inspections++;
    }
  assert_in_range (lost_ns * 20, n_entries * 900000, n_entries * 1000000);
}

/* If verdicts do not come back, it is far less; conflicts are worse still.  */
static void
vain_inspections_become_rare (void **state)
{
  struct pg_plan vain = a_plan_with_inspections (200), conflicting = vain;
  int n_vain = 0, n_conflicting = 0;
  (void) state;
  for (int i = 0; i < 5000; i++)
    {
      pg_plan_earn (&vain, 1000);
      pg_plan_earn (&conflicting, 1000);
      if (pg_plan_affords (&vain, 1000, 4))
	{
	  pg_plan_inspected (&vain, 1000, 4, 2000000);
	  n_vain++;
	}
      if (pg_plan_affords (&conflicting, 1000, 4))
	{
	  pg_plan_inspected (&conflicting, 1000, 4, 2000000);
	  pg_plan_conflict (&conflicting);
	  n_conflicting++;
	}
    }
  assert_in_range (n_vain, 4, 10);
  assert_in_range (n_conflicting, 2, n_vain - 1);
}

/* Memory that is touched for the first time costs time, too.  */
static void
the_purse_limits_new_memory (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1000, 1000000);
  size_t poor = pg_plan_new_len (&plan, 100);
  pg_plan_earn (&plan, 100000);
  assert_true (pg_plan_new_len (&plan, 100) > 10 * poor);
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
    cmocka_unit_test (long_measurements_weigh_more),
    cmocka_unit_test (refused_entries_are_measured_now_and_then),
    cmocka_unit_test (inspections_that_pay_are_made),
    cmocka_unit_test (other_inspections_wait_for_the_purse),
    cmocka_unit_test (vain_inspections_become_rare),
    cmocka_unit_test (the_purse_limits_new_memory),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
