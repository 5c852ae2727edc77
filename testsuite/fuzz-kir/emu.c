/* SPDX-License-Identifier: MIT
   KIR fuzzer: kernels as grids, printed, on the device without a GPU.

       for each case	in a process of its own: the interpreter, on memory at the device's address
       for all		map -> print -> one module
       for each case	copy the memory in, launch, copy it out, collect, compare

   The world's memory is at the same address for both, because kernels may see pointers as numbers: the device gives
   addresses that are nobody's in the program, so that the process of the interpreter maps memory of its own there.  */
#include "fuzz-kir.h"

#include "cuda/emu/emu.h"
#include "cuda/print.h"
#include "runtime/kir/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
  DEVICE_LEN = 1 << 20,
  MOST_THREADS = 16, /* of a grid */
  N_PARTIALS = PG_KIR_MOST_CARRIES * MOST_THREADS
};

/* What the interpreter's process tells of a case.  */
struct prepared
{
  struct fk_world before;
  struct fk_result expected;
  bool is_independent;
};

/* A case as a grid.  */
struct grid
{
  const struct fk_case *made;
  struct prepared *prepared; /* shared */
  struct pg_kir_kernel spmd; /* no blocks: it is not compared */
  enum pg_kir_mapping mapping;
  uint32_t n_blocks, n_threads;
  char name[32];
};

static struct pg_emu *emu;
static uint64_t world_there, partials_there;
static struct prepared *prepared;

static const char *
program (char path[PATH_MAX])
{
  const char *build = getenv ("PG_BUILD");
  if (build == NULL)
    snprintf (path, PATH_MAX, "%s/build/emu-device", fk_options.root);
  else
    snprintf (path, PATH_MAX, "%s/emu-device", build);
  return path;
}

bool
fk_emu_is_there (void)
{
  char path[PATH_MAX];
  return access (program (path), X_OK) == 0;
}

static _Noreturn void
give_up (const char *what)
{
  fprintf (stderr, "fuzz-kir: the device without a GPU: %s\n", what);
  exit (2);
}

/* Open the device, once in a job, and allocate the world's memory on it.  */
static void
open_device (void)
{
  char path[PATH_MAX], include[PATH_MAX + 8], why[PG_EMU_TEXT_LEN];
  struct pg_emu_setup setup
    = { .program = program (path), .compiler = fk_options.cxx, .include = include, .len = DEVICE_LEN };
  if (emu != NULL)
    return;
  snprintf (include, sizeof include, "%s/cuda", fk_options.root);
  pg_emu_defaults (&setup.options);
  setup.options.n_threads = 2;
  if (pg_emu_open (&setup, &emu, why) != PG_EMU_OK)
    give_up (why);
  if (pg_emu_alloc (emu, sizeof (struct fk_world), &world_there) != PG_EMU_OK
      || pg_emu_alloc (emu, N_PARTIALS * sizeof (uint64_t), &partials_there) != PG_EMU_OK)
    give_up (pg_emu_message (emu));
  prepared = fk_share (2 * FK_BATCH * sizeof *prepared);
}

void
fk_emu_end (void)
{
  pg_emu_close (emu);
  emu = NULL;
}

