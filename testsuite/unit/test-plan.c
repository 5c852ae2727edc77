/* SPDX-License-Identifier: MIT
   The plan: what it chooses after what it has learned, and how the pool is judged.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grid.h"
#include "plan-helpers.h"
#include "plan.h"

#include <stdbool.h>
#include <string.h>

static void
unknown_costs_are_probed (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  assert_int_equal (pg_plan_choose (&plan, 1), PG_CHOOSE_PROBE);
  assert_int_equal (pg_plan_iters (&plan, 1000, 77), 77);
}

static void
nothing_is_done_by_unknown_costs (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  assert_int_equal (pg_plan_ahead (&plan, 1000, 2, false), 0);
  assert_int_equal (pg_plan_effort (&plan, 1000000, 1000), 0);
  assert_int_equal (pg_plan_trial (&plan, 2), 0);
}

static void
work_decides (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 1000, 10000); /* 10 ns an iteration */
  assert_int_equal (pg_plan_choose (&plan, PG_PLAN_LEAST_NS / 10 - 1), PG_CHOOSE_SMALL);
  assert_int_equal (pg_plan_choose (&plan, PG_PLAN_LEAST_NS / 10 + 1), PG_CHOOSE_POOL);
  assert_int_equal (pg_plan_iters (&plan, 1000, 77), 100);
  assert_int_equal (pg_plan_iters (&plan, 1, 77), 1);
  assert_int_equal (pg_plan_team_iters (&plan, 1000, 3, 77), 300);
  assert_int_equal (pg_plan_team_iters (&plan, 1, 3, 77), 12);
  assert_int_equal (pg_plan_ns (&plan, INT64_MAX), INT64_MAX);
}

/* Neither is no iteration a measurement, nor is one for which the clock was too coarse a reason to go on measuring.  */
static void
nothing_is_learned_from_nothing (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  pg_plan_learn (&plan, 0, 1000);
  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_PROBE);
  for (int i = 0; i < 20; i++)
    assert_int_equal (pg_plan_raise (&plan, 10, false), 10);
  pg_plan_learn (&plan, 1000, 0);
  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_SMALL);
}

/* Let an entry of N_ITERS iterations at 1 us run as the plan chooses: alone it takes ALONE_NS, on the pool POOL_NS,
   where the caller's share lets it seem worth CALLER_NS.  */
static enum pg_choice
live (struct pg_plan *plan, int64_t n_iters, int64_t alone_ns, int64_t pool_ns, int64_t caller_ns)
{
  enum pg_choice choice = pg_plan_choose (plan, n_iters);
  if (choice == PG_CHOOSE_ALONE)
    pg_plan_learn_alone (plan, n_iters, alone_ns, false);
  else if (choice == PG_CHOOSE_POOL)
    pg_plan_judge (plan, n_iters, n_iters, pool_ns, caller_ns);
  return choice;
}

/* What N_ENTRIES entries of 1000 iterations are run as.  */
static void
count_choices (struct pg_plan *plan, int n_entries, int64_t alone_ns, int64_t pool_ns, int64_t caller_ns, int *n)
{
  memset (n, 0, (PG_CHOOSE_POOL + 1) * sizeof *n);
  for (int i = 0; i < n_entries; i++)
    n[live (plan, 1000, alone_ns, pool_ns, caller_ns)]++;
}

/* Though the caller's share says that it wins.  */
static void
a_slow_pool_is_left_alone_for_longer_and_longer (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 100, 1000000, 1100000, 1900000, n);
  assert_in_range (n[PG_CHOOSE_POOL], 4, 40);
  count_choices (&plan, 10000, 1000000, 1100000, 1900000, n);
  assert_in_range (n[PG_CHOOSE_POOL], 10, 200);
  assert_true (n[PG_CHOOSE_ORIGINAL] > 9700);
}

static void
a_fast_pool_is_used_and_asked_ever_more_rarely (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 50, 1000000, 600000, 1200000, n);
  assert_in_range (n[PG_CHOOSE_ALONE], 2, 10);
  assert_int_equal (n[PG_CHOOSE_ORIGINAL], 0);
  count_choices (&plan, 1000, 1000000, 600000, 1200000, n);
  assert_in_range (n[PG_CHOOSE_ALONE], 2, 14);
  assert_int_equal (n[PG_CHOOSE_ORIGINAL], 0);
  /* Times change: the caller's share raises a doubt, entries alone decide.  */
  count_choices (&plan, 1000, 1000000, 1600000, 1600000, n);
  assert_true (n[PG_CHOOSE_ORIGINAL] > 800);
  count_choices (&plan, 3000, 1000000, 600000, 1200000, n);
  assert_true (n[PG_CHOOSE_POOL] > 1000);
}

