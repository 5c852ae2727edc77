/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: the flags, plugin options and run-time settings of a seed.

   Each follows from the seed alone.  Optimization levels are drawn; run-time settings rotate through all
   combinations of threads, forced rung and forced conflicts, a handful a program, so that a few dozen programs meet
   every one.  */

#include "drive.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
scramble (uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Return the draw number N of SEED among LIMIT.  */
static unsigned
draw (uint64_t seed, unsigned n, unsigned limit)
{
  return (unsigned) (scramble (seed * UINT64_C (0x9e3779b97f4a7c15) + n + 1) % limit);
}

/* Add a word.  */
void
dr_add (struct dr_words *words, const char *format, ...)
{
  size_t room = sizeof words->text - words->text_len;
  va_list args;
  int len;

  va_start (args, format);
  len = vsnprintf (words->text + words->text_len, room, format, args);
  va_end (args);
  if (len < 0 || (size_t) len >= room || words->n == DR_MAX_WORDS - 1)
    {
      fputs ("drive: too many words\n", stderr);
      exit (2);
    }
  words->words[words->n++] = words->text + words->text_len;
  words->words[words->n] = NULL;
  words->text_len += (size_t) len + 1;
}

/* Add SEED's compiler flags.  *IS_FAST: the plain build's answer says nothing about the other build's.  */
void
dr_choose_flags (struct dr_words *flags, uint64_t seed, bool *is_fast)
{
  /* Some targets leave sums that accumulate unfused by default.  */
  static const char *const levels[] = { "-O1",
					"-O2",
					"-O3",
					"-Os",
					"-O2",
					"-O3",
					"-O2 -march=native",
					"-O3 -march=native",
					"-O2 -march=native --param=avoid-fma-max-bits=0",
					"-O3 -march=native --param=avoid-fma-max-bits=0",
					"-O2 -march=native -fvect-cost-model=dynamic",
					"-O3 -march=native -mprefer-vector-width=128",
					"-Ofast" };
  static const char *const rare[] = { "-ftrapv",
				      "-fwrapv",
				      "-frounding-math",
				      "-fnon-call-exceptions",
				      "-flto",
				      "-ffast-math",
				      "-fsignaling-nans",
				      "-fno-tree-vectorize",
				      "-fexceptions",
				      "-fsanitize=undefined",
				      "-fno-tree-pre",
				      "-funroll-loops",
				      "-fno-inline",
				      "-fassociative-math -fno-signed-zeros -fno-trapping-math" };
  const char *level = levels[draw (seed, 0, sizeof levels / sizeof *levels)];
  const char *other = draw (seed, 1, 4) ? "" : rare[draw (seed, 2, sizeof rare / sizeof *rare)];
  char text[128], *word, *rest;

  *is_fast = strstr (level, "fast") || strstr (other, "fast") || strstr (other, "associative");
  snprintf (text, sizeof text, "%s %s", level, other);
  for (word = strtok_r (text, " ", &rest); word; word = strtok_r (NULL, " ", &rest))
    dr_add (flags, "%s", word);
  if (draw (seed, 3, 4) == 0)
    dr_add (flags, "-g");
  if (draw (seed, 4, 4) == 0)
    dr_add (flags, "-fPIC");
  if (draw (seed, 5, 4) == 0)
    dr_add (flags, "-ffp-contract=off");
  if (draw (seed, 8, 128) == 0)
    dr_add (flags, "-DOWN_MALLOC");
}

/* Add SEED's plugin options.  Now and then the plugin chooses thresholds itself.  */
void
dr_choose_plugin_options (struct dr_words *options, uint64_t seed)
{
  dr_add (options, "-fplugin=%s", dr_options.plugin);
  dr_add (options, "-fplugin-arg-paragon-report=report.json");
  if (draw (seed, 6, 16))
    dr_add (options, "-fplugin-arg-paragon-threshold=0");
  if (dr_options.kernels)
    dr_add (options, "-fplugin-arg-paragon-kir");
}

/* Add the settings of run number RUN of SEED.  Run 0 forces nothing but the pool; the last one compares each entry
   with the original loop inside the run time.  */
void
dr_choose_settings (struct dr_words *settings, uint64_t seed, int run)
{
  static const char *const steps[] = { "", "L1", "L2", "L3", "L5" };
  static const char *const conflicts[] = { "", "every:7", "at:3", "random:" };
  enum
  {
    N_THREADS = 3,
    N_STEPS = 5,
    N_CONFLICTS = 4,
    N_ALL = N_THREADS * N_STEPS * N_CONFLICTS
  };
  unsigned n_rotating = (unsigned) dr_options.n_runs - 1;
  unsigned n = (unsigned) ((seed * n_rotating + (unsigned) run) % N_ALL);
  const char *step = steps[n / N_THREADS % N_STEPS], *conflict = conflicts[n / (N_THREADS * N_STEPS)];
  bool compares = run > 1 && run == dr_options.n_runs - 1;

  dr_add (settings, "PARAGON_STATS=stats.json");
  if (dr_options.library)
    dr_add (settings, "PARAGON_LIBRARY=%s", dr_options.library);
  dr_add (settings, "PARAGON_THREADS=%d", run == 0 || compares ? 2 : 1 << n % N_THREADS);
  if (run == 0 || draw (seed, 16 + (unsigned) run, 8))
    dr_add (settings, "PARAGON_PLAN=pool");
  if (compares)
    dr_add (settings, "PARAGON=compare");
  if (run == 0 || compares)
    return;
  if (*step)
    dr_add (settings, "PARAGON_STEP=%s", step);
  if (!strcmp (conflict, "random:"))
    dr_add (settings, "PARAGON_INJECT=random:%u", draw (seed, 7, 1000));
  else if (*conflict)
    dr_add (settings, "PARAGON_INJECT=%s", conflict);
}
