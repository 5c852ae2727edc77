//! link: -Wl,--wrap=sysinfo -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_log_say
/* SPDX-License-Identifier: MIT
   Entries that are run both ways: what differs is told, the original's result stands, and where memory is short, or
   what is written is not known, the entry is as good as any.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena.h"
#include "entries.h"
#include "log.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

static char said[512];
__typeof__ (pg_log_say) __wrap_pg_log_say;

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (said, sizeof said, format, ap);
  va_end (ap);
}

/* What sysinfo says: it fails, or how many units are free.  */
static bool has_info;
static unsigned long free_units;
int __wrap_sysinfo (struct sysinfo *info);

int
__wrap_sysinfo (struct sysinfo *info)
{
  *info = (struct sysinfo) { .freeram = free_units, .mem_unit = 2 };
  return has_info ? 0 : -1;
}

/* The block of so many bytes that cannot be had, counted from 1; 0: all can.  */
static size_t short_len;
static int n_left;
__typeof__ (pg_arena_get) __real_pg_arena_get, __wrap_pg_arena_get;

void *
__wrap_pg_arena_get (size_t len)
{
  if (len == short_len && --n_left == 0)
    return NULL;
  return __real_pg_arena_get (len);
}

static int
set_up_comparison (void **state)
{
  set_up (state);
  pg_environment.mode = PG_MODE_COMPARE;
  has_info = true;
  free_units = 1 << 20;
  short_len = 0;
  said[0] = 0;
  return 0;
}

/* for (i) { c[i] = a[i]; d[2 * i] = b[i]; }  */
struct two_args
{
  int64_t *a, *b, *c, *d;
};

static int64_t
two_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct two_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      p->c[i] = p->a[i];
      p->d[2 * i] = p->b[i];
    }
  return 0;
}

/* On the pool, what d gets is wrong from 3000 on.  */
static int64_t
wrong_in_the_second (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct two_args *p = args;
  two_body (args, lo, hi, ctx);
  if (hi - lo < N && lo <= 3000 && 3000 < hi)
    p->d[6000]++;
  return 0;
}

static const struct pg_node two_nodes[]
  = { ARG (two_args, a), ARG (two_args, b), ARG (two_args, c), ARG (two_args, d), CONSTANT (8), CONSTANT (16) };
static const struct pg_ref two_refs[] = {
  { .address = LINEAR (0, 4), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (1, 4), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 1, .len = 8 },
  { .address = LINEAR (2, 4), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 2, .len = 8 },
  { .address = LINEAR (3, 5), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 3, .len = 8 },
};

static int64_t d[2 * N];

/* Enter REGION of the loop above; the result is the original's.  */
static const struct pg_row *
check_two (struct pg_descriptor *region)
{
  struct two_args args = { a, b, c, d };
  memset (c, 0, sizeof c);
  memset (d, 0, sizeof d);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  for (int i = 0; i < N; i++)
    {
      assert_int_equal (c[i], a[i]);
      assert_int_equal (d[2 * i], b[i]);
      assert_int_equal (d[2 * i + 1], 0);
    }
  return row_of (region);
}

static struct pg_descriptor *
a_two_region (pg_loop_fn *body)
{
  return a_new_region ((struct pg_region) { REGION_COMMON ("two"), .line = 80, .klass = PG_CLASS_POSSIBLY,
					    .reason = PG_WHY_POINTERS, .flags = PG_REGION_ALL_AFFINE, .body = body,
					    .args_len = sizeof (struct two_args), TABLE (nodes, two_nodes),
					    TABLE (refs, two_refs) });
}

static void
every_array_that_is_written_is_compared (void **state)
{
  const struct pg_row *row = check_two (a_two_region (two_body));
  (void) state;
  assert_int_equal (row->n_compared, 1);
  assert_int_equal (row->n_differences, 0);
  row = check_two (a_two_region (wrong_in_the_second));
  assert_int_equal (row->n_compared, 1);
  assert_int_equal (row->n_differences, 1);
  assert_non_null (strstr (said, "src/loops.c:80"));
  assert_non_null (strstr (said, "(byte 48000 of"));
}

