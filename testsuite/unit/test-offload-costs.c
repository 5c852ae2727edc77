/* SPDX-License-Identifier: MIT
   Entries on a device by what they cost: the device, its clock and what the host takes are the test's, and each entry's
   result is the loop's.  */
//! link: -Wl,--wrap=clock_gettime -Wl,--wrap=process_vm_readv -Wl,--wrap=pg_manager_await
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "manager.h"
#include "region-kernels.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <time.h>

enum
{
  N = 20000,
  LEN = N * 8,
  TICK_NS = 100, /* each look at the clock */
  KERNEL_NS = 1000000,
  BYTE_NS = 10 /* of a copy in */
};

static int64_t a[N], b[N], c[N];

static _Atomic int64_t clock_ns = 1000000000;

int __wrap_clock_gettime (clockid_t clock, struct timespec *t);
ssize_t __wrap_process_vm_readv (pid_t pid, const struct iovec *local, unsigned long n_local,
				 const struct iovec *remote, unsigned long n_remote, unsigned long flags);

int
__wrap_clock_gettime (clockid_t clock, struct timespec *t)
{
  int64_t ns = atomic_fetch_add (&clock_ns, TICK_NS);
  (void) clock;
  *t = (struct timespec) { ns / 1000000000, ns % 1000000000 };
  return 0;
}

/* Copies to the device go on only when the host is through with its loop, and waits for them.  */
static _Atomic bool is_held;
static struct pg_state *raced;

__typeof__ (pg_manager_await) __real_pg_manager_await, __wrap_pg_manager_await;

void
__wrap_pg_manager_await (uint32_t seen, int64_t ns)
{
  is_held = is_held && raced->entry.done < N;
  __real_pg_manager_await (seen, ns);
}

/* The first part of a copy in.  */
ssize_t
__wrap_process_vm_readv (pid_t pid, const struct iovec *local, unsigned long n_local, const struct iovec *remote,
			 unsigned long n_remote, unsigned long flags)
{
  (void) pid;
  (void) flags;
  assert_int_equal (n_local, 1);
  assert_int_equal (n_remote, 1);
  while (is_held)
    sched_yield ();
  memcpy (local->iov_base, remote->iov_base, local->iov_len);
  atomic_fetch_add (&clock_ns, (int64_t) local->iov_len * BYTE_NS);
  return (ssize_t) local->iov_len;
}

static void
run_kernel (void)
{
  atomic_fetch_add (&clock_ns, KERNEL_NS);
}

static struct pg_speculation *
spec_of (struct pg_descriptor *region)
{
  return ((struct pg_state *) row_of (region))->speculation;
}

/* A region that has run on the device twice, and is left to the plan then.  What it took to compile kernels does not
   count.  */
static struct pg_descriptor *
a_known_region (void)
{
  struct pg_descriptor *region = with_kernel (a_scale_region (), scale_kernel);
  struct scale_args args = { a, b, c };
  pg_environment.plan = PG_PLAN_DEVICE;
  enter (region, &args, N);
  assert_int_equal (spec_of (region)->costs.other_ns, 0);
  enter (region, &args, N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 2);
  pg_environment.plan = PG_PLAN_AUTO;
  return region;
}

/* Enter REGION, which takes the host HOST_NS; the plan says PLANNED.  */
static void
check_entry (struct pg_descriptor *region, int64_t host_ns, enum pg_device_choice planned)
{
  struct scale_args args = { a, b, c };
  struct pg_plan *plan = &((struct pg_state *) row_of (region))->plan;
  int64_t n = row_of (region)->n_device_plans[planned];
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 31 % 101;
      b[i] = i * 7 % N + n;
      c[i] = -i;
    }
  plan->alone_ps = host_ns * 1000 / N;
  memset (plan->sizes, 0, sizeof plan->sizes);
  if (!__paragon_enter_v1 (region, &args, N))
    region->body (&args, 0, N, NULL);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[i], 2 * a[i] + b[i]);
  assert_int_equal (row_of (region)->n_device_plans[planned], n + 1);
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_AUTO);
  pg_environment.n_threads = 1;
  device.on_launch = run_kernel;
  return 0;
}

static void
entries_tell_what_they_cost (void **state)
{
  struct pg_descriptor *region = a_known_region ();
  const struct pg_loop_costs *costs = &spec_of (region)->costs;
  struct pg_device_costs device_costs;
  struct pg_loop_costs loop;
  (void) state;
  assert_true (pg_device_costs_read (&device_costs, &loop, costs));
  assert_in_range (device_costs.launch_ns, KERNEL_NS, KERNEL_NS + 50 * TICK_NS);
  assert_in_range (device_costs.in_ps, BYTE_NS * 1000, BYTE_NS * 1000 + 100);
  assert_in_range (device_costs.out_ps, 1, 100);
  assert_int_equal (costs->kernels[0].n_iters, N);
  assert_int_equal (costs->kernels[1].n_iters, 0);
  assert_int_equal (costs->all_len, 3 * LEN);
  assert_in_range (costs->in_len, 3 * LEN, 3 * LEN + 100);
  assert_in_range (costs->out_len, LEN, LEN + 100);
  assert_in_range (costs->other_ns, TICK_NS, 100 * TICK_NS);
}

