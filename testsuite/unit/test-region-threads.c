/* SPDX-License-Identifier: MIT
   Entries and what else their process does: other threads, forks, jumps, cancellation, errno and flags.  */
//! link: -Wl,--wrap=pg_stats_add,--wrap=pg_pool_run,--wrap=pg_pool_lost
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Children of forks start threads of their own, which this sanitizer does not like.  */
const char *__tsan_default_options (void);
const char *
__tsan_default_options (void)
{
  return "die_after_fork=0";
}

static _Atomic int n_inside;

static int64_t
meeting_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  atomic_fetch_add (&n_inside, 1);
  for (int i = 0; i < 2000 && atomic_load (&n_inside) < 2; i++)
    usleep (1000);
  return sum_body (args, lo, hi, ctx);
}

static void *
enter_again (void *region)
{
  struct sum_args args = { a, 0, 0, 0 };
  while (atomic_load (&n_inside) == 0)
    usleep (100);
  intptr_t result = __paragon_enter_v1 (region, &args, 10);
  atomic_fetch_add (&n_inside, 1);
  return (void *) result;
}

static void
a_busy_region_is_refused (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  pthread_t other;
  void *result;
  (void) state;
  force_pool (1);
  region->body = meeting_body;
  atomic_store (&n_inside, 0);
  assert_int_equal (pthread_create (&other, NULL, enter_again, region), 0);
  check_sum (region, 2);
  pthread_join (other, &result);
  assert_null (result);
  assert_int_equal (row_of (region)->n_statuses[PG_BUSY], 1);
}

static void *
run_many (void *unused)
{
  struct pg_descriptor *region = a_sum_region ();
  for (int i = 0; i < 200; i++)
    {
      struct sum_args args = { a, 17, -5, 99 };
      if (__paragon_enter_v1 (region, &args, N - i) == 0)
	sum_body (&args, 0, N - i, NULL);
      if (args.last != 3 * (N - i - 1))
	abort ();
    }
  return unused;
}

static void
two_regions_run_at_once (void **state)
{
  pthread_t threads[3];
  (void) state;
  for (int t = 0; t < 3; t++)
    assert_int_equal (pthread_create (&threads[t], NULL, run_many, NULL), 0);
  for (int t = 0; t < 3; t++)
    pthread_join (threads[t], NULL);
}

static int64_t
child_status (pid_t child)
{
  int status;
  assert_int_equal (waitpid (child, &status, 0), child);
  return status;
}

static void
a_forked_child_is_correct (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  check_sum (region, N);
  pid_t child = fork ();
  if (child == 0)
    {
      struct sum_args args = { a, 17, -5, 99 }, serial = args;
      alarm (20);
      sum_body (&serial, 0, N, NULL);
      int ran = __paragon_enter_v1 (region, &args, N);
      _exit (ran == 1 && memcmp (&args, &serial, sizeof args) == 0 ? 0 : 1);
    }
  assert_int_equal (child_status (child), 0);
  check_sum (region, N);
}

static struct pg_descriptor *held_region;

static int64_t
forking_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  int outside = 0;
  atomic_compare_exchange_strong (&n_inside, &outside, 1);
  while (atomic_load (&n_inside) == 1)
    usleep (100);
  return sum_body (args, lo, hi, ctx);
}

static void *
hold_region (void *unused)
{
  struct sum_args args = { a, 0, 0, 0 };
  __paragon_enter_v1 (held_region, &args, 2);
  return unused;
}

/* The region's lock belongs to a thread that the child does not have.  */
static void
a_region_busy_at_fork_is_free_in_the_child (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  pthread_t other;
  (void) state;
  force_pool (1);
  region->body = forking_body;
  held_region = region;
  atomic_store (&n_inside, 0);
  assert_int_equal (pthread_create (&other, NULL, hold_region, NULL), 0);
  while (atomic_load (&n_inside) == 0)
    usleep (100);
  pid_t child = fork ();
  if (child == 0)
    {
      struct sum_args args = { a, 0, 0, 0 };
      alarm (20);
      state_of (region)->region.body = sum_body;
      if (state_of (region)->entry.view->region != NULL) /* may be half made */
	_exit (2);
      _exit (__paragon_enter_v1 (region, &args, 2) == 1 ? 0 : 1);
    }
  assert_int_equal (child_status (child), 0);
  atomic_store (&n_inside, 2);
  pthread_join (other, NULL);
}

