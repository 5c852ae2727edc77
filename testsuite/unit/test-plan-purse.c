/* SPDX-License-Identifier: MIT
   The plan: what the purse pays for.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan-helpers.h"
#include "plan.h"

#include <stdbool.h>

/* 1 us an iteration, and inspections that take PERCENT of that.  */
static struct pg_plan
a_plan_with_inspections (int percent)
{
  struct pg_plan plan = a_measured_plan (1000000);
  for (int i = 0; i < 100; i++)
    pg_plan_inspected (&plan, 1000, 4, percent * 10000, true, true);
  plan.purse_ns = plan.thrift = plan.new_thrift = 0;
  plan.again_ns = 1000000000;
  return plan;
}

static void
inspections_that_pay_are_made (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (60);
  (void) state;
  assert_true (pg_plan_affords (&plan, 1000, 0, 4));
  assert_true (pg_plan_gains (&plan, 1000, 4));
  assert_false (pg_plan_gains (&plan, 1000, 2));
  assert_false (pg_plan_affords (&plan, 1000, 0, 2)); /* the pool needs half of the time then */
  pg_plan_inspected (&plan, 1000, 4, 600000, true, true);
  assert_int_equal (plan.purse_ns, 0);
  assert_false (plan.has_conflicted);
  pg_plan_learn_pool (&plan, 1000, 900000);
  assert_false (pg_plan_affords (&plan, 1000, 0, 4));
}

/* The first one is expected to be dear, above all if there is little to inspect, however many threads there are.  */
static void
unknown_inspections_wait_for_the_purse (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  assert_false (pg_plan_affords (&plan, 4000, 0, 4));
  assert_false (pg_plan_affords (&plan, 500, 0, 64));
  assert_true (pg_plan_affords (&plan, 4000, 0, 64));
  for (int i = 0; i < 100; i++)
    pg_plan_earn (&plan, 1000);
  assert_true (pg_plan_affords (&plan, 1000, 0, 4));
}

/* After any number of vain ones or conflicts, times may change.  */
static void
inspections_are_never_given_up (void **state)
{
  (void) state;
  for (int conflicts = 0; conflicts < 2; conflicts++)
    {
      struct pg_plan plan = a_plan_with_inspections (200);
      int n_entries = 0;
      for (int i = 0; i < 50; i++)
	{
	  pg_plan_inspected (&plan, 1000, 4, 2000000, true, true);
	  if (conflicts)
	    pg_plan_conflict (&plan);
	}
      assert_int_equal (plan.has_conflicted, conflicts);
      assert_true (pg_plan_new_len (&plan, 1000) <= 4000000); /* though the purse is in debt */
      plan.purse_ns = 0;
      for (; !pg_plan_affords (&plan, 1000, 0, 4) && n_entries < 1000000; n_entries++)
	pg_plan_earn (&plan, 1000);
      assert_in_range (n_entries, 10000, 100000);
    }
}

/* No sum overflows.  */
static void
the_longest_entries_can_be_added_up (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  for (int i = 0; i < 200; i++)
    pg_plan_learn (&plan, 1, INT64_MAX);
  for (int i = 0; i < 4000; i++)
    pg_plan_earn (&plan, INT64_MAX);
  assert_true (plan.purse_ns > 0);
  for (int i = 0; i < 10; i++)
    pg_plan_learn_alone (&plan, 1, INT64_MAX / 64, false);
  for (int i = 0; i < 400; i++)
    pg_plan_gained (&plan, 1, 0);
  assert_true (plan.purse_ns > 0);
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
      if (!pg_plan_affords (&plan, 1000, 0, 4))
	continue;
      pg_plan_inspected (&plan, 1000, 4, 2000000, true, true);
      pg_plan_reused (&plan);
      lost_ns += 2000000 + 250000 - 1000000;
      n_inspections++;
    }
  assert_in_range (lost_ns * 20, n_entries * 900000, n_entries * 1000000);
}

/* Half of what verdicts save is for more of them.  */
static void
gains_fill_the_purse (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  (void) state;
  pg_plan_gained (&plan, 1000, 400000);
  assert_int_equal (plan.purse_ns, 0); /* nobody knows what it took alone */
  for (int i = 0; i < 4; i++)
    pg_plan_learn_alone (&plan, 1000, 1000000, false);
  pg_plan_gained (&plan, 1000, 400000);
  assert_in_range (plan.purse_ns, 290000, 300000);
  pg_plan_gained (&plan, 1000, 1400000);
  assert_in_range (plan.purse_ns, 290000, 300000);
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
      if (pg_plan_affords (&vain, 1000, 0, 4))
	{
	  pg_plan_inspected (&vain, 1000, 4, 2000000, true, true);
	  n_vain++;
	}
      if (pg_plan_affords (&conflicting, 1000, 0, 4))
	{
	  pg_plan_inspected (&conflicting, 1000, 4, 2000000, true, true);
	  pg_plan_conflict (&conflicting);
	  n_conflicting++;
	}
    }
  assert_in_range (n_vain, 4, 10);
  assert_in_range (n_conflicting, 2, n_vain - 1);
}

