/* SPDX-License-Identifier: MIT
   Systems of inequalities against trying out all integers of a box.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inequalities.h"

enum
{
  N_RANDOM = 40000,
  MUCH_EFFORT = 1 << 24,
  EDGE = 4 /* of the box: -EDGE .. EDGE */
};

static struct pg_system box;
static uint64_t random_state = 0xa4093822299f31d0;

static int64_t
pick (int64_t from, int64_t to)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return from + (int64_t) ((random_state * 0x9e3779b97f4a7c15u >> 11) % (uint64_t) (to - from + 1));
}

/* Add FACTOR times unknown U, plus BASE, is at least 0.  */
static void
add_bound (int64_t factor, int u, int64_t base)
{
  struct pg_inequality row = { .base = base };
  row.coef[u] = factor;
  pg_system_add (&box, &row);
}

static void
add_box (int n)
{
  box.n_given = 0;
  box.n_unknowns = n;
  for (int u = 0; u < n; u++)
    {
      add_bound (1, u, EDGE);
      add_bound (-1, u, EDGE);
    }
}

/* Is there something that satisfies the system, the unknowns below U being those of AT?  */
static bool
has_solution (int64_t *at, int u)
{
  if (u >= 0)
    {
      for (at[u] = -EDGE; at[u] <= EDGE; at[u]++)
	if (has_solution (at, u - 1))
	  return true;
      return false;
    }
  for (int g = 0; g < box.n_given; g++)
    {
      int64_t sum = box.given[g].base;
      for (int i = 0; i < PG_MOST_UNKNOWNS; i++)
	sum += box.given[g].coef[i] * at[i];
      if (sum < 0)
	return false;
    }
  return true;
}

/* What is called empty is, and most of what is empty is called so.  */
static void
empty_systems_are_empty (void **state)
{
  int n_empty = 0, n_shown = 0;
  (void) state;
  for (int t = 0; t < N_RANDOM; t++)
    {
      int n = (int) pick (1, 4), n_rows = (int) pick (1, 6);
      int64_t at[PG_MOST_UNKNOWNS] = { 0 }, effort = MUCH_EFFORT;
      add_box (n);
      for (int r = 0; r < n_rows; r++)
	{
	  struct pg_inequality row = { .base = pick (-12, 6) };
	  for (int u = 0; u < n; u++)
	    row.coef[u] = pick (0, 2) == 0 ? 0 : pick (-6, 6);
	  pg_system_add (&box, &row);
	}
      bool is_empty = !has_solution (at, n - 1), is_shown = pg_system_is_empty (&box, &effort);
      assert_true (is_empty || !is_shown);
      n_empty += is_empty;
      n_shown += is_shown;
    }
  assert_in_range (n_empty, N_RANDOM / 10, N_RANDOM);
  assert_in_range (n_shown, n_empty * 9 / 10, n_empty);
}

/* 2x = 2y + 1: real numbers would do.  */
static void
parity_is_seen (void **state)
{
  struct pg_inequality row = { .base = -1, .coef = { 2, -2 } }, opposite = { .base = 1, .coef = { -2, 2 } };
  int64_t effort = MUCH_EFFORT;
  (void) state;
  add_box (2);
  pg_system_add (&box, &row);
  pg_system_add (&box, &opposite);
  assert_true (pg_system_is_empty (&box, &effort));
  box.given[box.n_given - 1].base = box.given[box.n_given - 2].base = 0;
  assert_false (pg_system_is_empty (&box, &effort));
}

/* Numbers that do not fit show nothing: not when they are given, nor when they come up.  */
static void
large_numbers_show_nothing (void **state)
{
  static const int64_t large[] = { INT64_MIN, INT64_MAX, (int64_t) 1 << 62, -((int64_t) 1 << 62) };
  (void) state;
  for (int i = 0; i < 4; i++)
    {
      int64_t effort = MUCH_EFFORT;
      add_box (2);
      int n_given = box.n_given;
      add_bound (large[i], 0, 0);
      add_bound (1, 0, large[i]);
      assert_int_equal (box.n_given, n_given);
      assert_false (pg_system_is_empty (&box, &effort));
    }
  const int64_t prime = 2305843009213693921, other = 2305843009213693907;
  struct pg_inequality row = { .base = -1, .coef = { prime, other } }, opposite = { .coef = { -other, -prime } };
  int64_t effort = MUCH_EFFORT;
  add_box (2);
  box.n_given = 0;
  pg_system_add (&box, &opposite);
  pg_system_add (&box, &row);
  assert_int_equal (box.n_given, 2);
  assert_false (pg_system_is_empty (&box, &effort));
}

/* All hold where the unknowns are 0.  Once the first one is gone, 3 y + 2 z is bounded from both sides, and how far
   these bounds are apart is too large a number.  */
static void
bounds_that_are_far_apart_do_not_contradict (void **state)
{
  const int64_t base = (int64_t) 1 << 60;
  const struct pg_inequality rows[]
    = { { base, { 2, 1, 0 } }, { base, { 2, -1, 0 } }, { base, { -3, 0, 1 } }, { base, { -3, 0, -1 } },
	{ EDGE, { 0, 1, 0 } }, { EDGE, { 0, -1, 0 } }, { EDGE, { 0, 0, 1 } },  { EDGE, { 0, 0, -1 } } };
  int64_t effort = MUCH_EFFORT;
  (void) state;
  add_box (3);
  box.n_given = 0;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    pg_system_add (&box, &rows[r]);
  assert_false (pg_system_is_empty (&box, &effort));
}

/* More than there is room for are left out, more effort than is allowed is not made.  */
static void
room_and_effort_are_limited (void **state)
{
  int64_t effort = 3;
  (void) state;
  add_box (4);
  add_bound (1, 0, -EDGE - 1);
  assert_false (pg_system_is_empty (&box, &effort));
  assert_in_range (-effort, 1, 10);
  int64_t none = -1;
  assert_false (pg_system_is_empty (&box, &none));
  assert_int_equal (none, -1);

  add_box (4);
  while (box.n_given < PG_MOST_GIVEN)
    add_bound (1, 1, 100);
  add_bound (1, 0, -EDGE - 1);
  assert_int_equal (box.n_given, PG_MOST_GIVEN);
  effort = MUCH_EFFORT;
  assert_false (pg_system_is_empty (&box, &effort));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (empty_systems_are_empty),     cmocka_unit_test (parity_is_seen),
    cmocka_unit_test (large_numbers_show_nothing),  cmocka_unit_test (bounds_that_are_far_apart_do_not_contradict),
    cmocka_unit_test (room_and_effort_are_limited),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
