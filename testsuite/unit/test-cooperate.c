//! link: -Wl,--wrap=pg_manager_run -Wl,--wrap=pg_speculation_new
/* SPDX-License-Identifier: MIT
   Entries that the caller and a device run at once: whoever is first, the loop's result is the right one.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "environment.h"
#include "fake-device.h"
#include "last-round.h"
#include "region-kernels.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N = 200
};

/* The arrays have mappings of their own: these are the objects of what is accessed indirectly.  */
static int64_t *a, *b, *c, expected[2 * N];

static int64_t *
an_array (void)
{
  char *pages = mmap (NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (pages != MAP_FAILED && sizeof expected <= 4096);
  assert_int_equal (mprotect (pages + 4096, 4096, PROT_READ | PROT_WRITE), 0);
  return (int64_t *) (pages + 4096);
}

static int
make_arrays (void **state)
{
  (void) state;
  a = an_array ();
  b = an_array ();
  c = an_array ();
  return 0;
}

static int
set_up (void **state)
{
  (void) state;
  plan_for_device (PG_PLAN_COOPERATE);
  pg_environment.race = PG_RACE_DEVICE;
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 31 % 101;
      b[i] = i * 7 % N;
      c[i] = -i;
    }
  return 0;
}

/* There is no memory for what a region has on a device.  */
static bool is_new_refused;
__typeof__ (pg_speculation_new) __real_pg_speculation_new, __wrap_pg_speculation_new;

struct pg_speculation *
__wrap_pg_speculation_new (const struct pg_region *region, struct pg_row *row)
{
  return is_new_refused ? NULL : __real_pg_speculation_new (region, row);
}

/* Enter REGION with ARGS; it runs.  */
static void
race (struct pg_descriptor *region, void *args, int64_t n)
{
  assert_int_equal (__paragon_enter_v1 (region, args, n), 1);
  await_quiet ();
}

/* Enter REGION, a scatter loop, and compare.  */
static void
check_scatter (struct pg_descriptor *region)
{
  struct scatter_args args = { c, b }, serial = { expected, b };
  memcpy (expected, c, sizeof expected);
  region->body (&serial, 0, N, NULL);
  race (region, &args, N);
  assert_memory_equal (c, expected, sizeof expected);
}

/* ---- the tests */

static void
the_device_is_first (void **state)
{
  struct pg_descriptor *scatter = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_descriptor *sum = with_kernel (a_sum_region (), sum_kernel);
  struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
  (void) state;
  check_scatter (scatter);
  assert_int_equal (n_offloaded (scatter, PG_OFFLOAD_RAN), 1);
  assert_int_equal (row_of (scatter)->n_device, 1);
  sum_body (&serial, 0, N, NULL);
  race (sum, &args, N);
  assert_memory_equal (&args, &serial, sizeof args);
  assert_int_equal (n_offloaded (sum, PG_OFFLOAD_RAN), 1);
}

static void
the_host_is_first (void **state)
{
  struct pg_descriptor *scatter = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_descriptor *sum = with_kernel (a_sum_region (), sum_kernel);
  struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
  (void) state;
  pg_environment.race = PG_RACE_HOST;
  check_scatter (scatter);
  assert_int_equal (n_offloaded (scatter, PG_OFFLOAD_LATE), 1);
  assert_int_equal (row_of (scatter)->n_sequential, 1);
  sum_body (&serial, 0, N, NULL);
  race (sum, &args, N);
  assert_memory_equal (&args, &serial, sizeof args);
}

/* What is before the conflict is the device's, then the caller runs a chunk, then the device has another part.  */
static void
a_conflict_ends_a_round (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (put_body, 2), put_kernel);
  (void) state;
  b[N * 6 / 10] = b[N * 6 / 10 - 1];
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_int_equal (row_of (region)->n_conflicts, 1);
  assert_in_range (row_of (region)->n_redone, 1, N / 2);
}

