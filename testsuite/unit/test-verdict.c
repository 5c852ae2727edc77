/* SPDX-License-Identifier: MIT
   The verdict cache: holds as long as nothing changed that decides about addresses, and reads nothing that the loop
   would not read.  */
//! link: -Wl,--wrap=pg_arena_get -Wl,--wrap=pg_arena_put -Wl,--wrap=pg_budget_available -Wl,--wrap=pg_watch_begin
//! link: -Wl,--wrap=getauxval -Wl,--wrap=pg_log_write
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "arena.h"
#include "budget.h"
#include "environment.h"
#include "inspector.h"
#include "kernel-pages.h"
#include "left-sieve.h"
#include "logged.h"
#include "loop-model.h"
#include "scout.h"
#include "verdict.h"
#include "watch.h"

#include <stdio.h>

enum
{
  N = 4000,
  MISSES = 4096, /* that are remembered */
  WANTED = 3840, /* by which N iterations are counted: it is known to an eighth */
  PAGE = 4096
};

/* Bytes that the runtime has.  */
static int64_t n_arena;
static _Thread_local bool is_for_watch; /* which is the process's, not the inspector's */
void *__real_pg_arena_get (size_t len);
void __real_pg_arena_put (void *block, size_t len);
void *__wrap_pg_arena_get (size_t len);
void __wrap_pg_arena_put (void *block, size_t len);

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

pg_tick __real_pg_watch_begin (const void *start, size_t len, bool is_wide);
pg_tick __wrap_pg_watch_begin (const void *start, size_t len, bool is_wide);

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

/* What the machine still has, and how often that was asked.  */
static uint64_t available = 1 << 30;
static int n_asked;
uint64_t __wrap_pg_budget_available (void);

uint64_t
__wrap_pg_budget_available (void)
{
  n_asked++;
  return available;
}

/* The process was given no random bytes.  */
static bool has_no_random;
unsigned long __real_getauxval (unsigned long type);
unsigned long __wrap_getauxval (unsigned long type);

unsigned long
__wrap_getauxval (unsigned long type)
{
  return has_no_random && type == AT_RANDOM ? 0 : __real_getauxval (type);
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

static int
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

static int
tear_down (void **state)
{
  (void) state;
  pg_inspector_free (inspector);
  forget_left_sieve ();
  assert_int_equal (n_arena, 0);
  munmap (index_data, index_len + 2 * N);
  return 0;
}

static bool
holds (int64_t lo, int64_t hi)
{
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  int64_t end = lo;
  return pg_verdict_find (inspector, view, lo, &end) == PG_KNOWN_CLEAN && end == hi;
}

static void
keep (int64_t lo, int64_t hi)
{
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  assert_int_equal (pg_inspect (inspector, view, lo, hi), hi);
  pg_verdict_keep (inspector, view, lo, hi);
}

static void
a_verdict_holds_for_its_own_range_only (void **state)
{
  (void) state;
  assert_false (holds (0, N));
  keep (0, N);
  assert_true (holds (0, N));
  assert_false (holds (0, N - 1));
  assert_false (holds (1, N));
  keep (5, 100);
  assert_true (holds (0, N));
  assert_true (holds (5, 100));
  assert_false (holds (7, 100));
}

static void
every_index_and_every_condition_counts (void **state)
{
  (void) state;
  keep (0, N);
  index_data[N - 1] ^= 1;
  pg_log_mask = 1U << PG_LOG_CHECK;
  assert_false (holds (0, N));
  pg_log_mask = 0;
  assert_string_equal (logged, "region gather.c:0: iterations 0 to 4000: index data changed");
  index_data[N - 1] ^= 1;
  assert_true (holds (0, N));
  flag[1] = 0;
  assert_false (holds (0, N));
  flag[1] = 2;
  assert_false (holds (0, N));
  flag[1] = 1;
  assert_true (holds (0, N));
}

/* Of a macro-chunk whose index data changed, the end is still known: a new verdict for the same one keeps those for the
   next ones of use.  */
static void
what_changed_is_known_by_its_end (void **state)
{
  int64_t hi = -1;
  (void) state;
  keep (0, 100);
  pg_view_evaluate (view, &region, &args, N);
  pg_l1_check (view);
  assert_int_equal (pg_verdict_find (inspector, view, 1, &hi), PG_KNOWN_NOT);
  assert_int_equal (hi, -1);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CLEAN);
  assert_int_equal (hi, 100);
  hi = -1;
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED);
  assert_int_equal (hi, 100);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED_AGAIN);
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CLEAN);
  index_data[5] ^= 1;
  assert_int_equal (pg_verdict_find (inspector, view, 0, &hi), PG_KNOWN_CHANGED);
}

