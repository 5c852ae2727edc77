/* SPDX-License-Identifier: MIT
   Where memory is, by files like the kernel's and by the kernel's own.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mappings.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[] = "/tmp/paragon-mappings-XXXXXX";

static int
write_file (void **state)
{
  static const char text[] = "1000-3000 r-xp 00000000 08:01 123    /bin/program\n"
			     "3000-5000 rw-p 00002000 08:01 123    /bin/program with a rather long name\n"
			     "5000-6000 rw-p 00000000 00:00 0 \n"
			     "8000-9000 rw-p 00000000 00:00 0 [heap]\n"
			     "9000-a000 ---p 00000000 00:00 0 \n"
			     "a000-f000 rw-p 00000000 00:00 0 \n"
			     "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n"
			     "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";
  int fd = mkstemp (path);
  (void) state;
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, sizeof text - 1), sizeof text - 1);
  close (fd);
  return 0;
}

static int
remove_file (void **state)
{
  (void) state;
  return unlink (path);
}

static void
assert_found (uint64_t address, uint64_t expected_low, uint64_t expected_end)
{
  uint64_t low, end;
  assert_true (pg_mapping_find_in (path, address, &low, &end));
  assert_int_equal (low, expected_low);
  assert_int_equal (end, expected_end);
}

static void
neighbours_of_one_protection_are_one (void **state)
{
  (void) state;
  assert_found (0x1000, 0x1000, 0x3000);
  assert_found (0x2fff, 0x1000, 0x3000);
  assert_found (0x3000, 0x3000, 0x6000);
  assert_found (0x5fff, 0x3000, 0x6000);
  assert_found (0x8000, 0x8000, 0x9000);
  assert_found (0xe123, 0xa000, 0xf000);
  assert_found (0x7fffffffefff, 0x7ffffffde000, 0x7ffffffff000);
}

static void
elsewhere_there_is_nothing (void **state)
{
  static const uint64_t addresses[]
    = { 0, 0xfff, 0x6000, 0x7fff, 0x9000, 0x9fff, 0xf000, 0xffffffffff600000, UINT64_MAX };
  uint64_t low, end;
  (void) state;
  for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
    assert_false (pg_mapping_find_in (path, addresses[i], &low, &end));
  assert_false (pg_mapping_find_in ("/nonexistent", 0x1000, &low, &end));
}

static void
the_kernels_own_file_is_read (void **state)
{
  static int global;
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *memory = mmap (NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint64_t low, end, here = (uint64_t) (uintptr_t) memory;
  (void) state;
  assert_true (memory != MAP_FAILED);
  assert_int_equal (mprotect (memory, page, PROT_NONE), 0);
  assert_int_equal (mprotect (memory + 2 * page, page, PROT_READ), 0);
  assert_true (pg_mapping_find (here + page, &low, &end));
  assert_true (low == here + page && end == here + 2 * page);
  assert_false (pg_mapping_find (here, &low, &end));
  assert_true (pg_mapping_find ((uint64_t) (uintptr_t) &global, &low, &end));
  assert_true (low <= (uint64_t) (uintptr_t) &global && (uint64_t) (uintptr_t) (&global + 1) <= end);
  munmap (memory, 3 * page);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (neighbours_of_one_protection_are_one),
    cmocka_unit_test (elsewhere_there_is_nothing),
    cmocka_unit_test (the_kernels_own_file_is_read),
  };
  return cmocka_run_group_tests (tests, write_file, remove_file);
}
