/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: parent, child
//! stat: pool >= 3
/* fork before the first entry and after it.  The child has no pool and may make one of its own; both sides give the
   right answer.  With the argument "child" the statistics left behind are a child's.  */
#include "host.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct data d;
static unsigned *child_result;

static void
end_child (int with_statistics)
{
  if (with_statistics)
    exit (0);
  _exit (0);
}

static void
both_sides_work (const char *when, int with_statistics)
{
  int status = 0;
  unsigned result;
  pid_t pid;

  fflush (stdout);
  pid = fork ();
  result = work (&d);
  if (pid == 0)
    {
      *child_result = result;
      end_child (with_statistics);
    }
  waitpid (pid, &status, 0);
  printf ("%s: %x %x %d\n", when, result, *child_result, status);
}

/* A child of a child, the first child working before and after.  */
static void
three_generations (int with_statistics)
{
  int status = 0;
  pid_t pid;

  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    {
      unsigned before = work (&d);
      pid_t next = fork ();
      if (next == 0)
	{
	  child_result[1] = work (&d);
	  end_child (with_statistics);
	}
      waitpid (next, &status, 0);
      child_result[0] = before ^ work (&d);
      end_child (with_statistics);
    }
  waitpid (pid, &status, 0);
  printf ("generations: %x %x %d\n", child_result[0], child_result[1], status);
}

int
main (int argc, char **argv)
{
  int in_child = argc > 1 && strcmp (argv[1], "child") == 0;
  int i;

  child_result = (unsigned *) mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  prepare (&d, 1);
  both_sides_work ("before the first entry", in_child);
  printf ("%x\n", work (&d));
  for (i = 0; i < 10; i++)
    both_sides_work ("after an entry", in_child);
  three_generations (in_child);
  if (!in_child)
    return 0;
  fflush (stdout);
  _exit (0);
}
