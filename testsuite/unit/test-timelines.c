/* SPDX-License-Identifier: MIT
   Traces as the report page takes them: the longest spans with what they are in, how busy a thread was; and of a trace
   that is cut short, nothing.  */
//! link: -Wl,--wrap=pg_say -ljson-c
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "cli/timelines.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  N_SPANS = 30000,
  N_SHOWN = 20000
};

static int n_said;

__typeof__ (pg_say) __wrap_pg_say;

void
__wrap_pg_say (const char *format, ...)
{
  assert_non_null (strstr (format, "PARAGON_TRACE"));
  n_said++;
}

/* Begin a trace in a file, its name in PATH.  */
static FILE *
begin (char *path)
{
  FILE *file = fdopen (mkstemp (path), "w");
  assert_non_null (file);
  fputs ("{\"traceEvents\":[\n{\"ph\":\"M\",\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"pool\"}}", file);
  return file;
}

/* A span from START on, in microseconds.  */
static void
add_span (FILE *file, const char *kind, int start, int len)
{
  fprintf (file, ",\n{\"ph\":\"X\",\"tid\":1,\"cat\":\"%s\",\"ts\":%d,\"dur\":%d,\"args\":{\"len\":%d}}", kind, start,
	   len, len);
}

static void
end (FILE *file)
{
  fputs ("\n],\"otherData\":{\"dropped\":3}}\n", file);
  assert_int_equal (fclose (file), 0);
}

static int64_t
number (struct json_object *object, const char *name)
{
  return json_object_get_int64 (json_object_object_get (object, name));
}

/* The one run of TIMELINES, and its one track.  */
static struct json_object *
only_run (const struct pg_timelines *timelines, struct json_object **track)
{
  struct json_object *runs = json_object_object_get (timelines->data, "runs");
  assert_int_equal (json_object_array_length (runs), 1);
  struct json_object *run = json_object_array_get_idx (runs, 0), *tracks = json_object_object_get (run, "tracks");
  assert_int_equal (json_object_array_length (tracks), 1);
  *track = json_object_array_get_idx (tracks, 0);
  return run;
}

static void
the_longest_are_shown_in_order (void **state)
{
  char path[] = "trace-XXXXXX";
  struct pg_timelines timelines;
  struct json_object *track, *spans;
  FILE *file = begin (path);
  int64_t before = -1;
  (void) state;
  for (int s = N_SPANS - 1; s >= 0; s--)
    add_span (file, "chunk", 1000 + s * 7, 1 + s % 3);
  add_span (file, "entry", 1000, N_SPANS * 7);
  end (file);
  pg_timelines_make (&timelines);
  assert_true (pg_timelines_read (&timelines, path));
  struct json_object *run = only_run (&timelines, &track);
  spans = json_object_object_get (track, "spans");
  assert_int_equal (number (run, "left_out"), N_SPANS + 1 - N_SHOWN);
  assert_int_equal (number (run, "dropped"), 3);
  assert_int_equal (number (track, "n_spans"), N_SPANS + 1);
  assert_int_equal (json_object_array_length (spans), N_SHOWN);
  for (size_t s = 0; s < N_SHOWN; s++)
    {
      struct json_object *span = json_object_array_get_idx (spans, s);
      int64_t start = json_object_get_int64 (json_object_array_get_idx (span, 0));
      assert_true (start > before);
      assert_true (json_object_get_int64 (json_object_array_get_idx (span, 1)) > (s == 0 ? N_SPANS * 6999 : 1000));
      before = start;
    }
  pg_timelines_free (&timelines);
  unlink (path);
}

static void
what_waits_is_not_busy (void **state)
{
  char path[] = "trace-XXXXXX";
  struct pg_timelines timelines;
  struct json_object *track;
  FILE *file = begin (path);
  (void) state;
  add_span (file, "wait", 30, 10);
  add_span (file, "join", 20, 40);
  add_span (file, "entry", 10, 90);
  add_span (file, "entry", 200, 50);
  add_span (file, "parked", 240, 10);
  end (file);
  pg_timelines_make (&timelines);
  assert_true (pg_timelines_read (&timelines, path));
  assert_int_equal (number (only_run (&timelines, &track), "ns"), 240000);
  assert_int_equal (number (track, "waits"), 50000);
  assert_int_equal (number (track, "busy"), 90000);
  assert_string_equal (json_object_get_string (json_object_object_get (track, "name")), "pool");
  pg_timelines_free (&timelines);
  unlink (path);
}

static void
a_trace_that_is_cut_short_is_refused (void **state)
{
  char path[] = "trace-XXXXXX";
  struct pg_timelines timelines;
  FILE *file = begin (path);
  (void) state;
  add_span (file, "entry", 10, 90);
  add_span (file, "chunk", 20, 40);
  long len = ftell (file) + (long) strlen ("\n],\"otherData\":{\"dropped\":3}}");
  end (file);
  n_said = 0;
  pg_timelines_make (&timelines);
  for (long cut = len - 1; cut >= 0; cut--)
    {
      assert_return_code (truncate (path, cut), 0);
      assert_false (pg_timelines_read (&timelines, path));
    }
  assert_int_equal (n_said, len);
  assert_int_equal (pg_timelines_count (&timelines), 0);
  pg_timelines_free (&timelines);
  unlink (path);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_longest_are_shown_in_order),
    cmocka_unit_test (what_waits_is_not_busy),
    cmocka_unit_test (a_trace_that_is_cut_short_is_refused),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
