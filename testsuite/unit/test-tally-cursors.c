/* SPDX-License-Identifier: MIT
   A region with an array of cursors, with a tally written by hand: next[in[i] % M]++ says where i goes.  Memory must be
   left as one thread would leave it, whether cursors are found to be in each other's way or not.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"

#include <stdatomic.h>

enum
{
  M = 30
};

struct sort_args
{
  int64_t *in;
  int32_t *next;
  int64_t *out;
  struct pg_cursors passed;
};

static _Atomic int64_t n_run;
static int64_t claimed; /* steps, that the tally says it took beside those that it did */
static int64_t expected[2 * N];
static int32_t next[M], next_before[M];

static int64_t
sort_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct sort_args *p = args;
  (void) ctx;
  atomic_fetch_add (&n_run, hi - lo);
  for (int64_t i = lo; i < hi; i++)
    {
      int32_t at = p->next[p->in[i] % M]++;
      memcpy (p->out + at, &i, sizeof i); /* which may be where cursors are */
    }
  return 0;
}

static int64_t
sort_tally (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct sort_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->next[p->in[i] % M]++;
  p->passed.total = hi - lo + claimed;
  return 0;
}

/* Dimension 1 goes over M cursors; 2 over what they pass, one by one.  */
static const struct pg_node sort_nodes[] = { ARG (sort_args, in),
					     ARG (sort_args, next),
					     ARG (sort_args, out),
					     ARG (sort_args, passed.low),
					     ARG (sort_args, passed.total),
					     CONSTANT (8),
					     CONSTANT (1),
					     CONSTANT (4),
					     CONSTANT (M - 1),
					     { .op = PG_NODE_SUB, .a = 4, .b = 6 },
					     { .op = PG_NODE_MUL, .a = 3, .b = 5 },
					     { .op = PG_NODE_ADD, .a = 2, .b = 10 } };
static const struct pg_dim sort_dims[] = { { .parent = -1, .last = LINEAR (-1, -1) },
					   { .parent = 0, .last = LINEAR (8, -1) },
					   { .parent = 0, .last = LINEAR (9, -1) } };
static const struct pg_ref sort_refs[]
  = { { .address = LINEAR (0, 5), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
      { .address = { 1, { -1, 7, -1, -1, -1, -1, -1, -1 } },
	.dim = 1,
	.flags = PG_REF_READ | PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL,
	.group = 1,
	.len = 4 },
      { .address = { 11, { -1, -1, 5, -1, -1, -1, -1, -1 } },
	.dim = 2,
	.flags = PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL | PG_REF_OWN,
	.group = 2,
	.len = 8 } };
static const struct pg_array_reduction sort_cursors = { .offset = offsetof (struct sort_args, next),
							.group = 1,
							.op = PG_REDUCE_ADD,
							.type = PG_I32,
							.is_carried = 1,
							.cursors = offsetof (struct sort_args, passed) };

static const struct pg_region sort_region = { .file = "src/loops.c",
					      .function = "sort",
					      .frame_len = 256,
					      .line = 70,
					      .klass = PG_CLASS_POSSIBLY,
					      .reason = PG_WHY_CURSORS,
					      .flags = PG_REGION_ALL_AFFINE | PG_REGION_SLICE_STABLE,
					      .body = sort_body,
					      .tally = sort_tally,
					      .args_len = sizeof (struct sort_args),
					      TABLE (nodes, sort_nodes),
					      TABLE (dims, sort_dims),
					      TABLE (refs, sort_refs),
					      .n_array_reductions = 1 };

/* REGION, whose cursors DECIDE, or numbers have to tell more.  */
static struct pg_descriptor *
a_region (struct pg_region region, bool decide)
{
  struct pg_array_reduction cursors = sort_cursors;
  cursors.decides = decide;
  region.array_reductions = &cursors;
  return a_new_region (region);
}

static struct pg_descriptor *
a_sort_region (bool decide)
{
  return a_region (sort_region, decide);
}

/* Have cursors begin ROOM apart, the first at FROM.  */
static void
set_cursors (int from, int room)
{
  for (int i = 0; i < M; i++)
    next[i] = next_before[i] = from + i * room;
}

/* Sort N_ITERS of IN to OUT, by REGION and cursors AT, and compare: OUT is in C.  */
static void
check_sort (struct pg_descriptor *region, int64_t *in, int32_t *at, int64_t *out, int64_t n_iters)
{
  struct sort_args args = { in, at, out, { 0, 0 } }, serial = args;
  int64_t before[2 * N];
  int32_t moved[M];
  memcpy (before, c, sizeof before);
  sort_body (&serial, 0, n_iters, NULL);
  memcpy (expected, c, sizeof c);
  memcpy (moved, next, sizeof moved);
  memcpy (c, before, sizeof before);
  memcpy (next, next_before, sizeof next);
  atomic_store (&n_run, 0);
  if (!__paragon_enter_v1 (region, &args, n_iters))
    sort_body (&args, 0, n_iters, NULL);
  assert_memory_equal (c, expected, sizeof c);
  assert_memory_equal (next, moved, sizeof next);
  assert_int_equal (atomic_load (&n_run), n_iters);
}

/* What IN has of each remainder is less than this.  */
static int
most_of_one (void)
{
  int n[M] = { 0 }, most = 0;
  for (int i = 0; i < N; i++)
    n[a[i] % M]++;
  for (int i = 0; i < M; i++)
    most = n[i] > most ? n[i] : most;
  return most;
}

static void
cursors_apart_run_on_the_pool (void **state)
{
  (void) state;
  for (int decide = 0; decide < 2; decide++)
    for (int n_threads = 2; n_threads <= 4; n_threads++)
      for (int64_t n = 1; n <= N; n = n < 40 ? n + 1 : n * 4)
	{
	  struct pg_descriptor *region = a_sort_region (decide);
	  force_pool (n_threads);
	  set_cursors (0, 2 * N / M);
	  check_sort (region, a, next, c, n);
	  assert_int_equal (row_of (region)->n_pool, 1);
	  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L1], 1);
	  assert_int_equal (row_of (region)->n_conflicts, 0);
	}
}

