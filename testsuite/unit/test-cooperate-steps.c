//! link: -Wl,--wrap=pg_race_step -Wl,--wrap=pg_manager_run -Wl,--wrap=pg_speculation_choose
//! link: -Wl,--wrap=pg_speculation_put -Wl,--wrap=clock_gettime
/* SPDX-License-Identifier: MIT
   The caller's side of cooperative execution, step by step: the test is who runs the entry, and says when the manager
   goes on.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "last-round.h"
#include "region-kernels.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  N = 200,
  SHORT_NS = 2000000, /* of waiting */
  LONG_NS = 1000000000
};

static int64_t b[N], c[N], other_c[N];

/* Choices, copies to the device, and launches there, do not begin as long as these are held; or there is no memory for
   the copies.  */
static _Atomic bool are_choices_held, are_copies_held, are_copies_refused, are_launches_held;
static _Atomic int n_choices, n_launches;

__typeof__ (pg_speculation_choose) __real_pg_speculation_choose, __wrap_pg_speculation_choose;

enum pg_offloaded
__wrap_pg_speculation_choose (struct pg_speculation *spec, struct pg_device *taken, struct pg_view *view, int64_t first)
{
  atomic_fetch_add (&n_choices, 1);
  while (atomic_load (&are_choices_held))
    sched_yield ();
  return __real_pg_speculation_choose (spec, taken, view, first);
}

__typeof__ (pg_speculation_put) __real_pg_speculation_put, __wrap_pg_speculation_put;

enum pg_offloaded
__wrap_pg_speculation_put (struct pg_speculation *spec, const void *args)
{
  while (atomic_load (&are_copies_held))
    sched_yield ();
  return atomic_load (&are_copies_refused) ? PG_OFFLOAD_NO_MEMORY : __real_pg_speculation_put (spec, args);
}

static void
launch_when_let (void)
{
  atomic_fetch_add (&n_launches, 1);
  while (atomic_load (&are_launches_held))
    sched_yield ();
}

/* What happens between a look of the caller's at the round and its move.  The manager's steps are its own.  */
static void (*on_step) (void);
__typeof__ (pg_race_step) __wrap_pg_race_step;

void
__wrap_pg_race_step (void)
{
  if (on_step != NULL)
    on_step ();
}

/* 0: the clock is the real one.  */
static _Atomic int64_t clock_ns;
int __real_clock_gettime (clockid_t clock, struct timespec *t);
int __wrap_clock_gettime (clockid_t clock, struct timespec *t);

int
__wrap_clock_gettime (clockid_t clock, struct timespec *t)
{
  int64_t ns = atomic_load (&clock_ns);
  if (ns == 0)
    return __real_clock_gettime (clock, t);
  *t = (struct timespec) { ns / 1000000000, ns % 1000000000 };
  return 0;
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_COOPERATE);
  pg_environment.race = PG_RACE_RANDOM; /* the manager is asked as soon as it is free, and nobody is first */
  device.on_launch = launch_when_let;
  atomic_store (&n_choices, 0);
  atomic_store (&n_launches, 0);
  for (int i = 0; i < N; i++)
    {
      b[i] = i * 7 % N;
      c[i] = other_c[i] = -1 - i;
    }
  return 0;
}

static void
await_state (enum pg_cooperation_state state)
{
  while (state_now () != state)
    sched_yield ();
}

static struct scatter_args args = { c, b }, other_args = { other_c, b };

/* An entry of REGION with ARGUMENTS that has begun, and waits for copies as long as pg_cooperate_begin is told to.  */
static struct pg_entry *
begin_with (struct pg_descriptor *region, struct scatter_args *arguments, int64_t most_wait_ns, int64_t learn_wait_ns)
{
  struct pg_state *state;
  assert_int_equal (pg_state_of (region, &state), PG_OK);
  struct pg_entry *entry = &state->entry;
  pg_entry_open (entry, &state->region, &state->plan, arguments, N, false);
  pg_view_evaluate (entry->view, &state->region, arguments, N);
  pg_cooperate_begin (entry, &state->speculation, &state->bounds, &state->row, most_wait_ns, learn_wait_ns);
  return entry;
}

