//! link: -Wl,--wrap=clock_gettime -Wl,--wrap=pg_cpus_threads
/* SPDX-License-Identifier: MIT
   Probes and warm-ups (entry.h), and what else a first entry does before threads are worth it, on a clock of their
   own: an iteration takes what the test says.  */
#include "cpus.h"
#include "entry.h"
#include "environment.h"
#include "pool.h"
#include "regions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <time.h>

enum
{
  MANY = 1 << 20
};

static struct
{
  int64_t cold_ns, warm_ns; /* what one takes at first, and at last */
  int64_t n_cold;           /* after so many; in between, ever less */
  int64_t held_up;          /* one that takes cold_ns; or -1 */
} costs;

/* The clock of a thread, and where the last range that it ran begins.  */
static _Thread_local int64_t now, latest_lo;

int __wrap_clock_gettime (clockid_t clock, struct timespec *time);

int
__wrap_clock_gettime (clockid_t clock, struct timespec *time)
{
  (void) clock;
  *time = (struct timespec) { now / 1000000000, now % 1000000000 };
  return 0;
}

static int64_t
take_time (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) ctx;
  latest_lo = lo;
  for (int64_t i = lo; i < hi; i++)
    if (i < costs.n_cold)
      now += costs.warm_ns + (costs.cold_ns - costs.warm_ns) * (costs.n_cold - i) / costs.n_cold;
    else
      now += i == costs.held_up ? costs.cold_ns : costs.warm_ns;
  return 0;
}

/* Probe an entry of N_ITERS iterations; PLAN learns.  */
static struct pg_entry *
probe (int64_t n_iters, struct pg_plan *plan)
{
  static struct pg_entry entry;
  static struct pg_region region;
  region = scatter_region;
  region.body = take_time;
  now = 0;
  pg_entry_open (&entry, &region, plan, NULL, n_iters, false);
  pg_entry_probe (&entry);
  return &entry;
}

/* Probe an entry of N_ITERS iterations and warm it up; PLAN learns.  How many were run.  */
static int64_t
warm_up (int64_t n_iters, struct pg_plan *plan)
{
  struct pg_entry *entry = probe (n_iters, plan);
  pg_entry_warm_up (entry);
  return entry->done;
}

/* A first iteration that is far dearer than those after it says nothing about them, however short the entry.  */
static void
a_first_iteration_alone_is_not_believed (void **state)
{
  (void) state;
  for (int64_t cold_ns = 1000; cold_ns < 1000000; cold_ns *= 3)
    {
      struct pg_plan plan = { 0 };
      costs.cold_ns = cold_ns, costs.warm_ns = 50, costs.n_cold = 1, costs.held_up = -1;
      assert_int_equal (probe (100, &plan)->done, 100);
      assert_in_range (plan.alone_ps, 50000, 100 * 50000);
      assert_true (pg_plan_ns (&plan, 100) < PG_PLAN_LEAST_NS);
    }
}

/* Nor is one that took long because another process had the CPU.  */
static void
who_is_held_up_is_measured_again (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  costs.cold_ns = 500000, costs.warm_ns = 50, costs.n_cold = 0, costs.held_up = 100;
  assert_int_equal (probe (MANY, &plan)->done, 512);
  assert_int_equal (plan.alone_ps, 50000);
}

/* Where iterations are dear, or there are few, no second one is run alone; nor more than one.  */
static void
what_is_dear_is_soon_believed (void **state)
{
  (void) state;
  costs.n_cold = 0, costs.held_up = -1, costs.warm_ns = 500000;
  for (int64_t n_iters = 2; n_iters <= 64; n_iters++)
    {
      struct pg_plan plan = { 0 };
      assert_int_equal (probe (n_iters, &plan)->done, n_iters < 8 ? 1 : 2);
      assert_int_equal (plan.alone_ps, 500000000);
    }
  struct pg_plan plan = { 0 };
  costs.warm_ns = 1000000;
  assert_int_equal (probe (64, &plan)->done, 1);
}

