/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -D_GNU_SOURCE
//! stat: pool >= 3
/* Other programs are started in all ways while the pool exists: they get the signal mask and the descriptors that they
   would get from the plain program, and the program goes on.  */
#include "host.h"
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static struct data d;
/* Signals 32 and 33 are the C library's own and depend on threads.  */
static char self_status[] = "while read -r name value rest; do case $name in SigBlk: | SigIgn:)"
			    " echo \"$name $((0x$value & 0x7fffffff))\" ;; esac; done < /proc/self/status;"
			    " ls /proc/self/fd | wc -l";
static char *arguments[] = { (char *) "sh", (char *) "-c", self_status, NULL };

static void
report (const char *how, pid_t pid)
{
  int status = -1;

  waitpid (pid, &status, 0);
  printf ("%s: %d, %x\n", how, status, work (&d));
  fflush (stdout);
}

int
main (void)
{
  pid_t pid;
  char line[200];
  FILE *pipe;
  volatile int round;

  closefrom (3);
  prepare (&d, 1);
  for (round = 0; round < 3; round++)
    {
      printf ("%x\n", work (&d));
      fflush (stdout);
      pid = vfork ();
      if (pid == 0)
	{
	  execve ("/bin/sh", arguments, environ);
	  _exit (127);
	}
      report ("vfork", pid);
      if (posix_spawn (&pid, "/bin/sh", NULL, NULL, arguments, environ) != 0)
	return 2;
      report ("posix_spawn", pid);
      printf ("system: %d\n", system (self_status));
      fflush (stdout);
      pipe = popen (self_status, "r");
      while (fgets (line, sizeof line, pipe) != NULL)
	printf ("popen: %s", line);
      printf ("popen: %d, %x\n", pclose (pipe), work (&d));
      fflush (stdout);
    }
  pid = fork ();
  if (pid == 0)
    {
      work (&d);
      execve ("/bin/sh", arguments, environ);
      _exit (127);
    }
  report ("fork and execve", pid);
  return 0;
}
