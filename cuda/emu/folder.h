/* SPDX-License-Identifier: MIT
   The folder of a device: both sides remove it, the program when it closes the device, the process when the program is
   gone without that.  */
#ifndef PG_EMU_FOLDER_H
#define PG_EMU_FOLDER_H

#include <dirent.h>
#include <unistd.h>

/* Remove the folder PATH and the files in it.  "": there is none.  */
static inline void
pg_emu_remove_folder (const char *path)
{
  DIR *folder = path[0] == '\0' ? NULL : opendir (path);
  if (folder == NULL)
    return;
  for (struct dirent *entry = readdir (folder); entry != NULL; entry = readdir (folder))
    unlinkat (dirfd (folder), entry->d_name, 0);
  closedir (folder);
  rmdir (path);
}

#endif
