/* SPDX-License-Identifier: MIT
   Records of costs: what is put is found, by its key only, and any bytes at all may be searched.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "costs.h"

#include <stdlib.h>
#include <string.h>

static char *records;
static size_t len;

static struct pg_plan_costs
costs_of (int64_t n)
{
  struct pg_plan_costs costs = { .alone_ps = n, .pool_ps = n + 1, .inspect_ps = n + 2 };
  costs.sizes[0].alone_ps = 3 * n;
  costs.sizes[10].pool_ps = 4 * n;
  costs.sizes[PG_PLAN_SIZES - 1].alone_ps = 5 * n;
  return costs;
}

static struct pg_costs_key
key_of (uint64_t n)
{
  return (struct pg_costs_key) { n, ~n };
}

static void
put (uint64_t key, int64_t n)
{
  struct pg_plan_costs costs = costs_of (n);
  assert_true (pg_costs_put (&records, &len, key_of (key), &costs));
}

/* What is found for KEY, by its number; 0: nothing.  */
static int64_t
found (uint64_t key)
{
  struct pg_plan_costs costs;
  if (!pg_costs_find (records, len, key_of (key), &costs))
    return 0;
  struct pg_plan_costs expected = costs_of (costs.alone_ps);
  assert_memory_equal (&costs, &expected, sizeof costs);
  return costs.alone_ps;
}

static int
forget (void **state)
{
  (void) state;
  free (records);
  records = NULL;
  len = 0;
  return 0;
}

static void
what_was_put_is_found (void **state)
{
  (void) state;
  assert_int_equal (found (1), 0);
  put (1, 100);
  put (2, 200);
  put (3, 300);
  assert_int_equal (found (1), 100);
  assert_int_equal (found (2), 200);
  assert_int_equal (found (3), 300);
  assert_int_equal (found (4), 0);
  struct pg_plan_costs costs;
  assert_false (pg_costs_find (records, len, (struct pg_costs_key) { 1, 1 }, &costs));
}

static void
the_last_one_stands (void **state)
{
  (void) state;
  put (1, 100);
  put (2, 200);
  size_t before = len;
  put (1, 111);
  assert_int_equal (len, before);
  assert_int_equal (found (1), 111);
  assert_int_equal (found (2), 200);
}

/* 256 KiB; it is what was put longest ago that goes.  */
static void
there_is_a_limit (void **state)
{
  (void) state;
  for (int64_t i = 1; i < 4000; i++)
    put ((uint64_t) i, i);
  assert_in_range (len, (256 << 10) - 1000, 256 << 10);
  assert_int_equal (found (1), 0);
  assert_int_equal (found (3999), 3999);
  assert_int_equal (found (3000), 3000);
}

/* What is cut off, or not a record, ends them; nothing behind the end is read.  */
static void
any_bytes_are_harmless (void **state)
{
  struct pg_plan_costs costs;
  (void) state;
  put (1, 100);
  put (2, 200);
  for (size_t cut = 0; cut < len; cut++)
    {
      char *copy = malloc (cut + 1);
      memcpy (copy, records, cut);
      char *exact = realloc (copy, cut > 0 ? cut : 1);
      assert_int_equal (pg_costs_find (exact, cut, key_of (1), &costs), cut >= len / 2);
      assert_false (pg_costs_find (exact, cut, key_of (2), &costs));
      free (exact);
    }
  srand (1);
  for (int i = 0; i < 20000; i++)
    {
      size_t at = (size_t) rand () % len;
      char kept = records[at];
      records[at] = (char) rand ();
      pg_costs_find (records, len, key_of (2), &costs);
      records[at] = kept;
    }
  int64_t sizes = -1;
  memcpy (records, &sizes, sizeof sizes);
  assert_int_equal (found (1), 0);
  put (3, 300);
  assert_int_equal (found (3), 300);
  assert_int_equal (found (2), 0);
}

static void
keys_are_of_what_a_region_says (void **state)
{
  struct pg_state a = { .region = { .file = "a.c" }, .packed = (const unsigned char *) "abcd", .packed_len = 4 };
  struct pg_state b = a, c = a, d = a;
  (void) state;
  b.region.file = "b.c";
  c.packed = (const unsigned char *) "abce";
  d.packed_len = 3;
  struct pg_costs_key key = pg_costs_key (&a), other[] = { pg_costs_key (&b), pg_costs_key (&c), pg_costs_key (&d) };
  for (int i = 0; i < 3; i++)
    assert_memory_not_equal (&key, &other[i], sizeof key);
  struct pg_state again = a;
  struct pg_costs_key same = pg_costs_key (&again);
  assert_memory_equal (&key, &same, sizeof key);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown (what_was_put_is_found, forget),
    cmocka_unit_test_teardown (the_last_one_stands, forget),
    cmocka_unit_test_teardown (there_is_a_limit, forget),
    cmocka_unit_test_teardown (any_bytes_are_harmless, forget),
    cmocka_unit_test (keys_are_of_what_a_region_says),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
