/* SPDX-License-Identifier: MIT
   KIR fuzzer: passes over kernels, against the kernels themselves.

   The iterations of most random kernels conflict: as grids these have one thread, which runs them in order.  Those
   whose iterations are independent have several, in any order, too.  */
#include "fuzz-kir.h"

#include "cuda/print.h"
#include "runtime/kir/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_THREADS = 16 /* of a grid */
};

static struct fk_result expected, found;

static bool
fail (char *why, const char *what, const char *which)
{
  snprintf (why, FK_WHY_LEN, "%.60s: %.180s", what, which);
  return false;
}

/* Let args be as they were behind the N bytes of the loop's own.  */
static void
forget_args (size_t n)
{
  memcpy (found.world.args + n, expected.world.args + n, sizeof found.world.args - n);
}

/* Run SPMD, which MADE's loop became, on N_BLOCKS blocks of N_THREADS, in teams of N_MEMBERS, shuffled by SEED.  */
static void
run_grid (const struct fk_case *made, enum pg_kir_mapping mapping, const struct pg_kir_kernel *spmd, int64_t n_blocks,
	  int64_t n_threads, int64_t n_members, uint64_t seed)
{
  static uint64_t partials[PG_KIR_MOST_CARRIES * MOST_THREADS];
  const struct pg_kir_kernel *loop = &made->kernel;
  const struct pg_kir_grid grid = { .n_blocks = { n_blocks, 1, 1 }, .n_threads = { n_threads, 1, 1 }, .seed = seed };
  int64_t n = made->n_iters[0], n_all = n_blocks * n_threads / n_members;
  struct pg_kir_launch launch = { 0, n, pg_kir_stride (mapping, n, n_all), (uint64_t) (uintptr_t) partials };
  struct pg_kir_machine machine;
  struct pg_kir_space spaces[4] = { [3] = { (char *) partials, sizeof partials, true } };
  if (!fk_begin (made, spmd, &machine))
    abort ();
  memcpy (spaces, machine.spaces, machine.n_spaces * sizeof *spaces);
  memcpy (machine.args + pg_kir_launch_offset (loop), &launch, sizeof launch);
  machine.spaces = spaces;
  machine.n_spaces = 4;
  machine.most_steps = 10000000;
  found.outcome = pg_kir_interpret_grid (&machine, &grid);
  pg_kir_machine_end (&machine);
  if (found.outcome == PG_KIR_DONE)
    pg_kir_collect (loop, mapping, &launch, n_blocks, n_threads / n_members, partials, fk_world->args);
  found.world = *fk_world;
  forget_args (loop->args_len);
}

/* Does MADE's kernel leave the same as a grid of N_BLOCKS blocks of N_THREADS, by all mappings?  */
static bool
grids_same (const struct fk_case *made, int64_t n_blocks, int64_t n_threads, uint64_t seed, char *why)
{
  static const char *const names[PG_KIR_N_MAPPINGS] = { "strided", "tree", "chunked", "narrow" };
  bool is_good = true;
  fk_interpret (made, &made->kernel, &expected);
  for (int mapping = 0; mapping < PG_KIR_N_MAPPINGS && is_good; mapping++)
    {
      struct pg_kir_kernel spmd;
      struct pg_kir_error error = { .at = 0 };
      char differs[FK_WHY_LEN] = "";
      pg_kir_begin (&spmd, NULL);
      is_good = pg_kir_map (&spmd, &made->kernel, (enum pg_kir_mapping) mapping, (uint32_t) n_threads, &error)
		&& pg_kir_verify (&spmd, &error);
      if (!is_good)
	fail (why, names[mapping], error.text);
      else
	{
	  run_grid (made, (enum pg_kir_mapping) mapping, &spmd, n_blocks, n_threads, 1, seed);
	  /* Of a kernel that stopped, only that it stops: carried values were not collected.  */
	  is_good = expected.outcome == PG_KIR_DONE ? fk_same (&expected, &found, differs)
						    : expected.outcome == found.outcome;
	  if (!is_good)
	    fail (why, names[mapping], differs);
	}
      pg_kir_end (&spmd);
    }
  return is_good;
}

bool
fk_grids_same (const struct fk_case *made, char *why)
{
  return grids_same (made, 1, 1, 0, why);
}

bool
fk_threads_same (const struct fk_case *made, char *why)
{
  static const int64_t grids[][2] = { { 1, 3 }, { 3, 2 }, { 2, 8 }, { 2, 4 } };
  const int64_t *grid = grids[made->seed % 4];
  return grids_same (made, grid[0], grid[1], made->seed % 3, why);
}

bool
fk_teams_same (const struct fk_case *made, bool is_free, unsigned *n_teams, char *why)
{
  static const struct
  {
    uint32_t n_members;
    int64_t n_blocks, n_threads;
  } all[] = { { 2, 2, 4 }, { 4, 1, 8 }, { 4, 2, 4 }, { 8, 2, 8 }, { 2, 1, 6 } };
  size_t which = made->seed % (sizeof all / sizeof *all);
  const struct pg_kir_team team = { .n_members = all[which].n_members, .is_free = is_free };
  struct pg_kir_kernel spmd;
  struct pg_kir_error error = { .at = 0 };
  char differs[FK_WHY_LEN] = "";
  pg_kir_begin (&spmd, NULL);
  if (!pg_kir_map_team (&spmd, &made->kernel, &team, (uint32_t) all[which].n_threads, &error))
    return error.text[0] != '\0' || fail (why, "team", "refused without a word");
  ++*n_teams;
  bool is_good = pg_kir_verify (&spmd, &error) || fail (why, "team", error.text);
  if (is_good)
    {
      fk_interpret (made, &made->kernel, &expected);
      run_grid (made, PG_KIR_STRIDED, &spmd, all[which].n_blocks, all[which].n_threads, team.n_members,
		made->seed / 2 % 3);
      is_good = fk_same (&expected, &found, differs) || fail (why, "team", differs);
    }
  pg_kir_end (&spmd);
  return is_good;
}

bool
fk_grid_mutants_run (const struct fk_case *made, unsigned *n_refused, unsigned *n_accepted, char *why)
{
  bool is_good = true;
  for (unsigned m = 0; m < PG_KIR_N_MAPPINGS && is_good; m++)
    {
      struct pg_kir_kernel spmd, copy;
      struct pg_kir_error error = { .at = 0 };
      struct fk_random random = { made->seed ^ (uint64_t) (m + 1) << 40 };
      pg_kir_begin (&spmd, NULL);
      pg_kir_begin (&copy, NULL);
      is_good
	= pg_kir_map (&spmd, &made->kernel, (enum pg_kir_mapping) m, 4, &error) || fail (why, "not mapped", error.text);
      if (is_good)
	fk_mutate (&spmd, &random);
      snprintf (why, FK_WHY_LEN, "mapping %u, changed: ", m); /* if it crashes */
      if (is_good && !pg_kir_verify (&spmd, &error))
	++*n_refused;
      else if (is_good)
	{
	  char *text = fk_text (&spmd);
	  ++*n_accepted;
	  run_grid (made, (enum pg_kir_mapping) m, &spmd, 2, 4, 1, made->seed);
	  pg_cuda_print (&spmd, "name", NULL, 0);
	  is_good = (pg_kir_read (&copy, text, strlen (text), &error) && pg_kir_verify (&copy, &error))
		    || fail (why, "a changed grid is not read back", error.text);
	  free (text);
	}
      pg_kir_end (&spmd);
      pg_kir_end (&copy);
    }
  if (is_good)
    why[0] = '\0';
  return is_good;
}
