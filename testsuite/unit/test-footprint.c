/* SPDX-License-Identifier: MIT
   Entry expressions, footprints and step L1, on loops written by hand and on random ones against an interpreter.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "affine-model.h"
#include "footprint.h"

#define N_RANDOM 150000
#define MUCH_EFFORT (1 << 20)

static struct model model;
static struct oracle oracle;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static void
evaluate (struct model *m)
{
  assert_in_range (pg_view_len (&m->region), 1, sizeof view_memory);
  pg_view_evaluate (view, &m->region, &m->args, m->n_iters);
}

/* Each access lies in its iteration's window and in the extent.  */
static void
check_access (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  const struct model *m = ctx;
  const struct pg_place *place = &view->places[ref];
  int64_t low, end, at = (int64_t) (intptr_t) address;
  assert_true (place->is_affine && !place->is_never);
  assert_true (at >= pg_line_at (&place->window.low, iter) && at + len <= pg_line_at (&place->window.end, iter));
  pg_place_extent (view, (uint32_t) ref, 0, m->n_iters, &low, &end);
  assert_true (at >= low && at + len <= end);
}

struct touched
{
  int owner[MODEL_MEMORY]; /* group + 1 */
  bool is_written[MODEL_MEMORY];
  bool is_shared; /* by two groups, one of which writes */
};

static void
note_groups (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  struct touched *touched = ctx;
  (void) iter;
  for (int64_t i = 0; i < len; i++)
    {
      size_t at = (size_t) (address + i - model.memory);
      bool writes = model.refs[ref].flags & PG_REF_WRITE;
      int group = ref % 3 + 1;
      if (touched->owner[at] != 0 && touched->owner[at] != group && (writes || touched->is_written[at]))
	touched->is_shared = true;
      touched->owner[at] = group;
      touched->is_written[at] |= writes;
    }
}

/* What is said of the view agrees with the oracle, which went through all iterations.  */
static void
never_says_more_than_is_true (enum pg_l1 verdict, int64_t window)
{
  if (verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT)
    assert_true (oracle.distance == INT64_MAX);
  if (verdict == PG_L1_CONFLICT)
    assert_true (oracle.distance < INT64_MAX);
  if (pg_neighbours_conflict (view))
    assert_int_equal (oracle.distance, 1);
  assert_true (window == 0 || (window >= 2 && window <= oracle.distance));
}

static void
l1_agrees_with_counting (void **state)
{
  static struct touched touched;
  int count[4] = { 0 }, n_windows = 0, n_plain_unsettled = 0, n_neighbours = 0, n_by_effort = 0, n_missed = 0;
  (void) state;
  model.random = 0x452821e638d01377;
  for (int t = 0; t < N_RANDOM; t++)
    {
      bool is_plain = t % 2 == 0;
      random_affine_model (&model, is_plain);
      evaluate (&model);
      model_run (&model, 0, model.n_iters, false, check_access, &model);
      oracle_run (&oracle, &model, 0, model.n_iters, false);
      enum pg_l1 verdict = pg_l1_check (view);
      if (t % 8 < 4 && verdict == PG_L1_UNSETTLED)
	{
	  view->effort = MUCH_EFFORT;
	  verdict = pg_l1_check (view);
	  n_by_effort += verdict != PG_L1_UNSETTLED;
	  n_missed += verdict == PG_L1_UNSETTLED && oracle.distance == INT64_MAX;
	}
      int64_t window = pg_l1_window (view);
      count[verdict]++;
      n_windows += window >= 2;

      never_says_more_than_is_true (verdict, window);
      n_neighbours += !is_plain && pg_neighbours_conflict (view);
      int64_t expected = oracle.distance == INT64_MAX ? model.n_iters : oracle.distance;
      if (is_plain)
	assert_int_equal (window, expected < 2 ? 0 : expected);
      n_plain_unsettled += is_plain && verdict == PG_L1_UNSETTLED;
      if (verdict == PG_L1_DISJOINT)
	{
	  memset (&touched, 0, sizeof touched);
	  model_run (&model, 0, model.n_iters, false, note_groups, &touched);
	  assert_false (touched.is_shared);
	}
    }
  assert_int_equal (n_plain_unsettled, 0);
  for (int v = 0; v < 4; v++)
    assert_in_range (count[v], N_RANDOM / 50, N_RANDOM);
  assert_in_range (n_windows, N_RANDOM / 50, N_RANDOM);
  assert_in_range (n_neighbours, N_RANDOM / 50, N_RANDOM);
  assert_in_range (n_by_effort, (n_by_effort + n_missed) / 8, N_RANDOM);
}

