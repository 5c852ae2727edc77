/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! flags: -pthread
//! args: 65536, 16384, 1048576
//! scan: report 1 "function":"mix".*"outlined":true
/* Regions on threads with stacks of 64 KiB and of the least that there can be: what the runtime needs must fit, or the
   loop runs as it was written.  Deep down in the stack, too.  */
#include "host.h"
#include <pthread.h>

static struct data d;
static size_t stack_len;

/* Work with LEFT bytes of stack left, about.  */
static KERNEL unsigned
work_deep_down (size_t left, const char *top)
{
  volatile char room[512];

  room[0] = 0;
  if ((size_t) (top - (const char *) room) + left < stack_len)
    return work_deep_down (left, top) + (unsigned) room[0];
  prepare (&d, 3);
  return work (&d);
}

static void *
run (void *unused)
{
  char top = 0;
  size_t left;

  (void) unused;
  prepare (&d, 2);
  printf ("%x\n", work (&d));
  for (left = 8192; left < stack_len; left += stack_len / 7)
    printf ("%x\n", work_deep_down (left, &top));
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_attr_t attr;
  pthread_t thread;
  int round;

  stack_len = argc > 1 ? (size_t) atol (argv[1]) : 65536;
  pthread_attr_init (&attr);
  if (pthread_attr_setstacksize (&attr, stack_len) != 0)
    return 2;
  for (round = 0; round < 3; round++)
    {
      if (pthread_create (&thread, &attr, run, NULL) != 0)
	return 3;
      pthread_join (thread, NULL);
    }
  prepare (&d, 2);
  printf ("%x\n", work (&d));
  return 0;
}
