/* SPDX-License-Identifier: MIT
   The environment variables.  See environment.h.

   The value list of each variable in environment.def is also its parser's table: "on|off|compare|help" makes the
   number of the alternative, and the text after an alternative's colon ("every:K") a number that must follow.  */
#include "environment.h"
#include "arena.h"
#include "log.h"
#include "places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum variable
{
#define PG_VARIABLE(id, name, values, text) VARIABLE_##id,
#include "environment.def"
#undef PG_VARIABLE
  N_VARIABLES
};

static const struct
{
  const char *name, *values, *text;
} variables[] = {
#define PG_VARIABLE(id, name, values, text) { name, values, text },
#include "environment.def"
#undef PG_VARIABLE
};

struct pg_environment pg_environment;

/* The value of VARIABLE, or NULL when it is not set or empty.  */
static const char *
given (enum variable variable)
{
  const char *text = getenv (variables[variable].name);
  return text == NULL || *text == '\0' ? NULL : text;
}

static void
complain (enum variable variable, const char *text)
{
  pg_log_say ("%s=%s is not known and ignored; known: %s", variables[variable].name, text, variables[variable].values);
}

/* Whether TEXT is a whole decimal number of at least LEAST.  */
static bool
parse_number (const char *text, int64_t least, int64_t *number)
{
  char *end;
  errno = 0;
  long long value = strtoll (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < least)
    return false;
  *number = value;
  return true;
}

/* The number of the alternative of VARIABLE's value list that its value names, or -1 when it is not given.  An
   alternative with a colon takes a NUMBER of at least 0 after it.  */
static int
read_choice (enum variable variable, int64_t *number)
{
  const char *text = given (variable);
  if (text == NULL)
    return -1;
  int n = 0;
  for (const char *value = variables[variable].values; *value != '\0'; n++)
    {
      size_t len = strcspn (value, "|");
      const char *colon = memchr (value, ':', len);
      if (colon == NULL && strlen (text) == len && memcmp (text, value, len) == 0)
	return n;
      size_t key_len = colon == NULL ? 0 : (size_t) (colon - value) + 1;
      if (key_len > 0 && strncmp (text, value, key_len) == 0 && parse_number (text + key_len, 0, number))
	return n;
      value += len;
      value += *value == '|';
    }
  complain (variable, text);
  return -1;
}

/* The number that VARIABLE gives, or FALLBACK.  */
static int64_t
read_number (enum variable variable, int64_t least, int64_t fallback)
{
  const char *text = given (variable);
  if (text == NULL)
    return fallback;
  int64_t number = fallback;
  if (!parse_number (text, least, &number))
    complain (variable, text);
  return number;
}

/* A copy of VARIABLE's text that setenv in the program cannot change; NULL when not given.  */
static const char *
read_text (enum variable variable)
{
  const char *text = given (variable);
  if (text == NULL)
    return NULL;
  size_t len = strlen (text) + 1;
  char *copy = pg_arena_get (len);
  return copy == NULL ? NULL : memcpy (copy, text, len);
}

/* What VARIABLE says: a path; NULL: nothing.  The program may change its directory, so the path is absolute.  */
static const char *
read_path (enum variable variable)
{
  const char *text = read_text (variable);
  if (text == NULL || *text == '/')
    return text;
  complain (variable, text);
  return NULL;
}

/* The same, or "off" or "on".  */
static const char *
read_folder (enum variable variable)
{
  const char *text = given (variable);
  bool is_word = text != NULL && (strcmp (text, "off") == 0 || strcmp (text, "on") == 0);
  return is_word ? read_text (variable) : read_path (variable);
}

static unsigned
read_log (void)
{
  const char *text = given (VARIABLE_LOG);
  if (text == NULL)
    return 0;
  const char *bad;
  int bad_len;
  unsigned mask = pg_log_parse (text, &bad, &bad_len);
  if (bad != NULL)
    pg_log_say ("%s: no category %.*s; this variable: %s", variables[VARIABLE_LOG].name, bad_len, bad,
		variables[VARIABLE_LOG].text);
  return mask;
}

/* A list of FILE:LINE: complain about members that are not, which match nothing.  @FILE: what is in FILE; one that
   cannot be read is empty, so that no loop is handed over which was not to be.  */
