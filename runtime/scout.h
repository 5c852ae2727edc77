/* SPDX-License-Identifier: MIT
   A pass of an inspection: the monitor run over a macro-chunk by jobs on the pool, each with a scout that it calls.  */
#ifndef PG_SCOUT_H
#define PG_SCOUT_H

#include <fenv.h>
#include <stdatomic.h>

#include "inspector.h"

struct pg_telling;

struct pg_pass
{
  struct pg_inspector *inspector;
  const struct pg_view *view;
  int64_t lo, hi;
  int64_t chunk, n_jobs, n_seats;
  int n_runs; /* of the monitor over all of it, so far */
  fenv_t env; /* the caller's */

  /* What the present run does.  */
  bool is_tracing;
  enum pg_marking marking;
  const struct pg_telling *telling;

  /* What it found.  Relaxed; ordered by the pool's run.  */
  _Atomic uint32_t conflict; /* shadow: smallest stamp of a conflict, or PG_NO_STAMP */
  _Atomic bool is_doubtful;  /* sieve: a bit was found set */
};

/* Prepare PASS over [LO, HI) of INSPECTOR's region.  False: no memory.  */
bool pg_pass_begin (struct pg_pass *pass, struct pg_inspector *inspector, const struct pg_view *view, int64_t lo,
		    int64_t hi);

/* Run the monitor to trace all references that are to be traced, and as MARKING says to mark those that fit the layout:
   whether all did shows in the totals.  */
void pg_pass_trace (struct pg_pass *pass, enum pg_marking marking);

/* Run the monitor to mark: writes, in the sieve reads as well.  Requires: the layout fits.  */
void pg_pass_mark (struct pg_pass *pass, enum pg_marking marking);

/* Run the monitor to compare reads with the shadow's marks, made before.  */
void pg_pass_check (struct pg_pass *pass);

/* The traces of job INDEX of the last inspection, one for each reference.  */
const struct pg_trace *pg_scout_traces (const struct pg_inspector *inspector, int64_t index);

/* The *N runs that it noted, of all references with PG_ROLE_RUNS; NULL: some were lost.  */
const struct pg_run *pg_scout_runs (const struct pg_inspector *inspector, int64_t index, size_t *n);

#endif
