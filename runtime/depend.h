/* SPDX-License-Identifier: MIT
   Dependence by numbers alone: can a sum of products hit an interval, and do two moving windows ever meet.
   Knows neither regions nor memory; see depend.c for the argument.  */
#ifndef PG_DEPEND_H
#define PG_DEPEND_H

#include <stdbool.h>
#include <stdint.h>

/* The greatest common divisor of A and B, not below 0; neither is INT64_MIN.  */
int64_t pg_gcd (int64_t a, int64_t b);

/* COEF * x for any integer x with FROM <= x <= TO; FROM > TO: no x at all.  */
struct pg_term
{
  int64_t coef, from, to;
};

enum pg_answer
{
  PG_ANSWER_NO,
  PG_ANSWER_YES,
  PG_ANSWER_UNKNOWN /* numbers too large, too many terms or too long a search */
};

/* Terms that pg_sum_hits looks at; more: PG_ANSWER_UNKNOWN.  */
#define PG_MAX_TERMS 16

/* Can the sum of TERMS take a value in [LOW, HIGH]?  Exact unless UNKNOWN.  */
enum pg_answer pg_sum_hits (const struct pg_term *terms, int n_terms, int64_t low, int64_t high);

/* BASE + STEP * iteration.  Values that are compared must stay within PG_LINE_LIMIT.  */
struct pg_line
{
  int64_t base, step;
};
#define PG_LINE_LIMIT ((int64_t) 1 << 61)

static inline bool
pg_in_line_limit (int64_t value)
{
  return -PG_LINE_LIMIT <= value && value <= PG_LINE_LIMIT;
}

/* Iteration i touches no byte outside [low (i), end (i)); none at all where low (i) >= end (i).  */
struct pg_window
{
  struct pg_line low, end;
};

/* Are A's window at iteration i and B's at iteration j free of common bytes for all i, j in [LO, HI) with
   1 <= |i - j| <= REACH?  False: not shown.  Requires: all four lines within PG_LINE_LIMIT over [LO, HI).  */
bool pg_windows_apart (const struct pg_window *a, const struct pg_window *b, int64_t lo, int64_t hi, int64_t reach);

/* Value of LINE at ITER.  Requires: within PG_LINE_LIMIT.  */
static inline int64_t
pg_line_at (const struct pg_line *line, int64_t iter)
{
  return line->base + line->step * iter;
}

#endif
