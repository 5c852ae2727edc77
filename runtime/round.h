/* SPDX-License-Identifier: MIT
   A round of cooperative execution: what the worker, that is the thread that entered, and the manager share.  The
   protocol is in testsuite/model/cooperate.pml.

   Each region has a round of its own.  The manager is at work on one at a time, but is free again before the worker of
   the last one has seen how that ended: it may find another region's open by then.  */
#ifndef PARAGON_ROUND_H
#define PARAGON_ROUND_H

#include "device.h"
#include "status.h"

#include <stdbool.h>
#include <stdint.h>

enum pg_cooperation_state
{
#define PG_COOPERATION(id, text) PG_COOPERATION_##id,
#include "cooperate.def"
};

enum
{
  PG_ROUND_STATE_BITS = 3
};

struct pg_round
{
  /* The state below, how many iterations the worker has taken above.  All moves are acquire and release.  */
  _Atomic uint64_t word;
  _Atomic bool is_looked; /* release: copies that begin now are of what the loop writes, too */

  /* Handed over to the manager by COPYING.  */
  void *args; /* the worker's own, for the commit */
  char first_args[PG_DEVICE_ARGS_LEN];
  int64_t first;

  /* Handed over to the worker by the manager's move to QUIET.  */
  enum pg_offloaded result; /* RAN: all was committed */
  int64_t point;            /* iterations below are committed, if it is above FIRST */
  int64_t resume;           /* after a conflict: the end of the chunk that has it */
};

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

#endif
