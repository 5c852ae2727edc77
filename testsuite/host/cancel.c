/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: deferred, asynchronous
//! stat: pool >= 3
/* Threads that run regions are cancelled: one that may be at any time is not inside the runtime, and what it held is
   free for the others.  Its cleanup handler runs regions, too.  */
#include "host.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct data d, of_thread, of_cleanup;
static int is_asynchronous;
static int n_rounds;

static void
clean_up (void *unused)
{
  (void) unused;
  prepare (&of_cleanup, 5);
  printf ("cleanup: %x\n", work (&of_cleanup));
}

static void *
run (void *unused)
{
  int old;

  (void) unused;
  pthread_cleanup_push (clean_up, NULL);
  if (is_asynchronous)
    pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  for (;;)
    {
      work (&of_thread);
      __atomic_add_fetch (&n_rounds, 1, __ATOMIC_RELAXED);
      if (!is_asynchronous)
	pthread_testcancel ();
    }
  pthread_cleanup_pop (0);
  return NULL;
}

int
main (int argc, char **argv)
{
  int round;

  is_asynchronous = argc > 1 && strcmp (argv[1], "asynchronous") == 0;
  for (round = 0; round < 20; round++)
    {
      pthread_t thread;
      void *result = NULL;
      prepare (&of_thread, 1);
      n_rounds = 0;
      pthread_create (&thread, NULL, run, NULL);
      while (__atomic_load_n (&n_rounds, __ATOMIC_RELAXED) < 2)
	usleep (50);
      usleep ((useconds_t) (137 * round));
      pthread_cancel (thread);
      pthread_join (thread, &result);
      prepare (&d, (unsigned) round);
      printf ("%d %x\n", result == PTHREAD_CANCELED, work (&d));
    }
  return 0;
}
