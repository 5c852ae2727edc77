/* SPDX-License-Identifier: MIT
   What a clean verdict is worth: a loop that reads addresses, conditions and data from the memory that it writes, run
   on a grid, leaves what it leaves in order whenever a method says that it is clean.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "noted-loops.h"

enum
{
  N = 6,     /* iterations */
  LEN = 256, /* words of the memory */
  N_BLOCKS = 2,
  N_THREADS = 4,
  N_SEEDS = 3000
};

static struct data
{
  int32_t memory[LEN];
  int32_t left[2 * N]; /* what iterations leave of their own */
} data, expected;

static struct
{
  int32_t reads[N], writes[N], others[N];
} places;

static struct
{
  uint32_t verdict;
  uint64_t n_marked, writers[LEN], readers[LEN];
} logs;

struct args
{
  int32_t *memory, *left, *reads, *writes, *others;
  struct pg_kir_logs logs;
  struct pg_kir_array array;
  struct pg_kir_launch launch;
};

/* a = m[reads[i]]; b = m[a]; c = m[a ^ 1];
   m[writes[i]] = b & 1 ? m[others[i]] : b + 2;
   d = m[a ^ 1]; left[2 i] = c; left[2 i + 1] = m[d];

   where what comes from the memory is cut to its indices: a and d are for addresses, b for a branch, c for neither.  */
static const char tangle[]
  = "kernel \"tangle\" args 40 dims 1 refs 4\nb0:\n"
    "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = const i32 255\nv5 = const i32 1\nv6 = arg ptr 0\n"
    "v7 = arg ptr 16\nv8 = address ptr v7 v3\nv9 = load i32 v8 ref 0\nv10 = sext i64 v9\nv11 = shl i64 v10 v2\n"
    "v12 = address ptr v6 v11\nv13 = load i32 v12 ref 1\nv14 = and i32 v13 v4\nv15 = sext i64 v14\n"
    "v16 = shl i64 v15 v2\nv17 = address ptr v6 v16\nv18 = load i32 v17 ref 1\nv19 = trunc i8 v18\n"
    "v37 = xor i32 v14 v5\nv39 = sext i64 v37\nv40 = shl i64 v39 v2\nv41 = address ptr v6 v40\n"
    "v53 = load i32 v41 ref 1\nv22 = arg ptr 24\nv23 = address ptr v22 v3\nv24 = load i32 v23 ref 0\n"
    "v25 = sext i64 v24\nv26 = shl i64 v25 v2\nv27 = address ptr v6 v26\nv20 = const i8 1\n"
    "v21 = and i8 v19 v20\nbranch void v21 b1 b2\n"
    "b1:\nv30 = arg ptr 32\nv31 = address ptr v30 v3\nv32 = load i32 v31 ref 0\nv33 = sext i64 v32\n"
    "v34 = shl i64 v33 v2\nv35 = address ptr v6 v34\nv36 = load i32 v35 ref 1\nstore void v27 v36 ref 2\n"
    "jump void b3\n"
    "b2:\nv28 = const i32 2\nv29 = add i32 v18 v28\nstore void v27 v29 ref 2\njump void b3\n"
    "b3:\nv42 = load i32 v41 ref 1\nv43 = arg ptr 8\nv44 = address ptr v43 v3\nv45 = address ptr v44 v3\n"
    "store void v45 v53 ref 3\nv46 = and i32 v42 v4\nv47 = sext i64 v46\nv48 = shl i64 v47 v2\n"
    "v49 = address ptr v6 v48\nv50 = load i32 v49 ref 1\nv51 = const i64 4\nv52 = address ptr v45 v51\n"
    "store void v52 v50 ref 3\nreturn void\nend\n";

static const struct pg_kir_space spaces[] = {
  { (char *) &data, sizeof data, true },
  { (char *) &places, sizeof places, false },
  { (char *) &logs, sizeof logs, true },
};

static struct args
args_of (void)
{
  return (struct args) {
    .memory = data.memory,
    .left = data.left,
    .reads = places.reads,
    .writes = places.writes,
    .others = places.others,
    .logs = { (uint64_t) (uintptr_t) &logs.verdict, (uint64_t) (uintptr_t) &logs.n_marked, 0, { 0, N }, 0 },
    .array = { (uint64_t) (uintptr_t) data.memory, sizeof data.memory, (uint64_t) (uintptr_t) logs.writers,
	       (uint64_t) (uintptr_t) logs.readers },
  };
}

static void
make_data (uint64_t seed)
{
  uint64_t random = seed;
  for (int i = 0; i < LEN; i++)
    data.memory[i] = (int32_t) nl_below (&random, LEN);
  memset (data.left, 0, sizeof data.left);
  for (int i = 0; i < N; i++)
    {
      places.reads[i] = (int32_t) nl_below (&random, LEN);
      places.writes[i] = (int32_t) nl_below (&random, LEN);
      places.others[i] = (int32_t) nl_below (&random, LEN);
    }
  /* One iteration writes where it reads a, b or c and d; and another one, where that one would read then.  */
  int i = (int) nl_below (&random, N), a = data.memory[places.reads[i]];
  const int32_t own[] = { places.writes[i], places.reads[i], a, a ^ 1 };
  places.writes[i] = own[seed % 4];
  if (seed / 4 % 2 > 0)
    places.writes[(i + 1) % N] = seed / 8 % 2 > 0 ? places.others[i] : (data.memory[a] + 2) % LEN;
}

