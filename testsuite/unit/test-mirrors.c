/* SPDX-License-Identifier: MIT
   Mirrors: what was not written is not copied again, and what was written, by whomever, is.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "kernel-pages.h"
#include "mirrors.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum
{
  PAGE = 4096,
  PART = 65536,
  N_PARTS = 8,
  LEN = N_PARTS * PART
};

static char *memory;
static uint8_t changed[LEN / 8];

static uint64_t
low (void)
{
  return (uint64_t) (uintptr_t) memory;
}

static int
set_up (void **state)
{
  (void) state;
  pg_environment_defaults (&pg_environment);
  pg_environment.device = 1;
  reset_device ();
  device.base.ops = &pg_device_emu;
  memory = mmap (NULL, LEN + PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (memory != MAP_FAILED);
  memset (memory, 1, LEN + PART);
  memset (changed, 0, sizeof changed);
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_mirrors_drop (&device.base);
  assert_int_equal (n_blocks (), 0);
  assert_int_equal (device.n_pinned, 0);
  munmap (memory, LEN + PART);
  return 0;
}

/* Use the mirror of LEN bytes from byte START on, refreshed and right; *N_COPIED bytes were copied.  */
static struct pg_mirror *
use_from (size_t start, size_t len, int64_t *n_copied)
{
  struct pg_mirror *mirror;
  enum pg_device_status status;
  *n_copied = 0;
  assert_int_equal (pg_mirror_use (&device.base, low () + start, low () + start + len, &mirror), PG_DEVICE_OK);
  pg_mirror_look (mirror, low () + start, low () + start + len);
  assert_true (pg_mirror_refresh (mirror, low () + start, low () + start + len, &device.base, &status, n_copied));
  size_t skipped = low () + start - mirror->low;
  assert_memory_equal ((char *) (uintptr_t) mirror->there + skipped, memory + start, len);
  assert_memory_equal (mirror->staged + skipped, memory + start, len);
  return mirror;
}

static struct pg_mirror *
use (size_t len, int64_t *n_copied)
{
  return use_from (0, len, n_copied);
}

/* The bytes that a use, and the end of it, took.  */
static int64_t
copied_from (size_t start, size_t len)
{
  int64_t n_copied;
  pg_mirror_leave (use_from (start, len, &n_copied), &device.base);
  return n_copied;
}

static int64_t
copied (size_t len)
{
  return copied_from (0, len);
}

/* Use it so often that it is watched.  */
static void
watched (void)
{
  if (!kernel_records_pages ())
    skip ();
  assert_int_equal (copied (LEN), LEN);
  assert_int_equal (n_blocks (), 0);
  assert_int_equal (copied (LEN), LEN);
  assert_int_equal (n_blocks (), 1);
}

static void
what_nobody_wrote_is_not_copied (void **state)
{
  (void) state;
  watched ();
  assert_int_equal (copied (LEN), 0);
  assert_int_equal (copied (LEN), 0);
}

static void
what_was_written_is_copied (void **state)
{
  (void) state;
  watched ();
  memory[3 * PART + 5] = 2;
  assert_int_equal (copied (LEN), PART);
  assert_int_equal (copied (LEN), 0);
  memory[0] = memory[LEN - 1] = 2;
  assert_int_equal (copied (LEN), 2 * PART);
  assert_int_equal (copied (LEN), 0);
}

/* A span that is written all the time is not watched any more.  */
static void
losses_end_it (void **state)
{
  (void) state;
  watched ();
  for (int i = 0; i < 2; i++)
    {
      memset (memory, i, LEN);
      assert_int_equal (copied (LEN), LEN);
    }
  assert_int_equal (copied (LEN), LEN);
  assert_int_equal (n_blocks (), 1); /* its memory serves the next use */
}

static void
without_watching_all_is_copied (void **state)
{
  (void) state;
  pg_environment.is_mirrors_off = true;
  for (int i = 0; i < 4; i++)
    assert_int_equal (copied (LEN), LEN);
  assert_int_equal (n_blocks (), 0);
}

/* Let the device write to a byte of PART, and the host the same, and another one if HAS_OTHERS.  */
static void
commit (struct pg_mirror *mirror, int part, bool has_others)
{
  size_t byte = (size_t) part * PART + 8;
  ((char *) (uintptr_t) mirror->there)[byte] = mirror->staged[byte] = memory[byte] = 9;
  changed[byte / 8] = 1;
  memory[byte + 100] = has_others ? 3 : 1;
  pg_mirror_settle (mirror, mirror->low, mirror->end, changed);
}

/* What the device wrote itself, it has; unless somebody wrote beside it.  */
static void
commits_settle (void **state)
{
  int64_t n_copied;
  (void) state;
  watched ();
  struct pg_mirror *mirror = use (LEN, &n_copied);
  commit (mirror, 2, false);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), 0);

  mirror = use (LEN, &n_copied);
  commit (mirror, 2, true);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), PART);

  mirror = use (LEN, &n_copied);
  commit (mirror, 2, false);
  memory[2 * PART] = 4; /* after */
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), PART);
}

