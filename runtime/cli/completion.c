/* SPDX-License-Identifier: MIT
   What commands.def says, for the shell bash, which completes words with it.  See command.h.

   Behind a command: its options, if the word begins so; else the words it takes, a program, or, as bash does by itself,
   a file.  */
#include "command.h"

#include <stdbool.h>
#include <string.h>

static const struct
{
  const char *name, *arguments;
} commands[] = {
#define PG_COMMAND(id, function, arguments, text) { #function, arguments },
#include "commands.def"
};

static const struct
{
  enum pg_command command;
  char letter;
  const char *name;
} options[] = {
#define PG_COMMAND_OPTION(id, option, letter, name, value, text) { PG_COMMAND_##id, letter, name },
#include "commands.def"
};

#define N_OF(table) (sizeof (table) / sizeof *(table))

/* Write what may follow the command number C.  */
static void
write_case (FILE *out, size_t c)
{
  const char *arguments = commands[c].arguments;
  fprintf (out, "    %s:-*) words='-h --help", commands[c].name);
  for (size_t o = 0; o < N_OF (options); o++)
    if (options[o].command == (enum pg_command) c)
      fprintf (out, " -%c --%s", options[o].letter, options[o].name);
  fputs ("' ;;\n", out);
  if (strpbrk (arguments, " [") == NULL)
    {
      fprintf (out, "    %s:*) words='", commands[c].name);
      for (; *arguments != '\0'; arguments++)
	putc (*arguments == '|' ? ' ' : *arguments, out);
      fputs ("' ;;\n", out);
    }
  else if (strstr (arguments, "COMMAND") != NULL || strstr (arguments, "PROGRAM") != NULL)
    fprintf (out, "    %s:*) kind=-c ;;\n", commands[c].name);
}

void
pg_help_completion (FILE *out)
{
  fputs (
    "# Completion of the command paragon for bash, made from its own lists.\n\n_paragon ()\n{\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} words= kind= command=\n"
    "  [ \"$COMP_CWORD\" = 1 ] || command=${COMP_WORDS[1]}\n  case $command:$word in\n    :*) words='--help --version",
    out);
  for (size_t c = 0; c < N_OF (commands); c++)
    fprintf (out, " %s", commands[c].name);
  fputs ("' ;;\n", out);
  for (size_t c = 0; c < N_OF (commands); c++)
    write_case (out, c);
  fputs ("  esac\n  mapfile -t COMPREPLY < <(compgen $kind ${words:+-W \"$words\"} -- \"$word\")\n}\n"
	 "complete -o default -F _paragon paragon\n",
	 out);
}
