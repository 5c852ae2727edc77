/* SPDX-License-Identifier: MIT
   Turns of inner loops: those that are said to be free never meet, by hand and on random nests, against an interpreter
   that notes who touches each byte.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir/nest.h"
#include "loop-model.h"
#include "turns.h"

#define N_RANDOM 60000

enum
{
  ROW = 8 * 40, /* bytes of a row of the nests by hand */
  ELSEWHERE = 3000,
  TURNS = 1 /* the dimension */
};

static struct model model;
static uint8_t stands[MODEL_REFS], depths[MODEL_REFS];
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static struct pg_turns
look (void)
{
  struct pg_turns turns;
  assert_in_range (pg_view_len (&model.region), 1, sizeof view_memory);
  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
  pg_turns_find (&turns, view, stands, model.region.n_refs);
  return turns;
}

static struct pg_turns
look_spread (void)
{
  struct pg_turns turns;
  assert_in_range (pg_view_len (&model.region), 1, sizeof view_memory);
  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
  pg_turns_find_spread (&turns, view, stands, depths, model.region.n_refs);
  return turns;
}

/* ---- by hand */

/* Begin a nest of 10 iterations with 5 turns of dimension 1, 3 of dimension 2 in it, and 4 of dimension 3 beside it.
 */
static void
begin (void)
{
  static const int64_t lasts[] = { 0, 4, 2, 3 };
  static const int16_t parents[] = { -1, 0, TURNS, 0 };
  memset (&model, 0, offsetof (struct model, memory));
  model.random = 1;
  model.n_iters = 10;
  for (int d = 0; d < 4; d++)
    {
      model.last_base[d] = lasts[d];
      model.dims[d].parent = parents[d];
    }
}

/* Add an access of 8 bytes in DIM, where it STANDS, with FLAGS, at BASE and COEF for each dimension.  */
static void
add (int dim, uint8_t stand, uint8_t flags, int64_t base, const int64_t *coef)
{
  int r = 0;
  while (model.refs[r].len != 0)
    r++;
  model.refs[r] = (struct model_ref) { .dim = dim, .base = base, .len = 8, .flags = flags, .feed = -1 };
  memcpy (model.refs[r].coef, coef, 4 * sizeof *coef);
  stands[r] = stand;
}
#define AT(...) ((const int64_t[4]) { __VA_ARGS__ })

static bool
are_free (void)
{
  uint32_t n = 0;
  while (model.refs[n].len != 0)
    n++;
  model_describe (&model, 4, n);
  return look ().are_free;
}

/* b[i][j] = x[i][j + 1], and then b[i][j] = b[i][j + 1], and b[i][j] twice.  */
static void
turns_meet_at_a_distance (void **state)
{
  (void) state;
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, ELSEWHERE + 8, AT (0, 8));
  assert_true (are_free ());
  assert_int_equal (look ().most, 5);
  assert_true (look ().are_most);

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 8, AT (ROW, 8));
  assert_false (are_free ());

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, -8, AT (ROW, 8));
  assert_false (are_free ());

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE | PG_REF_READ, 0, AT (ROW, 8));
  assert_true (are_free ());

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 4));
  assert_false (are_free ());

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 0));
  assert_false (are_free ());
}

/* Beyond the last turn there is nobody to meet; and the next row is the next iteration's.  */
static void
only_turns_of_one_iteration_count (void **state)
{
  (void) state;
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (5 * 8, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 5 * 8, AT (5 * 8, 8));
  assert_true (are_free ());

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (5 * 8, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 4 * 8, AT (5 * 8, 8));
  assert_false (are_free ());

  /* An element for each turn and outer iteration, whose places move with the iteration in different ways.  */
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (8, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 5 * 8, AT (16, 8));
  assert_true (are_free ());
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (8, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, -8, AT (16, 8));
  assert_false (are_free ());
}

/* Turns that have loops in them meet by these; 3 turns of the inner one need room.  */
static void
turns_meet_through_other_dimensions (void **state)
{
  (void) state;
  begin ();
  add (2, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 24, 8));
  assert_true (are_free ());

  begin ();
  add (2, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 16, 8));
  assert_false (are_free ());

  begin ();
  add (2, PG_KIR_IN_TURN, PG_REF_READ | PG_REF_WRITE, 0, AT (ROW, 0, 8));
  assert_false (are_free ());
}

