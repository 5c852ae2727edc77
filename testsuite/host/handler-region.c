/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! args: own-stack, signal-stack
//! stat: pool >= 3
/* A signal handler that itself runs regions, while the program is inside the same ones or between them: nested, or on a
   stack that the runtime does not know, its loops run as they were written.  */
#include "host.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static struct data d, of_handler;
static unsigned expected_of_handler;
static volatile sig_atomic_t n_handled, n_wrong;

static void
on_alarm (int signal)
{
  (void) signal;
  prepare (&of_handler, 2);
  n_wrong += work (&of_handler) != expected_of_handler;
  n_handled++;
}

int
main (int argc, char **argv)
{
  static char stack_memory[1 << 18];
  struct itimerval often = { { 0, 700 }, { 0, 700 } };
  struct sigaction action = { 0 };
  stack_t stack = { 0 };
  unsigned expected;
  int n_own_wrong = 0;

  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  if (argc > 1 && strcmp (argv[1], "signal-stack") == 0)
    {
      stack.ss_sp = stack_memory;
      stack.ss_size = sizeof stack_memory;
      sigaltstack (&stack, NULL);
      action.sa_flags |= SA_ONSTACK;
    }
  prepare (&of_handler, 2);
  expected_of_handler = work (&of_handler);
  prepare (&d, 3);
  expected = work (&d);
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  while (n_handled < 100)
    {
      prepare (&d, 3);
      n_own_wrong += work (&d) != expected;
    }
  often = (struct itimerval) { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &often, NULL);
  printf ("%x %x, wrong: %d %d\n", expected, expected_of_handler, n_own_wrong, (int) n_wrong);
  return 0;
}
