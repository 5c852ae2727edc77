/* SPDX-License-Identifier: MIT
   Instrumented kernels: accesses anywhere, between words and outside arrays, and what is left of a loop.
   test-kir-instrument-conflicts.c has conflicts of each kind.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kir-run.h"
#include "kir/instrument.h"
#include "kir/prune.h"

enum
{
  N = 40,      /* iterations */
  LEN = 4 * N, /* bytes of the memory that they meet in */
  LOW = 1000   /* the first iteration */
};

/* *(int *) (x + to[i]) = *(TYPE *) (x + from[i]) + 1, the places being in bytes.  */
#define MOVE(type, widen, value)                                                                                  \
  "kernel \"move\" args 24 dims 1 refs 4\nb0:\n"                                                                  \
  "v1 = iter i64 0\nv2 = const i64 1000\nv3 = sub i64 v1 v2\nv4 = const i64 2\nv5 = shl i64 v3 v4\n"              \
  "v6 = arg ptr 8\nv7 = address ptr v6 v5\nv8 = load i32 v7 ref 0\nv9 = sext i64 v8\n"                            \
  "v10 = arg ptr 16\nv11 = address ptr v10 v5\nv12 = load i32 v11 ref 1\nv13 = sext i64 v12\n"                    \
  "v14 = arg ptr 0\nv15 = address ptr v14 v13\nv16 = load-bytes " type " v15 ref 2\n" widen "v18 = const i32 1\n" \
  "v19 = add i32 " value " v18\nv20 = address ptr v14 v9\nstore-bytes void v20 v19 ref 3\nreturn void\nend\n"

static const char *const moves[] = { MOVE ("i32", "", "v16"), MOVE ("i8", "v17 = zext i32 v16\n", "v17") };

static const uint8_t both_in_one[] = { PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED, 0, 0 };

static int32_t to[N], from[N];
static char memory[LEN + 8];

/* What the logs are in.  */
static struct
{
  uint32_t verdict, writers[LEN + 8], readers[2 * (LEN + 8)];
} tables;

struct logged_args
{
  char *x;
  int32_t *to, *from;
  struct pg_kir_logs logs;
  struct pg_kir_array array;
  struct pg_kir_launch launch; /* if it is a grid */
};

static struct pg_kir_kernel
instrument (const struct pg_kir_kernel *loop, unsigned what, uint8_t shift)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  const struct pg_kir_logging logging = { .what = what, .n_arrays = 1, .array_of = both_in_one, .shift_of = &shift };
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_instrument (&kernel, loop, &logging, &error));
  verify_kernel (&kernel);
  return kernel;
}

/* Run [LO, HI) of LOOP with ARGS, with SEED 0 one after the other, or else on a grid.  */
static void
run (const struct pg_kir_kernel *loop, void *args, int64_t lo, int64_t hi, uint64_t seed)
{
  const struct pg_kir_space spaces[] = {
    { (char *) to, sizeof to, false },
    { (char *) from, sizeof from, false },
    { memory, sizeof memory, true },
    { (char *) &tables, sizeof tables, true },
  };
  if (seed == 0)
    run_in_order (loop, args, spaces, 4, lo, hi);
  else
    run_strided (loop, args, spaces, 4, lo, hi, 3, 8, seed);
}

/* What the loop's iterations do to each other, by bytes: the reads are of READ_LEN bytes.  */
static unsigned
truth (int read_len)
{
  unsigned verdict = PG_KIR_CLEAN;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (i != j)
	{
	  verdict |= abs (to[i] - to[j]) < 4 ? PG_KIR_WRITTEN_TWICE : 0;
	  verdict |= from[j] < to[i] + 4 && to[i] < from[j] + read_len ? PG_KIR_READ_TOO : 0;
	}
  return verdict;
}

struct method
{
  unsigned first, second;
  bool scans;
};

static const struct method methods[] = {
  { PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS, 0, true },
  { PG_KIR_NOTE_WRITES, PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY, false },
  { PG_KIR_NOTE_WRITES | PG_KIR_ADDRESSES_ONLY, PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY, false },
};

enum
{
  N_METHODS = sizeof methods / sizeof *methods
};