static int64_t
errno_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  volatile double one = 1.0, three = 3.0, quotient;
  if (lo <= N / 2 && N / 2 < hi)
    {
      errno = ERANGE;
      quotient = one / three;
      (void) quotient;
    }
  if (lo <= 10 && 10 < hi)
    errno = EDOM;
  return sum_body (args, lo, hi, ctx);
}

static void
errno_and_flags_come_back (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  region->body = errno_body;
  errno = EAGAIN;
  feclearexcept (FE_ALL_EXCEPT);
  check_sum (region, N / 4);
  assert_int_equal (errno, EDOM);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), 0);
  errno = EAGAIN;
  check_sum (region, N);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), FE_INEXACT);
  struct pg_descriptor *plain = a_sum_region ();
  errno = EAGAIN;
  check_sum (plain, N);
  assert_int_equal (errno, EAGAIN);
}

static sigjmp_buf escape;
static volatile int jump_wanted;

/* What a handler that leaves the loop by siglongjmp looks like to the runtime.  */
static int64_t
jumping_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (jump_wanted)
    siglongjmp (escape, 1);
  return sum_body (args, lo, hi, ctx);
}

/* Enter REGION, from a frame that lies deeper than that of any later entry.  */
static __attribute__ ((noinline)) void
enter_deeply (struct pg_descriptor *region, struct sum_args *args)
{
  char room[4096];
  __asm__ volatile("" : : "r"(room) : "memory");
  __paragon_enter_v1 (region, args, N);
  __asm__ volatile("" : : "r"(room) : "memory");
}

static void
an_entry_left_by_a_jump_is_ended (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  force_pool (1);
  region->body = jumping_body;
  jump_wanted = 1;
  if (sigsetjmp (escape, 1) == 0)
    enter_deeply (region, &args);
  jump_wanted = 0;
  struct pg_view *view = state_of (region)->entry.view;
  view->levels[0].least = 77; /* half made */
  check_sum (region, N);
  assert_int_equal (view->levels[0].least, N - 1);
  assert_int_equal (row_of (region)->n_statuses[PG_NESTED], 0);
}

/* A signal whose handler jumps comes while a region's state is made, if wanted.  */
__typeof__ (pg_stats_add) __real_pg_stats_add, __wrap_pg_stats_add;
static bool signal_wanted;

void
__wrap_pg_stats_add (struct pg_row *row)
{
  if (signal_wanted)
    raise (SIGUSR1);
  __real_pg_stats_add (row);
}

static void
jump_out (int signal)
{
  (void) signal;
  siglongjmp (escape, 1);
}

static void
a_jump_out_of_a_first_entry_ends_it (void **state)
{
  struct pg_descriptor *region = a_sum_region (), *other = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  void (*before) (int) = signal (SIGUSR1, jump_out);
  (void) state;
  signal_wanted = true;
  if (sigsetjmp (escape, 1) == 0)
    {
      enter_deeply (region, &args);
      fail ();
    }
  signal_wanted = false;
  check_sum (other, N);
  check_sum (region, N);
  assert_int_equal (row_of (other)->n_pool, 1);
  assert_int_equal (row_of (region)->n_pool, 1);
  signal (SIGUSR1, before);
}

/* Where a cancellation comes in the middle of an entry, the entry ends first, the thread after it.  */
static _Atomic int n_whole_entries;

static int64_t
cancelled_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (lo == 0)
    pthread_cancel (*(pthread_t *) ((struct sum_args *) args)->a);
  pthread_testcancel ();
  return sum_body (args, lo, hi, ctx);
}

static void *
enter_and_be_cancelled (void *region)
{
  pthread_t self = pthread_self ();
  static int64_t data[N];
  struct sum_args args = { data, 0, 0, 0 };
  int ignored;
  memcpy (data, &self, sizeof self);
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, &ignored);
  __paragon_enter_v1 (region, &args, N);
  atomic_fetch_add (&n_whole_entries, 1);
  return NULL;
}

static void
cancelling_ends_the_thread_after_the_entry (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  pthread_t thread;
  void *result;
  (void) state;
#ifdef __SANITIZE_ADDRESS__
  skip (); /* it thinks that frames which a cancellation unwound are still there */
#endif
  region->body = cancelled_body;
  assert_int_equal (pthread_create (&thread, NULL, enter_and_be_cancelled, region), 0);
  pthread_join (thread, &result);
  assert_true (result == PTHREAD_CANCELED);
  assert_int_equal (n_whole_entries, 0);
  assert_null (state_of (region)->owner);
  state_of (region)->region.body = sum_body;
  check_sum (region, N);
  assert_int_equal (row_of (region)->n_statuses[PG_BUSY], 0);
}

