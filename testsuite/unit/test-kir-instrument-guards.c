/* SPDX-License-Identifier: MIT
   Instrumented kernels guard themselves against values that are not what they would be in order: no access leaves its
   array, no inner loop goes on for ever, no NaN goes unseen, and what is wrong is said.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/instrument.h"
#include "stale-loops.h"

#include <math.h>

enum
{
  N = STALE_ITERS,
  N_THREADS = 8,
  N_BLOCKS = 3
};

/* Memory of a loop's own, with what it must not touch around it.  */
static struct
{
  char before[256];
  union
  {
    int32_t ints[4 * N];
    double doubles[2 * N];
  } u;
  char behind[256];
} memory;

static struct
{
  uint32_t verdict;
  uint32_t writers[sizeof memory.u / 4], readers[sizeof memory.u / 2];
} tables;

static const uint8_t words[] = { 2 };

struct args
{
  void *own[3]; /* the loop's */
  struct pg_kir_logs logs;
  struct pg_kir_array array;
  struct pg_kir_launch launch;
};

static struct args
args_of (void *x, void *y, void *z, int64_t budget)
{
  memset (&tables, 0xff, sizeof tables);
  tables.verdict = 0;
  return (struct args) {
    .own = { x, y, z },
    .logs = { (uint64_t) (uintptr_t) &tables.verdict, 0, 0, { 0, N }, budget },
    .array = { (uint64_t) (uintptr_t) &memory.u, sizeof memory.u, (uint64_t) (uintptr_t) tables.writers,
	       (uint64_t) (uintptr_t) tables.readers },
  };
}

