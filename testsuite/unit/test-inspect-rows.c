//! link: -Wl,--wrap=pg_log_write
/* SPDX-License-Identifier: MIT
   What a monitor tells of in rows and in pieces that go on, and the areas that ranges are given, in inspections.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "inspect.h"
#include "inspector.h"
#include "logged.h"
#include "loop-model.h"
#include "pool.h"
#include "scout.h"

#include <stdio.h>

#define N_RANDOM 3000

static struct model model;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;
static int n_monitors;

/* What a row monitor below does in iteration i: writes ROW_COUNT times LEN bytes from WRITE + i * NEXT on, STRIDE
   apart, and reads as many from READ + i * NEXT on.  */
static struct rows
{
  int64_t write, read, next, len, stride, read_stride;
} rows;

enum
{
  ROW_COUNT = 20
};

static int64_t
row_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      const unsigned char *start = memory + monitor->iter * rows.next;
      monitor->touch_row (monitor, 0, start + rows.read, rows.len, ROW_COUNT, rows.read_stride);
      monitor->touch_row (monitor, 1, start + rows.write, rows.len, ROW_COUNT, rows.stride);
    }
  return 0;
}

/* Bytes that rows touch: the latest iteration + 1 that wrote or read each, and of readers the latest other one.  */
static struct
{
  int64_t writer, reader, other_reader;
} row_bytes[2 * MODEL_MEMORY];

/* Note that iteration ITER reads or WRITES the byte AT.  False: this conflicts.  */
static bool
note_byte (int64_t at, int64_t iter, bool writes)
{
  int64_t *writer = &row_bytes[at].writer, *reader = &row_bytes[at].reader, *other = &row_bytes[at].other_reader;
  if (*writer && *writer != iter + 1)
    return false;
  if (writes)
    *writer = iter + 1;
  else if (*reader != iter + 1)
    {
      *other = *reader;
      *reader = iter + 1;
    }
  return !writes || (*reader == iter + 1 ? *other == 0 : *reader == 0);
}

/* The first of N iterations of ROWS that conflicts with an earlier one, byte by byte; N: none does.  */
static int64_t
first_conflict_of_rows (int64_t n)
{
  memset (row_bytes, 0, sizeof row_bytes);
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < ROW_COUNT; k++)
      for (int64_t b = 0; b < rows.len; b++)
	{
	  int64_t at = MODEL_MEMORY / 2 + i * rows.next + b;
	  if (!note_byte (at + rows.read + k * rows.read_stride, i, false)
	      || !note_byte (at + rows.write + k * rows.stride, i, true))
	    return i;
	}
  return n;
}

/* Rows of pieces with gaps: side by side and into each other, up and down, red beside black and red on red.  */
static void
rows_conflict_where_their_bytes_meet (void **state)
{
  static const struct
  {
    struct rows rows;
    int64_t end;
  } given[] = {
    { { 0, 8, 0x140, 8, 16, 16 }, 20 },      /* reads in the gaps */
    { { 0, 0x140, 0x140, 8, 16, 16 }, 1 },   /* on what the next iteration writes */
    { { 0, 0x148, 0x140, 8, 16, 16 }, 20 },  /* in its gaps */
    { { 0, 0x148, 0x140, 8, 16, -16 }, 20 }, /* downwards, in both rows' gaps */
    { { 0, 0x140, 0x140, 8, 16, -16 }, 1 },  /* downwards, one on it */
    { { 0x130, 8, 0x140, 8, -16, 16 }, 20 }, /* writes downwards */
    { { 0, 0, 0x140, 8, 16, 16 }, 20 },      /* what it writes itself */
    { { 0, 8, 0x138, 8, 16, 16 }, 1 },       /* half a phase on: in the gaps of the one before, reads are not */
    { { 0, 4, 0x140, 4, 12, 12 }, 20 },      /* strides that are no power of two */
    { { 0, 3, 0x140, 3, 8, 8 }, 20 },        /* bytes */
    { { 0, 2, 0x140, 3, 8, 8 }, 20 },        /* an iteration reads what it writes, in part */
    { { 0, 0x142, 0x140, 3, 8, 8 }, 1 },     /* and so the next one's */
    { { 0, 0, 8, 8, 4, 4 }, 1 },             /* pieces overlap */
  };
  (void) state;
  for (size_t g = 0; g < sizeof given / sizeof *given; g++)
    {
      rows = given[g].rows;
      model_two_references (&model, rows.len, row_monitor);
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
      for (int again = 0; again < 3; again++)
	assert_int_equal (pg_inspect (inspector, view, 0, model.n_iters), given[g].end);
      pg_inspector_free (inspector);
    }
}

