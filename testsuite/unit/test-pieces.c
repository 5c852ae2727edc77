/* SPDX-License-Identifier: MIT
   An entry in pieces, on loops written by hand and on random ones against an interpreter.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "loop-model.h"
#include "pieces.h"

#define N_RANDOM 60000
#define MUCH_EFFORT (1 << 20)

static struct model model;
static struct oracle oracle;
static struct pg_pieces pieces;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static enum pg_l1
evaluate (void)
{
  assert_in_range (pg_view_len (&model.region), 1, sizeof view_memory);
  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
  return pg_l1_check (view);
}

static bool
find (int64_t least, int64_t grid_len, int64_t effort)
{
  return pg_pieces_find (view, least, grid_len, &effort, &pieces);
}

/* The first iteration of piece P.  */
static int64_t
start_of (int p)
{
  return p == 0 ? 0 : pieces.pieces[p - 1].end;
}

/* Do iterations of [LO, HI) conflict?  */
static bool
conflict_in (int64_t lo, int64_t hi)
{
  oracle_run (&oracle, &model, lo, hi, false);
  return oracle.conflict < INT64_MAX;
}

/* A loop, perhaps with one inside, of references that move by different steps, or not at all.  */
static void
random_model (bool is_plain)
{
  uint64_t random = model.random;
  memset (&model, 0, offsetof (struct model, memory));
  model.random = random;
  uint32_t n_dims = (uint32_t) model_pick (&model, 1, 2), n_refs = (uint32_t) model_pick (&model, 2, 4);
  int64_t step = 8 * model_pick (&model, 1, 2);
  model.n_iters = model_pick (&model, 4, 24);
  model.dims[0].parent = -1;
  model.last_base[1] = model_pick (&model, is_plain ? 0 : -1, 3);
  model.last_coef[1][0] = is_plain ? 0 : model_pick (&model, -1, 1);
  model.region.flags = PG_REGION_SLICE_STABLE;
  for (uint32_t r = 0; r < n_refs; r++)
    {
      static const int steps[] = { 1, 1, 0, 0, -1, 2 };
      struct model_ref *ref = &model.refs[r];
      ref->feed = -1;
      ref->dim = (int) model_pick (&model, 0, n_dims - 1);
      ref->len = (int64_t) 1 << model_pick (&model, 2, 3);
      ref->coef[0] = r == 0 ? step : step * steps[model_pick (&model, 0, 5)];
      ref->coef[1] = ref->dim == 0 ? 0 : is_plain && model_pick (&model, 0, 1) ? step * 24 : 8;
      ref->base = (r == 0 ? 0 : model_pick (&model, -2, 26)) * step + 8 * model_pick (&model, 0, 1);
      ref->flags = r == 0 ? PG_REF_WRITE : model_pick (&model, 0, 4) ? PG_REF_READ : PG_REF_WRITE;
      ref->is_guarded = !is_plain && model_pick (&model, 0, 3) == 0;
    }
  model_describe (&model, n_dims, n_refs);
}

/* How many iterations of the model would be in free pieces of LEAST and more, each as long as possible, if there were
   no end to their number.  */
static int64_t
most_free (int64_t least)
{
  int64_t n_free = 0, lo = 0;
  while (lo < model.n_iters)
    {
      oracle_run (&oracle, &model, lo, model.n_iters, false);
      int64_t end = oracle.conflict < model.n_iters ? oracle.conflict : model.n_iters;
      n_free += end - lo >= least ? end - lo : 0;
      lo = end;
    }
  return n_free;
}

/* PIECES are one after the other, cover all, are cut on the grid, and what is called free is.  */
static void
check_pieces (int64_t least, int64_t grid_len)
{
  int64_t n_free = 0;
  assert_in_range (pieces.n, 1, PG_MOST_PIECES);
  assert_int_equal (pieces.pieces[pieces.n - 1].end, model.n_iters);
  for (int p = 0; p < pieces.n; p++)
    {
      int64_t lo = start_of (p), end = pieces.pieces[p].end;
      assert_true (lo < end && lo % grid_len == 0);
      for (int64_t i = lo; i < end; i++)
	assert_ptr_equal (pg_piece_at (&pieces, i), &pieces.pieces[p]);
      if (!pieces.pieces[p].is_free)
	{
	  assert_true (p == 0 || pieces.pieces[p - 1].is_free);
	  continue;
	}
      n_free += end - lo;
      assert_true (end - lo >= least);
      assert_false (conflict_in (lo, end));
    }
  assert_int_equal (n_free, pieces.n_free);
  assert_true (2 * n_free >= model.n_iters);
}

/* How many of PIECES that are free could be longer.  */
static int
n_cut_short (void)
{
  int n = 0;
  for (int p = 0; p < pieces.n; p++)
    if (pieces.pieces[p].is_free && pieces.pieces[p].end < model.n_iters)
      n += !conflict_in (start_of (p), pieces.pieces[p].end + 1);
  return n;
}