/* What a chunk with a conflict carried on is not what the one before it left.  */
static void
carried_values_are_of_good_chunks (void **state)
{
  struct pg_descriptor *region = with_kernel (a_sum_region (), sum_kernel);
  struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
  (void) state;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_AT;
  pg_environment.inject_number = N * 6 / 10;
  sum_body (&serial, 0, N, NULL);
  race (region, &args, N);
  assert_memory_equal (&args, &serial, sizeof args);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 1);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
}

/* Sums of floating-point numbers are cut as on the host, wherever a round ends.  */
static void
fixed_grids_are_the_hosts (void **state)
{
  static double numbers[N];
  struct pg_descriptor *region = with_kernel (an_fsum_region (), fsum_kernel), *hosts = an_fsum_region ();
  struct fsum_args host = { numbers, 0.1 };
  (void) state;
  for (int i = 0; i < N; i++)
    numbers[i] = 1.0 / (i + 1);
  pg_environment.plan = PG_PLAN_ORIGINAL;
  race (hosts, &host, N);
  pg_environment.plan = PG_PLAN_COOPERATE;
  pg_environment.inject = true;
  pg_environment.inject_kind = PG_INJECT_AT;
  for (int at = 0; at < N; at += N / 5)
    {
      struct fsum_args args = { numbers, 0.1 };
      pg_environment.inject_number = (uint64_t) at;
      race (region, &args, N);
      assert_true (args.sum == host.sum);
    }
  assert_in_range (n_offloaded (region, PG_OFFLOAD_RAN), 4, 5);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_CONFLICT), 5);
}

/* Every iteration conflicts with the next one.  */
static void
conflicts_end_all_rounds (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (put_body, 2), put_kernel);
  (void) state;
  for (int i = 0; i < N; i++)
    b[i] = i / 2;
  check_scatter (region);
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 0);
  assert_in_range (n_offloaded (region, PG_OFFLOAD_CONFLICT), 2, 16);
}

/* The iterations of the first half, which the caller has begun, write what those of the second half take back.  */
static void
bytes_that_change_back_are_written (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (put_body, 2), put_kernel);
  (void) state;
  pg_environment.inject = true; /* several chunks */
  pg_environment.inject_kind = PG_INJECT_AT;
  pg_environment.inject_number = 2 * N;
  for (int i = 0; i < N; i++)
    b[i] = i % (N / 4);
  for (int i = 0; i < N / 4; i++)
    c[i] = i + N - N / 4;
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
}

static void
write_elsewhere (void)
{
  c[N / 2] = 77777;
  a[1] = 88888;
}

/* Another thread writes between the elements that the loop writes.  */
static void
what_others_write_stays (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (put_body, 2), put_kernel);
  struct scatter_args args = { c, b };
  (void) state;
  device.on_launch = write_elsewhere;
  for (int i = 0; i < N / 2; i++)
    b[i] = i < N / 4 ? i : i + N / 4 + 1;
  race (region, &args, N / 2);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_RAN), 1);
  assert_int_equal (c[N / 2], 77777);
  for (int i = 0; i < N / 2; i++)
    assert_int_equal (c[b[i]], i);
}

/* Each call on the device fails once, in each way.  */
static void
whatever_fails_the_answer_is_right (void **state)
{
  static const enum pg_device_status ways[]
    = { PG_DEVICE_LOST, PG_DEVICE_NO_MEMORY, PG_DEVICE_FAULT, PG_DEVICE_TIMEOUT, PG_DEVICE_NOT_COMPILED };
  (void) state;
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
    {
      struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
      int fails_at = 0;
      do
	{
	  set_up (NULL);
	  device.n_calls = 0;
	  device.fails_at = fails_at++;
	  device.fails_as = ways[way];
	  check_scatter (region);
	  if (n_offloaded (region, PG_OFFLOAD_COMPILE) > 0)
	    region = with_kernel (a_scatter_region (), scatter_kernel);
	}
      while (device.n_calls > device.fails_at && fails_at < 100);
      assert_in_range (fails_at, 10, 99);
      assert_int_equal (row_of (region)->n_conflicts, 0);
    }
}

