/* SPDX-License-Identifier: MIT
   What is known of a device's costs says what the next entry takes there: that of the samples, of more iterations, with
   other copies.  The clock is the test's.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device-costs.h"

enum
{
  N = 1000000,
  LEN = 8 * N,
  LAUNCH_NS = 10000,
  ITER_PS = 500,
  CHECKED_PS = 800,
  BYTE_PS = 100,
  OTHER_NS = 30000
};

/* What the device takes for N_ITERS iterations, of 8 bytes each way, of which IN_LEN bytes are copied.  */
static struct pg_device_sample
sample_of (int64_t n_iters, int64_t in_len, bool is_checked)
{
  int64_t iter_ps = is_checked ? CHECKED_PS : ITER_PS;
  return (struct pg_device_sample) { .entry_iters = n_iters,
				     .n_iters = n_iters,
				     .n_chunks = 1,
				     .is_checked = is_checked,
				     .is_committed = true,
				     .all_len = 8 * n_iters,
				     .in_len = in_len,
				     .in_ns = in_len * BYTE_PS / 1000,
				     .kernel_ns = LAUNCH_NS + n_iters * iter_ps / 1000,
				     .out_len = 8 * n_iters,
				     .out_ns = 8 * n_iters * BYTE_PS / 1000,
				     .other_ns = OTHER_NS };
}

/* The device's time for SAMPLE, all in all.  */
static int64_t
wall (const struct pg_device_sample *sample)
{
  return sample->in_ns + sample->kernel_ns + sample->out_ns + sample->other_ns;
}

static void
assert_about (int64_t ns, int64_t expected)
{
  assert_in_range (ns, expected - expected / 50, expected + expected / 50);
}

static void
what_never_ran_is_unknown (void **state)
{
  const struct pg_device_costs device = { .launch_ns = 1 };
  const struct pg_loop_costs loop = { .n_iters = 0 };
  (void) state;
  assert_int_equal (pg_device_costs_ns (&device, &loop, N, 0, false), -1);
  assert_int_equal (pg_device_costs_len (&loop, LEN, N), 0);
}

static void
the_same_entry_takes_what_it_took (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample sample = sample_of (N, LEN, false);
  (void) state;
  pg_device_costs_learn (&device, &loop, &sample);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&sample));
  assert_int_equal (pg_device_costs_ns (&device, &loop, N, LEN, true), -1);
}

/* Another loop's short kernel tells what of this one's is the launch.  */
static void
a_launch_is_told_from_iterations (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 }, other = loop;
  struct pg_device_sample sample = sample_of (N, LEN, false), small = sample_of (1, 8, false);
  (void) state;
  pg_device_costs_learn (&device, &loop, &sample);
  pg_device_costs_learn (&device, &other, &small);
  struct pg_device_sample larger = sample_of (4 * N, 4 * LEN, false);
  assert_about (pg_device_costs_ns (&device, &loop, 4 * N, 4 * LEN, false), wall (&larger));
  assert_int_equal (device.launch_ns, LAUNCH_NS);
}

static void
data_that_are_there_cost_nothing (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample cold = sample_of (N, LEN, false), resident = sample_of (N, 0, false);
  (void) state;
  pg_device_costs_learn (&device, &loop, &cold);
  assert_about (pg_device_costs_ns (&device, &loop, N, 0, false), wall (&resident));
  assert_int_equal (pg_device_costs_len (&loop, loop.in_len, N / 2), LEN / 2);
  pg_device_costs_learn (&device, &loop, &resident);
  assert_int_equal (pg_device_costs_len (&loop, loop.in_len, N), 0);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&cold));
}

static void
kernels_that_check_cost_their_own (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample plain = sample_of (N, LEN, false), checked = sample_of (N, LEN, true);
  (void) state;
  pg_device_costs_learn (&device, &loop, &plain);
  assert_int_equal (loop.was_checked, false);
  pg_device_costs_learn (&device, &loop, &checked);
  assert_int_equal (loop.was_checked, true);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&plain));
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, true), wall (&checked));
}

/* The device may have run some chunks of an entry, before a conflict or as it was late.  Each copies all back.  */
static void
a_part_tells_what_the_whole_takes (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample whole = sample_of (N, LEN, false), part = whole, launched = sample_of (1, 8, false);
  (void) state;
  part.n_iters = N / 2;
  part.n_chunks = 2;
  part.kernel_ns = LAUNCH_NS + (whole.kernel_ns - LAUNCH_NS) / 2;
  part.out_len *= 2;
  part.out_ns *= 2;
  pg_device_costs_learn (&device, &loop, &launched);
  pg_device_costs_learn (&device, &loop, &part);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&whole));
  assert_int_equal (pg_device_costs_len (&loop, loop.all_len, N), LEN);
}

