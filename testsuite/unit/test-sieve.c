/* SPDX-License-Identifier: MIT
   The sieve: finds every cell that two jobs, or one job twice, have marked.  */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "environment.h"
#include "left-sieve.h"
#include "sieve.h"

enum
{
  N_CELLS = 700000, /* several parts to unite */
  N_MAPS = 5
};

static struct pg_sieve sieve;

/* Mark CELL, written or READ, as the thread of marks INDEX does.  Returns whether it was marked.  */
static bool
mark (int64_t index, size_t cell, bool is_read)
{
  struct pg_marks writes, reads;
  pg_sieve_take (&sieve, index, &writes, &reads);
  bool was_set = pg_sieve_mark (is_read ? &reads : &writes, cell);
  pg_sieve_put (&sieve, index, &writes, &reads);
  return was_set;
}

static void
a_map_knows_its_marks (void **state)
{
  struct pg_marks marks;
  (void) state;
  assert_true (pg_sieve_begin (&sieve, 130, 2, false, 0));
  pg_sieve_take (&sieve, 1, &marks, NULL);
  assert_false (pg_sieve_mark (&marks, 129));
  assert_true (pg_sieve_mark (&marks, 129));
  assert_false (pg_sieve_mark (&marks, 64));
  assert_true (pg_sieve_test (marks.map, 64));
  assert_false (pg_sieve_test (marks.map, 65));
  pg_sieve_put (&sieve, 1, &marks, NULL);
  pg_sieve_take (&sieve, 1, &marks, NULL);
  assert_true (pg_sieve_test (marks.map, 129));
  assert_true (pg_sieve_begin (&sieve, 130, 2, false, 0));
  pg_sieve_take (&sieve, 1, &marks, NULL);
  assert_false (pg_sieve_test (marks.map, 129));
  pg_sieve_free (&sieve);
}

/* Many cells at a time are as good as one after the other, wherever they begin and end.  */
static void
cells_in_a_row_are_marked_together (void **state)
{
  (void) state;
  for (size_t cell = 0; cell < 130; cell++)
    for (size_t n = 1; cell + n <= 320; n += n < 70 ? 1 : 31)
      {
	struct pg_marks marks;
	assert_true (pg_sieve_begin (&sieve, 384, 1, false, n % 2 * 5));
	pg_sieve_take (&sieve, 0, &marks, NULL);
	assert_false (pg_sieve_mark_all (&marks, cell, n));
	for (size_t c = 0; c < 320; c++)
	  assert_int_equal (pg_sieve_test (marks.map, c), c >= cell && c < cell + n);
	assert_true (pg_sieve_mark_all (&marks, cell + n - 1, 2));
	pg_sieve_put (&sieve, 0, &marks, NULL);
      }
  pg_sieve_free (&sieve);
}

/* So are cells some way apart: what is next to them stays as it was.  */
static void
cells_a_stride_apart_are_marked_together (void **state)
{
  (void) state;
  for (size_t stride = 1; stride < 140; stride += stride < 70 ? 1 : 13)
    for (size_t cell = 0; cell < 70; cell += 3)
      for (size_t count = 1; count < 100; count += 7)
	{
	  struct pg_marks marks;
	  assert_true (pg_sieve_begin (&sieve, 16384, 1, false, count % 2 * 50));
	  pg_sieve_take (&sieve, 0, &marks, NULL);
	  assert_false (pg_sieve_mark_row (&marks, cell, count, stride));
	  for (size_t c = 0; c < cell + (count + 1) * stride; c++)
	    assert_int_equal (pg_sieve_test (marks.map, c),
			      c >= cell && (c - cell) % stride == 0 && (c - cell) / stride < count);
	  assert_int_equal (pg_sieve_mark_row (&marks, cell + 1, count, stride), stride == 1 && count > 1);
	  assert_true (pg_sieve_mark_row (&marks, cell + (count - 1) * stride, 2, stride));
	  pg_sieve_put (&sieve, 0, &marks, NULL);
	}
  pg_sieve_free (&sieve);
}

