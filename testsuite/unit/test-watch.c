/* SPDX-License-Identifier: MIT
   Watched memory: whatever writes to it, it is not "untouched" then, nor is anything that nobody can know about.  */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "environment.h"
#include "kernel-pages.h"
#include "watch.h"

enum
{
  PAGE = 4096, /* at least: sizes are multiples of the largest page there is */
  UNIT = 65536,
  N_UNITS = 64,
  LEN = N_UNITS * UNIT
};

/* Fresh private memory, written, with a gap on each side, so that it is a mapping of its own.  */
static char *
fresh_memory (void)
{
  char *bytes = mmap (NULL, LEN + 2 * UNIT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal (bytes, MAP_FAILED);
  assert_int_equal (mprotect (bytes + UNIT, LEN, PROT_READ | PROT_WRITE), 0);
  memset (bytes + UNIT, 1, LEN);
  return bytes + UNIT;
}

static void
drop_memory (char *bytes)
{
  munmap (bytes - UNIT, LEN + 2 * UNIT);
}

/* The kernel has a record of written pages.  */
static bool is_supported;

static int
find_out (void **state)
{
  (void) state;
  pg_environment_defaults (&pg_environment);
  is_supported = kernel_records_pages ();
  return 0;
}

/* The tick since which LEN bytes at BYTES are watched; skips the test if nothing can be.  */
static pg_tick
watched (char *bytes, size_t len, bool is_wide)
{
  if (!is_supported)
    skip ();
  pg_tick tick = pg_watch_begin (bytes, len, is_wide);
  assert_int_not_equal (tick, 0);
  assert_true (pg_watch_is_untouched (bytes, len, tick));
  return tick;
}

static void
write_by_store (char *byte)
{
  *(volatile char *) byte = 2;
}

static void
write_by_system_call (char *byte)
{
  int ends[2];
  assert_int_equal (pipe (ends), 0);
  assert_int_equal (write (ends[1], "x", 1), 1);
  assert_int_equal (read (ends[0], byte, 1), 1);
  close (ends[0]);
  close (ends[1]);
}

static void *
store (void *byte)
{
  write_by_store (byte);
  return NULL;
}

static void
write_by_thread (char *byte)
{
  pthread_t thread;
  assert_int_equal (pthread_create (&thread, NULL, store, byte), 0);
  pthread_join (thread, NULL);
}

static void
write_by_another_process (char *byte)
{
  pid_t child = fork (), parent = getppid ();
  if (child == 0)
    {
      char value = 2;
      struct iovec from = { &value, 1 }, to = { byte, 1 };
      parent = getppid ();
      _exit (process_vm_writev (parent, &from, 1, &to, 1, 0) == 1 ? 0 : 1);
    }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  if (status != 0)
    write_by_store (byte); /* not allowed here */
}

static void
drop_page (char *byte)
{
  madvise (byte, UNIT, MADV_DONTNEED);
}

static void
map_anew (char *byte)
{
  assert_ptr_equal (mmap (byte, UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), byte);
}

static void
move_there (char *byte)
{
  char *other = mmap (NULL, UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset (other, 3, UNIT);
  assert_ptr_equal (mremap (other, UNIT, UNIT, MREMAP_MAYMOVE | MREMAP_FIXED, byte), byte);
}

/* Whoever writes, the unit is touched, and its neighbours are not.  */
static void
every_write_is_seen (void **state)
{
  static void (*const ways[]) (char *) = {
    write_by_store, write_by_system_call, write_by_thread, write_by_another_process, drop_page, map_anew, move_there
  };
  (void) state;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    {
      char *bytes = fresh_memory ();
      pg_tick tick = watched (bytes, LEN, false);
      ways[w](bytes + 7 * UNIT);
      assert_true (pg_watch_is_untouched (bytes + 8 * UNIT, 8 * UNIT, tick) || ways[w] == map_anew
		   || ways[w] == move_there);
      assert_false (pg_watch_is_untouched (bytes, LEN, tick));
      assert_false (pg_watch_is_untouched (bytes + 7 * UNIT, 1, tick));
      drop_memory (bytes);
    }
}

/* A page that was written and is watched again is untouched for who began after the write only.  */
static void
a_second_watch_does_not_hide_a_write_from_the_first (void **state)
{
  char *bytes = fresh_memory ();
  pg_tick first = watched (bytes, LEN, false);
  (void) state;
  write_by_store (bytes + 3 * UNIT);
  pg_tick second = pg_watch_begin (bytes, LEN, false);
  assert_true (second > first);
  assert_true (pg_watch_is_untouched (bytes, LEN, second));
  assert_false (pg_watch_is_untouched (bytes, LEN, first));
  assert_true (pg_watch_is_untouched (bytes, 3 * UNIT, first));
  assert_true (pg_watch_is_untouched (bytes + 4 * UNIT, LEN - 4 * UNIT, first));
  drop_memory (bytes);
}

/* The page faults of this thread that it takes to write to all LEN bytes at START.  */
static long
faults_of_writing (char *start, size_t len)
{
  struct rusage before, after;
  getrusage (RUSAGE_THREAD, &before);
  memset (start, 2, len);
  getrusage (RUSAGE_THREAD, &after);
  return after.ru_minflt - before.ru_minflt;
}

/* Pages that are released are written to without a fault each, and count as written; no others do.  */
static void
what_is_released_counts_as_written (void **state)
{
  char *bytes = fresh_memory ();
  long page_len = sysconf (_SC_PAGESIZE);
  pg_tick first = watched (bytes, LEN, false);
  (void) state;
  assert_true (faults_of_writing (bytes + 32 * UNIT, 8 * UNIT) >= 8 * UNIT / page_len);
  pg_watch_release (bytes + 4 * UNIT - 1, 8 * UNIT + 2);
  assert_true (pg_watch_is_untouched (bytes, 4 * UNIT, first));
  assert_true (pg_watch_is_untouched (bytes + 12 * UNIT, UNIT, first));
  assert_false (pg_watch_is_untouched (bytes + 4 * UNIT, page_len, first));
  assert_false (pg_watch_is_untouched (bytes + 12 * UNIT - page_len, page_len, first));
  assert_true (faults_of_writing (bytes + 4 * UNIT, 8 * UNIT) < 8);
  pg_tick second = pg_watch_begin (bytes, LEN, false);
  assert_true (pg_watch_is_untouched (bytes, LEN, second));
  assert_false (pg_watch_is_untouched (bytes + 5 * UNIT, UNIT, first));
  bytes[6 * UNIT] = 3;
  assert_false (pg_watch_is_untouched (bytes + 6 * UNIT, 1, second));
  drop_memory (bytes);
}

/* To release what lies within a page, or what is not watched, changes nothing.  */
static void
what_is_not_watched_is_not_released (void **state)
{
  char *bytes = fresh_memory (), *other = fresh_memory ();
  pg_tick tick = watched (bytes, LEN, false);
  (void) state;
  pg_watch_release (bytes + 1, (size_t) sysconf (_SC_PAGESIZE) - 1);
  pg_watch_release (bytes + 1, 0);
  pg_watch_release (other, LEN);
  assert_true (pg_watch_is_untouched (bytes, LEN, tick));
  drop_memory (other);
  drop_memory (bytes);
}

/* The memory was given back and fresh memory came to the same place, which someone else began to watch.  */
static void
memory_that_was_replaced_is_not_taken_for_the_old_one (void **state)
{
  char *bytes = fresh_memory ();
  pg_tick first = watched (bytes, LEN, false);
  (void) state;
  assert_int_equal (munmap (bytes, LEN), 0);
  assert_ptr_equal (mmap (bytes, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), bytes);
  memset (bytes, 5, LEN);
  assert_false (pg_watch_is_untouched (bytes, LEN, first));
  pg_tick second = pg_watch_begin (bytes, LEN, false);
  assert_true (second != 0 && pg_watch_is_untouched (bytes, LEN, second));
  assert_false (pg_watch_is_untouched (bytes, LEN, first));

  /* The same, and nobody asked in between: the new watch is of one unit more.  */
  assert_int_equal (munmap (bytes, LEN), 0);
  assert_ptr_equal (mmap (bytes, LEN + UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
		    bytes);
  memset (bytes, 6, LEN + UNIT);
  pg_tick third = pg_watch_begin (bytes, LEN + UNIT, false);
  assert_true (third != 0 && pg_watch_is_untouched (bytes, LEN + UNIT, third));
  assert_false (pg_watch_is_untouched (bytes, LEN, second));
  assert_false (pg_watch_is_untouched (bytes, LEN, first));
  drop_memory (bytes);
}

/* A child of a fork has its own copies, which nobody records; then it may begin anew, and the parent's ticks do not
   hold there.  */
static void
a_child_knows_nothing (void **state)
{
  char *bytes = fresh_memory ();
  pg_tick tick = watched (bytes, LEN, false);
  (void) state;
  pid_t child = fork ();
  if (child == 0)
    {
      bool is_wrong = pg_watch_is_untouched (bytes, LEN, tick);
      write_by_store (bytes);
      pg_tick own = pg_watch_begin (bytes, LEN, false);
      is_wrong |= pg_watch_is_untouched (bytes, LEN, tick);
      is_wrong |= own == 0 || !pg_watch_is_untouched (bytes, LEN, own);
      write_by_store (bytes + UNIT);
      is_wrong |= pg_watch_is_untouched (bytes, LEN, own);
      _exit (is_wrong);
    }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  assert_true (pg_watch_is_untouched (bytes, LEN, tick));
  drop_memory (bytes);
}

/* Others can write to shared memory through mappings of their own, and a file's pages can change with the file.  */
static void
what_others_can_change_is_not_watched (void **state)
{
  char *shared = mmap (NULL, LEN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int file = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  char *copy = mmap (NULL, UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  (void) state;
  memset (shared, 1, LEN);
  assert_int_equal (pg_watch_begin (shared, LEN, false), 0);
  assert_int_equal (pg_watch_begin (copy, 1, false), 0);
  assert_int_equal (pg_watch_begin ((void *) what_others_can_change_is_not_watched, 1, false), 0);
  munmap (shared, LEN);
  munmap (copy, UNIT);
  close (file);
}

/* Pages around are watched at once: that is one system call instead of many.  */
static void
a_wide_watch_is_one_of_the_neighbours (void **state)
{
  char *bytes = fresh_memory ();
  (void) state;
  pg_tick tick = watched (bytes + LEN / 2, 1, true);
  assert_true (pg_watch_is_untouched (bytes + LEN / 2 + PAGE, PAGE, tick)
	       || pg_watch_is_untouched (bytes + LEN / 2 - PAGE, PAGE, tick));
  drop_memory (bytes);
}

/* The more pages were wanted, the more are watched at once.  */
static void
wide_watches_grow (void **state)
{
  enum
  {
    N_PAGES = 1024
  };
  char *mapped = mmap (NULL, (N_PAGES + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *bytes = mapped + PAGE; /* a mapping of its own */
  (void) state;
  assert_int_equal (mprotect (bytes, N_PAGES * PAGE, PROT_READ | PROT_WRITE), 0);
  memset (bytes, 1, N_PAGES * PAGE);
  pg_tick tick = watched (bytes, PAGE, true);
  assert_true (pg_watch_is_untouched (bytes, 64 * PAGE, tick));
  assert_false (pg_watch_is_untouched (bytes + 64 * PAGE, PAGE, tick));
  watched (bytes + 64 * PAGE, 192 * PAGE, true);
  tick = watched (bytes + 256 * PAGE, PAGE, true);
  assert_true (pg_watch_is_untouched (bytes + 256 * PAGE, 256 * PAGE, tick));
  assert_false (pg_watch_is_untouched (bytes + 512 * PAGE, PAGE, tick));
  munmap (mapped, (N_PAGES + 2) * PAGE);
}

/* Huge pages stay whole.  */
static void
huge_pages_are_not_split (void **state)
{
  static const size_t huge_len = 2 << 20;
  struct pg_pages pages = { 0 };
  const char *why;
  char *mapped = mmap (NULL, 4 * huge_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *bytes = (char *) (((uintptr_t) mapped + huge_len - 1) / huge_len * huge_len);
  (void) state;
  if (!is_supported || !pg_pages_open (&pages, &why))
    skip ();
  madvise (bytes, 2 * huge_len, MADV_HUGEPAGE);
  memset (bytes, 1, 2 * huge_len);
  if (!pg_pages_are_huge (&pages, (uintptr_t) bytes, (uintptr_t) bytes + 2 * huge_len))
    skip ();
  pg_tick tick = watched (bytes + huge_len - PAGE, 2 * PAGE, true);
  assert_true (pg_pages_are_huge (&pages, (uintptr_t) bytes, (uintptr_t) bytes + 2 * huge_len));
  assert_true (pg_watch_is_untouched (bytes, 2 * huge_len, tick));
  write_by_store (bytes + huge_len + PAGE / 2);
  assert_false (pg_watch_is_untouched (bytes + huge_len, PAGE, tick));
  assert_true (pg_watch_is_untouched (bytes + huge_len + PAGE, PAGE, tick));
  assert_true (pg_watch_is_untouched (bytes, huge_len, tick));
  close (pages.map_file);
  close (pages.fault_file);
  munmap (mapped, 4 * huge_len);
}

/* Who asks while others write and watch again never hears that nothing happened since an old tick.  */
struct race
{
  char *bytes;
  _Atomic bool is_over;
};

static void *
write_and_watch (void *arg)
{
  struct race *race = arg;
  for (int i = 0; i < 10; i++)
    {
      write_by_store (race->bytes);
      pg_watch_begin (race->bytes, 1, false);
    }
  race->is_over = true;
  return NULL;
}

static void
a_write_stays_seen_while_others_watch_anew (void **state)
{
  struct race race = { .bytes = fresh_memory () };
  pthread_t thread;
  pg_tick tick = watched (race.bytes, LEN, false);
  (void) state;
  write_by_store (race.bytes);
  delay_us = 5000;
  assert_int_equal (pthread_create (&thread, NULL, write_and_watch, &race), 0);
  while (!race.is_over)
    assert_false (pg_watch_is_untouched (race.bytes, 1, tick));
  pthread_join (thread, NULL);
  delay_us = 0;
  drop_memory (race.bytes);
}

/* The user can say no.  */
static void
nothing_is_asked_when_it_is_off (void **state)
{
  (void) state;
  assert_true (pg_watch_is_allowed ());
  pg_environment.is_watch_off = true;
  assert_false (pg_watch_is_allowed ());
  pg_environment.is_watch_off = false;
}

/* Who locked himself out of system calls, in one thread or all, does not get in again.  */
static void
nothing_is_asked_behind_a_lock (void **state)
{
  (void) state;
  pid_t child = fork ();
  if (child == 0)
    {
      struct sock_filter allow = BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
      struct sock_fprog program = { .len = 1, .filter = &allow };
      bool was_allowed = pg_watch_is_allowed () && pg_watch_is_wanted ();
      if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
	_exit (77);
      _exit (was_allowed && pg_watch_is_wanted () && !pg_watch_is_allowed () && !pg_watch_is_wanted () ? 0 : 1);
    }
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  if (WEXITSTATUS (status) == 77)
    skip ();
  assert_int_equal (status, 0);
}

/* A program may close what it did not open; the numbers may be its own files' then.  */
static void
without_our_files_nothing_is_known (void **state)
{
  char *bytes = fresh_memory ();
  pg_tick tick = watched (bytes, LEN, false);
  (void) state;
  close_range (3, ~0U, 0);
  assert_false (pg_watch_is_untouched (bytes, LEN, tick));
  for (int i = 0; i < 1100; i++)
    assert_true (open ("/dev/null", O_RDWR) >= 0 || i > 900);
  assert_false (pg_watch_is_untouched (bytes, LEN, tick));
  assert_int_equal (pg_watch_begin (bytes, LEN, false), 0);
  close_range (3, ~0U, 0);
  drop_memory (bytes);
}

static void *
watch_elsewhere (void *bytes)
{
  pg_watch_begin (bytes, UNIT, false);
  return NULL;
}

/* A mapping is looked up and recorded when the first of it is watched, and what that took is told, to who did it.  */
static void
a_mapping_is_entered_once (void **state)
{
  char *bytes = fresh_memory ();
  int64_t before = pg_watch_once_ns ();
  (void) state;
  watched (bytes, UNIT, false);
  int64_t after = pg_watch_once_ns ();
  assert_true (after > before);
  watched (bytes + 8 * UNIT, UNIT, false);
  assert_int_equal (pg_watch_once_ns (), after);
  drop_memory (bytes);

  pthread_t thread;
  bytes = fresh_memory ();
  assert_int_equal (pthread_create (&thread, NULL, watch_elsewhere, bytes), 0);
  pthread_join (thread, NULL);
  assert_int_equal (pg_watch_once_ns (), after);
  drop_memory (bytes);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_write_is_seen),
    cmocka_unit_test (a_second_watch_does_not_hide_a_write_from_the_first),
    cmocka_unit_test (what_is_released_counts_as_written),
    cmocka_unit_test (what_is_not_watched_is_not_released),
    cmocka_unit_test (memory_that_was_replaced_is_not_taken_for_the_old_one),
    cmocka_unit_test (a_child_knows_nothing),
    cmocka_unit_test (what_others_can_change_is_not_watched),
    cmocka_unit_test (a_mapping_is_entered_once),
    cmocka_unit_test (wide_watches_grow),
    cmocka_unit_test (huge_pages_are_not_split),
    cmocka_unit_test (a_wide_watch_is_one_of_the_neighbours),
    cmocka_unit_test (a_write_stays_seen_while_others_watch_anew),
    cmocka_unit_test (nothing_is_asked_when_it_is_off),
    cmocka_unit_test (nothing_is_asked_behind_a_lock),
    cmocka_unit_test (without_our_files_nothing_is_known), /* last */
  };
  return cmocka_run_group_tests (tests, find_out, NULL);
}
