/* SPDX-License-Identifier: MIT
   How many threads a process may use.  See cpus.h.

   A cgroup's quota limits all that is below it, so every level from the process's own cgroup up to the mount point is
   asked.  In a container the path in /proc/self/cgroup is often the host's and does not exist below the mount; the
   levels that do exist, the mount point's own among them, are the container's.  Only open and read: no malloc.  */
#include "cpus.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  PATH_LEN = 1024,
  TEXT_LEN = 4096
};

/* Read the file PATH into TEXT of LEN bytes as a string; false when it cannot be read.  */
static int
read_file (const char *path, char *text, size_t len)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  ssize_t got = read (file, text, len - 1);
  close (file);
  if (got <= 0)
    return 0;
  text[got] = '\0';
  return 1;
}

/* QUOTA microseconds in every PERIOD as CPUs.  */
static int
quota_cpus (long long quota, long long period)
{
  if (quota <= 0 || period <= 0)
    return INT32_MAX;
  long long cpus = (quota + period - 1) / period;
  return cpus < INT32_MAX ? (int) cpus : INT32_MAX;
}

/* The quota that directory DIR states itself, in v2 form ("max 100000", "200000 100000") or in v1 form.  */
static int
directory_quota (const char *dir)
{
  char path[PATH_LEN + 32], text[64];
  long long quota, period;
  snprintf (path, sizeof path, "%s/cpu.max", dir);
  if (read_file (path, text, sizeof text))
    return sscanf (text, "%lld %lld", &quota, &period) == 2 ? quota_cpus (quota, period) : INT32_MAX;
  snprintf (path, sizeof path, "%s/cpu.cfs_quota_us", dir);
  if (!read_file (path, text, sizeof text) || sscanf (text, "%lld", &quota) != 1)
    return INT32_MAX;
  snprintf (path, sizeof path, "%s/cpu.cfs_period_us", dir);
  if (!read_file (path, text, sizeof text) || sscanf (text, "%lld", &period) != 1)
    return INT32_MAX;
  return quota_cpus (quota, period);
}

/* The smallest quota from MOUNT/CGROUP up to MOUNT.  */
static int
quota_upwards (const char *mount, const char *cgroup)
{
  char dir[PATH_LEN];
  int len = snprintf (dir, sizeof dir, "%s%s", mount, cgroup);
  if (len < 0 || len >= PATH_LEN)
    return directory_quota (mount);
  int smallest = INT32_MAX;
  size_t mount_len = strlen (mount);
  for (;;)
    {
      int quota = directory_quota (dir);
      if (quota < smallest)
	smallest = quota;
      char *slash = strrchr (dir, '/');
      if (slash == NULL || (size_t) (slash - dir) < mount_len)
	return smallest;
      *slash = '\0';
    }
}

/* Whether the comma-separated LIST of v1 controllers, LEN characters, names "cpu".  */
static int
has_cpu_controller (const char *list, size_t len)
{
  for (size_t i = 0; i + 3 <= len; i++)
    if ((i == 0 || list[i - 1] == ',') && memcmp (list + i, "cpu", 3) == 0 && (i + 3 == len || list[i + 3] == ','))
      return 1;
  return 0;
}

int
pg_cpus_quota (const char *proc_cgroup, const char *mount)
{
  char text[TEXT_LEN], dir[PATH_LEN];
  int smallest = INT32_MAX;
  if (!read_file (proc_cgroup, text, sizeof text))
    return smallest;
  /* Lines read "0::/path" (v2) or "4:cpu,cpuacct:/path" (v1).  */
  for (char *line = text, *next; line != NULL && *line != '\0'; line = next)
    {
      next = strchr (line, '\n');
      if (next != NULL)
	*next++ = '\0';
      char *list = strchr (line, ':');
      char *path = list == NULL ? NULL : strchr (list + 1, ':');
      if (path == NULL)
	continue;
      size_t list_len = (size_t) (path - list - 1);
      int quota = INT32_MAX;
      if (list_len == 0)
	quota = quota_upwards (mount, path + 1);
      else if (has_cpu_controller (list + 1, list_len))
	{
	  snprintf (dir, sizeof dir, "%s/cpu", mount);
	  quota = quota_upwards (dir, path + 1);
	}
      if (quota < smallest)
	smallest = quota;
    }
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

int
pg_cpus_threads (int64_t asked)
{
  int64_t n = asked > 0 ? asked : variable_number ("OMP_NUM_THREADS");
  if (n == 0)
    {
      int cpus = affinity_cpus ();
      int quota = pg_cpus_quota ("/proc/self/cgroup", "/sys/fs/cgroup");
      n = (cpus < quota ? cpus : quota) / local_ranks ();
    }
  return n < 1 ? 1 : n > PG_MAX_THREADS ? PG_MAX_THREADS : (int) n;
}
