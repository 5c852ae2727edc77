/* SPDX-License-Identifier: MIT
   The pool.  See pool.h.

   Threads have queues, so that the same jobs of the same loop come to the same thread each time, and find their data
   in its cache.  Of Q queues, queue q holds jobs q, q + Q, q + 2 Q ...; who is through with its own helps with the
   others', but leaves them their last ones, unless these come to nothing.

   A queue is one word, a ticket: the number of the run above, how many of the queue's jobs were taken below.  A thread
   takes job K of a queue in run R by a compare-and-swap from (R, K) to (R, K + 1).  The caller

       writes job, arg, n ...  ->  opens all queues (R, 0)  ->  counts up `opened`  ->  takes jobs with the others
       ->  closes all queues (R + 1, CLOSED)  ->  waits until `n_done` is n

   A late worker may read job, arg and n of another run than the one whose ticket it saw: the fields change only after
   all queues were closed, and who reads what they were changed to (acquire) sees the queues closed, so that its
   compare-and-swap fails.  So a worker that was preempted anywhere outside a job holds nobody up and touches nothing.

   Where both write to a cache line, each write takes about 100 ns.  So the caller counts its own jobs apart, opens
   queues by mere stores, with one read-modify-write behind all of them, and closes those likewise that were emptied.

   Run numbers have 40 bits: a worker would have to sleep through 2^40 runs between its read and its swap to be
   misled.

   A run may end early, before all jobs are taken, because a signal waits for the caller.  Some queues have gone further
   then: all are opened once more, as they were left, for as many jobs as the furthest has begun.  The rest is another
   run.

   After a job, a worker looks at `opened` for a while, yielding the CPU to whoever wants it, then sleeps on `bell`.  To
   wake it up takes longer than to run a small loop, so it looks for twice as long as it had to wait the last time, if
   that was 1 ms at most; else for a shorter while each time.  Who sleeps for a second leaves: a process whose own
   threads have all ended (main left by pthread_exit) must end.  */
#include "pool.h"
#include "arena.h"
#include "cpus.h"
#include "environment.h"
#include "futex.h"
#include "load.h"
#include "log.h"
#include "thread.h"
#include "trace.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum
{
  JOB_BITS = 24,
  CLOSED = (1 << JOB_BITS) - 1, /* the job number of a closed queue: above every run's n */
  SPIN_NS = 50000,              /* looking for the next run, to begin with */
  SPIN_MOST_NS = 1000000,
  SPIN_LEAST_NS = 1000,
  IDLE_NS = 1000000000,    /* asleep, before a worker leaves */
  FIRST_LOOK_NS = 1000000, /* between two looks for signals, before a run begins, */
  LOOK_NS = 5000000,       /* and within it: to let them in, all have to wait for each other */
  START_NS = 4000000,      /* work, all in all, that is worth starting workers */
  WAKE_NS = 50000,         /* work that is worth waking them up, all in one or with pauses of so much */
  TIGHT_NS = 5000,         /* waiting without a yield */
  PATIENCE_SHARE = 4,      /* of the time that its own jobs took, waits a thread for others' last ones */
  FEW_LEFT = 2,            /* these are at most one in so many of a queue's jobs */
  PAUSES_A_SHORT_LOOK = 2, /* a look at the clock after so many */
  PAUSES_A_LOOK = 16,      /* and a yield */
  LEAST_STALL_NS = 200000, /* waiting for workers, to speak of a held-up one */
  MOST_AVOIDED = 16,       /* nobody uses the pool for up to so many times what a run lost */
  FORGIVEN_AFTER = 8,      /* times as long without a loss, the next one counts as the first */
  USUAL_STACK_LEN = 256 << 10,
  USUAL_TAKEN_LEN = 16 << 10,
  STACK_UNIT = 4 << 10,
  MOST_STACK_LEN = 1 << 30
};

static struct
{
  /* The run in progress.  Written under `caller` (release), read by workers at any time (acquire).  */
  _Atomic (pg_job_fn *) job;
  _Atomic (void *) arg;
  _Atomic int64_t base; /* index of the run's job 0 */
  _Atomic int64_t n;
  _Atomic int n_queues;

