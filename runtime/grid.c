/* SPDX-License-Identifier: MIT
   Where a loop's iterations are cut.  See grid.h.  */
#include "grid.h"

#include <stdbool.h>

enum
{
  CHUNKS_AT_THRESHOLD = 2, /* of the fixed grid: each costs something, and the more reductions there are, the more */
  CHUNKS_AN_OWNER = 16,    /* at most */
  LARGEST_MACRO_SHARE = 8  /* of the trip count, in one macro-chunk */
};

static int64_t
divide_up (int64_t a, int64_t b)
{
  return a / b + (a % b != 0);
}

int64_t
pg_grid_fixed_len (int64_t n_iters, int64_t threshold)
{
  int64_t len = divide_up (n_iters, PG_FIXED_CHUNKS), least = threshold / CHUNKS_AT_THRESHOLD;
  if (len < least)
    len = least;
  return len < PG_CHUNK_ALIGN ? len : divide_up (len, PG_CHUNK_ALIGN) * PG_CHUNK_ALIGN;
}

struct pg_cut
pg_grid_even (int64_t *bounds, int64_t lo, int64_t hi, int64_t chunk_len, int n_owners)
{
  int64_t n = divide_up (hi - lo, chunk_len), m = divide_up (n, n_owners);
  struct pg_cut cut = { .n_chunks = (int) m * n_owners, .n_owners = n_owners, .per_block = (int) m };
  for (int k = 0; k <= cut.n_chunks; k++)
    {
      int64_t owner = k / m, at = owner * n / n_owners + k % m, end = (owner + 1) * n / n_owners;
      at = at < end ? at : end;
      bounds[k] = at < n ? lo + at * chunk_len : hi;
    }
  return cut;
}

/* [LO, HI) up to K / M of it, on its way to be cut into N chunks.  */
static int64_t
share (int64_t lo, int64_t hi, int64_t k, int64_t m, int n)
{
  int64_t len = hi - lo;
  int64_t at = lo + (len <= INT64_MAX / m ? len * k / m : (int64_t) ((__int128) len * k / m));
  bool is_long = len >= (int64_t) n * 8 * PG_CHUNK_ALIGN;
  return is_long && k > 0 && k < m ? at / PG_CHUNK_ALIGN * PG_CHUNK_ALIGN : at;
}

/* The sum of the first K of M, M - 1, ... 1.  */
static int64_t
taper (int64_t k, int64_t m)
{
  return k * m - k * (k - 1) / 2;
}

/* Each owner's chunks become shorter and shorter (trapezoid self-scheduling; Tzen and Ni, IEEE TPDS 4 (1), 1993), as
   the one who is through waits for the other's.  */
struct pg_cut
pg_grid_shares (int64_t *bounds, int64_t lo, int64_t hi, int n_owners, int64_t most_chunks)
{
  if (most_chunks > PG_MAX_CHUNKS)
    most_chunks = PG_MAX_CHUNKS;
  struct pg_cut cut = { .n_owners = n_owners, .per_block = 1 };
  while (cut.per_block < CHUNKS_AN_OWNER && 2 * cut.per_block * n_owners <= most_chunks)
    cut.per_block *= 2;
  cut.n_chunks = n_owners * cut.per_block;

  int64_t m = cut.per_block, block = taper (m, m);
  bounds[0] = lo;
  for (int k = 1; k <= cut.n_chunks; k++)
    bounds[k] = share (lo, hi, k / m * block + taper (k % m, m), n_owners * block, cut.n_chunks);
  return cut;
}

int64_t
pg_grid_macro_end (int64_t lo, int64_t n_iters, int64_t first_len, int64_t most_len)
{
  int64_t left = n_iters - lo;
  int64_t len = lo < n_iters - first_len ? lo + first_len : n_iters;
  if (len > most_len)
    len = most_len;
  return left - len > len / 2 ? lo + len : n_iters;
}
