/* SPDX-License-Identifier: MIT
   Entries that the runtime leaves to the original loop, or to one thread: each says why, and touches nothing.  */
//! link: -Wl,--wrap=mmap -rdynamic
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
another_abi_is_refused (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  region->abi++;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  region->abi -= 2;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  assert_null (region->state);
}

/* A guard that has no original loop for what is refused gets it done: whatever the rest of the descriptor says.  */
static void
f_runs_what_is_refused_if_it_must (void **state)
{
  (void) state;
  for (int is_foreign = 0; is_foreign < 2; is_foreign++)
    {
      struct pg_descriptor *region = a_sum_region ();
      struct sum_args args = { a, 0, 0, 0 }, same = { a, 0, 0, 0 };
      pg_environment.mode = PG_MODE_OFF;
      region->abi += (uint16_t) is_foreign;
      assert_int_equal (__paragon_enter_v2 (region, &args, N), 0);
      assert_int_equal (args.sum, 0);
      region->flags = PG_DESCRIPTOR_F_IF_REFUSED;
      __paragon_enter_v2 (region, &args, N);
      region->body (&same, 0, N, NULL);
      assert_memory_equal (&args, &same, sizeof args);
    }
}

/* A region that is handed over is not run by F once more.  */
static void
f_does_not_run_what_is_done (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 }, same = { a, 0, 0, 0 };
  (void) state;
  region->flags = PG_DESCRIPTOR_F_IF_REFUSED;
  assert_int_equal (__paragon_enter_v2 (region, &args, N), 1);
  region->body (&same, 0, N, NULL);
  assert_memory_equal (&args, &same, sizeof args);
}

/* What the table of statistics says.  */
static const char *
table_text (void)
{
  static char text[4096];
  char path[] = "/tmp/test-refusals-XXXXXX";
  int file = mkstemp (path);
  assert_true (file >= 0);
  pg_stats_write (path);
  text[read (file, text, sizeof text - 1)] = '\0';
  close (file);
  unlink (path);
  return text;
}

/* What no plugin writes is found out at the first entry, which is the last.  */
static void
malformed_descriptors_are_refused_once (void **state)
{
  uint32_t packed_len;
  pg_descriptor_packed (a_sum_region (), &packed_len);
  char expected[100];
  (void) state;
  pg_stats_clear ();
  for (uint32_t len = 0; len < packed_len; len++)
    {
      struct pg_descriptor *region = a_sum_region ();
      struct sum_args args = { a, 0, 0, 0 };
      uint32_t all;
      set_packed (region, (unsigned char *) pg_descriptor_packed (region, &all), len);
      assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
      assert_null (region->state);
      assert_int_equal (region->threshold, INT64_MAX);
    }
  snprintf (expected, sizeof expected, "paragon: %u entries refused: malformed, ", (unsigned) packed_len);
  assert_non_null (strstr (table_text (), expected));
}

static int64_t
counting_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scale_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->c[i] = 2 * p->a[i] + *p->b;
  return 0;
}

/* for (i < n) c[i] = 2 * a[i] + *b, n being what *b is: only the original loop is right where c holds that.  REFS has
   room for the region's references.  */
static struct pg_region
a_counting_region (struct pg_ref *refs)
{
  struct pg_region counting = scale_region;
  memcpy (refs, scale_refs, sizeof scale_refs);
  refs[1].address = (struct pg_linear) LINEAR (1, -1);
  refs[1].flags |= PG_REF_FEEDS;
  counting.refs = refs;
  counting.flags |= PG_REGION_RELIES_ON_LOADS;
  counting.body = counting.body_noalias = counting_body;
  return counting;
}

static void
loads_that_may_go_stale_refuse (void **state)
{
  static const int64_t at[] = { -1, 0, N / 2, N - 1, N };
  struct pg_ref refs[3];
  struct pg_region counting = a_counting_region (refs);
  (void) state;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    {
      bool is_stale = at[i] >= 0 && at[i] < N;
      struct pg_descriptor *region = a_new_region (counting);
      struct scale_args args = { a, c + 1 + at[i], c + 1 };
      c[1] = -7;
      assert_int_equal (__paragon_enter_v1 (region, &args, N), !is_stale);
      assert_int_equal (row_of (region)->n_statuses[PG_STALE_LOAD], is_stale);
      assert_int_equal (c[1] == -7, is_stale);
      pg_environment.step = PG_RUNG_L5;
      assert_int_equal (__paragon_enter_v1 (region, &args, N), !is_stale);
      pg_environment.step = -1;
    }
}

