/* SPDX-License-Identifier: MIT
   The cache as a table of SQLite.  See cache.h.

       compiled:  key		used	len   hash	     bytes
		  (16 bytes)	17	5120  (16 bytes)     \177ELF...
		  ...		18

   USED orders rows by their last use; a row of the younger half keeps its place, so that not every use is a write.
   Bytes whose hash is another are as good as missing.  A file that is no such table is removed, and another begun: it
   was damaged, and all that is in it can be had again.  */
#include "cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Of SQLite.  */
enum
{
  RESULT_OK = 0,
  RESULT_ERROR = 1, /* of a statement: the table is another one */
  RESULT_CORRUPT = 11,
  RESULT_NO_DATABASE = 26,
  RESULT_ROW = 100,
  RESULT_DONE = 101,
  OPEN_READ_WRITE = 2,
  OPEN_FULL_MUTEX = 0x10000
};

struct pg_cache
{
  void *library, *db; /* NULL: not open */
#define PG_SQLITE_FUNCTION(result, name, parameters) result (*name) parameters;
#include "sqlite-functions.def"
  char path[PG_CACHE_PATH_LEN];
  uint64_t most_len;
  int64_t deadline_ns; /* of the call */
  pid_t owner;
  bool has_table; /* surely */
};

static const char make_table[] = "PRAGMA synchronous = OFF;"
				 "CREATE TABLE IF NOT EXISTS compiled (key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL,"
				 " len INTEGER NOT NULL, hash BLOB NOT NULL, bytes BLOB NOT NULL);"
				 "CREATE INDEX IF NOT EXISTS compiled_used ON compiled (used, len)";
static const char find_row[] = "SELECT hash, bytes FROM compiled WHERE key = ?1";
static const char use_row[] = "UPDATE compiled SET used = (SELECT MAX (used) + 1 FROM compiled)"
			      " WHERE key = ?1 AND used < (SELECT (MIN (used) + MAX (used)) / 2 FROM compiled)";
static const char keep_row[]
  = "INSERT OR REPLACE INTO compiled VALUES (?1, (SELECT IFNULL (MAX (used), 0) + 1 FROM compiled), ?2, ?3, ?4)";
static const char remove_rows[] = "DELETE FROM compiled WHERE rowid IN (SELECT rowid FROM"
				  " (SELECT rowid, SUM (len) OVER (ORDER BY used DESC) AS sum FROM compiled)"
				  " WHERE sum > ?2)";

static int64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct pg_cache_key
hash_of (const void *bytes, size_t len)
{
  XXH128_hash_t hash = XXH3_128bits (bytes, len);
  return (struct pg_cache_key) { hash.low64, hash.high64 };
}

struct pg_cache_key
pg_cache_key (struct pg_cache_key before, const char *const *parts, size_t n_parts)
{
  struct
  {
    struct pg_cache_key before, part;
    uint64_t len;
  } all = { .before = before };
  for (size_t i = 0; i < n_parts; i++)
    {
      all.len = strlen (parts[i]);
      all.part = hash_of (parts[i], all.len);
      all.before = hash_of (&all, sizeof all);
    }
  return all.before;
}

/* SQLite asks whether to wait for another process's lock.  */
static int
wait_for_lock (void *data, int n)
{
  const struct pg_cache *cache = data;
  const struct timespec a_while = { .tv_nsec = 1000000 };
  (void) n;
  return now () < cache->deadline_ns && nanosleep (&a_while, NULL) == 0;
}

/* Make CACHE's file where it is missing; whether it is its owner's alone.  */
static bool
make_file (const struct pg_cache *cache)
{
  struct stat facts;
  int fd = open (cache->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  bool is_right = fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode) && facts.st_uid == geteuid ()
		  && facts.st_nlink == 1 && (facts.st_mode & 077) == 0;
  errno = EPERM;
  close (fd);
  return is_right;
}

static bool
open_file (struct pg_cache *cache)
{
  cache->has_table = false;
  if (cache->open_v2 (cache->path, &cache->db, OPEN_READ_WRITE | OPEN_FULL_MUTEX, NULL) == RESULT_OK)
    return cache->busy_handler (cache->db, wait_for_lock, cache) == RESULT_OK;
  cache->close (cache->db);
  cache->db = NULL;
  return false;
}

