/* SPDX-License-Identifier: MIT
   Array reductions: chunks have parts of their own, the program's array is as one thread leaves it, and what is on both
   sides of it is not touched.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array-parts.h"
#include "entries.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  M = 64,
  LARGE = 4096,
  HUGE = 1 << 16,
  N_THREADS = 4
};

/* for (i) { bucket[a[i] % m] += i; most[b[i] % m] = max (most[b[i] % m], c[i]); }, buckets being anywhere in
   bucket[0..m-1] as far as is known.  */
struct count_args
{
  int64_t *a, *b;
  int64_t *bucket;
  double *sum;
  int64_t m;
};

static _Atomic int n_others;
static int64_t *real;

static int64_t
count_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct count_args *p = args;
  (void) ctx;
  atomic_fetch_add (&n_others, p->bucket != real);
  for (int64_t i = lo; i < hi; i++)
    {
      p->bucket[p->a[i] % p->m] += i;
      p->sum[p->b[i] % p->m] += 1.0 / (double) (i + 1);
    }
  return 0;
}

static const struct pg_node count_nodes[]
  = { ARG (count_args, a),
      ARG (count_args, b),
      ARG (count_args, bucket),
      ARG (count_args, sum),
      { .op = PG_NODE_ARG, .size = 8, .is_signed = 1, .value = offsetof (struct count_args, m), .a = -1, .b = -1 },
      CONSTANT (8),
      CONSTANT (1),
      { .op = PG_NODE_SUB, .a = 4, .b = 6 } };
static const struct pg_dim count_dims[]
  = { { .parent = -1, .last = LINEAR (-1, -1) }, { .parent = 0, .last = LINEAR (7, -1) } };
static const struct pg_ref count_refs[] = {
  { .address = LINEAR (0, 5), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (1, 5), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 1, .len = 8 },
  { .address = { 2, { -1, 5, -1, -1, -1, -1, -1, -1 } },
    .dim = 1,
    .flags = PG_REF_READ | PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL,
    .group = 2,
    .len = 8 },
  { .address = { 3, { -1, 5, -1, -1, -1, -1, -1, -1 } },
    .dim = 1,
    .flags = PG_REF_READ | PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL,
    .group = 3,
    .len = 8 },
};
static const struct pg_array_reduction count_arrays[]
  = { { .offset = offsetof (struct count_args, bucket), .group = 2, .op = PG_REDUCE_ADD, .type = PG_I64 },
      { .offset = offsetof (struct count_args, sum), .group = 3, .op = PG_REDUCE_ADD, .type = PG_F64 } };

static struct pg_descriptor *
a_count_region (uint8_t flags)
{
  return a_new_region ((struct pg_region) { .file = "src/loops.c",
					    .function = "count",
					    .line = 80,
					    .frame_len = 256,
					    .klass = PG_CLASS_POSSIBLY,
					    .reason = PG_WHY_POINTERS,
					    .flags = PG_REGION_ALL_AFFINE | flags,
					    .body = count_body,
					    .args_len = sizeof (struct count_args),
					    TABLE (nodes, count_nodes),
					    TABLE (dims, count_dims),
					    TABLE (refs, count_refs),
					    TABLE (array_reductions, count_arrays) });
}

/* Run N iterations of REGION from fresh BUCKET and SUM.  */
static const struct pg_row *
run (struct pg_descriptor *region, int64_t *bucket, double *sum, int64_t m, int64_t n)
{
  struct count_args args = { a, b, bucket, sum, m };
  for (int64_t i = 0; i < m; i++)
    {
      bucket[i] = 3 * i;
      sum[i] = 0.125 * (double) i;
    }
  real = bucket;
  atomic_store (&n_others, 0);
  if (__paragon_enter_v1 (region, &args, n) != 1)
    count_body (&args, 0, n, NULL);
  return row_of (region);
}

/* What one thread makes of BUCKET.  */
static void
expect (int64_t *bucket, int64_t m, int64_t n)
{
  for (int64_t i = 0; i < m; i++)
    bucket[i] = 3 * i;
  for (int64_t i = 0; i < n; i++)
    bucket[a[i] % m] += i;
}

