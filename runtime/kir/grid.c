/* SPDX-License-Identifier: MIT
   The interpreter of grids: see interpret.h.

   All threads of all blocks are under way at once, each with its own values.  One that may go on is picked at random
   and does a few instructions, so that threads meet in memory in many ways; what is right has to be right for each
   seed.  Threads that came to a barrier wait until all of their block have come to the same one.  */
#include "interpret.h"

#include <string.h>

enum
{
  MOST_AT_ONCE = 8 /* instructions of a thread before another one is picked */
};

struct runner
{
  struct pg_kir_machine machine;
  struct pg_kir_place place;
  enum pg_kir_progress progress;
};

struct grid
{
  const struct pg_kir_machine *given;
  const struct pg_kir_grid *shape;
  size_t n_blocks, n_threads; /* all in all; of each block */
  struct runner *runners;     /* block by block */
  char *shared;
  uint32_t *ready; /* runners that may go on */
  size_t n_ready;
  uint64_t random;
};

static size_t
volume (const int64_t *lens)
{
  size_t n = 1;
  for (int d = 0; d < PG_KIR_MOST_GRID_DIMS; d++)
    n *= (size_t) lens[d];
  return n;
}

/* The point number INDEX of LENS.  */
static void
point (const int64_t *lens, size_t index, int64_t *at)
{
  for (int d = 0; d < PG_KIR_MOST_GRID_DIMS; d++)
    {
      at[d] = (int64_t) (index % (size_t) lens[d]);
      index /= (size_t) lens[d];
    }
}

/* A random number below N.  */
static size_t
pick (struct grid *grid, size_t n)
{
  grid->random = grid->random * 6364136223846793005u + 1442695040888963407u;
  return (size_t) (grid->random >> 33) % n;
}

/* Give GRID its memory.  */
static bool
begin (struct grid *grid)
{
  const struct pg_kir_kernel *kernel = grid->given->kernel;
  size_t n = grid->n_blocks * grid->n_threads;
  grid->runners = kernel->resize (NULL, 0, n * sizeof *grid->runners);
  grid->ready = kernel->resize (NULL, 0, n * sizeof *grid->ready);
  grid->shared = kernel->resize (NULL, 0, grid->n_blocks * kernel->shared_len + 1);
  bool is_good = grid->runners != NULL && grid->ready != NULL && grid->shared != NULL;
  if (grid->runners != NULL)
    memset (grid->runners, 0, n * sizeof *grid->runners);
  if (grid->shared != NULL)
    memset (grid->shared, 0x55, grid->n_blocks * kernel->shared_len);
  for (size_t i = 0; i < n && is_good; i++)
    {
      struct runner *runner = &grid->runners[i];
      struct pg_kir_machine own;
      is_good = pg_kir_machine_begin (&own, kernel);
      runner->machine = *grid->given;
      runner->machine.values = own.values;
      runner->machine.place = &runner->place;
      runner->place.grid = grid->shape;
      runner->place.shared = grid->shared + i / grid->n_threads * kernel->shared_len;
      point (grid->shape->n_blocks, i / grid->n_threads, runner->place.block);
      point (grid->shape->n_threads, i % grid->n_threads, runner->place.thread);
      pg_kir_start (&runner->machine);
      grid->ready[grid->n_ready++] = (uint32_t) i;
    }
  return is_good;
}

static void
end (struct grid *grid)
{
  const struct pg_kir_kernel *kernel = grid->given->kernel;
  size_t n = grid->n_blocks * grid->n_threads;
  for (size_t i = 0; grid->runners != NULL && i < n; i++)
    if (grid->runners[i].machine.values != NULL)
      pg_kir_machine_end (&grid->runners[i].machine);
  if (grid->runners != NULL)
    kernel->resize (grid->runners, n * sizeof *grid->runners, 0);
  if (grid->ready != NULL)
    kernel->resize (grid->ready, n * sizeof *grid->ready, 0);
  if (grid->shared != NULL)
    kernel->resize (grid->shared, grid->n_blocks * kernel->shared_len + 1, 0);
}

/* Let the threads of BLOCK go on, if all of them have come to the barrier where one of them is.  */
static void
pass_barrier (struct grid *grid, size_t block)
{
  struct runner *first = &grid->runners[block * grid->n_threads];
  for (size_t t = 0; t < grid->n_threads; t++)
    if (first[t].progress != PG_KIR_AT_BARRIER || first[t].machine.at != first->machine.at)
      return;
  for (size_t t = 0; t < grid->n_threads; t++)
    {
      first[t].progress = PG_KIR_PAUSED;
      grid->ready[grid->n_ready++] = (uint32_t) (block * grid->n_threads + t);
    }
}

/* Run all threads as far as they come.  */
static enum pg_kir_outcome
run (struct grid *grid, pg_kir_value *at)
{
  bool in_order = grid->shape->seed == 0;
  enum pg_kir_outcome outcome = PG_KIR_DONE;
  while (grid->n_ready > 0)
    {
      size_t r = in_order ? grid->n_ready - 1 : pick (grid, grid->n_ready), index = grid->ready[r];
      struct runner *runner = &grid->runners[index];
      runner->progress
	= pg_kir_go_on (&runner->machine, in_order ? UINT64_MAX : 1 + pick (grid, MOST_AT_ONCE), &outcome);
      *at = runner->machine.at;
      if (runner->progress == PG_KIR_FAILED)
	return outcome;
      if (runner->progress == PG_KIR_PAUSED)
	continue;
      grid->ready[r] = grid->ready[--grid->n_ready];
      if (runner->progress == PG_KIR_AT_BARRIER)
	pass_barrier (grid, index / grid->n_threads);
    }
  for (size_t i = 0; i < grid->n_blocks * grid->n_threads; i++)
    if (grid->runners[i].progress == PG_KIR_AT_BARRIER)
      {
	*at = grid->runners[i].machine.at;
	return PG_KIR_APART;
      }
  return PG_KIR_DONE;
}

enum pg_kir_outcome
pg_kir_interpret_grid (struct pg_kir_machine *machine, const struct pg_kir_grid *shape)
{
  struct grid grid = {
    .given = machine,
    .shape = shape,
    .n_blocks = volume (shape->n_blocks),
    .n_threads = volume (shape->n_threads),
    .random = shape->seed,
  };
  enum pg_kir_outcome outcome = begin (&grid) ? run (&grid, &machine->at) : PG_KIR_NO_MEMORY;
  end (&grid);
  return outcome;
}
