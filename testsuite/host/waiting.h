/* SPDX-License-Identifier: MIT
   A thread that waits for signals which nobody else takes, while others run regions.  */
#ifndef WAITING_H
#define WAITING_H

#include "host.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum
{
  N_AWAITED = 50
};

static int n_awaited;

static void *
wait_for_signals (void *set)
{
  int signal, n;

  for (n = 0; n < N_AWAITED; n++)
    sigwait ((sigset_t *) set, &signal);
  __atomic_store_n (&n_awaited, n, __ATOMIC_RELAXED);
  return NULL;
}

/* One thread waits for SIGUSR1, which nobody else takes, while this one works on D.  */
static void
with_waiting (struct data *d)
{
  static sigset_t set;
  pthread_t waiter;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  pthread_create (&waiter, NULL, wait_for_signals, &set);
  while (__atomic_load_n (&n_awaited, __ATOMIC_RELAXED) < N_AWAITED)
    {
      prepare (d, 1);
      kill (getpid (), SIGUSR1);
      work (d);
    }
  pthread_join (waiter, NULL);
  printf ("%d waited for\n", n_awaited);
}

#endif
