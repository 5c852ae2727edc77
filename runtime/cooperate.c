/* SPDX-License-Identifier: MIT
   Cooperative execution.  See cooperate.h.  */
#include "cooperate.h"
#include "bounds.h"
#include "environment.h"
#include "futex.h"
#include "log.h"
#include "manager.h"
#include "offload.h"
#include "trace.h"

#include <string.h>

enum
{
  MOST_ROUNDS = 8,
  PIECE_NS = 50000, /* of the caller's work, between two looks */
  LOOK_NS = 10000000
};

static void
count (struct pg_entry *entry, enum pg_offloaded offloaded)
{
  pg_count (&entry->cooperation.row->n_offloaded[offloaded], 1);
  PG_LOG (PLAN, "region %s:%u: iterations up to %lld: device: %s", entry->region->file, (unsigned) entry->region->line,
	  (long long) entry->done, pg_offloaded_names[offloaded]);
}

/* The round of ENTRY's region.  */
static struct pg_round *
round_of (const struct pg_entry *entry)
{
  return &(*entry->cooperation.spec)->round;
}

/* The caller goes on alone to iteration RESUME.  */
static void
part (struct pg_entry *entry, int64_t resume)
{
  entry->cooperation.phase = PG_COOPERATES_APART;
  entry->cooperation.resume = resume;
}

/* Do WORK, which no handler may leave by a jump.  */
static void
whole (struct pg_entry *entry, void (*work) (struct pg_entry *entry))
{
  bool deferred = pg_thread_block_signals (entry->caller);
  work (entry);
  pg_thread_restore_signals (entry->caller, deferred);
}

/* Claim the manager; wait for it, if the outcome of the race is said beforehand.  */
static bool
claim (void)
{
  for (;;)
    {
      uint32_t seen = pg_manager_moves ();
      if (pg_manager_claim ())
	return true;
      if (pg_environment.race == PG_RACE_AUTO)
	return false;
      pg_manager_await (seen, LOOK_NS);
    }
}

/* Ask the manager what the device would do with ENTRY.  */
static void
ask (struct pg_entry *entry)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  if (entry->region->args_len > PG_DEVICE_ARGS_LEN)
    {
      count (entry, PG_OFFLOAD_LARGE);
      return;
    }
  if (!claim ())
    {
      count (entry, PG_OFFLOAD_BUSY);
      return;
    }
  pg_job.region = entry->region;
  pg_job.spec = cooperation->spec;
  pg_job.row = cooperation->row;
  pg_job.n_iters = entry->n_iters;
  pg_job.first = entry->done;
  memcpy (pg_job.args, entry->args, entry->region->args_len);
  pg_job.has_bounds = entry->view->bounds != NULL && entry->region->n_refs <= PG_JOB_MOST_BOUNDS;
  if (pg_job.has_bounds)
    memcpy (pg_job.bounds, entry->view->bounds, entry->region->n_refs * sizeof *pg_job.bounds);
  cooperation->ticket = pg_manager_prepare (entry->caller);
  cooperation->phase = cooperation->ticket == 0 ? PG_COOPERATES_NOT : PG_COOPERATES_ASKED;
}

void
pg_cooperate_begin (struct pg_entry *entry, struct pg_speculation **spec, struct pg_inspector **bounds,
		    struct pg_row *row, int64_t most_wait_ns, int64_t learn_wait_ns)
{
  entry->cooperation = (struct pg_cooperation) {
    .spec = spec, .row = row, .most_wait_ns = most_wait_ns, .learn_wait_ns = learn_wait_ns, .piece = 1
  };
  if (pg_environment.device == 0)
    {
      count (entry, PG_OFFLOAD_NO_DEVICE);
      return;
    }
  if (entry->region->kir == NULL)
    {
      count (entry, PG_OFFLOAD_NO_KERNEL);
      return;
    }
  if (pg_numbers_may_change (entry->view))
    {
      count (entry, PG_OFFLOAD_ADDRESS);
      return;
    }
  pg_bounds_find (bounds, entry->view);
  whole (entry, ask);
}

