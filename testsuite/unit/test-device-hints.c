/* SPDX-License-Identifier: MIT
   What entries cost on a device is known to the next run of the program, if it is the same device.  Each run is a
   process of its own.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device-hints.h"
#include "fake-device.h"
#include "kept-folder.h"
#include "region-kernels.h"

#include <sys/wait.h>
#include <unistd.h>

enum
{
  N = 10000,
  LEN = 8 * N,
  MOST_ROWS = 250
};

/* What a run was told: of the loop, and of the device.  */
struct told
{
  struct pg_loop_costs loop;
  struct pg_device_costs device;
};

static int
make_folder (void **state)
{
  (void) state;
  start_folder ();
  pg_environment.device = 1;
  device.identity = "fake 1";
  return 0;
}

/* A run opens the device, and asks what is known of REGION, in FILE; its kernels take KERNEL_NS, if that is not 0, and
   the run ends.  */
static struct told
run (struct pg_descriptor *region, char *file, int64_t kernel_ns)
{
  static struct pg_speculation spec;
  static int64_t a[10];
  struct scale_args args = { a, a, a };
  struct told told = { .loop.n_iters = 0 };
  __paragon_enter_v1 (region, &args, 10);
  struct pg_state *own = region->state;
  own->region.file = file;
  struct pg_device *taken = pg_device_take ();
  pg_device_hints_give (pg_costs_key (own), &told.loop);
  pg_device_costs_read (&told.device, &spec.costs, &told.loop);
  pg_device_leave (taken);
  const struct pg_device_sample sample = { .entry_iters = N,
					   .n_iters = N,
					   .n_chunks = 1,
					   .is_committed = true,
					   .all_len = 3 * LEN,
					   .in_len = LEN,
					   .in_ns = LEN / 4,
					   .kernel_ns = kernel_ns,
					   .out_len = LEN,
					   .out_ns = LEN / 2,
					   .other_ns = 7000 };
  own->speculation = &spec;
  if (kernel_ns != 0)
    pg_device_costs_note (&spec.costs, &sample);
  pg_device_hints_write ();
  return told;
}

/* The same in a process of its own.  */
static struct told
next_run (char *file, int64_t kernel_ns)
{
  struct told told;
  int ends[2], status;
  assert_int_equal (pipe (ends), 0);
  pid_t child = fork ();
  if (child == 0)
    {
      told = run (with_kernel (a_scale_region (), scale_kernel), file, kernel_ns);
      _exit (write (ends[1], &told, sizeof told) != sizeof told);
    }
  close (ends[1]);
  ssize_t len = read (ends[0], &told, sizeof told);
  close (ends[0]);
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
  assert_int_equal (len, sizeof told);
  return told;
}

static int64_t
told_ns (char *file, int64_t kernel_ns)
{
  return next_run (file, kernel_ns).loop.kernels[0].ns;
}

/* Data have to be copied again.  */
static void
the_next_run_has_them (void **state)
{
  (void) state;
  assert_int_equal (told_ns ("a.c", 0), 0);
  assert_int_equal (told_ns ("a.c", 5000), 0);
  struct told told = next_run ("a.c", 0);
  assert_int_equal (told.loop.kernels[0].ns, 5000);
  assert_int_equal (told.loop.kernels[0].n_iters, N);
  assert_int_equal (told.loop.in_len, 3 * LEN);
  assert_int_equal (told.loop.out_len, LEN);
  assert_int_equal (told.loop.other_ns, 7000);
  assert_int_equal (told.device.launch_ns, 5000);
  assert_int_equal (told.device.in_ps, 250);
  assert_int_equal (told.device.out_ps, 500);
  assert_int_equal (told_ns ("a.c", 4000), 5000);
  assert_int_equal (told_ns ("a.c", 0), 4000);
}

