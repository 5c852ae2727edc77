/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: commands with a time limit, and files.

   Each command runs in a process group of its own, so that what it started ends with it.  */

#include "drive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A program that prints or allocates without end is stopped before it fills the disk.  */
enum
{
  MAX_FILE = 64 << 20
};

static void
become_command (const struct dr_command *command, const sigset_t *old_mask)
{
  struct rlimit no_core = { 0, 0 }, file = { MAX_FILE, MAX_FILE };
  int in, out, err;

  setpgid (0, 0);
  sigprocmask (SIG_SETMASK, old_mask, NULL);
  setrlimit (RLIMIT_CORE, &no_core);
  setrlimit (RLIMIT_FSIZE, &file);
  if (chdir (command->folder))
    _exit (127);
  in = open ("/dev/null", O_RDONLY);
  out = open (command->out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  err = open (command->err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (in < 0 || out < 0 || err < 0 || dup2 (in, 0) < 0 || dup2 (out, 1) < 0 || dup2 (err, 2) < 0)
    _exit (127);
  close (in);
  close (out);
  close (err);
  for (char *const *setting = command->settings; setting && *setting; setting++)
    putenv (*setting);
  execvp (command->argv[0], command->argv);
  _exit (127);
}

/* Run COMMAND and wait for its end or its time limit.  */
struct dr_outcome
dr_run (const struct dr_command *command)
{
  struct dr_outcome outcome = { 0, false };
  struct timespec now, end, left;
  sigset_t child, old_mask;
  pid_t pid;

  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  sigprocmask (SIG_BLOCK, &child, &old_mask);
  fflush (NULL);
  pid = fork ();
  if (pid == 0)
    become_command (command, &old_mask);
  if (pid < 0)
    {
      perror ("drive: fork");
      exit (2);
    }
  setpgid (pid, pid);

  clock_gettime (CLOCK_MONOTONIC, &end);
  end.tv_sec += command->timeout;
  while (waitpid (pid, &outcome.status, WNOHANG) == 0)
    {
      clock_gettime (CLOCK_MONOTONIC, &now);
      left.tv_sec = end.tv_sec - now.tv_sec - (end.tv_nsec < now.tv_nsec);
      left.tv_nsec = end.tv_nsec - now.tv_nsec + (end.tv_nsec < now.tv_nsec ? 1000000000L : 0);
      if (left.tv_sec < 0)
	{
	  outcome.is_late = true;
	  kill (-pid, SIGKILL);
	  waitpid (pid, &outcome.status, 0);
	  break;
	}
      sigtimedwait (&child, NULL, &left);
    }
  kill (-pid, SIGKILL);
  sigprocmask (SIG_SETMASK, &old_mask, NULL);
  return outcome;
}

bool
dr_is_crash (const struct dr_outcome *outcome)
{
  return !outcome->is_late && WIFSIGNALED (outcome->status);
}

/* Put FOLDER/NAME into PATH and return it.  */
const char *
dr_path (char path[PATH_MAX], const char *folder, const char *name)
{
  if ((size_t) snprintf (path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
    {
      fprintf (stderr, "drive: name too long: %s/%s\n", folder, name);
      exit (2);
    }
  return path;
}

/* Read FOLDER/NAME into *TEXT, which the caller frees, with a zero byte after its *LEN bytes.  False: there is no
   such file, and *TEXT is NULL.  */
bool
dr_read (const char *folder, const char *name, char **text, size_t *len)
{
  char path[PATH_MAX];
  FILE *file = fopen (dr_path (path, folder, name), "r");
  struct stat status;

  *text = NULL;
  *len = 0;
  if (!file)
    return false;
  if (!fstat (fileno (file), &status) && (*text = malloc ((size_t) status.st_size + 1)))
    {
      *len = fread (*text, 1, (size_t) status.st_size, file);
      (*text)[*len] = 0;
    }
  fclose (file);
  return *text != NULL;
}

/* Copy the file FROM to TO; false if that fails.  */
bool
dr_copy (const char *from, const char *to)
{
  FILE *in = fopen (from, "r"), *out = in ? fopen (to, "w") : NULL;
  char text[4096];
  size_t len;
  bool done;

  while (out && (len = fread (text, 1, sizeof text, in)) > 0)
    fwrite (text, 1, len, out);
  done = out && !ferror (in) && !ferror (out);
  if (in)
    fclose (in);
  if (out)
    done &= !fclose (out);
  return done;
}
