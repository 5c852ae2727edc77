/* SPDX-License-Identifier: MIT
   The plan where there is a device, on a machine of the test's own, whose clock and costs it sets: what each entry took
   is added up, against the best that anybody could have done.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device-plan.h"

#include <string.h>

enum
{
  N = 1000000,
  LEN = 8 * N,
  MS = 1000000,
  LATER = 5000 /* entries, by which first attempts have been paid for */
};

/* The machine.  Times are of an entry of N iterations, in ns.  */
static struct
{
  int64_t host_ns, kernel_ns, in_ns, out_ns;
  bool is_changed; /* the program writes the data between two entries */
  bool conflicts;
  int n_uses; /* of data that stay: two copies, then none */

  int64_t clock_ns;
  int n[PG_N_DEVICE_PLANS];
} machine;

static struct pg_device_plan plan;

static int
set_up (void **state)
{
  (void) state;
  memset (&machine, 0, sizeof machine);
  memset (&plan, 0, sizeof plan);
  return 0;
}

/* What has to be copied for N_ITERS iterations takes so long.  */
static int64_t
copies_ns (int64_t n_iters)
{
  bool is_cold = machine.is_changed || machine.n_uses < 2;
  return is_cold ? machine.in_ns * n_iters / N : 0;
}

/* The device runs N_ITERS iterations; what it takes for that.  */
static int64_t
run_there (int64_t n_iters)
{
  bool is_cold = machine.is_changed || machine.n_uses++ < 2;
  const struct pg_device_sample sample = { .entry_iters = n_iters,
					   .n_iters = n_iters,
					   .n_chunks = 1,
					   .is_committed = true,
					   .all_len = 8 * n_iters,
					   .in_len = is_cold ? 8 * n_iters : 0,
					   .in_ns = is_cold ? machine.in_ns * n_iters / N : 0,
					   .kernel_ns = machine.kernel_ns * n_iters / N + 10000,
					   .out_len = 8 * n_iters,
					   .out_ns = machine.out_ns * n_iters / N,
					   .other_ns = 20000 };
  if (!machine.conflicts)
    pg_device_costs_learn (&plan.device, &plan.loop, &sample);
  return sample.in_ns + sample.kernel_ns + sample.out_ns + sample.other_ns;
}

/* A race over N_ITERS iterations, which costs the host a little, whoever wins; what it takes.  */
static int64_t
race (int64_t n_iters, int64_t host_ns)
{
  int64_t wall_ns = host_ns + host_ns / 16, until_ns = wall_ns + pg_device_plan_learn_ns (&plan);
  if (copies_ns (n_iters) > until_ns)
    {
      machine.n_uses++;
      pg_device_plan_learn (&plan, false, false, until_ns);
      return until_ns;
    }
  wall_ns = copies_ns (n_iters) > wall_ns ? copies_ns (n_iters) : wall_ns;
  int64_t there_ns = run_there (n_iters);
  bool is_first = there_ns < wall_ns && !machine.conflicts;
  pg_device_plan_learn (&plan, is_first, machine.conflicts, wall_ns);
  return is_first ? there_ns : wall_ns;
}

/* An entry of N_ITERS iterations.  */
static enum pg_device_choice
enter (int64_t n_iters)
{
  int64_t host_ns = machine.host_ns * n_iters / N, wall_ns = host_ns, there_ns;
  enum pg_device_choice choice = pg_device_plan_choose (&plan, n_iters, host_ns);
  machine.n[choice]++;
  switch (pg_device_plan_runs (choice))
    {
    case PG_RUNS_HOST:
      break;
    case PG_RUNS_DEVICE:
      there_ns = run_there (n_iters);
      wall_ns = machine.conflicts ? there_ns + host_ns : there_ns;
      pg_device_plan_learn (&plan, !machine.conflicts, machine.conflicts, wall_ns);
      break;
    case PG_RUNS_BOTH:
      wall_ns = race (n_iters, host_ns);
    }
  machine.clock_ns += wall_ns;
  return choice;
}

