/* SPDX-License-Identifier: MIT
   The search for the loop that is to blame: it is found, in no more runs than is said, whichever it is; and where a
   test does not do what it was said to do, no loop is blamed.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bisect-search.h"

#include <stdbool.h>

enum
{
  N_MOST = 300
};

/* A test that fails with loop WRONG, if loop NEEDED is there, too.  */
struct model
{
  size_t wrong, needed;
  bool fails_always, passes_always;
  int cannot_tell_at; /* the run that cannot tell; 0: all can */
  int n_runs;
};

static enum pg_outcome
run (void *data, size_t from, size_t to)
{
  struct model *model = data;
  if (++model->n_runs == model->cannot_tell_at)
    return PG_CANNOT_TELL;
  if (model->fails_always || model->passes_always)
    return model->fails_always ? PG_FAILS : PG_PASSES;
  return from <= model->wrong && model->wrong < to && from <= model->needed && model->needed < to ? PG_FAILS
												  : PG_PASSES;
}

/* log2 (N), rounded up.  */
static int
halvings (size_t n)
{
  int k = 0;
  while ((size_t) 1 << k < n)
    k++;
  return k;
}

static void
one_wrong_loop_is_found (void **state)
{
  (void) state;
  for (size_t n = 1; n < N_MOST; n++)
    for (size_t wrong = 0; wrong < n; wrong++)
      {
	struct model model = { .wrong = wrong, .needed = wrong };
	size_t loop = n;
	assert_int_equal (pg_bisect_search (n, run, &model, &loop), PG_BLAME_ALONE);
	assert_int_equal (loop, wrong);
	assert_true (model.n_runs <= halvings (n) + 1 + (n == 1));
      }
}

/* With two wrong loops, one of them is; each is one.  */
static enum pg_outcome
run_two (void *data, size_t from, size_t to)
{
  struct model *model = data;
  model->n_runs++;
  return (from <= model->wrong && model->wrong < to) || (from <= model->needed && model->needed < to) ? PG_FAILS
												      : PG_PASSES;
}

static void
one_of_two_wrong_loops_is_found (void **state)
{
  (void) state;
  for (size_t wrong = 0; wrong < 40; wrong++)
    for (size_t other = 0; other < 40; other++)
      {
	struct model model = { .wrong = wrong, .needed = other };
	size_t loop = 40;
	assert_int_equal (pg_bisect_search (40, run_two, &model, &loop), PG_BLAME_ALONE);
	assert_true (loop == wrong || loop == other);
      }
}

static void
a_loop_that_takes_another_is_found_as_such (void **state)
{
  (void) state;
  for (size_t n = 2; n < 60; n++)
    for (size_t wrong = 1; wrong < n; wrong++)
      for (size_t needed = 0; needed < wrong; needed++)
	{
	  struct model model = { .wrong = wrong, .needed = needed };
	  size_t loop = n;
	  assert_int_equal (pg_bisect_search (n, run, &model, &loop), PG_BLAME_TOGETHER);
	  assert_int_equal (loop, wrong);
	  assert_true (model.n_runs <= halvings (n) + 2);
	}
}

/* Its programs may not see which loops are wanted, or it fails by chance.  */
static void
nothing_is_blamed_without_a_reason (void **state)
{
  size_t loop;
  (void) state;
  for (size_t n = 1; n < N_MOST; n++)
    {
      struct model always = { .fails_always = true }, never = { .passes_always = true };
      assert_int_equal (pg_bisect_search (n, run, &always, &loop), PG_BLAME_NONE);
      assert_true (always.n_runs <= halvings (n) + 2);
      assert_int_equal (pg_bisect_search (n, run, &never, &loop), PG_BLAME_UNSTEADY);
      assert_true (never.n_runs <= halvings (n) + 2);
    }
}

static void
a_run_that_cannot_tell_ends_it (void **state)
{
  size_t loop;
  (void) state;
  for (size_t n = 1; n < 40; n++)
    for (size_t wrong = 0; wrong < n; wrong++)
      {
	struct model model = { .wrong = wrong, .needed = 0 };
	pg_bisect_search (n, run, &model, &loop);
	for (int at = model.n_runs; at > 0; at--)
	  {
	    struct model stopped = { .wrong = wrong, .needed = 0, .cannot_tell_at = at };
	    assert_int_equal (pg_bisect_search (n, run, &stopped, &loop), PG_BLAME_UNKNOWN);
	    assert_int_equal (stopped.n_runs, at);
	  }
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (one_wrong_loop_is_found),
    cmocka_unit_test (one_of_two_wrong_loops_is_found),
    cmocka_unit_test (a_loop_that_takes_another_is_found_as_such),
    cmocka_unit_test (nothing_is_blamed_without_a_reason),
    cmocka_unit_test (a_run_that_cannot_tell_ends_it),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