/* A commit to a row of parts takes few faults, and they are watched as one from then on; others stay as they are.  */
static void
a_long_commit_is_one (void **state)
{
  enum
  {
    FIRST = 2 * PART - 20, /* within a word, and a page */
    N_BYTES = 4 * PART
  };
  int64_t n_copied;
  struct rusage before, after;
  (void) state;
  watched ();
  struct pg_mirror *mirror = use (LEN, &n_copied);
  memset ((char *) (uintptr_t) mirror->there + FIRST, 9, N_BYTES);
  memset (mirror->staged + FIRST, 9, N_BYTES);
  memset (changed, 0xff, N_BYTES / 8);
  getrusage (RUSAGE_SELF, &before);
  pg_mirror_release (mirror, low () + FIRST, low () + FIRST + N_BYTES, changed);
  memset (memory + FIRST, 9, N_BYTES);
  getrusage (RUSAGE_SELF, &after);
  assert_true (after.ru_minflt - before.ru_minflt < N_BYTES / PAGE / 4);
  pg_mirror_settle (mirror, low () + FIRST, low () + FIRST + N_BYTES, changed);
  assert_true (mirror->ticks[1] == mirror->ticks[5] && mirror->ticks[1] > mirror->ticks[0]);
  assert_int_equal (mirror->ticks[6], mirror->ticks[0]);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), 0);
}

static void
what_is_spoilt_is_copied (void **state)
{
  int64_t n_copied;
  (void) state;
  watched ();
  struct pg_mirror *mirror = use (LEN, &n_copied);
  pg_mirror_spoil (mirror, mirror->low, mirror->end);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (n_blocks (), 1);
  assert_int_equal (copied (LEN), LEN);
}

/* Mirrors of overlapping spans are two, and a write through one is seen by the other.  */
static void
spans_may_overlap (void **state)
{
  int64_t n_copied;
  (void) state;
  watched ();
  for (int i = 0; i < 2; i++)
    assert_int_equal (copied_from (PART, LEN), LEN);
  assert_int_equal (n_blocks (), 2);
  struct pg_mirror *mirror = use (LEN, &n_copied);
  commit (mirror, 2, false);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), 0);
  assert_int_equal (copied_from (PART, LEN), PART);
}

/* What a mirror has all of, it serves, several objects at once.  */
static void
spans_may_be_parts (void **state)
{
  int64_t n_copied;
  (void) state;
  watched ();
  memory[LEN / 2] = memory[0] = 2;
  struct pg_mirror *first = use (PART + 100, &n_copied);
  assert_int_equal (n_copied, PART);
  struct pg_mirror *second = use_from (LEN / 2 + 8, 2 * PART, &n_copied);
  assert_int_equal (n_copied, PART);
  assert_ptr_equal (first, second);
  assert_int_equal (n_blocks (), 1);
  size_t word = LEN / 2 + PART + 16;
  ((char *) (uintptr_t) second->there)[word] = second->staged[word] = memory[word] = 9;
  changed[(PART + 8) / 8] = 1;
  pg_mirror_settle (second, low () + LEN / 2 + 8, low () + LEN / 2 + 8 + 2 * PART, changed);
  pg_mirror_leave (first, &device.base);
  pg_mirror_leave (second, &device.base);
  assert_int_equal (copied (LEN), 0);
  pg_mirror_spoil (use_from (LEN - 8, 8, &n_copied), low () + LEN - 8, low () + LEN);
  assert_int_equal (copied (LEN), PART);
}

/* A larger span, used once before, is no reason to forget how often a smaller one was.  */
static void
spans_are_remembered_by_themselves (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  assert_int_equal (copied (LEN), LEN);
  for (int i = 0; i < 2; i++)
    assert_int_equal (copied_from (PART, 2 * PART), 2 * PART);
  assert_int_equal (copied_from (PART, 2 * PART), 0);
}

/* Parts of arrays in turn, as for the levels of a triangular solve, a hundred or more.  */
static void
many_spans_are_kept (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  for (int round = 0; round < 3; round++)
    for (size_t n = 0; n < 63; n++)
      {
	assert_int_equal (copied_from (n * 8192, 8192), round < 2 ? 8192 : 0);
	for (size_t once = 0; once < 12; once++)
	  copied_from (n * 8192 + once * 64, 8100 - (size_t) round * 100);
      }
}

/* Memory that is gone and there again is other memory.  */
static void
mappings_may_go (void **state)
{
  (void) state;
  watched ();
  assert_ptr_equal (mmap (memory, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), memory);
  assert_int_equal (copied (LEN), LEN);
}

