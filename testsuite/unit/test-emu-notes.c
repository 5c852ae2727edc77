/* SPDX-License-Identifier: MIT
   Instrumented loops, printed, on the device without a GPU: each method finds what was planted, whatever the seed, and
   inner loops end that would not.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/print.h"
#include "emu-device.h"
#include "noted-loops.h"
#include "stale-loops.h"

enum
{
  N_BLOCKS = 3,
  N_THREADS = 8,
  SHIFT = 1,
  N_SEEDS = 3,
  MOST_KERNELS = 64,
  ROOM_LEN = 512
};

static struct pg_emu_module *module;
static char text[1 << 20] = "#include \"prelude.cuh\"\n";
static char names[MOST_KERNELS][32];
static const char *kernels[MOST_KERNELS];
static size_t n_kernels;

static const int views[] = { 0, 3, 5 }; /* int, unit, ways */

enum
{
  N_VIEWS = sizeof views / sizeof *views
};

static struct pg_kir_kernel loops[NL_N_VIEWS], scans[PG_KIR_N_LOGS];

/* Add LOOP, as a grid, to the text.  */
static void
add (const struct pg_kir_kernel *loop, const char *name)
{
  struct pg_kir_kernel spmd = map_kernel (loop, PG_KIR_STRIDED, N_THREADS);
  size_t at = strlen (text);
  snprintf (names[n_kernels], sizeof names[n_kernels], "%s", name);
  assert_true (pg_cuda_print (&spmd, names[n_kernels], text + at, sizeof text - at) < sizeof text - at);
  kernels[n_kernels] = names[n_kernels];
  n_kernels++;
  pg_kir_end (&spmd);
}

/* The name of the kernel of phase PHASE of method M for VIEW; the same for what is the same.  */
static const char *
name_of (int m, int phase, int view)
{
  static char name[32];
  if (phase == NL_N_PHASES)
    snprintf (name, sizeof name, "scan_%u", nl_methods[m].log);
  else
    snprintf (name, sizeof name, "loop_%d_%u_%u", view, nl_methods[m].what[phase], nl_methods[m].log);
  return name;
}

static bool
is_there (const char *name)
{
  for (size_t k = 0; k < n_kernels; k++)
    if (strcmp (names[k], name) == 0)
      return true;
  return false;
}

/* for (j = 0; j < m[i]; j++): the first argument is m.  Behind it: s[i] /= m[i], a float.  */
static const char endless[] = "kernel \"endless\" args 24 dims 1 refs 2\nb0:\n"
			      "v1 = iter i64 0\nv2 = const i64 2\nv3 = shl i64 v1 v2\nv4 = arg ptr 0\n"
			      "v5 = address ptr v4 v3\nv8 = const i32 0\nv9 = const i32 1\njump void b1\n"
			      "b1:\nv10 = phi i32 [b0 v8] [b1 v14]\nv13 = load i32 v5 ref 0\nv14 = add i32 v10 v9\n"
			      "v15 = slt i8 v14 v13\nbranch void v15 b1 b2\n"
			      "b2:\nv16 = arg ptr 8\nv17 = address ptr v16 v3\nv18 = load f32 v17 ref 1\n"
			      "v19 = stof f32 v13\nv20 = fdiv f32 v18 v19\nstore void v17 v20 ref 1\n"
			      "return void\nend\n";

static void
add_endless (void)
{
  static const uint8_t array_of[] = { 0, PG_KIR_NOT_LOGGED }, shift_of[] = { 2 };
  static const bool bounds_only[] = { true, true };
  const struct pg_kir_logging logging = { .what = PG_KIR_COUNT_ROUNDS | PG_KIR_FIND_NANS,
					  .n_arrays = 1,
					  .array_of = array_of,
					  .shift_of = shift_of,
					  .bounds_only = bounds_only };
  struct pg_kir_kernel loop = read_kernel (endless), kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_instrument (&kernel, &loop, &logging, &error));
  add (&kernel, "endless");
  pg_kir_end (&kernel);
  pg_kir_end (&loop);
}

static void
add_stale (const struct stale_loop *stale)
{
  static const uint8_t words[] = { 2 };
  const struct pg_kir_logging logging = { .what = PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS | PG_KIR_COUNT_ROUNDS,
					  .n_arrays = 1,
					  .array_of = stale_array_of,
					  .shift_of = words };
  struct pg_kir_kernel loop = read_kernel (stale->text), kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  assert_true (pg_kir_instrument (&kernel, &loop, &logging, &error));
  add (&kernel, stale->name);
  pg_kir_end (&kernel);
  pg_kir_end (&loop);
}

