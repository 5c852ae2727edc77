/* SPDX-License-Identifier: MIT
   The pool: every job exactly once, whoever else calls, and whatever threads the system gives.  */
//! link: -Wl,--wrap=pthread_create -Wl,--wrap=pthread_getattr_np
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "futex.h"
#include "pool.h"
#include "thread.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  MOST_JOBS = 3000
};

/* How many more threads the system gives, below 0 any number, and on how much stack at least.  */
static int threads_left = -1;
static size_t least_stack;
int __real_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*start) (void *), void *arg);
int __wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*start) (void *), void *arg);

int
__wrap_pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*start) (void *), void *arg)
{
  size_t stack_len = SIZE_MAX;
  if (threads_left == 0)
    return EAGAIN;
  if (attr != NULL)
    pthread_attr_getstacksize (attr, &stack_len);
  if (stack_len < least_stack)
    return EINVAL;
  threads_left -= threads_left > 0;
  return __real_pthread_create (thread, attr, start, arg);
}

struct tally
{
  _Atomic int64_t n_runs[MOST_JOBS];
  int64_t written[MOST_JOBS]; /* by one job each; read after the run */
  _Atomic int64_t n_by_workers;
};

static void
tally_job (void *arg, int64_t index)
{
  struct tally *tally = arg;
  atomic_fetch_add (&tally->n_runs[index], 1);
  tally->written[index] = index * index;
  if (pg_thread_self ()->is_worker)
    atomic_fetch_add (&tally->n_by_workers, 1);
}

static void
check_run (struct tally *tally, int64_t n)
{
  memset (tally, 0, sizeof *tally);
  pg_pool_run (tally_job, tally, n);
  for (int64_t i = 0; i < MOST_JOBS; i++)
    if (tally->n_runs[i] != (i < n) || tally->written[i] != (i < n ? i * i : 0))
      abort ();
}

static _Atomic int n_asked;
int __real_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr);
int __wrap_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr);

int
__wrap_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr)
{
  atomic_fetch_add (&n_asked, 1);
  return __real_pthread_getattr_np (thread, attr);
}

