/* SPDX-License-Identifier: MIT
   PARAGON_EMU.  See emu.h.  */
#include "emu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_THREADS = 64,
  MOST_PREEMPT = 1000000000
};

void
pg_emu_defaults (struct pg_emu_options *options)
{
  *options = (struct pg_emu_options) { .seed = 1, .preempt = 100 };
}

/* Read "KEY:NUMBER" at *TEXT, up to the next comma or the end, and go there.  The number is LEAST to MOST.  */
static bool
parse_member (const char **text, const char *key, uint64_t least, uint64_t most, uint64_t *number)
{
  size_t key_len = strlen (key);
  if (strncmp (*text, key, key_len) != 0)
    return false;
  const char *digits = *text + key_len;
  char *end;
  errno = 0;
  *number = strtoull (digits, &end, 10);
  if (*digits < '0' || *digits > '9' || errno != 0 || *number < least || *number > most)
    return false;
  if (*end != '\0' && (*end != ',' || end[1] == '\0'))
    return false;
  *text = end;
  return true;
}

bool
pg_emu_parse (const char *text, struct pg_emu_options *options, char *complaint, size_t len)
{
  bool has_seed = false, has_threads = false, has_preempt = false;
  const char *at = text;
  uint64_t number;
  pg_emu_defaults (options);
  while (at != NULL && *at != '\0')
    {
      if (!has_seed && (has_seed = parse_member (&at, "seed:", 0, UINT64_MAX, &number)))
	options->seed = number;
      else if (!has_threads && (has_threads = parse_member (&at, "threads:", 1, MOST_THREADS, &number)))
	options->n_threads = (uint32_t) number;
      else if (!has_preempt && (has_preempt = parse_member (&at, "preempt:", 0, MOST_PREEMPT, &number)))
	options->preempt = (uint32_t) number;
      else
	{
	  pg_emu_defaults (options);
	  snprintf (complaint, len, "PARAGON_EMU=%s is not known and ignored; known: seed:N,threads:N,preempt:N", text);
	  return false;
	}
      at += *at == ',';
    }
  return true;
}
