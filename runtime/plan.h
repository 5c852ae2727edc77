/* SPDX-License-Identifier: MIT
   The plan: what a region's history says about its next entry.  Costs are picoseconds an iteration, measured on this
   machine in this process, and fade, because inner trip counts and the machine's load change.

   Integers only: a floating-point operation here would raise flags in the program's own environment.  */
#ifndef PARAGON_PLAN_H
#define PARAGON_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  PG_PLAN_LEAST_NS = 50000 /* work below this is not worth a hand-over */
};

/* One region's history.  Lock: the region's.  */
struct pg_plan
{
  int64_t alone_ps;   /* F on one thread; 0: unknown */
  int64_t dearest_ps; /* the dearest recent entry's; for the threshold, which must not shut out dear entries */
  int64_t n_small;    /* entries in a row with too little work */
  int64_t skip;       /* entries still to leave to the original loop */
  int64_t skip_next;  /* how many to leave to it after the next disappointment */
};

enum pg_choice
{
  PG_CHOOSE_ORIGINAL, /* the original loop */
  PG_CHOOSE_SMALL,    /* the original loop: too little work */
  PG_CHOOSE_PROBE,    /* find out what an iteration costs, then decide */
  PG_CHOOSE_POOL
};

/* Choose for an entry of N_ITERS iterations.  */
enum pg_choice pg_plan_choose (struct pg_plan *plan, int64_t n_iters);

/* A * B / C, at most INT64_MAX.  All are at least 0, C at least 1.  */
int64_t pg_plan_share (int64_t a, int64_t b, int64_t c);

/* Nanoseconds that one thread needs for N_ITERS iterations, by what is known.  */
int64_t pg_plan_ns (const struct pg_plan *plan, int64_t n_iters);

/* Iterations in NS of one thread's work, at least 1; FALLBACK if costs are unknown.  */
int64_t pg_plan_iters (const struct pg_plan *plan, int64_t ns, int64_t fallback);

/* Learn that N_ITERS iterations took one thread NS.  */
void pg_plan_learn (struct pg_plan *plan, int64_t n_iters, int64_t ns);

/* Learn that an entry took the pool WALL_NS, checks included, where one thread would have taken ALONE_NS.  */
void pg_plan_judge (struct pg_plan *plan, int64_t wall_ns, int64_t alone_ns);

/* Learn that handing over was no use (conflicts, or slower): leave the next entries alone, twice as many each time,
   then try again.  */
void pg_plan_back_off (struct pg_plan *plan);

/* Learn that an entry was too small.  The threshold that the guard should have from now on, given THRESHOLD.  */
int64_t pg_plan_raise (struct pg_plan *plan, int64_t threshold);

#endif
