/* SPDX-License-Identifier: MIT
   Statistics: what is counted is what is printed, where it was asked for.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats.h"

#include "paragon_region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/test-stats-XXXXXX";
static char text[4096];

static struct pg_row quoted
  = { .file = "a\"b\\c.c", .function = "f", .reason = "pointers", .line = 7, .klass = PG_CLASS_POSSIBLY };
static struct pg_row unused = { .file = "unused.c", .function = "g", .reason = "proven", .line = 8 };

/* Write the statistics to NAME in our directory and read PATH there.  */
static void
write_and_read (const char *name, const char *path)
{
  char where[200], file_name[200];
  snprintf (where, sizeof where, "%s/%s", directory, name);
  snprintf (file_name, sizeof file_name, "%s/%s", directory, path);
  pg_stats_write (where);
  FILE *file = fopen (file_name, "r");
  text[0] = '\0';
  if (file == NULL)
    return;
  text[fread (text, 1, sizeof text - 1, file)] = '\0';
  fclose (file);
  unlink (file_name);
}

static void
nothing_entered_writes_nothing (void **state)
{
  (void) state;
  pg_stats_add (&quoted);
  pg_stats_add (&unused);
  write_and_read ("table", "table");
  assert_string_equal (text, "");
}

static void
the_table_has_a_row_for_each_region_entered (void **state)
{
  (void) state;
  pg_count (&quoted.n_entries, 3);
  pg_count (&quoted.n_pool, 2);
  pg_count (&quoted.n_original, 1);
  pg_count (&quoted.n_statuses[PG_BUSY], 1);
  pg_count (&quoted.n_rungs[PG_RUNG_L3], 2);
  pg_count (&quoted.n_mapped[PG_MAPPED_TEAM], 4);
  pg_count (&quoted.n_device_plans[PG_DEVICE_PLAN_SAVING], 9);
  pg_count (&quoted.n_conflicts, 5);
  write_and_read ("table", "table");
  assert_non_null (strstr (text, "c.c:7 f"));
  assert_non_null (strstr (text, " L3 pool "));
  assert_non_null (strstr (text, "busy, 1"));
  assert_non_null (strstr (text, "by team, 4"));
  assert_non_null (strstr (text, "plan with a device: saving, 9"));
  assert_null (strstr (text, "unused.c"));
}

static void
json_is_quoted (void **state)
{
  (void) state;
  pg_stats_foreign (PG_ABI);
  pg_stats_foreign (PG_MALFORMED);
  write_and_read ("x.json", "x.json");
  assert_non_null (strstr (text, "\"file\":\"a\\\"b\\\\"));
  assert_non_null (strstr (text, "\"pool\":2"));
  assert_non_null (strstr (text, "\"refused\":{\"busy\":1}"));
  assert_non_null (strstr (text, "\"mapped\":{\"team\":4}"));
  assert_non_null (strstr (text, "\"device_plans\":{\"saving\":9}"));
  assert_non_null (strstr (text, "\"foreign\":1,\"malformed\":1,"));
}

static void
names_take_the_process_id (void **state)
{
  char path[40];
  (void) state;
  snprintf (path, sizeof path, "s-%ld.txt", (long) getpid ());
  write_and_read ("s-%p.txt", path);
  assert_non_null (strstr (text, "c.c:7 f"));
}

static void
a_child_starts_from_zero (void **state)
{
  (void) state;
  pg_stats_clear ();
  write_and_read ("table", "table");
  assert_string_equal (text, "");
}

static int
make_directory (void **state)
{
  (void) state;
  return mkdtemp (directory) == NULL;
}

static int
remove_directory (void **state)
{
  (void) state;
  return rmdir (directory);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (nothing_entered_writes_nothing),
    cmocka_unit_test (the_table_has_a_row_for_each_region_entered),
    cmocka_unit_test (json_is_quoted),
    cmocka_unit_test (names_take_the_process_id),
    cmocka_unit_test (a_child_starts_from_zero),
  };
  return cmocka_run_group_tests (tests, make_directory, remove_directory);
}
