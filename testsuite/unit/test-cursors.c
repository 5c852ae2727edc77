/* SPDX-License-Identifier: MIT
   Cursors: what chunks begin with, and whether two pass the same integer, against one cursor after the other.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/cursors.h"
#include "runtime/reduce.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LENGTH = 40,
  CHUNKS = 5,
  STRIDE = LENGTH * 8 + 64
};

static _Alignas(8) char memory[(CHUNKS + PG_CURSOR_PARTS) * STRIDE];
static _Alignas(8) char values[LENGTH * 8];
static int64_t starts[LENGTH], added[CHUNKS][LENGTH];
static int64_t bounds[CHUNKS + 1];

/* Put VALUE, of TYPE, at element INDEX of AT.  */
static void
put (int type, void *at, size_t index, int64_t value)
{
  if (pg_reduce_len (type) == 8)
    ((int64_t *) at)[index] = value;
  else
    ((uint32_t *) at)[index] = (uint32_t) value;
}

static int64_t
get (int type, const void *at, size_t index)
{
  return type == PG_I32   ? ((const int32_t *) at)[index]
	 : type == PG_U32 ? ((const uint32_t *) at)[index]
			  : ((const int64_t *) at)[index];
}

/* Run pg_cursors_begin on STARTS and ADDED, as TYPE.  */
static bool
begin (int type, struct pg_cursors *passed)
{
  struct pg_array_reduction array = { .op = PG_REDUCE_ADD, .type = (uint8_t) type, .is_carried = 1 };
  struct pg_cursor_parts parts = { memory, STRIDE, LENGTH, CHUNKS, bounds };
  memset (memory, 0x55, sizeof memory);
  for (size_t i = 0; i < LENGTH; i++)
    {
      put (type, values, i, starts[i]);
      for (int c = 0; c < CHUNKS; c++)
	if (bounds[c] < bounds[c + 1])
	  put (type, memory + c * STRIDE, i, added[c][i]);
    }
  return pg_cursors_begin (&array, &parts, values, passed);
}

/* All begin at 100 times their number, and take no step; no chunk is empty.  */
static void
reset (void)
{
  memset (added, 0, sizeof added);
  for (int c = 0; c <= CHUNKS; c++)
    bounds[c] = c;
  for (int i = 0; i < LENGTH; i++)
    starts[i] = 100 * i;
}

/* Are what chunks begin with, the sum and PASSED right?  */
static void
check_parts (int type, const struct pg_cursors *passed)
{
  int64_t low = INT64_MAX, end = INT64_MIN;
  for (size_t i = 0; i < LENGTH; i++)
    {
      int64_t at = starts[i];
      for (int c = 0; c < CHUNKS; c++)
	if (bounds[c] < bounds[c + 1] && added[c][i] != 0)
	  {
	    assert_int_equal (get (type, memory + c * STRIDE, i), at);
	    at += added[c][i];
	  }
      assert_int_equal (get (pg_reduce_len (type) == 8 ? PG_I64 : PG_I32, memory + CHUNKS * STRIDE, i), at - starts[i]);
      if (at == starts[i])
	continue;
      low = starts[i] < low ? starts[i] : low;
      low = at < low ? at : low;
      end = starts[i] > end ? starts[i] : end;
      end = at > end ? at : end;
    }
  assert_int_equal (passed->low, low > end ? 0 : low);
  assert_int_equal (passed->total, low > end ? 0 : end - low);
}

/* Does each integer belong to one cursor at most?  */
static bool
are_apart (void)
{
  static uint8_t taken[100 * LENGTH + 2000];
  memset (taken, 0, sizeof taken);
  for (int i = 0; i < LENGTH; i++)
    {
      int64_t sum = 0;
      for (int c = 0; c < CHUNKS; c++)
	sum += bounds[c] < bounds[c + 1] ? added[c][i] : 0;
      int64_t from = sum < 0 ? starts[i] + sum : starts[i], to = sum < 0 ? starts[i] : starts[i] + sum;
      for (int64_t at = from; at < to; at++)
	if (taken[at + 500]++)
	  return false;
    }
  return true;
}