static void
cursors_that_meet_run_in_order (void **state)
{
  int most = most_of_one ();
  (void) state;
  for (int less = 0; less <= most; less += most)
    {
      struct pg_descriptor *region = a_sort_region (true);
      set_cursors (0, most - less);
      check_sort (region, a, next, c, N);
      assert_int_equal (row_of (region)->n_conflicts > 0, less > 0);
    }
}

/* They pass what the loop reads: only numbers tell.  */
static void
what_they_pass_may_be_in_use (void **state)
{
  struct pg_descriptor *region = a_sort_region (false);
  (void) state;
  for (int i = 0; i < N; i++)
    c[i] = a[i];
  set_cursors (N, N / M);
  check_sort (region, c, next, c, N / 2);
  assert_int_equal (row_of (region)->n_conflicts, 0);
  set_cursors (N / 2 - 2, N / M);
  check_sort (region, c, next, c, N / 2);
  assert_true (row_of (region)->n_conflicts > 0);
}

/* The cursors are in the midst of what they pass, though none gets there.  */
static void
cursors_may_pass_each_other (void **state)
{
  static union
  {
    int32_t next[2 * N];
    int64_t out[N];
  } shared;
  struct sort_args args = { a, shared.next + 200, shared.out, { 0, 0 } };
  struct pg_descriptor *region = a_sort_region (false);
  (void) state;
  for (int i = 0; i < N; i++)
    a[i] = i % 2;
  args.next[0] = 10;
  args.next[1] = 1000;
  assert_true (__paragon_enter_v1 (region, &args, 80));
  assert_int_equal (args.next[0], 50);
  assert_int_equal (args.next[1], 1040);
  assert_true (row_of (region)->n_conflicts > 0);
  /* One iteration alone meets no other one; but what it passes is the cursor itself.  */
  region = a_sort_region (false);
  args.next[0] = 100;
  args.passed = (struct pg_cursors) { 0, 0 };
  assert_true (__paragon_enter_v1 (region, &args, 1));
  assert_int_equal (args.next[0], 0);
  assert_true (row_of (region)->n_conflicts > 0);
}

/* The address of what is passed is no number of 64 bits.  */
static void
places_that_wrap_are_not_known (void **state)
{
  struct pg_node nodes[sizeof sort_nodes / sizeof *sort_nodes + 1];
  struct pg_ref refs[2] = { sort_refs[1], sort_refs[2] };
  struct pg_region wrapping = sort_region;
  (void) state;
  memcpy (nodes, sort_nodes, sizeof sort_nodes);
  nodes[wrapping.n_nodes] = (struct pg_node) CONSTANT ((int64_t) 1 << 61);
  wrapping.nodes = nodes;
  refs[1].address.coef[2] = (int16_t) wrapping.n_nodes++;
  wrapping.refs = refs;
  wrapping.n_refs = 2;
  for (int decide = 0; decide < 2; decide++)
    {
      struct pg_descriptor *region = a_region (wrapping, decide);
      set_cursors (0, 2 * N / M);
      check_sort (region, a, next, c, N);
      assert_true (row_of (region)->n_conflicts > 0);
    }
}

/* More steps than a sum of the type can tell; where that is reached is no matter.  */
static void
steps_are_counted (void **state)
{
  (void) state;
  for (claimed = INT32_MAX - N; claimed <= INT32_MAX; claimed += N + 1)
    {
      struct pg_descriptor *region = a_sort_region (true);
      force_pool (1);
      set_cursors (0, 2 * N / M);
      check_sort (region, a, next, c, N);
      assert_int_equal (row_of (region)->n_conflicts > 0, claimed > 0);
    }
  claimed = 0;
}

static void
forced_conflicts_change_nothing (void **state)
{
  struct pg_descriptor *region = a_sort_region (true);
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_EVERY;
  for (pg_environment.inject_number = 1; pg_environment.inject_number < 20; pg_environment.inject_number += 6)
    {
      set_cursors (0, 2 * N / M);
      check_sort (region, a, next, c, N);
    }
  assert_true (row_of (region)->n_conflicts > 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (cursors_apart_run_on_the_pool, set_up),
    cmocka_unit_test_setup (cursors_that_meet_run_in_order, set_up),
    cmocka_unit_test_setup (what_they_pass_may_be_in_use, set_up),
    cmocka_unit_test_setup (cursors_may_pass_each_other, set_up),
    cmocka_unit_test_setup (places_that_wrap_are_not_known, set_up),
    cmocka_unit_test_setup (steps_are_counted, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
