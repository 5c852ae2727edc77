/* SPDX-License-Identifier: MIT
   The command `paragon': what a user asks about loops that the plugin saw.

       paragon COMMAND ARGUMENTS...	commands.def has them all  */
#include "command.h"

#include "paragon_region.h"

#include <stdbool.h>
#include <string.h>

static int (*const functions[]) (int argc, char **argv) = {
#define PG_COMMAND(id, function, arguments, text) pg_command_##function,
#include "commands.def"
};

/* Answer what does not ask for a command: WORD.  */
static int
answer (const char *word)
{
  if (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0)
    pg_help_all (stdout);
  else if (strcmp (word, "--version") == 0)
    printf ("paragon, for objects of ABI %d\n", PG_ABI_VERSION);
  else if (strcmp (word, "--manual") == 0) /* for the Makefile */
    pg_help_manual (stdout);
  else if (strcmp (word, "--completion") == 0)
    pg_help_completion (stdout);
  else
    {
      pg_say ("%s: no such command; see paragon --help", word);
      return PG_EXIT_WRONG;
    }
  return PG_EXIT_OK;
}

int
main (int argc, char **argv)
{
  if (argc < 2)
    {
      pg_help_all (stderr);
      return PG_EXIT_WRONG;
    }
  enum pg_command command = pg_command_of (argv[1]);
  int status = command < PG_N_COMMANDS ? functions[command](argc - 1, argv + 1) : answer (argv[1]);
  if (fflush (stdout) != 0 || ferror (stdout))
    {
      pg_say ("stdout cannot be written");
      return PG_EXIT_WRONG;
    }
  return status;
}
