/* SPDX-License-Identifier: MIT
   What numbers say of pairs of references, against all of their accesses, counted out: on random nests, and on narrow
   ones, whose numbers have hardly any room, though what they access is near.  These are of this form, where k's loop
   runs once, in the last turn of j's or in the first, so that all is at X + s * i, whatever S is:

       for (i < n) for (j <= P * i + M) for (k <= j - P * i - M)    X + s * i + S * (P * i + M - j + k)
				        for (k <= -j)		    X + s * i + S * (j + k)  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "footprint.h"
#include "loop-model.h"

#define N_RANDOM 10000
#define MUCH_EFFORT (1 << 20)

enum
{
  MOST_ACCESSES = 4096, /* of a reference */
  TURNS = 1,            /* dimensions of a narrow nest */
  IN_LAST_TURN = 2,
  IN_FIRST_TURN = 3
};

static struct model model;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static void
evaluate (void)
{
  assert_in_range (pg_view_len (&model.region), 1, sizeof view_memory);
  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
}

/* ---- counting */

struct access
{
  int64_t iter, turn; /* of the loop directly in the region's */
  __int128 at;
};

static struct
{
  int n;
  struct access list[MOST_ACCESSES];
} accesses[MODEL_REFS];

static __int128
sum (int64_t base, const int64_t *coef, const int64_t *numbers)
{
  __int128 total = base;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    total += (__int128) coef[d] * numbers[d];
  return total;
}

/* The dimension directly in the region's loop that reference R is in, or 0.  */
static int
top_of (int r)
{
  int d = model.refs[r].dim;
  while (d > 0 && model.dims[d].parent > 0)
    d = model.dims[d].parent;
  return d;
}

/* Note what reference R accesses in the turns of the LEFT loops of PATH, outermost last, where the others' are in
   NUMBERS.  */
static void
collect (int r, const int *path, int left, int64_t *numbers)
{
  const struct model_ref *ref = &model.refs[r];
  if (left == 0)
    {
      assert_in_range (accesses[r].n, 0, MOST_ACCESSES - 1);
      accesses[r].list[accesses[r].n++]
	= (struct access) { numbers[0], numbers[top_of (r)], sum (ref->base, ref->coef, numbers) };
      return;
    }
  int d = path[left - 1];
  __int128 last = d == 0 ? model.n_iters - 1 : sum (model.last_base[d], model.last_coef[d], numbers);
  if (last < 0 && (model.dims[d].flags & PG_DIM_ONCE))
    last = 0;
  for (numbers[d] = 0; numbers[d] <= last; numbers[d]++)
    collect (r, path, left - 1, numbers);
  numbers[d] = 0;
}

static void
collect_all (void)
{
  for (int r = 0; r < (int) model.region.n_refs; r++)
    {
      int path[PG_MAX_DIMS], n = 0;
      int64_t numbers[PG_MAX_DIMS] = { 0 };
      for (int d = model.refs[r].dim; d >= 0; d = model.dims[d].parent)
	path[n++] = d;
      accesses[r].n = 0;
      collect (r, path, n, numbers);
    }
}

/* Where two references meet.  */
struct meets
{
  bool in_iteration, in_turns, in_others;
};

/* Where references A and B meet, in iterations of [LO, HI).  */
static struct meets
count_out (uint32_t a, uint32_t b, int64_t lo, int64_t hi)
{
  struct meets meets = { false, false, false };
  for (const struct access *x = accesses[a].list; x < accesses[a].list + accesses[a].n; x++)
    for (const struct access *y = accesses[b].list; y < accesses[b].list + accesses[b].n; y++)
      {
	bool are_in = lo <= x->iter && x->iter < hi && lo <= y->iter && y->iter < hi;
	if (!are_in || x->at >= y->at + model.refs[b].len || y->at >= x->at + model.refs[a].len)
	  continue;
	meets.in_iteration |= x->iter == y->iter;
	meets.in_turns |= x->iter == y->iter && x->turn != y->turn;
	meets.in_others |= x->iter != y->iter;
      }
  return meets;
}

/* ---- what is said, and what is so */

