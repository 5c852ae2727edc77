/* SPDX-License-Identifier: MIT
   What a device does is in the trace, and is done, whatever comes of it.  */
//! link: -Wl,--wrap=pg_trace_add
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels.h"
#include "trace-device.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static struct
{
  struct pg_device base;
  enum pg_device_status status; /* of all it does */
  int n_calls;
} fake;

/* The events, in the order in which they ended.  */
static struct
{
  enum pg_trace_kind kind;
  int64_t start;
  struct pg_trace_facts facts;
} events[20];
static int n_events;

__typeof__ (pg_trace_add) __wrap_pg_trace_add;

void
__wrap_pg_trace_add (enum pg_trace_kind kind, int64_t start, const struct pg_region *region,
		     const struct pg_trace_facts *facts)
{
  assert_null (region);
  events[n_events].kind = kind;
  events[n_events].start = start;
  events[n_events++].facts = *facts;
}

static enum pg_device_status
done (const struct pg_device *device)
{
  assert_ptr_equal (device, &fake.base);
  fake.n_calls++;
  return fake.status;
}

static enum pg_device_status
fake_copy_in (struct pg_device *device, uint64_t to, const void *from, size_t len)
{
  assert_int_equal (to, 16);
  assert_ptr_equal (from, &fake);
  assert_int_equal (len, 100);
  return done (device);
}

static enum pg_device_status
fake_copy_out (struct pg_device *device, void *to, uint64_t from, size_t len)
{
  assert_int_equal (from, 32);
  assert_ptr_equal (to, &fake);
  assert_int_equal (len, 200);
  return done (device);
}

static enum pg_device_status
fake_set (struct pg_device *device, uint64_t to, int byte, size_t len)
{
  assert_int_equal (to, 48);
  assert_int_equal (byte, 255);
  assert_int_equal (len, 300);
  return done (device);
}

static enum pg_device_status
fake_compile (struct pg_device *device, const struct pg_device_kernel *kernels, size_t n, struct pg_module **module)
{
  assert_null (kernels);
  assert_int_equal (n, 3);
  *module = (struct pg_module *) &fake;
  return done (device);
}

static enum pg_device_status
fake_launch (struct pg_device *device, struct pg_module *module, const struct pg_device_launch *launch)
{
  assert_ptr_equal (module, &fake);
  assert_int_equal (launch->n_blocks, 7);
  return done (device);
}

static enum pg_device_status
fake_wait (struct pg_device *device)
{
  return done (device);
}

static const struct pg_device_ops fake_ops = { .name = "fake",
					       .copy_in = fake_copy_in,
					       .copy_out = fake_copy_out,
					       .set = fake_set,
					       .compile = fake_compile,
					       .launch = fake_launch,
					       .wait = fake_wait };

static int
set_up (void **state)
{
  (void) state;
  n_events = 0;
  fake.status = PG_DEVICE_OK;
  fake.n_calls = 0;
  unsetenv ("NVTX_INJECTION64_PATH");
  pg_trace_start ("unused");
  fake.base.ops = pg_trace_device (&fake_ops);
  return 0;
}

static enum pg_device_status
launch (enum pg_role role)
{
  const struct pg_device_launch asked = { .name = pg_role_name (role), .n_blocks = 7, .n_threads = 32 };
  return fake.base.ops->launch (&fake.base, (struct pg_module *) &fake, &asked);
}

static void
without_a_trace_it_is_the_backend (void **state)
{
  (void) state;
  pg_trace_start (NULL);
  assert_ptr_equal (pg_trace_device (&fake_ops), &fake_ops);
}

static void
what_is_not_traced_stays (void **state)
{
  (void) state;
  assert_string_equal (fake.base.ops->name, "fake");
  assert_null (fake.base.ops->alloc);
}

