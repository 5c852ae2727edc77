/* SPDX-License-Identifier: MIT
   A set of names.  */
#ifndef PARAGON_CLI_NAMES_H
#define PARAGON_CLI_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct pg_names
{
  char **all;
  size_t n, room;
};

/* Add a copy of NAME to NAMES.  False: no memory.  */
bool pg_names_add (struct pg_names *names, const char *name);

/* Put NAMES in order, each once.  */
void pg_names_sort (struct pg_names *names);

void pg_names_free (struct pg_names *names);

#endif