/* Open a round at the first iteration that is not done, if the manager is free.  */
static void
open_round (struct pg_entry *entry)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  struct pg_round *round = round_of (entry);
  if (!claim ())
    return;
  round->args = entry->args;
  round->first = entry->done;
  atomic_store (&round->is_looked, false);
  memcpy (round->first_args, entry->args, entry->region->args_len);
  pg_race_step ();
  atomic_store (&round->word, pg_round_word (PG_COOPERATION_COPYING, entry->done));
  if (pg_manager_run (entry->caller, *cooperation->spec))
    {
      cooperation->n_rounds++;
      cooperation->phase = PG_COOPERATES_RACING;
      return;
    }
  atomic_store (&round->word, pg_round_word (PG_COOPERATION_QUIET, 0));
  part (entry, INT64_MAX);
}

/* Has the manager chosen?  */
static bool
has_chosen (const struct pg_entry *entry)
{
  uint32_t seen = pg_manager_moves ();
  while (!pg_manager_is_done (entry->cooperation.ticket))
    {
      if (pg_environment.race == PG_RACE_AUTO)
	return false;
      pg_manager_await (seen, LOOK_NS);
      seen = pg_manager_moves ();
    }
  return true;
}

/* The manager has chosen: from now on, rounds may be opened, or not.  */
static void
look_at_choice (struct pg_entry *entry)
{
  const struct pg_speculation *spec = *entry->cooperation.spec;
  enum pg_offloaded result = spec == NULL ? PG_OFFLOAD_NO_MEMORY : spec->chosen;
  if (result == PG_OFFLOAD_RAN)
    result = pg_speculation_refused (spec);
  if (result != PG_OFFLOAD_RAN)
    count (entry, result);
  part (entry, result == PG_OFFLOAD_RAN ? entry->done : INT64_MAX);
}

/* The manager has ended the round.  */
static void
collect (struct pg_entry *entry)
{
  const struct pg_round *round = round_of (entry);
  bool is_committed = round->point > round->first, is_conflict = round->result == PG_OFFLOAD_CONFLICT;
  if (is_committed)
    pg_offload_note (entry, *entry->cooperation.spec, round->point);
  count (entry, !is_committed && round->result == PG_OFFLOAD_RAN ? PG_OFFLOAD_LATE : round->result);
  if (is_conflict)
    {
      entry->n_conflicts++;
      entry->n_redone += round->resume - (entry->done < round->resume ? entry->done : round->resume);
    }
  part (entry, is_conflict && entry->cooperation.n_rounds < MOST_ROUNDS ? round->resume : INT64_MAX);
}

/* Let the manager commit, and wait for that.  */
static void
park (struct pg_entry *entry, uint64_t word)
{
  struct pg_round *round = round_of (entry);
  int64_t lo = entry->done, traced = pg_trace_begin (PG_TRACE_PARKED, entry->region);
  bool deferred = pg_thread_defer_signals (entry->caller);
  atomic_store (&round->word, pg_round_word (PG_COOPERATION_PARKED, pg_round_taken (word)));
  pg_manager_call ();
  for (;;)
    {
      uint32_t seen = pg_manager_moves ();
      if (pg_round_state (atomic_load (&round->word)) == PG_COOPERATION_QUIET)
	break;
      pg_manager_await (seen, LOOK_NS);
    }
  collect (entry);
  PG_TRACE (PARKED, traced, entry->region, .numbers = { lo, entry->done });
  pg_thread_restore_signals (entry->caller, deferred);
}

/* Whether the caller of ENTRY, whose round is in STATE, is to wait before it goes on to END.  */
static bool
has_to_wait (const struct pg_entry *entry, enum pg_cooperation_state state, int64_t end)
{
  const struct pg_round *round = round_of (entry);
  if (state == PG_COOPERATION_COPYING && !((*entry->cooperation.spec)->is_reentrant && atomic_load (&round->is_looked)))
    return true;
  return pg_environment.race == PG_RACE_DEVICE && end - round->first > (entry->n_iters - round->first) / 2;
}

/* Leave the round.  */
static void
leave (struct pg_entry *entry)
{
  struct pg_round *round = round_of (entry);
  uint64_t word = atomic_load (&round->word);
  pg_race_step ();
  while (pg_round_state (word) != PG_COOPERATION_QUIET
	 && !atomic_compare_exchange_weak (&round->word, &word, pg_round_word (PG_COOPERATION_QUIET, 0)))
    continue;
  pg_manager_call ();
  count (entry, PG_OFFLOAD_LATE);
  part (entry, INT64_MAX);
}

