/* SPDX-License-Identifier: MIT
   Who can write the process's memory past its page tables.

   A device, or a kernel thread on behalf of one, writes to pages that were pinned for it: a network adapter with remote
   direct memory access, an io_uring with registered buffers, a GPU, another process by way of XPMEM.  The page table
   is asked once, when a page is pinned for writing, and that counts as a write.  So if nothing is pinned when a page is
   protected, what is pinned later shows as written.

   The kernel counts the pages that it pins itself (VmPin).  Drivers that do not take part in the count have a character
   device open in the process; of those, only the terminals and the likes of /dev/null are harmless.

   What is not seen: AF_XDP sockets, and devices whose files were closed while a mapping of theirs stays.  */
#include "bypass.h"
#include "cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum
{
  STATUS_LEN = 4096,
  ENTRIES_LEN = 4096,
  MOST_FILES = 256, /* more are not looked at */
  MEMORY_MAJOR = 1, /* /dev/null, /dev/zero, /dev/urandom */
  FIRST_TERMINAL_MAJOR = 4,
  LAST_TERMINAL_MAJOR = 5,
  FIRST_PSEUDO_MAJOR = 136, /* pseudoterminals */
  LAST_PSEUDO_MAJOR = 143
};

/* An entry of a directory as the kernel gives it.  */
struct entry
{
  uint64_t inode;
  int64_t offset;
  unsigned short len;
  unsigned char type;
  char name[];
};

static bool
has_pinned_pages (const char *proc)
{
  char text[STATUS_LEN];
  if (!pg_cgroup_read (proc, "status", text, sizeof text))
    return true;
  const char *line = strstr (text, "\nVmPin:");
  return line == NULL || strtoull (line + sizeof "\nVmPin:" - 1, NULL, 10) != 0;
}

/* Is the file NAME of DIRECTORY a device that might write to memory?  Links are followed.  */
static bool
is_doubtful (int directory, const char *name)
{
  struct stat status;
  if (name[0] == '.')
    return false;
  if (fstatat (directory, name, &status, 0) != 0)
    return true;
  if (!S_ISCHR (status.st_mode))
    return false;
  unsigned number = major (status.st_rdev);
  bool is_terminal = (number >= FIRST_TERMINAL_MAJOR && number <= LAST_TERMINAL_MAJOR)
		     || (number >= FIRST_PSEUDO_MAJOR && number <= LAST_PSEUDO_MAJOR);
  return number != MEMORY_MAJOR && !is_terminal;
}

/* Is one of the files in DIRECTORY doubtful?  */
static bool
has_doubtful_file (int directory)
{
  _Alignas(struct entry) char entries[ENTRIES_LEN];
  long len;
  int n = 0;
  while ((len = syscall (SYS_getdents64, directory, entries, sizeof entries)) > 0)
    for (long at = 0; at < len;)
      {
	const struct entry *entry = (const struct entry *) (entries + at);
	at += entry->len;
	if (++n > MOST_FILES || is_doubtful (directory, entry->name))
	  return true;
      }
  return len < 0;
}

bool
pg_bypass_possible_in (const char *proc)
{
  if (has_pinned_pages (proc))
    return true;
  char path[256];
  if (snprintf (path, sizeof path, "%s/fd", proc) >= (int) sizeof path)
    return true;
  int directory = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return true;
  bool is_possible = has_doubtful_file (directory);
  close (directory);
  return is_possible;
}

bool
pg_bypass_possible (void)
{
  return pg_bypass_possible_in ("/proc/self");
}
