/* SPDX-License-Identifier: MIT
   A command's first line.  See capture.h.  */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Start ARGV, both its outputs to the file FD.  0 or what is wrong.  */
static int
start (char *const *argv, int fd, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  int e = posix_spawn_file_actions_init (&actions);
  if (e != 0)
    return e;
  for (int out = STDOUT_FILENO; e == 0 && out <= STDERR_FILENO; out++)
    e = posix_spawn_file_actions_adddup2 (&actions, fd, out);
  if (e == 0)
    e = posix_spawnp (pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  return e;
}

int
pg_capture (char *const *argv, char (*text)[PG_CAPTURE_LEN])
{
  int pipe_ends[2], status = 0;
  pid_t pid;
  **text = '\0';
  int e = pipe2 (pipe_ends, O_CLOEXEC) != 0 ? errno : 0;
  if (e != 0)
    return -1;
  e = start (argv, pipe_ends[1], &pid);
  close (pipe_ends[1]);
  FILE *in = fdopen (pipe_ends[0], "r");
  if (e == 0 && in != NULL)
    {
      char rest[PG_CAPTURE_LEN];
      if (fgets (*text, sizeof *text, in) != NULL)
	(*text)[strcspn (*text, "\n")] = '\0';
      while (fgets (rest, sizeof rest, in) != NULL)
	continue;
      waitpid (pid, &status, 0);
    }
  else
    snprintf (*text, sizeof *text, "%s: %s", argv[0], strerror (e));
  if (in != NULL)
    fclose (in);
  return e == 0 && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}
