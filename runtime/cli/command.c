/* SPDX-License-Identifier: MIT
   How command lines are read.  See command.h.  */
#include "command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define PG_COMMAND(id, function, arguments, text) #function,
#include "commands.def"
};

static const struct
{
  enum pg_command command;
  int letter;
  const char *name, *value;
} options[] = {
  [PG_OPTION_HELP] = { PG_N_COMMANDS, 'h', "help", "" },
#define PG_COMMAND_OPTION(id, option, letter, name, value, text) \
  [PG_OPTION_##id##_##option] = { PG_COMMAND_##id, letter, name, value },
#include "commands.def"
};

enum pg_command
pg_command_of (const char *name)
{
  int c = 0;
  while (c < PG_N_COMMANDS && strcmp (names[c], name) != 0)
    c++;
  return (enum pg_command) c;
}

/* Is option O one of COMMAND?  */
static bool
has_option (enum pg_command command, int o)
{
  return options[o].command == command || options[o].command == PG_N_COMMANDS;
}

enum pg_command_option
pg_command_next_option (enum pg_command command, int argc, char **argv)
{
  struct option long_options[PG_N_OPTIONS + 1] = { { 0 } };
  char letters[2 * PG_N_OPTIONS + 2] = "+"; /* what follows the first that is none may be of another program */
  int n = 0;
  for (int o = 0; o < PG_N_OPTIONS; o++)
    if (has_option (command, o))
      {
	bool has_value = *options[o].value != '\0';
	long_options[n++] = (struct option) { options[o].name, has_value, NULL, options[o].letter };
	snprintf (letters + strlen (letters), 3, "%c%s", options[o].letter, has_value ? ":" : "");
      }
  opterr = 0;
  int letter = getopt_long (argc, argv, letters, long_options, NULL);
  if (letter < 0)
    return PG_OPTIONS_END;
  for (int o = 0; o < PG_N_OPTIONS; o++)
    if (has_option (command, o) && options[o].letter == letter)
      {
	if (o != PG_OPTION_HELP)
	  return (enum pg_command_option) o;
	pg_help_command (stdout, command);
	exit (fflush (stdout) == 0 ? PG_EXIT_OK : PG_EXIT_WRONG);
      }
  char why[128];
  snprintf (why, sizeof why, "%.80s: no such option, or no value", argv[optind - 1]);
  exit (pg_command_wrong (command, why));
}

bool
pg_command_number (const char *text, int64_t most, int64_t *number)
{
  char *end;
  *number = strtoimax (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && *number >= 1 && *number <= most;
}

int
pg_command_wrong (enum pg_command command, const char *why)
{
  pg_say ("%s: %s; see paragon %s --help", names[command], why, names[command]);
  return PG_EXIT_WRONG;
}

void
pg_say (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fputs ("paragon: ", stderr);
  vfprintf (stderr, format, ap);
  putc ('\n', stderr);
  va_end (ap);
}

void *
pg_grow (void *block, size_t len)
{
  block = realloc (block, len);
  if (block == NULL)
    {
      pg_say ("no memory");
      exit (PG_EXIT_WRONG);
    }
  return block;
}
