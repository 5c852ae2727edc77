/* SPDX-License-Identifier: MIT
   Bounds: a device is given what an entry touches of its arrays, and no more, whatever lies beside them.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bounds.h"
#include "environment.h"
#include "fake-device.h"
#include "region-kernels.h"

#include <signal.h>

enum
{
  N = 200
};

/* Arrays of one mapping, with room between them.  */
static struct
{
  int64_t before[N], y[2 * N], between[N], idx[N], behind[N];
} heap;

static int64_t expected[2 * N];
static int n_monitors;

/* scatter_monitor, counted.  */
static int64_t
counted_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  __atomic_fetch_add (&n_monitors, 1, __ATOMIC_RELAXED);
  return scatter_monitor (args, lo, hi, ctx);
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_DEVICE);
  n_monitors = 0;
  for (int i = 0; i < N; i++)
    {
      heap.idx[i] = i * 7 % N;
      heap.y[i] = heap.y[N + i] = -i;
    }
  return 0;
}

/* A loop that sets y[idx[i]], or with IS_UPDATE changes it, in which case its slice is not known to be stable.  */
static struct pg_descriptor *
a_loop (bool is_update)
{
  struct pg_region region = scatter_region;
  region.monitor = counted_monitor;
  if (is_update)
    return with_kernel (a_new_region (region), scatter_kernel);
  region.body = put_body;
  region.refs = move_refs;
  region.flags |= PG_REGION_SLICE_STABLE;
  return with_kernel (a_new_region (region), put_kernel);
}

/* to[i] = from[idx[i]]  */
struct gather_args
{
  int64_t *to, *from, *idx;
};

static int64_t
gather_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct gather_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->to[i] = p->from[p->idx[i]];
  return 0;
}

static int64_t
gather_monitor (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct gather_args *p = args;
  struct pg_monitor *monitor = ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      monitor->iter = i;
      monitor->touch (monitor, 0, &p->idx[i], 8);
      monitor->touch (monitor, 1, &p->from[p->idx[i]], 8);
      monitor->touch (monitor, 2, &p->to[i], 8);
    }
  return 0;
}

static const struct pg_node gather_nodes[] = { ARG (gather_args, idx), CONSTANT (8), ARG (gather_args, to) };
static const struct pg_ref gather_refs[] = {
  { .address = LINEAR (0, 1), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
  { .address = LINEAR (-1, -1), .flags = PG_REF_READ, .level = 1, .group = 1, .len = 8 },
  { .address = LINEAR (2, 1), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 2, .len = 8 },
};
static const struct pg_field gather_live_ins[] = { { .offset = offsetof (struct gather_args, from), .len = 8 },
						   { .offset = offsetof (struct gather_args, idx), .len = 8 } };
static const struct pg_region gather_region = { REGION_COMMON ("gather"),
						.line = 60,
						.klass = PG_CLASS_POSSIBLY,
						.reason = PG_WHY_INDIRECT,
						.body = gather_body,
						.monitor = gather_monitor,
						.args_len = sizeof (struct gather_args),
						TABLE (nodes, gather_nodes),
						TABLE (refs, gather_refs),
						TABLE (live_ins, gather_live_ins) };
static const char gather_kernel[]
  = "kernel \"gather\" args 24 dims 1 refs 4\nb0:\n" ELEMENT
    "v4 = arg ptr 16\nv5 = address ptr v4 v3\nv6 = load i64 v5 ref 0\nv7 = shl i64 v6 v2\n"
    "v8 = arg ptr 8\nv9 = address ptr v8 v7\nv10 = load i64 v9 ref 1\n"
    "v11 = arg ptr 0\nv12 = address ptr v11 v3\nstore void v12 v10 ref 2\nreturn void\nend\n";

static const struct pg_speculation *
spec_of (const struct pg_descriptor *loop)
{
  return ((const struct pg_state *) loop->state)->speculation;
}

/* Enter LOOP for Y and IDX, N_ITERS iterations, and compare.  */
static void
check_at (struct pg_descriptor *loop, int64_t *y, int64_t *idx, int64_t n_iters)
{
  struct scatter_args args = { y, idx }, serial = { expected + (y - heap.y), idx };
  memcpy (expected, heap.y, sizeof expected);
  loop->body (&serial, 0, n_iters, NULL);
  enter (loop, &args, n_iters);
  assert_memory_equal (heap.y, expected, sizeof expected);
}

static void
check (struct pg_descriptor *loop)
{
  check_at (loop, heap.y, heap.idx, N);
}

/* Has the last entry of LOOP had an object of exactly N_ELEMENTS at LOW?  */
static bool
had_object (const struct pg_descriptor *loop, const int64_t *low, size_t n_elements)
{
  const struct pg_objects *objects = &spec_of (loop)->objects;
  for (uint32_t o = 0; o < objects->n; o++)
    if (objects->objects[o].low == (uintptr_t) low && objects->objects[o].end == (uintptr_t) (low + n_elements))
      return true;
  return false;
}

/* ---- the tests */

static void
objects_are_what_is_touched (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  check (loop);
  assert_int_equal (spec_of (loop)->objects.n, 2);
  assert_true (had_object (loop, heap.y, N));
  assert_true (had_object (loop, heap.idx, N));
  assert_int_equal (row_of (loop)->n_copied_in, 2 * N * 8);
  assert_int_equal (row_of (loop)->n_copied_out, N * 8);
}

/* Reads and writes of one mapping were of one object.  */
static void
what_does_not_change_its_inputs_is_known (void **state)
{
  struct pg_descriptor *set = a_loop (false), *update = a_loop (true);
  (void) state;
  check (set);
  check (update);
  assert_true (spec_of (set)->is_reentrant);
  assert_false (spec_of (update)->is_reentrant);
  pg_environment.step = PG_RUNG_L1;
  check (set);
  assert_false (spec_of (set)->is_reentrant);
}

/* What is written numbers know, what is read only the monitor.  */
static void
what_bounds_tell_apart_is_not_noted (void **state)
{
  struct pg_descriptor *loop = with_kernel (a_new_region (gather_region), gather_kernel);
  struct gather_args args = { heap.behind, heap.y, heap.idx };
  (void) state;
  enter (loop, &args, N);
  for (int i = 0; i < N; i++)
    assert_int_equal (heap.behind[i], heap.y[heap.idx[i]]);
  assert_int_equal (spec_of (loop)->wish.method, PG_METHOD_PLAIN);
  assert_int_equal (row_of (loop)->n_rungs[PG_RUNG_L3], 1);
  args.to = heap.y + N;
  heap.idx[3] = N; /* is written by iteration 0 */
  enter (loop, &args, N);
  assert_int_equal (heap.y[N + 3], heap.y[N]);
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_CONFLICT), 1);
}

