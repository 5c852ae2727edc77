/* SPDX-License-Identifier: MIT
   Entries on a device, and those that the caller runs at the same time, in the trace and in the log.  */
//! link: -Wl,--wrap=pg_trace_add -Wl,--wrap=pg_log_write -Wl,--wrap=pg_manager_await -Wl,--wrap=pg_speculation_put
//! link: -Wl,--wrap=pg_manager_run
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "last-round.h"
#include "log.h"
#include "region-kernels.h"
#include "trace.h"

#include <sched.h>
#include <stdatomic.h>

enum
{
  N = 200,
  MOST_EVENTS = 4000
};

static int64_t b[N], c[N];

/* The events, of all threads.  */
static struct event
{
  enum pg_trace_kind kind;
  const struct pg_region *region;
  struct pg_trace_facts facts;
} events[MOST_EVENTS];
static _Atomic int n_events;

__typeof__ (pg_trace_add) __wrap_pg_trace_add;

void
__wrap_pg_trace_add (enum pg_trace_kind kind, int64_t start, const struct pg_region *region,
		     const struct pg_trace_facts *facts)
{
  int number = atomic_fetch_add (&n_events, 1);
  (void) start;
  assert_true (number < MOST_EVENTS);
  events[number] = (struct event) { kind, region, *facts };
}

/* The last line of the log that tells what a device does.  */
static char told[256];
__typeof__ (pg_log_write) __wrap_pg_log_write;

void
__wrap_pg_log_write (enum pg_log_category category, const char *format, ...)
{
  va_list more;
  assert_int_equal (category, PG_LOG_PLAN);
  if (strstr (format, ": device: ") == NULL)
    return;
  va_start (more, format);
  vsnprintf (told, sizeof told, format, more);
  va_end (more);
}

/* The device goes on in STATE only when the caller waits for it.  */
static _Atomic bool is_waited_for[PG_COOPERATION_PARKED + 1];

static void
go_on (enum pg_cooperation_state state)
{
  while (!atomic_load (&is_waited_for[state]))
    sched_yield ();
}

__typeof__ (pg_manager_await) __real_pg_manager_await, __wrap_pg_manager_await;

void
__wrap_pg_manager_await (uint32_t seen, int64_t ns)
{
  atomic_store (&is_waited_for[state_now ()], true);
  __real_pg_manager_await (seen, ns);
}

__typeof__ (pg_speculation_put) __real_pg_speculation_put, __wrap_pg_speculation_put;

enum pg_offloaded
__wrap_pg_speculation_put (struct pg_speculation *spec, const void *args)
{
  if (pg_environment.plan == PG_PLAN_COOPERATE)
    go_on (PG_COOPERATION_COPYING);
  return __real_pg_speculation_put (spec, args);
}

static void
launch_when_waited_for (void)
{
  if (pg_environment.plan == PG_PLAN_COOPERATE)
    go_on (PG_COOPERATION_RACING);
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_DEVICE);
  pg_environment.race = PG_RACE_DEVICE;
  device.on_launch = launch_when_waited_for;
  unsetenv ("NVTX_INJECTION64_PATH");
  pg_trace_start ("unused");
  pg_log_mask = 1U << PG_LOG_PLAN;
  *told = '\0';
  for (int state_number = 0; state_number <= PG_COOPERATION_PARKED; state_number++)
    atomic_store (&is_waited_for[state_number], false);
  for (int i = 0; i < N; i++)
    {
      b[i] = i * 7 % N;
      c[i] = -i;
    }
  atomic_store (&n_events, 0);
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  pg_log_mask = 0;
  return 0;
}

/* Enter REGION, whose loop scatters, and wait until all threads are through.  */
static void
scatter (struct pg_descriptor *region)
{
  struct scatter_args args = { c, b };
  if (!__paragon_enter_v1 (region, &args, N))
    scatter_body (&args, 0, N, NULL);
  await_manager ();
}

