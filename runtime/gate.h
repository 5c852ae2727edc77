/* SPDX-License-Identifier: MIT
   A gate before a loop's chunks: the threads that come to run them first ask together whether its index data were
   touched, and no chunk runs before the answer.  That spares a run of the pool before the loop's own.  */
#ifndef PG_GATE_H
#define PG_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pg_ask;
struct pg_feed;

struct pg_gate
{
  const struct pg_ask *asks;
  uint32_t n_asks;
  _Atomic uint32_t n_taken;
  _Atomic uint32_t n_answered; /* release: an answer was given */
  _Atomic bool is_shut;        /* final when all answers are given */
};

/* Make GATE one before FEED.  False: not all of FEED is watched, or nothing may be asked.  */
bool pg_gate_make (struct pg_gate *gate, struct pg_feed *feed);

/* Take part in asking, and wait for the answer: may the chunks run?  The same for all who ask.  Threads: any; waits
   only for threads that are asking.  */
bool pg_gate_pass (struct pg_gate *gate);

#endif