/* Delays at random: all outcomes are right ones.  */
static void
whoever_is_first_the_answer_is_right (void **state)
{
  struct pg_descriptor *scatter = with_kernel (a_scatter_region (), scatter_kernel);
  struct pg_descriptor *put = with_kernel (a_like_region (put_body, 2), put_kernel);
  struct pg_descriptor *sum = with_kernel (a_sum_region (), sum_kernel);
  (void) state;
  for (int seed = 0; seed < 200; seed++)
    {
      struct sum_args args = { .a = a, .sum = 5, .largest = 50 }, serial = args;
      set_up (NULL);
      pg_environment.race = PG_RACE_RANDOM;
      pg_environment.race_seed = seed;
      if (seed % 3 == 0)
	b[seed] = b[seed / 2];
      check_scatter (scatter);
      check_scatter (put);
      sum_body (&serial, 0, N, NULL);
      race (sum, &args, N);
      assert_memory_equal (&args, &serial, sizeof args);
    }
  int64_t n_ran = n_offloaded (put, PG_OFFLOAD_RAN), n_late = n_offloaded (put, PG_OFFLOAD_LATE);
  assert_true (n_ran + n_late + n_offloaded (put, PG_OFFLOAD_CONFLICT) >= 200);
}

static _Atomic bool is_launched, is_held;

static void
hold (void)
{
  atomic_store (&is_launched, true);
  while (atomic_load (&is_held))
    sched_yield ();
}

static int64_t
body_after_launch (void *args, int64_t lo, int64_t hi, void *ctx)
{
  while (!atomic_load (&is_launched))
    sched_yield ();
  return put_body (args, lo, hi, ctx);
}

static bool
is_manager_at_rest (void)
{
  bool is_free = pg_manager_claim ();
  if (is_free)
    pg_manager_release ();
  return is_free;
}

/* Who waits for that does not for ever.  */
static void
a_manager_at_work_for_nobody_comes_to_rest (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (body_after_launch, 2), put_kernel);
  struct scatter_args args = { c, b };
  (void) state;
  pg_environment.race = PG_RACE_HOST;
  device.on_launch = hold;
  atomic_store (&is_held, true);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  pg_manager_rest (1000000);
  assert_false (is_manager_at_rest ());
  atomic_store (&is_held, false);
  pg_manager_rest (60000000000);
  assert_true (is_manager_at_rest ());
  assert_int_equal (n_blocks (), 0);
}

static bool is_claimed;

/* Claims the manager between its choice and the round, if that is not open yet.  */
static int64_t
body_that_claims (void *args, int64_t lo, int64_t hi, void *ctx)
{
  while (lo == 0 && !is_claimed && state_now () == PG_COOPERATION_QUIET)
    is_claimed = pg_manager_claim ();
  return put_body (args, lo, hi, ctx);
}

/* Enter REGION, whose loop puts, and see that it has.  */
static void
race_and_see (struct pg_descriptor *region)
{
  struct scatter_args args = { c, b };
  memset (c, 0, sizeof expected);
  assert_int_equal (__paragon_enter_v1 (region, &args, N), 1);
  for (int i = 0; i < N; i++)
    assert_int_equal (c[b[i]], i);
}

/* Who may not wait for the manager goes on without it, for the choice as for a round.  */
static void
nobody_waits_for_a_busy_manager (void **state)
{
  struct pg_descriptor *busy = with_kernel (a_like_region (put_body, 2), put_kernel);
  struct pg_descriptor *then = with_kernel (a_like_region (body_that_claims, 2), put_kernel);
  int64_t n_device = 0;
  (void) state;
  pg_environment.race = PG_RACE_AUTO;
  assert_true (pg_manager_claim ());
  race_and_see (busy);
  assert_int_equal (n_offloaded (busy, PG_OFFLOAD_BUSY), 1);
  pg_manager_release ();
  for (int n = 0; n < 2000 && !is_claimed; n++)
    {
      n_device = n == 0 ? 0 : row_of (then)->n_device;
      race_and_see (then);
      if (is_claimed)
	pg_manager_release ();
      await_quiet ();
    }
  assert_true (is_claimed);
  assert_int_equal (row_of (then)->n_device, n_device);
}

