/* SPDX-License-Identifier: MIT
   The device without a GPU: kernels written by hand (testsuite/kir/emu*.cu) and printed ones compute what they should.
   */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emu-kernels.h"

static void
a_grid_strides_over_a_vector (void **state)
{
  enum
  {
    MANY = 1000
  };
  static double from[MANY], to[MANY], result[MANY];
  (void) state;
  for (int i = 0; i < MANY; i++)
    {
      from[i] = i / 3.0;
      to[i] = i / 7.0;
    }
  struct
  {
    uint64_t from, to;
    double a;
    uint64_t n;
  } args = { give (from, sizeof from), give (to, sizeof to), 1.1, MANY };
  assert_ok (run ("axpy", 3, 64, &args, sizeof args));
  take (result, args.to, sizeof result);
  assert_ok (pg_emu_free (emu, args.from));
  for (int i = 0; i < MANY; i++)
    {
      double product = 1.1 * from[i];
      assert_true (result[i] == product + to[i]);
    }
}

static void
blocks_reduce_in_shared_memory (void **state)
{
  int out[10];
  struct ints args = give_ints (N_INTS, 10);
  (void) state;
  assert_ok (run ("sum_blocks", 10, 256, &args, sizeof args));
  take_ints (&args, out, 10);
  assert_int_equal (sum_of (out, 10), sum_of (numbers, N_INTS));
}

static void
the_last_block_reduces_the_rest (void **state)
{
  int out[32];
  (void) state;
  for (int i = 0; i < 20; i++)
    {
      struct ints args = give_ints (N_INTS, 32);
      assert_ok (run ("sum_in_two_levels", 30, 32, &args, sizeof args));
      take_ints (&args, out, 32);
      assert_int_equal (out[1], sum_of (numbers, N_INTS));
    }
}

static void
atomics_count_a_histogram (void **state)
{
  static int out[1000], expected[1000];
  struct ints args = give_ints (N_INTS, 1000);
  (void) state;
  assert_ok (run ("histogram", (N_INTS + 127) / 128, 128, &args, sizeof args));
  take_ints (&args, out, 1000);
  for (int i = 0; i < N_INTS; i++)
    expected[numbers[i]]++;
  assert_memory_equal (out, expected, sizeof out);
}

static void
warps_reduce_by_shuffles (void **state)
{
  int out[32];
  struct ints args = give_ints (N_INTS, 32);
  (void) state;
  assert_ok (run ("sum_warps", 1, 1024, &args, sizeof args));
  take_ints (&args, out, 32);
  for (int w = 0; w < 32; w++)
    assert_int_equal (out[w], sum_of (numbers + 32 * w, 32));
}

static void
shuffles_keep_to_their_width (void **state)
{
  double out[32][4];
  uint64_t args = give (NULL, sizeof out);
  (void) state;
  assert_ok (run ("shuffle_in_eights", 1, 32, &args, sizeof args));
  take (out, args, sizeof out);
  for (int t = 0; t < 32; t++)
    {
      assert_true (out[t][0] == (t & ~7) + 0.5);
      assert_true (out[t][1] == (t % 8 == 7 ? t : t + 1) + 0.5);
      assert_true (out[t][2] == (t % 8 < 2 ? t : t - 2) + 0.5);
      assert_true (out[t][3] == ((t ^ 12) > (t | 7) ? t : t ^ 12) + 0.5);
    }
}

static void
warps_vote (void **state)
{
  int out[64][4];
  struct ints args = give_ints (64, 256);
  (void) state;
  assert_ok (run ("vote", 1, 64, &args, sizeof args));
  take_ints (&args, out[0], 256);
  for (int t = 0; t < 64; t++)
    {
      uint32_t odd = 0;
      int any = 0, n_low = 0;
      for (int lane = 0; lane < 32; lane++)
	{
	  int value = numbers[t / 32 * 32 + lane];
	  odd |= (uint32_t) (value & 1) << lane;
	  any |= value == 7;
	  n_low += (value & 1) && t / 32 * 32 + lane < 8;
	}
      assert_int_equal (out[t][0], __builtin_popcount (odd) * 10000 + __builtin_ffs ((int) odd) * 100
				     + (odd == 0 ? 32 : __builtin_clz (odd)));
      assert_int_equal (out[t][1], any * 10 + 1);
      assert_int_equal (out[t][2], (numbers[t] & 1) ? n_low : 0);
      assert_int_equal (out[t][3], 1);
    }
}