/* Make MODEL, a nest of random shape, one with numbers that hardly have room: in front of numbers that are always 0, or
   where loops are not run at all.  */
static void
stretch (struct model *m)
{
  static const int64_t extremes[]
    = { INT64_MIN,         INT64_MIN + 8,     -(INT64_C (1) << 62), -(INT64_C (1) << 61), -(INT64_C (1) << 60),
	INT64_C (1) << 60, INT64_C (1) << 61, INT64_C (1) << 62,    INT64_MAX - 7 };
  const int64_t n_extremes = sizeof extremes / sizeof *extremes;
  if (model_pick (m, 0, 1))
    m->n_iters = 1;
  for (int d = 1; d < (int) m->region.n_dims; d++)
    if (model_pick (m, 0, 1))
      {
	m->last_base[d] = model_pick (m, 0, 1) ? 0 : -model_pick (m, 1, 3);
	memset (m->last_coef[d], 0, sizeof m->last_coef[d]);
      }
  for (uint32_t r = 0; r < m->region.n_refs; r++)
    {
      struct model_ref *ref = &m->refs[r];
      bool never_runs = false;
      for (int d = ref->dim; d > 0; d = m->dims[d].parent)
	{
	  bool is_fixed = memcmp (m->last_coef[d], (int64_t[PG_MAX_DIMS]) { 0 }, sizeof m->last_coef[d]) == 0;
	  bool is_once = is_fixed && (m->last_base[d] == 0 || (m->dims[d].flags & PG_DIM_ONCE && m->last_base[d] < 0));
	  never_runs |= is_fixed && m->last_base[d] < 0 && !(m->dims[d].flags & PG_DIM_ONCE);
	  if ((is_once || never_runs) && model_pick (m, 0, 1))
	    ref->coef[d] = extremes[model_pick (m, 0, n_extremes - 1)];
	}
      if ((never_runs || m->n_iters == 1) && model_pick (m, 0, 1))
	ref->coef[0] = extremes[model_pick (m, 0, n_extremes - 1)];
      if (never_runs && model_pick (m, 0, 1))
	ref->base = extremes[model_pick (m, 2, n_extremes - 2)];
    }
  uint32_t n_dims = m->region.n_dims, n_refs = m->region.n_refs;
  m->region.n_nodes = 0;
  model_describe (m, n_dims, n_refs);
}

/* What does not fit is not known, and is never taken for something else.  */
static void
numbers_without_room_show_nothing_wrong (void **state)
{
  int count[4] = { 0 };
  (void) state;
  model.random = 0x38d01377452821e6;
  for (int t = 0; t < N_RANDOM / 3; t++)
    {
      random_affine_model (&model, t % 2 == 0);
      stretch (&model);
      evaluate (&model);
      oracle_run (&oracle, &model, 0, model.n_iters, false);
      view->effort = t % 4 < 2 ? MUCH_EFFORT : 0;
      enum pg_l1 verdict = pg_l1_check (view);
      int64_t window = pg_l1_window (view);
      count[verdict]++;
      never_says_more_than_is_true (verdict, window);
    }
  for (int v = 0; v < 4; v++)
    assert_in_range (count[v], N_RANDOM / 300, N_RANDOM);
}

