//! link: -Wl,--wrap=getauxval -Wl,--wrap=fstatfs
/* SPDX-License-Identifier: MIT
   What was compiled is found again, by this process and by others; and whatever is wrong with the cache's folder, file
   or neighbours, it is at worst empty.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache.h"
#include "environment.h"

#include <dlfcn.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  NOBODY = 65534,
  N_AT_ONCE = 40
};

static char parent[64], folder[128], file[256], why[PG_CACHE_TEXT_LEN];
static struct pg_cache_setup setup;
static struct pg_cache *cache;
static bool is_secure, is_remote;

unsigned long __real_getauxval (unsigned long type);
unsigned long __wrap_getauxval (unsigned long type);
int __real_fstatfs (int fd, struct statfs *facts);
int __wrap_fstatfs (int fd, struct statfs *facts);

unsigned long
__wrap_getauxval (unsigned long type)
{
  return type == AT_SECURE ? is_secure : __real_getauxval (type);
}

int
__wrap_fstatfs (int fd, struct statfs *facts)
{
  int status = __real_fstatfs (fd, facts);
  facts->f_type = is_remote ? NFS_SUPER_MAGIC : EXT4_SUPER_MAGIC;
  return status;
}

static bool
has_sqlite (void)
{
  void *library = dlopen ("libsqlite3.so.0", RTLD_NOW);
  if (library != NULL)
    dlclose (library);
  return library != NULL;
}

static struct pg_cache *
open_cache (void)
{
  struct pg_cache *opened = pg_cache_open (&setup, why);
  if (opened == NULL)
    fail_msg ("%s", why);
  return opened;
}

static void
reopen (void)
{
  pg_cache_close (cache);
  cache = open_cache ();
}

static int
set_up (void **state)
{
  (void) state;
  is_secure = is_remote = false;
  strcpy (parent, "/tmp/paragon-cache-XXXXXX");
  assert_non_null (mkdtemp (parent));
  snprintf (folder, sizeof folder, "%s/one/paragon", parent);
  snprintf (file, sizeof file, "%s/compiled-1.db", folder);
  setup = (struct pg_cache_setup) { .folder = folder, .library = "libsqlite3.so.0", .most_len = 1000 };
  cache = has_sqlite () ? open_cache () : NULL;
  return 0;
}

static int
tear_down (void **state)
{
  char command[128];
  (void) state;
  pg_cache_close (cache);
  snprintf (command, sizeof command, "rm -rf %s", parent);
  return system (command);
}

static void
need_sqlite (void)
{
  if (cache == NULL)
    {
      print_message ("skipped: libsqlite3.so.0 is not found\n");
      skip ();
    }
}

static struct pg_cache_key
key_of (const char *text)
{
  return pg_cache_key ((struct pg_cache_key) { 0, 0 }, &text, 1);
}

/* Keep LEN bytes like TEXT's first one for TEXT.  */
static void
keep (const char *text, size_t len)
{
  char bytes[1000];
  memset (bytes, *text, sizeof bytes);
  pg_cache_keep (cache, key_of (text), bytes, len);
}

/* How many bytes are kept for TEXT, which must be what was kept; 0: none.  */
static size_t
kept (const char *text)
{
  char *bytes;
  size_t len = 0;
  bool is_found = pg_cache_find (cache, key_of (text), &bytes, &len);
  assert_int_equal (is_found, bytes != NULL);
  for (size_t i = 0; is_found && i < len; i++)
    assert_int_equal (bytes[i], *text);
  free (bytes);
  return is_found ? len : 0;
}

/* Whether CHILD says yes, in a process of its own.  */
static bool
says_yes (bool (*child) (void))
{
  int status;
  pid_t pid = fork ();
  assert_true (pid >= 0);
  if (pid == 0)
    _exit (child () ? 0 : 1);
  assert_int_equal (waitpid (pid, &status, 0), pid);
  return status == 0;
}

static void
what_was_kept_is_found (void **state)
{
  (void) state;
  need_sqlite ();
  assert_int_equal (kept ("a"), 0);
  keep ("a", 100);
  keep ("b", 200);
  assert_int_equal (kept ("a"), 100);
  keep ("a", 50);
  reopen ();
  assert_int_equal (kept ("a"), 50);
  assert_int_equal (kept ("b"), 200);
  assert_int_equal (kept ("c"), 0);
}

