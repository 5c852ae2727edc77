//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_budget_get -Wl,--wrap=pg_budget_grow
/* SPDX-License-Identifier: MIT
   Whatever block of memory is missing, an inspection says no more than it knows.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inspect.h"
#include "inspector.h"
#include "loop-model.h"
#include "no-memory.h"
#include "verdict.h"

#include <string.h>

static struct model model;
static struct oracle oracle;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;
static uint64_t seed;
static int n_exact, n_unknown;

/* An inspection of a random loop: its first conflict, or, for want of memory, nothing; of verdicts, none that is
   wrong.  */
static void
inspect_some (void)
{
  model.random = seed;
  model_random_indirect (&model);
  model_fill_memory (&model);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  if (inspector == NULL)
    return;
  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
  oracle_run (&oracle, &model, 0, model.n_iters, false);
  for (int entry = 0; entry < 3; entry++)
    {
      int64_t hi = model.n_iters, end;
      enum pg_known known = seed % 2 ? pg_verdict_find (inspector, view, 0, &hi) : PG_KNOWN_NOT;
      end = known == PG_KNOWN_CLEAN ? hi : pg_inspect (inspector, view, 0, model.n_iters);
      int64_t expected = oracle.conflict < model.n_iters && model.n_iters > 1 ? oracle.conflict : model.n_iters;
      if (end != 0 || first_refused < 0)
	assert_int_equal (end, expected);
      n_exact += end == expected;
      n_unknown += end != expected;
      if (end == model.n_iters)
	pg_verdict_keep (inspector, view, 0, end);
      if (pg_inspect_bounds (inspector, view, 0, model.n_iters))
	assert_true (inspector->has_bounds);
    }
  pg_inspector_free (inspector);
}

static void
inspections_say_no_more_than_they_know (void **state)
{
  (void) state;
  for (seed = 1; seed < 60; seed++)
    refuse_each (inspect_some);
  assert_true (n_unknown > 100);
  assert_true (n_exact > n_unknown);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (inspections_say_no_more_than_they_know),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
