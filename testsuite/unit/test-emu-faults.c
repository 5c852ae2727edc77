/* SPDX-License-Identifier: MIT
   The device without a GPU: what a kernel, its text, its launch or the program may not do is reported, and the device
   goes on.  */
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

static void
a_kernel_with_one_pointer_fails (const char *kernel, uint32_t n_threads, const char *words)
{
  uint64_t args = give (NULL, 4096);
  assert_failed (run (kernel, 1, n_threads, &args, sizeof args), PG_EMU_FAULT, words);
  assert_non_null (strstr (pg_emu_message (emu), kernel));
  assert_ok (pg_emu_free (emu, args));
  assert_goes_on ();
}

static void
divergent_barriers_are_reported (void **state)
{
  (void) state;
  a_kernel_with_one_pointer_fails ("ended_before_barrier", 64, "thread (3, 0, 0), which has ended");
  a_kernel_with_one_pointer_fails ("two_barriers", 64, "divergent barrier: waits in line");
}

static void
lanes_that_never_come_are_reported (void **state)
{
  (void) state;
  a_kernel_with_one_pointer_fails ("lane_never_comes", 32, "names lane 9, which never comes: it has ended");
  a_kernel_with_one_pointer_fails ("lane_is_at_barrier", 32,
				   "names lane 9, which never comes: it waits at the barrier");
  a_kernel_with_one_pointer_fails ("masks_differ", 32, "where this one uses 0xf");
  a_kernel_with_one_pointer_fails ("lane_never_comes", 8, "names lane 8, which the block does not have");
  a_kernel_with_one_pointer_fails ("not_in_mask", 32, "the mask 0x000000ff does not name lane");
}

static void
a_byte_outside_is_reported (void **state)
{
  char address[32];
  (void) state;
  uint64_t first = give (NULL, 100), second = give (NULL, 8192), to = give (NULL, 1);
  const uint64_t inside[] = { first, first + 99, second, second + 8191 };
  const uint64_t outside[] = { first - 1, first + 100, second - 1, second + 8192 };
  for (size_t i = 0; i < 4; i++)
    {
      uint64_t args[] = { inside[i], to };
      assert_ok (run ("read_byte", 1, 1, args, sizeof args));
      args[0] = outside[i];
      assert_failed (run ("read_byte", 1, 1, args, sizeof args), PG_EMU_FAULT, "kernel read_byte: thread (0, 0, 0)");
      snprintf (address, sizeof address, "reads 1 bytes at 0x%llx,", (unsigned long long) outside[i]);
      assert_non_null (strstr (pg_emu_message (emu), address));
      assert_failed (run ("write_byte", 1, 1, &outside[i], 8), PG_EMU_FAULT, "writes 1 bytes at");
    }
  uint64_t across[] = { second + 4096 - 8, to };
  assert_failed (run ("read_double", 1, 1, across, sizeof across), PG_EMU_FAULT, "writes 8 bytes at");
  uint64_t misaligned[] = { second + 4, to };
  assert_failed (run ("read_double", 1, 1, misaligned, sizeof misaligned), PG_EMU_FAULT, "misaligned");
  misaligned[0] = second + 2;
  assert_failed (run ("update_int", 1, 1, misaligned, 8), PG_EMU_FAULT, "misaligned");
  assert_ok (pg_emu_free (emu, second));
  assert_failed (run ("read_byte", 1, 1, (uint64_t[]) { inside[2], to }, 16), PG_EMU_FAULT, "in no allocation");
  assert_ok (pg_emu_free (emu, first));
  assert_ok (pg_emu_free (emu, to));
  assert_goes_on ();
}

/* As by a GPU: a printed load of 8 bytes, not byte by byte.  */
static void
misaligned_printed_accesses_are_reported (void **state)
{
  (void) state;
  uint64_t args[] = { give (x, sizeof x), give (NULL, sizeof y), 0, 1 }, first = args[0];
  assert_ok (run ("kir_axpy", 1, 1, args, sizeof args));
  args[0] += 4;
  assert_failed (run ("kir_axpy", 1, 1, args, sizeof args), PG_EMU_FAULT, "reads 8 bytes");
  assert_non_null (strstr (pg_emu_message (emu), "misaligned"));
  assert_ok (pg_emu_free (emu, first));
  assert_ok (pg_emu_free (emu, args[1]));
  assert_goes_on ();
}

static void
host_addresses_are_reported (void **state)
{
  static double here = 1.5;
  double also_here = 2.5;
  double kept = 3.5;
  uint64_t to = give (&kept, 8);
  (void) state;
  const void *addresses[] = { &here, &also_here, (const void *) (uintptr_t) run, NULL, environ };
  for (size_t i = 0; i < 5; i++)
    {
      uint64_t args[] = { (uint64_t) (uintptr_t) addresses[i] & ~(uint64_t) 7, to };
      assert_failed (run ("read_double", 1, 1, args, sizeof args), PG_EMU_FAULT, "reads 8 bytes at");
    }
  kept = 0;
  take (&kept, to, sizeof kept);
  assert_true (kept == 3.5);
}

