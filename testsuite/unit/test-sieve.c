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
  assert_true (pg_sieve_begin (&sieve, 130, 2));
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
cells_in_a_row_are_marked_and_tested_together (void **state)
{
  struct pg_sieve sieve = { .bits = NULL };
  (void) state;
  assert_true (pg_sieve_begin (&sieve, 384, 1));
  for (size_t cell = 0; cell < 130; cell++)
    for (size_t n = 1; cell + n <= 320; n += n < 70 ? 1 : 31)
      {
	uint64_t *map = pg_sieve_clear_map (&sieve, 0);
	assert_false (pg_sieve_mark_all (map, cell, n));
	for (size_t c = 0; c < 320; c++)
	  assert_int_equal (pg_sieve_test (map, c), c >= cell && c < cell + n);
	assert_true (pg_sieve_mark_all (map, cell + n - 1, 2));
	map = pg_sieve_clear_map (&sieve, 0);
	if (cell > 0)
	  pg_sieve_mark (map, cell - 1);
	if (cell + n < 320)
	  pg_sieve_mark (map, cell + n);
	assert_false (pg_sieve_test_any (map, cell, n));
	pg_sieve_mark (map, cell + n / 2);
	assert_true (pg_sieve_test_any (map, cell, n));
      }
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
      assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS));
      for (int m = 0; m < N_MAPS; m++)
	maps[m] = pg_sieve_clear_map (&sieve, m);
      for (size_t cell = 0; cell < N_CELLS; cell++)
	pg_sieve_mark (maps[cell % N_MAPS], cell);
      if (is_double)
	pg_sieve_mark (maps[(doubles[d] + 1 + d % (N_MAPS - 1)) % N_MAPS], doubles[d]);
      assert_int_equal (pg_sieve_unite (&sieve), !is_double);
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
  assert_false (pg_sieve_begin (&sieve, (size_t) 1 << 50, 8));
  assert_false (pg_sieve_begin (&sieve, SIZE_MAX / 2, 1000));
  assert_true (pg_sieve_begin (&sieve, 1, 1));
  pg_sieve_free (&sieve);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_map_knows_its_marks),
    cmocka_unit_test (cells_in_a_row_are_marked_and_tested_together),
    cmocka_unit_test (a_cell_of_two_maps_is_found),
    cmocka_unit_test (a_sieve_larger_than_the_budget_is_refused),
  };
  pg_environment.n_threads = 3;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
