/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: before, after
//! scan: report 1 "function":"mix".*"outlined":true
/* A program that makes itself a daemon, before or after its first region: it forks twice, leaves its session, closes
   all descriptors but one and works in the root directory.  The first process prints what the last one found.  */
#include "host.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct data d;

static void
be_daemon (int out)
{
  unsigned results[2];
  int fd;

  setsid ();
  if (fork () != 0)
    _exit (0);
  umask (0);
  if (chdir ("/") != 0)
    _exit (2);
  for (fd = 0; fd < 64; fd++)
    if (fd != out)
      close (fd);
  results[0] = work (&d);
  open ("/dev/null", O_RDWR);
  results[1] = work (&d);
  if (write (out, results, sizeof results) != sizeof results)
    _exit (3);
  _exit (0);
}

int
main (int argc, char **argv)
{
  unsigned results[2] = { 0 };
  int ends[2];
  pid_t pid;

  prepare (&d, 1);
  if (argc > 1 && strcmp (argv[1], "after") == 0)
    printf ("%x\n", work (&d));
  fflush (stdout);
  if (pipe (ends) != 0)
    return 2;
  pid = fork ();
  if (pid == 0)
    be_daemon (ends[1]);
  close (ends[1]);
  waitpid (pid, NULL, 0);
  if (read (ends[0], results, sizeof results) != sizeof results)
    return 3;
  printf ("daemon: %x %x\n", results[0], results[1]);
  printf ("%x\n", work (&d));
  return 0;
}
