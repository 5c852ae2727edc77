/* SPDX-License-Identifier: MIT
   KIR in SPMD form: the interpreter of grids, and loops that became grids: whatever the grid and however its threads
   are shuffled, they leave what the loop leaves.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-kernels.h"
#include "kir-run.h"
#include "kir/combine.h"

#include <math.h>

enum
{
  MOST_THREADS = 64 /* of a grid */
};

/* Each thread adds 1 to a count, twice; the first without anybody's leave.  */
static const char counting[] = "kernel \"counting\" args 8 dims 1 refs 1 threads 16 shared 0\n"
			       "b0:\n"
			       "v1 = arg ptr 0\n"
			       "v2 = load i32 v1 ref 0\n"
			       "v3 = const i32 1\n"
			       "v4 = add i32 v2 v3\n"
			       "store void v1 v4 ref 0\n"
			       "v6 = const i64 4\n"
			       "v7 = address ptr v1 v6\n"
			       "v8 = atomic-add i32 v7 v3 ref 0\n"
			       "return void\n"
			       "end\n";

static void
races_show_and_atomics_do_not_race (void **state)
{
  struct pg_kir_kernel kernel = read_kernel (counting);
  int n_raced = 0;
  (void) state;
  for (uint64_t seed = 0; seed < 20; seed++)
    {
      int32_t counts[2] = { 0, 0 }, *args = counts;
      const struct pg_kir_space space = { (char *) counts, sizeof counts, true };
      assert_int_equal (run_grid (&kernel, &args, &space, 1, 4, 16, seed), PG_KIR_DONE);
      assert_int_equal (counts[1], 64);
      assert_in_range (counts[0], 1, 64);
      n_raced += counts[0] < 64;
      assert_true (seed > 0 || counts[0] == 64);
    }
  assert_true (n_raced > 10);
  pg_kir_end (&kernel);
}

/* Each atomic operation OP of type TYPE on what is there, with what is given.  */
static void
atomics_change_what_they_say (void **state)
{
  static const struct
  {
    const char *what;
    uint64_t old, with, now;
  } all[] = {
    { "v3 = atomic-add i32 v1 v2", 0xffffffff, 2, 1 },
    { "v3 = atomic-and i32 v1 v2", 6, 3, 2 },
    { "v3 = atomic-or i32 v1 v2", 6, 3, 7 },
    { "v3 = atomic-xor i32 v1 v2", 6, 3, 5 },
    { "v3 = atomic-smin i32 v1 v2", 3, 0xffffffff, 0xffffffff },
    { "v3 = atomic-smax i32 v1 v2", 3, 0xffffffff, 3 },
    { "v3 = atomic-umin i32 v1 v2", 3, 0xffffffff, 3 },
    { "v3 = atomic-umax i32 v1 v2", 3, 0xffffffff, 0xffffffff },
    { "v3 = atomic-set i32 v1 v2", 3, 4, 4 },
    { "v3 = atomic-swap i32 v1 v2 v2", 4, 4, 4 },
    { "v4 = const i32 9\nv3 = atomic-swap i32 v1 v2 v4", 4, 4, 9 },
    { "v4 = const i32 9\nv3 = atomic-swap i32 v1 v2 v4", 5, 4, 5 },
    { "v4 = bits f32 v2\nv5 = atomic-add f32 v1 v4 ref 0\nv3 = bits i32 v5", 0x3f800000, 0x40000000, 0x40400000 },
  };
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      char text[400];
      bool has_ref = strstr (all[i].what, "ref") != NULL;
      snprintf (text, sizeof text,
		"kernel \"x\" args 24 dims 1 refs 1 threads 1 shared 0\nb0:\nv1 = arg ptr 0\nv2 = arg i32 8\n%s%s\n"
		"v9 = arg ptr 16\nstore void v9 v3 ref 0\nreturn void\nend\n",
		all[i].what, has_ref ? "" : " ref 0");
      struct pg_kir_kernel kernel = read_kernel (text);
      uint32_t memory[2] = { (uint32_t) all[i].old, 77 };
      struct
      {
	uint32_t *there;
	uint64_t with;
	uint32_t *result;
      } args = { memory, all[i].with, memory + 1 };
      const struct pg_kir_space space = { (char *) memory, sizeof memory, true };
      assert_int_equal (run_grid (&kernel, &args, &space, 1, 1, 1, 0), PG_KIR_DONE);
      assert_int_equal (memory[0], all[i].now);
      assert_int_equal (memory[1], all[i].old);
      args.there = (uint32_t *) ((char *) memory + 2);
      assert_int_equal (run_grid (&kernel, &args, &space, 1, 1, 1, 0), PG_KIR_MISALIGNED);
      pg_kir_end (&kernel);
    }
}

