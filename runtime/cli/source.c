/* SPDX-License-Identifier: MIT
   Source.  See source.h.  */
#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  LEN_MOST = 1 << 24 /* of a source that is shown as a whole */
};

bool
pg_source_is_old (struct timespec change, struct timespec then)
{
  return change.tv_sec < then.tv_sec || (change.tv_sec == then.tv_sec && change.tv_nsec <= then.tv_nsec);
}

/* Is FILE as it was before BEFORE?  */
static bool
is_old (FILE *file, struct timespec before)
{
  struct stat status;
  return fstat (fileno (file), &status) == 0 && S_ISREG (status.st_mode) && pg_source_is_old (status.st_mtim, before);
}

/* Write TEXT, LEN characters that are nobody's commands to a terminal.  */
static void
show (const char *text, size_t len)
{
  for (size_t i = 0; i < len; i++)
    putchar (iscntrl ((unsigned char) text[i]) ? ' ' : text[i]);
}

void
pg_source_show (const char *file, int64_t line, struct timespec before, int indent)
{
  FILE *in = fopen (file, "re");
  char *text = NULL;
  size_t room = 0;
  ssize_t len = -1;
  if (in != NULL && is_old (in, before))
    for (int64_t at = 0; at < line && (len = getline (&text, &room, in)) >= 0;)
      at++;
  if (len > 0)
    {
      const char *start = text + strspn (text, " \t");
      printf ("%*s", indent, "");
      show (start, strcspn (start, "\r\n"));
      putchar ('\n');
    }
  free (text);
  if (in != NULL)
    fclose (in);
}

/* Say in SOURCE that it cannot be read: WHY.  */
static void
refuse (struct pg_source *source, const char *why)
{
  snprintf (source->why, sizeof source->why, "%s", why);
}

void
pg_source_read (const char *file, struct pg_source *source)
{
  struct stat status;
  int fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *source = (struct pg_source) { 0 };
  if (fd < 0 || fstat (fd, &status) != 0)
    refuse (source, strerror (errno));
  else if (!S_ISREG (status.st_mode))
    refuse (source, "not a file");
  else if (status.st_size > LEN_MOST)
    refuse (source, "too large");
  else
    {
      ssize_t n = 1;
      source->last_change = status.st_mtim;
      source->text = malloc ((size_t) status.st_size + 1);
      while (source->text != NULL && n > 0 && source->len < (size_t) status.st_size)
	if ((n = read (fd, source->text + source->len, (size_t) status.st_size - source->len)) > 0)
	  source->len += (size_t) n;
      if (source->text == NULL || n < 0)
	{
	  refuse (source, strerror (errno));
	  free (source->text);
	  source->text = NULL;
	}
    }
  if (fd >= 0)
    close (fd);
}
