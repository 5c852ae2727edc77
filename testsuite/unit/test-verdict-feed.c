/* SPDX-License-Identifier: MIT
   What verdicts hash and watch: reads that follow each other, jump, or come in columns, and nothing that the loop would
   not read.  */
//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_arena_put -Wl,--wrap=pg_watch_begin
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "kernel-pages.h"
#include "loop-model.h"
#include "scout.h"
#include "verdict-loop.h"

#include <stdio.h>

/* Flags say that the indexes are not read this time, and they have been unmapped: reading them would crash, although
   they lie below the flags and would come first by address.  */
static void
memory_that_the_loop_would_not_read_is_not_read (void **state)
{
  (void) state;
  for (int second = 0; second < 2; second++)
    {
      keep (0, N);
      assert_true (holds (0, N));
      memset (flag + second * N, 0, N);
      munmap (index_data, index_len);
      assert_false (holds (0, N));
      mmap (index_data, index_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      for (int i = 0; i < N; i++)
	index_data[i] = (uint16_t) (i * 7 % N);
      memset (flag, 1, N);
    }
}

enum
{
  JUMP = 2 * PAGE, /* each read in a page of its own, with a hole before the next */
  JUMP_ITERS = 20,
  ITER_JUMPS = 80,
  N_JUMPS = JUMP_ITERS * ITER_JUMPS,
  JUMP_LEN = 64
};

/* for (i < n) for (k < ITER_JUMPS) { read flag; if (it is not 0) read index; } y[i] = factor.  */
static int64_t
jumping_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t k = i * ITER_JUMPS; k < (i + 1) * ITER_JUMPS; k++)
	{
	  monitor->touch (monitor, 1, a->flag + k * JUMP, JUMP_LEN);
	  if (a->flag[k * JUMP])
	    monitor->touch (monitor, 2, (const char *) a->index + k * JUMP, 2);
	}
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

static char *
pages_with_holes (void)
{
  char *pages = mmap (NULL, (size_t) N_JUMPS * JUMP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < N_JUMPS; i++)
    mprotect (pages + i * JUMP + PAGE, PAGE, PROT_NONE);
  return pages;
}

/* Reads that jump are hashed one by one: what lies between them counts for nothing, and need not be there.  The first
   inspection finds that they jump, the next ones how much room they take.  */
static void
reads_far_apart_are_hashed_one_by_one (void **state)
{
  char *flags = pages_with_holes (), *indexes = pages_with_holes ();
  int n_kept = 0;
  (void) state;
  region.monitor = jumping_monitor;
  args.flag = (unsigned char *) flags;
  args.index = (uint16_t *) (void *) indexes;
  for (int i = 0; i < N_JUMPS; i++)
    flags[i * JUMP] = 1;
  do
    keep (0, JUMP_ITERS);
  while (!holds (0, JUMP_ITERS) && ++n_kept < 12);
  assert_int_equal (n_kept, 2);
  flags[7 * JUMP + JUMP_LEN]++;
  indexes[7 * JUMP + 2]++;
  assert_true (holds (0, JUMP_ITERS));
  char *const counted[]
    = { flags, flags + 7 * JUMP + JUMP_LEN - 1, indexes + 7 * JUMP, indexes + (N_JUMPS - 1) * JUMP };
  for (size_t c = 0; c < sizeof counted / sizeof *counted; c++)
    {
      ++*counted[c];
      assert_false (holds (0, JUMP_ITERS));
      --*counted[c];
      assert_true (holds (0, JUMP_ITERS));
    }

  args.y = (double *) (void *) (flags + 512); /* writes behind the first flag, in its page */
  keep (0, JUMP_ITERS);
  assert_true (holds (0, JUMP_ITERS));
  args.y = y;
  flags[0] = 0; /* the first index is not read this time */
  munmap (indexes, (size_t) N_JUMPS * JUMP);
  assert_false (holds (0, JUMP_ITERS));
  munmap (flags, (size_t) N_JUMPS * JUMP);
  region.monitor = gather_monitor;
}

