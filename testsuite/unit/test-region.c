/* SPDX-License-Identifier: MIT
   Entries of hand-written regions: each must leave memory and scalars as one thread running the loop would.  */
//! link: -Wl,--wrap=mmap -rdynamic
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "futex.h"
#include "pool.h"
#include "region.h"
#include "regions.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N = 5000
};

/* Children of forks start threads of their own, which this sanitizer does not like.  */
const char *__tsan_default_options (void);
const char *
__tsan_default_options (void)
{
  return "die_after_fork=0";
}

static int64_t a[2 * N], b[2 * N], c[2 * N], expected[2 * N];
static double f[N];

/* The pool whatever the work, with N_THREADS.  */
static void
force_pool (int n_threads)
{
  pg_environment_defaults (&pg_environment);
  pg_environment.plan = PG_PLAN_POOL;
  pg_environment.n_threads = n_threads;
  pg_pool_forget ();
}

static int
set_up (void **state)
{
  (void) state;
  force_pool (4);
  for (int64_t i = 0; i < 2 * N; i++)
    {
      a[i] = i * i % 1009;
      b[i] = i * 31 % 997;
      c[i] = -1;
    }
  for (int i = 0; i < N; i++)
    f[i] = 1.0 / (i + 1);
  return 0;
}

static const struct pg_row *
row_of (const struct pg_region *region)
{
  return &((const struct pg_state *) region->state)->row;
}

static void
free_iterations_run_on_the_pool (void **state)
{
  struct pg_region *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  (void) state;
  atomic_store (&n_noalias_calls, 0);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[i], 2 * a[i] + b[i]);
  assert_int_equal (c[N], -1);
  assert_int_equal (row_of (region)->n_pool, 1);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L1], 1);
  assert_true (atomic_load (&n_noalias_calls) > 1);
}

/* c = a + 1 element: disjoint groups are no longer given, and iterations conflict.  */
static void
overlapping_groups_do_not_run_the_noalias_body (void **state)
{
  struct pg_region *region = a_scale_region ();
  struct scale_args args = { a, b, a };
  (void) state;
  for (int i = 0; i < N; i++)
    expected[i] = 2 * a[i] + b[i];
  atomic_store (&n_noalias_calls, 0);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (a, expected, N * sizeof *a);
  assert_int_equal (atomic_load (&n_noalias_calls), 0);
}

static void
check_sum (struct pg_region *region, int64_t n)
{
  struct sum_args args = { a, 17, -5, 99 }, serial = args;
  sum_body (&serial, 0, n, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, n), 1);
  assert_memory_equal (&args, &serial, sizeof args);
}

static void
reductions_and_live_outs_come_back (void **state)
{
  struct pg_region *region = a_sum_region ();
  (void) state;
  for (int64_t n = 1; n < 40; n++)
    check_sum (region, n);
  check_sum (region, N);
}

static void
forced_conflicts_change_nothing (void **state)
{
  static const struct
  {
    enum pg_inject_kind kind;
    int64_t number;
  } forced[] = { { PG_INJECT_EVERY, 1 },  { PG_INJECT_EVERY, 7 }, { PG_INJECT_AT, 0 },     { PG_INJECT_AT, 3 },
		 { PG_INJECT_AT, N - 1 }, { PG_INJECT_AT, N },    { PG_INJECT_RANDOM, 1 }, { PG_INJECT_RANDOM, 2 } };
  (void) state;
  for (size_t k = 0; k < sizeof forced / sizeof *forced; k++)
    {
      struct pg_region *sum = a_sum_region (), *scatter = a_scatter_region ();
      pg_environment.inject = true;
      pg_environment.inject_kind = forced[k].kind;
      pg_environment.inject_number = forced[k].number;
      check_sum (sum, N);
      assert_true (row_of (sum)->n_conflicts > 0 || forced[k].number == N);

      struct scatter_args args = { c, b }, serial = { expected, b };
      memcpy (expected, c, sizeof c);
      for (int i = 0; i < N; i++)
	b[i] = i * 7 % N;
      scatter_body (&serial, 0, N, NULL);
      assert_int_equal (__paragon_enter_v1 (scatter, &args, N), 1);
      assert_memory_equal (c, expected, sizeof c);
      assert_true (row_of (scatter)->n_conflicts > 0 || forced[k].number == N);
    }
}

static void
check_scatter (struct pg_region *region)
{
  struct scatter_args args = { c, b }, serial = { expected, b };
  memcpy (expected, c, sizeof c);
  scatter_body (&serial, 0, N, NULL);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_memory_equal (c, expected, sizeof c);
}