/* Threads of a block of 8 store their number in shared memory, and read that of their neighbour behind WAIT; of three
   blocks by two.  */
#define NEIGHBOURS(wait)                                                                             \
  "kernel \"neighbours\" args 8 dims 3 refs 2 threads 8 shared 32"                                   \
  "\nb0:\n"                                                                                          \
  "v1 = thread i64 0\nv2 = threads i64 0\nv3 = block i64 1\n"                                        \
  "v4 = const i64 2\nv5 = shared ptr 0\n"                                                            \
  "v6 = shl i64 v1 v4\nv7 = address ptr v5 v6\nv8 = trunc i32 v1\n"                                  \
  "store void v7 v8 ref 0\n" wait "v10 = const i64 1\nv11 = add i64 v1 v10\nv12 = urem i64 v11 v2\n" \
  "v13 = shl i64 v12 v4\nv14 = address ptr v5 v13\nv15 = load i32 v14 ref 0\n"                       \
  "v16 = block i64 0\nv17 = blocks i64 0\nv18 = mul i64 v3 v17\nv19 = add i64 v18 v16\n"             \
  "v20 = mul i64 v19 v2\nv21 = add i64 v20 v1\nv22 = shl i64 v21 v4\n"                               \
  "v23 = arg ptr 0\nv24 = address ptr v23 v22\nstore void v24 v15 ref 1\nreturn void\nend\n"

static bool
neighbours_are_right (const struct pg_kir_kernel *kernel, uint64_t seed)
{
  int32_t out[6 * 8], *args = out;
  const struct pg_kir_space space = { (char *) out, sizeof out, true };
  struct pg_kir_grid grid = { .n_blocks = { 3, 2, 1 }, .n_threads = { 8, 1, 1 }, .seed = seed };
  struct pg_kir_machine machine
    = { .kernel = kernel, .args = (char *) &args, .spaces = &space, .n_spaces = 1, .most_steps = 1000 };
  memset (out, 0x77, sizeof out);
  assert_int_equal (pg_kir_interpret_grid (&machine, &grid), PG_KIR_DONE);
  bool is_right = true;
  for (int i = 0; i < 6 * 8; i++)
    is_right &= out[i] == (i + 1) % 8;
  return is_right;
}

static void
barriers_are_waited_at (void **state)
{
  struct pg_kir_kernel waiting = read_kernel (NEIGHBOURS ("barrier void\n")), hasty = read_kernel (NEIGHBOURS (""));
  int n_wrong = 0;
  (void) state;
  for (uint64_t seed = 0; seed < 20; seed++)
    {
      assert_true (neighbours_are_right (&waiting, seed));
      n_wrong += !neighbours_are_right (&hasty, seed);
    }
  assert_true (n_wrong > 10);
  pg_kir_end (&waiting);
  pg_kir_end (&hasty);
}

/* Odd threads do not come to the barrier, or to another one.  */
static void
barriers_that_not_all_reach_are_an_error (void **state)
{
  static const char *const elsewhere[] = { "return void\n", "barrier void\nreturn void\n" };
  (void) state;
  for (int i = 0; i < 2; i++)
    {
      char text[400];
      snprintf (
	text, sizeof text,
	"kernel \"x\" args 0 dims 1 refs 0 threads 8 shared 0\nb0:\nv1 = thread i64 0\nv2 = trunc i8 v1\n"
	"v3 = const i8 1\nv4 = and i8 v2 v3\nbranch void v4 b1 b2\nb1:\n%sb2:\nbarrier void\nreturn void\nend\n",
	elsewhere[i]);
      struct pg_kir_kernel kernel = read_kernel (text);
      for (uint64_t seed = 0; seed < 5; seed++)
	{
	  assert_int_equal (run_grid (&kernel, NULL, NULL, 0, 2, 8, seed), PG_KIR_APART);
	  assert_int_equal (run_grid (&kernel, NULL, NULL, 0, 2, 1, seed), PG_KIR_DONE);
	}
      pg_kir_end (&kernel);
    }
}

