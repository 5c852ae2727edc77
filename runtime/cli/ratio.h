/* SPDX-License-Identifier: MIT
   How many times as fast something is, from runs of both in turn.  */
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

/* The median of N > 0 VALUES, which are put in order.  */
double pg_median (double *values, size_t n);

/* The ratio of N > 0 pairs A[i], B[i] of times, N at most PG_RATIO_MOST: A over B.  The same for the same times.  */
struct pg_ratio pg_ratio_of (const double *a, const double *b, size_t n);

#endif