static void
the_program_has_no_device_memory (void **state)
{
  uint64_t address = give (NULL, 8);
  int status;
  (void) state;
  pid_t child = fork ();
  if (child == 0)
    {
      signal (SIGSEGV, SIG_DFL);
      *(volatile char *) (uintptr_t) address = 1;
      _exit (0);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (status != 0);
  assert_ok (pg_emu_free (emu, address));
}

static void
shared_memory_has_an_end (void **state)
{
  struct
  {
    uint64_t out;
    int32_t at, unused;
  } args = { give (NULL, 4), 9, 0 };
  struct pg_emu_launch launch = launch_of ("beyond_dynamic", 1, 1, &args, 12);
  (void) state;
  launch.shared_len = 40;
  assert_ok (run_launch (&launch));
  args.at = 10;
  assert_failed (run_launch (&launch), PG_EMU_FAULT, "kernel beyond_dynamic");
  assert_ok (pg_emu_free (emu, args.out));
}

static void
other_faults_are_reported (void **state)
{
  struct
  {
    uint64_t out;
    int32_t n, unused;
  } args = { give (NULL, 4), 100, 0 };
  (void) state;
  assert_ok (run ("deep_stack", 1, 1, &args, 12));
  args.n = 1 << 20;
  assert_failed (run ("deep_stack", 1, 1, &args, 12), PG_EMU_FAULT, "bytes of stack");
  args.n = 0;
  assert_failed (run ("divide", 1, 1, &args, 12), PG_EMU_FAULT, "thread (0, 0, 0) of block (0, 0, 0): Floating point");
  assert_failed (run ("quit", 1, 1, NULL, 0), PG_EMU_FAULT, "kernel quit: the device's process died");
  assert_ok (pg_emu_free (emu, args.out));
  assert_goes_on ();
}

static void
endless_kernels_are_ended (void **state)
{
  uint64_t flag = give (NULL, 4);
  struct pg_emu_launch launch = launch_of ("endless", 1, 32, &flag, sizeof flag);
  uint32_t unused = 0;
  (void) state;
  launch.limit_ms = 50;
  assert_failed (run_launch (&launch), PG_EMU_TIMEOUT, "kernel endless: not done after 50 ms");
  launch.kernel = "endless_in_registers";
  launch.args = &unused;
  launch.args_len = sizeof unused;
  assert_failed (run_launch (&launch), PG_EMU_TIMEOUT, "kernel endless_in_registers");
  assert_ok (pg_emu_launch (emu, module, &launch));
  assert_failed (run ("nothing", 1, 1, NULL, 0), PG_EMU_TIMEOUT, "kernel endless_in_registers");
  assert_ok (pg_emu_free (emu, flag));
  assert_goes_on ();
}

/* ... although a process that was forked off has all that the program had.  */
static void
what_was_ended_writes_no_more (void **state)
{
  uint64_t counter = give (NULL, 4);
  struct pg_emu_launch launch = launch_of ("count_for_ever", 1, 1, &counter, sizeof counter);
  int hold[2], before, after;
  char byte;
  (void) state;
  assert_int_equal (pipe (hold), 0);
  pid_t child = fork ();
  if (child == 0)
    {
      close (hold[1]);
      _exit (read (hold[0], &byte, 1) != 0);
    }
  launch.limit_ms = 50;
  assert_failed (run_launch (&launch), PG_EMU_TIMEOUT, "kernel count_for_ever");
  nanosleep (&(struct timespec) { .tv_nsec = 200000000 }, NULL);
  assert_ok (pg_emu_copy_out (emu, &before, counter, sizeof before));
  nanosleep (&(struct timespec) { .tv_nsec = 50000000 }, NULL);
  take (&after, counter, sizeof after);
  close (hold[0]);
  close (hold[1]);
  waitpid (child, NULL, 0);
  assert_true (before > 0);
  assert_int_equal (before, after);
}

/* The program may write while a kernel runs.  */
static void
the_program_can_end_a_waiting_kernel (void **state)
{
  uint64_t flag = give (NULL, 4);
  struct pg_emu_launch launch = launch_of ("endless", 1, 32, &flag, sizeof flag);
  (void) state;
  assert_ok (pg_emu_launch (emu, module, &launch));
  assert_ok (pg_emu_set (emu, flag, 1, 4));
  assert_ok (pg_emu_wait (emu));
  assert_ok (pg_emu_free (emu, flag));
}

static void
text_that_is_wrong_is_refused (void **state)
{
  struct pg_emu_module *none;
  const char *kernel = "k";
  (void) state;
  assert_failed (pg_emu_compile (emu, "\n__global__ void k (int *p) { *q = 1; }\n", &kernel, 1, &none),
		 PG_EMU_NOT_COMPILED, "kernels.cu:2:");
  assert_null (none);
  assert_non_null (strstr (pg_emu_log (emu), "'q' was not declared"));
  assert_failed (pg_emu_compile (emu, "__global__ void other (void) { }\n", &kernel, 1, &none), PG_EMU_NOT_COMPILED,
		 "'k' was not declared");
  kernel = "k) (";
  assert_failed (pg_emu_compile (emu, "", &kernel, 1, &none), PG_EMU_BAD_ARGUMENT, "is no kernel's name");
  assert_goes_on ();
}

static void
launches_that_are_wrong_are_refused (void **state)
{
  struct pg_emu_launch right = launch_of ("nothing", 1, 1, NULL, 0), launch = right;
  (void) state;
  assert_ok (run_launch (&launch));
  launch.kernel = "anything";
  assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "no kernel anything");
  launch = right;
  launch.args = numbers;
  launch.args_len = 8;
  assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "takes 0 bytes of arguments, not 8");
  launch.args_len = PG_EMU_MOST_ARGS_LEN + 1;
  assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "4097 bytes of arguments");
  launch = right;
  launch.shared_len = PG_EMU_MOST_SHARED_LEN + 1;
  assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "of shared memory");
  static const uint32_t blocks[][3] = { { 0, 1, 1 }, { 1025, 1, 1 }, { 32, 33, 1 }, { 1, 1, 65 }, { 65536, 65536, 1 } };
  static const uint32_t grids[][3] = { { 0, 1, 1 }, { 1, 65536, 1 }, { 65536, 65535, 65535 }, { UINT32_MAX, 1, 1 } };
  for (size_t i = 0; i < 5; i++)
    {
      launch = right;
      memcpy (launch.block, blocks[i], sizeof launch.block);
      assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "a block of");
    }
  for (size_t i = 0; i < 4; i++)
    {
      launch = right;
      memcpy (launch.grid, grids[i], sizeof launch.grid);
      assert_failed (run_launch (&launch), PG_EMU_BAD_ARGUMENT, "a grid of");
    }
  assert_goes_on ();
}

