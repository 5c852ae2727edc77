/* SPDX-License-Identifier: MIT
   The plan: entries that are larger than others, or longer.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan-helpers.h"
#include "plan.h"

#include <stdbool.h>

/* An entry that is larger than all before may have longer iterations, too: it is tried, once, unless it is worth the
   pool already by what is known.  */
static void
larger_entries_are_probed (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1000, 10000); /* 10 ns an iteration */
  assert_int_equal (pg_plan_choose (&plan, 8), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 15), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 16), PG_CHOOSE_PROBE);
  assert_int_equal (pg_plan_choose (&plan, 17), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 8), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 2000), PG_CHOOSE_PROBE);
  assert_int_equal (pg_plan_choose (&plan, 2000), PG_CHOOSE_POOL);
  assert_int_equal (pg_plan_choose (&plan, 1000000), PG_CHOOSE_POOL);
}

/* Nor does one that was told what entries of this size cost try them.  */
static void
hints_of_a_size_spare_its_probe (void **state)
{
  struct pg_plan plan = { 0 };
  struct pg_plan_costs hints = { .alone_ps = 10000 };
  (void) state;
  hints.sizes[10].pool_ps = 5000;
  pg_plan_hint (&plan, &hints);
  assert_int_equal (pg_plan_choose (&plan, 10), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, 2000), PG_CHOOSE_POOL);
}

/* Of entries that run alone in part, data come home never, and the first tells as much as others.  */
static void
samples_tell_from_the_first_on (void **state)
{
  struct pg_plan plan = a_measured_plan (3000000);
  const struct pg_plan_size *size = &plan.sizes[9];
  (void) state;
  plan.is_alone = true;
  assert_false (pg_plan_samples (&plan, 100));
  assert_true (pg_plan_samples (&plan, 1000));
  pg_plan_learn_alone (&plan, 1000, 3000000, true);
  assert_int_equal (size->alone_ps, 3000000);
  assert_int_equal (plan.left.n_iters, 0);
  assert_true (plan.is_alone);
  pg_plan_learn_alone (&plan, 1000, 3000000, true);
  assert_false (plan.is_alone);
}

/* The first entry on the pool finds memory that the system has to supply: it is forgotten where the second is cheaper,
   and counts where it is not.  */
static void
a_dear_first_entry_is_forgotten (void **state)
{
  struct pg_plan plan = a_measured_plan (1000);
  const struct pg_plan_size *size = &plan.sizes[9];
  (void) state;
  pg_plan_judge (&plan, 1000, 1000, 100000000, 0);
  assert_int_equal (size->pool_ps, 100000000);
  pg_plan_judge (&plan, 1000, 1000, 1000000, 0);
  assert_int_equal (size->pool_ps, 1000000);
  pg_plan_judge (&plan, 1000, 1000, 500000, 0);
  assert_int_equal (size->pool_ps, 875000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (larger_entries_are_probed),
    cmocka_unit_test (hints_of_a_size_spare_its_probe),
    cmocka_unit_test (a_dear_first_entry_is_forgotten),
    cmocka_unit_test (samples_tell_from_the_first_on),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
