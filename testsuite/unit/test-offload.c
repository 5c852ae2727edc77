//! link: -Wl,--wrap=pg_log_write -Wl,--wrap=process_vm_readv -Wl,--wrap=calloc -Wl,--wrap=malloc
//! link: -Wl,--wrap=pg_imports_flags
/* SPDX-License-Identifier: MIT
   Entries on a device that fails when it is told to: whatever becomes of them, the loop's result is the right one.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "imports.h"
#include "kernels.h"
#include "logged.h"
#include "region-kernels.h"
#include "speculate.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <sys/uio.h>

enum
{
  N = 1000
};

static int64_t a[2 * N], b[N], c[2 * N], expected[2 * N];

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_DEVICE);
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 31 % 101;
      b[i] = i * 7 % N;
      c[i] = -i;
    }
  return 0;
}

/* How many blocks can still be had before one cannot; -1: all can.  */
static int n_blocks_left = -1;

static bool
is_refused (void)
{
  return n_blocks_left >= 0 && n_blocks_left-- == 0;
}

void *__real_calloc (size_t n, size_t len);
void *__wrap_calloc (size_t n, size_t len);

void *
__wrap_calloc (size_t n, size_t len)
{
  return is_refused () ? NULL : __real_calloc (n, len);
}

void *__real_malloc (size_t len);
void *__wrap_malloc (size_t len);

void *
__wrap_malloc (size_t len)
{
  return is_refused () ? NULL : __real_malloc (len);
}

/* The program asks for flags that floating-point operations raise.  */
static bool looks_at_flags;
__typeof__ (pg_imports_flags) __wrap_pg_imports_flags;

bool
__wrap_pg_imports_flags (void)
{
  return looks_at_flags;
}

/* Enter REGION, a scatter loop, and compare.  */
static void
check_scatter (struct pg_descriptor *region)
{
  struct scatter_args args = { c, b }, serial = { expected, b };
  memcpy (expected, c, sizeof c);
  region->body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (c, expected, sizeof c);
}

/* Enter REGION, a loop that sums, and compare.  */
static void
check_sum (struct pg_descriptor *region)
{
  struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
  sum_body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (&args, &serial, sizeof args);
}

/* ---- the tests */

static void
what_numbers_settle_is_not_noted (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scale_region (), scale_kernel);
  struct scale_args args = { a, b, c };
  (void) state;
  enter (region, &args, N);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[i], 2 * a[i] + b[i]);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_int_equal (row_of (region)->n_device, 1);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L1], 1);
}

static void
carried_values_come_back (void **state)
{
  struct pg_descriptor *region = with_kernel (a_sum_region (), sum_kernel);
  struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
  (void) state;
  sum_body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (&args, &serial, sizeof args);
  assert_int_equal (row_of (region)->n_rungs[PG_RUNG_L0], 1);
}

/* Sums of floating-point numbers are cut as on the host.  */
static void
fixed_grids_are_the_hosts (void **state)
{
  static double numbers[N];
  struct pg_descriptor *region = with_kernel (an_fsum_region (), fsum_kernel), *hosts = an_fsum_region ();
  struct fsum_args args = { numbers, 0.1 }, host = args;
  (void) state;
  for (int i = 0; i < N; i++)
    numbers[i] = 1.0 / (i + 1);
  pg_environment.plan = PG_PLAN_ORIGINAL;
  enter (hosts, &host, N);
  pg_environment.plan = PG_PLAN_DEVICE;
  enter (region, &args, N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_true (args.sum == host.sum);
}

static int64_t
largest_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct fsum_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->sum = p->a[i] > p->sum ? p->a[i] : p->sum;
  return 0;
}

