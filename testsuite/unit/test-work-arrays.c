/* SPDX-License-Identifier: MIT
   Work arrays: chunks have their own, the program's is as the loop leaves it, and nobody shares a block.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "steps.h"
#include "work-arrays.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum
{
  M = 12,
  N_THREADS = 4
};

/* for (i) { for (j < m) work[j] = a[i] + j; for (j < m) c[i] = 3 * c[i] + work[j]; }  */
struct fold_args
{
  int64_t *a, *c, *work;
  int64_t m;
};

static _Atomic int n_others, n_misplaced;
static int64_t *real;

static int64_t
fold_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct fold_args *p = args;
  (void) ctx;
  atomic_fetch_add (&n_others, p->work != real);
  atomic_fetch_add (&n_misplaced, ((uintptr_t) p->work - (uintptr_t) real) % 4096 != 0);
  for (int64_t i = lo; i < hi; i++)
    {
      for (int64_t j = 0; j < p->m; j++)
	p->work[j] = p->a[i] + j;
      p->c[i] = i;
      for (int64_t j = 0; j < p->m; j++)
	p->c[i] = 3 * p->c[i] + p->work[j];
    }
  return 0;
}

static const struct pg_node fold_nodes[]
  = { ARG (fold_args, a),
      ARG (fold_args, c),
      ARG (fold_args, work),
      { .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct fold_args, m), .a = -1, .b = -1 },
      CONSTANT (8),
      CONSTANT (1),
      { .op = PG_NODE_SUB, .a = 3, .b = 5 } };
static const struct pg_dim fold_dims[] = { { .parent = -1, .last = LINEAR (-1, -1) },
					   { .parent = 0, .last = LINEAR (6, -1) },
					   { .parent = 0, .last = LINEAR (6, -1) } };
static const struct pg_ref fold_refs[] = {
  { .address = LINEAR (0, 4), .dim = 1, .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (1, 4), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 1, .len = 8 },
  { .address = { 2, { -1, 4, -1, -1, -1, -1, -1, -1 } },
    .dim = 1,
    .flags = PG_REF_WRITE | PG_REF_AFFINE,
    .group = 2,
    .len = 8 },
  { .address = { 2, { -1, -1, 4, -1, -1, -1, -1, -1 } },
    .dim = 2,
    .flags = PG_REF_READ | PG_REF_AFFINE,
    .group = 2,
    .len = 8 },
};
static const struct pg_work_array fold_arrays[] = { { .offset = offsetof (struct fold_args, work), .group = 2 } };

static struct pg_descriptor *
a_fold_region (void)
{
  return a_new_region ((struct pg_region) { .file = "src/loops.c",
					    .function = "fold",
					    .line = 70,
					    .frame_len = 256,
					    .klass = PG_CLASS_POSSIBLY,
					    .reason = PG_WHY_POINTERS,
					    .flags = PG_REGION_ALL_AFFINE,
					    .body = fold_body,
					    .args_len = sizeof (struct fold_args),
					    TABLE (nodes, fold_nodes),
					    TABLE (dims, fold_dims),
					    TABLE (refs, fold_refs),
					    TABLE (work_arrays, fold_arrays) });
}

/* Run N iterations over WORK, which may be part of c, and compare with one thread.  */
static const struct pg_row *
check_fold (struct pg_descriptor *region, int64_t *work, int64_t m, int64_t n)
{
  static int64_t expected[2 * N], expected_work[M];
  struct fold_args args = { a, c, work, m };
  memset (c, 0, sizeof c);
  memset (work, 0, M * sizeof *work);
  real = work;
  fold_body (&args, 0, n, NULL);
  memcpy (expected, c, sizeof c);
  memcpy (expected_work, work, M * sizeof *work);
  memset (c, 0, sizeof c);
  memset (work, 0, M * sizeof *work);
  atomic_store (&n_others, 0);
  atomic_store (&n_misplaced, 0);
  if (__paragon_enter_v1 (region, &args, n) != 1)
    fold_body (&args, 0, n, NULL);
  assert_memory_equal (c, expected, sizeof c);
  assert_memory_equal (work, expected_work, M * sizeof *work);
  assert_int_equal (atomic_load (&n_misplaced), 0);
  return row_of (region);
}

static void
chunks_have_arrays_of_their_own (void **state)
{
  struct pg_descriptor *region = a_fold_region ();
  int64_t work[M + 8];
  (void) state;
  for (int shift = 0; shift < 8; shift++)
    {
      assert_int_equal (check_fold (region, work + shift, M, N)->n_pool, shift + 1);
      assert_true (atomic_load (&n_others) > 1);
    }
}

static void
few_iterations_and_none_inside (void **state)
{
  struct pg_descriptor *region = a_fold_region ();
  int64_t work[M];
  (void) state;
  for (int64_t n = 1; n < 30; n++)
    {
      check_fold (region, work, M, n);
      check_fold (region, work, 0, n);
      check_fold (region, work, -1, n);
    }
}

static void
forced_conflicts_leave_what_the_last_one_wrote (void **state)
{
  int64_t work[M];
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_EVERY;
  for (int64_t every = 1; every < 40; every += 6)
    {
      pg_environment.inject_number = every;
      assert_true (check_fold (a_fold_region (), work, M, N)->n_conflicts > 0);
    }
  pg_environment.inject_kind = PG_INJECT_AT;
  pg_environment.inject_number = N - 1;
  assert_int_equal (check_fold (a_fold_region (), work, M, N)->n_conflicts, 1);
}