/* What was here before will come again, so more is spent on it, and what was spent on others does not count; but not if
   verdicts are reached in vain.  */
static void
what_comes_again_is_worth_more (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  (void) state;
  for (int i = 0; i < 20; i++)
    pg_plan_inspected (&plan, 1000, 4, 2000000, true, true);
  plan.purse_ns = 0;
  pg_plan_earn (&plan, 1000);
  assert_in_range (plan.purse_ns, 0, 100);
  pg_plan_earn_again (&plan, 1000, 0);
  assert_in_range (plan.purse_ns, 0, 100);
  pg_plan_earn_again (&plan, 1000, 1);
  assert_in_range (plan.purse_ns, 100000, 120000);
  plan.purse_ns = 0;
  pg_plan_earn_again (&plan, 1000, 200);
  assert_in_range (plan.purse_ns, 700000, 1000000);
  for (int i = 0; i < 20; i++)
    pg_plan_changed (&plan);
  plan.purse_ns = 0;
  pg_plan_earn_again (&plan, 1000, 200);
  assert_in_range (plan.purse_ns, 0, 1000);
}

/* But it is not spent in a program that has only just begun; later it is.  */
static void
what_comes_again_at_first_is_saved (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  (void) state;
  plan.again_ns = 0;
  for (int i = 0; i < 100; i++)
    pg_plan_earn_again (&plan, 1000, 0); /* nothing came again */
  for (int i = 0; i < 19; i++)
    pg_plan_earn_again (&plan, 1000, 8);
  assert_int_equal (plan.purse_ns, 0);
  pg_plan_earn_again (&plan, 1000, 8);
  assert_in_range (plan.purse_ns, 9900000, 10100000);
  pg_plan_earn_again (&plan, 1000, 8);
  assert_in_range (plan.purse_ns, 10400000, 10600000);
}

/* There is no point in verdicts that let the pool run what it loses with, or gains little.  */
static void
what_gains_little_on_the_pool_is_not_worth_much (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  (void) state;
  pg_plan_earn (&plan, 1000);
  pg_plan_earn_again (&plan, 1000, 64);
  int64_t usual_ns = plan.purse_ns;
  plan.sizes[9].skip_next = 64;
  plan.purse_ns = 0;
  pg_plan_earn (&plan, 1000);
  pg_plan_earn_again (&plan, 1000, 64);
  assert_in_range (plan.purse_ns, usual_ns / 70, usual_ns / 60);
  plan.sizes[9] = (struct pg_plan_size) { .alone_ps = 1000000, .pool_ps = 900000 };
  plan.purse_ns = 0;
  pg_plan_earn (&plan, 1000);
  pg_plan_earn_again (&plan, 1000, 64);
  assert_in_range (plan.purse_ns, usual_ns / 6, usual_ns / 4);
  plan.purse_ns = 0;
  pg_plan_earn (&plan, 100); /* another size */
  assert_in_range (plan.purse_ns, 4000, 5000);
}

/* Small inspections come many at a time: what the purse has, and as much again.  */
static void
a_purse_is_filled_before_it_is_opened (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  int n_rows = 0, n_inspections = 0;
  bool did_inspect = false;
  (void) state;
  pg_plan_learn_pool (&plan, 1000, 500000);
  for (int i = 0; i < 5000; i++)
    {
      pg_plan_earn (&plan, 10);
      bool does_inspect = pg_plan_affords (&plan, 10, 0, 4);
      n_rows += does_inspect && !did_inspect;
      n_inspections += does_inspect;
      did_inspect = does_inspect;
      if (does_inspect)
	pg_plan_inspected (&plan, 10, 4, 20000, true, false);
    }
  assert_true (n_inspections > 100);
  assert_in_range (n_inspections / n_rows, 14, 18);
}

/* A plan whose pool gains nothing, and that knows by N inspections of 10 iterations that they take 20 us.  */
static struct pg_plan
a_plan_with_small_inspections (int n)
{
  struct pg_plan plan = a_measured_plan (1000000);
  pg_plan_learn_pool (&plan, 1000, 1000000);
  pg_plan_inspected (&plan, 10, 4, 40000, true, false); /* of the first, half is believed */
  for (int i = 1; i < n; i++)
    pg_plan_inspected (&plan, 10, 4, 20000, true, false);
  plan.is_on_spree = false;
  return plan;
}