/* The largest of floating-point numbers: wherever the loop is cut, it is the same.  */
static void
without_a_fixed_grid_threads_share_the_loop (void **state)
{
  static const char kernel[] = "kernel \"largest\" args 16 dims 1 refs 1\ncarry f64 max 8\nb0:\n" ELEMENT
			       "v4 = carry f64 0\nv5 = arg ptr 0\nv6 = address ptr v5 v3\nv7 = load f64 v6 ref 0\n"
			       "v8 = flt i8 v4 v7\nv9 = select f64 v8 v7 v4\nnext void v9 carry 0\nreturn void\nend\n";
  static const struct pg_reduction reductions[]
    = { { .op = PG_REDUCE_MAX, .type = PG_F64, .offset = offsetof (struct fsum_args, sum) } };
  static double numbers[N];
  struct pg_region region = fsum_region;
  (void) state;
  region.flags &= (uint8_t) ~PG_REGION_FIXED_GRID;
  region.body = largest_body;
  region.reductions = reductions;
  struct pg_descriptor *largest = with_kernel (a_new_region (region), kernel);
  for (int at = 0; at < N; at += N / 5)
    {
      struct fsum_args args = { numbers, 0.5 };
      for (int i = 0; i < N; i++)
	numbers[i] = i == at ? 2.0 + i : 1.0 / (i + 1);
      enter (largest, &args, N);
      assert_true (args.sum == 2.0 + at);
    }
  assert_int_equal (n_offloaded (largest, PG_OFFLOAD_RAN), 5);
  const struct pg_speculation *spec = ((struct pg_state *) row_of (largest))->speculation;
  assert_int_equal (spec->variant->mappings[PG_ROLE_FIRST], PG_KIR_CHUNKED);
}

static void
every_method_judges (void **state)
{
  (void) state;
  for (int method = PG_METHOD_PLAIN; method < PG_N_METHODS; method++)
    {
      struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
      bool is_blind = method == PG_METHOD_ATOMIC || method == PG_METHOD_REDUCTION; /* an update is two accesses */
      pg_environment.method = method;
      set_up (NULL);
      pg_environment.method = method;
      check_scatter (region);
      assert_int_equal (n_offloaded (region, is_blind ? PG_OFFLOAD_CONFLICT : PG_OFFLOAD_RAN), 1);
      assert_int_equal (row_of (region)->n_rungs[method == PG_METHOD_INSPECTOR ? PG_RUNG_L3
						 : is_blind                    ? PG_RUNG_L5
									       : PG_RUNG_L4],
			1);
      b[N - 1] = b[3];
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), is_blind ? 2 : 1);
      assert_int_equal (row_of (region)->n_conflicts, is_blind ? 2 : 1);
    }
}

static int n_launches;

static void
count_launch (void)
{
  n_launches++;
}

/* One kernel, to be measured; the answer is the host's.  */
static void
what_notes_nothing_is_not_believed (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  (void) state;
  pg_environment.method = PG_N_METHODS;
  device.on_launch = count_launch;
  n_launches = 0;
  b[N - 1] = b[3];
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_UNSAFE), 1);
  assert_int_equal (row_of (region)->n_device, 0);
  assert_int_equal (n_launches, 1);
  const struct pg_wish *wish = &((struct pg_state *) row_of (region))->speculation->wish;
  assert_int_equal (wish->method, PG_METHOD_PLAIN);
  assert_int_equal (wish->n_arrays, 0);
  assert_int_equal (wish->more, 0);
}

static volatile sig_atomic_t n_handled;
static int n_handled_there;

static void
handle (int number)
{
  (void) number;
  n_handled++;
}

static void
raise_there (void)
{
  raise (SIGUSR1);
  n_handled_there = n_handled;
}

/* A handler may leave by a jump: the device and the manager must not be in use then.  */
static void
signals_wait_for_the_device (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scale_region (), scale_kernel);
  struct scale_args args = { a, b, c };
  (void) state;
  n_handled = 0;
  signal (SIGUSR1, handle);
  device.on_launch = raise_there;
  enter (region, &args, N);
  signal (SIGUSR1, SIG_DFL);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_int_equal (n_handled_there, 0);
  assert_int_equal (n_handled, 1);
}

/* Of loops that only write: each method says the same.  */
static void
writes_are_told_apart (void **state)
{
  (void) state;
  for (int method = PG_METHOD_PLAIN; method < PG_N_METHODS; method++)
    {
      struct pg_descriptor *region = with_kernel (a_like_region (put_body, 2), put_kernel);
      set_up (NULL);
      pg_environment.method = method;
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
      b[N - 1] = b[3];
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
    }
}

/* Where only reads meet writes, what does not look at them is not asked.  */
static void
reads_are_looked_at (void **state)
{
  (void) state;
  for (int method = PG_METHOD_PLAIN; method < PG_N_METHODS; method++)
    {
      struct pg_descriptor *region = with_kernel (a_like_region (move_body, 3), move_kernel);
      set_up (NULL);
      pg_environment.method = method;
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
      for (int i = 0; i < N; i++)
	b[i] = N + i;
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
    }
}

