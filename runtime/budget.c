/* SPDX-License-Identifier: MIT
   How much memory the runtime may take without hurting the program.

   The smallest of: MemAvailable of /proc/meminfo, and for the memory control group of the process and each group
   around it, limit - usage + page cache that is not in use.  Version 2 of control groups and the memory controller of
   version 1 differ in file names only.  The page cache is looked up last, where it makes a difference: for that file
   the kernel adds up all CPUs' counts.

   To find out takes longer than many loops, so what is little anyway is taken without asking, and an answer holds for
   a moment, less what was taken since.  */
#include "budget.h"
#include "arena.h"
#include "cgroup.h"
#include "futex.h"
#include "log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  SHARE = 8,              /* one table takes at most 1/SHARE of the available memory */
  LITTLE_LEN = 256 << 10, /* taken without asking */
  ANSWER_NS = 100000000,  /* how long an answer holds */
  HUGE_LEN = 2 << 20,     /* of a huge page, on all processors of ours */
  TEXT_LEN = 4096
};

struct group_files
{
  const char *limit, *usage, *cache;
};

static const struct group_files version_2 = { "memory.max", "memory.current", "inactive_file " };
static const struct group_files version_1
  = { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " };

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

/* The number behind KEY in file NAME of DIRECTORY.  */
static bool
read_number (const char *directory, const char *name, const char *key, uint64_t *number)
{
  char text[TEXT_LEN];
  return pg_cgroup_read (directory, name, text, sizeof text) && find_number (text, key, number);
}

/* What a group of LIMIT leaves that uses USAGE, at least 1: 0 would be unknown.  */
static uint64_t
rest (uint64_t limit, uint64_t usage)
{
  return limit > usage ? limit - usage : 1;
}

/* Lower *AVAILABLE, a uint64_t, to what the group in DIRECTORY leaves.  Version 1 has a limit near 2^63 for none.  */
static void
apply_group (void *available, const char *directory, int version)
{
  const struct group_files *files = version == 1 ? &version_1 : &version_2;
  uint64_t limit, usage, cache = 0, *least = available;
  if (!read_number (directory, files->limit, "", &limit) || limit > INT64_MAX / 2
      || !read_number (directory, files->usage, "", &usage) || rest (limit, usage) >= *least)
    return;
  read_number (directory, "memory.stat", files->cache, &cache);
  usage -= cache < usage ? cache : usage;
  if (rest (limit, usage) < *least)
    *least = rest (limit, usage);
}

uint64_t
pg_budget_of (const char *proc, const char *proc_cgroup, const char *mount)
{
  uint64_t kilobytes, available;
  if (!read_number (proc, "meminfo", "MemAvailable:", &kilobytes))
    return 0;
  available = kilobytes * 1024;
  pg_cgroup_visit (proc_cgroup, mount, "memory", apply_group, &available);
  return available;
}

uint64_t
pg_budget_available (void)
{
  int saved_errno = errno;
  uint64_t available = pg_budget_of ("/proc", "/proc/self/cgroup", "/sys/fs/cgroup");
  errno = saved_errno;
  return available;
}

/* The last answer and its moment.  Relaxed: several threads may ask at once, and none of them has the last word.  */
static _Atomic uint64_t answer;
static _Atomic int64_t answered;

/* A block of LEN bytes or NULL.  Tables are touched here and there, page by page, and the first touch of each costs as
   much as some hundred later ones: a huge page is one touch.  */
static void *
get_huge (size_t len)
{
  void *block = pg_arena_get (len);
  if (block != NULL && len >= HUGE_LEN)
    madvise (block, len, MADV_HUGEPAGE);
  return block;
}

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
      return get_huge (len);
    }
  PG_LOG (MEM, "%zu bytes are too much: %llu are available", len, (unsigned long long) available);
  return NULL;
}

/* Linux before 5.14 does not know how; then each first touch does it.  */
void
pg_budget_touch (void *block, size_t len)
{
  int saved_errno = errno;
  madvise (block, len, MADV_POPULATE_WRITE);
  errno = saved_errno;
}

void
pg_budget_put (void *block, size_t len)
{
  pg_arena_put (block, len);
}

void *
pg_budget_grow (void *block, size_t *len, size_t n)
{
  if (n <= *len)
    return block;
  size_t least = n;
  if (n < 2 * *len)
    n = 2 * *len; /* what grows a little will grow again */
  pg_budget_put (block, *len);
  block = pg_budget_get (n);
  if (block == NULL && n > least)
    block = pg_budget_get (n = least);
  *len = block == NULL ? 0 : n;
  return block;
}
