/* SPDX-License-Identifier: MIT
   Planted conflicts: each method finds all of those that it claims to find, at any distance, through any view of the
   memory, in order and on grids however their threads are shuffled; and those that know iterations find nothing else.

   test-kir-instrument-conflicts [SEEDS]: so many cases of each kind and distance.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "noted-loops.h"

enum
{
  N_BLOCKS = 3,
  N_THREADS = 16,
  FIRST_AND_LAST = -1
};

static const int distances[] = { 1, 31, 32, 33, 1000, FIRST_AND_LAST };

static uint64_t n_seeds = 25;

/* The kernels that were made: of the loops, and in SPMD form.  */
static struct pg_kir_kernel loops[NL_N_VIEWS];
static struct made
{
  struct pg_kir_kernel loop, spmd;
} made[NL_N_METHODS][NL_N_PHASES + 1][NL_N_VIEWS][NL_MOST_SHIFT];

static const struct made *
get (int method, int phase)
{
  struct made *kernel = &made[method][phase][nl_case.view][nl_case.shift];
  uint8_t log = nl_methods[method].log;
  if (kernel->loop.n_blocks > 0)
    return kernel;
  kernel->loop = phase == NL_N_PHASES
		   ? nl_scan (log)
		   : nl_instrument (&loops[nl_case.view], nl_methods[method].what[phase], log, nl_case.shift);
  kernel->spmd = map_kernel (&kernel->loop, PG_KIR_STRIDED, N_THREADS);
  return kernel;
}

static uint64_t partials[N_BLOCKS * N_THREADS];

static const struct pg_kir_space spaces[] = {
  { (char *) &nl_logs, sizeof nl_logs, true },
  { (char *) &nl_case, sizeof nl_case, false },
  { (char *) partials, sizeof partials, true },
};

static void
run (int method, int phase, void *args, uint32_t args_len, int64_t lo, int64_t hi)
{
  const struct made *kernel = get (method, phase);
  if (nl_case.seed % 4 == 0)
    {
      run_in_order (&kernel->loop, args, spaces, 3, lo, hi);
      return;
    }
  struct pg_kir_launch launch
    = { .lo = lo, .hi = hi, .stride = N_BLOCKS * N_THREADS, .partials = (uint64_t) (uintptr_t) partials };
  memcpy ((char *) args + args_len, &launch, sizeof launch);
  assert_int_equal (run_grid (&kernel->spmd, args, spaces, 3, N_BLOCKS, N_THREADS, nl_case.seed), PG_KIR_DONE);
  pg_kir_collect (&kernel->loop, PG_KIR_STRIDED, &launch, N_BLOCKS, N_THREADS, partials, args);
}

static struct nl_places
places (void)
{
  struct nl_places here = {
    .memory = (uint64_t) (uintptr_t) nl_logs.memory,
    .to = (uint64_t) (uintptr_t) nl_case.to,
    .from = (uint64_t) (uintptr_t) nl_case.from,
    .verdict = (uint64_t) (uintptr_t) &nl_logs.verdict,
    .n_marked = (uint64_t) (uintptr_t) &nl_logs.n_marked,
  };
  for (int log = 0; log < PG_KIR_N_LOGS; log++)
    {
      here.writers[log] = (uint64_t) (uintptr_t) nl_logs.writers[log];
      here.readers[log] = (uint64_t) (uintptr_t) nl_logs.readers[log];
    }
  return here;
}

static unsigned n_cases, n_false[NL_N_METHODS];

/* Judge nl_case by all methods.  */
static void
judge (void)
{
  const struct nl_places here = places ();
  const struct nl_truth truth = nl_truth (&loops[nl_case.view]);
  unsigned planted = nl_case.kind == NL_OUTPUT  ? PG_KIR_WRITTEN_TWICE
		     : nl_case.kind == NL_CLEAN ? PG_KIR_CLEAN
						: PG_KIR_READ_TOO;
  assert_int_equal (truth.verdict & planted, planted);
  assert_true (nl_case.kind != NL_CLEAN || truth.verdict == 0);
  n_cases++;
  for (int m = 0; m < NL_N_METHODS; m++)
    {
      const struct nl_method *method = &nl_methods[m];
      nl_clear (method->log);
      unsigned found = nl_found (method, nl_run_method (m, &here, run));
      if (!nl_is_right (method, truth, found))
	fail_msg ("%s on %s, kind %d, distance %d, seed %llu, shift %d: %u, not %u", method->name,
		  nl_views[nl_case.view].name, (int) nl_case.kind, nl_case.distance, (unsigned long long) nl_case.seed,
		  nl_case.shift, found, truth.verdict);
      n_false[m] += truth.verdict == 0 && found != 0;
    }
}

/* Those that do not know who wrote take what an iteration does to itself for a conflict; others do not.  */
static void
planted_conflicts_are_found (void **state)
{
  (void) state;
  for (uint64_t seed = 0; seed < n_seeds; seed++)
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
      for (int kind = 0; kind < NL_N_KINDS; kind++)
	{
	  /* Few of those that take long, unless many are asked for.  */
	  if (distances[d] == 1000 && n_seeds < 100 && seed % 8 != 0)
	    continue;
	  bool is_all = distances[d] == FIRST_AND_LAST;
	  nl_make ((enum nl_kind) kind, is_all ? (int) (2 + seed % 60) : distances[d], is_all, seed,
		   (int) (seed % NL_N_VIEWS), (int) (seed / NL_N_VIEWS % NL_MOST_SHIFT));
	  judge ();
	}
  for (int m = 0; m < NL_N_METHODS; m++)
    {
      print_message ("%s: %u false alarms of %u cases\n", nl_methods[m].name, n_false[m], n_cases);
      assert_int_equal (n_false[m] > 0, !nl_methods[m].knows_iterations);
    }
}

/* Logs are not cleared from case to case, until there are no numbers left.  */
static void
epochs_go_on_until_they_wrap (void **state)
{
  struct pg_kir_epoch epoch = { 100, UINT32_MAX };
  (void) state;
  assert_true (pg_kir_next_epoch (&epoch, 60));
  assert_int_equal (epoch.low, 40);
  assert_int_equal (epoch.end, 100);
  assert_false (pg_kir_next_epoch (&epoch, 41));
  assert_int_equal (epoch.low, 40);
  assert_true (pg_kir_next_epoch (&epoch, 40));
  assert_false (pg_kir_next_epoch (&epoch, 1));
  assert_false (pg_kir_next_epoch (&epoch, UINT64_MAX));
  for (uint64_t seed = 0; seed < 200; seed++)
    {
      nl_make ((enum nl_kind) (seed % NL_N_KINDS), 1 + (int) (seed % 9), false, seed, (int) (seed / 4 % NL_N_VIEWS), 0);
      if (seed % 16 == 0)
	nl_epoch.low = nl_epoch.end = 250;
      judge ();
    }
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (planted_conflicts_are_found),
    cmocka_unit_test (epochs_go_on_until_they_wrap),
  };
  if (argc > 1)
    n_seeds = strtoull (argv[1], NULL, 10);
  for (int v = 0; v < NL_N_VIEWS; v++)
    loops[v] = read_kernel (nl_views[v].text);
  return cmocka_run_group_tests (tests, NULL, NULL);
}
