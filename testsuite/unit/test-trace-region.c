/* SPDX-License-Identifier: MIT
   Entries in the trace: their threads, and what is left of one that was left by a jump.  */
//! link: -Wl,--wrap=pg_nvtx_open -Wl,--wrap=pg_nvtx_push -Wl,--wrap=pg_nvtx_pop -Wl,--wrap=pg_nvtx_mark
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "nvtx.h"
#include "trace-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local int depth;

__typeof__ (pg_nvtx_open) __wrap_pg_nvtx_open;
__typeof__ (pg_nvtx_push) __wrap_pg_nvtx_push;
__typeof__ (pg_nvtx_pop) __wrap_pg_nvtx_pop;
__typeof__ (pg_nvtx_mark) __wrap_pg_nvtx_mark;

bool
__wrap_pg_nvtx_open (void)
{
  return true;
}

void
__wrap_pg_nvtx_push (const char *name)
{
  (void) name;
  depth++;
}

void
__wrap_pg_nvtx_pop (void)
{
  assert_true (depth > 0);
  depth--;
}

void
__wrap_pg_nvtx_mark (const char *name)
{
  (void) name;
}

static int
set_up_traced (void **state)
{
  return start_trace () != 0 ? -1 : set_up (state);
}

/* The track of the thread that is called NAME; 0: there is none.  */
static long
tid_of (const char *name)
{
  char called[40];
  long tid;
  for (const char *line = trace_text; (line = strstr (line, "{\"ph\":\"M\"")) != NULL; line++)
    if (sscanf (line, "{\"ph\":\"M\",\"pid\":%*d,\"tid\":%ld,\"name\":\"thread_name\",\"args\":{\"name\":\"%39[^\"]",
		&tid, called)
	  == 2
	&& strcmp (called, name) == 0)
      return tid;
  return 0;
}

static bool
has_event (long tid, const char *kind)
{
  char wanted[100];
  snprintf (wanted, sizeof wanted, "\"tid\":%ld,\"cat\":\"%s\"", tid, kind);
  return strstr (trace_text, wanted) != NULL;
}

static _Atomic int n_inside;

/* The first two chunks wait for each other, on two threads.  */
static int64_t
meeting_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  atomic_fetch_add (&n_inside, 1);
  for (int i = 0; i < 5000 && atomic_load (&n_inside) < 2; i++)
    usleep (1000);
  return sum_body (args, lo, hi, ctx);
}

static _Atomic bool has_worker;

static int64_t
slow_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (gettid () != getpid ())
    atomic_store (&has_worker, true);
  usleep (1000);
  return sum_body (args, lo, hi, ctx);
}

/* Have a worker that is at work: the first ones may leave, until it is known how much stack they need.  */
static void
start_worker (void)
{
  for (int i = 0; i < 20 && !atomic_load (&has_worker); i++)
    {
      struct pg_descriptor *region = a_sum_region ();
      region->body = slow_body;
      check_sum (region, N);
    }
}

static void
each_thread_has_a_track (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  (void) state;
  force_pool (2);
  start_worker ();
  region->body = meeting_body;
  atomic_store (&n_inside, 0);
  check_sum (region, N);
  read_trace ();
  long caller = tid_of ("working thread"), worker = tid_of ("pool");
  assert_int_equal (caller, gettid ());
  assert_int_not_equal (worker, 0);
  assert_int_not_equal (worker, caller);
  assert_true (has_event (caller, "entry"));
  assert_true (has_event (caller, "chunk"));
  assert_true (has_event (caller, "join"));
  assert_true (has_event (worker, "chunk"));
  assert_false (has_event (worker, "entry"));
  assert_int_equal (depth, 0);
  assert_int_equal (row_of (region)->n_pool, 1);
}

static sigjmp_buf behind;
static bool jumps;

static int64_t
jumping_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  if (jumps)
    siglongjmp (behind, 1);
  return sum_body (args, lo, hi, ctx);
}

static void
what_a_jump_left_is_ended (void **state)
{
  struct pg_descriptor *region = a_sum_region ();
  struct sum_args args = { a, 17, -5, 99 };
  (void) state;
  force_pool (1);
  region->body = jumping_body;
  jumps = true;
  if (sigsetjmp (behind, 1) == 0)
    __paragon_enter_v1 (region, &args, N);
  assert_int_equal (depth, 2);
  jumps = false;
  check_sum (region, N);
  assert_int_equal (depth, 0);
  read_trace ();
  assert_true (has_event (gettid (), "entry"));
  assert_null (strstr (strstr (trace_text, "\"cat\":\"entry\"") + 1, "\"cat\":\"entry\""));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (each_thread_has_a_track, set_up_traced, end_trace),
    cmocka_unit_test_setup_teardown (what_a_jump_left_is_ended, set_up_traced, end_trace),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
