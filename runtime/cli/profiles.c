/* SPDX-License-Identifier: MIT
   Counts of runs.  See profiles.h.

       {"pid":1,"foreign":0,"malformed":0,"regions":[{"file":"a.c","line":7,...,"entries":2,"rungs":{"L1":2},...},...]}

   Whatever is a number is summed, but for the line; so are those one level down.  Which counts there are is
   runtime/stats.c's affair.  */
#include "profiles.h"
#include "command.h"
#include "member.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  DEPTH_MOST = 8 /* of JSON; what the library writes has 4 */
};

static const struct
{
  const char *name, *text, *remedy;
} reasons[] = {
#define PG_REASON(id, class, name, text, remedy) { name, text, remedy },
#include "reasons.def"
#undef PG_REASON
};

void
pg_profiles_make (struct pg_profiles *profiles)
{
  *profiles = (struct pg_profiles) { .loops = json_object_new_object (), .names = json_object_new_array () };
}

void
pg_profiles_free (struct pg_profiles *profiles)
{
  json_object_put (profiles->loops);
  json_object_put (profiles->names);
}

/* The sum of A and B, or the most that can be said.  */
static int64_t
sum (int64_t a, int64_t b)
{
  int64_t total;
  return __builtin_add_overflow (a, b, &total) ? (b < 0 ? INT64_MIN : INT64_MAX) : total;
}

/* Add the counts of FROM, and those one level down, to INTO, where there is none of 0.  What is not a number is left as
   it is.  */
static void
add_counts (struct json_object *into, struct json_object *from, int depth)
{
  json_object_object_foreach (from, name, count)
  {
    struct json_object *before = json_object_object_get (into, name);
    if (json_object_is_type (count, json_type_int))
      {
	int64_t n = before != NULL ? json_object_get_int64 (before) : 0;
	if (json_object_get_int64 (count) != 0)
	  json_object_object_add (into, name, json_object_new_int64 (sum (n, json_object_get_int64 (count))));
      }
    else if (json_object_is_type (count, json_type_object) && depth == 0 && json_object_object_length (count) > 0)
      {
	if (!json_object_is_type (before, json_type_object))
	  json_object_object_add (into, name, before = json_object_new_object ());
	add_counts (before, count, depth + 1);
      }
  }
}

/* What VERDICT's loop is called in pg_profiles.loops.  The caller frees it.  */
static char *
key_of (const struct pg_loop_verdict *verdict)
{
  char *key;
  if (asprintf (&key, "%s\n%lld\n%s\n%s\n%s", verdict->file, (long long) verdict->line, verdict->function,
		verdict->klass, verdict->reason)
      >= 0)
    return key;
  pg_say ("no memory");
  exit (PG_EXIT_WRONG);
}

/* The verdict that a profile's REGION speaks of, without its members.  False: it is not what the library writes.  */
static bool
begin_verdict (struct json_object *region, struct pg_loop_verdict *verdict)
{
  const char *klass = pg_member_text (region, "class");
  struct json_object *line = json_object_object_get (region, "line");
  *verdict = (struct pg_loop_verdict) { .file = pg_member_text (region, "file"),
					.function = pg_member_text (region, "function"),
					.reason = pg_member_text (region, "reason"),
					.line = json_object_get_int64 (line) };
  if (klass != NULL)
    verdict->klass = strcmp (klass, "possibly") == 0 ? "possibly parallel" : klass;
  return json_object_is_type (line, json_type_int) && verdict->line >= 0 && verdict->file != NULL
	 && verdict->function != NULL && verdict->klass != NULL && verdict->reason != NULL;
}

/* A verdict's members as far as a profile's VERDICT knows them.  */
static struct json_object *
members_of (const struct pg_loop_verdict *verdict)
{
  struct json_object *members = json_object_new_object ();
  json_object_object_add (members, "file", json_object_new_string (verdict->file));
  json_object_object_add (members, "line", json_object_new_int64 (verdict->line));
  json_object_object_add (members, "function", json_object_new_string (verdict->function));
  json_object_object_add (members, "class", json_object_new_string (verdict->klass));
  json_object_object_add (members, "reason", json_object_new_string (verdict->reason));
  for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++)
    if (strcmp (reasons[r].name, verdict->reason) == 0)
      {
	json_object_object_add (members, "text", json_object_new_string (reasons[r].text));
	json_object_object_add (members, "remedy", json_object_new_string (reasons[r].remedy));
      }
  return members;
}