static void
known_conflicts_are_not_tried (void **state)
{
  struct pg_descriptor *region = with_kernel (a_shift_region (), shift_kernel);
  struct shift_args args = { a, 1 }, serial = { expected, 1 };
  int n_calls = device.n_calls;
  (void) state;
  memcpy (expected, a, sizeof a);
  shift_body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (a, expected, sizeof a);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
  assert_int_equal (device.n_calls, n_calls);

  pg_environment.step = PG_RUNG_L4;
  memcpy (expected, a, sizeof a);
  shift_body (&serial, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (a, expected, sizeof a);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 2);
  assert_true (device.n_calls > n_calls);
}

static void
conflicts_can_be_forced (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_AT;
  pg_environment.inject_number = 500;
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
}

/* Each call on the device fails once, in each way, with the kernels compiled before or not.  */
static void
whatever_fails_the_answer_is_right (void **state)
{
  static const struct
  {
    enum pg_device_status status;
    enum pg_offloaded offloaded;
  } ways[] = { { PG_DEVICE_LOST, PG_OFFLOAD_LOST },
	       { PG_DEVICE_NO_MEMORY, PG_OFFLOAD_NO_MEMORY },
	       { PG_DEVICE_FAULT, PG_OFFLOAD_FAULT },
	       { PG_DEVICE_TIMEOUT, PG_OFFLOAD_TIMEOUT } };
  (void) state;
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
    for (int method = PG_METHOD_FULL; method <= PG_METHOD_INSPECTOR; method += PG_METHOD_INSPECTOR - PG_METHOD_FULL)
      {
	struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
	int fails_at = 0;
	do
	  {
	    set_up (NULL);
	    pg_environment.method = method;
	    device.n_calls = 0;
	    device.fails_at = fails_at++;
	    device.fails_as = ways[way].status;
	    check_scatter (region);
	    if (n_offloaded (region, PG_OFFLOAD_COMPILE) > 0)
	      region = with_kernel (a_scatter_region (), scatter_kernel);
	  }
	while (device.n_calls > device.fails_at && fails_at < 100);
	assert_in_range (fails_at, 10, 99);
	assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
	int64_t n_failed = n_offloaded (region, ways[way].offloaded) + n_offloaded (region, PG_OFFLOAD_LOST);
	assert_true (n_failed > 5);
	assert_int_equal (row_of (region)->n_conflicts, 0);
      }
}

/* The same of what a loop carries, and where the library itself has no memory.  */
static void
whatever_fails_sums_are_right (void **state)
{
  (void) state;
  for (int is_device = 0; is_device < 2; is_device++)
    {
      int fails_at = 0, n_ran = 0;
      bool has_failed;
      do
	{
	  struct pg_descriptor *region = with_kernel (a_sum_region (), sum_kernel);
	  set_up (NULL);
	  device.n_calls = 0;
	  device.fails_at = is_device ? fails_at : -1;
	  device.fails_as = PG_DEVICE_FAULT;
	  n_blocks_left = is_device ? -1 : fails_at;
	  check_sum (region);
	  has_failed = is_device ? device.n_calls > fails_at : n_blocks_left < 0;
	  n_blocks_left = -1;
	  n_ran += n_offloaded (region, PG_OFFLOAD_RAN) > 0;
	}
      while (has_failed && fails_at++ < 60);
      assert_in_range (fails_at, 3, 60);
      assert_in_range (n_ran, 1, fails_at);
    }
}

static void
without_memory_for_a_region_there_is_no_device (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  (void) state;
  n_blocks_left = 0;
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_NO_MEMORY), 1);
  n_blocks_left = -1;
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
}

/* A device raises no flags.  */
static void
flags_that_are_asked_for_are_the_hosts (void **state)
{
  static double numbers[N];
  struct pg_descriptor *sum = with_kernel (an_fsum_region (), fsum_kernel);
  struct pg_descriptor *scatter = with_kernel (a_scatter_region (), scatter_kernel);
  struct fsum_args args = { numbers, 0.1 };
  (void) state;
  looks_at_flags = true;
  enter (sum, &args, N);
  check_scatter (scatter);
  looks_at_flags = false;
  assert_int_equal (n_offloaded (sum, PG_OFFLOAD_FLAGS), 1);
  assert_int_equal (n_offloaded (scatter, PG_OFFLOAD_RAN), 1);
}