static void
barriers_count (void **state)
{
  (void) state;
  for (int n = 0; n <= 40; n = n < 2 ? n + 1 : n * 20)
    {
      int out[40];
      struct
      {
	uint64_t out;
	int32_t n, unused;
      } args = { give (NULL, sizeof out), n, 0 };
      assert_ok (run ("count_by_barrier", 1, 40, &args, 12));
      take (out, args.out, sizeof out);
      for (int t = 0; t < 40; t++)
	assert_int_equal (out[t], n * 100 + (n > 0) * 10 + (n == 40));
    }
}

static void
atomics_of_all_kinds (void **state)
{
  enum
  {
    T = 96
  };
  int i[5];
  uint32_t u[5];
  uint64_t l[4];
  int64_t s[2];
  float f;
  double d;
  (void) state;
  uint64_t args[] = { give (NULL, sizeof i), give (NULL, sizeof u), give (NULL, sizeof l),
		      give (NULL, sizeof s), give (NULL, sizeof f), give (NULL, sizeof d) };
  assert_ok (pg_emu_set (emu, args[1], 255, 4));
  assert_ok (pg_emu_set (emu, args[2] + 8, 255, 8));
  assert_ok (run ("all_atomics", 2, T, args, sizeof args));
  take (i, args[0], sizeof i);
  take (u, args[1], sizeof u);
  take (l, args[2], sizeof l);
  take (s, args[3], sizeof s);
  take (&f, args[4], sizeof f);
  take (&d, args[5], sizeof d);
  assert_int_equal (i[0], T * (T - 1));
  assert_int_equal (i[1], 1 - T);
  assert_int_equal (i[2], T - 1);
  assert_int_equal (i[3], -T * (T - 1));
  assert_int_equal (u[0], 0);
  assert_int_equal (u[1], UINT32_MAX);
  assert_int_equal (u[2], 0);
  assert_int_equal (u[3], 0x80000000u + T - 1);
  assert_int_equal (i[4] + (int) u[4], T * (T + 1));
  assert_true (l[0] == (uint64_t) 2 * T << 32);
  assert_true (l[1] == 0);
  assert_true (l[2] == UINT64_MAX);
  assert_true (l[3] == 4 * T);
  assert_true (s[0] == 1 - T);
  assert_true (s[1] == T - 1);
  assert_true (f == T);
  assert_true (d == T / 2.0);
}

static void
the_dynamic_array_has_several_names (void **state)
{
  int out[100];
  struct ints args = give_ints (N_INTS, 100);
  struct pg_emu_launch launch = launch_of ("turn_round", 1, 100, &args, sizeof args);
  (void) state;
  launch.shared_len = 400;
  assert_ok (run_launch (&launch));
  assert_ok (pg_emu_copy_out (emu, out, args.out, sizeof out));
  for (int t = 0; t < 100; t++)
    assert_int_equal (out[t], numbers[99 - t]);
  launch.kernel = "bytes_of_turned";
  assert_ok (run_launch (&launch));
  take_ints (&args, out, 100);
  assert_memory_equal (out, numbers, sizeof out);
}

static void
grids_have_three_dimensions (void **state)
{
  int out[6 * 10 * 6];
  uint64_t args = give (NULL, sizeof out);
  struct pg_emu_launch launch = launch_of ("places", 2, 3, &args, sizeof args);
  (void) state;
  launch.grid[1] = 5;
  launch.grid[2] = 3;
  launch.block[1] = launch.block[2] = 2;
  assert_ok (run_launch (&launch));
  take (out, args, sizeof out);
  for (int k = 0; k < 6; k++)
    for (int j = 0; j < 10; j++)
      for (int i = 0; i < 6; i++)
	assert_int_equal (out[(k * 10 + j) * 6 + i], i + 100 * j + 10000 * k + 1);
}

