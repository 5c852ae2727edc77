/* SPDX-License-Identifier: MIT
   The plan where there is a device: which of host and device, or both, run a region's next entry.

   A row of costs, and the cheapest that is safe:

     host	the original loop or the pool, as plan.h would			what entries took
     resident	the device, with no copy to it					device-costs.h
     now	the device, with copies of what it does not have, as last time	likewise
     both	a race (cooperate.h): costs the host little, and nothing is believed

   Nothing is believed before it was seen: a region's first entries there are races.  Where copies take longer than the
   loop, the host is through before any kernel has run, and nothing is learnt; so it puts a sixteenth of its work aside,
   and waits so long for the copies in the next race.  The device alone runs what it is clearly faster at and had no
   conflict in, and what is close remains a race.

   Where it is the copies that make the device the slower one, they are worth their price if later entries find the data
   there, which nobody knows.  That is to rent or to buy: once entries on the host have lost, against a device that has
   its data, what copying them costs, they are copied.  So it takes at most twice as long as what would have been best.
   If the data did not stay there, the next purchase costs twice as much work.

   What did not pay is left to the host for 1, 3, 7 ...  1023 entries.  Once in a while a race makes sure that the
   device is still the faster one.

   Integers only, as in plan.h.  */
#ifndef PARAGON_DEVICE_PLAN_H
#define PARAGON_DEVICE_PLAN_H

#include "device-costs.h"
#include "plan.h"
#include "status.h"

enum pg_device_runs
{
  PG_RUNS_HOST,
  PG_RUNS_BOTH,
  PG_RUNS_DEVICE
};

/* Entries of about the same trip count, within a factor of two: small ones may lose where large ones win.  */
struct pg_device_rest
{
  int64_t skip, skip_next; /* still to leave to the host, and that were left after the last disappointment */
};

/* A region's.  Lock: the region's.  */
struct pg_device_plan
{
  struct pg_device_costs device; /* as last read */
  struct pg_loop_costs loop;
  enum pg_device_choice choice; /* for the entry in progress, */
  int64_t host_ns;              /* which takes the host so long, */
  int64_t now_ns, resident_ns;  /* the device, and that if it had all data; 0: that did not matter */
  struct pg_device_rest *rests; /* of its size */
  struct pg_device_rest sizes[PG_PLAN_SIZES];
  int64_t aside_ns;    /* what was put aside to find out what kernels take, */
  int64_t learn_ns;    /* and what of that is for this entry */
  int64_t missed_ns;   /* what entries on the host lost against a device that has their data */
  int64_t n_bought;    /* entries until it is seen whether data stay there */
  int price_shift;     /* the price of the next purchase is doubled so often */
  int64_t n_there;     /* entries that the device was faster at, */
  int64_t n_dear;      /* and that it was not */
  bool is_known;       /* what kernels take */
  bool has_conflicted; /* lately */
};

/* Choose for an entry of N_ITERS iterations that takes the host HOST_NS; 0: unknown.  */
enum pg_device_choice pg_device_plan_choose (struct pg_device_plan *plan, int64_t n_iters, int64_t host_ns);

/* Who runs the entry by CHOICE.  */
enum pg_device_runs pg_device_plan_runs (enum pg_device_choice choice);

/* The nanoseconds that the entry may take the device alone, by what is known when its objects are; more is to be left
   to the host.  */
int64_t pg_device_plan_most_ns (const struct pg_device_plan *plan);

/* The nanoseconds that the host, when it is through with an entry run by both, may wait until all is copied.  */
int64_t pg_device_plan_learn_ns (const struct pg_device_plan *plan);

/* Learn from the entry, run by both or by the device alone, in WALL_NS: whether the device's result stands, and
   whether iterations conflict.  */
void pg_device_plan_learn (struct pg_device_plan *plan, bool has_run, bool is_conflict, int64_t wall_ns);

#endif