struct span_check
{
  struct pg_span spans[MODEL_REFS];
  int n;
  bool touched[MODEL_MEMORY], noted[MODEL_MEMORY];
};

static void
find_in_spans (void *ctx, int64_t iter, int ref, unsigned char *address, int64_t len)
{
  struct span_check *check = ctx;
  (void) iter;
  if (!(model.refs[ref].flags & PG_REF_WRITE))
    return;
  int i = 0;
  while (i < check->n && (char *) address >= check->spans[i].start + check->spans[i].len)
    i++;
  assert_true (i < check->n && (char *) address >= check->spans[i].start
	       && (char *) address + len <= check->spans[i].start + check->spans[i].len);
  memset (&check->touched[address - model.memory], true, (size_t) len);
}

static void
note_write (void *data, int64_t low, int64_t len)
{
  struct span_check *check = data;
  memset (&check->noted[(unsigned char *) (intptr_t) low - model.memory], true, (size_t) len);
}

/* Spans hold all writes, and end in written bytes, so that they reach into no other object.  Which bytes are written is
   known exactly.  */
static void
write_spans_hold_what_is_written (void **state)
{
  static struct span_check check;
  int n_known = 0;
  (void) state;
  model.random = 0x13198a2e03707344;
  for (int t = 0; t < N_RANDOM / 5; t++)
    {
      random_affine_model (&model, false);
      evaluate (&model);
      memset (check.touched, 0, sizeof check.touched);
      memset (check.noted, 0, sizeof check.noted);
      if (!pg_view_write_spans (view, check.spans, MODEL_REFS, &check.n))
	continue;
      n_known++;
      model_run (&model, 0, model.n_iters, false, find_in_spans, &check);
      pg_view_each_write (view, note_write, &check);
      assert_memory_equal (check.noted, check.touched, sizeof check.touched);
      for (int i = 0; i < check.n; i++)
	{
	  size_t at = (size_t) ((unsigned char *) check.spans[i].start - model.memory);
	  assert_true (check.touched[at] && check.touched[at + check.spans[i].len - 1]);
	  assert_true (i == 0 || check.spans[i - 1].start + check.spans[i - 1].len < check.spans[i].start);
	}
      if (check.n > 1)
	assert_false (pg_view_write_spans (view, check.spans, check.n - 1, &check.n));
    }
  assert_in_range (n_known, N_RANDOM / 50, N_RANDOM / 5);
}

/* for (i < n) a[i*STRIDE + OFFSET] = b[i*STRIDE]; bytes, with FLAGS added to the write.  */
static void
two_references (struct model *m, int64_t n, int64_t distance, int64_t stride, int64_t len)
{
  memset (m, 0, offsetof (struct model, memory));
  m->random = 99;
  m->n_iters = n;
  m->dims[0].parent = -1;
  m->refs[0]
    = (struct model_ref) { .base = distance, .coef = { stride }, .len = len, .flags = PG_REF_WRITE, .feed = -1 };
  m->refs[1] = (struct model_ref) { .coef = { stride }, .len = len, .flags = PG_REF_READ, .feed = -1 };
  model_describe (m, 1, 2);
}

static void
a_shifted_copy_conflicts_at_its_distance (void **state)
{
  (void) state;
  two_references (&model, 100, 8, 8, 8);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
  assert_int_equal (pg_l1_window (view), 0);

  two_references (&model, 100, 31 * 8, 8, 8);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
  assert_int_equal (pg_l1_window (view), 31);

  two_references (&model, 100, 100 * 8, 8, 8);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_DISJOINT);

  two_references (&model, 100, 8, 16, 8); /* odd and even elements */
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CLEAN);

  two_references (&model, 100, 0, 8, 8); /* a[i] = f (a[i]) */
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CLEAN);
}