/* What one form has, the other one has not.  */
static void
each_form_has_its_operations (void **state)
{
  static const char *const bad[][2] = {
    { "args 8 dims 1 refs 1\nb0:\nv1 = thread i64 0\nreturn void\nend\n", "thread: not in this form" },
    { "args 8 dims 1 refs 1\nb0:\nbarrier void\nreturn void\nend\n", "barrier: not in this form" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = iter i64 0\nreturn void\nend\n", "iter: not in this form" },
    { "args 8 dims 4 refs 1 threads 8 shared 8\nb0:\nreturn void\nend\n", "three dimensions" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\ncarry i64 add 0\nb0:\nreturn void\nend\n", "no carried values" },
    { "args 8 dims 1 refs 1 threads 0 shared 8\nb0:\nreturn void\nend\n", "no threads" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = thread i64 1\nreturn void\nend\n", "thread: the number" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = shared ptr 8\nreturn void\nend\n", "shared: the number" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = shared i64 0\nreturn void\nend\n", "shared: types" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = arg ptr 0\nv2 = const i16 1\nv3 = atomic-or i16 v1 v2 ref 0\n"
      "return void\nend\n",
      "atomic-or: types" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = arg ptr 0\nv2 = const f64 0x1\nv3 = atomic-or f64 v1 v2 ref "
      "0\n"
      "return void\nend\n",
      "atomic-or: types" },
    { "args 8 dims 1 refs 1 threads 8 shared 8\nb0:\nv1 = arg ptr 0\nv2 = const f64 0x1\nv3 = atomic-swap f64 v1 v2 v2 "
      "ref 0\nreturn void\nend\n",
      "atomic-swap: types" },
  };
  (void) state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      struct pg_kir_kernel kernel;
      struct pg_kir_error error = { .at = 0 };
      char text[400];
      snprintf (text, sizeof text, "kernel \"x\" %s", bad[i][0]);
      pg_kir_begin (&kernel, NULL);
      if (!pg_kir_read (&kernel, text, strlen (text), &error))
	fail_msg ("\"%s\" is not read: %s", text, error.text);
      if (pg_kir_verify (&kernel, &error) || strstr (error.text, bad[i][1]) == NULL)
	fail_msg ("\"%s\": %s", text, error.text);
      pg_kir_end (&kernel);
    }
}

/* LOOP as a grid, which has a text.  */
static struct pg_kir_kernel
map (const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping)
{
  static char text[TEXT_LEN];
  struct pg_kir_kernel spmd = map_kernel (loop, mapping, MOST_THREADS), copy;
  pg_kir_write (&spmd, text, sizeof text);
  copy = read_kernel (text);
  pg_kir_end (&copy);
  return spmd;
}

/* Run [LO, HI) of LOOP, with ARGS, on N_BLOCKS blocks of N_THREADS.  */
static void
run_mapped (const struct pg_kir_kernel *loop, enum pg_kir_mapping mapping, void *args,
	    const struct pg_kir_space *spaces, size_t n_spaces, int64_t lo, int64_t hi, int64_t n_blocks,
	    int64_t n_threads, uint64_t seed)
{
  static uint64_t partials[4 * MOST_THREADS];
  struct pg_kir_kernel spmd = map (loop, mapping);
  int64_t n = n_blocks * n_threads;
  struct pg_kir_launch launch = {
    .lo = lo, .hi = hi, .stride = pg_kir_stride (mapping, hi - lo, n), .partials = (uint64_t) (uintptr_t) partials
  };
  struct pg_kir_space all[8] = { { (char *) partials, sizeof partials, true } };
  char *own = calloc (1, spmd.args_len);
  memcpy (own, args, loop->args_len);
  memcpy (own + pg_kir_launch_offset (loop), &launch, sizeof launch);
  memcpy (all + 1, spaces, n_spaces * sizeof *spaces);
  memset (partials, 0x77, sizeof partials);
  assert_int_equal (run_grid (&spmd, own, all, n_spaces + 1, n_blocks, n_threads, seed), PG_KIR_DONE);
  pg_kir_collect (loop, mapping, &launch, n_blocks, n_threads, partials, args);
  free (own);
  pg_kir_end (&spmd);
}

static const struct
{
  int64_t n_blocks, n_threads;
} grids[] = { { 1, 1 }, { 1, 7 }, { 4, 8 }, { 3, 5 }, { 8, 8 } };

enum
{
  N_GRIDS = sizeof grids / sizeof *grids
};

static void
grids_leave_what_loops_leave (void **state)
{
  static double expected[N];
  const struct pg_kir_space spaces[] = {
    { (char *) x, sizeof x, false },
    { (char *) y, sizeof y, true },
    { (char *) start, sizeof start, false },
    { (char *) column, sizeof column, false },
    { (char *) element, sizeof element, false },
  };
  (void) state;
  fill_data ();
  for (int k = 0; k < 2; k++)
    {
      struct pg_kir_kernel loop = read_kernel (golden (k == 0 ? "axpy" : "spmv"));
      void *args = k == 0 ? (void *) &axpy : (void *) &spmv;
      memset (y, 0, sizeof y);
      run_in_order (&loop, args, spaces, 5, 3, N - 2);
      memcpy (expected, y, sizeof y);
      for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
	for (int g = 0; g < N_GRIDS; g++)
	  {
	    memset (y, 0, sizeof y);
	    run_mapped (&loop, mapping, args, spaces, 5, 3, N - 2, grids[g].n_blocks, grids[g].n_threads,
			(uint64_t) (g + mapping));
	    assert_memory_equal (y, expected, sizeof y);
	  }
      pg_kir_end (&loop);
    }
}

/* What chunks of sum.kir, each begun anew, come to, in order.  */
static double
sum_in_chunks (struct sum_args args, const struct pg_kir_kernel *loop, const struct pg_kir_space *space, int64_t lo,
	       int64_t hi, int64_t chunk)
{
  double total = 0.0;
  for (int64_t at = lo; at < hi; at += chunk)
    {
      if (at > lo)
	args.sum = 0.0;
      run_in_order (loop, &args, space, 1, at, at + chunk < hi ? at + chunk : hi);
      total = at == lo ? args.sum : total + args.sum;
    }
  return total;
}

/* What threads carry becomes what the loop carries: integers and last values to the bit, sums of floats to the bit
   where they come in order.  */
static void
carried_values_are_collected (void **state)
{
  const struct pg_kir_space space = { (char *) x, sizeof x, false };
  struct pg_kir_kernel loop = read_kernel (golden ("sum"));
  (void) state;
  fill_data ();
  for (int64_t hi = 1; hi <= N; hi += hi < 20 ? 1 : 6)
    for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
      for (int g = 0; g < N_GRIDS; g++)
	{
	  int64_t lo = hi > 40 ? 10 : 0, n = grids[g].n_blocks * grids[g].n_threads;
	  struct sum_args before = { .x = x, .sum = 100.5, .last = 1234, .count = 7 }, given = before,
			  expected = before;
	  run_mapped (&loop, mapping, &given, &space, 1, lo, hi, grids[g].n_blocks, grids[g].n_threads,
		      (uint64_t) (hi * g + mapping));
	  run_in_order (&loop, &expected, &space, 1, lo, hi);
	  assert_int_equal (given.count, expected.count);
	  if (x[hi - 1] > 5.0) /* a last value that the last iteration does not set is nobody's */
	    assert_int_equal (given.last, expected.last);
	  assert_true (fabs (given.sum - expected.sum) < 1e-9);
	  if (mapping == PG_KIR_CHUNKED)
	    assert_true (given.sum == sum_in_chunks (before, &loop, &space, lo, hi, (hi - lo + n - 1) / n));
	}
  pg_kir_end (&loop);
}

/* A sum of nothing but -0 is -0, also where some threads have nothing to add.  */
static void
idle_threads_add_nothing (void **state)
{
  static double zeros[3] = { -0.0, -0.0, -0.0 };
  static const char text[] = "kernel \"zeros\" args 16 dims 1 refs 1\ncarry f64 add 8\nb0:\nv1 = carry f64 0\n"
			     "v2 = arg ptr 0\nv3 = load f64 v2 ref 0\nv4 = fadd f64 v1 v3\nnext void v4 carry 0\n"
			     "return void\nend\n";
  const struct pg_kir_space space = { (char *) zeros, sizeof zeros, false };
  struct pg_kir_kernel loop = read_kernel (text);
  struct
  {
    double *zeros, sum;
  } args = { zeros, -0.0 };
  (void) state;
  run_mapped (&loop, PG_KIR_CHUNKED, &args, &space, 1, 0, 1, 4, 8, 1);
  assert_true (signbit (args.sum));
  pg_kir_end (&loop);
}

/* Carried values that are set on some ways through the iteration only, or in an inner loop, or twice.  */
static void
all_ways_are_carried (void **state)
{
  static const char text[]
    = "kernel \"ways\" args 24 dims 1 refs 0\n"
      "carry i64 add 0\ncarry i32 xor 8\ncarry i64 max 16\n"
      "b0:\n"
      "v1 = carry i64 0\nv2 = carry i32 1\nv3 = carry i64 2\n"
      "v4 = iter i64 0\nv5 = const i64 3\nv6 = urem i64 v4 v5\nv7 = const i64 0\nv8 = const i64 1\n"
      "v9 = trunc i32 v4\nv10 = xor i32 v2 v9\nnext void v10 carry 1\n"
      "v20 = trunc i32 v6\n"
      "v21 = const i32 1\nv22 = const i32 2\n"
      "switch void v20 b1 b2 b3 v21 v22\n"
      "b1:\nv30 = add i64 v1 v4\nnext void v30 carry 0\njump void b5\n"
      "b2:\nnext void v2 carry 1\nreturn void\n" /* takes it back */
      "b3:\njump void b4\n"
      "b4:\nv40 = phi i64 [b3 v7] [b4 v42]\nv41 = phi i64 [b3 v1] [b4 v43]\n"
      "v42 = add i64 v40 v8\nv43 = add i64 v41 v42\nnext void v43 carry 0\n"
      "v44 = slt i8 v42 v5\nbranch void v44 b4 b5\n"
      "b5:\nv50 = mul i64 v4 v4\nv51 = const i64 17\nv52 = urem i64 v50 v51\nv53 = smax i64 v3 v52\n"
      "next void v53 carry 2\nreturn void\n"
      "end\n";
  struct pg_kir_kernel loop = read_kernel (text);
  (void) state;
  for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS; mapping++)
    for (int g = 0; g < 3 * N_GRIDS; g++)
      {
	int64_t given[3] = { 5, 0x1234, -3 }, expected[3] = { 5, 0x1234, -3 };
	run_in_order (&loop, expected, NULL, 0, 2, 90);
	run_mapped (&loop, mapping, given, NULL, 0, 2, 90, grids[g % N_GRIDS].n_blocks, grids[g % N_GRIDS].n_threads,
		    (uint64_t) g);
	assert_memory_equal (given, expected, sizeof given);
      }
  pg_kir_end (&loop);
}

