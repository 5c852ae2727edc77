/* SPDX-License-Identifier: MIT
   What a scout does with what the monitor tells it of: one set of functions for each kind of pass.  */
#ifndef PG_TELLING_H
#define PG_TELLING_H

#include "inspector.h"

/* Whom the monitor tells, in one job.  Its traces, one a reference, and then the monitor's tables lie behind it.  */
struct pg_scout
{
  struct pg_monitor monitor; /* first: what the monitor sees */
  const struct pg_ref_role *roles;
  struct pg_trace *traces;
  _Atomic uint32_t *cells; /* the shadow's */
  const struct pg_ref *refs;
  struct pg_marks writes, reads; /* the sieve's */
  int64_t bias;                  /* stamp of iteration i: i + BIAS */
  uint32_t floor;
  uint32_t conflict; /* smallest stamp so far */
  uint32_t n_touched;
  size_t n_runs, max_runs; /* met, and kept */
  struct pg_run *runs;
  bool is_doubtful;
  bool has_long_run;
};

/* What a kind of pass does: the monitor's functions, one for when the monitor has ended, and the roles that take part.
   Threads: as many as there are scouts.  */
struct pg_telling
{
  void (*touch) (struct pg_monitor *, int64_t, const void *, int64_t);
  void (*touch_row) (struct pg_monitor *, int64_t, const void *, int64_t, int64_t, int64_t);
  void (*drain) (struct pg_monitor *, int64_t);
  void (*gather) (struct pg_monitor *, int64_t, const void *, int64_t, const void *, int64_t);
  void (*end) (struct pg_scout *, uint32_t n_refs);
  uint8_t roles; /* of enum pg_ref_role_flags, or-ed */
};

/* To trace, and not to mark; to trace and mark in the sieve, in the shadow.  */
extern const struct pg_telling pg_tell_trace, pg_tell_trace_sieve, pg_tell_trace_shadow;

/* To mark in the sieve, in the shadow; to compare with the shadow.  */
extern const struct pg_telling pg_tell_sieve, pg_tell_shadow, pg_tell_check;

/* True if NEXT is at an end of a log, which is empty or full, or null: there is none.  */
static inline bool
pg_log_at_end (const struct pg_log_entry *next)
{
  return (uintptr_t) next % PG_LOG_LEN == 0;
}

/* The first entry of the log in front of NEXT, which is not empty.  */
static inline struct pg_log_entry *
pg_log_first (struct pg_log_entry *next)
{
  return next - 1 - (uintptr_t) (next - 1) % PG_LOG_LEN / sizeof *next;
}

/* Before the monitor tells SCOUT of N_REFS references: nothing goes on from before.  */
void pg_telling_begin (struct pg_scout *scout, uint32_t n_refs);

#endif
