/* SPDX-License-Identifier: MIT
   The conflict management thread: copies, runs kernels chunk by chunk on the device, judges, commits.  Paragon paper,
   s5.2.  The protocol between it and the worker, the thread that entered, is in testsuite/model/cooperate.pml.

   There is one manager and it does one job at a time, for whoever claims it: claiming is only tried.  It starts with
   the first job, and leaves when it has had none for a while.  */
#ifndef PARAGON_MANAGER_H
#define PARAGON_MANAGER_H

#include "speculate.h"

enum pg_cooperation_state
{
#define PG_COOPERATION(id, text) PG_COOPERATION_##id,
#include "cooperate.def"
};

enum
{
  PG_ROUND_STATE_BITS = 3,
  PG_JOB_MOST_BOUNDS = 256
};

/* A round of cooperative execution.  */
struct pg_round
{
  /* The state below, how many iterations the worker has taken above.  All moves are acquire and release.  */
  _Atomic uint64_t word;
  _Atomic uint32_t n_moves; /* the manager's; the worker sleeps on it */
  _Atomic bool is_looked;   /* release: copies that begin now are of what the loop writes, too */
  _Atomic uint32_t n_calls; /* the worker's, while the manager may be waiting, which sleeps on it */

  /* Handed over to the manager by COPYING.  */
  struct pg_speculation *spec; /* chosen */
  void *args;                  /* the worker's own, for the commit */
  char first_args[PG_SPECULATION_ARGS_LEN];
  int64_t first;

  /* Handed over to the worker by the manager's move to QUIET.  */
  enum pg_offloaded result; /* RAN: all was committed */
  int64_t point;            /* iterations below are committed, if it is above FIRST */
  int64_t resume;           /* after a conflict: the end of the chunk that has it */
};

/* A job of the manager's: the claimer's until it is handed over, then the manager's.  */
struct pg_job
{
  const struct pg_region *region;
  struct pg_speculation **spec; /* the region's, made if it is NULL */
  struct pg_row *row;
  char args[PG_SPECULATION_ARGS_LEN];
  int64_t n_iters, first;
  bool has_bounds;
  struct pg_bound bounds[PG_JOB_MOST_BOUNDS]; /* the entry's, if it has some */
};

/* The one round, and the one job.  Threads: who has claimed the manager.  */
extern struct pg_round pg_round __attribute__ ((visibility ("hidden")));
extern struct pg_job pg_job __attribute__ ((visibility ("hidden")));

static inline enum pg_cooperation_state
pg_round_state (uint64_t word)
{
  return (enum pg_cooperation_state) (word & ((1U << PG_ROUND_STATE_BITS) - 1));
}

static inline int64_t
pg_round_taken (uint64_t word)
{
  return (int64_t) (word >> PG_ROUND_STATE_BITS);
}

static inline uint64_t
pg_round_word (enum pg_cooperation_state state, int64_t taken)
{
  return (uint64_t) taken << PG_ROUND_STATE_BITS | state;
}

/* Claim the manager.  False: it has something to do.  */
bool pg_manager_claim (void);

/* Give up the claim.  */
void pg_manager_release (void);

/* Have the manager, claimed, choose how to run pg_job's iterations on the device, and make it free again.  The ticket
   of that; 0: there is no thread to do it, and the manager is free.  */
uint64_t pg_manager_prepare (struct pg_thread *self);

/* Has the job of TICKET ended?  Then what it has chosen is to be seen.  */
bool pg_manager_is_done (uint64_t ticket);

/* Have the manager, claimed, run pg_round, whose state is COPYING, and make it free again.  False: there is no thread
   to do it; the round is QUIET, and the manager free.  */
bool pg_manager_run (struct pg_thread *self);

/* Wait until the manager has made a move since SEEN was read of n_moves, or NS are over; may return early.  */
void pg_manager_await (uint32_t seen, int64_t ns);

/* Tell the manager that the worker has made a move.  */
void pg_manager_call (void);

/* Wait until the manager has nothing to do, or NS are over.  */
void pg_manager_rest (int64_t ns);

/* In the child of a fork: there is no manager.  */
void pg_manager_forget (void);

/* A step of the protocol: with PARAGON_RACE=random, the calling thread is perhaps delayed.  */
void pg_race_step (void);

#endif