/* Each entry takes longer than the one before, as the inner loop has more turns: soon the pool takes longer than what
   one thread took some time ago, and wins all the same.  */
static void
a_pool_that_wins_is_used_while_entries_grow (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1] = { 0 };
  (void) state;
  for (int64_t i = 100; i < 1100; i++)
    n[live (&plan, 1000, i * 1000, i * 600, i * 1000)]++;
  assert_true (n[PG_CHOOSE_POOL] > 700);
  assert_in_range (n[PG_CHOOSE_ORIGINAL], 0, 50);
}

/* With many threads, an entry alone would be dear.  */
static void
a_pool_that_surely_wins_is_not_asked (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 1000, 1000000, 100000, 1100000, n);
  assert_int_equal (n[PG_CHOOSE_POOL], 1000);
}

/* Whether it wins is asked again for as long as the program runs, every two seconds or so.  */
static void
a_pool_is_never_out_of_question (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 100000, 1000000, 600000, 1200000, n);
  assert_in_range (n[PG_CHOOSE_ALONE], 80, 400);
}

/* It uses more than one CPU: as fast as one thread is too slow.  */
static void
a_pool_that_gains_nothing_is_left_alone (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 10000, 1000000, 990000, 1900000, n);
  assert_true (n[PG_CHOOSE_ORIGINAL] > 9700);
}

/* Most of an entry ran elsewhere: that says nothing about the pool.  */
static void
little_on_the_pool_is_not_judged (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  struct pg_plan before = plan;
  pg_plan_judge (&plan, 1000, 500, 9000000, 1000000);
  assert_memory_equal (&plan, &before, sizeof plan);
}

/* Parts of a doacross grow as long as they win; a new entry begins with a short one, and after a lost one, with the
   shortest.  */
static void
parts_grow_while_they_win (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  assert_int_equal (pg_plan_first_part (&plan), PG_PLAN_PART_NS);
  int64_t part_ns = pg_plan_next_part (&plan, true), short_ns = part_ns;
  assert_in_range (short_ns, 2 * PG_PLAN_PART_NS, 10 * PG_PLAN_PART_NS);
  for (int i = 0; i < 4; i++)
    {
      int64_t next_ns = pg_plan_next_part (&plan, true);
      assert_true (next_ns > part_ns || next_ns == PG_PLAN_MOST_PART_NS);
      part_ns = next_ns;
    }
  assert_int_equal (part_ns, PG_PLAN_MOST_PART_NS);
  assert_int_equal (pg_plan_first_part (&plan), short_ns);
  assert_int_equal (pg_plan_next_part (&plan, false), PG_PLAN_PART_NS);
  assert_int_equal (pg_plan_first_part (&plan), PG_PLAN_PART_NS);
}

/* Most of an entry ran on the caller, because parts of a doacross lost: the next ones are left alone, ever more.  */
static void
a_doacross_that_loses_is_left_alone (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1] = { 0 };
  (void) state;
  for (int i = 0; i < 1000; i++)
    {
      enum pg_choice choice = pg_plan_choose (&plan, 1000);
      n[choice]++;
      if (choice == PG_CHOOSE_POOL)
	pg_plan_learn_parts (&plan, 1000, 150, 200000, 150000);
    }
  assert_in_range (n[PG_CHOOSE_POOL], 2, 12);
  assert_int_equal (n[PG_CHOOSE_ORIGINAL], 1000 - n[PG_CHOOSE_POOL]);
}

/* Few parts that won, or many, say nothing against it.  */
static void
a_doacross_that_wins_goes_on (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  pg_plan_learn_parts (&plan, 1000, 150, 150000, 200000);
  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_POOL);
  pg_plan_learn_parts (&plan, 1000, 900, 1200000, 900000); /* as others that are mostly on the pool, it is judged */
  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_POOL);
}

/* A while alone goes on until it met sizes that are rare, but does not wait for one that never comes back.  */
static void
a_while_alone_waits_for_rare_sizes (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  for (int i = 0; i < 200; i++)
    live (&plan, i % 10 ? 1000 : 100, i % 10 ? 1000000 : 100000, i % 10 ? 600000 : 60000, 0);
  assert_in_range (pg_plan_alone_ns (&plan, 100), 90000, 110000);

  plan = a_measured_plan (1000000);
  live (&plan, 100, 100000, 60000, 0);
  count_choices (&plan, 200, 1000000, 600000, 0, n);
  assert_in_range (n[PG_CHOOSE_ALONE], 3, 80);
}

/* An entry that is as long as a whole while alone needs no other, and none for long.  */
static void
long_entries_are_rarely_alone (void **state)
{
  struct pg_plan plan = a_measured_plan (27000000);
  int n[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 30, 27000000, 14000000, 28000000, n);
  assert_int_equal (n[PG_CHOOSE_ALONE], 1);
  count_choices (&plan, 1000, 27000000, 14000000, 28000000, n);
  assert_in_range (n[PG_CHOOSE_ALONE], 5, 15);
}