static void
without_memory_or_a_manager_the_caller_goes_on (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  (void) state;
  is_new_refused = true;
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_NO_MEMORY), 1);
  is_new_refused = false;
  is_run_refused = true;
  check_scatter (region);
  assert_int_equal (row_of (region)->n_device, 0);
  is_run_refused = false;
  check_scatter (region);
  assert_int_equal (row_of (region)->n_device, 1);
}

static void
arguments_that_are_too_long_are_refused (void **state)
{
  static char room[PG_DEVICE_ARGS_LEN + 8];
  struct scatter_args args = { c, b };
  struct pg_region wide = scatter_region;
  (void) state;
  wide.args_len = sizeof room;
  memcpy (room, &args, sizeof args);
  struct pg_descriptor *region = with_kernel (a_new_region (wide), scatter_kernel);
  race (region, room, N);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LARGE), 1);
}

/* The scatter region with N_REFS references, all but its own ones to the indices.  */
static struct pg_descriptor *
with_references (uint32_t n_refs)
{
  static struct pg_descriptor descriptors[2];
  static unsigned char packed[2][2000];
  static struct pg_ref refs[PG_JOB_MOST_BOUNDS + 1];
  static int n;
  char text[1000];
  const char *name = "args 16 dims 1 refs 3", *at = strstr (scatter_kernel, name);
  struct pg_region region = scatter_region;
  region.refs = refs;
  region.n_refs = n_refs;
  for (uint32_t r = 0; r < n_refs; r++)
    refs[r] = scatter_refs[r == 1];
  snprintf (text, sizeof text, "%.*sargs 16 dims 1 refs %u%s", (int) (at - scatter_kernel), scatter_kernel, n_refs,
	    at + strlen (name));
  describe (&descriptors[n], &region, packed[n], sizeof packed[n]);
  return with_kernel (&descriptors[n++], text);
}

/* Without its bounds, the manager does not know what y[0], which is nowhere, belongs to.  */
static void
bounds_of_too_many_references_are_not_handed_over (void **state)
{
  struct scatter_args args = { (int64_t *) 8192, b };
  (void) state;
  for (int i = 0; i < N; i++)
    b[i] = (c - args.y) + i;
  for (int is_more = 0; is_more < 2; is_more++)
    {
      struct pg_descriptor *region = with_references (PG_JOB_MOST_BOUNDS + is_more);
      memcpy (expected, c, sizeof expected);
      scatter_body (&(struct scatter_args) { (int64_t *) 8192 - c + expected, b }, 0, N, NULL);
      race (region, &args, N);
      assert_memory_equal (c, expected, sizeof expected);
      assert_int_equal (n_offloaded (region, is_more ? PG_OFFLOAD_BOUNDS : PG_OFFLOAD_RAN), 1);
    }
}

/* a[i + *distance] = i, DISTANCE_NOW being what the distance is before the loop.  */
struct far_args
{
  int64_t *a, *distance, distance_now;
};

static int64_t
far_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct far_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    p->a[i + *p->distance] = i;
  return 0;
}

static const char far_kernel[]
  = "kernel \"far\" args 24 dims 1 refs 2\nb0:\n" ELEMENT "v4 = arg ptr 8\nv5 = load i64 v4 ref 0\nv6 = add i64 v1 v5\n"
    "v7 = shl i64 v6 v2\nv8 = arg ptr 0\nv9 = address ptr v8 v7\nstore void v9 v1 ref 1\nreturn void\nend\n";