static void
a_conditional_conflict_is_not_certain (void **state)
{
  (void) state;
  two_references (&model, 100, 8, 8, 8);
  model.ref_table[0].flags |= PG_REF_CONDITIONAL;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
}

/* for (i < n) for (j = i; j < n + BEYOND; j++) a[i][j] = a[j][i] = ...; rows of N elements of LEN bytes.  */
static void
two_halves (struct model *m, int64_t n, int64_t beyond, int64_t len)
{
  memset (m, 0, offsetof (struct model, memory));
  m->random = 5;
  m->n_iters = n;
  m->dims[0].parent = -1;
  m->last_base[1] = n - 1 + beyond;
  m->last_coef[1][0] = -1;
  m->refs[0] = (struct model_ref) {
    .dim = 1, .coef = { (n + 1) * len, len }, .len = len, .flags = PG_REF_READ | PG_REF_WRITE, .feed = -1
  };
  m->refs[1] = (struct model_ref) {
    .dim = 1, .coef = { (n + 1) * len, n * len }, .len = len, .flags = PG_REF_WRITE, .feed = -1
  };
  model_describe (m, 2, 2);
}

/* Both halves of a symmetric matrix, of any size; but the rows must not be longer than they are.  */
static void
halves_of_a_matrix_need_effort (void **state)
{
  (void) state;
  for (int64_t n = 1000; n < 10000000; n *= 3)
    {
      two_halves (&model, n, 0, 8);
      evaluate (&model);
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
      view->effort = 10000;
      assert_int_equal (pg_l1_check (view), PG_L1_CLEAN);
      assert_in_range (view->effort, 1, 9999);

      evaluate (&model);
      view->effort = 20;
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);

      assert_int_equal (pg_view_turns (view), n * ((n - 1) / 2 + 1));

      two_halves (&model, n, 1, 8);
      evaluate (&model);
      view->effort = MUCH_EFFORT;
      assert_int_not_equal (pg_l1_check (view), PG_L1_CLEAN);
    }
}

/* Two references of a nest of N iterations, all of bytes in rows of N: one writes a[i][j], the other reads ROW.  */
static void
a_triangle (struct model *m, int64_t n, int dim, const int64_t *row)
{
  memset (m, 0, offsetof (struct model, memory));
  m->random = 7;
  m->n_iters = n;
  m->dims[0].parent = -1;
  m->dims[2].parent = 1;
  m->refs[0] = (struct model_ref) { .dim = dim, .coef = { n, 1 }, .len = 1, .flags = PG_REF_WRITE, .feed = -1 };
  m->refs[1] = (struct model_ref) { .dim = 2, .base = n, .len = 1, .flags = PG_REF_READ, .feed = -1 };
  memcpy (m->refs[1].coef, row, sizeof m->refs[1].coef);
}

/* for (i < n) for (j < n) for (k = i + 1; k < n; k++) a[i][j] += a[k][j]: the write comes behind a test of whether k's
   loop runs, which is as good as none.  */
static void
neighbours_that_conflict_leave_nothing_open (void **state)
{
  const int64_t n = 40, row[PG_MAX_DIMS] = { n, 1, n };
  (void) state;
  a_triangle (&model, n, 2, row);
  model.last_base[1] = n - 1;
  model.last_base[2] = n - 2;
  model.last_coef[2][0] = -1;
  model_describe (&model, 3, 2);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
  assert_int_equal (pg_l1_window (view), 0);

  model.ref_table[0].flags |= PG_REF_CONDITIONAL;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
  model.ref_table[0].flags |= PG_REF_USUAL;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
}

/* for (i < n) for (j < i) for (k < j) a[i][j] -= a[j + 1][k]: k's loop does not run in all turns of j's, but surely in
   the last one.  Where it is j's first turn that gives k the most, in that.  */