/* The first event of KIND from number FROM on, which there must be; it is about the scattering region.  */
static const struct event *
event_of (enum pg_trace_kind kind, int from)
{
  int n = atomic_load (&n_events);
  while (from < n && events[from].kind != kind)
    from++;
  assert_true (from < n);
  assert_int_equal (events[from].region->line, scatter_region.line);
  return &events[from];
}

static int
n_events_of (enum pg_trace_kind kind)
{
  int n = 0;
  for (int e = 0; e < atomic_load (&n_events); e++)
    n += events[e].kind == kind;
  return n;
}

/* ---- the tests */

/* For copies, as the loop changes what it reads, and then half-way, where it stops.  */
static void
the_caller_tells_what_it_waits_for (void **state)
{
  (void) state;
  pg_environment.plan = PG_PLAN_COOPERATE;
  scatter (with_kernel (a_scatter_region (), scatter_kernel));
  const struct event *copy = event_of (PG_TRACE_WAIT, 0), *parked = event_of (PG_TRACE_PARKED, 0);
  assert_string_equal (copy->facts.words[0], "copy");
  const struct event *last = copy;
  for (const struct event *event = copy; event < parked; event++)
    last = event->kind == PG_TRACE_WAIT ? event : last;
  assert_string_equal (last->facts.words[0], "device");
  assert_int_equal (n_events_of (PG_TRACE_PARKED), 1);
  assert_in_range (parked->facts.numbers[0], 1, N / 2);
  assert_int_equal (parked->facts.numbers[1], N);
  assert_string_equal (told, "region src/loops.c:30: iterations up to 200: device: ran");
}

static void
who_goes_on_without_a_device_tells_why (void **state)
{
  (void) state;
  pg_environment.plan = PG_PLAN_COOPERATE;
  scatter (a_scatter_region ());
  assert_int_equal (n_events_of (PG_TRACE_WAIT) + n_events_of (PG_TRACE_PARKED), 0);
  assert_string_equal (told, "region src/loops.c:30: iterations up to 0: device: no-kernel");
}

static void
what_was_dropped_tells_why (void **state)
{
  (void) state;
  device.n_calls = 0;
  device.fails_at = 1;
  device.fails_as = PG_DEVICE_LOST;
  scatter (with_kernel (a_scatter_region (), scatter_kernel));
  assert_int_equal (n_events_of (PG_TRACE_DROP), 1);
  assert_string_equal (event_of (PG_TRACE_DROP, 0)->facts.words[0], "lost");
  assert_int_equal (n_events_of (PG_TRACE_CONFLICT), 0);
  assert_string_equal (told, "region src/loops.c:30: device: lost");
}

/* The loop runs in order then, from its first iteration on.  */
static void
a_conflict_tells_who_has_found_it (void **state)
{
  (void) state;
  b[N - 1] = b[3];
  scatter (with_kernel (a_scatter_region (), scatter_kernel));
  assert_int_equal (n_events_of (PG_TRACE_DROP), 1);
  assert_string_equal (event_of (PG_TRACE_DROP, 0)->facts.words[0], "conflict");
  assert_int_equal (n_events_of (PG_TRACE_CONFLICT), 1);
  assert_string_equal (event_of (PG_TRACE_CONFLICT, 0)->facts.words[0], "device");
  assert_int_equal (event_of (PG_TRACE_CONFLICT, 0)->facts.numbers[0], 0);
  assert_string_equal (told, "region src/loops.c:30: device: conflict");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (the_caller_tells_what_it_waits_for, set_up, tear_down),
    cmocka_unit_test_setup_teardown (who_goes_on_without_a_device_tells_why, set_up, tear_down),
    cmocka_unit_test_setup_teardown (what_was_dropped_tells_why, set_up, tear_down),
    cmocka_unit_test_setup_teardown (a_conflict_tells_who_has_found_it, set_up, tear_down),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
