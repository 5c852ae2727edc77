/* SPDX-License-Identifier: MIT
   A gate before a loop's chunks: the threads that come to run them first ask together whether its index data were
   touched, and may not before the answer.  That spares a run of the pool before the loop's own.

   Meanwhile the caller, whose first chunk is the loop's first, goes on in order: until the gate lets others in, that is
   the loop as it was written.  If the index data were as they were until then, those iterations are as free of
   conflicts as all others, even where others come in while they run.  If the gate is shut, nobody else has begun.
   (That a part of a loop in order is the loop in order takes a region without trails and work arrays: one with a
   monitor is.)  */
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

/* Make GATE one before FEED.  False: not all of FEED is watched, or there is nothing to ask, or nobody may.  */
bool pg_gate_make (struct pg_gate *gate, struct pg_feed *feed);

/* Take part in asking, and wait for the answer: may the chunks run?  No, also where threads must not work on any loop
   (pg_thread_repairs_faults).  The same for all who ask.  Threads: any; waits only for threads that are asking.  */
bool pg_gate_pass (struct pg_gate *gate);

#endif
