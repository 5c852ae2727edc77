/* SPDX-License-Identifier: MIT
   Lines of source.  See source.h.  */
#include "source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Is FILE as it was before BEFORE?  */
static bool
is_old (FILE *file, struct timespec before)
{
  struct stat status;
  return fstat (fileno (file), &status) == 0 && S_ISREG (status.st_mode)
	 && (status.st_mtim.tv_sec < before.tv_sec
	     || (status.st_mtim.tv_sec == before.tv_sec && status.st_mtim.tv_nsec <= before.tv_nsec));
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
