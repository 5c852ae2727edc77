/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: atexit, first-in-atexit, quick, at-once, other-thread, abort
//! scan: report 1 "function":"mix".*"outlined":true
/* All the ways out: with regions run from handlers and destructors at exit, with the pool asleep, while another thread
   is inside a region, with no more than _exit.  */
#include "host.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct data d, of_helper;
static int helper_works;

static void
work_at_exit (void)
{
  printf ("at exit: %x\n", work (&d));
}

__attribute__ ((destructor)) static void
work_in_destructor (void)
{
  prepare (&d, 4);
  printf ("in a destructor: %x\n", work (&d));
  fflush (stdout);
}

static void *
help (void *unused)
{
  (void) unused;
  for (;;)
    {
      work (&of_helper);
      __atomic_store_n (&helper_works, 1, __ATOMIC_RELAXED);
    }
  return NULL;
}

static void
end_quickly (int signal)
{
  (void) signal;
  _exit (9);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "atexit";
  pthread_t helper;

  prepare (&d, 1);
  if (strcmp (how, "first-in-atexit") != 0)
    printf ("%x\n", work (&d));
  atexit (work_at_exit);
  at_quick_exit (work_at_exit);
  fflush (stdout);
  if (strcmp (how, "quick") == 0)
    quick_exit (3);
  if (strcmp (how, "at-once") == 0)
    _exit (4);
  if (strcmp (how, "abort") == 0)
    {
      signal (SIGABRT, end_quickly);
      abort ();
    }
  if (strcmp (how, "other-thread") == 0)
    {
      prepare (&of_helper, 2);
      pthread_create (&helper, NULL, help, NULL);
      while (!__atomic_load_n (&helper_works, __ATOMIC_RELAXED))
	usleep (100);
      exit (5);
    }
  return 0;
}