enum question
{
  APART_IN_ITERATION,
  APART_IN_TURNS,
  FREE,
  SETTLED,
  NEVER_MEETS,
  N_QUESTIONS
};

static struct
{
  int n_true, n_said;
} answers[N_QUESTIONS];

static void
note (enum question question, bool is_said, bool is_true)
{
  assert_true (is_true || !is_said);
  answers[question].n_said += is_said;
  answers[question].n_true += is_true;
}

static bool
is_stale (uint32_t a, uint32_t b)
{
  uint8_t flags_a = model.ref_table[a].flags, flags_b = model.ref_table[b].flags;
  bool first = (flags_a & PG_REF_FEEDS) && (flags_b & PG_REF_WRITE);
  bool second = (flags_b & PG_REF_FEEDS) && (flags_a & PG_REF_WRITE);
  return !(model.region.flags & PG_REGION_SLICE_STABLE) && (first || second);
}

/* Ask all about references A and B, of iterations [LO, HI) where that may be asked.  */
static void
ask (uint32_t a, uint32_t b, int64_t lo, int64_t hi)
{
  struct meets all = count_out (a, b, 0, model.n_iters), some = count_out (a, b, lo, hi);
  int64_t effort = MUCH_EFFORT;
  int top = top_of ((int) a);
  note (APART_IN_ITERATION, pg_pair_apart_in_iteration (view, a, b), !all.in_iteration);
  if (top > 0 && top == top_of ((int) b))
    note (APART_IN_TURNS, pg_pair_apart_in_turns (view, a, b, top), !all.in_turns);
  note (FREE, pg_pair_is_free (view, a, b, lo, hi), !some.in_others);
  note (SETTLED, pg_pair_settled (view, a, b, lo, hi), !some.in_others && !(is_stale (a, b) && some.in_iteration));
  if (view->places[a].is_affine && view->places[b].is_affine)
    note (NEVER_MEETS, pg_pair_never_meets (view, a, b, lo, hi, &effort), !some.in_others);
}

/* May what reference R reads, from one place, be overwritten?  */
static bool
is_overwritten (uint32_t r)
{
  bool moves = false;
  for (int d = 0; d < PG_MAX_DIMS; d++)
    moves |= model.refs[r].coef[d] != 0;
  for (uint32_t b = 0; b < model.region.n_refs && !moves && (model.ref_table[r].flags & PG_REF_FEEDS); b++)
    {
      struct meets meets = count_out (r, b, 0, model.n_iters);
      if ((model.ref_table[b].flags & PG_REF_WRITE) && (meets.in_iteration || meets.in_others))
	return true;
    }
  return false;
}

/* Ask all about the model.  */
static void
ask_all (void)
{
  bool is_conflict = false, may_change = false;
  int64_t lo = model_pick (&model, 0, model.n_iters - 1), hi = model_pick (&model, lo + 1, model.n_iters);
  evaluate ();
  collect_all ();
  for (uint32_t a = 0; a < model.region.n_refs; a++)
    {
      may_change |= is_overwritten (a);
      for (uint32_t b = 0; b < model.region.n_refs; b++)
	{
	  ask (a, b, lo, hi);
	  is_conflict |= pg_pair_matters (view, a, b) && count_out (a, b, 0, model.n_iters).in_others;
	}
    }
  if (!(model.region.flags & PG_REGION_SLICE_STABLE))
    assert_true (pg_numbers_may_change (view) || !may_change);
  view->effort = MUCH_EFFORT;
  enum pg_l1 verdict = pg_l1_check (view);
  assert_true (is_conflict ? verdict == PG_L1_CONFLICT || verdict == PG_L1_UNSETTLED : verdict != PG_L1_CONFLICT);
}

/* ---- nests */

static void
begin (int64_t n_iters)
{
  uint64_t random = model.random;
  memset (&model, 0, offsetof (struct model, memory));
  model.random = random;
  model.n_iters = n_iters;
  model.dims[0].parent = -1;
}

