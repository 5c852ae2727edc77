/* SPDX-License-Identifier: MIT
   Files of this process's own, in a folder of its own, which are gone when it ends.  */
#ifndef PARAGON_CLI_OWN_FILE_H
#define PARAGON_CLI_OWN_FILE_H

#include <stdbool.h>

enum
{
  PG_OWN_FOLDER_LEN = 4096,
  PG_OWN_PATH_LEN = PG_OWN_FOLDER_LEN + 32
};

struct pg_own_folder
{
  char path[PG_OWN_FOLDER_LEN];
};

/* Make FOLDER.  False: it cannot be made, which was said.  */
bool pg_own_folder_make (struct pg_own_folder *folder);

/* Put the path of the file NAME in FOLDER, a short name, into PATH.  */
void pg_own_file (const struct pg_own_folder *folder, const char *name, char (*path)[PG_OWN_PATH_LEN]);

/* Remove FOLDER and the files in it.  */
void pg_own_folder_remove (const struct pg_own_folder *folder);

#endif
