/* SPDX-License-Identifier: MIT
   Files that are written when the process ends.  See report.h.  */
#include "report.h"
#include "log.h"

#include <errno.h>
#include <stdint.h>
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

/* The bytes of the character at TEXT in UTF-8, the shortest way to write it; 0: there is none.  */
static int
character_len (const unsigned char *text)
{
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  int len = text[0] < 0x80 ? 1 : text[0] < 0xc0 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf8 ? 4 : 0;
  uint32_t number = len > 1 ? text[0] & (0x7fu >> len) : text[0];
  for (int i = 1; i < len; i++)
    {
      if ((text[i] & 0xc0) != 0x80)
	return 0;
      number = number << 6 | (text[i] & 0x3f);
    }
  bool is_surrogate = number >= 0xd800 && number < 0xe000;
  return len > 0 && number >= least[len] && number < 0x110000 && !is_surrogate ? len : 0;
}

void
pg_report_string (FILE *out, const char *text)
{
  const unsigned char *p = (const unsigned char *) text;
  putc ('"', out);
  while (*p != '\0')
    {
      int len = character_len (p);
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