static uint8_t
random_flags (void)
{
  static const uint8_t flags[] = { PG_REF_READ, PG_REF_WRITE, PG_REF_READ | PG_REF_WRITE, PG_REF_READ | PG_REF_FEEDS,
				   PG_REF_READ | PG_REF_WRITE | PG_REF_FEEDS };
  return flags[model_pick (&model, 0, 4)];
}

/* A nest of loops, as deep as can be or less, with references of random shape.  Where it IS_PLAIN, all of them run, and
   no trip count depends on another loop.  */
static void
random_nest (bool is_plain)
{
  begin (model_pick (&model, 1, 5));
  uint32_t n_dims = (uint32_t) model_pick (&model, 1, PG_MAX_DIMS / 2), n_refs = (uint32_t) model_pick (&model, 1, 3);
  int64_t slope[PG_MAX_DIMS];
  for (uint32_t d = 0; d < n_dims; d++)
    slope[d] = (int64_t) 1 << model_pick (&model, 0, 6);
  for (int d = 1; d < (int) n_dims; d++)
    {
      model.dims[d].parent
	= (int16_t) model_pick (&model, d > 3 ? 1 : 0, (d < PG_MAX_DEPTH ? d : PG_MAX_DEPTH - 1) - 1);
      model.dims[d].flags = model_pick (&model, 0, 2) == 0 ? PG_DIM_ONCE : 0;
      model.last_base[d] = model_pick (&model, is_plain ? 0 : -1, d < 3 ? 2 : 1);
      for (int outer = model.dims[d].parent; outer >= 0 && d < 3 && !is_plain; outer = model.dims[outer].parent)
	model.last_coef[d][outer] = model_pick (&model, -1, 1);
    }
  for (uint32_t r = 0; r < n_refs; r++)
    {
      struct model_ref *ref = &model.refs[r];
      *ref = (struct model_ref) { .dim = (int) model_pick (&model, 0, n_dims - 1), .feed = -1 };
      ref->len = (int64_t) 1 << model_pick (&model, 0, 3);
      ref->base = model_pick (&model, 0, 200);
      ref->flags = random_flags ();
      for (int d = ref->dim; d >= 0; d = model.dims[d].parent)
	ref->coef[d] = model_pick (&model, 0, 3) ? slope[d] : model_pick (&model, -20, 30);
      if (model_pick (&model, 0, 3) == 0)
	memset (ref->coef, 0, sizeof ref->coef);
    }
  model.region.flags = model_pick (&model, 0, 1) ? PG_REGION_SLICE_STABLE : 0;
  model_describe (&model, n_dims, n_refs);
}

/* Begin a narrow nest with P and M.  */
static void
begin_narrow (int64_t n_iters, int64_t p, int64_t m)
{
  begin (n_iters);
  model.last_base[TURNS] = m;
  model.last_coef[TURNS][0] = p;
  model.dims[IN_LAST_TURN].parent = model.dims[IN_FIRST_TURN].parent = TURNS;
  model.last_base[IN_LAST_TURN] = -m;
  model.last_coef[IN_LAST_TURN][0] = -p;
  model.last_coef[IN_LAST_TURN][TURNS] = 1;
  model.last_coef[IN_FIRST_TURN][TURNS] = -1;
}

/* Add to it a reference to bytes at NEAR, STEP bytes further in each iteration, in DIM, with FAR for S.  */
static void
add_narrow (int dim, uint8_t flags, int64_t near, int64_t step, int64_t far)
{
  int r = 0;
  while (model.refs[r].len != 0)
    r++;
  struct model_ref *ref = &model.refs[r];
  *ref = (struct model_ref) { .dim = dim, .base = near, .coef = { step }, .len = 4, .flags = flags, .feed = -1 };
  if (dim == IN_LAST_TURN)
    {
      ref->base += far * model.last_base[TURNS];
      ref->coef[0] += far * model.last_coef[TURNS][0];
      ref->coef[TURNS] = -far;
    }
  else if (dim == IN_FIRST_TURN)
    ref->coef[TURNS] = far;
  if (dim > TURNS)
    ref->coef[dim] = far;
  model.region.n_nodes = 0;
  model_describe (&model, 4, (uint32_t) r + 1);
}

