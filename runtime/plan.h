/* SPDX-License-Identifier: MIT
   The plan: what a region's history says about its next entry.  Costs are picoseconds an iteration, measured on this
   machine in this process, and fade, because inner trip counts and the machine's load change.  Longer measurements
   weigh more: the first of all may be of a few iterations on a cold cache.

   An inspection (rung L3) may cost more than the pool then saves; it pays when its verdict holds again in later
   entries, which nobody knows.  So a region has a purse.  Each entry puts a twentieth of its work into it, and an
   inspection that is expected to make the entry slower is made only if the purse pays the difference: whatever the
   loop is like, its entries lose a twentieth at most.  When verdicts do not come back, it soon is far less; what they
   save when they do, half goes into the purse.

   Where many entries want verdicts of their own, as the levels of a triangular solve do, a few of them on the pool are
   worse than none: those left alone find their data in other threads' caches.  So once it is known what inspections
   cost, the purse is opened when there is enough in it for all that is wanted.

   What came n times without a verdict will, as far as anybody knows, come n times more.  So it puts much more into the
   purse, with each time.  A program that then ends has lost some 15 percent by it, but not in its first 20 ms.

   Where entries conflict by their numbers alone, one after the other, they are left to the original loop, twice as many
   each time: what is looked for is how to run its inner loops, and the first thing that these need is not to wait.

   Integers only: a floating-point operation here would raise flags in the program's own environment.  */
#ifndef PARAGON_PLAN_H
#define PARAGON_PLAN_H

#include "after.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  PG_PLAN_LEAST_NS = 10000,       /* work below this is not worth a hand-over */
  PG_PLAN_PART_NS = 500000,       /* of the first part of a doacross, */
  PG_PLAN_MOST_PART_NS = 20000000 /* and the longest: what the next one is cut by is fresh */
};

enum
{
  PG_PLAN_SIZES = 64
};

/* What is known of a region's costs, in picoseconds an iteration; 0: unknown.  To the program's next run, hints.  */
struct pg_plan_costs
{
  int64_t alone_ps, pool_ps, inspect_ps;
  struct
  {
    int64_t alone_ps, pool_ps;
  } sizes[PG_PLAN_SIZES]; /* by the trip count's highest bit */
};

/* What entries of about the same trip count, within a factor of two, took: small ones may lose where large ones win.
   */
struct pg_plan_size
{
  int64_t alone_ps, pool_ps; /* an iteration on one thread while the others rest, and on the pool; 0: unknown */
  int64_t then_ps;           /* what POOL_PS was when ALONE_PS was new; 0: unknown */
  int16_t n_judged;          /* entries in POOL_PS, and */
  int16_t n_alone;           /* refused ones in ALONE_PS; up to limits */
  int64_t stray_ns;          /* what entries took on the pool that are not in POOL_PS */
  int64_t skip, skip_next;   /* as in struct pg_plan */
  bool alone_is_hint, pool_is_hint;
  struct pg_after after;
};

