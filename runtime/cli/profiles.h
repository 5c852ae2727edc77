/* SPDX-License-Identifier: MIT
   What runs wrote with PARAGON_STATS=FILE.json: their counts, summed by loop.  */
#ifndef PARAGON_CLI_PROFILES_H
#define PARAGON_CLI_PROFILES_H

#include "verdicts.h"

struct pg_profiles
{
  struct json_object *loops; /* counts by file, line, function, class and reason */
  struct json_object *names; /* of the files, a list */
  int64_t n_refused;         /* entries whose loop is not known */
  struct timespec last_change;
};

/* Make PROFILES empty.  */
void pg_profiles_make (struct pg_profiles *profiles);

/* Add what PATH has to PROFILES.  False: it is no such file, which was said.  */
bool pg_profiles_read (struct pg_profiles *profiles, const char *path);

/* Give each of VERDICTS the member "run", its counts, if PROFILES has them; of those that look the same, the first that
   is handed over.  A loop that was run and that nobody speaks of is added to VERDICTS.  */
void pg_profiles_join (struct pg_profiles *profiles, struct pg_verdicts *verdicts);

void pg_profiles_free (struct pg_profiles *profiles);

#endif
