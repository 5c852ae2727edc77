/* SPDX-License-Identifier: MIT
   The sieve: finds every cell that two jobs, or one job twice, have marked.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "sieve.h"

enum
{
  N_CELLS = 700000, /* several parts to unite */
  N_MAPS = 5
};

static void
a_map_knows_its_marks (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_true (pg_sieve_begin (&sieve, 130, 2, false));
  uint64_t *map = pg_sieve_clear_map (&sieve, 1);
  assert_false (pg_sieve_mark (map, 129));
  assert_true (pg_sieve_mark (map, 129));
  assert_false (pg_sieve_mark (map, 64));
  assert_true (pg_sieve_test (map, 64));
  assert_false (pg_sieve_test (map, 65));
  map = pg_sieve_clear_map (&sieve, 1);
  assert_false (pg_sieve_test (map, 129));
  pg_sieve_free (&sieve);
}

/* Many cells at a time are as good as one after the other, wherever they begin and end.  */
static void
cells_in_a_row_are_marked_together (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_true (pg_sieve_begin (&sieve, 384, 1, false));
  for (size_t cell = 0; cell < 130; cell++)
    for (size_t n = 1; cell + n <= 320; n += n < 70 ? 1 : 31)
      {
	uint64_t *map = pg_sieve_clear_map (&sieve, 0);
	assert_false (pg_sieve_mark_all (map, cell, n));
	for (size_t c = 0; c < 320; c++)
	  assert_int_equal (pg_sieve_test (map, c), c >= cell && c < cell + n);
	assert_true (pg_sieve_mark_all (map, cell + n - 1, 2));
      }
  pg_sieve_free (&sieve);
}

/* So are cells some way apart: what is next to them stays as it was.  */
static void
cells_a_stride_apart_are_marked_together (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_true (pg_sieve_begin (&sieve, 16384, 1, false));
  for (size_t stride = 1; stride < 140; stride += stride < 70 ? 1 : 13)
    for (size_t cell = 0; cell < 70; cell += 3)
      for (size_t count = 1; count < 100; count += 7)
	{
	  uint64_t *map = pg_sieve_clear_map (&sieve, 0);
	  assert_false (pg_sieve_mark_row (map, cell, count, stride));
	  for (size_t c = 0; c < cell + (count + 1) * stride; c++)
	    assert_int_equal (pg_sieve_test (map, c),
			      c >= cell && (c - cell) % stride == 0 && (c - cell) / stride < count);
	  assert_int_equal (pg_sieve_mark_row (map, cell + 1, count, stride), stride == 1 && count > 1);
	  assert_true (pg_sieve_mark_row (map, cell + (count - 1) * stride, 2, stride));
	}
  pg_sieve_free (&sieve);
}

/* A read is no trouble unless its cell is written, by whichever thread.  */
static void
a_read_of_what_is_written_is_found (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  for (int reader = -1; reader < N_MAPS; reader++)
    {
      assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true));
      for (int m = 0; m < N_MAPS; m++)
	{
	  pg_sieve_mark (pg_sieve_clear_map (&sieve, m), (size_t) m);
	  pg_sieve_mark (pg_sieve_read_map (&sieve, m), N_CELLS - 1);
	}
      if (reader >= 0)
	pg_sieve_mark (pg_sieve_read_map (&sieve, reader), 2);
      assert_int_equal (pg_sieve_unite (&sieve, N_MAPS), reader < 0);
    }
  pg_sieve_free (&sieve);
}

/* Maps that no thread used hold anything.  */
static void
maps_that_were_not_used_do_not_count (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true));
  for (int m = 0; m < N_MAPS; m++)
    {
      pg_sieve_mark (pg_sieve_clear_map (&sieve, m), 7);
      pg_sieve_mark (pg_sieve_read_map (&sieve, m), m == 0 ? 8 : 7);
    }
  assert_true (pg_sieve_unite (&sieve, 1));
  assert_false (pg_sieve_unite (&sieve, 2));
  pg_sieve_free (&sieve);
}

/* Cells are dealt out to the maps, and then one cell, anywhere, goes to a second map.  */
static void
a_cell_of_two_maps_is_found (void **state)
{
  static const size_t doubles[] = { 0, 63, 64, 16383, 16384, 262143, 262144, N_CELLS - 1 };
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  for (size_t d = 0; d <= sizeof doubles / sizeof *doubles; d++)
    {
      bool is_double = d < sizeof doubles / sizeof *doubles;
      uint64_t *maps[N_MAPS];
      assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, false));
      for (int m = 0; m < N_MAPS; m++)
	maps[m] = pg_sieve_clear_map (&sieve, m);
      for (size_t cell = 0; cell < N_CELLS; cell++)
	pg_sieve_mark (maps[cell % N_MAPS], cell);
      if (is_double)
	pg_sieve_mark (maps[(doubles[d] + 1 + d % (N_MAPS - 1)) % N_MAPS], doubles[d]);
      assert_int_equal (pg_sieve_unite (&sieve, N_MAPS), !is_double);
      for (size_t cell = 0; cell < N_CELLS; cell += 97)
	assert_true (pg_sieve_test (sieve.bits, cell));
    }
  pg_sieve_free (&sieve);
}

static void
a_sieve_larger_than_the_budget_is_refused (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_false (pg_sieve_begin (&sieve, (size_t) 1 << 50, 8, false));
  assert_false (pg_sieve_begin (&sieve, SIZE_MAX / 2, 1000, false));
  assert_true (pg_sieve_begin (&sieve, 1, 1, false));
  pg_sieve_free (&sieve);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_map_knows_its_marks),
    cmocka_unit_test (cells_in_a_row_are_marked_together),
    cmocka_unit_test (cells_a_stride_apart_are_marked_together),
    cmocka_unit_test (a_read_of_what_is_written_is_found),
    cmocka_unit_test (maps_that_were_not_used_do_not_count),
    cmocka_unit_test (a_cell_of_two_maps_is_found),
    cmocka_unit_test (a_sieve_larger_than_the_budget_is_refused),
  };
  pg_environment.n_threads = 3;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
