//! link: -Wl,--wrap=pg_log_write
/* SPDX-License-Identifier: MIT
   Gathers: what rows of integers make an inner loop read is as if it had been told piece by piece.  */
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

enum
{
  N_RANDOM = 4000,
  MOST_ITERS = 200,
  MOST_ROW = 9,
  N_PLACES = 1200, /* that are read and written, */
  APART = 1000     /* or so far from each other */
};

/* for (i) { for (k) read place index[row[i] + k];  write place written[i]; } */
static struct
{
  int64_t n_iters, row[MOST_ITERS + 1], len[MOST_ITERS];
  int64_t index[MOST_ITERS * (MOST_ROW + 1)], written[MOST_ITERS];
  int32_t small[MOST_ITERS * (MOST_ROW + 1)];
  int64_t unit; /* bytes of a place */
  int64_t form; /* of the gather */
  int64_t bias; /* an integer stands for the place so much lower */
} loop;

static struct model model;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;
static _Alignas(64) unsigned char places[MOST_ITERS * APART * 8];
static int n_told; /* calls of gather */

static int64_t
gathering_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct pg_monitor *monitor = ctx;
  int64_t size = PG_GATHER_SIZE (loop.form);
  const char *integers = size == 4 ? (const char *) loop.small : (const char *) loop.index;
  const void *base = (const void *) ((uintptr_t) places - (uintptr_t) (loop.bias * loop.unit));
  (void) args;
  for (monitor->iter = lo; monitor->iter < hi; monitor->iter++)
    {
      int64_t i = monitor->iter, len = loop.len[i] * size;
      const char *start = integers + loop.row[i] * size;
      if (monitor->next[0] && monitor->gathers[0].end == start)
	monitor->gathers[0].end = start + len;
      else if (monitor->next[0])
	{
	  __atomic_fetch_add (&n_told, 1, __ATOMIC_RELAXED);
	  monitor->gather (monitor, 0, start, len, base, loop.form);
	}
      if (monitor->next[1])
	monitor->touch (monitor, 1, places + loop.written[i] * loop.unit, loop.unit);
    }
  return 0;
}

/* Make MODEL a loop of a read and a write, whose places are affine if IS_AFFINE: then it is iteration I that writes
   place I.  */
static void
describe (bool is_affine)
{
  uint64_t random = model.random;
  memset (&model, 0, offsetof (struct model, memory));
  model.random = random;
  model.n_iters = loop.n_iters;
  model.dims[0].parent = -1;
  model.refs[0] = (struct model_ref) { .len = loop.unit, .flags = PG_REF_READ, .feed = 0 };
  model.refs[1] = (struct model_ref) { .len = loop.unit, .flags = PG_REF_WRITE, .feed = is_affine ? -1 : 0 };
  model.refs[1].base = (intptr_t) places - (intptr_t) (model.memory + MODEL_ORIGIN);
  model.refs[1].coef[0] = loop.unit;
  model_describe (&model, 1, 2);
  model.region.flags |= PG_REGION_SLICE_STABLE;
  model.region.monitor = gathering_monitor;
}

/* The first iteration that conflicts with an earlier one.  */
static int64_t
first_conflict (void)
{
  static int64_t writer[N_PLACES], reader[N_PLACES], other[N_PLACES]; /* iterations + 1, of readers two */
  memset (writer, 0, sizeof writer);
  memset (reader, 0, sizeof reader);
  memset (other, 0, sizeof other);
  for (int64_t i = 0; i < loop.n_iters; i++)
    {
      for (int64_t k = 0; k < loop.len[i]; k++)
	{
	  int64_t place = loop.index[loop.row[i] + k] - loop.bias;
	  if (writer[place] != 0 && writer[place] != i + 1)
	    return i;
	  other[place] = reader[place] != i + 1 ? reader[place] : other[place];
	  reader[place] = i + 1;
	}
      int64_t place = loop.written[i];
      if ((writer[place] != 0 && writer[place] != i + 1) || (reader[place] != 0 && reader[place] != i + 1)
	  || other[place] != 0)
	return i;
      writer[place] = i + 1;
    }
  return loop.n_iters;
}

