/* SPDX-License-Identifier: MIT
   Ratios of times.  See ratio.h.

   The bootstrap (Efron): as many pairs as there are are drawn from them at random, again and again; the interval holds
   what 95 of 100 medians of such draws are.  */
#include "ratio.h"

#include <stdint.h>
#include <stdlib.h>

enum
{
  N_DRAWS = 2000
};

const char *const pg_kept_names[] = { "ok", "open", "over" };

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

double
pg_median (double *values, size_t n)
{
  qsort (values, n, sizeof *values, compare);
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct pg_ratio
pg_ratio_of (const double *a, const double *b, size_t n)
{
  static double ratios[PG_RATIO_MOST], drawn[PG_RATIO_MOST], medians[N_DRAWS];
  uint64_t random = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i < n; i++)
    ratios[i] = a[i] / b[i];
  for (size_t d = 0; d < N_DRAWS; d++)
    {
      for (size_t i = 0; i < n; i++)
	{
	  random = random * 6364136223846793005 + 1442695040888963407;
	  drawn[i] = ratios[(random >> 33) % n];
	}
      medians[d] = pg_median (drawn, n);
    }
  qsort (medians, N_DRAWS, sizeof *medians, compare);
  return (struct pg_ratio) { pg_median (ratios, n), medians[N_DRAWS / 40], medians[N_DRAWS - 1 - N_DRAWS / 40] };
}

enum pg_kept
pg_ratio_keeps (const struct pg_ratio *r, double limit)
{
  if (r->high <= limit)
    return PG_KEPT;
  return r->low <= limit ? PG_OPEN : PG_OVER;
}