static int
set_up (void **state)
{
  struct pg_emu_setup setup = setup_of ("");
  (void) state;
  for (int v = 0; v < N_VIEWS; v++)
    {
      loops[views[v]] = read_kernel (nl_views[views[v]].text);
      for (int m = 0; m < NL_N_METHODS; m++)
	for (int phase = 0; phase < NL_N_PHASES && nl_methods[m].what[phase] != 0; phase++)
	  if (!is_there (name_of (m, phase, views[v])))
	    {
	      struct pg_kir_kernel kernel
		= nl_instrument (&loops[views[v]], nl_methods[m].what[phase], nl_methods[m].log, SHIFT);
	      add (&kernel, name_of (m, phase, views[v]));
	      pg_kir_end (&kernel);
	    }
    }
  for (int m = 0; m < NL_N_METHODS; m++)
    if (nl_methods[m].scans)
      {
	scans[nl_methods[m].log] = nl_scan (nl_methods[m].log);
	add (&scans[nl_methods[m].log], name_of (m, NL_N_PHASES, 0));
      }
  add_endless ();
  for (int k = 0; k < N_STALE; k++)
    add_stale (&stale_loops[k]);
  emu = open_device (&setup);
  if (pg_emu_compile (emu, text, kernels, n_kernels, &module) != PG_EMU_OK)
    fail_msg ("%s\n%s", pg_emu_message (emu), pg_emu_log (emu));
  return 0;
}

static int
tear_down (void **state)
{
  (void) state;
  pg_emu_close (emu);
  for (int v = 0; v < NL_N_VIEWS; v++)
    pg_kir_end (&loops[v]);
  for (int log = 0; log < PG_KIR_N_LOGS; log++)
    pg_kir_end (&scans[log]);
  return 0;
}

/* Run [LO, HI) of the grid NAME with ARGS, the loop's own being ARGS_LEN bytes; what it carries goes to PARTIALS.  */
static void
launch (const char *name, void *args, uint32_t args_len, int64_t lo, int64_t hi, uint64_t *partials,
	struct pg_kir_launch *launched)
{
  uint64_t there = give (NULL, N_BLOCKS * N_THREADS * sizeof *partials);
  char room[ROOM_LEN] = { 0 };
  *launched = (struct pg_kir_launch) { .lo = lo, .hi = hi, .stride = N_BLOCKS * N_THREADS, .partials = there };
  memcpy (room, args, args_len);
  memcpy (room + args_len, launched, sizeof *launched);
  assert_ok (
    pg_emu_launch (emu, module,
		   &(struct pg_emu_launch) { .kernel = name,
					     .grid = { N_BLOCKS, 1, 1 },
					     .block = { N_THREADS, 1, 1 },
					     .args = room,
					     .args_len = (args_len + (uint32_t) sizeof *launched + 15) / 16 * 16,
					     .limit_ms = LIMIT_MS }));
  assert_ok (pg_emu_wait (emu));
  take (partials, there, N_BLOCKS * N_THREADS * sizeof *partials);
}

static void
run (int m, int phase, void *args, uint32_t args_len, int64_t lo, int64_t hi)
{
  static uint64_t partials[N_BLOCKS * N_THREADS];
  char room[512];
  struct pg_kir_launch launched;
  memcpy (room, args, args_len);
  launch (name_of (m, phase, nl_case.view), room, args_len, lo, hi, partials, &launched);
  if (phase == NL_N_PHASES)
    pg_kir_collect (&scans[nl_methods[m].log], PG_KIR_STRIDED, &launched, N_BLOCKS, N_THREADS, partials, args);
}

/* Judge nl_case by method M.  */
static unsigned
judge (int m)
{
  nl_clear (nl_methods[m].log);
  uint64_t logs = give (&nl_logs, sizeof nl_logs), data = give (&nl_case, sizeof nl_case);
  struct nl_places there = { .memory = logs + offsetof (struct nl_logs, memory),
			     .to = data + offsetof (struct nl_case, to),
			     .from = data + offsetof (struct nl_case, from),
			     .verdict = logs + offsetof (struct nl_logs, verdict),
			     .n_marked = logs + offsetof (struct nl_logs, n_marked) };
  for (int log = 0; log < PG_KIR_N_LOGS; log++)
    {
      there.writers[log] = logs + offsetof (struct nl_logs, writers) + (uint64_t) log * sizeof nl_logs.writers[log];
      there.readers[log] = logs + offsetof (struct nl_logs, readers) + (uint64_t) log * sizeof nl_logs.readers[log];
    }
  int64_t counted = nl_run_method (m, &there, run);
  take (&nl_logs, logs, sizeof nl_logs);
  assert_ok (pg_emu_free (emu, data));
  return nl_found (&nl_methods[m], counted);
}