/* The frames of chunks must fit the workers' stacks.  */
static int64_t
deep_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  volatile char frame[2 << 20];
  frame[0] = frame[sizeof frame - 1] = 1;
  frame[sizeof frame / 2] = (char) lo;
  return sum_body (args, lo, hi, ctx);
}

static void
workers_get_the_stack_that_a_region_needs (void **state)
{
  struct pg_region with_frame = sum_region;
  with_frame.body = deep_body;
  with_frame.frame_len = (2 << 20) + 4096;
  struct pg_descriptor *shallow = a_sum_region (), *deep = a_new_region (with_frame);
  (void) state;
  check_sum (shallow, N);
  for (int i = 0; i < 20; i++)
    check_sum (deep, N);
}

static _Atomic int64_t n_begun, n_ended; /* iterations */
static volatile sig_atomic_t n_within, n_amid;
static pthread_t entering;
static bool is_signalling;

static int64_t
signalling_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (!is_signalling)
    return sum_body (args, lo, hi, ctx);
  atomic_fetch_add (&n_begun, hi - lo);
  pthread_kill (entering, SIGUSR1);
  usleep (1500);
  sum_body (args, lo, hi, ctx);
  atomic_fetch_add (&n_ended, hi - lo);
  return 0;
}

static void
look_at_iterations (int signal)
{
  (void) signal;
  int64_t ended = atomic_load (&n_ended);
  n_amid += atomic_load (&n_begun) != ended || errno != ERANGE;
  n_within += ended != 0 && 2 * ended != N && ended != N;
}

/* The second entry has two runs.  Signals do not wait for the end of one, but when they are handled nobody is at
   work, and errno is the caller's.  */
static void
signals_come_within_a_run (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 }, serial = args;
  (void) state;
#ifdef __SANITIZE_THREAD__
  skip (); /* it has handlers run some time later */
#endif
  sum_body (&serial, 0, N, NULL);
  force_pool (2);
  region->body = signalling_body;
  check_sum (region, N);
  is_signalling = true;
  entering = pthread_self ();
  signal (SIGUSR1, look_at_iterations);
  errno = ERANGE;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  signal (SIGUSR1, SIG_DFL);
  assert_memory_equal (&args, &serial, sizeof args);
  assert_true (n_within > 0);
  assert_int_equal (n_amid, 0);
}

/* What the pool says of runs that took it no time, if wanted, and what entries tell of losses.  */
static enum { AS_IT_IS, WHOLE, ENDED_EARLY } pool_says;
static _Atomic int n_lost;
__typeof__ (pg_pool_run) __real_pg_pool_run, __wrap_pg_pool_run;
__typeof__ (pg_pool_lost) __wrap_pg_pool_lost;

struct pg_pool_times
__wrap_pg_pool_run (pg_job_fn *job, void *arg, int64_t n_jobs)
{
  if (pool_says == AS_IT_IS)
    return __real_pg_pool_run (job, arg, n_jobs);
  for (int64_t i = 0; i < n_jobs; i++)
    job (arg, i);
  return (struct pg_pool_times) { .is_whole = pool_says == WHOLE };
}

void
__wrap_pg_pool_lost (int64_t ns)
{
  (void) ns;
  n_lost++;
}

static void
a_run_that_a_signal_ended_is_no_loss (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  force_pool (2);
  check_sum (region, N); /* its costs are known */
  n_lost = 0;
  pool_says = ENDED_EARLY;
  check_sum (region, N);
  assert_int_equal (n_lost, 0);
  pool_says = WHOLE;
  check_sum (region, N);
  assert_true (n_lost > 0);
  pool_says = AS_IT_IS;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (signals_come_within_a_run, set_up), /* first: there are but two threads yet */
    cmocka_unit_test_setup (a_busy_region_is_refused, set_up),
    cmocka_unit_test_setup (two_regions_run_at_once, set_up),
    cmocka_unit_test_setup (a_forked_child_is_correct, set_up),
    cmocka_unit_test_setup (a_region_busy_at_fork_is_free_in_the_child, set_up),
    cmocka_unit_test_setup (errno_and_flags_come_back, set_up),
    cmocka_unit_test_setup (an_entry_left_by_a_jump_is_ended, set_up),
    cmocka_unit_test_setup (a_jump_out_of_a_first_entry_ends_it, set_up),
    cmocka_unit_test_setup (cancelling_ends_the_thread_after_the_entry, set_up),
    cmocka_unit_test_setup (workers_get_the_stack_that_a_region_needs, set_up),
    cmocka_unit_test_setup (a_run_that_a_signal_ended_is_no_loss, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
