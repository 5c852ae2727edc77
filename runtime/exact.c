/* SPDX-License-Identifier: MIT
   Step L1 of the check ladder: pairs of references in nests whose trip counts vary.

       for (i < n) for (j = i; j < n; j++)	iteration i writes the rest of row i, and the rest of column i: no two
	 c[i][j] = c[j][i] = ...		of them meet, but their windows overlap, and the sum 8*n*i + 8*j hits
						where j may be anything

   That two accesses meet is a system of inequalities: each number of an iteration is within its loop's trip count, as
   it is at that iteration of the loops around; the two iterations of the region's loop differ; the addresses are the
   same, but for the accesses' lengths.  If it is empty (inequalities.h), they never meet.

   Over real numbers it seldom is: half a row down is a whole row's half to the right.  So cases are told apart, by the
   lengths of rows, which are among the coefficients.  Divided by one of them, the difference of the addresses has a
   quotient, a sum of whole numbers of rows, that is below zero, zero, or above; each case is a system of its own, and
   where it is zero, what is left of the difference is divided by the next smaller one.  */
#include "arena.h"
#include "footprint.h"
#include "inequalities.h"

enum
{
  ITERATION, /* unknowns: of the first access, */
  DISTANCE,  /* from the second one's to that, */
  FIRST_TURN /* and the turns of the loops around them */
};

/* Two references and what it takes that they meet.  */
struct pair
{
  const struct pg_view *view;
  struct pg_system system;
  int64_t *effort;
};

/* Add COEF times unknown U to ROW.  False: too large.  */
static bool
add_product (struct pg_inequality *row, int64_t coef, int u)
{
  return !__builtin_add_overflow (row->coef[u], coef, &row->coef[u]);
}

/* Add SIGN times FORM, of PAIR's view, to ROW.  TURNS are the unknowns of its dimensions; that of dimension 0 is -1 for
   the second access's iteration.  */
static bool
add_form (const struct pair *pair, struct pg_inequality *row, const struct pg_form *form, const int *turns, int sign)
{
  bool is_good = form->base != INT64_MIN && !__builtin_add_overflow (row->base, sign * form->base, &row->base);
  for (int d = 0; d < (int) pair->view->region->n_dims && is_good; d++)
    if (form->coef[d] == INT64_MIN)
      is_good = false;
    else if (form->coef[d] != 0 && turns[d] >= 0)
      is_good = add_product (row, sign * form->coef[d], turns[d]);
    else if (form->coef[d] != 0)
      is_good = d == 0 && add_product (row, sign * form->coef[d], ITERATION)
		&& add_product (row, -sign * form->coef[d], DISTANCE);
  return is_good;
}

/* Give the loops around DIM unknowns, in TURNS, and add that their turns are taken.  False: there are too many.  */
static bool
add_turns (struct pair *pair, int dim, int *turns)
{
  const struct pg_view *view = pair->view;
  for (int d = 1; d < (int) view->region->n_dims; d++)
    turns[d] = -1;
  for (int d = dim; d > 0; d = view->region->dims[d].parent)
    {
      if (pair->system.n_unknowns == PG_MOST_UNKNOWNS)
	return false;
      turns[d] = pair->system.n_unknowns++;
    }
  for (int d = dim; d > 0; d = view->region->dims[d].parent)
    {
      struct pg_inequality low = { .base = 0 }, high = { .base = 0 };
      low.coef[turns[d]] = 1;
      pg_system_add (&pair->system, &low);
      high.coef[turns[d]] = -1;
      if (view->levels[d].last.known && add_form (pair, &high, &view->levels[d].last, turns, 1))
	pg_system_add (&pair->system, &high);
    }
  return true;
}

/* Add that iteration ITERATION - BACK * DISTANCE is one of [LO, HI).  */
static void
add_iteration (struct pair *pair, int back, int64_t lo, int64_t hi)
{
  struct pg_inequality low = { .base = -lo }, high = { .base = hi - 1 };
  low.coef[ITERATION] = 1;
  low.coef[DISTANCE] = -back;
  high.coef[ITERATION] = -1;
  high.coef[DISTANCE] = back;
  pg_system_add (&pair->system, &low);
  pg_system_add (&pair->system, &high);
}

/* Add that ROW, plus BASE, is at least 0.  */
static void
add_row (struct pair *pair, struct pg_inequality row, int64_t base)
{
  if (!__builtin_add_overflow (row.base, base, &row.base))
    pg_system_add (&pair->system, &row);
}

/* SIGN times ROW.  */
static struct pg_inequality
times (const struct pg_inequality *row, int sign)
{
  struct pg_inequality out = { .base = sign * row->base };
  for (int u = 0; u < PG_MOST_UNKNOWNS; u++)
    out.coef[u] = sign * row->coef[u];
  return out;
}