/* One region's history.  Lock: the region's.  */
struct pg_plan
{
  int64_t alone_ps;            /* F on one thread, others perhaps at work; 0: unknown */
  int64_t seen_ns, seen_iters; /* what it was computed from, older measurements halved */
  int64_t n_unseen;            /* entries that were to be refused, unmeasured */
  int64_t quiet_ns;            /* what refused ones take, since the last entry on the pool; up to a limit */
  int64_t dearest_ps;          /* the dearest recent entry's; for the threshold, which must not shut out dear entries */
  int64_t latest_ps;           /* the last one's */
  bool is_growing;             /* it was much dearer than the one before */
  int64_t n_small;             /* entries in a row with too little work */
  int n_known_sizes;           /* up to that of the largest entry so far */
  int64_t skip;                /* entries still to leave to the original loop */
  int64_t skip_next;           /* how many to leave to it after the next disappointment */
  int64_t pool_ps;             /* an iteration on the pool, all threads together; 0: unknown */
  int64_t inspect_ps;          /* an iteration's inspection; 0: unknown */
  int64_t inspect_iters;       /* of the largest that told it: those of few iterations seem too dear */
  int64_t purse_ns;            /* what inspections may lose */
  bool is_on_spree;            /* the purse is open, */
  int64_t credit_ns;           /* and may become so much less than empty */
  int n_inspected;             /* inspections, long ones counted several times; up to a limit */
  int64_t warm_inspect_ps;     /* the cheapest of the latest: one of many in a row */
  int64_t again_ns;            /* work that came again and had no verdict, up to a limit */
  int64_t young_purse_ns;      /* what it earned until then */
  int64_t least_purse_ns;      /* none is tried with less, since the last came to nothing */
  int thrift;                  /* the share of the work put into the purse is halved so many times: verdicts failed, */
  int new_thrift;              /* and so many more where nothing says that a verdict will be asked for again */
  int64_t row_ns;              /* what the last entries took on the pool, one after the other */
  int64_t searched_ns;         /* spent in vain on a search for verdicts, beyond what is allowed */
  int64_t pieces_ns;           /* what entries lost that ran by verdicts about pieces of them */
  int64_t part_ns;             /* of a doacross, work that the pool gets at once; 0: none has been run */
  int64_t touches;             /* of one iteration that may be looked at */
  int effort_thrift;           /* the share of the work spent on hard numbers is halved so many times */
  int pieces_thrift;           /* and that of the work spent on the search for pieces */
  bool has_conflicted;         /* an inspection found a conflict */
  bool is_dear;                /* to find out what an entry may run as takes too much */
  bool is_scattered;           /* an inspection came to nothing: it needs much memory for few iterations */
  int n_hopeless;              /* entries in a row that conflict by their numbers, up to a limit */
  bool is_alone;               /* for a while, all entries run on the caller, to know what the pool has to beat */
  int64_t phase_ns;            /* what they took since this began, */
  int64_t n_home;              /* and how many long ones found their data home */
  int64_t pooled_ns, n_pooled; /* what entries took on the pool since it last ended, and their number */
  int64_t alone_after_ns;      /* of that, before it begins again, */
  int64_t alone_least_ns;      /* and with a doubt */
  struct
  {
    int64_t n_iters;  /* of the last entry, if the time to the next one tells something; else 0 */
    int64_t ns;       /* the clock when it was left, */
    bool was_alone;   /* by the caller, with its data home, */
    bool was_refused; /* or when it began, then to be left */
  } left;
  int64_t late_ns[2];                       /* the caller gets so much more of a run than others; [1]: behind a gate */
  bool pool_is_hint, inspect_is_hint;       /* that is, of POOL_PS and INSPECT_PS */
  struct pg_plan_size sizes[PG_PLAN_SIZES]; /* by the trip count's highest bit */
};

enum pg_choice
{
  PG_CHOOSE_ORIGINAL, /* the original loop */
  PG_CHOOSE_SMALL,    /* the original loop: too little work */
  PG_CHOOSE_PROBE,    /* find out what an iteration costs, then decide */
  PG_CHOOSE_ALONE,    /* F on the caller, to know what the pool has to beat */
  PG_CHOOSE_POOL,
  PG_CHOOSE_DEVICE,
  PG_CHOOSE_COOPERATE /* the caller, and a device */
};

/* Choose for an entry of N_ITERS iterations.  */
enum pg_choice pg_plan_choose (struct pg_plan *plan, int64_t n_iters);

/* A * B / C, at most INT64_MAX.  All are at least 0, C at least 1.  */
int64_t pg_plan_share (int64_t a, int64_t b, int64_t c);

/* Nanoseconds that one thread needs for N_ITERS iterations, by what is known.  */
int64_t pg_plan_ns (const struct pg_plan *plan, int64_t n_iters);

/* Nanoseconds that the host needs for N_ITERS iterations, on the pool if that is faster, by what is known.  */
int64_t pg_plan_host_ns (const struct pg_plan *plan, int64_t n_iters);

/* Iterations in NS of one thread's work, at least 1; FALLBACK if costs are unknown.  */
int64_t pg_plan_iters (const struct pg_plan *plan, int64_t ns, int64_t fallback);

/* The same for a team of N_THREADS that is to share them, NS of work for each: enough of them that it can, however long
   they are.  */
int64_t pg_plan_team_iters (const struct pg_plan *plan, int64_t ns, int n_threads, int64_t fallback);

/* What may be spent on the numbers of an entry of N_ITERS iterations where they are hard to judge (footprint.h): some
   percent of its work, less where that came to nothing.  As long as nobody knows what iterations take, that is what its
   inner loops' N_TURNS take at least.  */
int64_t pg_plan_effort (const struct pg_plan *plan, int64_t n_iters, int64_t n_turns);

/* Put the share of an entry of N_ITERS iterations to what may be spent on touches of one of them (alike.h), up to that
   of some entries.  How many touches that is; a few, if costs are unknown.  */
