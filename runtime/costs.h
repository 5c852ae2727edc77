/* SPDX-License-Identifier: MIT
   What loops cost, from one run of a program to the next (PARAGON_CACHE).

   What is gained: a region whose costs are known needs no probe, and no while alone to find out whether the pool helps:
   4 to 20 ms of one thread's work for each, and a dear inspection that paid the last time is made in the first entry
   instead of waiting for the purse.  That matters to programs that run for some hundred milliseconds, again and again.

   What a wrong value can cost: hints only choose what runs an entry, all of it safe, and the first measurement takes
   the place of each (plan.h).  Thought too cheap, a loop's first entries run as they were written, one in 16 being
   measured; thought too dear, its first entry goes to the pool, which may take some 50 us more, or is inspected once.

   A hint is found by the bytes that describe the region and its file's name, so another version of the loop, or of this
   library's descriptors, has none.  All hints of a program on a machine, with so many threads, are one entry of the
   cache (cache.h), read by a thread of its own after the library was loaded: nobody waits for it but a fork and the end
   of the program, for 200 ms at most.  They are written when the program ends.  */
#ifndef PARAGON_COSTS_H
#define PARAGON_COSTS_H

#include "cache.h"
#include "plan.h"
#include "region.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_costs_key
{
  uint64_t low, high;
};

/* The key of STATE's region.  */
struct pg_costs_key pg_costs_key (const struct pg_state *state);

/* Find KEY's costs in RECORDS, LEN bytes that may be any.  False: they are not there.  */
bool pg_costs_find (const char *records, size_t len, struct pg_costs_key key, struct pg_plan_costs *costs);

/* Make COSTS those of KEY in *RECORDS, *LEN bytes from malloc, or NULL.  What was put in longest ago makes room.
   False: no memory, nothing was changed.  */
bool pg_costs_put (char **records, size_t *len, struct pg_costs_key key, const struct pg_plan_costs *costs);

/* Begin to read the hints, if the user asked for a cache.  Called while the library is loaded.  */
void pg_costs_start (void);

/* Give STATE's plan its hints, if they have been read and it did not yet have them.  Threads: that inside the region.
   Never waits.  */
void pg_costs_hint (struct pg_state *state);

/* Write what is known.  Called when the program ends.  */
void pg_costs_write (void);

/* The cache, if the user asked for one; NULL: there is none, and WHY, PG_CACHE_TEXT_LEN bytes, says why.  */
struct pg_cache *pg_costs_open (char *why);

/* Before a fork: wait until nothing is being read.  In the child: there is no reader.  */
void pg_costs_settle (void);
void pg_costs_forget (void);

#endif
