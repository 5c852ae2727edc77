/* SPDX-License-Identifier: MIT
   Files that are written when the process ends.  See report.h.  */
#include "report.h"
#include "log.h"
#include "utf8.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Put NAME into PATH, PATH_MAX bytes, with each %p replaced by the process id; false when it does not fit.  */
static bool
expand (const char *name, char *path)
{
  size_t len = 0;
  for (; *name != '\0' && len + 1 < PATH_MAX; name++)
    if (name[0] == '%' && name[1] == 'p')
      {
	len += (size_t) snprintf (path + len, PATH_MAX - len, "%ld", (long) getpid ());
	name++;
      }
    else
      path[len++] = *name;
  if (*name != '\0' || len >= PATH_MAX)
    return false;
  path[len] = '\0';
  return true;
}

/* The file that WHERE names, its name in PATH; NULL, with errno set: it cannot be opened.  */
static FILE *
open_file (const char *where, char *path)
{
  if (strcmp (where, "1") == 0)
    {
      strcpy (path, "stderr");
      int copy = dup (STDERR_FILENO);
      FILE *out = copy < 0 ? NULL : fdopen (copy, "w");
      if (copy >= 0 && out == NULL)
	{
	  int e = errno;
	  close (copy);
	  errno = e;
	}
      return out;
    }
  if (expand (where, path))
    return fopen (path, "we");
  snprintf (path, PATH_MAX, "%.*s", PATH_MAX - 1, where);
  errno = ENAMETOOLONG;
  return NULL;
}

static void
complain (const struct pg_report *report)
{
  pg_log_say ("%s: %s: %s", report->what, report->path, strerror (errno));
}

bool
pg_report_begin (struct pg_report *report, const char *what, const char *where)
{
  report->what = what;
  report->out = open_file (where, report->path);
  if (report->out == NULL)
    complain (report);
  return report->out != NULL;
}

void
pg_report_end (struct pg_report *report)
{
  bool has_failed = ferror (report->out) != 0;
  if (fclose (report->out) != 0 || has_failed)
    complain (report);
}

void
pg_report_string (FILE *out, const char *text)
{
  const unsigned char *p = (const unsigned char *) text;
  putc ('"', out);
  while (*p != '\0')
    {
      int len = pg_utf8_len (p);
      if (len == 0 || *p < ' ')
	fprintf (out, "\\u%04x", (unsigned) *p++);
      else
	{
	  if (*p == '"' || *p == '\\')
	    putc ('\\', out);
	  fwrite (p, 1, (size_t) len, out);
	  p += len;
	}
    }
  putc ('"', out);
}
