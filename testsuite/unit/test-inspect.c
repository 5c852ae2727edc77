//! link: -Wl,--wrap=pg_log_write
/* SPDX-License-Identifier: MIT
   The inspector: on random loops its answer is the interpreter's, to the iteration.  */
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "inspect.h"
#include "inspector.h"
#include "left-sieve.h"
#include "logged.h"
#include "loop-model.h"
#include "pool.h"
#include "scout.h"

#include <stdio.h>

#define N_RANDOM 3000

static struct model model;
static struct oracle oracle;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;
static uint16_t scatter_index[1000];

/* Go through the iterations as the runtime does, in macro-chunks in order, with everything executed before the next one
   is inspected; the same inspector all the way, so that layouts and epochs are used again.  */
static void
the_first_conflict_is_found_exactly (void **state)
{
  int n_clean = 0, n_conflicts = 0, n_early = 0;
  (void) state;
  model.random = 0x3707344a4093822;
  for (int t = 0; t < N_RANDOM; t++)
    {
      model_random_indirect (&model);
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      assert_non_null (inspector);
      for (int entry = 0; entry < 2; entry++)
	{
	  model_fill_memory (&model);
	  for (uint32_t r = 0; r < model.region.n_refs; r++)
	    if (model.refs[r].feed >= 0) /* other buffers, at other alignments */
	      model.refs[r].base += entry * model_pick (&model, 0, 1) * model_pick (&model, -60, 60);
	  pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
	  if (model_pick (&model, 0, 1))
	    pg_l1_check (view);
	  assert_true (pg_inspect_possible (view));
	  for (int64_t lo = 0, hi; lo < model.n_iters; lo = hi)
	    {
	      hi = lo + model_pick (&model, 1, model.n_iters);
	      hi = hi < model.n_iters ? hi : model.n_iters;
	      int64_t end = pg_inspect (inspector, view, lo, hi);
	      oracle_run (&oracle, &model, lo, hi, true);
	      int64_t expected = oracle.conflict < hi ? oracle.conflict : hi;
	      if (hi - lo == 1)
		expected = hi;
	      assert_int_equal (end, expected);
	      n_clean += end == hi;
	      n_conflicts += end < hi;
	      n_early += end == lo;
	    }
	}
      pg_inspector_free (inspector);
    }
  assert_in_range (n_clean, N_RANDOM, 6 * N_RANDOM);
  assert_in_range (n_conflicts, N_RANDOM / 2, 6 * N_RANDOM);
  assert_in_range (n_early, N_RANDOM / 100, N_RANDOM);
}

/* for (i < 1000) a[idx[i]] = ...: one update, one feed, with a conflict planted between FIRST and SECOND.  */
static void
scatter (struct model *m, int64_t first, int64_t second)
{
  for (int i = 0; i < 1000; i++)
    scatter_index[i] = (uint16_t) ((i * 7) % 1000);
  if (first != second)
    scatter_index[second] = scatter_index[first];
  memset (m, 0, offsetof (struct model, memory));
  m->n_iters = 1000;
  m->dims[0].parent = -1;
  m->refs[0] = (struct model_ref) { .coef = { 2 }, .len = 2, .flags = PG_REF_READ | PG_REF_FEEDS, .feed = -1 };
  m->refs[0].base = (int64_t) ((intptr_t) scatter_index - (intptr_t) (m->memory + MODEL_ORIGIN));
  m->refs[1] = (struct model_ref) { .len = 8, .flags = PG_REF_READ | PG_REF_WRITE, .feed = 0 };
  model_describe (m, 1, 2);
  m->region.flags |= PG_REGION_SLICE_STABLE;
}

static int n_monitors;
static bool is_index_wanted;

static int64_t
scatter_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  struct model *m = *(struct model **) args;
  double third = 1.0;
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  if (monitor->wanted[0])
    __atomic_store_n (&is_index_wanted, true, __ATOMIC_RELAXED);
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &scatter_index[i], 2);
      monitor->touch (monitor, 1, m->memory + scatter_index[i] * 8, 8);
      third /= 3.0;
    }
  errno = EDOM;
  __asm__ volatile("" : : "x"(third));
  return 0;
}

