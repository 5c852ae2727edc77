/* SPDX-License-Identifier: MIT
   What tests of instrumented loops share: loops whose iterations meet in memory where they are told to, what each
   method should say of them, and the methods.  Whoever runs the kernels, the interpreter or a device, is told by RUN.

   A word of memory is a slot of 8 bytes, two for each iteration: one where it writes and one where it reads, wherever
   the pointer starts within the slot.  What is planted are conflicts between two iterations at a distance.  */
#ifndef NOTED_LOOPS_H
#define NOTED_LOOPS_H

#include "kir-run.h"
#include "kir/instrument.h"

enum
{
  NL_MOST_ITERS = 1100,
  NL_SLOT = 8,
  NL_PAD = 16, /* before and behind the slots */
  NL_LEN = 2 * NL_SLOT * NL_MOST_ITERS + 2 * NL_PAD,
  NL_LOW = 1000, /* the first iteration */
  NL_MOST_SHIFT = 3,
  NL_N_VIEWS = 7,
  NL_N_METHODS = 7,
  NL_N_PHASES = 2
};

/* The loops: a read of x + from[i], and a write to x + to[i], in bytes; v16 is what was read, and v20 the address.  */
#define NL_LOOP(read, write)                                                                         \
  "kernel \"move\" args 24 dims 1 refs 4\nb0:\n"                                                     \
  "v1 = iter i64 0\nv2 = const i64 1000\nv3 = sub i64 v1 v2\nv4 = const i64 2\nv5 = shl i64 v3 v4\n" \
  "v6 = arg ptr 8\nv7 = address ptr v6 v5\nv8 = load i32 v7 ref 0\nv9 = sext i64 v8\n"               \
  "v10 = arg ptr 16\nv11 = address ptr v10 v5\nv12 = load i32 v11 ref 1\nv13 = sext i64 v12\n"       \
  "v14 = arg ptr 0\nv15 = address ptr v14 v13\nv16 = load-bytes " read " v15 ref 2\n"                \
  "v20 = address ptr v14 v9\n" write "return void\nend\n"

static const struct nl_view
{
  const char *name, *text;
  int read_len, write_len;
  bool has_pairs; /* an iteration reads, or writes again, what it writes, and kernels show that to nobody */
} nl_views[NL_N_VIEWS] = {
  { "int", NL_LOOP ("i32", "store-bytes void v20 v16 ref 3\n"), 4, 4, false },
  { "int-from-char", NL_LOOP ("i8", "v21 = zext i32 v16\nstore-bytes void v20 v21 ref 3\n"), 1, 4, false },
  { "char-from-int", NL_LOOP ("i32", "v21 = trunc i8 v16\nstore-bytes void v20 v21 ref 3\n"), 4, 1, false },
  /* x.b = ..., a bit-field, in its unit.  */
  { "unit",
    NL_LOOP ("i8", "v21 = load-bytes i32 v20 ref 3\nv22 = const i32 -1793\nv23 = and i32 v21 v22\n"
		   "v24 = zext i32 v16\nv25 = const i32 1792\nv26 = and i32 v24 v25\nv27 = or i32 v23 v26\n"
		   "store-bytes void v20 v27 ref 3\n"),
    1, 4, true },
  /* The same address twice, which the kernel does not show.  */
  { "twice",
    NL_LOOP ("i32", "store-bytes void v20 v16 ref 3\nv21 = address ptr v14 v9\nstore-bytes void v21 v16 ref 3\n"), 4, 4,
    true },
  /* Ways on which the same address was written before, and others.  */
  { "ways",
    NL_LOOP ("i32",
	     "v21 = const i64 8\nv22 = and i64 v13 v21\nv23 = eq i8 v22 v21\nbranch void v23 b1 b2\n"
	     "b1:\nstore-bytes void v20 v16 ref 3\njump void b3\n"
	     "b2:\nv24 = load-bytes i8 v20 ref 3\njump void b3\n"
	     "b3:\nv25 = load-bytes i32 v20 ref 3\nstore-bytes void v20 v25 ref 3\nv26 = load-bytes i32 v20 ref 3\n"),
    4, 4, true },
  /* An address for each round of an inner loop.  */
  { "inner",
    NL_LOOP ("i32", "v21 = const i64 0\nv22 = const i64 1\nv23 = const i64 2\njump void b1\n"
		    "b1:\nv24 = phi i64 [b0 v21] [b2 v31]\nv25 = shl i64 v24 v23\nv26 = address ptr v20 v25\n"
		    "v27 = trunc i16 v16\nstore-bytes void v26 v27 ref 3\nv28 = eq i8 v24 v22\nbranch void v28 b3 b2\n"
		    "b2:\nv31 = add i64 v24 v22\nv32 = load-bytes i8 v26 ref 3\njump void b1\n"
		    "b3:\nv29 = load-bytes i16 v26 ref 3\nv30 = load-bytes i32 v26 ref 3\n"),
    4, 2, true },
};

