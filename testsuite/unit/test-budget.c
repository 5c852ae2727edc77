/* SPDX-License-Identifier: MIT
   How much memory the runtime may take: what the machine has, and what the control groups leave.  */
//! link: -Wl,--wrap=open,--wrap=madvise
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "budget.h"
#include "groups.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* How often a memory.stat was opened.  */
static int n_stats;

int __real_open (const char *path, int flags);
int __wrap_open (const char *path, int flags);

int
__wrap_open (const char *path, int flags)
{
  n_stats += strstr (path, "memory.stat") != NULL;
  return __real_open (path, flags);
}

/* The length for which huge pages were asked last, and the one that was to be touched.  */
static size_t huge_len, touched_len;

int __wrap_madvise (void *block, size_t len, int advice);

int
__wrap_madvise (void *block, size_t len, int advice)
{
  assert_non_null (block);
  assert_true (advice == MADV_HUGEPAGE || advice == MADV_POPULATE_WRITE);
  *(advice == MADV_HUGEPAGE ? &huge_len : &touched_len) = len;
  errno = EINVAL;
  return -1; /* a system without either */
}

static uint64_t
budget (const char *cgroups)
{
  n_stats = 0;
  return pg_budget_of (root, put ("", "cgroup", cgroups), root);
}

static void
give_group (const char *directory, const char *limit, const char *usage, const char *cache)
{
  char text[100];
  snprintf (text, sizeof text, "anon 5\ninactive_file %s\nactive_file 7\n", cache);
  put (directory, "memory.max", limit);
  put (directory, "memory.current", usage);
  put (directory, "memory.stat", text);
}

static int
give_machine (void **state)
{
  (void) state;
  put ("", "meminfo", "MemTotal:    9000 kB\nMemFree:    1000 kB\nMemAvailable:    2000 kB\n");
  give_group ("", "max\n", "50\n", "0");
  give_group ("/outer", "max\n", "50\n", "0");
  give_group ("/outer/inner", "max\n", "50\n", "0");
  return 0;
}

static void
without_groups_it_is_what_is_available (void **state)
{
  (void) state;
  assert_int_equal (budget (""), 2000 * 1024);
  assert_int_equal (budget ("0::/outer/inner\n"), 2000 * 1024);
  assert_int_equal (pg_budget_of ("/nonexistent", "/nonexistent", root), 0);
}

static void
the_group_that_leaves_least_counts (void **state)
{
  (void) state;
  give_group ("/outer", "100000", "30000", "0");
  give_group ("/outer/inner", "90000", "5000", "0");
  assert_int_equal (budget ("0::/outer/inner\n"), 70000);
  give_group ("/outer/inner", "90000", "89000", "0");
  assert_int_equal (budget ("0::/outer/inner\n"), 1000);
}

/* Pages of files that nobody uses can be dropped.  */
static void
idle_page_cache_does_not_count (void **state)
{
  (void) state;
  give_group ("/outer/inner", "90000", "89000", "20000");
  assert_int_equal (budget ("0::/outer/inner\n"), 21000);
  give_group ("/outer/inner", "90000", "89000", "89500");
  assert_int_equal (budget ("0::/outer/inner\n"), 90000);
}

static void
a_group_that_is_full_leaves_one_byte (void **state)
{
  (void) state;
  give_group ("/outer", "1000", "2000", "0");
  assert_int_equal (budget ("0::/outer/inner\n"), 1);
}

/* The kernel takes long to add that file up.  */
static void
the_cache_is_asked_for_only_where_it_matters (void **state)
{
  (void) state;
  give_group ("/outer", "9000000", "1000", "0");
  assert_int_equal (budget ("0::/outer/inner\n"), 2000 * 1024);
  assert_int_equal (n_stats, 0);
  give_group ("/outer", "9000", "1000", "0");
  assert_int_equal (budget ("0::/outer/inner\n"), 8000);
  assert_int_equal (n_stats, 1);
}

static void
version_1_is_read (void **state)
{
  (void) state;
  put ("/memory", "memory.limit_in_bytes", "9223372036854771712\n");
  put ("/memory", "memory.usage_in_bytes", "100\n");
  put ("/memory/job", "memory.limit_in_bytes", "9000\n");
  put ("/memory/job", "memory.usage_in_bytes", "8000\n");
  put ("/memory/job", "memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  assert_int_equal (budget ("3:memory:/\n"), 2000 * 1024);
  assert_int_equal (budget ("3:memory:/job\n"), 1500);
}

/* What is large enough stays, with its contents; what is not is replaced by zeroed memory.  */
static void
a_block_grows_by_being_replaced (void **state)
{
  size_t len = 0;
  (void) state;
  char *block = pg_budget_grow (NULL, &len, 5000);
  assert_non_null (block);
  assert_int_equal (len, 5000);
  block[0] = block[4999] = 1;
  assert_ptr_equal (pg_budget_grow (block, &len, 5000), block);
  assert_ptr_equal (pg_budget_grow (block, &len, 1), block);
  assert_int_equal (len, 5000);
  assert_int_equal (block[4999], 1);
  block = pg_budget_grow (block, &len, 5001);
  assert_int_equal (len, 10000); /* there will be more of that */
  block = pg_budget_grow (block, &len, 100000);
  assert_int_equal (len, 100000);
  assert_int_equal (block[0], 0);
  assert_int_equal (block[4999], 0);
  assert_null (pg_budget_grow (block, &len, SIZE_MAX / 2));
  assert_int_equal (len, 0);
}

/* Where the system has none, the block is there all the same.  */
static void
a_block_of_megabytes_is_to_be_huge_pages (void **state)
{
  enum
  {
    HUGE = 2 << 20
  };
  (void) state;
  pg_budget_put (pg_budget_get (HUGE - 1), HUGE - 1);
  assert_int_equal (huge_len, 0);
  char *block = pg_budget_get (HUGE);
  assert_int_equal (huge_len, HUGE);
  block[HUGE - 1] = 1;
  pg_budget_put (block, HUGE);
}

/* What cannot be had at once comes page by page; errno is the program's.  */
static void
a_block_is_touched_at_once_if_that_can_be (void **state)
{
  (void) state;
  char *block = pg_budget_get (10000);
  errno = 5;
  pg_budget_touch (block, 9000);
  assert_int_equal (errno, 5);
  assert_int_equal (touched_len, 9000);
  block[9999] = 1;
  pg_budget_put (block, 10000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (without_groups_it_is_what_is_available, give_machine),
    cmocka_unit_test_setup (the_group_that_leaves_least_counts, give_machine),
    cmocka_unit_test_setup (idle_page_cache_does_not_count, give_machine),
    cmocka_unit_test_setup (a_group_that_is_full_leaves_one_byte, give_machine),
    cmocka_unit_test_setup (the_cache_is_asked_for_only_where_it_matters, give_machine),
    cmocka_unit_test_setup (version_1_is_read, give_machine),
    cmocka_unit_test (a_block_grows_by_being_replaced),
    cmocka_unit_test (a_block_of_megabytes_is_to_be_huge_pages),
    cmocka_unit_test (a_block_is_touched_at_once_if_that_can_be),
  };
  return cmocka_run_group_tests (tests, make_root, remove_root);
}
