/* SPDX-License-Identifier: MIT
   The shadow and its budget.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "budget.h"
#include "shadow.h"

static void
a_cell_keeps_its_smallest_writer (void **state)
{
  struct pg_shadow shadow = { .cells = NULL };
  (void) state;
  assert_true (pg_shadow_begin (&shadow, 4, 10));
  _Atomic uint32_t *cell = &shadow.cells[1];
  assert_int_equal (pg_shadow_writer (cell, shadow.floor), PG_NO_STAMP);
  assert_int_equal (pg_shadow_mark (cell, shadow.floor, shadow.floor + 5), PG_NO_STAMP);
  assert_int_equal (pg_shadow_mark (cell, shadow.floor, shadow.floor + 5), PG_NO_STAMP);
  assert_int_equal (pg_shadow_mark (cell, shadow.floor, shadow.floor + 7), shadow.floor + 7);
  assert_int_equal (pg_shadow_mark (cell, shadow.floor, shadow.floor + 2), shadow.floor + 5);
  assert_int_equal (pg_shadow_writer (cell, shadow.floor), shadow.floor + 2);
  assert_int_equal (pg_shadow_writer (cell + 1, shadow.floor), PG_NO_STAMP);
  pg_shadow_free (&shadow);
}

static void
a_new_epoch_finds_all_cells_unwritten (void **state)
{
  struct pg_shadow shadow = { .cells = NULL };
  (void) state;
  assert_true (pg_shadow_begin (&shadow, 4, 10));
  pg_shadow_mark (&shadow.cells[0], shadow.floor, shadow.floor + 10);
  assert_true (pg_shadow_begin (&shadow, 3, 10));
  assert_int_equal (pg_shadow_writer (&shadow.cells[0], shadow.floor), PG_NO_STAMP);
  assert_int_equal (pg_shadow_mark (&shadow.cells[0], shadow.floor, shadow.floor + 1), PG_NO_STAMP);
  pg_shadow_free (&shadow);
}

/* Stamps of 32 bits last for two epochs of 2^31 iterations; then the cells must be cleared, or old marks come back.  */
static void
stamps_that_run_out_clear_the_cells (void **state)
{
  struct pg_shadow shadow = { .cells = NULL };
  (void) state;
  for (int epoch = 0; epoch < 9; epoch++)
    {
      assert_true (pg_shadow_begin (&shadow, 2, INT32_MAX - 1));
      assert_true (shadow.top > shadow.floor && shadow.top < PG_NO_STAMP);
      assert_int_equal (pg_shadow_writer (&shadow.cells[0], shadow.floor), PG_NO_STAMP);
      pg_shadow_mark (&shadow.cells[0], shadow.floor, shadow.top);
      assert_int_equal (pg_shadow_writer (&shadow.cells[0], shadow.floor), shadow.top);
    }
  assert_false (pg_shadow_begin (&shadow, 2, INT32_MAX));
  pg_shadow_free (&shadow);
}

static void
a_shadow_larger_than_the_budget_is_refused (void **state)
{
  struct pg_shadow shadow = { .cells = NULL };
  uint64_t available = pg_budget_available ();
  (void) state;
  assert_true (available > 0);
  assert_false (pg_shadow_begin (&shadow, available / 4, 10));
  assert_false (pg_shadow_begin (&shadow, SIZE_MAX / 2, 10));
  assert_true (pg_shadow_begin (&shadow, 1000, 10));
  pg_shadow_free (&shadow);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_cell_keeps_its_smallest_writer),
    cmocka_unit_test (a_new_epoch_finds_all_cells_unwritten),
    cmocka_unit_test (stamps_that_run_out_clear_the_cells),
    cmocka_unit_test (a_shadow_larger_than_the_budget_is_refused),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
