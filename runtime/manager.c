/* SPDX-License-Identifier: MIT
   The conflict management thread.  See manager.h.

   Who claims the manager sets `is_busy` from false to true, writes the job, and hands it over by `n_asked`; the manager
   sets `is_busy` to false when it is through.  A manager that is to leave claims itself before.  */
#include "manager.h"
#include "environment.h"
#include "futex.h"
#include "grid.h"
#include "log.h"
#include "trace.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum
{
  STACK_LEN = 8 << 20, /* compilers and drivers run on it */
  IDLE_NS = 1000000000,
  FIRST_CHUNKS = 4, /* of a loop that may conflict */
  MOST_CHUNKS = 64,
  MOST_PAUSE_NS = 500000
};

struct pg_job pg_job;

static struct
{
  _Atomic bool is_busy;
  _Atomic bool is_alive;       /* under the claim */
  _Atomic uint32_t n_asked;    /* jobs handed over; the manager sleeps on it */
  _Atomic uint64_t n_done;     /* release: what they came to is to be seen */
  uint64_t n_tickets;          /* under the claim */
  struct pg_speculation *spec; /* the job is its round; NULL: it is pg_job */
  _Atomic uint32_t n_moves;    /* its own; workers sleep on it */
  _Atomic uint32_t n_calls;    /* the workers', while it may be waiting, which sleeps on it */
  _Atomic uint64_t n_steps;    /* of all threads, for random delays; relaxed */
} manager;

/* ---- delays */

