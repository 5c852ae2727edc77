/* SPDX-License-Identifier: MIT
   paragon run: a program, and then what ran its loops.  It takes this process's place, so that nothing else of it is
   changed.  */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
pg_command_run (int argc, char **argv)
{
  const char *where = "1";
  while (pg_command_next_option (PG_COMMAND_RUN, argc, argv) != PG_OPTIONS_END)
    where = optarg;
  if (optind == argc)
    return pg_command_wrong (PG_COMMAND_RUN, "no PROGRAM");
  if (setenv ("PARAGON_STATS", where, 1) == 0)
    execvp (argv[optind], argv + optind);
  int e = errno;
  pg_say ("%s: %s", argv[optind], strerror (e));
  return e == ENOENT ? PG_EXIT_NOT_FOUND : PG_EXIT_CANNOT_RUN;
}
