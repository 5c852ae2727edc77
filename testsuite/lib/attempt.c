/* SPDX-License-Identifier: MIT
   One run of a program under test, in one small process: tests make thousands of them.

       attempt SECONDS OUT [-e EXPECTED] [NAME=VALUE]... PROGRAM [ARGUMENT]...

   The program reads nothing; OUT/stdout, OUT/stderr and OUT/status are what it leaves.  Exit status: 0, or 1 if one of
   the three files is not as in the folder EXPECTED; 124 if SECONDS have passed, when the program and what it started
   are killed; 2 if this cannot be done.  */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  CANNOT = 2,
  IS_LATE = 124,
  NOT_FOUND = 127,
  OF_SIGNAL = 128 /* added to its number, as shells do */
};

static _Noreturn void
die (const char *what)
{
  fprintf (stderr, "attempt: %s: %s\n", what, strerror (errno));
  exit (CANNOT);
}

static const char *
path_in (const char *folder, const char *name)
{
  char *path;
  if (asprintf (&path, "%s/%s", folder, name) < 0)
    die ("asprintf");
  return path;
}

static int
open_in (const char *folder, const char *name, int flags)
{
  const char *path = path_in (folder, name);
  int fd = open (path, flags | O_CLOEXEC, 0666);
  if (fd < 0)
    die (path);
  return fd;
}

/* What the child does: it becomes COMMAND with the output in OUT.  */
static _Noreturn void
become (char **command, const char *out, const sigset_t *signals)
{
  int in = open ("/dev/null", O_RDONLY);
  if (setpgid (0, 0) || prctl (PR_SET_PDEATHSIG, SIGKILL) || sigprocmask (SIG_SETMASK, signals, NULL) || in < 0
      || dup2 (in, 0) < 0 || dup2 (open_in (out, "stdout", O_WRONLY | O_CREAT | O_TRUNC), 1) < 0
      || dup2 (open_in (out, "stderr", O_WRONLY | O_CREAT | O_TRUNC), 2) < 0)
    die ("child");
  if (in > 2)
    close (in);
  for (; *command && strchr (*command, '='); command++)
    putenv (*command);
  if (*command)
    execvp (*command, command);
  fprintf (stderr, "%s: %s\n", *command ? *command : "no program", strerror (errno));
  exit (NOT_FOUND);
}

/* The status of the child CHILD as a shell has it, or IS_LATE after SECONDS; SIGCHLD is blocked.  */
static int
wait_for (pid_t child, int seconds, const sigset_t *sigchld)
{
  struct timespec now, left = { .tv_sec = seconds };
  clock_gettime (CLOCK_MONOTONIC, &now);
  const struct timespec end = { now.tv_sec + seconds, now.tv_nsec };
  int status;
  while (waitpid (child, &status, WNOHANG) == 0)
    {
      if (sigtimedwait (sigchld, NULL, &left) < 0 && errno == EAGAIN)
	{
	  kill (-child, SIGKILL);
	  waitpid (child, &status, 0);
	  return IS_LATE;
	}
      clock_gettime (CLOCK_MONOTONIC, &now);
      left.tv_sec = end.tv_sec > now.tv_sec ? end.tv_sec - now.tv_sec : 0;
    }
  return WIFSIGNALED (status) ? OF_SIGNAL + WTERMSIG (status) : WEXITSTATUS (status);
}

/* Does the file NAME hold the same bytes in the folders A and B?  */
static bool
is_same (const char *name, const char *a, const char *b)
{
  const char *folders[2] = { a, b };
  char buffers[2][1 << 16];
  ssize_t n[2];
  int fds[2];
  for (int i = 0; i < 2; i++)
    fds[i] = open_in (folders[i], name, O_RDONLY);
  do
    for (int i = 0; i < 2; i++)
      if ((n[i] = read (fds[i], buffers[i], sizeof buffers[i])) < 0)
	die (name);
  while (n[0] == n[1] && n[0] > 0 && !memcmp (buffers[0], buffers[1], (size_t) n[0]));
  for (int i = 0; i < 2; i++)
    close (fds[i]);
  return n[0] == 0 && n[1] == 0;
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "stdout", "stderr", "status" };
  int seconds = argc > 3 ? atoi (argv[1]) : 0;
  if (seconds <= 0)
    {
      fputs ("usage: attempt SECONDS OUT [-e EXPECTED] [NAME=VALUE]... PROGRAM [ARGUMENT]...\n", stderr);
      return CANNOT;
    }
  const char *out = argv[2], *expected = NULL;
  char **command = argv + 3;
  if (!strcmp (*command, "-e") && command[1])
    {
      expected = command[1];
      command += 2;
    }
  if (mkdir (out, 0777) && errno != EEXIST)
    die (out);

  sigset_t sigchld, before;
  sigemptyset (&sigchld);
  sigaddset (&sigchld, SIGCHLD);
  if (sigprocmask (SIG_BLOCK, &sigchld, &before))
    die ("sigprocmask");
  pid_t child = fork ();
  if (child < 0)
    die ("fork");
  if (child == 0)
    become (command, out, &before);
  int status = wait_for (child, seconds, &sigchld);
  if (status == IS_LATE)
    return IS_LATE;

  FILE *file = fdopen (open_in (out, "status", O_WRONLY | O_CREAT | O_TRUNC), "w");
  if (!file || fprintf (file, "%d\n", status) < 0 || fclose (file))
    die ("status");
  for (size_t i = 0; expected && i < sizeof names / sizeof *names; i++)
    if (!is_same (names[i], out, expected))
      return 1;
  return 0;
}
