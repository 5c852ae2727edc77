/* SPDX-License-Identifier: MIT
   The verdict cache: a verdict holds as long as nothing changed that decides about addresses; what is missed again and
   again is counted, and memory is limited.  */
//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_arena_put -Wl,--wrap=pg_budget_available -Wl,--wrap=pg_watch_begin
//! link: -Wl,--wrap=getauxval -Wl,--wrap=pg_log_write
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

#include <cmocka.h>

#include "budget.h"
#include "environment.h"
#include "logged.h"
#include "verdict-loop.h"

#include <stdio.h>

enum
{
  MISSES = 4096, /* that are remembered */
  WANTED = 3840  /* by which N iterations are counted: it is known to an eighth */
};

/* What the machine still has, and how often that was asked.  */
static uint64_t available = 1 << 30;
static int n_asked;
__typeof__ (pg_budget_available) __wrap_pg_budget_available;

uint64_t
__wrap_pg_budget_available (void)
{
  n_asked++;
  return available;
}

/* The process was given no random bytes.  */
static bool has_no_random;
unsigned long __real_getauxval (unsigned long type);
unsigned long __wrap_getauxval (unsigned long type);

unsigned long
__wrap_getauxval (unsigned long type)
{
  return has_no_random && type == AT_RANDOM ? 0 : __real_getauxval (type);
}

static void
a_verdict_holds_for_its_own_range_only (void **state)
{
  (void) state;
  assert_false (holds (0, N));
  keep (0, N);
  assert_true (holds (0, N));
  assert_false (holds (0, N - 1));
  assert_false (holds (1, N));
  keep (5, 100);
  assert_true (holds (0, N));
  assert_true (holds (5, 100));
  assert_false (holds (7, 100));
}

static void
every_index_and_every_condition_counts (void **state)
{
  (void) state;
  keep (0, N);
  index_data[N - 1] ^= 1;
  pg_log_mask = 1U << PG_LOG_CHECK;
  assert_false (holds (0, N));
  pg_log_mask = 0;
  assert_string_equal (logged, "region gather.c:0: iterations 0 to 4000: index data changed");
  index_data[N - 1] ^= 1;
  assert_true (holds (0, N));
  flag[1] = 0;
  assert_false (holds (0, N));
  flag[1] = 2;
  assert_false (holds (0, N));
  flag[1] = 1;
  assert_true (holds (0, N));
}

/* Of a macro-chunk whose index data changed, the end is still known: a new verdict for the same one keeps those for the
   next ones of use.  */
static void
what_changed_is_known_by_its_end (void **state)
{
  int64_t hi = -1;
  (void) state;
  keep (0, 100);
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  assert_int_equal (pg_verdict_find (inspector, view, 1, &hi), PG_KNOWN_NOT);
  assert_int_equal (hi, -1);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CLEAN);
  assert_int_equal (hi, 100);
  hi = -1;
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED);
  assert_int_equal (hi, 100);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED_AGAIN);
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CLEAN);
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED);
}

/* As many iterations fit in the caches as the bytes hashed for each allow.  */
static void
dear_feeds_are_for_short_macro_chunks (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true; /* what is watched is not read */
  assert_int_equal (pg_verdict_good_len (inspector), 0);
  keep (0, N);
  int64_t len = pg_verdict_good_len (inspector); /* 3 or 4 bytes an iteration, 3 threads, 512 KiB each */
  assert_in_range (len, 390000, 530000);
  pg_environment.is_watch_off = false;
}

static void
live_ins_that_feed_addresses_count_and_others_do_not (void **state)
{
  (void) state;
  keep (0, N);
  args.factor = 7;
  assert_true (holds (0, N));
  args.y++;
  assert_false (holds (0, N));
  args.y--;
  assert_true (holds (0, N));
}

/* The same goes for what addresses are computed from by numbers, and for the trip count.  */
static void
values_of_expressions_count (void **state)
{
  static const struct pg_node nodes[]
    = { { .op = PG_NODE_ARG, .size = 8, .value = offsetof (struct gather_args, factor), .a = -1, .b = -1 } };
  (void) state;
  region.nodes = nodes;
  region.n_nodes = 1;
  pg_inspector_free (inspector);
  inspector = pg_inspector_new (&region);
  keep (0, N);
  assert_true (holds (0, N));
  args.factor = 7;
  assert_false (holds (0, N));
  args.factor = 1.5;
  assert_true (holds (0, N));
  int64_t end;
  pg_view_evaluate (view, &region, &args, N + 1);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &end), PG_KNOWN_NOT);
  region.n_nodes = 0;
}