static void
permutations_are_inspected_then_remembered (void **state)
{
  struct pg_region *region = a_scatter_region ();
  (void) state;
  for (int i = 0; i < N; i++)
    b[i] = (int64_t) i * 7 % N;
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], 1);
  check_scatter (region);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L2], 1);
  assert_int_equal (row_of (region)->n_conflicts, 0);
}

static int64_t
slow_scatter_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  for (int64_t i = lo; i < hi; i++)
    for (int64_t end = pg_now () + 1000; pg_now () < end;)
      pg_pause ();
  return scatter_body (args, lo, hi, ctx);
}

/* Left to itself, the runtime refuses until the purse pays for inspections; in the end their verdicts hold.  */
static void
inspections_come_when_they_can_be_paid (void **state)
{
  struct pg_region *region = a_scatter_region ();
  (void) state;
  force_pool (4);
  pg_environment.plan = PG_PLAN_AUTO;
  region->body = slow_scatter_body;
  for (int64_t i = 0; i < N; i++)
    b[i] = (i * 7) % N;
  struct scatter_args args = { c, b };
  memcpy (expected, c, sizeof c);
  for (int entry = 0; entry < 1000; entry++)
    {
      if (!__paragon_enter_v1 (region, &args, N))
	region->body (&args, 0, N, NULL);
      scatter_body (&(struct scatter_args) { expected, b }, 0, N, NULL);
      assert_memory_equal (c, expected, sizeof c);
      if (row_of (region)->n_rungs[PG_RUNG_L2] > 0)
	break;
    }
  assert_true (row_of (region)->n_rungs[PG_RUNG_L2] > 0);
  assert_true (row_of (region)->n_rungs[PG_RUNG_L3] > 0);
}

static void
planted_conflicts_are_found (void **state)
{
  static const int distances[] = { 1, 31, 1000, N - 1 };
  (void) state;
  for (int d = 0; d < 4; d++)
    for (int at = 0; at + distances[d] < N; at += 777)
      {
	struct pg_region *region = a_scatter_region ();
	for (int i = 0; i < N; i++)
	  b[i] = (int64_t) i * 7 % N;
	b[at + distances[d]] = b[at];
	check_scatter (region);
	b[0] = b[1];
	check_scatter (region);
	assert_true (row_of (region)->n_conflicts > 0);
      }
}

static void
windows_run_in_parallel (void **state)
{
  (void) state;
  for (int64_t distance = 1; distance < 300; distance = 3 * distance + 1)
    {
      struct pg_region *region = a_shift_region ();
      struct shift_args args = { a, distance }, serial = { expected, distance };
      memcpy (expected, a, sizeof a);
      shift_body (&serial, 0, N, NULL);
      if (__paragon_enter_v1 (region, &args, N) == 0)
	{
	  assert_int_equal (distance, 1);
	  assert_int_equal (row_of (region)->n_statuses[PG_CONFLICT], 1);
	  shift_body (&args, 0, N, NULL);
	}
      else
	assert_int_equal (row_of (region)->n_pool, 1);
      assert_memory_equal (a, expected, sizeof a);
    }
}

/* Every forced rung gives the same answer, or refuses.  */
static void
rungs_can_be_forced (void **state)
{
  (void) state;
  for (int step = PG_RUNG_L0; step < PG_N_RUNGS; step++)
    {
      struct pg_region *region = a_scatter_region ();
      pg_environment.step = step;
      for (int i = 0; i < N; i++)
	b[i] = (int64_t) i * 7 % N;
      if (step == PG_RUNG_L0 || step == PG_RUNG_L1)
	{
	  struct scatter_args args = { c, b };
	  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
	  assert_int_equal (row_of (region)->n_statuses[PG_UNSETTLED], 1);
	  continue;
	}
      check_scatter (region);
      check_scatter (region);
      assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L3], step == PG_RUNG_L3 ? 2 : step == PG_RUNG_L2);
      assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L5], step == PG_RUNG_L5 ? 2 : 0);
    }
}

/* Floating-point sums depend on where the loop is cut: it must be cut alike on 1, 2 and 4 threads, on the pool and
   beside it, whatever refuses the entry.  */
