/* SPDX-License-Identifier: MIT
   Sums and windows against counting them out.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "depend.h"

static uint64_t random_state = 0x243f6a8885a308d3;

static int64_t
pick (int64_t from, int64_t to)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return from + (int64_t) ((random_state * 0x9e3779b97f4a7c15u >> 11) % (uint64_t) (to - from + 1));
}

static bool
some_sum_hits (const struct pg_term *terms, int n, int64_t low, int64_t high)
{
  if (n == 0)
    return low <= 0 && 0 <= high;
  for (int64_t x = terms->from; x <= terms->to; x++)
    if (some_sum_hits (terms + 1, n - 1, low - terms->coef * x, high - terms->coef * x))
      return true;
  return false;
}

static void
sums_are_exact (void **state)
{
  int n_unknown = 0;
  (void) state;
  for (int t = 0; t < 300000; t++)
    {
      struct pg_term terms[4];
      int n = (int) pick (0, 4);
      int64_t scale = pick (1, 8);
      for (int i = 0; i < n; i++)
	{
	  terms[i].coef = pick (0, 1) ? pick (-12, 12) : scale * pick (-30, 30);
	  terms[i].from = pick (-5, 4);
	  terms[i].to = terms[i].from + pick (-1, 7);
	}
      int64_t low = pick (-300, 300), high = low + pick (-1, 20);
      enum pg_answer answer = pg_sum_hits (terms, n, low, high);
      n_unknown += answer == PG_ANSWER_UNKNOWN;
      if (answer != PG_ANSWER_UNKNOWN)
	assert_int_equal (answer == PG_ANSWER_YES, some_sum_hits (terms, n, low, high));
    }
  assert_int_equal (n_unknown, 0);
}

/* A row-major matrix of 10^9 by 10^9 doubles: rows never meet, however large the numbers.  */
static void
mixed_radix_sums_need_no_search (void **state)
{
  const int64_t n = 1000000000;
  struct pg_term terms[2] = { { 8 * n, 1, n - 1 }, { 8, 1 - n, n - 1 } };
  (void) state;
  assert_int_equal (pg_sum_hits (terms, 2, -7, 7), PG_ANSWER_NO);
  terms[1].to = n;
  terms[1].from = -n;
  assert_int_equal (pg_sum_hits (terms, 2, -7, 7), PG_ANSWER_YES);
}

#define LARGE ((int64_t) 1 << 62)

static void
numbers_out_of_range_are_unknown (void **state)
{
  struct pg_term wide[2] = { { INT64_MAX / 2, 0, 4 }, { 3, 0, 10 } }, odd = { INT64_MIN, 0, 1 }, many[PG_MAX_TERMS + 1];
  (void) state;
  assert_int_equal (pg_sum_hits (wide, 2, 10, 20), PG_ANSWER_UNKNOWN);
  assert_int_equal (pg_sum_hits (&odd, 1, 0, 0), PG_ANSWER_UNKNOWN);
  for (int i = 0; i < 4; i++)
    {
      static const struct pg_term large[] = { { 1, -LARGE, LARGE }, { 4, LARGE, LARGE }, { 1, -2, 0 }, { 1, 2, 4 } };
      static const int64_t ends[][2] = { { -LARGE, -LARGE }, { 0, 0 }, { 0, INT64_MAX }, { INT64_MIN, 0 } };
      assert_int_equal (pg_sum_hits (&large[i], 1, ends[i][0], ends[i][1]), PG_ANSWER_UNKNOWN);
    }
  wide[0] = wide[1] = (struct pg_term) { 1, 0, INT64_MAX };
  assert_int_equal (pg_sum_hits (wide, 2, 1, 2), PG_ANSWER_UNKNOWN);
  for (int i = 0; i <= PG_MAX_TERMS; i++)
    many[i] = (struct pg_term) { i + 1, 0, 1 };
  assert_int_equal (pg_sum_hits (many, PG_MAX_TERMS + 1, 3, 3), PG_ANSWER_UNKNOWN);
  assert_int_equal (pg_sum_hits (many, PG_MAX_TERMS, 3, 3), PG_ANSWER_YES);
  many[0].to = -1;
  assert_int_equal (pg_sum_hits (many, PG_MAX_TERMS + 1, 3, 3), PG_ANSWER_NO);
}

/* Numbers that are no mixed radix could take for ever: the search gives up, and says so.  */
static void
long_searches_end_unknown (void **state)
{
  struct pg_term terms[12];
  (void) state;
  for (int i = 0; i < 12; i++)
    terms[i] = (struct pg_term) { 1000003 + 2 * i * i * 7919, 0, 40 };
  assert_int_equal (pg_sum_hits (terms, 12, 77777777, 77777777), PG_ANSWER_UNKNOWN);
}

static bool
overlap (const struct pg_window *a, int64_t i, const struct pg_window *b, int64_t j)
{
  int64_t low_a = pg_line_at (&a->low, i), end_a = pg_line_at (&a->end, i);
  int64_t low_b = pg_line_at (&b->low, j), end_b = pg_line_at (&b->end, j);
  return low_a < end_a && low_b < end_b && low_a < end_b && low_b < end_a;
}

static void
windows_that_are_apart_never_overlap (void **state)
{
  int n_apart = 0, n_missed = 0;
  (void) state;
  for (int t = 0; t < 200000; t++)
    {
      struct pg_window a = { { pick (-40, 40), pick (-9, 9) }, { 0, 0 } };
      a.end = (struct pg_line) { a.low.base + pick (0, 9), a.low.step + pick (-1, 1) };
      struct pg_window b = a;
      if (pick (0, 2))
	b.low.base += pick (-9, 9), b.end.base = b.low.base + pick (0, 9);
      if (pick (0, 2) == 0)
	b.low.step += pick (-1, 1), b.end.step += pick (-1, 1);
      int64_t lo = pick (-5, 5), hi = lo + pick (1, 12), reach = pick (0, 14);
      bool meet = false;
      for (int64_t i = lo; i < hi; i++)
	for (int64_t j = lo; j < hi; j++)
	  if (i != j && i - j <= reach && j - i <= reach)
	    meet = meet || overlap (&a, i, &b, j);
      bool apart = pg_windows_apart (&a, &b, lo, hi, reach);
      assert_false (apart && meet);
      n_apart += apart;
      n_missed += !apart && !meet && a.low.step == a.end.step && b.low.step == b.end.step && a.low.step == b.low.step
		  && a.low.base < a.end.base && b.low.base < b.end.base;
    }
  assert_in_range (n_apart, 50000, 150000);
  assert_in_range (n_missed, 0, 20000); /* same steps: only alternating windows are missed */
}

/* for (i) for (j <= i) a[i*n + j]: windows of growing length that never meet.  */
static void
triangular_windows_are_apart (void **state)
{
  struct pg_window row = { { 0, 800 }, { 8, 808 } };
  (void) state;
  assert_true (pg_windows_apart (&row, &row, 0, 100, INT64_MAX));
  assert_false (pg_windows_apart (&row, &row, 0, 102, INT64_MAX));
  assert_true (pg_windows_apart (&row, &row, 0, 1, INT64_MAX));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (sums_are_exact),
    cmocka_unit_test (mixed_radix_sums_need_no_search),
    cmocka_unit_test (numbers_out_of_range_are_unknown),
    cmocka_unit_test (long_searches_end_unknown),
    cmocka_unit_test (windows_that_are_apart_never_overlap),
    cmocka_unit_test (triangular_windows_are_apart),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
