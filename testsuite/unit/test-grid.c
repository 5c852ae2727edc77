/* SPDX-License-Identifier: MIT
   Cuts of a loop: complete, in order, and functions of nothing but their arguments.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grid.h"

#include <stdbool.h>
#include <string.h>

static const int64_t counts[] = { 1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 5000, 100003, 1000000007, INT64_MAX / 4 };

enum
{
  N_COUNTS = sizeof counts / sizeof *counts
};

static int64_t bounds[PG_MAX_CHUNKS + 1];

enum
{
  MOST_OWNERS = 64
};

static void
fixed_chunks_are_few_and_whole (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int n_owners = 1; n_owners <= MOST_OWNERS; n_owners++)
      {
	int64_t len = pg_grid_fixed_len (counts[i], 0), at = 0;
	assert_true (len % PG_CHUNK_ALIGN == 0 || len < PG_CHUNK_ALIGN);
	struct pg_cut cut = pg_grid_even (bounds, 0, counts[i], len, n_owners);
	assert_in_range (cut.n_chunks, 1, PG_FIXED_CHUNKS + n_owners);
	assert_int_equal (bounds[0], 0);
	assert_int_equal (bounds[cut.n_chunks], counts[i]);
	for (int c = 0; c < cut.n_chunks; c++)
	  if (bounds[c] < bounds[c + 1])
	    {
	      assert_int_equal (bounds[c], at);
	      at = counts[i] - at > len ? at + len : counts[i];
	      assert_int_equal (bounds[c + 1], at);
	    }
	assert_int_equal (at, counts[i]);
      }
}

/* Each owner has as many chunks as others, or one less.  */
static void
fixed_chunks_are_dealt_out_evenly (void **state)
{
  (void) state;
  for (int n = 1; n <= PG_FIXED_CHUNKS; n++)
    for (int n_owners = 1; n_owners <= MOST_OWNERS; n_owners++)
      {
	struct pg_cut cut = pg_grid_even (bounds, 8, 8 + n, 1, n_owners);
	int has[MOST_OWNERS] = { 0 };
	assert_int_equal (cut.n_owners, n_owners);
	for (int job = 0; job < cut.n_chunks; job++)
	  {
	    int64_t c = pg_cut_chunk (&cut, job);
	    has[job % n_owners] += bounds[c] < bounds[c + 1];
	  }
	for (int o = 0; o < n_owners; o++)
	  assert_in_range (has[o], n / n_owners, (n + n_owners - 1) / n_owners);
      }
}

static void
fixed_chunks_are_worth_their_while (void **state)
{
  (void) state;
  assert_int_equal (pg_grid_fixed_len (4096, 2000), 1000);
  assert_int_equal (pg_grid_fixed_len (4096, 3), 64);
  assert_int_equal (pg_grid_fixed_len (31, 3), 1);
  assert_int_equal (pg_grid_fixed_len (31, 16), PG_CHUNK_ALIGN);
  assert_int_equal (pg_grid_fixed_len (2000, 2000), 1000);
  assert_int_equal (pg_grid_fixed_len (1000000, 2000), pg_grid_fixed_len (1000000, 0));
}

static const int owners[] = { 1, 2, 3, 16, 64, 600, PG_MAX_CHUNKS };

enum
{
  N_OWNERS = sizeof owners / sizeof *owners
};

static void
shares_cover_the_range (void **state)
{
  static bool is_taken[PG_MAX_CHUNKS];
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int o = 0; o < N_OWNERS; o++)
      for (int64_t most = 1; most < 5000; most = 3 * most + 1)
	for (int part = 0; part < 3; part++)
	  {
	    int64_t lo = part == 2 ? counts[i] / 3 : 0, hi = part == 1 ? counts[i] / 2 + 1 : counts[i];
	    struct pg_cut cut = pg_grid_shares (bounds, lo, hi, owners[o], most);
	    assert_int_equal (cut.n_owners, owners[o]);
	    assert_in_range (cut.n_chunks, 1, most > owners[o] ? most : owners[o]);
	    assert_int_equal (cut.n_chunks % (cut.n_owners * cut.per_block), 0);
	    assert_int_equal (bounds[0], lo);
	    assert_int_equal (bounds[cut.n_chunks], hi);
	    memset (is_taken, 0, sizeof is_taken);
	    for (int c = 0; c < cut.n_chunks; c++)
	      {
		assert_true (bounds[c] <= bounds[c + 1]);
		is_taken[pg_cut_chunk (&cut, c)] = true;
	      }
	    for (int c = 0; c < cut.n_chunks; c++)
	      assert_true (is_taken[c]);
	  }
}

