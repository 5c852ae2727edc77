/* SPDX-License-Identifier: MIT
   Dependence by numbers alone.

   Sums.  Two references meet iff some sum of coefficient * bounded integer falls into an interval:

       for (i) for (j) a[i*100 + j] = ...	iterations i, i' of the outer loop meet iff
						8*100*(i-i') + 8*(j-j') in [-7, 7] for some i != i', 0 <= j, j' <= last

   The terms are brought to coefficient > 0, variable in [0, count]; equal coefficients become one term (the sums of
   two integer ranges are all integers of a range); everything is divided by the gcd; and the largest coefficient comes
   first.  Let REST(k) be the largest sum of the terms k, k+1, ... and WIDTH the number of integers in the interval.
   Terms from k on are *dense* if an interval of WIDTH integers that meets [0, REST(k)] always holds one of their sums:
   true behind the last term (the only sum is 0), and true at k if it is at k+1 and coef(k) <= REST(k+1) + WIDTH, for
   then the places hit with successive values of variable k follow each other without a gap.  So the search either ends
   at once or, if the next coefficient is too large, has one candidate; only sums that are not mixed-radix numbers
   branch, and for them there is a budget.

   Windows.  Where the inner trip counts vary with the outer iteration, each reference is enclosed in a window whose
   ends move linearly.  "A's window at i ends before B's at j begins" says that a linear function of (i, j) is at most
   zero; over the strip LO <= i < j < HI, j - i <= REACH, a convex polygon, it is so iff it is at its corners.

   All numbers are int64_t; whatever does not fit says UNKNOWN.  */
#include "depend.h"

#define SEARCH_BUDGET 1024

struct sum
{
  int64_t coef[PG_MAX_TERMS], count[PG_MAX_TERMS];
  int64_t rest[PG_MAX_TERMS + 1];
  bool is_dense[PG_MAX_TERMS + 1];
  int64_t width;
  int n;
  int budget;
};

int64_t
pg_gcd (int64_t a, int64_t b)
{
  while (b != 0)
    {
      int64_t r = a % b;
      a = b;
      b = r;
    }
  return a < 0 ? -a : a;
}