/* Lists' lengths: none, enough, too short for what is marked.  */
static const size_t list_lens[] = { 0, 1000, 1 };

enum
{
  N_LIST_LENS = sizeof list_lens / sizeof *list_lens,
  MARKED = 100 /* words; more than the least room of a list */
};

/* Begin with lists of LIST_LEN, and have each thread write and read MARKED words of its own.  */
static void
begin_with_marks (size_t list_len)
{
  assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true, list_len));
  for (int m = 0; m < N_MAPS; m++)
    for (size_t i = 0; i < MARKED; i++)
      {
	assert_false (mark (m, (i * 10 + (size_t) m * 2) * 64, false));
	assert_false (mark (m, (i * 10 + (size_t) m * 2 + 1) * 64, true));
      }
}

/* A read is no trouble unless its cell is written, by whichever thread.  */
static void
a_read_of_what_is_written_is_found (void **state)
{
  (void) state;
  for (int l = 0; l < N_LIST_LENS; l++)
    for (int reader = -1; reader < N_MAPS; reader++)
      for (int writer = 0; writer < N_MAPS; writer++)
	{
	  begin_with_marks (list_lens[l]);
	  if (reader >= 0)
	    mark (reader, (size_t) writer * 2 * 64, true);
	  assert_int_equal (pg_sieve_unite (&sieve), reader < 0);
	}
  pg_sieve_free (&sieve);
}

static void
two_writes_of_a_cell_are_found (void **state)
{
  (void) state;
  for (int l = 0; l < N_LIST_LENS; l++)
    for (int first = 0; first < N_MAPS; first++)
      for (int second = 0; second < N_MAPS; second++)
	{
	  begin_with_marks (list_lens[l]);
	  bool was_set = mark (second, (size_t) first * 2 * 64, false);
	  assert_int_equal (was_set, first == second);
	  assert_int_equal (pg_sieve_unite (&sieve), first == second);
	}
  pg_sieve_free (&sieve);
}

/* Which words are marked is told by lists as far as they go; one that is too short says so.  */
static void
a_list_that_is_too_short_says_so (void **state)
{
  (void) state;
  for (int l = 0; l < N_LIST_LENS; l++)
    {
      bool is_lost;
      begin_with_marks (list_lens[l]);
      size_t n_listed = pg_sieve_listed (&sieve, &is_lost);
      assert_int_equal (is_lost, list_lens[l] < MARKED);
      if (!is_lost)
	assert_int_equal (n_listed, MARKED * N_MAPS);
    }
  pg_sieve_free (&sieve);
}

static void
assert_clear (size_t n_words)
{
  for (size_t w = 0; w < n_words; w++)
    assert_int_equal (sieve.bits[w], 0);
}

static void
assert_all_clear (void)
{
  assert_clear (sieve.len / sizeof *sieve.bits);
}

/* With lists all maps are 0 to begin with, whatever the uses before were like, also of more maps.  */
static void
maps_with_lists_begin_with_0 (void **state)
{
  (void) state;
  for (int l = 0; l < N_LIST_LENS; l++)
    for (int is_cleared = 0; is_cleared < 2; is_cleared++)
      {
	begin_with_marks (list_lens[l]);
	pg_sieve_unite (&sieve);
	if (is_cleared)
	  pg_sieve_clear (&sieve);
	assert_true (pg_sieve_begin (&sieve, N_CELLS / 4, 1, true, 0));
	mark (0, 1, false);
	assert_true (pg_sieve_begin (&sieve, N_CELLS / 2, 1, true, 10));
	assert_all_clear ();
	assert_true (pg_sieve_unite (&sieve));
      }
  pg_sieve_free (&sieve);
}

/* Who unites the maps clears them: without lists, and where one was too short.  */
static void
united_maps_are_0 (void **state)
{
  (void) state;
  for (int l = 0; l < N_LIST_LENS; l++)
    {
      begin_with_marks (list_lens[l]);
      assert_true (pg_sieve_unite (&sieve));
      if (list_lens[l] < MARKED)
	assert_all_clear ();
      pg_sieve_clear (&sieve);
      assert_all_clear ();
      assert_int_equal (sieve.dirty_end, 0);
    }
  pg_sieve_free (&sieve);
}

