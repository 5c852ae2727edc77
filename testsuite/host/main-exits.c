/* SPDX-License-Identifier: MIT */
//! opts: -O2
//! flags: -pthread
//! args: last, first, never-entered
//! stat: pool >= 3
/* main leaves by pthread_exit.  The process ends, with status 0, when its last thread does; threads of the pool, which
   never end by themselves, must not keep it alive.  */
#include "host.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct data d, of_thread;
static int main_has_left;

static void *
run (void *unused)
{
  int round;

  (void) unused;
  prepare (&of_thread, 2);
  for (round = 0; round < 10; round++)
    printf ("thread: %x\n", work (&of_thread));
  if (main_has_left)
    usleep (100000);
  printf ("thread: %x\n", work (&of_thread));
  return NULL;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "first";
  pthread_t thread;

  if (strcmp (what, "never-entered") != 0)
    {
      prepare (&d, 1);
      printf ("main: %x\n", work (&d));
    }
  main_has_left = strcmp (what, "last") != 0;
  pthread_create (&thread, NULL, run, NULL);
  if (!main_has_left)
    pthread_join (thread, NULL);
  pthread_exit (NULL);
}