/* The same at random, with little room.  */
static void
random_rows_are_told_from_each_other (void **state)
{
  int n_clean = 0;
  (void) state;
  model.random = 0x243f6a8885a308d3;
  for (int t = 0; t < N_RANDOM; t++)
    {
      int64_t unit = (int64_t) 1 << model_pick (&model, 0, 3), n = model_pick (&model, 2, 20);
      rows = (struct rows) {
	.write = model_pick (&model, 0, 40) * unit,
	.read = model_pick (&model, -30, 70) * unit,
	.next = model_pick (&model, 0, 1) ? model_pick (&model, 0, 3) * unit : model_pick (&model, 18, 22) * 2 * unit,
	.len = unit,
	.stride = model_pick (&model, -3, 3) * unit,
	.read_stride = model_pick (&model, -3, 3) * unit,
      };
      uint64_t random = model.random;
      model_two_references (&model, unit, row_monitor);
      model.random = random;
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, n);
      int64_t expected = first_conflict_of_rows (n);
      for (int again = 0; again < 2; again++)
	assert_int_equal (pg_inspect (inspector, view, 0, n), expected);
      n_clean += expected == n;
      pg_inspector_free (inspector);
    }
  assert_in_range (n_clean, N_RANDOM / 20, N_RANDOM / 2);
}

/* What a piece monitor below does: in each iteration a piece of LEN bytes at AT, for each of the two references.  What
   goes on where the one before ended is not told.  */
static struct piece
{
  int64_t at, len;
} pieces[ROW_COUNT][2];

static int n_told[2]; /* calls, by reference */

static int64_t
piece_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    for (int64_t r = 0; r < 2; r++)
      {
	const struct piece *piece = &pieces[monitor->iter][r];
	if (monitor->tails[r].end != memory + piece->at)
	  __atomic_fetch_add (&n_told[r], 1, __ATOMIC_RELAXED);
	model_tell (monitor, r, memory + piece->at, piece->len);
      }
  return 0;
}

/* The first iteration of PIECES that conflicts with an earlier one, byte by byte.  */
static int64_t
first_conflict_of_pieces (void)
{
  memset (row_bytes, 0, sizeof row_bytes);
  for (int64_t i = 0; i < ROW_COUNT; i++)
    for (int64_t r = 0; r < 2; r++)
      for (int64_t b = 0; b < pieces[i][r].len; b++)
	if (!note_byte (pieces[i][r].at + b, i, r == 1))
	  return i;
  return ROW_COUNT;
}

/* Inspect PIECES, whose units are LEN bytes long, several times with one inspector: at first nothing is marked.  */
static void
assert_pieces_are_told_apart (int64_t len)
{
  int64_t expected = first_conflict_of_pieces ();
  uint64_t random = model.random;
  model_two_references (&model, len, piece_monitor);
  model.random = random;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, ROW_COUNT);
  for (int again = 0; again < 3; again++)
    assert_int_equal (pg_inspect (inspector, view, 0, ROW_COUNT), expected);
  pg_inspector_free (inspector);
}

/* Pieces of 24 bytes, read from READ and written from WRITE on, that follow each other.  */
static void
pieces_in_a_row (int64_t read, int64_t write)
{
  for (int64_t i = 0; i < ROW_COUNT; i++)
    {
      pieces[i][0] = (struct piece) { read + i * 24, 24 };
      pieces[i][1] = (struct piece) { write + i * 24, 24 };
    }
}

/* Iterations that meet at the seam of two pieces, or at either end of all of them.  */
static void
pieces_that_go_on_conflict_where_their_bytes_meet (void **state)
{
  enum
  {
    LEN = 24 * ROW_COUNT
  };
  (void) state;
  pieces_in_a_row (0, LEN);
  assert_int_equal (first_conflict_of_pieces (), ROW_COUNT);
  assert_pieces_are_told_apart (8);
  pieces_in_a_row (0, LEN - 8); /* the last one reads what the first one writes */
  assert_int_equal (first_conflict_of_pieces (), ROW_COUNT - 1);
  assert_pieces_are_told_apart (8);
  pieces_in_a_row (LEN - 8, 0); /* and the other way round */
  assert_int_equal (first_conflict_of_pieces (), ROW_COUNT - 1);
  assert_pieces_are_told_apart (8);
  for (int64_t seam = 1; seam < ROW_COUNT; seam++)
    {
      pieces_in_a_row (LEN, LEN);
      assert_int_equal (first_conflict_of_pieces (), ROW_COUNT);
      assert_pieces_are_told_apart (8);
      pieces[seam - 1][0].len += 8; /* what the next one writes */
      assert_int_equal (first_conflict_of_pieces (), seam);
      assert_pieces_are_told_apart (8);
      pieces_in_a_row (LEN, LEN);
      pieces[seam][1].at -= 8;
      assert_int_equal (first_conflict_of_pieces (), seam);
      assert_pieces_are_told_apart (8);
    }
}