/* A narrow nest: most are near the model's memory, some where no place may be further up or down.  */
static void
random_narrow_nest (void)
{
  const int64_t highest = PG_LINE_LIMIT - (int64_t) (intptr_t) (model.memory + MODEL_ORIGIN) - 64;
  int64_t p = model_pick (&model, 0, 2), m = model_pick (&model, 0, 2), where = model_pick (&model, -2, 2);
  where = where == 2 ? highest : where == -2 ? -highest : 0;
  begin_narrow (model_pick (&model, 1, 6), p, m);
  model.region.flags = model_pick (&model, 0, 1) ? PG_REGION_SLICE_STABLE : 0;
  for (int r = (int) model_pick (&model, 1, 3); r > 0; r--)
    {
      int dim = (int) model_pick (&model, 1, 3);
      int64_t step = model_pick (&model, 0, 1) ? 8 : model_pick (&model, -2, 2);
      int64_t far = (int64_t) 1 << model_pick (&model, model_pick (&model, 0, 1) ? 57 : 0, p > 1 || m > 1 ? 61 : 62);
      add_narrow (dim == TURNS ? 0 : dim, random_flags (), where + model_pick (&model, 0, 40), step,
		  model_pick (&model, 0, 1) ? far : -far);
    }
}

/* Have what is asked about be said often enough, if it is so: LEAST of 100 times.  */
static void
assert_said (int least)
{
  for (int q = 0; q < N_QUESTIONS; q++)
    {
      assert_in_range (answers[q].n_true, N_RANDOM / 2, INT32_MAX);
      assert_in_range (answers[q].n_said, answers[q].n_true / 100 * least, answers[q].n_true);
    }
}

static void
pairs_of_nests_agree_with_counting (void **state)
{
  (void) state;
  for (int is_plain = 0; is_plain < 2; is_plain++)
    {
      memset (answers, 0, sizeof answers);
      model.random = 0x243f6a8885a308d3;
      for (int t = 0; t < N_RANDOM; t++)
	{
	  random_nest (is_plain);
	  ask_all ();
	}
      assert_said (is_plain ? 99 : 97);
    }
}

static void
pairs_of_narrow_nests_agree_with_counting (void **state)
{
  (void) state;
  memset (answers, 0, sizeof answers);
  model.random = 0x3f84d5b5b5470917;
  for (int t = 0; t < N_RANDOM; t++)
    {
      random_narrow_nest ();
      ask_all ();
    }
  assert_said (80);
}

/* ---- by hand */

/* Two references that always meet, whose bases, steps or turns' steps are so far from each other that the difference
   says nothing; or so near that it does.  */
static void
differences_that_do_not_fit_show_nothing (void **state)
{
  static const struct
  {
    int64_t p, m;
    int dim;
  } cases[] = { { 1, 2, IN_LAST_TURN }, { 1, 0, IN_LAST_TURN }, { 0, 1, IN_FIRST_TURN } };
  (void) state;
  model.random = 0x9216d5d98979fb1b;
  for (int c = 0; c < 3; c++)
    for (int size = 10; size <= (cases[c].m == 2 ? 61 : 62); size++)
      for (int sign = -1; sign <= 1; sign += 2)
	{
	  int64_t far = sign * ((int64_t) 1 << size);
	  begin_narrow (4, cases[c].p, cases[c].m);
	  add_narrow (cases[c].dim, PG_REF_READ | PG_REF_FEEDS, 8, 0, far);
	  add_narrow (cases[c].dim, PG_REF_WRITE, 8, 0, -far);
	  ask_all ();
	  assert_true (view->places[0].is_affine && view->places[1].is_affine);
	  assert_false (pg_pair_apart_in_iteration (view, 0, 1));
	  assert_false (pg_pair_is_free (view, 0, 1, 0, 4));
	  assert_false (pg_pair_settled (view, 0, 1, 0, 4));
	}
}

/* The same with addresses of which the smallest number there is, times the iteration, is a part.  The loops around them
   run for very long, so nobody counts.  */