static void
what_stands_outside_is_kept_apart (void **state)
{
  static const struct
  {
    int dim;
    uint8_t stand, flags;
    int64_t base, coef[4];
    bool is_free;
  } others[] = {
    { 0, PG_KIR_BEHIND, PG_REF_READ, 16, { ROW }, false },
    { 0, PG_KIR_BEHIND, PG_REF_READ, 5 * 8, { ROW }, true },
    { 0, PG_KIR_BEHIND, PG_REF_READ, ROW, { ROW }, true },
    { 0, PG_KIR_BEHIND, PG_REF_READ | PG_REF_WRITE, 5 * 8, { ROW }, true },
    { 0, PG_KIR_READ_BEFORE, PG_REF_READ, 0, { ROW }, false },
    { 0, PG_KIR_WRITTEN_BEFORE, PG_REF_WRITE, 0, { ROW }, false },
    { 0, PG_KIR_WRITTEN_BEFORE, PG_REF_WRITE, 5 * 8, { ROW }, true },
    { 0, PG_KIR_READ_BEFORE, PG_REF_READ | PG_REF_WRITE, 5 * 8, { ROW }, true },
    { 0, PG_KIR_READ_BEFORE | PG_KIR_WRITTEN_BEFORE, PG_REF_READ | PG_REF_WRITE, 5 * 8, { ROW }, false },
    { 0, PG_KIR_WRITTEN_BEFORE | PG_KIR_BEHIND, PG_REF_WRITE, 5 * 8, { ROW }, false },
    { 3, PG_KIR_BEHIND, PG_REF_READ, 5 * 8, { ROW, 0, 0, 8 }, true },
    { 3, PG_KIR_BEHIND, PG_REF_READ, 7 * 8, { ROW, 0, 0, -8 }, false },
    { 3, PG_KIR_IN_TURN, PG_REF_READ, 5 * 8, { ROW, 0, 0, 8 }, false },
  };
  (void) state;
  for (size_t o = 0; o < sizeof others / sizeof *others; o++)
    {
      begin ();
      add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
      add (others[o].dim, others[o].stand, others[o].flags, others[o].base, others[o].coef);
      if (are_free () != others[o].is_free)
	fail_msg ("number %zu", o);
    }
}

/* for (j = 0; j <= i - 3; j++) ... a[10 + j] = a[j]: of the last iteration's 7 turns, none gets to a[10].  */
static void
triangles_have_their_longest_row (void **state)
{
  (void) state;
  for (int distance = 5; distance < 10; distance++)
    {
      begin ();
      model.last_base[TURNS] = -3;
      model.last_coef[TURNS][0] = 1;
      add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 8 * distance, AT (ROW, 8));
      add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 0, AT (ROW, 8));
      assert_int_equal (are_free (), distance >= 7);
      assert_int_equal (look ().most, 7);
    }
}

/* What is opaque, in a loop without numbers, or not the region's, may be anywhere.  */
static void
what_is_not_known_is_not_free (void **state)
{
  struct pg_turns turns;
  (void) state;
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  add (0, PG_KIR_BEHIND, PG_REF_READ, ELSEWHERE, AT (0));
  assert_true (are_free ());
  model.ref_table[1].flags &= (uint8_t) ~PG_REF_AFFINE;
  assert_false (look ().are_free);

  begin ();
  add (0, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW));
  add (3, PG_KIR_BEHIND, PG_REF_READ, ELSEWHERE, AT (0, 0, 0, 8));
  assert_false (are_free ());
  assert_int_equal (look ().most, 0);
  assert_true (look ().are_most);

  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  assert_true (are_free ());
  stands[1] = PG_KIR_BEHIND;
  pg_turns_find (&turns, view, stands, 2);
  assert_false (turns.are_free);

  /* Nothing is written, but whose turns are they?  */
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 0, AT (ROW, 8));
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, ELSEWHERE, AT (ROW, 8));
  assert_true (are_free ());
  model.ref_table[1].flags &= (uint8_t) ~PG_REF_AFFINE;
  assert_false (look ().are_free);
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_READ, 0, AT (ROW, 8));
  add (3, PG_KIR_IN_TURN, PG_REF_READ, ELSEWHERE, AT (0, 0, 0, 8));
  assert_false (are_free ());
}

