/* SPDX-License-Identifier: MIT
   Ranges for a profiler: a library that is none is let in as NVTX lets one in, and is told what the trace is.  */
//! link: -Wl,--wrap=dlopen -Wl,--wrap=dlsym -Wl,--wrap=dlclose
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nvtx.h"
#include "trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const void *get_export (uint32_t number);
typedef void function (void);

struct modules
{
  size_t len;
  int (*get_table) (int module, function ****table, unsigned *len);
};

static struct
{
  bool is_missing, has_no_start, has_no_pops, fails; /* what is wrong with it */
  int n_opened, n_closed, depth, n_pushed;
  char last[300], marked[300];
} profiler;

static const struct pg_region scale = { .file = "src/loops.c", .function = "scale", .line = 10 };

static int
push (const char *text)
{
  snprintf (profiler.last, sizeof profiler.last, "%s", text);
  profiler.n_pushed++;
  return profiler.depth++;
}

static int
pop (void)
{
  assert_true (profiler.depth > 0);
  return --profiler.depth;
}

static void
mark (const char *text)
{
  snprintf (profiler.marked, sizeof profiler.marked, "%s", text);
}

/* What a profiler does with what it is given.  All of the tables are there, and nothing else is.  */
static int
start (get_export *get)
{
  static const unsigned lens[] = { 0, 17, 10, 16, 8, 17, 8 };
  const struct modules *modules = get (1);
  const struct
  {
    size_t len;
    uint32_t version, unused;
    void (*set) (uint32_t version);
  } *version = get (3);
  function ***table = NULL;
  unsigned len = 0;
  assert_true (modules->len >= sizeof *modules);
  assert_true (version->len >= sizeof *version);
  assert_int_equal (version->version, 3);
  version->set (3);
  assert_null (get (0));
  assert_null (get (2));
  assert_int_equal (modules->get_table (0, &table, &len), 0);
  assert_int_equal (modules->get_table (7, &table, &len), 0);
  for (int m = 6; m > 0; m--)
    {
      assert_int_equal (modules->get_table (m, &table, &len), 1);
      assert_int_equal (len, lens[m] * sizeof *table);
      assert_null (table[0]);
      assert_null (table[lens[m] - 1]);
      for (unsigned f = 1; f < lens[m] - 1; f++)
	assert_non_null (table[f]);
    }
  *table[2] = (function *) mark;
  *table[9] = (function *) push;
  *table[11] = profiler.has_no_pops ? NULL : (function *) pop;
  return !profiler.fails;
}

void *__wrap_dlopen (const char *name, int mode);
void *__wrap_dlsym (void *library, const char *name);
int __wrap_dlclose (void *library);

void *
__wrap_dlopen (const char *name, int mode)
{
  (void) mode;
  assert_string_equal (name, "/opt/profiler.so");
  profiler.n_opened++;
  return profiler.is_missing ? NULL : &profiler;
}

void *
__wrap_dlsym (void *library, const char *name)
{
  assert_ptr_equal (library, &profiler);
  assert_string_equal (name, "InitializeInjectionNvtx2");
  return profiler.has_no_start ? NULL : (void *) start;
}

int
__wrap_dlclose (void *library)
{
  assert_ptr_equal (library, &profiler);
  profiler.n_closed++;
  return 0;
}

static int
set_up (void **state)
{
  (void) state;
  memset (&profiler, 0, sizeof profiler);
  setenv ("NVTX_INJECTION64_PATH", "/opt/profiler.so", 1);
  return 0;
}

static void
no_profiler_is_no_library (void **state)
{
  (void) state;
  setenv ("NVTX_INJECTION64_PATH", "", 1);
  assert_false (pg_nvtx_open ());
  unsetenv ("NVTX_INJECTION64_PATH");
  assert_false (pg_nvtx_open ());
  assert_int_equal (profiler.n_opened, 0);
}

static void
a_library_that_does_not_start_is_closed (void **state)
{
  (void) state;
  profiler.is_missing = true;
  assert_false (pg_nvtx_open ());
  assert_int_equal (profiler.n_closed, 0);
  profiler.is_missing = false;
  profiler.has_no_start = true;
  assert_false (pg_nvtx_open ());
  assert_int_equal (profiler.n_closed, 1);
  profiler.has_no_start = false;
  profiler.fails = true;
  assert_false (pg_nvtx_open ());
  assert_int_equal (profiler.n_closed, 2);
}

static void
one_that_wants_no_ranges_is_told_nothing (void **state)
{
  (void) state;
  profiler.has_no_pops = true;
  pg_trace_start (NULL);
  assert_false (pg_trace_is_on);
  assert_int_equal (profiler.n_opened, 1);
  assert_int_equal (profiler.n_closed, 0);
}

static void
events_are_ranges (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  assert_true (pg_trace_is_on);
  int64_t entry = pg_trace_begin (PG_TRACE_ENTRY, &scale);
  assert_string_equal (profiler.last, "entry src/loops.c:10");
  int64_t join = pg_trace_begin (PG_TRACE_JOIN, NULL);
  assert_string_equal (profiler.last, "join src/loops.c:10");
  PG_TRACE (CONFLICT, 0, NULL, .numbers = { 3 });
  assert_string_equal (profiler.marked, "conflict src/loops.c:10");
  assert_int_equal (profiler.depth, 2);
  PG_TRACE (JOIN, join, NULL, .numbers = { 1 });
  assert_int_equal (profiler.depth, 1);
  PG_TRACE (ENTRY, entry, &scale, .numbers = { 1 });
  assert_int_equal (profiler.depth, 0);
  assert_int_equal (profiler.n_pushed, 2);
}

/* What was begun and left by a jump is ended, once.  */
static void
ranges_that_were_left_are_ended (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  pg_trace_begin (PG_TRACE_ENTRY, &scale);
  pg_trace_begin (PG_TRACE_CHUNK, &scale);
  pg_trace_abandon ();
  assert_int_equal (profiler.depth, 0);
  pg_trace_abandon ();
  int64_t chunk = pg_trace_begin (PG_TRACE_CHUNK, &scale);
  PG_TRACE (CHUNK, chunk, &scale, .numbers = { 0, 1 });
  pg_trace_abandon ();
  assert_int_equal (profiler.depth, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (no_profiler_is_no_library, set_up),
    cmocka_unit_test_setup (one_that_wants_no_ranges_is_told_nothing, set_up),
    cmocka_unit_test_setup (a_library_that_does_not_start_is_closed, set_up),
    cmocka_unit_test_setup (events_are_ranges, set_up),
    cmocka_unit_test_setup (ranges_that_were_left_are_ended, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