static void
a_turn_that_runs_its_inner_loop_is_found (void **state)
{
  const int64_t n = 40, row[PG_MAX_DIMS] = { 0, n, 1 }, first_row[PG_MAX_DIMS] = { n, 1, 1 };
  (void) state;
  a_triangle (&model, n, 1, row);
  model.refs[1].base = 0;
  model.last_base[1] = -1;
  model.last_coef[1][0] = 1;
  model.last_base[2] = -1;
  model.last_coef[2][1] = 1;
  model_describe (&model, 3, 2);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);

  a_triangle (&model, n, 1, first_row);
  model.last_base[1] = n - 1;
  model.last_base[2] = n / 2;
  model.last_coef[2][1] = -1;
  model_describe (&model, 3, 2);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CONFLICT);
}

/* Iterations that conflict here and there leave others to the inspector: here 24 with 25 alone.  */
static void
a_few_neighbours_are_not_all (void **state)
{
  (void) state;
  two_references (&model, 100, 0, 8, 8);
  model.refs[0].coef[0] = 16;
  model.refs[0].base = -23 * 8;
  model_describe (&model, 1, 2);
  evaluate (&model);
  assert_false (pg_neighbours_conflict (view));
}

/* References that keep to what is their iteration's do not meet, if both do, by the same base.  */
static void
what_is_an_iterations_own_meets_nobody (void **state)
{
  (void) state;
  for (int way = 0; way < 4; way++)
    {
      two_references (&model, 100, 8, 8, 8);
      model.ref_table[0].flags |= PG_REF_OWN;
      model.ref_table[1].flags |= way == 1 ? 0 : PG_REF_OWN;
      model.ref_table[1].group = (int16_t) (model.ref_table[0].group + (way == 2));
      if (way == 3)
	model.ref_table[1].flags = PG_REF_WRITE | PG_REF_AFFINE | PG_REF_OWN;
      evaluate (&model);
      enum pg_l1 verdict = pg_l1_check (view);
      assert_int_equal (verdict == PG_L1_CLEAN || verdict == PG_L1_DISJOINT, way == 0 || way == 3);
      assert_int_equal (pg_view_all_settled (view), way == 0 || way == 3);
    }
}

/* As long as nothing is known to be added to a counter, nothing seems to be written where it leads to.  */
static void
what_a_tally_tells_of_is_not_known_before (void **state)
{
  struct pg_span spans[4];
  int n;
  (void) state;
  for (int is_own = 0; is_own < 2; is_own++)
    {
      two_references (&model, 100, 8, 8, 8);
      model.dims[1].parent = 0;
      model.last_base[1] = -1;
      model.refs[0].dim = 1;
      model_describe (&model, 2, 2);
      model.ref_table[0].flags |= (uint8_t) (PG_REF_CONDITIONAL | (is_own ? PG_REF_OWN : 0));
      evaluate (&model);
      assert_true (view->places[0].is_never);
      assert_int_equal (pg_view_write_spans (view, spans, 4, &n), !is_own);
    }
}

static void
a_proven_region_is_never_in_doubt (void **state)
{
  (void) state;
  two_references (&model, 100, 8, 8, 8);
  model.region.klass = PG_CLASS_PARALLEL;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CLEAN);
  assert_int_equal (pg_l1_window (view), 100);
  two_references (&model, 100, 1000, 8, 8);
  model.region.klass = PG_CLASS_PARALLEL;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_DISJOINT);
}

static void
an_opaque_write_leaves_all_open (void **state)
{
  struct pg_span spans[4];
  int n;
  (void) state;
  two_references (&model, 100, 1000, 8, 8);
  assert_true (model.region.flags & PG_REGION_ALL_AFFINE);
  model.ref_table[0].flags &= (uint8_t) ~PG_REF_AFFINE;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
  assert_int_equal (pg_l1_window (view), 0);
  assert_false (pg_view_write_spans (view, spans, 4, &n));

  two_references (&model, 100, 1000, 8, 8);
  model.region.flags &= ~(uint32_t) PG_REGION_ALL_AFFINE;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CLEAN); /* the no-alias F may not run */
}

