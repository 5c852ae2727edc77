/* SPDX-License-Identifier: MIT
   The report page: page/report.html with the data at its marked place.

       <script type="application/json" id="data">@DATA@</script>

   In the data, no `<' can end the script, and what is not UTF-8 counts as the character of each byte's number.  */
#include "page.h"
#include "command.h"
#include "page-text.h"

#include "../utf8.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "@DATA@";

/* Write TEXT, which is JSON, to OUT.  What is changed stands in strings: nothing else of JSON looks like it.  */
static void
write_data (FILE *out, const char *text)
{
  const unsigned char *p = (const unsigned char *) text, *from = p;
  for (int len; *p != '\0'; p += len)
    {
      len = *p == '<' ? 0 : pg_utf8_len (p);
      if (len > 0)
	continue;
      fwrite (from, 1, (size_t) (p - from), out);
      fprintf (out, "\\u%04x", (unsigned) *p);
      from = p + 1;
      len = 1;
    }
  fwrite (from, 1, (size_t) (p - from), out);
}

static void
write_all (FILE *out, struct json_object *data, bool is_page)
{
  const char *place = is_page ? strstr (pg_page_text, mark) : pg_page_text;
  fwrite (pg_page_text, 1, (size_t) (place - pg_page_text), out);
  write_data (out, json_object_to_json_string_ext (data, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
  fputs (is_page ? place + strlen (mark) : "\n", out);
}

/* Create a file beside PATH, its name in BESIDE, for others to read as far as the user lets them.  NULL, with errno
   set: it cannot be.  */
static FILE *
open_beside (const char *path, char *beside)
{
  sprintf (beside, "%s.XXXXXX", path);
  int fd = mkstemp (beside);
  if (fd < 0)
    return NULL;
  mode_t mask = umask (0);
  umask (mask);
  FILE *out = fchmod (fd, 0666 & ~mask) == 0 ? fdopen (fd, "w") : NULL;
  if (out == NULL)
    {
      int e = errno;
      close (fd);
      unlink (beside);
      errno = e;
    }
  return out;
}

/* Write DATA to PATH, which is no link, with BESIDE's help.  False, with errno set: it cannot be written.  */
static bool
replace (const char *path, char *beside, struct json_object *data, bool is_page)
{
  struct stat status;
  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode))
    {
      errno = S_ISDIR (status.st_mode) ? EISDIR : ENOTSUP;
      return false;
    }
  FILE *out = open_beside (path, beside);
  if (out == NULL)
    return false;
  errno = 0;
  write_all (out, data, is_page);
  bool has_failed = ferror (out) != 0;
  if (fclose (out) == 0 && !has_failed && rename (beside, path) == 0)
    return true;
  int e = errno;
  unlink (beside);
  errno = e;
  return false;
}

bool
pg_page_write (const char *path, struct json_object *data, bool is_page)
{
  if (strcmp (path, "-") == 0)
    {
      write_all (stdout, data, is_page);
      return true;
    }
  char *real = realpath (path, NULL);
  const char *target = real != NULL ? real : path;
  char *beside = malloc (strlen (target) + sizeof ".XXXXXX");
  bool is_written = beside != NULL && replace (target, beside, data, is_page);
  if (!is_written)
    pg_say ("%s: %s", path, strerror (errno));
  free (beside);
  free (real);
  return is_written;
}
