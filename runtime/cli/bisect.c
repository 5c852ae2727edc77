/* SPDX-License-Identifier: MIT
   paragon bisect: the loop that makes a command fail.

       run 1	  PARAGON=off			   passes, else it is not Paragon's fault
       run 2	  PARAGON_LIST=FILE		   fails, else there is nothing to find; FILE then has all loops
       others	  PARAGON_ONLY=@FILE with some	   bisect-search.h

   A loop is known by its name, FILE:LINE, so it does not matter which thread or process enters it first, nor how many
   do: what a run may hand over does not depend on that.  (PARAGON_LIMIT counts in each process anew.)  */
#include "await.h"
#include "bisect-search.h"
#include "command.h"
#include "listing.h"
#include "own-file.h"
#include "trial.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  EXIT_FOUND = 0,
  EXIT_PASSES = 1,
  EXIT_CANNOT_TELL = 125
};

struct bisection
{
  struct pg_trial trial;
  struct pg_listing listing;
  struct pg_own_folder folder;
  char path[PG_OWN_PATH_LEN]; /* of the file with the loops that a run is to hand over */
};

/* Run the command with loops FROM .. TO - 1 of the bisection DATA: as pg_bisect_search wants it.  */
static enum pg_outcome
try (void *data, size_t from, size_t to)
{
  struct bisection *b = data;
  char what[sizeof b->path];
  if (!pg_listing_write (&b->listing, from, to, b->path))
    return PG_CANNOT_TELL;
  if (to == 0)
    snprintf (what, sizeof what, "no loop");
  else if (to == from + 1)
    snprintf (what, sizeof what, "%s alone", b->listing.all[from].name);
  else
    snprintf (what, sizeof what, "the first %zu of %zu loops", to, b->listing.n);
  return pg_trial_run (&b->trial, what);
}

/* Write TEXT so that a shell takes it as one word.  */
static void
write_word (const char *text)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%";
  if (*text != '\0' && text[strspn (text, plain)] == '\0')
    {
      fputs (text, stdout);
      return;
    }
  putchar ('\'');
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs ("'\\''", stdout);
    else
      putchar (*text);
  putchar ('\'');
}

/* Write what this process was given, of what Paragon reads, and what bisect has not set.  */
static void
write_variables (void)
{
  static const char *const names[] = {
#define PG_VARIABLE(id, name, values, text) name,
#include "environment.def"
#undef PG_VARIABLE
  };
  for (size_t v = 0; v < sizeof names / sizeof *names; v++)
    {
      const char *value = getenv (names[v]);
      if (value == NULL || strcmp (names[v], "PARAGON") == 0 || strcmp (names[v], "PARAGON_ONLY") == 0)
	continue;
      printf ("%s=", names[v]);
      write_word (value);
      putchar (' ');
    }
}

/* Write the command line that repeats the failure: with loops FROM .. TO - 1.  */
static void
write_command (const struct bisection *b, size_t from, size_t to)
{
  write_variables ();
  fputs ("PARAGON_ONLY=", stdout);
  for (size_t i = from; i < to; i++)
    {
      if (i > from)
	putchar (',');
      write_word (b->listing.all[i].name);
    }
  for (char *const *word = b->trial.argv; *word != NULL; word++)
    {
      putchar (' ');
      write_word (*word);
    }
  putchar ('\n');
}

/* Write what was found: LOOP is to blame, ALONE or with some of those before it.  */
static void
write_result (const struct bisection *b, size_t loop, bool alone)
{
  const struct pg_listed *listed = &b->listing.all[loop];
  printf ("%s %s%s (%s%s): %s\n", listed->name, listed->function, listed->has_others ? " and others" : "",
	  listed->klass, strcmp (listed->klass, "possibly") == 0 ? " parallel" : "",
	  alone ? "it fails when this loop is handed over"
		: "it fails when this loop is, too, after some of the others");
  for (size_t i = 0; (i = pg_listing_also (&b->listing, loop, i)) < b->listing.n; i++)
    printf ("%s %s: the same name stands for this one, too\n", b->listing.all[i].name, b->listing.all[i].function);
  write_command (b, alone ? loop : 0, loop + 1);
}

