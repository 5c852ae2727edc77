/* SPDX-License-Identifier: MIT
   KIR fuzzer: random kernels, by which all that reads, checks, runs or prints kernels is compared.

     for each seed:   generate -> verify, write and read, interpret, print; change it, and all that again
     for each batch:  print all kernels as C -> compile in several ways -> run each, compare with the interpreter

   What is compared stands in the table of check.c: a new pass is a new row.  Each kernel is checked in processes of its
   own.  What does not hold is a difference: one line with its seed, and in the folder KEEP the kernel as text,
   seed-N.kir, and a smaller one, seed-N-small.kir.  `--seed N -n 1` repeats it.  Everything follows from the seeds.

   generate.c, value.c  kernels that are right	  world.c  their memory, and runs
   mutate.c  others	  compile.c, guard.c  compilers and processes
   emu.c  the device without a GPU
   nan.c, depend.c  what may be compared of them	  check.c  what must hold
   reduce.c  smaller kernels	  tally.c  what was reached  */
#include "fuzz-kir.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct fk_options fk_options
  = { .keep = "fuzz-kir-failures", .first_seed = 1, .n = 1000, .n_reduced = 3, .timeout = 10 };

static struct fk_tally *tally;

/* A job's own.  */
static struct fk_report *report;
static char folder[PATH_MAX];
static uint64_t n_reduced;

static const char *
setting (const char *name, const char *otherwise)
{
  return getenv (name) == NULL ? otherwise : getenv (name);
}

/* Write MADE's kernel into the folder for failures, its name ending with SUFFIX.  */
static void
keep (const struct fk_case *made, const char *suffix)
{
  char path[PATH_MAX], *text = fk_text (&made->kernel);
  int len = snprintf (path, sizeof path, "%s/seed-%llu", fk_options.keep, (unsigned long long) made->seed);
  if (made->mutant > 0)
    len += snprintf (path + len, sizeof path - (size_t) len, "-mutant-%u", made->mutant);
  snprintf (path + len, sizeof path - (size_t) len, "%s.kir", suffix);
  mkdir (fk_options.keep, 0777);
  FILE *file = fopen (path, "w");
  if (file == NULL || fputs (text, file) < 0 || fclose (file) != 0)
    perror (path);
  free (text);
}

/* Row CHECK does not hold for MADE, and WHY.  */
static void
note_difference (struct fk_case *made, int check, const char *why)
{
  char mutant[32] = "";
  if (made->mutant > 0)
    snprintf (mutant, sizeof mutant, ", mutant %u", made->mutant);
  printf ("seed %llu%s: %s: %s\n", (unsigned long long) made->seed, mutant, fk_checks[check].name, why);
  fflush (stdout);
  __atomic_fetch_add (&tally->n_differences, 1, __ATOMIC_RELAXED);
  keep (made, "");
  if (!fk_checks[check].is_reducible || n_reduced++ >= fk_options.n_reduced)
    return;
  fk_reduce (made, check, strstr (why, FK_HANG) != NULL, folder, report);
  keep (made, "-small");
}

/* Run the N CASES as row CHECK's compiler makes them; WHYS say of each what does not hold, or "".  False: not all were
   compiled, and WHY is its message.  */
static bool
run_compiled (struct fk_case **cases, int n, int check, char (*whys)[FK_WHY_LEN], char *why)
{
  struct fk_library library;
  if (strcmp (fk_checks[check].compiler, FK_ON_EMU) == 0)
    {
      unsigned n_run = 0;
      bool is_compiled = fk_run_on_emu (cases, n, whys, &n_run, why);
      __atomic_fetch_add (&tally->n_on_emu, n_run, __ATOMIC_RELAXED);
      return is_compiled;
    }
  if (!fk_compile (&library, &fk_checks[check], cases, n, folder, why))
    return false;
  for (int i = 0; i < n; i++)
    {
      fk_check_one (cases[i], check, library.loops[i], report);
      memcpy (whys[i], report->why, sizeof whys[i]);
    }
  fk_unload (&library);
  __atomic_fetch_add (&tally->n_compared, (uint64_t) n, __ATOMIC_RELAXED);
  return true;
}

/* Compare what row CHECK's compiler makes of the N CASES.  */
static void
compare_compiled (struct fk_case **cases, int n, int check)
{
  char why[FK_WHY_LEN] = "", whys[2 * FK_BATCH][FK_WHY_LEN];
  if (!run_compiled (cases, n, check, whys, why))
    {
      if (n == 1)
	note_difference (cases[0], check, why);
      for (int i = 0; i < n && n > 1; i++) /* which one is it? */
	compare_compiled (&cases[i], 1, check);
      return;
    }
  for (int i = 0; i < n; i++)
    if (whys[i][0] != '\0')
      note_difference (cases[i], check, whys[i]);
}