static struct pg_descriptor *
a_far_region (void)
{
  static const struct pg_node nodes[] = { ARG (far_args, a),
					  CONSTANT (8),
					  ARG (far_args, distance),
					  ARG (far_args, distance_now),
					  { .op = PG_NODE_MUL, .a = 1, .b = 3 },
					  { .op = PG_NODE_ADD, .a = 0, .b = 4 } };
  static const struct pg_ref refs[]
    = { { .address = LINEAR (2, -1), .flags = PG_REF_READ | PG_REF_AFFINE | PG_REF_FEEDS, .group = 0, .len = 8 },
	{ .address = LINEAR (5, 1), .flags = PG_REF_WRITE | PG_REF_AFFINE, .group = 1, .len = 8 } };
  struct pg_region region = shift_region;
  region.body = far_body;
  region.args_len = sizeof (struct far_args);
  region.nodes = nodes;
  region.n_nodes = N_ELEMENTS (nodes);
  region.refs = refs;
  region.n_refs = N_ELEMENTS (refs);
  return with_kernel (a_new_region (region), far_kernel);
}

/* They are not right for all of the loop, then.  */
static void
numbers_that_the_loop_may_change_are_not_the_devices (void **state)
{
  struct pg_descriptor *near = a_far_region (), *apart = a_far_region ();
  struct far_args args = { a, &a[10], 0 };
  (void) state;
  a[10] = 0;
  memcpy (expected, a, sizeof expected);
  far_body (&(struct far_args) { expected, &expected[10], 0 }, 0, N, NULL);
  race (near, &args, N);
  assert_memory_equal (a, expected, sizeof expected);
  assert_int_equal (n_offloaded (near, PG_OFFLOAD_ADDRESS), 1);

  args.distance = c;
  args.distance_now = c[0] = 3;
  race (apart, &args, N);
  for (int i = 0; i < N; i++)
    assert_int_equal (a[i + 3], i);
  assert_int_equal (n_offloaded (apart, PG_OFFLOAD_RAN), 1);
}

/* ---- jumps and forks */

static sigjmp_buf out;
static int64_t jumps_at;

static int64_t
jumping_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      if (i == jumps_at)
	siglongjmp (out, 1);
      p->y[p->idx[i]] = i;
    }
  return 0;
}

/* As a signal handler does it.  Nothing of the round is committed, and the next entry is like any other.  */
static void
an_entry_may_be_left_by_a_jump (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (jumping_body, 2), put_kernel);
  struct scatter_args args = { c, b };
  (void) state;
  pg_environment.race = PG_RACE_HOST; /* the caller comes that far */
  jumps_at = N / 10;
  memcpy (expected, c, sizeof expected);
  for (int i = 0; i < jumps_at; i++)
    expected[b[i]] = i;
  if (sigsetjmp (out, 1) == 0)
    {
      race (region, &args, N);
      fail_msg ("not left");
    }
  assert_memory_equal (c, expected, sizeof expected);
  jumps_at = -1;
  for (int i = 0; i < N; i++)
    expected[b[i]] = i;
  race (region, &args, N); /* from the same frame: else nothing tells that the other one is gone */
  assert_memory_equal (c, expected, sizeof expected);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 2);
}

static _Atomic bool is_begun;

static void
await_body (void)
{
  while (!atomic_load (&is_begun))
    sched_yield ();
}

static int64_t
body_until_claimed (void *args, int64_t lo, int64_t hi, void *ctx)
{
  (void) args;
  (void) lo;
  (void) hi;
  (void) ctx;
  atomic_store (&is_begun, true);
  while (state_now () != PG_COOPERATION_DEVICE)
    sched_yield ();
  siglongjmp (out, 1);
}

/* The device is through, and waits for the caller to stop, who has left: what it did is dropped.  */
static void
a_claimed_round_may_be_left_by_a_jump (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (body_until_claimed, 2), put_kernel);
  struct pg_descriptor *sum = with_kernel (a_sum_region (), sum_kernel);
  struct scatter_args args = { c, b };
  struct sum_args sum_args = { .a = a };
  (void) state;
  device.on_launch = await_body;
  memcpy (expected, c, sizeof expected);
  if (sigsetjmp (out, 1) == 0)
    {
      race (region, &args, N);
      fail_msg ("not left");
    }
  race (sum, &sum_args, N); /* from the same frame */
  assert_memory_equal (c, expected, sizeof expected);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_LATE), 1);
}