/* A nest does more elsewhere: 5 turns, and 4 in the other loop, twice.  */
static void
most_is_counted (void **state)
{
  (void) state;
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  add (3, PG_KIR_BEHIND, PG_REF_READ, ELSEWHERE, AT (0, 0, 0, 8));
  assert_true (are_free ());
  assert_true (look ().are_most);
  add (3, PG_KIR_BEHIND, PG_REF_READ, ELSEWHERE + 100, AT (0, 0, 0, 8));
  assert_true (are_free ());
  assert_false (look ().are_most);
}

/* The same for loops that are spread.  */
static bool
are_spread_free (void)
{
  uint32_t n = 0;
  while (model.refs[n].len != 0)
    {
      int dim = model.refs[n].dim;
      depths[n] = 0;
      for (; dim > 0; dim = model.dims[dim].parent)
	depths[n]++;
      n++;
    }
  model_describe (&model, 4, n);
  return look_spread ().are_free;
}

/* Dimension 2, in 1, and 3 beside it are spread: c[i][j] is accessed at j in both.  */
static void
spread_turns_have_their_own_parts (void **state)
{
  static const struct
  {
    int dim;
    uint8_t stand, flags;
    int64_t base, coef[4];
    bool is_free;
  } others[] = {
    { 3, PG_KIR_IN_TURN, PG_REF_WRITE, 0, { ROW, 0, 0, 8 }, true },
    { 3, PG_KIR_IN_TURN, PG_REF_WRITE, 8, { ROW, 0, 0, 8 }, false },
    { 3, PG_KIR_IN_TURN, PG_REF_WRITE, 0, { ROW, 0, 0, 16 }, false },
    { 3, PG_KIR_IN_TURN, PG_REF_WRITE, 2 * 8, { ROW, 0, 0, -8 }, false },
    { 3, PG_KIR_IN_TURN, PG_REF_WRITE, 0, { ROW + 8, 0, 0, 8 }, false },
    { 2, PG_KIR_IN_TURN, PG_REF_READ, 0, { ROW, 0, 8 }, true },
    { 2, PG_KIR_IN_TURN, PG_REF_READ, 0, { ROW, 8, 8 }, false },
    { 2, PG_KIR_IN_TURN, PG_REF_READ, 0, { ROW, 0, 0 }, false },
    { 2, PG_KIR_IN_TURN, PG_REF_READ, ELSEWHERE, { 0, 8, 0 }, true },
    { 1, PG_KIR_READ_BEFORE, PG_REF_READ, 8, { ROW, 0 }, false },
    { 1, PG_KIR_READ_BEFORE, PG_REF_READ, 8 * 8, { ROW, 8 }, true },
    { 2, PG_KIR_IN_TURN | PG_KIR_READ_BEFORE, PG_REF_READ, 0, { ROW, 0, 8 }, false },
  };
  (void) state;
  for (size_t o = 0; o < sizeof others / sizeof *others; o++)
    {
      begin ();
      add (2, PG_KIR_IN_TURN, PG_REF_READ | PG_REF_WRITE, 0, AT (ROW, 0, 8));
      assert_true (are_spread_free ());
      assert_int_equal (look_spread ().most, 3);
      add (others[o].dim, others[o].stand, others[o].flags, others[o].base, others[o].coef);
      if (are_spread_free () != others[o].is_free)
	fail_msg ("number %zu", o);
    }
  /* What accesses it is in a loop within that which it moves on with.  */
  begin ();
  add (TURNS, PG_KIR_IN_TURN, PG_REF_WRITE, 0, AT (ROW, 8));
  assert_true (are_spread_free ());
  depths[0] = 2;
  assert_false (look_spread ().are_free);
  /* And what is not the region's is not known.  */
  struct pg_turns turns;
  depths[0] = 1;
  stands[1] = PG_KIR_READ_BEFORE;
  pg_turns_find_spread (&turns, view, stands, depths, 2);
  assert_false (turns.are_free);
}

/* ---- at random */

/* Who has touched a byte in this iteration.  */
struct touched
{
  int64_t iter;
  int64_t turn; /* the first one */
  bool by_turn, by_several, is_written, is_read_before, is_written_before;
  bool before, behind;
};