static void
planted_conflicts_are_found_where_they_are (void **state)
{
  static const int64_t planted[][2] = { { 0, 0 }, { 0, 1 }, { 0, 31 }, { 0, 999 }, { 500, 501 }, { 998, 999 } };
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  for (size_t p = 0; p < sizeof planted / sizeof planted[0]; p++)
    {
      scatter (&model, planted[p][0], planted[p][1]);
      model.region.monitor = scatter_monitor;
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), p == 0 ? 1000 : planted[p][1]);
    }
  pg_inspector_free (inspector);
}

/* The same loop, which logs its updates.  */
static int64_t
logging_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  struct model *m = *(struct model **) args;
  struct pg_log_entry *log = &monitor->logs[PG_LOG_ENTRIES];
  int n_logged = 0;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &scatter_index[i], 2);
      log[n_logged++] = (struct pg_log_entry) { m->memory + scatter_index[i] * 8, i };
      if (n_logged == PG_LOG_ENTRIES || i == hi - 1)
	{
	  monitor->drain (monitor, 1, log + n_logged);
	  n_logged = 0;
	}
    }
  return 0;
}

/* Once a conflict is known, logs of later iterations cost next to nothing: what they write is not marked.  */
static void
nothing_is_marked_behind_a_conflict (void **state)
{
  (void) state;
  scatter (&model, 0, 1);
  model.region.monitor = logging_monitor;
  pg_environment.n_threads = 1;
  pg_pool_forget ();
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  for (int entry = 0; entry < 3; entry++)
    {
      int64_t n_marked = 0;
      inspector->sieve_rest = 2;
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1);
      for (size_t c = 0; c < inspector->n_cells; c++)
	n_marked += inspector->shadow.cells[c] > inspector->shadow.floor;
      assert_in_range (n_marked, 1, PG_LOG_ENTRIES);
    }
  pg_inspector_free (inspector);
  pg_environment.n_threads = 3;
  pg_pool_forget ();
}

/* The second macro-chunk of the same shape takes one run of the monitor, not two.  */
static void
a_layout_that_fits_saves_a_pass (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  n_monitors = 0;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  int n_first = n_monitors;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_int_equal ((n_monitors - n_first) * 2, n_first);
  pg_inspector_free (inspector);
}

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

/* Make MODEL a loop of two opaque references, a read and a write, that MONITOR tells of.  */
static void
two_references (struct model *m, int64_t len, pg_loop_fn *monitor)
{
  memset (m, 0, offsetof (struct model, memory));
  m->n_iters = 20;
  m->dims[0].parent = -1;
  m->refs[0] = (struct model_ref) { .len = len, .flags = PG_REF_READ, .feed = 0 };
  m->refs[1] = (struct model_ref) { .len = len, .flags = PG_REF_WRITE, .feed = 0 };
  model_describe (m, 1, 2);
  m->region.flags |= PG_REGION_SLICE_STABLE;
  m->region.monitor = monitor;
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
      two_references (&model, rows.len, row_monitor);
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
      two_references (&model, unit, row_monitor);
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
  two_references (&model, len, piece_monitor);
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
  two_references (&model, 4, piece_monitor);
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
  two_references (&model, 8, piece_monitor);
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
      two_references (&model, 8, piece_monitor);
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
  two_references (&model, 8, row_monitor);
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

/* for (i < 1000) { ... = x[idx[i]]; x[i] = ...; }, where most elements are read in their own iteration, as padded rows
   of a sparse matrix do, and one OWN_DISTANCE before or behind.  */
static int64_t own_distance;

static int64_t
own_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter;
      monitor->touch (monitor, 0, memory + (i == 500 ? i + own_distance : i) * 8, 8);
      monitor->touch (monitor, 1, memory + i * 8, 8);
    }
  return 0;
}

/* Already the first inspection needs one run: what is written is known, and that an iteration reads what it writes is
   no reason for doubt; other reads are.  */
