/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: as, data, nofile, stack-small, stack-large, stack-unlimited, nproc
//! scan: report 1 "function":"mix".*"outlined":true
/* A program that limits itself before its first region: no address space for threads or shadows, no descriptors, stacks
   of all sizes.  What cannot be had is done without, in silence.  In the end there are descriptors again: to keep from
   who asks for statistics that they cannot be written would be a silence too many.  */
#include "host.h"
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct data d;

/* The bytes of address space in use.  */
static rlim_t
address_space (void)
{
  unsigned long pages = 0;
  FILE *f = fopen ("/proc/self/statm", "r");

  if (f == NULL || fscanf (f, "%lu", &pages) != 1)
    exit (2);
  fclose (f);
  return (rlim_t) pages * (rlim_t) sysconf (_SC_PAGESIZE);
}

/* The limit that WHAT names.  */
static rlim_t
limit_of (const char *what, int *resource)
{
  *resource = RLIMIT_STACK;
  if (strcmp (what, "stack-small") == 0)
    return 64 << 10;
  if (strcmp (what, "stack-large") == 0)
    return (rlim_t) 1 << 36;
  if (strcmp (what, "stack-unlimited") == 0)
    return RLIM_INFINITY;
  *resource = RLIMIT_DATA;
  if (strcmp (what, "data") == 0)
    return 1 << 20;
  *resource = RLIMIT_NOFILE;
  if (strcmp (what, "nofile") == 0)
    return 3;
  *resource = RLIMIT_NPROC;
  if (strcmp (what, "nproc") == 0)
    return 1;
  *resource = RLIMIT_AS;
  return address_space () + (1 << 20);
}

/* Set the limit that WHAT names, and return what it was.  */
static struct rlimit
set_limit (const char *what)
{
  struct rlimit limit, before;
  int resource;
  rlim_t value = limit_of (what, &resource);

  getrlimit (resource, &limit);
  before = limit;
  limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
  setrlimit (resource, &limit);
  return before;
}

int
main (int argc, char **argv)
{
  struct rlimit before;
  int i;

  prepare (&d, 1);
  printf ("start\n");
  fflush (stdout);
  if (argc > 1)
    before = set_limit (argv[1]);
  for (i = 0; i < 5; i++)
    printf ("%x\n", work (&d));
  print_bits ("y", d.y, sizeof d.y);
  if (argc > 1 && strcmp (argv[1], "nofile") == 0)
    setrlimit (RLIMIT_NOFILE, &before);
  return 0;
}