void
pg_race_step (void)
{
  if (pg_environment.race != PG_RACE_RANDOM)
    return;
  uint64_t x = (uint64_t) pg_environment.race_seed + atomic_fetch_add (&manager.n_steps, 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  struct timespec pause = { .tv_nsec = (long) ((x >> 2) % MOST_PAUSE_NS) };
  if ((x & 3) == 0)
    sched_yield ();
  else if ((x & 3) == 1)
    nanosleep (&pause, NULL);
}

/* ---- jobs, on the manager */

/* Wake up who waits for the manager.  */
static void
tell_worker (void)
{
  atomic_fetch_add (&manager.n_moves, 1);
  pg_futex_wake (&manager.n_moves, INT_MAX);
}

/* Move ROUND from FROM to TO, if it is there and the worker has taken less than LIMIT.  */
static bool
move (struct pg_round *round, enum pg_cooperation_state from, enum pg_cooperation_state to, int64_t limit)
{
  pg_race_step ();
  uint64_t word = atomic_load (&round->word);
  while (pg_round_state (word) == from && pg_round_taken (word) < limit)
    if (atomic_compare_exchange_weak (&round->word, &word, pg_round_word (to, pg_round_taken (word))))
      {
	tell_worker ();
	return true;
      }
  return false;
}

/* Wait until ROUND is not in STATE any more; the state that it is in then.  */
static enum pg_cooperation_state
await_worker (const struct pg_round *round, enum pg_cooperation_state state)
{
  for (;;)
    {
      uint32_t n_calls = atomic_load (&manager.n_calls);
      enum pg_cooperation_state now = pg_round_state (atomic_load (&round->word));
      if (now != state)
	return now;
      pg_futex_wait (&manager.n_calls, n_calls, IDLE_NS);
    }
}

/* Have SPEC's own view of the entry of pg_job.  */
static bool
have_view (struct pg_speculation *spec)
{
  const struct pg_region *region = spec->region;
  if (spec->own_view == NULL)
    spec->own_view = aligned_alloc (16, (pg_view_len (region) + 15) / 16 * 16);
  if (spec->own_view == NULL)
    return false;
  memcpy (spec->entry_args, pg_job.args, region->args_len);
  pg_view_evaluate (spec->own_view, region, spec->entry_args, pg_job.n_iters);
  spec->own_view->bounds = pg_job.has_bounds ? pg_job.bounds : NULL;
  return true;
}

/* Choose for pg_job.  */
static enum pg_offloaded
choose (void)
{
  if (*pg_job.spec == NULL)
    *pg_job.spec = pg_speculation_new (pg_job.region, pg_job.row);
  struct pg_speculation *spec = *pg_job.spec;
  if (spec == NULL)
    return PG_OFFLOAD_NO_MEMORY;
  spec->chosen = spec->never != PG_OFFLOAD_RAN ? spec->never : have_view (spec) ? PG_OFFLOAD_RAN : PG_OFFLOAD_NO_MEMORY;
  if (spec->chosen != PG_OFFLOAD_RAN)
    return spec->chosen;
  struct pg_device *device = pg_device_take ();
  if (device == NULL)
    return spec->chosen = PG_OFFLOAD_NO_DEVICE;
  spec->chosen = pg_speculation_choose (spec, device, spec->own_view, pg_job.first);
  pg_device_leave (device);
  return spec->chosen;
}

static void
prepare (void)
{
  int64_t traced = pg_trace_begin (PG_TRACE_CHOOSE, pg_job.region);
  enum pg_offloaded result = choose ();
  PG_TRACE (CHOOSE, traced, pg_job.region, .numbers = { pg_job.first, pg_job.n_iters },
	    .words = { pg_offloaded_names[result], result != PG_OFFLOAD_RAN       ? ""
						   : (*pg_job.spec)->is_reentrant ? "kept"
										  : "changed" });
}

/* Where the chunk of SPEC from LO on ends.  */
static int64_t
chunk_end (const struct pg_speculation *spec, int64_t lo)
{
  int64_t n_iters = spec->view->n_iters, len = n_iters / spec->n_chunks + 1;
  int64_t grid_len = pg_region_grid_len (spec->region, n_iters);
  len = (len + grid_len - 1) / grid_len * grid_len;
  return n_iters - lo > len ? lo + len : n_iters;
}

/* Run chunks of SPEC's round, until one has a conflict, something fails, or nobody wants them any more; the first one
   in any case, for what it takes may be wanted.  */
static void
run_chunks (struct pg_speculation *spec)
{
  struct pg_round *round = &spec->round;
  int64_t n_iters = spec->view->n_iters;
  do
    {
      int64_t end = chunk_end (spec, round->point);
      round->result = pg_speculation_run (spec, round->point, end);
      if (round->result == PG_OFFLOAD_RAN)
	round->point = end;
      round->resume = end;
      pg_race_step ();
    }
  while (round->result == PG_OFFLOAD_RAN && round->point < n_iters
	 && pg_round_state (atomic_load (&round->word)) == PG_COOPERATION_RACING);
}

/* Commit what SPEC's round has come to, if the worker is not as far.  */
static bool
commit (struct pg_speculation *spec)
{
  struct pg_round *round = &spec->round;
  if (pg_environment.race == PG_RACE_HOST)
    await_worker (round, PG_COOPERATION_RACING);
  if (!move (round, PG_COOPERATION_RACING, PG_COOPERATION_DEVICE, round->point))
    return false;
  PG_TRACE (CLAIM, 0, spec->region, .numbers = { round->point });
  if (await_worker (round, PG_COOPERATION_DEVICE) != PG_COOPERATION_PARKED)
    return false;
  pg_race_step ();
  pg_speculation_commit (spec, round->args);
  return true;
}

/* Chunks are as long as conflicts allow.  */
static void
tune (struct pg_speculation *spec, enum pg_offloaded result)
{
  if (result == PG_OFFLOAD_CONFLICT && spec->n_chunks < MOST_CHUNKS)
    spec->n_chunks *= 2;
  else if (result == PG_OFFLOAD_RAN && spec->n_chunks > 1)
    spec->n_chunks /= 2;
}

/* Run SPEC's round.  */
static void
run_round (struct pg_speculation *spec)
{
  struct pg_round *round = &spec->round;
  struct pg_device *device = pg_device_take ();
  round->point = round->first;
  round->resume = round->first;
  int64_t traced = pg_trace_begin (PG_TRACE_ROUND, spec->region), copied = pg_trace_begin (PG_TRACE_COPY, spec->region);
  round->result = device == NULL ? PG_OFFLOAD_NO_DEVICE : pg_speculation_look (spec);
  atomic_store (&round->is_looked, true);
  tell_worker ();
  if (round->result == PG_OFFLOAD_RAN)
    round->result = pg_speculation_put (spec, round->first_args);
  PG_TRACE (COPY, copied, spec->region, .numbers = { spec->objects.n }, .words = { pg_offloaded_names[round->result] });
  if (spec->n_chunks == 0)
    spec->n_chunks = spec->suspects.has_any || pg_environment.inject ? FIRST_CHUNKS : 1;
  if (round->result == PG_OFFLOAD_RAN && move (round, PG_COOPERATION_COPYING, PG_COOPERATION_RACING, INT64_MAX))
    run_chunks (spec);
  if (!commit (spec))
    round->point = round->first;
  tune (spec, round->result);
  PG_TRACE (ROUND, traced, spec->region, .numbers = { round->first, round->point },
	    .words = { pg_offloaded_names[round->result] });
  if (!move (round, PG_COOPERATION_PARKED, PG_COOPERATION_QUIET, INT64_MAX)
      && !move (round, PG_COOPERATION_RACING, PG_COOPERATION_QUIET, INT64_MAX))
    move (round, PG_COOPERATION_COPYING, PG_COOPERATION_QUIET, INT64_MAX);
  if (device == NULL)
    return;
  pg_speculation_drop (spec);
  pg_device_leave (device);
}

/* ---- the thread */

static void
do_job (void)
{
  if (manager.spec != NULL)
    run_round (manager.spec);
  else
    prepare ();
  pg_race_step ();
  atomic_fetch_add (&manager.n_done, 1);
  atomic_store (&manager.is_busy, false);
  tell_worker ();
}

static void *
manage (void *unused)
{
  uint32_t seen = 0;
  pthread_setname_np (pthread_self (), "paragon-manager");
  pg_trace_thread (PG_TRACK_MANAGER);
  pg_thread_become_worker (STACK_LEN);
  for (;;)
    {
      uint32_t n_asked = atomic_load (&manager.n_asked);
      if (n_asked != seen)
	{
	  seen = n_asked;
	  do_job ();
	}
      else if (pg_futex_wait (&manager.n_asked, seen, IDLE_NS) && pg_manager_claim ())
	{
	  atomic_store (&manager.is_alive, false);
	  pg_manager_release ();
	  return unused;
	}
    }
}

/* Have a manager, who takes no signals.  */
static bool
start (struct pg_thread *self)
{
  pthread_attr_t attr;
  pthread_t thread;
  if (pthread_attr_init (&attr) != 0)
    return false;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attr, STACK_LEN);
  atomic_store (&manager.n_asked, 0);
  bool deferred = pg_thread_block_signals (self);
  int error = pthread_create (&thread, &attr, manage, NULL);
  pg_thread_restore_signals (self, deferred);
  pthread_attr_destroy (&attr);
  if (error != 0)
    PG_LOG (POOL, "no manager: pthread_create failed with error %d", error);
  return error == 0;
}

