/* SPDX-License-Identifier: MIT
   The environment variables: every value of environment.def is known, everything else is named on stderr and
   ignored.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "log.h"
#include "places.h"
#include "status.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
#define PG_VARIABLE(id, name, values, text) name,
#include "environment.def"
#undef PG_VARIABLE
};

static struct pg_environment env;
static char complaint[2048];

/* Read the environment with NAME set to VALUE, collecting what is said on stderr.  */
static void
read_with (const char *name, const char *value)
{
  FILE *file = tmpfile ();
  int real = dup (STDERR_FILENO);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unsetenv (names[i]);
  setenv (name, value, 1);
  dup2 (fileno (file), STDERR_FILENO);
  pg_environment_read (&env);
  dup2 (real, STDERR_FILENO);
  close (real);
  rewind (file);
  complaint[fread (complaint, 1, sizeof complaint - 1, file)] = '\0';
  fclose (file);
}

static void
nothing_given_is_the_default (void **state)
{
  (void) state;
  read_with ("PARAGON", "");
  assert_string_equal (complaint, "");
  assert_int_equal (env.mode, PG_MODE_ON);
  assert_int_equal (env.plan, PG_PLAN_AUTO);
  assert_int_equal (env.step, -1);
  assert_int_equal (env.limit, -1);
  assert_int_equal (env.n_threads, 0);
  assert_false (env.inject);
  assert_null (env.stats);
  assert_null (env.trace);
  assert_null (env.cache);
}

/* The enums stand in the order of the value lists.  */
static void
values_mean_what_they_say (void **state)
{
  (void) state;
  read_with ("PARAGON", "off");
  assert_int_equal (env.mode, PG_MODE_OFF);
  read_with ("PARAGON", "compare");
  assert_int_equal (env.mode, PG_MODE_COMPARE);
  read_with ("PARAGON", "help");
  assert_int_equal (env.mode, PG_MODE_HELP);
  read_with ("PARAGON_PLAN", "original");
  assert_int_equal (env.plan, PG_PLAN_ORIGINAL);
  read_with ("PARAGON_PLAN", "pool");
  assert_int_equal (env.plan, PG_PLAN_POOL);
  read_with ("PARAGON_PLAN", "device");
  assert_int_equal (env.plan, PG_PLAN_DEVICE);
  read_with ("PARAGON_STEP", "L0");
  assert_int_equal (env.step, PG_RUNG_L0);
  read_with ("PARAGON_STEP", "L3");
  assert_int_equal (env.step, PG_RUNG_L3);
  read_with ("PARAGON_STEP", "L5");
  assert_int_equal (env.step, PG_RUNG_L5);
  read_with ("PARAGON_INJECT", "random:12");
  assert_true (env.inject);
  assert_int_equal (env.inject_kind, PG_INJECT_RANDOM);
  assert_int_equal (env.inject_number, 12);
  read_with ("PARAGON_INJECT", "at:0");
  assert_int_equal (env.inject_kind, PG_INJECT_AT);
  read_with ("PARAGON_MAP", "auto");
  assert_int_equal (env.map, 0);
  read_with ("PARAGON_MAP", "team");
  assert_int_equal (env.map, PG_MAPPED_TEAM + 1);
  read_with ("PARAGON_MAP", "collapse");
  assert_int_equal (env.map, PG_MAPPED_COLLAPSE + 1);
  read_with ("PARAGON_THREADS", "3");
  assert_int_equal (env.n_threads, 3);
  read_with ("PARAGON_LIMIT", "0");
  assert_int_equal (env.limit, 0);
  read_with ("PARAGON_LOG", "check,pool");
  assert_int_equal (env.log, 1u << PG_LOG_CHECK | 1u << PG_LOG_POOL);
  read_with ("PARAGON_TRACE", "trace.%p");
  assert_string_equal (env.trace, "trace.%p");
  read_with ("PARAGON_CACHE", "off");
  assert_string_equal (env.cache, "off");
  read_with ("PARAGON_CACHE", "/here");
  assert_string_equal (env.cache, "/here");
  assert_string_equal (complaint, "");
  read_with ("PARAGON_CACHE", "here");
  assert_null (env.cache);
  assert_non_null (strstr (complaint, "PARAGON_CACHE=here"));
  read_with ("PARAGON_STATS", "x.json");
  assert_string_equal (env.stats, "x.json");
  assert_string_equal (complaint, "");
}