/* A verdict that holds after random changes is true, and without changes it holds.  */
static void
a_verdict_that_holds_is_true (void **state)
{
  static struct model model;
  static struct oracle oracle;
  int n_kept = 0, n_held = 0, n_changed = 0;
  (void) state;
  model.random = 0xa4093822299f31d0;
  for (int t = 0; t < 3000; t++)
    {
      model_random_indirect (&model);
      model_fill_memory (&model);
      struct pg_inspector *own = pg_inspector_new (&model.region);
      int64_t lo = model_pick (&model, 0, model.n_iters - 2), hi = model_pick (&model, lo + 2, model.n_iters);
      pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
      if (pg_inspect (own, view, lo, hi) == hi)
	{
	  pg_verdict_keep (own, view, lo, hi);
	  int64_t end = lo;
	  bool is_kept = pg_verdict_find (own, view, lo, &end) == PG_KNOWN_CLEAN && end == hi;
	  n_kept += is_kept;
	  for (int change = 0; change < 20; change++)
	    {
	      model.memory[model_pick (&model, MODEL_ORIGIN - 1100, MODEL_ORIGIN + 400)] ^= 1;
	      pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
	      if (pg_verdict_find (own, view, lo, &end) != PG_KNOWN_CLEAN || end != hi)
		{
		  n_changed += is_kept;
		  continue;
		}
	      n_held++;
	      oracle_run (&oracle, &model, lo, hi, false);
	      assert_true (oracle.conflict >= hi);
	    }
	}
      pg_inspector_free (own);
    }
  assert_in_range (n_kept, 300, 3000);
  assert_in_range (n_held, 300, 60000);
  assert_in_range (n_changed, 300, 60000);
}

enum
{
  COLUMNS = 8,
  ROWS = 400,
  JUMPS = 100,
  LONG_ROW = 3000 /* more than a page */
};

/* for (i < ROWS) for (j < COLUMNS) read index[j * ROWS + i].  */
static int64_t
columns_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t j = 0; j < COLUMNS; j++)
	monitor->touch (monitor, 2, &a->index[j * ROWS + i], 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* A matrix by columns is as many runs as it has columns, not as it has elements.  */
static void
columns_are_followed_side_by_side (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true; /* what is watched has no runs */
  region.monitor = columns_monitor;
  for (int i = 0; !holds (0, ROWS); i++)
    {
      assert_true (i < 2);
      inspector->roles[2].what |= PG_ROLE_JUMPS;
      keep (0, ROWS);
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  size_t n_runs;
	  assert_non_null (pg_scout_runs (inspector, j, &n_runs));
	  assert_int_equal (n_runs, COLUMNS);
	}
    }
  index_data[COLUMNS * ROWS - 1]++;
  assert_false (holds (0, ROWS));
  index_data[COLUMNS * ROWS - 1]--;
  assert_true (holds (0, ROWS));
  index_data[COLUMNS * ROWS]++;
  assert_true (holds (0, ROWS));
  pg_environment.is_watch_off = false;
}

/* The same for half the rows, in one order or another; but first, each job jumps to JUMPS elements in the rest.  */
static int64_t
jumps_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  monitor->iter = lo;
  for (int64_t k = 0; k < JUMPS; k++)
    monitor->touch (monitor, 2, &a->index[COLUMNS * ROWS / 2 + k * 3], 2);
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t j = 0; j < COLUMNS; j++)
	monitor->touch (monitor, 2, &a->index[j * (i % 2 ? 3 : 1) % COLUMNS * (ROWS / 2) + i], 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Columns are soon found again, at the cost of a few runs more.  */
static void
columns_are_followed_after_many_jumps (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true;
  region.monitor = jumps_monitor;
  for (int i = 0; !holds (0, ROWS / 2); i++)
    {
      assert_true (i < 3); /* and there has to be room for them */
      inspector->roles[2].what |= PG_ROLE_JUMPS;
      keep (0, ROWS / 2);
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  size_t n_runs;
	  pg_scout_runs (inspector, j, &n_runs);
	  assert_in_range (n_runs, JUMPS + COLUMNS, JUMPS + 8 * COLUMNS);
	}
    }
  index_data[COLUMNS * ROWS / 2 + JUMPS / 2 * 3]++;
  assert_false (holds (0, ROWS / 2));
  index_data[COLUMNS * ROWS / 2 + JUMPS / 2 * 3]--;
  assert_true (holds (0, ROWS / 2));
  pg_environment.is_watch_off = false;
}

