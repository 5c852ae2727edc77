/* SPDX-License-Identifier: MIT
   Notes of calls.  See notes.h.  */
#include "notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  N_FIELDS = 4
};

bool
pg_note_write (const struct pg_note *note, const char *path)
{
  char *bytes = NULL;
  int len = asprintf (&bytes, "%c%s%c%s%c%s%c%s%c", (char) note->kind, note->text, 0, note->folder, 0, note->output, 0,
		      note->source, 0);
  if (len < 0)
    return false;
  int fd = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  ssize_t n = fd < 0 ? -1 : write (fd, bytes, (size_t) len); /* in one call: others write, too */
  int e = n >= 0 && n < len ? ENOSPC : errno;
  if (fd >= 0)
    close (fd);
  free (bytes);
  errno = e;
  return n == len;
}

/* Take the LEN bytes of NOTES's block apart.  What is cut short at their end is left out.  False: no memory.  */
static bool
take_apart (struct pg_notes *notes, size_t len)
{
  const char *at = notes->block, *end = at + len, *fields[N_FIELDS];
  size_t room = 0;
  while (at < end)
    {
      size_t n = 0;
      for (const char *zero; n < N_FIELDS && (zero = memchr (at, '\0', (size_t) (end - at))) != NULL; at = zero + 1)
	fields[n++] = at;
      if (n < N_FIELDS || *fields[0] == '\0')
	break;
      if (notes->n == room)
	{
	  room = 2 * room + 64;
	  struct pg_note *grown = realloc (notes->all, room * sizeof *grown);
	  if (grown == NULL)
	    return false;
	  notes->all = grown;
	}
      notes->all[notes->n++]
	= (struct pg_note) { (enum pg_note_kind) * fields[0], fields[0] + 1, fields[1], fields[2], fields[3] };
    }
  return true;
}

bool
pg_notes_read (struct pg_notes *notes, const char *path)
{
  FILE *in = fopen (path, "re");
  size_t room = 0, len = 0, n = 1;
  bool has_memory = true;
  *notes = (struct pg_notes) { 0 };
  while (in != NULL && has_memory && n > 0)
    {
      if (len == room)
	{
	  room = 2 * room + 4096;
	  char *grown = realloc (notes->block, room);
	  has_memory = grown != NULL;
	  notes->block = has_memory ? grown : notes->block;
	}
      if (has_memory)
	len += n = fread (notes->block + len, 1, room - len, in);
    }
  if (in != NULL)
    fclose (in);
  return has_memory && take_apart (notes, len);
}

void
pg_notes_free (struct pg_notes *notes)
{
  free (notes->all);
  free (notes->block);
}