/* As many iterations fit in the caches as the bytes hashed for each allow.  */
static void
dear_feeds_are_for_short_macro_chunks (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true; /* what is watched is not read */
  assert_int_equal (pg_verdict_good_len (inspector), 0);
  keep (0, N);
  int64_t len = pg_verdict_good_len (inspector); /* 3 or 4 bytes an iteration, 3 threads, 512 KiB each */
  assert_in_range (len, 390000, 530000);
  pg_environment.is_watch_off = false;
}

static void
live_ins_that_feed_addresses_count_and_others_do_not (void **state)
{
  (void) state;
  keep (0, N);
  args.factor = 7;
  assert_true (holds (0, N));
  args.y++;
  assert_false (holds (0, N));
  args.y--;
  assert_true (holds (0, N));
}

/* The same goes for what addresses are computed from by numbers, and for the trip count.  */
static void
values_of_expressions_count (void **state)
{
  static const struct pg_node nodes[]
    = { { .op = PG_NODE_ARG, .size = 8, .value = offsetof (struct gather_args, factor), .a = -1, .b = -1 } };
  (void) state;
  region.nodes = nodes;
  region.n_nodes = 1;
  pg_inspector_free (inspector);
  inspector = pg_inspector_new (&region);
  keep (0, N);
  assert_true (holds (0, N));
  args.factor = 7;
  assert_false (holds (0, N));
  args.factor = 1.5;
  assert_true (holds (0, N));
  int64_t end;
  pg_view_evaluate (view, &region, &args, N + 1);
  assert_int_equal (pg_verdict_find (inspector, view, 0, &end), PG_KNOWN_NOT);
  region.n_nodes = 0;
}

/* Two buffers that are swapped, or the levels of a triangular solve: many keys with the same range.  */
static void
many_keys_of_a_range_are_known (void **state)
{
  (void) state;
  for (int round = 0; round < 2; round++)
    for (int k = 0; k < 100; k++)
      {
	args.y = y + k;
	assert_int_equal (holds (0, 50), round);
	if (round == 0)
	  keep (0, 50);
      }
}

/* What is missed again and again is counted once each, however often, until there is a verdict.  */
static void
what_is_missed_again_is_wanted (void **state)
{
  (void) state;
  for (int round = 0; round < 300; round++)
    for (int k = 0; k < 10; k++)
      {
	args.y = y + k;
	assert_int_equal (pg_verdict_wanted (inspector), round == 0 ? 0 : round == 1 ? k * WANTED : 10 * WANTED);
	assert_false (holds (10, 50));
	assert_int_equal (pg_verdict_n_before (inspector), round < 255 ? round : 255);
      }
  for (int k = 0; k < 10; k++)
    {
      args.y = y + k;
      keep (10, 50);
      assert_int_equal (pg_verdict_wanted (inspector), (9 - k) * WANTED);
    }
  args.y = y + 20;
  assert_false (holds (10, 50));
  keep (10, 50); /* missed once only */
  assert_int_equal (pg_verdict_wanted (inspector), 0);
}