/* A long entry brings its data home, so the two after it tell enough; of short ones it takes a row.  */
static void
few_long_entries_tell_enough (void **state)
{
  struct pg_plan plan = a_measured_plan (600000);
  int n[PG_CHOOSE_POOL + 1];
  bool was_alone = false;
  (void) state;
  for (int i = 0; i < 20; i++)
    was_alone = live (&plan, 1000, was_alone ? 600000 : 1100000, 300000, 600000) == PG_CHOOSE_ALONE;
  assert_in_range (pg_plan_alone_ns (&plan, 1000), 590000, 600000);
  plan = a_measured_plan (600000);
  count_choices (&plan, 100, 600000, 300000, 600000, n);
  assert_int_equal (n[PG_CHOOSE_ALONE], 3);
  plan = a_measured_plan (200000);
  count_choices (&plan, 100, 200000, 100000, 200000, n);
  assert_int_equal (n[PG_CHOOSE_ALONE], 20);
}

/* Where the pool wins clearly, less is run alone to see whether it still does.  */
static void
a_clear_gain_is_believed_for_longer (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int clear[PG_CHOOSE_POOL + 1], close[PG_CHOOSE_POOL + 1];
  (void) state;
  count_choices (&plan, 500, 1000000, 600000, 0, clear);
  plan = a_measured_plan (1000000);
  count_choices (&plan, 500, 1000000, 800000, 0, close);
  assert_in_range (clear[PG_CHOOSE_ALONE], 4, 10);
  assert_in_range (close[PG_CHOOSE_ALONE], clear[PG_CHOOSE_ALONE] + 4, 30);
}

/* In its first half data come home from other caches: that is not measured.  */
static void
cold_entries_alone_are_not_measured (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  bool was_alone = false;
  (void) state;
  for (int i = 0; i < 1000; i++)
    was_alone = live (&plan, 1000, was_alone ? 1000000 : 1900000, 600000, 1200000) == PG_CHOOSE_ALONE;
  assert_in_range (pg_plan_alone_ns (&plan, 1000), 990000, 1000000);
}

/* Entries of one size that lose do not shut out those of another that win.  */
static void
sizes_are_judged_by_themselves (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n_pool = 0;
  (void) state;
  for (int i = 0; i < 1000; i++)
    {
      live (&plan, 100, 100000, 150000, 150000);
      n_pool += live (&plan, 100000, 100000000, 60000000, 150000000) == PG_CHOOSE_POOL;
    }
  assert_in_range (n_pool, 930, 1000);
  assert_true (pg_plan_alone_ns (&plan, 100000) > 90000000);
}

/* The levels of a triangular solve share their data: to know what one of them takes alone, all have to run alone, and
   for longer than it takes to bring the data home.  */
static void
all_sizes_run_alone_together (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  int n_alone[2] = { 0 }, longest = 0, row = 0;
  (void) state;
  for (int i = 0; i < 2000; i++)
    {
      /* Right after others ran on the pool, an entry alone takes twice as long.  */
      int64_t n_iters = i % 2 ? 100 : 1000, alone_ns = n_iters * (row < 10 ? 2000 : 1000);
      bool is_alone = live (&plan, n_iters, alone_ns, n_iters * 600, n_iters * 1200) == PG_CHOOSE_ALONE;
      n_alone[i % 2] += is_alone;
      row = is_alone ? row + 1 : 0;
      longest = row > longest ? row : longest;
    }
  assert_in_range (n_alone[0], 4, 40);
  assert_in_range (n_alone[1], n_alone[0] - 2, n_alone[0] + 2);
  assert_true (longest >= 4);
}

static void
conflicts_are_left_alone_whatever_the_size (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  for (int64_t skip = 1; skip <= 4096; skip *= 2)
    {
      int64_t n_skipped = 0;
      assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_POOL);
      pg_plan_back_off (&plan);
      while (pg_plan_choose (&plan, 1000 * (1 + n_skipped % 3)) == PG_CHOOSE_ORIGINAL)
	n_skipped++;
      assert_int_equal (n_skipped, skip < 1024 ? skip : 1024);
    }
}

/* The threshold rises slowly, and not above what the dearest recent entry needs.  */
static void
the_threshold_rises_in_steps (void **state)
{
  struct pg_plan plan = { 0 };
  int64_t threshold = 10;
  (void) state;
  pg_plan_learn (&plan, 1000, 1000); /* 1 ns */
  for (int i = 1; i < 8; i++)
    assert_int_equal (threshold = pg_plan_raise (&plan, threshold, false), 10);
  assert_int_equal (threshold = pg_plan_raise (&plan, threshold, false), 160);
  assert_int_equal (threshold = pg_plan_raise (&plan, threshold, false), 160);
  for (int i = 0; i < 100; i++)
    threshold = pg_plan_raise (&plan, threshold, false);
  assert_int_equal (threshold, PG_PLAN_LEAST_NS);
}

