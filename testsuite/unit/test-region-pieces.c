/* SPDX-License-Identifier: MIT
   Regions whose entries run in pieces (pieces.h), whatever else is asked of them.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "entries.h"

/* a[i] = f (a[k], i); s += a[i]; last = 3 * i: iteration K meets all others.  WORK turns of an inner loop make it
   long.  */
struct spread_args
{
  int64_t *a;
  int64_t place; /* the address of a[k] */
  int64_t work;
  uint64_t sum;
  int64_t last;
};

static int64_t
spread_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct spread_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      int64_t value = *(const int64_t *) (intptr_t) p->place;
      for (int64_t turn = 0; turn < p->work; turn++)
	value = (3 * value + i) % 10007;
      p->a[i] = value + i;
      p->sum += (uint64_t) p->a[i];
      p->last = 3 * i;
    }
  return 0;
}

static const struct pg_node spread_nodes[] = { ARG (spread_args, a), CONSTANT (8), ARG (spread_args, place) };
static const struct pg_ref spread_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (2, -1), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
};
static const struct pg_reduction spread_reductions[]
  = { { .op = PG_REDUCE_ADD, .type = PG_U64, .offset = offsetof (struct spread_args, sum) } };
static const struct pg_field spread_live_outs[] = { { .offset = offsetof (struct spread_args, last), .len = 8 } };

static struct pg_descriptor *
a_spread_region (uint8_t flags)
{
  struct pg_region region = { REGION_COMMON ("spread"),
			      .line = 60,
			      .klass = PG_CLASS_POSSIBLY,
			      .reason = PG_WHY_DISTANCE,
			      .flags = (uint8_t) (PG_REGION_ALL_AFFINE | flags),
			      .body = spread_body,
			      .args_len = sizeof (struct spread_args),
			      TABLE (nodes, spread_nodes),
			      TABLE (refs, spread_refs),
			      TABLE (reductions, spread_reductions),
			      TABLE (live_outs, spread_live_outs) };
  return a_new_region (region);
}

/* Run an entry of REGION in which iteration K meets the others; its answer is that of the body in order.  Whether it
   ran.  */
static bool
check_spread (struct pg_descriptor *region, int64_t k, int64_t work)
{
  static int64_t expected[N], kept[N];
  memcpy (expected, a, sizeof expected);
  memcpy (kept, a, sizeof kept);
  struct spread_args args = { a, (int64_t) (intptr_t) &a[k], work, 5, -1 };
  struct spread_args serial = { expected, (int64_t) (intptr_t) &expected[k], work, 5, -1 };
  spread_body (&serial, 0, N, NULL);
  bool has_run = __paragon_enter_v1 (region, &args, N) == 1;
  assert_memory_equal (a, has_run ? expected : kept, sizeof expected);
  if (!has_run)
    return false;
  assert_int_equal (args.sum, serial.sum);
  assert_int_equal (args.last, serial.last);
  return true;
}

static const int64_t places[] = { 0, 1, 700, N / 2, N - 2, N - 1 };

static void
all_but_one_iteration_run_on_the_pool (void **state)
{
  (void) state;
  for (int threads = 2; threads <= 4; threads += 2)
    for (size_t p = 0; p < N_ELEMENTS (places); p++)
      {
	force_pool (threads);
	struct pg_descriptor *region = a_spread_region (0);
	assert_true (check_spread (region, places[p], 3));
	assert_int_equal (row_of (region)->n_pool, 1);
	assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L1], 1);
	assert_int_equal (row_of (region)->n_conflicts, 0);
      }
}

/* Results that depend on where iterations are cut: the same for any number of threads, and the same as in order on the
   fixed grid.  Integers do not, but are cut there, too.  */
static void
pieces_end_on_the_fixed_grid (void **state)
{
  (void) state;
  for (size_t p = 0; p < N_ELEMENTS (places); p++)
    {
      struct pg_descriptor *region = a_spread_region (PG_REGION_FIXED_GRID);
      assert_true (check_spread (region, places[p], 3));
      assert_int_equal (row_of (region)->n_pool, 1);
    }
}

