/* SPDX-License-Identifier: MIT
   What a command line asks the compiler to do, as far as the plugin has to do with it.  */
#ifndef PARAGON_CLI_COMPILE_LINE_H
#define PARAGON_CLI_COMPILE_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum pg_compile_stop
{
  PG_STOP_PROGRAM, /* nowhere: a program or a library is made */
  PG_STOP_OBJECT,  /* -c */
  PG_STOP_TEXT,    /* -S */
  PG_STOP_EARLIER  /* -E, -M, -MM, -fsyntax-only: nothing is compiled */
};

struct pg_compile_line
{
  enum pg_compile_stop stop;
  const char *output; /* as -o says, or NULL */
  char **sources;     /* what is compiled: a block of pointers to arguments */
  size_t n_sources;
  size_t n_others; /* objects, libraries, @FILE: what may need the plugin when it is linked */
  bool is_optimised, has_plugin;
};

/* Read the arguments ARGV, which end in NULL and have no compiler's name before them, into LINE.  False: no memory.  */
bool pg_compile_line_read (struct pg_compile_line *line, char *const *argv);

/* Is the plugin of any use for LINE?  */
bool pg_compile_line_is_for_plugin (const struct pg_compile_line *line);

/* The name of what LINE makes of its source number SOURCE, or of all its inputs, in memory that the caller frees; NULL:
   no memory.  */
char *pg_compile_line_output (const struct pg_compile_line *line, size_t source);

void pg_compile_line_free (struct pg_compile_line *line);

#endif
