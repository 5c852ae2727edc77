/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! run: threads=1,2,4
//! args: own-stack, signal-stack
//! stat: pool >= 3
/* A timer's handler jumps out of a loop that takes too long.  What the loop wrote is unknown, and so not printed; but
   the program goes on, in the same regions, and so does their pool: results after the jump are right, memory that the
   loop read is untouched, and no late thread writes to memory that the program has put to another use.  */
#include "host.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum
{
  LONG_N = 1 << 19,
  ROUNDS = 40
};

static struct data d;
static unsigned long_x[LONG_N], long_y[LONG_N];
static int long_index[LONG_N];
static sigjmp_buf out;

static void
on_alarm (int signal)
{
  (void) signal;
  siglongjmp (out, 1);
}

/* Loop until the alarm.  */
static void
run_too_long (int round, int microseconds)
{
  struct itimerval soon = { { 0, 0 }, { 0, 0 } };

  if (sigsetjmp (out, 1) != 0)
    return;
  soon.it_value.tv_usec = microseconds;
  setitimer (ITIMER_REAL, &soon, NULL);
  for (;;)
    switch (round % 3)
      {
      case 0:
	mix (LONG_N, long_x, long_y);
	break;
      case 1:
	scatter (LONG_N, long_index, long_y);
	break;
      case 2:
	work (&d);
	break;
      }
}

int
main (int argc, char **argv)
{
  static char stack_memory[1 << 16];
  struct sigaction action = { 0 };
  stack_t stack = { 0 };
  int i, round;

  action.sa_handler = on_alarm;
  if (argc > 1 && strcmp (argv[1], "signal-stack") == 0)
    {
      stack.ss_sp = stack_memory;
      stack.ss_size = sizeof stack_memory;
      sigaltstack (&stack, NULL);
      action.sa_flags = SA_ONSTACK;
    }
  sigaction (SIGALRM, &action, NULL);
  for (i = 0; i < LONG_N; i++)
    long_x[i] = (unsigned) i;
  fill_permutation (long_index, LONG_N, 7);
  for (round = 0; round < ROUNDS; round++)
    {
      run_too_long (round, 300 + 377 * round);
      /* No thread of before may still be writing here.  */
      memset (long_y, 0, sizeof long_y);
      prepare (&d, (unsigned) round);
      printf ("%x\n", work (&d));
      print_bits ("x", long_x, sizeof long_x);
      for (i = 0; i < LONG_N; i++)
	if (long_y[i] != 0)
	  printf ("%d was written\n", i);
    }
  return 0;
}