static const char *
read_places (enum variable variable)
{
  const char *list = read_text (variable);
  if (list != NULL && *list == '@')
    {
      const char *loaded = pg_places_load (list + 1);
      if (loaded == NULL)
	pg_log_say ("%s=%s: %s", variables[variable].name, list, strerror (errno));
      return loaded == NULL ? "" : loaded;
    }
  if (list != NULL && !pg_places_right (list))
    complain (variable, list);
  return list;
}

void
pg_environment_defaults (struct pg_environment *env)
{
  *env = (struct pg_environment) { .step = -1, .limit = -1 };
}

void
pg_environment_read (struct pg_environment *env)
{
  int64_t number = 0, race_seed = 0;
  int mode = read_choice (VARIABLE_MODE, &number);
  int plan = read_choice (VARIABLE_PLAN, &number);
  int device = read_choice (VARIABLE_DEVICE, &number);
  int method = read_choice (VARIABLE_METHOD, &number);
  int map = read_choice (VARIABLE_MAP, &number);
  int race = read_choice (VARIABLE_RACE, &race_seed);
  int inject = read_choice (VARIABLE_INJECT, &number);
  *env = (struct pg_environment) {
    .mode = mode < 0 ? PG_MODE_ON : (enum pg_mode) mode,
    .plan = plan < 0 ? PG_PLAN_AUTO : (enum pg_plan_forced) plan,
    .device = device < 0 ? 0 : device,
    .method = method < 0 ? 0 : method,
    .map = map < 0 ? 0 : map,
    .race = race < 0 ? PG_RACE_AUTO : (enum pg_race) race,
    .race_seed = race_seed,
    .inject = inject >= 0,
    .inject_kind = inject < 0 ? PG_INJECT_EVERY : (enum pg_inject_kind) inject,
    .inject_number = number,
    .n_threads = read_number (VARIABLE_THREADS, 1, 0),
    .limit = read_number (VARIABLE_LIMIT, 0, -1),
    .log = read_log (),
    .stats = read_text (VARIABLE_STATS),
    .trace = read_text (VARIABLE_TRACE),
    .cache = read_folder (VARIABLE_CACHE),
    .only = read_places (VARIABLE_ONLY),
    .skip = read_places (VARIABLE_SKIP),
    .list = read_path (VARIABLE_LIST),
    .is_watch_off = read_choice (VARIABLE_WATCH, &number) == 1,
    .is_mirrors_off = read_choice (VARIABLE_MIRRORS, &number) == 1,
  };
  env->step = read_choice (VARIABLE_STEP, &number);
  if (env->inject && env->inject_kind == PG_INJECT_EVERY && number == 0)
    {
      complain (VARIABLE_INJECT, "every:0");
      env->inject = false;
    }
}

void
pg_environment_help (void)
{
  for (int v = 0; v < N_VARIABLES; v++)
    pg_log_say ("%s=%s: %s", variables[v].name, variables[v].values, variables[v].text);
}

/* A well-mixed hash of SEED and ITER (splitmix64's finalizer).  */
static uint64_t
mix (uint64_t seed, uint64_t iter)
{
  uint64_t x = seed * 0x9e3779b97f4a7c15u + iter;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

enum
{
  RANDOM_PERIOD = 256 /* one iteration in so many conflicts */
};

int64_t
pg_environment_inject (const struct pg_environment *env, int64_t lo, int64_t hi)
{
  int64_t number = env->inject_number;
  if (!env->inject)
    return hi;
  switch (env->inject_kind)
    {
    case PG_INJECT_EVERY: /* iterations K, 2K, ... */
      {
	int64_t before = lo <= number ? 0 : (lo - 1) / number;
	return before < hi / number ? (before + 1) * number < hi ? (before + 1) * number : hi : hi;
      }
    case PG_INJECT_AT:
      return number >= lo && number < hi ? number : hi;
    case PG_INJECT_RANDOM:
      while (lo < hi && mix ((uint64_t) number, (uint64_t) lo) % RANDOM_PERIOD != 0)
	lo++;
      return lo;
    }
  return hi;
}
