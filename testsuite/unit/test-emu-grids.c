/* SPDX-License-Identifier: MIT
   Loops that became grids, printed, on the device without a GPU: whatever its seed, they leave what the interpreter
   leaves, and what they note of each other's accesses is judged right.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/print.h"
#include "emu-device.h"
#include "kir-kernels.h"
#include "kir-run.h"
#include "kir/atomic.h"
#include "kir/instrument.h"

#include <math.h>

enum
{
  N_BLOCKS = 3,
  N_THREADS = 8,
  MOST_GRIDS = 24,
  ARGS_LEN = 512
};

static struct pg_emu_module *module;
static char text[1 << 18] = "#include \"prelude.cuh\"\n";
static char names[MOST_GRIDS][64];
static const char *kernels[MOST_GRIDS];
static size_t n_grids;

static const char *const loops[] = { "axpy", "spmv", "sum" };

/* axpy, which notes what it reads and writes of one array.  */
static struct pg_kir_kernel
noting_axpy (void)
{
  static const uint8_t in_one[] = { 0, 0 }, words_of_8[] = { 3 };
  const struct pg_kir_logging logging
    = { .what = PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS, .n_arrays = 1, .array_of = in_one, .shift_of = words_of_8 };
  struct pg_kir_kernel loop = read_kernel (golden ("axpy")), noting;
  struct pg_kir_error error;
  pg_kir_begin (&noting, NULL);
  assert_true (pg_kir_instrument (&noting, &loop, &logging, &error));
  pg_kir_end (&loop);
  return noting;
}

static struct pg_kir_kernel
scanning (void)
{
  struct pg_kir_kernel scan;
  struct pg_kir_error error;
  pg_kir_begin (&scan, NULL);
  assert_true (pg_kir_scan (&scan, PG_KIR_LOG_ITERATIONS, &error));
  return scan;
}

/* A histogram by atomic operations.  */
static struct pg_kir_kernel
atomic_histogram (void)
{
  static const uint8_t counts[] = { 0, 1 };
  struct pg_kir_kernel loop = read_kernel (golden ("histogram"));
  struct pg_kir_error error;
  assert_true (pg_kir_make_atomic (&loop, counts, false, &error));
  return loop;
}

/* Add SPMD to the text, as NAME_WHICH.  */
static void
add_text (struct pg_kir_kernel spmd, const char *name, int which)
{
  size_t at = strlen (text);
  verify_kernel (&spmd);
  snprintf (names[n_grids], sizeof names[n_grids], "%s_%d", name, which);
  assert_true (pg_cuda_print (&spmd, names[n_grids], text + at, sizeof text - at) < sizeof text - at);
  kernels[n_grids] = names[n_grids];
  n_grids++;
  pg_kir_end (&spmd);
}

/* Add LOOP, mapped, to the text.  */
static void
add_grid (struct pg_kir_kernel loop, const char *name, enum pg_kir_mapping mapping)
{
  add_text (map_kernel (&loop, mapping, N_THREADS), name, (int) mapping);
  pg_kir_end (&loop);
}

/* Add LOOP by teams of N_MEMBERS to the text.  */
static void
add_teams (struct pg_kir_kernel loop, const char *name, uint32_t n_members)
{
  const struct pg_kir_team team = { .n_members = n_members, .may_reorder = true };
  struct pg_kir_kernel spmd;
  struct pg_kir_error error;
  pg_kir_begin (&spmd, NULL);
  assert_true (pg_kir_map_team (&spmd, &loop, &team, N_THREADS, &error));
  add_text (spmd, name, (int) n_members);
  pg_kir_end (&loop);
}

static int
set_up (void **state)
{
  struct pg_emu_setup setup = setup_of ("");
  (void) state;
  for (int k = 0; k < 3; k++)
    for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
      add_grid (read_kernel (golden (loops[k])), loops[k], (enum pg_kir_mapping) mapping);
  add_grid (noting_axpy (), "noting", PG_KIR_STRIDED);
  add_grid (scanning (), "scan", PG_KIR_STRIDED);
  add_grid (atomic_histogram (), "histogram", PG_KIR_STRIDED);
  for (uint32_t n_members = 2; n_members <= N_THREADS; n_members *= 2)
    add_teams (read_kernel (golden ("spmv")), "teams", n_members);
  emu = open_device (&setup);
  if (pg_emu_compile (emu, text, kernels, n_grids, &module) != PG_EMU_OK)
    fail_msg ("%s\n%s", pg_emu_message (emu), pg_emu_log (emu));
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_emu_close (emu);
  return 0;
}

