/* SPDX-License-Identifier: MIT
   The device without a GPU: kernels written by hand (testsuite/kir/emu*.cu) and printed ones compute what they should,
   whatever the seed; what a kernel may not do is reported, and the device goes on.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/print.h"
#include "emu-device.h"
#include "kir-kernels.h"
#include "kir/interpret.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  N_SEEDS = 50,
  MOST_KERNELS = 64
};

static struct pg_emu_module *module;
static char text[1 << 17];
static const char *names[MOST_KERNELS];
static size_t n_names;

/* Of these, emu-few.cu's.  */
static char few_text[1 << 14];
static size_t n_few;

/* What a kernel is given that takes struct ints.  */
struct ints
{
  uint64_t in, out;
  uint64_t n;
};

/* What is asked for must fail as STATUS, with WORDS in its message.  */
static void
assert_failed (enum pg_emu_status status, enum pg_emu_status expected, const char *words)
{
  assert_int_equal (status, expected);
  if (strstr (pg_emu_message (emu), words) == NULL)
    fail_msg ("no \"%s\" in \"%s\"", words, pg_emu_message (emu));
  assert_null (strchr (pg_emu_message (emu), '\n'));
}

static struct pg_emu_launch
launch_of (const char *kernel, uint32_t n_blocks, uint32_t n_threads, const void *args, size_t args_len)
{
  return (struct pg_emu_launch) { .kernel = kernel,
				  .grid = { n_blocks, 1, 1 },
				  .block = { n_threads, 1, 1 },
				  .args = args,
				  .args_len = (uint32_t) args_len,
				  .limit_ms = LIMIT_MS };
}

static enum pg_emu_status
run_launch (const struct pg_emu_launch *launch)
{
  enum pg_emu_status status = pg_emu_launch (emu, module, launch);
  return status == PG_EMU_OK ? pg_emu_wait (emu) : status;
}

static enum pg_emu_status
run (const char *kernel, uint32_t n_blocks, uint32_t n_threads, const void *args, size_t args_len)
{
  struct pg_emu_launch launch = launch_of (kernel, n_blocks, n_threads, args, args_len);
  return run_launch (&launch);
}

/* Find the names of the kernels FROM on: the first words of lines behind "__global__ void".  */
static void
find_names (char *from)
{
  for (char *at = strstr (from, "__global__ void"); at != NULL; at = strstr (at, "__global__ void"))
    {
      at = strchr (at, '\n') + 1;
      assert_true (n_names < MOST_KERNELS);
      names[n_names++] = strndup (at, strcspn (at, " "));
    }
}

/* Append to TEXT what prints, in CUDA C, the KIR kernel NAME as the kernel kir_NAME, of one thread an iteration.  */
static void
append_printed (const char *name, size_t args_len)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  const char *from = golden (name);
  size_t at = strlen (text);
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_read (&kernel, from, strlen (from), &error));
  at += (size_t) snprintf (text + at, sizeof text - at, "#define loop loop_%s\n", name);
  at += pg_cuda_print (&kernel, "loop", text + at, sizeof text - at);
  snprintf (text + at, sizeof text - at,
	    "struct args_%s { __align__ (8) char bytes[%zu]; };\n"
	    "extern \"C\" __global__ void\n"
	    "kir_%s (const __grid_constant__ struct args_%s args, pg_i64 n)\n"
	    "{\n"
	    "  pg_i64 i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	    "  if (i < n)\n"
	    "    loop (args.bytes, i%s);\n"
	    "}\n"
	    "#undef loop\n",
	    name, args_len, name, name, kernel.n_dims > 1 ? ", n - 1 - i" : "");
  pg_kir_end (&kernel);
}

/* Read testsuite/kir/NAME into TO of LEN bytes, more than it has.  */
static void
read_text (const char *name, char *to, size_t len)
{
  char path[4200];
  snprintf (path, sizeof path, "%s/testsuite/kir/%s", root (), name);
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  to[fread (to, 1, len - 1, file)] = '\0';
  fclose (file);
}

