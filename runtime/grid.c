/* SPDX-License-Identifier: MIT
   Where a loop's iterations are cut.  See grid.h.  */
#include "grid.h"

enum
{
  LARGEST_SHARE = 32,     /* of a run, in one falling chunk */
  LARGEST_MACRO_SHARE = 8 /* of the trip count, in one macro-chunk */
};

static int64_t
divide_up (int64_t a, int64_t b)
{
  return a / b + (a % b != 0);
}

int64_t
pg_grid_fixed_len (int64_t n_iters)
{
  int64_t len = divide_up (n_iters, PG_FIXED_CHUNKS);
  return divide_up (len, PG_CHUNK_ALIGN) * PG_CHUNK_ALIGN;
}

int
pg_grid_even (int64_t *bounds, int64_t lo, int64_t hi, int64_t chunk_len)
{
  int n = 0;
  bounds[0] = lo;
  while (bounds[n] < hi)
    {
      bounds[n + 1] = hi - bounds[n] > chunk_len ? bounds[n] + chunk_len : hi;
      n++;
    }
  return n;
}

int
pg_grid_falling (int64_t *bounds, int64_t lo, int64_t hi, int n_threads, int64_t least_len)
{
  if (n_threads > PG_MAX_CHUNKS / 8)
    n_threads = PG_MAX_CHUNKS / 8;
  int n = 0;
  bounds[0] = lo;
  while (bounds[n] < hi)
    {
      /* Each round hands out half of what is left in equal parts.  */
      int64_t left = hi - bounds[n];
      int64_t len = divide_up (left / 2, n_threads);
      if (len > divide_up (hi - lo, LARGEST_SHARE))
	len = divide_up (hi - lo, LARGEST_SHARE);
      if (len < least_len)
	len = least_len;
      if (len < divide_up (hi - lo, PG_MAX_CHUNKS / 2))
	len = divide_up (hi - lo, PG_MAX_CHUNKS / 2);
      if (len >= 8 * PG_CHUNK_ALIGN)
	len = len / PG_CHUNK_ALIGN * PG_CHUNK_ALIGN;
      for (int i = 0; i < n_threads && bounds[n] < hi; i++, n++)
	bounds[n + 1] = hi - bounds[n] > len ? bounds[n] + len : hi;
    }
  return n;
}

int64_t
pg_grid_macro_end (int64_t lo, int64_t n_iters, int64_t first_len)
{
  int64_t largest = n_iters / LARGEST_MACRO_SHARE / first_len * first_len;
  int64_t start = 0, len = first_len;
  while (n_iters - start - len > len / 2 && start + len <= lo)
    {
      start += len;
      if (len <= largest / 2)
	len *= 2;
    }
  return n_iters - start - len > len / 2 ? start + len : n_iters;
}