static void
what_an_iteration_surely_writes_it_may_read (void **state)
{
  static const int64_t distances[][2] = { { 0, 1000 }, { 1, 501 }, { -1, 500 }, { -500, 500 }, { 499, 999 } };
  (void) state;
  for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
    {
      two_references (&model, 8, own_monitor);
      model.ref_table[1] = (struct pg_ref) { .len = 8, .flags = PG_REF_WRITE | PG_REF_AFFINE };
      int64_t coef[PG_MAX_DIMS] = { 8 };
      model.ref_table[1].address = model_linear (&model, (int64_t) (intptr_t) model.memory, coef);
      own_distance = distances[d][0];
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      assert_int_equal (pg_l1_check (view), PG_L1_UNSETTLED);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), distances[d][1]);
      if (own_distance == 0)
	assert_int_equal (n_monitors, pg_pool_threads () * 4);
      pg_inspector_free (inspector);
    }
}

/* A write that may be left out says nothing about what its iteration may read: here another reference writes that.  */
static int64_t
conditional_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  const unsigned char *memory = (*(struct model **) args)->memory;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter;
      monitor->touch (monitor, 0, memory + i * 8, 8);
      if (i != 500)
	monitor->touch (monitor, 1, memory + i * 8, 8);
      if (i == 600)
	monitor->touch (monitor, 2, memory + 500 * 8, 8);
    }
  return 0;
}

static void
a_write_that_may_not_happen_hides_nothing (void **state)
{
  (void) state;
  two_references (&model, 8, conditional_monitor);
  model.refs[2] = model.refs[1];
  model_describe (&model, 1, 3);
  model.region.monitor = conditional_monitor;
  model.ref_table[1] = (struct pg_ref) { .len = 8, .flags = PG_REF_WRITE | PG_REF_AFFINE | PG_REF_CONDITIONAL };
  int64_t coef[PG_MAX_DIMS] = { 8 };
  model.ref_table[1].address = model_linear (&model, (int64_t) (intptr_t) model.memory, coef);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  for (int again = 0; again < 3; again++)
    assert_int_equal (pg_inspect (inspector, view, 0, 1000), 600);
  pg_inspector_free (inspector);
}

/* The range of what is read at addresses that numbers tell is known without a touch.  */
static void
what_numbers_tell_is_not_traced (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  is_index_wanted = false;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_false (is_index_wanted);
  pg_inspector_free (inspector);
}

/* Waking others for a few microseconds of work takes longer than doing it: once its cost is known, it is one job.  */
static void
a_small_macro_chunk_is_one_job (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  pg_environment.plan = PG_PLAN_AUTO;
  n_monitors = 0;
  for (int n_tries = 0; n_tries < 100 && n_monitors != 1; n_tries++) /* another process may make it look dear */
    {
      for (int i = 0; i < 30; i++)
	assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 10), 10);
    }
  assert_int_equal (n_monitors, 1);
  pg_environment.plan = PG_PLAN_POOL;
  pg_inspector_free (inspector);
}

/* Until its cost is known, the loop's own work tells how many jobs an inspection is worth.  */
static void
little_work_is_few_jobs_from_the_start (void **state)
{
  static const struct
  {
    int64_t work_ns;
    int n_jobs;
  } given[]
    = { { 0, 12 }, { 5000, 1 }, { 15000, 3 }, { 25000, 6 }, { 1000000, 12 }, { 200000000, 30 }, { INT64_MAX, 500 } };
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  pg_environment.plan = PG_PLAN_AUTO;
  for (size_t g = 0; g < sizeof given / sizeof *given; g++)
    {
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_inspector_allow (inspector, SIZE_MAX, given[g].work_ns);
      n_monitors = 0;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      assert_int_equal (n_monitors, 2 * given[g].n_jobs); /* passes */
      pg_inspector_free (inspector);
    }
  pg_environment.plan = PG_PLAN_POOL;
}

/* Where no new memory is allowed, an inspection that needs some cannot tell; what there is, is used.  */
static void
an_inspection_takes_no_more_memory_than_allowed (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  for (int has_shadow = 0; has_shadow < 2; has_shadow++)
    {
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      forget_left_sieve ();
      pg_view_evaluate (view, &model.region, &model.args, 1000);
      pg_inspector_allow (inspector, 0, 0);
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 0);
      pg_inspector_allow (inspector, SIZE_MAX, 0);
      inspector->sieve_rest = has_shadow * 2;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      assert_int_equal (inspector->shadow.len > 0, has_shadow);
      pg_inspector_allow (inspector, 0, 0);
      inspector->sieve_rest = has_shadow * 2;
      assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
      pg_inspector_free (inspector);
    }
}

