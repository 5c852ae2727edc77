/* SPDX-License-Identifier: MIT
   Several threads at once, each with data of its own, in the same regions and the pool, with random trip counts: every
   entry, whoever was in the way, leaves what the loop alone would have left.  Mostly for the thread sanitizer.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "pool.h"
#include "region.h"
#include "regions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 3000, /* the longest loop */
  N_THREADS = 5,
  ROUNDS = 400
};

enum loop
{
  SCALE,
  SUM,
  SCATTER,
  SHIFT,
  FSUM,
  N_LOOPS
};

/* What one thread works on: the regions are shared, these are not.  */
struct player
{
  struct pg_descriptor *const *regions;
  uint64_t random;
  int64_t a[2 * N], b[2 * N], c[2 * N], expected[2 * N], idx[N];
  double f[N];
  _Atomic int n_runs[N];
  bool changes_stacks;
  int n_wrong;
};

static int64_t
pick (struct player *player, int64_t least, int64_t most)
{
  player->random = player->random * 6364136223846793005u + 1442695040888963407u;
  return least + (int64_t) ((player->random >> 33) % (uint64_t) (most - least + 1));
}

/* Enter REGION as a guard does: what is refused runs as it was written.  */
static void
enter (struct pg_descriptor *region, void *args, int64_t n)
{
  if (!__paragon_enter_v1 (region, args, n))
    region->body (args, 0, n, NULL);
}

/* Count it if the first LEN cells of GOT are not those expected.  */
static void
compare (struct player *player, const void *got, size_t len)
{
  player->n_wrong += memcmp (got, player->expected, len * sizeof *player->expected) != 0;
}

static void
play_scale (struct player *player, struct pg_descriptor *region, int64_t n)
{
  struct scale_args args = { player->a, player->b, player->c }, serial = args;
  serial.c = player->expected;
  region->body (&serial, 0, n, NULL);
  enter (region, &args, n);
  compare (player, player->c, (size_t) n);
}

static void
play_sum (struct player *player, struct pg_descriptor *region, int64_t n)
{
  struct sum_args args = { player->a, 17, -5, 99 }, serial = args;
  region->body (&serial, 0, n, NULL);
  enter (region, &args, n);
  player->n_wrong += memcmp (&args, &serial, sizeof args) != 0;
}

/* Now and then two iterations meet.  */
static void
play_scatter (struct player *player, struct pg_descriptor *region, int64_t n)
{
  struct scatter_args args = { player->c, player->idx }, serial = { player->expected, player->idx };
  int64_t step = pick (player, 0, 1) ? 1 : 7; /* N + 1 is a prime: no value comes twice */
  for (int64_t i = 0; i < n; i++)
    player->idx[i] = i * step % (N + 1);
  if (pick (player, 0, 3) == 0)
    player->idx[pick (player, 0, n - 1)] = player->idx[pick (player, 0, n - 1)];
  memcpy (player->expected, player->c, sizeof player->c);
  region->body (&serial, 0, n, NULL);
  enter (region, &args, n);
  compare (player, player->c, 2 * N);
}

static void
play_shift (struct player *player, struct pg_descriptor *region, int64_t n)
{
  struct shift_args args = { player->c, pick (player, 0, N) }, serial = { player->expected, args.distance };
  memcpy (player->expected, player->c, sizeof player->c);
  region->body (&serial, 0, n, NULL);
  enter (region, &args, n);
  compare (player, player->c, 2 * N);
}

/* The grid, not the threads, decides about the bits.  */
static void
play_fsum (struct player *player, struct pg_descriptor *region, int64_t n)
{
  struct fsum_args args = { player->f, 0.125 }, serial = args;
  pg_entry_run_grid (&fsum_region, &serial, n);
  enter (region, &args, n);
  player->n_wrong += memcmp (&args, &serial, sizeof args) != 0;
}

static void
count_run (void *arg, int64_t index)
{
  struct player *player = arg;
  atomic_fetch_add_explicit (&player->n_runs[index], 1, memory_order_relaxed);
}