/* What does not come again is not wanted, and what comes again stays so, however much comes in between.  */
static void
what_does_not_come_again_is_not_wanted (void **state)
{
  (void) state;
  for (int i = 0; i < 100000; i++)
    {
      args.y = y + 10 + i;
      assert_false (holds (0, 50));
      if (i % 100 != 0)
	continue;
      args.y = y;
      assert_false (holds (0, 50));
      assert_in_range (pg_verdict_wanted (inspector), i == 0 ? 0 : WANTED, 12 * N);
    }
}

/* Nor what comes no more.  */
static void
what_is_over_is_not_wanted_for_ever (void **state)
{
  (void) state;
  for (int i = 0; i < 100; i++)
    assert_false (holds (0, 50));
  assert_int_equal (pg_verdict_wanted (inspector), WANTED);
  int n = 0;
  for (; pg_verdict_wanted (inspector) >= WANTED && n < 1000000; n++)
    {
      args.y = y + 1 + n;
      assert_false (holds (N - 1, N));
    }
  assert_in_range (n, 16000, 120000);
}

/* Where many are missed more often, one that is missed for the first time has no place among them, and what is wanted
   has a limit.  */
static void
what_is_missed_more_often_stays_wanted (void **state)
{
  (void) state;
  for (int k = 0; k < 2 * MISSES; k++)
    for (int time = 0; time < 3; time++)
      {
	args.y = y + k;
	assert_false (holds (0, 50));
      }
  assert_in_range (pg_verdict_wanted (inspector), MISSES / 4 * WANTED, MISSES * WANTED);
  for (int k = 0; k < 100; k++)
    {
      int64_t wanted = pg_verdict_wanted (inspector);
      args.y = y - 1 - k;
      assert_false (holds (0, 50));
      assert_int_equal (pg_verdict_n_before (inspector), 0);
      assert_true (pg_verdict_wanted (inspector) <= wanted);
    }
}

static void
verdicts_hold_without_random_bytes (void **state)
{
  (void) state;
  has_no_random = true;
  keep (0, N);
  assert_true (holds (0, N));
  index_data[N - 1] ^= 1;
  assert_false (holds (0, N));
  has_no_random = false;
}

/* The table is of limited size: it forgets something, but not what it was told or asked last.  */
static void
a_full_table_forgets (void **state)
{
  int n_held = 0;
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int k = 0; k < 10; k++)
    {
      args.y = y + 4 + k;
      keep (0, 4);
    }
  for (int i = 0; i < 12000; i++)
    {
      args.y = y + i / 3000;
      keep (1 + i % 3000, 4 + i % 3000);
      assert_true (holds (1 + i % 3000, 4 + i % 3000));
      args.y = y + 4 + i % 10;
      assert_true (holds (0, 4));
    }
  for (int i = 0; i < 12000; i++)
    {
      args.y = y + i / 3000;
      n_held += holds (1 + i % 3000, 4 + i % 3000);
    }
  assert_in_range (n_held, 4000, 9000);
  pg_environment.plan = PG_PLAN_POOL;
}

/* How many of ten verdicts with keys of KEY_LEN bytes are known in the end.  The last always is.  */
static int
count_known (uint32_t key_len)
{
  int n_held = 0;
  gather_fields[3].len = key_len;
  pg_inspector_free (inspector);
  inspector = pg_inspector_new (&region);
  for (args.ballast[0] = 0; args.ballast[0] < 10; args.ballast[0]++)
    {
      keep (0, 50);
      assert_int_equal (holds (0, 50), key_len < sizeof args.ballast);
    }
  for (args.ballast[0] = 0; args.ballast[0] < 10; args.ballast[0]++)
    n_held += holds (0, 50);
  gather_fields[3].len = 0;
  return n_held;
}

/* A megabyte is for all verdicts of a region, or a share of what the machine has, which is asked once.  */
static void
memory_for_verdicts_is_limited (void **state)
{
  (void) state;
  for (int is_rich = 0; is_rich < 2; is_rich++)
    {
      available = is_rich ? 128 << 20 : 1000;
      assert_int_equal (count_known (1000), 10);
      n_asked = 0;
      assert_int_equal (count_known (300 << 10), is_rich ? 6 : 3);
      assert_int_equal (n_asked, 1);
      assert_int_equal (count_known (sizeof args.ballast), 0);
    }
  available = 1 << 30;
}