/* The verdict of METHOD on LOOP, granules being 2^SHIFT bytes.  */
static unsigned
judge (const struct pg_kir_kernel *loop, const struct method *method, uint8_t shift, uint64_t seed)
{
  const struct pg_kir_epoch epoch = { UINT32_MAX - N, UINT32_MAX };
  memset (&tables, 0xff, sizeof tables);
  tables.verdict = 0;
  struct logged_args args = {
    .x = memory,
    .to = to,
    .from = from,
    .logs = { .verdict = (uint64_t) (uintptr_t) &tables.verdict, .first = LOW, .epoch = epoch },
    .array = { (uint64_t) (uintptr_t) memory, LEN, (uint64_t) (uintptr_t) tables.writers,
	       (uint64_t) (uintptr_t) tables.readers },
  };
  struct pg_kir_kernel first = instrument (loop, method->first, shift);
  run (&first, &args, LOW, LOW + N, seed);
  pg_kir_end (&first);
  if (method->second != 0)
    {
      struct pg_kir_kernel second = instrument (loop, method->second, shift);
      run (&second, &args, LOW, LOW + N, seed);
      pg_kir_end (&second);
    }
  if (method->scans)
    {
      struct
      {
	struct pg_kir_scan_args scan;
	struct pg_kir_launch launch;
      } scan = { .scan = { args.logs.verdict, args.array.writers, args.array.readers, epoch, 0 } };
      struct pg_kir_kernel kernel;
      struct pg_kir_error error;
      pg_kir_begin (&kernel, NULL);
      assert_true (pg_kir_scan (&kernel, PG_KIR_LOG_ITERATIONS, &error));
      verify_kernel (&kernel);
      run (&kernel, &scan, 0, (LEN + (1 << shift) - 1) >> shift, seed);
      pg_kir_end (&kernel);
    }
  return tables.verdict;
}

static unsigned
below (uint64_t *seed, unsigned n)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (*seed >> 33) % n;
}

/* Each iteration in words of its own, in any order.  */
static void
place_apart (uint64_t *seed)
{
  for (int i = 0; i < N; i++)
    {
      int j = (int) below (seed, (unsigned) i + 1);
      to[i] = to[j];
      to[j] = 4 * i;
    }
  memcpy (from, to, sizeof from);
}

/* Find what there is: exactly, if EXACTLY, or else nothing less.  */
static void
check (const struct pg_kir_kernel *loop, int read_len, uint8_t shift, uint64_t seed, bool exactly)
{
  unsigned expected = truth (read_len);
  for (int m = 0; m < N_METHODS; m++)
    {
      unsigned found = judge (loop, &methods[m], shift, seed);
      /* Where two iterations write, the reads of one of them are not looked for.  */
      bool is_good = exactly ? (found != 0) == (expected != 0) : found != 0 || expected == 0;
      is_good &= (found & ~expected) == 0 || !exactly;
      is_good &= !(expected & PG_KIR_WRITTEN_TWICE) || (found & PG_KIR_WRITTEN_TWICE);
      is_good &= expected != PG_KIR_READ_TOO || (found & PG_KIR_READ_TOO);
      if (!is_good)
	fail_msg ("method %d, shift %u, seed %llu: %u, not %u", m, shift, (unsigned long long) seed, found, expected);
    }
}

/* With any places, also between words, granules of a byte are exact, and larger ones find all there is and more.  */
static void
bytes_are_told_apart (void **state)
{
  uint64_t random = 7;
  int n_clean = 0;
  (void) state;
  for (int k = 0; k < 2; k++)
    {
      struct pg_kir_kernel loop = read_kernel (moves[k]);
      for (uint64_t seed = 0; seed < 60; seed++)
	{
	  place_apart (&random);
	  int at = (int) below (&random, N), move = (int) below (&random, 4);
	  if (to[at] + move + 4 <= LEN)
	    to[at] += move;
	  if (seed % 2)
	    from[below (&random, N)] += (int) below (&random, 2);
	  for (int i = 0; i < N; i++)
	    if (from[i] + 4 > LEN)
	      from[i] = LEN - 4;
	  n_clean += truth (k == 0 ? 4 : 1) == 0;
	  check (&loop, k == 0 ? 4 : 1, 0, seed % 3, true);
	  check (&loop, k == 0 ? 4 : 1, 1, seed % 3, false);
	  check (&loop, k == 0 ? 4 : 1, 3, seed % 3, false);
	}
      pg_kir_end (&loop);
    }
  assert_in_range (n_clean, 5, 115);
}

/* An access that leaves its array, before it or behind it, even by a byte, does not happen.  */
static void
nothing_outside_is_accessed (void **state)
{
  static const int32_t places[] = { -1, -4, LEN - 3, LEN, INT32_MAX, INT32_MIN };
  struct pg_kir_kernel loop = read_kernel (moves[0]);
  (void) state;
  for (size_t p = 0; p < sizeof places / sizeof *places; p++)
    for (int is_read = 0; is_read < 2; is_read++)
      for (uint64_t seed = 0; seed < 2; seed++)
	{
	  uint64_t random = 3;
	  place_apart (&random);
	  memset (memory, 0x77, sizeof memory);
	  (is_read ? from : to)[13] = places[p];
	  assert_int_equal (judge (&loop, &methods[0], 2, seed) & PG_KIR_OUTSIDE_ARRAY, PG_KIR_OUTSIDE_ARRAY);
	  if (seed == 0 && places[p] != -1 && places[p] != LEN - 3)
	    for (int i = 0; i < 8; i++)
	      assert_int_equal (memory[LEN + i], 0x77);
	}
  pg_kir_end (&loop);
}