static void
play_pool (struct player *player, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    atomic_store_explicit (&player->n_runs[i], 0, memory_order_relaxed);
  pg_pool_run (count_run, player, n);
  for (int64_t i = 0; i < n; i++)
    player->n_wrong += atomic_load_explicit (&player->n_runs[i], memory_order_relaxed) != 1;
}

static void *
play (void *arg)
{
  static void (*const plays[N_LOOPS]) (struct player *, struct pg_descriptor *, int64_t)
    = { play_scale, play_sum, play_scatter, play_shift, play_fsum };
  struct player *player = arg;
  for (int round = 0; round < ROUNDS; round++)
    {
      int64_t n = pick (player, 1, pick (player, 0, 1) ? N : 20);
      int64_t loop = pick (player, 0, N_LOOPS);
      if (loop < N_LOOPS)
	plays[loop](player, player->regions[loop], n);
      else
	play_pool (player, n);
      if (player->changes_stacks && round % 50 == 49)
	pg_pool_reserve ((size_t) round << 10);
    }
  return NULL;
}

/* Let the threads play in REGIONS; with CHANGES_STACKS, one of them makes the pool start anew now and then.  */
static void
let_play (struct pg_descriptor *const *regions, bool changes_stacks)
{
  pthread_t threads[N_THREADS];
  struct player *players = calloc (N_THREADS, sizeof *players);
  assert_non_null (players);
  for (int t = 0; t < N_THREADS; t++)
    {
      struct player *player = &players[t];
      player->regions = regions;
      player->random = (uint64_t) t + 1;
      player->changes_stacks = changes_stacks && t == 0;
      for (int64_t i = 0; i < 2 * N; i++)
	{
	  player->a[i] = pick (player, 0, 10000);
	  player->b[i] = pick (player, 0, 10000);
	  player->c[i] = pick (player, 0, 10000);
	}
      for (int i = 0; i < N; i++)
	player->f[i] = 1.0 / (double) (t + i + 1);
      assert_int_equal (pthread_create (&threads[t], NULL, play, player), 0);
    }
  for (int t = 0; t < N_THREADS; t++)
    pthread_join (threads[t], NULL);
  for (int t = 0; t < N_THREADS; t++)
    assert_int_equal (players[t].n_wrong, 0);
  free (players);
}

static void
play_under (enum pg_plan_forced plan, int n_threads, bool changes_stacks)
{
  struct pg_descriptor *const regions[N_LOOPS]
    = { a_scale_region (), a_sum_region (), a_scatter_region (), a_shift_region (), an_fsum_region () };
  pg_environment_defaults (&pg_environment);
  pg_environment.plan = plan;
  pg_environment.n_threads = n_threads;
  pg_pool_forget ();
  let_play (regions, changes_stacks);
  int64_t n_pool = 0;
  for (int loop = 0; loop < N_LOOPS; loop++)
    n_pool += ((struct pg_state *) regions[loop]->state)->row.n_pool;
  if (plan == PG_PLAN_POOL)
    assert_true (n_pool > 0);
}

static void
threads_in_the_same_regions_get_right_answers (void **state)
{
  (void) state;
  play_under (PG_PLAN_POOL, 4, false);
  play_under (PG_PLAN_POOL, 2, false);
}

static void
so_they_do_when_the_plan_is_measured (void **state)
{
  (void) state;
  play_under (PG_PLAN_AUTO, 4, false);
}

static void
so_they_do_while_the_pool_is_made_anew (void **state)
{
  (void) state;
  play_under (PG_PLAN_POOL, 3, true);
}

static void
so_they_do_with_forced_conflicts (void **state)
{
  struct pg_descriptor *const regions[N_LOOPS]
    = { a_scale_region (), a_sum_region (), a_scatter_region (), a_shift_region (), an_fsum_region () };
  (void) state;
  pg_environment_defaults (&pg_environment);
  pg_environment.plan = PG_PLAN_POOL;
  pg_environment.n_threads = 4;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_RANDOM;
  pg_environment.inject_number = 7;
  let_play (regions, false);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (threads_in_the_same_regions_get_right_answers),
    cmocka_unit_test (so_they_do_when_the_plan_is_measured),
    cmocka_unit_test (so_they_do_while_the_pool_is_made_anew),
    cmocka_unit_test (so_they_do_with_forced_conflicts),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