/* Hand over SPEC's round, or, if that is NULL, pg_job.  */
static bool
hand_over (struct pg_thread *self, struct pg_speculation *spec)
{
  manager.spec = spec;
  if (!atomic_load (&manager.is_alive))
    {
      if (!start (self))
	return false;
      atomic_store (&manager.is_alive, true);
    }
  atomic_fetch_add (&manager.n_asked, 1);
  pg_futex_wake (&manager.n_asked, 1);
  return true;
}

bool
pg_manager_claim (void)
{
  bool is_busy = false;
  return atomic_compare_exchange_strong (&manager.is_busy, &is_busy, true);
}

void
pg_manager_release (void)
{
  atomic_store (&manager.is_busy, false);
}

/* The same; false, and the manager is free: there is no thread to do it.  */
static bool
hand_over_or_release (struct pg_thread *self, struct pg_speculation *spec)
{
  manager.n_tickets++;
  if (hand_over (self, spec))
    return true;
  manager.n_tickets--;
  pg_manager_release ();
  return false;
}

uint64_t
pg_manager_prepare (struct pg_thread *self)
{
  uint64_t ticket = manager.n_tickets + 1;
  return hand_over_or_release (self, NULL) ? ticket : 0;
}

bool
pg_manager_is_done (uint64_t ticket)
{
  return atomic_load (&manager.n_done) >= ticket;
}

bool
pg_manager_run (struct pg_thread *self, struct pg_speculation *spec)
{
  return hand_over_or_release (self, spec);
}

uint32_t
pg_manager_moves (void)
{
  return atomic_load (&manager.n_moves);
}

void
pg_manager_await (uint32_t seen, int64_t ns)
{
  pg_futex_wait (&manager.n_moves, seen, ns);
}

void
pg_manager_rest (int64_t ns)
{
  int64_t end = pg_now () + ns;
  for (;;)
    {
      uint32_t seen = pg_manager_moves ();
      int64_t left = end - pg_now ();
      if (!atomic_load (&manager.is_busy) || left <= 0)
	return;
      pg_manager_await (seen, left);
    }
}

void
pg_manager_call (void)
{
  atomic_fetch_add (&manager.n_calls, 1);
  pg_futex_wake (&manager.n_calls, 1);
}

/* The job that was handed over last will not be done: whoever waits for it is to find that nothing came of it.  */
static void
drop_job (void)
{
  struct pg_speculation *spec = manager.spec != NULL ? manager.spec : *pg_job.spec;
  if (spec == NULL)
    return;
  spec->chosen = PG_OFFLOAD_LATE;
  spec->round.result = PG_OFFLOAD_LATE;
  spec->round.point = spec->round.first;
  atomic_store (&spec->round.word, pg_round_word (PG_COOPERATION_QUIET, 0));
}

void
pg_manager_forget (void)
{
  if (atomic_load (&manager.n_done) != manager.n_tickets)
    drop_job ();
  atomic_store (&manager.is_alive, false);
  atomic_store (&manager.n_done, manager.n_tickets);
  pg_manager_release ();
}