/* Spend PURSE_NS of PLAN on inspections of 10 iterations, of 100000 that are wanted, each of which takes NS.  Returns
   how many it pays for.  */
static int
go_on_a_spree (struct pg_plan *plan, int64_t purse_ns, int64_t ns)
{
  int n = 0;
  plan->purse_ns = purse_ns;
  for (; n < 10000 && pg_plan_affords (plan, 10, 100000 - 10 * n, 4); n++)
    pg_plan_inspected (plan, 10, 4, ns, true, false);
  return n;
}

/* Once their cost is known, a purse is opened for all inspections that are wanted, or for none; asking for one that
   could be paid does not open it.  */
static void
a_purse_is_opened_for_all_or_none (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  pg_plan_learn_pool (&plan, 1000, 1000000);
  plan.purse_ns = 5000000;
  for (int i = 0; i < 8; i++)
    {
      plan.is_on_spree = false;
      assert_true (pg_plan_affords (&plan, 10, 100000, 4)); /* to know what it costs */
      pg_plan_inspected (&plan, 10, 4, 20000, true, false);
    }
  plan.is_on_spree = false;
  plan.purse_ns = 150000000;
  assert_false (pg_plan_affords (&plan, 10, 100000, 4)); /* 200 ms */
  pg_plan_in_pieces (&plan, 1000);
  assert_false (pg_plan_joins (&plan, 10, 100000, 4));
  assert_false (pg_plan_affords (&plan, 10, 100000, 4));
  assert_false (pg_plan_pays (&plan, 10, 4)); /* it is not open */
  plan.purse_ns = 210000000;
  for (int i = 0; i < 10000; i++)
    {
      assert_int_equal (i > 0, pg_plan_pays (&plan, 1000, 4) || plan.purse_ns < 2100000);
      assert_true (pg_plan_affords (&plan, 10, 100000 - 10 * i, 4));
      pg_plan_inspected (&plan, 10, 4, 20000, true, false);
    }
  plan.purse_ns = 19000 - plan.credit_ns;
  assert_false (pg_plan_affords (&plan, 10, 10, 4)); /* it is empty, and closed */
  plan.purse_ns = 900000;
  assert_false (pg_plan_affords (&plan, 10, 1000, 4));
  assert_true (pg_plan_affords (&plan, 10, 10, 4));
}

/* A spree that turns out nearly twice as dear as thought is not ended in the middle; one dearer than that is, when
   twice as much is spent as was thought to be enough.  */
static void
a_purse_opened_for_all_may_be_overdrawn_by_as_much (void **state)
{
  struct pg_plan dear = a_plan_with_small_inspections (8), too_dear = dear;
  (void) state;
  assert_int_equal (go_on_a_spree (&dear, 200000000, 38000), 10000);
  assert_in_range (-dear.purse_ns, 175000000, 185000000);

  int n = go_on_a_spree (&too_dear, 200000000, 60000);
  assert_in_range (n, 6600, 6800);
  assert_in_range (-too_dear.purse_ns, 199000000, 201000000);
  assert_false (too_dear.is_on_spree);
}

/* One opened to know better what inspections cost ends when it is empty, whatever has become known on the way.  */
static void
a_purse_opened_for_a_few_has_no_credit (void **state)
{
  struct pg_plan plan = a_plan_with_small_inspections (1);
  (void) state;
  assert_in_range (go_on_a_spree (&plan, 8 * 20000, 20000), 7, 8);
  assert_in_range (plan.purse_ns, 0, 20000);
  assert_false (plan.is_on_spree);
}

/* Memory that is made once is paid for, but the next inspections are not thought dearer for it.  */
static void
what_is_paid_beside_is_no_cost_of_inspections (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  (void) state;
  plan.purse_ns = 3000000;
  struct pg_plan before = plan;
  pg_plan_pay (&plan, 1000000);
  assert_int_equal (plan.purse_ns, 2000000);
  plan.purse_ns = before.purse_ns;
  assert_memory_equal (&plan, &before, sizeof plan);
}

/* Inspections of few iterations seem dear, as memory is touched for the first time.  A larger one counts for more than
   those before; there is one when the purse pays for twice as many iterations as ever.  */
