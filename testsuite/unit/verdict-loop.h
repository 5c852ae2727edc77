/* SPDX-License-Identifier: MIT
   A loop with verdicts about it, for their tests, which are linked with pg_arena_get, pg_arena_put and pg_watch_begin
   wrapped: what the runtime has is counted, and watches may be refused.  */
#ifndef PARAGON_TEST_VERDICT_LOOP_H
#define PARAGON_TEST_VERDICT_LOOP_H

#include "arena.h"
#include "inspector.h"
#include "left-sieve.h"
#include "verdict.h"
#include "watch.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  N = 4000,
  PAGE = 4096
};

/* Bytes that the runtime has.  */
static int64_t n_arena;
static _Thread_local bool is_for_watch; /* which is the process's, not the inspector's */
__typeof__ (pg_arena_get) __real_pg_arena_get;
__typeof__ (pg_arena_put) __real_pg_arena_put;
__typeof__ (pg_arena_get) __wrap_pg_arena_get;
__typeof__ (pg_arena_put) __wrap_pg_arena_put;

void *
__wrap_pg_arena_get (size_t len)
{
  void *block = __real_pg_arena_get (len);
  n_arena += block == NULL || is_for_watch ? 0 : (int64_t) len;
  return block;
}

void
__wrap_pg_arena_put (void *block, size_t len)
{
  n_arena -= block == NULL || is_for_watch ? 0 : (int64_t) len;
  __real_pg_arena_put (block, len);
}

__typeof__ (pg_watch_begin) __real_pg_watch_begin, __wrap_pg_watch_begin;

/* Nothing can be watched.  */
static bool is_watch_refused;

pg_tick
__wrap_pg_watch_begin (const void *start, size_t len, bool is_wide)
{
  is_for_watch = true;
  pg_tick tick = is_watch_refused ? 0 : __real_pg_watch_begin (start, len, is_wide);
  is_for_watch = false;
  return tick;
}

/* for (i < n) if (flag[i]) if (flag[N + i]) y[index[i]] = factor, with all live-ins.  */
struct gather_args
{
  const unsigned char *flag;
  const uint16_t *index;
  double *y;
  double factor;
  char ballast[2 << 20]; /* for long keys */
};

static struct pg_field gather_fields[] = {
  { offsetof (struct gather_args, flag), 8 },
  { offsetof (struct gather_args, index), 8 },
  { offsetof (struct gather_args, y), 8 },
  { offsetof (struct gather_args, ballast), 0 },
};

static int64_t
gather_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *args = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &args->flag[i], 1);
      if (!args->flag[i])
	continue;
      monitor->touch (monitor, 1, &args->flag[N + i], 1);
      if (!args->flag[N + i])
	continue;
      monitor->touch (monitor, 2, &args->index[i], 2);
      monitor->touch (monitor, 3, &args->y[args->index[i]], 8);
    }
  return 0;
}

static struct pg_ref gather_refs[] = {
  { .flags = PG_REF_READ | PG_REF_FEEDS, .len = 1 },
  { .flags = PG_REF_READ | PG_REF_FEEDS | PG_REF_CONDITIONAL, .len = 1 },
  { .flags = PG_REF_READ | PG_REF_FEEDS | PG_REF_CONDITIONAL, .len = 2 },
  { .flags = PG_REF_WRITE | PG_REF_CONDITIONAL, .len = 8, .level = 1 },
};

static const struct pg_dim gather_dim = { .parent = -1 };
static struct pg_region region = {
  .file = "gather.c",
  .klass = PG_CLASS_POSSIBLY,
  .flags = PG_REGION_SLICE_STABLE,
  .monitor = gather_monitor,
  .args_len = sizeof (struct gather_args),
  .n_dims = 1,
  .dims = &gather_dim,
  .n_refs = 4,
  .refs = gather_refs,
  .n_live_ins = 4,
  .live_ins = gather_fields,
};

static uint16_t *index_data; /* whole pages, so that they can be unmapped */
static const size_t index_len = (N * sizeof (uint16_t) + PAGE - 1) / PAGE * PAGE;
static unsigned char *flag; /* behind them, 2 * N */
static double y[N];
static struct gather_args args;
static struct pg_inspector *inspector;
static _Alignas(16) char view_memory[1 << 16];
static struct pg_view *const view = (struct pg_view *) view_memory;

static inline int
set_up (void **state)
{
  (void) state;
  region.flags = PG_REGION_SLICE_STABLE;
  region.monitor = gather_monitor;
  index_data = mmap (NULL, index_len + 2 * N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  flag = (unsigned char *) index_data + index_len;
  memset (flag + N, 1, N);
  for (int i = 0; i < N; i++)
    {
      flag[i] = i % 4 != 0;
      index_data[i] = (uint16_t) (i * 7 % N);
    }
  args = (struct gather_args) { flag, index_data, y, 1.5, "" };
  n_arena = 0;
  inspector = pg_inspector_new (&region);
  return inspector == NULL || index_data == MAP_FAILED;
}

static inline int
tear_down (void **state)
{
  (void) state;
  pg_inspector_free (inspector);
  forget_left_sieve ();
  assert_int_equal (n_arena, 0);
  munmap (index_data, index_len + 2 * N);
  return 0;
}

static inline bool
holds (int64_t lo, int64_t hi)
{
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  int64_t end = lo;
  return pg_verdict_find (inspector, view, lo, &end) == PG_KNOWN_CLEAN && end == hi;
}

static inline void
keep (int64_t lo, int64_t hi)
{
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  assert_int_equal (pg_inspect (inspector, view, lo, hi), hi);
  pg_verdict_keep (inspector, view, lo, hi);
}

#endif
