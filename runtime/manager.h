/* SPDX-License-Identifier: MIT
   The conflict management thread: copies, runs kernels chunk by chunk on the device, judges, commits.  Paragon paper,
   s5.2.  The protocol between it and the worker, the thread that entered, is in testsuite/model/cooperate.pml.

   There is one manager and it does one job at a time, for whoever claims it: claiming is only tried.  It starts with
   the first job, and leaves when it has had none for a while.  */
#ifndef PARAGON_MANAGER_H
#define PARAGON_MANAGER_H

#include "speculate.h"

enum
{
  PG_JOB_MOST_BOUNDS = 256
};

/* A job of the manager's: the claimer's until it is handed over, then the manager's.  */
struct pg_job
{
  const struct pg_region *region;
  struct pg_speculation **spec; /* the region's, made if it is NULL */
  struct pg_row *row;
  char args[PG_DEVICE_ARGS_LEN];
  int64_t n_iters, first;
  bool has_bounds;
  struct pg_bound bounds[PG_JOB_MOST_BOUNDS]; /* the entry's, if it has some */
};

/* The one job that is not a round.  Threads: who has claimed the manager.  */
extern struct pg_job pg_job __attribute__ ((visibility ("hidden")));

/* Claim the manager.  False: it has something to do.  */
bool pg_manager_claim (void);

/* Give up the claim.  */
void pg_manager_release (void);

/* Have the manager, claimed, choose how to run pg_job's iterations on the device, and make it free again.  The ticket
   of that; 0: there is no thread to do it, and the manager is free.  */
uint64_t pg_manager_prepare (struct pg_thread *self);

/* Has the job of TICKET ended?  Then what it has chosen is to be seen.  */
bool pg_manager_is_done (uint64_t ticket);

/* Have the manager, claimed, run SPEC's round, whose state is COPYING, and make it free again.  False: there is no
   thread to do it, and the manager is free.  */
bool pg_manager_run (struct pg_thread *self, struct pg_speculation *spec);

/* How many moves the manager has made.  */
uint32_t pg_manager_moves (void);

/* Wait until the manager has made a move since pg_manager_moves was SEEN, or NS are over; may return early.  */
void pg_manager_await (uint32_t seen, int64_t ns);

/* Tell the manager that a worker has made a move.  */
void pg_manager_call (void);

/* Wait until the manager has nothing to do, or NS are over.  */
void pg_manager_rest (int64_t ns);

/* In the child of a fork: there is no manager, and what it was at work on comes to nothing.  */
void pg_manager_forget (void);

/* A step of the protocol: with PARAGON_RACE=random, the calling thread is perhaps delayed.  */
void pg_race_step (void);

#endif
