/* SPDX-License-Identifier: MIT
   Systems of linear inequalities over integers.  See inequalities.h.

   Fourier and Motzkin: an unknown is eliminated by adding up, in all pairs, the inequalities that bound it from below
   and from above, each multiplied so that it drops out.  What satisfied the old system satisfies the new one, so if in
   the end -1 >= 0 is left, nothing did.  As unknowns are integers, an inequality may be divided by what its
   coefficients have in common, and its base rounded down: that shows more than real numbers would.

   Two inequalities that differ in their bases only are one; two whose coefficients are opposite tell at once if they
   leave nothing.  Where numbers become too large, or inequalities too many, nothing is shown.  */
#include "inequalities.h"
#include "depend.h"

#include <stddef.h>

enum
{
  MOST_ROWS = 2 * PG_MOST_GIVEN
};

/* Of numbers given: sums and products of two fit, or are noticed.  */
#define LARGEST ((int64_t) 1 << 61)

/* What became of an inequality.  */
enum taken
{
  TAKEN,
  CONTRADICTS, /* nothing satisfies it and those that were there before */
  TOO_MUCH
};

/* An elimination.  */
struct elimination
{
  struct pg_inequality *rows;
  int n, n_unknowns;
  int64_t *effort;
};

/* Divide ROW by what its N coefficients have in common, which is returned; 0: none of them is not 0.  */
static int64_t
reduce (struct pg_inequality *row, int n)
{
  int64_t divisor = 0;
  for (int u = 0; u < n && divisor != 1; u++)
    if (row->coef[u] != 0)
      divisor = pg_gcd (row->coef[u], divisor);
  if (divisor < 2)
    return divisor;
  for (int u = 0; u < n; u++)
    row->coef[u] /= divisor;
  row->base = row->base / divisor - (row->base % divisor < 0);
  return divisor;
}

/* Are the N coefficients of A those of B, times SIGN?  */
static bool
are_alike (const struct pg_inequality *a, const struct pg_inequality *b, int n, int sign)
{
  for (int u = 0; u < n; u++)
    if (a->coef[u] != sign * b->coef[u])
      return false;
  return true;
}

/* Take ROW among E's rows from FIRST on.  */
static enum taken
take (struct elimination *e, int first, struct pg_inequality row)
{
  if (reduce (&row, e->n_unknowns) == 0)
    return row.base < 0 ? CONTRADICTS : TAKEN;
  *e->effort -= e->n - first + 1;
  struct pg_inequality *same = NULL;
  for (int r = first; r < e->n; r++)
    {
      int64_t sum;
      if (are_alike (&e->rows[r], &row, e->n_unknowns, 1))
	same = &e->rows[r];
      else if (are_alike (&e->rows[r], &row, e->n_unknowns, -1)
	       && !__builtin_add_overflow (e->rows[r].base, row.base, &sum) && sum < 0)
	return CONTRADICTS;
    }
  if (same != NULL)
    {
      same->base = row.base < same->base ? row.base : same->base;
      return TAKEN;
    }
  if (e->n == MOST_ROWS || *e->effort < 0)
    return TOO_MUCH;
  e->rows[e->n++] = row;
  return TAKEN;
}

/* Set *SUM to LOW and HIGH, which bound unknown U, one of N, from below and above, added up so that it drops out.  */
static bool
add_up (const struct pg_inequality *low, const struct pg_inequality *high, int u, int n, struct pg_inequality *sum)
{
  int64_t divisor = pg_gcd (low->coef[u], high->coef[u]);
  int64_t low_times = -high->coef[u] / divisor, high_times = low->coef[u] / divisor, a, b;
  for (int v = 0; v < n; v++)
    if (__builtin_mul_overflow (low->coef[v], low_times, &a) || __builtin_mul_overflow (high->coef[v], high_times, &b)
	|| __builtin_add_overflow (a, b, &sum->coef[v]) || sum->coef[v] == INT64_MIN)
      return false;
  return !__builtin_mul_overflow (low->base, low_times, &a) && !__builtin_mul_overflow (high->base, high_times, &b)
	 && !__builtin_add_overflow (a, b, &sum->base);
}

/* The unknown of E's rows that makes the fewest new ones; -1: they have none.  */
static int
cheapest (const struct elimination *e)
{
  int best = -1, best_cost = INT32_MAX;
  for (int u = 0; u < e->n_unknowns; u++)
    {
      int n_low = 0, n_high = 0;
      for (int r = 0; r < e->n; r++)
	{
	  n_low += e->rows[r].coef[u] > 0;
	  n_high += e->rows[r].coef[u] < 0;
	}
      int cost = n_low * n_high - n_low - n_high;
      if (n_low + n_high > 0 && cost < best_cost)
	{
	  best = u;
	  best_cost = cost;
	}
    }
  return best;
}

/* Eliminate unknown U from E's rows.  */
static enum taken
eliminate (struct elimination *e, int u)
{
  int n_old = e->n, n_kept = 0;
  for (int r = 0; r < n_old; r++) /* those without it first */
    if (e->rows[r].coef[u] == 0)
      {
	struct pg_inequality row = e->rows[r];
	e->rows[r] = e->rows[n_kept];
	e->rows[n_kept++] = row;
      }
  struct pg_inequality sum = { .base = 0 };
  enum taken taken = TAKEN;
  for (int low = n_kept; low < n_old && taken == TAKEN; low++)
    for (int high = n_kept; high < n_old && taken == TAKEN; high++)
      if (e->rows[low].coef[u] > 0 && e->rows[high].coef[u] < 0)
	taken = add_up (&e->rows[low], &e->rows[high], u, e->n_unknowns, &sum) ? take (e, n_old, sum) : TOO_MUCH;
  int n_new = e->n - n_old;
  e->n = n_kept;
  for (int r = 0; r < n_new && taken == TAKEN; r++)
    taken = take (e, 0, e->rows[n_old + r]);
  return taken;
}

void
pg_system_add (struct pg_system *system, const struct pg_inequality *inequality)
{
  bool is_good = system->n_given < PG_MOST_GIVEN && -LARGEST <= inequality->base && inequality->base <= LARGEST;
  for (int u = 0; u < PG_MOST_UNKNOWNS; u++)
    is_good &= -LARGEST <= inequality->coef[u] && inequality->coef[u] <= LARGEST;
  if (is_good)
    system->given[system->n_given++] = *inequality;
}

bool
pg_system_is_empty (struct pg_system *system, int64_t *effort)
{
  struct elimination e = { .rows = system->rows, .n_unknowns = system->n_unknowns, .effort = effort };
  enum taken taken = *effort < 0 ? TOO_MUCH : TAKEN;
  for (int g = 0; g < system->n_given && taken == TAKEN; g++)
    taken = take (&e, 0, system->given[g]);
  int u = 0;
  while (taken == TAKEN && (u = cheapest (&e)) >= 0)
    taken = eliminate (&e, u);
  return taken == CONTRADICTS;
}