/* Maps that were marked and never united are 0 when they are taken again, however many of them were united since, and
   wherever in the others' memory they lie now.  */
static void
maps_that_were_not_united_are_cleared_later (void **state)
{
  (void) state;
  for (int n_united = 1; n_united <= N_MAPS; n_united++)
    for (size_t n_cells = N_CELLS / 4; n_cells <= N_CELLS; n_cells *= 2)
      {
	struct pg_marks writes, reads;
	begin_with_marks (0);
	assert_true (pg_sieve_begin (&sieve, n_cells, N_MAPS, true, 0));
	for (int m = 0; m < n_united; m++)
	  mark (m, (size_t) m, false);
	assert_true (pg_sieve_unite (&sieve));
	assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true, 0));
	for (int m = 0; m < N_MAPS; m++)
	  {
	    pg_sieve_take (&sieve, m, &writes, &reads);
	    for (size_t cell = 0; cell < N_CELLS; cell += 64)
	      assert_true (writes.map[cell / 64] == 0 && reads.map[cell / 64] == 0);
	  }
      }
  pg_sieve_free (&sieve);
}

/* Nothing but the words that lists name is touched to clear them, and then all is 0.  */
static void
what_lists_name_is_cleared_at_once (void **state)
{
  bool is_lost;
  (void) state;
  begin_with_marks (1000);
  assert_true (pg_sieve_unite (&sieve));
  pg_sieve_clear (&sieve);
  assert_all_clear ();
  assert_int_equal (sieve.dirty_end, 0);
  assert_int_equal (pg_sieve_listed (&sieve, &is_lost), 0);
  assert_false (is_lost);
  pg_sieve_free (&sieve);
}

/* A thread that a jump took away puts nothing back: its list may lack what its map has.  */
static void
marks_not_put_back_are_cleared_all_the_same (void **state)
{
  struct pg_marks writes, reads;
  bool is_lost;
  (void) state;
  begin_with_marks (1000);
  pg_sieve_take (&sieve, 1, &writes, &reads);
  pg_sieve_mark (&writes, N_CELLS - 1);
  pg_sieve_mark (&reads, N_CELLS - 100);
  pg_sieve_listed (&sieve, &is_lost);
  assert_true (is_lost);
  assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true, 1000));
  assert_all_clear ();
  pg_sieve_free (&sieve);
}

/* Maps that no thread used hold anything.  */
static void
maps_that_were_not_used_do_not_count (void **state)
{
  (void) state;
  for (int n = N_MAPS; n > 0; n--)
    {
      assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, true, 0));
      for (int m = 0; m < n; m++)
	{
	  mark (m, (size_t) (7 + n * N_MAPS + m), false);
	  mark (m, (size_t) (1000 - n), true);
	}
      assert_true (pg_sieve_unite (&sieve));
    }
  pg_sieve_free (&sieve);
}

/* Cells are dealt out to the maps, and then one cell, anywhere, goes to a second map.  */
static void
a_cell_of_two_maps_is_found (void **state)
{
  static const size_t doubles[] = { 0, 63, 64, 16383, 16384, 262143, 262144, N_CELLS - 1 };
  (void) state;
  for (size_t d = 0; d <= sizeof doubles / sizeof *doubles; d++)
    {
      bool is_double = d < sizeof doubles / sizeof *doubles;
      struct pg_marks marks[N_MAPS];
      assert_true (pg_sieve_begin (&sieve, N_CELLS, N_MAPS, false, 0));
      for (int m = 0; m < N_MAPS; m++)
	pg_sieve_take (&sieve, m, &marks[m], NULL);
      for (size_t cell = 0; cell < N_CELLS; cell++)
	pg_sieve_mark (&marks[cell % N_MAPS], cell);
      if (is_double)
	pg_sieve_mark (&marks[(doubles[d] + 1 + d % (N_MAPS - 1)) % N_MAPS], doubles[d]);
      for (int m = 0; m < N_MAPS; m++)
	pg_sieve_put (&sieve, m, &marks[m], NULL);
      assert_int_equal (pg_sieve_unite (&sieve), !is_double);
    }
  pg_sieve_free (&sieve);
}