static void
larger_inspections_tell_what_they_cost (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1000000, 10000000);
  pg_plan_inspected (&plan, 10000, 2, 1000000, true, false);
  assert_int_equal (plan.inspect_ps, 50000);
  pg_plan_inspected (&plan, 8000, 2, 800000, true, false);
  assert_in_range (plan.inspect_ps, 50000, 70000);
  plan.purse_ns = 100000;
  assert_int_equal (pg_plan_trial (&plan, 2), 0);
  plan.purse_ns = 2000000;
  int64_t trial = pg_plan_trial (&plan, 2);
  assert_in_range (trial, 20000, 50000);
  pg_plan_inspected (&plan, trial, 2, trial * 8, true, false);
  assert_int_equal (plan.inspect_ps, 8000);
  plan.least_purse_ns = INT64_MAX;
  assert_int_equal (pg_plan_trial (&plan, 2), 0);
}

/* What few iterations told is believed of some more: the first one had what is made once in it, or nothing else, and
   was perhaps much cheaper than those that follow.  */
static void
few_iterations_tell_of_some_more (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 10, 10 * 400000);
  pg_plan_inspected (&plan, 1, 2, 600, true, true);
  assert_int_equal (plan.n_inspected, 1);
  assert_false (pg_plan_pays (&plan, 500, 2));
  assert_int_equal (pg_plan_trial (&plan, 2), 8);
  pg_plan_inspected (&plan, 8, 2, 8 * 900000, true, true);
  assert_int_equal (plan.inspect_ps, 900000000);
  assert_int_equal (pg_plan_trial (&plan, 2), 64);
  assert_false (pg_plan_gains (&plan, 64, 2));
  pg_plan_inspected (&plan, 64, 2, 64 * 900000, true, true);
  assert_int_equal (pg_plan_trial (&plan, 2), 0);
}

/* One that takes very long once says little about what they cost, and is not paid for as it was.  */
static void
one_long_inspection_is_no_proof (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (60);
  int64_t inspect_ps = plan.inspect_ps;
  (void) state;
  plan.purse_ns = 10000000;
  pg_plan_inspected (&plan, 1000, 4, 60000000, true, false);
  assert_in_range (plan.inspect_ps, inspect_ps, inspect_ps * 5 / 4);
  assert_in_range (plan.purse_ns, 9000000, 10000000);
}

/* One long inspection says as much about what they cost as many short ones.  */
static void
a_long_inspection_tells_enough (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  plan.purse_ns = 10000000;
  assert_true (pg_plan_affords (&plan, 20, 100000, 4));
  pg_plan_inspected (&plan, 20, 4, 40000, true, false);
  assert_true (pg_plan_affords (&plan, 20, 100000, 4));
  pg_plan_inspected (&plan, 1000, 4, 2000000, true, false);
  plan.is_on_spree = false;
  assert_false (pg_plan_affords (&plan, 20, 100000, 4)); /* not for all of them */
  assert_true (pg_plan_affords (&plan, 20, 1000, 4));
}

/* Verdicts about pieces become one, when an inspection of all costs no more than they lost, however much the pool
   gains, and if there are no conflicts.  */
static void
pieces_are_joined_when_that_can_be_paid (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200), gaining = a_plan_with_inspections (1);
  int n_joins = 0;
  (void) state;
  gaining.purse_ns = plan.purse_ns = 100000000;
  assert_false (pg_plan_joins (&gaining, 1000, 0, 4)); /* there are none */
  pg_plan_in_pieces (&gaining, 2);
  assert_false (pg_plan_joins (&gaining, 1000, 0, 4));
  pg_plan_in_pieces (&gaining, 2);
  assert_true (pg_plan_joins (&gaining, 1000, 0, 4));
  for (int i = 0; i < 1000; i++)
    pg_plan_in_pieces (&plan, 1);
  for (int i = 0; i < 130; i++)
    pg_plan_in_pieces (&plan, 4);
  assert_false (pg_plan_joins (&plan, 1000, 0, 4));
  for (int i = 0; i < 5; i++)
    pg_plan_in_pieces (&plan, 4);
  plan.purse_ns = 1000;
  assert_false (pg_plan_joins (&plan, 1000, 0, 4));
  plan.purse_ns = 100000000;
  plan.has_conflicted = true;
  assert_false (pg_plan_joins (&plan, 1000, 0, 4));
  plan.has_conflicted = false;
  assert_true (pg_plan_joins (&plan, 1000, 0, 4));
  for (int i = 0; i < 1000; i++)
    {
      pg_plan_in_pieces (&plan, 4);
      n_joins += pg_plan_joins (&plan, 1000, 0, 4);
    }
  assert_in_range (n_joins, 6, 8);
}

