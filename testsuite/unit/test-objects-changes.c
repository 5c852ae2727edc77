//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_budget_get -Wl,--wrap=pg_budget_grow
/* SPDX-License-Identifier: MIT
   Objects: exactly what the chunks changed is written back, and what a device has is only believed if it is the
   program's.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "kernel-pages.h"
#include "no-memory.h"
#include "objects.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum
{
  PART = 65536,
  LEN = 2 * PART,
  WATCHED_AFTER = 2 /* uses */
};

static char *memory;
static struct pg_objects objects;

static int
set_up (void **state)
{
  (void) state;
  pg_environment_defaults (&pg_environment);
  pg_environment.device = 1;
  reset_device ();
  first_refused = -1;
  device.base.ops = &pg_device_emu;
  memory = mmap (NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (memory != MAP_FAILED);
  memset (memory, 1, LEN);
  uint64_t low = (uint64_t) (uintptr_t) memory;
  objects
    = (struct pg_objects) { .n = 1,
			    .objects = { { .low = low, .end = low + LEN - 3, .is_read = true, .is_written = true } } };
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_mirrors_drop (&device.base);
  assert_int_equal (n_blocks (), 0);
  munmap (memory, LEN);
  return 0;
}

/* Where the device has the first byte.  */
static char *
there_now (void)
{
  return (char *) (uintptr_t) pg_object_there (&objects.objects[0]);
}

/* Put the object there; what is there is right.  The bytes that were copied.  */
static int64_t
put (void)
{
  int64_t n_copied = 0;
  assert_int_equal (pg_objects_look (&objects, &device.base), PG_OBJECTS_OK);
  assert_int_equal (pg_objects_put (&objects, &device.base, &n_copied), PG_OBJECTS_OK);
  assert_memory_equal (there_now (), memory, LEN - 3);
  return n_copied;
}

/* A chunk sets LEN bytes there to VALUE, from byte AT on.  */
static void
run_chunk (size_t at, size_t len, char value)
{
  pg_objects_let_run (&objects);
  memset (there_now () + at, value, len);
}

static void
take (void)
{
  int64_t n_copied = 0;
  assert_int_equal (pg_objects_take (&objects, &device.base, &n_copied), PG_OBJECTS_OK);
  assert_int_equal (n_copied, LEN - 3);
}

static void
drop (bool is_committed)
{
  pg_objects_drop (&objects, &device.base, is_committed);
}

/* Put and drop the object until it is watched: then nothing is copied again.  */
static void
watched (void)
{
  if (!kernel_records_pages ())
    skip ();
  objects.objects[0].is_written = false;
  for (int use = 0; use < WATCHED_AFTER; use++)
    {
      assert_int_equal (put (), LEN - 3);
      drop (false);
    }
  assert_int_equal (put (), 0);
  drop (false);
  objects.objects[0].is_written = true;
}

/* Bytes within a word, across two, at the end, and one that a second chunk changes back.  */
static void
exactly_what_was_changed_is_written (void **state)
{
  char expected[LEN];
  (void) state;
  put ();
  run_chunk (10, 1, 2);
  run_chunk (21, 6, 3);
  run_chunk (80, 16, 4);
  run_chunk (LEN - 4, 1, 5);
  take ();
  run_chunk (10, 1, 1);
  run_chunk (85, 1, 6);
  take ();
  run_chunk (500, 1, 7); /* not taken */
  memset (memory, 9, LEN);
  memset (expected, 9, LEN);
  pg_objects_commit (&objects);
  expected[10] = 1;
  memset (expected + 21, 3, 6);
  memset (expected + 80, 4, 16);
  expected[85] = 6;
  expected[LEN - 4] = 5;
  assert_memory_equal (memory, expected, LEN);
  drop (true);
}

static void
what_was_committed_is_not_copied_again (void **state)
{
  (void) state;
  watched ();
  put ();
  run_chunk (100, 50, 2);
  take ();
  pg_objects_commit (&objects);
  drop (true);
  assert_int_equal (put (), 0);
  drop (false);
}

/* Watched pages are let go before they are written to: not each costs a fault.  */
static void
a_commit_takes_few_faults (void **state)
{
  struct rusage before, after;
  (void) state;
  watched ();
  put ();
  run_chunk (0, LEN - 3, 2);
  take ();
  getrusage (RUSAGE_THREAD, &before);
  pg_objects_commit (&objects);
  getrusage (RUSAGE_THREAD, &after);
  assert_true (after.ru_minflt - before.ru_minflt < LEN / sysconf (_SC_PAGESIZE) / 2);
  drop (true);
  assert_int_equal (put (), 0);
  drop (false);
}

/* Of floats that were stored, all bytes were written, those that are the same as before, too, and no others.  */
static void
floats_are_written_whole (void **state)
{
  static const struct
  {
    uint8_t grain;
    bool is_odd; /* the object does not begin at a multiple */
    int at;      /* the byte that is changed */
    int from, n; /* the bytes that are written, of 16 */
  } all[] = { { 1, false, 5, 5, 1 }, { 4, false, 5, 4, 4 }, { 4, false, 2, 0, 4 },
	      { 8, false, 5, 0, 8 }, { 4, true, 5, 5, 1 },  { 8, true, 5, 5, 1 } };
  (void) state;
  for (size_t a = 0; a < sizeof all / sizeof *all; a++)
    {
      char *from = memory + all[a].is_odd;
      int64_t n_copied = 0;
      objects.objects[0].low = (uint64_t) (uintptr_t) from;
      objects.objects[0].grain = all[a].grain;
      memset (memory, 1, LEN);
      assert_int_equal (pg_objects_look (&objects, &device.base), PG_OBJECTS_OK);
      assert_int_equal (pg_objects_put (&objects, &device.base, &n_copied), PG_OBJECTS_OK);
      run_chunk ((size_t) all[a].at, 1, 2);
      assert_int_equal (pg_objects_take (&objects, &device.base, &n_copied), PG_OBJECTS_OK);
      memset (memory, 7, LEN);
      pg_objects_commit (&objects);
      for (int i = 0; i < 16; i++)
	assert_int_equal (from[i], i < all[a].from || i >= all[a].from + all[a].n ? 7 : i == all[a].at ? 2 : 1);
      drop (true);
    }
}

/* If the device does not give back one object, nothing of that chunk is written, of whichever object; what was taken
   before is.  */
static void
what_could_not_be_taken_is_not_written (void **state)
{
  (void) state;
  objects.n = 2;
  objects.objects[1] = objects.objects[0];
  objects.objects[0].end = objects.objects[1].low += PART;
  for (int failing = 0; failing < 2; failing++)
    {
      int64_t n_copied = 0;
      memset (memory, 1, LEN);
      assert_int_equal (pg_objects_look (&objects, &device.base), PG_OBJECTS_OK);
      assert_int_equal (pg_objects_put (&objects, &device.base, &n_copied), PG_OBJECTS_OK);
      for (int chunk = 0; chunk < 2; chunk++)
	{
	  pg_objects_let_run (&objects);
	  for (int o = 0; o < 2; o++)
	    ((char *) (uintptr_t) pg_object_there (&objects.objects[o]))[10 + chunk] = 2;
	  device.fails_at = chunk == 0 ? -1 : device.n_calls + failing;
	  device.fails_as = PG_DEVICE_TIMEOUT;
	  enum pg_objects_status took = pg_objects_take (&objects, &device.base, &n_copied);
	  assert_int_equal (took, chunk == 0 ? PG_OBJECTS_OK : PG_OBJECTS_LOST);
	}
      device.fails_at = -1;
      pg_objects_commit (&objects);
      for (int o = 0; o < 2; o++)
	{
	  assert_int_equal (memory[o * PART + 10], 2);
	  assert_int_equal (memory[o * PART + 11], 1);
	}
      drop (true);
    }
}

static void
look_and_drop (void)
{
  enum pg_objects_status looked = pg_objects_look (&objects, &device.base);
  assert_int_equal (looked, first_refused < 0 ? PG_OBJECTS_OK : PG_OBJECTS_NO_MEMORY);
  drop (false);
  pg_mirrors_drop (&device.base);
}

static void
memory_may_be_short (void **state)
{
  (void) state;
  refuse_each (look_and_drop);
  put ();
  drop (false);
}

/* Another thread has written between what the loop wrote.  */
static void
what_others_wrote_before_a_commit_is_copied (void **state)
{
  (void) state;
  watched ();
  put ();
  run_chunk (100, 50, 2);
  take ();
  memory[99] = 3;
  pg_objects_commit (&objects);
  drop (true);
  assert_int_equal (put (), PART);
  drop (false);
}

static void
what_was_not_committed_is_not_believed (void **state)
{
  (void) state;
  watched ();
  put ();
  run_chunk (100, 50, 2);
  take ();
  drop (false);
  assert_int_equal (put (), LEN - 3);
  drop (false);
}

/* The chunk before it was committed; what it left in the other part nobody has seen.  */
static void
what_a_bad_chunk_left_is_not_believed (void **state)
{
  (void) state;
  watched ();
  put ();
  run_chunk (100, 50, 2);
  take ();
  run_chunk (PART + 100, 50, 3);
  pg_objects_commit (&objects);
  drop (true);
  assert_int_equal (put (), LEN - 3);
  drop (false);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (exactly_what_was_changed_is_written, set_up, tear_down),
    cmocka_unit_test_setup_teardown (floats_are_written_whole, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_could_not_be_taken_is_not_written, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_may_be_short, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_was_committed_is_not_copied_again, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_commit_takes_few_faults, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_others_wrote_before_a_commit_is_copied, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_was_not_committed_is_not_believed, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_a_bad_chunk_left_is_not_believed, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