static void
unknown_values_are_named_with_the_known_ones (void **state)
{
  static const char *const bad[][3] = {
    { "PARAGON", "offf", "on|off|compare|help" },
    { "PARAGON_PLAN", "gpu", "auto|original|pool|device" },
    { "PARAGON_STEP", "L6", "L0|L1|L2|L3|L4|L5" },
    { "PARAGON_DEVICE", "gpu", "off|emu|cuda" },
    { "PARAGON_METHOD", "plain", "auto|full|atomic|reduction|selective|none|inspector|unsafe" },
    { "PARAGON_MAP", "block", "auto|thread|team|collapse" },
    { "PARAGON_INJECT", "every", "every:K|at:I|random:SEED" },
    { "PARAGON_INJECT", "every:0", "every:K" },
    { "PARAGON_INJECT", "at:x", "at:I" },
    { "PARAGON_THREADS", "0", "N" },
    { "PARAGON_THREADS", "4x", "N" },
    { "PARAGON_LIMIT", "-1", "N" },
    { "PARAGON_LOG", "plan,chek", "enter, plan, check" },
    { "PARAGON_ONLY", "foo.c", "FILE:LINE" },
    { "PARAGON_SKIP", "foo.c:1,:2", "FILE:LINE" },
    { "PARAGON_LIST", "here", "/FILE" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      read_with (bad[i][0], bad[i][1]);
      assert_non_null (strstr (complaint, bad[i][0]));
      assert_non_null (strstr (complaint, bad[i][2]));
      assert_ptr_equal (strchr (complaint, '\n'), complaint + strlen (complaint) - 1);
      assert_int_equal (env.mode, PG_MODE_ON);
      assert_int_equal (env.plan, PG_PLAN_AUTO);
      assert_int_equal (env.step, -1);
      assert_false (env.inject);
      assert_int_equal (env.n_threads, 0);
    }
}

/* A file that cannot be read lists nothing: no loop is handed over that was not to be.  */
static void
lists_may_be_files (void **state)
{
  char path[] = "/tmp/paragon-only-XXXXXX", value[64];
  int fd = mkstemp (path);
  (void) state;
  assert_true (fd >= 0);
  assert_int_equal (write (fd, "foo.c:12\n", 9), 9);
  close (fd);
  snprintf (value, sizeof value, "@%s", path);
  read_with ("PARAGON_ONLY", value);
  assert_string_equal (complaint, "");
  assert_true (pg_places_have (env.only, "foo.c", 12));
  unlink (path);
  read_with ("PARAGON_ONLY", value);
  assert_non_null (strstr (complaint, path));
  assert_string_equal (env.only, "");
}

/* The first forced conflict of every range is the one that a search one by one finds.  */
static void
forced_conflicts_come_in_order (void **state)
{
  static const char *const values[] = { "every:1", "every:7", "every:100", "at:0", "at:13", "random:3" };
  (void) state;
  for (size_t v = 0; v < sizeof values / sizeof *values; v++)
    {
      read_with ("PARAGON_INJECT", values[v]);
      for (int64_t lo = 0; lo < 60; lo++)
	for (int64_t hi = lo + 1; hi < 1000; hi += 83)
	  {
	    int64_t first = lo;
	    while (first < hi && pg_environment_inject (&env, first, first + 1) != first)
	      first++;
	    assert_int_equal (pg_environment_inject (&env, lo, hi), first);
	  }
    }
  read_with ("PARAGON_INJECT", "every:7");
  assert_int_equal (pg_environment_inject (&env, 0, 100), 7);
  assert_int_equal (pg_environment_inject (&env, 8, 100), 14);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (nothing_given_is_the_default),
    cmocka_unit_test (values_mean_what_they_say),
    cmocka_unit_test (unknown_values_are_named_with_the_known_ones),
    cmocka_unit_test (lists_may_be_files),
    cmocka_unit_test (forced_conflicts_come_in_order),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