static void
keys_tell_where_a_part_ends (void **state)
{
  const char *const parts[][2] = { { "ab", "c" }, { "a", "bc" }, { "abc", "" }, { "c", "ab" } };
  const struct pg_cache_key nothing = { 0, 0 };
  struct pg_cache_key keys[4];
  (void) state;
  for (int i = 0; i < 4; i++)
    {
      keys[i] = pg_cache_key (nothing, parts[i], 2);
      for (int j = 0; j < i; j++)
	assert_memory_not_equal (&keys[i], &keys[j], sizeof keys[i]);
    }
  struct pg_cache_key again = pg_cache_key (pg_cache_key (nothing, parts[0], 1), parts[0] + 1, 1);
  assert_memory_equal (&again, keys, sizeof again);
}

static void
what_was_not_used_for_longest_goes (void **state)
{
  (void) state;
  need_sqlite ();
  keep ("a", 300);
  keep ("b", 300);
  keep ("c", 300);
  assert_int_equal (kept ("a"), 300);
  keep ("d", 300);
  assert_int_equal (kept ("a"), 300);
  assert_int_equal (kept ("b"), 0);
  assert_int_equal (kept ("c"), 300);
  assert_int_equal (kept ("d"), 300);
  setup.most_len = 500;
  reopen ();
  keep ("e", 501);
  assert_int_equal (kept ("e"), 0);
  assert_int_equal (kept ("c"), 300);
  keep ("f", 500);
  assert_int_equal (kept ("f"), 500);
  assert_int_equal (kept ("c"), 0);
}

/* Write CHARACTER over the file from byte FROM on; all of it, but at most LEN bytes.  */
static void
write_over (long from, int character, long len)
{
  struct stat facts;
  assert_int_equal (stat (file, &facts), 0);
  FILE *stream = fopen (file, "r+");
  assert_non_null (stream);
  assert_int_equal (fseek (stream, from, SEEK_SET), 0);
  for (long i = from; i < facts.st_size && i < from + len; i++)
    fputc (character, stream);
  fclose (stream);
}

/* From each byte on, whatever SQLite makes of it.  */
static void
a_damaged_file_is_begun_anew (void **state)
{
  struct stat facts;
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  assert_int_equal (stat (file, &facts), 0);
  for (long from = 0; from < facts.st_size; from += from < 200 ? 7 : 497)
    {
      write_over (from, 0xa5, from % 2 ? 10 : facts.st_size);
      reopen ();
      kept ("a");
      keep ("a", 100);
      keep ("b", 100);
      assert_int_equal (kept ("a"), 100);
    }
  assert_int_equal (truncate (file, 1000), 0);
  reopen ();
  keep ("a", 100);
  assert_int_equal (kept ("a"), 100);
}

/* Where the bytes themselves are in the file, nothing but their hash tells.  */
static void
damaged_bytes_are_missing (void **state)
{
  char content[1 << 16];
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  pg_cache_close (cache);
  FILE *stream = fopen (file, "r");
  size_t len = fread (content, 1, sizeof content, stream);
  fclose (stream);
  const char *at = memmem (content, len, "aaaaaaaa", 8);
  assert_non_null (at);
  write_over (at - content, 'b', 1);
  cache = open_cache ();
  assert_int_equal (kept ("a"), 0);
  keep ("a", 100);
  assert_int_equal (kept ("a"), 100);
}

/* A table of another shape, as a future one might have.  */
static void
another_table_is_begun_anew (void **state)
{
  char content[1 << 16];
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  pg_cache_close (cache);
  FILE *stream = fopen (file, "r+");
  size_t len = fread (content, 1, sizeof content, stream);
  char *at = memmem (content, len, "hash BLOB", 4);
  assert_non_null (at);
  assert_int_equal (fseek (stream, at - content, SEEK_SET), 0);
  fputs ("cash", stream);
  fclose (stream);
  cache = open_cache ();
  assert_int_equal (kept ("a"), 0);
  keep ("a", 100);
  assert_int_equal (kept ("a"), 100);
}