/* Where an index may wrap around, nobody knows where anything is.  */
static void
loads_refuse_where_nothing_is_known (void **state)
{
  static const struct pg_wrap_check narrow = { .value = LINEAR (-1, 3), .dim = 0, .bits = 8 };
  struct pg_ref refs[3];
  struct pg_region counting = a_counting_region (refs);
  int64_t n = N;
  (void) state;
  counting.checks = &narrow;
  for (counting.n_checks = 0; counting.n_checks < 2; counting.n_checks++)
    {
      struct scale_args args = { a, &n, c };
      struct pg_descriptor *region = a_new_region (counting);
      __paragon_enter_v1 (region, &args, N);
      assert_int_equal (row_of (region)->n_statuses[PG_STALE_LOAD], counting.n_checks);
    }
}

/* Where nothing of the kind is written, or is relied on, nobody minds.  */
static void
other_loads_may_go_stale (void **state)
{
  struct pg_ref refs[3];
  struct pg_region other = a_counting_region (refs);
  (void) state;
  for (int is_relied_on = 0; is_relied_on < 2; is_relied_on++)
    {
      other.flags = PG_REGION_ALL_AFFINE | (is_relied_on ? PG_REGION_RELIES_ON_LOADS | PG_REGION_SLICE_STABLE : 0);
      struct pg_descriptor *region = a_new_region (other);
      struct scale_args args = { a, c + 5, c };
      __paragon_enter_v1 (region, &args, N);
      assert_int_equal (row_of (region)->n_statuses[PG_STALE_LOAD], 0);
    }
}

/* What is refused again and again for that is soon not looked at any more.  */
static void
stale_loads_are_not_looked_for_each_time (void **state)
{
  struct pg_ref refs[3];
  struct pg_region counting = a_counting_region (refs);
  struct scale_args args = { a, c + 5, c };
  (void) state;
  struct pg_descriptor *region = a_new_region (counting);
  pg_environment.plan = PG_PLAN_AUTO;
  for (int i = 0; i < 1000; i++)
    assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  assert_in_range (row_of (region)->n_statuses[PG_STALE_LOAD], 1, 16);
}

/* To see that iterations conflict takes longer than small entries run, and the inner loops wait for it: of many
   entries in a row that do, few are looked at.  */
static void
hopeless_entries_are_refused_without_a_look (void **state)
{
  struct pg_descriptor *region = a_shift_region ();
  struct shift_args args = { a, 1 };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  for (int i = 0; i < 1000; i++)
    __paragon_enter_v1 (region, &args, N);
  assert_in_range (row_of (region)->n_statuses[PG_CONFLICT], 0, 16);
  assert_in_range (row_of (region)->n_original, 900, 1000);
  assert_int_equal (row_of (region)->n_pool, 0);
}

static void
off_and_filters_refuse (void **state)
{
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  struct pg_descriptor *off = a_sum_region ();
  pg_environment.mode = PG_MODE_OFF;
  assert_int_equal (__paragon_enter_v1 (off, &args, N), 0);
  assert_int_equal (off->threshold, INT64_MAX);
  pg_environment.mode = PG_MODE_ON;

  struct pg_descriptor *skipped = a_sum_region ();
  pg_environment.skip = "loops.c:20";
  assert_int_equal (__paragon_enter_v1 (skipped, &args, N), 0);
  assert_int_equal (row_of (skipped)->n_statuses[PG_FILTERED], 1);

  struct pg_descriptor *wanted = a_sum_region (), *unwanted = a_scale_region ();
  pg_environment.skip = NULL;
  pg_environment.only = "loops.c:20";
  assert_int_equal (__paragon_enter_v1 (wanted, &args, N), 1);
  struct scale_args scale_args = { a, b, c };
  assert_int_equal (__paragon_enter_v1 (unwanted, &scale_args, N), 0);

  struct pg_descriptor *late = a_sum_region ();
  pg_environment.only = NULL;
  pg_environment.limit = 0;
  assert_int_equal (__paragon_enter_v1 (late, &args, N), 0);
}

