/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: random loop programs, each built plain and with the plugin, must give the same output.

     for each seed:  generate -> build plain -> run: what is expected
			      -> build with the plugin -> run under several settings: compare

   A different output or exit status is a difference; a build or run that fails where the plain one does not is a
   crash; one that does not end is a hang.  Each failure leaves a folder KEEP/seed-N with the program, a script that
   repeats it, and both outputs.  Everything follows from the seeds.

   With flags that leave the result to the compiler (-Ofast) the runs of the plugin's build are compared with its
   first one.  --validate checks the generator instead: -O3 against -O0 with the sanitizers.  */

#include "drive.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct dr_tally *tally;
static char support_object[PATH_MAX];

/* One program on its way through builds and runs.  */
struct program
{
  uint64_t seed;
  char folder[PATH_MAX];
  struct dr_words plain, built; /* the command lines that build it */
  struct dr_words again[2];     /* those that build it plain but without what may have gone wrong */
  struct dr_words settings;     /* of the run at hand */
  bool is_fast;                 /* its plain output is not the measure */
  struct dr_seen seen;
};

static struct dr_outcome
run (struct program *program, char *const *argv, char *const *settings, const char *out, const char *err, int timeout)
{
  struct dr_command command = { program->folder, argv, settings, out, err, timeout };

  return dr_run (&command);
}

static bool
succeeded (const struct dr_outcome *outcome)
{
  return !outcome->is_late && WIFEXITED (outcome->status) && WEXITSTATUS (outcome->status) == 0;
}

/* Write the program's text and read from its first line the flags that it needs.  */
static bool
generate (struct program *program, struct dr_words *flags)
{
  char seed[32], *text, *word, *rest;
  char *argv[] = { (char *) dr_options.generate, seed, NULL };
  struct dr_outcome outcome;
  size_t len;

  snprintf (seed, sizeof seed, "%llu", (unsigned long long) program->seed);
  outcome = run (program, argv, NULL, "prog.c", "generate.log", 60);
  if (!succeeded (&outcome) || !dr_read (program->folder, "prog.c", &text, &len))
    return false;
  text[strcspn (text, "\n")] = 0;
  word = strstr (text, "flags:");
  for (word = strtok_r (word ? word : text, " ", &rest); word; word = strtok_r (NULL, " ", &rest))
    if (*word == '-')
      dr_add (flags, "%s", word);
  free (text);
  return true;
}

/* Set up both builds' command lines.  */
static void
choose_builds (struct program *program, const struct dr_words *needed)
{
  static const char *const names[] = { "plain", "built", "again", "again" };
  static const char *const last[] = { "-w", "-w", "-O0", "-fno-delete-null-pointer-checks" };
  struct dr_words *all[] = { &program->plain, &program->built, &program->again[0], &program->again[1] };
  const struct dr_words none = { 0 };
  struct dr_words flags = { 0 }, options = { 0 };

  if (dr_options.validate)
    {
      dr_add (&flags, "-O3");
      dr_add (&flags, "-fno-delete-null-pointer-checks");
      dr_add (&options, "-O0");
      dr_add (&options, "-fsanitize=address,undefined");
      dr_add (&options, "-fno-sanitize-recover=all");
    }
  else
    dr_choose_flags (&flags, program->seed, &program->is_fast);
  if (dr_options.plugin)
    dr_choose_plugin_options (&options, program->seed);

  for (int i = 0; i < 4; i++)
    {
      struct dr_words *words = all[i];
      const struct dr_words *parts[] = { &flags, needed, words == &program->built ? &options : &none };

      dr_add (words, "%s", dr_options.cc);
      for (int p = 0; p < 3; p++)
	for (int w = 0; w < parts[p]->n; w++)
	  dr_add (words, "%s", parts[p]->words[w]);
      dr_add (words, "%s", last[i]);
      dr_add (words, "-I%s", dr_options.support);
      dr_add (words, "prog.c");
      dr_add (words, "%s", support_object);
      dr_add (words, "-o%s", names[i]);
      dr_add (words, "-lm");
    }
}

