/* SPDX-License-Identifier: MIT
   Entries that are compared with the loop in order (compare.h): PARAGON=compare.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"

/* The loop, but for one element.  */
static int64_t
wrong_noalias (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scale_args *p = args;
  scale_body (args, lo, hi, ctx);
  if (lo <= 1234 && 1234 < hi)
    p->c[1234]++;
  return 0;
}

static void
comparing_finds_a_wrong_byte_and_keeps_the_right_one (void **state)
{
  struct pg_descriptor *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  (void) state;
  pg_environment.mode = PG_MODE_COMPARE;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (row_of (region)->n_compared, 1);
  assert_int_equal (row_of (region)->n_differences, 0);
  state_of (region)->region.body_noalias = wrong_noalias;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (row_of (region)->n_differences, 1);
  assert_int_equal (c[1234], 2 * a[1234] + b[1234]);
}

/* Every other element; somebody else counts the runs of the loop in one between.  */
static int64_t
scale_every_other (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scale_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      p->c[2 * i] = p->a[2 * i] + 1;
      if (i == 100)
	p->c[201]++;
    }
  return 0;
}

static const struct pg_node every_other_nodes[] = { ARG (scale_args, a), ARG (scale_args, c), CONSTANT (16) };
static const struct pg_ref every_other_refs[] = {
  { .address = LINEAR (0, 2), .flags = PG_REF_READ | PG_REF_AFFINE, .group = 0, .len = 8 },
  { .address = LINEAR (1, 2), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 1, .len = 8 },
};

/* Comparing takes back what the loop has written, nothing else.  */
static void
comparing_leaves_what_is_between_alone (void **state)
{
  struct pg_region every_other = { REGION_COMMON ("every-other"),
				   .line = 11,
				   .klass = PG_CLASS_POSSIBLY,
				   .reason = PG_WHY_POINTERS,
				   .flags = PG_REGION_ALL_AFFINE,
				   .body = scale_every_other,
				   .args_len = sizeof (struct scale_args),
				   TABLE (nodes, every_other_nodes),
				   TABLE (refs, every_other_refs) };
  struct pg_descriptor *region = a_new_region (every_other);
  struct scale_args args = { a, b, c };
  (void) state;
  c[201] = 5;
  pg_environment.mode = PG_MODE_COMPARE;
  assert_int_equal (__paragon_enter_v1 (region, &args, N / 2), 1);
  assert_int_equal (row_of (region)->n_compared, 1);
  assert_int_equal (row_of (region)->n_differences, 0);
  assert_int_equal (c[201], 7);
  assert_int_equal (c[400], a[400] + 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (comparing_finds_a_wrong_byte_and_keeps_the_right_one, set_up),
    cmocka_unit_test_setup (comparing_leaves_what_is_between_alone, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
