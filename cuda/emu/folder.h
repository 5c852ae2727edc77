/* SPDX-License-Identifier: MIT
   The folder of a device: both sides remove it, the program when it closes the device, the process when the program is
   gone without that.  */
#ifndef PG_EMU_FOLDER_H
#define PG_EMU_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Remove the folder PATH and the files in it: three for each module, whose numbers are 0, 1, 2 ...  No file is opened
   for this: the program may have as many as it can.  "": there is none.  */
static inline void
pg_emu_remove_folder (const char *path)
{
  static const char *const kinds[] = { "cu", "log", "so" };
  char name[PATH_MAX + 32];
  bool is_removed = path[0] != '\0';
  for (unsigned module = 0; is_removed; module++)
    {
      is_removed = false;
      for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
	{
	  snprintf (name, sizeof name, "%s/%u.%s", path, module, kinds[k]);
	  is_removed |= unlink (name) == 0;
	}
    }
  if (path[0] != '\0')
    rmdir (path);
}

#endif