int64_t pg_plan_touches (struct pg_plan *plan, int64_t n_iters);

/* Learn that N_TOUCHES were looked at, and pay for them; whether what they told HELD: no two iterations conflict.  */
void pg_plan_learn_touches (struct pg_plan *plan, int64_t n_touches, bool held);

/* Learn that something was spent on them, and whether they HELD: no two iterations conflict.  */
void pg_plan_learn_effort (struct pg_plan *plan, bool held);

/* What may be spent on a search for pieces of an entry of N_ITERS iterations (pieces.h), likewise; a little, if costs
   are unknown.  */
int64_t pg_plan_pieces_effort (const struct pg_plan *plan, int64_t n_iters);

/* Learn that something was spent on it, and whether pieces ARE_FOUND.  */
void pg_plan_learn_pieces (struct pg_plan *plan, bool are_found);

/* Whether an entry of N_ITERS iterations that is to be refused had better be run and measured once more.  */
bool pg_plan_asks (struct pg_plan *plan, int64_t n_iters);

/* Learn that an entry of N_ITERS iterations conflicts by its numbers, and is to be refused.  Whether it had better be
   run and measured: nobody knows yet whether the likes of it are too small.  */
bool pg_plan_hopeless (struct pg_plan *plan, int64_t n_iters);

/* Learn that an entry does not.  */
void pg_plan_hopeful (struct pg_plan *plan);

/* Whether the last entries that were looked at all conflict by their numbers.  */
bool pg_plan_is_hopeless (const struct pg_plan *plan);