/* What was not inspected, or left no traces, or is fed by what the loop writes, is not known.  */
static void
only_what_an_inspection_knows_is_kept (void **state)
{
  (void) state;
  keep (0, 100);
  pg_verdict_keep (inspector, view, 0, 99);
  assert_true (holds (0, 100));
  pg_verdict_keep (inspector, view, 1, 100);
  assert_false (holds (1, 100));
  gather_refs[2].flags |= PG_REF_WRITE;
  assert_int_equal (pg_inspect (inspector, view, 2, 100), 100);
  pg_verdict_keep (inspector, view, 2, 100);
  gather_refs[2].flags &= (uint8_t) ~PG_REF_WRITE;
  assert_false (holds (2, 100));
  assert_int_equal (pg_inspect (inspector, view, 3, 100), 100);
  inspector->n_traced = 0;
  pg_verdict_keep (inspector, view, 3, 100);
  assert_false (holds (3, 100));
}

/* The loop writes bytes on both sides of its own indexes: it is clean, but what is between could be written by a loop
   with the same ranges.  */
static void
a_loop_that_may_write_its_indexes_leaves_no_verdict (void **state)
{
  (void) state;
  region.flags = 0;
  args.y = (double *) (void *) index_data;
  memset (flag, 1, N);
  index_data[100] = 40; /* indexes are bytes 200 to 203; written are bytes 320 to 327 */
  index_data[101] = 50; /* and 400 to 407 */
  keep (100, 102);
  assert_true (holds (100, 102));
  index_data[100] = 0; /* now bytes 0 to 7 */
  keep (100, 102);
  assert_false (holds (100, 102));
}

/* Flags say that the indexes are not read this time, and they have been unmapped: reading them would crash, although
   they lie below the flags and would come first by address.  */
static void
memory_that_the_loop_would_not_read_is_not_read (void **state)
{
  (void) state;
  for (int second = 0; second < 2; second++)
    {
      keep (0, N);
      assert_true (holds (0, N));
      memset (flag + second * N, 0, N);
      munmap (index_data, index_len);
      assert_false (holds (0, N));
      mmap (index_data, index_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      for (int i = 0; i < N; i++)
	index_data[i] = (uint16_t) (i * 7 % N);
      memset (flag, 1, N);
    }
}

enum
{
  JUMP = 2 * PAGE, /* each read in a page of its own, with a hole before the next */
  JUMP_ITERS = 20,
  ITER_JUMPS = 80,
  N_JUMPS = JUMP_ITERS * ITER_JUMPS,
  JUMP_LEN = 64
};

/* for (i < n) for (k < ITER_JUMPS) { read flag; if (it is not 0) read index; } y[i] = factor.  */
static int64_t
jumping_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t k = i * ITER_JUMPS; k < (i + 1) * ITER_JUMPS; k++)
	{
	  monitor->touch (monitor, 1, a->flag + k * JUMP, JUMP_LEN);
	  if (a->flag[k * JUMP])
	    monitor->touch (monitor, 2, (const char *) a->index + k * JUMP, 2);
	}
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

static char *
pages_with_holes (void)
{
  char *pages = mmap (NULL, (size_t) N_JUMPS * JUMP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < N_JUMPS; i++)
    mprotect (pages + i * JUMP + PAGE, PAGE, PROT_NONE);
  return pages;
}

/* Reads that jump are hashed one by one: what lies between them counts for nothing, and need not be there.  The first
   inspection finds that they jump, the next ones how much room they take.  */