static void
the_fixed_grid_gives_the_same_bits (void **state)
{
  double first = 0;
  (void) state;
  for (int n_threads = 1; n_threads <= 4; n_threads *= 2)
    for (int way = 0; way < 5; way++)
      {
	struct pg_region *region = an_fsum_region ();
	struct fsum_args args = { f, 0.1 };
	force_pool (n_threads);
	pg_environment.plan = way == 1 ? PG_PLAN_AUTO : way == 2 ? PG_PLAN_ORIGINAL : PG_PLAN_POOL;
	pg_environment.inject = way == 3;
	pg_environment.inject_number = 100;
	pg_thread_self ()->is_worker = way == 4;
	assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
	pg_thread_self ()->is_worker = false;
	if (first == 0)
	  first = args.sum;
	assert_memory_equal (&first, &args.sum, sizeof first);
      }
}

static void
small_work_raises_the_threshold (void **state)
{
  struct pg_region *region = a_sum_region ();
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int i = 0; i < 100; i++)
    {
      struct sum_args args = { a, 0, 0, 0 }, serial = args;
      int64_t n = region->threshold > 20 ? region->threshold : 20;
      if (n > N)
	break;
      sum_body (&serial, 0, n, NULL);
      if (__paragon_enter_v1 (region, &args, n))
	assert_memory_equal (&args, &serial, sizeof args);
    }
  assert_true (region->threshold > 20);
}

/* Where the longest range that one call of the body below was given begins.  */
static int64_t longest_lo, longest_len;

static int64_t
note_range (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args;
  (void) ctx;
  if (hi - lo > longest_len)
    {
      longest_lo = lo;
      longest_len = hi - lo;
    }
  return 0;
}

/* A first entry is measured on few iterations.  The rest begins where vectors of the whole would.  */
static void
the_rest_of_a_probe_is_aligned (void **state)
{
  struct pg_region *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  pg_environment.n_threads = 1;
  region->body = note_range;
  region->body_noalias = note_range;
  longest_len = 0;
  assert_int_equal (__paragon_enter_v1 (region, &args, 1 << 30), 1);
  assert_true (longest_lo > 0);
  assert_int_equal (longest_lo % 64, 0);
}

static void
another_abi_is_refused (void **state)
{
  struct pg_region *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  region->abi++;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  region->abi -= 2;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  region = a_sum_region ();
  region->region_len--;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  assert_null (region->state);
}

static void
off_and_filters_refuse (void **state)
{
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  struct pg_region *off = a_sum_region ();
  pg_environment.mode = PG_MODE_OFF;
  assert_int_equal (__paragon_enter_v1 (off, &args, N), 0);
  assert_int_equal (off->threshold, INT64_MAX);
  pg_environment.mode = PG_MODE_ON;

  struct pg_region *skipped = a_sum_region ();
  pg_environment.skip = "loops.c:20";
  assert_int_equal (__paragon_enter_v1 (skipped, &args, N), 0);
  assert_int_equal (row_of (skipped)->n_statuses[PG_FILTERED], 1);

  struct pg_region *wanted = a_sum_region (), *unwanted = a_scale_region ();
  pg_environment.skip = NULL;
  pg_environment.only = "loops.c:20";
  assert_int_equal (__paragon_enter_v1 (wanted, &args, N), 1);
  struct scale_args scale_args = { a, b, c };
  assert_int_equal (__paragon_enter_v1 (unwanted, &scale_args, N), 0);

  struct pg_region *late = a_sum_region ();
  pg_environment.only = NULL;
  pg_environment.limit = 0;
  assert_int_equal (__paragon_enter_v1 (late, &args, N), 0);
}

static struct pg_region *inner_region;
static _Atomic int64_t n_inner_refused;

static int64_t
nesting_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct sum_args inner = { a, 0, 0, 0 };
  if (__paragon_enter_v1 (inner_region, &inner, N) == 0)
    atomic_fetch_add (&n_inner_refused, 1);
  return sum_body (args, lo, hi, ctx);
}

static void
nested_entries_are_refused_on_every_thread (void **state)
{
  struct pg_region *region = a_sum_region ();
  (void) state;
  region->body = nesting_body;
  inner_region = a_sum_region ();
  atomic_store (&n_inner_refused, 0);
  check_sum (region, N);
  int64_t n_calls = atomic_load (&n_inner_refused);
  assert_true (n_calls > 1);
  assert_int_equal (row_of (inner_region)->n_statuses[PG_NESTED], n_calls);
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
  struct pg_region *region = a_sum_region ();
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

static void two_regions_run_at_once (void **state);

static void *
run_many (void *unused)
{
  struct pg_region *region = a_sum_region ();
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
  struct pg_region *region = a_sum_region ();
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

static struct pg_region *held_region;

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
  struct pg_region *region = a_sum_region ();
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
      region->body = sum_body;
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
  struct pg_region *region = a_sum_region ();
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
  struct pg_region *plain = a_sum_region ();
  errno = EAGAIN;
  check_sum (plain, N);
  assert_int_equal (errno, EAGAIN);
}

static sigjmp_buf escape;
static volatile int jump_wanted;

static int64_t
jumping_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (jump_wanted)
    siglongjmp (escape, 1);
  return sum_body (args, lo, hi, ctx);
}

