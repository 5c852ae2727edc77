/* SPDX-License-Identifier: MIT
   Memory that is found the same again and again is watched instead of read; what changes is seen all the same.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "environment.h"
#include "feed.h"
#include "kernel-pages.h"

enum
{
  UNIT = 65536, /* whole pages */
  N_BLOCKS = 12,
  LEN = N_BLOCKS * UNIT,
  SEED = 7
};

static char *bytes;
static struct pg_block blocks[N_BLOCKS];
static struct pg_feed feed;
static bool is_supported;
static int
find_out (void **state)
{
  (void) state;
  pg_environment_defaults (&pg_environment);
  pg_environment.n_threads = 2;
  is_supported = kernel_records_pages ();
  return 0;
}

/* One block after the other, in three stages.  */
static int
set_up (void **state)
{
  (void) state;
  bytes = mmap (NULL, LEN + UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED)
    return -1;
  for (int i = 0; i < LEN; i++)
    bytes[i] = (char) (i * 7);
  for (int b = 0; b < N_BLOCKS; b++)
    blocks[b] = (struct pg_block) { .start = bytes + b * UNIT, .reach = UNIT, .len = UNIT };
  feed = (struct pg_feed) { .blocks = blocks, .n_blocks = N_BLOCKS, .n_stages = 3, .stage_end = { 1, 5, N_BLOCKS } };
  pg_feed_hash (&feed, SEED);
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  munmap (bytes, LEN + UNIT);
  return 0;
}

static bool
is_same (void)
{
  return pg_feed_is_same (&feed, SEED);
}

/* Memory that may not even be read any more shows that nobody does.  */
static void
what_is_watched_is_not_read (void **state)
{
  (void) state;
  if (!is_supported)
    skip ();
  assert_true (is_same ());
  assert_true (is_same ());
  mprotect (bytes, LEN, PROT_NONE);
  assert_true (is_same ());
  mprotect (bytes, LEN, PROT_READ | PROT_WRITE);
  assert_true (is_same ());
}

static void
every_change_is_seen_at_any_time (void **state)
{
  (void) state;
  for (int round = 0; round < 40; round++)
    {
      int at = (int) (((unsigned) round * 2654435761u) % LEN);
      for (int i = 0; i < round % 4; i++)
	assert_true (is_same ());
      bytes[at]++;
      assert_false (is_same ());
      assert_false (is_same ());
      bytes[at]--;
      assert_true (is_same ());
    }
}

/* From the first reading on, in rows of neighbours or one by one; a row that cannot be had is tried one by one.  */
static void
all_is_watched_at_once (void **state)
{
  (void) state;
  if (!is_supported)
    skip ();
  for (int b = 1; b < N_BLOCKS; b++)
    assert_int_equal (blocks[b].tick, blocks[0].tick);
  assert_int_not_equal (blocks[0].tick, 0);
  for (int b = 0; b < N_BLOCKS; b += 2)
    blocks[b].len = blocks[b].reach = UNIT / 2;
  pg_feed_hash (&feed, SEED);
  for (int b = 0; b < N_BLOCKS; b++)
    assert_int_not_equal (blocks[b].tick, 0);
  char *two = mmap (NULL, 2 * UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise (two + UNIT, UNIT, MADV_DONTDUMP); /* two mappings */
  memset (two, 1, 2 * UNIT);
  for (int b = 0; b < 2; b++)
    blocks[b] = (struct pg_block) { .start = two + b * UNIT, .reach = UNIT, .len = UNIT };
  feed.n_blocks = 2;
  pg_feed_hash (&feed, SEED);
  assert_int_not_equal (blocks[0].tick, 0);
  assert_int_not_equal (blocks[1].tick, 0);
  assert_int_not_equal (blocks[0].tick, blocks[1].tick);
  munmap (two, 2 * UNIT);
}

/* A neighbour on the same page is written before each check: to watch it is vain, and is tried ever more rarely.  */
static void
a_page_that_is_always_written_is_read_instead (void **state)
{
  (void) state;
  blocks[3].len -= 100;
  blocks[3].reach -= 100;
  pg_feed_hash (&feed, SEED);
  n_protected = 0;
  for (int i = 0; i < 1000; i++)
    {
      bytes[4 * UNIT - 1]++;
      assert_true (is_same ());
    }
  assert_in_range (n_protected, is_supported ? 5 : 0, 40);
}

/* What is only watched is lost when it is written, whatever with, and then does not come back.  */
static void
unread_pages_have_no_second_chance (void **state)
{
  (void) state;
  blocks[3].is_unread = true;
  blocks[3].len = 0;
  assert_int_equal (pg_feed_hash (&feed, SEED), is_supported);
  if (!is_supported)
    return;
  assert_true (is_same ());
  bytes[5 * UNIT]++;
  assert_false (is_same ());
  assert_false (pg_feed_has_lost (&feed));
  bytes[5 * UNIT]--;
  assert_true (is_same ());
  *(volatile char *) &bytes[4 * UNIT - 1] = bytes[4 * UNIT - 1];
  assert_false (is_same ());
  assert_true (pg_feed_has_lost (&feed));
  assert_false (is_same ());
  assert_true (pg_feed_hash (&feed, SEED));
  assert_true (is_same ());
  pg_environment.is_watch_off = true;
  assert_false (is_same ());
  assert_false (pg_feed_hash (&feed, SEED));
  pg_environment.is_watch_off = false;
}

static void
nothing_is_watched_when_it_is_off (void **state)
{
  (void) state;
  n_protected = 0;
  pg_environment.is_watch_off = true;
  for (int i = 0; i < 4; i++)
    assert_true (is_same ());
  bytes[5]++;
  assert_false (is_same ());
  assert_int_equal (n_protected, 0);
  pg_environment.is_watch_off = false;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (what_is_watched_is_not_read, set_up, tear_down),
    cmocka_unit_test_setup_teardown (every_change_is_seen_at_any_time, set_up, tear_down),
    cmocka_unit_test_setup_teardown (all_is_watched_at_once, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_page_that_is_always_written_is_read_instead, set_up, tear_down),
    cmocka_unit_test_setup_teardown (unread_pages_have_no_second_chance, set_up, tear_down),
    cmocka_unit_test_setup_teardown (nothing_is_watched_when_it_is_off, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, find_out, NULL);
}
