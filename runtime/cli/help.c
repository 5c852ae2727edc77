/* SPDX-License-Identifier: MIT
   What commands.def says, for a terminal and as a manual page.  See command.h.

       OPTION  what it does, from column INDENT on, in lines of		  .TP
	       at most WIDTH columns					  .B OPTION  */
#include "command.h"

#include <stdbool.h>
#include <string.h>

enum
{
  WIDTH = 79,
  INDENT = 22
};

static const struct
{
  const char *name, *arguments, *text;
} commands[] = {
#define PG_COMMAND(id, function, arguments, text) { #function, arguments, text },
#include "commands.def"
};

static const struct
{
  enum pg_command command;
  const char *text;
} texts[] = {
#define PG_COMMAND_TEXT(id, text) { PG_COMMAND_##id, text },
#include "commands.def"
};

static const struct
{
  enum pg_command command; /* PG_N_COMMANDS: of all */
  char letter;
  const char *name, *value, *text;
} options[] = {
  { PG_N_COMMANDS, 'h', "help", "", "print this" },
#define PG_COMMAND_OPTION(id, option, letter, name, value, text) { PG_COMMAND_##id, letter, name, value, text },
#include "commands.def"
};

static const struct
{
  enum pg_command command;
  int status;
  const char *text;
} exits[] = {
#define PG_COMMAND_EXIT(id, status, text) { PG_COMMAND_##id, status, text },
#include "commands.def"
};

#define N_OF(table) (sizeof (table) / sizeof *(table))

/* Write TEXT to OUT in lines that begin at column INDENT, the first one being there already.  */
static void
write_wrapped (FILE *out, const char *text, int indent)
{
  int column = indent;
  while (*text != '\0')
    {
      int len = (int) strcspn (text, " ");
      if (column > indent && column + 1 + len > WIDTH)
	{
	  fprintf (out, "\n%*s", indent, "");
	  column = indent;
	}
      column += fprintf (out, "%s%.*s", column > indent ? " " : "", len, text);
      text += len;
      text += *text == ' ';
    }
  putc ('\n', out);
}

/* Write NAME to OUT, and what it means in the columns behind it.  */
static void
write_meaning (FILE *out, const char *name, const char *text)
{
  int len = fprintf (out, "  %s", name);
  if (len > INDENT - 2)
    fprintf (out, "\n%*s", INDENT, "");
  else
    fprintf (out, "%*s", INDENT - len, "");
  write_wrapped (out, text, INDENT);
}

void
pg_help_all (FILE *out)
{
  fputs ("usage: paragon COMMAND ...\n\n", out);
  for (size_t c = 0; c < N_OF (commands); c++)
    write_meaning (out, commands[c].name, commands[c].text);
  fputs ("\n  paragon COMMAND --help says more; paragon --version, which objects it knows.\n", out);
}

/* Put how an option is written into WRITTEN.  */
static void
write_option (char (*written)[64], char letter, const char *name, const char *value)
{
  snprintf (*written, sizeof *written, "-%c, --%s%s%s", letter, name, *value != '\0' ? " " : "", value);
}

void
pg_help_command (FILE *out, enum pg_command command)
{
  char name[64];
  fprintf (out, "usage: paragon %s %s\n\n", commands[command].name, commands[command].arguments);
  for (size_t t = 0; t < N_OF (texts); t++)
    if (texts[t].command == command)
      {
	write_wrapped (out, texts[t].text, 0);
	putc ('\n', out);
      }
  for (size_t o = 0; o < N_OF (options); o++)
    if (options[o].command == command || options[o].command == PG_N_COMMANDS)
      {
	write_option (&name, options[o].letter, options[o].name, options[o].value);
	write_meaning (out, name, options[o].text);
      }
  fputs ("\nexit status:\n", out);
  for (size_t e = 0; e < N_OF (exits); e++)
    if (exits[e].command == command)
      {
	snprintf (name, sizeof name, "%d", exits[e].status);
	write_meaning (out, name, exits[e].text);
      }
}

/* Write TEXT for troff.  */
static void
write_plain (FILE *out, const char *text)
{
  if (*text == '.' || *text == '\'')
    fputs ("\\&", out);
  for (; *text != '\0'; text++)
    {
      if (*text == '-' || *text == '\\')
	putc ('\\', out);
      putc (*text == '\\' ? 'e' : *text, out);
    }
  putc ('\n', out);
}

static void
write_item (FILE *out, const char *name, const char *text)
{
  fputs (".TP\n.B ", out);
  write_plain (out, name);
  write_plain (out, text);
}

static void
write_manual_of (FILE *out, enum pg_command command)
{
  char name[64];
  fprintf (out, ".SS paragon %s ", commands[command].name);
  write_plain (out, commands[command].arguments);
  for (size_t t = 0; t < N_OF (texts); t++)
    if (texts[t].command == command)
      {
	fputs (".PP\n", out);
	write_plain (out, texts[t].text);
      }
  for (size_t o = 0; o < N_OF (options); o++)
    if (options[o].command == command)
      {
	write_option (&name, options[o].letter, options[o].name, options[o].value);
	write_item (out, name, options[o].text);
      }
  fputs (".PP\nExit status:\n", out);
  for (size_t e = 0; e < N_OF (exits); e++)
    if (exits[e].command == command)
      {
	snprintf (name, sizeof name, "%d", exits[e].status);
	write_item (out, name, exits[e].text);
      }
}

static const struct
{
  const char *name, *values, *text;
} variables[] = {
#define PG_VARIABLE(id, name, values, text) { name, values, text },
#include "environment.def"
#undef PG_VARIABLE
};

static const struct
{
  const char *name, *value, *text;
} wrapper_variables[] = {
#define PG_WRAPPER_VARIABLE(name, value, text) { name, value, text },
#include "compilers.def"
};

void
pg_help_manual (FILE *out)
{
  char name[128];
  fputs (".TH PARAGON 1\n.ad l\n.SH NAME\nparagon \\- ask what became of the loops of programs built with "
	 "\\-fplugin=paragon\n.SH SYNOPSIS\n.B paragon\nCOMMAND ...\n.SH COMMANDS\n",
	 out);
  for (size_t c = 0; c < N_OF (commands); c++)
    write_manual_of (out, (enum pg_command) c);
  fputs (".SH ENVIRONMENT\nRead by paragon\\-gcc, paragon\\-g++ and paragon\\-gfortran, which call a compiler with the "
	 "plugin:\n",
	 out);
  for (size_t v = 0; v < N_OF (wrapper_variables); v++)
    {
      snprintf (name, sizeof name, "%s=%s", wrapper_variables[v].name, wrapper_variables[v].value);
      write_item (out, name, wrapper_variables[v].text);
    }
  fputs (".PP\nRead by the programs, not by this command:\n", out);
  for (size_t v = 0; v < N_OF (variables); v++)
    {
      snprintf (name, sizeof name, "%s=%s", variables[v].name, variables[v].values);
      write_item (out, name, variables[v].text);
    }
}
