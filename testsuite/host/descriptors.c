/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: above, output, all, files
//! scan: report 1 "function":"mix".*"outlined":true
/* A program that closes descriptors that it did not open, or all of them: none is missed, none is left open, and what
   the program opens next gets the numbers that it gets in the plain program.  The exit status tells what stdout may not
   be able to.  */
#include "host.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct data d;

static int
n_open (void)
{
  int fd, n = 0;

  for (fd = 0; fd < 256; fd++)
    n += fcntl (fd, F_GETFD) >= 0;
  return n;
}

static void
close_from (int fd)
{
  for (; fd < 256; fd++)
    close (fd);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "above";
  int first = strcmp (what, "above") == 0 ? 3 : strcmp (what, "output") == 0 ? 1 : 0;
  int files[3] = { 0 };
  unsigned results[4];
  int i, n, is_wrong = 0;

  prepare (&d, 1);
  if (strcmp (what, "files") == 0)
    {
      /* Its own files take the numbers of the standard ones; nothing may be written there.  */
      char name[] = "file0";
      close_from (0);
      for (i = 0; i < 3; i++)
	{
	  name[4] = (char) ('0' + i);
	  files[i] = open (name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	}
      is_wrong = files[0] != 0 || files[2] != 2;
      first = 3;
    }
  for (i = 0; i < 4; i++)
    {
      results[i] = work (&d);
      close_from (first);
      n = n_open ();
      results[i] += work (&d);
      is_wrong |= n_open () != n;
    }
  if (strcmp (what, "files") == 0)
    for (i = 0; i < 3; i++)
      is_wrong |= lseek (files[i], 0, SEEK_END) != 0;
  for (i = 0; i < 4; i++)
    printf ("%x\n", results[i]);
  fflush (stdout);
  _exit (is_wrong ? 1 : 100 + (int) (results[3] % 100));
}
