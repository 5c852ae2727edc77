/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: blocked, waiting
//! run: threads=2,4
//! stat: pool >= 1
/* A program that handles no signals, and has a pool before it blocks them: those that all of its threads block stay
   pending, and one that a thread waits for reaches that thread, though nothing defers them during a run.  */
#include "host.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum
{
  N_SENT = 50
};

static struct data d;
static int n_waited;

/* Signals that only others send, sent to the process while the program blocks them.  */
static void
with_blocked (void)
{
  static const int sent[] = { SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGPROF };
  sigset_t block, pending;
  int signal, n = 0;
  size_t i;

  sigfillset (&block);
  pthread_sigmask (SIG_BLOCK, &block, NULL);
  for (i = 0; i < sizeof sent / sizeof *sent; i++)
    {
      kill (getpid (), sent[i]);
      printf ("%x\n", work (&d));
    }
  sigpending (&pending);
  for (signal = 1; signal < 32; signal++)
    n += sigismember (&pending, signal);
  printf ("%d pending\n", n);
  fflush (stdout);
}

static void *
wait_for_signals (void *set)
{
  int signal, n;

  for (n = 0; n < N_SENT; n++)
    sigwait ((sigset_t *) set, &signal);
  __atomic_store_n (&n_waited, n, __ATOMIC_RELAXED);
  return NULL;
}

/* One thread waits for SIGUSR1, which nobody else takes.  */
static void
with_waiting (void)
{
  static sigset_t set;
  pthread_t waiter;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  pthread_create (&waiter, NULL, wait_for_signals, &set);
  while (__atomic_load_n (&n_waited, __ATOMIC_RELAXED) < N_SENT)
    {
      prepare (&d, 1);
      kill (getpid (), SIGUSR1);
      work (&d);
    }
  pthread_join (waiter, NULL);
  printf ("%d waited for\n", n_waited);
}

int
main (int argc, char **argv)
{
  prepare (&d, 1);
  printf ("%x\n", work (&d));
  if (argc > 1 && strcmp (argv[1], "blocked") == 0)
    with_blocked ();
  else
    with_waiting ();
  return 0;
}
