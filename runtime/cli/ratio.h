/* SPDX-License-Identifier: MIT
   How two times compare, from runs of both in turn.  */
#ifndef PARAGON_CLI_RATIO_H
#define PARAGON_CLI_RATIO_H

#include <stddef.h>

enum
{
  PG_RATIO_MOST = 1000 /* pairs */
};

struct pg_ratio
{
  double median, low, high; /* of the pairs' ratios; the 95 % bootstrap interval of that median */
};

/* Whether a ratio keeps to a limit.  */
enum pg_kept
{
  PG_KEPT, /* its whole interval does */
  PG_OPEN, /* the limit lies in its interval: more pairs would tell */
  PG_OVER
};
extern const char *const pg_kept_names[]; /* "ok", "open", "over" */

/* The median of N > 0 VALUES, which are put in order.  */
double pg_median (double *values, size_t n);

/* The ratio of N > 0 pairs A[i], B[i] of times, N at most PG_RATIO_MOST: A over B.  The same for the same times.  */
struct pg_ratio pg_ratio_of (const double *a, const double *b, size_t n);

/* Whether R is at most LIMIT.  */
enum pg_kept pg_ratio_keeps (const struct pg_ratio *r, double limit);

#endif