/* Two buffers that are swapped, or the levels of a triangular solve: many keys with the same range.  */
static void
many_keys_of_a_range_are_known (void **state)
{
  (void) state;
  for (int round = 0; round < 2; round++)
    for (int k = 0; k < 100; k++)
      {
	args.y = y + k;
	assert_int_equal (holds (0, 50), round);
	if (round == 0)
	  keep (0, 50);
      }
}

/* What is missed again and again is counted once each, however often, until there is a verdict.  */
static void
what_is_missed_again_is_wanted (void **state)
{
  (void) state;
  for (int round = 0; round < 300; round++)
    for (int k = 0; k < 10; k++)
      {
	args.y = y + k;
	assert_int_equal (pg_verdict_wanted (inspector), round == 0 ? 0 : round == 1 ? k * WANTED : 10 * WANTED);
	assert_false (holds (10, 50));
	assert_int_equal (pg_verdict_n_before (inspector), round < 255 ? round : 255);
      }
  for (int k = 0; k < 10; k++)
    {
      args.y = y + k;
      keep (10, 50);
      assert_int_equal (pg_verdict_wanted (inspector), (9 - k) * WANTED);
    }
  args.y = y + 20;
  assert_false (holds (10, 50));
  keep (10, 50); /* missed once only */
  assert_int_equal (pg_verdict_wanted (inspector), 0);
}

/* What does not come again is not wanted, and what comes again stays so, however much comes in between.  */
static void
what_does_not_come_again_is_not_wanted (void **state)
{
  (void) state;
  for (int i = 0; i < 100000; i++)
    {
      args.y = y + 10 + i;
      assert_false (holds (0, 50));
      if (i % 100 != 0)
	continue;
      args.y = y;
      assert_false (holds (0, 50));
      assert_in_range (pg_verdict_wanted (inspector), i == 0 ? 0 : WANTED, 12 * N);
    }
}

/* Nor what comes no more.  */
static void
what_is_over_is_not_wanted_for_ever (void **state)
{
  (void) state;
  for (int i = 0; i < 100; i++)
    assert_false (holds (0, 50));
  assert_int_equal (pg_verdict_wanted (inspector), WANTED);
  int n = 0;
  for (; pg_verdict_wanted (inspector) >= WANTED && n < 1000000; n++)
    {
      args.y = y + 1 + n;
      assert_false (holds (N - 1, N));
    }
  assert_in_range (n, 16000, 120000);
}

/* Where many are missed more often, one that is missed for the first time has no place among them, and what is wanted
   has a limit.  */
static void
what_is_missed_more_often_stays_wanted (void **state)
{
  (void) state;
  for (int k = 0; k < 2 * MISSES; k++)
    for (int time = 0; time < 3; time++)
      {
	args.y = y + k;
	assert_false (holds (0, 50));
      }
  assert_in_range (pg_verdict_wanted (inspector), MISSES / 4 * WANTED, MISSES * WANTED);
  for (int k = 0; k < 100; k++)
    {
      int64_t wanted = pg_verdict_wanted (inspector);
      args.y = y - 1 - k;
      assert_false (holds (0, 50));
      assert_int_equal (pg_verdict_n_before (inspector), 0);
      assert_true (pg_verdict_wanted (inspector) <= wanted);
    }
}

static void
verdicts_hold_without_random_bytes (void **state)
{
  (void) state;
  has_no_random = true;
  keep (0, N);
  assert_true (holds (0, N));
  index_data[N - 1] ^= 1;
  assert_false (holds (0, N));
  has_no_random = false;
}

/* The table is of limited size: it forgets something, but not what it was told or asked last.  */
static void
a_full_table_forgets (void **state)
{
  int n_held = 0;
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int k = 0; k < 10; k++)
    {
      args.y = y + 4 + k;
      keep (0, 4);
    }
  for (int i = 0; i < 12000; i++)
    {
      args.y = y + i / 3000;
      keep (1 + i % 3000, 4 + i % 3000);
      assert_true (holds (1 + i % 3000, 4 + i % 3000));
      args.y = y + 4 + i % 10;
      assert_true (holds (0, 4));
    }
  for (int i = 0; i < 12000; i++)
    {
      args.y = y + i / 3000;
      n_held += holds (1 + i % 3000, 4 + i % 3000);
    }
  assert_in_range (n_held, 4000, 9000);
  pg_environment.plan = PG_PLAN_POOL;
}