static void
reads_far_apart_are_hashed_one_by_one (void **state)
{
  char *flags = pages_with_holes (), *indexes = pages_with_holes ();
  int n_kept = 0;
  (void) state;
  region.monitor = jumping_monitor;
  args.flag = (unsigned char *) flags;
  args.index = (uint16_t *) (void *) indexes;
  for (int i = 0; i < N_JUMPS; i++)
    flags[i * JUMP] = 1;
  do
    keep (0, JUMP_ITERS);
  while (!holds (0, JUMP_ITERS) && ++n_kept < 12);
  assert_int_equal (n_kept, 2);
  flags[7 * JUMP + JUMP_LEN]++;
  indexes[7 * JUMP + 2]++;
  assert_true (holds (0, JUMP_ITERS));
  char *const counted[]
    = { flags, flags + 7 * JUMP + JUMP_LEN - 1, indexes + 7 * JUMP, indexes + (N_JUMPS - 1) * JUMP };
  for (size_t c = 0; c < sizeof counted / sizeof *counted; c++)
    {
      ++*counted[c];
      assert_false (holds (0, JUMP_ITERS));
      --*counted[c];
      assert_true (holds (0, JUMP_ITERS));
    }

  args.y = (double *) (void *) (flags + 512); /* writes behind the first flag, in its page */
  keep (0, JUMP_ITERS);
  assert_true (holds (0, JUMP_ITERS));
  args.y = y;
  flags[0] = 0; /* the first index is not read this time */
  munmap (indexes, (size_t) N_JUMPS * JUMP);
  assert_false (holds (0, JUMP_ITERS));
  munmap (flags, (size_t) N_JUMPS * JUMP);
  region.monitor = gather_monitor;
}

/* A verdict that holds after random changes is true, and without changes it holds.  */
static void
a_verdict_that_holds_is_true (void **state)
{
  static struct model model;
  static struct oracle oracle;
  int n_kept = 0, n_held = 0, n_changed = 0;
  (void) state;
  model.random = 0xa4093822299f31d0;
  for (int t = 0; t < 3000; t++)
    {
      model_random_indirect (&model);
      model_fill_memory (&model);
      struct pg_inspector *own = pg_inspector_new (&model.region);
      int64_t lo = model_pick (&model, 0, model.n_iters - 2), hi = model_pick (&model, lo + 2, model.n_iters);
      pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
      if (pg_inspect (own, view, lo, hi) == hi)
	{
	  pg_verdict_keep (own, view, lo, hi);
	  int64_t end = lo;
	  bool is_kept = pg_verdict_find (own, view, lo, &end) == PG_KNOWN_CLEAN && end == hi;
	  n_kept += is_kept;
	  for (int change = 0; change < 20; change++)
	    {
	      model.memory[model_pick (&model, MODEL_ORIGIN - 1100, MODEL_ORIGIN + 400)] ^= 1;
	      pg_view_evaluate (view, &model.region, &model.args, model.n_iters);
	      if (pg_verdict_find (own, view, lo, &end) != PG_KNOWN_CLEAN || end != hi)
		{
		  n_changed += is_kept;
		  continue;
		}
	      n_held++;
	      oracle_run (&oracle, &model, lo, hi, false);
	      assert_true (oracle.conflict >= hi);
	    }
	}
      pg_inspector_free (own);
    }
  assert_in_range (n_kept, 300, 3000);
  assert_in_range (n_held, 300, 60000);
  assert_in_range (n_changed, 300, 60000);
}

enum
{
  COLUMNS = 8,
  ROWS = 400,
  JUMPS = 100,
  LONG_ROW = 3000 /* more than a page */
};