static void
the_smallest_number_is_a_step_as_others (void **state)
{
  const int64_t seventh = INT64_MAX / 7;
  (void) state;
  model.random = 0x2ffd72dbd01adfb7;
  begin_narrow (2, seventh, 0);
  add_narrow (0, PG_REF_WRITE, 7, -1, 0);
  add_narrow (IN_LAST_TURN, PG_REF_READ, 8, INT64_MIN, 0); /* it moves by -1, as 7 times a seventh is the largest */
  model.refs[0].len = model.refs[1].len = 1;
  model.refs[1].coef[TURNS] = 7;
  model.refs[1].coef[IN_LAST_TURN] = -7;
  model.region.n_nodes = 0;
  model_describe (&model, 4, 2);
  evaluate ();
  assert_true (view->places[1].is_affine);
  assert_int_equal (view->places[1].window.low.step, -1);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
  assert_false (pg_pair_is_free (view, 0, 1, 0, 2));
  assert_false (pg_pair_is_free (view, 1, 0, 0, 2));
}

/* Make loop DIM of the model one of which nobody knows how often it runs.  */
static void
forget_trips (int dim)
{
  uint32_t n = model.region.n_nodes++;
  model.args.values[n] = -1;
  model.nodes[n]
    = (struct pg_node) { .op = PG_NODE_ARG, .size = 8, .value = (char *) &model.args.values[n] - (char *) &model.args };
  model.dims[dim].last.base = (int16_t) n;
}

/* for (i < 5) for (j <= m) for (k <= 8 - j) ... a[i * STEP + j + k]: whatever m is, that is within 8 elements of
   a[i * STEP], but nobody knows how much of it is.  */
static void
loops_without_end_show_no_more_than_bounds (void **state)
{
  (void) state;
  model.random = 0xb8e1afed6a267e96;
  for (int64_t step = 0; step <= 10; step++)
    {
      begin (5);
      model.last_base[1] = model.last_base[2] = 8;
      model.last_coef[2][1] = -1;
      model.dims[2].parent = 1;
      for (int r = 0; r < 2; r++)
	model.refs[r] = (struct model_ref) { .dim = 2, .base = r, .coef = { step, 1, 1 }, .len = 1, .feed = -1 };
      model.refs[0].flags = PG_REF_WRITE;
      model.refs[1].flags = PG_REF_READ;
      model_describe (&model, 3, 2);
      forget_trips (1);
      ask_all ();
      assert_true (view->places[0].is_affine && !view->levels[1].is_bounded && !view->levels[2].is_bounded);
      assert_int_equal (pg_pair_is_free (view, 0, 0, 0, 5), step >= 9);
      assert_false (pg_pair_apart_in_iteration (view, 0, 1) || pg_pair_apart_in_turns (view, 0, 1, 1));
    }
}

/* for (i < 10) for (j <= m) x = f (x): iterations conflict if m is known not to be below zero.  */
static void
loops_that_may_not_run_conflict_with_nobody_for_certain (void **state)
{
  (void) state;
  model.random = 0xba7c9045f12c7f99;
  for (int is_known = 0; is_known < 2; is_known++)
    {
      begin (10);
      model.last_base[1] = 3;
      model.refs[0] = (struct model_ref) { .dim = 1, .len = 1, .flags = PG_REF_READ | PG_REF_WRITE, .feed = -1 };
      model_describe (&model, 2, 1);
      if (!is_known)
	forget_trips (1);
      evaluate ();
      assert_int_equal (pg_l1_check (view), is_known ? PG_L1_CONFLICT : PG_L1_UNSETTLED);
    }
}

/* Iterations that all meet conflict with their neighbours; but where the numbers of the last ones have no room, that is
   not known.  */
static void
neighbours_whose_numbers_do_not_fit_are_not_known (void **state)
{
  (void) state;
  model.random = 0x858efc16636920d8;
  for (int p = 1; p <= 2; p++)
    for (int size = 10; size <= 61; size++)
      {
	int64_t m = 4 - 2 * p, far = (int64_t) 1 << size, sum;
	begin_narrow (5, p, m);
	add_narrow (IN_LAST_TURN, PG_REF_WRITE, 0, 0, far);
	add_narrow (IN_LAST_TURN, PG_REF_READ, 0, 0, far);
	bool has_room = !__builtin_mul_overflow (m + 4 * p, far, &sum);
	ask_all ();
	assert_int_equal (pg_l1_check (view), has_room ? PG_L1_CONFLICT : PG_L1_UNSETTLED);
      }
}

