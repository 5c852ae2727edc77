/* SPDX-License-Identifier: MIT
   What entries cost after they have ended.  Where the pool ran one, its data are in several caches, and what the
   program does next on one thread fetches them from there; on some machines that takes longer than the pool saved.
   So the time from an entry to the next one is measured too: after entries on the pool, and after such on the caller
   that found their data home, in a while alone or at the end of a rest (plan.h).  What it is longer by after the pool
   is charged to the pool.

   Nothing is charged where that time is more than twice what the entry takes one thread: much else happens then, and a
   few percent of it would be too much.  Nor is anything credited: what is shorter after the pool has another cause.
   Times are picoseconds an iteration.  */
#ifndef PARAGON_AFTER_H
#define PARAGON_AFTER_H

#include <stdint.h>

struct pg_after
{
  int64_t pool_ps;    /* after entries on the pool, an average that fades; 0: unknown */
  int64_t alone_ps;   /* after those on the caller since a pause of the pool began, each at most POOL_PS: their sum, */
  int64_t n_alone;    /* and number */
  int64_t n_pool;     /* entries on the pool after that pause, up to a limit */
  int64_t n_pauses;   /* before it, that told anything */
  int64_t earlier_ps; /* what was charged before it */
  int64_t charge_ps;  /* what is to be added to an iteration's time on the pool */
};

/* The pool pauses: a while alone or a rest begins.  */
void pg_after_pause (struct pg_after *after);

/* Learn that PS passed after an entry on the pool that takes one thread ENTRY_PS.  */
void pg_after_pool (struct pg_after *after, int64_t ps, int64_t entry_ps);

/* The same, for one that ran on the caller, in a pause.  */
void pg_after_alone (struct pg_after *after, int64_t ps, int64_t entry_ps);

#endif
