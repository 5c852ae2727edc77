/* SPDX-License-Identifier: MIT
   What else runs on this machine: what the kernel says, and what is made of it.  */
//! link: -Wl,--wrap=pg_cgroup_read
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cgroup.h"
#include "load.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *loadavg;
static int n_reads;

__typeof__ (pg_cgroup_read) __wrap_pg_cgroup_read;

/* The file has LOADAVG; NULL: there is none.  */
bool
__wrap_pg_cgroup_read (const char *directory, const char *name, char *text, size_t len)
{
  assert_string_equal (directory, "/proc");
  assert_string_equal (name, "loadavg");
  n_reads++;
  errno = EINVAL;
  return loadavg != NULL && snprintf (text, len, "%s", loadavg) > 0;
}

static void
the_threads_that_run_are_read (void **state)
{
  static const struct
  {
    const char *text;
    int n;
  } files[] = { { "0.14 1.33 1.95 2/78 16081\n", 2 },
		{ "10.00 9.00 8.00 1024/70000 1\n", 1024 },
		{ "0.00 0.00 0.00 0/0 0\n", 0 }, /* a kernel that does not tell */
		{ "0.14 1.33\n", 0 },
		{ "a b c -3/4\n", 0 },
		{ NULL, 0 } };
  (void) state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    {
      loadavg = files[i].text;
      assert_int_equal (pg_load_running ("/proc"), files[i].n);
    }
}

/* The CPUs for N_OWN threads, seen anew when N run.  */
static int
see (int n, int n_own)
{
  static char text[64];
  nanosleep (&(struct timespec) { .tv_nsec = 1100000 }, NULL);
  snprintf (text, sizeof text, "0.00 0.00 0.00 %d/100 1\n", n);
  loadavg = text;
  int n_before = n_reads, n_cpus = pg_load_cpus (n_own);
  assert_int_equal (n_reads, n_before + 1);
  return n_cpus;
}

/* What was seen before tells nothing any more.  */
static void
forget (void)
{
  nanosleep (&(struct timespec) { .tv_nsec = 60000000 }, NULL);
}

static void
others_take_cpus_and_own_threads_do_not (void **state)
{
  int n_online = (int) sysconf (_SC_NPROCESSORS_ONLN);
  (void) state;
  forget ();
  assert_int_equal (see (1, 1), n_online);
  forget ();
  assert_int_equal (see (3, 3), n_online);
  forget ();
  assert_int_equal (see (1, 2), n_online); /* one of ours fell asleep meanwhile */
  forget ();
  assert_int_equal (see (3, 2), n_online > 1 ? n_online - 1 : 1);
  forget ();
  assert_int_equal (see (n_online + 10, 1), 1);
}

static void
more_has_to_be_seen_again_and_less_once (void **state)
{
  int n_online = (int) sysconf (_SC_NPROCESSORS_ONLN);
  (void) state;
  forget ();
  assert_int_equal (see (1, 1), n_online);
  assert_int_equal (see (1 + n_online, 1), n_online);
  assert_int_equal (see (1 + n_online, 1), n_online);
  assert_int_equal (see (1, 1), n_online);
  assert_int_equal (see (1 + n_online, 1), n_online);
  assert_int_equal (see (1 + n_online, 1), n_online);
  assert_int_equal (see (1 + n_online, 1), 1);
  assert_int_equal (see (1, 1), n_online);
}

static void
an_answer_holds_for_a_moment (void **state)
{
  (void) state;
  forget ();
  see (1, 1);
  int n_before = n_reads;
  pg_load_cpus (1);
  assert_in_range (n_reads - n_before, 0, 1); /* 1: this thread was held up for long */
  for (int i = 0; i < 1000; i++)
    pg_load_cpus (1);
  assert_in_range (n_reads - n_before, 0, 500);
}

static void
who_is_not_told_has_all (void **state)
{
  (void) state;
  forget ();
  loadavg = NULL;
  errno = ENOENT;
  assert_int_equal (pg_load_cpus (1), INT_MAX);
  assert_int_equal (errno, ENOENT);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_threads_that_run_are_read),
    cmocka_unit_test (others_take_cpus_and_own_threads_do_not),
    cmocka_unit_test (more_has_to_be_seen_again_and_less_once),
    cmocka_unit_test (an_answer_holds_for_a_moment),
    cmocka_unit_test (who_is_not_told_has_all),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
