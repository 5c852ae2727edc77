/* SPDX-License-Identifier: MIT
   Where a loop's iterations are cut.  See grid.h.  */
#include "grid.h"

#include <stdbool.h>

enum
{
  CHUNKS_AT_THRESHOLD = 2, /* of the fixed grid: each costs something, and the more reductions there are, the more */
  ROUNDS = 8,              /* of a loop, if they have two chunks an owner each */
  SHORT_BLOCK = 4,         /* chunks an owner, at least, in each of fewer rounds */
  LEAST_ROUNDS = 4,        /* of a long run, which then can end early */
  CHUNKS_A_LONG_ROUND = 64,
  CHUNKS_AN_OWNER = 32,   /* at most */
  LARGEST_MACRO_SHARE = 8 /* of the trip count, in one macro-chunk */
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

/* The length of a round, if a loop of N_ITERS iterations has N_ROUNDS.  */
static int64_t
round_len (int64_t n_iters, int64_t n_rounds)
{
  return divide_up (divide_up (n_iters, n_rounds), PG_CHUNK_ALIGN) * PG_CHUNK_ALIGN;
}

/* Where the round of [LO, HI) that begins with LO ends, if usual rounds have LEN iterations.  There are no short
   ones.  */
static int64_t
round_end (int64_t lo, int64_t hi, int64_t len)
{
  int64_t left = len - lo % len;
  if (left < len / 2)
    left += len;
  return hi - lo - left < len / 2 ? hi : lo + left;
}

static int64_t
count_rounds (int64_t lo, int64_t hi, int64_t len)
{
  int64_t n = 0;
  for (; lo < hi; lo = round_end (lo, hi, len))
    n++;
  return n;
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

/* Bound K of the chunks that CUT makes of a round [LO, HI).  In the last round each owner's become shorter and shorter
   (trapezoid self-scheduling; Tzen and Ni, IEEE TPDS 4 (1), 1993), as the one who is through waits for the other's.  */
static int64_t
round_bound (const struct pg_cut *cut, int64_t lo, int64_t hi, int k, bool is_last)
{
  int n = pg_cut_round (cut);
  if (!is_last)
    return share (lo, hi, k, n, n);
  int64_t m = cut->per_block, block = taper (m, m);
  return share (lo, hi, k / m * block + taper (k % m, m), cut->n_owners * block, n);
}

struct pg_cut
pg_grid_shares (int64_t *bounds, int64_t lo, int64_t hi, int64_t n_iters, int n_owners, int64_t most_chunks)
{
  if (most_chunks > PG_MAX_CHUNKS)
    most_chunks = PG_MAX_CHUNKS;
  int64_t len = round_len (n_iters, ROUNDS);
  if (count_rounds (lo, hi, len) * n_owners * 2 > most_chunks)
    for (int64_t n = ROUNDS / 2; n > 0 && count_rounds (lo, hi, len) * n_owners * SHORT_BLOCK > most_chunks; n /= 2)
      len = round_len (n_iters, n);
  while (count_rounds (lo, hi, len) < LEAST_ROUNDS
	 && count_rounds (lo, hi, len) * CHUNKS_A_LONG_ROUND * n_owners < most_chunks && len > PG_CHUNK_ALIGN)
    len = round_len (len, 2);

  int64_t n_rounds = count_rounds (lo, hi, len);
  if (n_rounds * n_owners > PG_MAX_CHUNKS)
    n_rounds = 1, len = INT64_MAX;
  struct pg_cut cut = { .n_owners = n_owners, .per_block = 1 };
  while (2 * cut.per_block * n_rounds <= CHUNKS_AN_OWNER && 2 * pg_cut_round (&cut) * n_rounds <= most_chunks)
    cut.per_block *= 2;

  bounds[0] = lo;
  while (lo < hi)
    {
      int64_t end = round_end (lo, hi, len);
      for (int k = 1; k <= pg_cut_round (&cut); k++)
	bounds[++cut.n_chunks] = round_bound (&cut, lo, end, k, end == hi);
      lo = end;
    }
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