static void
chunks_have_parts_of_their_own (void **state)
{
  struct pg_descriptor *region = a_count_region (0);
  int64_t bucket[M], expected[M];
  double sum[M];
  (void) state;
  expect (expected, M, N);
  assert_int_equal (run (region, bucket, sum, M, N)->n_pool, 1);
  assert_memory_equal (bucket, expected, sizeof expected);
  assert_true (atomic_load (&n_others) > 1);
  for (int64_t n = 1; n < 40; n++)
    for (int64_t m = 1; m < M; m += 7)
      {
	expect (expected, m, n);
	run (region, bucket, sum, m, n);
	assert_memory_equal (bucket, expected, (size_t) m * sizeof *expected);
      }
}

/* On the fixed grid sums of floating-point numbers are the same for any number of threads, and on the caller alone.  */
static void
the_fixed_grid_fixes_the_order (void **state)
{
  int64_t bucket[M];
  double first[M], sum[M];
  (void) state;
  run (a_count_region (PG_REGION_FIXED_GRID), bucket, first, M, N);
  for (int n_threads = 1; n_threads <= N_THREADS; n_threads++)
    {
      force_pool (n_threads);
      run (a_count_region (PG_REGION_FIXED_GRID), bucket, sum, M, N);
      assert_memory_equal (sum, first, sizeof sum);
    }
  pg_environment.plan = PG_PLAN_ORIGINAL; /* refused: who calls runs the grid */
  assert_int_equal (run (a_count_region (PG_REGION_FIXED_GRID), bucket, sum, M, N)->n_sequential, 1);
  assert_memory_equal (sum, first, sizeof sum);
  assert_true (atomic_load (&n_others) > 1);
  force_pool (N_THREADS);
  pg_environment.step = PG_RUNG_L5;
  assert_int_equal (run (a_count_region (PG_REGION_FIXED_GRID), bucket, sum, M, N)->n_pool, 0);
  assert_memory_equal (sum, first, sizeof sum);
  assert_true (atomic_load (&n_others) > 1);
}

/* To know what a long entry takes the caller alone, a quarter of it will do, if parts cost little of it.  */
static void
samples_are_taken_where_parts_cost_little (void **state)
{
  static int64_t bucket[LARGE], expected[LARGE];
  static double first[LARGE], sum[LARGE];
  (void) state;
  for (int64_t m = M; m <= LARGE; m *= LARGE / M)
    {
      struct pg_descriptor *region = a_count_region (PG_REGION_FIXED_GRID);
      bool is_cheap = m == M;
      expect (expected, m, N);
      force_pool (2);
      run (region, bucket, first, m, N);
      struct pg_state *known = state_of (region);
      pg_environment.plan = PG_PLAN_AUTO;
      pg_plan_learn (&known->plan, INT64_C (100) * N, INT64_C (100) * 20000000);
      known->plan.is_alone = true;
      assert_int_equal (run (region, bucket, sum, m, N)->n_pool, 1 + is_cheap);
      assert_memory_equal (bucket, expected, (size_t) m * sizeof *expected);
      assert_memory_equal (sum, first, (size_t) m * sizeof *sum);
      assert_int_equal (known->entry.sampled_iters > 0, is_cheap);
      assert_true (known->entry.sampled_iters <= N / 3);
    }
}

/* Many threads on a long loop would have many chunks.  */
static void
there_are_no_more_parts_than_there_is_memory_for (void **state)
{
  static int64_t bucket[HUGE], expected[HUGE];
  static double sum[HUGE];
  (void) state;
  expect (expected, HUGE, N);
  force_pool (16);
  pg_environment.plan = PG_PLAN_AUTO;
  struct pg_descriptor *region = a_count_region (0);
  run (region, bucket, sum, HUGE, N);
  pg_plan_learn (&state_of (region)->plan, INT64_C (100) * N, INT64_C (10000) * 1000000000);
  assert_int_equal (run (region, bucket, sum, HUGE, N)->n_pool, 1);
  assert_memory_equal (bucket, expected, sizeof bucket);
}

static void
forced_conflicts_change_nothing (void **state)
{
  int64_t bucket[M], expected[M];
  double sum[M];
  (void) state;
  expect (expected, M, N);
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_EVERY;
  for (int64_t every = 1; every < 40; every += 6)
    {
      pg_environment.inject_number = every;
      assert_true (run (a_count_region (0), bucket, sum, M, N)->n_conflicts > 0);
      assert_memory_equal (bucket, expected, sizeof expected);
    }
}

