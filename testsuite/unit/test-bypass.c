/* SPDX-License-Identifier: MIT
   Pinned pages and device files: where something might write past the page table, or nobody can tell, the answer is
   yes.  */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bypass.h"

static char proc[] = "/tmp/paragon-bypass-XXXXXX";

static int
enter_directory (void **state)
{
  (void) state;
  return mkdtemp (proc) == NULL || chdir (proc) != 0 || mkdir ("fd", 0700) != 0;
}

static int
leave_directory (void **state)
{
  (void) state;
  return system ("rm -r \"$PWD\"");
}

static void
write_status (const char *text)
{
  FILE *file = fopen ("status", "w");
  fputs (text, file);
  fclose (file);
}

static void
pinned_pages_count (void **state)
{
  (void) state;
  write_status ("Name:\tx\nVmLck:\t       4 kB\nVmPin:\t       0 kB\nVmHWM:\t  7 kB\n");
  assert_false (pg_bypass_possible_in ("."));
  write_status ("Name:\tx\nVmLck:\t       0 kB\nVmPin:\t      64 kB\nVmHWM:\t  7 kB\n");
  assert_true (pg_bypass_possible_in ("."));
  write_status ("Name:\tx\nVmLck:\t       0 kB\n");
  assert_true (pg_bypass_possible_in ("."));
  unlink ("status");
  assert_true (pg_bypass_possible_in ("."));
}

static void
devices_count (void **state)
{
  (void) state;
  write_status ("Name:\tx\nVmPin:\t       0 kB\n");
  assert_int_equal (symlink ("/dev/null", "fd/0"), 0);
  assert_int_equal (symlink ("/dev/tty", "fd/1"), 0);
  assert_int_equal (symlink ("/proc/self/exe", "fd/2"), 0);
  assert_false (pg_bypass_possible_in ("."));
  struct stat status;
  const char *device = stat ("/dev/fuse", &status) == 0 ? "/dev/fuse" : "/dev/ptmx";
  if (device[5] == 'f' && S_ISCHR (status.st_mode))
    {
      assert_int_equal (symlink (device, "fd/4"), 0);
      assert_true (pg_bypass_possible_in ("."));
      unlink ("fd/4");
    }
  for (int i = 10; i < 400; i++)
    {
      char name[16];
      snprintf (name, sizeof name, "fd/%d", i);
      assert_int_equal (symlink ("/dev/null", name), 0);
    }
  assert_true (pg_bypass_possible_in (".")); /* too many to look at each */
}

static void
this_process_is_alone (void **state)
{
  (void) state;
  if (access ("/proc/self/status", R_OK) == 0)
    assert_false (pg_bypass_possible ());
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (pinned_pages_count),
    cmocka_unit_test (devices_count),
    cmocka_unit_test (this_process_is_alone),
  };
  return cmocka_run_group_tests (tests, enter_directory, leave_directory);
}
