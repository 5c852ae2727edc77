/* SPDX-License-Identifier: MIT
   A signal handler may jump out of the runtime, but not out of a function of the C library that opens a file, or
   allocates: the thread finds out what it must know with its signals deferred.  */
//! link: -Wl,--wrap=pg_cgroup_read -Wl,--wrap=sched_getaffinity -Wl,--wrap=pthread_getattr_np
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cgroup.h"
#include "load.h"
#include "pool.h"
#include "thread.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

static int n_calls, n_deferred; /* of the functions below */

static bool
are_deferred (void)
{
  sigset_t mask;
  pthread_sigmask (SIG_BLOCK, NULL, &mask);
  return sigismember (&mask, SIGALRM) == 1;
}

static void
note_call (void)
{
  n_calls++;
  n_deferred += are_deferred ();
}

__typeof__ (pg_cgroup_read) __real_pg_cgroup_read, __wrap_pg_cgroup_read;
int __real_sched_getaffinity (pid_t pid, size_t len, cpu_set_t *set);
int __wrap_sched_getaffinity (pid_t pid, size_t len, cpu_set_t *set);
int __real_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr);
int __wrap_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr);

bool
__wrap_pg_cgroup_read (const char *directory, const char *name, char *text, size_t len)
{
  note_call ();
  return __real_pg_cgroup_read (directory, name, text, len);
}

int
__wrap_sched_getaffinity (pid_t pid, size_t len, cpu_set_t *set)
{
  note_call ();
  return __real_sched_getaffinity (pid, len, set);
}

int
__wrap_pthread_getattr_np (pthread_t thread, pthread_attr_t *attr)
{
  note_call ();
  return __real_pthread_getattr_np (thread, attr);
}

/* WORK calls some of the functions above, and leaves signals as they were.  */
static void
expect_deferred (void (*work) (void))
{
  n_calls = n_deferred = 0;
  work ();
  assert_in_range (n_calls, 1, 1000);
  assert_int_equal (n_deferred, n_calls);
  assert_false (are_deferred ());
}

static void
look_at_load (void)
{
  pg_load_cpus (1);
}

static void
while_the_load_is_read (void **state)
{
  (void) state;
  expect_deferred (look_at_load);
}

static void
count_threads (void)
{
  pg_pool_threads ();
}

static void
while_cpus_are_counted (void **state)
{
  (void) state;
  unsetenv ("OMP_NUM_THREADS");
  expect_deferred (count_threads);
}

static void
ask_for_stack (void)
{
  int here;
  pg_thread_stack_left (pg_thread_self (), (const volatile void *) &here);
}

/* In another thread than that which asserts.  */
static void *
find_stack (void *has_stayed)
{
  ask_for_stack ();
  *(bool *) has_stayed = are_deferred ();
  return NULL;
}

static void
while_a_thread_finds_its_stack (void **state)
{
  pthread_t thread;
  bool has_stayed = true;
  (void) state;
  n_calls = n_deferred = 0;
  assert_int_equal (pthread_create (&thread, NULL, find_stack, &has_stayed), 0);
  pthread_join (thread, NULL);
  assert_int_equal (n_calls, 1);
  assert_int_equal (n_deferred, 1);
  assert_false (has_stayed);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (while_the_load_is_read),
    cmocka_unit_test (while_cpus_are_counted),
    cmocka_unit_test (while_a_thread_finds_its_stack),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
