/* SPDX-License-Identifier: MIT
   paragon bench: how much faster a program is with its loops handed over than without.

       a pair that is not counted, then N: PARAGON=off PROGRAM and PROGRAM in turn, each first every other time

   Both are the same program, on the same machine, within seconds: what else goes on there meets both.  */
#include "await.h"
#include "command.h"
#include "own-file.h"
#include "ratio.h"
#include "spawn.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  EXIT_DIFFERS = 1,
  N_USUAL = 10,
  N_LEAST_SURE = 5, /* pairs, to say anything about how sure it is */
  BLOCK_LEN = 65536
};

/* How the program is run.  */
enum way
{
  ORIGINAL,
  PARAGON,
  N_WAYS
};

struct bench
{
  char *const *argv;
  int64_t n_pairs;
  bool is_verbose;
  struct pg_own_folder folder;
  char paths[N_WAYS][PG_OWN_PATH_LEN]; /* what the program wrote */
  double seconds[N_WAYS][PG_RATIO_MOST];
};

/* Whether the files A and B hold the same.  */
static bool
are_same (const char *a, const char *b)
{
  static char blocks[2][BLOCK_LEN];
  FILE *files[] = { fopen (a, "re"), fopen (b, "re") };
  bool same = files[0] != NULL && files[1] != NULL;
  for (size_t n = 1; same && n > 0;)
    {
      n = fread (blocks[0], 1, BLOCK_LEN, files[0]);
      same = fread (blocks[1], 1, BLOCK_LEN, files[1]) == n && memcmp (blocks[0], blocks[1], n) == 0;
    }
  for (int f = 0; f < 2; f++)
    if (files[f] != NULL)
      fclose (files[f]);
  return same;
}

/* Run B's program by WAY, in *SECONDS.  0, or the status to end with: it was said why.  */
static int
run (struct bench *b, enum way way, double *seconds)
{
  pid_t pid;
  setenv ("PARAGON", way == ORIGINAL ? "off" : "on", 1);
  double begin = pg_await_clock ();
  int e = pg_spawn (b->argv, b->paths[way], b->is_verbose, &pid);
  if (e != 0)
    {
      pg_say ("%s: %s", b->argv[0], strerror (e));
      return e == ENOENT ? PG_EXIT_NOT_FOUND : PG_EXIT_CANNOT_RUN;
    }
  int status = pg_await (pid);
  *seconds = pg_await_clock () - begin;
  if (pg_await_signal () != 0)
    return 128 + pg_await_signal ();
  if (status == 0)
    return 0;
  bool is_signal = WIFSIGNALED (status);
  pg_say ("%s ends with %s %d %s%s", b->argv[0], is_signal ? "signal" : "status",
	  is_signal ? WTERMSIG (status) : WEXITSTATUS (status), way == ORIGINAL ? "without Paragon" : "with Paragon",
	  b->is_verbose ? "" : "; --verbose shows what it says");
  return EXIT_DIFFERS;
}

/* Run B's program both ways, in pair number PAIR, 0 being the one that is not counted.  */
static int
run_pair (struct bench *b, int64_t pair)
{
  for (int turn = 0; turn < N_WAYS; turn++)
    {
      enum way way = (turn + pair) % 2 == 0 ? ORIGINAL : PARAGON;
      double seconds;
      if (isatty (STDERR_FILENO))
	fprintf (stderr, "\rpair %" PRId64 " of %" PRId64 " ", pair, b->n_pairs);
      int status = run (b, way, &seconds);
      if (status != 0)
	return status;
      if (pair > 0)
	b->seconds[way][pair - 1] = seconds;
    }
  if (are_same (b->paths[ORIGINAL], b->paths[PARAGON]))
    return 0;
  pg_say ("%s writes something else with Paragon than without: if it is no time or date, paragon bisect finds the loop",
	  b->argv[0]);
  return EXIT_DIFFERS;
}

static void
write_result (struct bench *b)
{
  size_t n = (size_t) b->n_pairs;
  struct pg_ratio ratio = pg_ratio_of (b->seconds[ORIGINAL], b->seconds[PARAGON], n);
  printf ("original loops  %.3f s\n", pg_median (b->seconds[ORIGINAL], n));
  printf ("Paragon         %.3f s\n", pg_median (b->seconds[PARAGON], n));
  printf ("%.2f times as fast", ratio.median);
  if (b->n_pairs >= N_LEAST_SURE)
    printf (", 95 %% interval %.2f to %.2f%s", ratio.low, ratio.high,
	    ratio.low <= 1 && ratio.high >= 1 ? ": no difference is shown" : "");
  printf (" (%" PRId64 " pairs of runs, medians)\n", b->n_pairs);
}

static int
bench (struct bench *b)
{
  for (int64_t pair = 0; pair <= b->n_pairs; pair++)
    {
      int status = run_pair (b, pair);
      if (isatty (STDERR_FILENO))
	fputs ("\r\033[K", stderr);
      if (status != 0)
	return status;
    }
  write_result (b);
  return PG_EXIT_OK;
}

int
pg_command_bench (int argc, char **argv)
{
  static struct bench b = { .n_pairs = N_USUAL };
  enum pg_command_option option;
  while ((option = pg_command_next_option (PG_COMMAND_BENCH, argc, argv)) != PG_OPTIONS_END)
    if (option == PG_OPTION_BENCH_VERBOSE)
      b.is_verbose = true;
    else if (!pg_command_number (optarg, PG_RATIO_MOST, &b.n_pairs))
      return pg_command_wrong (PG_COMMAND_BENCH, "--pairs takes a number from 1 to 1000");
  if (optind == argc)
    return pg_command_wrong (PG_COMMAND_BENCH, "no PROGRAM");
  b.argv = argv + optind;
  pg_await_prepare ();
  if (!pg_own_folder_make (&b.folder))
    return PG_EXIT_WRONG;
  pg_own_file (&b.folder, "original", &b.paths[ORIGINAL]);
  pg_own_file (&b.folder, "paragon", &b.paths[PARAGON]);
  int status = bench (&b);
  pg_own_folder_remove (&b.folder);
  return status;
}
