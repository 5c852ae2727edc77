/* SPDX-License-Identifier: MIT
   The report page: page/report.html with the data, and page/timeline.js, at their marked places.

       <script type="application/json" id="data">@DATA@</script>
       ...
       <script>
       @TIMELINE@</script>

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

/* Write TEXT as far as MARK, which is in it, to OUT.  Returns what follows.  */
static const char *
write_up_to (FILE *out, const char *text, const char *mark)
{
  const char *place = strstr (text, mark);
  fwrite (text, 1, (size_t) (place - text), out);
  return place + strlen (mark);
}

static void
write_all (FILE *out, struct json_object *data, bool is_page)
{
  const char *rest = is_page ? write_up_to (out, pg_page_text, "@DATA@") : "\n";
  write_data (out, json_object_to_json_string_ext (data, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
  if (is_page)
    {
      rest = write_up_to (out, rest, "@TIMELINE@");
      fputs (pg_page_timeline, out);
    }
  fputs (rest, out);
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