/* Where there is no memory on the device, mirrors that are not in use are given up.  */
static void
memory_is_found (void **state)
{
  struct pg_mirror *mirror;
  int64_t n_copied;
  (void) state;
  watched ();
  device.n_calls = device.fails_at = 0;
  device.fails_as = PG_DEVICE_NO_MEMORY;
  pg_mirror_leave (use_from (PART, LEN, &n_copied), &device.base);
  assert_int_equal (n_blocks (), 0);
  device.n_calls = device.fails_at = 0;
  assert_int_equal (pg_mirror_use (&device.base, low (), low () + LEN, &mirror), PG_DEVICE_NO_MEMORY);
  assert_int_equal (copied (LEN), LEN);
}

/* A copy that fails is no copy.  */
static void
a_failed_copy_is_repeated (void **state)
{
  struct pg_mirror *mirror;
  enum pg_device_status status;
  int64_t n_copied;
  (void) state;
  watched ();
  memory[0] = 2;
  device.n_calls = device.fails_at = 0;
  device.fails_as = PG_DEVICE_LOST;
  assert_int_equal (pg_mirror_use (&device.base, low (), low () + LEN, &mirror), PG_DEVICE_OK);
  pg_mirror_look (mirror, mirror->low, mirror->end);
  assert_false (pg_mirror_refresh (mirror, mirror->low, mirror->end, &device.base, &status, &n_copied));
  assert_int_equal (status, PG_DEVICE_LOST);
  pg_mirror_leave (mirror, &device.base);
  assert_int_equal (copied (LEN), PART);
  munmap (memory + LEN / 2, LEN / 2);
  assert_int_equal (pg_mirror_use (&device.base, low () + PART, low () + PART + LEN, &mirror), PG_DEVICE_OK);
  pg_mirror_look (mirror, mirror->low, mirror->end);
  assert_false (pg_mirror_refresh (mirror, mirror->low, mirror->end, &device.base, &status, &n_copied));
  assert_int_equal (status, PG_DEVICE_OK);
  pg_mirror_leave (mirror, &device.base);
}

/* There may be so many.  */
static void
old_ones_go (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  for (int round = 0; round < 2; round++)
    for (size_t n = 1; n <= 60; n++)
      copied (n * 64);
  assert_true (n_blocks () > 0);
  for (size_t n = 1; n <= 1100; n++)
    copied_from (PART, n * 64);
  assert_int_equal (n_blocks (), 0);
}

/* A mirror's own room is kept, and serves all of it, once at a time; what is left in it is not what was changed.  */
static void
room_is_kept (void **state)
{
  struct pg_mirror_room room, second, part;
  int64_t n_copied;
  char *fresh = NULL;
  (void) state;
  for (int entry = 0; entry < 4; entry++)
    {
      struct pg_mirror *mirror = use (LEN, &n_copied);
      assert_true (pg_mirror_get_room (mirror, &device.base, low (), low () + LEN, &room));
      assert_true (pg_mirror_get_room (mirror, &device.base, low (), low () + LEN, &second));
      assert_true (pg_mirror_get_room (mirror, &device.base, low () + PART, low () + LEN, &part));
      assert_true (second.fresh != room.fresh && second.changed != room.changed);
      assert_true (part.fresh != room.fresh && part.fresh != second.fresh);
      assert_int_equal (device.n_pinned, 2);
      for (size_t word = 0; word < LEN / 8; word++)
	assert_true (room.changed[word] == 0 && second.changed[word] == 0);
      memset (room.changed, 0xff, LEN / 8);
      memset (room.fresh, 1, LEN);
      if (entry > 1)
	assert_ptr_equal (room.fresh, fresh);
      fresh = room.fresh;
      pg_mirror_put_room (mirror, low (), low () + LEN, &second);
      pg_mirror_put_room (mirror, low (), low () + LEN, &room);
      pg_mirror_put_room (mirror, low () + PART, low () + LEN, &part);
      assert_true (room.fresh == NULL && room.changed == NULL);
      pg_mirror_leave (mirror, &device.base);
      assert_int_equal (device.n_pinned, entry == 0 ? 0 : 2);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (what_nobody_wrote_is_not_copied, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_was_written_is_copied, set_up, tear_down),
    cmocka_unit_test_setup_teardown (losses_end_it, set_up, tear_down),
    cmocka_unit_test_setup_teardown (without_watching_all_is_copied, set_up, tear_down),
    cmocka_unit_test_setup_teardown (commits_settle, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_long_commit_is_one, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_spoilt_is_copied, set_up, tear_down),
    cmocka_unit_test_setup_teardown (spans_may_overlap, set_up, tear_down),
    cmocka_unit_test_setup_teardown (spans_may_be_parts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (spans_are_remembered_by_themselves, set_up, tear_down),
    cmocka_unit_test_setup_teardown (many_spans_are_kept, set_up, tear_down),
    cmocka_unit_test_setup_teardown (mappings_may_go, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_is_found, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_failed_copy_is_repeated, set_up, tear_down),
    cmocka_unit_test_setup_teardown (old_ones_go, set_up, tear_down),
    cmocka_unit_test_setup_teardown (room_is_kept, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
