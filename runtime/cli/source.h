/* SPDX-License-Identifier: MIT
   The user's source, to be shown.  */
#ifndef PARAGON_CLI_SOURCE_H
#define PARAGON_CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct pg_source
{
  char *text; /* NULL: it cannot be read, */
  size_t len;
  char why[64]; /* for this reason */
  struct timespec last_change;
};

/* Write to stdout, with INDENT blanks before it, line LINE of FILE, without its own; nothing if it cannot be read or
   was changed after BEFORE.  */
void pg_source_show (const char *file, int64_t line, struct timespec before, int indent);

/* Read FILE into SOURCE.  The caller frees its text.  */
void pg_source_read (const char *file, struct pg_source *source);

/* Was what was changed last at CHANGE like this at THEN already?  */
bool pg_source_is_old (struct timespec change, struct timespec then);

#endif
