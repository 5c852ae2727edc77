/* SPDX-License-Identifier: MIT
   paragon cache: what is kept from run to run.

       $ paragon cache list
       /home/user/.cache/paragon/compiled-1.db: entries: 12, bytes: 34816

   Entries are found by what they are of, and do not say it.  */
#include "command.h"

#include "../cache.h"
#include "../environment.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

enum
{
  FILE_LEN = PG_CACHE_PATH_LEN + sizeof PG_CACHE_FILE
};

/* Say what is in the cache of SETUP, whose file is FILE.  */
static int
list (const struct pg_cache_setup *setup, const char *file)
{
  char why[PG_CACHE_TEXT_LEN];
  struct pg_cache_count count;
  if (access (file, F_OK) != 0)
    {
      printf ("%s: nothing is kept\n", setup->folder);
      return PG_EXIT_OK;
    }
  struct pg_cache *cache = pg_cache_open (setup, why);
  bool is_counted = cache != NULL && pg_cache_count (cache, &count);
  if (is_counted)
    printf ("%s: entries: %llu, bytes: %llu\n", file, (unsigned long long) count.n, (unsigned long long) count.len);
  else if (cache != NULL)
    pg_say ("%s: it is damaged, or in use: paragon cache clear removes it", file);
  else
    pg_say ("%s", why);
  pg_cache_close (cache);
  return is_counted ? PG_EXIT_OK : PG_EXIT_WRONG;
}

/* Remove FILE, which may be gone.  */
static bool
remove_file (const char *file)
{
  if (unlink (file) == 0 || errno == ENOENT)
    return true;
  pg_say ("%s: %s", file, strerror (errno));
  return false;
}

/* Remove what is in the cache of SETUP, whose file is FILE.  */
static int
clear (const struct pg_cache_setup *setup, const char *file)
{
  char journal[FILE_LEN + sizeof "-journal"];
  bool was_there = access (file, F_OK) == 0;
  snprintf (journal, sizeof journal, "%s-journal", file);
  if (!remove_file (journal) || !remove_file (file))
    return PG_EXIT_WRONG;
  printf ("%s: %s\n", was_there ? file : setup->folder, was_there ? "removed" : "nothing is kept");
  return PG_EXIT_OK;
}

int
pg_command_cache (int argc, char **argv)
{
  char folder[PG_CACHE_PATH_LEN], file[FILE_LEN];
  struct pg_cache_setup setup;
  bool is_right = pg_command_next_option (PG_COMMAND_CACHE, argc, argv) == PG_OPTIONS_END && argc - optind == 1;
  const char *what = is_right ? argv[optind] : "";
  if (strcmp (what, "list") != 0 && strcmp (what, "clear") != 0)
    return pg_command_wrong (PG_COMMAND_CACHE, "list or clear");
  pg_environment_read (&pg_environment);
  if (!pg_cache_defaults (&setup, folder))
    {
      pg_say ("there is no cache: PARAGON_CACHE is off, or no folder is known for it");
      return PG_EXIT_WRONG;
    }
  snprintf (file, sizeof file, "%s/" PG_CACHE_FILE, folder);
  return strcmp (what, "list") == 0 ? list (&setup, file) : clear (&setup, file);
}
