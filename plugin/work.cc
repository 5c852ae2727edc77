/* SPDX-License-Identifier: GPL-3.0-or-later
   Work: from how many iterations on handing a loop over may pay.  An estimate, for the guard; the runtime measures.  */

#include "judge.h"
#include "plugin-options.h"
#include "polynomial.h"
#include "summary.h"

/* Handing over is considered from this much estimated work, in instructions (about 50 us).  */
static const HOST_WIDE_INT pays_from = 100000;

/* Where the order of sums is free, so much more: how these are cut must not depend on what the runtime measures, so
   whatever the guard hands over stays cut, and that has to pay on vectors, too.  */
static const int fixed_grid_factor = 4;

/* What an element of an array reduction takes that no loop goes through, to begin with and to combine, so that it is
   little of what is handed over; where the order of sums is free, there are more parts of it.  */
static const int element_costs = 16, grid_element_costs = 160;

/* There, an iteration may touch all elements that loops tell of, and a part costs as much as one or two iterations: so
   many at least are handed over.  */
static const HOST_WIDE_INT grid_array_iterations = 64;

/* What an inner loop of unknown count makes of one iteration: enough to ask the runtime, which measures.  */
static const HOST_WIDE_INT unknown_count = 1000;

/* What a function of the library takes, say, exp.  */
static const HOST_WIDE_INT library_costs = 40;

/* Where each iteration needs what the one before writes, they run one behind the other at best, and an iteration that
   takes less is not worth the wait (some 2 us of sums in order).  */
static const HOST_WIDE_INT wait_pays_from = 12000;

/* More than any loop has to take to pay.  */
static const HOST_WIDE_INT plenty = HOST_WIDE_INT_1 << 40;

/* Inner loops that grow with the loop itself, one in another, before the rest counts as of unknown count.  */
static const int max_degree = 2;

/* What an iteration takes, in instructions: a polynomial in the number of turns of the inner loops that grow with the
   loop itself.  */
struct work
{
  HOST_WIDE_INT of_degree[max_degree + 1];
};

/* WORK, with so many TURNS.  */
static HOST_WIDE_INT
work_at (const struct work &work, HOST_WIDE_INT turns)
{
  HOST_WIDE_INT sum = 0;
  turns = MIN (turns, pays_from);
  for (int degree = max_degree; degree >= 0; degree--)
    sum = MIN (sum * turns + work.of_degree[degree], plenty);
  return MAX (sum, 1);
}

/* Set VALUE to the number that PLAN's node INDEX is.  False if that depends on the entry.  */
static bool
number_p (const struct pg_plan *plan, int index, HOST_WIDE_INT *value)
{
  struct pg_polynomial sum;
  return pg_expand (plan, index, true, &sum) && pg_number_p (sum, value);
}

/* True if the inner loop L takes hardly a turn in the first iteration of PLAN's loop, and SLOPE more in each.  */
static bool
grows_p (const struct pg_plan *plan, const class loop *l, HOST_WIDE_INT *slope)
{
  for (const struct pg_plan_dim &dim : plan->dims)
    if (dim.loop == l)
      {
	HOST_WIDE_INT base;
	bool is_outer = true;
	for (unsigned d = 1; d < plan->dims.length (); d++)
	  is_outer &= dim.last.coef[d] < 0;
	return is_outer && number_p (plan, dim.last.coef[0], slope) && number_p (plan, dim.last.base, &base)
	       && *slope > 0 && base <= *slope;
      }
  return false;
}

/* How often BB runs in one iteration of PLAN's loop, where inner loops of unknown count take UNKNOWN turns, and DEGREE
   of them one for each iteration before.  */
static HOST_WIDE_INT
times_run (const struct pg_plan *plan, basic_block bb, HOST_WIDE_INT unknown, int *degree)
{
  HOST_WIDE_INT times = 1, slope;
  *degree = 0;
  for (class loop *l = bb->loop_father; l != plan->loop && times < pays_from; l = loop_outer (l))
    {
      HOST_WIDE_INT n = -1;
      edge exit = single_exit (l);
      tree last = exit ? number_of_latch_executions (l) : NULL_TREE;
      if (last && tree_fits_shwi_p (last))
	n = tree_to_shwi (last) + 1;
      bool grows = n <= 0 && *degree < max_degree && grows_p (plan, l, &slope);
      *degree += grows;
      times *= MIN (grows ? slope : n > 0 ? n : unknown, pays_from);
    }
  return MIN (times, pays_from);
}

