/* SPDX-License-Identifier: MIT
   A folder in which a test's runs keep their costs (PARAGON_CACHE), gone after it.  */
#ifndef PARAGON_TEST_KEPT_FOLDER_H
#define PARAGON_TEST_KEPT_FOLDER_H

#include "environment.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char parent[64], folder[128];

/* Have the folder be what the environment, reset, names.  Skips the test where there is no SQLite.  */
static inline void
start_folder (void)
{
  pg_environment_defaults (&pg_environment);
  pg_environment.limit = 0;
  pg_environment.cache = folder;
  strcpy (parent, "/tmp/paragon-kept-XXXXXX");
  assert_non_null (mkdtemp (parent));
  snprintf (folder, sizeof folder, "%s/paragon", parent);
  void *library = dlopen ("libsqlite3.so.0", RTLD_NOW);
  if (library == NULL)
    skip ();
  dlclose (library);
}

static inline int
remove_folder (void **state)
{
  char command[128];
  (void) state;
  snprintf (command, sizeof command, "rm -rf %s", parent);
  return system (command);
}

#endif