/* What it was used for shows no more: with lists or without, united or not, cleared or taken away by a jump, and if
   another use that did not touch all of it came between.  */
static void
a_sieve_has_the_memory_that_another_left (void **state)
{
  (void) state;
  forget_left_sieve ();
  for (int l = 0; l < N_LIST_LENS * N_LIST_LENS; l++)
    for (int is_united = 0; is_united < 2; is_united++)
      for (int end = 0; end < 3; end++)
	{
	  begin_with_marks (list_lens[l / N_LIST_LENS]);
	  if (is_united)
	    assert_true (pg_sieve_unite (&sieve));
	  if (end == 1)
	    pg_sieve_clear (&sieve);
	  else if (end == 2)
	    assert_true (pg_sieve_begin (&sieve, 1, 1, false, 0));
	  uint64_t *bits = sieve.bits;
	  pg_sieve_leave (&sieve);
	  assert_null (sieve.bits);
	  assert_int_equal (sieve.len, 0);

	  pg_sieve_inherit (&sieve, SIZE_MAX);
	  assert_ptr_equal (sieve.bits, bits);
	  assert_true (pg_sieve_begin (&sieve, N_CELLS / 2, N_MAPS, true, list_lens[l % N_LIST_LENS]));
	  assert_ptr_equal (sieve.bits, bits);
	  if (list_lens[l % N_LIST_LENS] > 0)
	    assert_clear (2 * N_MAPS * sieve.n_words);
	  for (int m = 0; m < N_MAPS; m++)
	    {
	      assert_false (mark (m, (size_t) m * 128 + 1, false));
	      assert_false (mark (m, (size_t) m * 128 + 64, true));
	    }
	  assert_true (pg_sieve_unite (&sieve));
	  begin_with_marks (list_lens[l % N_LIST_LENS]);
	  mark (1, 0, true);
	  assert_false (pg_sieve_unite (&sieve));
	}
  pg_sieve_free (&sieve);
}

/* Begin SIEVE with N_CELLS cells.  Returns its memory.  */
static uint64_t *
begin_other (struct pg_sieve *other, size_t n_cells)
{
  assert_true (pg_sieve_begin (other, n_cells, 1, false, 0));
  return other->bits;
}

static void
a_sieve_with_enough_of_its_own_inherits_nothing (void **state)
{
  struct pg_sieve large = { .bits = NULL }, small = { .bits = NULL };
  (void) state;
  forget_left_sieve ();
  uint64_t *large_bits = begin_other (&large, N_CELLS), *small_bits = begin_other (&small, 1000);
  size_t enough = small.len;
  pg_sieve_leave (&large);
  pg_sieve_inherit (&small, enough);
  assert_ptr_equal (small.bits, small_bits);
  pg_sieve_inherit (&small, enough + 1);
  assert_ptr_equal (small.bits, large_bits);
  pg_sieve_inherit (&large, enough);
  assert_ptr_equal (large.bits, small_bits);
  pg_sieve_inherit (&small, SIZE_MAX); /* nothing is left */
  assert_ptr_equal (small.bits, large_bits);
  pg_sieve_free (&small);
  pg_sieve_free (&large);
}