/* Three copies are kept, so a quarter of what is free is enough for one.  */
static void
what_would_take_too_much_memory_is_not_compared (void **state)
{
  size_t len = (N + 2 * N - 1) * 8 + sizeof (struct two_args);
  (void) state;
  has_info = false;
  assert_int_equal (check_two (a_two_region (two_body))->n_uncompared, 1);
  has_info = true;
  free_units = len / 2 * 4;
  assert_int_equal (check_two (a_two_region (two_body))->n_uncompared, 1);
  free_units += 4;
  assert_int_equal (check_two (a_two_region (two_body))->n_compared, 1);
}

static void
what_no_copy_can_be_kept_of_is_not_compared (void **state)
{
  (void) state;
  short_len = (N + 2 * N - 1) * 8 + sizeof (struct two_args);
  for (int copy = 1; copy <= 3; copy++)
    {
      n_left = copy;
      const struct pg_row *row = check_two (a_two_region (two_body));
      assert_int_equal (n_left, copy - 3);
      assert_int_equal (row->n_uncompared, 1);
      assert_int_equal (row->n_compared, 0);
      assert_int_equal (row->n_pool, 1);
    }
}

static void
what_is_written_somewhere_is_not_compared (void **state)
{
  static int64_t expected[2 * N];
  struct pg_descriptor *region = a_scatter_region ();
  struct scatter_args args = { c, b }, serial = { expected, b };
  (void) state;
  for (int i = 0; i < N; i++)
    b[i] = (i * 7) % N;
  memcpy (expected, c, sizeof c);
  scatter_body (&serial, 0, N, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (c, expected, sizeof c);
  assert_int_equal (row_of (region)->n_uncompared, 1);
}

/* A sum and a live-out; on the pool, what lies off by one is what OFF says.  */
static struct sum_args off;

static int64_t
sum_but_for (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct sum_args *p = args;
  sum_body (args, lo, hi, ctx);
  if (hi - lo == N)
    return 0;
  p->sum += off.sum;
  p->largest += off.largest;
  p->last += off.last;
  return 0;
}

static void
every_scalar_is_compared (void **state)
{
  static const struct
  {
    struct sum_args off;
    const char *said;
  } given[] = { { { .sum = 0 }, "" },
		{ { .sum = 1 }, "in a reduction (offset 8 " },
		{ { .largest = 1 }, "in a reduction (offset 16 " },
		{ { .last = 1 }, "in a live-out (offset 24 " } };
  struct pg_region summing = sum_region;
  (void) state;
  summing.body = sum_but_for;
  for (size_t g = 0; g < sizeof given / sizeof *given; g++)
    {
      struct pg_descriptor *region = a_new_region (summing);
      struct sum_args args = { a, 17, -5, 99 }, serial = args;
      off = given[g].off;
      sum_body (&serial, 0, N, NULL);
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
      assert_memory_equal (&args, &serial, sizeof args);
      assert_int_equal (row_of (region)->n_compared, 1);
      assert_int_equal (row_of (region)->n_differences, g > 0);
      assert_non_null (strstr (said, given[g].said));
    }
}

/* Each iteration needs the one before: this is left to the program, which is told so with nothing changed.  */
static void
what_did_not_run_is_not_compared (void **state)
{
  static int64_t before[2 * N];
  struct pg_descriptor *region = a_shift_region ();
  struct shift_args args = { c, 1 };
  (void) state;
  memcpy (before, c, sizeof c);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  assert_memory_equal (c, before, sizeof c);
  assert_int_equal (row_of (region)->n_compared, 0);
  assert_int_equal (row_of (region)->n_uncompared, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (every_array_that_is_written_is_compared, set_up_comparison),
    cmocka_unit_test_setup (what_would_take_too_much_memory_is_not_compared, set_up_comparison),
    cmocka_unit_test_setup (what_no_copy_can_be_kept_of_is_not_compared, set_up_comparison),
    cmocka_unit_test_setup (what_is_written_somewhere_is_not_compared, set_up_comparison),
    cmocka_unit_test_setup (every_scalar_is_compared, set_up_comparison),
    cmocka_unit_test_setup (what_did_not_run_is_not_compared, set_up_comparison),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