/* The loop in TEXT, which does WHAT besides, its references being in ARRAY_OF, those in BOUNDS_ONLY only looked at.  */
static struct pg_kir_kernel
guarded (const char *text, unsigned what, const uint8_t *array_of, const bool *bounds_only)
{
  struct pg_kir_kernel loop = read_kernel (text), kernel;
  struct pg_kir_error error;
  const struct pg_kir_logging logging
    = { .what = what, .n_arrays = 1, .array_of = array_of, .shift_of = words, .bounds_only = bounds_only };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_instrument (&kernel, &loop, &logging, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  verify_kernel (&kernel);
  pg_kir_end (&loop);
  return kernel;
}

/* Run [0, N) of KERNEL with ARGS, one after the other, or if SEED is not 0, as a grid; what is found.  */
static unsigned
run (const struct pg_kir_kernel *kernel, struct args *args, int64_t n, uint64_t seed)
{
  const struct pg_kir_space spaces[]
    = { { (char *) &memory.u, sizeof memory.u, true }, { (char *) &tables, sizeof tables, true } };
  if (seed == 0)
    run_in_order (kernel, args, spaces, 2, 0, n);
  else
    run_strided (kernel, args, spaces, 2, 0, n, N_BLOCKS, N_THREADS, seed);
  return tables.verdict;
}

/* y[p[i]] = i.  */
static const char scatter[] = "kernel \"scatter\" args 24 dims 1 refs 2\nb0:\n"
			      "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\n"
			      "v5 = address ptr v4 v3\nv6 = load i32 v5 ref 0\nv7 = sext i64 v6\n"
			      "v8 = shl i64 v7 v2\nv9 = arg ptr 8\nv10 = address ptr v9 v8\nv11 = trunc i32 v1\n"
			      "store void v10 v11 ref 1\nreturn void\nend\n";

static const uint8_t second_only[] = { PG_KIR_NOT_LOGGED, 0 };
static const bool all_bounds[] = { true, true };

/* A reference of which only the bounds matter leaves no note, and the iteration that leaves its array ends.  */
static void
bounds_alone_are_kept (void **state)
{
  static const int32_t wild[] = { 4 * N, -1, INT32_MAX, INT32_MIN };
  struct pg_kir_kernel kernel = guarded (scatter, PG_KIR_NOTE_WRITES, second_only, all_bounds);
  (void) state;
  for (uint64_t seed = 0; seed < 3; seed++)
    for (size_t w = 0; w <= sizeof wild / sizeof *wild; w++)
      {
	bool is_wild = w < sizeof wild / sizeof *wild;
	memset (&memory, 0x77, sizeof memory);
	for (int i = 0; i < N; i++)
	  memory.u.ints[i] = N + i / 2; /* twice each: nobody notes it */
	memory.u.ints[13] = is_wild ? wild[w] : N;
	struct args args = args_of (memory.u.ints, memory.u.ints, NULL, 0);
	args.array.writers = args.array.readers = 0;
	assert_int_equal (run (&kernel, &args, N, seed), is_wild ? PG_KIR_OUTSIDE_ARRAY : PG_KIR_CLEAN);
	for (int i = 0; i < 256; i++)
	  assert_true (memory.before[i] == 0x77 && memory.behind[i] == 0x77);
      }
  pg_kir_end (&kernel);
}

/* Reads that are noted nowhere are looked at, too, if they happen: p[p[i]] is a read whose address was read.  */
static const char gather[] = "kernel \"gather\" args 24 dims 1 refs 3\nb0:\n"
			     "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\n"
			     "v5 = address ptr v4 v3\nv6 = load i32 v5 ref 0\nv7 = sext i64 v6\n"
			     "v8 = shl i64 v7 v2\nv9 = address ptr v4 v8\nv10 = load i32 v9 ref 1\n"
			     "v11 = sext i64 v10\nv12 = shl i64 v11 v2\nv13 = arg ptr 8\n"
			     "v14 = address ptr v13 v12\nstore void v14 v6 ref 2\nreturn void\nend\n";

static unsigned
count (const struct pg_kir_kernel *kernel, enum pg_kir_op op)
{
  unsigned n = 0;
  for (uint32_t b = 0; b < kernel->n_blocks; b++)
    for (uint32_t i = 0; i < kernel->blocks[b].n; i++)
      n += kernel->instrs[kernel->blocks[b].code[i]].op == op;
  return n;
}

static void
all_that_happens_is_looked_at (void **state)
{
  static const uint8_t all[] = { PG_KIR_NOT_LOGGED, 0, 0 };
  static const unsigned what[]
    = { PG_KIR_NOTE_WRITES, PG_KIR_NOTE_WRITES | PG_KIR_ADDRESSES_ONLY, PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY };
  (void) state;
  for (int k = 0; k < 3; k++)
    {
      struct pg_kir_kernel kernel = guarded (gather, what[k], all, NULL);
      for (int i = 0; i < N; i++)
	memory.u.ints[i] = i == 13 ? INT32_MAX : i;
      struct args args = args_of (memory.u.ints, memory.u.ints + N, NULL, 0);
      assert_int_equal (run (&kernel, &args, N, 0), PG_KIR_OUTSIDE_ARRAY);
      /* Where stores are left out and nobody notes them, only the read is.  */
      assert_int_equal (count (&kernel, PG_KIR_OP_RETURN), k == 2 ? 2 : 3);
      pg_kir_end (&kernel);
    }
  /* A load that no address needs does not happen there.  */
  struct pg_kir_kernel loop = guarded (scatter, PG_KIR_ADDRESSES_ONLY | PG_KIR_TEST_READS, second_only, NULL);
  assert_int_equal (count (&loop, PG_KIR_OP_LOAD), 0);
  pg_kir_end (&loop);
}

/* for (j = 0; j < m[i]; j++) s[i]++, the test being at the end.  */
static const char rounds[] = "kernel \"rounds\" args 24 dims 1 refs 3\nb0:\n"
			     "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\n"
			     "v5 = address ptr v4 v3\nv6 = arg ptr 8\nv7 = address ptr v6 v3\n"
			     "v8 = const i32 0\nv9 = const i32 1\njump void b1\n"
			     "b1:\nv10 = phi i32 [b0 v8] [b1 v14]\nv11 = load i32 v7 ref 1\nv12 = add i32 v11 v9\n"
			     "store void v7 v12 ref 2\nv13 = load i32 v5 ref 0\nv14 = add i32 v10 v9\n"
			     "v15 = slt i8 v14 v13\nbranch void v15 b1 b2\nb2:\nreturn void\nend\n";

static const uint8_t none_of_three[] = { PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED };

/* An iteration may go round as often as its budget says, and no more.  */
static void
a_budget_ends_inner_loops (void **state)
{
  struct pg_kir_kernel kernel = guarded (rounds, PG_KIR_COUNT_ROUNDS, none_of_three, NULL);
  (void) state;
  for (uint64_t seed = 0; seed < 3; seed++)
    for (int budget = 0; budget < 12; budget++)
      for (int longest = 1; longest < 12; longest += longest == 1 ? 8 : 1)
	{
	  for (int i = 0; i < N; i++)
	    {
	      memory.u.ints[i] = i == 5 ? longest : 1;
	      memory.u.ints[N + i] = 0;
	    }
	  struct args args = args_of (memory.u.ints, memory.u.ints + N, NULL, budget);
	  assert_int_equal (run (&kernel, &args, N, seed), longest > budget ? PG_KIR_OUT_OF_BUDGET : PG_KIR_CLEAN);
	  assert_int_equal (memory.u.ints[N + 5], longest > budget ? budget + 1 : longest);
	}
  pg_kir_end (&kernel);
}

/* A loop that has no inner loop has no budget, and one that leads back in several ways has one for all of them.  */
static void
budgets_are_of_all_ways_round (void **state)
{
  static const char nested[] = "kernel \"nested\" args 24 dims 1 refs 3\nb0:\n"
			       "v1 = const i64 0\nv2 = const i64 1\nv3 = const i64 4\nv4 = arg ptr 0\njump void b1\n"
			       "b1:\nv5 = phi i64 [b0 v1] [b3 v12]\njump void b2\n"
			       "b2:\nv6 = phi i64 [b1 v1] [b2 v7]\nv7 = add i64 v6 v2\nv8 = slt i8 v7 v3\n"
			       "branch void v8 b2 b3\n"
			       "b3:\nv12 = add i64 v5 v2\nv13 = slt i8 v12 v3\nbranch void v13 b1 b4\n"
			       "b4:\nreturn void\nend\n";
  struct pg_kir_kernel straight = guarded (scatter, PG_KIR_COUNT_ROUNDS, second_only, all_bounds);
  struct pg_kir_kernel kernel = guarded (nested, PG_KIR_COUNT_ROUNDS, none_of_three, NULL);
  (void) state;
  assert_int_equal (count (&straight, PG_KIR_OP_PHI), 0);
  for (int budget = 15; budget <= 25; budget++)
    {
      struct args args = args_of (NULL, NULL, NULL, budget);
      assert_int_equal (run (&kernel, &args, 3, 0), budget < 4 * 4 + 4 ? PG_KIR_OUT_OF_BUDGET : PG_KIR_CLEAN);
    }
  pg_kir_end (&straight);
  pg_kir_end (&kernel);
}

/* x[i] = x[i] / y[i], the sum of which is carried, and as an integer stored.  */
static const char divide[] = "kernel \"divide\" args 32 dims 1 refs 3\ncarry f64 add 24\nb0:\n"
			     "v1 = carry f64 0\nv2 = iter i64 0\nv3 = const i64 3\nv4 = shl i64 v2 v3\n"
			     "v5 = arg ptr 0\nv6 = address ptr v5 v4\nv7 = load f64 v6 ref 0\n"
			     "v8 = arg ptr 8\nv9 = address ptr v8 v4\nv10 = load f64 v9 ref 1\n"
			     "v11 = fdiv f64 v7 v10\n%s"
			     "return void\nend\n";
static const char *const nan_uses[] = {
  "",
  "store void v6 v11 ref 2\n",
  "v12 = ftof f32 v11\nstore void v6 v12 ref 2\n",
  "v13 = fadd f64 v1 v11\nnext void v13 carry 0\n",
  "v14 = bits i64 v11\nstore void v6 v14 ref 2\n",
  "v15 = ftos i64 v11\nstore void v6 v15 ref 2\n",
};

/* NaNs that are stored, carried or taken for an integer are seen; others, and numbers, are not.  */
static void
nans_are_seen (void **state)
{
  static const double dividends[] = { 0, 1, -0.0, INFINITY, NAN };
  static const uint8_t none[] = { PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED };
  (void) state;
  for (size_t use = 0; use < sizeof nan_uses / sizeof *nan_uses; use++)
    for (size_t d = 0; d < sizeof dividends / sizeof *dividends; d++)
      for (int finds = 0; finds < 2; finds++)
	{
	  char text[2000];
	  snprintf (text, sizeof text, divide, nan_uses[use]);
	  struct pg_kir_kernel kernel = guarded (text, finds ? PG_KIR_FIND_NANS : 0, none, NULL);
	  for (int i = 0; i < N; i++)
	    {
	      memory.u.doubles[i] = i == 40 ? dividends[d] : i;
	      memory.u.doubles[N + i] = i == 40 ? 0 : 1;
	    }
	  struct
	  {
	    void *own[3];
	    double sum;
	    struct pg_kir_logs logs;
	    struct pg_kir_array array;
	  } args = { { memory.u.doubles, memory.u.doubles + N, NULL }, 0, args_of (NULL, NULL, NULL, 0).logs, { 0 } };
	  bool is_seen = finds && isnan (dividends[d] / 0.0) && use >= 1 && use <= 4;
	  assert_int_equal (run (&kernel, (struct args *) &args, N, 0), is_seen ? PG_KIR_NAN_SEEN : PG_KIR_CLEAN);
	  pg_kir_end (&kernel);
	}
}

/* What is found in the logs of ARGS.  */
static unsigned
scan (const struct args *args)
{
  struct pg_kir_scan_args scan_args
    = { args->logs.verdict, args->array.writers, args->array.readers, args->logs.epoch, 0 };
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_scan (&kernel, PG_KIR_LOG_ITERATIONS, &error));
  unsigned found = run (&kernel, (struct args *) &scan_args, sizeof memory.u / 4, 0);
  pg_kir_end (&kernel);
  return found;
}