/* So many entries of N iterations; what they take.  */
static int64_t
enter_often (int n_entries)
{
  int64_t start = machine.clock_ns;
  for (int i = 0; i < n_entries; i++)
    enter (N);
  return machine.clock_ns - start;
}

static int
n_there (void)
{
  int n = 0;
  for (int p = 0; p < PG_N_DEVICE_PLANS; p++)
    n += pg_device_plan_runs ((enum pg_device_choice) p) != PG_RUNS_HOST ? machine.n[p] : 0;
  return n;
}

static void
little_work_stays_here (void **state)
{
  (void) state;
  machine.host_ns = MS;
  enter_often (100);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_SHORT], 100);
  assert_int_equal (pg_device_plan_choose (&plan, N, 0), PG_DEVICE_PLAN_SHORT);
}

static void
the_first_entry_is_a_race (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  assert_int_equal (enter (N), PG_DEVICE_PLAN_UNKNOWN);
}

static void
a_device_that_is_clearly_better_runs_alone (void **state)
{
  (void) state;
  machine.host_ns = 100 * MS;
  machine.kernel_ns = machine.in_ns = machine.out_ns = 2 * MS;
  enter_often (LATER);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_UNKNOWN], 1);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_COLD], 2);
  assert_true (machine.n[PG_DEVICE_PLAN_RESIDENT] > LATER * 9 / 10);
  assert_in_range (machine.n[PG_DEVICE_PLAN_CHECKING], LATER / 100, LATER / 50);
  assert_true (machine.clock_ns < LATER * 5LL * MS);
}

static void
a_device_that_is_worse_is_left_alone (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = 50 * MS;
  enter_often (LATER);
  assert_in_range (n_there (), 2, 10);
  assert_true (machine.clock_ns < LATER * 10LL * MS * 1001 / 1000);
  assert_true (machine.n[PG_DEVICE_PLAN_DEAR] > LATER * 9 / 10);
}

static void
what_is_close_is_a_race (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = 9 * MS;
  enter_often (100);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_CLOSE], 99);
}

/* The host is through before any kernel has run, so it waits, at last.  */
static void
dear_copies_are_awaited_once (void **state)
{
  int n = 1;
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  machine.in_ns = 40 * MS;
  machine.is_changed = true;
  for (; plan.loop.n_iters == 0; n++)
    enter (N);
  assert_in_range (n, 50, 130);
  assert_true (machine.clock_ns < n * 10LL * MS * 115 / 100);
}

static void
what_cannot_be_copied_in_time_costs_a_sixteenth (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.in_ns = INT64_MAX / N / 2;
  machine.is_changed = true;
  assert_true (enter_often (LATER) < LATER * 10LL * MS * 107 / 100);
}

/* Copies are dear, but made once.  */
static void
what_stays_there_is_bought_in_time (void **state)
{
  int64_t start;
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  machine.in_ns = 40 * MS;
  machine.is_changed = true;
  while (plan.loop.n_iters == 0)
    enter (N);
  machine.is_changed = false;
  machine.n_uses = 0;
  start = machine.clock_ns;
  while (enter (N) != PG_DEVICE_PLAN_BUYING)
    assert_true (machine.clock_ns - start < 200 * MS);
  enter_often (3);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_BUYING], 3);
  assert_int_equal (enter (N), PG_DEVICE_PLAN_RESIDENT);
  assert_int_equal (plan.price_shift, 0);
}

/* What never stays is bought more and more rarely.  */
static void
what_does_not_stay_costs_less_and_less (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  machine.in_ns = 40 * MS;
  machine.is_changed = true;
  int64_t early_ns = enter_often (LATER), late_ns = enter_often (LATER);
  assert_in_range (machine.n[PG_DEVICE_PLAN_BUYING], 6, 40);
  assert_true (early_ns < LATER * 10LL * MS * 104 / 100);
  assert_true (late_ns < LATER * 10LL * MS * 101 / 100);
}

