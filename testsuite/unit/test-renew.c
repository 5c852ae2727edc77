/* SPDX-License-Identifier: MIT
   Views that are renewed from entry to entry, against such as are evaluated anew: of random nests, whose numbers
   change now and then.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "affine-model.h"
#include "footprint.h"

enum
{
  N_MODELS = 5000,
  N_ENTRIES = 12, /* of each */
  MUCH_EFFORT = 1 << 20
};

static struct model model;
static _Alignas(16) char renewed_memory[1 << 16], fresh_memory[1 << 16];
static struct pg_view *const renewed = (struct pg_view *) renewed_memory, *const fresh
									  = (struct pg_view *) fresh_memory;

static void
renew (void)
{
  pg_view_renew (renewed, &model.region, &model.args, model.n_iters);
}

/* Change one of the model's numbers, or the number of its iterations, or nothing.  Whether anything has changed.  */
static bool
change_something (void)
{
  uint32_t n = (uint32_t) model_pick (&model, 0, model.region.n_nodes * 2);
  int64_t by = model_pick (&model, 0, 1) ? 8 : model_pick (&model, -3, 3);
  if (n < model.region.n_nodes && model.nodes[n].op == PG_NODE_ARG)
    model.args.values[n] += by;
  else if (n == model.region.n_nodes)
    model.n_iters += by = 1;
  else
    by = 0;
  return by != 0;
}

static void
assert_same_forms (const struct pg_form *a, const struct pg_form *b)
{
  assert_int_equal (a->known, b->known);
  assert_int_equal (a->base, b->base);
  assert_memory_equal (a->coef, b->coef, model.region.n_dims * sizeof a->coef[0]);
}

/* What both views say is the same.  */
static void
assert_same (void)
{
  for (uint32_t d = 0; d < model.region.n_dims; d++)
    {
      assert_same_forms (&renewed->levels[d].last, &fresh->levels[d].last);
      assert_int_equal (renewed->levels[d].least, fresh->levels[d].least);
      assert_int_equal (renewed->levels[d].most, fresh->levels[d].most);
      assert_int_equal (renewed->levels[d].is_bounded, fresh->levels[d].is_bounded);
    }
  for (uint32_t r = 0; r < model.region.n_refs; r++)
    {
      assert_int_equal (renewed->places[r].is_affine, fresh->places[r].is_affine);
      assert_int_equal (renewed->places[r].is_never, fresh->places[r].is_never);
      assert_same_forms (&renewed->places[r].address, &fresh->places[r].address);
      assert_memory_equal (&renewed->places[r].window, &fresh->places[r].window, sizeof fresh->places[r].window);
    }
  assert_memory_equal (renewed->settled, fresh->settled, (model.region.n_refs * model.region.n_refs + 7) / 8);
  assert_int_equal (pg_l1_window (renewed), pg_l1_window (fresh));
}

static void
renewed_views_say_what_fresh_ones_do (void **state)
{
  static const int64_t efforts[] = { 0, 20, 200, MUCH_EFFORT };
  int n_kept = 0, n_changed = 0, n_spent = 0;
  (void) state;
  model.random = 0x13198a2e03707344;
  for (int m = 0; m < N_MODELS; m++)
    {
      int64_t most = 0; /* effort, since something changed */
      random_affine_model (&model, m % 4 == 0);
      pg_view_forget (renewed);
      for (int e = 0; e < N_ENTRIES; e++)
	{
	  bool has_changed = change_something () || e == 0;
	  int64_t effort = efforts[model_pick (&model, 0, 3)];
	  most = has_changed || effort > most ? effort : most;
	  renew ();
	  assert_false (renewed->is_checked);
	  memset (fresh, 0, pg_view_len (&model.region));
	  pg_view_evaluate (fresh, &model.region, &model.args, model.n_iters);
	  renewed->effort = effort;
	  fresh->effort = most;
	  assert_int_equal (pg_l1_check (renewed), pg_l1_check (fresh));
	  assert_true (renewed->is_checked);
	  assert_same ();
	  n_changed += has_changed;
	  n_kept += !has_changed && fresh->effort < most;
	  n_spent += !has_changed && renewed->effort < effort;
	}
    }
  assert_in_range (n_changed, N_MODELS * 2, N_MODELS * N_ENTRIES);
  assert_in_range (n_kept, N_MODELS / 4, N_MODELS * N_ENTRIES);
  assert_in_range (n_spent, 1, n_kept / 2);
}

/* for (i < n) for (j = i; j < n; j++) a[i][j] = a[j][i] = ...;  */
static void
two_halves (int64_t n)
{
  memset (&model, 0, offsetof (struct model, memory));
  model.random = 5;
  model.n_iters = n;
  model.dims[0].parent = -1;
  model.last_base[1] = n - 1;
  model.last_coef[1][0] = -1;
  for (int r = 0; r < 2; r++)
    model.refs[r] = (struct model_ref) {
      .dim = 1, .coef = { (n + 1) * 8, r == 0 ? 8 : n * 8 }, .len = 8, .flags = PG_REF_WRITE, .feed = -1
    };
  model_describe (&model, 2, 2);
}

/* Ask with EFFORT, and return how much of it was spent.  */
static int64_t
ask (int64_t effort, enum pg_l1 expected)
{
  renewed->effort = effort;
  assert_int_equal (pg_l1_check (renewed), expected);
  return effort - renewed->effort;
}

static void
what_is_known_is_not_asked_again (void **state)
{
  (void) state;
  two_halves (1000);
  pg_view_forget (renewed);
  renew ();
  assert_in_range (ask (20, PG_L1_UNSETTLED), 20, 1000);
  renew ();
  assert_int_equal (ask (10, PG_L1_UNSETTLED), 0);
  renew ();
  assert_in_range (ask (10000, PG_L1_CLEAN), 20, 9999);
  renew ();
  assert_int_equal (ask (10, PG_L1_CLEAN), 0);
  assert_int_equal (ask (MUCH_EFFORT, PG_L1_CLEAN), 0);
  pg_view_forget (renewed);
  renew ();
  assert_in_range (ask (10000, PG_L1_CLEAN), 20, 9999);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (renewed_views_say_what_fresh_ones_do),
    cmocka_unit_test (what_is_known_is_not_asked_again),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