static void
memory_that_is_not_there_is_refused (void **state)
{
  uint64_t address, other;
  char byte;
  (void) state;
  assert_ok (pg_emu_alloc (emu, 100, &address));
  assert_failed (pg_emu_alloc (emu, 0, &other), PG_EMU_BAD_ARGUMENT, "0 bytes");
  assert_failed (pg_emu_alloc (emu, MEMORY_LEN + 1, &other), PG_EMU_NO_MEMORY, "no 67108865 bytes");
  assert_failed (pg_emu_copy_in (emu, address + 100, &byte, 1), PG_EMU_BAD_ARGUMENT, "not in one allocation");
  assert_failed (pg_emu_copy_out (emu, &byte, address - 1, 1), PG_EMU_BAD_ARGUMENT, "not in one allocation");
  assert_failed (pg_emu_set (emu, address, 0, 101), PG_EMU_BAD_ARGUMENT, "not in one allocation");
  assert_failed (pg_emu_copy_in (emu, address, (void *) 1, 1), PG_EMU_BAD_ARGUMENT, "Bad address");
  assert_failed (pg_emu_free (emu, address + 1), PG_EMU_BAD_ARGUMENT, "no allocation's start");
  assert_ok (pg_emu_free (emu, address));
  assert_failed (pg_emu_free (emu, address), PG_EMU_BAD_ARGUMENT, "no allocation's start");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (divergent_barriers_are_reported),
    cmocka_unit_test (lanes_that_never_come_are_reported),
    cmocka_unit_test (a_byte_outside_is_reported),
    cmocka_unit_test (misaligned_printed_accesses_are_reported),
    cmocka_unit_test (host_addresses_are_reported),
    cmocka_unit_test (the_program_has_no_device_memory),
    cmocka_unit_test (shared_memory_has_an_end),
    cmocka_unit_test (other_faults_are_reported),
    cmocka_unit_test (endless_kernels_are_ended),
    cmocka_unit_test (what_was_ended_writes_no_more),
    cmocka_unit_test (the_program_can_end_a_waiting_kernel),
    cmocka_unit_test (text_that_is_wrong_is_refused),
    cmocka_unit_test (launches_that_are_wrong_are_refused),
    cmocka_unit_test (memory_that_is_not_there_is_refused),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