/* They have numbers of 32 bits there.  */
static void
too_many_iterations_are_refused (void **state)
{
  static struct pg_speculation nothing;
  (void) state;
  assert_int_equal (pg_speculation_run (&nothing, 5, 5 + (int64_t) UINT32_MAX), PG_OFFLOAD_LARGE);
}

static void
what_became_of_the_device_is_in_the_log (void **state)
{
  (void) state;
  pg_log_mask = 1U << PG_LOG_CHECK;
  device.n_calls = 0;
  device.fails_at = 1;
  device.fails_as = PG_DEVICE_LOST;
  check_scatter (with_kernel (a_scatter_region (), scatter_kernel));
  assert_string_equal (logged, "src/loops.c:30 scatter: device fake: it was told to");
  reset_device ();
  check_scatter (with_kernel (a_scatter_region (), scatter_kernel));
  assert_non_null (strstr (logged, "scatter: 0 to 1000 on the device by "));
  pg_log_mask = 0;
}

static void
kernels_that_do_not_compile_are_not_tried_again (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  (void) state;
  device.n_calls = device.fails_at = 0;
  device.fails_as = PG_DEVICE_NOT_COMPILED;
  check_scatter (region);
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_COMPILE), 2);
  assert_int_equal (device.n_calls, 1);
}

static void
refusals_have_names (void **state)
{
  struct pg_descriptor *none = a_scatter_region (), *bad = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_descriptor *other = with_kernel (a_scatter_region (), sum_kernel);
  struct pg_descriptor *few = with_kernel (a_scatter_region (), "kernel \"few\" args 16 dims 1 refs 1\nb0:\n"
								"v1 = arg ptr 8\nv2 = load i64 v1 ref 0\n"
								"return void\nend\n");
  struct pg_region erring = scatter_region;
  erring.flags |= PG_REGION_MAY_SET_ERRNO;
  struct pg_descriptor *with_errno = with_kernel (a_new_region (erring), scatter_kernel);
  struct pg_descriptor *row
    = with_kernel (a_scatter_region (), "kernel \"row\" args 16 dims 1 refs 3\nb0:\nv1 = arg ptr 0\n"
					"v2 = load ptr v1 ref 1\nv3 = load i64 v2 ref 1\nstore void v1 v3 ref 1\n"
					"return void\nend\n");
  (void) state;
  uint32_t len;
  unsigned char *packed = (unsigned char *) pg_descriptor_packed (bad, &len);
  set_packed (bad, packed, len - 1);
  check_scatter (none);
  check_scatter (bad);
  check_scatter (other);
  check_scatter (few);
  check_scatter (with_errno);
  check_scatter (row);
  assert_int_equal (n_offloaded (none, PG_OFFLOAD_NO_KERNEL), 1);
  assert_int_equal (n_offloaded (bad, PG_OFFLOAD_NO_KERNEL), 1);
  assert_int_equal (n_offloaded (other, PG_OFFLOAD_NO_KERNEL), 1);
  assert_int_equal (n_offloaded (few, PG_OFFLOAD_NO_KERNEL), 1);
  assert_int_equal (n_offloaded (with_errno, PG_OFFLOAD_ERRNO), 1);
  assert_int_equal (n_offloaded (row, PG_OFFLOAD_ADDRESS), 1);

  struct pg_descriptor *good = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_device *taken = pg_device_take ();
  assert_non_null (taken);
  assert_null (pg_device_take ());
  check_scatter (good);
  assert_int_equal (n_offloaded (good, PG_OFFLOAD_NO_DEVICE), 1);
  pg_device_leave (taken);
  pg_environment.device = 0;
  check_scatter (good);
  assert_int_equal (n_offloaded (good, PG_OFFLOAD_NO_DEVICE), 2);
}

/* y[0] is in no mapping, and the monitor is not asked.  */
static void
unknown_bounds_are_refused (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  struct scatter_args args = { (int64_t *) 8192, b };
  (void) state;
  pg_environment.step = PG_RUNG_L4;
  for (int i = 0; i < N; i++)
    b[i] = (c - args.y) + i;
  memcpy (expected, c, sizeof c);
  scatter_body (&(struct scatter_args) { (int64_t *) 8192 - c + expected, b }, 0, N, NULL);
  enter (region, &args, N);
  assert_memory_equal (c, expected, sizeof c);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_BOUNDS), 1);
}

static int read_error; /* 0: memory can be read */