/* What a large use left dirty is not for a small one to clear beyond its own maps; for the next large one it is.  */
static void
a_small_use_clears_its_own_maps_only (void **state)
{
  struct pg_marks writes, reads;
  (void) state;
  pg_sieve_free (&sieve);
  for (size_t max_listed = 0; max_listed <= 10; max_listed += 10)
    {
      assert_true (pg_sieve_begin (&sieve, N_CELLS, 2, true, 0));
      for (int m = 0; m < 2; m++)
	for (int is_read = 0; is_read < 2; is_read++)
	  mark (m, N_CELLS - 1, is_read);
      size_t len = 4 * sieve.n_words * sizeof (uint64_t), last = N_CELLS / 64;
      assert_true (pg_sieve_begin (&sieve, 1000, 2, true, max_listed));
      assert_false (mark (0, 1, false));
      assert_false (mark (1, 2, false));
      assert_true (pg_sieve_unite (&sieve));
      assert_int_equal (sieve.dirty_from, 4 * sieve.n_words * sizeof (uint64_t));
      assert_int_equal (sieve.dirty_end, len);
      assert_int_not_equal (sieve.bits[last], 0);
      assert_true (pg_sieve_begin (&sieve, N_CELLS, 2, true, 0));
      for (int m = 0; m < 2; m++)
	{
	  pg_sieve_take (&sieve, m, &writes, &reads);
	  assert_int_equal (writes.map[last], 0);
	  assert_int_equal (reads.map[last], 0);
	  pg_sieve_put (&sieve, m, &writes, &reads);
	}
    }
  pg_sieve_free (&sieve);
}

/* Whichever is left first; who leaves the other one keeps it, or has it from then on.  */
static void
the_larger_sieve_stays_left (void **state)
{
  (void) state;
  for (int is_large_first = 0; is_large_first < 2; is_large_first++)
    {
      struct pg_sieve large = { .bits = NULL }, small = { .bits = NULL }, next = { .bits = NULL };
      forget_left_sieve ();
      uint64_t *large_bits = begin_other (&large, N_CELLS), *small_bits = begin_other (&small, 1000);
      struct pg_sieve *first = is_large_first ? &large : &small, *second = is_large_first ? &small : &large;
      pg_sieve_leave (first);
      pg_sieve_leave (second);
      assert_null (first->bits);
      assert_ptr_equal (second->bits, small_bits);
      pg_sieve_inherit (&next, SIZE_MAX);
      assert_ptr_equal (next.bits, large_bits);
      pg_sieve_free (second);
      pg_sieve_free (&next);
    }
}

/* Again and again have a sieve, the left one if there is one, and look whether another thread writes there too.  */
static void *
use_left_sieves (void *result)
{
  uint64_t name = (uintptr_t) result;
  bool *is_mine = result;
  for (int i = 0; i < 5000 && *is_mine; i++)
    {
      struct pg_sieve mine = { .bits = NULL };
      pg_sieve_inherit (&mine, SIZE_MAX);
      if (!pg_sieve_begin (&mine, 1000, 1, false, 0))
	break;
      for (int j = 0; j < 20; j++)
	{
	  *(volatile uint64_t *) mine.bits = name;
	  *is_mine &= *(volatile uint64_t *) mine.bits == name;
	}
      pg_sieve_leave (&mine);
      pg_sieve_free (&mine);
    }
  return NULL;
}

static void
no_two_threads_have_the_same_sieve (void **state)
{
  enum
  {
    N_THREADS = 4
  };
  pthread_t threads[N_THREADS];
  bool is_own[N_THREADS];
  (void) state;
  for (int t = 0; t < N_THREADS; t++)
    {
      is_own[t] = true;
      assert_int_equal (pthread_create (&threads[t], NULL, use_left_sieves, &is_own[t]), 0);
    }
  for (int t = 0; t < N_THREADS; t++)
    {
      pthread_join (threads[t], NULL);
      assert_true (is_own[t]);
    }
  forget_left_sieve ();
}

static _Atomic bool is_over;

/* Leave a sieve and have it back, over and over.  */
static void *
exchange_all_the_time (void *its)
{
  while (!atomic_load (&is_over))
    {
      pg_sieve_leave (its);
      pg_sieve_inherit (its, SIZE_MAX);
    }
  return NULL;
}

/* Does a child that is forked now keep ITS sieve, the largest, when it leaves it?  */
static bool
child_keeps (struct pg_sieve *its)
{
  int status;
  pid_t child = fork ();
  if (child == 0)
    {
      uint64_t *bits = its->bits;
      alarm (20);
      pg_sieve_leave (its);
      _exit (its->bits == bits);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFEXITED (status));
  return WEXITSTATUS (status) != 0;
}

/* A thread that is at what is left when the process forks is there for ever in the child: nobody waits for it, nor
   touches what it may have half done.  */