/* The loop does its work, noted or not; where only addresses are wanted, it does not.  */
static void
the_work_is_done_or_not (void **state)
{
  static char expected[sizeof memory];
  struct pg_kir_kernel loop = read_kernel (moves[0]);
  uint64_t random = 5;
  (void) state;
  place_apart (&random);
  for (int i = 0; i < LEN; i++)
    memory[i] = (char) i;
  memcpy (expected, memory, sizeof memory);
  judge (&loop, &methods[2], 2, 0);
  assert_memory_equal (memory, expected, sizeof memory);
  judge (&loop, &methods[1], 2, 0);
  for (int i = 0; i < N; i++)
    {
      int32_t before, after;
      memcpy (&before, expected + 4 * i, sizeof before);
      memcpy (&after, memory + 4 * i, sizeof after);
      assert_int_equal (after, before + 1);
    }
  pg_kir_end (&loop);
}

/* What the addresses alone need is less than the loop.  */
static void
what_nobody_needs_is_taken_out (void **state)
{
  struct pg_kir_kernel kernel = read_kernel ("kernel \"x\" args 16 dims 1 refs 1\ncarry i64 add 8\nb0:\n"
					     "v1 = arg ptr 0\nv2 = load i32 v1 ref 0\nv3 = add i32 v2 v2\n" /* dead */
					     "v4 = carry i64 0\nv5 = iter i64 0\nv6 = add i64 v4 v5\n"
					     "next void v6 carry 0\nv7 = const i8 1\nbranch void v7 b1 b2\n"
					     "b1:\njump void b3\nb2:\njump void b3\n"
					     "b3:\nv8 = phi i64 [b1 v5] [b2 v6]\nreturn void\nend\n");
  char text[1000];
  (void) state;
  assert_true (pg_kir_prune (&kernel));
  verify_kernel (&kernel);
  pg_kir_write (&kernel, text, sizeof text);
  assert_null (strstr (text, "load"));
  assert_null (strstr (text, "arg ptr"));
  assert_null (strstr (text, "phi"));
  assert_non_null (strstr (text, "next void"));
  assert_non_null (strstr (text, "= add i64"));
  pg_kir_end (&kernel);
  struct pg_kir_kernel loop = read_kernel (moves[0]);
  struct pg_kir_kernel inspector = instrument (&loop, PG_KIR_NOTE_WRITES | PG_KIR_ADDRESSES_ONLY, 2);
  int n_loads = 0;
  for (uint32_t b = 0; b < inspector.n_blocks; b++)
    for (uint32_t i = 0; i < inspector.blocks[b].n; i++)
      {
	enum pg_kir_shape shape = pg_kir_ops[inspector.instrs[inspector.blocks[b].code[i]].op].shape;
	assert_int_not_equal (shape, PG_KIR_STORE);
	n_loads += shape == PG_KIR_LOAD;
      }
  assert_int_equal (n_loads, 1); /* of to[i] */
  pg_kir_end (&loop);
  pg_kir_end (&inspector);
}

/* *p++ = 1, p being carried: which iteration has which p, a grid does not know.  */
static const char carries_address[] = "kernel \"carries\" args 8 dims 1 refs 3\ncarry ptr last 0\nb0:\n"
				      "v1 = carry ptr 0\nv2 = const i64 4\nv3 = address ptr v1 v2\n"
				      "next void v3 carry 0\nv4 = const i32 1\nstore void v1 v4 ref 2\n"
				      "return void\nend\n";

static void
what_cannot_be_instrumented_is_said (void **state)
{
  struct pg_kir_kernel loop = read_kernel (moves[0]), carrying = read_kernel (carries_address), kernel;
  struct pg_kir_error error;
  const uint8_t shift = 2;
  struct pg_kir_logging logging
    = { .what = PG_KIR_NOTE_WRITES, .n_arrays = 1, .array_of = both_in_one, .shift_of = &shift };
  (void) state;
  pg_kir_begin (&kernel, NULL);
  logging.n_arrays = PG_KIR_MOST_ARRAYS + 1;
  assert_false (pg_kir_instrument (&kernel, &loop, &logging, &error));
  assert_non_null (strstr (error.text, "too many"));
  logging.n_arrays = 1;
  logging.what |= PG_KIR_ADDRESSES_ONLY;
  assert_false (pg_kir_instrument (&kernel, &carrying, &logging, &error));
  assert_non_null (strstr (error.text, "carried values"));
  logging.what = PG_KIR_NOTE_WRITES;
  assert_true (pg_kir_instrument (&kernel, &carrying, &logging, &error));
  pg_kir_end (&kernel);
  loop.n_dims = 2;
  assert_false (pg_kir_instrument (&kernel, &loop, &logging, &error));
  assert_non_null (strstr (error.text, "one dimension"));
  assert_int_equal (kernel.n_blocks, 0);
  pg_kir_end (&loop);
  pg_kir_end (&carrying);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (bytes_are_told_apart),
    cmocka_unit_test (nothing_outside_is_accessed),
    cmocka_unit_test (the_work_is_done_or_not),
    cmocka_unit_test (what_nobody_needs_is_taken_out),
    cmocka_unit_test (what_cannot_be_instrumented_is_said),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