/* With what has to be copied.  */
static void
the_faster_one_runs_it (void **state)
{
  struct pg_descriptor *region = a_known_region ();
  (void) state;
  check_entry (region, 2 * (KERNEL_NS + 3 * LEN * BYTE_NS), PG_DEVICE_PLAN_COLD);
  assert_int_equal (row_of (region)->n_device, 3);
  check_entry (region, KERNEL_NS / 2, PG_DEVICE_PLAN_DEAR);
  assert_int_equal (row_of (region)->n_device, 3);
}

/* They take 4.8 times as long as the kernel, so each entry there loses 2.8 kernels, and each here 2.  */
static void
copies_are_saved_for (void **state)
{
  struct pg_descriptor *region = a_known_region ();
  (void) state;
  for (int i = 0; i < 4; i++)
    check_entry (region, 3 * KERNEL_NS, PG_DEVICE_PLAN_SAVING);
  check_entry (region, 3 * KERNEL_NS, PG_DEVICE_PLAN_BUYING);
  assert_int_equal (row_of (region)->n_device, 3);
}

/* The data are thought to be there, and are not.  */
static void
a_look_keeps_dear_copies_from_being_made (void **state)
{
  struct pg_descriptor *region = a_known_region ();
  (void) state;
  spec_of (region)->costs.in_len = 0;
  check_entry (region, 2 * KERNEL_NS, PG_DEVICE_PLAN_RESIDENT);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_DEAR), 1);
  assert_int_equal (row_of (region)->n_device, 2);
  check_entry (region, 2 * KERNEL_NS, PG_DEVICE_PLAN_RESTING);
  check_entry (region, 2 * KERNEL_NS, PG_DEVICE_PLAN_SAVING);
  assert_int_equal (n_blocks (), 0);
}

/* As an entry before it may have left it.  */
static void
a_manager_at_work_is_left_alone (void **state)
{
  struct pg_descriptor *region = a_known_region ();
  (void) state;
  check_entry (region, 100 * KERNEL_NS, PG_DEVICE_PLAN_COLD);
  assert_true (pg_manager_claim ());
  check_entry (region, 100 * KERNEL_NS, PG_DEVICE_PLAN_COLD);
  pg_manager_release ();
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_BUSY), 1);
  assert_int_equal (row_of (region)->n_device, 3);
}

/* Goes on when the manager has chosen.  */
static int64_t
raced_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  while (lo > 0 && raced->entry.cooperation.phase == PG_COOPERATES_ASKED
	 && !pg_manager_is_done (raced->entry.cooperation.ticket))
    sched_yield ();
  return scale_body (args, lo, hi, ctx);
}

/* A race of REGION, whose copies do not end before the host is through with its loop, and has waited or not.  */
static void
race (struct pg_descriptor *region, int64_t aside_ns)
{
  raced->device_plan.aside_ns = aside_ns;
  raced->device_plan.sizes[14] = (struct pg_device_rest) { 0, 0 };
  is_held = true;
  check_entry (region, 3 * KERNEL_NS, PG_DEVICE_PLAN_UNKNOWN);
  is_held = false;
  await_manager ();
}

/* The host waits for them as long as its plan lets it.  */
static void
kernels_that_come_late_tell_what_they_take (void **state)
{
  struct pg_region described = scale_region;
  struct scale_args args = { a, b, c };
  (void) state;
  described.body = raced_body;
  described.body_noalias = NULL;
  struct pg_descriptor *region = with_kernel (a_new_region (described), scale_kernel);
  pg_environment.plan = PG_PLAN_ORIGINAL;
  enter (region, &args, 1);
  pg_environment.plan = PG_PLAN_AUTO;
  raced = (struct pg_state *) row_of (region);
  race (region, -KERNEL_NS);
  assert_int_equal (spec_of (region)->costs.n_iters, 0);
  race (region, INT64_MAX / 4);
  assert_in_range (spec_of (region)->costs.n_iters, N / 2, N);
  assert_int_equal (row_of (region)->n_device, 0);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 2);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (entries_tell_what_they_cost, set_up),
    cmocka_unit_test_setup (the_faster_one_runs_it, set_up),
    cmocka_unit_test_setup (copies_are_saved_for, set_up),
    cmocka_unit_test_setup (a_look_keeps_dear_copies_from_being_made, set_up),
    cmocka_unit_test_setup (kernels_that_come_late_tell_what_they_take, set_up),
    cmocka_unit_test_setup (a_manager_at_work_is_left_alone, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