/* Check N kernels from SEED on, batch number BATCH.  */
static void
check_batch (uint64_t seed, int n, uint64_t batch)
{
  static struct fk_case made[2 * FK_BATCH];
  struct fk_case *cases[2 * FK_BATCH];
  int n_made = 0, n_cases = 0;
  for (int i = 0; i < n; i++)
    {
      struct fk_case *kernel = &made[n_made++];
      fk_make (kernel, seed + (uint64_t) i, 0);
      bool is_good = fk_check_alone (kernel, report);
      unsigned mutant = report->mutant;
      fk_count (tally, kernel, report);
      if (is_good && report->is_comparable)
	cases[n_cases++] = kernel;
      if (!is_good)
	{
	  char why[FK_WHY_LEN];
	  memcpy (why, report->why, sizeof why);
	  note_difference (kernel, report->check, why);
	}
      else if (mutant > 0)
	{
	  fk_make (&made[n_made], kernel->seed, mutant);
	  cases[n_cases++] = &made[n_made++];
	}
    }
  for (int c = 0; c < fk_n_checks && n_cases > 0; c++)
    if (fk_checks[c].compiler != NULL && batch % fk_checks[c].every == 0 && fk_is_there (&fk_checks[c]))
      compare_compiled (cases, n_cases, c);
  for (int i = 0; i < n_made; i++)
    pg_kir_end (&made[i].kernel);
}

/* Take batches as long as there are any.  */
static void
work (void)
{
  uint64_t batch;
  snprintf (folder, sizeof folder, "%s/paragon-fuzz-kir-XXXXXX", setting ("TMPDIR", "/tmp"));
  if (mkdtemp (folder) == NULL || !fk_world_begin ())
    {
      perror ("fuzz-kir: a folder, or memory at a fixed address");
      exit (2);
    }
  report = fk_share (sizeof *report);
  while ((batch = __atomic_fetch_add (&tally->n_batches, 1, __ATOMIC_RELAXED)) * FK_BATCH < fk_options.n)
    {
      uint64_t n_left = fk_options.n - batch * FK_BATCH;
      check_batch (fk_options.first_seed + batch * FK_BATCH, n_left < FK_BATCH ? (int) n_left : FK_BATCH, batch);
    }
  fk_emu_end ();
  char command[PATH_MAX + 16];
  snprintf (command, sizeof command, "rm -r '%s'", folder);
  exit (system (command) == 0 ? 0 : 2);
}

/* Print the kernels instead of checking them.  */
static void
show (void)
{
  for (uint64_t i = 0; i < fk_options.n; i++)
    {
      struct fk_case made;
      fk_make (&made, fk_options.first_seed + i, 0);
      char *text = fk_text (&made.kernel);
      fputs (text, stdout);
      free (text);
      pg_kir_end (&made.kernel);
    }
}

/* A number from LEAST on, as the option's argument TEXT says.  */
static uint64_t
number (const char *text, uint64_t least)
{
  char *end;
  unsigned long long n = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || n < least)
    {
      fprintf (stderr, "fuzz-kir: expected a number from %llu on, not \"%s\"\n", (unsigned long long) least, text);
      exit (2);
    }
  return n;
}

/* Read the command line.  False: kernels are only to be shown.  */
static bool
read_options (int argc, char **argv)
{
  static const struct option options[]
    = { { "seed", required_argument, NULL, 's' },    { "keep", required_argument, NULL, 'k' },
	{ "timeout", required_argument, NULL, 't' }, { "cc", required_argument, NULL, 'c' },
	{ "cxx", required_argument, NULL, 'x' },     { "reduce", required_argument, NULL, 'r' },
	{ "show", no_argument, NULL, 'w' },          { NULL, 0, NULL, 0 } };
  bool is_show = false;
  int option;
  fk_options.cc = setting ("PG_CC", "gcc");
  fk_options.cxx = setting ("PG_CXX", "g++");
  fk_options.root = realpath (setting ("PG_ROOT", "."), NULL);
  if (fk_options.root == NULL)
    {
      perror (setting ("PG_ROOT", "."));
      exit (2);
    }
  fk_options.n_jobs = (int) sysconf (_SC_NPROCESSORS_ONLN);
  while ((option = getopt_long (argc, argv, "n:j:", options, NULL)) != -1)
    switch (option)
      {
      case 'n':
	fk_options.n = number (optarg, 1);
	break;
      case 'j':
	fk_options.n_jobs = (int) number (optarg, 1);
	break;
      case 's':
	fk_options.first_seed = number (optarg, 0);
	break;
      case 't':
	fk_options.timeout = (unsigned) number (optarg, 1);
	break;
      case 'r':
	fk_options.n_reduced = number (optarg, 0);
	break;
      case 'k':
	fk_options.keep = optarg;
	break;
      case 'c':
	fk_options.cc = optarg;
	break;
      case 'x':
	fk_options.cxx = optarg;
	break;
      case 'w':
	is_show = true;
	break;
      default:
	fprintf (stderr, "usage: fuzz-kir [-n KERNELS] [-j JOBS] [--seed FIRST] [--keep FOLDER] [--timeout SECONDS]\n"
			 "                [--reduce MOST] [--cc COMMAND] [--cxx COMMAND] [--show]\n");
	exit (2);
      }
  return !is_show;
}

int
main (int argc, char **argv)
{
  int status, n_failed = 0;
  if (!read_options (argc, argv))
    {
      show ();
      return 0;
    }
  tally = fk_share (sizeof *tally);
  for (int j = 0; j < fk_options.n_jobs; j++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	work ();
      n_failed += pid < 0;
    }
  while (wait (&status) > 0)
    n_failed += status != 0;
  bool is_all_reached = fk_print (tally);
  if (n_failed > 0)
    fprintf (stderr, "fuzz-kir: %d jobs failed\n", n_failed);
  if (!is_all_reached)
    fprintf (stderr, "fuzz-kir: something that is to be reached was not\n");
  return tally->n_differences == 0 && n_failed == 0 && is_all_reached ? 0 : 1;
}