static bool
look_up (struct pg_cache *cache)
{
#define PG_SQLITE_FUNCTION(result, name, parameters)                  \
  *(void **) &cache->name = dlsym (cache->library, "sqlite3_" #name); \
  if (cache->name == NULL)                                            \
    return false;
#include "sqlite-functions.def"
  return true;
}

/* Open CACHE as SETUP says.  What is wrong, or NULL.  */
static const char *
begin (struct pg_cache *cache, const struct pg_cache_setup *setup)
{
  struct rlimit limit;
  int len = snprintf (cache->path, sizeof cache->path, "%s/" PG_CACHE_FILE, setup->folder);
  if (len >= (int) sizeof cache->path)
    return "its name is too long";
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    return "the size of files is limited"; /* beyond it, the program would get a signal */
  cache->library = dlopen (setup->library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (cache->library != NULL)
    return "SQLite is in use by the program";
  cache->library = dlopen (setup->library, RTLD_NOW | RTLD_LOCAL);
  if (cache->library == NULL || !look_up (cache))
    return "SQLite is not found";
  if (!make_file (cache))
    return strerror (errno);
  return open_file (cache) ? NULL : "SQLite cannot open it";
}

struct pg_cache *
pg_cache_open (const struct pg_cache_setup *setup, char *text)
{
  if (!pg_cache_folder (setup->folder, text))
    return NULL;
  struct pg_cache *cache = calloc (1, sizeof *cache);
  if (cache == NULL)
    {
      snprintf (text, PG_CACHE_TEXT_LEN, "no memory");
      return NULL;
    }
  cache->owner = getpid ();
  cache->most_len = setup->most_len < INT_MAX ? setup->most_len : INT_MAX;
  const char *wrong = begin (cache, setup);
  if (wrong == NULL)
    return cache;
  snprintf (text, PG_CACHE_TEXT_LEN, "no cache in %s: %s", setup->folder, wrong);
  pg_cache_close (cache);
  return NULL;
}

void
pg_cache_close (struct pg_cache *cache)
{
  if (cache == NULL)
    return;
  if (cache->db != NULL && cache->owner == getpid ())
    cache->close (cache->db);
  if (cache->library != NULL)
    dlclose (cache->library);
  free (cache);
}

/* A statement that does SQL, ?1 being KEY; or NULL, and *RESULT says why.  */
static void *
prepare (struct pg_cache *cache, const char *sql, const struct pg_cache_key *key, int *result)
{
  void *statement = NULL;
  *result = cache->prepare_v2 (cache->db, sql, -1, &statement, NULL);
  if (*result == RESULT_OK)
    *result = cache->bind_blob (statement, 1, key, sizeof *key, NULL);
  if (*result == RESULT_OK)
    return statement;
  cache->finalize (statement);
  return NULL;
}

/* Do SQL, ?1 being KEY, ?2 NUMBER.  */
static int
change (struct pg_cache *cache, const char *sql, const struct pg_cache_key *key, uint64_t number)
{
  int result;
  void *statement = prepare (cache, sql, key, &result);
  if (statement == NULL)
    return result;
  cache->bind_int64 (statement, 2, (long long) number); /* where there is a ?2 */
  cache->step (statement);
  return cache->finalize (statement);
}

/* Take the bytes of STATEMENT's row, if they are whole.  */
static bool
take_row (struct pg_cache *cache, void *statement, char **bytes, size_t *len)
{
  const void *hash = cache->column_blob (statement, 0), *kept = cache->column_blob (statement, 1);
  int hash_len = cache->column_bytes (statement, 0), kept_len = cache->column_bytes (statement, 1);
  if (hash == NULL || kept == NULL || hash_len != sizeof (struct pg_cache_key))
    return false;
  struct pg_cache_key is = hash_of (kept, (size_t) kept_len);
  if (memcmp (hash, &is, sizeof is) != 0)
    return false;
  *len = (size_t) kept_len;
  *bytes = malloc (*len);
  if (*bytes != NULL)
    memcpy (*bytes, kept, *len);
  return *bytes != NULL;
}

static int
find (struct pg_cache *cache, const struct pg_cache_key *key, char **bytes, size_t *len)
{
  int result;
  void *statement = prepare (cache, find_row, key, &result);
  if (statement == NULL)
    return result;
  if (cache->step (statement) == RESULT_ROW)
    take_row (cache, statement, bytes, len);
  return cache->finalize (statement);
}

static int
keep (struct pg_cache *cache, const struct pg_cache_key *key, const char *bytes, size_t len)
{
  int result;
  struct pg_cache_key hash = hash_of (bytes, len);
  void *statement = prepare (cache, keep_row, key, &result);
  if (statement == NULL)
    return result;
  cache->bind_int64 (statement, 2, (long long) len);
  cache->bind_blob (statement, 3, &hash, sizeof hash, NULL);
  cache->bind_blob (statement, 4, bytes, (int) len, NULL);
  cache->step (statement);
  return cache->finalize (statement);
}

/* Whether the file is damaged, or another's, as RESULT says; then there is a new one, if *IS_NEW is not set, which it
   is then.  */
static bool
is_renewed (struct pg_cache *cache, int result, bool *is_new)
{
  char journal[PG_CACHE_PATH_LEN + sizeof "-journal"];
  if (*is_new || (result != RESULT_ERROR && result != RESULT_CORRUPT && result != RESULT_NO_DATABASE))
    return false;
  *is_new = true;
  cache->close (cache->db);
  cache->db = NULL;
  snprintf (journal, sizeof journal, "%s-journal", cache->path);
  unlink (journal);
  unlink (cache->path);
  return make_file (cache) && open_file (cache);
}

/* Whether the table is there and may be asked by this process.  */
static int
make_ready (struct pg_cache *cache)
{
  if (cache->has_table)
    return RESULT_OK;
  int result = cache->exec (cache->db, make_table, NULL, NULL, NULL);
  cache->has_table = result == RESULT_OK;
  return result;
}

static bool
may_begin (struct pg_cache *cache)
{
  cache->deadline_ns = now () + (int64_t) PG_CACHE_WAIT_MS * 1000000;
  return cache->db != NULL && cache->owner == getpid ();
}

bool
pg_cache_find (struct pg_cache *cache, struct pg_cache_key key, char **bytes, size_t *len)
{
  bool is_new = false;
  int result;
  *bytes = NULL;
  if (!may_begin (cache))
    return false;
  do
    {
      result = make_ready (cache);
      if (result == RESULT_OK)
	result = find (cache, &key, bytes, len);
    }
  while (is_renewed (cache, result, &is_new));
  if (*bytes == NULL)
    return false;
  cache->deadline_ns = 0;
  change (cache, use_row, &key, 0);
  return true;
}

/* Keep the row, and as many others as there is room for.  */
static int
keep_alone (struct pg_cache *cache, const struct pg_cache_key *key, const char *bytes, size_t len)
{
  int result = cache->exec (cache->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (result != RESULT_OK)
    return result;
  result = keep (cache, key, bytes, len);
  if (result == RESULT_OK)
    result = change (cache, remove_rows, key, cache->most_len);
  int ended = cache->exec (cache->db, result == RESULT_OK ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
  if (ended != RESULT_OK)
    cache->exec (cache->db, "ROLLBACK", NULL, NULL, NULL);
  return result == RESULT_OK ? ended : result;
}

void
pg_cache_keep (struct pg_cache *cache, struct pg_cache_key key, const char *bytes, size_t len)
{
  bool is_new = false;
  int result;
  if (len > cache->most_len || !may_begin (cache))
    return;
  do
    {
      result = make_ready (cache);
      if (result == RESULT_OK)
	result = keep_alone (cache, &key, bytes, len);
    }
  while (is_renewed (cache, result, &is_new));
}

/* SQLite has a row of two numbers for the count DATA.  */
static int
take_count (void *data, int n_columns, char **values, char **names)
{
  struct pg_cache_count *count = data;
  (void) names;
  if (n_columns != 2 || values[0] == NULL || values[1] == NULL)
    return 1;
  *count = (struct pg_cache_count) { strtoull (values[0], NULL, 10), strtoull (values[1], NULL, 10) };
  return 0;
}

bool
pg_cache_count (struct pg_cache *cache, struct pg_cache_count *count)
{
  static const char sql[] = "SELECT COUNT (*), IFNULL (SUM (len), 0) FROM compiled";
  return may_begin (cache) && cache->exec (cache->db, sql, (void *) (uintptr_t) take_count, count, NULL) == RESULT_OK;
}