/* Add the loop of REGION.  False: it is not what the library writes.  */
static bool
add_region (struct pg_profiles *profiles, struct json_object *region)
{
  struct pg_loop_verdict verdict;
  if (!json_object_is_type (region, json_type_object) || !begin_verdict (region, &verdict))
    return false;
  char *key = key_of (&verdict);
  struct json_object *loop = json_object_object_get (profiles->loops, key), *counts;
  if (loop == NULL)
    {
      loop = members_of (&verdict);
      json_object_object_add (loop, "run", json_object_new_object ());
      json_object_object_add (profiles->loops, key, loop);
    }
  free (key);
  counts = json_object_object_get (loop, "run");
  add_counts (counts, region, 0);
  json_object_object_del (counts, "line");
  return true;
}

/* Add what PROFILE says.  False: it is not what the library writes.  */
static bool
add_profile (struct pg_profiles *profiles, struct json_object *profile)
{
  struct json_object *regions = json_object_object_get (profile, "regions");
  if (!json_object_is_type (regions, json_type_array))
    return false;
  for (size_t r = 0; r < json_object_array_length (regions); r++)
    if (!add_region (profiles, json_object_array_get_idx (regions, r)))
      return false;
  const char *const refused[] = { "foreign", "malformed" };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    profiles->n_refused
      = sum (profiles->n_refused, json_object_get_int64 (json_object_object_get (profile, refused[i])));
  return true;
}

/* The JSON in the file FD, whose length is LEN; NULL: it is none.  */
static struct json_object *
read_json (int fd, off_t len)
{
  char *text = len < INT32_MAX ? malloc ((size_t) len + 1) : NULL;
  struct json_tokener *tokener = json_tokener_new_ex (DEPTH_MOST);
  ssize_t n_read = 0, n = 1;
  while (text != NULL && n_read < len && n > 0)
    n_read += n = read (fd, text + n_read, (size_t) (len - n_read));
  struct json_object *object = NULL;
  if (text != NULL && n > 0)
    object = json_tokener_parse_ex (tokener, text, (int) n_read);
  json_tokener_free (tokener);
  free (text);
  return object;
}

bool
pg_profiles_read (struct pg_profiles *profiles, const char *path)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_open = fd >= 0 && fstat (fd, &status) == 0;
  if (!is_open)
    pg_say ("%s: %s", path, strerror (errno));
  struct json_object *profile = is_open && S_ISREG (status.st_mode) ? read_json (fd, status.st_size) : NULL;
  bool is_profile = json_object_is_type (profile, json_type_object) && add_profile (profiles, profile);
  if (is_open && !is_profile)
    pg_say ("%s: not what a program writes with PARAGON_STATS=FILE.json", path);
  if (is_profile)
    {
      json_object_array_add (profiles->names, json_object_new_string (path));
      profiles->last_change = status.st_mtim;
    }
  json_object_put (profile);
  if (fd >= 0)
    close (fd);
  return is_profile;
}

/* Give VERDICT its counts, if PROFILES has them.  */
static void
join (struct pg_profiles *profiles, const struct pg_loop_verdict *verdict)
{
  struct json_object *outlined = json_object_object_get (verdict->members, "outlined"), *loop;
  if (!json_object_get_boolean (outlined))
    return;
  char *key = key_of (verdict);
  if (json_object_object_get_ex (profiles->loops, key, &loop))
    {
      json_object_object_add (verdict->members, "run", json_object_get (json_object_object_get (loop, "run")));
      json_object_object_del (profiles->loops, key);
    }
  free (key);
}

void
pg_profiles_join (struct pg_profiles *profiles, struct pg_verdicts *verdicts)
{
  for (size_t v = 0; v < verdicts->n; v++)
    join (profiles, &verdicts->all[v]);
  json_object_object_foreach (profiles->loops, key, loop)
  {
    (void) key;
    pg_verdicts_add (verdicts, json_object_get (loop), "a profile only", profiles->last_change);
  }
}
