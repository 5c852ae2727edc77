/* SPDX-License-Identifier: MIT
   What a job takes along from the caller and what it brings back.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "join.h"
#include "steps.h"

#include <errno.h>
#include <pthread.h>

static struct pg_join join;

struct job
{
  int64_t index;
  int set_errno;
  int raise;
  int rounding;
};

static void *
run_job (void *arg)
{
  struct job *job = arg;
  pg_join_begin (&join);
  job->rounding = fegetround ();
  feraiseexcept (job->raise);
  if (job->set_errno != 0)
    errno = job->set_errno;
  pg_join_end (&join, job->index);
  return NULL;
}

static void
run_on_thread (struct job *job)
{
  pthread_t thread;
  assert_int_equal (pthread_create (&thread, NULL, run_job, job), 0);
  pthread_join (thread, NULL);
}

static void
jobs_round_as_the_caller_does (void **state)
{
  struct job job = { 0 };
  (void) state;
  fesetround (FE_UPWARD);
  pg_join_open (&join);
  run_on_thread (&job);
  pg_join_close (&join);
  fesetround (FE_TONEAREST);
  assert_int_equal (job.rounding, FE_UPWARD);
}

/* Jobs end in any order; the last one of the loop counts.  */
static void
errno_is_the_last_job_s_that_set_it (void **state)
{
  struct job jobs[] = { { .index = 5, .set_errno = ERANGE }, { .index = 2, .set_errno = EDOM }, { .index = 7 } };
  (void) state;
  errno = ENOENT;
  pg_join_open (&join);
  for (int j = 0; j < 3; j++)
    run_on_thread (&jobs[j]);
  pg_join_close (&join);
  assert_int_equal (errno, ERANGE);
  pg_join_open (&join);
  run_on_thread (&jobs[2]);
  pg_join_close (&join);
  assert_int_equal (errno, ERANGE);
  errno = ERANGE;
  jobs[2].set_errno = EDOM;
  jobs[0].index = 9;
  pg_join_open (&join);
  run_on_thread (&jobs[2]);
  run_on_thread (&jobs[0]);
  pg_join_close (&join);
  assert_int_equal (errno, ERANGE); /* set again, after another value */
}

/* Whoever ends at the same time: the last one of the loop counts.  */
static void *
run_many_jobs (void *arg)
{
  struct job *first = arg, job = *first;
  for (; job.index < 200000; job.index += 2)
    run_job (&job);
  return NULL;
}

static void
errno_is_the_last_job_s_whoever_ends_at_once (void **state)
{
  struct job jobs[] = { { .index = 0, .set_errno = ERANGE }, { .index = 1, .set_errno = EDOM } };
  pthread_t threads[2];
  (void) state;
  for (int round = 0; round < 5; round++)
    {
      pg_join_open (&join);
      for (int t = 0; t < 2; t++)
	assert_int_equal (pthread_create (&threads[t], NULL, run_many_jobs, &jobs[t]), 0);
      for (int t = 0; t < 2; t++)
	pthread_join (threads[t], NULL);
      pg_join_close (&join);
      assert_int_equal (errno, EDOM);
    }
}

static void
end_job_7 (void)
{
  errno = ERANGE;
  pg_join_end (&join, 7);
}

static int64_t other_index;

static void
end_other_job (void)
{
  int saved = errno;
  errno = EDOM;
  pg_join_end (&join, other_index);
  errno = saved;
}

/* Wherever an earlier or a later one's end comes in the middle of the other's.  */
static void
errno_is_the_last_job_s_if_another_ends_in_between (void **state)
{
  (void) state;
  for (other_index = 6; other_index <= 8; other_index += 2)
    {
      bool is_between = true;
      for (int at = 0; is_between; at++)
	{
	  pg_join_open (&join);
	  is_between = call_with (end_job_7, end_other_job, at);
	  pg_join_close (&join);
	  assert_int_equal (errno, is_between && other_index > 7 ? EDOM : ERANGE);
	}
    }
}

static void
flags_of_all_jobs_come_back (void **state)
{
  struct job jobs[] = { { .index = 0, .raise = FE_OVERFLOW }, { .index = 1, .raise = FE_DIVBYZERO } };
  (void) state;
  feclearexcept (FE_ALL_EXCEPT);
  feraiseexcept (FE_INEXACT);
  pg_join_open (&join);
  run_on_thread (&jobs[0]);
  run_on_thread (&jobs[1]);
  pg_join_close (&join);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), FE_OVERFLOW | FE_DIVBYZERO | FE_INEXACT);
  feclearexcept (FE_ALL_EXCEPT);
}

static void
traps_are_seen (void **state)
{
  (void) state;
  assert_false (pg_join_traps ());
  feenableexcept (FE_INVALID);
  assert_true (pg_join_traps ());
  fedisableexcept (FE_INVALID);
  assert_false (pg_join_traps ());
#if defined __x86_64__
  __builtin_ia32_ldmxcsr (0x1f00); /* SSE only */
  assert_true (pg_join_traps ());
  __builtin_ia32_ldmxcsr (0x1f80);
#endif
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (jobs_round_as_the_caller_does),
    cmocka_unit_test (errno_is_the_last_job_s_that_set_it),
    cmocka_unit_test (errno_is_the_last_job_s_whoever_ends_at_once),
    cmocka_unit_test (errno_is_the_last_job_s_if_another_ends_in_between),
    cmocka_unit_test (flags_of_all_jobs_come_back),
    cmocka_unit_test (traps_are_seen),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