  /* Read-modify-write by all who take jobs, acquire and release; stored by the caller, release.  */
  struct
  {
    _Alignas(PG_CACHE_LINE) _Atomic uint64_t ticket;
  } queues[PG_POOL_MOST_QUEUES];

  /* How often queues were opened.  Sequentially consistent against n_asleep.  */
  _Alignas(PG_CACHE_LINE) _Atomic uint64_t opened;

  /* Jobs that workers ended in this run.  The caller sleeps on it, having said so in caller_waits; both sequentially
     consistent: either the last worker sees caller_waits or the caller sees the last count.  */
  _Alignas(PG_CACHE_LINE) _Atomic uint32_t n_done;
  _Atomic uint32_t caller_waits;
  _Atomic int64_t ended; /* when a worker ended its queue's last job, a moment of pg_now; relaxed, before n_done */

  /* Workers sleep on bell after counting themselves in n_asleep; sequentially consistent against opened: either the
     worker sees the open queues or the caller sees the sleeper.  */
  _Alignas(PG_CACHE_LINE) _Atomic uint32_t bell;
  _Atomic int32_t n_asleep;

  /* The thread whose run it is, or NULL: a lock that is only ever tried.  Acquire when taken, release when left.  */
  _Alignas(PG_CACHE_LINE) _Atomic (struct pg_thread *) caller;
  uint32_t n_own;              /* jobs that the caller ended in this run; under `caller`, as are */
  int64_t own_ended;           /* when it found its own queue empty; 0: not yet */
  int64_t waited_ns;           /* for others to empty theirs */
  _Atomic bool is_avoided;     /* until AVOID_UNTIL, but nobody may have looked since; relaxed */
  _Atomic int64_t avoid_until; /* a moment of pg_now; relaxed */
  _Atomic int64_t avoid_ns;    /* for how long until then; relaxed */
  _Atomic int64_t wished_ns;   /* work that would have been for the pool, had there been workers, awake; relaxed */
  _Atomic int64_t wished;      /* when the last of it came, a moment of pg_now; relaxed */
  _Atomic int n_workers;       /* alive, or about to be; only the caller adds */
  _Atomic uint64_t slots;      /* a bit for each queue that has a worker; queue 0 is the caller's; relaxed */
  _Atomic int n_threads;       /* 0: not yet known; relaxed */
  _Atomic int most_threads;    /* likewise */
  _Atomic size_t stack_wanted; /* relaxed; only grows */
  _Atomic size_t stack_len;    /* workers with less leave; ordered by the tickets */
  _Atomic size_t taken_len;    /* what thread-local data take of a new thread's stack; only grows; relaxed */
} pool = { .slots = 1, .stack_wanted = USUAL_STACK_LEN, .taken_len = USUAL_TAKEN_LEN };

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

/* Take a job of queue Q on a stack of STACK_LEN bytes: *JOB (*ARG, the index that is returned).  Below 0: there is
   none.  */
static int64_t
take_job (int q, size_t stack_len, pg_job_fn **job, void **arg)
{
  uint64_t ticket = atomic_load (&pool.queues[q].ticket);
  for (;;)
    {
      *job = atomic_load_explicit (&pool.job, memory_order_acquire);
      *arg = atomic_load_explicit (&pool.arg, memory_order_acquire);
      int64_t base = atomic_load_explicit (&pool.base, memory_order_acquire);
      int64_t n = atomic_load_explicit (&pool.n, memory_order_acquire);
      int n_queues = atomic_load_explicit (&pool.n_queues, memory_order_acquire);
      int64_t index = ticket_job (ticket) * n_queues + q;
      if (q >= n_queues || index >= n || atomic_load_explicit (&pool.stack_len, memory_order_relaxed) > stack_len)
	return -1;
      if (atomic_compare_exchange_weak (&pool.queues[q].ticket, &ticket, ticket + 1))
	return base + index;
    }
}

/* Whether the job of INDEX, which take_job returned, is the last one of its queue, of N_QUEUES.  */
static bool
is_last_job (int64_t index, int n_queues)
{
  int64_t base = atomic_load_explicit (&pool.base, memory_order_relaxed);
  return index - base + n_queues >= atomic_load_explicit (&pool.n, memory_order_relaxed);
}

