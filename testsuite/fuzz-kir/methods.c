/* SPDX-License-Identifier: MIT
   KIR fuzzer: what is said of loops.

   A loop without carried values that a method finds clean leaves as a grid, however its threads are shuffled, what it
   leaves in order.  What it does in between if it is not clean, is nobody's business, as long as it ends.  */
#include "fuzz-kir.h"

#include "runtime/kir/instrument.h"
#include "runtime/kir/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SHIFT = 1, /* granules of 2 bytes */
  N_GRANULES = (sizeof (struct fk_world) >> SHIFT) + 1,
  N_BLOCKS = 2,
  N_THREADS = 4,
  MOST_STEPS = 1 << 20, /* of a thread */
  BUDGET = 1000,
  N_PHASES = 2
};

static const struct method
{
  const char *name;
  unsigned what[N_PHASES];
  enum pg_kir_log log;
  bool scans;
} methods[] = {
  { "full", { PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS, 0 }, PG_KIR_LOG_ITERATIONS, true },
  { "selective", { PG_KIR_NOTE_WRITES, PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY }, PG_KIR_LOG_ITERATIONS, false },
  { "inspector",
    { PG_KIR_NOTE_WRITES | PG_KIR_ADDRESSES_ONLY, PG_KIR_TEST_READS | PG_KIR_ADDRESSES_ONLY | PG_KIR_NOT_RUN_YET },
    PG_KIR_LOG_ITERATIONS,
    false },
  { "atomic", { PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS, 0 }, PG_KIR_LOG_BITS, true },
  { "reduction", { PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS, 0 }, PG_KIR_LOG_MARKS, true },
};

static struct
{
  uint32_t verdict;
  uint64_t n_marked, writers[N_GRANULES / 2 + 1], readers[N_GRANULES + 1];
} notes;

static struct fk_result expected, found;

static const struct pg_kir_epoch epoch = { 0, UINT32_MAX };

/* Run KERNEL, which MADE's became, as a grid on the memory that was left, or IS_FRESH, on fresh memory.  */
static void
run_grid (const struct fk_case *made, const struct pg_kir_kernel *kernel, bool is_fresh)
{
  const struct pg_kir_grid grid
    = { .n_blocks = { N_BLOCKS, 1, 1 }, .n_threads = { N_THREADS, 1, 1 }, .seed = made->seed + 1 };
  const struct pg_kir_launch launch = { .lo = 0, .hi = made->n_iters[0], .stride = N_BLOCKS * N_THREADS };
  const struct
  {
    struct pg_kir_logs logs;
    struct pg_kir_array array;
  } logs = {
    { (uint64_t) (uintptr_t) &notes.verdict, (uint64_t) (uintptr_t) &notes.n_marked, 0, epoch, BUDGET },
    { (uint64_t) (uintptr_t) fk_world, sizeof *fk_world, (uint64_t) (uintptr_t) notes.writers,
      (uint64_t) (uintptr_t) notes.readers },
  };
  struct pg_kir_machine machine;
  struct pg_kir_space spaces[4] = { [3] = { (char *) &notes, sizeof notes, true } };
  struct pg_kir_kernel spmd;
  struct pg_kir_error error;
  pg_kir_begin (&spmd, NULL);
  if (!pg_kir_map (&spmd, kernel, PG_KIR_STRIDED, N_THREADS, &error) || !fk_begin (made, &spmd, &machine))
    abort ();
  memcpy (spaces, machine.spaces, machine.n_spaces * sizeof *spaces);
  machine.spaces = spaces;
  machine.n_spaces = 4;
  machine.most_steps = MOST_STEPS;
  if (!is_fresh)
    *fk_world = found.world;
  memcpy (machine.args + pg_kir_logs_offset (&made->kernel), &logs, sizeof logs);
  memcpy (machine.args + pg_kir_launch_offset (kernel), &launch, sizeof launch);
  found.outcome = pg_kir_interpret_grid (&machine, &grid);
  found.world = *fk_world;
  memcpy (found.world.args + made->kernel.args_len, expected.world.args + made->kernel.args_len,
	  sizeof found.world.args - made->kernel.args_len);
  pg_kir_machine_end (&machine);
  pg_kir_end (&spmd);
}