static struct pg_entry *
begin (struct pg_descriptor *region, int64_t most_wait_ns, int64_t learn_wait_ns)
{
  return begin_with (region, &args, most_wait_ns, learn_wait_ns);
}

/* Run ENTRY's iterations up to END, which were taken.  */
static void
run (struct pg_entry *entry, int64_t end)
{
  entry->body (entry->args, entry->done, end, NULL);
  entry->done = end;
}

/* Of a loop that puts into PLACES, iterations below END have been run, and no others.  */
static void
assert_put_into (const int64_t *places, int64_t end)
{
  for (int i = 0; i < N; i++)
    assert_int_equal (places[b[i]], i < end ? i : -1 - b[i]);
}

static void
assert_put (int64_t end)
{
  assert_put_into (c, end);
}

static struct pg_descriptor *
a_put_region (void)
{
  return with_kernel (a_like_region (put_body, 2), put_kernel);
}

/* ---- the tests */

/* All was taken, and then could not be run: as when there is no memory for the pool.  The device has all, but too
   late.  */
static void
what_was_taken_is_the_callers (void **state)
{
  struct pg_descriptor *region = a_put_region ();
  struct pg_entry *entry = begin (region, INT64_MAX, 0);
  (void) state;
  atomic_store (&are_launches_held, true);
  assert_true (pg_cooperate_take (entry, N));
  atomic_store (&are_launches_held, false);
  await_quiet ();
  assert_int_equal (atomic_load (&last_round)->result, PG_OFFLOAD_RAN);
  assert_false (pg_cooperate_take (entry, N / 2));
  assert_int_equal (entry->done, 0);
  assert_put (0);
  assert_true (pg_cooperate_take (entry, N));
  run (entry, N);
  pg_cooperate_end (entry);
  assert_put (N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 0);
  assert_false (entry->used_device);
}

/* The loop changes what it reads.  */
static void
who_has_waited_for_copies_for_long_goes_on (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_entry *entry = begin (region, SHORT_NS, 0);
  (void) state;
  atomic_store (&are_copies_held, true);
  assert_true (pg_cooperate_take (entry, N / 2));
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
  assert_int_equal (state_now (), PG_COOPERATION_QUIET);
  assert_true (pg_cooperate_take (entry, N));
  atomic_store (&are_copies_held, false);
  await_quiet ();
  pg_cooperate_end (entry);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
  assert_int_equal (atomic_load (&n_launches), 0);
}

/* The caller is through, and would like to know what kernels take.  */
static void
who_is_through_waits_for_copies_as_long_as_it_may (void **state)
{
  struct pg_descriptor *region = a_put_region ();
  (void) state;
  for (int is_late = 0; is_late < 2; is_late++)
    {
      struct pg_entry *entry = begin (region, LONG_NS, is_late ? SHORT_NS : 60 * (int64_t) LONG_NS);
      atomic_store (&are_copies_held, true);
      assert_true (pg_cooperate_take (entry, N));
      run (entry, N);
      atomic_store (&are_copies_held, is_late);
      pg_cooperate_end (entry);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), is_late + 1);
      atomic_store (&are_copies_held, false);
      await_quiet ();
      assert_put (N);
      assert_int_equal (atomic_exchange (&n_launches, 0) > 0, !is_late);
    }
}

static void
who_ends_before_the_choice_is_made_is_counted (void **state)
{
  struct pg_descriptor *region = a_put_region ();
  struct pg_entry *entry = begin (region, INT64_MAX, 0);
  (void) state;
  run (entry, N);
  pg_cooperate_end (entry);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
  assert_int_equal (entry->cooperation.phase, PG_COOPERATES_NOT);
  await_quiet ();
  assert_int_equal (atomic_load (&n_launches), 0);
}