struct nl_method
{
  const char *name;
  unsigned what[NL_N_PHASES];
  bool scans, knows_reads, knows_iterations;
  uint8_t log;
};

#define NL_ALL (PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS)
#define NL_TEST (PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY)

static const struct nl_method nl_methods[NL_N_METHODS] = {
  { "full", { NL_ALL, 0 }, true, true, true, PG_KIR_LOG_ITERATIONS },
  { "selective", { PG_KIR_NOTE_WRITES, NL_TEST }, false, true, true, PG_KIR_LOG_ITERATIONS },
  { "inspector",
    { PG_KIR_NOTE_WRITES | PG_KIR_ADDRESSES_ONLY, NL_TEST | PG_KIR_NOT_RUN_YET },
    false,
    true,
    true,
    PG_KIR_LOG_ITERATIONS },
  { "none", { PG_KIR_NOTE_WRITES, 0 }, false, false, true, PG_KIR_LOG_ITERATIONS },
  { "none, bits", { PG_KIR_NOTE_WRITES, 0 }, false, false, false, PG_KIR_LOG_BITS },
  { "atomic", { NL_ALL, 0 }, true, true, false, PG_KIR_LOG_BITS },
  { "reduction", { NL_ALL, 0 }, true, true, false, PG_KIR_LOG_MARKS },
};

enum nl_kind
{
  NL_CLEAN,
  NL_FLOW,
  NL_ANTI,
  NL_OUTPUT,
  NL_N_KINDS
};

/* A loop with its data.  */
struct nl_case
{
  int view, n, shift; /* granules are 2^SHIFT bytes */
  int start;          /* of the pointer, bytes behind the array's */
  enum nl_kind kind;
  int distance;
  uint64_t seed;
  int32_t to[NL_MOST_ITERS], from[NL_MOST_ITERS]; /* behind START */
};

/* What is right to say of a case: by granules, what iterations do to each other, and what one does to itself.  */
struct nl_truth
{
  unsigned verdict;
  bool is_written_again, is_read_and_written; /* by one iteration */
};

/* The logs.  Those of iterations go from case to case uncleared.  */
struct nl_logs
{
  uint32_t verdict;
  uint64_t n_marked;
  char memory[NL_LEN];
  uint64_t writers[PG_KIR_N_LOGS][NL_LEN / 2 + 1], readers[PG_KIR_N_LOGS][NL_LEN + 1];
};

static struct nl_logs nl_logs;
static struct nl_case nl_case;
static struct pg_kir_epoch nl_epoch; /* with no numbers left: not cleared yet */

struct nl_args
{
  uint64_t x, to, from;
  struct pg_kir_logs logs;
  struct pg_kir_array array;
  struct pg_kir_launch launch;
};

struct nl_scan_args
{
  struct pg_kir_scan_args scan;
  struct pg_kir_launch launch;
};

static inline unsigned
nl_below (uint64_t *random, unsigned n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (*random >> 33) % n;
}

/* Make nl_case be that of SEED: a conflict of KIND between two iterations at DISTANCE, which are the first and the last
   if IS_ALL, through view VIEW_NUMBER, of granules of 2^SHIFT bytes.  */
static inline void
nl_make (enum nl_kind kind, int distance, bool is_all, uint64_t seed, int view_number, int shift)
{
  uint64_t random = seed * 1000003 + (uint64_t) kind * 7919 + (uint64_t) distance;
  struct nl_case *made = &nl_case;
  nl_below (&random, 2);
  made->kind = kind;
  made->distance = distance;
  made->seed = seed;
  made->view = view_number;
  made->shift = shift;
  made->start = (int) nl_below (&random, 2) * (int) nl_below (&random, 5);
  made->n = distance + 1 + (is_all ? 0 : (int) nl_below (&random, 50));
  const struct nl_view *view = &nl_views[made->view];
  unsigned own = nl_below (&random, 3);
  for (int i = 0; i < made->n; i++)
    {
      int j = (int) nl_below (&random, (unsigned) i + 1);
      made->to[i] = made->to[j];
      made->to[j] = NL_PAD + 2 * NL_SLOT * i;
    }
  for (int i = 0; i < made->n; i++)
    made->from[i] = made->to[i] + (nl_below (&random, 2) < own ? 0 : NL_SLOT);
  int i = (int) nl_below (&random, (unsigned) (made->n - distance)), j = i + distance;
  int before = view->read_len, behind = view->write_len;
  if (kind == NL_FLOW || kind == NL_ANTI)
    made->from[kind == NL_FLOW ? j : i]
      = made->to[kind == NL_FLOW ? i : j] + 1 - before + (int) nl_below (&random, (unsigned) (before + behind - 1));
  if (kind == NL_OUTPUT)
    made->to[j] = made->to[i] + 1 - behind + (int) nl_below (&random, (unsigned) (2 * behind - 1));
}