static void
forced_conflicts_in_pieces_change_nothing (void **state)
{
  (void) state;
  for (int seed = 1; seed < 8; seed++)
    for (size_t p = 0; p < N_ELEMENTS (places); p++)
      {
	struct pg_descriptor *region = a_spread_region (0);
	pg_environment.inject = true;
	pg_environment.inject_kind = seed % 2 ? PG_INJECT_RANDOM : PG_INJECT_EVERY;
	pg_environment.inject_number = seed;
	assert_true (check_spread (region, places[p], 3));
	assert_true (row_of (region)->n_conflicts > 0);
      }
}

static void
entries_in_pieces_are_compared (void **state)
{
  (void) state;
  pg_environment.mode = PG_MODE_COMPARE;
  struct pg_descriptor *region = a_spread_region (0);
  assert_true (check_spread (region, 700, 3));
  assert_int_equal (row_of (region)->n_compared, 1);
  assert_int_equal (row_of (region)->n_differences, 0);
}

/* Nothing is forced: a first entry, whose costs nobody knows, is not refused.  */
static void
first_entries_are_cut_by_little_effort (void **state)
{
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (size_t p = 0; p < N_ELEMENTS (places); p++)
    assert_true (check_spread (a_spread_region (0), places[p], 500));
}

static void
trails_are_not_cut (void **state)
{
  (void) state;
  struct pg_descriptor *region = a_spread_region (PG_REGION_TRAILS);
  assert_false (check_spread (region, 700, 3));
}

/* a[2 * i] = a[i] + i: the first iterations conflict with those just before them, later ones with none near.  */
enum
{
  N_IN_ORDER = 128 /* up to there, pieces are shorter than a 64th of N */
};
static atomic_bool is_cut; /* in there */

static int64_t
stretch_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct spread_args *p = args;
  (void) ctx;
  if (lo > 0 && lo < N_IN_ORDER)
    atomic_store (&is_cut, true);
  for (int64_t i = lo; i < hi; i++)
    p->a[2 * i] = p->a[i] + i;
  return 0;
}

static const struct pg_node stretch_nodes[] = { ARG (spread_args, a), CONSTANT (16), CONSTANT (8) };
static const struct pg_ref stretch_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (0, 2), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
};

static void
what_is_not_free_runs_in_order (void **state)
{
  static int64_t expected[2 * N];
  const struct pg_region stretch = { REGION_COMMON ("stretch"),
				     .line = 80,
				     .klass = PG_CLASS_POSSIBLY,
				     .reason = PG_WHY_DISTANCE,
				     .flags = PG_REGION_ALL_AFFINE,
				     .body = stretch_body,
				     .args_len = sizeof (struct spread_args),
				     TABLE (nodes, stretch_nodes),
				     TABLE (refs, stretch_refs) };
  (void) state;
  struct pg_descriptor *region = a_new_region (stretch);
  struct spread_args args = { .a = a }, serial = { .a = expected };
  memcpy (expected, a, sizeof expected);
  stretch_body (&serial, 0, N, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (a, expected, sizeof expected);
  assert_int_equal (row_of (region)->n_pool, 1);
  assert_false (atomic_load (&is_cut));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (all_but_one_iteration_run_on_the_pool, set_up),
    cmocka_unit_test_setup (pieces_end_on_the_fixed_grid, set_up),
    cmocka_unit_test_setup (forced_conflicts_in_pieces_change_nothing, set_up),
    cmocka_unit_test_setup (entries_in_pieces_are_compared, set_up),
    cmocka_unit_test_setup (first_entries_are_cut_by_little_effort, set_up),
    cmocka_unit_test_setup (trails_are_not_cut, set_up),
    cmocka_unit_test_setup (what_is_not_free_runs_in_order, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