/* What iterations took on cold caches is forgotten.  */
static void
cold_iterations_are_forgotten (void **state)
{
  (void) state;
  for (int64_t n_cold = 1000; n_cold <= 8000; n_cold *= 2)
    {
      struct pg_plan plan = { 0 };
      costs.cold_ns = 300, costs.warm_ns = 60, costs.n_cold = n_cold, costs.held_up = -1;
      assert_in_range (warm_up (MANY, &plan), n_cold, MANY / 16);
      assert_int_equal (plan.alone_ps, 60000);
    }
}

/* Where iterations take the same from the first on, two pieces that are long enough to tell will do.  */
static void
steady_iterations_are_known_soon (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  costs.warm_ns = 100, costs.n_cold = 0, costs.held_up = -1;
  assert_int_equal (warm_up (MANY, &plan), 16384);
  assert_int_equal (plan.alone_ps, 100000);
}

/* Nor does one that took long, because another process had the CPU, make others look cold.  */
static void
who_is_held_up_is_no_reason_to_go_on (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  costs.cold_ns = 10000, costs.warm_ns = 100, costs.n_cold = 0, costs.held_up = 100;
  assert_int_equal (warm_up (MANY, &plan), 16384);
}

/* Half of an entry is left, and all of it but some milliseconds.  */
static void
a_warm_up_ends (void **state)
{
  struct pg_plan quick = { 0 }, slow = { 0 };
  (void) state;
  costs.warm_ns = 1, costs.n_cold = 0, costs.held_up = -1;
  assert_int_equal (warm_up (1 << 18, &quick), 1 << 16);
  costs.warm_ns = 3000000;
  assert_int_equal (warm_up (1000, &slow), 2);
}

static int n_counts;

__typeof__ (pg_cpus_threads) __wrap_pg_cpus_threads;

int
__wrap_pg_cpus_threads (int64_t asked)
{
  n_counts++;
  return (int) asked;
}

/* Enter REGION for the first time, with N_ITERS iterations of 100 ns.  */
static void
enter (struct pg_region region, int64_t n_iters)
{
  static int64_t a[MANY], idx[MANY], c[MANY];
  struct scale_args args = { a, idx, c }; /* or those of scatter, which are two */
  region.body = region.body_noalias = take_time;
  pg_environment.plan = PG_PLAN_AUTO;
  costs.warm_ns = 100, costs.n_cold = 0, costs.held_up = -1;
  assert_int_equal (__paragon_enter_v1 (a_new_region (region), &args, n_iters), 1);
}

/* Where the last part of a first entry of REGION begins, on one thread.  */
static int64_t
last_part (struct pg_region region)
{
  pg_environment.n_threads = 1;
  enter (region, MANY);
  return latest_lo;
}

/* What may be inspected is warmed up first; what numbers settle is not.  */
static void
it_is_for_what_may_be_inspected (void **state)
{
  (void) state;
  assert_int_equal (last_part (scatter_region), 16384);
  assert_int_equal (last_part (scale_region), 128);
}

/* To count the CPUs takes as long as a small loop: where no inspection is affordable yet, it is not done, though the
   entry would be worth threads.  */
static void
cpus_are_counted_when_they_are_needed (void **state)
{
  (void) state;
  pg_pool_forget ();
  pg_environment.n_threads = 2;
  n_counts = 0;
  enter (scatter_region, MANY / 8);
  assert_int_equal (n_counts, 0);
  enter (scale_region, MANY / 8);
  assert_int_equal (n_counts, 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_first_iteration_alone_is_not_believed),
    cmocka_unit_test (who_is_held_up_is_measured_again),
    cmocka_unit_test (what_is_dear_is_soon_believed),
    cmocka_unit_test (cold_iterations_are_forgotten),
    cmocka_unit_test (steady_iterations_are_known_soon),
    cmocka_unit_test (who_is_held_up_is_no_reason_to_go_on),
    cmocka_unit_test (a_warm_up_ends),
    cmocka_unit_test (it_is_for_what_may_be_inspected),
    cmocka_unit_test (cpus_are_counted_when_they_are_needed),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