/* for (i < n) read a row of flags at once; rows follow each other, upwards or, where FACTOR is negative, downwards.  */
static int64_t
rows_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      int64_t row = a->factor < 0 ? -i : i;
      monitor->touch (monitor, 1, a->flag + row * LONG_ROW, LONG_ROW);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Between rows that touch each other there is no gap, however long they are: the first inspection leaves a verdict.  */
static void
long_rows_are_one_stream (void **state)
{
  static unsigned char rows[12 * LONG_ROW];
  (void) state;
  region.monitor = rows_monitor;
  for (int is_downwards = 0; is_downwards < 2; is_downwards++)
    {
      args.flag = rows + is_downwards * 11 * LONG_ROW;
      args.factor = is_downwards ? -1 : 1;
      keep (0, 12);
      assert_true (holds (0, 12));
      rows[5 * LONG_ROW]++;
      assert_false (holds (0, 12));
    }
}

enum
{
  ISLANDS = 64,      /* two bytes read on each, */
  ISLAND = 2 * PAGE, /* pages apart */
  FIRST = 100,       /* bytes before the first */
  FEW = 14           /* iterations: too few for so many pages */
};

/* for (i < n) read ISLANDS pieces of index, in no order.  */
static int64_t
islands_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 2, (const char *) a->index + i * 37 % ISLANDS * ISLAND, 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Memory for the islands, of which the first begins at byte START.  */
static char *
map_islands (size_t start)
{
  char *memory = mmap (NULL, ISLANDS * ISLAND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (memory != MAP_FAILED);
  memset (memory, 1, ISLANDS * ISLAND);
  region.monitor = islands_monitor;
  args.index = (const uint16_t *) (memory + start);
  return memory;
}

/* How many inspections of the islands it takes until there is a verdict.  */
static int
keep_islands (void)
{
  for (int n = 1; n <= 3; n++)
    {
      keep (0, ISLANDS);
      if (holds (0, ISLANDS))
	return n;
    }
  return -1;
}

/* A reference that jumps is watched where it jumps; then where other data on the pages are not written; then read.  */
static void
where_a_reference_jumps_is_watched_with_caution (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (FIRST);

  assert_int_equal (keep_islands (), 1);
  assert_int_equal (inspector->caution, PG_WATCH_PAGES);
  memory[ISLANDS * ISLAND - 1]++; /* behind the last page */
  assert_true (holds (0, ISLANDS));
  memory[0]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  assert_false (holds (0, ISLANDS));

  assert_int_equal (keep_islands (), 1);
  memory[0]++;
  memory[(ISLANDS - 1) * ISLAND + FIRST + 2]++;
  assert_true (holds (0, ISLANDS));
  memory[FIRST]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES); /* it may have been a neighbour */
  memory[FIRST]--;
  assert_true (holds (0, ISLANDS));
  memory[PAGE]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);

  assert_int_equal (keep_islands (), 2); /* the first finds out that it jumps */
  memory[PAGE]++;
  assert_true (holds (0, ISLANDS));
  memory[FIRST + 5 * ISLAND]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Pages that the kernel does not watch after all are read from the third time on, and that stays so.  */
static void
what_cannot_be_watched_is_read (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (FIRST);
  is_watch_refused = true;
  keep (0, ISLANDS);
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  for (int n = 0; n < 3; n++)
    {
      pg_verdict_keep (inspector, view, 0, ISLANDS);
      assert_false (holds (0, ISLANDS));
      assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);
    }
  assert_in_range (keep_islands (), 1, 2);
  is_watch_refused = false;
  memory[FIRST]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Where the loop writes between what it reads: on the last page, or anywhere.  */
