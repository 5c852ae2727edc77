/* SPDX-License-Identifier: MIT
   Sets of names.  See names.h.  */
#include "names.h"

#include <stdlib.h>
#include <string.h>

bool
pg_names_add (struct pg_names *names, const char *name)
{
  if (names->n == names->room)
    {
      size_t room = 2 * names->room + 64;
      char **grown = realloc (names->all, room * sizeof *grown);
      if (grown == NULL)
	return false;
      names->all = grown;
      names->room = room;
    }
  names->all[names->n] = strdup (name);
  return names->all[names->n++] != NULL;
}

static int
compare (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

void
pg_names_sort (struct pg_names *names)
{
  size_t n = 0;
  if (names->n > 0)
    qsort (names->all, names->n, sizeof *names->all, compare);
  for (size_t i = 0; i < names->n; i++)
    if (n > 0 && strcmp (names->all[n - 1], names->all[i]) == 0)
      free (names->all[i]);
    else
      names->all[n++] = names->all[i];
  names->n = n;
}

void
pg_names_free (struct pg_names *names)
{
  for (size_t i = 0; i < names->n; i++)
    free (names->all[i]);
  free (names->all);
}