/* Count what the plugin and the run time wrote, and remove it.  */
static void
count (struct program *program)
{
  char path[PATH_MAX], *text;
  size_t len;

  if (dr_read (program->folder, "report.json", &text, &len))
    dr_tally_report (tally, text);
  free (text);
  unlink (dr_path (path, program->folder, "report.json"));
  if (dr_read (program->folder, "stats.json", &text, &len))
    dr_tally_statistics (tally, text, &program->seen);
  free (text);
  unlink (dr_path (path, program->folder, "stats.json"));
}

/* Whether the files A and B of the program hold the same.  */
static bool
same_files (const struct program *program, const char *a, const char *b)
{
  char *text_a, *text_b;
  size_t len_a, len_b;
  bool same = dr_read (program->folder, a, &text_a, &len_a) & dr_read (program->folder, b, &text_b, &len_b)
	      && len_a == len_b && !memcmp (text_a, text_b, len_a);

  free (text_a);
  free (text_b);
  return same;
}

/* Whether the file "got" and STATUS are what a more cautious plain build gives.  Compilers have bugs of their own:
   GCC 12 sometimes writes a store through a[n - i] as one through a null pointer and a large index, then takes the
   function for one without effects and drops its calls.  */
static bool
is_right (struct program *program, int status)
{
  char *const command[] = { "./again", NULL };
  struct dr_outcome outcome;

  for (int i = 0; i < 2 && !program->is_fast && !dr_options.validate; i++)
    {
      outcome = run (program, program->again[i].words, NULL, "again.log", "again.err", 120);
      if (!succeeded (&outcome))
	return false;
      outcome = run (program, command, NULL, "again.out", "again.err", dr_options.timeout);
      if (!outcome.is_late && outcome.status == status && same_files (program, "again.out", "got"))
	return true;
    }
  return false;
}

/* Run the plugin's build under the settings of each run; what is expected is in the file "expected" with the
   outcome EXPECTED.  */
static enum dr_verdict
run_built (struct program *program, struct dr_outcome expected)
{
  char *const command[] = { "./built", NULL };
  char *text, path[PATH_MAX], other[PATH_MAX];
  struct dr_outcome outcome;
  size_t len;
  int n_runs = dr_options.validate ? 1 : dr_options.n_runs - program->is_fast;

  for (int i = 0; i < n_runs; i++)
    {
      program->settings = (struct dr_words) { 0 };
      if (dr_options.validate)
	dr_add (&program->settings, "ASAN_OPTIONS=detect_leaks=0");
      else
	dr_choose_settings (&program->settings, program->seed, i);
      outcome = run (program, command, program->settings.words, "got", "got.err", dr_options.timeout);
      count (program);
      if (outcome.is_late)
	return DR_HANG;
      if (dr_is_crash (&outcome))
	return DR_CRASH;
      if (program->is_fast && i == 0)
	{
	  expected = outcome;
	  if (!dr_copy (dr_path (path, program->folder, "got"), dr_path (other, program->folder, "expected")))
	    return DR_INVALID;
	}
      if (outcome.status != expected.status || !same_files (program, "expected", "got"))
	return is_right (program, outcome.status) ? DR_PLAIN_WRONG : DR_DIFFERENCE;
      if (program->seen.n_differences)
	return DR_DIFFERENCE;
      if (dr_options.validate)
	{
	  bool complains = dr_read (program->folder, "got.err", &text, &len) && len;

	  free (text);
	  if (complains)
	    return DR_INVALID;
	}
    }
  return DR_SAME;
}

/* What to say of a program whose plain build fails: that this is at fault if a more cautious one does not, and agrees
   with the plugin's.  */
static enum dr_verdict
examine_failing (struct program *program)
{
  char *const command[] = { "./again", NULL };
  struct dr_outcome outcome;

  for (int i = 0; i < 2 && !program->is_fast && !dr_options.validate; i++)
    {
      outcome = run (program, program->again[i].words, NULL, "again.log", "again.err", 120);
      if (!succeeded (&outcome))
	return DR_INVALID;
      outcome = run (program, command, NULL, "expected", "expected.err", dr_options.timeout);
      if (!outcome.is_late && !dr_is_crash (&outcome) && run_built (program, outcome) == DR_SAME)
	return DR_PLAIN_WRONG;
    }
  return DR_INVALID;
}

