/* SPDX-License-Identifier: MIT
   The memory that feeds a monitor: every byte of it counts, and none is read before all that decides about it.  */
//! link: -Wl,--wrap=pg_pool_run
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "feed.h"
#include "footprint.h"
#include "pool.h"
#include "verdict.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  N = 12,
  STEP = 16384, /* from row to row */
  ROWS_LEN = N * STEP,
  MANY_REFS = PG_FEED_STAGES + 10
};

/* The pool may run jobs in any order: this is the one that finds what is read too early.  */
static bool runs_backwards;
__typeof__ (pg_pool_run) __real_pg_pool_run, __wrap_pg_pool_run;

struct pg_pool_times
__wrap_pg_pool_run (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  if (!runs_backwards)
    return __real_pg_pool_run (job, arg, n_jobs);
  while (n_jobs > 0)
    job (arg, --n_jobs);
  return (struct pg_pool_times) { .is_whole = true };
}

/* for (i < N) { y[i] = 0; if (flag[i]) read row i, which is in two halves; }  */
struct rows_args
{
  const unsigned char *flag, *rows;
  int64_t *y;
  int64_t half_len;
};

static int64_t
rows_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct rows_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 2, &a->y[i], 8);
      monitor->touch (monitor, 0, &a->flag[i], 1);
      for (int64_t half = 0; a->flag[i] && half < 2; half++)
	monitor->touch (monitor, 1, a->rows + i * STEP + half * STEP / 2, a->half_len);
    }
  return 0;
}

static const struct pg_field live_ins[] = {
  { offsetof (struct rows_args, flag), 8 },
  { offsetof (struct rows_args, rows), 8 },
  { offsetof (struct rows_args, y), 8 },
  { offsetof (struct rows_args, half_len), 8 },
};
static const struct pg_node nodes[] = {
  { .op = PG_NODE_ARG, .size = 8, .value = offsetof (struct rows_args, y), .a = -1, .b = -1 },
  { .op = PG_NODE_CONST, .value = 8, .a = -1, .b = -1 },
};
static const struct pg_dim dim = { .parent = -1 };

static unsigned char flag[MANY_REFS];
static int64_t numbers[N + 2]; /* y, and one on either side */
static int64_t *const y = numbers + 1;
static unsigned char *rows;
static struct rows_args args;
static struct pg_ref refs[MANY_REFS];
static struct pg_region region;
static struct pg_inspector *inspector;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static int
set_up (void **state)
{
  (void) state;
  rows = mmap (NULL, ROWS_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset (flag, 1, sizeof flag);
  args = (struct rows_args) { flag, rows, y, STEP / 2 };
  refs[0] = (struct pg_ref) { .flags = PG_REF_READ | PG_REF_FEEDS, .len = 1 };
  refs[1] = (struct pg_ref) { .flags = PG_REF_READ | PG_REF_FEEDS | PG_REF_CONDITIONAL, .len = 1 };
  refs[2] = (struct pg_ref) { .flags = PG_REF_WRITE, .len = 8 };
  region = (struct pg_region) {
    .file = "rows.c",
    .klass = PG_CLASS_POSSIBLY,
    .flags = PG_REGION_SLICE_STABLE,
    .monitor = rows_monitor,
    .args_len = sizeof args,
    .n_dims = 1,
    .dims = &dim,
    .n_refs = 3,
    .refs = refs,
    .n_nodes = 2,
    .nodes = nodes,
    .n_live_ins = sizeof live_ins / sizeof *live_ins,
    .live_ins = live_ins,
  };
  inspector = NULL;
  return rows == MAP_FAILED;
}

static int
tear_down (void **state)
{
  (void) state;
  runs_backwards = false;
  pg_inspector_free (inspector);
  munmap (rows, ROWS_LEN);
  return 0;
}

static bool
holds (void)
{
  int64_t end = 0;
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  return pg_verdict_find (inspector, view, 0, &end) == PG_KNOWN_CLEAN && end == N;
}

static void
keep (void)
{
  if (inspector == NULL)
    inspector = pg_inspector_new (&region);
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  assert_int_equal (pg_inspect (inspector, view, 0, N), N);
  pg_verdict_keep (inspector, view, 0, N);
}

/* BYTE of the rows decides whether the verdict holds.  */
static void
check_byte (int64_t byte)
{
  rows[byte] ^= 1;
  assert_false (holds ());
  rows[byte] ^= 1;
}

static void
every_byte_of_every_share_counts (void **state)
{
  (void) state;
  keep ();
  assert_true (holds ());
  for (int64_t byte = 0; byte < ROWS_LEN; byte += 97)
    check_byte (byte);
  check_byte (ROWS_LEN - 1);
  assert_true (holds ());
}

/* Rows are gone, and the flags say that they are not read: by a condition, or because they are found by what was read.
   The first job reads none from the start, and perhaps the flags are read by a condition, too.  */
static void
a_stage_waits_for_the_one_before (void **state)
{
  (void) state;
  for (int way = 0; way < 3; way++)
    {
      refs[0].flags = PG_REF_READ | PG_REF_FEEDS | (way == 2 ? PG_REF_CONDITIONAL : 0);
      refs[1].flags = PG_REF_READ | PG_REF_FEEDS | (way != 1 ? PG_REF_CONDITIONAL : 0);
      refs[1].level = way == 1;
      memset (flag + 1, 1, N - 1);
      flag[0] = 0;
      keep ();
      assert_true (holds ());
      runs_backwards = true;
      assert_true (holds ());
      memset (flag, 0, N);
      mprotect (rows, ROWS_LEN, PROT_NONE);
      assert_false (holds ());
      mprotect (rows, ROWS_LEN, PROT_READ | PROT_WRITE);
      runs_backwards = false;
    }
}

/* Too long to be listed among short ones, too far apart for one stream.  */
static void
long_runs_with_gaps_count_to_their_end (void **state)
{
  (void) state;
  args.half_len = 3 * PG_SPAN_MOST;
  for (int n_kept = 0; n_kept == 0 || !holds (); n_kept++)
    {
      assert_true (n_kept < 12);
      keep ();
    }
  for (int64_t start = 0; start < ROWS_LEN; start += STEP / 2)
    {
      check_byte (start);
      check_byte (start + args.half_len - 1);
      rows[start + args.half_len]++;
      assert_true (holds ());
    }
}

/* The first iterations read much, the last ones a little of it.  */
static int64_t
nested_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct rows_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 1, a->rows + (i < N / 2 ? 0 : 100), i < N / 2 ? 1000 : 8);
      monitor->touch (monitor, 2, &a->y[i], 8);
    }
  return 0;
}