/* What a handler that leaves the loop by siglongjmp looks like to the runtime.  */
static void
an_entry_left_by_a_jump_is_ended (void **state)
{
  struct pg_region *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  force_pool (1);
  region->body = jumping_body;
  jump_wanted = 1;
  if (sigsetjmp (escape, 1) == 0)
    __paragon_enter_v1 (region, &args, N);
  jump_wanted = 0;
  check_sum (region, N);
  assert_int_equal (row_of (region)->n_statuses[PG_NESTED], 0);
}

static void
traps_refuse (void **state)
{
  struct pg_region *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  feenableexcept (FE_DIVBYZERO);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  fedisableexcept (FE_DIVBYZERO);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
}

static void
repair (int number, siginfo_t *info, void *context)
{
  (void) number;
  (void) info;
  (void) context;
}

/* A handler that learns the faulting address may do the program's paging, for one thread at a time.  */
static void
handlers_that_may_repair_faults_refuse (void **state)
{
  static const int faults[] = { SIGSEGV, SIGBUS };
  struct sigaction action = { .sa_flags = SA_SIGINFO }, before;
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  for (int i = 0; i < 2; i++)
    {
      struct pg_region *region = a_sum_region ();
      action.sa_sigaction = repair;
      sigaction (faults[i], &action, &before);
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
      assert_int_equal (row_of (region)->n_statuses[PG_FAULT_HANDLER], 1);
      action.sa_handler = SIG_DFL;
      sigaction (faults[i], &action, NULL);
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
      sigaction (faults[i], &before, NULL);
    }
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
  struct pg_region *region = a_sum_region ();
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
  assert_null (((struct pg_state *) region->state)->owner);
  region->body = sum_body;
  check_sum (region, N);
  assert_int_equal (row_of (region)->n_statuses[PG_BUSY], 0);
}

/* What the runtime finds of OpenMP in this program.  */
static int openmp_level;
int omp_get_level (void);

int
omp_get_level (void)
{
  return openmp_level;
}

static void
openmp_regions_refuse (void **state)
{
  struct pg_region *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  openmp_level = 1;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  openmp_level = 0;
  assert_int_equal (row_of (region)->n_statuses[PG_OPENMP], 1);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
}

/* While something else wants the CPUs, loops run as they were written, except where one thread gains, too.  */
static void
a_crowded_machine_is_left_alone (void **state)
{
  struct pg_region *sum = a_sum_region (), *scale = a_scale_region ();
  struct sum_args args = { a, 0, 0, 0 };
  struct scale_args scale_args = { a, b, c };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  pg_pool_lost (1000000000);
  assert_int_equal (__paragon_enter_v1 (sum, &args, N), 0);
  assert_int_equal (row_of (sum)->n_statuses[PG_PLANNED], 1);
  assert_int_equal (__paragon_enter_v1 (scale, &scale_args, N), 1);
  assert_int_equal (row_of (scale)->n_sequential, 1);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[i], 2 * a[i] + b[i]);
}

static void *
enter_once (void *region)
{
  struct sum_args args = { a, 0, 0, 0 };
  return (void *) (intptr_t) __paragon_enter_v1 (region, &args, N);
}

static void
a_short_stack_refuses (void **state)
{
  struct pg_region *region = a_sum_region ();
  pthread_attr_t attr;
  pthread_t thread;
  void *result;
  (void) state;
  region->frame_len = 1 << 20;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 256 << 10);
  assert_int_equal (pthread_create (&thread, &attr, enter_once, region), 0);
  pthread_join (thread, &result);
  assert_null (result);
  assert_int_equal (row_of (region)->n_statuses[PG_STACK], 1);
  check_sum (region, N);
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
  struct pg_region *shallow = a_sum_region (), *deep = a_sum_region ();
  (void) state;
  check_sum (shallow, N);
  deep->body = deep_body;
  deep->frame_len = (2 << 20) + 4096;
  for (int i = 0; i < 20; i++)
    check_sum (deep, N);
}

static int64_t
wrong_noalias (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scale_args *p = args;
  scale_body (args, lo, hi, ctx);
  if (lo <= 1234 && 1234 < hi)
    p->c[1234]++;
  return 0;
}