/* Wait for a move of the manager's since SEEN, in STATE.  False: the caller has waited too long.  */
static bool
await (struct pg_entry *entry, enum pg_cooperation_state state, uint32_t seen)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  int64_t start = pg_now (), traced = pg_trace_begin (PG_TRACE_WAIT, entry->region);
  pg_manager_await (seen, cooperation->most_wait_ns < LOOK_NS ? cooperation->most_wait_ns : LOOK_NS);
  PG_TRACE (WAIT, traced, entry->region, .words = { state == PG_COOPERATION_COPYING ? "copy" : "device" });
  if (cooperation->most_wait_ns != INT64_MAX)
    cooperation->most_wait_ns -= pg_now () - start;
  return cooperation->most_wait_ns > 0;
}

/* Take the iterations up to END in the round.  */
static bool
take (struct pg_entry *entry, int64_t end)
{
  struct pg_round *round = round_of (entry);
  for (;;)
    {
      uint32_t seen = pg_manager_moves ();
      uint64_t word = atomic_load (&round->word);
      enum pg_cooperation_state state = pg_round_state (word);
      pg_race_step ();
      if (state == PG_COOPERATION_QUIET)
	{
	  collect (entry);
	  return false;
	}
      if (state == PG_COOPERATION_DEVICE)
	{
	  park (entry, word);
	  return false;
	}
      if (has_to_wait (entry, state, end))
	{
	  if (await (entry, state, seen))
	    continue;
	  leave (entry);
	  return true;
	}
      if (atomic_compare_exchange_strong (&round->word, &word, pg_round_word (state, end)))
	return true;
    }
}

bool
pg_cooperate_take (struct pg_entry *entry, int64_t end)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  if (cooperation->phase == PG_COOPERATES_ASKED && has_chosen (entry))
    look_at_choice (entry);
  if (cooperation->phase == PG_COOPERATES_APART && entry->done >= cooperation->resume)
    whole (entry, open_round);
  return cooperation->phase != PG_COOPERATES_RACING || take (entry, end);
}

int64_t
pg_cooperate_piece (struct pg_entry *entry, int64_t hi)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  if (cooperation->phase == PG_COOPERATES_NOT)
    return hi;
  int64_t now = pg_now (), ns = now - cooperation->looked, len = pg_entry_grid_len (entry);
  if (cooperation->phase == PG_COOPERATES_APART && cooperation->resume < hi)
    hi = cooperation->resume > entry->done ? cooperation->resume : hi;
  if (ns < PIECE_NS / 2 && cooperation->piece < entry->n_iters)
    cooperation->piece *= 2;
  else if (ns > PIECE_NS && cooperation->piece > 1)
    cooperation->piece /= 2;
  cooperation->looked = now;
  int64_t piece = (cooperation->piece + len - 1) / len * len;
  return hi - entry->done > piece ? entry->done + piece : hi;
}

/* Wait until all is copied, for LEARN_WAIT_NS at most.  A handler may leave this by a jump: then it is not begun
   again.  */
static void
await_copies (struct pg_entry *entry)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  bool goes_on = cooperation->learn_wait_ns > 0;
  cooperation->most_wait_ns = cooperation->learn_wait_ns;
  cooperation->learn_wait_ns = 0;
  while (goes_on)
    {
      uint32_t seen = pg_manager_moves ();
      goes_on = pg_round_state (atomic_load (&round_of (entry)->word)) == PG_COOPERATION_COPYING
		&& await (entry, PG_COOPERATION_COPYING, seen);
    }
}

void
pg_cooperate_end (struct pg_entry *entry)
{
  struct pg_cooperation *cooperation = &entry->cooperation;
  if (cooperation->phase == PG_COOPERATES_RACING)
    {
      await_copies (entry);
      leave (entry);
    }
  else if (cooperation->phase == PG_COOPERATES_ASKED)
    count (entry, PG_OFFLOAD_LATE);
  cooperation->phase = PG_COOPERATES_NOT;
}