/* A feed that the loop may write in its own iteration is clean for L1, but the inspector must look.  */
static void
a_feed_in_its_own_iteration_stays_open_for_the_inspector (void **state)
{
  (void) state;
  two_references (&model, 100, 0, 8, 8);
  model.ref_table[1].flags |= PG_REF_FEEDS;
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_CLEAN);
  assert_false (pg_pair_settled (view, 0, 1, 0, 100));
  assert_int_equal (view->settled[0] >> 1 & 1, 0);
  model.region.flags |= PG_REGION_SLICE_STABLE;
  evaluate (&model);
  pg_l1_check (view);
  assert_true (pg_pair_settled (view, 0, 1, 0, 100));
  assert_int_equal (view->settled[0] >> 1 & 1, 1);
}

/* Interleaved fields of one structure: apart in the same iteration too, though their extents overlap.  */
static void
an_interleaved_feed_is_settled (void **state)
{
  (void) state;
  two_references (&model, 100, 8, 16, 8);
  model.ref_table[1].flags |= PG_REF_FEEDS;
  evaluate (&model);
  assert_true (pg_pair_settled (view, 0, 1, 0, 100));
}

/* Evaluate NODES with ARGS at an entry of a region with nothing else.  */
static const struct pg_number *
evaluate_only (const struct pg_node *nodes, uint32_t n, const void *args)
{
  static struct pg_region region;
  region = (struct pg_region) { .nodes = nodes, .n_nodes = n };
  pg_view_evaluate (view, &region, args, 1);
  return view->nodes;
}

