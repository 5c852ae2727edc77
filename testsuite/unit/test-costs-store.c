/* SPDX-License-Identifier: MIT
   Where costs are kept: the next run of the program has them, and whatever is wrong with folder, file or neighbours,
   there are none, and nobody waits for them.  Each run is a process of its own.  */
//! link: -Wl,--wrap=fstatfs -Wl,--wrap=pg_log_say
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "costs.h"
#include "kept-folder.h"
#include "log.h"
#include "regions.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Children of forks start threads of their own, which this sanitizer does not like.  */
const char *__tsan_default_options (void);
const char *
__tsan_default_options (void)
{
  return "die_after_fork=0";
}

enum
{
  NOBODY = 65534
};

static char file[256], said[1000];
static bool is_remote;

int __real_fstatfs (int fd, struct statfs *facts);
int __wrap_fstatfs (int fd, struct statfs *facts);
__typeof__ (pg_log_say) __wrap_pg_log_say;

int
__wrap_fstatfs (int fd, struct statfs *facts)
{
  int status = __real_fstatfs (fd, facts);
  facts->f_type = is_remote ? NFS_SUPER_MAGIC : EXT4_SUPER_MAGIC;
  return status;
}

void
__wrap_pg_log_say (const char *format, ...)
{
  va_list more;
  va_start (more, format);
  vsnprintf (said, sizeof said, format, more);
  va_end (more);
}

static int
make_folder (void **state)
{
  (void) state;
  is_remote = false;
  start_folder ();
  pg_environment.n_threads = 2;
  snprintf (file, sizeof file, "%s/compiled-1.db", folder);
  return 0;
}

/* REGION, which was entered, and left out.  */
static struct pg_state *
entered (struct pg_descriptor *region)
{
  static int64_t a[10], b[10], c[10];
  struct scale_args args = { a, b, c };
  __paragon_enter_v1 (region, &args, 10);
  return region->state;
}

/* A run of a program: it enters a region, whose plan knows a cost when the run ends if MEASURED_PS is not 0.  What it
   was told of an earlier run, or 0.  */
static int64_t
run (int64_t measured_ps)
{
  pg_costs_start ();
  struct pg_state *own = entered (a_scale_region ());
  while (!own->has_hints)
    {
      pg_costs_settle ();
      pg_costs_hint (own);
    }
  int64_t told_ps = own->plan.alone_ps;
  if (measured_ps != 0)
    own->plan.alone_ps = measured_ps;
  pg_costs_write ();
  return told_ps;
}

/* The same in a process of its own.  It has SAID something if it may not keep anything.  */
static int64_t
next_run (int64_t measured_ps)
{
  struct
  {
    int64_t told_ps;
    char said[sizeof said];
  } result = { .told_ps = -1 };
  int ends[2], status;
  assert_int_equal (pipe (ends), 0);
  pid_t child = fork ();
  if (child == 0)
    {
      result.told_ps = run (measured_ps);
      memcpy (result.said, said, sizeof said);
      _exit (write (ends[1], &result, sizeof result) != sizeof result);
    }
  close (ends[1]);
  ssize_t len = read (ends[0], &result, sizeof result);
  close (ends[0]);
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
  assert_int_equal (len, sizeof result);
  memcpy (said, result.said, sizeof said);
  return result.told_ps;
}

static void
the_next_run_has_them (void **state)
{
  (void) state;
  assert_int_equal (next_run (0), 0);
  assert_int_equal (next_run (5000), 0);
  assert_int_equal (next_run (0), 5000);
  assert_int_equal (next_run (6000), 5000);
  assert_int_equal (next_run (0), 6000);
  assert_string_equal (said, "");
}

static void
what_a_run_does_not_enter_stays (void **state)
{
  (void) state;
  assert_int_equal (next_run (5000), 0);
  pid_t child = fork ();
  if (child == 0)
    {
      pg_costs_start ();
      entered (a_scatter_region ())->plan.alone_ps = 7000;
      pg_costs_write ();
      _exit (0);
    }
  waitpid (child, NULL, 0);
  assert_int_equal (next_run (0), 5000);
}

/* What is forced is not what a loop usually costs.  */
static void
forced_runs_keep_nothing (void **state)
{
  (void) state;
  assert_int_equal (next_run (5000), 0);
  pid_t child = fork ();
  if (child == 0)
    {
      pg_costs_start ();
      entered (a_scale_region ())->plan.alone_ps = 7000;
      pg_environment.plan = PG_PLAN_POOL;
      pg_costs_write ();
      _exit (0);
    }
  waitpid (child, NULL, 0);
  assert_int_equal (next_run (0), 5000);
}

static void
a_damaged_file_is_begun_anew (void **state)
{
  (void) state;
  assert_int_equal (next_run (5000), 0);
  int fd = open (file, O_WRONLY | O_TRUNC);
  assert_int_equal (write (fd, "This is no database, but it is long enough to be taken for one.", 63), 63);
  close (fd);
  assert_int_equal (next_run (5000), 0);
  assert_int_equal (next_run (0), 5000);
  assert_string_equal (said, "");
}

/* Another process may lock it for ever: there are no hints, and nothing is kept.  */
static void
a_locked_file_is_left_alone (void **state)
{
  struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  (void) state;
  assert_int_equal (next_run (5000), 0);
  int fd = open (file, O_RDWR);
  assert_int_equal (fcntl (fd, F_SETLK, &all), 0);
  assert_int_equal (next_run (6000), 0);
  close (fd);
  assert_int_equal (next_run (0), 5000);
}

/* Nothing that the user may not write is: that is said.  Root may.  */
static void
a_folder_that_cannot_be_written_is_named (void **state)
{
  (void) state;
  assert_int_equal (next_run (5000), 0);
  snprintf (folder, sizeof folder, "/proc/paragon");
  assert_int_equal (next_run (5000), 0);
  assert_non_null (strstr (said, "no cache in /proc/paragon: "));
  snprintf (folder, sizeof folder, "%s/paragon", parent);
  chmod (folder, 0755);
  assert_int_equal (next_run (5000), 0);
  assert_non_null (strstr (said, "others may use it, too"));
  chmod (folder, 0700);
  chmod (file, 0400);
  if (geteuid () != 0)
    assert_int_equal (next_run (6000), 0);
}

static void
a_network_file_system_has_none (void **state)
{
  (void) state;
  assert_int_equal (next_run (5000), 0);
  is_remote = true;
  assert_int_equal (next_run (6000), 0);
  assert_non_null (strstr (said, "network file system"));
  is_remote = false;
  assert_int_equal (next_run (0), 5000);
}

static void
off_opens_nothing (void **state)
{
  (void) state;
  pid_t child = fork ();
  int status;
  if (child == 0)
    {
      pg_environment.cache = "off";
      pg_costs_start ();
      struct pg_state *own = entered (a_scale_region ());
      own->plan.alone_ps = 5000;
      pg_costs_settle ();
      pg_costs_hint (own);
      pg_costs_write ();
      _exit (own->has_hints || dlopen ("libsqlite3.so.0", RTLD_NOW | RTLD_NOLOAD) != NULL);
    }
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
  assert_int_equal (access (folder, F_OK), -1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (the_next_run_has_them, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (what_a_run_does_not_enter_stays, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (forced_runs_keep_nothing, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (a_damaged_file_is_begun_anew, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (a_locked_file_is_left_alone, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (a_folder_that_cannot_be_written_is_named, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (a_network_file_system_has_none, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (off_opens_nothing, make_folder, remove_folder),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
