/* SPDX-License-Identifier: MIT
   The plan.  See plan.h.

   Whether the pool helped is judged within one entry: the caller times the chunks that it ran itself, which tells what
   the whole entry would have cost it alone, under the same load and with the same inner trip counts.  A pool that a
   foreign process keeps from its CPUs loses by this measure and is left alone for 1, 2, 4 ... 1024 entries.

   The guard's threshold is only ever raised, in steps of at most 16, after several small entries in a row, and from the
   dearest cost seen lately: an entry that it shuts out can never be measured again.  */
#include "plan.h"

enum
{
  MOST_SKIPPED = 1024,
  SMALL_IN_A_ROW = 8,
  SMALL_REPROBE = 16, /* every so many small entries, one is measured again */
  LARGEST_STEP = 16,
  PS_A_NS = 1000,
  MARGIN_PERCENT = 3 /* the pool has to be so much faster than one thread to be called faster */
};

int64_t
pg_plan_share (int64_t a, int64_t b, int64_t c)
{
  unsigned __int128 value = (unsigned __int128) a * (unsigned __int128) b / (unsigned __int128) c;
  return value > INT64_MAX ? INT64_MAX : (int64_t) value;
}

int64_t
pg_plan_ns (const struct pg_plan *plan, int64_t n_iters)
{
  return pg_plan_share (plan->alone_ps, n_iters, PS_A_NS);
}

int64_t
pg_plan_iters (const struct pg_plan *plan, int64_t ns, int64_t fallback)
{
  if (plan->alone_ps == 0)
    return fallback;
  int64_t iters = pg_plan_share (ns, PS_A_NS, plan->alone_ps);
  return iters < 1 ? 1 : iters;
}

enum pg_choice
pg_plan_choose (struct pg_plan *plan, int64_t n_iters)
{
  if (plan->skip > 0)
    {
      plan->skip--;
      return PG_CHOOSE_ORIGINAL;
    }
  if (plan->alone_ps == 0)
    return PG_CHOOSE_PROBE;
  if (pg_plan_ns (plan, n_iters) >= PG_PLAN_LEAST_NS)
    {
      plan->n_small = 0;
      return PG_CHOOSE_POOL;
    }
  return plan->n_small % SMALL_REPROBE == SMALL_REPROBE - 1 ? PG_CHOOSE_PROBE : PG_CHOOSE_SMALL;
}

void
pg_plan_learn (struct pg_plan *plan, int64_t n_iters, int64_t ns)
{
  if (n_iters <= 0)
    return;
  int64_t cost = pg_plan_share (ns, PS_A_NS, n_iters);
  if (cost < 1)
    cost = 1;
  /* Three quarters of the old value stay.  */
  plan->alone_ps = plan->alone_ps == 0 ? cost : plan->alone_ps - plan->alone_ps / 4 + cost / 4;
  plan->dearest_ps -= plan->dearest_ps / 4;
  if (plan->dearest_ps < cost)
    plan->dearest_ps = cost;
}

void
pg_plan_judge (struct pg_plan *plan, int64_t wall_ns, int64_t alone_ns)
{
  if (wall_ns > alone_ns - alone_ns / 100 * MARGIN_PERCENT)
    pg_plan_back_off (plan);
  else
    plan->skip_next /= 2;
}

void
pg_plan_back_off (struct pg_plan *plan)
{
  plan->skip = plan->skip_next > 0 ? plan->skip_next : 1;
  plan->skip_next = plan->skip * 2 < MOST_SKIPPED ? plan->skip * 2 : MOST_SKIPPED;
}

int64_t
pg_plan_raise (struct pg_plan *plan, int64_t threshold)
{
  plan->n_small++;
  if (plan->n_small < SMALL_IN_A_ROW || plan->dearest_ps == 0)
    return threshold;
  int64_t needed = pg_plan_share (PG_PLAN_LEAST_NS, PS_A_NS, plan->dearest_ps);
  int64_t most = pg_plan_share (threshold > 1 ? threshold : 1, LARGEST_STEP, 1);
  int64_t raised = needed < most ? needed : most;
  if (raised <= threshold)
    return threshold;
  plan->n_small = 0;
  return raised;
}
