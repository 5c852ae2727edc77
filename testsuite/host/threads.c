/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: same, different
//! stat: pool >= 10
/* Threads of the program enter one region at once, or different ones: one is inside, or has the pool, and the others
   do their work themselves.  No two of them share data, so each result is what that thread alone would get.  */
#include "host.h"
#include <pthread.h>
#include <string.h>

enum
{
  N_THREADS = 4,
  ROUNDS = 60
};

struct job
{
  struct data d;
  int round_of_what;		/* below zero: all three regions */
  unsigned result;
};

static struct job jobs[N_THREADS];
static pthread_barrier_t barrier;

static void *
run (void *arg)
{
  struct job *job = (struct job *) arg;
  int round;

  for (round = 0; round < ROUNDS; round++)
    {
      pthread_barrier_wait (&barrier);
      switch (job->round_of_what)
	{
	case 0:
	  mix (N, job->d.x, job->d.y);
	  break;
	case 1:
	  scatter (N, job->d.index, job->d.y);
	  break;
	case 2:
	  job->result += total (N, job->d.y);
	  break;
	default:
	  job->result += work (&job->d);
	}
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int different = argc > 1 && strcmp (argv[1], "different") == 0;
  pthread_t threads[N_THREADS];
  int i;

  pthread_barrier_init (&barrier, NULL, N_THREADS);
  for (i = 0; i < N_THREADS; i++)
    {
      prepare (&jobs[i].d, (unsigned) i);
      jobs[i].round_of_what = different ? i : -1;
      pthread_create (&threads[i], NULL, run, &jobs[i]);
    }
  for (i = 0; i < N_THREADS; i++)
    {
      pthread_join (threads[i], NULL);
      printf ("%x ", jobs[i].result);
      print_bits ("y", jobs[i].d.y, sizeof jobs[i].d.y);
    }
  return 0;
}