static void
chunks_begin_where_others_end (void **state)
{
  static const int types[] = { PG_I32, PG_U32, PG_I64, PG_U64 };
  int n_apart = 0;
  (void) state;
  srand (1);
  for (int round = 0; round < 4000; round++)
    {
      int type = types[round & 3], sign = rand () % 3 == 0 ? -1 : 1, most = 1 + rand () % (rand () % 2 ? 18 : 60);
      struct pg_cursors passed;
      reset ();
      for (int c = 1; c <= CHUNKS; c++)
	bounds[c] = bounds[c - 1] + (rand () % 6 > 0);
      if (rand () % 2)
	for (int i = 0; i < LENGTH; i++)
	  {
	    int64_t start = starts[i];
	    int other = rand () % LENGTH;
	    starts[i] = starts[other];
	    starts[other] = start;
	  }
      for (int i = 0; i < LENGTH; i++)
	{
	  starts[i] += 500;
	  for (int c = 0; c < CHUNKS; c++)
	    added[c][i] = rand () % 3 ? sign * (rand () % most) : 0;
	}
      bool is_free = begin (type, &passed);
      assert_int_equal (is_free, are_apart ());
      n_apart += is_free;
      if (is_free)
	check_parts (type, &passed);
    }
  assert_in_range (n_apart, 1000, 3500);
}

/* Ways that touch each other are apart; those of cursors that take no step are of no account.  */
static void
ways_may_touch (void **state)
{
  struct pg_cursors passed;
  (void) state;
  reset ();
  added[1][3] = 100;
  added[4][4] = 7;
  starts[20] = 350;
  assert_true (begin (PG_I32, &passed));
  assert_int_equal (passed.low, 300);
  assert_int_equal (passed.total, 107);
  added[2][20] = 1;
  assert_false (begin (PG_I32, &passed));
  starts[20] = 407;
  assert_true (begin (PG_I32, &passed));
  starts[20] = 299;
  assert_true (begin (PG_I32, &passed));
  starts[20] = 300;
  assert_false (begin (PG_I32, &passed));
}

static void
no_cursor_leaves_its_type (void **state)
{
  static const struct
  {
    int type;
    int64_t start, added;
    bool fits;
  } cases[] = {
    { PG_I32, INT32_MAX - 5, 5, true },
    { PG_I32, INT32_MAX - 5, 6, false },
    { PG_I32, INT32_MIN + 5, -5, true },
    { PG_I32, INT32_MIN + 5, -6, false },
    { PG_U32, UINT32_MAX - 5, 5, true },
    { PG_U32, UINT32_MAX - 5, 6, false },
    { PG_U32, INT32_MAX, 6, true },
    { PG_U32, 5, -5, true },
    { PG_U32, 5, -6, false },
    { PG_I64, INT64_MAX - 5, 5, true },
    { PG_I64, INT64_MAX - 5, 6, false },
    { PG_I64, INT64_MIN + 5, -5, true },
    { PG_I64, INT64_MIN + 5, -6, false },
    { PG_U64, INT64_MAX - 5, 5, true },
    { PG_U64, INT64_MAX - 5, 6, false },
    { PG_U64, -5, 5, false }, /* huge */
    { PG_U64, 5, -6, false },
  };
  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct pg_cursors passed;
      reset ();
      starts[7] = cases[i].start;
      added[2][7] = cases[i].added;
      assert_int_equal (begin (cases[i].type, &passed), cases[i].fits);
      if (cases[i].fits)
	assert_int_equal (passed.low, cases[i].added > 0 ? cases[i].start : cases[i].start + cases[i].added);
    }
}

/* What they pass is too much for a number.  */
static void
they_may_be_too_far_apart (void **state)
{
  struct pg_cursors passed;
  (void) state;
  reset ();
  starts[0] = INT64_MIN;
  starts[1] = INT64_MAX - 9;
  added[0][0] = added[0][1] = 9;
  assert_false (begin (PG_I64, &passed));
  starts[0] = -5;
  assert_false (begin (PG_I64, &passed));
  starts[0] = 5;
  assert_true (begin (PG_I64, &passed));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (chunks_begin_where_others_end),
    cmocka_unit_test (ways_may_touch),
    cmocka_unit_test (no_cursor_leaves_its_type),
    cmocka_unit_test (they_may_be_too_far_apart),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