/* Up, down, staying, into each other, with gaps and with nothing in them; at other alignments than their sum's.  */
static void
random_pieces_are_told_from_each_other (void **state)
{
  int n_clean = 0;
  (void) state;
  model.random = 0x13198a2e03707344;
  for (int t = 0; t < N_RANDOM; t++)
    {
      int64_t unit = (int64_t) 1 << model_pick (&model, 0, 3), odd = model_pick (&model, 0, 9) == 0;
      for (int r = 0; r < 2; r++)
	{
	  int64_t at = 1024 + model_pick (&model, 0, 60) * unit;
	  int64_t way = model_pick (&model, -1, 4);
	  for (int64_t i = 0; i < ROW_COUNT; i++)
	    {
	      int64_t len = model_pick (&model, 0, 3) * unit;
	      if (way < 0)
		at -= len;
	      pieces[i][r] = (struct piece) { at, len };
	      if (way != 0)
		at += (way < 0 ? 0 : len)
		      + (model_pick (&model, 0, 9) == 0 ? model_pick (&model, -1, 2) * unit + odd : 0);
	    }
	}
      n_clean += first_conflict_of_pieces () == ROW_COUNT;
      assert_pieces_are_told_apart (unit);
    }
  assert_in_range (n_clean, N_RANDOM / 20, N_RANDOM * 9 / 10);
}

/* Inspect PIECES as one job.  */
static int64_t
inspect_as_one_job (struct pg_inspector *inspector)
{
  pg_view_evaluate (view, &model.region, &model.args, ROW_COUNT);
  pg_environment.plan = PG_PLAN_AUTO;
  pg_inspector_allow (inspector, SIZE_MAX, 1);
  int64_t end = pg_inspect (inspector, view, 0, ROW_COUNT);
  pg_environment.plan = PG_PLAN_POOL;
  assert_int_equal (inspector->n_traced, 1);
  return end;
}

static void
what_was_found_is_in_the_log (void **state)
{
  (void) state;
  pg_log_mask = 1U << PG_LOG_CHECK;
  for (int seam = 0; seam < 2; seam++)
    {
      pieces_in_a_row (24 * ROW_COUNT, 24 * ROW_COUNT);
      pieces[4][0].len += 8 * seam;
      assert_pieces_are_told_apart (8);
      assert_non_null (strstr (logged, seam ? "0 to 5 are clean up to a conflict, " : "0 to 20 are clean, "));
    }
  pg_log_mask = 0;
}

/* All that is told of what is written is 16 bytes at a multiple of 16, and of what is read, too.  The rest goes on in
   fours, a cell each.  */
static void
what_goes_on_may_end_at_odd_places (void **state)
{
  (void) state;
  for (int64_t i = 0; i < ROW_COUNT; i++)
    {
      pieces[i][0] = (struct piece) { 32, i == 15 ? 16 : 0 };
      pieces[i][1] = (struct piece) { i == 0 ? 0 : 12 + i * 4, i == 0 ? 16 : 4 };
    }
  model_two_references (&model, 4, piece_monitor);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  assert_int_equal (first_conflict_of_pieces (), 15);
  assert_int_equal (inspect_as_one_job (inspector), 15);
  pg_inspector_free (inspector);
}

/* One call a job where only the range counts, as in the second inspection that of what is read; one a piece where its
   iteration does.  */
static void
pieces_that_go_on_need_no_call (void **state)
{
  (void) state;
  model_two_references (&model, 8, piece_monitor);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, ROW_COUNT);
  pieces_in_a_row (0, 24 * ROW_COUNT);
  assert_int_equal (pg_inspect (inspector, view, 0, ROW_COUNT), ROW_COUNT);
  memset (n_told, 0, sizeof n_told);
  assert_int_equal (pg_inspect (inspector, view, 0, ROW_COUNT), ROW_COUNT);
  assert_in_range (inspector->n_traced, 2, ROW_COUNT - 1);
  assert_int_equal (n_told[0], inspector->n_traced);
  assert_int_equal (n_told[1], ROW_COUNT);
  pg_inspector_free (inspector);
}