/* Whether queue Q of N_QUEUES seems to have jobs left, but few.  */
static bool
is_nearly_empty (int q, int n_queues)
{
  int64_t n = atomic_load_explicit (&pool.n, memory_order_relaxed), all = (n - q + n_queues - 1) / n_queues;
  int64_t left = all - ticket_job (atomic_load_explicit (&pool.queues[q].ticket, memory_order_relaxed));
  return left > 0 && left <= all / FEW_LEFT;
}

/* A job of the run has ended, on the caller or on a worker.  IS_LAST: of the thread's own queue.  */
static void
end_job (bool is_caller, bool is_last)
{
  if (is_caller)
    {
      pool.n_own++;
      return;
    }
  if (is_last)
    atomic_store_explicit (&pool.ended, pg_now (), memory_order_relaxed);
  atomic_fetch_add (&pool.n_done, 1);
  if (atomic_load (&pool.caller_waits) != 0)
    pg_futex_wake (&pool.n_done, 1);
}

/* Having worked from START to NOW, wait for a while if others are nearly through with their queues, of N_QUEUES.  Their
   data are in their caches, so that who helped them would be slower than they are, and next time they as well.  Returns
   when it is then.  */
static int64_t
leave_to_owners (int n_queues, int64_t start, int64_t now)
{
  int64_t until = now + (now - start) / PATIENCE_SHARE;
  for (int q = 0; q < n_queues; q++)
    while (is_nearly_empty (q, n_queues) && now < until)
      {
	pg_pause ();
	now = pg_now ();
      }
  return now;
}

/* Having worked since START, the own queue is empty, on the caller or on a worker: see to others', of N_QUEUES.  */
static void
turn_to_others (int n_queues, int64_t start, bool is_caller)
{
  int64_t now = pg_now (), then = leave_to_owners (n_queues, start, now);
  if (!is_caller)
    return;
  pool.own_ended = now;
  pool.waited_ns += then - now;
}

/* Take and run jobs, those of queue SLOT first, until none is left, on the caller or on a worker's stack of STACK_LEN
   bytes, or, if SELF is the caller and not NULL, until a signal waits for it; the number of those run.  */
static int64_t
take_jobs (int slot, size_t stack_len, bool is_caller, struct pg_thread *self)
{
  int64_t n_taken = 0, start = pg_now (), index;
  int n_queues = atomic_load_explicit (&pool.n_queues, memory_order_relaxed);
  pg_job_fn *job;
  void *arg;
  for (int i = 0; i < n_queues; i++)
    {
      if (i == 1)
	turn_to_others (n_queues, start, is_caller);
      while ((index = take_job ((slot + i) % n_queues, stack_len, &job, &arg)) >= 0)
	{
	  job (arg, index);
	  n_taken++;
	  end_job (is_caller, i == 0 && is_last_job (index, n_queues));
	  if (self != NULL && pg_thread_signal_waits (self, LOOK_NS))
	    return n_taken;
	}
    }
  return n_taken;
}

/* Pause a little, having waited for WAITED_NS.  If it takes longer, whoever else wants this CPU gets it.  */
static void
look_away (int64_t waited_ns)
{
  bool is_short = waited_ns < TIGHT_NS;
  for (int i = 0; i < (is_short ? PAUSES_A_SHORT_LOOK : PAUSES_A_LOOK); i++)
    pg_pause ();
  if (!is_short)
    sched_yield ();
}

/* Sleep until the bell rings, unless queues were opened more often than SEEN; false if nothing happens for a long
   time.  */
static bool
sleep_until_bell (uint64_t seen)
{
  bool is_late = false;
  uint32_t bell = atomic_load (&pool.bell);
  atomic_fetch_add (&pool.n_asleep, 1);
  if (atomic_load (&pool.opened) == seen)
    is_late = pg_futex_wait (&pool.bell, bell, IDLE_NS);
  atomic_fetch_sub (&pool.n_asleep, 1);
  return !is_late || atomic_load (&pool.opened) != seen;
}