/* Search among the loops that B lists.  */
static int
search (struct bisection *b)
{
  size_t loop;
  enum pg_blame blame = pg_bisect_search (b->listing.n, try, b, &loop);
  switch (blame)
    {
    case PG_BLAME_ALONE:
    case PG_BLAME_TOGETHER:
      write_result (b, loop, blame == PG_BLAME_ALONE);
      if (blame == PG_BLAME_TOGETHER)
	pg_say ("alone it passes; if it fails now and then only, --repeat makes sure");
      return EXIT_FOUND;
    case PG_BLAME_NONE:
      pg_say ("it fails although no loop is handed over: now and then without Paragon, or its programs cannot read %s",
	      b->path);
      break;
    case PG_BLAME_UNSTEADY:
      pg_say (
	"it fails now and then: use --repeat, or PARAGON_PLAN=pool, by which a loop is run the same way each time");
      break;
    case PG_BLAME_UNKNOWN:
      break;
    }
  return EXIT_CANNOT_TELL;
}

/* Find the loop for B, whose trial and file are there.  */
static int
bisect (struct bisection *b)
{
  char only[sizeof b->path + 1];
  setenv ("PARAGON", "off", 1);
  unsetenv ("PARAGON_LIST");
  enum pg_outcome outcome = pg_trial_run (&b->trial, "original loops");
  if (outcome != PG_PASSES)
    {
      if (outcome == PG_FAILS)
	pg_say ("it fails without Paragon%s", b->trial.is_verbose ? "" : "; --verbose shows what it says");
      return EXIT_CANNOT_TELL;
    }
  setenv ("PARAGON", "on", 1);
  setenv ("PARAGON_LIST", b->path, 1);
  outcome = pg_trial_run (&b->trial, "all loops");
  unsetenv ("PARAGON_LIST");
  pg_listing_read (&b->listing, b->path);
  if (outcome == PG_CANNOT_TELL)
    return EXIT_CANNOT_TELL;
  if (outcome == PG_PASSES)
    {
      pg_say ("it passes with Paragon, which was asked to hand over %zu of its loops; --repeat tries more often, and "
	      "PARAGON_PLAN=pool hands over whatever may be",
	      b->listing.n);
      return EXIT_PASSES;
    }
  if (b->listing.n == 0)
    {
      pg_say ("it fails with Paragon, but has not come to a loop, or its programs do not get this environment");
      return EXIT_CANNOT_TELL;
    }
  snprintf (only, sizeof only, "@%s", b->path);
  setenv ("PARAGON_ONLY", only, 1);
  return search (b);
}

int
pg_command_bisect (int argc, char **argv)
{
  struct bisection b = { .trial = { .n_repeat = 1 } };
  enum pg_command_option option;
  while ((option = pg_command_next_option (PG_COMMAND_BISECT, argc, argv)) != PG_OPTIONS_END)
    if (option == PG_OPTION_BISECT_VERBOSE)
      b.trial.is_verbose = true;
    else if (!pg_command_number (optarg, INT64_MAX, &b.trial.n_repeat))
      return pg_command_wrong (PG_COMMAND_BISECT, "--repeat takes a number of at least 1");
  if (optind == argc)
    return pg_command_wrong (PG_COMMAND_BISECT, "no COMMAND");
  b.trial.argv = argv + optind;
  pg_await_prepare ();
  if (!pg_own_folder_make (&b.folder))
    return EXIT_CANNOT_TELL;
  pg_own_file (&b.folder, "loops", &b.path);
  int status = bisect (&b);
  pg_listing_free (&b.listing);
  pg_own_folder_remove (&b.folder);
  return status;
}
