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

static void
check_bounds (int n, int64_t lo, int64_t hi)
{
  assert_in_range (n, 1, PG_MAX_CHUNKS);
  assert_int_equal (bounds[0], lo);
  assert_int_equal (bounds[n], hi);
  for (int c = 0; c < n; c++)
    assert_true (bounds[c] < bounds[c + 1]);
}

static void
fixed_chunks_are_few_and_whole (void **state)
{
  (void) state;
  for (int i = 0; i < N_COUNTS; i++)
    {
      int64_t len = pg_grid_fixed_len (counts[i], 0);
      assert_int_equal (len % PG_CHUNK_ALIGN, 0);
      int n = pg_grid_even (bounds, 0, counts[i], len);
      check_bounds (n, 0, counts[i]);
      assert_in_range (n, 1, PG_FIXED_CHUNKS);
    }
}

static void
fixed_chunks_are_worth_their_while (void **state)
{
  (void) state;
  assert_int_equal (pg_grid_fixed_len (4096, 2000), 1000);
  assert_int_equal (pg_grid_fixed_len (4096, 3), 64);
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
	    struct pg_cut cut = pg_grid_shares (bounds, lo, hi, counts[i], owners[o], most);
	    assert_int_equal (cut.n_owners, owners[o]);
	    assert_in_range (cut.n_chunks, 1, most > owners[o] ? most : owners[o]);
	    assert_int_equal (cut.n_chunks % pg_cut_round (&cut), 0);
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

/* A short round would be over before a second thread has begun; chunks that do not begin with a multiple of 8 share
   cache lines.  */
static void
rounds_are_long_and_chunks_aligned (void **state)
{
  enum
  {
    LEN = 80020
  };
  (void) state;
  for (int64_t lo = 0; lo < LEN; lo += 2008)
    for (int64_t hi = lo + LEN / 8; hi <= LEN; hi += 2008)
      {
	struct pg_cut cut = pg_grid_shares (bounds, lo, hi, LEN, 2, 64);
	int round = pg_cut_round (&cut);
	for (int c = 0; c < cut.n_chunks; c += round)
	  assert_in_range (bounds[c + round] - bounds[c], LEN / 8 / 4, LEN / 8 * 2);
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

/* However dear its iterations are, a loop comes to the same threads, but for a little at the seams; and so does a
   part of it that is a macro-chunk, but for the round in the middle of which it begins.  */
static void
owners_keep_their_places (void **state)
{
  static int owner[1000];
  (void) state;
  for (int64_t most = 32; most <= 256; most *= 2)
    for (int64_t lo = 0; lo <= 50000; lo += 10000)
      {
	int n_moved = 0;
	struct pg_cut cut = pg_grid_shares (bounds, lo, 100000, 100000, 2, most);
	for (int i = (int) lo / 100; i < 1000; i++)
	  {
	    int now = owner_of (&cut, i * 100);
	    assert_in_range (now, 0, 1);
	    if (most == 32 && lo == 0)
	      owner[i] = now;
	    n_moved += now != owner[i];
	  }
	assert_in_range (n_moved, 0, lo % 50000 == 0 ? 5 : 100);
      }
}

/* Who is through waits for what another has just begun: a tenth of what that one had to do in the last round, as
   it would be a quarter with four equal chunks.  Short runs have such blocks, too.  */
static void
nobody_waits_for_long (void **state)
{
  (void) state;
  for (int64_t most = 8; most <= 256; most *= 2)
    {
      struct pg_cut cut = pg_grid_shares (bounds, 0, 100000, 100000, 2, most);
      int last_round = cut.n_chunks - pg_cut_round (&cut);
      if (most != 32) /* eight rounds of two chunks an owner: short all in all */
	assert_in_range (cut.per_block, 4, 32);
      for (int owner = 0; owner < 2; owner++)
	{
	  int first = last_round + owner * cut.per_block, last = first + cut.per_block - 1;
	  int64_t len = bounds[last + 1] - bounds[last], block_len = bounds[last + 1] - bounds[first];
	  assert_true (len > 0);
	  assert_in_range (len, 1, block_len / (cut.per_block + 1) * 2 / cut.per_block + PG_CHUNK_ALIGN);
	  for (int c = first; c < last; c++)
	    assert_true (bounds[c + 1] - bounds[c] >= bounds[c + 2] - bounds[c + 1] - PG_CHUNK_ALIGN);
	}
    }
}

/* A signal waits for as long as a round lasts, and a thread that is done for as long as a chunk of another.  */
static void
long_runs_have_rounds_and_small_chunks (void **state)
{
  (void) state;
  struct pg_cut cut = pg_grid_shares (bounds, 5000000, 6000000, 100000000, 2, 4000);
  assert_in_range (cut.n_chunks / pg_cut_round (&cut), 4, 16);
  assert_in_range (cut.n_chunks, 32, 256);
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
    cmocka_unit_test (fixed_chunks_are_few_and_whole),
    cmocka_unit_test (fixed_chunks_are_worth_their_while),
    cmocka_unit_test (shares_cover_the_range),
    cmocka_unit_test (rounds_are_long_and_chunks_aligned),
    cmocka_unit_test (owners_keep_their_places),
    cmocka_unit_test (nobody_waits_for_long),
    cmocka_unit_test (long_runs_have_rounds_and_small_chunks),
    cmocka_unit_test (macro_chunks_start_small_and_grow),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
