/* SPDX-License-Identifier: MIT
   KIR fuzzer: instrumented kernels.

   Whatever a kernel notes besides, it leaves what it leaves, as long as its budget lasts.  What is noted, in logs of
   each kind, is compared with what the interpreter tells of each access.  */
#include "fuzz-kir.h"

#include "runtime/kir/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SHIFT = 2, /* granules of 4 bytes */
  N_GRANULES = (sizeof (struct fk_world) >> SHIFT) + 1,
  NOBODY = -1,
  WHAT = PG_KIR_NOTE_WRITES | PG_KIR_NOTE_READS | PG_KIR_COUNT_ROUNDS | PG_KIR_FIND_NANS,
  LOW = 1000 /* number of the first iteration */
};

static struct fk_result expected, found;

/* ---- what happens */

struct readers
{
  int lowest, highest; /* iterations */
};

struct granule
{
  int writer, last_writer;       /* the lowest, and the last one */
  struct readers all, unwritten; /* unless they wrote it before */
};

static struct
{
  struct granule granules[N_GRANULES];
  int iteration;
  bool is_written_twice, is_written_again; /* by two iterations, by one */
} seen;

static void
see_reader (struct readers *readers)
{
  readers->lowest = readers->lowest != NOBODY && readers->lowest < seen.iteration ? readers->lowest : seen.iteration;
  readers->highest = readers->highest > seen.iteration ? readers->highest : seen.iteration;
}

static void
see_granule (struct granule *granule, bool is_write)
{
  if (is_write)
    {
      seen.is_written_twice |= granule->writer != NOBODY && granule->writer != seen.iteration;
      seen.is_written_again |= granule->last_writer == seen.iteration;
      granule->writer
	= granule->writer != NOBODY && granule->writer < seen.iteration ? granule->writer : seen.iteration;
      granule->last_writer = seen.iteration;
      return;
    }
  see_reader (&granule->all);
  if (granule->last_writer != seen.iteration)
    see_reader (&granule->unwritten);
}

static void
see (void *context, uint32_t ref, uintptr_t address, unsigned len, bool is_write)
{
  size_t from = (address - (uintptr_t) fk_world) >> SHIFT, to = (address + len - 1 - (uintptr_t) fk_world) >> SHIFT;
  (void) context;
  (void) ref;
  for (size_t g = from; g <= to; g++)
    see_granule (&seen.granules[g], is_write);
}

/* ---- what is noted */

static struct
{
  uint32_t verdict;
  uint64_t n_marked;
  union
  {
    uint32_t iterations[N_GRANULES + 1];
    uint8_t marks[N_GRANULES + 8];
    uint32_t bits[N_GRANULES / 32 + 2];
  } writers;
  union
  {
    uint32_t iterations[2 * N_GRANULES];
    uint8_t marks[N_GRANULES + 8];
    uint32_t bits[N_GRANULES / 32 + 2];
  } readers;
} notes;

static const struct pg_kir_epoch epoch = { LOW, UINT32_MAX - 1 };

/* Run KERNEL; if ARGS_LEN is not 0, its logs stand behind so many bytes of arguments, and BUDGET is in them.  Without
   logs, what happens is seen.  */
static void
run (const struct fk_case *made, const struct pg_kir_kernel *kernel, size_t args_len, int64_t budget,
     struct fk_result *result)
{
  int64_t iters[PG_KIR_MOST_DIMS] = { 0 };
  struct pg_kir_machine machine;
  struct pg_kir_space spaces[4] = { [3] = { (char *) &notes, sizeof notes, true } };
  const struct
  {
    struct pg_kir_logs logs;
    struct pg_kir_array array;
  } logs = {
    { (uint64_t) (uintptr_t) &notes.verdict, (uint64_t) (uintptr_t) &notes.n_marked, 0, epoch, budget },
    { (uint64_t) (uintptr_t) fk_world, sizeof *fk_world, (uint64_t) (uintptr_t) &notes.writers,
      (uint64_t) (uintptr_t) &notes.readers },
  };
  if (!fk_begin (made, kernel, &machine))
    abort ();
  memcpy (spaces, machine.spaces, machine.n_spaces * sizeof *spaces);
  machine.spaces = spaces;
  machine.n_spaces = 4;
  machine.touch = args_len == 0 ? see : NULL;
  if (args_len > 0)
    memcpy (machine.args + args_len, &logs, sizeof logs);
  do
    {
      seen.iteration = (int) iters[0];
      result->outcome = pg_kir_interpret (&machine, iters);
    }
  while (result->outcome == PG_KIR_DONE && fk_next_iteration (made, iters));
  pg_kir_machine_end (&machine);
  result->world = *fk_world;
}

/* The iteration that NUMBER is of, or NOBODY; or counted from the epoch's end.  */
static int
iteration_of (uint32_t number)
{
  return number < epoch.end ? (int) (number - epoch.low) : NOBODY;
}

static int
iteration_from_end (uint32_t number)
{
  return number < epoch.end ? (int) (epoch.end - 1 - number) : NOBODY;
}

