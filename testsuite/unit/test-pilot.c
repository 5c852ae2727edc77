/* SPDX-License-Identifier: MIT
   The pilot: it tells loops whose first iterations write the same, and leaves the monitor as soon as it knows.  */
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "monitor-log.h"
#include "pilot.h"

enum
{
  READ,
  WRITE,
  WORK, /* to a work array */
  N_REFS,
  TURNS = 100000 /* of the inner loop */
};

static char memory[1 << 20];
static const struct pg_ref refs[N_REFS] = {
  [READ] = { .flags = PG_REF_READ | PG_REF_FEEDS, .len = 4, .group = 0 },
  [WRITE] = { .flags = PG_REF_WRITE, .len = 8, .group = 1 },
  [WORK] = { .flags = PG_REF_WRITE, .len = 8, .group = 2 },
};
static const struct pg_work_array work_array = { .group = 2 };
static struct pg_region region
  = { .file = "a.c", .n_refs = N_REFS, .refs = refs, .n_work_arrays = 1, .work_arrays = &work_array, .n_dims = 2 };
static struct pg_view view = { .region = &region, .n_iters = 10 };
static int64_t turns_run;

static bool
meets (pg_loop_fn *monitor)
{
  struct pg_inspector *inspector = pg_inspector_new (&region);
  assert_non_null (inspector);
  turns_run = 0;
  region.monitor = monitor;
  bool result = pg_pilot_meets (inspector, &view);
  pg_inspector_free (inspector);
  return result;
}

/* All iterations read the same; iteration I writes TURNS pieces from I * STEP on.  */
static void
touch_turns (struct pg_monitor *monitor, int64_t i, int64_t step)
{
  for (int64_t turn = 0; turn < TURNS; turn++, turns_run++)
    {
      monitor->touch (monitor, READ, memory + turn * 4, 4);
      monitor->touch (monitor, WRITE, memory + i * step + turn * 8, 8);
    }
}

static int64_t
same_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) hi;
  touch_turns (ctx, lo, 0);
  return 0;
}

static int64_t
apart_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args, (void) hi;
  errno = EDOM;
  feraiseexcept (FE_OVERFLOW);
  touch_turns (ctx, lo, 1 << 16);
  return 0;
}

static void
what_is_written_again_is_told (void **state)
{
  (void) state;
  assert_true (meets (same_monitor));
  assert_in_range (turns_run, 1, 1000);
}

/* Neither errno nor flags of the monitor's are the program's.  */
static void
what_is_apart_is_left_early (void **state)
{
  (void) state;
  errno = 7;
  feclearexcept (FE_ALL_EXCEPT);
  assert_false (meets (apart_monitor));
  assert_in_range (turns_run, 1, 1000);
  assert_int_equal (errno, 7);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
}

static int64_t
work_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args, (void) lo, (void) hi;
  monitor->touch (monitor, READ, memory, 4);
  monitor->touch (monitor, WORK, memory, 8);
  monitor->touch (monitor, WRITE, memory + 8, 0);
  monitor->touch_row (monitor, WRITE, memory + 8, 8, 0, 16);
  return 0;
}

static void
reads_work_arrays_and_nothing_do_not_count (void **state)
{
  (void) state;
  assert_false (meets (work_monitor));
}

/* Rows of two pieces, the second half of a piece apart.  */
static int64_t
row_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args, (void) hi;
  monitor->touch_row (monitor, WRITE, memory + lo * 4, 8, 2, 64);
  return 0;
}

/* A log that is full once and then not: only the last entries of both iterations meet.  */
static int64_t
logging_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args, (void) hi;
  for (int turn = 0; turn < PG_LOG_ENTRIES + 1; turn++)
    log_touch (monitor, WRITE, memory + (lo == 0 ? turn : 2 * PG_LOG_ENTRIES - turn) * 8);
  return 0;
}

/* Its first iteration is left with something in the log that is written again in the same.  */
static int64_t
left_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args, (void) hi;
  log_touch (monitor, WRITE, memory + lo * 8);
  for (int turn = 0; lo == 0 && turn < TURNS; turn++)
    monitor->touch (monitor, WRITE, memory + turn * 16 % sizeof memory, 8);
  return 0;
}

static void
rows_and_logs_are_looked_at (void **state)
{
  (void) state;
  assert_false (meets (left_monitor));
  assert_true (meets (row_monitor));
  assert_true (meets (logging_monitor));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_is_written_again_is_told),
    cmocka_unit_test (what_is_apart_is_left_early),
    cmocka_unit_test (reads_work_arrays_and_nothing_do_not_count),
    cmocka_unit_test (rows_and_logs_are_looked_at),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