/* Where a piece of ENTRY ends, which begins NS after the one before.  */
static int64_t
piece_after (struct pg_entry *entry, int64_t ns)
{
  atomic_fetch_add (&clock_ns, ns);
  return pg_cooperate_piece (entry, N);
}

/* Up to the loop's own length.  */
static void
pieces_become_longer_while_they_are_short (void **state)
{
  struct pg_entry *entry = begin (a_put_region (), INT64_MAX, 0);
  (void) state;
  atomic_store (&clock_ns, LONG_NS);
  assert_int_equal (piece_after (entry, 0), 1);
  for (int64_t len = 2; len < N; len *= 2)
    assert_int_equal (piece_after (entry, 1000), len);
  assert_int_equal (piece_after (entry, 35000), 128); /* long enough */
  for (int i = 0; i < 100; i++)
    assert_int_equal (piece_after (entry, 1000), N);
  assert_int_equal (piece_after (entry, 1000000), 128);
  assert_int_equal (piece_after (entry, 1000000), 64);
  atomic_store (&clock_ns, 0);
  pg_cooperate_end (entry);
  await_quiet ();
}

/* The copies end as the caller takes a piece.  */
static void
let_copies_end (void)
{
  if (state_now () != PG_COOPERATION_COPYING || !atomic_load (&atomic_load (&last_round)->is_looked))
    return;
  atomic_store (&are_copies_held, false);
  await_state (PG_COOPERATION_RACING);
}

static void
who_takes_a_piece_as_the_manager_moves_looks_again (void **state)
{
  struct pg_descriptor *region = a_put_region ();
  struct pg_entry *entry = begin (region, INT64_MAX, 0);
  (void) state;
  on_step = let_copies_end;
  atomic_store (&are_copies_held, true);
  atomic_store (&are_launches_held, true);
  assert_true (pg_cooperate_take (entry, N / 2));
  on_step = NULL;
  assert_true (atomic_load (&atomic_load (&last_round)->word) == pg_round_word (PG_COOPERATION_RACING, N / 2));
  run (entry, N / 2);
  assert_put (N / 2);
  atomic_store (&are_launches_held, false);
  await_state (PG_COOPERATION_DEVICE);
  assert_false (pg_cooperate_take (entry, N));
  assert_int_equal (entry->done, N);
  assert_put (N);
  pg_cooperate_end (entry);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  await_quiet ();
}

/* The device is through as the caller leaves.  */
static void
let_device_be_first (void)
{
  atomic_store (&are_launches_held, false);
  await_state (PG_COOPERATION_DEVICE);
}

static void
who_leaves_as_the_manager_moves_has_left (void **state)
{
  struct pg_descriptor *region = a_put_region ();
  struct pg_entry *entry = begin (region, INT64_MAX, 0);
  (void) state;
  atomic_store (&are_launches_held, true);
  assert_true (pg_cooperate_take (entry, N / 2));
  await_state (PG_COOPERATION_RACING);
  run (entry, N / 4);
  on_step = let_device_be_first;
  pg_cooperate_end (entry);
  on_step = NULL;
  await_quiet ();
  assert_put (N / 4);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 0);
}

/* ENTRY begins a round, which fails when its first iterations have been taken.  */
static void
open_and_fail (struct pg_entry *entry)
{
  atomic_store (&are_copies_held, true);
  atomic_store (&are_copies_refused, true);
  assert_true (pg_cooperate_take (entry, N / 4));
  assert_int_equal (entry->cooperation.phase, PG_COOPERATES_RACING);
  run (entry, N / 4);
  atomic_store (&are_copies_held, false);
  await_quiet ();
  atomic_store (&are_copies_refused, false);
}

/* The manager is free before the worker has seen how its round ended, and at work on another thread's by then: neither
   worker takes the other one's round for its own, whatever the states of the two are.  */