static void
bounds_are_kept_while_indices_are_the_same (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  check (loop);
  int n_first = n_monitors;
  assert_true (n_first > 0);
  check (loop);
  check (loop);
  assert_int_equal (n_monitors, n_first);
  assert_true (had_object (loop, heap.y, N));
}

/* The new index reaches outside of what was touched before.  */
static void
new_indices_have_new_bounds (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  check (loop);
  for (int round = 1; round <= 3; round++)
    {
      heap.idx[5] = N + 10 * round;
      check (loop);
      assert_true (had_object (loop, heap.y, N + 10 * round + 1));
    }
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_RAN), 4);
}

static void
moved_arrays_have_new_bounds (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  check (loop);
  check_at (loop, heap.y + N / 2, heap.idx, N);
  assert_true (had_object (loop, heap.y + N / 2, N));
  memcpy (heap.behind, heap.idx, sizeof heap.idx);
  check_at (loop, heap.y, heap.behind, N);
  assert_true (had_object (loop, heap.behind, N));
  check_at (loop, heap.y, heap.behind, 10);
  assert_true (had_object (loop, heap.behind, 10));
  int n_before = n_monitors;
  check_at (loop, heap.y + N / 2, heap.idx, N);
  assert_int_equal (n_monitors, n_before);
  assert_true (had_object (loop, heap.y + N / 2, N));
}

/* The pointer is into the middle of the array, or has nothing to do with it.  */
static void
indices_may_be_negative (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  for (int i = 0; i < N; i++)
    heap.idx[i] -= N / 2;
  check_at (loop, heap.y + N / 2, heap.idx, N);
  assert_true (had_object (loop, heap.y, N));
  for (int i = 0; i < N; i++)
    heap.idx[i] = i + N;
  check (loop);
  assert_true (had_object (loop, heap.y + N, N));
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_RAN), 2);
}

/* The loop writes its own index array, so what the monitor has read there may not be what the loop reads.  */
static void
bounds_that_may_be_wrong_are_not_used (void **state)
{
  struct pg_descriptor *loop = a_loop (true);
  struct scatter_args args = { heap.idx, heap.idx }, serial = { expected, expected };
  (void) state;
  for (int i = 0; i < N; i++)
    heap.idx[i] = i == 0 ? N - 1 : i - 1;
  memcpy (expected, heap.idx, sizeof heap.idx);
  scatter_body (&serial, 0, N / 2, NULL);
  enter (loop, &args, N / 2);
  assert_memory_equal (heap.idx, expected, sizeof heap.idx);
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_CONFLICT), 1);
  const struct pg_objects *objects = &spec_of (loop)->objects;
  assert_int_equal (objects->n, 1);
  assert_true (objects->objects[0].end - objects->objects[0].low >= sizeof heap);
}