static void
bits_bytes_and_time_are_there (void **state)
{
  float f = 1.0f;
  unsigned char bytes[8] = { 0, 1, 2, 3, 0x84 };
  uint64_t out[8], args[] = { give (&f, sizeof f), give (bytes, sizeof bytes), give (NULL, sizeof out) };
  (void) state;
  assert_ok (run ("others", 1, 1, args, sizeof args));
  take (out, args[2], sizeof out);
  assert_int_equal (out[0], 0x3f800001);
  assert_int_equal (out[1], 64 * 10000 + 41 * 100 + 63);
  assert_int_equal (out[2], 3 * 10000 + 32 + 64);
  assert_int_equal (out[3], 0x84030201);
  assert_int_equal (out[4], 1);
  assert_int_equal (out[5], 1);
  assert_int_equal (out[6], 0x40200000);
  assert_int_equal (out[7], 0);
  assert_ok (run ("two_types", 1, 1, (uint64_t[]) { args[0], args[0], args[1] }, 24));
  take (bytes, args[1], sizeof bytes);
  assert_memory_equal (bytes, "\0\0\0\x40", 4);
  assert_ok (pg_emu_free (emu, args[0]));
}

/* Run kernel NAME of testsuite/kir by the interpreter, with the arguments HERE, ARGS_LEN bytes; and as it was printed,
   with THERE, which has N behind them.  It writes the LEN bytes at OUT, on the device at OUT_THERE, and freed.  */
static void
compare_printed (const char *name, void *here, const uint64_t *there, size_t args_len, char *out, uint64_t out_there,
		 size_t len)
{
  struct pg_kir_kernel kernel = read_kernel (golden (name));
  struct pg_kir_machine machine;
  const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  char kernel_name[32], *result = malloc (len);
  assert_true (pg_kir_machine_begin (&machine, &kernel));
  machine.args = here;
  machine.spaces = &everything;
  machine.n_spaces = 1;
  machine.most_steps = 100000;
  for (int64_t i = 0; i < N; i++)
    assert_int_equal (pg_kir_interpret (&machine, (int64_t[]) { i, N - 1 - i }), PG_KIR_DONE);
  snprintf (kernel_name, sizeof kernel_name, "kir_%s", name);
  assert_ok (run (kernel_name, 4, 16, there, args_len + sizeof *there));
  take (result, out_there, len);
  assert_memory_equal (result, out, len);
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
  free (result);
}

/* The kernels of testsuite/kir.  */
static void
printed_kernels_compute_what_the_interpreter_does (void **state)
{
  static int64_t results[N];
  struct
  {
    int64_t unused, *results;
  } kinds = { 0, results };
  double a = axpy.a;
  uint64_t there[6] = { give (x, sizeof x), give (NULL, sizeof y), 0, N };
  (void) state;
  memcpy (&there[2], &a, sizeof a);
  compare_printed ("axpy", &axpy, there, sizeof axpy, (char *) y, there[1], sizeof y);
  const uint64_t matrix[] = { give (start, sizeof start),     give (column, sizeof column),
			      give (element, sizeof element), there[0],
			      give (NULL, sizeof y),          N };
  compare_printed ("spmv", &spmv, matrix, sizeof spmv, (char *) y, matrix[4], sizeof y);
  for (int i = 0; i < 4; i++)
    assert_ok (pg_emu_free (emu, matrix[i]));
  const uint64_t of_kinds[] = { 0, give (NULL, sizeof results), N };
  compare_printed ("kinds", &kinds, of_kinds, sizeof kinds, (char *) results, of_kinds[1], sizeof results);
  struct loose_args loose = { (char *) element + 1, .more = 0.7 };
  uint64_t of_loose[5] = { give (element, sizeof element) + 1, 0, 0, 0, N };
  memcpy ((char *) of_loose + offsetof (struct loose_args, more), &loose.more, sizeof loose.more);
  compare_printed ("loose", &loose, of_loose, 32, (char *) element, of_loose[0] - 1, sizeof element);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (a_grid_strides_over_a_vector),
    cmocka_unit_test (blocks_reduce_in_shared_memory),
    cmocka_unit_test (the_last_block_reduces_the_rest),
    cmocka_unit_test (atomics_count_a_histogram),
    cmocka_unit_test (warps_reduce_by_shuffles),
    cmocka_unit_test (shuffles_keep_to_their_width),
    cmocka_unit_test (warps_vote),
    cmocka_unit_test (barriers_count),
    cmocka_unit_test (atomics_of_all_kinds),
    cmocka_unit_test (the_dynamic_array_has_several_names),
    cmocka_unit_test (grids_have_three_dimensions),
    cmocka_unit_test (bits_bytes_and_time_are_there),
    cmocka_unit_test (printed_kernels_compute_what_the_interpreter_does),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