static struct
{
  int64_t numbers[PG_MAX_DIMS];
  struct touched bytes[MODEL_MEMORY];
  bool is_spread, is_free;
} oracle_of_turns;

static void
note (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  uint8_t flags = model.refs[ref].flags, stand = stands[ref];
  (void) ctx;
  for (int64_t i = 0; i < len; i++)
    {
      struct touched *touched = &oracle_of_turns.bytes[address + i - model.memory];
      int64_t turn = oracle_of_turns.numbers[oracle_of_turns.is_spread ? model.refs[ref].dim : TURNS];
      if (touched->iter != iter + 1)
	*touched = (struct touched) { .iter = iter + 1, .turn = turn };
      bool in_turn = stand & PG_KIR_IN_TURN;
      touched->by_several |= in_turn && touched->by_turn && touched->turn != turn;
      if (in_turn && !touched->by_turn)
	touched->turn = turn;
      touched->by_turn |= in_turn;
      touched->before |= (stand & (PG_KIR_READ_BEFORE | PG_KIR_WRITTEN_BEFORE)) != 0;
      touched->behind |= (stand & PG_KIR_BEHIND) != 0;
      touched->is_read_before |= (stand & PG_KIR_READ_BEFORE) != 0;
      touched->is_written_before |= (stand & PG_KIR_WRITTEN_BEFORE) != 0;
      touched->is_written |= (flags & PG_REF_WRITE) != 0;
      if (touched->is_written
	  && (touched->by_several || touched->by_turn + touched->before + touched->behind > 1
	      || (touched->is_read_before && touched->is_written_before)))
	oracle_of_turns.is_free = false;
    }
}

/* A nest with turns, perhaps loops in and beside them, and references before, in and behind.  */
static void
random_nest (bool is_plain)
{
  uint64_t random = model.random;
  memset (&model, 0, offsetof (struct model, memory));
  model.random = random;
  uint32_t n_dims = (uint32_t) model_pick (&model, 2, 4), n_refs = (uint32_t) model_pick (&model, 1, 4);
  model.n_iters = model_pick (&model, 1, 6);
  model.dims[0].parent = -1;
  for (int d = 1; d < (int) n_dims; d++)
    {
      model.dims[d].parent = (int16_t) (d == 1 ? 0 : model_pick (&model, 0, 1));
      model.last_base[d] = model_pick (&model, is_plain ? 0 : -1, 4);
      model.last_coef[d][0] = is_plain ? 0 : model_pick (&model, -1, 1);
    }
  int64_t slope[PG_MAX_DIMS];
  for (uint32_t d = 0; d < n_dims; d++)
    slope[d] = (int64_t) 1 << model_pick (&model, 0, 6);
  for (uint32_t r = 0; r < n_refs; r++)
    {
      struct model_ref *ref = &model.refs[r];
      *ref = (struct model_ref) { .feed = -1, .dim = (int) model_pick (&model, 0, n_dims - 1) };
      ref->len = (int64_t) 1 << model_pick (&model, 0, 3);
      ref->base = model_pick (&model, 0, 60);
      for (int d = ref->dim; d >= 0; d = model.dims[d].parent)
	ref->coef[d] = model_pick (&model, 0, 3) ? slope[d] : model_pick (&model, -30, 40);
      ref->flags = (uint8_t) model_pick (&model, 1, 3);
      bool in_turn = ref->dim == TURNS || model.dims[ref->dim].parent == TURNS;
      uint8_t before
	= (ref->flags & PG_REF_READ ? PG_KIR_READ_BEFORE : 0) | (ref->flags & PG_REF_WRITE ? PG_KIR_WRITTEN_BEFORE : 0);
      stands[r] = in_turn ? PG_KIR_IN_TURN : model_pick (&model, 0, 1) ? before : PG_KIR_BEHIND;
    }
  model_describe (&model, n_dims, n_refs);
}

