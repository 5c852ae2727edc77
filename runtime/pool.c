/* SPDX-License-Identifier: MIT
   The pool.  See pool.h.

   Everything turns on one word, `ticket`: the number of the run above, the number of the next job below.  A thread
   takes job I of run R by a compare-and-swap from (R, I) to (R, I + 1).  The caller

       writes job, arg, n  ->  opens (R, 0)  ->  takes jobs with the others  ->  waits until `n_done` is n
       ->  closes (R + 1, CLOSED)

   A late worker may read job, arg and n of another run than the one whose ticket it saw: the fields change only after
   the ticket was closed, and then its compare-and-swap fails.  (If the swap succeeds, the ticket was not yet closed,
   so the worker's reads happened before the close, which is before the next write of the fields.)  So a worker that
   was preempted anywhere outside a job holds nobody up and touches nothing.

   Run numbers have 40 bits: a worker would have to sleep through 2^40 runs between its read and its swap to be
   misled.

   A run may end early, before all jobs are taken, because a signal waits for the caller: then what was taken is a
   prefix, and the rest is another run.

   After a job, a worker looks for the next one for a while, yielding the CPU to whoever wants it, then sleeps on
   `bell`.  To wake it up takes longer than to run a small loop, so it looks for twice as long as it had to wait the
   last time, if that was 1 ms at most; else for a shorter while each time.  Who sleeps for a second leaves: a process
   whose own threads have all ended (main left by pthread_exit) must end.  */
#include "pool.h"
#include "arena.h"
#include "cpus.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum
{
  JOB_BITS = 24,
  CLOSED = (1 << JOB_BITS) - 1, /* the job number of a closed ticket: above every run's n */
  SPIN_NS = 50000,              /* looking for the next run, to begin with */
  SPIN_MOST_NS = 1000000,
  SPIN_LEAST_NS = 1000,
  IDLE_NS = 1000000000,    /* asleep, before a worker leaves */
  START_NS = 2000000,      /* work, all in all, that is worth starting workers */
  PAUSES_A_LOOK = 16,      /* a look at the clock and a yield after so many */
  LEAST_STALL_NS = 200000, /* waiting for jobs in progress, to speak of a held-up worker */
  AVOID_FACTOR = 16,       /* nobody uses the pool for so many times what a run lost */
  USUAL_STACK_LEN = 256 << 10,
  USUAL_TAKEN_LEN = 16 << 10,
  STACK_UNIT = 4 << 10,
  MOST_STACK_LEN = 1 << 30
};

static struct
{
  /* The run in progress.  Written under `caller`, read by workers at any time: relaxed, ordered by `ticket`.  */
  _Atomic (pg_job_fn *) job;
  _Atomic (void *) arg;
  _Atomic int64_t base; /* index of the run's job 0 */
  _Atomic int64_t n;

  /* Read-modify-write by all, acquire and release; sequentially consistent against n_asleep.  */
  _Alignas(64) _Atomic uint64_t ticket;

  /* Jobs ended in this run.  The caller sleeps on it, having said so in caller_waits; both sequentially consistent:
     either the last worker sees caller_waits or the caller sees the last count.  */
  _Alignas(64) _Atomic uint32_t n_done;
  _Atomic uint32_t caller_waits;

  /* Workers sleep on bell after counting themselves in n_asleep; sequentially consistent against ticket: either the
     worker sees the open ticket or the caller sees the sleeper.  */
  _Alignas(64) _Atomic uint32_t bell;
  _Atomic int32_t n_asleep;

  /* The thread whose run it is, or NULL: a lock that is only ever tried.  Acquire when taken, release when left.  */
  _Alignas(64) _Atomic (struct pg_thread *) caller;
  _Atomic int64_t avoid_until; /* a moment of pg_now; relaxed */
  _Atomic int64_t wished_ns;   /* work that would have been for the pool, had there been workers; relaxed */
  _Atomic int n_workers;       /* alive, or about to be; only the caller adds */
  _Atomic int n_threads;       /* 0: not yet known; relaxed */
  _Atomic size_t stack_wanted; /* relaxed; only grows */
  _Atomic size_t stack_len;    /* workers with less leave; ordered by `ticket` */
  _Atomic size_t taken_len;    /* what thread-local data take of a new thread's stack; only grows; relaxed */
} pool = { .ticket = CLOSED, .stack_wanted = USUAL_STACK_LEN, .taken_len = USUAL_TAKEN_LEN };

static uint64_t
ticket_run (uint64_t ticket)
{
  return ticket >> JOB_BITS;
}

