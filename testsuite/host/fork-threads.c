/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread -D_GNU_SOURCE
//! args: main, thread
//! stat: pool >= 3
/* fork while another thread is inside regions: the child has neither that thread nor the pool, and what they held must
   not keep it out or make it wait.  With the argument "thread" it is a second thread that forks.  */
#include "host.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct data busy, own;
static int stop;

static void *
keep_busy (void *unused)
{
  (void) unused;
  while (!__atomic_load_n (&stop, __ATOMIC_RELAXED))
    work (&busy);
  return NULL;
}

static void *
fork_often (void *unused)
{
  unsigned expected;
  int i, status, n_wrong = 0;

  (void) unused;
  prepare (&own, 2);
  expected = work (&own);
  for (i = 0; i < 20; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	{
	  prepare (&own, 2);
	  _exit (work (&own) != expected);
	}
      waitpid (pid, &status, 0);
      n_wrong += status != 0;
    }
  printf ("%x, %d of 20 wrong\n", expected, n_wrong);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t helper, forker;
  int by_thread = argc > 1 && strcmp (argv[1], "thread") == 0;

  prepare (&busy, 3);
  if (by_thread)
    {
      pthread_create (&forker, NULL, fork_often, NULL);
      while (pthread_tryjoin_np (forker, NULL) != 0)
	work (&busy);
    }
  else
    {
      pthread_create (&helper, NULL, keep_busy, NULL);
      fork_often (NULL);
      __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
      pthread_join (helper, NULL);
    }
  prepare (&own, 4);
  printf ("%x\n", work (&own));
  return 0;
}
