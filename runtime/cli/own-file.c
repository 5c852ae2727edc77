/* SPDX-License-Identifier: MIT
   A folder for a while.  See own-file.h.  */
#include "own-file.h"
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
pg_own_folder_make (struct pg_own_folder *folder)
{
  const char *parent = getenv ("TMPDIR");
  int len = snprintf (folder->path, sizeof folder->path, "%s/paragon-XXXXXX",
		      parent != NULL && *parent == '/' ? parent : "/tmp");
  if (len < (int) sizeof folder->path && mkdtemp (folder->path) != NULL)
    return true;
  pg_say ("%.100s: %s", folder->path, strerror (errno));
  return false;
}

void
pg_own_file (const struct pg_own_folder *folder, const char *name, char (*path)[PG_OWN_PATH_LEN])
{
  snprintf (*path, sizeof *path, "%s/%.30s", folder->path, name);
}

void
pg_own_folder_remove (const struct pg_own_folder *folder)
{
  DIR *open = opendir (folder->path);
  const struct dirent *entry;
  while (open != NULL && (entry = readdir (open)) != NULL)
    unlinkat (dirfd (open), entry->d_name, 0);
  if (open != NULL)
    closedir (open);
  rmdir (folder->path);
}