/* Where iterations write and read the array by other names, they do hand something on; those in front of and behind
   these may run as pieces.  */
static void
an_array_that_overlaps_is_none (void **state)
{
  struct pg_descriptor *region = a_fold_region ();
  (void) state;
  for (int at = 0; at < N - M; at += 131)
    check_fold (region, c + at, M, N);
  for (int64_t n = 2; n < M; n++)
    assert_int_equal (check_fold (a_fold_region (), c, M, n)->n_pool, 0);
  assert_int_equal (check_fold (a_fold_region (), c + N, M, N)->n_pool, 1);
}

static struct pg_work work_blocks;
static _Atomic int n_inside[64], n_shared;

static void *
take_and_give (void *arg)
{
  (void) arg;
  for (int i = 0; i < 20000; i++)
    {
      int block = pg_work_take (&work_blocks);
      atomic_fetch_add (&n_shared, atomic_fetch_add (&n_inside[block], 1) != 0);
      atomic_fetch_sub (&n_inside[block], 1);
      pg_work_give (&work_blocks, block);
    }
  return NULL;
}

static void
nobody_shares_a_block (void **state)
{
  pthread_t threads[N_THREADS];
  (void) state;
  atomic_store (&work_blocks.free, 5);
  for (int t = 0; t < N_THREADS; t++)
    assert_int_equal (pthread_create (&threads[t], NULL, take_and_give, NULL), 0);
  for (int t = 0; t < N_THREADS; t++)
    pthread_join (threads[t], NULL);
  assert_int_equal (atomic_load (&n_shared), 0);
  assert_int_equal (atomic_load (&work_blocks.free), 5);
}

static int my_block, other_block;

static void
take_mine (void)
{
  my_block = pg_work_take (&work_blocks);
}

static void
take_other (void)
{
  other_block = pg_work_take (&work_blocks);
}

/* Who sees that a block is free may not be the one who gets it: then he has the next one.  */
static void
a_block_that_goes_in_between_is_not_taken_twice (void **state)
{
  int n_first = 0, n_second = 0;
  (void) state;
  for (int at = 0;; at++)
    {
      atomic_store (&work_blocks.free, 5);
      if (!call_with (take_mine, take_other, at))
	break;
      n_first += my_block == 0 && other_block == 2;
      n_second += my_block == 2 && other_block == 0;
      assert_int_equal (n_first + n_second, at + 1);
      assert_int_equal (atomic_load (&work_blocks.free), 0);
    }
  if (n_first + n_second == 0)
    skip (); /* no steps here */
  assert_true (n_first > 0 && n_second > 0);
}

static _Atomic int taken_block;

static void *
take_one (void *arg)
{
  (void) arg;
  atomic_store (&taken_block, -1);
  atomic_store (&taken_block, pg_work_take (&work_blocks));
  return NULL;
}

/* Who finds no block waits until another one gives his.  */
static void
a_block_is_waited_for (void **state)
{
  pthread_t thread;
  (void) state;
  atomic_store (&work_blocks.free, 4);
  assert_int_equal (pg_work_take (&work_blocks), 2);
  atomic_store (&taken_block, 0);
  assert_int_equal (pthread_create (&thread, NULL, take_one, NULL), 0);
  while (atomic_load (&taken_block) == 0)
    usleep (1000);
  usleep (20000);
  assert_int_equal (atomic_load (&taken_block), -1);
  pg_work_give (&work_blocks, 2);
  pthread_join (thread, NULL);
  assert_int_equal (atomic_load (&taken_block), 2);
}

/* There are 64 blocks at most.  */
static void
more_threads_than_blocks_take_turns (void **state)
{
  struct pg_descriptor *region = a_fold_region ();
  int64_t work[M];
  (void) state;
  force_pool (100);
  assert_int_equal (pg_pool_threads (), 100);
  for (int n = 1; n <= 5; n++)
    assert_int_equal (check_fold (region, work, M, N)->n_pool, n);
  assert_true (atomic_load (&state_of (region)->entry.work.free) == UINT64_MAX);
  force_pool (4);
}

/* What takes too much memory, or nobody knows how much, runs on one thread.  */
static void
memory_may_be_short (void **state)
{
  struct pg_descriptor *region = a_fold_region ();
  int64_t work[M];
  (void) state;
  check_fold (region, work, M, N);
  struct pg_state *entered = state_of (region);
  struct fold_args args = { a, c, work, (int64_t) 1 << 50 };
  pg_view_evaluate (entered->entry.view, &entered->region, &args, N);
  assert_false (pg_work_reserve (&entered->entry.work, entered->entry.view));
  args.m = INT64_MAX / 4;
  pg_view_evaluate (entered->entry.view, &entered->region, &args, N);
  assert_false (pg_work_reserve (&entered->entry.work, entered->entry.view));
  check_fold (region, work, M, N);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (chunks_have_arrays_of_their_own, set_up),
    cmocka_unit_test_setup (few_iterations_and_none_inside, set_up),
    cmocka_unit_test_setup (forced_conflicts_leave_what_the_last_one_wrote, set_up),
    cmocka_unit_test_setup (an_array_that_overlaps_is_none, set_up),
    cmocka_unit_test_setup (nobody_shares_a_block, set_up),
    cmocka_unit_test_setup (a_block_that_goes_in_between_is_not_taken_twice, set_up),
    cmocka_unit_test_setup (a_block_is_waited_for, set_up),
    cmocka_unit_test_setup (more_threads_than_blocks_take_turns, set_up),
    cmocka_unit_test_setup (memory_may_be_short, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
