/* SPDX-License-Identifier: MIT
   Mappings.  See mappings.h.

   A line of the file: "7f12a000-7f12b000 rw-p ...", in ascending order.  */
#include "mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

enum
{
  BUFFER_LEN = 4096
};

/* The file, read piece by piece.  */
struct reader
{
  int fd;
  char buffer[BUFFER_LEN];
  size_t at, len;
};

/* The next character; -1: there is none.  */
static int
next (struct reader *reader)
{
  if (reader->at == reader->len)
    {
      ssize_t len;
      while ((len = read (reader->fd, reader->buffer, sizeof reader->buffer)) < 0 && errno == EINTR)
	continue;
      reader->at = 0;
      reader->len = len > 0 ? (size_t) len : 0;
      if (len <= 0)
	return -1;
    }
  return (unsigned char) reader->buffer[reader->at++];
}

/* Read a number in hexadecimal and the character behind it.  */
static uint64_t
read_number (struct reader *reader)
{
  uint64_t number = 0;
  for (int c = next (reader);; c = next (reader))
    if (c >= '0' && c <= '9')
      number = number << 4 | (uint64_t) (c - '0');
    else if (c >= 'a' && c <= 'f')
      number = number << 4 | (uint64_t) (c - 'a' + 10);
    else
      return number;
}

struct mapping
{
  uint64_t low, end;
  bool is_readable, is_writable;
};

/* Read a line.  False: there is none.  */
static bool
read_line (struct reader *reader, struct mapping *mapping)
{
  mapping->low = read_number (reader);
  mapping->end = read_number (reader);
  mapping->is_readable = next (reader) == 'r';
  mapping->is_writable = next (reader) == 'w';
  int c = next (reader);
  while (c != '\n' && c >= 0)
    c = next (reader);
  return mapping->low < mapping->end;
}

bool
pg_mapping_find_in (const char *maps, uint64_t address, uint64_t *low, uint64_t *end)
{
  struct reader reader = { .fd = open (maps, O_RDONLY | O_CLOEXEC) };
  struct mapping found = { 0 }, line;
  if (reader.fd < 0)
    return false;
  while (read_line (&reader, &line))
    {
      bool goes_on
	= line.low == found.end && line.is_readable == found.is_readable && line.is_writable == found.is_writable;
      if (!goes_on && address < found.end)
	break;
      if (!goes_on)
	found = line;
      found.end = line.end;
    }
  close (reader.fd);
  *low = found.low;
  *end = found.end;
  return found.is_readable && found.low <= address && address < found.end;
}

bool
pg_mapping_find (uint64_t address, uint64_t *low, uint64_t *end)
{
  int saved_errno = errno;
  bool is_found = pg_mapping_find_in ("/proc/self/maps", address, low, end);
  errno = saved_errno;
  return is_found;
}