/* A random loop of integers of SIZE bytes, with few conflicts or none, and gaps between rows, if HAS_GAPS.  */
static void
make_loop (int64_t size, bool is_signed, bool has_gaps, bool is_affine)
{
  int64_t n = 0, n_free = model_pick (&model, 0, 3) == 0 ? MOST_ITERS : N_PLACES - MOST_ITERS;
  loop.n_iters = model_pick (&model, 2, MOST_ITERS);
  loop.unit = model_pick (&model, 0, 1) ? 8 : 4;
  loop.form = PG_GATHER_FORM (loop.unit, is_signed, size == 4 ? 2 : 3);
  loop.bias = is_signed ? -model_pick (&model, 0, N_PLACES) : size == 4 ? INT64_C (0x7fffff00) : 0;
  for (int64_t i = 0; i < loop.n_iters; i++)
    {
      n += has_gaps && model_pick (&model, 0, 2) == 0;
      loop.row[i] = n;
      loop.len[i] = model_pick (&model, 0, 4) == 0 ? 0 : model_pick (&model, 1, MOST_ROW - 1);
      loop.written[i] = is_affine || model_pick (&model, 0, 9) ? i : model_pick (&model, 0, MOST_ITERS - 1);
      for (int64_t k = 0; k < loop.len[i]; k++, n++)
	{
	  int64_t place = MOST_ITERS + model_pick (&model, 0, n_free - 1);
	  place = model_pick (&model, 0, 5) == 0 ? loop.written[i] : place;
	  place = model_pick (&model, 0, 2000) == 0 ? model_pick (&model, 0, MOST_ITERS) : place;
	  loop.index[n] = place + loop.bias;
	  loop.small[n] = (int32_t) (uint32_t) (uint64_t) loop.index[n];
	}
    }
}

static void
gathers_are_as_what_they_stand_for (void **state)
{
  int n_clean = 0;
  (void) state;
  model.random = 0x9e3779b97f4a7c15;
  for (int t = 0; t < N_RANDOM; t++)
    {
      bool is_affine = t % 2, is_small = t / 2 % 2, is_signed = t / 4 % 2, has_gaps = t / 8 % 2;
      make_loop (is_small ? 4 : 8, is_signed, has_gaps, is_affine);
      describe (is_affine);
      int64_t expected = first_conflict ();
      n_clean += expected == loop.n_iters;
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      for (int again = 0; again < 4; again++)
	{
	  inspector->sieve_rest = again == 3 ? 2 : 0;
	  pg_view_evaluate (view, &model.region, &model.args, loop.n_iters);
	  assert_int_equal (pg_inspect (inspector, view, 0, loop.n_iters), expected);
	}
      pg_inspector_free (inspector);
    }
  assert_in_range (n_clean, N_RANDOM / 10, N_RANDOM * 9 / 10);
}

/* A loop whose rows follow each other and read nothing that is written.  */
static void
make_clean_loop (int32_t first)
{
  loop.n_iters = MOST_ITERS;
  loop.unit = 8;
  loop.form = PG_GATHER_FORM (8, true, 2);
  loop.bias = 0;
  for (int64_t i = 0; i < MOST_ITERS; i++)
    {
      loop.row[i] = i * 3;
      loop.len[i] = 3;
      loop.written[i] = i;
      for (int64_t k = 0; k < 3; k++)
	loop.small[i * 3 + k] = first + (int32_t) (i * 3 + k);
    }
}

/* The bounds that rows of integers give are those of the least and the largest, wherever these are.  */
static void
bounds_are_those_of_the_extremes (void **state)
{
  (void) state;
  make_clean_loop (MOST_ITERS);
  describe (false);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  for (int at = 0; at < 3 * MOST_ITERS; at++)
    {
      int other = (at + 7 * MOST_ITERS / 5) % (3 * MOST_ITERS);
      make_clean_loop (MOST_ITERS);
      loop.small[at] = N_PLACES - 1;
      loop.small[other] = MOST_ITERS / 2;
      pg_view_evaluate (view, &model.region, &model.args, MOST_ITERS);
      assert_true (pg_inspect_bounds (inspector, view, 0, MOST_ITERS));
      const struct pg_bound *bound = &pg_inspector_bounds (inspector)[0];
      assert_ptr_equal (bound->low, places + MOST_ITERS / 2 * 8);
      assert_ptr_equal (bound->end, places + N_PLACES * 8);
    }
  pg_inspector_free (inspector);
}

