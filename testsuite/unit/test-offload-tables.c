/* SPDX-License-Identifier: MIT
   Loops on a device that find their elements through a table, y[table[idx[i]]] = i: what is noted is who meets in the
   elements.  In the table nobody does, as the entry's bounds tell.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "kernels.h"
#include "region-kernels.h"
#include "speculate.h"

enum
{
  N = 100,
  ELEMENTS = 1, /* references */
  IN_TABLE = 2
};

struct chain_args
{
  int64_t *y, *table, *idx;
};

static int64_t elements[N], table[N], idx[N], expected[N];

static int64_t
chain_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct chain_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->y[p->table[p->idx[i]]] = i;
  return 0;
}

static int64_t
chain_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct chain_args *p = args;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &p->idx[i], 8);
      monitor->touch (monitor, IN_TABLE, &p->table[p->idx[i]], 8);
      monitor->touch (monitor, ELEMENTS, &p->y[p->table[p->idx[i]]], 8);
    }
  return 0;
}

static const char chain_kernel[]
  = "kernel \"chain\" args 24 dims 1 refs 3\nb0:\n" ELEMENT
    "v4 = arg ptr 16\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = shl i64 v6 v2\n"
    "v8 = arg ptr 8\nv9 = address ptr v8 v7\nv10 = load i64 v9 ref 2\nv11 = shl i64 v10 v2\n"
    "v12 = arg ptr 0\nv13 = address ptr v12 v11\nstore void v13 v1 ref 1\nreturn void\nend\n";

static struct pg_descriptor *
a_chain_region (void)
{
  static const struct pg_node nodes[] = { ARG (chain_args, idx), CONSTANT (8) };
  static const struct pg_ref refs[] = {
    { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS | PG_REF_FEEDS_LOAD, .len = 8 },
    { .address = LINEAR (-1, -1), .flags = PG_REF_WRITE, .level = 2, .group = 1, .len = 8 },
    { .address = LINEAR (-1, -1), .flags = PG_REF_READ | PG_REF_FEEDS, .level = 1, .group = 2, .len = 8 },
  };
  static const struct pg_field live_ins[] = { { .offset = offsetof (struct chain_args, y), .len = 8 },
					      { .offset = offsetof (struct chain_args, table), .len = 8 },
					      { .offset = offsetof (struct chain_args, idx), .len = 8 } };
  const struct pg_region region = { REGION_COMMON ("chain"),
				    .line = 70,
				    .klass = PG_CLASS_POSSIBLY,
				    .reason = PG_WHY_INDIRECT,
				    .flags = PG_REGION_SLICE_STABLE,
				    .body = chain_body,
				    .monitor = chain_monitor,
				    .args_len = sizeof (struct chain_args),
				    TABLE (nodes, nodes),
				    TABLE (refs, refs),
				    TABLE (live_ins, live_ins) };
  return with_kernel (a_new_region (region), chain_kernel);
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_DEVICE);
  for (int i = 0; i < N; i++)
    {
      idx[i] = i * 3 % N;
      table[i] = i * 7 % N;
      elements[i] = -i;
    }
  return 0;
}

/* Enter REGION and compare.  */
static void
check_chain (struct pg_descriptor *region)
{
  struct chain_args args = { elements, table, idx }, serial = { expected, table, idx };
  memcpy (expected, elements, sizeof elements);
  chain_body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (elements, expected, sizeof elements);
}

static void
nothing_is_noted_of_the_table (void **state)
{
  struct pg_descriptor *region = a_chain_region ();
  (void) state;
  pg_environment.method = PG_METHOD_FULL;
  check_chain (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  const struct pg_speculation *spec = ((struct pg_state *) row_of (region))->speculation;
  uint8_t of_table = spec->wish.array_of[IN_TABLE], of_elements = spec->wish.array_of[ELEMENTS];
  assert_true (of_table != of_elements && of_table < spec->suspects.n_arrays);
  assert_true (spec->arrays[of_elements].writers != 0 && spec->arrays[of_elements].readers != 0);
  assert_true (spec->arrays[of_table].writers == 0 && spec->arrays[of_table].readers == 0);
}

/* Two iterations that write one element have read one entry of the table, or not.  */
static void
every_method_judges (void **state)
{
  (void) state;
  for (int method = PG_METHOD_PLAIN; method < PG_N_METHODS; method++)
    for (int is_entry = 0; is_entry < 2; is_entry++)
      {
	struct pg_descriptor *region = a_chain_region ();
	set_up (NULL);
	pg_environment.method = method;
	check_chain (region);
	assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
	if (is_entry)
	  idx[N - 1] = idx[3];
	else
	  table[N - 1] = table[3];
	check_chain (region);
	assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
      }
}

/* Each call on the device, once.  */
static void
whatever_fails_the_answer_is_right (void **state)
{
  struct pg_descriptor *region = a_chain_region ();
  int fails_at = 0;
  (void) state;
  pg_environment.method = PG_METHOD_FULL;
  check_chain (region); /* kernels are compiled */
  do
    {
      device.n_calls = 0;
      device.fails_at = fails_at++;
      device.fails_as = PG_DEVICE_FAULT;
      check_chain (region);
    }
  while (device.n_calls > device.fails_at && fails_at < 100);
  assert_in_range (fails_at, 10, 99);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 2);
  assert_int_equal (row_of (region)->n_conflicts, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (nothing_is_noted_of_the_table, set_up),
    cmocka_unit_test_setup (every_method_judges, set_up),
    cmocka_unit_test_setup (whatever_fails_the_answer_is_right, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