/* Another process, which holds the file's lock while a pipe is open.  */
static pid_t
start_locker (int *pipe_end)
{
  int locked[2], done[2];
  char character = 0;
  assert_true (pipe (locked) == 0 && pipe (done) == 0);
  pid_t pid = fork ();
  if (pid == 0)
    {
      void *db, *library = dlopen ("libsqlite3.so.0", RTLD_NOW);
      int (*open_db) (const char *, void **) = (int (*) (const char *, void **)) dlsym (library, "sqlite3_open");
      int (*exec) (void *, const char *, void *, void *, void *)
	= (int (*) (void *, const char *, void *, void *, void *)) dlsym (library, "sqlite3_exec");
      close (done[1]);
      bool is_locked = open_db (file, &db) == 0 && exec (db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == 0;
      if (!is_locked || write (locked[1], &character, 1) != 1 || read (done[0], &character, 1) != 0)
	_exit (1);
      _exit (0);
    }
  close (locked[1]);
  close (done[0]);
  assert_int_equal (read (locked[0], &character, 1), 1);
  close (locked[0]);
  *pipe_end = done[1];
  return pid;
}

static void
a_lock_is_not_waited_for_long (void **state)
{
  int pipe_end, status;
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  pid_t pid = start_locker (&pipe_end);
  assert_int_equal (kept ("a"), 0);
  keep ("b", 100);
  reopen ();
  assert_int_equal (kept ("a"), 0);
  keep ("b", 100);
  close (pipe_end);
  assert_int_equal (waitpid (pid, &status, 0), pid);
  assert_int_equal (status, 0);
  assert_int_equal (kept ("a"), 100);
  assert_int_equal (kept ("b"), 0);
}

/* Keep and find many in a cache of its own; all that is found is right.  */
static bool
work_at_once (void)
{
  char name[16];
  setup.most_len = 1 << 20;
  cache = pg_cache_open (&setup, why);
  for (int i = 0; cache != NULL && i < N_AT_ONCE; i++)
    {
      snprintf (name, sizeof name, "%c %d", 'a' + i % 3, i / 3);
      if (kept (name) == 0)
	keep (name, 500);
    }
  return cache != NULL;
}

static void
processes_share_a_cache (void **state)
{
  pid_t pids[2];
  int status;
  (void) state;
  need_sqlite ();
  pg_cache_close (cache);
  cache = NULL;
  assert_int_equal (unlink (file), 0);
  for (int p = 0; p < 2; p++)
    {
      pids[p] = fork ();
      if (pids[p] == 0)
	_exit (work_at_once () ? 0 : 1);
    }
  for (int p = 0; p < 2; p++)
    {
      assert_int_equal (waitpid (pids[p], &status, 0), pids[p]);
      assert_int_equal (status, 0);
    }
  cache = open_cache ();
  assert_int_equal (kept ("a 0"), 500);
  assert_int_equal (kept ("b 12"), 500);
}

static bool
child_finds (void)
{
  bool is_found = kept ("a") != 0;
  keep ("b", 100);
  pg_cache_close (cache);
  return is_found;
}

static void
a_forked_process_finds_nothing (void **state)
{
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  assert_false (says_yes (child_finds));
  assert_int_equal (kept ("a"), 100);
  assert_int_equal (kept ("b"), 0);
}

/* Whether the cache opens; if not, MESSAGE must be in what is said.  */
static bool
opens (const char *message)
{
  pg_cache_close (cache);
  cache = pg_cache_open (&setup, why);
  if (cache == NULL && strstr (why, message) == NULL)
    fail_msg ("\"%s\" is not in \"%s\"", message, why);
  return cache != NULL;
}

static void
what_others_may_write_is_not_used (void **state)
{
  char other[160];
  (void) state;
  need_sqlite ();
  assert_int_equal (chmod (folder, 0750), 0);
  assert_false (opens ("others may use it"));
  assert_int_equal (chmod (folder, 0700), 0);
  assert_int_equal (chmod (file, 0640), 0);
  assert_false (opens ("Operation not permitted"));
  assert_int_equal (chmod (file, 0600), 0);
  assert_true (opens (""));
  snprintf (other, sizeof other, "%s/link", parent);
  assert_int_equal (symlink (folder, other), 0);
  setup.folder = other;
  assert_false (opens (other));
  setup.folder = folder;
  snprintf (other, sizeof other, "%s/second", folder);
  assert_int_equal (link (file, other), 0);
  assert_false (opens ("Operation not permitted"));
  if (geteuid () != 0)
    return;
  assert_int_equal (unlink (other), 0);
  assert_int_equal (chown (file, NOBODY, NOBODY), 0);
  assert_false (opens ("Operation not permitted"));
  assert_int_equal (chown (folder, NOBODY, NOBODY), 0);
  assert_false (opens ("it is another user's"));
}

/* As a user that permissions matter to.  */
static bool
reads_only (void)
{
  if (geteuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    return false;
  cache = pg_cache_open (&setup, why);
  if (cache == NULL || kept ("a") != 100)
    return false;
  keep ("b", 100);
  bool is_right = kept ("a") == 100 && kept ("b") == 0;
  return is_right && unlink (file) != 0;
}

static bool
makes_none (void)
{
  if (geteuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    return false;
  cache = pg_cache_open (&setup, why);
  return cache == NULL && strstr (why, "Permission denied") != NULL;
}

static void
a_folder_that_cannot_be_written_is_read (void **state)
{
  (void) state;
  need_sqlite ();
  keep ("a", 100);
  pg_cache_close (cache);
  cache = NULL;
  if (geteuid () == 0)
    {
      assert_int_equal (chmod (parent, 0711), 0);
      *strrchr (folder, '/') = '\0';
      assert_int_equal (chmod (folder, 0711), 0);
      folder[strlen (folder)] = '/';
      assert_int_equal (chown (file, NOBODY, NOBODY), 0);
      assert_int_equal (chown (folder, NOBODY, NOBODY), 0);
    }
  assert_int_equal (chmod (folder, 0500), 0);
  assert_true (says_yes (reads_only));
  assert_int_equal (unlink (file), geteuid () == 0 ? 0 : -1);
  if (geteuid () == 0)
    assert_true (says_yes (makes_none));
  assert_int_equal (chmod (folder, 0700), 0);
}

static bool
is_limited (void)
{
  const struct rlimit limit = { 1 << 20, 1 << 20 };
  return setrlimit (RLIMIT_FSIZE, &limit) == 0 && pg_cache_open (&setup, why) == NULL
	 && strstr (why, "the size of files is limited") != NULL;
}

static void
places_without_a_cache_say_why (void **state)
{
  (void) state;
  need_sqlite ();
  is_remote = true;
  assert_false (opens ("network file system"));
  is_remote = false;
  setup.library = "/nowhere/libsqlite3.so.0";
  assert_false (opens ("SQLite is not found"));
  setup.library = "libcmocka.so.0"; /* as if the program had one, which is its own */
  assert_false (opens ("in use by the program"));
  setup.library = "libsqlite3.so.0";
  assert_true (says_yes (is_limited));
  setup.folder = "/proc/paragon";
  assert_false (opens ("/proc/paragon"));
}

static void
the_folder_is_the_users (void **state)
{
  char path[PG_CACHE_PATH_LEN];
  (void) state;
  setenv ("HOME", "/home/user", 1);
  unsetenv ("XDG_CACHE_HOME");
  assert_true (pg_cache_defaults (&setup, path));
  assert_string_equal (setup.folder, "/home/user/.cache/paragon");
  assert_int_equal (setup.most_len, 256 << 20);
  setenv ("XDG_CACHE_HOME", "here", 1);
  assert_true (pg_cache_defaults (&setup, path));
  assert_string_equal (setup.folder, "/home/user/.cache/paragon");
  setenv ("XDG_CACHE_HOME", "/var/cache", 1);
  assert_true (pg_cache_defaults (&setup, path));
  assert_string_equal (setup.folder, "/var/cache/paragon");
  pg_environment.cache = "on";
  assert_true (pg_cache_defaults (&setup, path));
  assert_string_equal (setup.folder, "/var/cache/paragon");
  pg_environment.cache = "/opt/kept";
  assert_true (pg_cache_defaults (&setup, path));
  assert_string_equal (setup.folder, "/opt/kept");
  assert_int_equal (setup.most_len, 256 << 20);
  is_secure = true;
  assert_false (pg_cache_defaults (&setup, path));
  is_secure = false;
  pg_environment.cache = "off";
  assert_false (pg_cache_defaults (&setup, path));
  pg_environment.cache = NULL;
  unsetenv ("XDG_CACHE_HOME");
  setenv ("HOME", "user", 1);
  assert_false (pg_cache_defaults (&setup, path));
}

#define TEST(name) cmocka_unit_test_setup_teardown (name, set_up, tear_down)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    TEST (what_was_kept_is_found),
    TEST (keys_tell_where_a_part_ends),
    TEST (what_was_not_used_for_longest_goes),
    TEST (a_damaged_file_is_begun_anew),
    TEST (damaged_bytes_are_missing),
    TEST (another_table_is_begun_anew),
    TEST (a_lock_is_not_waited_for_long),
    TEST (processes_share_a_cache),
    TEST (a_forked_process_finds_nothing),
    TEST (what_others_may_write_is_not_used),
    TEST (a_folder_that_cannot_be_written_is_read),
    TEST (places_without_a_cache_say_why),
    TEST (the_folder_is_the_users),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
