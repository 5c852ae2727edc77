/* SPDX-License-Identifier: MIT
   The device without a GPU: its memory, what it leaves to chance, several of them, what they leave behind, and how they
   are asked for.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emu-kernels.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  N_SEEDS = 50
};

/* All of it can be given, given back and given again, in any order.  */
static void
memory_is_given_again (void **state)
{
  enum
  {
    LEN = MEMORY_LEN / 256
  };
  uint64_t pieces[256], whole;
  int n = 0;
  (void) state;
  while (n < 256 && pg_emu_alloc (emu, LEN, &pieces[n]) == PG_EMU_OK)
    n++;
  assert_ok (pg_emu_free (emu, pieces[2]));
  assert_int_equal (pg_emu_alloc (emu, LEN + 1, &pieces[2]), PG_EMU_NO_MEMORY);
  assert_ok (pg_emu_alloc (emu, LEN, &pieces[2]));
  assert_true (n > 200 && n < 256);
  for (int i = 0; i < n; i += 2)
    {
      assert_ok (pg_emu_free (emu, pieces[i]));
      pieces[i] = 0;
    }
  for (int i = 0; i < n; i += 2)
    {
      assert_ok (pg_emu_alloc (emu, LEN, &pieces[i]));
      for (int k = 0; k < n; k++)
	assert_true (k == i || pieces[k] + LEN < pieces[i] || pieces[i] + LEN < pieces[k]);
    }
  for (int i = 0; i < n; i++)
    assert_ok (pg_emu_free (emu, pieces[i]));
  assert_ok (pg_emu_alloc (emu, LEN, &pieces[0]));
  assert_ok (pg_emu_free (emu, pieces[0]));
  assert_ok (pg_emu_alloc (emu, LEN, &pieces[1])); /* what points to the freed one points to nothing */
  assert_true (pieces[0] != pieces[1]);
  assert_ok (pg_emu_free (emu, pieces[1]));
  assert_ok (pg_emu_alloc (emu, MEMORY_LEN, &whole));
  assert_ok (pg_emu_free (emu, whole));
}