static int64_t
ticket_job (uint64_t ticket)
{
  return (int64_t) (ticket & CLOSED);
}

/* Take and run jobs until none is left, on a stack of STACK_LEN bytes, or, if SELF is the caller and not NULL, until a
   signal waits for it; the number of those run.  */
static int64_t
take_jobs (size_t stack_len, struct pg_thread *self)
{
  int64_t n_taken = 0;
  uint64_t ticket = atomic_load (&pool.ticket);
  for (;;)
    {
      pg_job_fn *job = atomic_load_explicit (&pool.job, memory_order_relaxed);
      void *arg = atomic_load_explicit (&pool.arg, memory_order_relaxed);
      int64_t base = atomic_load_explicit (&pool.base, memory_order_relaxed);
      int64_t n = atomic_load_explicit (&pool.n, memory_order_relaxed);
      if (ticket_job (ticket) >= n || atomic_load_explicit (&pool.stack_len, memory_order_relaxed) > stack_len)
	return n_taken;
      if (!atomic_compare_exchange_weak (&pool.ticket, &ticket, ticket + 1))
	continue;
      job (arg, base + ticket_job (ticket));
      n_taken++;
      atomic_fetch_add (&pool.n_done, 1);
      if (atomic_load (&pool.caller_waits) != 0)
	pg_futex_wake (&pool.n_done, 1);
      if (self != NULL && pg_thread_signal_waits (self))
	return n_taken;
      ticket = atomic_load (&pool.ticket);
    }
}

/* Whether a run has a job left to take.  */
static bool
has_jobs (void)
{
  uint64_t ticket = atomic_load (&pool.ticket);
  return ticket_job (ticket) < atomic_load_explicit (&pool.n, memory_order_relaxed);
}

/* Pause a little.  Whoever else wants this CPU gets it.  */
static void
look_away (void)
{
  for (int i = 0; i < PAUSES_A_LOOK; i++)
    pg_pause ();
  sched_yield ();
}

/* Sleep until the bell rings; false if it does not for a long time.  */
static bool
sleep_until_bell (void)
{
  bool is_late = false;
  uint32_t bell = atomic_load (&pool.bell);
  atomic_fetch_add (&pool.n_asleep, 1);
  if (!has_jobs ())
    is_late = pg_futex_wait (&pool.bell, bell, IDLE_NS);
  atomic_fetch_sub (&pool.n_asleep, 1);
  return !is_late || has_jobs ();
}

/* Count one worker less.  */
static void
leave_team (void)
{
  int n = atomic_load (&pool.n_workers);
  while (n > 0 && !atomic_compare_exchange_weak (&pool.n_workers, &n, n - 1))
    continue;
}

static size_t
round_up (size_t len, size_t unit)
{
  return (len + unit - 1) / unit * unit;
}

/* Raise *VALUE to at least LEAST.  */
static void
raise_to (_Atomic size_t *value, size_t least)
{
  size_t seen = atomic_load (value);
  while (seen < least && !atomic_compare_exchange_weak (value, &seen, least))
    continue;
}

/* For how long to look for jobs after it took WAITED_NS to find one and SPIN_NS were allowed for.  */
static int64_t
next_spin (int64_t spin_ns, int64_t waited_ns)
{
  if (waited_ns > SPIN_MOST_NS)
    return spin_ns / 2 > SPIN_LEAST_NS ? spin_ns / 2 : SPIN_LEAST_NS;
  int64_t longer_ns = 2 * waited_ns < SPIN_MOST_NS ? 2 * waited_ns : SPIN_MOST_NS;
  return longer_ns > SPIN_NS ? longer_ns : SPIN_NS;
}

/* Look for jobs on a stack of STACK_LEN bytes until there are none for a long time, or it is too short for them.  */
static void
look_for_jobs (size_t stack_len)
{
  int64_t last_job = pg_now (), spin_ns = SPIN_NS;
  while (atomic_load (&pool.stack_len) <= stack_len)
    {
      int64_t found = pg_now ();
      if (has_jobs () && take_jobs (stack_len, NULL) > 0)
	{
	  spin_ns = next_spin (spin_ns, found - last_job);
	  last_job = pg_now ();
	}
      else if (found - last_job < spin_ns)
	look_away ();
      else if (!sleep_until_bell ())
	return;
    }
}

/* A worker's life.  If its stack of CREATED_LEN bytes turns out too short, because the program's thread-local data took
   more of it than thought, it says so and leaves; the next run starts better ones.  */