static double
as_f64 (uint64_t bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* An identity changes nothing, and what is combined is what the instructions for it compute.  */
static void
combining_has_an_identity (void **state)
{
  static const uint64_t numbers[]
    = { 0, 1, 2, 0x7f, 0x80, 0xff, 0x80000000, 0x7ff0000000000000, 0xbff0000000000000, 77 };
  enum
  {
    N_NUMBERS = sizeof numbers / sizeof *numbers
  };
  (void) state;
  for (int c = PG_KIR_COMBINE_ADD; c < PG_KIR_N_COMBINES; c++)
    for (int t = PG_KIR_I8; t <= PG_KIR_F64; t++)
      {
	bool is_float = pg_kir_types[t].kind == PG_KIR_KIND_FLOAT;
	if (is_float && pg_kir_combines[c].kinds == PG_KIR_KIND_INT)
	  continue;
	for (int i = 0; i < N_NUMBERS; i++)
	  {
	    uint64_t value = pg_kir_cut (t, numbers[i]);
	    if (is_float && c == PG_KIR_COMBINE_ADD && value << (64 - 8 * pg_kir_types[t].len) == (uint64_t) 1 << 63)
	      continue; /* -0 */
	    assert_int_equal (pg_kir_combine (c, t, value, pg_kir_identity (c, t)), value);
	    assert_int_equal (pg_kir_combine (c, t, pg_kir_identity (c, t), value), value);
	  }
      }
  assert_int_equal (pg_kir_combine (PG_KIR_COMBINE_LAST, PG_KIR_I32, 1, 2), 2);
  assert_int_equal (pg_kir_combine (PG_KIR_COMBINE_MIN, PG_KIR_I8, 1, 0xff), 0xff);
  assert_int_equal (pg_kir_combine (PG_KIR_COMBINE_UMIN, PG_KIR_I8, 1, 0xff), 1);
  uint64_t nan = 0x7ff8000000000000, one = 0x3ff0000000000000, two = 0x4000000000000000,
	   negative_zero = (uint64_t) 1 << 63;
  assert_true (as_f64 (pg_kir_combine (PG_KIR_COMBINE_MAX, PG_KIR_F64, one, nan)) == 1.0);
  assert_true (as_f64 (pg_kir_combine (PG_KIR_COMBINE_MAX, PG_KIR_F64, one, two)) == 2.0);
  assert_true (as_f64 (pg_kir_combine (PG_KIR_COMBINE_MIN, PG_KIR_F64, one, two)) == 1.0);
  assert_int_equal (pg_kir_combine (PG_KIR_COMBINE_MIN, PG_KIR_F64, 0, negative_zero), 0);
}

/* As far as they go, with a sign.  */
static void
iterations_fit_into_32_bits (void **state)
{
  static const char text[] = "kernel \"numbers\" args 8 dims 1 refs 0\ncarry i64 add 0\nb0:\nv1 = carry i64 0\n"
			     "v2 = iter i64 0\nv3 = add i64 v1 v2\nnext void v3 carry 0\nreturn void\nend\n";
  static const int64_t ranges[][2] = { { -20, 20 },
				       { INT32_MIN, INT32_MIN + 30 },
				       { INT32_MAX - 30 - PG_KIR_MOST_PLUS, INT32_MAX - 12 - PG_KIR_MOST_PLUS } };
  struct pg_kir_kernel loop = read_kernel (text);
  (void) state;
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
    {
      int64_t given = 7, expected = 7;
      run_in_order (&loop, &expected, NULL, 0, ranges[r][0], ranges[r][1]);
      run_mapped (&loop, PG_KIR_STRIDED_I32, &given, NULL, 0, ranges[r][0], ranges[r][1], 4, 3, r);
      assert_int_equal (given, expected);
    }
  pg_kir_end (&loop);
}

/* A loop counts in the number of the iteration and a constant, from 1 on, say: so does a thread, if the number is
   nothing else, and the sum never wraps around.  */
static void
threads_count_from_where_the_loop_does (void **state)
{
  static const struct
  {
    const char *counter; /* v4, of v2, the number, and v3, its 32 bits */
    bool is_counted;
  } cases[] = {
    { "v4 = add-nw i32 v3 v5\nv9 = add i32 v4 v4\n", true },
    { "v4 = add-nw i32 v3 v6\nv9 = add i32 v4 v4\n", false },
    { "v4 = add i32 v3 v5\nv9 = add i32 v4 v4\n", false },
    { "v4 = sub-nw i32 v3 v5\nv9 = add i32 v4 v4\n", false },
    { "v4 = add-nw i32 v3 v7\nv9 = add i32 v4 v4\n", false },
    { "v4 = add-nw i32 v3 v3\nv9 = add i32 v4 v4\n", false },
    { "v4 = add-nw i32 v3 v5\nv9 = add i32 v3 v4\n", false },
    { "v4 = add-nw i32 v3 v5\nv11 = add-nw i32 v3 v5\nv9 = add i32 v4 v11\n", false },
    { "v4 = add-nw i32 v3 v5\nv11 = trunc i32 v2\nv9 = add i32 v4 v11\n", false },
    { "v4 = add-nw i32 v3 v5\nv11 = trunc i8 v2\nv12 = sext i32 v11\nv9 = add i32 v4 v12\n", false },
  };
  static char text[TEXT_LEN];
  (void) state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    {
      int64_t hi = INT32_MAX - 12 - PG_KIR_MOST_PLUS;
      struct
      {
	int64_t sum;
	int32_t plus;
      } given = { 7, 5 }, expected = { 7, 5 };
      snprintf (text, sizeof text,
		"kernel \"counter\" args 16 dims 1 refs 0\ncarry i64 add 0\nb0:\nv1 = carry i64 0\nv2 = iter i64 0\n"
		"v3 = trunc i32 v2\nv5 = const i32 %d\nv6 = const i32 %d\nv7 = arg i32 8\n%s"
		"v10 = sext i64 v9\nv13 = add i64 v1 v10\nnext void v13 carry 0\nreturn void\nend\n",
		PG_KIR_MOST_PLUS, PG_KIR_MOST_PLUS + 1, cases[c].counter);
      struct pg_kir_kernel loop = read_kernel (text), spmd = map (&loop, PG_KIR_STRIDED_I32);
      run_in_order (&loop, &expected, NULL, 0, hi - 30, hi);
      run_mapped (&loop, PG_KIR_STRIDED_I32, &given, NULL, 0, hi - 30, hi, 4, 3, c);
      assert_int_equal (given.sum, expected.sum);
      pg_kir_write (&spmd, text, sizeof text);
      if ((strstr (text, "const i64 64\n") != NULL) != cases[c].is_counted) /* PG_KIR_MOST_PLUS, where it begins */
	fail_msg ("%s%s", cases[c].counter, text);
      pg_kir_end (&loop);
      pg_kir_end (&spmd);
    }
}

/* What comes out, for people to read.  */
static void
grids_look_like_this (void **state)
{
  static const struct
  {
    const char *loop, *grid;
    enum pg_kir_mapping mapping;
  } all[] = { { "axpy", "axpy-strided", PG_KIR_STRIDED },
	      { "axpy", "axpy-strided-i32", PG_KIR_STRIDED_I32 },
	      { "sum", "sum-tree", PG_KIR_STRIDED_TREE } };
  static char text[TEXT_LEN];
  (void) state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      struct pg_kir_kernel loop = read_kernel (golden (all[i].loop)), spmd = map (&loop, all[i].mapping);
      pg_kir_write (&spmd, text, sizeof text);
      assert_string_equal (text, golden (all[i].grid));
      pg_kir_end (&loop);
      pg_kir_end (&spmd);
    }
}