struct made
{
  struct pg_kir_kernel loop, spmd;
};

static struct made
make (struct pg_kir_kernel loop)
{
  return (struct made) { .loop = loop, .spmd = map_kernel (&loop, PG_KIR_STRIDED, N_THREADS) };
}

/* Run MADE as a grid, shuffled by SEED.  */
static void
run_made (const struct made *made, struct args *args, uint64_t seed)
{
  const struct pg_kir_launch launch = { .lo = 0, .hi = N, .stride = N_BLOCKS * N_THREADS };
  memcpy ((char *) args + pg_kir_launch_offset (&made->loop), &launch, sizeof launch);
  assert_int_equal (run_grid (&made->spmd, args, spaces, 3, N_BLOCKS, N_THREADS, seed + 1), PG_KIR_DONE);
}

static void
end (struct made *made)
{
  pg_kir_end (&made->loop);
  pg_kir_end (&made->spmd);
}

static struct made
make_noting (const struct pg_kir_kernel *loop, unsigned what, uint8_t log)
{
  static const uint8_t array_of[] = { PG_KIR_NOT_LOGGED, 0, 0, PG_KIR_NOT_LOGGED }, words[] = { 2 };
  const struct pg_kir_logging logging
    = { .what = what, .n_arrays = 1, .array_of = array_of, .shift_of = words, .log_of = &log };
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_instrument (&kernel, loop, &logging, &error))
    fail_msg ("%s", error.text);
  verify_kernel (&kernel);
  return make (kernel);
}

/* The verdict of METHOD on the data, which the kernels of PHASES, the first shuffled by SEED, change or not.  */
static unsigned
judge (const struct nl_method *method, const struct made *phases, const struct pg_kir_kernel *scan, uint64_t seed)
{
  struct args args = args_of ();
  enum pg_kir_log log = (enum pg_kir_log) method->log;
  memset (logs.writers, pg_kir_cleared (log), sizeof logs.writers);
  memset (logs.readers, pg_kir_cleared (log), sizeof logs.readers);
  logs.verdict = 0;
  logs.n_marked = 0;
  for (int phase = 0; phase < NL_N_PHASES; phase++)
    if (method->what[phase] != 0)
      run_made (&phases[phase], &args, seed);
  if (!method->scans)
    return logs.verdict;
  struct pg_kir_scan_args scan_args = { args.logs.verdict, args.array.writers, args.array.readers, args.logs.epoch, 0 };
  run_in_order (scan, &scan_args, spaces, 3, 0, (int64_t) pg_kir_scan_iterations (log, LEN));
  bool is_more = log == PG_KIR_LOG_MARKS && (uint64_t) scan_args.n_marked != logs.n_marked;
  return logs.verdict | (is_more ? PG_KIR_WRITTEN_TWICE : 0);
}

static void
clean_loops_leave_what_they_should (void **state)
{
  struct made plain = make (read_kernel (tangle));
  (void) state;
  for (int m = 0; m < NL_N_METHODS; m++)
    {
      const struct nl_method *method = &nl_methods[m];
      struct made phases[NL_N_PHASES];
      struct pg_kir_kernel scan = nl_scan (method->log);
      unsigned n_clean = 0;
      if (!method->knows_reads)
	{
	  pg_kir_end (&scan);
	  continue;
	}
      for (int phase = 0; phase < NL_N_PHASES; phase++)
	phases[phase] = make_noting (&plain.loop, method->what[phase], method->log);
      for (uint64_t seed = 0; seed < N_SEEDS; seed++)
	{
	  make_data (seed);
	  struct args args = args_of ();
	  run_in_order (&plain.loop, &args, spaces, 3, 0, N);
	  expected = data;
	  make_data (seed);
	  if (judge (method, phases, &scan, seed) != PG_KIR_CLEAN)
	    continue;
	  n_clean++;
	  if (method->what[0] & PG_KIR_ADDRESSES_ONLY)
	    run_made (&plain, &args, seed);
	  if (memcmp (&data, &expected, sizeof data) != 0)
	    fail_msg ("%s, seed %llu: clean, but not what is left in order", method->name, (unsigned long long) seed);
	}
      print_message ("%s: %u clean of %d\n", method->name, n_clean, N_SEEDS);
      assert_true (n_clean > N_SEEDS / 100);
      for (int phase = 0; phase < NL_N_PHASES; phase++)
	end (&phases[phase]);
      pg_kir_end (&scan);
    }
  end (&plain);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (clean_loops_leave_what_they_should) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