/* The first N_ITERS iterations of a loop mapped as MAPPING.  */
static struct pg_kir_launch
first_of (enum pg_kir_mapping mapping, int64_t n_iters)
{
  return (struct pg_kir_launch) { .hi = n_iters, .stride = pg_kir_stride (mapping, n_iters, N_BLOCKS * N_THREADS) };
}

/* Run what LAUNCH says as the grid NAME_WHICH with ARGS, which has room for ARGS_LEN bytes, the loop's arguments being
   LOOP_LEN of them; carried values go to PARTIALS.  */
static void
run_there (const char *name, int which, char *args, uint32_t loop_len, struct pg_kir_launch *launch, uint64_t *partials,
	   size_t partials_len)
{
  char kernel[80];
  uint32_t offset = (loop_len + 7) / 8 * 8;
  launch->partials = give (partials, partials_len);
  memcpy (args + offset, launch, sizeof *launch);
  snprintf (kernel, sizeof kernel, "%s_%d", name, which);
  assert_ok (pg_emu_launch (emu, module,
			    &(struct pg_emu_launch) { .kernel = kernel,
						      .grid = { N_BLOCKS, 1, 1 },
						      .block = { N_THREADS, 1, 1 },
						      .args = args,
						      .args_len = (offset + (uint32_t) sizeof *launch + 15) / 16 * 16,
						      .limit_ms = LIMIT_MS }));
  assert_ok (pg_emu_wait (emu));
  take (partials, launch->partials, partials_len);
}

/* Run [0, N) of loop NAME by the interpreter.  */
static void
run_loop (const char *name, void *args)
{
  const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  struct pg_kir_kernel loop = read_kernel (golden (name));
  run_in_order (&loop, args, &everything, 1, 0, N);
  pg_kir_end (&loop);
}

static void
stores_are_the_interpreters (void **state)
{
  static double result[N];
  uint64_t partials[1] = { 0 };
  (void) state;
  fill_data ();
  for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
    {
      struct pg_kir_launch launch = first_of (mapping, N);
      union
      {
	char bytes[ARGS_LEN];
	uint64_t addresses[5];
      } args = { .addresses = { give (x, sizeof x), give (y, sizeof y) } };
      memcpy (args.addresses + 2, &axpy.a, sizeof axpy.a);
      run_loop ("axpy", &axpy);
      run_there ("axpy", mapping, args.bytes, sizeof axpy, &launch, partials, sizeof partials);
      take (result, args.addresses[1], sizeof result);
      assert_memory_equal (result, y, sizeof y);

      uint64_t x_there = args.addresses[0];
      const uint64_t matrix[] = { give (start, sizeof start), give (column, sizeof column),
				  give (element, sizeof element), x_there, give (y, sizeof y) };
      memcpy (args.addresses, matrix, sizeof matrix);
      run_loop ("spmv", &spmv);
      run_there ("spmv", mapping, args.bytes, sizeof spmv, &launch, partials, sizeof partials);
      take (result, matrix[4], sizeof result);
      assert_memory_equal (result, y, sizeof y);
      for (int i = 0; i < 4; i++)
	assert_ok (pg_emu_free (emu, matrix[i]));
    }
}

static void
carried_values_are_the_interpreters (void **state)
{
  static uint64_t partials[3 * N_BLOCKS * N_THREADS];
  struct pg_kir_kernel loop = read_kernel (golden ("sum"));
  (void) state;
  fill_data ();
  for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
    {
      struct sum_args expected = { .x = x, .sum = 100.5, .last = 1234, .count = 7 }, given = expected;
      char args[ARGS_LEN];
      struct pg_kir_launch launch = first_of (mapping, N);
      uint64_t x_there = give (x, sizeof x);
      memcpy (args, &given, sizeof given);
      memcpy (args, &x_there, sizeof x_there);
      run_there ("sum", mapping, args, sizeof given, &launch, partials, sizeof partials);
      pg_kir_collect (&loop, mapping, &launch, N_BLOCKS, N_THREADS, partials, (char *) &given);
      run_loop ("sum", &expected);
      assert_int_equal (given.count, expected.count);
      assert_int_equal (given.last, expected.last);
      assert_true (fabs (given.sum - expected.sum) < 1e-9);
      assert_ok (pg_emu_free (emu, x_there));
    }
  pg_kir_end (&loop);
}