static int64_t
size_of (int64_t number)
{
  return number < 0 ? -number : number;
}

/* The largest coefficient of ROW that is below LIMIT.  */
static int64_t
largest (const struct pg_inequality *row, int64_t limit)
{
  int64_t most = 0;
  for (int u = 0; u < PG_MOST_UNKNOWNS; u++)
    if (size_of (row->coef[u]) > most && size_of (row->coef[u]) < limit)
      most = size_of (row->coef[u]);
  return most;
}

/* NUMBER divided by DIVISOR, which is above 0, to the nearest.  */
static int64_t
nearest (int64_t number, int64_t divisor)
{
  int64_t quotient = number / divisor, rest = number % divisor;
  return quotient + (rest > divisor / 2) - (rest < -(divisor / 2));
}

/* Is PAIR's system empty, where what is left of the difference of the addresses is REST, and rows of LIMIT bytes and
   more have been divided out?  Those of LEAST and less are elements.  */
static bool
is_empty (struct pair *pair, const struct pg_inequality *rest, int64_t limit, int64_t least)
{
  if (pg_system_is_empty (&pair->system, pair->effort))
    return true;
  int64_t len = largest (rest, limit);
  if (len <= least || *pair->effort < 0)
    return false;
  struct pg_inequality quotient, left;
  quotient.base = nearest (rest->base, len);
  left.base = rest->base - quotient.base * len;
  for (int u = 0; u < PG_MOST_UNKNOWNS; u++)
    {
      quotient.coef[u] = nearest (rest->coef[u], len);
      left.coef[u] = rest->coef[u] - quotient.coef[u] * len;
    }
  int n_given = pair->system.n_given;
  struct pg_inequality opposite = times (&quotient, -1);
  add_row (pair, quotient, 0);
  add_row (pair, opposite, 0);
  bool is_never = is_empty (pair, &left, len, least);
  for (int sign = -1; sign <= 1 && is_never; sign += 2)
    {
      pair->system.n_given = n_given;
      add_row (pair, sign < 0 ? opposite : quotient, -1);
      is_never = pg_system_is_empty (&pair->system, pair->effort);
    }
  pair->system.n_given = n_given;
  return is_never;
}

/* Are all of ROW's numbers within PG_LINE_LIMIT?  */
static bool
is_in_limit (const struct pg_inequality *row)
{
  bool is_in = pg_in_line_limit (row->base);
  for (int u = 0; u < PG_MOST_UNKNOWNS; u++)
    is_in &= pg_in_line_limit (row->coef[u]);
  return is_in;
}

/* State in PAIR what it takes that A and B meet in different iterations of [LO, HI), but for which of them comes first;
   in *DIFFERENCE that of the addresses.  */
static bool
state_pair (struct pair *pair, uint32_t a, uint32_t b, int64_t lo, int64_t hi, struct pg_inequality *difference)
{
  const struct pg_ref *refs = pair->view->region->refs;
  int turns_a[PG_MAX_DIMS] = { ITERATION }, turns_b[PG_MAX_DIMS] = { -1 };
  pair->system.n_unknowns = FIRST_TURN;
  pair->system.n_given = 0;
  add_iteration (pair, 0, lo, hi);
  add_iteration (pair, 1, lo, hi);
  *difference = (struct pg_inequality) { .base = 0 };
  if (!add_turns (pair, refs[a].dim, turns_a) || !add_turns (pair, refs[b].dim, turns_b)
      || !add_form (pair, difference, &pair->view->places[a].address, turns_a, 1)
      || !add_form (pair, difference, &pair->view->places[b].address, turns_b, -1) || !is_in_limit (difference))
    return false;
  add_row (pair, *difference, refs[a].len - 1);
  add_row (pair, times (difference, -1), refs[b].len - 1);
  return true;
}

bool
pg_pair_never_meets (const struct pg_view *view, uint32_t a, uint32_t b, int64_t lo, int64_t hi, int64_t *effort)
{
  const struct pg_ref *refs = view->region->refs;
  struct pair *pair = pg_arena_get (sizeof *pair);
  if (pair == NULL)
    return false;
  pair->view = view;
  pair->effort = effort;
  struct pg_inequality difference;
  int64_t least = refs[a].len > refs[b].len ? refs[a].len : refs[b].len;
  bool is_never = state_pair (pair, a, b, lo, hi, &difference);
  int n_given = pair->system.n_given;
  for (int sign = 1; sign >= (a == b ? 1 : -1) && is_never; sign -= 2)
    {
      struct pg_inequality apart = { .base = -1 };
      apart.coef[DISTANCE] = sign;
      pair->system.n_given = n_given;
      pg_system_add (&pair->system, &apart);
      is_never = is_empty (pair, &difference, INT64_MAX, least);
    }
  pg_arena_put (pair, sizeof *pair);
  return is_never;
}
