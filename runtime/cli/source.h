/* SPDX-License-Identifier: MIT
   Lines of the user's source, to be shown.  */
#ifndef PARAGON_CLI_SOURCE_H
#define PARAGON_CLI_SOURCE_H

#include <stdint.h>
#include <time.h>

/* Write to stdout, with INDENT blanks before it, line LINE of FILE, without its own; nothing if it cannot be read or
   was changed after BEFORE.  */
void pg_source_show (const char *file, int64_t line, struct timespec before, int indent);

#endif