/* What it shuts out never comes back, so large entries in between count, and so does dear work, for a while.  */
static void
the_threshold_rises_with_reason (void **state)
{
  struct pg_plan plan = a_measured_plan (1000);
  int64_t threshold = 10;
  (void) state;
  for (int i = 0; i < 100; i++)
    {
      if (i % 7 == 0)
	assert_int_equal (pg_plan_choose (&plan, 1000000), PG_CHOOSE_POOL);
      assert_int_equal (pg_plan_raise (&plan, 10, false), 10);
    }
  pg_plan_learn (&plan, 10, 100000); /* 10 us an iteration, once */
  for (int i = 0; i < 10; i++)
    threshold = pg_plan_raise (&plan, threshold, false);
  assert_int_equal (threshold, 10);
  for (int i = 0; i < 100; i++)
    pg_plan_learn (&plan, 1000, 1000);
  for (int i = 0; i < 100; i++)
    threshold = pg_plan_raise (&plan, threshold, false);
  assert_int_equal (threshold, PG_PLAN_LEAST_NS);
}

/* Where iterations may grow, one measurement is not enough, and while they do, an entry that is small now may be the
   first of a triangle's.  */
static void
the_threshold_waits_while_iterations_grow_dearer (void **state)
{
  struct pg_plan plan = a_measured_plan (1000);
  (void) state;
  for (int64_t ns = 2000; ns <= 8000; ns *= 2)
    {
      for (int i = 0; i < 15; i++)
	assert_int_equal (pg_plan_raise (&plan, 10, true), 10);
      pg_plan_learn (&plan, 1000, ns);
      assert_int_equal (pg_plan_raise (&plan, 10, true), 10);
    }
  pg_plan_learn (&plan, 1000, 8000);
  assert_int_equal (pg_plan_raise (&plan, 10, true), 160);
}

/* Entries that conflict by their numbers, one after the other, are looked at ever more rarely; one that does not
   is the end of that.  */
static void
hopeless_entries_are_left_alone (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 3; i++)
	{
	  assert_false (pg_plan_hopeless (&plan, 1000));
	  assert_false (pg_plan_is_hopeless (&plan));
	  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_POOL);
	}
      for (int skip = 1; skip <= 4096; skip *= 2)
	{
	  int n_skipped = 0;
	  assert_false (pg_plan_hopeless (&plan, 1000));
	  assert_true (pg_plan_is_hopeless (&plan));
	  while (pg_plan_choose (&plan, 1000) == PG_CHOOSE_ORIGINAL)
	    n_skipped++;
	  assert_int_equal (n_skipped, skip < 1024 ? skip : 1024);
	}
      pg_plan_hopeful (&plan);
      assert_false (pg_plan_is_hopeless (&plan));
    }
}

/* One is measured, so that the guard shuts them out if they are small; those that are large are not to be run so.  */
static void
hopeless_entries_are_measured_while_they_may_be_small (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  for (int i = 0; i < 3; i++)
    assert_false (pg_plan_hopeless (&plan, 1000));
  assert_true (pg_plan_hopeless (&plan, 1000));
  pg_plan_learn_refused (&plan, 1000, 1000);
  assert_int_equal (pg_plan_choose (&plan, 1000), PG_CHOOSE_SMALL);
  assert_true (pg_plan_hopeless (&plan, 1000));
  assert_false (pg_plan_hopeless (&plan, 1000000));
}