/* How many of ten verdicts with keys of KEY_LEN bytes are known in the end.  The last always is.  */
static int
count_known (uint32_t key_len)
{
  int n_held = 0;
  gather_fields[3].len = key_len;
  pg_inspector_free (inspector);
  inspector = pg_inspector_new (&region);
  for (args.ballast[0] = 0; args.ballast[0] < 10; args.ballast[0]++)
    {
      keep (0, 50);
      assert_int_equal (holds (0, 50), key_len < sizeof args.ballast);
    }
  for (args.ballast[0] = 0; args.ballast[0] < 10; args.ballast[0]++)
    n_held += holds (0, 50);
  gather_fields[3].len = 0;
  return n_held;
}

/* A megabyte is for all verdicts of a region, or a share of what the machine has, which is asked once.  */
static void
memory_for_verdicts_is_limited (void **state)
{
  (void) state;
  for (int is_rich = 0; is_rich < 2; is_rich++)
    {
      available = is_rich ? 128 << 20 : 1000;
      assert_int_equal (count_known (1000), 10);
      n_asked = 0;
      assert_int_equal (count_known (300 << 10), is_rich ? 6 : 3);
      assert_int_equal (n_asked, 1);
      assert_int_equal (count_known (sizeof args.ballast), 0);
    }
  available = 1 << 30;
}

/* What was not inspected, or left no traces, or is fed by what the loop writes, is not known.  */
static void
only_what_an_inspection_knows_is_kept (void **state)
{
  (void) state;
  keep (0, 100);
  pg_verdict_keep (inspector, view, 0, 99);
  assert_true (holds (0, 100));
  pg_verdict_keep (inspector, view, 1, 100);
  assert_false (holds (1, 100));
  gather_refs[2].flags |= PG_REF_WRITE;
  assert_int_equal (pg_inspect (inspector, view, 2, 100), 100);
  pg_verdict_keep (inspector, view, 2, 100);
  gather_refs[2].flags &= (uint8_t) ~PG_REF_WRITE;
  assert_false (holds (2, 100));
  assert_int_equal (pg_inspect (inspector, view, 3, 100), 100);
  inspector->n_traced = 0;
  pg_verdict_keep (inspector, view, 3, 100);
  assert_false (holds (3, 100));
}

/* The loop writes bytes on both sides of its own indexes: it is clean, but what is between could be written by a loop
   with the same ranges.  */
static void
a_loop_that_may_write_its_indexes_leaves_no_verdict (void **state)
{
  (void) state;
  region.flags = 0;
  args.y = (double *) (void *) index_data;
  memset (flag, 1, N);
  index_data[100] = 40; /* indexes are bytes 200 to 203; written are bytes 320 to 327 */
  index_data[101] = 50; /* and 400 to 407 */
  keep (100, 102);
  assert_true (holds (100, 102));
  index_data[100] = 0; /* now bytes 0 to 7 */
  keep (100, 102);
  assert_false (holds (100, 102));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (a_verdict_holds_for_its_own_range_only, set_up, tear_down),
    cmocka_unit_test_setup_teardown (every_index_and_every_condition_counts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_changed_is_known_by_its_end, set_up, tear_down),
    cmocka_unit_test_setup_teardown (dear_feeds_are_for_short_macro_chunks, set_up, tear_down),
    cmocka_unit_test_setup_teardown (live_ins_that_feed_addresses_count_and_others_do_not, set_up, tear_down),
    cmocka_unit_test_setup_teardown (many_keys_of_a_range_are_known, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_missed_again_is_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_does_not_come_again_is_not_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_over_is_not_wanted_for_ever, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_missed_more_often_stays_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_full_table_forgets, set_up, tear_down),
    cmocka_unit_test_setup_teardown (verdicts_hold_without_random_bytes, set_up, tear_down),
    cmocka_unit_test_setup_teardown (values_of_expressions_count, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_for_verdicts_is_limited, set_up, tear_down),
    cmocka_unit_test_setup_teardown (only_what_an_inspection_knows_is_kept, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_loop_that_may_write_its_indexes_leaves_no_verdict, set_up, tear_down),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