static struct pg_descriptor *inner_region;
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
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  region->body = nesting_body;
  inner_region = a_sum_region ();
  atomic_store (&n_inner_refused, 0);
  check_sum (region, N);
  int64_t n_calls = atomic_load (&n_inner_refused);
  assert_true (n_calls > 1);
  assert_int_equal (row_of (inner_region)->n_statuses[PG_NESTED], n_calls);
}

static void
traps_refuse (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
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
      struct pg_descriptor *region = a_sum_region ();
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
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 0, 0, 0 };
  (void) state;
  openmp_level = 1;
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 0);
  openmp_level = 0;
  assert_int_equal (row_of (region)->n_statuses[PG_OPENMP], 1);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
}

/* While something else wants the CPUs, loops that are known to be short run as they were written, except where one
   thread gains, too.  Others run on one thread at first.  */
static void
a_crowded_machine_is_left_alone (void **state)
{
  struct pg_descriptor *sum = a_sum_region (), *scale = a_scale_region ();
  struct sum_args args = { a, 0, 0, 0 };
  struct scale_args scale_args = { a, b, c };
  (void) state;
  pg_environment.plan = PG_PLAN_AUTO;
  pg_pool_lost (1000000000);
  assert_int_equal (__paragon_enter_v1 (sum, &args, N), 1);
  assert_int_equal (row_of (sum)->n_sequential, 1);
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
  struct pg_region deep = sum_region;
  deep.frame_len = 1 << 20;
  struct pg_descriptor *region = a_new_region (deep);
  pthread_attr_t attr;
  pthread_t thread;
  void *result;
  (void) state;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 256 << 10);
  assert_int_equal (pthread_create (&thread, &attr, enter_once, region), 0);
  pthread_join (thread, &result);
  assert_null (result);
  assert_int_equal (row_of (region)->n_statuses[PG_STACK], 1);
  check_sum (region, N);
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
  struct pg_descriptor *unknown = a_sum_region (), *known = a_sum_region ();
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

/* Except on a fixed grid: the result has the same bits however little memory there is.  */
static void
the_fixed_grid_needs_no_memory (void **state)
{
  struct pg_descriptor *unknown = an_fsum_region (), *known = an_fsum_region ();
  struct fsum_args args = { f, 0 }, same = args;
  (void) state;
  assert_int_equal (__paragon_enter_v1 (known, &same, N), 1);
  mmap_fails = 1;
  errno = 0;
  assert_int_equal (__paragon_enter_v1 (unknown, &args, N), 1);
  assert_int_equal (errno, 0);
  mmap_fails = 0;
  assert_null (unknown->state);
  assert_memory_equal (&args, &same, sizeof args);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (another_abi_is_refused, set_up),
    cmocka_unit_test_setup (f_runs_what_is_refused_if_it_must, set_up),
    cmocka_unit_test_setup (f_does_not_run_what_is_done, set_up),
    cmocka_unit_test_setup (malformed_descriptors_are_refused_once, set_up),
    cmocka_unit_test_setup (loads_that_may_go_stale_refuse, set_up),
    cmocka_unit_test_setup (loads_refuse_where_nothing_is_known, set_up),
    cmocka_unit_test_setup (other_loads_may_go_stale, set_up),
    cmocka_unit_test_setup (stale_loads_are_not_looked_for_each_time, set_up),
    cmocka_unit_test_setup (hopeless_entries_are_refused_without_a_look, set_up),
    cmocka_unit_test_setup (off_and_filters_refuse, set_up),
    cmocka_unit_test_setup (nested_entries_are_refused_on_every_thread, set_up),
    cmocka_unit_test_setup (traps_refuse, set_up),
    cmocka_unit_test_setup (handlers_that_may_repair_faults_refuse, set_up),
    cmocka_unit_test_setup (openmp_regions_refuse, set_up),
    cmocka_unit_test_setup (a_crowded_machine_is_left_alone, set_up),
    cmocka_unit_test_setup (a_short_stack_refuses, set_up),
    cmocka_unit_test_setup (failing_mmap_is_survived, set_up),
    cmocka_unit_test_setup (the_fixed_grid_needs_no_memory, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
