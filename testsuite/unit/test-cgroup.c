/* SPDX-License-Identifier: MIT
   Which control groups limit the process.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cgroup.h"
#include "groups.h"

#include <string.h>

/* What was visited: "VERSION:DIRECTORY " of each, the root left out.  */
static char visited[4096];

static void
note (void *arg, const char *directory, int version)
{
  size_t len = strlen (visited), root_len = strlen (root);
  assert_ptr_equal (arg, visited);
  assert_memory_equal (directory, root, root_len);
  snprintf (visited + len, sizeof visited - len, "%d:%s ", version, directory + root_len);
}

static const char *
visit (const char *cgroups)
{
  visited[0] = '\0';
  pg_cgroup_visit (put ("", "cgroup", cgroups), root, "cpu", note, visited);
  return visited;
}

static void
groups_are_visited_from_the_inside_out (void **state)
{
  (void) state;
  assert_string_equal (visit ("0::/a/b\n"), "2:/a/b 2:/a 2: ");
  assert_string_equal (visit ("7:cpuset:/x\n4:cpuacct,cpu:/job\n"), "1:/cpu/job 1:/cpu ");
  assert_string_equal (visit ("5:cpu:/a\n0::/b"), "1:/cpu/a 1:/cpu 2:/b 2: ");
}

static void
the_outermost_group_is_visited_once (void **state)
{
  (void) state;
  assert_string_equal (visit ("0::/\n"), "2: ");
  assert_string_equal (visit ("4:cpu:/\n0::/\n"), "1:/cpu 2: ");
  assert_string_equal (visit ("0::/a//b/\n"), "2:/a//b 2:/a 2: ");
}

static void
controllers_are_whole_words (void **state)
{
  (void) state;
  assert_string_equal (visit ("5:cpuset:/a\n4:cpuacct:/b\n3:name=cpu:/c\n"), "");
  assert_string_equal (visit ("4:cpuset,cpu,cpuacct:/\n"), "1:/cpu ");
}

static void
a_path_that_is_too_long_leaves_the_mount_point (void **state)
{
  char cgroups[3000] = "0::/";
  (void) state;
  memset (cgroups + 4, 'x', sizeof cgroups - 5);
  assert_string_equal (visit (cgroups), "2: ");
}

static void
what_is_no_list_of_groups_is_left_alone (void **state)
{
  (void) state;
  assert_string_equal (visit (""), "");
  assert_string_equal (visit ("\n"), "");
  assert_string_equal (visit ("0:/a\n0::a\n"), "");
  pg_cgroup_visit ("/nonexistent", root, "cpu", note, visited);
  assert_string_equal (visited, "");
}

static void
the_beginning_of_a_file_is_read (void **state)
{
  char text[5];
  (void) state;
  put ("/group", "file", "1234567");
  put ("/group", "empty", "");
  char directory[100];
  snprintf (directory, sizeof directory, "%s/group", root);
  assert_true (pg_cgroup_read (directory, "file", text, sizeof text));
  assert_string_equal (text, "1234");
  assert_false (pg_cgroup_read (directory, "empty", text, sizeof text));
  assert_false (pg_cgroup_read (directory, "missing", text, sizeof text));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (groups_are_visited_from_the_inside_out),
    cmocka_unit_test (the_outermost_group_is_visited_once),
    cmocka_unit_test (controllers_are_whole_words),
    cmocka_unit_test (a_path_that_is_too_long_leaves_the_mount_point),
    cmocka_unit_test (what_is_no_list_of_groups_is_left_alone),
    cmocka_unit_test (the_beginning_of_a_file_is_read),
  };
  return cmocka_run_group_tests (tests, make_root, remove_root);
}
