/* SPDX-License-Identifier: MIT
   The control groups of the process.  See cgroup.h.

   A group's limit holds for all that is below it, so every level counts, from the process's own group up to the mount
   point.  In a container the path in /proc/self/cgroup is often the host's and does not exist below the mount; the
   levels that do exist, the mount point's own among them, are the container's.  */
#include "cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
  PATH_LEN = 1024,
  TEXT_LEN = 4096
};

/* Read the beginning of the file PATH into TEXT of LEN bytes as a string; false: it is empty or cannot be read.  */
static bool
read_file (const char *path, char *text, size_t len)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t got = read (file, text, len - 1);
  close (file);
  if (got <= 0)
    return false;
  text[got] = '\0';
  return true;
}

bool
pg_cgroup_read (const char *directory, const char *name, char *text, size_t len)
{
  char path[PATH_LEN + 64];
  int path_len = snprintf (path, sizeof path, "%s/%s", directory, name);
  return path_len > 0 && path_len < (int) sizeof path && read_file (path, text, len);
}

/* Visit ROOT/GROUP and the groups around it up to ROOT.  GROUP begins with a slash; the outermost group is "/".  */
static void
visit_upwards (const char *root, const char *group, int version, pg_cgroup_fn *visit, void *arg)
{
  char directory[PATH_LEN];
  size_t root_len = strlen (root), len = root_len + strlen (group);
  if (len >= sizeof directory)
    len = root_len;
  memcpy (directory, root, root_len);
  memcpy (directory + root_len, group, len - root_len);
  while (len > root_len)
    {
      directory[len] = '\0';
      if (directory[len - 1] != '/')
	visit (arg, directory, version);
      while (directory[--len] != '/')
	continue;
    }
  visit (arg, root, version);
}

/* Whether the comma-separated LIST of LIST_LEN characters has NAME among its members.  */
static bool
lists (const char *list, size_t list_len, const char *name)
{
  size_t len = strlen (name);
  for (size_t i = 0; i + len <= list_len; i++)
    if ((i == 0 || list[i - 1] == ',') && memcmp (list + i, name, len) == 0
	&& (i + len == list_len || list[i + len] == ','))
      return true;
  return false;
}

void
pg_cgroup_visit (const char *proc_cgroup, const char *mount, const char *controller, pg_cgroup_fn *visit, void *arg)
{
  char text[TEXT_LEN], root[PATH_LEN];
  if (!read_file (proc_cgroup, text, sizeof text))
    return;
  /* Lines read "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1).  */
  for (char *line = text, *next; line != NULL && *line != '\0'; line = next)
    {
      next = strchr (line, '\n');
      if (next != NULL)
	*next++ = '\0';
      char *list = strchr (line, ':');
      char *group = list == NULL ? NULL : strchr (list + 1, ':');
      if (group == NULL || group[1] != '/')
	continue;
      size_t list_len = (size_t) (group - list - 1);
      if (list_len == 0)
	visit_upwards (mount, group + 1, 2, visit, arg);
      else if (lists (list + 1, list_len, controller)
	       && snprintf (root, sizeof root, "%s/%s", mount, controller) < (int) sizeof root)
	visit_upwards (root, group + 1, 1, visit, arg);
    }
}