static void
comparing_finds_a_wrong_byte_and_keeps_the_right_one (void **state)
{
  struct pg_region *region = a_scale_region ();
  struct scale_args args = { a, b, c };
  (void) state;
  pg_environment.mode = PG_MODE_COMPARE;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (row_of (region)->n_compared, 1);
  assert_int_equal (row_of (region)->n_differences, 0);
  region->body_noalias = wrong_noalias;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  assert_int_equal (row_of (region)->n_differences, 1);
  assert_int_equal (c[1234], 2 * a[1234] + b[1234]);
}

/* An object that is unloaded and loaded again brings a fresh descriptor to the same address.  */
static void
a_reloaded_region_finds_its_row (void **state)
{
  struct pg_region *region = a_scatter_region (), fresh = *region;
  (void) state;
  check_scatter (region);
  void *first = region->state;
  *region = fresh;
  check_scatter (region);
  assert_ptr_equal (region->state, first);
}

/* Without memory for anything the original loop runs.  */
static int mmap_fails;
void *__real_mmap (void *address, size_t len, int protection, int flags, int file, off_t offset);
void *__wrap_mmap (void *address, size_t len, int protection, int flags, int file, off_t offset);

void *
__wrap_mmap (void *address, size_t len, int protection, int flags, int file, off_t offset)
{
  if (mmap_fails)
    {
      errno = ENOMEM;
      return (void *) -1;
    }
  return __real_mmap (address, len, protection, flags, file, offset);
}

static void
failing_mmap_is_survived (void **state)
{
  struct pg_region *unknown = a_sum_region (), *known = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  mmap_fails = 1;
  errno = 0;
  assert_int_equal (__paragon_enter_v1 (unknown, &args, N), 0);
  assert_int_equal (errno, 0);
  mmap_fails = 0;
  check_sum (known, 1);
  mmap_fails = 1;
  check_sum (known, N);
  mmap_fails = 0;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (free_iterations_run_on_the_pool, set_up),
    cmocka_unit_test_setup (overlapping_groups_do_not_run_the_noalias_body, set_up),
    cmocka_unit_test_setup (reductions_and_live_outs_come_back, set_up),
    cmocka_unit_test_setup (forced_conflicts_change_nothing, set_up),
    cmocka_unit_test_setup (permutations_are_inspected_then_remembered, set_up),
    cmocka_unit_test_setup (inspections_come_when_they_can_be_paid, set_up),
    cmocka_unit_test_setup (planted_conflicts_are_found, set_up),
    cmocka_unit_test_setup (windows_run_in_parallel, set_up),
    cmocka_unit_test_setup (rungs_can_be_forced, set_up),
    cmocka_unit_test_setup (the_fixed_grid_gives_the_same_bits, set_up),
    cmocka_unit_test_setup (small_work_raises_the_threshold, set_up),
    cmocka_unit_test_setup (the_rest_of_a_probe_is_aligned, set_up),
    cmocka_unit_test_setup (another_abi_is_refused, set_up),
    cmocka_unit_test_setup (off_and_filters_refuse, set_up),
    cmocka_unit_test_setup (nested_entries_are_refused_on_every_thread, set_up),
    cmocka_unit_test_setup (a_busy_region_is_refused, set_up),
    cmocka_unit_test_setup (two_regions_run_at_once, set_up),
    cmocka_unit_test_setup (a_forked_child_is_correct, set_up),
    cmocka_unit_test_setup (a_region_busy_at_fork_is_free_in_the_child, set_up),
    cmocka_unit_test_setup (errno_and_flags_come_back, set_up),
    cmocka_unit_test_setup (an_entry_left_by_a_jump_is_ended, set_up),
    cmocka_unit_test_setup (traps_refuse, set_up),
    cmocka_unit_test_setup (handlers_that_may_repair_faults_refuse, set_up),
    cmocka_unit_test_setup (cancelling_ends_the_thread_after_the_entry, set_up),
    cmocka_unit_test_setup (openmp_regions_refuse, set_up),
    cmocka_unit_test_setup (a_crowded_machine_is_left_alone, set_up),
    cmocka_unit_test_setup (a_short_stack_refuses, set_up),
    cmocka_unit_test_setup (workers_get_the_stack_that_a_region_needs, set_up),
    cmocka_unit_test_setup (comparing_finds_a_wrong_byte_and_keeps_the_right_one, set_up),
    cmocka_unit_test_setup (a_reloaded_region_finds_its_row, set_up),
    cmocka_unit_test_setup (failing_mmap_is_survived, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