static void
forced_steps_do_without (void **state)
{
  static const struct
  {
    int step;
    bool is_asked;
  } steps[]
    = { { PG_RUNG_L0, false }, { PG_RUNG_L1, false }, { PG_RUNG_L4, false }, { PG_RUNG_L3, true }, { -1, true } };
  (void) state;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    {
      struct pg_descriptor *loop = a_loop (false);
      n_monitors = 0;
      pg_environment.step = steps[i].step;
      check (loop);
      assert_int_equal (n_monitors > 0, steps[i].is_asked);
      assert_int_equal (had_object (loop, heap.y, N), steps[i].is_asked);
    }
}

/* Of a proven loop that may write its own indices nobody would find that bounds are wrong.  */
static void
proven_loops_are_asked_about_if_stable (void **state)
{
  (void) state;
  for (int is_stable = 0; is_stable < 2; is_stable++)
    {
      struct pg_region region = scatter_region;
      region.klass = PG_CLASS_PARALLEL;
      region.monitor = counted_monitor;
      region.body = put_body;
      region.refs = move_refs;
      region.flags = is_stable ? PG_REGION_SLICE_STABLE : 0;
      struct pg_descriptor *loop = with_kernel (a_new_region (region), put_kernel);
      check (loop);
      assert_int_equal (n_monitors > 0, is_stable);
      assert_int_equal (had_object (loop, heap.y, N), is_stable);
      assert_int_equal (row_of (loop)->n_rungs[PG_RUNG_L0], 1);
    }
}

static void
repair (int signal, siginfo_t *info, void *context)
{
  (void) signal, (void) info, (void) context;
}

/* A program that maps its memory when it is touched may not be ready for the monitor's threads.  */
static void
where_faults_are_repaired_nobody_asks (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO }, old;
  (void) state;
  sigaction (SIGSEGV, &action, &old);
  check (loop);
  sigaction (SIGSEGV, &old, NULL);
  assert_int_equal (n_monitors, 0);
}

/* Nobody asks where numbers tell everything.  */
static void
numbers_are_enough (void **state)
{
  struct pg_descriptor *loop = with_kernel (a_scale_region (), scale_kernel);
  struct scale_args args = { heap.y, heap.idx, heap.behind };
  (void) state;
  enter (loop, &args, N);
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_RAN), 1);
  assert_null (((const struct pg_state *) loop->state)->bounds);
}

/* The manager has the bounds of the entry that it was asked about.  */
static void
cooperation_has_bounds (void **state)
{
  struct pg_descriptor *loop = a_loop (false);
  (void) state;
  pg_environment.plan = PG_PLAN_COOPERATE;
  pg_environment.race = PG_RACE_DEVICE;
  for (int round = 0; round < 3; round++)
    {
      struct scatter_args args = { heap.y, heap.idx }, serial = { expected, heap.idx };
      heap.idx[5] = N + 10 * round;
      memcpy (expected, heap.y, sizeof expected);
      loop->body (&serial, 0, N, NULL);
      assert_int_equal (__paragon_enter_v1 (loop, &args, N), 1);
      await_manager ();
      assert_memory_equal (heap.y, expected, sizeof expected);
      assert_true (had_object (loop, heap.y, N + 10 * round + 1));
      assert_true (spec_of (loop)->is_reentrant);
    }
  assert_int_equal (n_offloaded (loop, PG_OFFLOAD_RAN), 3);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (objects_are_what_is_touched, set_up),
    cmocka_unit_test_setup (what_does_not_change_its_inputs_is_known, set_up),
    cmocka_unit_test_setup (what_bounds_tell_apart_is_not_noted, set_up),
    cmocka_unit_test_setup (bounds_are_kept_while_indices_are_the_same, set_up),
    cmocka_unit_test_setup (new_indices_have_new_bounds, set_up),
    cmocka_unit_test_setup (moved_arrays_have_new_bounds, set_up),
    cmocka_unit_test_setup (indices_may_be_negative, set_up),
    cmocka_unit_test_setup (bounds_that_may_be_wrong_are_not_used, set_up),
    cmocka_unit_test_setup (forced_steps_do_without, set_up),
    cmocka_unit_test_setup (proven_loops_are_asked_about_if_stable, set_up),
    cmocka_unit_test_setup (where_faults_are_repaired_nobody_asks, set_up),
    cmocka_unit_test_setup (numbers_are_enough, set_up),
    cmocka_unit_test_setup (cooperation_has_bounds, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