static void *
work (void *created_len)
{
  char here;
  pthread_setname_np (pthread_self (), "paragon");
  pg_thread_become_worker ();
  size_t stack_len = pg_thread_stack_left (pg_thread_self (), &here);
  if (stack_len != 0)
    {
      raise_to (&pool.taken_len, round_up ((size_t) (uintptr_t) created_len - stack_len, STACK_UNIT));
      look_for_jobs (stack_len);
    }
  leave_team ();
  return NULL;
}

/* Create one worker on *STACK_LEN bytes, more if thread-local data leave no room in those.  */
static bool
start_worker (size_t *stack_len)
{
  pthread_attr_t attr;
  pthread_t thread;
  if (pthread_attr_init (&attr) != 0)
    return false;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  int error = EINVAL;
  for (size_t len = *stack_len; error == EINVAL && len <= MOST_STACK_LEN; len *= 2)
    {
      pthread_attr_setstacksize (&attr, len);
      atomic_fetch_add (&pool.n_workers, 1);
      error = pthread_create (&thread, &attr, work, (void *) (uintptr_t) len);
      if (error == 0)
	*stack_len = len;
      else
	leave_team ();
    }
  pthread_attr_destroy (&attr);
  if (error != 0)
    PG_LOG (POOL, "pthread_create failed with error %d", error);
  return error == 0;
}

/* Have all workers that there may be, or as many as the system gives: then there will not be more.  They inherit the
   signal mask of the caller, who defers.  When stacks are to be larger, workers of before are asleep, or soon will be:
   they have to see it and leave, and better ones come with a later run.  Threads: the caller, holding `caller`.  */
static void
fill_team (void)
{
  size_t stack_wanted = atomic_load (&pool.stack_wanted);
  if (atomic_load (&pool.stack_len) < stack_wanted)
    {
      atomic_store (&pool.stack_len, stack_wanted);
      atomic_fetch_add (&pool.bell, 1);
      pg_futex_wake (&pool.bell, INT_MAX);
    }
  int n = atomic_load (&pool.n_workers) + 1, n_wanted = pg_pool_threads ();
  if (n >= n_wanted)
    return;
  atomic_store_explicit (&pool.wished_ns, 0, memory_order_relaxed);
  size_t stack_len = stack_wanted + atomic_load (&pool.taken_len);
  while (n < n_wanted && start_worker (&stack_len))
    n++;
  atomic_store_explicit (&pool.n_threads, n, memory_order_relaxed);
  PG_LOG (POOL, "%d of %d threads, %zu bytes of stack", n, n_wanted, stack_len);
}

/* Wait until the N jobs of the run that were taken have ended.  */
static void
await_done (uint32_t n)
{
  uint32_t n_done;
  int64_t until = 0;
  while ((n_done = atomic_load (&pool.n_done)) != n)
    {
      int64_t now = pg_now ();
      if (until == 0)
	until = now + SPIN_NS;
      if (now < until)
	{
	  look_away ();
	  continue;
	}
      atomic_store (&pool.caller_waits, 1);
      pg_futex_wait (&pool.n_done, n_done, IDLE_NS);
    }
  atomic_store (&pool.caller_waits, 0);
}

/* Close the run: from now on no worker can take a job of it.  The ticket as it was.  */
static uint64_t
close_run (void)
{
  uint64_t ticket = atomic_load (&pool.ticket);
  while (!atomic_compare_exchange_weak (&pool.ticket, &ticket, (ticket_run (ticket) + 1) << JOB_BITS | CLOSED))
    continue;
  return ticket;
}

/* One run of at most CLOSED - 1 jobs; the number of those done, which fall short of N only if a signal waits for SELF.
   Adds to *WORKED_NS what the caller did.  Threads: the caller, SELF, holding `caller`.  */
static int64_t
run_team (struct pg_thread *self, pg_job_fn *job, void *arg, int64_t base, int64_t n, int64_t *worked_ns)
{
  atomic_store_explicit (&pool.job, job, memory_order_relaxed);
  atomic_store_explicit (&pool.arg, arg, memory_order_relaxed);
  atomic_store_explicit (&pool.base, base, memory_order_relaxed);
  atomic_store_explicit (&pool.n, n, memory_order_relaxed);
  atomic_store (&pool.n_done, 0);
  uint64_t run = ticket_run (atomic_load (&pool.ticket));
  atomic_store (&pool.ticket, (run + 1) << JOB_BITS);
  int n_asleep = atomic_load (&pool.n_asleep);
  if (n_asleep > 0)
    {
      atomic_fetch_add (&pool.bell, 1);
      pg_futex_wake (&pool.bell, n - 1 < n_asleep ? (int) n - 1 : n_asleep);
    }
  int64_t start = pg_now ();
  self->in_job = true;
  take_jobs (SIZE_MAX, self);
  self->in_job = false;
  int64_t taken = pg_now (), n_taken = ticket_job (close_run ());
  await_done ((uint32_t) n_taken);
  int64_t waited_ns = pg_now () - taken;
  if (waited_ns > LEAST_STALL_NS && waited_ns > 2 * (taken - start))
    pg_pool_lost (waited_ns - (taken - start));
  *worked_ns += taken - start;
  return n_taken;
}