static void
an_exchange_that_a_fork_left_behind_holds_up_nobody (void **state)
{
  struct pg_sieve large = { .bits = NULL }, small = { .bits = NULL };
  int n_kept = 0;
  pthread_t other;
  (void) state;
  forget_left_sieve ();
  begin_other (&large, N_CELLS);
  begin_other (&small, 1000);
  atomic_store (&is_over, false);
  assert_int_equal (pthread_create (&other, NULL, exchange_all_the_time, &small), 0);
  for (int i = 0; i < 2000 && n_kept < 3; i++)
    n_kept += child_keeps (&large);
  atomic_store (&is_over, true);
  pthread_join (other, NULL);
  assert_int_equal (n_kept, 3);
  pg_sieve_leave (&large);
  assert_null (large.bits);
  pg_sieve_free (&small);
  forget_left_sieve ();
}

static void
a_sieve_larger_than_the_budget_is_refused (void **state)
{
  (void) state;
  assert_false (pg_sieve_begin (&sieve, (size_t) 1 << 50, 8, false, 0));
  assert_false (pg_sieve_begin (&sieve, SIZE_MAX / 2, 1000, false, 0));
  assert_true (pg_sieve_begin (&sieve, 1, 1, false, 0));
  pg_sieve_free (&sieve);
}

/* The pages of SIEVE's maps that are in memory.  */
static int
count_pages (void)
{
  static unsigned char is_there[N_CELLS];
  int n = 0;
  size_t page_len = (size_t) sysconf (_SC_PAGESIZE), n_pages = (sieve.len + page_len - 1) / page_len;
  assert_int_equal (mincore (sieve.bits, sieve.len, is_there), 0);
  for (size_t i = 0; i < n_pages; i++)
    n += is_there[i] & 1;
  return n;
}

/* New maps are touched at once if all of them will be, and with lists only where they are marked.  */
static void
new_maps_are_in_memory_at_once (void **state)
{
  char *page = mmap (NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool is_possible = madvise (page, 1, MADV_POPULATE_WRITE) == 0;
  (void) state;
  munmap (page, 1);
  assert_true (pg_sieve_begin (&sieve, N_CELLS, 2, true, 100));
  assert_int_equal (count_pages (), 0);
  pg_sieve_free (&sieve);
  assert_true (pg_sieve_begin (&sieve, N_CELLS, 2, true, 0));
  assert_true (!is_possible || (size_t) count_pages () >= sieve.len / 65536);
  pg_sieve_free (&sieve);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_map_knows_its_marks),
    cmocka_unit_test (cells_in_a_row_are_marked_together),
    cmocka_unit_test (cells_a_stride_apart_are_marked_together),
    cmocka_unit_test (a_read_of_what_is_written_is_found),
    cmocka_unit_test (two_writes_of_a_cell_are_found),
    cmocka_unit_test (a_list_that_is_too_short_says_so),
    cmocka_unit_test (maps_with_lists_begin_with_0),
    cmocka_unit_test (united_maps_are_0),
    cmocka_unit_test (maps_that_were_not_united_are_cleared_later),
    cmocka_unit_test (what_lists_name_is_cleared_at_once),
    cmocka_unit_test (marks_not_put_back_are_cleared_all_the_same),
    cmocka_unit_test (maps_that_were_not_used_do_not_count),
    cmocka_unit_test (a_cell_of_two_maps_is_found),
    cmocka_unit_test (new_maps_are_in_memory_at_once),
    cmocka_unit_test (a_sieve_has_the_memory_that_another_left),
    cmocka_unit_test (a_sieve_with_enough_of_its_own_inherits_nothing),
    cmocka_unit_test (a_small_use_clears_its_own_maps_only),
    cmocka_unit_test (the_larger_sieve_stays_left),
    cmocka_unit_test (no_two_threads_have_the_same_sieve),
    cmocka_unit_test (an_exchange_that_a_fork_left_behind_holds_up_nobody),
    cmocka_unit_test (a_sieve_larger_than_the_budget_is_refused),
  };
  pg_environment.n_threads = 3;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
