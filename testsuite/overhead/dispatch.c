/* SPDX-License-Identifier: MIT
   How fast another thread of the pool gets to work, and whether the pool is quiet afterwards.

     dispatch ENTRIES [GAP_US]

   Enters a region of the simplest kind ENTRIES times, GAP_US microseconds after the entry before (20 unless given),
   with a body that notes when a thread other than the caller first runs it.  Prints

     dispatch_us MEDIAN QUARTILE MET      from entry to then; entries in which it came to that
     idle_us N                            CPU time of the whole process in 200 ms of sleep, 1 ms after the last entry

   The region is written by hand, as the plugin writes one: the body can then read the clock.  */
#include "../unit/describe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PG_ABI_FUNCTION(type, name, arguments) type name arguments;
#include "paragon_abi.def"

enum
{
  N_ITERS = 4096,
  WORK = 160,				/* multiply-adds an iteration: some 200 us an entry on one thread */
  WARM_UP = 200				/* entries that teach the plan what the region costs */
};

static pthread_t caller;
static _Atomic int64_t other_ns;	/* when another thread first ran in this entry; 0: not yet */
static double cells[N_ITERS];

static int64_t
now_ns (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t
body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  int64_t none = 0;

  (void) args;
  (void) ctx;
  if (!pthread_equal (pthread_self (), caller))
    atomic_compare_exchange_strong (&other_ns, &none, now_ns (CLOCK_MONOTONIC));
  for (int64_t i = lo; i < hi; i++)
    {
      double v = cells[i];

      for (int k = 0; k < WORK; k++)
	v = v * 0.5 + 1.0;
      cells[i] = v;
    }
  return 0;
}

static struct pg_dim dims[1] = { { .parent = -1, .last = { .base = -1, .coef = { -1, -1, -1, -1, -1, -1, -1, -1 } } } };

static const struct pg_region region = {
  .file = __FILE__,
  .function = "body",
  .line = __LINE__,
  .klass = PG_CLASS_PARALLEL,
  .flags = PG_REGION_ALL_AFFINE,
  .reason = PG_WHY_PROVEN,
  .body = body,
  .args_len = 16,
  .frame_len = 256,
  .n_dims = 1,
  .dims = dims,
};

static struct pg_descriptor descriptor;
static unsigned char packed[1000];

static int
compare (const void *a, const void *b)
{
  int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

  return (x > y) - (x < y);
}

static void
spin_until (int64_t ns)
{
  while (now_ns (CLOCK_MONOTONIC) < ns)
    continue;
}

int
main (int argc, char **argv)
{
  long n_entries = argc > 1 ? atol (argv[1]) : 2000, gap_us = argc > 2 ? atol (argv[2]) : 20, n_met = 0;
  int64_t *times = calloc ((size_t) n_entries + 1, sizeof *times), last = 0, before;

  if (!times)
    return 2;
  describe (&descriptor, &region, packed, sizeof packed);
  caller = pthread_self ();
  for (long entry = -WARM_UP; entry < n_entries; entry++)
    {
      int64_t args[2] = { 0, 0 }, start;

      spin_until (last + gap_us * 1000);
      atomic_store (&other_ns, 0);
      start = now_ns (CLOCK_MONOTONIC);
      if (!__paragon_enter_v1 (&descriptor, args, N_ITERS))
	body (args, 0, N_ITERS, NULL);
      last = now_ns (CLOCK_MONOTONIC);
      if (entry >= 0 && atomic_load (&other_ns))
	times[n_met++] = atomic_load (&other_ns) - start;
    }
  spin_until (last + 1000000);
  before = now_ns (CLOCK_PROCESS_CPUTIME_ID);
  nanosleep (&(struct timespec){ 0, 200000000 }, NULL);
  before = now_ns (CLOCK_PROCESS_CPUTIME_ID) - before;

  qsort (times, (size_t) n_met, sizeof *times, compare);
  printf ("dispatch_us %.1f %.1f %ld\n", (double) times[n_met / 2] / 1e3, (double) times[n_met / 4] / 1e3, n_met);
  printf ("idle_us %.1f\n", (double) before / 1e3);
  free (times);
  return 0;
}
