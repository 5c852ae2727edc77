/* SPDX-License-Identifier: MIT
   The number of threads: what the process was told, else what it was given.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpus.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[] = "/tmp/test-cpus-XXXXXX";

/* Write TEXT to the file NAME below our root, making one directory on the way.  */
static const char *
put (const char *directory, const char *name, const char *text)
{
  static char path[300];
  snprintf (path, sizeof path, "%s%s", root, directory);
  mkdir (path, 0700);
  snprintf (path, sizeof path, "%s%s/%s", root, directory, name);
  FILE *file = fopen (path, "w");
  fputs (text, file);
  fclose (file);
  return path;
}

static int
quota (const char *cgroups)
{
  return pg_cpus_quota (put ("", "cgroup", cgroups), root);
}

static void
the_smallest_quota_on_the_way_up_counts (void **state)
{
  (void) state;
  assert_int_equal (quota ("0::/outer/inner\n"), INT32_MAX);
  put ("/outer", "cpu.max", "400000 100000\n");
  put ("/outer/inner", "cpu.max", "max 100000\n");
  assert_int_equal (quota ("0::/outer/inner\n"), 4);
  put ("/outer/inner", "cpu.max", "150000 100000\n");
  assert_int_equal (quota ("0::/outer/inner\n"), 2);
  assert_int_equal (quota ("0::/\n"), INT32_MAX);
}

/* In a container the path is the host's; the limit stands at the mount point.  */
static void
the_mount_point_counts_where_the_path_does_not_exist (void **state)
{
  (void) state;
  put ("", "cpu.max", "300000 100000\n");
  assert_int_equal (quota ("0::/kubepods/pod1\n"), 3);
}

static void
version_1_is_read (void **state)
{
  (void) state;
  put ("", "cpu.max", "max 100000\n");
  put ("/cpu", "cpu.cfs_quota_us", "-1\n");
  put ("/cpu", "cpu.cfs_period_us", "100000\n");
  put ("/cpu/job", "cpu.cfs_quota_us", "50000\n");
  put ("/cpu/job", "cpu.cfs_period_us", "100000\n");
  assert_int_equal (quota ("5:cpuset:/job\n4:cpuacct,cpu:/job\n"), 1);
  assert_int_equal (quota ("5:cpuset:/job\n4:cpuacct:/job\n"), INT32_MAX);
}

static void
variables_come_first (void **state)
{
  (void) state;
  setenv ("OMP_NUM_THREADS", "5,2", 1);
  assert_int_equal (pg_cpus_threads (3), 3);
  assert_int_equal (pg_cpus_threads (0), 5);
  assert_int_equal (pg_cpus_threads (1000000), PG_MAX_THREADS);
  unsetenv ("OMP_NUM_THREADS");
}

static void
affinity_and_ranks_share_the_machine (void **state)
{
  cpu_set_t before, one;
  (void) state;
  unsetenv ("OMP_NUM_THREADS");
  sched_getaffinity (0, sizeof before, &before);
  int cpu = 0;
  while (!CPU_ISSET (cpu, &before))
    cpu++;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  sched_setaffinity (0, sizeof one, &one);
  assert_int_equal (pg_cpus_threads (0), 1);
  sched_setaffinity (0, sizeof before, &before);
  setenv ("MPI_LOCALNRANKS", "4096", 1);
  assert_int_equal (pg_cpus_threads (0), 1);
  unsetenv ("MPI_LOCALNRANKS");
}

static int
make_root (void **state)
{
  (void) state;
  return mkdtemp (root) == NULL;
}

static int
remove_root (void **state)
{
  char command[100];
  (void) state;
  snprintf (command, sizeof command, "rm -r %s", root);
  return system (command);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_smallest_quota_on_the_way_up_counts),
    cmocka_unit_test (the_mount_point_counts_where_the_path_does_not_exist),
    cmocka_unit_test (version_1_is_read),
    cmocka_unit_test (variables_come_first),
    cmocka_unit_test (affinity_and_ranks_share_the_machine),
  };
  return cmocka_run_group_tests (tests, make_root, remove_root);
}
