/* SPDX-License-Identifier: MIT
   FILE:LINE.  See place.h.  */
#include "place.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Take a number behind a colon from the end of the LEN characters of TEXT.  The length that is left; LEN: there is
   none, and *NUMBER is kept.  */
static size_t
take_number (const char *text, size_t len, int64_t *number)
{
  size_t at = len;
  while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
    at--;
  if (at == len || at < 2 || text[at - 1] != ':')
    return len;
  *number = strtoll (text + at, NULL, 10);
  return at - 1;
}

struct pg_place
pg_place_of (const char *text)
{
  struct pg_place place = { .file = text, .file_len = strlen (text) };
  if (place.file_len > 1 && text[place.file_len - 1] == ':')
    place.file_len--;
  place.file_len = take_number (text, place.file_len, &place.line);
  place.file_len = take_number (text, place.file_len, &place.line); /* the first was a column */
  return place;
}

/* What is behind the ./ and ../ at the start of the *LEN characters of PATH.  */
static const char *
without_dots (const char *path, size_t *len)
{
  for (;;)
    {
      size_t skipped = *len > 2 && memcmp (path, "./", 2) == 0 ? 2 : *len > 3 && memcmp (path, "../", 3) == 0 ? 3 : 0;
      if (skipped == 0)
	return path;
      path += skipped;
      *len -= skipped;
    }
}

/* Whether PATH, PATH_LEN characters, ends in END, END_LEN characters, whole components only.  */
static bool
ends_in (const char *path, size_t path_len, const char *end, size_t end_len)
{
  return path_len >= end_len && memcmp (path + path_len - end_len, end, end_len) == 0
	 && (path_len == end_len || path[path_len - end_len - 1] == '/');
}

size_t
pg_place_rank (const struct pg_place *place, const char *file)
{
  size_t asked_len = place->file_len, known_len = strlen (file);
  if (asked_len == known_len && memcmp (place->file, file, known_len) == 0)
    return SIZE_MAX;
  const char *asked = without_dots (place->file, &asked_len), *known = without_dots (file, &known_len);
  if (ends_in (known, known_len, asked, asked_len))
    return SIZE_MAX - 1;
  return ends_in (asked, asked_len, known, known_len) ? known_len : 0;
}