/* for (i < ROWS) for (j < COLUMNS) read index[j * ROWS + i].  */
static int64_t
columns_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t j = 0; j < COLUMNS; j++)
	monitor->touch (monitor, 2, &a->index[j * ROWS + i], 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* A matrix by columns is as many runs as it has columns, not as it has elements.  */
static void
columns_are_followed_side_by_side (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true; /* what is watched has no runs */
  region.monitor = columns_monitor;
  for (int i = 0; !holds (0, ROWS); i++)
    {
      assert_true (i < 2);
      inspector->roles[2].what |= PG_ROLE_JUMPS;
      keep (0, ROWS);
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  size_t n_runs;
	  assert_non_null (pg_scout_runs (inspector, j, &n_runs));
	  assert_int_equal (n_runs, COLUMNS);
	}
    }
  index_data[COLUMNS * ROWS - 1]++;
  assert_false (holds (0, ROWS));
  index_data[COLUMNS * ROWS - 1]--;
  assert_true (holds (0, ROWS));
  index_data[COLUMNS * ROWS]++;
  assert_true (holds (0, ROWS));
  pg_environment.is_watch_off = false;
}

/* The same for half the rows, in one order or another; but first, each job jumps to JUMPS elements in the rest.  */
static int64_t
jumps_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  monitor->iter = lo;
  for (int64_t k = 0; k < JUMPS; k++)
    monitor->touch (monitor, 2, &a->index[COLUMNS * ROWS / 2 + k * 3], 2);
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      for (int64_t j = 0; j < COLUMNS; j++)
	monitor->touch (monitor, 2, &a->index[j * (i % 2 ? 3 : 1) % COLUMNS * (ROWS / 2) + i], 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Columns are soon found again, at the cost of a few runs more.  */
static void
columns_are_followed_after_many_jumps (void **state)
{
  (void) state;
  pg_environment.is_watch_off = true;
  region.monitor = jumps_monitor;
  for (int i = 0; !holds (0, ROWS / 2); i++)
    {
      assert_true (i < 3); /* and there has to be room for them */
      inspector->roles[2].what |= PG_ROLE_JUMPS;
      keep (0, ROWS / 2);
      for (int64_t j = 0; j < inspector->n_traced; j++)
	{
	  size_t n_runs;
	  pg_scout_runs (inspector, j, &n_runs);
	  assert_in_range (n_runs, JUMPS + COLUMNS, JUMPS + 8 * COLUMNS);
	}
    }
  index_data[COLUMNS * ROWS / 2 + JUMPS / 2 * 3]++;
  assert_false (holds (0, ROWS / 2));
  index_data[COLUMNS * ROWS / 2 + JUMPS / 2 * 3]--;
  assert_true (holds (0, ROWS / 2));
  pg_environment.is_watch_off = false;
}

/* for (i < n) read a row of flags at once; rows follow each other, upwards or, where FACTOR is negative, downwards.  */
static int64_t
rows_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      int64_t row = a->factor < 0 ? -i : i;
      monitor->touch (monitor, 1, a->flag + row * LONG_ROW, LONG_ROW);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Between rows that touch each other there is no gap, however long they are: the first inspection leaves a verdict.  */
static void
long_rows_are_one_stream (void **state)
{
  static unsigned char rows[12 * LONG_ROW];
  (void) state;
  region.monitor = rows_monitor;
  for (int is_downwards = 0; is_downwards < 2; is_downwards++)
    {
      args.flag = rows + is_downwards * 11 * LONG_ROW;
      args.factor = is_downwards ? -1 : 1;
      keep (0, 12);
      assert_true (holds (0, 12));
      rows[5 * LONG_ROW]++;
      assert_false (holds (0, 12));
    }
}

enum
{
  ISLANDS = 64,      /* two bytes read on each, */
  ISLAND = 2 * PAGE, /* pages apart */
  FIRST = 100,       /* bytes before the first */
  FEW = 14           /* iterations: too few for so many pages */
};

/* for (i < n) read ISLANDS pieces of index, in no order.  */
static int64_t
islands_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 2, (const char *) a->index + i * 37 % ISLANDS * ISLAND, 2);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* Memory for the islands, of which the first begins at byte START.  */
static char *
map_islands (size_t start)
{
  char *memory = mmap (NULL, ISLANDS * ISLAND, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (memory != MAP_FAILED);
  memset (memory, 1, ISLANDS * ISLAND);
  region.monitor = islands_monitor;
  args.index = (const uint16_t *) (memory + start);
  return memory;
}

/* How many inspections of the islands it takes until there is a verdict.  */
static int
keep_islands (void)
{
  for (int n = 1; n <= 3; n++)
    {
      keep (0, ISLANDS);
      if (holds (0, ISLANDS))
	return n;
    }
  return -1;
}

/* A reference that jumps is watched where it jumps; then where other data on the pages are not written; then read.  */
static void
where_a_reference_jumps_is_watched_with_caution (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (FIRST);

  assert_int_equal (keep_islands (), 1);
  assert_int_equal (inspector->caution, PG_WATCH_PAGES);
  memory[ISLANDS * ISLAND - 1]++; /* behind the last page */
  assert_true (holds (0, ISLANDS));
  memory[0]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  assert_false (holds (0, ISLANDS));

  assert_int_equal (keep_islands (), 1);
  memory[0]++;
  memory[(ISLANDS - 1) * ISLAND + FIRST + 2]++;
  assert_true (holds (0, ISLANDS));
  memory[FIRST]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES); /* it may have been a neighbour */
  memory[FIRST]--;
  assert_true (holds (0, ISLANDS));
  memory[PAGE]++;
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);

  assert_int_equal (keep_islands (), 2); /* the first finds out that it jumps */
  memory[PAGE]++;
  assert_true (holds (0, ISLANDS));
  memory[FIRST + 5 * ISLAND]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Pages that the kernel does not watch after all are read from the third time on, and that stays so.  */