/* Are LOWEST and HIGHEST the readers of GRANULE?  Reads of what their iteration wrote may be among them, or not.  */
static bool
readers_are_right (const struct granule *granule, int lowest, int highest)
{
  const struct readers *all = &granule->all, *unwritten = &granule->unwritten;
  if (lowest == NOBODY)
    return unwritten->lowest == NOBODY;
  return all->lowest != NOBODY && all->lowest <= lowest && highest <= all->highest
	 && (unwritten->lowest == NOBODY || (lowest <= unwritten->lowest && unwritten->highest <= highest));
}

/* Are logs that say only whether somebody wrote or read GRANULE right?  */
static bool
marks_are_right (const struct granule *granule, bool is_written, bool is_read)
{
  return is_written == (granule->writer != NOBODY) && is_read <= (granule->all.lowest != NOBODY)
	 && is_read >= (granule->unwritten.lowest != NOBODY);
}

static bool
granule_is_right (enum pg_kir_log log, size_t g)
{
  const struct granule *granule = &seen.granules[g];
  switch (log)
    {
    case PG_KIR_LOG_ITERATIONS:
      return iteration_of (notes.writers.iterations[g]) == granule->writer
	     && readers_are_right (granule, iteration_of (notes.readers.iterations[2 * g]),
				   iteration_from_end (notes.readers.iterations[2 * g + 1]));
    case PG_KIR_LOG_MARKS:
      return marks_are_right (granule, notes.writers.marks[g], notes.readers.marks[g]);
    default:
      return marks_are_right (granule, notes.writers.bits[g / 32] >> g % 32 & 1,
			      notes.readers.bits[g / 32] >> g % 32 & 1);
    }
}

/* Are the notes in logs of kind LOG what was seen?  */
static bool
notes_are_right (enum pg_kir_log log)
{
  bool is_right = true, is_twice = notes.verdict & PG_KIR_WRITTEN_TWICE;
  uint64_t n_written = 0;
  for (size_t g = 0; g < N_GRANULES; g++)
    {
      is_right &= granule_is_right (log, g);
      n_written += seen.granules[g].writer != NOBODY;
    }
  if (log == PG_KIR_LOG_MARKS)
    is_twice = notes.n_marked != n_written;
  bool may_be_twice = seen.is_written_twice || (log != PG_KIR_LOG_ITERATIONS && seen.is_written_again);
  return is_right && is_twice >= seen.is_written_twice && is_twice <= may_be_twice
	 && (notes.verdict & ~(PG_KIR_WRITTEN_TWICE | PG_KIR_NAN_SEEN)) == 0;
}

/* Run NOTING, which MADE's kernel became, with BUDGET and cleared logs of kind LOG.  */
static void
run_noting (const struct fk_case *made, const struct pg_kir_kernel *noting, enum pg_kir_log log, int64_t budget)
{
  memset (&notes, pg_kir_cleared (log), sizeof notes);
  notes.verdict = 0;
  notes.n_marked = 0;
  run (made, noting, pg_kir_logs_offset (&made->kernel), budget, &found);
  memcpy (found.world.args + made->kernel.args_len, expected.world.args + made->kernel.args_len,
	  sizeof found.world.args - made->kernel.args_len);
}

/* Does MADE's kernel do what it does, and note in logs of kind LOG what was seen?  */
static bool
is_noted_right (const struct fk_case *made, enum pg_kir_log log, char *why)
{
  static const uint8_t shift = SHIFT, no_arrays[PG_KIR_MOST_REFS];
  const uint8_t log_of = (uint8_t) log;
  const struct pg_kir_logging logging
    = { .what = WHAT, .n_arrays = 1, .array_of = no_arrays, .shift_of = &shift, .log_of = &log_of };
  struct pg_kir_kernel noting;
  struct pg_kir_error error = { .at = 0 };
  pg_kir_begin (&noting, NULL);
  bool is_good = pg_kir_instrument (&noting, &made->kernel, &logging, &error) && pg_kir_verify (&noting, &error);
  if (!is_good)
    snprintf (why, FK_WHY_LEN, "not to be noted: %.160s", error.text);
  else
    {
      run_noting (made, &noting, log, INT64_MAX);
      is_good = fk_same (&expected, &found, why);
      if (is_good && expected.outcome == PG_KIR_DONE && !notes_are_right (log))
	is_good = snprintf (why, FK_WHY_LEN, "notes of kind %d are not what was touched", (int) log) < 0;
    }
  if (is_good)
    {
      run_noting (made, &noting, log, (int64_t) (made->seed % 8));
      is_good = notes.verdict & PG_KIR_OUT_OF_BUDGET || fk_same (&expected, &found, why);
    }
  pg_kir_end (&noting);
  return is_good;
}

bool
fk_notes_right (const struct fk_case *made, char *why)
{
  bool is_good = true;
  memset (&seen, 0xff, sizeof seen); /* NOBODY */
  seen.is_written_twice = seen.is_written_again = false;
  run (made, &made->kernel, 0, 0, &expected);
  for (int log = 0; log < PG_KIR_N_LOGS && is_good; log++)
    is_good = is_noted_right (made, (enum pg_kir_log) log, why);
  return is_good;
}