static enum dr_verdict
examine (struct program *program)
{
  char *const command[] = { "./plain", NULL };
  struct dr_words needed = { 0 };
  struct dr_outcome outcome;

  if (!generate (program, &needed))
    return DR_INVALID;
  choose_builds (program, &needed);
  outcome = run (program, program->plain.words, NULL, "plain.log", "plain.err", 120);
  if (!succeeded (&outcome))
    return DR_INVALID;
  outcome = run (program, program->built.words, NULL, "built.log", "built.err", 120);
  count (program);
  if (outcome.is_late)
    return DR_HANG;
  if (!succeeded (&outcome))
    return DR_CRASH;
  outcome = run (program, command, NULL, "expected", "expected.err", dr_options.timeout);
  if (outcome.is_late || dr_is_crash (&outcome))
    return examine_failing (program);
  return run_built (program, outcome);
}

/* Print WORD for a shell, quoted from the sign of equality on if it has a blank.  */
static void
print_word (FILE *out, const char *word)
{
  const char *equals = strchr (word, '=');

  if (equals && strchr (equals, ' '))
    fprintf (out, "%.*s\"%s\" ", (int) (equals + 1 - word), word, equals + 1);
  else
    fprintf (out, "%s ", word);
}

/* Print WORDS, those of the folder that is gone replaced by those of the folder that is kept.  */
static void
print_words (FILE *out, const struct dr_words *words, const char *end)
{
  for (int i = 0; i < words->n; i++)
    if (!strncmp (words->words[i], "-I", 2))
      fputs ("-I. ", out);
    else
      print_word (out, strcmp (words->words[i], support_object) ? words->words[i] : "support.o");
  fputs (end, out);
}

/* Write the script that repeats a failure.  */
static void
write_script (const struct program *program, const char *folder)
{
  char path[PATH_MAX];
  FILE *out = fopen (dr_path (path, folder, "command.sh"), "w");

  if (!out)
    {
      perror (path);
      return;
    }
  fputs ("#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit\n", out);
  fprintf (out, "%s -O2 -w -c support.c\n", dr_options.cc);
  print_words (out, &program->plain, "\n");
  print_words (out, &program->built, "\n");
  fputs ("./plain > plain.out; echo plain: $?\n", out);
  print_words (out, &program->settings, "./built > built.out; echo built: $?\n");
  fputs ("cmp plain.out built.out\n", out);
  fclose (out);
  chmod (path, 0755);
}

/* Move what shows a failure to the folder that is kept.  */
static void
keep (const struct program *program)
{
  static const char *const names[]
    = { "prog.c", "expected", "got", "got.err", "built.err", "plain.err", "generate.log" };
  char name[64], folder[PATH_MAX], from[PATH_MAX], to[PATH_MAX];

  snprintf (name, sizeof name, "seed-%llu", (unsigned long long) program->seed);
  mkdir (dr_options.keep, 0777);
  mkdir (dr_path (folder, dr_options.keep, name), 0777);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!access (dr_path (from, program->folder, names[i]), R_OK))
      dr_copy (from, dr_path (to, folder, names[i]));
  dr_copy (dr_path (from, dr_options.support, "support.c"), dr_path (to, folder, "support.c"));
  dr_copy (dr_path (from, dr_options.support, "support.h"), dr_path (to, folder, "support.h"));
  write_script (program, folder);
}

static void
print_failure (const struct program *program, enum dr_verdict verdict)
{
  static const char *const names[] = { "same", "difference", "crash", "hang", "wrong plain build", "invalid program" };

  printf ("seed %llu: %s:", (unsigned long long) program->seed, names[verdict]);
  for (int i = 1; i < program->built.n; i++)
    if (program->built.words[i][0] == '-' && !strchr ("fIlow", program->built.words[i][1]))
      printf (" %s", program->built.words[i]);
  for (int i = 0; i < program->settings.n; i++)
    if (!strstr (program->settings.words[i], "STATS=") && !strstr (program->settings.words[i], "LIBRARY="))
      printf (" %s", program->settings.words[i]);
  printf ("; see %s/seed-%llu\n", dr_options.keep, (unsigned long long) program->seed);
  fflush (stdout);
}