static void
what_cannot_be_watched_is_read (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (FIRST);
  is_watch_refused = true;
  keep (0, ISLANDS);
  assert_false (holds (0, ISLANDS));
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  for (int n = 0; n < 3; n++)
    {
      pg_verdict_keep (inspector, view, 0, ISLANDS);
      assert_false (holds (0, ISLANDS));
      assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);
    }
  assert_in_range (keep_islands (), 1, 2);
  is_watch_refused = false;
  memory[FIRST]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Where the loop writes between what it reads: on the last page, or anywhere.  */
static void
what_is_written_in_between_does_not_prevent_verdicts (void **state)
{
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = map_islands (0);
  args.y = (double *) (memory + (ISLANDS - 1) * ISLAND + PAGE / 2);
  assert_int_equal (keep_islands (), 2);
  assert_int_equal (inspector->caution, PG_WATCH_INNER_PAGES);
  args.y = (double *) (memory + 10 * ISLAND + PAGE / 2);
  assert_int_equal (keep_islands (), 3); /* the second finds out that it jumps */
  assert_int_equal (inspector->caution, PG_WATCH_NO_PAGES);
  args.y[5] = 1;
  assert_true (holds (0, ISLANDS));
  memory[11 * ISLAND]++;
  assert_false (holds (0, ISLANDS));
  munmap (memory, ISLANDS * ISLAND);
}

/* Many pages for few iterations are not worth asking about.  */
static void
few_runs_are_read_however_far_apart (void **state)
{
  (void) state;
  char *memory = map_islands (0);
  keep (0, FEW);
  keep (0, FEW);
  assert_true (holds (0, FEW));
  memory[PAGE]++;
  assert_true (holds (0, FEW));
  munmap (memory, ISLANDS * ISLAND);
}

/* That is remembered while others that do not jump are inspected in turn.  */
static void
few_runs_are_known_by_their_number (void **state)
{
  (void) state;
  char *memory = map_islands (0);
  keep (0, FEW);
  assert_false (holds (0, FEW));
  region.monitor = gather_monitor;
  args.index = index_data;
  keep (0, FEW);
  region.monitor = islands_monitor;
  args.index = (const uint16_t *) memory;
  keep (0, FEW);
  assert_true (holds (0, FEW));
  munmap (memory, ISLANDS * ISLAND);
}

enum
{
  PLATES = 8, /* read from end to end, each */
  PLATE = 3 * PAGE,
  STEPS = 8 /* to read one */
};

