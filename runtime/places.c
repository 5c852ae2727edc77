/* SPDX-License-Identifier: MIT
   Lists of loops by where they are.  See places.h.  */
#include "places.h"
#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Read what is in FD, a file of LEN bytes, into TEXT.  False, with errno set: it cannot be read.  */
static bool
read_all (int fd, char *text, size_t len)
{
  size_t n_read = 0;
  while (n_read < len)
    {
      ssize_t n = read (fd, text + n_read, len - n_read);
      if (n == 0)
	break;
      if (n < 0 && errno != EINTR)
	return false;
      n_read += n > 0 ? (size_t) n : 0;
    }
  return true;
}

const char *
pg_places_load (const char *path)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  char *list = NULL;
  if (fstat (fd, &status) == 0 && (list = pg_arena_get ((size_t) status.st_size + 2)) != NULL)
    {
      list[0] = '\n'; /* it is a file's */
      if (!read_all (fd, list + 1, (size_t) status.st_size))
	{
	  int e = errno;
	  pg_arena_put (list, (size_t) status.st_size + 2);
	  errno = e;
	  list = NULL;
	}
    }
  int e = errno;
  close (fd);
  errno = e;
  return list;
}

/* What separates members of LIST.  */
static const char *
separator (const char *list)
{
  return *list == '\n' ? "\n" : ",";
}

/* How many of the LEN characters at MEMBER are FILE and a colon, before the number of a line.  0: it is not so.  */
static size_t
line_at (const char *member, size_t len)
{
  size_t at = len;
  while (at > 0 && member[at - 1] >= '0' && member[at - 1] <= '9')
    at--;
  return at > 1 && at < len && member[at - 1] == ':' ? at : 0;
}

bool
pg_places_right (const char *list)
{
  while (*list != '\0')
    {
      size_t len = strcspn (list, ",");
      if (line_at (list, len) == 0)
	return false;
      list += len;
      list += *list == ',';
    }
  return true;
}

/* Whether PATH is FILE or ends in a slash and FILE, FILE being LEN characters.  */
static bool
ends_in (const char *path, const char *file, size_t len)
{
  size_t path_len = strlen (path);
  return path_len >= len && memcmp (path + path_len - len, file, len) == 0
	 && (path_len == len || path[path_len - len - 1] == '/');
}

bool
pg_places_have (const char *list, const char *file, uint32_t line)
{
  const char *between = separator (list);
  while (*list != '\0')
    {
      size_t len = strcspn (list, between);
      const char *tab = *between == '\n' ? memchr (list, '\t', len) : NULL;
      size_t digits = line_at (list, tab == NULL ? len : (size_t) (tab - list));
      if (digits > 0 && strtoul (list + digits, NULL, 10) == line && ends_in (file, list, digits - 1))
	return true;
      list += len;
      list += *list != '\0';
    }
  return false;
}

/* TEXT, as a part of what is written.  */
static struct iovec
part (const char *text)
{
  return (struct iovec) { .iov_base = (char *) (uintptr_t) text, .iov_len = strlen (text) };
}

bool
pg_places_append (const char *path, const char *file, uint32_t line, const char *function, const char *klass)
{
  char number[16];
  snprintf (number, sizeof number, ":%u\t", (unsigned) line);
  struct iovec parts[] = { part (file), part (number), part (function), part ("\t"), part (klass), part ("\n") };
  int fd = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  bool is_written = writev (fd, parts, sizeof parts / sizeof *parts) >= 0;
  int e = errno;
  close (fd);
  errno = e;
  return is_written;
}