/* What STMT takes, in instructions.  */
static HOST_WIDE_INT
estimate_statement (gimple *stmt)
{
  const gcall *call = dyn_cast<const gcall *> (stmt);
  const struct pg_summary *summary = call ? pg_summary_of (call) : NULL;
  bool is_library
    = call && gimple_call_builtin_p (call, BUILT_IN_NORMAL) && !is_inexpensive_builtin (gimple_call_fndecl (call));
  HOST_WIDE_INT called = summary ? summary->work : is_library ? library_costs : 0;
  return is_gimple_debug (stmt) ? 0 : estimate_num_insns (stmt, &eni_time_weights) + called;
}

/* What an iteration of PLAN's loop takes, where inner loops of unknown count take so many turns.  */
static struct work
estimate (const struct pg_plan *plan, HOST_WIDE_INT unknown)
{
  struct work work = {};
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    {
      HOST_WIDE_INT n = 0;
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	n += estimate_statement (gsi_stmt (gsi));
      int degree;
      HOST_WIDE_INT times = times_run (plan, bb, unknown, &degree);
      work.of_degree[degree] += n * times;
    }
  return work;
}

HOST_WIDE_INT
pg_estimate_work (const struct pg_plan *plan)
{
  return work_at (estimate (plan, unknown_count), unknown_count);
}

/* What makes a loop pay.  */
struct worth
{
  struct work work;          /* of an iteration, */
  struct work waiting;       /* and if inner loops of unknown count are long enough for any wait */
  HOST_WIDE_INT least, pays; /* iterations, and their work in all */
  bool follows;              /* iterations need what the one before writes */
};

/* True if N iterations are worth handing over, in which inner loops that grow take half as many turns on the
   average.  */
static bool
pays_p (const struct worth &worth, HOST_WIDE_INT n)
{
  return n >= worth.least && n >= worth.pays / work_at (worth.work, n / 2)
	 && (!worth.follows || work_at (worth.waiting, n / 2) >= wait_pays_from);
}

/* From how many iterations on they are worth handing over; more than plenty: never.  */
static HOST_WIDE_INT
find_threshold (const struct worth &worth)
{
  HOST_WIDE_INT too_few = 0, enough = plenty + 1;
  while (enough - too_few > 1)
    {
      HOST_WIDE_INT n = too_few + (enough - too_few) / 2;
      *(pays_p (worth, n) ? &enough : &too_few) = n;
    }
  return enough;
}

/* Find out what makes PLAN's loop pay.  */
static struct worth
find_worth (const struct pg_plan *plan)
{
  bool is_grid = plan->region_flags & PG_REGION_FIXED_GRID;
  struct worth worth = {};
  worth.work = estimate (plan, unknown_count);
  worth.follows = plan->meets >= 0;
  if (worth.follows)
    worth.waiting = estimate (plan, wait_pays_from);
  worth.least = 2;
  worth.pays = pays_from * (is_grid ? fixed_grid_factor : 1);
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    {
      worth.pays += array.n_untold * (is_grid ? grid_element_costs : element_costs);
      if (array.is_reduction && is_grid)
	worth.least = grid_array_iterations;
    }
  return worth;
}

bool
pg_judge_work (struct pg_plan *plan)
{
  const struct worth worth = find_worth (plan);
  HOST_WIDE_INT asked = pg_options.threshold;
  bool is_long = work_at (worth.work, unknown_count) >= pays_from / 2;
  plan->is_for_library_at_once = is_long || asked >= 0 || (plan->region_flags & PG_REGION_FIXED_GRID);
  plan->threshold = asked >= 0 ? MAX (asked, 1) : find_threshold (worth);
  bool is_known = tree_fits_shwi_p (plan->n_iters);
  bool is_enough = is_known ? tree_to_shwi (plan->n_iters) >= plan->threshold : plan->threshold <= plenty;
  return asked >= 0 || is_enough || pg_refuse (plan, PG_WHY_TOO_SMALL, NULL);
}
