/* SPDX-License-Identifier: MIT
   Starting a user's command.  See spawn.h.  */
#include "spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

int
pg_spawn (char *const *argv, const char *out, bool is_verbose, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  int e = posix_spawn_file_actions_init (&actions);
  if (e != 0)
    return e;
  e = posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (e == 0)
    e = out == NULL
	  ? posix_spawn_file_actions_adddup2 (&actions, STDERR_FILENO, STDOUT_FILENO)
	  : posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (e == 0 && !is_verbose)
    e = posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (e == 0)
    e = posix_spawnp (pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  return e;
}
