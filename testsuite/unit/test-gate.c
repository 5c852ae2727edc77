/* SPDX-License-Identifier: MIT
   The gate: all who come get the same answer, each question is asked once, and nobody waits for who has not come.  */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "environment.h"
#include "feed.h"
#include "gate.h"
#include "kernel-pages.h"

enum
{
  UNIT = 65536, /* whole pages */
  N_ROWS = PG_FEED_MOST_ASKS + 1,
  N_BLOCKS = 2 * N_ROWS, /* pairs that follow each other, with a gap behind each */
  LEN = 3 * N_ROWS * UNIT,
  SEED = 7,
  N_THREADS = 3,
  N_ROUNDS = 500
};

static char *bytes;
static struct pg_block blocks[N_BLOCKS];
static struct pg_ask asks[PG_FEED_MOST_ASKS];
static struct pg_feed feed;
static struct pg_gate gate;
static bool is_supported;

static int
set_up (void **state)
{
  (void) state;
  pg_environment_defaults (&pg_environment);
  pg_environment.n_threads = 1;
  is_supported = kernel_records_pages ();
  bytes = mmap (NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED)
    return -1;
  for (int i = 0; i < LEN; i += UNIT / 16)
    bytes[i] = 1;
  return 0;
}

/* A feed of N blocks, all of them watched if that can be.  */
static void
watch (size_t n)
{
  for (size_t b = 0; b < n; b++)
    blocks[b] = (struct pg_block) { .start = bytes + (b + b / 2) * UNIT, .reach = UNIT, .len = UNIT };
  feed
    = (struct pg_feed) { .blocks = blocks, .n_blocks = n, .asks = asks, .n_stages = 1, .stage_end = { (uint32_t) n } };
  pg_feed_hash (&feed, SEED);
  for (int i = 0; i < 20; i++)
    assert_true (pg_feed_is_same (&feed, SEED));
}

static void
a_gate_is_before_watched_memory_only (void **state)
{
  (void) state;
  watch (4);
  assert_int_equal (pg_gate_make (&gate, &feed), is_supported);
  if (!is_supported)
    skip ();
  assert_int_equal (gate.n_asks, 2);
  assert_true (pg_gate_pass (&gate));
  assert_true (pg_gate_pass (&gate));
  assert_int_equal (gate.n_answered, 2);
  pg_tick tick = blocks[3].tick;
  blocks[3].tick = feed.n_asks = 0;
  assert_false (pg_gate_make (&gate, &feed));
  blocks[3].tick = tick;
  pg_environment.is_watch_off = true;
  assert_false (pg_gate_make (&gate, &feed));
  pg_environment.is_watch_off = false;
  watch (N_BLOCKS);
  assert_false (pg_gate_make (&gate, &feed)); /* too many questions */
  watch (N_BLOCKS - 2);
  assert_true (pg_gate_make (&gate, &feed));
  watch (0);
  assert_false (pg_gate_make (&gate, &feed)); /* nobody would ask whether threads may work */
}

static void
every_byte_shuts_it (void **state)
{
  (void) state;
  if (!is_supported)
    skip ();
  for (size_t b = 0; b < 6; b++)
    {
      watch (6);
      assert_true (pg_gate_make (&gate, &feed));
      bytes[(b + b / 2) * UNIT + UNIT - 1]++;
      assert_false (pg_gate_pass (&gate));
      assert_false (pg_gate_pass (&gate));
    }
}

/* A page that was written for no reason shuts the gate once; then its block is watched anew, by itself.  */
static void
it_opens_again (void **state)
{
  (void) state;
  if (!is_supported)
    skip ();
  watch (2);
  assert_true (pg_gate_make (&gate, &feed));
  assert_int_equal (gate.n_asks, 1);
  *(volatile char *) bytes = bytes[0];
  assert_false (pg_gate_pass (&gate));
  for (int i = 0; i < 20; i++)
    assert_true (pg_feed_is_same (&feed, SEED));
  assert_true (pg_gate_make (&gate, &feed));
  assert_int_equal (gate.n_asks, 2);
  assert_true (pg_gate_pass (&gate));
}

static void
repair (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info, (void) context;
}

/* Where the program may repair faults, threads must not meet them for it.  */
static void
it_is_shut_where_faults_may_be_repaired (void **state)
{
  struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO }, old;
  (void) state;
  if (!is_supported)
    skip ();
  watch (2);
  sigaction (SIGBUS, &action, &old);
  assert_true (pg_gate_make (&gate, &feed));
  assert_false (pg_gate_pass (&gate));
  sigaction (SIGBUS, &old, NULL);
  assert_true (pg_gate_make (&gate, &feed));
  assert_true (pg_gate_pass (&gate));
}

/* Rounds of threads that come to the same gate, each when it likes.  */
static pthread_barrier_t barrier;
static _Atomic int n_open;

static void *
come (void *arg)
{
  for (int round = 0; round < N_ROUNDS; round++)
    {
      pthread_barrier_wait (&barrier);
      if ((round + (int) (intptr_t) arg) % 4 == 0)
	usleep (20);
      n_open += pg_gate_pass (&gate);
      pthread_barrier_wait (&barrier);
    }
  return NULL;
}

static void
all_get_the_same_answer (void **state)
{
  pthread_t threads[N_THREADS];
  (void) state;
  if (!is_supported)
    skip ();
  pthread_barrier_init (&barrier, NULL, N_THREADS + 1);
  watch (6);
  for (intptr_t t = 0; t < N_THREADS; t++)
    assert_int_equal (pthread_create (&threads[t], NULL, come, (void *) t), 0);
  for (int round = 0; round < N_ROUNDS; round++)
    {
      bool is_touched = round % 3 == 0;
      n_open = 0;
      watch (6);
      assert_true (pg_gate_make (&gate, &feed));
      if (is_touched)
	bytes[(round % 9) * UNIT]++;
      is_touched &= round % 9 % 3 != 2; /* a gap */
      pthread_barrier_wait (&barrier);
      pthread_barrier_wait (&barrier);
      assert_int_equal (n_open, is_touched ? 0 : N_THREADS);
      assert_int_equal (gate.n_answered, 3);
    }
  for (int t = 0; t < N_THREADS; t++)
    pthread_join (threads[t], NULL);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_gate_is_before_watched_memory_only),
    cmocka_unit_test (every_byte_shuts_it),
    cmocka_unit_test (it_opens_again),
    cmocka_unit_test (it_is_shut_where_faults_may_be_repaired),
    cmocka_unit_test (all_get_the_same_answer),
  };
  return cmocka_run_group_tests (tests, set_up, NULL);
}