/* ---- truth */

static struct nl_granule
{
  int lowest_writer, highest_writer, last_writer, lowest_reader, highest_reader, last_reader;
} nl_granules[NL_LEN];

struct nl_seen
{
  int iteration;
  struct nl_truth truth;
};

static inline void
nl_see_granule (struct nl_seen *seen, struct nl_granule *granule, bool is_write)
{
  int i = seen->iteration, *lowest = is_write ? &granule->lowest_writer : &granule->lowest_reader;
  int *highest = is_write ? &granule->highest_writer : &granule->highest_reader;
  seen->truth.is_written_again |= is_write && granule->last_writer == i;
  seen->truth.is_read_and_written |= (is_write ? granule->last_reader : granule->last_writer) == i;
  *(is_write ? &granule->last_writer : &granule->last_reader) = i;
  *lowest = *lowest < 0 || i < *lowest ? i : *lowest;
  *highest = i > *highest ? i : *highest;
}

static inline void
nl_see (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write)
{
  uintptr_t off = address - (uintptr_t) nl_logs.memory;
  for (uintptr_t g = off >> nl_case.shift; ref >= 2 && g <= (off + len - 1) >> nl_case.shift; g++)
    nl_see_granule (context, &nl_granules[g], is_write);
}

/* What is right to say of nl_case, found by running LOOP in order, with ARGS.  */
static inline struct nl_truth
nl_truth (const struct pg_kir_kernel *loop)
{
  const struct pg_kir_space everything = { NULL, SIZE_MAX, true };
  struct nl_seen seen = { .iteration = 0 };
  struct nl_args args = { .x = (uint64_t) (uintptr_t) (nl_logs.memory + nl_case.start),
			  .to = (uint64_t) (uintptr_t) nl_case.to,
			  .from = (uint64_t) (uintptr_t) nl_case.from };
  struct pg_kir_machine machine;
  memset (nl_granules, 0xff, sizeof nl_granules);
  assert_true (pg_kir_machine_begin (&machine, loop));
  machine.args = (char *) &args;
  machine.spaces = &everything;
  machine.n_spaces = 1;
  machine.most_steps = 1000;
  machine.touch = nl_see;
  machine.context = &seen;
  for (int64_t i = NL_LOW; i < NL_LOW + nl_case.n; i++)
    {
      seen.iteration = (int) i;
      assert_int_equal (pg_kir_interpret (&machine, &i), PG_KIR_DONE);
    }
  pg_kir_machine_end (&machine);
  for (int g = 0; g < NL_LEN; g++)
    {
      const struct nl_granule *granule = &nl_granules[g];
      bool is_one = granule->lowest_writer == granule->highest_writer;
      seen.truth.verdict |= is_one ? 0 : PG_KIR_WRITTEN_TWICE;
      if (granule->lowest_writer >= 0 && granule->lowest_reader >= 0
	  && !(is_one && granule->lowest_writer == granule->lowest_reader
	       && granule->lowest_reader == granule->highest_reader))
	seen.truth.verdict |= PG_KIR_READ_TOO;
    }
  return seen.truth;
}

/* Is FOUND what METHOD should say, where TRUTH is right?  READ_TOO may be left out where two iterations write.  */
static inline bool
nl_is_right (const struct nl_method *method, struct nl_truth truth, unsigned found)
{
  unsigned seen = method->knows_reads ? truth.verdict : truth.verdict & PG_KIR_WRITTEN_TWICE;
  unsigned allowed = seen;
  if (!method->knows_iterations)
    allowed |= (truth.is_written_again ? PG_KIR_WRITTEN_TWICE : 0)
	       | (method->knows_reads && truth.is_read_and_written ? PG_KIR_READ_TOO : 0);
  if (found & ~allowed || (found == 0) > (seen == 0))
    return false;
  return seen == 0 || (found & seen & PG_KIR_WRITTEN_TWICE) == (seen & PG_KIR_WRITTEN_TWICE);
}

