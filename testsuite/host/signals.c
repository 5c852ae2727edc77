/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: timer, profile, blocked, faults, waiting, long
//! run: threads=2,4
//! stat: pool >= 1
/* Asynchronous signals are for the program's own threads: handlers run there only, a signal that all of them block
   stays pending, one that a thread waits for reaches that thread, and a long loop lets signals in now and then.  */
#include "waiting.h"
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum
{
  LONG_N = 1 << 16
};

static struct data d;
static unsigned long_x[LONG_N], long_y[LONG_N];
static pthread_t main_thread;
static int n_ticks, n_strangers;

static void
on_signal (int signal)
{
  (void) signal;
  __atomic_add_fetch (&n_ticks, 1, __ATOMIC_RELAXED);
  if (!pthread_equal (pthread_self (), main_thread))
    __atomic_add_fetch (&n_strangers, 1, __ATOMIC_RELAXED);
}

static void
handle (int signal)
{
  struct sigaction action = { 0 };

  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction (signal, &action, NULL);
}

static void
work_until_ticks (int n)
{
  unsigned result = 0;

  while (__atomic_load_n (&n_ticks, __ATOMIC_RELAXED) < n)
    {
      prepare (&d, 1);
      result = work (&d);
    }
  printf ("%x, %d strangers\n", result, n_strangers);
}

/* A timer whose signal goes to the process.  */
static void
with_timer (int which, int signal)
{
  struct itimerval often = { { 0, 500 }, { 0, 500 } };

  handle (signal);
  setitimer (which, &often, NULL);
  work_until_ticks (40);
  often = (struct itimerval) { { 0, 0 }, { 0, 0 } };
  setitimer (which, &often, NULL);
}

/* Whether SIGNAL is what the system raises for a thread's own mistake.  */
static int
is_fault (int signal)
{
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP
	 || signal == SIGSYS;
}

/* All signals that can be blocked, FAULTS or others, sent to the process while the program blocks them.  */
static void
with_blocked (int faults)
{
  sigset_t block, pending;
  int signal, n = 0;

  sigfillset (&block);
  pthread_sigmask (SIG_BLOCK, &block, NULL);
  for (signal = 1; signal < 32; signal++)
    if (signal != SIGKILL && signal != SIGSTOP && is_fault (signal) == faults)
      {
	printf ("%x\n", work (&d));
	kill (getpid (), signal);
	printf ("%x\n", work (&d));
      }
  sigpending (&pending);
  for (signal = 1; signal < 32; signal++)
    n += sigismember (&pending, signal);
  printf ("%d pending\n", n);
  fflush (stdout);
}

/* Nested, so that one entry takes long: it has to let a signal in before it ends.  */
static KERNEL void
stir (int n, int rounds, const unsigned *x, unsigned *y)
{
  int i, k;

  for (i = 0; i < n; i++)
    {
      unsigned value = y[i];
      for (k = 0; k < rounds; k++)
	value = (value ^ x[i]) * 2654435761u + (unsigned) k;
      y[i] = value;
    }
}

static void
with_long_loop (void)
{
  struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
  struct timespec start, end;
  double seconds;
  int i, let_in = 0;

  for (i = 0; i < LONG_N; i++)
    long_x[i] = (unsigned) i;
  stir (LONG_N, 1, long_x, long_y);
  handle (SIGALRM);
  setitimer (ITIMER_REAL, &often, NULL);
  /* Where the thread has to wait for a processor, one entry may not let any in. */
  for (i = 0; i < 10 && !let_in; i++)
    {
      memcpy (long_y, long_x, sizeof long_y);
      n_ticks = 0;
      clock_gettime (CLOCK_MONOTONIC, &start);
      stir (LONG_N, 3000, long_x, long_y);
      clock_gettime (CLOCK_MONOTONIC, &end);
      seconds = (double) (end.tv_sec - start.tv_sec) + (double) (end.tv_nsec - start.tv_nsec) / 1e9;
      let_in = n_ticks >= 2 || seconds < 0.2;
    }
  printf ("%s, %d strangers\n", let_in ? "let in" : "kept out", n_strangers);
  often = (struct itimerval) { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &often, NULL);
  print_bits ("y", long_y, sizeof long_y);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "timer";

  main_thread = pthread_self ();
  prepare (&d, 1);
  if (strcmp (what, "timer") == 0)
    with_timer (ITIMER_REAL, SIGALRM);
  else if (strcmp (what, "profile") == 0)
    with_timer (ITIMER_PROF, SIGPROF);
  else if (strcmp (what, "blocked") == 0)
    with_blocked (0);
  else if (strcmp (what, "faults") == 0)
    with_blocked (1);
  else if (strcmp (what, "waiting") == 0)
    with_waiting (&d);
  else
    with_long_loop ();
  return 0;
}