/* A first time, with memory never touched, says little about the next.  */
static void
a_slow_first_time_is_forgotten_at_once (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample slow = sample_of (N, LEN, false), usual = slow;
  (void) state;
  slow.kernel_ns *= 50;
  slow.in_ns *= 50;
  slow.out_ns *= 50;
  slow.other_ns *= 50;
  pg_device_costs_learn (&device, &loop, &slow);
  pg_device_costs_learn (&device, &loop, &usual);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&usual));
}

static void
what_has_become_slow_is_learnt_by_quarters (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample usual = sample_of (N, LEN, false), slow = usual;
  (void) state;
  slow.kernel_ns *= 8;
  pg_device_costs_learn (&device, &loop, &usual);
  pg_device_costs_learn (&device, &loop, &slow);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false),
		wall (&usual) + (slow.kernel_ns - usual.kernel_ns) / 4);
  for (int i = 0; i < 30; i++)
    pg_device_costs_learn (&device, &loop, &slow);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&slow));
}

/* To compile kernels, or to copy to no avail, is not what entries usually do.  */
static void
what_is_not_usual_is_left_out (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample sample = sample_of (N, LEN, false), odd = sample;
  (void) state;
  pg_device_costs_learn (&device, &loop, &sample);
  odd.other_ns = 0;
  odd.is_committed = false;
  odd.out_ns /= 2;
  pg_device_costs_learn (&device, &loop, &odd);
  assert_about (pg_device_costs_ns (&device, &loop, N, LEN, false), wall (&sample));
}

/* Nor do a few bytes tell what many take.  */
static void
short_copies_are_in_the_rest (void **state)
{
  struct pg_device_costs device = { 0 };
  struct pg_loop_costs loop = { .n_iters = 0 };
  struct pg_device_sample sample = sample_of (100, 800, false);
  (void) state;
  sample.in_ns = sample.out_ns = 7000;
  pg_device_costs_learn (&device, &loop, &sample);
  assert_int_equal (device.in_ps, 0);
  assert_int_equal (device.out_ps, 0);
  assert_about (pg_device_costs_ns (&device, &loop, 100, 800, false), wall (&sample));
}

static void
the_processs_device_is_asked_and_told (void **state)
{
  struct pg_device_costs device;
  struct pg_loop_costs kept = { .n_iters = 0 }, loop;
  struct pg_device_sample sample = sample_of (N, LEN, false);
  (void) state;
  pg_device_costs_note (&kept, &sample);
  assert_true (pg_device_costs_read (&device, &loop, &kept));
  assert_memory_equal (&loop, &kept, sizeof loop);
  assert_int_equal (device.launch_ns, sample.kernel_ns);
  int64_t ns = pg_device_costs_ns (&device, &loop, N / 2, LEN / 4, false);
  assert_int_equal (pg_device_costs_look (&kept, N / 2, LEN / 4, false), ns);
  assert_int_equal (kept.in_len, LEN / 2);
}

/* Hints are whatever a file says.  */
static void
large_numbers_can_be_added_up (void **state)
{
  const struct pg_device_costs device = { 1, INT64_MAX / 64, INT64_MAX / 64 };
  const struct pg_loop_costs loop = { .kernels = { { 1, INT64_MAX / 64 } },
				      .n_iters = 1,
				      .all_len = INT64_MAX / 64,
				      .out_len = INT64_MAX / 64,
				      .other_ns = INT64_MAX / 64 };
  (void) state;
  assert_true (pg_device_costs_ns (&device, &loop, INT64_MAX, INT64_MAX, false) > 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (what_never_ran_is_unknown),
    cmocka_unit_test (the_same_entry_takes_what_it_took),
    cmocka_unit_test (a_launch_is_told_from_iterations),
    cmocka_unit_test (data_that_are_there_cost_nothing),
    cmocka_unit_test (kernels_that_check_cost_their_own),
    cmocka_unit_test (a_part_tells_what_the_whole_takes),
    cmocka_unit_test (a_slow_first_time_is_forgotten_at_once),
    cmocka_unit_test (what_has_become_slow_is_learnt_by_quarters),
    cmocka_unit_test (what_is_not_usual_is_left_out),
    cmocka_unit_test (short_copies_are_in_the_rest),
    cmocka_unit_test (the_processs_device_is_asked_and_told),
    cmocka_unit_test (large_numbers_can_be_added_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