/* A loop that conflicts is never the device's alone, for then the host has to begin after that.  */
static void
what_conflicts_remains_a_race (void **state)
{
  (void) state;
  machine.host_ns = 100 * MS;
  machine.kernel_ns = machine.in_ns = MS;
  enter_often (2);
  machine.conflicts = true;
  enter_often (LATER);
  assert_int_equal (machine.n[PG_DEVICE_PLAN_COLD] + machine.n[PG_DEVICE_PLAN_RESIDENT], 2);
  assert_in_range (machine.n[PG_DEVICE_PLAN_CLOSE], 5, 20);
  machine.conflicts = false;
  enter_often (LATER);
  assert_true (machine.n[PG_DEVICE_PLAN_RESIDENT] > LATER / 2);
}

/* Somebody else is at work on it.  */
static void
a_device_that_becomes_slow_is_left (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  enter_often (100);
  machine.kernel_ns = 30 * MS;
  assert_true (enter_often (LATER) < LATER * 10LL * MS * 101 / 100);
  machine.kernel_ns = MS;
  machine.n[PG_DEVICE_PLAN_RESIDENT] = 0;
  enter_often (LATER);
  assert_true (machine.n[PG_DEVICE_PLAN_RESIDENT] > LATER / 2);
}

/* Of one loop.  */
static void
small_entries_stay_here_and_large_ones_do_not (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  enter_often (2);
  for (int i = 0; i < 100; i++)
    {
      assert_int_equal (enter (N / 1000), PG_DEVICE_PLAN_DEAR);
      assert_int_not_equal (pg_device_plan_runs (enter (N)), PG_RUNS_HOST);
    }
}

/* So many entries are left to the host, and the next one is a race, which the device wins or not.  */
static void
rest_and_race (int n_resting, bool is_first)
{
  for (int i = 0; i < n_resting; i++)
    assert_int_equal (pg_device_plan_choose (&plan, N, 10 * MS), PG_DEVICE_PLAN_RESTING);
  assert_int_equal (pg_device_plan_choose (&plan, N, 10 * MS), PG_DEVICE_PLAN_UNKNOWN);
  pg_device_plan_learn (&plan, is_first, false, 10 * MS);
}

static void
who_is_late_rests_twice_as_long_until_it_is_first (void **state)
{
  (void) state;
  rest_and_race (0, false);
  rest_and_race (1, false);
  rest_and_race (3, true);
  rest_and_race (0, false);
  for (int n = 1; n <= 1023; n = 2 * n + 1)
    rest_and_race (n, false);
  rest_and_race (1023, false);
}

/* Before anything is copied, a look tells what would have to be.  */
static void
an_entry_may_take_what_the_host_takes (void **state)
{
  (void) state;
  machine.host_ns = 10 * MS;
  machine.kernel_ns = MS;
  enter_often (2);
  assert_int_equal (pg_device_plan_most_ns (&plan), 10 * MS);
  plan.n_bought = 2;
  assert_int_equal (enter (N), PG_DEVICE_PLAN_BUYING);
  assert_int_equal (pg_device_plan_most_ns (&plan), INT64_MAX);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (little_work_stays_here, set_up),
    cmocka_unit_test_setup (the_first_entry_is_a_race, set_up),
    cmocka_unit_test_setup (a_device_that_is_clearly_better_runs_alone, set_up),
    cmocka_unit_test_setup (a_device_that_is_worse_is_left_alone, set_up),
    cmocka_unit_test_setup (what_is_close_is_a_race, set_up),
    cmocka_unit_test_setup (dear_copies_are_awaited_once, set_up),
    cmocka_unit_test_setup (what_cannot_be_copied_in_time_costs_a_sixteenth, set_up),
    cmocka_unit_test_setup (what_stays_there_is_bought_in_time, set_up),
    cmocka_unit_test_setup (what_does_not_stay_costs_less_and_less, set_up),
    cmocka_unit_test_setup (what_conflicts_remains_a_race, set_up),
    cmocka_unit_test_setup (a_device_that_becomes_slow_is_left, set_up),
    cmocka_unit_test_setup (small_entries_stay_here_and_large_ones_do_not, set_up),
    cmocka_unit_test_setup (who_is_late_rests_twice_as_long_until_it_is_first, set_up),
    cmocka_unit_test_setup (an_entry_may_take_what_the_host_takes, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