/* Take programs until there are no more.  */
static void
work (const char *folder)
{
  static const char *const files[]
    = { "prog.c",    "plain",     "built",        "expected", "got",   "generate.log", "plain.log", "plain.err",
	"built.log", "built.err", "expected.err", "got.err",  "again", "again.log",    "again.err", "again.out" };
  char path[PATH_MAX];
  int n;

  while ((n = tally->n_taken++) < dr_options.n_programs)
    {
      struct program *program = calloc (1, sizeof *program);
      enum dr_verdict verdict;

      if (!program)
	exit (2);
      program->seed = dr_options.first_seed + (uint64_t) n;
      snprintf (program->folder, sizeof program->folder, "%s", folder);
      verdict = examine (program);
      dr_tally_program (tally, verdict, &program->seen);
      if (verdict != DR_SAME)
	{
	  keep (program);
	  print_failure (program, verdict);
	}
      free (program);
      for (size_t i = 0; i < sizeof files / sizeof *files; i++)
	unlink (dr_path (path, folder, files[i]));
    }
}

/* Build the part of the programs that is always the same.  */
static bool
build_support (const char *folder)
{
  char include[PATH_MAX], source[PATH_MAX];
  char *argv[] = { (char *) dr_options.cc, "-O2", "-w", "-c", include, "-o", support_object, NULL };
  struct dr_command command = { folder, argv, NULL, "support.log", "support.err", 120 };
  struct dr_outcome outcome;
  char *text;
  size_t len;

  snprintf (include, sizeof include, "%s", dr_path (source, dr_options.support, "support.c"));
  dr_path (support_object, folder, "support.o");
  outcome = dr_run (&command);
  if (!succeeded (&outcome))
    {
      dr_read (folder, "support.err", &text, &len);
      fprintf (stderr, "drive: %s does not build:\n%s", source, text ? text : "");
      free (text);
    }
  return succeeded (&outcome);
}

/* Start the jobs, each in a folder of its own below FOLDER, and wait for them.  */
static bool
run_jobs (const char *folder)
{
  char name[32], path[PATH_MAX];
  bool all_ended = true;
  int status;

  for (int i = 0; i < dr_options.n_jobs; i++)
    {
      snprintf (name, sizeof name, "%d", i);
      mkdir (dr_path (path, folder, name), 0777);
      fflush (NULL);
      switch (fork ())
	{
	case -1:
	  perror ("drive: fork");
	  return false;
	case 0:
	  work (path);
	  exit (0);
	}
    }
  while (wait (&status) > 0)
    all_ended &= status == 0;
  for (int i = 0; i < dr_options.n_jobs; i++)
    {
      snprintf (name, sizeof name, "%d", i);
      rmdir (dr_path (path, folder, name));
    }
  return all_ended;
}

/* No program is begun any more; those at hand come to their end.  A second signal ends the process.  */
static void
end_early (int signal)
{
  (void) signal;
  tally->is_ended = true;
  tally->n_taken = dr_options.n_programs;
}

/* Have the signals that ask for an end lead to a summary of what was done; not those that are ignored.  */
static void
catch_signals (void)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
  struct sigaction old, action = { .sa_handler = end_early, .sa_flags = SA_RESTART | (int) SA_RESETHAND };

  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (sigaction (signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction (signals[i], &action, NULL);
}

int
main (int argc, char **argv)
{
  const char *tmp = getenv ("TMPDIR");
  char folder[PATH_MAX], path[PATH_MAX];
  bool ended;

  if (!dr_read_options (argc, argv))
    return 2;
  tally = mmap (NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  dr_path (folder, tmp && *tmp ? tmp : "/tmp", "paragon-fuzz-XXXXXX");
  if (tally == MAP_FAILED || !mkdtemp (folder))
    {
      perror ("drive");
      return 2;
    }
  catch_signals ();
  ended = build_support (folder) && run_jobs (folder);
  unlink (support_object);
  unlink (dr_path (path, folder, "support.log"));
  unlink (dr_path (path, folder, "support.err"));
  rmdir (folder);
  if (tally->is_ended)
    fputs ("drive: ended by a signal\n", stderr);
  return dr_tally_print (tally) && ended ? 0 : 1;
}