/* Memory that is touched for the first time costs time, too.  */
static void
the_purse_limits_new_memory (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  size_t poor = pg_plan_new_len (&plan, 100);
  pg_plan_earn (&plan, 100000);
  assert_true (pg_plan_new_len (&plan, 100) > 10 * poor);
}

/* An inspection that came to nothing for want of memory is tried again with twice as much to spend, not before.  */
static void
a_dear_table_waits_for_a_fuller_purse (void **state)
{
  struct pg_plan plan = a_plan_with_inspections (200);
  int n_tries = 0;
  (void) state;
  for (int i = 0; i < 1000; i++)
    {
      pg_plan_earn (&plan, 1000);
      if (!pg_plan_affords (&plan, 10, 0, 4))
	continue;
      pg_plan_inspected (&plan, 10, 4, 20000, false, true);
      n_tries++;
    }
  assert_in_range (n_tries, 5, 12);
  assert_true (plan.is_scattered);
  assert_true (pg_plan_new_len (&plan, 10) > 10000000);
  pg_plan_inspected (&plan, 10, 4, 20000, true, true);
  assert_true (pg_plan_affords (&plan, 10, 0, 4));
}

/* What a purse that was not opened would have needed is no credit.  */
static void
asking_in_vain_gives_no_credit (void **state)
{
  struct pg_plan plan = a_plan_with_small_inspections (8);
  (void) state;
  plan.pool_ps = 1000;
  plan.purse_ns = 1000;
  assert_false (pg_plan_affords (&plan, 10, 100000, 4));
  pg_plan_inspected (&plan, 15, 4, 5000, true, false); /* gains */
  assert_false (pg_plan_affords (&plan, 10, 100000, 4));
}

/* A purse in debt still lets inspections be made that gain.  */
static void
what_gains_may_be_inspected_in_debt (void **state)
{
  struct pg_plan plan = a_plan_with_small_inspections (8);
  (void) state;
  plan.pool_ps = 1000;
  plan.inspect_ps = 1000;
  pg_plan_pay (&plan, 1000000);
  assert_true (pg_plan_gains (&plan, 100000, 4));
  assert_true (pg_plan_affords (&plan, 100000, 100000, 4));
}

/* What gains by itself pays whatever is in the purse, open or not.  */
static void
what_gains_pays_for_all_that_is_left (void **state)
{
  struct pg_plan plan = a_plan_with_small_inspections (8);
  (void) state;
  plan.pool_ps = 1000;
  plan.inspect_ps = 1000;
  plan.is_on_spree = false;
  pg_plan_pay (&plan, 1000000);
  assert_true (pg_plan_pays (&plan, 100000, 4));
  plan.inspect_ps = plan.alone_ps;
  assert_false (pg_plan_pays (&plan, 100000, 4));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_dear_table_waits_for_a_fuller_purse),
    cmocka_unit_test (inspections_that_pay_are_made),
    cmocka_unit_test (unknown_inspections_wait_for_the_purse),
    cmocka_unit_test (inspections_are_never_given_up),
    cmocka_unit_test (the_longest_entries_can_be_added_up),
    cmocka_unit_test (other_inspections_wait_for_the_purse),
    cmocka_unit_test (gains_fill_the_purse),
    cmocka_unit_test (vain_inspections_become_rare),
    cmocka_unit_test (what_comes_again_is_worth_more),
    cmocka_unit_test (what_comes_again_at_first_is_saved),
    cmocka_unit_test (what_gains_little_on_the_pool_is_not_worth_much),
    cmocka_unit_test (a_purse_is_filled_before_it_is_opened),
    cmocka_unit_test (a_purse_is_opened_for_all_or_none),
    cmocka_unit_test (a_purse_opened_for_all_may_be_overdrawn_by_as_much),
    cmocka_unit_test (asking_in_vain_gives_no_credit),
    cmocka_unit_test (what_gains_may_be_inspected_in_debt),
    cmocka_unit_test (what_gains_pays_for_all_that_is_left),
    cmocka_unit_test (a_purse_opened_for_a_few_has_no_credit),
    cmocka_unit_test (what_is_paid_beside_is_no_cost_of_inspections),
    cmocka_unit_test (one_long_inspection_is_no_proof),
    cmocka_unit_test (larger_inspections_tell_what_they_cost),
    cmocka_unit_test (few_iterations_tell_of_some_more),
    cmocka_unit_test (a_long_inspection_tells_enough),
    cmocka_unit_test (pieces_are_joined_when_that_can_be_paid),
    cmocka_unit_test (the_purse_limits_new_memory),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