/* What another one has made is nothing new: it is used where no new memory is allowed.  */
static void
an_inspection_goes_by_the_sieve_that_another_left (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  forget_left_sieve ();
  struct pg_inspector *first = pg_inspector_new (&model.region), *second = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000);
  pg_inspector_allow (second, 0, 1000);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 1000);
  assert_int_equal (second->shadow.len, 0);
  scatter (&model, 3, 700);
  model.region.monitor = scatter_monitor;
  pg_inspector_allow (second, SIZE_MAX, 1000);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 700);
  pg_inspector_free (second);
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  pg_inspector_allow (first, 0, 1000);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000); /* as if the second had never been */
  pg_inspector_free (first);
}

/* To make a sieve takes long, once: neither the next inspection nor another inspector's does it again.  */
static void
what_a_new_sieve_took_is_told_apart (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  forget_left_sieve ();
  struct pg_inspector *first = pg_inspector_new (&model.region), *second = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000);
  assert_true (pg_inspector_once_ns (first) > 0);
  assert_int_equal (pg_inspect (first, view, 0, 1000), 1000);
  assert_int_equal (pg_inspector_once_ns (first), 0);
  assert_int_equal (pg_inspect (second, view, 0, 1000), 1000);
  assert_int_equal (pg_inspector_once_ns (second), 0);
  pg_inspector_free (first);
  pg_inspector_free (second);
}

/* Iterations have numbers of 32 bits there.  */
static void
too_many_iterations_have_no_bounds (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, INT32_MAX);
  n_monitors = 0;
  assert_false (pg_inspect_bounds (inspector, view, 0, INT32_MAX));
  assert_int_equal (pg_inspect (inspector, view, 0, INT32_MAX), 0);
  assert_int_equal (n_monitors, 0);
  assert_true (pg_inspect_bounds (inspector, view, 0, 1000));
  assert_true (inspector->has_bounds);
  pg_inspector_free (inspector);
}

/* The monitor's arithmetic is not the program's: neither errno nor flags may show it.  */
static void
an_inspection_leaves_errno_and_flags_alone (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = scatter_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  feclearexcept (FE_ALL_EXCEPT);
  errno = 0;
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 1000);
  assert_int_equal (errno, 0);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
  pg_inspector_free (inspector);
}

/* Two arrays 2^45 bytes apart, both written through one reference: no shadow could cover that.  */
static int64_t
far_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  (void) args;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    monitor->touch (monitor, 1, (const char *) 4096 + (monitor->iter % 2 << 45) + monitor->iter * 8, 8);
  return 0;
}

static void
a_range_too_wide_for_a_shadow_cannot_be_told (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  model.region.monitor = far_monitor;
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_int_equal (pg_inspect (inspector, view, 0, 1000), 0);
  assert_int_equal (pg_inspect (inspector, view, 5, (int64_t) 1 << 32), 5);
  pg_inspector_free (inspector);
}

static void
only_safe_monitors_are_run (void **state)
{
  (void) state;
  scatter (&model, 0, 0);
  pg_view_evaluate (view, &model.region, &model.args, 1000);
  assert_true (pg_inspect_possible (view));
  model.ref_table[0].flags |= PG_REF_FEEDS_LOAD;
  assert_true (pg_inspect_possible (view));
  model.region.flags &= ~(uint32_t) PG_REGION_SLICE_STABLE;
  assert_false (pg_inspect_possible (view));
  model.ref_table[0].flags &= (uint8_t) ~PG_REF_FEEDS_LOAD;
  assert_true (pg_inspect_possible (view));
  model.ref_table[1].flags |= PG_REF_FEEDS;
  assert_false (pg_inspect_possible (view));
  model.region.flags |= PG_REGION_SLICE_STABLE;
  assert_true (pg_inspect_possible (view));
  model.region.monitor = NULL;
  assert_false (pg_inspect_possible (view));
}

/* A few hundred iterations that scatter over much memory: each writes an even cell and reads odd ones, but for what is
   planted.  Told one by one or by logs.  */
