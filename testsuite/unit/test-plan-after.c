/* SPDX-License-Identifier: MIT
   What entries cost after they have ended, in the plan.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan-helpers.h"
#include "plan.h"

enum
{
  N_ITERS = 1000,
  N_ENTRIES = 2000
};

/* A program: an entry, something else, and so on.  */
struct program
{
  struct pg_plan plan;
  int64_t now;
  int64_t alone_ns, pool_ns;             /* what an entry takes */
  int64_t after_alone_ns, after_pool_ns; /* and what comes then */
  int n_pool, n_original;
};

static void
live (struct program *p, int n_entries)
{
  p->n_pool = p->n_original = 0;
  for (int i = 0; i < n_entries; i++)
    {
      enum pg_choice choice = pg_plan_choose (&p->plan, N_ITERS);
      bool is_pool = choice == PG_CHOOSE_POOL, is_original = choice == PG_CHOOSE_ORIGINAL;
      if (is_original)
	pg_plan_refuse (&p->plan, N_ITERS, pg_plan_wants_begin (&p->plan, N_ITERS) ? p->now : 0);
      else
	pg_plan_begin (&p->plan, p->now);
      p->now += is_pool ? p->pool_ns : p->alone_ns;
      if (is_pool)
	pg_plan_judge (&p->plan, N_ITERS, N_ITERS, p->pool_ns, p->alone_ns);
      else if (choice == PG_CHOOSE_ALONE)
	pg_plan_learn_alone (&p->plan, N_ITERS, p->alone_ns, false);
      if (!is_original)
	pg_plan_leave (&p->plan, p->now);
      p->now += is_pool ? p->after_pool_ns : p->after_alone_ns;
      p->n_pool += is_pool;
      p->n_original += is_original;
    }
}

static struct program
a_program (int64_t pool_ns, int64_t after_alone_ns, int64_t after_pool_ns)
{
  return (struct program) { .plan = a_measured_plan (1000000),
			    .now = 1000,
			    .alone_ns = 1000000,
			    .pool_ns = pool_ns,
			    .after_alone_ns = after_alone_ns,
			    .after_pool_ns = after_pool_ns };
}

/* The pool saves 0.3 ms an entry, and the code between entries loses 0.7 ms by it.  */
static void
what_the_program_loses_counts (void **state)
{
  struct program p = a_program (700000, 500000, 1200000);
  (void) state;
  live (&p, N_ENTRIES);
  assert_in_range (p.n_pool, 4, N_ENTRIES / 10);
  assert_true (p.n_original > N_ENTRIES * 8 / 10);
}

static void
what_it_loses_less_than_the_pool_saves_is_worth_it (void **state)
{
  struct program p = a_program (500000, 500000, 700000);
  (void) state;
  live (&p, N_ENTRIES);
  assert_true (p.n_pool > N_ENTRIES * 9 / 10);
}

/* Of 3 and 6 ms, much is something else.  */
static void
long_times_between_entries_say_nothing (void **state)
{
  struct program p = a_program (700000, 3000000, 6000000);
  struct pg_after after = { 0 };
  (void) state;
  pg_after_pool (&after, 2002, 1000);
  assert_int_equal (after.pool_ps, 0);
  pg_after_pool (&after, 1998, 1000);
  assert_int_equal (after.pool_ps, 1998);
  pg_after_alone (&after, 2002, 1000);
  assert_int_equal (after.n_alone, 0);
  live (&p, N_ENTRIES);
  assert_true (p.n_pool > N_ENTRIES * 9 / 10);
}

static void
a_pool_that_loses_is_not_forgiven (void **state)
{
  struct program p = a_program (1100000, 1500000, 500000);
  (void) state;
  live (&p, N_ENTRIES);
  assert_in_range (p.n_pool, 4, N_ENTRIES / 10);
}

static void
times_change (void **state)
{
  struct program p = a_program (700000, 500000, 1200000);
  (void) state;
  live (&p, N_ENTRIES);
  p.after_pool_ns = p.after_alone_ns;
  live (&p, 20 * N_ENTRIES);
  live (&p, N_ENTRIES);
  assert_true (p.n_pool > N_ENTRIES * 9 / 10);
}

/* What passes while entries are refused is not what passes after one.  */
static void
refused_entries_are_not_time_between (void **state)
{
  struct program p = a_program (500000, 100000, 100000);
  (void) state;
  live (&p, 10);
  struct pg_plan_size *size = &p.plan.sizes[63 - __builtin_clzll (N_ITERS)];
  int64_t before_ps = size->after.pool_ps;
  assert_in_range (before_ps, 90000, 110000);
  pg_plan_judge (&p.plan, N_ITERS, N_ITERS, p.pool_ns, p.alone_ns);
  pg_plan_leave (&p.plan, p.now);
  pg_plan_refuse (&p.plan, N_ITERS, 0);
  pg_plan_begin (&p.plan, p.now + 1500000);
  assert_int_equal (size->after.pool_ps, before_ps);
}

/* One time in fifty, something else comes between.  */
static void
outliers_change_little (void **state)
{
  struct pg_after after = { 0 };
  (void) state;
  pg_after_pool (&after, 100, 1000);
  pg_after_pool (&after, 1900, 1000);
  assert_int_equal (after.pool_ps, 125);
  pg_after_pause (&after);
  pg_after_alone (&after, 95, 1000);
  assert_int_equal (after.charge_ps, 30);
  pg_after_alone (&after, 1900, 1000);
  assert_int_equal (after.charge_ps, 15);
  pg_after_pause (&after);
  pg_after_alone (&after, 80, 1000);
  assert_int_equal (after.charge_ps, 30);
}

/* The pool's times fall below what was measured alone just before.  */
static void
nothing_is_credited (void **state)
{
  struct pg_after after = { 0 };
  (void) state;
  pg_after_pool (&after, 100, 1000);
  pg_after_pause (&after);
  pg_after_alone (&after, 100, 1000);
  pg_after_pool (&after, 20, 1000);
  assert_int_equal (after.pool_ps, 60);
  assert_int_equal (after.charge_ps, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_the_program_loses_counts),
    cmocka_unit_test (what_it_loses_less_than_the_pool_saves_is_worth_it),
    cmocka_unit_test (long_times_between_entries_say_nothing),
    cmocka_unit_test (a_pool_that_loses_is_not_forgiven),
    cmocka_unit_test (times_change),
    cmocka_unit_test (refused_entries_are_not_time_between),
    cmocka_unit_test (outliers_change_little),
    cmocka_unit_test (nothing_is_credited),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