static int64_t
plates_monitor (void *argument, int64_t lo, int64_t hi, void *ctx)
{
  const struct gather_args *a = argument;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 2, (const char *) a->index + i / STEPS * PLATE + i % STEPS * (PAGE / STEPS),
		      PAGE / STEPS);
      monitor->touch (monitor, 3, &a->y[i], 8);
    }
  return 0;
}

/* What a verdict asks and what it would read are kept side by side: after asking, it can still be read.  */
static void
what_is_asked_about_can_be_read_again (void **state)
{
  static struct pg_gate gate;
  int64_t end = 0;
  (void) state;
  if (!kernel_records_pages ())
    skip ();
  char *memory = mmap (NULL, PLATES * PLATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset (memory, 1, PLATES * PLATE);
  region.monitor = plates_monitor;
  args.index = (const uint16_t *) memory;
  inspector->caution = PG_WATCH_NO_PAGES;
  for (int n = 0; n < 3; n++)
    keep (0, PLATES * STEPS);
  assert_true (holds (0, PLATES * STEPS));
  assert_true (pg_verdict_gate (inspector, view, 0, &end, &gate));
  assert_true (pg_gate_pass (&gate));
  assert_int_equal (gate.n_asks, PLATES);
  pg_environment.is_watch_off = true;
  assert_true (holds (0, PLATES * STEPS));
  memory[5 * PLATE]++;
  assert_false (holds (0, PLATES * STEPS));
  pg_environment.is_watch_off = false;
  munmap (memory, PLATES * PLATE);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (a_verdict_holds_for_its_own_range_only, set_up, tear_down),
    cmocka_unit_test_setup_teardown (every_index_and_every_condition_counts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (where_a_reference_jumps_is_watched_with_caution, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_written_in_between_does_not_prevent_verdicts, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_asked_about_can_be_read_again, set_up, tear_down),
    cmocka_unit_test_setup_teardown (few_runs_are_read_however_far_apart, set_up, tear_down),
    cmocka_unit_test_setup_teardown (few_runs_are_known_by_their_number, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_changed_is_known_by_its_end, set_up, tear_down),
    cmocka_unit_test_setup_teardown (dear_feeds_are_for_short_macro_chunks, set_up, tear_down),
    cmocka_unit_test_setup_teardown (live_ins_that_feed_addresses_count_and_others_do_not, set_up, tear_down),
    cmocka_unit_test_setup_teardown (many_keys_of_a_range_are_known, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_missed_again_is_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_does_not_come_again_is_not_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_over_is_not_wanted_for_ever, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_is_missed_more_often_stays_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_full_table_forgets, set_up, tear_down),
    cmocka_unit_test_setup_teardown (verdicts_hold_without_random_bytes, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_cannot_be_watched_is_read, set_up, tear_down),
    cmocka_unit_test_setup_teardown (values_of_expressions_count, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_for_verdicts_is_limited, set_up, tear_down),
    cmocka_unit_test_setup_teardown (only_what_an_inspection_knows_is_kept, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_loop_that_may_write_its_indexes_leaves_no_verdict, set_up, tear_down),
    cmocka_unit_test_setup_teardown (memory_that_the_loop_would_not_read_is_not_read, set_up, tear_down),
    cmocka_unit_test_setup_teardown (reads_far_apart_are_hashed_one_by_one, set_up, tear_down),
    cmocka_unit_test_setup_teardown (columns_are_followed_side_by_side, set_up, tear_down),
    cmocka_unit_test_setup_teardown (columns_are_followed_after_many_jumps, set_up, tear_down),
    cmocka_unit_test_setup_teardown (long_rows_are_one_stream, set_up, tear_down),
    cmocka_unit_test (a_verdict_that_holds_is_true),
  };
  pg_environment.n_threads = 3;
  pg_environment.plan = PG_PLAN_POOL;
  return cmocka_run_group_tests (tests, NULL, NULL);
}
