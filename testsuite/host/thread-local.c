/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fPIC, -O2 -ftls-model=global-dynamic -fPIC
//! flags: -pthread
//! stat: pool >= 3
/* Loops that read and write thread-local data: the data are those of the thread that entered the loop, whoever runs its
   iterations.  */
#include "host.h"
#include <pthread.h>

static __thread unsigned scale;
static __thread unsigned table[64];
__thread unsigned cells[N];
__thread unsigned last_of_all;

static KERNEL void
by_scale (int n, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] = x[i] * scale;
}

static KERNEL void
by_table (int n, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[i] += table[x[i] % 64];
}

static KERNEL void
into_cells (int n, const unsigned *x)
{
  int i;

  for (i = 0; i < n; i++)
    cells[i] = x[i] + 1;
}

static KERNEL void
count (int n, const unsigned *x)
{
  int i;

  for (i = 0; i < n; i++)
    last_of_all += x[i] & 1;
}

/* The thread-local array comes in as a pointer.  */
static void
run (struct data *d, unsigned seed, const char *name)
{
  int i;

  prepare (d, seed);
  scale = seed * 3 + 1;
  for (i = 0; i < 64; i++)
    table[i] = seed * 100 + (unsigned) i;
  by_scale (N, d->x, d->y);
  by_table (N, d->x, d->y);
  into_cells (N, d->y);
  mix (N, d->x, cells);
  count (N, d->y);
  scatter (N, d->index, cells);
  printf ("%s: %x %x %u\n", name, total (N, d->y), total (N, cells), last_of_all);
}

static void *
in_thread (void *arg)
{
  run ((struct data *) arg, 5, "thread");
  return NULL;
}

int
main (void)
{
  static struct data d[2];
  int round;

  for (round = 0; round < 3; round++)
    {
      pthread_t thread;
      run (&d[0], (unsigned) round, "main");
      pthread_create (&thread, NULL, in_thread, &d[1]);
      pthread_join (thread, NULL);
      printf ("main: %x %x %u\n", total (N, d[0].y), total (N, cells), last_of_all);
    }
  return 0;
}
