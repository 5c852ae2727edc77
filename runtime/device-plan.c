/* SPDX-License-Identifier: MIT
   The plan where there is a device.  See device-plan.h.  */
#include "device-plan.h"

#include <string.h>

enum
{
  LEAST_UNKNOWN_NS = 2000000, /* work below this is not worth a race to find out */
  ASIDE_SHARE = 16,           /* of the host's work, so much is put aside for the first kernel */
  CLEAR_SHARE = 4,            /* clearly faster: by 1/CLEAR_SHARE; and close: slower by no more */
  PURCHASE = 3,               /* entries until data are there: copied, copied and watched, not copied */
  MOST_SHIFT = 10,
  MOST_SKIPPED = 1023,
  CHECK_AFTER = 64,  /* entries on the device alone, */
  RETRY_AFTER = 1024 /* or on the host, before a race */
};

enum pg_device_runs
pg_device_plan_runs (enum pg_device_choice choice)
{
  static const enum pg_device_runs runs[PG_N_DEVICE_PLANS] = {
#define PG_DEVICE_PLAN(id, name, runs, text) PG_RUNS_##runs,
#include "status.def"
  };
  return runs[choice];
}

/* Is A clearly less than B?  */
static bool
is_clear (int64_t a, int64_t b)
{
  return a <= b - b / CLEAR_SHARE;
}

/* Leave entries of the size to the host, about twice as many each time.  */
static void
rest (struct pg_device_rest *rests)
{
  rests->skip = rests->skip_next = rests->skip_next < MOST_SKIPPED ? 2 * rests->skip_next + 1 : MOST_SKIPPED;
}

/* The device is the faster one, with IN_LEN of ALL_LEN bytes to copy.  */
static enum pg_device_choice
run_there (struct pg_device_plan *plan, int64_t in_len, int64_t all_len)
{
  if (plan->has_conflicted)
    return PG_DEVICE_PLAN_CLOSE;
  if (++plan->n_there % CHECK_AFTER == 0)
    return PG_DEVICE_PLAN_CHECKING;
  return in_len < all_len - in_len ? PG_DEVICE_PLAN_RESIDENT : PG_DEVICE_PLAN_COLD;
}

/* The device would be the faster one, if it had the data.  */
static enum pg_device_choice
rent_or_buy (struct pg_device_plan *plan)
{
  plan->missed_ns += plan->host_ns - plan->resident_ns;
  if (plan->missed_ns >> plan->price_shift < PURCHASE * (plan->now_ns - plan->host_ns))
    return PG_DEVICE_PLAN_SAVING;
  plan->missed_ns = 0;
  plan->n_bought = PURCHASE;
  return PG_DEVICE_PLAN_BUYING;
}

/* Whether a purchase goes on.  When it ends, it has come to something if the last entry found its data there.  */
static bool
is_buying (struct pg_device_plan *plan)
{
  if (plan->n_bought == 0 || --plan->n_bought > 0)
    return plan->n_bought > 0;
  if (plan->loop.in_len < plan->loop.all_len - plan->loop.in_len)
    plan->price_shift = 0;
  else if (plan->price_shift < MOST_SHIFT)
    plan->price_shift++;
  return false;
}

/* Choose by what entries cost.  */
static enum pg_device_choice
choose_by_costs (struct pg_device_plan *plan, int64_t n_iters, int64_t host_ns)
{
  const struct pg_loop_costs *loop = &plan->loop;
  int64_t in_len = pg_device_costs_len (loop, loop->in_len, n_iters);
  int64_t all_len = pg_device_costs_len (loop, loop->all_len, n_iters);
  plan->resident_ns = pg_device_costs_ns (&plan->device, loop, n_iters, 0, loop->was_checked);
  plan->now_ns = pg_device_costs_ns (&plan->device, loop, n_iters, in_len, loop->was_checked);
  if (is_clear (plan->now_ns, host_ns))
    return run_there (plan, in_len, all_len);
  if (plan->now_ns - host_ns <= host_ns / CLEAR_SHARE)
    return PG_DEVICE_PLAN_CLOSE;
  if (is_clear (plan->resident_ns, host_ns) && !plan->has_conflicted)
    return rent_or_buy (plan);
  return ++plan->n_dear % RETRY_AFTER == 0 ? PG_DEVICE_PLAN_CHECKING : PG_DEVICE_PLAN_DEAR;
}

/* Nobody knows what kernels take.  */
static enum pg_device_choice
find_out (struct pg_device_plan *plan)
{
  plan->learn_ns = plan->aside_ns;
  plan->aside_ns = 0;
  return PG_DEVICE_PLAN_UNKNOWN;
}

/* Look whether it is known by now what kernels take: then it does not matter what was no use before.  */
static void
look (struct pg_device_plan *plan)
{
  bool is_known = plan->loop.kernels[plan->loop.was_checked].n_iters > 0;
  if (is_known && !plan->is_known)
    memset (plan->sizes, 0, sizeof plan->sizes);
  plan->is_known = is_known;
}

static enum pg_device_choice
choose (struct pg_device_plan *plan, int64_t n_iters, int64_t host_ns)
{
  look (plan);
  if (host_ns <= 0 || (!plan->is_known && host_ns < LEAST_UNKNOWN_NS))
    return PG_DEVICE_PLAN_SHORT;
  plan->aside_ns += plan->is_known ? 0 : host_ns / ASIDE_SHARE;
  if (is_buying (plan) && !plan->has_conflicted)
    return PG_DEVICE_PLAN_BUYING;
  if (plan->rests->skip > 0)
    {
      plan->rests->skip--;
      return PG_DEVICE_PLAN_RESTING;
    }
  return plan->is_known ? choose_by_costs (plan, n_iters, host_ns) : find_out (plan);
}

/* The size of N_ITERS iterations, as an index.  */
static int
size_of (int64_t n_iters)
{
  return n_iters > 0 ? 63 - __builtin_clzll ((unsigned long long) n_iters) : 0;
}

enum pg_device_choice
pg_device_plan_choose (struct pg_device_plan *plan, int64_t n_iters, int64_t host_ns)
{
  plan->rests = &plan->sizes[size_of (n_iters)];
  plan->host_ns = host_ns;
  plan->now_ns = plan->resident_ns = plan->learn_ns = 0;
  return plan->choice = choose (plan, n_iters, host_ns);
}

int64_t
pg_device_plan_most_ns (const struct pg_device_plan *plan)
{
  return plan->choice == PG_DEVICE_PLAN_BUYING ? INT64_MAX : plan->host_ns;
}

int64_t
pg_device_plan_learn_ns (const struct pg_device_plan *plan)
{
  return plan->learn_ns;
}

void
pg_device_plan_learn (struct pg_device_plan *plan, bool has_run, bool is_conflict, int64_t wall_ns)
{
  bool is_alone = pg_device_plan_runs (plan->choice) == PG_RUNS_DEVICE;
  plan->has_conflicted = is_conflict || (plan->has_conflicted && !has_run);
  if (!has_run || (is_alone && is_conflict))
    rest (plan->rests);
  else if (!is_alone || wall_ns <= plan->host_ns)
    plan->rests->skip_next = 0;
  else if (plan->choice != PG_DEVICE_PLAN_BUYING)
    rest (plan->rests);
}
