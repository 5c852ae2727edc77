/* SPDX-License-Identifier: MIT
   Lists of loops that were entered.  See listing.h.  */
#include "listing.h"
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Take "FILE:LINE <tab> FUNCTION <tab> CLASS <newline>" apart.  False: it is not that.  Keeps LINE, if it is.  */
static bool
take_apart (char *line, struct pg_listed *listed)
{
  char *function = strchr (line, '\t');
  char *klass = function != NULL ? strchr (function + 1, '\t') : NULL;
  char *end = klass != NULL ? strchr (klass + 1, '\n') : NULL;
  if (end == NULL)
    return false;
  *function = *klass = *end = '\0';
  *listed = (struct pg_listed) { .name = line, .function = function + 1, .klass = klass + 1 };
  return true;
}

/* By name, then by where they stand, both being pointers to elements of one array.  */
static int
compare (const void *a, const void *b)
{
  const struct pg_listed *listed_a = *(struct pg_listed *const *) a, *listed_b = *(struct pg_listed *const *) b;
  int order = strcmp (listed_a->name, listed_b->name);
  return order != 0 ? order : (listed_a > listed_b) - (listed_a < listed_b);
}

/* Leave of each name in LISTING the first.  False: no memory.  */
static bool
leave_first (struct pg_listing *listing)
{
  struct pg_listed **sorted = malloc ((listing->n + 1) * sizeof *sorted);
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < listing->n; i++)
    sorted[i] = &listing->all[i];
  qsort (sorted, listing->n, sizeof *sorted, compare);
  struct pg_listed *first = NULL;
  for (size_t i = 0; i < listing->n; i++)
    if (first == NULL || strcmp (first->name, sorted[i]->name) != 0)
      first = sorted[i];
    else
      {
	first->has_others |= strcmp (first->function, sorted[i]->function) != 0;
	free (sorted[i]->name);
	sorted[i]->name = NULL;
      }
  free (sorted);
  size_t n = 0;
  for (size_t i = 0; i < listing->n; i++)
    if (listing->all[i].name != NULL)
      listing->all[n++] = listing->all[i];
  listing->n = n;
  return true;
}

void
pg_listing_read (struct pg_listing *listing, const char *path)
{
  FILE *in = fopen (path, "re");
  size_t n_room = 0, line_room = 0;
  char *line = NULL;
  bool has_memory = true;
  *listing = (struct pg_listing) { 0 };
  while (in != NULL && has_memory && getline (&line, &line_room, in) > 0)
    {
      if (listing->n == n_room)
	{
	  n_room = 2 * n_room + 64;
	  struct pg_listed *grown = realloc (listing->all, n_room * sizeof *grown);
	  has_memory = grown != NULL;
	  listing->all = has_memory ? grown : listing->all;
	}
      if (has_memory && take_apart (line, &listing->all[listing->n]))
	{
	  listing->n++;
	  line = NULL;
	  line_room = 0;
	}
    }
  free (line);
  if (in != NULL)
    fclose (in);
  if (!has_memory || !leave_first (listing))
    {
      pg_say ("no memory");
      exit (PG_EXIT_WRONG);
    }
}

bool
pg_listing_write (const struct pg_listing *listing, size_t from, size_t to, const char *path)
{
  FILE *out = fopen (path, "we");
  for (size_t i = from; out != NULL && i < to; i++)
    fprintf (out, "%s\n", listing->all[i].name);
  bool has_failed = out == NULL || ferror (out) != 0;
  if ((out != NULL && fclose (out) != 0) || has_failed)
    {
      pg_say ("%s: %s", path, strerror (errno));
      return false;
    }
  return true;
}

size_t
pg_listing_also (const struct pg_listing *listing, size_t loop, size_t at)
{
  const char *name = listing->all[loop].name;
  size_t len = strlen (name);
  for (; at < listing->n; at++)
    {
      size_t other_len = strlen (listing->all[at].name);
      const char *end = other_len > len ? listing->all[at].name + (other_len - len) : NULL;
      if (end != NULL && end[-1] == '/' && strcmp (end, name) == 0)
	break;
    }
  return at;
}

void
pg_listing_free (struct pg_listing *listing)
{
  for (size_t i = 0; i < listing->n; i++)
    free (listing->all[i].name);
  free (listing->all);
}
