/* SPDX-License-Identifier: MIT
   Lists of loops: what they name, from a variable and from a file, and what is appended to one.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int
make_file (void **state)
{
  (void) state;
  strcpy (path, "/tmp/paragon-places-XXXXXX");
  return close (mkstemp (path));
}

static int
remove_file (void **state)
{
  (void) state;
  return unlink (path);
}

static void
names_match_by_path_suffix (void **state)
{
  (void) state;
  assert_true (pg_places_have ("foo.c:12", "foo.c", 12));
  assert_true (pg_places_have ("bar.c:1,foo.c:12", "/src/foo.c", 12));
  assert_true (pg_places_have ("src/foo.c:12,", "/a/src/foo.c", 12));
  assert_false (pg_places_have ("foo.c:12", "foo.c", 1));
  assert_false (pg_places_have ("foo.c:12", "a_foo.c", 12));
  assert_false (pg_places_have ("src/foo.c:12", "foo.c", 12));
  assert_false (pg_places_have ("", "foo.c", 12));
}

static void
members_that_are_none_are_known (void **state)
{
  (void) state;
  assert_true (pg_places_right (""));
  assert_true (pg_places_right ("foo.c:1"));
  assert_true (pg_places_right ("a:b.c:1,foo.c:12,"));
  assert_false (pg_places_right ("foo.c"));
  assert_false (pg_places_right ("foo.c:1,:2"));
  assert_false (pg_places_right ("foo.c:"));
}

/* A name in a file may have a comma, since members end with lines.  */
static void
what_is_appended_is_named (void **state)
{
  (void) state;
  assert_true (pg_places_append (path, "a,b.c", 12, "f (int, int)", "possibly"));
  assert_true (pg_places_append (path, "c.c", 7, "g", "parallel"));
  const char *list = pg_places_load (path);
  assert_non_null (list);
  assert_true (pg_places_have (list, "a,b.c", 12));
  assert_true (pg_places_have (list, "dir/c.c", 7));
  assert_false (pg_places_have (list, "b.c", 12));
  assert_false (pg_places_have (list, "c.c", 12));
  assert_string_equal (list, "\na,b.c:12\tf (int, int)\tpossibly\nc.c:7\tg\tparallel\n");
}

static void
an_empty_file_names_nothing (void **state)
{
  (void) state;
  const char *list = pg_places_load (path);
  assert_non_null (list);
  assert_false (pg_places_have (list, "foo.c", 12));
}

static void
what_goes_wrong_is_told (void **state)
{
  (void) state;
  errno = 0;
  assert_null (pg_places_load ("/nonexistent/list"));
  assert_int_equal (errno, ENOENT);
  assert_false (pg_places_append ("/tmp", "foo.c", 1, "f", "parallel"));
  assert_int_equal (errno, EISDIR);
  assert_false (pg_places_append ("/dev/full", "foo.c", 1, "f", "parallel"));
  assert_int_equal (errno, ENOSPC);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (names_match_by_path_suffix),
    cmocka_unit_test (members_that_are_none_are_known),
    cmocka_unit_test_setup_teardown (what_is_appended_is_named, make_file, remove_file),
    cmocka_unit_test_setup_teardown (an_empty_file_names_nothing, make_file, remove_file),
    cmocka_unit_test (what_goes_wrong_is_told),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