/* Deliver what waits for SELF.  May be left by a jump, and once in each process of a fork.  */
static void
let_signals_in (struct pg_thread *self)
{
  pg_thread_admit_signals (self);
  pg_thread_defer_signals (self);
}

static int64_t
run_alone (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  int64_t start = pg_now ();
  for (int64_t i = 0; i < n_jobs; i++)
    job (arg, i);
  return pg_now () - start;
}

int64_t
pg_pool_run (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  if (n_jobs <= 1 || pg_pool_threads () == 1 || !atomic_compare_exchange_strong (&pool.caller, &nobody, self))
    {
      pg_thread_admit_signals (self);
      return run_alone (job, arg, n_jobs);
    }
  int64_t worked_ns = 0;
  pg_thread_defer_signals (self);
  fill_team ();
  for (int64_t base = 0; base < n_jobs;)
    {
      if (base > 0 || pg_thread_signal_waits (self))
	let_signals_in (self);
      int64_t n = n_jobs - base < CLOSED - 1 ? n_jobs - base : CLOSED - 1;
      base += run_team (self, job, arg, base, n, &worked_ns);
    }
  atomic_store (&pool.caller, NULL);
  return worked_ns;
}

void
pg_pool_start (void)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  if (pg_pool_threads () == 1 || !atomic_compare_exchange_strong (&pool.caller, &nobody, self))
    return;
  pg_thread_defer_signals (self);
  fill_team ();
  atomic_store (&pool.caller, NULL);
}

bool
pg_pool_is_worth (int64_t ns)
{
  if (atomic_load (&pool.n_workers) > 0)
    return true;
  int64_t wished_ns = atomic_fetch_add_explicit (&pool.wished_ns, ns, memory_order_relaxed) + ns;
  return wished_ns < 0 || wished_ns >= START_NS;
}

int
pg_pool_threads (void)
{
  int n = atomic_load_explicit (&pool.n_threads, memory_order_relaxed);
  if (n == 0)
    {
      n = pg_cpus_threads (pg_environment.n_threads);
      atomic_store_explicit (&pool.n_threads, n, memory_order_relaxed);
    }
  return n;
}

void
pg_pool_reserve (size_t frame_len)
{
  raise_to (&pool.stack_wanted, USUAL_STACK_LEN + frame_len);
}

void
pg_pool_lost (int64_t ns)
{
  PG_LOG (POOL, "a run lost %lld ns", (long long) ns);
  atomic_store_explicit (&pool.avoid_until, pg_now () + AVOID_FACTOR * ns, memory_order_relaxed);
}

bool
pg_pool_is_crowded (void)
{
  int64_t until = atomic_load_explicit (&pool.avoid_until, memory_order_relaxed);
  return until != 0 && pg_now () < until;
}

void
pg_pool_forget (void)
{
  close_run ();
  atomic_store (&pool.n_asleep, 0);
  atomic_store (&pool.caller_waits, 0);
  atomic_store (&pool.avoid_until, 0);
  if (atomic_load (&pool.caller) != pg_thread_self ())
    atomic_store (&pool.caller, NULL);
  atomic_store (&pool.n_workers, 0);
  atomic_store (&pool.wished_ns, 0);
  atomic_store_explicit (&pool.n_threads, 0, memory_order_relaxed);
}

void
pg_pool_abandon (void)
{
  struct pg_thread *self = pg_thread_self ();
  if (atomic_load (&pool.caller) != self)
    return;
  /* Jobs not yet taken are lost with the frame that wanted them; those taken by workers must end before what they work
     on is used again.  The jump came out of a job, which will not end, or from between jobs.  */
  int64_t n_taken = ticket_job (close_run ());
  if (n_taken != CLOSED)
    while (atomic_load (&pool.n_done) + (self->in_job ? 1 : 0) < n_taken)
      look_away ();
  self->in_job = false;
  atomic_store (&pool.caller_waits, 0);
  atomic_store (&pool.caller, NULL);
}