/* The threads of the process that bear the pool's name, and, in *N_ALL, all.  */
static int
count_threads (int *n_all)
{
  int n = 0;
  *n_all = 0;
  DIR *tasks = opendir ("/proc/self/task");
  for (const struct dirent *task; (task = readdir (tasks)) != NULL;)
    {
      char path[300], name[16] = "";
      snprintf (path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
      FILE *file = fopen (path, "r");
      if (file == NULL)
	continue;
      n += fgets (name, sizeof name, file) != NULL && strcmp (name, "paragon\n") == 0;
      *n_all += 1;
      fclose (file);
    }
  closedir (tasks);
  return n;
}

static int
n_workers (void)
{
  int n_all;
  return count_threads (&n_all);
}

/* A pool forgets its workers, as a child of fork does, which has none; here they have to leave before.  */
static int
fresh_pool (void **state)
{
  static int n_others;
  int n_all;
  (void) state;
  int64_t end = pg_now () + 3000000000;
  while ((count_threads (&n_all) > 0 || (n_others > 0 && n_all > n_others)) && pg_now () < end)
    nanosleep (&(struct timespec) { .tv_nsec = 20000000 }, NULL);
  n_others = n_all;
  pg_environment_defaults (&pg_environment);
  pg_environment.n_threads = 4;
  threads_left = -1;
  least_stack = 0;
  pg_pool_forget ();
  return 0;
}

static void
every_job_runs_once (void **state)
{
  static struct tally tally;
  (void) state;
  for (int64_t n = 0; n < 200; n++)
    check_run (&tally, n);
  check_run (&tally, MOST_JOBS);
}

/* A worker's idea of its stack's end against the system's, in a job.  */
static void
compare_stack (void *n_compared, int64_t index)
{
  pthread_attr_t attr;
  void *low;
  size_t len;
  char here;
  (void) index;
  nanosleep (&(struct timespec) { .tv_nsec = 100000 }, NULL);
  if (!pg_thread_self ()->is_worker)
    return;
  size_t left = pg_thread_stack_left (pg_thread_self (), &here);
  if (__real_pthread_getattr_np (pthread_self (), &attr) != 0 || pthread_attr_getstack (&attr, &low, &len) != 0)
    abort ();
  pthread_attr_destroy (&attr);
  if (left > (size_t) (&here - (char *) low) || left < 256 << 10)
    abort ();
  atomic_fetch_add ((_Atomic int *) n_compared, 1);
}

/* The system would have to be asked in a way that calls malloc.  */
static void
workers_know_their_stack (void **state)
{
  _Atomic int n_compared = 0;
  (void) state;
  n_asked = 0;
  for (int i = 0; i < 1000 && n_compared < 20; i++)
    pg_pool_run (compare_stack, &n_compared, 20);
  assert_true (n_compared >= 20);
#if defined __x86_64__ && !defined __SANITIZE_THREAD__
  assert_int_equal (n_asked, 0);
#endif
}

static void *
run_often (void *unused)
{
  struct tally *tally = malloc (sizeof *tally);
  for (int i = 0; i < 300; i++)
    check_run (tally, i % 50);
  free (tally);
  return unused;
}

static void
callers_do_not_disturb_each_other (void **state)
{
  pthread_t threads[4];
  (void) state;
  for (int t = 0; t < 4; t++)
    assert_int_equal (__real_pthread_create (&threads[t], NULL, run_often, NULL), 0);
  for (int t = 0; t < 4; t++)
    pthread_join (threads[t], NULL);
}

static void
without_threads_the_caller_does_all (void **state)
{
  static struct tally tally;
  (void) state;
  for (int n = 0; n < 3; n++)
    {
      fresh_pool (NULL);
      threads_left = n;
      check_run (&tally, 100);
      assert_int_equal (pg_pool_threads (), n + 1);
      if (n == 0)
	assert_false (pg_pool_is_worth (1));
      check_run (&tally, 100);
    }
}

static void
one_thread_starts_none (void **state)
{
  static struct tally tally;
  (void) state;
  pg_environment.n_threads = 1;
  threads_left = 0;
  check_run (&tally, 100);
  assert_int_equal (atomic_load (&tally.n_by_workers), 0);
}

enum
{
  N_THREADS = 4
};

struct party
{
  _Atomic int n_here;
  _Atomic bool has_failed; /* some did not come for a long time */
  pthread_t who[N_THREADS];
};

/* One of as many jobs as threads, none of which ends before all have begun.  */
static void
meet_all (void *arg, int64_t index)
{
  struct party *party = arg;
  party->who[index] = pthread_self ();
  atomic_fetch_add (&party->n_here, 1);
  for (int64_t end = pg_now () + 5000000000; atomic_load (&party->n_here) < N_THREADS;)
    if (pg_now () < end)
      pg_pause ();
    else
      {
	atomic_store (&party->has_failed, true);
	return;
      }
}

/* Jobs that wait for each other end only if they run at the same time.  */
static bool
all_meet (void)
{
  struct party party = { .n_here = 0 };
  pg_pool_run (meet_all, &party, N_THREADS);
  return !atomic_load (&party.has_failed);
}

static void
workers_wake_up_and_help (void **state)
{
  static struct tally tally;
  struct timespec pause = { .tv_nsec = 3000000 };
  (void) state;
  check_run (&tally, 10);
  for (int i = 0; i < 20; i++)
    {
      if (i % 2 == 0)
	nanosleep (&pause, NULL); /* long enough for all to be asleep */
      assert_true (all_meet ());
    }
}

/* For how long jobs last once they have met.  */
struct lengths
{
  struct party party;
  int64_t caller_ns, worker_ns;
};

static void
meet_and_last (void *arg, int64_t index)
{
  struct lengths *lengths = arg;
  meet_all (&lengths->party, index);
  int64_t ns = pg_thread_self ()->is_worker ? lengths->worker_ns : lengths->caller_ns;
  nanosleep (&(struct timespec) { .tv_nsec = ns }, NULL);
}

/* The caller hears of the last job's end at once, and of a worker that was held up much longer than itself it thinks
   that something else wants the CPUs.  */
static void
the_caller_waits_for_workers (void **state)
{
  struct lengths held_up = { .worker_ns = 200000000 }, usual = { .caller_ns = 100000000, .worker_ns = 110000000 };
  (void) state;
  pg_pool_run (meet_and_last, &usual, N_THREADS);
  assert_false (pg_pool_is_crowded ());
  int64_t start = pg_now ();
  pg_pool_run (meet_and_last, &held_up, N_THREADS);
  assert_true (pg_pool_is_crowded ());
  assert_in_range (pg_now () - start, held_up.worker_ns, 700000000);
}

/* It knows how long after itself they ended, or before.  */
static void
the_caller_sees_who_was_late (void **state)
{
  struct lengths late = { .worker_ns = 200000000 }, early = { .caller_ns = 200000000 };
  struct tally tally = { .n_by_workers = 0 };
  (void) state;
  assert_true (pg_pool_run (meet_and_last, &late, N_THREADS).late_ns > 0);
  assert_true (pg_pool_run (meet_and_last, &early, N_THREADS).late_ns < 0);
  pg_environment.n_threads = 1;
  pg_pool_forget ();
  struct pg_pool_times times = pg_pool_run (tally_job, &tally, 8);
  assert_int_equal (times.late_ns, 0);
  assert_true (times.is_whole);
}

static int64_t
cpu_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Two queues of four jobs.  The worker is through while the caller is at its third job, and its first took long.  */
struct last_job
{
  _Atomic int n_by_worker;
  _Atomic bool is_third, may_end;
};

static void
leave_last_job (void *arg, int64_t index)
{
  struct timespec pause = { .tv_nsec = 150000000 };
  struct last_job *last = arg;
  if (index == 1)
    nanosleep (&pause, NULL);
  if (index == 4)
    {
      atomic_store (&last->is_third, true);
      while (!atomic_load (&last->may_end))
	pg_pause ();
      for (int64_t end = pg_now () + 5000000; pg_now () < end && atomic_load (&last->n_by_worker) == 4;)
	pg_pause ();
    }
  while (index == 7 && !atomic_load (&last->is_third))
    pg_pause ();
  atomic_fetch_add (&last->n_by_worker, pg_thread_self ()->is_worker);
  if (index == 7)
    atomic_store (&last->may_end, true);
}

/* Who is through leaves others their last jobs for a while: here for 18 ms, of which 5 are needed.  (More than one try
   is for a machine that has other things to do.)  */
static void
last_jobs_are_left_to_their_thread (void **state)
{
  int n_left = 0;
  (void) state;
  pg_environment.n_threads = 2;
  for (int try = 0; try < 5 && n_left == 0; try++)
    {
      struct last_job last = { .n_by_worker = 0 };
      pg_pool_run (leave_last_job, &last, 8);
      n_left += atomic_load (&last.n_by_worker) == 4;
    }
  assert_int_equal (n_left, 1);
}

/* Two queues of four jobs, again.  The worker is at its third until the caller, having waited, takes its last.  */
static void
wait_for_last_job (void *arg, int64_t index)
{
  struct last_job *last = arg;
  if (index == 5)
    atomic_store (&last->is_third, true);
  while ((index == 0 && !atomic_load (&last->is_third)) || (index == 5 && !atomic_load (&last->may_end)))
    pg_pause ();
  if (index == 6)
    nanosleep (&(struct timespec) { .tv_nsec = 40000000 }, NULL);
  if (index == 7)
    atomic_store (&last->may_end, true);
}

/* For a quarter of the time that it worked; to wait is no work.  */
static void
to_wait_for_others_is_no_work (void **state)
{
  struct last_job last = { .n_by_worker = 0 };
  (void) state;
  pg_environment.n_threads = 2;
  int64_t start = pg_now (), worked_ns = pg_pool_run (wait_for_last_job, &last, 8).worked_ns;
  assert_true (worked_ns >= 40000000);
  assert_true (pg_now () - start - worked_ns >= 10000000);
}

/* After 1 ms nobody looks for jobs any more.  */
static void
an_idle_pool_uses_no_cpu (void **state)
{
  static struct tally tally;
  struct timespec rest = { .tv_nsec = 5000000 }, watch = { .tv_nsec = 100000000 };
  (void) state;
  check_run (&tally, 100);
  nanosleep (&rest, NULL);
  int64_t before = cpu_ns ();
  nanosleep (&watch, NULL);
  assert_in_range (cpu_ns () - before, 0, 2000000);
}

/* Whether there are N workers before long, with a run now and then if TALLY is not NULL.  */
static bool
workers_become (int n, struct tally *tally)
{
  struct timespec pause = { .tv_nsec = 50000000 };
  for (int64_t end = pg_now () + 20000000000; n_workers () != n && pg_now () < end;)
    {
      nanosleep (&pause, NULL);
      if (tally != NULL)
	check_run (tally, 100);
    }
  return n_workers () == n;
}

/* What a thread had in its cache, it finds there again.  */
static void
jobs_come_to_the_same_threads (void **state)
{
  struct party first = { .n_here = 0 };
  (void) state;
  assert_true (workers_become (0, NULL)); /* those of earlier tests */
  pg_pool_forget ();
  pg_pool_run (meet_all, &first, N_THREADS); /* its workers are still starting */
  first.n_here = 0;
  pg_pool_run (meet_all, &first, N_THREADS);
  assert_true (pthread_equal (first.who[0], pthread_self ()));
  int n_same = 0;
  for (int i = 0; i < 50; i++)
    {
      struct party party = { .n_here = 0 };
      pg_pool_run (meet_all, &party, N_THREADS);
      n_same += memcmp (party.who, first.who, sizeof first.who) == 0;
    }
  assert_in_range (n_same, 30, 50); /* a thread that has no CPU comes late, and finds its job taken */
}

/* A process whose own threads have all ended ends.  The next run starts new workers.  */
static void
idle_workers_leave (void **state)
{
  static struct tally tally;
  (void) state;
  assert_true (workers_become (3, &tally));
  assert_true (workers_become (0, NULL));
  assert_true (workers_become (3, &tally));
}

static _Atomic int n_open; /* workers that could be interrupted */

static void
meet_all_and_look (void *arg, int64_t index)
{
  sigset_t mask;
  pthread_sigmask (SIG_BLOCK, NULL, &mask);
  if (pg_thread_self ()->is_worker && (!sigismember (&mask, SIGTERM) || !sigismember (&mask, SIGUSR1)))
    atomic_fetch_add (&n_open, 1);
  meet_all (arg, index);
}

/* Not even if the thread that starts them lets some in by which it would end.  */
static void
workers_take_no_signals (void **state)
{
  struct party party = { .n_here = 0 };
  struct pg_thread *self = pg_thread_self ();
  (void) state;
  assert_true (workers_become (0, NULL)); /* those of earlier tests */
  pg_pool_forget ();
  pg_thread_block_signals (self);
  pg_thread_expect_long (self);
  pg_thread_admit_deadly (self);
  pg_pool_run (meet_all_and_look, &party, N_THREADS);
  pg_thread_admit_signals (self);
  self->expects_long = false;
  assert_int_equal (n_workers (), N_THREADS - 1);
  assert_int_equal (n_open, 0);
}

static int64_t first_undone; /* all jobs below have ended */
static _Atomic bool job_ended[MOST_JOBS];
static volatile sig_atomic_t n_signals;
static volatile bool is_prefix = true;

/* The pool delivers signals only when the jobs that have ended are the first ones, as many in each queue, and none is
   at work.  */
static void
look_at_jobs (int number)
{
  (void) number;
  n_signals = n_signals + 1;
  while (first_undone < MOST_JOBS && atomic_load (&job_ended[first_undone]))
    first_undone++;
  if (first_undone % pg_pool_queues () != 0 && first_undone != MOST_JOBS)
    is_prefix = false;
  for (int64_t i = first_undone; i < MOST_JOBS; i++)
    if (atomic_load (&job_ended[i]))
      is_prefix = false;
}

static void
send_and_work (void *arg, int64_t index)
{
  pthread_t *caller = arg;
  int before = n_signals;
  pthread_kill (*caller, SIGUSR1);
  if (!pg_thread_self ()->is_worker && n_signals != before)
    is_prefix = false;
  for (int64_t end = pg_now () + 50000; pg_now () < end;)
    pg_pause ();
  atomic_store (&job_ended[index], true);
}

static void
signals_come_between_jobs (void **state)
{
  pthread_t self = pthread_self ();
  sigset_t mask;
  (void) state;
  signal (SIGUSR1, look_at_jobs);
  assert_false (pg_pool_run (send_and_work, &self, MOST_JOBS).is_whole);
  assert_true (n_signals > 2);
  pthread_sigmask (SIG_BLOCK, NULL, &mask);
  assert_false (sigismember (&mask, SIGSEGV) == 1 || sigismember (&mask, SIGFPE) == 1);
  pg_thread_admit_signals (pg_thread_self ());
  assert_true (is_prefix);
  assert_int_equal (first_undone, MOST_JOBS);
}

static void
send_and_work_long (void *arg, int64_t index)
{
  bool is_caller = !pg_thread_self ()->is_worker;
  (void) index;
  if (is_caller)
    pthread_kill (*(pthread_t *) arg, SIGUSR1);
  for (int64_t end = pg_now () + (is_caller ? 6000000 : 40000000); pg_now () < end;)
    pg_pause ();
}

/* Where a signal waits, the caller waits for others, whose jobs may be long: nobody holds them up.  */
static void
to_let_signals_in_is_no_loss (void **state)
{
  pthread_t self = pthread_self ();
  (void) state;
  pg_pool_run (tally_job, &(struct tally) { 0 }, 8); /* there are workers */
  assert_false (pg_pool_is_crowded ());
  signal (SIGUSR1, look_at_jobs);
  assert_false (pg_pool_run (send_and_work_long, &self, 16).is_whole);
  pg_thread_admit_signals (pg_thread_self ());
  signal (SIGUSR1, SIG_DFL);
  assert_false (pg_pool_is_crowded ());
}

static sigjmp_buf way_out;

static void
jump_from_handler (int number)
{
  (void) number;
  siglongjmp (way_out, 1);
}

/* A handler that jumps away leaves nobody at work on what its frames hold.  */
static void
a_run_left_by_a_signal_ends (void **state)
{
  static struct tally tally;
  static pthread_t self;
  (void) state;
#ifdef __SANITIZE_THREAD__
  skip (); /* it believes the thread in the handler ever after */
#endif
  self = pthread_self ();
  signal (SIGUSR1, jump_from_handler);
  for (volatile int i = 0; i < 20; i++)
    {
      volatile bool has_left = false;
      if (sigsetjmp (way_out, 1) == 0)
	pg_pool_run (send_and_work, &self, MOST_JOBS);
      else
	has_left = true;
      assert_true (has_left);
      pg_pool_abandon ();
      pg_thread_leave_late (pg_thread_self ());
      check_run (&tally, 100);
    }
  pg_thread_admit_signals (pg_thread_self ());
  signal (SIGUSR1, SIG_DFL);
}

/* Where much of a thread's stack is taken before it begins.  */
static void
stacks_are_as_large_as_the_system_wants (void **state)
{
  (void) state;
  assert_true (workers_become (0, NULL)); /* those of earlier tests */
  pg_pool_forget ();
  least_stack = 3 << 20;
  assert_true (all_meet ());
}

/* Jobs of a region with a large frame run on stacks that hold it, also after workers with small ones were started.  */
static void
use_stack (void *arg, int64_t index)
{
  volatile char frame[3 << 20];
  frame[0] = frame[sizeof frame - 1] = (char) index;
  atomic_fetch_add ((_Atomic int *) arg, frame[0] == (char) index);
}

static void
stacks_grow_on_demand (void **state)
{
  static struct tally tally;
  _Atomic int n = 0;
  (void) state;
  check_run (&tally, 100);
  pg_pool_reserve (4 << 20);
  for (int i = 0; i < 50; i++)
    pg_pool_run (use_stack, &n, 20);
  assert_int_equal (atomic_load (&n), 1000);
  pg_pool_reserve (16);
  check_run (&tally, 100);
}

/* For how long the pool is not to be used after a loss of NS.  */
static int64_t
crowded_after (int64_t ns)
{
  int64_t start = pg_now ();
  pg_pool_lost (ns);
  pg_pool_lost (ns); /* of the same one */
  while (pg_pool_is_crowded ())
    continue;
  return pg_now () - start;
}

/* After one loss of 1 ms, the pool is left alone for so much; after each that follows, for twice as long.  False: not
   so, perhaps because this thread had no CPU in between, for which it is forgiven.  */
static bool
losses_add_up (void)
{
  struct timespec rest = { .tv_nsec = 200000000 };
  bool add_up = true;
  nanosleep (&rest, NULL);
  for (int64_t factor = 1; factor <= 16; factor *= 2)
    {
      int64_t ns = crowded_after (1000000);
      add_up &= ns >= factor * 1000000 && ns < factor * 1500000;
    }
  return add_up;
}

/* A run that lost time is followed by as much time without the pool; where losses go on, by more and more; but after a
   long time without, a loss is the first again.  */
static void
a_loss_is_paid_for (void **state)
{
  struct timespec rest = { .tv_nsec = 200000000 }, most = { .tv_nsec = 20000000 }, first = { .tv_nsec = 4000000 };
  int n_tries = 0;
  (void) state;
  assert_false (pg_pool_is_crowded ());
  pg_pool_lost (100000); /* that may be workers waking up */
  assert_false (pg_pool_is_crowded ());
  while (!losses_add_up ())
    assert_true (++n_tries < 50);
  pg_pool_lost (1000000);
  nanosleep (&most, NULL);
  assert_false (pg_pool_is_crowded ());
  nanosleep (&rest, NULL);
  pg_pool_lost (1000000);
  nanosleep (&first, NULL);
  assert_false (pg_pool_is_crowded ());
}

/* Whether there are workers that look for work as soon as the pool is started.  False: not so, perhaps because this
   thread had no CPU until they had gone to sleep, for which it is forgiven.  */
static bool
started_pool_is_worth (void)
{
  assert_true (workers_become (0, NULL));
  assert_false (pg_pool_is_worth (1));
  pg_pool_start ();
  pg_thread_admit_signals (pg_thread_self ());
  return pg_pool_is_worth (1);
}

/* A little work is not worth threads; a lot of little work is, and once there are any, all is.  */
static void
threads_are_started_for_much_work (void **state)
{
  static struct tally tally;
  int n = 0;
  (void) state;
  assert_true (workers_become (0, NULL)); /* those of earlier tests */
  while (!pg_pool_is_worth (100000))
    n++;
  assert_in_range (n, 5, 100);
  assert_true (workers_become (3, &tally));
  for (n = 0; n < 1000 && !pg_pool_is_worth (1); n++) /* workers may have gone to sleep */
    check_run (&tally, 100);
  assert_true (n < 1000);
  for (n = 0; n < 50 && !started_pool_is_worth ();)
    n++;
  assert_true (n < 50);
}

static jmp_buf escape;

/* Jobs that workers have begun, and ended.  */
static _Atomic int n_begun, n_ended;

static void
jump_out (void *arg, int64_t index)
{
  (void) arg;
  (void) index;
  if (pg_thread_self ()->is_worker)
    {
      atomic_fetch_add (&n_begun, 1);
      nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
      atomic_fetch_add (&n_ended, 1);
      return;
    }
  for (int64_t end = pg_now () + 5000000000; atomic_load (&n_begun) == 0 && pg_now () < end;)
    pg_pause ();
  longjmp (escape, 1);
}

/* And nobody is at work any more on what the frame of before held.  */
static void
an_abandoned_run_ends (void **state)
{
  static struct tally tally;
  (void) state;
  for (volatile int i = 0; i < 20; i++)
    {
      atomic_store (&n_begun, 0);
      atomic_store (&n_ended, 0);
      if (setjmp (escape) == 0)
	pg_pool_run (jump_out, NULL, 50);
      pg_pool_abandon ();
      assert_true (atomic_load (&n_begun) > 0);
      assert_int_equal (atomic_load (&n_begun), atomic_load (&n_ended));
      check_run (&tally, 100);
    }
}

static _Atomic bool is_running, may_end;

static void
wait_for_leave (void *arg, int64_t index)
{
  (void) arg;
  (void) index;
  atomic_store (&is_running, true);
  for (int64_t end = pg_now () + 5000000000; !atomic_load (&may_end) && pg_now () < end;)
    pg_pause ();
}

static void *
run_until_leave (void *unused)
{
  pg_pool_run (wait_for_leave, NULL, 2);
  return unused;
}

/* A jump of one thread is no end of another's run.  */
static void
nobody_ends_runs_of_others (void **state)
{
  static struct tally tally;
  pthread_t other;
  (void) state;
  assert_int_equal (__real_pthread_create (&other, NULL, run_until_leave, NULL), 0);
  while (!atomic_load (&is_running))
    pg_pause ();
  int64_t start = pg_now ();
  pg_pool_abandon ();
  assert_in_range (pg_now () - start, 0, 1000000000);
  check_run (&tally, 100);
  assert_int_equal (atomic_load (&tally.n_by_workers), 0);
  atomic_store (&may_end, true);
  pthread_join (other, NULL);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (idle_workers_leave, fresh_pool),
    cmocka_unit_test_setup (threads_are_started_for_much_work, fresh_pool),
    cmocka_unit_test_setup (every_job_runs_once, fresh_pool),
    cmocka_unit_test_setup (workers_know_their_stack, fresh_pool),
    cmocka_unit_test_setup (callers_do_not_disturb_each_other, fresh_pool),
    cmocka_unit_test_setup (without_threads_the_caller_does_all, fresh_pool),
    cmocka_unit_test_setup (one_thread_starts_none, fresh_pool),
    cmocka_unit_test_setup (workers_wake_up_and_help, fresh_pool),
    cmocka_unit_test_setup (the_caller_waits_for_workers, fresh_pool),
    cmocka_unit_test_setup (the_caller_sees_who_was_late, fresh_pool),
    cmocka_unit_test_setup (jobs_come_to_the_same_threads, fresh_pool),
    cmocka_unit_test_setup (workers_take_no_signals, fresh_pool),
    cmocka_unit_test_setup (last_jobs_are_left_to_their_thread, fresh_pool),
    cmocka_unit_test_setup (to_wait_for_others_is_no_work, fresh_pool),
    cmocka_unit_test_setup (an_idle_pool_uses_no_cpu, fresh_pool),
    cmocka_unit_test_setup (stacks_are_as_large_as_the_system_wants, fresh_pool),
    cmocka_unit_test_setup (stacks_grow_on_demand, fresh_pool),
    cmocka_unit_test_setup (a_loss_is_paid_for, fresh_pool),
    cmocka_unit_test_setup (signals_come_between_jobs, fresh_pool),
    cmocka_unit_test_setup (to_let_signals_in_is_no_loss, fresh_pool),
    cmocka_unit_test_setup (a_run_left_by_a_signal_ends, fresh_pool),
    cmocka_unit_test_setup (an_abandoned_run_ends, fresh_pool),
    cmocka_unit_test_setup (nobody_ends_runs_of_others, fresh_pool),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
