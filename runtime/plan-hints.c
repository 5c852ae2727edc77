/* SPDX-License-Identifier: MIT
   What a plan knows, for the plans of later runs of the program, and what it takes from those of earlier ones.  See
   costs.h.  */
#include "plan.h"

bool
pg_plan_tell (const struct pg_plan *plan, struct pg_plan_costs *costs)
{
  *costs
    = (struct pg_plan_costs) { .alone_ps = plan->alone_ps, .pool_ps = plan->pool_ps, .inspect_ps = plan->inspect_ps };
  for (int s = 0; s < PG_PLAN_SIZES; s++)
    {
      costs->sizes[s].alone_ps = plan->sizes[s].alone_ps;
      costs->sizes[s].pool_ps = plan->sizes[s].pool_ps;
    }
  return plan->alone_ps != 0;
}

/* Take HINT for *COST, if that is unknown.  Whether it is a hint then.  */
static bool
take_hint (int64_t *cost, int64_t hint)
{
  if (*cost != 0 || hint <= 0)
    return false;
  *cost = hint;
  return true;
}

/* ALONE_PS needs no mark: it is computed from what was seen, which a hint is not.  */
void
pg_plan_hint (struct pg_plan *plan, const struct pg_plan_costs *hints)
{
  take_hint (&plan->alone_ps, hints->alone_ps);
  plan->pool_is_hint |= take_hint (&plan->pool_ps, hints->pool_ps);
  plan->inspect_is_hint |= take_hint (&plan->inspect_ps, hints->inspect_ps);
  for (int s = 0; s < PG_PLAN_SIZES; s++)
    {
      struct pg_plan_size *size = &plan->sizes[s];
      size->alone_is_hint |= take_hint (&size->alone_ps, hints->sizes[s].alone_ps);
      size->pool_is_hint |= take_hint (&size->pool_ps, hints->sizes[s].pool_ps);
    }
}
