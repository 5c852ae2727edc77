/* SPDX-License-Identifier: MIT
   Cuts of a loop: complete, in order, and functions of nothing but their arguments.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grid.h"

static const int64_t counts[] = { 1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 5000, 100003, 1000000007, INT64_MAX / 4 };

enum
{
  N_COUNTS = sizeof counts / sizeof *counts
};

static int64_t bounds[PG_MAX_CHUNKS + 1];

static void
check_bounds (int n, int64_t lo, int64_t hi)
{
  assert_in_range (n, 1, PG_MAX_CHUNKS);
  assert_int_equal (bounds[0], lo);
  assert_int_equal (bounds[n], hi);
  for (int c = 0; c < n; c++)
    assert_true (bounds[c] < bounds[c + 1]);
}

static void
fixed_chunks_are_few_and_whole (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    {
      int64_t len = pg_grid_fixed_len (counts[i]);
      assert_int_equal (len % PG_CHUNK_ALIGN, 0);
      int n = pg_grid_even (bounds, 0, counts[i], len);
      check_bounds (n, 0, counts[i]);
      assert_in_range (n, 1, PG_FIXED_CHUNKS);
    }
}

static void
falling_chunks_cover_the_range (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int n_threads = 1; n_threads <= 1024; n_threads *= 4)
      for (int64_t least = 1; least <= counts[i] && least < INT64_MAX / 16; least = 10 * least + 1)
	{
	  int n = pg_grid_falling (bounds, 3, 3 + counts[i], n_threads, least);
	  check_bounds (n, 3, 3 + counts[i]);
	}
}

/* One of two threads may be held up in the last chunk for as long as it lasts, and a signal waits for as long as the
   first one lasts.  */
static void
falling_chunks_start_and_end_small (void **state)
{
  (void) state;
  int n = pg_grid_falling (bounds, 0, 1000000, 2, 100);
  assert_in_range (bounds[1], 20000, 1000000 / 32);
  assert_in_range (bounds[n] - bounds[n - 1], 1, 3000);
}

static void
macro_chunks_start_small_and_grow (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int64_t first = 1 + counts[i] / 1000; first <= counts[i]; first *= 3)
      {
	int64_t lo = 0, end = pg_grid_macro_end (0, counts[i], first);
	assert_int_equal (end, counts[i] - first > first / 2 ? first : counts[i]);
	while (lo < counts[i])
	  {
	    end = pg_grid_macro_end (lo, counts[i], first);
	    assert_true (end > lo && end <= counts[i]);
	    assert_true (end == counts[i] || end % first == 0);
	    int64_t usual = end == counts[i] ? (end - lo + 1) * 2 / 3 : end - lo;
	    assert_true (usual <= first || usual <= counts[i] / 8);
	    assert_true (end < counts[i] || 2 * (end - lo) >= first || lo == 0);
	    assert_int_equal (pg_grid_macro_end (lo + (end - lo) / 2, counts[i], first), end);
	    lo = end;
	  }
      }
  assert_int_equal (pg_grid_macro_end (10, 10000, 10), 30);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (fixed_chunks_are_few_and_whole),
    cmocka_unit_test (falling_chunks_cover_the_range),
    cmocka_unit_test (falling_chunks_start_and_end_small),
    cmocka_unit_test (macro_chunks_start_small_and_grow),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