/* Interpret a grid's loop at the device's address.  Runs in a process of its own.  */
static void
prepare (void *context)
{
  struct grid *grid = context;
  struct prepared *its = grid->prepared;
  struct pg_kir_machine machine;
  void *place = (void *) (uintptr_t) world_there;
  if (mmap (place, sizeof *fk_world, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != place)
    _exit (1);
  fk_world = place;
  if (!fk_begin (grid->made, &grid->made->kernel, &machine))
    _exit (1);
  its->before = *fk_world;
  pg_kir_machine_end (&machine);
  bool is_free;
  fk_interpret (grid->made, &grid->made->kernel, &its->expected);
  its->is_independent
    = grid->made->is_independent && its->expected.outcome == PG_KIR_DONE && fk_is_independent (grid->made, &is_free);
}

/* Make GRID of its case.  False: WHY says why not.  */
static bool
map_case (struct grid *grid, char *why)
{
  static const uint32_t shapes[][2] = { { 1, 3 }, { 3, 2 }, { 2, 8 }, { 2, 4 } };
  const struct fk_case *made = grid->made;
  struct pg_kir_error error;
  pg_kir_begin (&grid->spmd, NULL);
  if (made->kernel.n_dims > 1)
    return true;
  if (!fk_guard (prepare, grid, why))
    return false;
  const uint32_t *shape = shapes[made->seed % 4];
  grid->n_blocks = grid->prepared->is_independent ? shape[0] : 1;
  grid->n_threads = grid->prepared->is_independent ? shape[1] : 1;
  grid->mapping = (enum pg_kir_mapping) (made->seed % PG_KIR_N_MAPPINGS);
  if (grid->prepared->expected.outcome != PG_KIR_DONE)
    return true;
  if (!pg_kir_map (&grid->spmd, &made->kernel, grid->mapping, grid->n_threads, &error))
    return made->mutant > 0 || (snprintf (why, FK_WHY_LEN, "is not mapped: %s", error.text), false);
  if (pg_cuda_args_len (&grid->spmd) > PG_EMU_MOST_ARGS_LEN) /* a mutant's */
    pg_kir_end (&grid->spmd);
  return true;
}

/* Compile the N GRIDS.  False: WHY is the compiler's first error.  */
static bool
compile (struct pg_emu_module **module, struct grid *grids, int n, char *why)
{
  const char *names[2 * FK_BATCH];
  size_t n_names = 0, len = 0;
  char *text;
  FILE *file = open_memstream (&text, &len);
  fputs ("#include \"prelude.cuh\"\n", file);
  for (int i = 0; i < n; i++)
    {
      if (grids[i].spmd.n_blocks == 0)
	continue;
      snprintf (grids[i].name, sizeof grids[i].name, "grid_%d", i);
      names[n_names++] = grids[i].name;
      char *printed = fk_print_kernel (&grids[i].spmd, grids[i].name);
      fputs (printed, file);
      free (printed);
    }
  fclose (file);
  enum pg_emu_status status = n_names == 0 ? PG_EMU_OK : pg_emu_compile (emu, text, names, n_names, module);
  free (text);
  if (status != PG_EMU_OK && status != PG_EMU_NOT_COMPILED)
    give_up (pg_emu_message (emu));
  snprintf (why, FK_WHY_LEN, "does not compile: %.200s", pg_emu_message (emu));
  return status == PG_EMU_OK;
}

/* Launch GRID, of MODULE, on the memory that its loop began with; what it leaves is *FOUND.  */
static enum pg_emu_status
launch (struct grid *grid, struct pg_emu_module *module, struct fk_result *found)
{
  static uint64_t partials[N_PARTIALS];
  static char args[PG_EMU_MOST_ARGS_LEN];
  const struct pg_kir_kernel *loop = &grid->made->kernel;
  int64_t n = grid->made->n_iters[0], n_all = (int64_t) grid->n_blocks * grid->n_threads;
  const struct pg_kir_launch shares = { 0, n, pg_kir_stride (grid->mapping, n, n_all), partials_there };
  const struct pg_emu_launch start = { .kernel = grid->name,
				       .grid = { grid->n_blocks, 1, 1 },
				       .block = { grid->n_threads, 1, 1 },
				       .args = args,
				       .args_len = pg_cuda_args_len (&grid->spmd),
				       .limit_ms = 1000 * fk_options.timeout };
  memcpy (args, grid->prepared->before.args, sizeof args);
  memcpy (args + pg_kir_launch_offset (loop), &shares, sizeof shares);
  enum pg_emu_status status = pg_emu_copy_in (emu, world_there, &grid->prepared->before, sizeof (struct fk_world));
  status = status != PG_EMU_OK ? status : pg_emu_launch (emu, module, &start);
  status = status != PG_EMU_OK ? status : pg_emu_wait (emu);
  status = status != PG_EMU_OK ? status : pg_emu_copy_out (emu, &found->world, world_there, sizeof found->world);
  status = status != PG_EMU_OK ? status : pg_emu_copy_out (emu, partials, partials_there, sizeof partials);
  if (status != PG_EMU_OK)
    return status;
  found->outcome = PG_KIR_DONE;
  pg_kir_collect (loop, grid->mapping, &shares, grid->n_blocks, grid->n_threads, partials, found->world.args);
  return PG_EMU_OK;
}

bool
fk_run_on_emu (struct fk_case *const *cases, int n, char (*whys)[FK_WHY_LEN], unsigned *n_run, char *why)
{
  static struct grid grids[2 * FK_BATCH];
  static struct fk_result found;
  struct pg_emu_module *module = NULL;
  open_device ();
  for (int i = 0; i < n; i++)
    {
      grids[i] = (struct grid) { .made = cases[i], .prepared = &prepared[i] };
      whys[i][0] = '\0';
      map_case (&grids[i], whys[i]);
    }
  bool is_compiled = compile (&module, grids, n, why);
  for (int i = 0; i < n; i++)
    {
      enum pg_emu_status status = PG_EMU_OK;
      bool is_run = is_compiled && grids[i].spmd.n_blocks > 0;
      if (is_run)
	status = launch (&grids[i], module, &found);
      if (status != PG_EMU_OK)
	snprintf (whys[i], FK_WHY_LEN, "%.200s", pg_emu_message (emu));
      else if (is_run)
	fk_same (&grids[i].prepared->expected, &found, whys[i]);
      *n_run += is_run;
      pg_kir_end (&grids[i].spmd);
    }
  return is_compiled;
}