static void
pieces_agree_with_counting (void **state)
{
  int n_plain = 0, n_missed = 0, n_short = 0, n_on_grid = 0;
  (void) state;
  model.random = 0xa4093822299f31d0;
  for (int t = 0; t < N_RANDOM; t++)
    {
      bool is_plain = t % 2 == 0;
      random_model (is_plain);
      enum pg_l1 verdict = evaluate ();
      int64_t least = model_pick (&model, 2, 5), grid_len = t % 8 < 6 ? 1 : model_pick (&model, 2, 6);
      if (verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT)
	continue;
      if (find (least, grid_len, MUCH_EFFORT))
	{
	  check_pieces (least, grid_len);
	  n_on_grid += grid_len > 1;
	  n_plain += is_plain && grid_len == 1;
	  n_short += is_plain && grid_len == 1 ? n_cut_short () : 0;
	}
      else if (is_plain && grid_len == 1)
	n_missed += most_free (least) > model.n_iters * 3 / 4;
    }
  assert_in_range (n_on_grid, N_RANDOM / 100, N_RANDOM);
  assert_in_range (n_plain, N_RANDOM / 10, N_RANDOM);
  assert_in_range (n_short, 0, n_plain / 1000);
  assert_in_range (n_missed, 0, n_plain / 50);
}

/* A loop of N iterations: a reference that moves by STEP elements from element FROM on, and one that reads
   element K, or if STEP_READ is not 0, from there on.  */
static void
pivot (int64_t n, int64_t from, int64_t step, int64_t k, int64_t step_read)
{
  memset (&model, 0, offsetof (struct model, memory));
  model.random = 99;
  model.n_iters = n;
  model.dims[0].parent = -1;
  model.refs[0]
    = (struct model_ref) { .base = 8 * from, .coef = { 8 * step }, .len = 8, .flags = PG_REF_WRITE, .feed = -1 };
  model.refs[1]
    = (struct model_ref) { .base = 8 * k, .coef = { 8 * step_read }, .len = 8, .flags = PG_REF_READ, .feed = -1 };
  model.region.flags = PG_REGION_SLICE_STABLE;
  model_describe (&model, 1, 2);
  assert_int_not_equal (evaluate (), PG_L1_CLEAN);
}

/* PIECES are N, and the next arguments are their ends, those that are not free with a minus.  */
static void
assert_pieces (int n, const int64_t *ends)
{
  assert_int_equal (pieces.n, n);
  for (int p = 0; p < n; p++)
    assert_int_equal (pieces.pieces[p].is_free ? pieces.pieces[p].end : -pieces.pieces[p].end, ends[p]);
}
#define ASSERT_PIECES(...) \
  assert_pieces ((int) (sizeof (int64_t[]) { __VA_ARGS__ } / sizeof (int64_t)), (int64_t[]) { __VA_ARGS__ })

/* Iterations before the one that writes what all read may run beside each other, and so may those behind it.  */
static void
what_one_iteration_writes_parts_the_others (void **state)
{
  (void) state;
  pivot (100, 0, 1, 40, 0);
  assert_true (find (2, 1, MUCH_EFFORT));
  ASSERT_PIECES (40, -41, 100);
  pivot (100, 0, 1, 0, 0);
  assert_true (find (2, 1, MUCH_EFFORT));
  ASSERT_PIECES (-1, 100);
  pivot (100, 0, 1, 99, 0);
  assert_true (find (2, 1, MUCH_EFFORT));
  ASSERT_PIECES (99, -100);
  pivot (100, 0, 1, 3, 0);
  assert_true (find (5, 1, MUCH_EFFORT)); /* three are not worth it */
  ASSERT_PIECES (-4, 100);
}

static void
what_meets_in_the_middle_is_two_pieces (void **state)
{
  (void) state;
  pivot (100, 0, 1, 99, -1);
  assert_true (find (2, 1, MUCH_EFFORT));
  ASSERT_PIECES (50, 100);
  pivot (101, 0, 1, 100, -1);
  assert_true (find (2, 1, MUCH_EFFORT));
  ASSERT_PIECES (51, 101);
}

/* Iterations I write what 2 * I read: each piece is as long as all before it.  */
static void
pieces_that_grow_are_found_without_the_small_ones (void **state)
{
  (void) state;
  pivot (200, 0, 2, 0, 1);
  assert_true (find (20, 1, MUCH_EFFORT));
  ASSERT_PIECES (-32, 64, 128, 200);
}

static void
pieces_begin_on_the_grid (void **state)
{
  (void) state;
  pivot (100, 0, 1, 40, 0);
  assert_true (find (2, 7, MUCH_EFFORT));
  ASSERT_PIECES (35, -42, 100);
}

