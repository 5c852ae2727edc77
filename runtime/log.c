/* SPDX-License-Identifier: MIT
   The log on stderr, by category.  See log.h.

   A line is put together on the stack and leaves in one write, so that lines of several threads and processes do not
   mix, and no lock is held that a fork or a signal could find taken.  */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
  LINE_LEN = 512
};

unsigned pg_log_mask;

static const char *const category_names[] = {
#define PG_LOG_CATEGORY(id, name) name,
#include "log.def"
#undef PG_LOG_CATEGORY
};

/* Write "paragon: ", PREFIX, SEPARATOR and the formatted rest as one line.  */
static void
write_line (const char *prefix, const char *separator, const char *format, va_list ap)
{
  int saved = errno;
  char line[LINE_LEN];
  int len = snprintf (line, sizeof line, "paragon: %s%s", prefix, separator);
  int rest = vsnprintf (line + len, sizeof line - (size_t) len - 1, format, ap);
  if (rest > 0)
    len += rest;
  if (len > LINE_LEN - 2)
    len = LINE_LEN - 2;
  line[len++] = '\n';
  ssize_t written = write (STDERR_FILENO, line, (size_t) len);
  (void) written; /* nobody to tell */
  errno = saved;
}

void
pg_log_write (enum pg_log_category category, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  write_line (category_names[category], ": ", format, ap);
  va_end (ap);
}

void
pg_log_say (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  write_line ("", "", format, ap);
  va_end (ap);
}

unsigned
pg_log_parse (const char *text, const char **bad, int *bad_len)
{
  unsigned mask = 0;
  *bad = NULL;
  *bad_len = 0;
  while (*text != '\0')
    {
      size_t len = strcspn (text, ",");
      unsigned bits = len == 3 && memcmp (text, "all", 3) == 0 ? ~0u : 0;
      for (int c = 0; c < PG_N_LOG_CATEGORIES; c++)
	if (strlen (category_names[c]) == len && memcmp (text, category_names[c], len) == 0)
	  bits |= 1u << c;
      if (bits == 0 && len > 0 && *bad == NULL)
	{
	  *bad = text;
	  *bad_len = (int) len;
	}
      mask |= bits;
      text += len;
      text += *text == ',';
    }
  return mask;
}