static void
a_part_in_a_part_hides_nothing (void **state)
{
  (void) state;
  region.monitor = nested_monitor;
  keep ();
  assert_true (holds ());
  for (int byte = 0; byte < 1000; byte++)
    check_byte (byte);
}

static int64_t
many_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct rows_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &a->y[i], 8);
      for (int64_t r = 1; r < region.n_refs; r++)
	monitor->touch (monitor, r, &a->flag[r], 1);
    }
  return 0;
}

/* Each reference may decide about the next one; there is room for so many.  */
static void
too_many_stages_leave_no_verdict (void **state)
{
  (void) state;
  region.monitor = many_monitor;
  refs[0] = refs[2];
  for (int r = 1; r < MANY_REFS; r++)
    refs[r] = (struct pg_ref) { .flags = PG_REF_READ | PG_REF_FEEDS | PG_REF_CONDITIONAL, .len = 1 };
  region.n_refs = MANY_REFS;
  keep ();
  assert_false (holds ());
  pg_inspector_free (inspector);
  inspector = NULL;
  region.n_refs = PG_FEED_STAGES / 2;
  keep ();
  assert_true (holds ());
}

/* Is LEN bytes at START, as a block or as a span, written by the last inspection's loop?  */
static bool
is_written (char *start, size_t len)
{
  struct pg_block block = { .start = start, .reach = len, .len = len };
  pg_span span = pg_span_of ((uintptr_t) start, len);
  struct pg_feed blocks = { .blocks = &block, .n_blocks = 1 }, spans = { .spans = &span, .n_spans = 1 };
  bool is_block_written = pg_feed_is_written (&blocks, inspector, view);
  assert_int_equal (pg_feed_is_written (&spans, inspector, view), is_block_written);
  return is_block_written;
}

/* Whether the inspection traces it, or numbers tell.  */
static void
what_is_written_is_known_to_the_byte (void **state)
{
  char *start = (char *) y, *end = (char *) (y + N);
  (void) state;
  for (int is_affine = 0; is_affine < 2; is_affine++)
    {
      refs[2].flags |= is_affine ? PG_REF_AFFINE : 0;
      refs[2].address = (struct pg_linear) { 0, { 1, -1, -1, -1, -1, -1, -1, -1 } };
      pg_inspector_free (inspector);
      inspector = NULL;
      keep ();
      assert_int_equal (view->places[2].is_affine, is_affine);
      assert_false (is_written (start - 8, 8));
      assert_true (is_written (start - 8, 9));
      assert_true (is_written (start + 40, 1));
      assert_true (is_written (end - 1, 8));
      assert_false (is_written (end, 8));
      view->places[2].is_never = true;
      assert_false (is_written (start, 8));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (every_byte_of_every_share_counts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_stage_waits_for_the_one_before, set_up, tear_down),
    cmocka_unit_test_setup_teardown (long_runs_with_gaps_count_to_their_end, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_part_in_a_part_hides_nothing, set_up, tear_down),
    cmocka_unit_test_setup_teardown (too_many_stages_leave_no_verdict, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_written_is_known_to_the_byte, set_up, tear_down),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
