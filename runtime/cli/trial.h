/* SPDX-License-Identifier: MIT
   A user's command, run to see whether it fails.  */
#ifndef PARAGON_CLI_TRIAL_H
#define PARAGON_CLI_TRIAL_H

#include "bisect-search.h"

#include <stdbool.h>
#include <stdint.h>

struct pg_trial
{
  char *const *argv;
  int64_t n_repeat; /* times that it has to pass */
  bool is_verbose;  /* its output goes to stderr, not away */
  int n;            /* tried so far */
};

/* Run TRIAL's command in this process's environment, which leaves in Paragon what WHAT says, and tell the user.
   Requires: pg_await_prepare was called; what asks this process to end then ends the trial only.  */
enum pg_outcome pg_trial_run (struct pg_trial *trial, const char *what);

#endif
