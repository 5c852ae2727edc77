/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: blocked, waiting
//! run: threads=2,4
//! stat: pool >= 1
/* A program that handles no signals, and has a pool before it blocks them: those that all of its threads block stay
   pending, and one that a thread waits for reaches that thread, though nothing defers them during a run.  */
#include "waiting.h"
#include <string.h>

static struct data d;

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

int
main (int argc, char **argv)
{
  prepare (&d, 1);
  printf ("%x\n", work (&d));
  if (argc > 1 && strcmp (argv[1], "blocked") == 0)
    with_blocked ();
  else
    with_waiting (&d);
  return 0;
}
