/* SPDX-License-Identifier: MIT
   How much memory the runtime may take without hurting the program.

   The smallest of: MemAvailable of /proc/meminfo, and for the memory control group of the process and each group
   around it, limit - usage + page cache that is not in use.  Version 2 of control groups and the memory controller of
   version 1 differ in file names only.  In a container the path of /proc/self/cgroup may not exist under /sys: then
   the groups above it, which do, are what counts.

   To find out takes longer than many loops, so what is little anyway is taken without asking, and an answer holds for
   a moment, less what was taken since.  */
#include "budget.h"
#include "arena.h"
#include "futex.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  SHARE = 8,              /* one table takes at most 1/SHARE of the available memory */
  LITTLE_LEN = 256 << 10, /* taken without asking */
  ANSWER_NS = 100000000,  /* how long an answer holds */
  TEXT_LEN = 4096,
  PATH_LEN = 1024
};

struct group_files
{
  const char *mount, *limit, *usage, *cache;
};

static const struct group_files version_2 = { "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file " };
static const struct group_files version_1
  = { "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " };

/* Read the beginning of file PATH into TEXT as a string.  */
static bool
read_text (const char *path, char text[TEXT_LEN])
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t len = read (fd, text, TEXT_LEN - 1);
  close (fd);
  text[len > 0 ? len : 0] = '\0';
  return len > 0;
}

/* The number behind NAME in TEXT, where NAME begins a line.  */
static bool
find_number (const char *text, const char *name, uint64_t *number)
{
  size_t len = strlen (name);
  while (text != NULL && strncmp (text, name, len) != 0)
    {
      text = strchr (text, '\n');
      text = text == NULL ? NULL : text + 1;
    }
  if (text == NULL)
    return false;
  char *end;
  *number = strtoull (text + len, &end, 10);
  return end != text + len;
}

/* The number in file NAME of directory GROUP.  */
static bool
read_number (const char *group, const char *name, const char *key, uint64_t *number)
{
  char path[PATH_LEN + 64], text[TEXT_LEN];
  snprintf (path, sizeof path, "%s/%s", group, name);
  return read_text (path, text) && find_number (text, key, number);
}

/* Lower *AVAILABLE to what GROUP, a path below the mount of FILES, and the groups around it leave.  GROUP is cut.  */
static void
apply_groups (const struct group_files *files, char *group, uint64_t *available)
{
  for (;;)
    {
      char directory[PATH_LEN + 32];
      uint64_t limit, usage, cache = 0;
      snprintf (directory, sizeof directory, "%s%s", files->mount, group);
      if (read_number (directory, files->limit, "", &limit) && read_number (directory, files->usage, "", &usage))
	{
	  read_number (directory, "memory.stat", files->cache, &cache);
	  usage -= cache < usage ? cache : usage;
	  uint64_t rest = limit > usage ? limit - usage : 1;
	  if (rest < *available)
	    *available = rest;
	}
      char *slash = strrchr (group, '/');
      if (slash == NULL)
	return;
      *slash = '\0';
    }
}

/* Find the groups of the process in TEXT, /proc/self/cgroup: lines "number:controllers:path".  */
static void
apply_own_groups (char *text, uint64_t *available)
{
  char *rest;
  for (char *line = strtok_r (text, "\n", &rest); line != NULL; line = strtok_r (NULL, "\n", &rest))
    {
      char *controllers = strchr (line, ':');
      char *path = controllers == NULL ? NULL : strchr (controllers + 1, ':');
      if (path == NULL || strlen (path) > PATH_LEN)
	continue;
      *path++ = '\0';
      if (controllers[1] == '\0')
	apply_groups (&version_2, path, available);
      else if (strstr (controllers, "memory") != NULL)
	apply_groups (&version_1, path, available);
    }
}

uint64_t
pg_budget_available (void)
{
  char text[TEXT_LEN];
  uint64_t kilobytes, available = 0;
  int saved_errno = errno;
  if (read_text ("/proc/meminfo", text) && find_number (text, "MemAvailable:", &kilobytes))
    {
      available = kilobytes * 1024;
      if (read_text ("/proc/self/cgroup", text))
	apply_own_groups (text, &available);
    }
  errno = saved_errno;
  return available;
}

/* The last answer and its moment.  Relaxed: several threads may ask at once, and none of them has the last word.  */
static _Atomic uint64_t answer;
static _Atomic int64_t answered;

void *
pg_budget_get (size_t len)
{
  if (len <= LITTLE_LEN)
    return pg_arena_get (len);
  int64_t now = pg_now ();
  uint64_t available = atomic_load_explicit (&answer, memory_order_relaxed);
  if (available == 0 || now - atomic_load_explicit (&answered, memory_order_relaxed) > ANSWER_NS)
    {
      available = pg_budget_available ();
      atomic_store_explicit (&answered, now, memory_order_relaxed);
    }
  if (len <= available / SHARE)
    {
      atomic_store_explicit (&answer, available - len, memory_order_relaxed);
      return pg_arena_get (len);
    }
  PG_LOG (MEM, "%zu bytes are too much: %llu are available", len, (unsigned long long) available);
  return NULL;
}

void
pg_budget_put (void *block, size_t len)
{
  pg_arena_put (block, len);
}