/* The program may have less than what the numbers say.  */
static void
what_no_iteration_touches_is_not_touched (void **state)
{
  struct pg_descriptor *region = a_count_region (0);
  struct count_args args = { a, b, NULL, NULL, M };
  size_t len = 4096;
  char *pages = mmap (NULL, 4 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void) state;
  assert_ptr_not_equal (pages, MAP_FAILED);
  assert_int_equal (mprotect (pages, len, PROT_READ | PROT_WRITE), 0);
  assert_int_equal (mprotect (pages + 2 * len, len, PROT_READ | PROT_WRITE), 0);
  args.bucket = (int64_t *) (pages + len) - 2;
  args.sum = (double *) (pages + 3 * len) - 2;
  for (int i = 0; i < N; i++)
    {
      a[i] = a[i] % 2;
      b[i] = b[i] % 2;
    }
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (args.bucket[0] + args.bucket[1], (int64_t) N * (N - 1) / 2);
  munmap (pages, 4 * len);
}

/* An array that overlaps what the loop reads is none that could have parts.  */
static void
an_array_that_overlaps_has_no_parts (void **state)
{
  struct pg_descriptor *region = a_count_region (0);
  static int64_t expected[2 * N];
  double sum[M] = { 0 };
  struct count_args args = { a, b, a, sum, M };
  (void) state;
  memcpy (expected, a, sizeof expected);
  for (int64_t i = 0; i < N; i++)
    expected[expected[i] % M] += i;
  if (__paragon_enter_v1 (region, &args, N) != 1)
    count_body (&args, 0, N, NULL);
  assert_memory_equal (a, expected, sizeof expected);
}

/* Nor has one that is read by another name in the same iteration only, or whose elements are not in line, or that is
   very long.  */
static void
arrays_that_do_without_parts (void **state)
{
  struct pg_descriptor *region = a_count_region (0);
  int64_t bucket[M + 8], expected[M];
  double sum[M];
  (void) state;
  struct pg_view *view;
  struct count_args args = { a, b, bucket, sum, M };
  expect (expected, M, N);
  run (region, bucket, sum, M, N);
  view = state_of (region)->entry.view;
  assert_true (pg_parts_len (view) >= (int64_t) (M * (sizeof *bucket + sizeof *sum)));
  args.a = bucket + M - 1; /* the first iteration's */
  pg_view_evaluate (view, view->region, &args, 1);
  assert_int_equal (pg_parts_len (view), -1);
  args.a = a;
  pg_view_evaluate (view, view->region, &args, 1);
  view->places[2].address.coef[1] = 12;
  assert_int_equal (pg_parts_len (view), -1);
  args.m = (int64_t) 1 << 22;
  pg_view_evaluate (view, view->region, &args, 1);
  struct pg_parts parts = { NULL, 0, 0 };
  assert_true (pg_parts_len (view) > (int64_t) 1 << 25 || pg_parts_len (view) == -1);
  assert_false (pg_parts_reserve (&parts, view, 2));
}

/* Nobody can tell how long an array is that is not known by numbers, or that ends within an element.  */
static void
lengths_must_be_known (void **state)
{
  struct pg_parts parts = { NULL, 0, 0 };
  struct pg_place places[4] = { 0 };
  struct pg_ref refs[4];
  struct pg_region region = { .n_array_reductions = 1, .array_reductions = count_arrays, .n_refs = 4, .refs = refs };
  struct pg_view view = { .region = &region, .n_iters = 5, .places = places };
  (void) state;
  memcpy (refs, count_refs, sizeof refs);
  assert_false (pg_parts_reserve (&parts, &view, 1));
  assert_int_equal (pg_parts_len (&view), -1);
  for (int r = 0; r < 4; r++)
    view.places[r].is_never = true;
  assert_int_equal (pg_parts_len (&view), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (chunks_have_parts_of_their_own, set_up),
    cmocka_unit_test_setup (the_fixed_grid_fixes_the_order, set_up),
    cmocka_unit_test_setup (samples_are_taken_where_parts_cost_little, set_up),
    cmocka_unit_test_setup (there_are_no_more_parts_than_there_is_memory_for, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
    cmocka_unit_test_setup (what_no_iteration_touches_is_not_touched, set_up),
    cmocka_unit_test_setup (an_array_that_overlaps_has_no_parts, set_up),
    cmocka_unit_test_setup (arrays_that_do_without_parts, set_up),
    cmocka_unit_test_setup (lengths_must_be_known, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
