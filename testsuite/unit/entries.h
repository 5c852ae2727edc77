/* SPDX-License-Identifier: MIT
   What tests that enter regions begin with: data, and a pool that runs them whatever the work.  */
#ifndef PARAGON_TEST_ENTRIES_H
#define PARAGON_TEST_ENTRIES_H

#include "environment.h"
#include "pool.h"
#include "region.h"
#include "regions.h"

#include <string.h>

enum
{
  N = 5000
};

static int64_t a[2 * N], b[2 * N], c[2 * N];
static double f[N];

/* The pool whatever the work, with N_THREADS.  */
static void
force_pool (int n_threads)
{
  pg_environment_defaults (&pg_environment);
  pg_environment.plan = PG_PLAN_POOL;
  pg_environment.n_threads = n_threads;
  pg_pool_forget ();
}

static int
set_up (void **state)
{
  (void) state;
  force_pool (4);
  for (int64_t i = 0; i < 2 * N; i++)
    {
      a[i] = i * i % 1009;
      b[i] = i * 31 % 997;
      c[i] = -1;
    }
  for (int i = 0; i < N; i++)
    f[i] = 1.0 / (i + 1);
  return 0;
}

static struct pg_state *
state_of (const struct pg_descriptor *region)
{
  return region->state;
}

static inline const struct pg_row *
row_of (const struct pg_descriptor *region)
{
  return &state_of (region)->row;
}

/* Enter REGION, a scatter loop; what it leaves is what one thread leaves.  */
static inline void
check_scatter (struct pg_descriptor *region)
{
  static int64_t serial_c[2 * N];
  struct scatter_args args = { c, b }, serial = { serial_c, b };
  memcpy (serial_c, c, sizeof c);
  scatter_body (&serial, 0, N, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (c, serial_c, sizeof c);
}

static inline void
check_sum (struct pg_descriptor *region, int64_t n)
{
  struct sum_args args = { a, 17, -5, 99 }, serial = args;
  sum_body (&serial, 0, n, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, n), 1);
  assert_memory_equal (&args, &serial, sizeof args);
}

#endif
