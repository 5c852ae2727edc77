/* SPDX-License-Identifier: MIT
   A tree of files in the place of /proc and /sys/fs/cgroup.  */
#ifndef PARAGON_GROUPS_H
#define PARAGON_GROUPS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[] = "/tmp/test-groups-XXXXXX";

/* Write TEXT to the file NAME below our root, making one directory on the way.  */
static const char *
put (const char *directory, const char *name, const char *text)
{
  static char path[300];
  snprintf (path, sizeof path, "%s%s", root, directory);
  mkdir (path, 0700);
  snprintf (path, sizeof path, "%s%s/%s", root, directory, name);
  FILE *file = fopen (path, "w");
  fputs (text, file);
  fclose (file);
  return path;
}

static int
make_root (void **state)
{
  (void) state;
  return mkdtemp (root) == NULL;
}

static int
remove_root (void **state)
{
  char command[100];
  (void) state;
  snprintf (command, sizeof command, "rm -r %s", root);
  return system (command);
}

#endif
