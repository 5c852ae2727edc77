/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! stat: pool >= 3
/* A timer's handler forks, most likely in the middle of a region: parent and child both go on inside the loop that the
   signal interrupted, the child without a pool.  */
#include "host.h"
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  LONG_N = 1 << 20
};

static unsigned long_x[LONG_N], long_y[LONG_N];
static volatile sig_atomic_t has_forked;
static pid_t child;

static void
on_alarm (int signal)
{
  (void) signal;
  if (has_forked)
    return;
  child = fork ();
  has_forked = 1;
}

int
main (void)
{
  struct sigaction action = { 0 };
  struct itimerval soon = { { 0, 0 }, { 0, 0 } };
  unsigned expected = 0;
  int round, i, status, n_wrong = 0;

  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  sigaction (SIGALRM, &action, NULL);
  for (round = 0; round < 12; round++)
    {
      pid_t parent = getpid ();
      unsigned result = 0;
      has_forked = 0;
      soon.it_value.tv_usec = 1 + 700 * round;
      setitimer (ITIMER_REAL, &soon, NULL);
      do
	{
	  for (i = 0; i < LONG_N; i++)
	    {
	      long_x[i] = (unsigned) i;
	      long_y[i] = 1;
	    }
	  mix (LONG_N, long_x, long_y);
	  result = total (LONG_N, long_y);
	  expected = expected == 0 ? result : expected;
	  n_wrong += result != expected;
	}
      while (!has_forked);
      if (getpid () != parent)
	_exit (n_wrong);
      waitpid (child, &status, 0);
      n_wrong += status != 0;
    }
  printf ("%x, %d wrong\n", expected, n_wrong);
  return 0;
}