/* Learn that an entry that was to be refused took the caller NS.  */
void pg_plan_learn_refused (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Learn that N_ITERS iterations took one thread NS.  */
void pg_plan_learn (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* The same, and forget what was learned so before.  */
void pg_plan_learn_warm (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Learn that the pool ran N_ITERS iterations in NS.  */
void pg_plan_learn_pool (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Put the share of an entry of N_ITERS iterations into the purse.  */
void pg_plan_earn (struct pg_plan *plan, int64_t n_iters);

/* The same for N_ITERS iterations, in addition: their like were here N_TIMES before, and there was no verdict.  */
void pg_plan_earn_again (struct pg_plan *plan, int64_t n_iters, int n_times);

/* Whether N_ITERS iterations are worth an inspection and N_THREADS then, or the purse can pay for it; so far, verdicts
   about WANTED_ITERS are missed again and again.  */
bool pg_plan_affords (struct pg_plan *plan, int64_t n_iters, int64_t wanted_iters, int n_threads);

/* Whether an inspection of N_ITERS iterations, and N_THREADS then, takes no longer than these on one thread.  */
bool pg_plan_gains (const struct pg_plan *plan, int64_t n_iters, int n_threads);

/* So many iterations' inspection as the purse pays for, if that is twice the largest so far, and so tells better what
   one of more would cost; else 0.  Where only few iterations were inspected so far, some more, whatever they cost.  */
int64_t pg_plan_trial (const struct pg_plan *plan, int n_threads);

/* Whether an inspection of N_ITERS iterations gains, or the purse is open, and there is enough in it.  */
bool pg_plan_pays (const struct pg_plan *plan, int64_t n_iters, int n_threads);

/* The bytes of memory that an inspection of N_ITERS iterations may touch for the first time: that costs
   some microseconds for each 4 KiB.  */
size_t pg_plan_new_len (const struct pg_plan *plan, int64_t n_iters);

/* Learn that the inspection of N_ITERS iterations took NS, and pay for it.  Unless it HAS_RESULT, it came to nothing,
   because it needed more memory than the purse can pay.  IS_NEW: their like was not here before.  */
void pg_plan_inspected (struct pg_plan *plan, int64_t n_iters, int n_threads, int64_t ns, bool has_result, bool is_new);

/* Pay NS that an inspection took beside: the next one will not.  */
void pg_plan_pay (struct pg_plan *plan, int64_t ns);

/* Learn that an entry ran by verdicts about N_PIECES of it.  */
void pg_plan_in_pieces (struct pg_plan *plan, int n_pieces);

/* Whether an entry of N_ITERS iterations, about whose pieces there are verdicts, shall have one about the whole: it is
   going to be inspected, because pieces have lost as much as that costs.  */
bool pg_plan_joins (struct pg_plan *plan, int64_t n_iters, int64_t wanted_iters, int n_threads);

/* Learn that an inspection found a conflict.  */
void pg_plan_conflict (struct pg_plan *plan);

/* Learn that in a run others ended their share LATE_NS after the caller, or below 0, before: they have to wake up, pass
   a gate if it IS_GATED, and perhaps work more slowly.  */
void pg_plan_learn_late (struct pg_plan *plan, int64_t late_ns, bool is_gated);

/* How many of a run's N_ITERS iterations the caller needs more than each other one of N_THREADS, for all to end at the
   same time, by what is known: half at most.  Below 0: it needs less, and leaves some of its first chunk.  */
int64_t pg_plan_ahead (const struct pg_plan *plan, int64_t n_iters, int n_threads, bool is_gated);

/* Learn that a verdict of before did not hold.  */
void pg_plan_changed (struct pg_plan *plan);

/* Learn that a verdict of before did hold.  */
void pg_plan_reused (struct pg_plan *plan);

/* Learn that N_ITERS iterations of an entry, found free by verdicts of before or of now, took WALL_NS.  */
void pg_plan_gained (struct pg_plan *plan, int64_t n_iters, int64_t wall_ns);

/* Whether an entry of N_ITERS iterations is so long that parts of it tell what it takes the caller alone.  */
bool pg_plan_samples (const struct pg_plan *plan, int64_t n_iters);

/* Learn that an entry of N_ITERS iterations ran on the caller alone, in NS; IS_SAMPLE: or would have, going by parts of
   it.  */
void pg_plan_learn_alone (struct pg_plan *plan, int64_t n_iters, int64_t ns, bool is_sample);

/* Learn that of an entry of N_ITERS iterations, N_POOLED took the pool WALL_NS, inspections excluded.  By the share
   that the caller had in them, it would have needed CALLER_NS for all; 0: it had none.  */
void pg_plan_judge (struct pg_plan *plan, int64_t n_iters, int64_t n_pooled, int64_t wall_ns, int64_t caller_ns);

/* Learn that the entry that PLAN has learned from was left at NS of a clock; tell it after that.  */
void pg_plan_leave (struct pg_plan *plan, int64_t ns);

/* Whether PLAN wants to know when the entry of N_ITERS iterations begins that it has just refused.  */
bool pg_plan_wants_begin (const struct pg_plan *plan, int64_t n_iters);

/* Learn that an entry of N_ITERS iterations is refused, that begins at NS; 0: it was not asked for.  */
void pg_plan_refuse (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Learn that an entry begins at NS that is not.  */
void pg_plan_begin (struct pg_plan *plan, int64_t ns);

/* What an entry of N_ITERS iterations takes the caller alone, in nanoseconds; 0: unknown.  */
int64_t pg_plan_alone_ns (const struct pg_plan *plan, int64_t n_iters);

/* Learn that handing over was no use: leave the next entries alone, twice as many each time,
   then try again.  */
void pg_plan_back_off (struct pg_plan *plan);

/* The work, in nanoseconds, that an entry's doacross has the pool do at first; and next, after a part that was faster
   than the caller alone, or not.  */
int64_t pg_plan_first_part (struct pg_plan *plan);
int64_t pg_plan_next_part (struct pg_plan *plan, bool has_won);

/* Learn that parts of a doacross of N_ITERS iterations took the pool POOL_NS, and would have taken the caller ALONE_NS.
   If those were few, since it lost, entries of that size are left alone.  */
void pg_plan_learn_parts (struct pg_plan *plan, int64_t n_iters, int64_t n_pooled, int64_t pool_ns, int64_t alone_ns);

/* Learn that of an entry of N_ITERS iterations that ran alone it took NS to find that out: its numbers, a search for
   verdicts.  If that comes too often to too much, back off.  */
void pg_plan_searched (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Tell what PLAN knows about costs.  False: nothing.  */
bool pg_plan_tell (const struct pg_plan *plan, struct pg_plan_costs *costs);

/* Take HINTS for what PLAN does not know yet.  The first measurement of each replaces the hint, however far off: it has
   no weight of its own.  */
void pg_plan_hint (struct pg_plan *plan, const struct pg_plan_costs *hints);

/* Learn that an entry was too small.  The threshold that the guard should have from now on, given THRESHOLD.  An
   iteration MAY_GROW from entry to entry.  */
int64_t pg_plan_raise (struct pg_plan *plan, int64_t threshold, bool may_grow);

#endif