/* for (i < 5) for (j < 5) for (k <= FIRST + j * MORE) x = f (x): so it is where k's trip count has no room.  */
static void
neighbours_whose_trips_do_not_fit_are_not_known (void **state)
{
  (void) state;
  model.random = 0x71574e69a458fea3;
  for (int size_first = 0; size_first < 63; size_first++)
    for (int size_more = 0; size_more < 63; size_more++)
      {
	int64_t first = (int64_t) 1 << size_first, more = (int64_t) 1 << size_more, last;
	begin (5);
	model.dims[2].parent = 1;
	model.last_base[1] = 4;
	model.last_base[2] = first;
	model.last_coef[2][1] = more;
	model.refs[0] = (struct model_ref) { .dim = 2, .len = 1, .flags = PG_REF_READ | PG_REF_WRITE, .feed = -1 };
	model_describe (&model, 3, 1);
	bool has_room = !__builtin_mul_overflow (4, more, &last) && !__builtin_add_overflow (first, last, &last);
	evaluate ();
	assert_int_equal (pg_l1_check (view), has_room ? PG_L1_CONFLICT : PG_L1_UNSETTLED);
      }
}

/* From one end of where places may be to the other, in one iteration: there it meets what the other one reads.  */
static void
neighbours_may_be_far_from_each_other (void **state)
{
  const int64_t here = (int64_t) (intptr_t) (model.memory + MODEL_ORIGIN);
  (void) state;
  model.random = 0x0d95748f728eb658;
  for (int is_up = 0; is_up < 2; is_up++)
    for (int at = -8; at <= 8; at++)
      {
	const int64_t low = -PG_LINE_LIMIT - here + 8, high = PG_LINE_LIMIT - here - 16;
	begin_narrow (2, 0, 0);
	add_narrow (0, PG_REF_WRITE, is_up ? low : high, is_up ? high - low : low - high, 0);
	add_narrow (0, PG_REF_READ, (is_up ? high : low) + at, 0, 0);
	ask_all ();
	assert_true (view->places[0].is_affine && view->places[1].is_affine);
	evaluate ();
	assert_int_equal (pg_l1_check (view) == PG_L1_CONFLICT, -4 < at && at < 4);
      }
}

/* Of references that are opaque, nothing is shown, whichever of two it is.  */
static void
opaque_references_may_be_anywhere (void **state)
{
  (void) state;
  model.random = 0x24a19947b3916cf7;
  for (int opaque = 0; opaque < 2; opaque++)
    {
      begin (10);
      model.last_base[1] = 3;
      for (int r = 0; r < 2; r++)
	model.refs[r] = (struct model_ref) { .dim = 1, .base = 1000 * r, .coef = { 4, 1 }, .len = 1, .feed = -1 };
      model.refs[0].flags = PG_REF_WRITE;
      model.refs[1].flags = PG_REF_READ;
      model_describe (&model, 2, 2);
      evaluate ();
      assert_true (pg_pair_apart_in_iteration (view, 0, 1) && pg_pair_apart_in_turns (view, 0, 1, 1));
      assert_true (pg_pair_settled (view, 0, 1, 0, 10) && pg_pair_is_free (view, 0, 1, 0, 10));
      model.ref_table[opaque].flags &= (uint8_t) ~PG_REF_AFFINE;
      evaluate ();
      assert_false (pg_pair_apart_in_iteration (view, 0, 1) || pg_pair_apart_in_turns (view, 0, 1, 1));
      assert_false (pg_pair_settled (view, 0, 1, 0, 10) || pg_pair_is_free (view, 0, 1, 0, 10));
    }
}

/* for (i < 10) { x = p[i]; p[i] = g (x); y[i] = q[i]; } and q is p: what the monitor reads early may have been written,
   but for others that only read there, an iteration is as good as any.  */
