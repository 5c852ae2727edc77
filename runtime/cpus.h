/* SPDX-License-Identifier: MIT
   How many threads a process may use: what it was told to, else what it was given.  */
#ifndef PARAGON_CPUS_H
#define PARAGON_CPUS_H

#include <stdint.h>

enum
{
  PG_MAX_THREADS = 1024
};

/* The number of threads, the caller's included: ASKED (PARAGON_THREADS, 0: not given), else OMP_NUM_THREADS, else the
   smaller of the calling thread's affinity and the cgroups' CPU quota, divided among the MPI ranks on this machine.
   From 1 to PG_MAX_THREADS.  */
int pg_cpus_threads (int64_t asked);

/* No fewer than those, without a look at the quota: to read its files takes longer than many loops run.  */
int pg_cpus_most_threads (int64_t asked);

/* The CPU quota in CPUs, rounded up, of the cgroups (v1 and v2) that the file PROC_CGROUP names, mounted below MOUNT;
   INT32_MAX when there is none.  */
int pg_cpus_quota (const char *proc_cgroup, const char *mount);

#endif
