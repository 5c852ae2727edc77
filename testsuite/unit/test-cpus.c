/* SPDX-License-Identifier: MIT
   The number of threads: what the process was told, else what it was given.  */
//! link: -Wl,--wrap=open
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpus.h"
#include "groups.h"

#include <sched.h>

static int n_opened;

int __real_open (const char *path, int flags);
int __wrap_open (const char *path, int flags);

int
__wrap_open (const char *path, int flags)
{
  n_opened++;
  return __real_open (path, flags);
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

/* Every file read delays the program's first loop.  */
static void
no_file_is_read_in_vain (void **state)
{
  (void) state;
  n_opened = 0;
  assert_int_equal (quota ("4:cpu,cpuacct:/\n0::/\n"), INT32_MAX);
  assert_int_equal (n_opened, 3); /* cgroup, cpu/cpu.cfs_quota_us, cpu.max */
}

/* Nor is any for no more than a guess.  */
static void
the_most_is_known_without_a_file (void **state)
{
  (void) state;
  unsetenv ("OMP_NUM_THREADS");
  assert_true (pg_cpus_most_threads (0) >= pg_cpus_threads (0));
  n_opened = 0;
  assert_in_range (pg_cpus_most_threads (0), 1, PG_MAX_THREADS);
  assert_int_equal (pg_cpus_most_threads (7), 7);
  assert_int_equal (n_opened, 0);
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
  n_opened = 0;
  assert_int_equal (pg_cpus_threads (0), 1);
  assert_int_equal (n_opened, 0);
  assert_int_equal (pg_cpus_most_threads (0), 1);
  sched_setaffinity (0, sizeof before, &before);
  setenv ("MPI_LOCALNRANKS", "4096", 1);
  assert_int_equal (pg_cpus_threads (0), 1);
  unsetenv ("MPI_LOCALNRANKS");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_smallest_quota_on_the_way_up_counts),
    cmocka_unit_test (the_mount_point_counts_where_the_path_does_not_exist),
    cmocka_unit_test (version_1_is_read),
    cmocka_unit_test (no_file_is_read_in_vain),
    cmocka_unit_test (the_most_is_known_without_a_file),
    cmocka_unit_test (variables_come_first),
    cmocka_unit_test (affinity_and_ranks_share_the_machine),
  };
  return cmocka_run_group_tests (tests, make_root, remove_root);
}