static int child_status;

static int64_t
forking_body (void *args, int64_t lo, int64_t hi, void *ctx)
{
  struct scatter_args *p = args;
  (void) ctx;
  for (int64_t i = lo; i < hi; i++)
    {
      if (i == N / 10 && child_status == 0)
	{
	  pid_t child = fork ();
	  if (child == 0)
	    child_status = -1;
	  else
	    waitpid (child, &child_status, 0);
	}
      p->y[p->idx[i]] = i;
    }
  return 0;
}

/* The child goes on with the loop alone; its next entries are its own.  */
static void
an_entry_may_be_forked (void **state)
{
  struct pg_descriptor *region = with_kernel (a_like_region (forking_body, 2), put_kernel);
  struct scatter_args args = { c, b };
  (void) state;
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
  skip (); /* one lets no child of a fork start a thread; the other's allocator may be locked there */
#endif
  pg_environment.race = PG_RACE_HOST;
  memcpy (expected, c, sizeof expected);
  for (int i = 0; i < N; i++)
    expected[b[i]] = i;
  child_status = 0;
  __paragon_enter_v1 (region, &args, N);
  bool is_right = memcmp (c, expected, sizeof expected) == 0;
  if (child_status == -1)
    {
      __paragon_enter_v1 (region, &args, N);
      _exit (is_right && memcmp (c, expected, sizeof expected) == 0 && row_of (region)->n_entries == 2 ? 42 : 1);
    }
  await_quiet ();
  assert_true (is_right);
  assert_int_equal (WEXITSTATUS (child_status), 42);
}

static void
without_a_device_the_host_runs (void **state)
{
  struct pg_descriptor *region = with_kernel (a_scatter_region (), scatter_kernel);
  struct scatter_args args = { c, b };
  (void) state;
  pg_environment.device = 0;
  if (!__paragon_enter_v1 (region, &args, N))
    scatter_body (&args, 0, N, NULL);
  assert_int_equal (row_of (region)->n_device, 0);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_NO_DEVICE), 1);
  pg_environment.device = 1;
  region = a_scatter_region ();
  check_scatter (region);
  assert_int_equal (n_offloaded (region, PG_OFFLOAD_NO_KERNEL), 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup (the_device_is_first, set_up),
    cmocka_unit_test_setup (the_host_is_first, set_up),
    cmocka_unit_test_setup (a_conflict_ends_a_round, set_up),
    cmocka_unit_test_setup (carried_values_are_of_good_chunks, set_up),
    cmocka_unit_test_setup (fixed_grids_are_the_hosts, set_up),
    cmocka_unit_test_setup (conflicts_end_all_rounds, set_up),
    cmocka_unit_test_setup (bytes_that_change_back_are_written, set_up),
    cmocka_unit_test_setup (what_others_write_stays, set_up),
    cmocka_unit_test_setup (whatever_fails_the_answer_is_right, set_up),
    cmocka_unit_test_setup (whoever_is_first_the_answer_is_right, set_up),
    cmocka_unit_test_setup (nobody_waits_for_a_busy_manager, set_up),
    cmocka_unit_test_setup (without_memory_or_a_manager_the_caller_goes_on, set_up),
    cmocka_unit_test_setup (arguments_that_are_too_long_are_refused, set_up),
    cmocka_unit_test_setup (bounds_of_too_many_references_are_not_handed_over, set_up),
    cmocka_unit_test_setup (numbers_that_the_loop_may_change_are_not_the_devices, set_up),
    cmocka_unit_test_setup (a_manager_at_work_for_nobody_comes_to_rest, set_up),
    cmocka_unit_test_setup (an_entry_may_be_left_by_a_jump, set_up),
    cmocka_unit_test_setup (a_claimed_round_may_be_left_by_a_jump, set_up),
    cmocka_unit_test_setup (an_entry_may_be_forked, set_up),
    cmocka_unit_test_setup (without_a_device_the_host_runs, set_up),
  };
  return cmocka_run_group_tests (tests, make_arrays, NULL);
}