/* What an iteration finds in memory may be what no iteration would find in order: an address, a bound.  The kernels
   end, touch nothing else, and the verdict is never clean.  */
static void
stale_values_do_no_harm (void **state)
{
  unsigned wrong[N_STALE] = { 0 };
  (void) state;
  for (int k = 0; k < N_STALE; k++)
    {
      const struct stale_loop *loop = &stale_loops[k];
      struct pg_kir_kernel kernel
	= guarded (loop->text, PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS | PG_KIR_COUNT_ROUNDS, stale_array_of, NULL);
      for (uint64_t seed = 1; seed <= 30; seed++)
	{
	  memset (&memory, 0x77, sizeof memory);
	  stale_fill (loop, memory.u.ints, seed);
	  struct args args = args_of (memory.u.ints, memory.u.ints + loop->second, NULL, STALE_BUDGET);
	  unsigned found = run (&kernel, &args, STALE_ITERS, seed);
	  wrong[k] |= found;
	  assert_int_not_equal (found == 0 ? scan (&args) : found, PG_KIR_CLEAN);
	  for (int i = 0; i < 256; i++)
	    assert_true (memory.before[i] == 0x77 && memory.behind[i] == 0x77);
	}
      pg_kir_end (&kernel);
    }
  assert_int_equal (wrong[0] & (PG_KIR_OUTSIDE_ARRAY | PG_KIR_OUT_OF_BUDGET), PG_KIR_OUTSIDE_ARRAY);
  assert_int_equal (wrong[1] & (PG_KIR_OUTSIDE_ARRAY | PG_KIR_OUT_OF_BUDGET), PG_KIR_OUT_OF_BUDGET);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (bounds_alone_are_kept),
    cmocka_unit_test (all_that_happens_is_looked_at),
    cmocka_unit_test (a_budget_ends_inner_loops),
    cmocka_unit_test (budgets_are_of_all_ways_round),
    cmocka_unit_test (nans_are_seen),
    cmocka_unit_test (stale_values_do_no_harm),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