enum
{
  SCATTERED_ITERS = 300,
  SCATTERED_CELLS = 1 << 20,
  SCATTERED_MOST_READS = 200
};

static struct
{
  int64_t writes[SCATTERED_ITERS], reads[SCATTERED_ITERS][SCATTERED_MOST_READS]; /* cells */
  int64_t n_reads;
  bool has_logs;
} scattered;

/* Tell MONITOR of CELL by REF, whose log has *N_LOGGED entries.  */
static void
tell_cell (struct pg_monitor *monitor, int64_t ref, int64_t cell, int64_t *n_logged)
{
  const char *address = (const char *) ((intptr_t) 1 << 30) + cell * 8;
  if (!monitor->wanted[ref])
    return;
  if (!scattered.has_logs)
    {
      monitor->touch (monitor, ref, address, 8);
      return;
    }
  struct pg_log_entry *log = &monitor->logs[ref * PG_LOG_ENTRIES];
  log[(*n_logged)++] = (struct pg_log_entry) { .address = address, .iter = monitor->iter };
  if (*n_logged == PG_LOG_ENTRIES)
    monitor->drain (monitor, ref, log + PG_LOG_ENTRIES);
  *n_logged %= PG_LOG_ENTRIES;
}

static int64_t
scattered_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  int64_t n_logged[2] = { 0, 0 };
  (void) args;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      for (int64_t k = 0; k < scattered.n_reads; k++)
	tell_cell (monitor, 0, scattered.reads[monitor->iter][k], &n_logged[0]);
      tell_cell (monitor, 1, scattered.writes[monitor->iter], &n_logged[1]);
    }
  for (int ref = 0; ref < 2; ref++)
    monitor->drain (monitor, ref, &monitor->logs[ref * PG_LOG_ENTRIES + n_logged[ref]]);
  return 0;
}

/* Make SCATTERED free of conflicts, with N_READS an iteration.  */
static void
scatter_anew (int64_t n_reads)
{
  scattered.n_reads = n_reads;
  for (int64_t i = 0; i < SCATTERED_ITERS; i++)
    {
      scattered.writes[i] = i * 7919 * 2 % SCATTERED_CELLS;
      for (int64_t k = 0; k < n_reads; k++)
	scattered.reads[i][k] = model_pick (&model, 0, SCATTERED_CELLS / 2 - 1) * 2 + 1;
    }
}

/* Assert that the sieve of the last inspection, which was left, HAS_LISTS, and then is clear.  */
static void
assert_sieve_was (bool has_lists)
{
  struct pg_sieve sieve = { .bits = NULL };
  pg_sieve_inherit (&sieve, SIZE_MAX);
  assert_non_null (sieve.bits);
  assert_int_equal (sieve.has_lists, has_lists);
  for (size_t w = 0; has_lists && w < sieve.len / sizeof *sieve.bits; w++)
    assert_int_equal (sieve.bits[w], 0);
  pg_sieve_leave (&sieve);
}

static struct pg_inspector *
new_scattered_inspector (void)
{
  two_references (&model, 8, scattered_monitor);
  pg_view_evaluate (view, &model.region, &model.args, SCATTERED_ITERS);
  return pg_inspector_new (&model.region);
}

/* Then the sieve has lists, all the threads', and leaves nothing behind.  Whatever two iterations share, in one job or
   not, is found as always; what an iteration shares with itself is none.  */
static void
few_touches_of_much_memory_are_listed (void **state)
{
  int n_conflicts = 0;
  (void) state;
  for (int t = 0; t < 400; t++)
    {
      struct pg_inspector *inspector = new_scattered_inspector ();
      model.random = (uint64_t) t * 0x9e3779b97f4a7c15 + 1;
      scattered.has_logs = t % 2;
      scatter_anew (3);
      for (int again = 0; again < 3; again++)
	{
	  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
	  assert_sieve_was (true);
	}
      int64_t a = model_pick (&model, 0, SCATTERED_ITERS - 1);
      int64_t b = model_pick (&model, 0, 1) ? model_pick (&model, 0, SCATTERED_ITERS - 1) : a / 8 * 8;
      bool is_read = t / 2 % 2;
      *(is_read ? &scattered.reads[b][1] : &scattered.writes[b]) = scattered.writes[a];
      int64_t expected = a == b ? SCATTERED_ITERS : a > b ? a : b;
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), expected);
      assert_sieve_was (true);
      n_conflicts += a != b;
      pg_inspector_free (inspector);
    }
  assert_in_range (n_conflicts, 300, 395);
}