static void
planted_conflicts_are_found (void **state)
{
  static const int distances[] = { 1, 23, 24, 25, 32 };
  (void) state;
  for (uint64_t seed = 0; seed < N_SEEDS; seed++)
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
      {
	int v = views[(seed + d) % N_VIEWS];
	enum nl_kind kind = (enum nl_kind) ((seed * 2 + d) % NL_N_KINDS);
	nl_make (kind, distances[d], false, seed, v, SHIFT);
	const struct nl_truth truth = nl_truth (&loops[v]);
	assert_int_equal (truth.verdict != 0, kind != NL_CLEAN);
	for (int m = 0; m < NL_N_METHODS; m++)
	  {
	    unsigned found = judge (m);
	    if (!nl_is_right (&nl_methods[m], truth, found))
	      fail_msg ("%s on %s, kind %d, distance %d, seed %llu: %u, not %u", nl_methods[m].name, nl_views[v].name,
			(int) kind, distances[d], (unsigned long long) seed, found, truth.verdict);
	  }
      }
}

/* An inner loop of 2^31 rounds ends, an iteration outside its array does, and 0 / 0 is seen.  */
static void
guards_hold (void **state)
{
  enum
  {
    ENDLESS = 5,
    ZERO = 9,
    N_ITERS = 50
  };
  (void) state;
  for (int wrong = 0; wrong < 8; wrong++)
    {
      int32_t rounds[64];
      float floats[64] = { 0 };
      uint64_t partials[N_BLOCKS * N_THREADS];
      uint32_t verdict = 0, expected = PG_KIR_CLEAN;
      for (int i = 0; i < 64; i++)
	rounds[i] = 1 + i % 10;
      if (wrong & 1)
	{
	  rounds[ENDLESS] = INT32_MAX;
	  expected |= PG_KIR_OUT_OF_BUDGET;
	}
      if (wrong & 2)
	{
	  rounds[ZERO] = 0;
	  expected |= PG_KIR_NAN_SEEN;
	}
      if (wrong & 4)
	expected |= PG_KIR_OUTSIDE_ARRAY;
      uint64_t rounds_there = give (rounds, sizeof rounds), floats_there = give (floats, sizeof floats);
      uint64_t verdict_there = give (&verdict, sizeof verdict);
      struct nl_args args = { .x = rounds_there,
			      .to = floats_there,
			      .logs = { .verdict = verdict_there, .epoch = { 0, N_ITERS }, .budget = 10 },
			      .array = { .low = rounds_there, .len = 4 * (N_ITERS - (wrong & 4 ? 1 : 0)) } };
      struct pg_kir_launch launched;
      launch ("endless", &args, offsetof (struct nl_args, launch), 0, N_ITERS, partials, &launched);
      take (&verdict, verdict_there, sizeof verdict);
      take (rounds, rounds_there, sizeof rounds);
      take (floats, floats_there, sizeof floats);
      assert_int_equal (verdict, expected);
    }
}

/* Kernels that find what no iteration would find in order end, leave other memory alone, and are never clean.  */
static void
stale_values_do_no_harm (void **state)
{
  (void) state;
  for (uint64_t seed = 1; seed <= 5; seed++)
    for (int k = 0; k < N_STALE; k++)
      {
	static uint32_t cleared[3 * STALE_LEN];
	int32_t memory[STALE_LEN];
	uint64_t partials[N_BLOCKS * N_THREADS];
	uint32_t verdict = 0;
	struct pg_kir_launch launched;
	stale_fill (&stale_loops[k], memory, seed);
	memset (cleared, 0xff, sizeof cleared);
	uint64_t there = give (memory, sizeof memory), logs = give (cleared, sizeof cleared);
	uint64_t verdict_there = give (&verdict, sizeof verdict);
	const struct pg_kir_epoch epoch = { 0, STALE_ITERS };
	struct nl_args args = { .x = there,
				.to = there + (uint64_t) stale_loops[k].second * sizeof *memory,
				.logs = { .verdict = verdict_there, .epoch = epoch, .budget = STALE_BUDGET },
				.array = { there, sizeof memory, logs, logs + STALE_LEN * sizeof *cleared } };
	launch (stale_loops[k].name, &args, offsetof (struct nl_args, launch), 0, STALE_ITERS, partials, &launched);
	struct nl_scan_args scan = { .scan = { verdict_there, logs, logs + STALE_LEN * sizeof *cleared, epoch, 0 } };
	launch ("scan_0", &scan, offsetof (struct nl_scan_args, launch), 0, STALE_LEN, partials, &launched);
	take (&verdict, verdict_there, sizeof verdict);
	take (memory, there, sizeof memory);
	take (cleared, logs, sizeof cleared);
	assert_int_not_equal (verdict, PG_KIR_CLEAN);
      }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (planted_conflicts_are_found),
    cmocka_unit_test (guards_hold),
    cmocka_unit_test (stale_values_do_no_harm),
  };
  return cmocka_run_group_tests (tests, set_up, tear_down);
}