ssize_t __real_process_vm_readv (pid_t pid, const struct iovec *to, unsigned long n_to, const struct iovec *from,
				 unsigned long n_from, unsigned long flags);
ssize_t __wrap_process_vm_readv (pid_t pid, const struct iovec *to, unsigned long n_to, const struct iovec *from,
				 unsigned long n_from, unsigned long flags);

ssize_t
__wrap_process_vm_readv (pid_t pid, const struct iovec *to, unsigned long n_to, const struct iovec *from,
			 unsigned long n_from, unsigned long flags)
{
  errno = read_error;
  return read_error != 0 ? -1 : __real_process_vm_readv (pid, to, n_to, from, n_from, flags);
}

/* Where processes are kept from reading memory by that call, and of memory that is not the kernel's.  */
static void
what_cannot_be_read_is_not_taken_for_anything (void **state)
{
  static const int errors[] = { EPERM, ENOSYS, EFAULT };
  (void) state;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    {
      struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
      read_error = errors[i];
      check_scatter (region);
      read_error = 0;
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_BOUNDS), 1);
      check_scatter (region);
      assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
    }
}

/* What floating-point numbers depend on, and devices do not have.  */
static void
rounding_and_nans_are_the_hosts (void **state)
{
  static double numbers[N];
  struct pg_descriptor *region = with_kernel (an_fsum_region (), fsum_kernel);
  struct fsum_args args = { numbers, 0.1 };
  (void) state;
  fesetround (FE_UPWARD);
  enter (region, &args, N);
  fesetround (FE_TONEAREST);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_ROUNDING), 1);
#ifdef __x86_64__
  __builtin_ia32_ldmxcsr (__builtin_ia32_stmxcsr () | 0x8040);
  enter (region, &args, N);
  __builtin_ia32_ldmxcsr (__builtin_ia32_stmxcsr () & ~0x8040u);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_ROUNDING), 2);
#endif
  numbers[5] = NAN;
  enter (region, &args, N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_NAN), 1);
  assert_true (isnan (args.sum));
}

static void
write_beside (void)
{
  c[N + 5] = 4711;
}

/* What others write meanwhile in the same object stays.  */
static void
only_what_the_loop_wrote_is_written (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  struct scatter_args args = { c, b };
  (void) state;
  b[N - 1] = N + 9;
  c[N + 5] = 1;
  device.on_launch = write_beside;
  enter (region, &args, N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_int_equal (c[N + 5], 4711);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (what_numbers_settle_is_not_noted, set_up),
    cmocka_unit_test_setup (carried_values_come_back, set_up),
    cmocka_unit_test_setup (fixed_grids_are_the_hosts, set_up),
    cmocka_unit_test_setup (without_a_fixed_grid_threads_share_the_loop, set_up),
    cmocka_unit_test_setup (every_method_judges, set_up),
    cmocka_unit_test_setup (what_notes_nothing_is_not_believed, set_up),
    cmocka_unit_test_setup (signals_wait_for_the_device, set_up),
    cmocka_unit_test_setup (writes_are_told_apart, set_up),
    cmocka_unit_test_setup (reads_are_looked_at, set_up),
    cmocka_unit_test_setup (known_conflicts_are_not_tried, set_up),
    cmocka_unit_test_setup (conflicts_can_be_forced, set_up),
    cmocka_unit_test_setup (whatever_fails_the_answer_is_right, set_up),
    cmocka_unit_test_setup (whatever_fails_sums_are_right, set_up),
    cmocka_unit_test_setup (without_memory_for_a_region_there_is_no_device, set_up),
    cmocka_unit_test_setup (flags_that_are_asked_for_are_the_hosts, set_up),
    cmocka_unit_test_setup (too_many_iterations_are_refused, set_up),
    cmocka_unit_test_setup (what_became_of_the_device_is_in_the_log, set_up),
    cmocka_unit_test_setup (kernels_that_do_not_compile_are_not_tried_again, set_up),
    cmocka_unit_test_setup (refusals_have_names, set_up),
    cmocka_unit_test_setup (unknown_bounds_are_refused, set_up),
    cmocka_unit_test_setup (what_cannot_be_read_is_not_taken_for_anything, set_up),
    cmocka_unit_test_setup (rounding_and_nans_are_the_hosts, set_up),
    cmocka_unit_test_setup (only_what_the_loop_wrote_is_written, set_up),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