/* Where lists turn out too short, and from then on have none, conflicts are found too.  Fewer touches have lists
   again, and these begin with clear maps.  */
static void
many_touches_are_not_listed (void **state)
{
  (void) state;
  for (int t = 0; t < 20; t++)
    {
      struct pg_inspector *inspector = new_scattered_inspector ();
      model.random = (uint64_t) t * 0x9e3779b97f4a7c15 + 1;
      scattered.has_logs = t % 2;
      scatter_anew (3);
      for (int again = 0; again < 2; again++)
	assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
      scatter_anew (SCATTERED_MOST_READS);
      for (int again = 0; again < 2; again++)
	{
	  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
	  assert_sieve_was (again == 0);
	  assert_int_equal (inspector->n_doubts, 0);
	}
      scatter_anew (3);
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS / 3), SCATTERED_ITERS / 3);
      assert_sieve_was (true);
      assert_int_equal (inspector->n_doubts, 0);

      scatter_anew (SCATTERED_MOST_READS);
      scattered.reads[t * 10][t] = scattered.writes[100];
      assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), t == 10  ? SCATTERED_ITERS
									  : t > 10 ? t * 10
										   : 100);
      pg_inspector_free (inspector);
    }
}

/* A sieve that is too large for its iterations is less work all the same than to touch a shadow for the first time.  */
static void
a_new_shadow_is_more_work_than_a_sieve (void **state)
{
  struct pg_inspector *inspector = new_scattered_inspector ();
  (void) state;
  scatter_anew (SCATTERED_MOST_READS);
  inspector->n_listed = SCATTERED_CELLS;
  inspector->listed_iters = 1;
  inspector->iter_ps = 1;
  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
  assert_sieve_was (false);
  assert_int_equal (inspector->shadow.len, 0);
  inspector->sieve_rest = 2;
  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
  uint32_t top = inspector->shadow.top;
  assert_true (inspector->shadow.len > 0);
  inspector->sieve_rest = 0;
  inspector->iter_ps = 1;
  assert_int_equal (pg_inspect (inspector, view, 0, SCATTERED_ITERS), SCATTERED_ITERS);
  assert_true (inspector->shadow.top > top);
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
      if (monitor->wanted[1])
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
  two_references (&model, 8, spread_monitor);
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
  two_references (&model, 8, spread_monitor);
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
    cmocka_unit_test (the_first_conflict_is_found_exactly),
    cmocka_unit_test (planted_conflicts_are_found_where_they_are),
    cmocka_unit_test (nothing_is_marked_behind_a_conflict),
    cmocka_unit_test (an_inspection_takes_no_more_memory_than_allowed),
    cmocka_unit_test (an_inspection_goes_by_the_sieve_that_another_left),
    cmocka_unit_test (what_a_new_sieve_took_is_told_apart),
    cmocka_unit_test (too_many_iterations_have_no_bounds),
    cmocka_unit_test (a_layout_that_fits_saves_a_pass),
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
    cmocka_unit_test (what_an_iteration_surely_writes_it_may_read),
    cmocka_unit_test (a_write_that_may_not_happen_hides_nothing),
    cmocka_unit_test (what_numbers_tell_is_not_traced),
    cmocka_unit_test (a_small_macro_chunk_is_one_job),
    cmocka_unit_test (little_work_is_few_jobs_from_the_start),
    cmocka_unit_test (an_inspection_leaves_errno_and_flags_alone),
    cmocka_unit_test (a_range_too_wide_for_a_shadow_cannot_be_told),
    cmocka_unit_test (only_safe_monitors_are_run),
    cmocka_unit_test (few_touches_of_much_memory_are_listed),
    cmocka_unit_test (many_touches_are_not_listed),
    cmocka_unit_test (a_new_shadow_is_more_work_than_a_sieve),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