/* An entry that compiles kernels does not tell what the rest of one takes, so what was told stays.  */
static void
entries_begin_with_them (void **state)
{
  static int64_t a[10], b[10], c[10];
  struct scale_args args = { a, b, c };
  int status;
  (void) state;
  next_run ("src/loops.c", 5000);
  pid_t child = fork ();
  if (child == 0)
    {
      struct pg_descriptor *region = with_kernel (a_scale_region (), scale_kernel);
      reset_device ();
      pg_environment.limit = -1;
      pg_environment.plan = PG_PLAN_DEVICE;
      enter (region, &args, 10);
      _exit (((struct pg_state *) region->state)->speculation->costs.other_ns != 7000);
    }
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
}

/* What a byte and a launch cost is known to all loops.  */
static void
loops_have_their_own (void **state)
{
  (void) state;
  next_run ("a.c", 5000);
  struct told told = next_run ("b.c", 6000);
  assert_int_equal (told.loop.n_iters, 0);
  assert_int_equal (told.device.launch_ns, 5000);
  assert_int_equal (told_ns ("a.c", 0), 5000);
  assert_int_equal (told_ns ("b.c", 0), 6000);
}

static void
another_device_has_none (void **state)
{
  (void) state;
  next_run ("a.c", 5000);
  device.identity = "fake 2";
  struct told told = next_run ("a.c", 0);
  assert_int_equal (told.loop.n_iters, 0);
  assert_int_equal (told.device.launch_ns, 0);
  device.identity = NULL;
  assert_int_equal (told_ns ("a.c", 6000), 0);
  assert_int_equal (told_ns ("a.c", 0), 0);
  device.identity = "fake 1";
  assert_int_equal (told_ns ("a.c", 0), 5000);
}

static void
only_who_asks_keeps_any (void **state)
{
  (void) state;
  pg_environment.cache = NULL;
  next_run ("a.c", 5000);
  pg_environment.cache = folder;
  assert_int_equal (told_ns ("a.c", 0), 0);
  pg_environment.inject = true;
  next_run ("a.c", 5000);
  pg_environment.inject = false;
  pg_environment.mode = PG_MODE_COMPARE;
  next_run ("a.c", 5000);
  pg_environment.mode = PG_MODE_ON;
  assert_int_equal (told_ns ("a.c", 0), 0);
}

/* A run that ends in the middle of something, or a file that was not written here.  */
static void
what_is_kept_can_be_computed_with (void **state)
{
  (void) state;
  struct pg_loop_costs loop = { .kernels = { { INT64_MAX, -1 }, { -5, INT64_MAX } },
				.was_checked = 77,
				.n_iters = INT64_MIN,
				.all_len = 5,
				.other_ns = INT64_MAX };
  pg_loop_costs_bound (&loop);
  assert_int_equal (loop.kernels[0].n_iters, INT64_MAX / 64);
  assert_int_equal (loop.kernels[0].ns, 0);
  assert_int_equal (loop.kernels[1].n_iters, 0);
  assert_int_equal (loop.kernels[1].ns, INT64_MAX / 64);
  assert_int_equal (loop.was_checked, 1);
  assert_int_equal (loop.n_iters, 0);
  assert_int_equal (loop.all_len, 5);
  assert_int_equal (loop.other_ns, INT64_MAX / 64);
}

static void
what_was_not_used_for_longest_makes_room (void **state)
{
  (void) state;
  next_run ("first.c", 5000);
  next_run ("second.c", 6000);
  next_run ("first.c", 0);
  pid_t child = fork ();
  if (child == 0)
    {
      for (int i = 0; i < MOST_ROWS - 1; i++)
	{
	  char name[20];
	  snprintf (name, sizeof name, "%d.c", i);
	  run (a_scale_region (), name, 7000);
	  ((struct pg_state *) pg_stats_rows ())->speculation = NULL;
	}
      _exit (0);
    }
  int status;
  waitpid (child, &status, 0);
  assert_int_equal (status, 0);
  assert_int_equal (told_ns ("second.c", 0), 0);
  assert_int_equal (told_ns ("first.c", 0), 5000);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (the_next_run_has_them, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (entries_begin_with_them, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (loops_have_their_own, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (another_device_has_none, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (only_who_asks_keeps_any, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (what_is_kept_can_be_computed_with, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown (what_was_not_used_for_longest_makes_room, make_folder, remove_folder),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