static void
arguments_are_read_in_their_width_and_sign (void **state)
{
  const unsigned char args[16] = { 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
  struct pg_node nodes[9];
  (void) state;
  for (int i = 0; i < 8; i++)
    nodes[i] = (struct pg_node) { .op = PG_NODE_ARG, .size = (uint8_t) (1 << i / 2), .is_signed = i % 2, .value = 1 };
  nodes[8] = (struct pg_node) { .op = PG_NODE_ARG, .size = 3 };
  const struct pg_number *numbers = evaluate_only (nodes, 9, args);
  assert_int_equal (numbers[0].value, 0xfe);
  assert_int_equal (numbers[1].value, -2);
  assert_int_equal (numbers[2].value, 0xfffe);
  assert_int_equal (numbers[3].value, -2);
  assert_int_equal (numbers[4].value, 0xfffffffe);
  assert_int_equal (numbers[5].value, -2);
  assert_false (numbers[6].known); /* 2^64 - 2 is no int64_t */
  assert_int_equal (numbers[7].value, -2);
  assert_false (numbers[8].known);
}

static void
overflow_poisons_what_depends_on_it (void **state)
{
  const struct pg_node nodes[] = {
    { .op = PG_NODE_CONST, .value = INT64_MAX },
    { .op = PG_NODE_CONST, .value = 2 },
    { .op = PG_NODE_ADD, .a = 0, .b = 1 },
    { .op = PG_NODE_SUB, .a = 2, .b = 2 },
    { .op = PG_NODE_MUL, .a = 0, .b = 1 },
    { .op = PG_NODE_SUB, .a = -1, .b = 0 },
    { .op = PG_NODE_SUB, .a = 5, .b = 1 },
    { .op = PG_NODE_ADD, .a = 1, .b = 7 }, /* not an earlier node */
    { .op = 77, .a = 1, .b = 1 },
    { .op = PG_NODE_MUL, .a = 1, .b = -1 },
  };
  const bool known[] = { true, true, false, false, false, true, false, false, false, true };
  (void) state;
  const struct pg_number *numbers = evaluate_only (nodes, 10, NULL);
  for (int i = 0; i < 10; i++)
    assert_int_equal (numbers[i].known, known[i]);
  assert_int_equal (numbers[5].value, -INT64_MAX);
  assert_int_equal (numbers[9].value, 0);
}

/* i + K in 8 bits, i < 100, K <= 27 signed.  */
static void
an_index_that_may_wrap_makes_references_opaque (void **state)
{
  struct pg_wrap_check check = { .dim = 0, .bits = 8 };
  (void) state;
  for (int i = 0; i < 4; i++)
    {
      bool is_signed = i % 2, is_within = i < 2;
      two_references (&model, 100, 1000, 8, 8);
      check.value.base = model_node (&model, (is_signed ? 28 : 156) + !is_within);
      for (int d = 0; d < PG_MAX_DIMS; d++)
	check.value.coef[d] = model_node (&model, d == 0);
      check.is_signed = is_signed;
      model.region.checks = &check;
      model.region.n_checks = 1;
      evaluate (&model);
      assert_int_equal (view->places[0].is_affine, is_within);
      assert_int_equal (pg_l1_check (view), is_within ? PG_L1_DISJOINT : PG_L1_UNSETTLED);
    }
}

static void
an_inner_loop_that_never_runs_touches_nothing (void **state)
{
  struct pg_span span;
  int n = -1;
  (void) state;
  memset (&model, 0, offsetof (struct model, memory));
  model.random = 5;
  model.n_iters = 10;
  model.dims[0].parent = -1;
  model.last_base[1] = -1;
  model.refs[0] = (struct model_ref) { .dim = 1, .coef = { 0, 8 }, .len = 8, .flags = PG_REF_WRITE, .feed = -1 };
  model_describe (&model, 2, 1);
  evaluate (&model);
  assert_int_equal (pg_l1_check (view), PG_L1_DISJOINT);
  assert_true (pg_view_write_spans (view, &span, 1, &n));
  assert_int_equal (n, 0);
}

/* Whatever is wrong with a table, its references are opaque.  */
static void
damaged_tables_make_references_opaque (void **state)
{
  (void) state;
  two_references (&model, 100, 1000, 8, 8);
  model.ref_table[0].dim = 1;
  model.ref_table[1].dim = -1;
  evaluate (&model);
  assert_false (view->places[0].is_affine || view->places[1].is_affine);

  two_references (&model, 100, 1000, 8, 8);
  model.ref_table[0].address.coef[0] = MODEL_NODES - 1;
  model.ref_table[1].address.base = MODEL_NODES - 1;
  evaluate (&model);
  assert_false (view->places[0].is_affine || view->places[1].is_affine);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (l1_agrees_with_counting),
    cmocka_unit_test (numbers_without_room_show_nothing_wrong),
    cmocka_unit_test (write_spans_hold_what_is_written),
    cmocka_unit_test (a_shifted_copy_conflicts_at_its_distance),
    cmocka_unit_test (a_conditional_conflict_is_not_certain),
    cmocka_unit_test (halves_of_a_matrix_need_effort),
    cmocka_unit_test (neighbours_that_conflict_leave_nothing_open),
    cmocka_unit_test (a_turn_that_runs_its_inner_loop_is_found),
    cmocka_unit_test (a_few_neighbours_are_not_all),
    cmocka_unit_test (what_is_an_iterations_own_meets_nobody),
    cmocka_unit_test (what_a_tally_tells_of_is_not_known_before),
    cmocka_unit_test (a_proven_region_is_never_in_doubt),
    cmocka_unit_test (an_opaque_write_leaves_all_open),
    cmocka_unit_test (a_feed_in_its_own_iteration_stays_open_for_the_inspector),
    cmocka_unit_test (an_interleaved_feed_is_settled),
    cmocka_unit_test (arguments_are_read_in_their_width_and_sign),
    cmocka_unit_test (overflow_poisons_what_depends_on_it),
    cmocka_unit_test (an_index_that_may_wrap_makes_references_opaque),
    cmocka_unit_test (an_inner_loop_that_never_runs_touches_nothing),
    cmocka_unit_test (damaged_tables_make_references_opaque),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