static void
updates_make_stale_what_feeds_and_nothing_else (void **state)
{
  const uint8_t update = PG_REF_READ | PG_REF_WRITE;
  (void) state;
  model.random = 0x0801f2e2858efc16;
  for (int other = 0; other < 2; other++)
    {
      begin (10);
      for (int r = 0; r < 2; r++)
	model.refs[r] = (struct model_ref) { .coef = { 4 }, .len = 4, .flags = PG_REF_READ, .feed = -1 };
      model.refs[!other].flags = update | PG_REF_FEEDS;
      model_describe (&model, 1, 2);
      ask_all ();
      assert_true (pg_pair_settled (view, 0, 1, 0, 10));
      assert_false (pg_pair_settled (view, (uint32_t) !other, (uint32_t) !other, 0, 10));
    }
}

/* for (i < 10) { n = *p; y = *q; a[i] = ...; }, p being one of the numbers that the entry goes by: they change if p
   is an element that is written.  Nothing is computed from what is read at addresses that nobody knows, or at one in
   each iteration.  */
static void
numbers_change_if_they_are_written (void **state)
{
  static const struct
  {
    int64_t p, step;
    bool is_opaque, may_change;
  } cases[] = { { -8, 0, false, false }, { 0, 0, false, true }, { 36, 0, false, true },
		{ 40, 0, false, false }, { 0, 0, true, false }, { 0, 4, false, false } };
  (void) state;
  model.random = 0x636920d871574e69;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      begin (10);
      for (int r = 0; r < 3; r++)
	model.refs[r] = (struct model_ref) { .len = 4, .flags = PG_REF_READ, .feed = -1 };
      model.refs[0].flags |= PG_REF_FEEDS;
      model.refs[0].base = cases[c].p;
      model.refs[0].coef[0] = cases[c].step;
      model.refs[2].flags = PG_REF_WRITE;
      model.refs[2].coef[0] = 4;
      model_describe (&model, 1, 3);
      if (cases[c].is_opaque)
	model.ref_table[0].flags &= (uint8_t) ~PG_REF_AFFINE;
      evaluate ();
      assert_int_equal (pg_numbers_may_change (view), cases[c].may_change);
    }
}

/* for (i < 1) { n = *p; for (j < n) a[j] = b[j]; *q = ...; }, n being 0 on entry: the one iteration may change it if q
   is p, and then nobody knows how far a and b reach.  */
static void
one_iteration_may_change_its_numbers (void **state)
{
  (void) state;
  model.random = 0x9e3779b97f4a7c15;
  for (int is_stale = 0; is_stale < 2; is_stale++)
    {
      begin (1);
      for (int r = 0; r < 2; r++)
	model.refs[r] = (struct model_ref) { .len = 4, .flags = PG_REF_READ, .feed = -1 };
      model.refs[0].flags |= PG_REF_FEEDS;
      model.refs[1].flags = PG_REF_WRITE;
      model.refs[1].base = is_stale ? 0 : 400;
      model_describe (&model, 1, 2);
      evaluate ();
      assert_int_equal (pg_l1_check (view), is_stale ? PG_L1_CLEAN : PG_L1_DISJOINT);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (pairs_of_nests_agree_with_counting),
    cmocka_unit_test (pairs_of_narrow_nests_agree_with_counting),
    cmocka_unit_test (differences_that_do_not_fit_show_nothing),
    cmocka_unit_test (the_smallest_number_is_a_step_as_others),
    cmocka_unit_test (loops_without_end_show_no_more_than_bounds),
    cmocka_unit_test (loops_that_may_not_run_conflict_with_nobody_for_certain),
    cmocka_unit_test (neighbours_whose_numbers_do_not_fit_are_not_known),
    cmocka_unit_test (neighbours_whose_trips_do_not_fit_are_not_known),
    cmocka_unit_test (neighbours_may_be_far_from_each_other),
    cmocka_unit_test (opaque_references_may_be_anywhere),
    cmocka_unit_test (updates_make_stale_what_feeds_and_nothing_else),
    cmocka_unit_test (numbers_change_if_they_are_written),
    cmocka_unit_test (one_iteration_may_change_its_numbers),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