/* Where a run's first owner is given less than others (entry.c), that is of its first chunk.  */
static void
first_chunks_are_a_good_part (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int o = 0; o < N_OWNERS; o++)
      for (int64_t most = 1; most < 5000; most = 3 * most + 1)
	for (int64_t lo = 0; lo < PG_CHUNK_ALIGN; lo++)
	  {
	    int64_t less = counts[i] / owners[o] / PG_FIRST_SHARE;
	    pg_grid_shares (bounds, lo - less, lo + counts[i], owners[o], most);
	    assert_true (bounds[1] >= lo);
	  }
}

/* Chunks that do not begin with a multiple of 8 share cache lines.  */
static void
chunks_are_aligned (void **state)
{
  enum
  {
    LEN = 80020
  };
  (void) state;
  for (int64_t lo = 0; lo < LEN; lo += 2008)
    for (int64_t hi = lo + LEN / 8; hi <= LEN; hi += 2008)
      {
	struct pg_cut cut = pg_grid_shares (bounds, lo, hi, 2, 64);
	for (int c = 0; c < cut.n_chunks; c++)
	  assert_int_equal (bounds[c] % PG_CHUNK_ALIGN, 0);
      }
}

/* The owner of iteration AT, when the loop is cut as in CUT.  */
static int
owner_of (const struct pg_cut *cut, int64_t at)
{
  for (int job = 0; job < cut->n_chunks; job++)
    {
      int64_t c = pg_cut_chunk (cut, job);
      if (at >= bounds[c] && at < bounds[c + 1])
	return job % cut->n_owners;
    }
  return -1;
}

/* However dear its iterations are, a loop comes to the same threads, each of which has one half, a third ...; one that
   is an iteration shorter does, but at the seams.  */
static void
owners_keep_their_places (void **state)
{
  (void) state;
  for (int n_owners = 2; n_owners <= 5; n_owners++)
    for (int64_t most = n_owners; most <= 256; most *= 2)
      for (int64_t len = 100000; len >= 99999; len--)
	{
	  struct pg_cut cut = pg_grid_shares (bounds, 0, len, n_owners, most);
	  for (int64_t i = 0; i < len; i += 10)
	    if (i % (len / n_owners) > 40 && len / n_owners - i % (len / n_owners) > 40)
	      assert_int_equal (owner_of (&cut, i), i / (len / n_owners));
	}
}

/* Who is through waits for what another has just begun, the last of its chunks, each of which is shorter than the one
   before.  */
static void
nobody_waits_for_long (void **state)
{
  (void) state;
  for (int64_t most = 4; most <= 256; most *= 2)
    {
      struct pg_cut cut = pg_grid_shares (bounds, 0, 100000, 2, most);
      assert_in_range (cut.per_block, 2, 16);
      for (int owner = 0; owner < 2; owner++)
	{
	  int first = owner * cut.per_block, last = first + cut.per_block - 1;
	  int64_t len = bounds[last + 1] - bounds[last], block_len = bounds[last + 1] - bounds[first];
	  assert_in_range (len, 1, block_len / (cut.per_block + 1) * 2 / cut.per_block + PG_CHUNK_ALIGN);
	  for (int c = first; c < last; c++)
	    assert_true (bounds[c + 1] - bounds[c] >= bounds[c + 2] - bounds[c + 1] - PG_CHUNK_ALIGN);
	}
    }
}

static void
macro_chunks_start_small_and_grow (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    for (int64_t first = 1 + counts[i] / 1000; first <= counts[i]; first *= 3)
      for (int64_t most = first; most <= counts[i]; most *= 5)
	{
	  int64_t last_len = 0, len;
	  for (int64_t lo = 0; lo < counts[i]; lo += len)
	    {
	      len = pg_grid_macro_end (lo, counts[i], first, most) - lo;
	      assert_true (len > 0 && lo + len <= counts[i]);
	      if (lo + len == counts[i])
		assert_true (len <= most + most / 2 + 1 && (lo == 0 || 2 * len >= last_len));
	      else
		assert_int_equal (len, lo + first < most ? lo + first : most);
	      last_len = len;
	    }
	}
  assert_int_equal (pg_grid_macro_end (1000, INT64_MAX, INT64_MAX, INT64_MAX), INT64_MAX);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (fixed_chunks_are_few_and_whole),     cmocka_unit_test (fixed_chunks_are_dealt_out_evenly),
    cmocka_unit_test (fixed_chunks_are_worth_their_while), cmocka_unit_test (shares_cover_the_range),
    cmocka_unit_test (first_chunks_are_a_good_part),       cmocka_unit_test (chunks_are_aligned),
    cmocka_unit_test (owners_keep_their_places),           cmocka_unit_test (nobody_waits_for_long),
    cmocka_unit_test (macro_chunks_start_small_and_grow),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