static void
what_is_written_in_between_does_not_prevent_verdicts (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (0);
  args.y = (double *) (memory + (ISLANDS - 1) * ISLAND + PAGE / 2);
  assert_int_equal (keep_islands (), 2);
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  args.y = (double *) (memory + 10 * ISLAND + PAGE / 2);
  assert_int_equal (keep_islands (), 3); /* the second finds out that it jumps */
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);
  args.y[5] = 1;
  assert_true (holds (0, ISLANDS));
  memory[11 * ISLAND]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Many pages for few iterations are not worth asking about.  */
static void
few_runs_are_read_however_far_apart (void **state)
{
  (void) state;
  char *memory = map_islands (0);
  keep (0, FEW);
  keep (0, FEW);
  assert_true (holds (0, FEW));
  memory[PAGE]++;
  assert_true (holds (0, FEW));
  munmap (memory, ISLANDS * ISLAND);
}

/* That is remembered while others that do not jump are inspected in turn.  */
static void
few_runs_are_known_by_their_number (void **state)
{
  (void) state;
  char *memory = map_islands (0);
  keep (0, FEW);
  assert_false (holds (0, FEW));
  region.monitor = gather_monitor;
  args.index = index_data;
  keep (0, FEW);
  region.monitor = islands_monitor;
  args.index = (const uint16_t *) memory;
  keep (0, FEW);
  assert_true (holds (0, FEW));
  munmap (memory, ISLANDS * ISLAND);
}

enum
{
  PLATES = 8, /* read from end to end, each */
  PLATE = 3 * PAGE,
  STEPS = 8 /* to read one */
};

static int64_t
plates_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 2, (const char *) a->index + i / STEPS * PLATE + i % STEPS * (PAGE / STEPS),
		      PAGE / STEPS);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* What a verdict asks and what it would read are kept side by side: after asking, it can still be read.  */
static void
what_is_asked_about_can_be_read_again (void **state)
{
  static struct pg_gate gate;
  int64_t end = 0;
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = mmap (NULL, PLATES * PLATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset (memory, 1, PLATES * PLATE);
  region.monitor = plates_monitor;
  args.index = (const uint16_t *) memory;
  inspector->caution = PG_WATCH_NO_PAGES;
  for (int n = 0; n < 3; n++)
    keep (0, PLATES * STEPS);
  assert_true (holds (0, PLATES * STEPS));
  assert_true (pg_verdict_gate (inspector, view, 0, &end, &gate));
  assert_true (pg_gate_pass (&gate));
  assert_int_equal (gate.n_asks, PLATES);
  pg_environment.is_watch_off = true;
  assert_true (holds (0, PLATES * STEPS));
  memory[5 * PLATE]++;
  assert_false (holds (0, PLATES * STEPS));
  pg_environment.is_watch_off = false;
  munmap (memory, PLATES * PLATE);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (where_a_reference_jumps_is_watched_with_caution, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_written_in_between_does_not_prevent_verdicts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_asked_about_can_be_read_again, set_up, tear_down),
    cmocka_unit_test_setup_teardown (few_runs_are_read_however_far_apart, set_up, tear_down),
    cmocka_unit_test_setup_teardown (few_runs_are_known_by_their_number, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_cannot_be_watched_is_read, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_that_the_loop_would_not_read_is_not_read, set_up, tear_down),
    cmocka_unit_test_setup_teardown (reads_far_apart_are_hashed_one_by_one, set_up, tear_down),
    cmocka_unit_test_setup_teardown (columns_are_followed_side_by_side, set_up, tear_down),
    cmocka_unit_test_setup_teardown (columns_are_followed_after_many_jumps, set_up, tear_down),
    cmocka_unit_test_setup_teardown (long_rows_are_one_stream, set_up, tear_down),
    cmocka_unit_test (a_verdict_that_holds_is_true),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