static void
what_cannot_be_mapped_is_said (void **state)
{
  struct pg_kir_kernel loop = read_kernel (golden ("axpy")), kinds = read_kernel (golden ("kinds")), spmd;
  struct pg_kir_error error;
  (void) state;
  pg_kir_begin (&spmd, NULL);
  assert_false (pg_kir_map (&spmd, &kinds, PG_KIR_STRIDED, 32, &error));
  assert_non_null (strstr (error.text, "one dimension"));
  assert_false (pg_kir_map (&spmd, &loop, PG_KIR_STRIDED, 0, &error));
  assert_false (pg_kir_map (&spmd, &loop, PG_KIR_STRIDED, PG_KIR_MOST_THREADS + 1, &error));
  assert_non_null (strstr (error.text, "so many threads"));
  loop.args_len = PG_KIR_MOST_ARGS_LEN;
  assert_false (pg_kir_map (&spmd, &loop, PG_KIR_STRIDED, 32, &error));
  assert_non_null (strstr (error.text, "too many arguments"));
  assert_int_equal (spmd.n_blocks, 0);
  pg_kir_end (&loop);
  pg_kir_end (&kinds);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (races_show_and_atomics_do_not_race),
    cmocka_unit_test (atomics_change_what_they_say),
    cmocka_unit_test (barriers_are_waited_at),
    cmocka_unit_test (barriers_that_not_all_reach_are_an_error),
    cmocka_unit_test (each_form_has_its_operations),
    cmocka_unit_test (grids_leave_what_loops_leave),
    cmocka_unit_test (carried_values_are_collected),
    cmocka_unit_test (idle_threads_add_nothing),
    cmocka_unit_test (all_ways_are_carried),
    cmocka_unit_test (combining_has_an_identity),
    cmocka_unit_test (iterations_fit_into_32_bits),
    cmocka_unit_test (threads_count_from_where_the_loop_does),
    cmocka_unit_test (grids_look_like_this),
    cmocka_unit_test (what_cannot_be_mapped_is_said),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