/* Quotients rounded down and up; B > 0.  */
static int64_t
div_down (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

static int64_t
div_up (int64_t a, int64_t b)
{
  return a / b + (a % b > 0);
}

/* Add COUNT * COEF to SUM, which stays sorted.  False: too large.  */
static bool
add_term (struct sum *sum, int64_t coef, int64_t count)
{
  int at = 0;
  while (at < sum->n && sum->coef[at] > coef)
    at++;
  if (at < sum->n && sum->coef[at] == coef)
    return !__builtin_add_overflow (sum->count[at], count, &sum->count[at]);
  for (int i = sum->n; i > at; i--)
    {
      sum->coef[i] = sum->coef[i - 1];
      sum->count[i] = sum->count[i - 1];
    }
  sum->coef[at] = coef;
  sum->count[at] = count;
  sum->n++;
  return true;
}

/* Fill in what depends on the terms behind each one.  False: too large.  */
static bool
add_up (struct sum *sum)
{
  sum->rest[sum->n] = 0;
  sum->is_dense[sum->n] = true;
  for (int k = sum->n - 1; k >= 0; k--)
    {
      int64_t part;
      if (__builtin_mul_overflow (sum->coef[k], sum->count[k], &part)
	  || __builtin_add_overflow (part, sum->rest[k + 1], &sum->rest[k]) || sum->rest[k] > PG_LINE_LIMIT)
	return false;
      sum->is_dense[k] = sum->is_dense[k + 1] && sum->coef[k] <= sum->rest[k + 1] + sum->width;
    }
  return true;
}

/* Do the terms from K on hit [LOW, LOW + width)?  */
static enum pg_answer
search (struct sum *sum, int k, int64_t low)
{
  int64_t high = low + sum->width - 1;
  if (low > sum->rest[k] || high < 0)
    return PG_ANSWER_NO;
  if (sum->is_dense[k])
    return PG_ANSWER_YES;

  int64_t coef = sum->coef[k];
  int64_t from = div_up (low - sum->rest[k + 1], coef);
  int64_t to = div_down (high, coef);
  if (from < 0)
    from = 0;
  if (to > sum->count[k])
    to = sum->count[k];

  for (int64_t x = from; x <= to; x++)
    {
      if (--sum->budget < 0)
	return PG_ANSWER_UNKNOWN;
      enum pg_answer answer = search (sum, k + 1, low - coef * x);
      if (answer != PG_ANSWER_NO)
	return answer;
    }
  return PG_ANSWER_NO;
}

enum pg_answer
pg_sum_hits (const struct pg_term *terms, int n_terms, int64_t low, int64_t high)
{
  struct sum sum = { .n = 0, .budget = SEARCH_BUDGET };
  int64_t divisor = 0;

  if (low > high)
    return PG_ANSWER_NO;
  for (int i = 0; i < n_terms; i++)
    if (terms[i].from > terms[i].to)
      return PG_ANSWER_NO;
  if (n_terms > PG_MAX_TERMS)
    return PG_ANSWER_UNKNOWN;

  for (int i = 0; i < n_terms; i++)
    {
      int64_t coef = terms[i].coef;
      int64_t count, least;
      if (coef == INT64_MIN || __builtin_sub_overflow (terms[i].to, terms[i].from, &count)
	  || __builtin_mul_overflow (coef, coef > 0 ? terms[i].from : terms[i].to, &least)
	  || __builtin_sub_overflow (low, least, &low) || __builtin_sub_overflow (high, least, &high))
	return PG_ANSWER_UNKNOWN;
      if (coef == 0 || count == 0)
	continue;
      coef = coef < 0 ? -coef : coef;
      divisor = pg_gcd (coef, divisor);
      if (!add_term (&sum, coef, count))
	return PG_ANSWER_UNKNOWN;
    }

  if (divisor > 1)
    {
      for (int k = 0; k < sum.n; k++)
	sum.coef[k] /= divisor;
      low = div_up (low, divisor);
      high = div_down (high, divisor);
      if (low > high)
	return PG_ANSWER_NO;
    }
  if (low < -PG_LINE_LIMIT || high > PG_LINE_LIMIT)
    return PG_ANSWER_UNKNOWN;
  sum.width = high - low + 1;
  if (!add_up (&sum))
    return PG_ANSWER_UNKNOWN;
  return search (&sum, 0, low);
}

/* Does FIRST at i end before SECOND at j begins, for all LO <= i < j < HI with j - i <= REACH?  With SWAPPED, FIRST is
   at j and SECOND at i.  */
static bool
in_order (const struct pg_line *first_end, const struct pg_line *second_low, int64_t lo, int64_t hi, int64_t reach,
	  bool swapped)
{
  const int64_t corners[4][2] = { { lo, lo + 1 }, { lo, lo + reach }, { hi - 2, hi - 1 }, { hi - 1 - reach, hi - 1 } };
  for (int c = 0; c < 4; c++)
    if (pg_line_at (first_end, corners[c][swapped]) > pg_line_at (second_low, corners[c][!swapped]))
      return false;
  return true;
}

/* Are A at i and B at j > i apart, whichever of them lies below?  */
static bool
apart_earlier_later (const struct pg_window *a, const struct pg_window *b, int64_t lo, int64_t hi, int64_t reach)
{
  return in_order (&a->end, &b->low, lo, hi, reach, false) || in_order (&b->end, &a->low, lo, hi, reach, true);
}

bool
pg_windows_apart (const struct pg_window *a, const struct pg_window *b, int64_t lo, int64_t hi, int64_t reach)
{
  if (reach > hi - lo - 1)
    reach = hi - lo - 1;
  if (reach < 1)
    return true;
  return apart_earlier_later (a, b, lo, hi, reach) && apart_earlier_later (b, a, lo, hi, reach);
}