static int
set_up (void **state)
{
  struct pg_emu_setup setup = setup_of ("seed:1");
  (void) state;
  emu = open_device (&setup);
  read_text ("emu-few.cu", few_text, sizeof few_text);
  find_names (few_text);
  n_few = n_names;
  read_text ("emu.cu", text, sizeof text);
  append_printed ("axpy", sizeof axpy);
  append_printed ("spmv", sizeof spmv);
  append_printed ("kinds", 16);
  append_printed ("loose", 32);
  find_names (text);
  memmove (text + strlen (few_text), text, strlen (text) + 1);
  memcpy (text, few_text, strlen (few_text));
  if (pg_emu_compile (emu, text, names, n_names, &module) != PG_EMU_OK)
    {
      print_error ("%s\n%s", pg_emu_message (emu), pg_emu_log (emu));
      return -1;
    }
  fill_data ();
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_emu_close (emu);
  for (size_t i = 0; i < n_names; i++)
    free ((char *) names[i]);
  return 0;
}

/* ---- what is right */

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

enum
{
  N_INTS = 5000
};

static int numbers[N_INTS];

/* Give NUMBERS and N_OUT zeros as struct ints.  */
static struct ints
give_ints (size_t n, size_t n_out)
{
  for (int i = 0; i < N_INTS; i++)
    numbers[i] = i * 7919 % 1000;
  return (struct ints) { give (numbers, n * sizeof *numbers), give (NULL, n_out * sizeof (int)), n };
}

static void
take_ints (const struct ints *args, int *out, size_t n_out)
{
  assert_ok (pg_emu_free (emu, args->in));
  take (out, args->out, n_out * sizeof *out);
}

static int
sum_of (const int *from, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += from[i];
  return sum;
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

/* Run kernel NAME of testsuite/kir by the interpreter, with the arguments HERE, ARGS_LEN bytes; and as it was printed,
   with THERE, which has N behind them.  It writes the LEN bytes at OUT, on the device at OUT_THERE, and freed.  */
static void
compare_printed (const char *name, void *here, const uint64_t *there, size_t args_len, char *out, uint64_t out_there,
		 size_t len)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  struct pg_kir_machine machine;
  const char *from = golden (name);
  const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  char kernel_name[32], *result = malloc (len);
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_read (&kernel, from, strlen (from), &error));
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

static void
bits_bytes_and_time_are_there (void **state)
{
  float f = 1.0f;
  unsigned char bytes[8] = { 0, 1, 2, 3, 0x84 };
  uint64_t out[7], args[] = { give (&f, sizeof f), give (bytes, sizeof bytes), give (NULL, sizeof out) };
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
  assert_ok (run ("two_types", 1, 1, (uint64_t[]) { args[0], args[0], args[1] }, 24));
  take (bytes, args[1], sizeof bytes);
  assert_memory_equal (bytes, "\0\0\0\x40", 4);
  assert_ok (pg_emu_free (emu, args[0]));
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

/* ---- what is wrong */

/* Nothing was lost and the next launch runs.  */
static void
assert_goes_on (void)
{
  struct ints args = give_ints (N_INTS, 1);
  int out;
  assert_ok (run ("sum_blocks", 1, 256, &args, sizeof args));
  take_ints (&args, &out, 1);
  assert_int_equal (out, sum_of (numbers, N_INTS));
}

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
    cmocka_unit_test (options_are_read),
    cmocka_unit_test (options_that_are_not_known_are_named),
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
    cmocka_unit_test (memory_is_given_again),
    cmocka_unit_test (memory_is_random_at_first),
    cmocka_unit_test (races_show),
    cmocka_unit_test (races_show_on_one_thread),
    cmocka_unit_test (a_seed_is_a_schedule),
    cmocka_unit_test (closing_removes_all_files),
    cmocka_unit_test (two_devices_keep_apart),
    cmocka_unit_test (a_forked_process_is_refused),
    cmocka_unit_test (what_cannot_be_opened_says_why),
    cmocka_unit_test (fibers_of_the_c_library_do_as_well),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