static void
copies_tell_their_bytes (void **state)
{
  struct pg_module *module;
  const struct pg_device_ops *ops = fake.base.ops;
  (void) state;
  assert_int_equal (ops->copy_in (&fake.base, 16, &fake, 100), PG_DEVICE_OK);
  assert_int_equal (ops->copy_out (&fake.base, &fake, 32, 200), PG_DEVICE_OK);
  fake.status = PG_DEVICE_LOST;
  assert_int_equal (ops->set (&fake.base, 48, 255, 300), PG_DEVICE_LOST);
  assert_int_equal (ops->compile (&fake.base, NULL, 3, &module), PG_DEVICE_LOST);
  assert_ptr_equal (module, &fake);
  static const enum pg_trace_kind kinds[] = { PG_TRACE_COPY_IN, PG_TRACE_COPY_OUT, PG_TRACE_CLEAR, PG_TRACE_COMPILE };
  static const int64_t numbers[] = { 100, 200, 300, 3 };
  assert_int_equal (n_events, 4);
  for (int e = 0; e < 4; e++)
    {
      assert_int_equal (events[e].kind, kinds[e]);
      assert_int_equal (events[e].facts.numbers[0], numbers[e]);
      assert_true (events[e].start > 0);
    }
  assert_int_equal (fake.n_calls, 4);
}

static void
a_kernel_lasts_until_somebody_has_waited (void **state)
{
  (void) state;
  assert_int_equal (launch (PG_ROLE_FIRST), PG_DEVICE_OK);
  assert_int_equal (n_events, 0);
  assert_int_equal (fake.base.ops->wait (&fake.base), PG_DEVICE_OK);
  assert_int_equal (n_events, 1);
  assert_int_equal (fake.base.ops->wait (&fake.base), PG_DEVICE_OK);
  assert_int_equal (n_events, 1);
  assert_int_equal (events[0].kind, PG_TRACE_KERNEL);
  assert_int_equal (events[0].facts.numbers[0], 7);
  assert_int_equal (events[0].facts.numbers[1], 32);
  assert_string_equal (events[0].facts.words[0], "first");
}

/* The one that checks is told from others.  */
static void
the_next_launch_ends_it (void **state)
{
  (void) state;
  assert_int_equal (launch (PG_ROLE_SECOND), PG_DEVICE_OK);
  assert_int_equal (launch (PG_ROLE_LAST), PG_DEVICE_OK);
  assert_int_equal (n_events, 1);
  assert_int_equal (events[0].kind, PG_TRACE_CHECK_KERNEL);
  assert_int_equal (fake.base.ops->wait (&fake.base), PG_DEVICE_OK);
  assert_int_equal (n_events, 2);
  assert_int_equal (events[1].kind, PG_TRACE_KERNEL);
}

static void
one_that_does_not_start_ends_at_once (void **state)
{
  (void) state;
  fake.status = PG_DEVICE_FAULT;
  assert_int_equal (launch (PG_ROLE_FIRST), PG_DEVICE_FAULT);
  assert_int_equal (n_events, 1);
  assert_int_equal (fake.base.ops->wait (&fake.base), PG_DEVICE_FAULT);
  assert_int_equal (n_events, 1);
}

/* In the child of a fork, or after a device that was lost: nothing is left of what the one before did.  */
static void
a_new_device_begins_anew (void **state)
{
  (void) state;
  assert_int_equal (launch (PG_ROLE_FIRST), PG_DEVICE_OK);
  fake.base.ops = pg_trace_device (&fake_ops);
  assert_int_equal (fake.base.ops->wait (&fake.base), PG_DEVICE_OK);
  assert_int_equal (n_events, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (without_a_trace_it_is_the_backend, set_up),
    cmocka_unit_test_setup (what_is_not_traced_stays, set_up),
    cmocka_unit_test_setup (copies_tell_their_bytes, set_up),
    cmocka_unit_test_setup (a_kernel_lasts_until_somebody_has_waited, set_up),
    cmocka_unit_test_setup (the_next_launch_ends_it, set_up),
    cmocka_unit_test_setup (one_that_does_not_start_ends_at_once, set_up),
    cmocka_unit_test_setup (a_new_device_begins_anew, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