/* Run the kernel of MADE that does WHAT.  False: it failed, or there is none.  */
static bool
run_phase (const struct fk_case *made, const struct method *method, unsigned what, bool is_fresh)
{
  static const uint8_t shift = SHIFT, no_arrays[PG_KIR_MOST_REFS];
  const uint8_t log_of = (uint8_t) method->log;
  const struct pg_kir_logging logging = {
    .what = what | PG_KIR_COUNT_ROUNDS, .n_arrays = 1, .array_of = no_arrays, .shift_of = &shift, .log_of = &log_of
  };
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  pg_kir_begin (&kernel, NULL);
  bool is_there = pg_kir_instrument (&kernel, &made->kernel, &logging, &error) && pg_kir_verify (&kernel, &error);
  if (is_there)
    run_grid (made, &kernel, is_fresh);
  pg_kir_end (&kernel);
  return is_there && found.outcome == PG_KIR_DONE;
}

/* Look into the logs; how many granules are marked.  */
static uint64_t
scan (enum pg_kir_log log)
{
  struct pg_kir_scan_args args = { (uint64_t) (uintptr_t) &notes.verdict, (uint64_t) (uintptr_t) notes.writers,
				   (uint64_t) (uintptr_t) notes.readers, epoch, 0 };
  const struct pg_kir_space space = { (char *) &notes, sizeof notes, true };
  struct pg_kir_kernel kernel;
  struct pg_kir_error error;
  struct pg_kir_machine machine;
  pg_kir_begin (&kernel, NULL);
  if (!pg_kir_scan (&kernel, log, &error) || !pg_kir_machine_begin (&machine, &kernel))
    abort ();
  machine.args = (char *) &args;
  machine.spaces = &space;
  machine.n_spaces = 1;
  machine.most_steps = MOST_STEPS;
  int64_t n = (int64_t) pg_kir_scan_iterations (log, N_GRANULES);
  for (int64_t i = 0; i < n; i++)
    if (pg_kir_interpret (&machine, &i) != PG_KIR_DONE)
      abort ();
  pg_kir_machine_end (&machine);
  pg_kir_end (&kernel);
  return (uint64_t) args.n_marked;
}

/* Does METHOD find MADE clean?  Its memory is as the kernels left it.  */
static bool
is_clean (const struct fk_case *made, const struct method *method)
{
  memset (&notes, pg_kir_cleared (method->log), sizeof notes);
  notes.verdict = 0;
  notes.n_marked = 0;
  for (int phase = 0; phase < N_PHASES; phase++)
    if (method->what[phase] != 0 && !run_phase (made, method, method->what[phase], phase == 0))
      return false;
  if (method->scans && scan (method->log) != notes.n_marked && method->log == PG_KIR_LOG_MARKS)
    return false;
  return notes.verdict == PG_KIR_CLEAN;
}

bool
fk_clean_is_clean (const struct fk_case *made, unsigned *n_clean, char *why)
{
  char differs[FK_WHY_LEN] = "";
  if (made->kernel.n_carries > 0)
    return true;
  fk_interpret (made, &made->kernel, &expected);
  for (size_t m = 0; m < sizeof methods / sizeof *methods && expected.outcome == PG_KIR_DONE; m++)
    {
      if (!is_clean (made, &methods[m]))
	continue;
      ++*n_clean;
      if (methods[m].what[0] & PG_KIR_ADDRESSES_ONLY)
	run_grid (made, &made->kernel, true);
      if (!fk_same (&expected, &found, differs))
	{
	  snprintf (why, FK_WHY_LEN, "%s says clean: %.200s", methods[m].name, differs);
	  return false;
	}
    }
  return true;
}
