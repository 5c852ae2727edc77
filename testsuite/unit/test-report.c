/* SPDX-License-Identifier: MIT
   Files that are written when the process ends: their names, what is said when something goes wrong, and strings.  */
//! link: -Wl,--wrap=pg_log_say
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/test-report-XXXXXX";
static char said[PATH_MAX + 200];
static int n_said;

__typeof__ (pg_log_say) __wrap_pg_log_say;

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (said, sizeof said, format, more);
  va_end (more);
  n_said++;
}

static int
set_up (void **state)
{
  (void) state;
  n_said = 0;
  return 0;
}

static void
names_take_the_process_id_more_than_once (void **state)
{
  struct pg_report report;
  char where[200], path[200], text[10];
  (void) state;
  snprintf (where, sizeof where, "%s/%%p.%%p%%", directory);
  snprintf (path, sizeof path, "%s/%ld.%ld%%", directory, (long) getpid (), (long) getpid ());
  assert_true (pg_report_begin (&report, "x", where));
  fputs ("good", report.out);
  pg_report_end (&report);
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  assert_int_equal (fread (text, 1, sizeof text, file), 4);
  fclose (file);
  unlink (path);
  assert_int_equal (n_said, 0);
}

static void
a_file_that_cannot_be_opened_is_named (void **state)
{
  struct pg_report report;
  (void) state;
  assert_false (pg_report_begin (&report, "trace", "/nonexistent/x"));
  assert_string_equal (said, "trace: /nonexistent/x: No such file or directory");
  assert_int_equal (n_said, 1);
}

static void
a_name_that_is_too_long_is_named (void **state)
{
  static char where[PATH_MAX + 10];
  struct pg_report report;
  (void) state;
  memset (where, 'x', sizeof where - 1);
  assert_false (pg_report_begin (&report, "trace", where));
  assert_non_null (strstr (said, "xxx: File name too long"));
  memset (where, '\0', sizeof where);
  memset (where, 'x', PATH_MAX - 2);
  strcpy (where + PATH_MAX - 4, "%p");
  assert_false (pg_report_begin (&report, "trace", where));
  assert_int_equal (n_said, 2);
}

static void
what_cannot_be_written_is_said_once (void **state)
{
  struct pg_report report;
  (void) state;
  if (access ("/dev/full", W_OK) != 0)
    skip ();
  assert_true (pg_report_begin (&report, "trace", "/dev/full"));
  for (int i = 0; i < 100000; i++)
    putc ('x', report.out);
  pg_report_end (&report);
  assert_string_equal (said, "trace: /dev/full: No space left on device");
  assert_int_equal (n_said, 1);
}

/* TEXT as a JSON string.  */
static const char *
quoted (const char *text)
{
  static char written[200];
  memset (written, '\0', sizeof written);
  FILE *out = fmemopen (written, sizeof written, "w");
  pg_report_string (out, text);
  fclose (out);
  return written;
}

static void
strings_are_json (void **state)
{
  (void) state;
  assert_string_equal (quoted (""), "\"\"");
  assert_string_equal (quoted ("a\"b\\c\n\x1f\x7f"), "\"a\\\"b\\\\c\\u000a\\u001f\x7f\"");
}

/* What is in UTF-8 stays: of two, three and four bytes, the first and the last of each.  */
static void
characters_stay (void **state)
{
  const char *text = "\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf";
  char expected[100];
  (void) state;
  snprintf (expected, sizeof expected, "\"%s\"", text);
  assert_string_equal (quoted (text), expected);
}

/* A byte without its others, more bytes than needed, half a pair, no character, cut off.  */
static void
other_bytes_are_escaped (void **state)
{
  (void) state;
  assert_string_equal (quoted ("\x80\xff"), "\"\\u0080\\u00ff\"");
  assert_string_equal (quoted ("\xc1\xbf"), "\"\\u00c1\\u00bf\"");
  assert_string_equal (quoted ("\xe0\x9f\xbf"), "\"\\u00e0\\u009f\\u00bf\"");
  assert_string_equal (quoted ("\xed\xa0\x80"), "\"\\u00ed\\u00a0\\u0080\"");
  assert_string_equal (quoted ("\xf0\x8f\xbf\xbf"), "\"\\u00f0\\u008f\\u00bf\\u00bf\"");
  assert_string_equal (quoted ("\xf4\x90\x80\x80"), "\"\\u00f4\\u0090\\u0080\\u0080\"");
  assert_string_equal (quoted ("\xe2\x82"), "\"\\u00e2\\u0082\"");
  assert_string_equal (quoted ("\xc3x"), "\"\\u00c3x\"");
}

static int
make_directory (void **state)
{
  (void) state;
  return mkdtemp (directory) == NULL;
}

static int
remove_directory (void **state)
{
  (void) state;
  return rmdir (directory);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (names_take_the_process_id_more_than_once, set_up),
    cmocka_unit_test_setup (a_file_that_cannot_be_opened_is_named, set_up),
    cmocka_unit_test_setup (a_name_that_is_too_long_is_named, set_up),
    cmocka_unit_test_setup (what_cannot_be_written_is_said_once, set_up),
    cmocka_unit_test (strings_are_json),
    cmocka_unit_test (characters_stay),
    cmocka_unit_test (other_bytes_are_escaped),
  };
  return cmocka_run_group_tests (tests, make_directory, remove_directory);
}
