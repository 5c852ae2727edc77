/* SPDX-License-Identifier: GPL-3.0-or-later
   Summaries: what a call of a function of the unit touches, for loops that call it.  */
#ifndef PARAGON_SUMMARY_H
#define PARAGON_SUMMARY_H

#include "plan.h"
#include "polynomial.h"
#include "told.h"

/* Where an effect is that arguments of the call tell: OFFSET bytes further on, and, from turn to turn up to LAST, BYTES
   more; none if that is below 0.  Leaves of the polynomials are numbers of parameters.  */
struct pg_effect_form
{
  static const int most_turns = 3;
  struct pg_polynomial offset;
  int n_turns;
  struct
  {
    struct pg_polynomial bytes, last;
  } turns[most_turns]; /* the outer ones first */
};

/* Bytes that a call touches: [FROM, TO) behind where parameter number PARAM points, or of the variable DECL, or if
   there is a FORM, from there on.  */
struct pg_effect
{
  int param; /* -1: DECL */
  tree decl;
  HOST_WIDE_INT from, to;
  const struct pg_effect_form *form; /* or NULL; lives as long as the summary */
  bool is_write;
  bool is_whole; /* each call writes all of it; else it may touch some of it */
};

/* What a call of a function does: nothing but what is here, and it ends.  What is read after it was written in the same
   call is not among the effects.  */
struct pg_summary
{
  enum pg_reason why; /* PG_N_REASONS, or why there is nothing else here */
  location_t where;   /* what is in the way */
  auto_vec<struct pg_effect> effects;
  auto_vec<int> bits;      /* for each parameter: those of an integer, less than 0 if there is a sign; else 0 */
  auto_vec<bool> keeps;    /* for each parameter: a pointer that the call may leave somewhere, or ask what it is */
  unsigned flags;          /* PG_REGION_MAY_SET_ERRNO or 0 */
  HOST_WIDE_INT frame_len; /* bytes of stack at most, estimated */
  HOST_WIDE_INT work;      /* instructions, estimated */
  struct pg_told *told;    /* a copy that does all this to arrays which it is told of, or NULL */
};

/* Summarise FUN, the current function, for functions that come later.  Requires: dominators, and where there are loops,
   loop-closed SSA and scev.  Changes nothing in the function.  */
extern void pg_summarise (function *fun);

/* The summary of what CALL calls, or NULL.  */
extern const struct pg_summary *pg_summary_of (const gcall *call);

/* The same, or one that only says why there is none.  */
extern const struct pg_summary *pg_summary_or_reason (const gcall *call);

/* The summary of CALL if it is of a function of the C library that sets memory or copies it, or NULL.  */
extern const struct pg_summary *pg_memory_summary (const gcall *call);

/* True if CALL may keep, for all that is known, or look at, the pointer that is its argument number ARG.  */
extern bool pg_call_keeps_p (const gcall *call, unsigned arg);

/* What F can call in place of what CALL calls, with arrays of its own, or NULL.  */
extern struct pg_told *pg_told_of (const gcall *call);

/* The trees that summaries keep.  */
extern const struct ggc_root_tab pg_summary_roots[];

extern gimple_opt_pass *pg_make_pass_straight (gcc::context *context);

#endif