/* ---- methods */

static inline struct pg_kir_kernel
nl_instrument (const struct pg_kir_kernel *loop, unsigned what, uint8_t log, int shift)
{
  static const uint8_t array_of[] = { PG_KIR_NOT_LOGGED, PG_KIR_NOT_LOGGED, 0, 0 };
  const uint8_t shift_of = (uint8_t) shift;
  const struct pg_kir_logging logging
    = { .what = what, .n_arrays = 1, .array_of = array_of, .shift_of = &shift_of, .log_of = &log };
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_instrument (&kernel, loop, &logging, &error))
    fail_msg ("%s", error.text);
  verify_kernel (&kernel);
  return kernel;
}

static inline struct pg_kir_kernel
nl_scan (uint8_t log)
{
  struct pg_kir_kernel kernel;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_scan (&kernel, (enum pg_kir_log) log, &error))
    fail_msg ("%u: %s", (unsigned) error.at, error.text);
  verify_kernel (&kernel);
  return kernel;
}

/* Where those who run kernels have the data.  */
struct nl_places
{
  uint64_t memory, to, from, verdict, n_marked, writers[PG_KIR_N_LOGS], readers[PG_KIR_N_LOGS];
};

/* Run iterations [LO, HI) of the kernel of phase PHASE of METHOD for nl_case, or PHASE being NL_N_PHASES, its scan,
   with ARGS, of which the loop's own are ARGS_LEN bytes, and behind which there is room for a launch.  */
typedef void nl_run (int method, int phase, void *args, uint32_t args_len, int64_t lo, int64_t hi);

static inline uint64_t
nl_n_granules (void)
{
  return ((uint64_t) NL_LEN + (1u << nl_case.shift) - 1) >> nl_case.shift;
}

/* Prepare the logs of kind LOG for nl_case.  */
static inline void
nl_clear (uint8_t log)
{
  nl_logs.verdict = 0;
  nl_logs.n_marked = 0;
  bool is_new = log != PG_KIR_LOG_ITERATIONS || !pg_kir_next_epoch (&nl_epoch, (uint64_t) nl_case.n);
  if (is_new)
    {
      memset (nl_logs.writers[log], pg_kir_cleared ((enum pg_kir_log) log), sizeof nl_logs.writers[log]);
      memset (nl_logs.readers[log], pg_kir_cleared ((enum pg_kir_log) log), sizeof nl_logs.readers[log]);
    }
  if (log == PG_KIR_LOG_ITERATIONS && is_new)
    {
      nl_epoch.low = nl_epoch.end = UINT32_MAX;
      assert_true (pg_kir_next_epoch (&nl_epoch, (uint64_t) nl_case.n));
    }
}

/* Run the kernels of METHOD on nl_case, whose logs were prepared, by RUN, the data being at PLACES.  What the second
   kernel counted, if it did.  */
static inline int64_t
nl_run_method (int m, const struct nl_places *places, nl_run *run)
{
  const struct nl_method *method = &nl_methods[m];
  uint64_t writers = places->writers[method->log], readers = places->readers[method->log];
  struct nl_args args = {
    .x = places->memory + (uint64_t) nl_case.start,
    .to = places->to,
    .from = places->from,
    .logs = { places->verdict, places->n_marked, NL_LOW, nl_epoch, 0 },
    .array = { places->memory, NL_LEN, writers, readers },
  };
  struct nl_scan_args scan = { .scan = { places->verdict, writers, readers, nl_epoch, 0 } };
  for (int phase = 0; phase < NL_N_PHASES; phase++)
    if (method->what[phase] != 0)
      run (m, phase, &args, offsetof (struct nl_args, launch), NL_LOW, NL_LOW + nl_case.n);
  if (method->scans)
    run (m, NL_N_PHASES, &scan, offsetof (struct nl_scan_args, launch), 0,
	 (int64_t) pg_kir_scan_iterations ((enum pg_kir_log) method->log, nl_n_granules ()));
  return scan.scan.n_marked;
}

/* What is found then: COUNTED is what the second kernel counted.  */
static inline unsigned
nl_found (const struct nl_method *method, int64_t counted)
{
  bool is_more = method->log == PG_KIR_LOG_MARKS && nl_logs.n_marked != (uint64_t) counted;
  return nl_logs.verdict | (is_more ? PG_KIR_WRITTEN_TWICE : 0);
}

#endif
