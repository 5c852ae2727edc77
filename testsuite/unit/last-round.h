/* SPDX-License-Identifier: MIT
   The round of cooperative execution that was begun last.  For a test that links with -Wl,--wrap=pg_manager_run.  */
#ifndef PARAGON_TEST_LAST_ROUND_H
#define PARAGON_TEST_LAST_ROUND_H

#include "fake-device.h"

static _Atomic (struct pg_round *) last_round;

/* The manager's thread cannot be had when a round is to begin.  */
static bool is_run_refused;

__typeof__ (pg_manager_run) __real_pg_manager_run, __wrap_pg_manager_run;

bool
__wrap_pg_manager_run (struct pg_thread *self, struct pg_speculation *spec)
{
  atomic_store (&last_round, &spec->round);
  if (!is_run_refused)
    return __real_pg_manager_run (self, spec);
  pg_manager_release ();
  return false;
}

/* Its state.  */
static enum pg_cooperation_state
state_now (void)
{
  struct pg_round *round = atomic_load (&last_round);
  return round == NULL ? PG_COOPERATION_QUIET : pg_round_state (atomic_load (&round->word));
}

/* Wait until the manager has nothing to do; then nothing is left of the round.  */
static inline void
await_quiet (void)
{
  await_manager ();
  assert_int_equal (state_now (), PG_COOPERATION_QUIET);
  assert_int_equal (n_blocks (), 0);
}

#endif