static void
memory_is_random_at_first (void **state)
{
  static char bytes[4096];
  uint64_t address;
  int counts[256] = { 0 };
  (void) state;
  assert_ok (pg_emu_alloc (emu, sizeof bytes, &address));
  take (bytes, address, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    counts[(unsigned char) bytes[i]]++;
  assert_true (counts[0] < 1000);
  uint64_t out[64] = { 0 }, args = give (out, sizeof out);
  assert_ok (run ("unwritten_shared", 64, 1, &args, sizeof args));
  take (out, args, sizeof out);
  for (int i = 1; i < 64; i++)
    assert_true (out[i] != out[i - 1]);
}

/* ---- chance */

/* How many of N_SEEDS launches, each of which draws anew, of KERNEL leave other than EXPECTED at OUT.  */
static int
n_wrong (const char *kernel, uint32_t n_blocks, uint32_t n_threads, const void *args, size_t args_len, uint64_t out,
	 const int *expected, size_t n_expected)
{
  int result[64], n = 0;
  for (int i = 0; i < N_SEEDS; i++)
    {
      assert_ok (pg_emu_set (emu, out, 0, n_expected * sizeof *result));
      assert_ok (run (kernel, n_blocks, n_threads, args, args_len));
      assert_ok (pg_emu_copy_out (emu, result, out, n_expected * sizeof *result));
      n += memcmp (result, expected, n_expected * sizeof *result) != 0;
    }
  return n;
}

static void
races_show (void **state)
{
  int expected[64], sum;
  struct ints args = give_ints (64, 64);
  (void) state;
  for (int t = 0; t < 64; t++)
    expected[t] = numbers[(t + 1) % 64];
  assert_true (n_wrong ("missing_barrier", 1, 64, &args, sizeof args, args.out, expected, 64) > N_SEEDS / 2);
  sum = 400 * 64;
  assert_true (n_wrong ("lost_update", 1, 64, &args.out, 8, args.out, &sum, 1) > N_SEEDS / 2);
  sum = 400 * 8;
  assert_true (n_wrong ("lost_update", 8, 1, &args.out, 8, args.out, &sum, 1) > N_SEEDS / 4);
  take_ints (&args, expected, 64);
}

/* The device and module of all tests, while a test has another.  */
static struct pg_emu *main_emu;

static struct pg_emu_module *main_module;

static void
begin_other (const struct pg_emu_setup *setup)
{
  main_emu = emu;
  main_module = module;
  emu = open_device (setup);
  assert_ok (pg_emu_compile (emu, few_text, names, n_few, &module));
}

static void
end_other (void)
{
  pg_emu_close (emu);
  emu = main_emu;
  module = main_module;
}

/* On one thread of the host, too, blocks and threads run by turns; without preemption, only where they wait.  */
static void
races_show_on_one_thread (void **state)
{
  struct pg_emu_setup setup = setup_of ("threads:1");
  const int sums[] = { 400 * 8, 400 * 64 };
  (void) state;
  begin_other (&setup);
  uint64_t out = give (NULL, 4);
  assert_true (n_wrong ("lost_update", 8, 1, &out, 8, out, &sums[0], 1) > N_SEEDS / 4);
  end_other ();
  setup = setup_of ("threads:1,preempt:0");
  begin_other (&setup);
  out = give (NULL, 4);
  assert_int_equal (n_wrong ("lost_update", 8, 1, &out, 8, out, &sums[0], 1), 0);
  assert_int_equal (n_wrong ("lost_update", 1, 64, &out, 8, out, &sums[1], 1), 0);
  end_other ();
}

/* In which order threads came on a device with OPTIONS: of 12 blocks of 40, then twice of one block of 480.  */
static void
order_of (const char *options, int orders[3][481])
{
  struct pg_emu_setup setup = setup_of (options);
  begin_other (&setup);
  uint64_t out = give (NULL, sizeof orders[0]);
  for (int i = 0; i < 3; i++)
    {
      assert_ok (pg_emu_set (emu, out, 0, sizeof orders[0]));
      assert_ok (run ("order", i == 0 ? 12 : 1, i == 0 ? 40 : 480, &out, sizeof out));
      assert_ok (pg_emu_copy_out (emu, orders[i], out, sizeof orders[0]));
    }
  end_other ();
}

static void
a_seed_is_a_schedule (void **state)
{
  static int orders[3][3][481];
  (void) state;
  order_of ("seed:5,threads:1", orders[0]);
  order_of ("seed:5,threads:1", orders[1]);
  order_of ("threads:1,seed:6", orders[2]);
  assert_memory_equal (orders[0], orders[1], sizeof orders[0]);
  for (int i = 0; i < 3; i++)
    assert_memory_not_equal (orders[0][i], orders[2][i], sizeof orders[0][i]);
  assert_memory_not_equal (orders[0][1], orders[0][2], sizeof orders[0][1]);
  /* The first thread is in one of the first two blocks of a worker: these are not blocks 0 and 1 each time.  */
  assert_true (orders[0][0][1] / 40 > 1 || orders[2][0][1] / 40 > 1);
}

/* A device leaves nothing behind.  */
static void
closing_removes_all_files (void **state)
{
  char parent[] = "/tmp/paragon-emu-test-XXXXXX";
  struct pg_emu_setup setup = setup_of (NULL);
  const char *before = getenv ("TMPDIR");
  char *kept = before == NULL ? NULL : strdup (before);
  (void) state;
  assert_non_null (mkdtemp (parent));
  setenv ("TMPDIR", parent, 1);
  begin_other (&setup);
  assert_int_not_equal (rmdir (parent), 0);
  end_other ();
  assert_int_equal (rmdir (parent), 0);
  unsetenv ("TMPDIR");
  if (kept != NULL)
    setenv ("TMPDIR", kept, 1);
  free (kept);
}

/* Open a device with SETUP, start a kernel on it that never ends, and die.  Runs in a process of its own.  */
static _Noreturn void
be_killed (const struct pg_emu_setup *setup)
{
  static const char waits[] = "__global__ void waits (volatile int *flag) { while (*flag == 0) ; }\n";
  const char *kernel = "waits";
  char why[PG_EMU_TEXT_LEN];
  uint64_t flag = 0;
  const struct pg_emu_launch launch = launch_of (kernel, 1, 32, &flag, sizeof flag);
  if (pg_emu_open (setup, &emu, why) == PG_EMU_OK && pg_emu_alloc (emu, 4, &flag) == PG_EMU_OK
      && pg_emu_set (emu, flag, 0, 4) == PG_EMU_OK && pg_emu_compile (emu, waits, &kernel, 1, &module) == PG_EMU_OK
      && pg_emu_launch (emu, module, &launch) == PG_EMU_OK)
    raise (SIGKILL);
  _exit (1);
}

/* Nor does a program that was killed: the device's process notices.  */
static void
a_killed_program_leaves_no_files (void **state)
{
  char parent[] = "/tmp/paragon-emu-test-XXXXXX";
  struct pg_emu_setup setup = setup_of (NULL);
  int status, n_left = 600;
  (void) state;
  assert_non_null (mkdtemp (parent));
  pid_t child = fork ();
  if (child == 0)
    {
      setenv ("TMPDIR", parent, 1);
      be_killed (&setup);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  while (rmdir (parent) != 0 && --n_left > 0)
    nanosleep (&(struct timespec) { .tv_nsec = 100000000 }, NULL);
  assert_true (n_left > 0);
}

static void
two_devices_keep_apart (void **state)
{
  struct pg_emu_setup setup = setup_of (NULL);
  struct pg_emu *first = emu;
  int out = 5;
  uint64_t here, there;
  (void) state;
  here = give (NULL, 4);
  emu = open_device (&setup);
  assert_ok (pg_emu_alloc (emu, 4, &there));
  assert_true (here != there);
  assert_ok (pg_emu_copy_in (emu, there, &out, 4));
  assert_failed (run ("nothing", 1, 1, NULL, 0), PG_EMU_BAD_ARGUMENT, "another device's");
  pg_emu_close (emu);
  emu = first;
  take (&out, here, 4);
  assert_int_equal (out, 0);
}

static void
a_forked_process_is_refused (void **state)
{
  uint64_t address = give (NULL, 4);
  struct pg_emu_launch launch = launch_of ("nothing", 1, 1, NULL, 0);
  int status;
  (void) state;
  assert_ok (pg_emu_launch (emu, module, &launch));
  pid_t child = fork ();
  if (child == 0)
    _exit (pg_emu_set (emu, address, 1, 4) != PG_EMU_NO_DEVICE || pg_emu_wait (emu) != PG_EMU_NO_DEVICE);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_ok (pg_emu_wait (emu));
  assert_int_equal (status, 0);
  child = fork ();
  if (child == 0)
    _exit (run_launch (&launch) != PG_EMU_NO_DEVICE);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  assert_ok (pg_emu_free (emu, address));
  assert_goes_on ();
}

static void
what_cannot_be_opened_says_why (void **state)
{
  struct pg_emu *opened;
  char why[PG_EMU_TEXT_LEN];
  struct pg_emu_setup setup = setup_of (NULL);
  (void) state;
  setup.program = "/nowhere/emu-device";
  assert_int_equal (pg_emu_open (&setup, &opened, why), PG_EMU_NO_DEVICE);
  assert_string_equal (why, "/nowhere/emu-device cannot be started: No such file or directory");
  assert_null (opened);
  setup.program = "/bin/true";
  assert_int_equal (pg_emu_open (&setup, &opened, why), PG_EMU_NO_DEVICE);
  setup = setup_of (NULL);
  setup.len = 0;
  assert_int_equal (pg_emu_open (&setup, &opened, why), PG_EMU_BAD_ARGUMENT);
  setup = setup_of (NULL);
  setup.compiler = "no-such-g++";
  struct pg_emu *first = emu;
  struct pg_emu_module *none;
  emu = open_device (&setup);
  assert_failed (pg_emu_compile (emu, "", NULL, 0, &none), PG_EMU_NOT_COMPILED, "no-such-g++: No such file");
  pg_emu_close (emu);
  emu = first;
}

/* Fibers of the C library, for machines other than x86-64.  */
static void
fibers_of_the_c_library_do_as_well (void **state)
{
  struct pg_emu_setup setup = setup_of (NULL);
  char program[4200];
  (void) state;
  snprintf (program, sizeof program, "%s-ucontext", setup.program);
  setup.program = program;
  begin_other (&setup);
  assert_goes_on ();
  end_other ();
}

/* ---- the variable */

static void
options_are_read (void **state)
{
  struct pg_emu_options options;
  char complaint[200];
  (void) state;
  assert_true (pg_emu_parse (NULL, &options, complaint, sizeof complaint));
  assert_int_equal (options.seed, 1);
  assert_int_equal (options.n_threads, 0);
  assert_int_equal (options.preempt, 100);
  assert_true (pg_emu_parse ("", &options, complaint, sizeof complaint));
  assert_true (pg_emu_parse ("threads:3,seed:18446744073709551615,preempt:0", &options, complaint, sizeof complaint));
  assert_true (options.seed == UINT64_MAX);
  assert_int_equal (options.n_threads, 3);
  assert_int_equal (options.preempt, 0);
}

static void
options_that_are_not_known_are_named (void **state)
{
  static const char *const bad[] = {
    "seed",    "seed:",    "seed:x",    "seed:1x",    "seed:-1",      "seed:18446744073709551616", "seed:1,",
    ",seed:1", "seed:1,,", "threads:0", "threads:65", "seed:1seed:2", "seed:5threads:2",           "seed:1,seed:2"
  };
  struct pg_emu_options options;
  char complaint[200], expected[200];
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      assert_false (pg_emu_parse (bad[i], &options, complaint, sizeof complaint));
      assert_int_equal (options.seed, 1);
      assert_int_equal (options.n_threads, 0);
      snprintf (expected, sizeof expected, "PARAGON_EMU=%s is not known and ignored; known: seed:N,threads:N,preempt:N",
		bad[i]);
      assert_string_equal (complaint, expected);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (memory_is_given_again),
    cmocka_unit_test (memory_is_random_at_first),
    cmocka_unit_test (races_show),
    cmocka_unit_test (races_show_on_one_thread),
    cmocka_unit_test (a_seed_is_a_schedule),
    cmocka_unit_test (closing_removes_all_files),
    cmocka_unit_test (a_killed_program_leaves_no_files),
    cmocka_unit_test (two_devices_keep_apart),
    cmocka_unit_test (a_forked_process_is_refused),
    cmocka_unit_test (what_cannot_be_opened_says_why),
    cmocka_unit_test (fibers_of_the_c_library_do_as_well),
    cmocka_unit_test (options_are_read),
    cmocka_unit_test (options_that_are_not_known_are_named),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