/* Rows that follow each other are told by one call a job; where an iteration's own writes make a difference, each by
   its own.  */
static void
rows_go_on_where_iterations_are_no_matter (void **state)
{
  (void) state;
  for (int is_affine = 0; is_affine < 2; is_affine++)
    {
      make_clean_loop (MOST_ITERS);
      for (int64_t i = 0; i < MOST_ITERS; i++)
	loop.small[i * 3] = (int32_t) i; /* what it writes itself */
      describe (is_affine);
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, MOST_ITERS);
      n_told = 0;
      assert_int_equal (pg_inspect_bounds (inspector, view, 0, MOST_ITERS), true);
      int n_jobs = n_told;
      assert_in_range (n_jobs, 1, 12);
      if (is_affine)
	{
	  assert_int_equal (pg_inspect (inspector, view, 0, MOST_ITERS), MOST_ITERS);
	  n_told = 0;
	  assert_int_equal (pg_inspect (inspector, view, 0, MOST_ITERS), MOST_ITERS);
	  assert_int_equal (n_told, MOST_ITERS);
	}
      pg_inspector_free (inspector);
    }
}

/* Where few of many places are met, the sieve's lists know of those that were gathered.  */
static void
gathered_places_are_listed (void **state)
{
  static const int64_t planted[][2]
    = { { 0, 0 }, { 3, 150 }, { 150, 3 }, { 198, 199 } }; /* who reads what who writes */
  (void) state;
  for (size_t p = 0; p < sizeof planted / sizeof *planted; p++)
    {
      make_clean_loop (0);
      for (int64_t i = 0; i < MOST_ITERS; i++)
	{
	  loop.written[i] = i * APART;
	  for (int64_t k = 0; k < 3; k++)
	    loop.small[i * 3 + k] = (int32_t) (i * APART + 100 * k + 50);
	}
      loop.small[planted[p][0] * 3] = (int32_t) (planted[p][1] * APART);
      int64_t later = planted[p][0] > planted[p][1] ? planted[p][0] : planted[p][1];
      describe (false);
      struct pg_inspector *inspector = pg_inspector_new (&model.region);
      pg_view_evaluate (view, &model.region, &model.args, MOST_ITERS);
      for (int again = 0; again < 2; again++)
	assert_int_equal (pg_inspect (inspector, view, 0, MOST_ITERS), later > 0 ? later : MOST_ITERS);
      assert_true (inspector->listed_iters > 0);
      pg_inspector_free (inspector);
    }
}

/* Integers that no memory goes with give bounds that hold everything.  */
static void
addresses_that_wrap_around_may_be_any (void **state)
{
  (void) state;
  make_clean_loop (MOST_ITERS);
  loop.form = PG_GATHER_FORM (INT64_C (1) << 31, true, 2);
  loop.small[0] = INT32_MIN;
  describe (false);
  struct pg_inspector *inspector = pg_inspector_new (&model.region);
  pg_view_evaluate (view, &model.region, &model.args, MOST_ITERS);
  assert_true (pg_inspect_bounds (inspector, view, 0, MOST_ITERS));
  assert_null (pg_inspector_bounds (inspector)[0].low);
  pg_inspector_free (inspector);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (gathers_are_as_what_they_stand_for),        cmocka_unit_test (bounds_are_those_of_the_extremes),
    cmocka_unit_test (rows_go_on_where_iterations_are_no_matter), cmocka_unit_test (gathered_places_are_listed),
    cmocka_unit_test (addresses_that_wrap_around_may_be_any),
  };
  pg_environment.n_threads = 3;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