/* Wake up to N sleeping workers.  */
static void
ring_bell (int64_t n)
{
  int n_asleep = atomic_load (&pool.n_asleep);
  if (n_asleep <= 0 || n <= 0)
    return;
  atomic_fetch_add (&pool.bell, 1);
  pg_futex_wake (&pool.bell, n < n_asleep ? (int) n : n_asleep);
}

/* A queue that no other worker has, or if there is none, any.  */
static int
take_slot (void)
{
  uint64_t slots = atomic_load (&pool.slots);
  while (~slots != 0 && !atomic_compare_exchange_weak (&pool.slots, &slots, slots | (slots + 1)))
    continue;
  return ~slots != 0 ? __builtin_ctzll (~slots) : 0;
}

static void
leave_slot (int slot)
{
  if (slot != 0)
    atomic_fetch_and (&pool.slots, ~(UINT64_C (1) << slot));
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

/* Look for jobs, those of queue SLOT first, on a stack of STACK_LEN bytes until there are none for a long time, or it
   is too short for them.  */
static void
look_for_jobs (int slot, size_t stack_len)
{
  int64_t last_job = pg_now (), spin_ns = SPIN_NS, until = last_job + spin_ns;
  uint64_t seen = 0;
  while (atomic_load (&pool.stack_len) <= stack_len)
    {
      int64_t now = pg_now ();
      uint64_t opened = atomic_load (&pool.opened);
      if (opened != seen)
	{
	  seen = opened;
	  if (take_jobs (slot, stack_len, false, NULL) == 0)
	    continue;
	  spin_ns = next_spin (spin_ns, now - last_job);
	  last_job = pg_now ();
	  until = last_job + spin_ns;
	}
      else if (now < until)
	look_away (now - last_job);
      else if (!sleep_until_bell (seen))
	return;
      else
	until = pg_now () + SPIN_NS;
    }
}

/* A worker's life.  If its stack of CREATED_LEN bytes turns out too short, because the program's thread-local data took
   more of it than thought, it says so and leaves; the next run starts better ones.  */
static void *
work (void *created_len)
{
  char here;
  pthread_setname_np (pthread_self (), "paragon");
  pg_thread_become_worker ((size_t) (uintptr_t) created_len);
  pg_trace_thread (PG_TRACK_POOL);
  size_t stack_len = pg_thread_stack_left (pg_thread_self (), &here);
  if (stack_len != 0)
    {
      raise_to (&pool.taken_len, round_up ((size_t) (uintptr_t) created_len - stack_len, STACK_UNIT));
      int slot = take_slot ();
      look_for_jobs (slot, stack_len);
      leave_slot (slot);
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

/* Have all workers that there may be, or as many as the system gives: then there will not be more.  They take no
   signals.  When stacks are to be larger, workers of before are asleep, or soon will be: they have to see it and leave,
   and better ones come with a later run.  Threads: the caller, SELF, holding `caller`.  */
static void
fill_team (struct pg_thread *self)
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
  bool deferred = pg_thread_block_signals (self);
  while (n < n_wanted && start_worker (&stack_len))
    n++;
  pg_thread_restore_signals (self, deferred);
  atomic_store_explicit (&pool.n_threads, n, memory_order_relaxed);
  PG_LOG (POOL, "%d of %d threads, %zu bytes of stack", n, n_wanted, stack_len);
}

/* Wait until those jobs of the run of SELF, of N that were taken, have ended that workers took.  */
static void
await_done (struct pg_thread *self, uint32_t n)
{
  uint32_t n_done;
  bool has_slept = false;
  int64_t start = 0, traced = pg_trace_begin (PG_TRACE_JOIN, NULL);
  while ((n_done = atomic_load (&pool.n_done)) != n - pool.n_own)
    {
      int64_t now = pg_now ();
      if (start == 0)
	start = now;
      if (now - start < SPIN_NS)
	{
	  look_away (now - start);
	  continue;
	}
      pg_thread_expect_long (self);
      pg_thread_admit_deadly (self);
      atomic_store (&pool.caller_waits, 1);
      pg_futex_wait (&pool.n_done, n_done, IDLE_NS);
      has_slept = true;
    }
  if (has_slept)
    atomic_store (&pool.caller_waits, 0);
  PG_TRACE (JOIN, traced, NULL, .numbers = { n });
}

/* Open the N_QUEUES queues of a run of N jobs, of which TAKEN were taken before, and say so.  */
static void
open_queues (int64_t n, int n_queues, const int64_t *taken)
{
  uint64_t run = ticket_run (atomic_load (&pool.queues[0].ticket)) + 1;
  atomic_store_explicit (&pool.n, n, memory_order_release);
  for (int q = 0; q < n_queues; q++)
    atomic_store_explicit (&pool.queues[q].ticket, run << JOB_BITS | (uint64_t) taken[q], memory_order_release);
  atomic_fetch_add (&pool.opened, 1);
}

/* Close all queues: from now on no worker can take a job of the run.  Sets TAKEN; the sum.  */
static int64_t
close_queues (int64_t *taken)
{
  int64_t n_taken = 0, n = atomic_load_explicit (&pool.n, memory_order_relaxed);
  uint64_t run = ticket_run (atomic_load (&pool.queues[0].ticket)) + 1, closed = run << JOB_BITS | CLOSED;
  int n_queues = atomic_load_explicit (&pool.n_queues, memory_order_relaxed);
  for (int q = 0; q < n_queues; q++)
    {
      int64_t job = ticket_job (atomic_load (&pool.queues[q].ticket));
      if (job * n_queues + q < n)
	job = ticket_job (atomic_exchange (&pool.queues[q].ticket, closed));
      else
	atomic_store_explicit (&pool.queues[q].ticket, closed, memory_order_release);
      taken[q] = job == CLOSED ? 0 : job;
      n_taken += taken[q];
    }
  return n_taken;
}

/* Of a run of N jobs, of which TAKEN were taken: the end of those that it takes for all queues to come as far as the
   furthest.  */
static int64_t
end_of_furthest (const int64_t *taken, int n_queues, int64_t n)
{
  int64_t furthest = 0;
  for (int q = 0; q < n_queues; q++)
    furthest = taken[q] > furthest ? taken[q] : furthest;
  return furthest * n_queues < n ? furthest * n_queues : n;
}

/* One run of at most CLOSED - 1 jobs; the number of those done, which fall short of N only if it MAY_END_EARLY and a
   signal waits for SELF, and then by the same number in each queue, but for one.  Adds to *TIMES what it took.
   Threads: the caller, SELF, holding `caller`.  */
static int64_t
run_team (struct pg_thread *self, pg_job_fn *job, void *arg, int64_t base, int64_t n, bool may_end_early,
	  struct pg_pool_times *times)
{
  int64_t taken[PG_POOL_MOST_QUEUES] = { 0 };
  int n_queues = pg_pool_queues ();
  atomic_store_explicit (&pool.job, job, memory_order_release);
  atomic_store_explicit (&pool.arg, arg, memory_order_release);
  atomic_store_explicit (&pool.base, base, memory_order_release);
  atomic_store_explicit (&pool.n_queues, n_queues, memory_order_release);
  atomic_store_explicit (&pool.n_done, 0, memory_order_relaxed); /* ordered by the tickets */
  atomic_store_explicit (&pool.ended, 0, memory_order_relaxed);
  pool.n_own = 0;
  pool.own_ended = pool.waited_ns = 0;
  open_queues (n, n_queues, taken);
  ring_bell (n - 1);
  pg_thread_admit_deadly (self); /* takes some microseconds, while others begin */
  int64_t start = pg_now ();
  self->in_job = true;
  take_jobs (0, SIZE_MAX, true, may_end_early ? self : NULL);
  int64_t n_taken = close_queues (taken), n_ends = n;
  if (n_taken < n)
    {
      n_ends = end_of_furthest (taken, n_queues, n);
      open_queues (n_ends, n_queues, taken);
      take_jobs (0, SIZE_MAX, true, NULL);
      close_queues (taken);
    }
  self->in_job = false;
  int64_t idle = pg_now ();
  await_done (self, (uint32_t) n_ends);
  int64_t waited_ns = pg_now () - idle;
  bool is_whole = base == 0 && n_ends == n; /* else many wait for a job that was begun last */
  if (is_whole && waited_ns > LEAST_STALL_NS && waited_ns > 2 * (idle - start))
    pg_pool_lost (waited_ns - (idle - start));
  int64_t ended = atomic_load_explicit (&pool.ended, memory_order_relaxed);
  times->late_ns = is_whole && ended > 0 && pool.own_ended > 0 ? ended - pool.own_ended : 0;
  times->is_whole = is_whole;
  times->worked_ns += idle - start - pool.waited_ns;
  return n_ends;
}

/* Deliver what waits for SELF, whose errno is CALLER_ERRNO.  May be left by a jump, and once in each process of a
   fork.  */
static void
let_signals_in (struct pg_thread *self, int caller_errno)
{
  errno = caller_errno;
  pg_thread_admit_signals (self);
  pg_thread_defer_signals (self);
}

static struct pg_pool_times
run_alone (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  int64_t start = pg_now ();
  for (int64_t i = 0; i < n_jobs; i++)
    job (arg, i);
  return (struct pg_pool_times) { .worked_ns = pg_now () - start, .is_whole = true };
}

/* Run jobs 0 .. N_JOBS - 1 of JOB; signals are delivered on the way if it MAY_END_EARLY.  */
static struct pg_pool_times
run (pg_job_fn *job, void *arg, int64_t n_jobs, bool may_end_early)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  if (n_jobs <= 1 || pg_pool_threads () == 1 || !atomic_compare_exchange_strong (&pool.caller, &nobody, self))
    {
      pg_thread_admit_signals (self);
      return run_alone (job, arg, n_jobs);
    }
  struct pg_pool_times times = { .is_whole = true };
  int caller_errno = errno;
  pg_thread_defer_signals (self);
  fill_team (self);
  int64_t most = (CLOSED - 1) / pg_pool_queues () * pg_pool_queues ();
  for (int64_t base = 0; base < n_jobs;)
    {
      if (base > 0 || pg_thread_signal_waits (self, FIRST_LOOK_NS))
	let_signals_in (self, caller_errno);
      int64_t n = n_jobs - base < most ? n_jobs - base : most;
      base += run_team (self, job, arg, base, n, may_end_early, &times);
    }
  atomic_store_explicit (&pool.caller, NULL, memory_order_release);
  return times;
}

struct pg_pool_times
pg_pool_run (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  return run (job, arg, n_jobs, true);
}

struct pg_pool_times
pg_pool_run_whole (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  return run (job, arg, n_jobs, false);
}

void
pg_pool_start (void)
{
  struct pg_thread *self = pg_thread_self (), *nobody = NULL;
  if (pg_pool_threads () == 1 || !atomic_compare_exchange_strong (&pool.caller, &nobody, self))
    return;
  pg_thread_defer_signals (self);
  fill_team (self);
  ring_bell (INT_MAX);
  atomic_store (&pool.caller, NULL);
}

bool
pg_pool_is_worth (int64_t ns)
{
  int n_workers = atomic_load (&pool.n_workers);
  int64_t least_ns = n_workers > 0 ? WAKE_NS : START_NS;
  if (n_workers > 0 && (ns >= WAKE_NS || atomic_load (&pool.n_asleep) < n_workers))
    return true;
  int64_t now = pg_now (), wished_ns = atomic_load_explicit (&pool.wished_ns, memory_order_relaxed);
  if (n_workers > 0 && now - atomic_exchange_explicit (&pool.wished, now, memory_order_relaxed) > 2 * WAKE_NS)
    wished_ns = 0;
  wished_ns = ns < least_ns ? wished_ns + ns : least_ns;
  atomic_store_explicit (&pool.wished_ns, wished_ns, memory_order_relaxed);
  return wished_ns >= least_ns;
}

int
pg_pool_threads (void)
{
  int n = atomic_load_explicit (&pool.n_threads, memory_order_relaxed);
  if (n == 0)
    {
      struct pg_thread *self = pg_thread_self ();
      bool deferred = pg_thread_defer_signals (self);
      n = pg_cpus_threads (pg_environment.n_threads);
      pg_thread_restore_signals (self, deferred);
      atomic_store_explicit (&pool.n_threads, n, memory_order_relaxed);
    }
  return n;
}

int
pg_pool_most_threads (void)
{
  int n = atomic_load_explicit (&pool.n_threads, memory_order_relaxed);
  if (n == 0)
    n = atomic_load_explicit (&pool.most_threads, memory_order_relaxed);
  if (n == 0)
    {
      n = pg_cpus_most_threads (pg_environment.n_threads);
      atomic_store_explicit (&pool.most_threads, n, memory_order_relaxed);
    }
  return n;
}

int
pg_pool_free_threads (void)
{
  int n_threads = pg_pool_threads (), n_awake = atomic_load (&pool.n_workers) - atomic_load (&pool.n_asleep);
  int n_cpus = pg_load_cpus (1 + (n_awake > 0 ? n_awake : 0));
  return n_cpus < n_threads ? n_cpus : n_threads;
}

void
pg_pool_wake (void)
{
  ring_bell (INT_MAX);
}

int
pg_pool_queues (void)
{
  int n = pg_pool_threads ();
  return n < PG_POOL_MOST_QUEUES ? n : PG_POOL_MOST_QUEUES;
}

void
pg_pool_reserve (size_t frame_len)
{
  raise_to (&pool.stack_wanted, USUAL_STACK_LEN + frame_len);
}

void
pg_pool_lost (int64_t ns)
{
  if (ns < LEAST_STALL_NS)
    return;
  int64_t now = pg_now (), last_ns = atomic_load_explicit (&pool.avoid_ns, memory_order_relaxed);
  int64_t quiet_ns = now - atomic_load_explicit (&pool.avoid_until, memory_order_relaxed);
  if (quiet_ns < 0)
    return;
  int64_t avoid_ns = quiet_ns > FORGIVEN_AFTER * last_ns ? ns : 2 * last_ns;
  if (avoid_ns > MOST_AVOIDED * ns)
    avoid_ns = MOST_AVOIDED * ns;
  PG_LOG (POOL, "a run lost %lld ns: none for %lld ns", (long long) ns, (long long) avoid_ns);
  atomic_store_explicit (&pool.avoid_ns, avoid_ns, memory_order_relaxed);
  atomic_store_explicit (&pool.avoid_until, now + avoid_ns, memory_order_relaxed);
  atomic_store_explicit (&pool.is_avoided, true, memory_order_relaxed);
}

bool
pg_pool_is_crowded (void)
{
  if (!atomic_load_explicit (&pool.is_avoided, memory_order_relaxed))
    return false;
  bool is_crowded = pg_now () < atomic_load_explicit (&pool.avoid_until, memory_order_relaxed);
  if (!is_crowded)
    atomic_store_explicit (&pool.is_avoided, false, memory_order_relaxed);
  return is_crowded;
}

void
pg_pool_forget (void)
{
  int64_t taken[PG_POOL_MOST_QUEUES];
  close_queues (taken);
  atomic_store (&pool.slots, 1);
  atomic_store (&pool.n_asleep, 0);
  atomic_store (&pool.caller_waits, 0);
  atomic_store (&pool.is_avoided, false);
  atomic_store (&pool.avoid_until, 0);
  atomic_store (&pool.avoid_ns, 0);
  if (atomic_load (&pool.caller) != pg_thread_self ())
    atomic_store (&pool.caller, NULL);
  atomic_store (&pool.n_workers, 0);
  atomic_store (&pool.wished_ns, 0);
  atomic_store_explicit (&pool.n_threads, 0, memory_order_relaxed);
  atomic_store_explicit (&pool.most_threads, 0, memory_order_relaxed);
}

void
pg_pool_abandon (void)
{
  struct pg_thread *self = pg_thread_self ();
  if (atomic_load (&pool.caller) != self)
    return;
  /* Jobs not yet taken are lost with the frame that wanted them; those taken by workers must end before what they work
     on is used again.  The jump came out of a job, which will not end, or from between jobs.  */
  int64_t taken[PG_POOL_MOST_QUEUES], n_taken = close_queues (taken);
  while (atomic_load (&pool.n_done) + pool.n_own + (self->in_job ? 1 : 0) < n_taken)
    look_away (TIGHT_NS);
  self->in_job = false;
  atomic_store (&pool.caller_waits, 0);
  atomic_store (&pool.caller, NULL);
}
