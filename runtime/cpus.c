/* SPDX-License-Identifier: MIT
   How many threads a process may use.  See cpus.h.  */
#include "cpus.h"
#include "cgroup.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* QUOTA microseconds in every PERIOD as CPUs.  */
static int
quota_cpus (long long quota, long long period)
{
  if (quota <= 0 || period <= 0)
    return INT32_MAX;
  long long cpus = (quota + period - 1) / period;
  return cpus < INT32_MAX ? (int) cpus : INT32_MAX;
}

/* The quota that the group in DIRECTORY states in the form of version 2: "max 100000", "200000 100000".  */
static int
quota_2 (const char *directory)
{
  char text[64];
  long long quota, period;
  if (!pg_cgroup_read (directory, "cpu.max", text, sizeof text) || sscanf (text, "%lld %lld", &quota, &period) != 2)
    return INT32_MAX;
  return quota_cpus (quota, period);
}

/* Likewise in the form of version 1: -1 is no quota.  */
static int
quota_1 (const char *directory)
{
  char text[64];
  long long quota, period;
  if (!pg_cgroup_read (directory, "cpu.cfs_quota_us", text, sizeof text) || sscanf (text, "%lld", &quota) != 1
      || quota <= 0)
    return INT32_MAX;
  if (!pg_cgroup_read (directory, "cpu.cfs_period_us", text, sizeof text) || sscanf (text, "%lld", &period) != 1)
    return INT32_MAX;
  return quota_cpus (quota, period);
}

/* Lower *SMALLEST, an int, to the quota of the group in DIRECTORY.  */
static void
apply_group (void *smallest, const char *directory, int version)
{
  int quota = version == 1 ? quota_1 (directory) : quota_2 (directory);
  if (quota < *(int *) smallest)
    *(int *) smallest = quota;
}

int
pg_cpus_quota (const char *proc_cgroup, const char *mount)
{
  int smallest = INT32_MAX;
  pg_cgroup_visit (proc_cgroup, mount, "cpu", apply_group, &smallest);
  return smallest;
}

/* The number at the head of environment variable NAME, at least 1, or 0.  */
static int64_t
variable_number (const char *name)
{
  const char *text = secure_getenv (name);
  long long number = text == NULL ? 0 : strtoll (text, NULL, 10);
  return number < 1 ? 0 : number;
}

/* The CPUs that the calling thread may run on.  Machines with more CPUs than the set holds are counted as full.  */
static int
affinity_cpus (void)
{
  cpu_set_t set;
  return sched_getaffinity (0, sizeof set, &set) == 0 ? CPU_COUNT (&set) : CPU_SETSIZE;
}

/* The ranks of an MPI job on this machine, this process included; 1 without MPI.  */
static int64_t
local_ranks (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (variable_number (names[i]) > 0)
      return variable_number (names[i]);
  return 1;
}

/* The number of threads: ASKED, or else as many as there are CPUs, and BY_QUOTA no more than that allows.  */
static int
count_threads (int64_t asked, bool by_quota)
{
  int64_t n = asked > 0 ? asked : variable_number ("OMP_NUM_THREADS");
  if (n == 0)
    {
      int cpus = affinity_cpus ();
      int quota = cpus == 1 || !by_quota ? cpus : pg_cpus_quota ("/proc/self/cgroup", "/sys/fs/cgroup");
      n = (cpus < quota ? cpus : quota) / local_ranks ();
    }
  return n < 1 ? 1 : n > PG_MAX_THREADS ? PG_MAX_THREADS : (int) n;
}

int
pg_cpus_threads (int64_t asked)
{
  return count_threads (asked, true);
}

int
pg_cpus_most_threads (int64_t asked)
{
  return count_threads (asked, false);
}