/* A nest whose innermost loops are spread, and references in them, and reads elsewhere.  */
static void
random_spread (void)
{
  uint64_t random = model.random;
  bool is_inner[4] = { false, true, true, true };
  memset (&model, 0, offsetof (struct model, memory));
  model.random = random;
  uint32_t n_dims = (uint32_t) model_pick (&model, 3, 4), n_refs = (uint32_t) model_pick (&model, 1, 4);
  model.n_iters = model_pick (&model, 1, 4);
  model.dims[0].parent = -1;
  for (int d = 1; d < (int) n_dims; d++)
    {
      model.dims[d].parent = (int16_t) model_pick (&model, 0, d - 1);
      is_inner[model.dims[d].parent] = false;
      model.last_base[d] = model_pick (&model, -1, 4);
      model.last_coef[d][0] = model_pick (&model, -1, 1);
    }
  for (uint32_t r = 0; r < n_refs; r++)
    {
      struct model_ref *ref = &model.refs[r];
      *ref = (struct model_ref) { .feed = -1, .dim = (int) model_pick (&model, 0, n_dims - 1) };
      ref->len = (int64_t) 1 << model_pick (&model, 0, 3);
      ref->base = model_pick (&model, 0, 3) ? 0 : model_pick (&model, 0, 60);
      for (int d = ref->dim; d >= 0; d = model.dims[d].parent)
	ref->coef[d] = model_pick (&model, 0, 5) == 0 ? model_pick (&model, -20, 30)
		       : d == 0                       ? 40
		       : d == ref->dim                ? 8
						      : 0;
      ref->flags = (uint8_t) (is_inner[ref->dim] ? model_pick (&model, 1, 3) : PG_REF_READ);
      stands[r] = is_inner[ref->dim] ? PG_KIR_IN_TURN : PG_KIR_READ_BEFORE;
      depths[r] = 0;
      for (int d = ref->dim; d > 0; d = model.dims[d].parent)
	depths[r]++;
    }
  model_describe (&model, n_dims, n_refs);
}

/* Whether the turns of the nest, number T, are said to be free; then they are, as the oracle sees.  */
static bool
said_of_nest (int t)
{
  int64_t *numbers = oracle_of_turns.numbers;
  memset (oracle_of_turns.bytes, 0, sizeof oracle_of_turns.bytes);
  oracle_of_turns.is_free = true;
  memset (numbers, 0, sizeof oracle_of_turns.numbers);
  for (numbers[0] = 0; numbers[0] < model.n_iters; numbers[0]++)
    model_body (&model, 0, numbers, false, note, NULL);
  bool said = (oracle_of_turns.is_spread ? look_spread () : look ()).are_free;
  if (said && !oracle_of_turns.is_free)
    fail_msg ("nest %d: its turns meet", t);
  return said;
}

static void
free_spread_turns_never_meet (void **state)
{
  int n_free = 0, n_several = 0;
  (void) state;
  model.random = 0x243f6a8885a308d3;
  oracle_of_turns.is_spread = true;
  for (int t = 0; t < N_RANDOM; t++)
    {
      random_spread ();
      bool said = said_of_nest (t);
      n_free += said;
      n_several += said && model.region.n_refs > 1;
    }
  oracle_of_turns.is_spread = false;
  assert_in_range (n_free, N_RANDOM / 10, N_RANDOM);
  assert_in_range (n_several, N_RANDOM / 20, N_RANDOM);
}

static void
free_turns_never_meet (void **state)
{
  int n_free = 0, n_missed = 0, n_plain = 0;
  (void) state;
  model.random = 0x13198a2e03707344;
  for (int t = 0; t < N_RANDOM; t++)
    {
      bool is_plain = t % 2 == 0;
      random_nest (is_plain);
      bool said = said_of_nest (t);
      n_free += said;
      n_plain += is_plain;
      n_missed += is_plain && !said && oracle_of_turns.is_free;
    }
  assert_in_range (n_free, N_RANDOM / 10, N_RANDOM);
  assert_in_range (n_missed, 0, n_plain / 20);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (turns_meet_at_a_distance),
    cmocka_unit_test (only_turns_of_one_iteration_count),
    cmocka_unit_test (turns_meet_through_other_dimensions),
    cmocka_unit_test (what_stands_outside_is_kept_apart),
    cmocka_unit_test (triangles_have_their_longest_row),
    cmocka_unit_test (what_is_not_known_is_not_free),
    cmocka_unit_test (most_is_counted),
    cmocka_unit_test (free_turns_never_meet),
    cmocka_unit_test (spread_turns_have_their_own_parts),
    cmocka_unit_test (free_spread_turns_never_meet),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