static void
a_round_that_has_ended_is_not_the_next_one (void **state)
{
  (void) state;
  for (int is_left = 0; is_left < 2; is_left++)
    for (enum pg_cooperation_state at = PG_COOPERATION_COPYING; at <= PG_COOPERATION_DEVICE; at++)
      {
	struct pg_descriptor *region = a_put_region (), *other = a_put_region ();
	set_up (state);
	struct pg_entry *first = begin (region, INT64_MAX, 0);
	open_and_fail (first);
	atomic_store (&are_copies_held, at == PG_COOPERATION_COPYING);
	atomic_store (&are_launches_held, at == PG_COOPERATION_RACING);
	struct pg_entry *second = begin_with (other, &other_args, INT64_MAX, 0);
	assert_true (pg_cooperate_take (second, N / 8));
	run (second, N / 8);
	await_state (at);
	if (is_left)
	  pg_cooperate_end (first);
	else
	  assert_false (pg_cooperate_take (first, N / 2));
	assert_int_equal (state_now (), at);
	assert_int_equal (first->done, N / 4);
	assert_put (N / 4);
	atomic_store (&are_copies_held, false);
	atomic_store (&are_launches_held, false);
	await_state (PG_COOPERATION_DEVICE);
	assert_false (pg_cooperate_take (second, N));
	assert_int_equal (second->done, N);
	assert_put_into (other_c, N);
	pg_cooperate_end (first);
	pg_cooperate_end (second);
	assert_put (N / 4);
	assert_int_equal (n_offloaded (region, is_left ? PG_OFFLOAD_LATE : PG_OFFLOAD_NO_MEMORY), 1);
	assert_int_equal (n_offloaded (other, PG_OFFLOAD_RAN), 1);
	await_quiet ();
      }
}

/* A handler forks before the manager has chosen, or while the device is at work, through with some chunks, of which
   nothing is committed.  The child, which has no manager, goes on alone.  */
static void
nothing_comes_of_a_round_in_the_child_of_a_fork (void **state)
{
  (void) state;
  for (int is_open = 0; is_open < 2; is_open++)
    {
      int status;
      atomic_store (&are_choices_held, !is_open);
      atomic_store (&are_launches_held, true);
      struct pg_entry *entry = begin (with_kernel (a_scatter_region (), scatter_kernel), INT64_MAX, 0);
      if (is_open)
	{
	  assert_true (pg_cooperate_take (entry, 2));
	  while (atomic_load (&n_launches) == 0)
	    sched_yield ();
	  atomic_load (&last_round)->point = N / 2;
	}
      else
	while (atomic_load (&n_choices) == 0)
	  sched_yield ();
      pid_t child = fork ();
      if (child == 0)
	{
	  pg_manager_forget ();
	  pg_cooperate_take (entry, N);
	  bool is_alone = entry->cooperation.phase == PG_COOPERATES_APART && entry->cooperation.n_rounds == is_open;
	  _exit (entry->done == 0 && is_alone ? 0 : 1);
	}
      assert_int_equal (waitpid (child, &status, 0), child);
      assert_int_equal (status, 0);
      atomic_store (&are_choices_held, false);
      atomic_store (&are_launches_held, false);
      pg_cooperate_end (entry);
      await_quiet ();
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (what_was_taken_is_the_callers, set_up),
    cmocka_unit_test_setup (who_has_waited_for_copies_for_long_goes_on, set_up),
    cmocka_unit_test_setup (who_is_through_waits_for_copies_as_long_as_it_may, set_up),
    cmocka_unit_test_setup (who_ends_before_the_choice_is_made_is_counted, set_up),
    cmocka_unit_test_setup (pieces_become_longer_while_they_are_short, set_up),
    cmocka_unit_test_setup (who_takes_a_piece_as_the_manager_moves_looks_again, set_up),
    cmocka_unit_test_setup (who_leaves_as_the_manager_moves_has_left, set_up),
    cmocka_unit_test_setup (a_round_that_has_ended_is_not_the_next_one, set_up),
    cmocka_unit_test_setup (nothing_comes_of_a_round_in_the_child_of_a_fork, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