/* How far it is to the next piece is counted from where the ones before ended, however these were told: a step of up to
   PG_DENSE_STEP is none that jumps.  */
static void
a_step_is_from_the_end_of_what_went_on (void **state)
{
  (void) state;
  for (int is_far = 0; is_far < 2; is_far++)
    {
      model_two_references (&model, 8, piece_monitor);
      model.ref_table[0].flags |= PG_REF_FEEDS;
      pieces_in_a_row (0, MODEL_MEMORY);
      for (int64_t i = ROW_COUNT / 2; i < ROW_COUNT; i++)
	pieces[i][0].at += PG_DENSE_STEP + is_far;
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      assert_int_equal (inspect_as_one_job (inspector), ROW_COUNT);
      assert_int_equal (pg_scout_traces (inspector, 0)[0].is_sparse, is_far);
      pg_inspector_free (inspector);
    }
}

/* Where the rows move on with the iterations, from the second macro-chunk on the monitor runs once: where they will be
   is guessed, and reads are marked while they are traced.  */
static void
a_range_that_moves_on_is_guessed (void **state)
{
  (void) state;
  rows = (struct rows) { 0, -8, 320, 8, 16, 16 };
  model_two_references (&model, 8, row_monitor);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 10000);
  assert_int_equal (pg_inspect (inspector, view, 0, 1200), 1200);
  for (int64_t lo = 1200; lo < 9600; lo += 1200)
    {
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, lo, lo + 1200), lo + 1200);
      assert_int_equal (n_monitors, pg_pool_threads () * 4);
    }
  pg_inspector_free (inspector);
}

/* What a spread monitor below writes in iteration I: eight bytes at I modulo N_PLACES times STEP, or every other time,
   if there is a NEAR end, side by side there, and then as far away as NEAR says.  Nobody follows these addresses.  */
static struct
{
  int64_t n_places, step, near;
} spread;

static int64_t
spread_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter, far = spread.near + i % spread.n_places * spread.step + i / spread.n_places * 8;
      if (monitor->next[1])
	monitor->touch (monitor, 1, memory + (spread.near > 0 && i % 2 == 0 ? i * 8 : far), 8);
    }
  return 0;
}

/* Inspect N iterations of spread writes, which are clean; the bytes of the layout.  */
static int64_t
len_of_spread_layout (struct pg_inspector *inspector, int64_t n)
{
  pg_view_evaluate (view, &model.region, &model.args, n);
  assert_int_equal (pg_inspect (inspector, view, 0, n), n);
  return (int64_t) inspector->n_cells * 8;
}

/* An area that grows at one end has no more beyond the other one than before.  */
static void
an_area_grows_where_it_is_too_small (void **state)
{
  (void) state;
  model_two_references (&model, 8, spread_monitor);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  spread.n_places = 10000;
  spread.step = 16384;
  spread.near = 8 << 20;
  for (int64_t n = 1000; n < 2000; n += 20)
    {
      int64_t touched = spread.near + n * spread.step;
      assert_in_range (len_of_spread_layout (inspector, n), touched - spread.step, touched + (3 << 20));
    }
  pg_inspector_free (inspector);
}

/* Where a range went on for a while, and then does not, the area that was guessed for it is given up.  */
static void
an_area_much_too_large_is_given_up (void **state)
{
  (void) state;
  model_two_references (&model, 8, spread_monitor);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  spread.n_places = 100;
  spread.step = 65536;
  spread.near = 0;
  len_of_spread_layout (inspector, 100);
  assert_in_range (len_of_spread_layout (inspector, 1000), 800 * 65536, 1200 * 65536);
  assert_in_range (len_of_spread_layout (inspector, 1000), 100 * 65536, 200 * 65536);
  pg_inspector_free (inspector);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (rows_conflict_where_their_bytes_meet),
    cmocka_unit_test (random_rows_are_told_from_each_other),
    cmocka_unit_test (pieces_that_go_on_conflict_where_their_bytes_meet),
    cmocka_unit_test (random_pieces_are_told_from_each_other),
    cmocka_unit_test (what_was_found_is_in_the_log),
    cmocka_unit_test (what_goes_on_may_end_at_odd_places),
    cmocka_unit_test (pieces_that_go_on_need_no_call),
    cmocka_unit_test (a_step_is_from_the_end_of_what_went_on),
    cmocka_unit_test (a_range_that_moves_on_is_guessed),
    cmocka_unit_test (an_area_grows_where_it_is_too_small),
    cmocka_unit_test (an_area_much_too_large_is_given_up),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