/* Where every iteration conflicts with the next, a few looks say so.  */
static void
conflicts_everywhere_cost_little (void **state)
{
  int64_t effort = MUCH_EFFORT;
  (void) state;
  pivot (400, 1, 1, 0, 1);
  assert_false (pg_pieces_find (view, 2, 1, &effort, &pieces));
  assert_in_range (MUCH_EFFORT - effort, 1, 30);
}

/* There is an end to the number of pieces, and half of the iterations are to be in those that are free.  */
static void
too_many_pieces_are_none (void **state)
{
  (void) state;
  pivot (400, 20, 1, 0, 1); /* 20 pieces of 20 */
  assert_false (find (21, 1, MUCH_EFFORT));
  assert_true (find (20, 1, MUCH_EFFORT));
  assert_int_equal (pieces.n, PG_MOST_PIECES);
  assert_int_equal (pieces.n_free, 20 * (PG_MOST_PIECES - 1));
  pivot (400, 10, 1, 0, 1);
  assert_false (find (10, 1, MUCH_EFFORT));
}

/* What is left when there is no effort for more runs in order.  */
static void
without_effort_nothing_is_free (void **state)
{
  int64_t effort = MUCH_EFFORT;
  (void) state;
  pivot (100, 0, 1, 70, 0);
  assert_false (find (2, 1, 0));
  assert_true (pg_pieces_find (view, 2, 1, &effort, &pieces));
  int64_t needed = MUCH_EFFORT - effort, n_found = 0;
  for (int64_t some = 1; some < needed; some++)
    if (find (2, 1, some))
      {
	check_pieces (2, 1);
	n_found += pieces.n_free < 99;
      }
  assert_in_range (n_found, 1, needed);
}

/* Iterations that write what addresses were computed from, and ranges that begin with what an iteration before them may
   have written, are no matter of pieces.  Nor is what has no numbers.  */
static void
what_numbers_rest_on_is_not_cut (void **state)
{
  (void) state;
  pivot (100, 0, 1, 40, 0);
  model.region.flags &= (uint8_t) ~PG_REGION_SLICE_STABLE;
  model.ref_table[1].flags |= PG_REF_FEEDS;
  evaluate ();
  assert_false (find (2, 1, MUCH_EFFORT));

  pivot (100, 0, 1, 99, -1); /* that may be a condition, but no number is computed from what moves */
  model.region.flags &= (uint8_t) ~PG_REGION_SLICE_STABLE;
  model.ref_table[1].flags |= PG_REF_FEEDS;
  evaluate ();
  assert_true (find (2, 1, MUCH_EFFORT));

  pivot (100, 0, 1, 40, 0);
  model.region.flags |= PG_REGION_TRAILS;
  evaluate ();
  assert_false (find (2, 1, MUCH_EFFORT));

  for (int opaque = 0; opaque < 2; opaque++)
    {
      pivot (100, 0, 1, 40, 0);
      model.ref_table[opaque].flags &= (uint8_t) ~PG_REF_AFFINE;
      evaluate ();
      assert_false (find (2, 1, MUCH_EFFORT));
    }
}

/* N references, each 8 elements behind the one before: all pairs meet, and pieces have 8 iterations.  There is an end
   to the number of pairs.  */
static void
too_many_pairs_are_not_looked_at (void **state)
{
  (void) state;
  for (uint32_t n = 2; n <= MODEL_REFS; n++)
    {
      memset (&model, 0, offsetof (struct model, memory));
      model.random = 99;
      model.n_iters = 100;
      model.dims[0].parent = -1;
      for (uint32_t r = 0; r < n; r++)
	model.refs[r]
	  = (struct model_ref) { .base = 64 * r, .coef = { 8 }, .len = 8, .flags = PG_REF_WRITE, .feed = -1 };
      model.region.flags = PG_REGION_SLICE_STABLE;
      model_describe (&model, 1, n);
      assert_int_equal (evaluate (), PG_L1_CONFLICT);
      bool are_found = n * (n - 1) / 2 <= 64;
      assert_int_equal (find (2, 1, MUCH_EFFORT), are_found);
      if (are_found)
	check_pieces (2, 1);
    }
  assert_false (find (2, 1, MUCH_EFFORT));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (pieces_agree_with_counting),
    cmocka_unit_test (what_one_iteration_writes_parts_the_others),
    cmocka_unit_test (what_meets_in_the_middle_is_two_pieces),
    cmocka_unit_test (pieces_that_grow_are_found_without_the_small_ones),
    cmocka_unit_test (pieces_begin_on_the_grid),
    cmocka_unit_test (conflicts_everywhere_cost_little),
    cmocka_unit_test (too_many_pieces_are_none),
    cmocka_unit_test (without_effort_nothing_is_free),
    cmocka_unit_test (what_numbers_rest_on_is_not_cut),
    cmocka_unit_test (too_many_pairs_are_not_looked_at),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
