/* SPDX-License-Identifier: MIT
   PATH, read as a shell reads it: folders of ours are taken out wherever they stand, nothing else is.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/toolchain.h"

#include <stdlib.h>
#include <string.h>

static void
our_folders_leave_path (void **state)
{
  static const struct
  {
    const char *path, *left;
  } cases[] = {
    { "/p/gcc:/usr/bin:/bin", "/usr/bin:/bin" },
    { "/usr/bin:/p/gcc:/p/cc:/bin", "/usr/bin:/bin" },
    { "/usr/bin:/p/gcc", "/usr/bin" },
    { "/p/gcc", "" },
    { "/p:/pp/gcc:/usr/p/gcc", "/p:/pp/gcc:/usr/p/gcc" },
    { ":/bin:", ":/bin:" },
    { "/p/gcc::/bin", ":/bin" },
    { "", "" },
  };
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      char *path = strdup (cases[c].path);
      pg_toolchain_leave_path (path, "/p");
      assert_string_equal (path, cases[c].left);
      strcpy (path, cases[c].path);
      pg_toolchain_leave_path (path, "");
      assert_string_equal (path, cases[c].path);
      free (path);
    }
}

static void
programs_are_found_but_not_this_one (void **state)
{
  char path[PG_TOOLCHAIN_PATH_LEN];
  (void) state;
  assert_true (pg_toolchain_find ("sh", "/nowhere::/bin:/usr/bin", &path));
  assert_string_equal (path, "/bin/sh");
  assert_true (pg_toolchain_find ("/bin/sh", "", &path));
  assert_false (pg_toolchain_find ("sh", ":/nowhere:", &path));
  assert_false (pg_toolchain_find ("no-such-program", "/bin:/usr/bin", &path));
  assert_false (pg_toolchain_find ("/bin", "", &path));
  assert_false (pg_toolchain_find ("/proc/self/exe", "", &path));
  assert_false (pg_toolchain_find ("exe", ":/proc/self", &path));
}

static void
words_are_parted_at_blanks (void **state)
{
  char three[] = " ccache  gcc\t-m64 ", none[] = " ", many[] = "a b c d e f g h i j k l m n o p",
       *words[PG_TOOLCHAIN_WORDS];
  (void) state;
  assert_int_equal (pg_toolchain_words (three, words), 3);
  assert_string_equal (words[0], "ccache");
  assert_string_equal (words[2], "-m64");
  assert_null (words[3]);
  assert_int_equal (pg_toolchain_words (none, words), 0);
  assert_int_equal (pg_toolchain_words (many, words), 0);
}

static void
folders_are_named_as_seen_from_others (void **state)
{
  static const struct
  {
    const char *from, *to, *name;
  } cases[] = {
    { "/a/b", "/a/b/c/d", "c/d" }, { "/a/b/c", "/a/b", ".." },  { "/a/b/c", "/a/d/e", "../../d/e" },
    { "/a/b", "/a/bc", "../bc" },  { "/a/bc", "/a/b", "../b" }, { "/a/b", "/a/b", "" },
    { "/a/b", "/c/b", "" },        { "/ab", "/ac", "" },
  };
  char name[PG_TOOLCHAIN_PATH_LEN];
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      pg_toolchain_relative (cases[c].from, cases[c].to, &name);
      assert_string_equal (name, cases[c].name);
    }
  char far[PG_TOOLCHAIN_PATH_LEN + 8] = "/a/";
  memset (far + 3, 'b', sizeof far - 4);
  pg_toolchain_relative ("/a/c", far, &name);
  assert_string_equal (name, "");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (our_folders_leave_path),
    cmocka_unit_test (programs_are_found_but_not_this_one),
    cmocka_unit_test (words_are_parted_at_blanks),
    cmocka_unit_test (folders_are_named_as_seen_from_others),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