static void
small_entries_are_probed_again_now_and_then (void **state)
{
  struct pg_plan plan = a_measured_plan (1000);
  int n_probes = 0;
  (void) state;
  for (int i = 0; i < 160; i++)
    {
      n_probes += pg_plan_choose (&plan, 10) == PG_CHOOSE_PROBE;
      pg_plan_raise (&plan, INT64_MAX, false);
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

/* However many measurements were of other times; and a single iteration may be as long as many.  */
static void
old_measurements_fade (void **state)
{
  struct pg_plan plan = { 0 }, slow = { 0 };
  (void) state;
  for (int i = 0; i < 1000; i++)
    pg_plan_learn (&plan, 10000, 100000);
  for (int i = 0; i < 10; i++)
    pg_plan_learn (&plan, 10000, 2000000);
  assert_in_range (pg_plan_ns (&plan, 1000), 190000, 210000);
  for (int i = 0; i < 10; i++)
    pg_plan_learn (&slow, 1, 1500000);
  assert_in_range (pg_plan_ns (&slow, 1), 1490000, 1500000);
}

/* Entries that are refused are measured again, ever more rarely.  */
static void
refused_entries_are_measured_now_and_then (void **state)
{
  struct pg_plan plan = { 0 };
  int n_asked = 0;
  (void) state;
  assert_true (pg_plan_asks (&plan, 1000));
  for (int i = 1; i < 6400; i++)
    n_asked += pg_plan_asks (&plan, 1000);
  assert_in_range (n_asked, 100, 110);
}

/* As long as all are refused, a few of each size are measured as in a while alone, which is not needed then before the
   pool is judged; right after the pool has run, they say nothing.  */
static void
what_refused_entries_take_is_known_before_the_pool_is (void **state)
{
  struct pg_plan plan = a_measured_plan (100000);
  (void) state;
  for (int i = 0; i < 400; i++)
    for (int n_iters = 1000; n_iters <= 4000; n_iters *= 4)
      if (pg_plan_asks (&plan, n_iters))
	pg_plan_learn_refused (&plan, n_iters, n_iters * (i < 1 ? 500 : 100));
  assert_in_range (pg_plan_alone_ns (&plan, 1000), 99000, 101000);
  assert_in_range (pg_plan_alone_ns (&plan, 4000), 396000, 404000);
  for (int i = 0; i < 300; i++)
    {
      pg_plan_learn_pool (&plan, 1000, 50000);
      pg_plan_judge (&plan, 1000, 1000, 50000, 0);
      assert_false (plan.is_alone);
    }

  plan = a_measured_plan (100000);
  for (int i = 0; i < 400; i++)
    {
      if (i % 10 == 0)
	pg_plan_learn_pool (&plan, 1000, 50000);
      if (pg_plan_asks (&plan, 1000))
	pg_plan_learn_refused (&plan, 1000, 150000);
    }
  assert_int_equal (pg_plan_alone_ns (&plan, 1000), 0);
}

/* Entries on the pool among others that are not say nothing about the pool, unless there are only such.  */
static void
a_few_entries_among_others_are_not_judged (void **state)
{
  struct pg_plan plan = a_measured_plan (100000);
  int n = 0;
  (void) state;
  for (; plan.sizes[9].n_judged == 0 && n < 1000; n++)
    {
      pg_plan_judge (&plan, 1000, 1000, 140000, 0);
      pg_plan_judge (&plan, 1000, 1000, 140000, 0);
      pg_plan_searched (&plan, 1000, 100);
    }
  assert_in_range (n, 150, 200); /* 50 ms */
  plan = a_measured_plan (100000);
  for (n = 0; plan.sizes[9].n_judged == 0 && n < 1000; n++)
    {
      pg_plan_inspected (&plan, 1000, 4, 100000, true, false);
      pg_plan_judge (&plan, 1000, 1000, 140000, 0);
    }
  assert_in_range (n, 300, 400); /* so it is right after inspections */
  plan = a_measured_plan (100000);
  for (n = 0; plan.sizes[9].n_judged == 0; n++)
    pg_plan_judge (&plan, 1000, 1000, 50000, 0);
  assert_int_equal (n, 7);
  assert_in_range (plan.sizes[9].pool_ps, 49000, 51000);
}

/* A thread that lost its CPU once makes an entry a hundred times as long.  */
static void
one_long_entry_is_no_proof (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  for (int i = 0; i < 10; i++)
    pg_plan_judge (&plan, 1000, 1000, 600000, 0);
  pg_plan_judge (&plan, 1000, 1000, 60000000, 0);
  assert_in_range (plan.sizes[9].pool_ps, 600000, 800000);
  for (int i = 0; i < 20; i++)
    pg_plan_judge (&plan, 1000, 1000, 60000000, 0);
  assert_true (plan.sizes[9].pool_ps > 20000000);
}

/* Of small entries, it counts for less.  */
static void
one_long_small_entry_is_no_proof (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  for (int i = 0; i < 100; i++)
    pg_plan_judge (&plan, 100, 100, 50000, 0);
  pg_plan_judge (&plan, 100, 100, 5000000, 0);
  assert_in_range (plan.sizes[6].pool_ps, 500000, 540000);
}

/* Others who always end later than the caller, behind a gate 4 us, else 1 us, get less: it does half at most, though.
   Where they always end before it, they get more, but leave it most of its first chunk.  What was late once tells next
   to nothing.  */
static void
the_caller_does_more_where_others_are_late (void **state)
{
  static const int64_t late_ns[] = { 1000, 4000 }, n_ahead[] = { 10, 40 };
  struct pg_plan plan = a_measured_plan (100000);
  (void) state;
  assert_int_equal (pg_plan_ahead (&plan, 1000, 2, true), 0);
  for (int i = 0; i < 40; i++)
    for (int is_gated = 0; is_gated < 2; is_gated++)
      pg_plan_learn_late (&plan, late_ns[is_gated] - 100 * pg_plan_ahead (&plan, 1000, 2, is_gated), is_gated);
  for (int is_gated = 0; is_gated < 2; is_gated++)
    {
      assert_int_equal (pg_plan_ahead (&plan, 1000, 2, is_gated), n_ahead[is_gated]);
      pg_plan_learn_late (&plan, 1000000, is_gated);
      assert_in_range (pg_plan_ahead (&plan, 1000, 2, is_gated), n_ahead[is_gated], n_ahead[is_gated] + 5);
    }
  assert_int_equal (pg_plan_ahead (&plan, 50, 2, true), 25);
  for (int i = 0; i < 100; i++)
    pg_plan_learn_late (&plan, -1000, false);
  assert_int_equal (pg_plan_ahead (&plan, 100000, 2, false), -pg_plan_iters (&plan, -plan.late_ns[false], 0));
  assert_in_range (-pg_plan_ahead (&plan, 100000, 2, false), 200, 300);
  assert_int_equal (pg_plan_ahead (&plan, 1000, 2, false), -1000 / 2 / PG_FIRST_SHARE);
  assert_int_equal (pg_plan_ahead (&plan, 1000, 16, false), -1);
  plan.late_ns[false] = 0;
  assert_int_equal (pg_plan_ahead (&plan, 1000, 2, false), 0);
}

/* A search in vain that takes long, once or again and again, is given up; short ones are not.  */
static void
long_searches_in_vain_are_given_up (void **state)
{
  struct pg_plan plan = a_measured_plan (100000);
  (void) state;
  for (int i = 0; i < 1000; i++)
    pg_plan_searched (&plan, 1000, 4000);
  assert_int_equal (plan.skip, 0);
  int n = 0;
  while (plan.skip == 0 && n++ < 100)
    pg_plan_searched (&plan, 1000, 10000);
  assert_in_range (n, 9, 12);
}

/* Where it takes too much to find out what an entry may run as, nothing is tried for the sake of a faster F alone.  */
static void
what_is_dear_to_find_out_is_noted (void **state)
{
  struct pg_plan plan = a_measured_plan (100000);
  (void) state;
  pg_plan_searched (&plan, 1000, 40000);
  assert_true (plan.is_dear);
  pg_plan_searched (&plan, 1000, 4000);
  assert_false (plan.is_dear);
}

/* A plan that was told costs decides at once.  */
static void
hints_spare_the_probe (void **state)
{
  struct pg_plan plan = { 0 };
  struct pg_plan_costs hints = { .alone_ps = 10000 };
  (void) state;
  pg_plan_hint (&plan, &hints);
  assert_int_equal (pg_plan_choose (&plan, PG_PLAN_LEAST_NS / 10 + 1), PG_CHOOSE_POOL);
  assert_int_equal (pg_plan_choose (&plan, PG_PLAN_LEAST_NS / 10 - 1), PG_CHOOSE_SMALL);
}

/* However far off, a hint has no weight once there is a measurement.  */
static void
measurements_replace_hints (void **state)
{
  struct pg_plan plan = { 0 }, fresh = { 0 };
  struct pg_plan_costs hints = { .alone_ps = 1, .pool_ps = 1, .inspect_ps = 1 };
  (void) state;
  for (int s = 0; s < PG_PLAN_SIZES; s++)
    hints.sizes[s].alone_ps = hints.sizes[s].pool_ps = 1;
  pg_plan_hint (&plan, &hints);
  struct pg_plan *plans[] = { &plan, &fresh };
  for (int p = 0; p < 2; p++)
    {
      pg_plan_learn (plans[p], 1000, 1000000);
      pg_plan_learn_pool (plans[p], 1000, 500000);
      pg_plan_inspected (plans[p], 1000, 4, 300000, true, true);
      pg_plan_learn_alone (plans[p], 1000, 20000000, false);
      pg_plan_judge (plans[p], 1000, 1000, 600000, 0);
      pg_plan_judge (plans[p], 1000, 1000, 600000, 0);
    }
  assert_int_equal (plan.alone_ps, fresh.alone_ps);
  assert_int_equal (plan.pool_ps, fresh.pool_ps);
  assert_int_equal (plan.inspect_ps, fresh.inspect_ps);
  assert_int_equal (plan.sizes[9].alone_ps, fresh.sizes[9].alone_ps);
  assert_int_equal (plan.sizes[9].pool_ps, fresh.sizes[9].pool_ps);
  assert_int_not_equal (fresh.sizes[9].alone_ps, 0);
  assert_int_not_equal (fresh.sizes[9].pool_ps, 0);
}

/* What refused entries take is a measurement, too, when they are told from others.  */
static void
refused_entries_replace_hints (void **state)
{
  struct pg_plan plan = { 0 };
  struct pg_plan_costs hints = { .alone_ps = 1000000 };
  (void) state;
  hints.sizes[9].alone_ps = 7;
  pg_plan_hint (&plan, &hints);
  for (int i = 0; i < 10; i++)
    if (pg_plan_asks (&plan, 1000))
      pg_plan_learn_refused (&plan, 1000, 1000000);
  assert_int_equal (plan.sizes[9].alone_ps, 1000000);
}

static void
hints_change_nothing_that_is_known (void **state)
{
  struct pg_plan plan = { 0 };
  struct pg_plan_costs costs, told, wrong = { .alone_ps = 1, .pool_ps = -1, .inspect_ps = 2 };
  (void) state;
  assert_false (pg_plan_tell (&plan, &costs));
  pg_plan_learn (&plan, 1000, 1000000);
  pg_plan_learn_alone (&plan, 1000, 20000000, false);
  assert_true (pg_plan_tell (&plan, &costs));
  for (int s = 0; s < PG_PLAN_SIZES; s++)
    wrong.sizes[s].alone_ps = 3;
  pg_plan_hint (&plan, &wrong);
  pg_plan_tell (&plan, &told);
  assert_int_equal (told.alone_ps, costs.alone_ps);
  assert_int_equal (told.sizes[9].alone_ps, costs.sizes[9].alone_ps);
  assert_int_equal (told.pool_ps, 0);
  assert_int_equal (told.inspect_ps, 2);
  assert_int_equal (told.sizes[8].alone_ps, 3);
}

static void
the_host_takes_what_its_faster_way_takes (void **state)
{
  struct pg_plan plan = { .alone_ps = 8000 };
  (void) state;
  assert_int_equal (pg_plan_host_ns (&plan, 1000), 8000);
  plan.pool_ps = 3000;
  assert_int_equal (pg_plan_host_ns (&plan, 1000), 3000);
  plan.sizes[9].alone_ps = 2000;
  assert_int_equal (pg_plan_host_ns (&plan, 1000), 2000);
  plan.sizes[9].pool_ps = 1000;
  assert_int_equal (pg_plan_host_ns (&plan, 1000), 1000);
  assert_int_equal (pg_plan_host_ns (&plan, 2000), 6000);
}

/* What may be spent on hard numbers is some percent of the work, and next to nothing where it is in vain.  */
static void
effort_is_a_share_of_the_work (void **state)
{
  struct pg_plan plan = a_measured_plan (1000000);
  (void) state;
  int64_t much = pg_plan_effort (&plan, 10000, 0);
  assert_in_range (much, 10000000 / 1000, 10000000 / 100);
  assert_int_equal (pg_plan_effort (&plan, 1000, 0), much / 10);
  pg_plan_learn_effort (&plan, false);
  assert_int_equal (pg_plan_effort (&plan, 10000, 0), much / 2);
  for (int i = 0; i < 100; i++)
    pg_plan_learn_effort (&plan, false);
  assert_int_equal (pg_plan_effort (&plan, 10000, 0), 0);
  assert_in_range (pg_plan_effort (&plan, INT64_MAX, 0), 1, INT64_MAX);
  pg_plan_learn_effort (&plan, true);
  assert_int_equal (pg_plan_effort (&plan, 10000, 0), much);
}

/* As long as nobody knows what iterations take, that goes by the turns of inner loops, up to a limit.  */
static void
effort_by_turns_at_first (void **state)
{
  struct pg_plan unknown = { 0 }, measured = a_measured_plan (1000000);
  (void) state;
  int64_t some = pg_plan_effort (&unknown, 10, 10000000);
  assert_in_range (some, 10000000 / 10000, 10000000 / 1000);
  assert_in_range (pg_plan_effort (&unknown, 10, INT64_MAX), some, 10 * some);
  pg_plan_learn_effort (&unknown, false);
  assert_int_equal (pg_plan_effort (&unknown, 10, 10000000), some / 2);
  assert_int_equal (pg_plan_effort (&measured, 10, INT64_MAX), pg_plan_effort (&measured, 10, 0));
}

/* Touches are saved up over some entries, and paid for; while costs are unknown there are a few.  */
static void
touches_are_saved_up (void **state)
{
  struct pg_plan plan = { 0 };
  (void) state;
  assert_in_range (pg_plan_touches (&plan, 10000), 1, 10000);
  plan = a_measured_plan (1000000);
  int64_t share = pg_plan_touches (&plan, 10000);
  assert_in_range (share, 10000000 / 100, 10000000 / 10);
  assert_int_equal (pg_plan_touches (&plan, 10000), 2 * share);
  pg_plan_learn_touches (&plan, share / 2, true);
  assert_int_equal (pg_plan_touches (&plan, 10000), 3 * share - share / 2);
  pg_plan_learn_touches (&plan, INT64_MAX, false);
  assert_int_equal (pg_plan_touches (&plan, 10000), share / 2);
  for (int i = 0; i < 100; i++)
    pg_plan_touches (&plan, 10000);
  assert_in_range (pg_plan_touches (&plan, 10000), share, 20 * share);
  assert_in_range (pg_plan_touches (&plan, INT64_MAX), 1, INT64_MAX);
}

/* Where the pool wins clearly by what refused entries took, it is believed for long, and an entry that somebody held up
   raises no doubt; where it wins less clearly, it is asked sooner.  */
static void
a_pool_that_wins_by_refused_entries_is_believed_for_long (void **state)
{
  (void) state;
  for (int is_clear = 0; is_clear < 2; is_clear++)
    {
      struct pg_plan plan = a_measured_plan (100000);
      int n_pooled = 0;
      for (int i = 0; i < 400; i++)
	if (pg_plan_asks (&plan, 1000))
	  pg_plan_learn_refused (&plan, 1000, 100000);
      for (; n_pooled < 20000 && !plan.is_alone; n_pooled++)
	{
	  int64_t wall_ns = n_pooled % 100 == 99 ? 150000 : is_clear ? 50000 : 80000;
	  pg_plan_learn_pool (&plan, 1000, wall_ns);
	  pg_plan_judge (&plan, 1000, 1000, wall_ns, 100000);
	}
      if (is_clear)
	assert_in_range (n_pooled, 10000, 19999);
      else
	assert_in_range (n_pooled, 90, 200);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_host_takes_what_its_faster_way_takes),
    cmocka_unit_test (unknown_costs_are_probed),
    cmocka_unit_test (nothing_is_done_by_unknown_costs),
    cmocka_unit_test (nothing_is_learned_from_nothing),
    cmocka_unit_test (work_decides),
    cmocka_unit_test (a_slow_pool_is_left_alone_for_longer_and_longer),
    cmocka_unit_test (a_fast_pool_is_used_and_asked_ever_more_rarely),
    cmocka_unit_test (a_pool_that_surely_wins_is_not_asked),
    cmocka_unit_test (a_pool_is_never_out_of_question),
    cmocka_unit_test (a_pool_that_gains_nothing_is_left_alone),
    cmocka_unit_test (little_on_the_pool_is_not_judged),
    cmocka_unit_test (parts_grow_while_they_win),
    cmocka_unit_test (a_doacross_that_loses_is_left_alone),
    cmocka_unit_test (a_doacross_that_wins_goes_on),
    cmocka_unit_test (a_while_alone_waits_for_rare_sizes),
    cmocka_unit_test (a_clear_gain_is_believed_for_longer),
    cmocka_unit_test (cold_entries_alone_are_not_measured),
    cmocka_unit_test (sizes_are_judged_by_themselves),
    cmocka_unit_test (long_entries_are_rarely_alone),
    cmocka_unit_test (few_long_entries_tell_enough),
    cmocka_unit_test (all_sizes_run_alone_together),
    cmocka_unit_test (conflicts_are_left_alone_whatever_the_size),
    cmocka_unit_test (the_threshold_rises_in_steps),
    cmocka_unit_test (the_threshold_rises_with_reason),
    cmocka_unit_test (the_threshold_waits_while_iterations_grow_dearer),
    cmocka_unit_test (hopeless_entries_are_left_alone),
    cmocka_unit_test (hopeless_entries_are_measured_while_they_may_be_small),
    cmocka_unit_test (small_entries_are_probed_again_now_and_then),
    cmocka_unit_test (long_measurements_weigh_more),
    cmocka_unit_test (old_measurements_fade),
    cmocka_unit_test (refused_entries_are_measured_now_and_then),
    cmocka_unit_test (what_refused_entries_take_is_known_before_the_pool_is),
    cmocka_unit_test (a_pool_that_wins_by_refused_entries_is_believed_for_long),
    cmocka_unit_test (what_is_dear_to_find_out_is_noted),
    cmocka_unit_test (hints_spare_the_probe),
    cmocka_unit_test (measurements_replace_hints),
    cmocka_unit_test (refused_entries_replace_hints),
    cmocka_unit_test (hints_change_nothing_that_is_known),
    cmocka_unit_test (a_few_entries_among_others_are_not_judged),
    cmocka_unit_test (one_long_entry_is_no_proof),
    cmocka_unit_test (one_long_small_entry_is_no_proof),
    cmocka_unit_test (the_caller_does_more_where_others_are_late),
    cmocka_unit_test (long_searches_in_vain_are_given_up),
    cmocka_unit_test (effort_is_a_share_of_the_work),
    cmocka_unit_test (effort_by_turns_at_first),
    cmocka_unit_test (touches_are_saved_up),
    cmocka_unit_test (a_pool_that_wins_is_used_while_entries_grow),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
