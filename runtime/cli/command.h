/* SPDX-License-Identifier: MIT
   The commands of `paragon': their functions, their options, what is said about them.  */
#ifndef PARAGON_CLI_COMMAND_H
#define PARAGON_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum pg_command
{
#define PG_COMMAND(id, function, arguments, text) PG_COMMAND_##id,
#include "commands.def"
  PG_N_COMMANDS
};

enum pg_command_option
{
  PG_OPTIONS_END = -1,
  PG_OPTION_HELP,
#define PG_COMMAND_OPTION(id, option, letter, name, value, text) PG_OPTION_##id##_##option,
#include "commands.def"
  PG_N_OPTIONS
};

/* Statuses that all commands end with, and of those that run another command: that is not to be run, or not there.  */
enum pg_exit
{
  PG_EXIT_OK = 0,
  PG_EXIT_WRONG = 2,
  PG_EXIT_CANNOT_RUN = 126,
  PG_EXIT_NOT_FOUND = 127
};

/* Run a command with its own arguments, ARGV[0] being its name.  Returns the exit status.  */
#define PG_COMMAND(id, function, arguments, text) int pg_command_##function (int argc, char **argv);
#include "commands.def"

/* The command called NAME; PG_N_COMMANDS: there is none.  */
enum pg_command pg_command_of (const char *name);

/* The next option of COMMAND's arguments ARGC, ARGV, its value in optarg; PG_OPTIONS_END: what is not an option begins
   at optind.  Does not return from --help, nor where an option is wrong.  */
enum pg_command_option pg_command_next_option (enum pg_command command, int argc, char **argv);

/* Read TEXT, the value of an option, as a number from 1 to MOST into *NUMBER.  False: it is none.  */
bool pg_command_number (const char *text, int64_t most, int64_t *number);

/* Say that COMMAND's arguments are WHY wrong, and how they should be.  Returns PG_EXIT_WRONG.  */
int pg_command_wrong (enum pg_command command, const char *why);

/* Write the help of all commands, of one, the manual page, and how bash completes words, to OUT.  */
void pg_help_all (FILE *out);
void pg_help_command (FILE *out, enum pg_command command);
void pg_help_manual (FILE *out);
void pg_help_completion (FILE *out);

/* Write "paragon: " and one line to stderr.  */
void pg_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* As realloc; does not return without memory.  */
void *pg_grow (void *block, size_t len);

#endif