/* Members of a team add in an order of their own, but always the same.  */
static void
teams_leave_the_same_each_time (void **state)
{
  static double once[N], again[N];
  uint64_t partials[1] = { 0 };
  (void) state;
  fill_data ();
  run_loop ("spmv", &spmv);
  for (int n_members = 2; n_members <= N_THREADS; n_members *= 2)
    for (int time = 0; time < 4; time++)
      {
	struct pg_kir_launch launch = { .lo = 0, .hi = N, .stride = N_BLOCKS * N_THREADS / n_members };
	union
	{
	  char bytes[ARGS_LEN];
	  uint64_t addresses[5];
	} args = { .addresses = { give (start, sizeof start), give (column, sizeof column),
				  give (element, sizeof element), give (x, sizeof x), give (NULL, sizeof y) } };
	uint64_t there[5];
	memcpy (there, args.addresses, sizeof there);
	run_there ("teams", n_members, args.bytes, sizeof spmv, &launch, partials, sizeof partials);
	take (time == 0 ? once : again, there[4], sizeof once);
	for (int i = 0; i < 4; i++)
	  assert_ok (pg_emu_free (emu, there[i]));
	for (int i = 0; i < N; i++)
	  assert_true (fabs (once[i] - y[i]) <= 1e-12 * fabs (y[i]));
	if (time > 0)
	  assert_memory_equal (once, again, sizeof once);
      }
}

static void
histograms_miss_nothing (void **state)
{
  static int32_t counts[N], expected[N];
  uint64_t partials[1] = { 0 };
  struct pg_kir_launch launch = first_of (PG_KIR_STRIDED, 4 * N);
  (void) state;
  fill_data ();
  for (int k = 0; k < 4 * N; k++)
    expected[column[k]] += column[k] + 1;
  for (int time = 0; time < 4; time++)
    {
      union
      {
	char bytes[ARGS_LEN];
	uint64_t addresses[2];
      } args = { .addresses = { give (column, sizeof column), give (NULL, sizeof counts) } };
      uint64_t columns_there = args.addresses[0], counts_there = args.addresses[1];
      run_there ("histogram", PG_KIR_STRIDED, args.bytes, sizeof args.addresses, &launch, partials, sizeof partials);
      take (counts, counts_there, sizeof counts);
      assert_ok (pg_emu_free (emu, columns_there));
      assert_memory_equal (counts, expected, sizeof counts);
    }
}

/* The verdict on y = a x where y begins SHIFT elements behind x.  */
static uint32_t
judge_shifted (int shift)
{
  static uint32_t writers[2 * N], readers[4 * N];
  static double memory[2 * N];
  uint32_t verdict = 0;
  uint64_t partials[1] = { 0 };
  struct pg_kir_launch each = first_of (PG_KIR_STRIDED, N), scan = first_of (PG_KIR_STRIDED, 2 * N);
  memset (writers, 0xff, sizeof writers);
  memset (readers, 0xff, sizeof readers);
  uint64_t memory_there = give (memory, sizeof memory), verdict_there = give (&verdict, sizeof verdict);
  uint64_t writers_there = give (writers, sizeof writers), readers_there = give (readers, sizeof readers);
  union
  {
    char bytes[ARGS_LEN];
    struct
    {
      uint64_t x, y;
      double a;
      struct pg_kir_logs logs;
      struct pg_kir_array array;
    } axpy;
    struct pg_kir_scan_args scan;
  } args = { .axpy = { .x = memory_there,
		       .y = memory_there + (uint64_t) shift * sizeof *memory,
		       .logs = { .verdict = verdict_there, .epoch = { 0, N } },
		       .array = { memory_there, sizeof memory, writers_there, readers_there } } };
  run_there ("noting", PG_KIR_STRIDED, args.bytes, sizeof args.axpy, &each, partials, sizeof partials);
  args.scan = (struct pg_kir_scan_args) { verdict_there, writers_there, readers_there, { 0, N }, 0 };
  run_there ("scan", PG_KIR_STRIDED, args.bytes, sizeof args.scan, &scan, partials, sizeof partials);
  take (&verdict, verdict_there, sizeof verdict);
  assert_ok (pg_emu_free (emu, memory_there));
  assert_ok (pg_emu_free (emu, writers_there));
  assert_ok (pg_emu_free (emu, readers_there));
  return verdict;
}

static void
conflicts_are_found (void **state)
{
  (void) state;
  assert_int_equal (judge_shifted (0), PG_KIR_CLEAN);
  assert_int_equal (judge_shifted (N), PG_KIR_CLEAN);
  assert_int_equal (judge_shifted (N + 1), PG_KIR_OUTSIDE_ARRAY);
  for (int shift = 1; shift < N; shift += shift < 4 ? 1 : 15)
    assert_int_equal (judge_shifted (shift), PG_KIR_READ_TOO);
  assert_int_equal (judge_shifted (N - 1), PG_KIR_READ_TOO);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (stores_are_the_interpreters),
    cmocka_unit_test (carried_values_are_the_interpreters),
    cmocka_unit_test (teams_leave_the_same_each_time),
    cmocka_unit_test (histograms_miss_nothing),
    cmocka_unit_test (conflicts_are_found),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
