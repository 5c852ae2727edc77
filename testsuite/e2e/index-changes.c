/* SPDX-License-Identifier: MIT */
//! steps: auto, L2, L3
//! stat: entries >= 1
//! stat-inject: conflicts >= 1
/* Index data that stay as they are for a while, so that nobody reads them again, and then change: by a store, by a
   system call, by another thread, by memory that moves or comes anew, in a child process.  Each change plants a
   conflict.  */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "print.h"

#define N 40000

KERNEL void
relax (int n, const int *index, const unsigned *x, unsigned *y)
{
  int i;

  for (i = 0; i < n; i++)
    y[index[i]] = 3 * y[index[i]] + x[i];
}

static unsigned x[N], y[N];

static void
sweeps (const int *index)
{
  int k;

  for (k = 0; k < 6; k++)
    relax (N, index, x, y);
  print_bits ("y", y, sizeof y);
}

/* Iteration I writes what iteration I - 1 does.  */
static void
plant_by_store (int *index, int i)
{
  index[i] = index[i - 1];
}

static void
plant_by_read (int *index, int i)
{
  int ends[2];

  if (pipe (ends) != 0 || write (ends[1], &index[i - 1], sizeof *index) != sizeof *index
      || read (ends[0], &index[i], sizeof *index) != sizeof *index)
    exit (1);
  close (ends[0]);
  close (ends[1]);
}

static void *
store (void *place)
{
  int *index = place;
  index[0] = index[-1];
  return NULL;
}

static void
plant_by_thread (int *index, int i)
{
  pthread_t thread;

  if (pthread_create (&thread, NULL, store, &index[i]) != 0)
    exit (1);
  pthread_join (thread, NULL);
}

/* The same place, but other memory.  */
static void
plant_by_mapping (int *index, int i)
{
  size_t len = N * sizeof *index;
  int *copy = mmap (NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  memcpy (copy, index, len);
  copy[i] = copy[i - 1];
  if (mremap (copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, index) != index)
    exit (1);
}

static void
plant_by_new_memory (int *index, int i)
{
  size_t len = N * sizeof *index;

  if (munmap (index, len) != 0
      || mmap (index, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != index)
    exit (1);
  fill_permutation (index, N, 7);
  index[i] = index[i - 1];
}

int
main (void)
{
  static void (*const plant[]) (int *, int)
    = { plant_by_store, plant_by_read, plant_by_thread, plant_by_mapping, plant_by_new_memory };
  int *index = mmap (NULL, N * sizeof *index, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int way, i, status;
  pid_t child;

  for (i = 0; i < N; i++)
    x[i] = (unsigned) i * 2654435761u;
  for (way = 0; way < 5; way++)
    {
      fill_permutation (index, N, 5);
      sweeps (index);
      plant[way] (index, 7000 * way + 5000);
      sweeps (index);
    }
  fill_permutation (index, N, 5);
  sweeps (index);
  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      sweeps (index);
      plant_by_store (index, 30000);
      sweeps (index);
      fflush (stdout);
      _exit (0);
    }
  waitpid (child, &status, 0);
  sweeps (index);
  return 0;
}
