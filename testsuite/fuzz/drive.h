/* SPDX-License-Identifier: MIT
   Loop fuzzer driver: what its files share.  */
#ifndef FUZZ_DRIVE_H
#define FUZZ_DRIVE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dr_options
{
  const char *cc;
  const char *plugin;   /* absolute; NULL: build without it */
  const char *library;  /* absolute; NULL: the plugin's own choice */
  const char *generate; /* the generator */
  const char *support;  /* folder of support.h and support.c */
  const char *keep;     /* failures go there */
  uint64_t first_seed;
  int n_programs, n_jobs, n_runs, timeout;
  bool validate; /* compare -O3 with the sanitizers instead */
  bool kernels;  /* keep kernels in the programs, for a library that interprets them */
};

extern struct dr_options dr_options;

/* drive-options.c: the command line.  */
bool dr_read_options (int argc, char **argv);

/* drive-process.c: commands with a time limit.  */

struct dr_command
{
  const char *folder; /* where it runs */
  char *const *argv;
  char *const *settings; /* NAME=VALUE added to the environment, or NULL */
  const char *out, *err; /* names of files in FOLDER */
  int timeout;           /* seconds */
};

struct dr_outcome
{
  int status;   /* of waitpid */
  bool is_late; /* killed for the time limit */
};

struct dr_outcome dr_run (const struct dr_command *command);
bool dr_is_crash (const struct dr_outcome *outcome);
bool dr_read (const char *folder, const char *name, char **text, size_t *len);
bool dr_copy (const char *from, const char *to);
const char *dr_path (char path[PATH_MAX], const char *folder, const char *name);

/* drive-settings.c: a seed's flags and settings.  */

enum
{
  DR_MAX_WORDS = 24,
  DR_MAX_SETTINGS = 8
};

struct dr_words
{
  int n;
  char *words[DR_MAX_WORDS]; /* ends with NULL */
  char text[1024];
  size_t text_len;
};

void dr_add (struct dr_words *words, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void dr_choose_flags (struct dr_words *flags, uint64_t seed, bool *is_fast);
void dr_choose_plugin_options (struct dr_words *options, uint64_t seed);
void dr_choose_settings (struct dr_words *settings, uint64_t seed, int run);

/* drive-tally.c: what happened, summed up over all jobs.  */

enum dr_verdict
{
  DR_SAME,
  DR_DIFFERENCE,
  DR_CRASH,
  DR_HANG,
  DR_PLAIN_WRONG, /* the plain build: a more cautious one agrees with the plugin */
  DR_INVALID      /* the program itself is at fault */
};

enum
{
  DR_MAX_NAMES = 64,
  DR_N_CLASSES = 3,
  DR_N_RUNGS = 5
};

/* In memory that the jobs share.  */
struct dr_tally
{
  _Atomic int n_taken;   /* programs given out */
  _Atomic bool is_ended; /* a signal asked for that */
  _Atomic long n_verdicts[DR_INVALID + 1];
  _Atomic long n_on_pool; /* programs with a loop that ran on the pool */
  _Atomic long n_with_conflicts;
  _Atomic long n_loops, n_outlined, n_regions_run;
  _Atomic long n_classes[DR_N_CLASSES];
  _Atomic long n_reasons[DR_MAX_NAMES];
  _Atomic long n_unknown_reasons;
  _Atomic long n_rungs[DR_N_RUNGS];
};

/* What the runs of one program showed.  */
struct dr_seen
{
  bool on_pool, conflicts;
  long n_differences; /* that PARAGON=compare found */
};

void dr_tally_report (struct dr_tally *tally, const char *text);
void dr_tally_statistics (struct dr_tally *tally, const char *text, struct dr_seen *seen);
void dr_tally_program (struct dr_tally *tally, enum dr_verdict verdict, const struct dr_seen *seen);
bool dr_tally_print (const struct dr_tally *tally);

#endif
