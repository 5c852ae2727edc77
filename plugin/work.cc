/* SPDX-License-Identifier: GPL-3.0-or-later
   Work: from how many iterations on handing a loop over may pay.  An estimate, for the guard; the runtime measures.  */

#include "judge.h"
#include "plugin-options.h"
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

/* How often BB runs in one iteration of PLAN's loop.  */
static HOST_WIDE_INT
times_run (const struct pg_plan *plan, basic_block bb)
{
  HOST_WIDE_INT times = 1;
  for (class loop *l = bb->loop_father; l != plan->loop && times < pays_from; l = loop_outer (l))
    {
      HOST_WIDE_INT n = -1;
      edge exit = single_exit (l);
      tree last = exit ? number_of_latch_executions (l) : NULL_TREE;
      if (last && tree_fits_shwi_p (last))
	n = tree_to_shwi (last) + 1;
      times *= n > 0 ? MIN (n, pays_from) : unknown_count;
    }
  return MIN (times, pays_from);
}

/* What STMT takes, in instructions.  */
static HOST_WIDE_INT
estimate_statement (gimple *stmt)
{
  const gcall *call = dyn_cast<const gcall *> (stmt);
  const struct pg_summary *summary = call ? pg_summary_of (call) : NULL;
  return is_gimple_debug (stmt) ? 0 : estimate_num_insns (stmt, &eni_time_weights) + (summary ? summary->work : 0);
}

HOST_WIDE_INT
pg_estimate_work (const struct pg_plan *plan)
{
  HOST_WIDE_INT work = 0;
  auto_vec<basic_block> body;
  pg_find_body (plan, &body);
  for (basic_block bb : body)
    {
      HOST_WIDE_INT n = 0;
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	n += estimate_statement (gsi_stmt (gsi));
      work += n * times_run (plan, bb);
    }
  return work;
}

bool
pg_judge_work (struct pg_plan *plan)
{
  HOST_WIDE_INT work = pg_estimate_work (plan);
  HOST_WIDE_INT asked = pg_options.threshold;
  bool is_grid = plan->region_flags & PG_REGION_FIXED_GRID;
  HOST_WIDE_INT pays = pays_from * (is_grid ? fixed_grid_factor : 1);
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    pays += array.n_untold * (is_grid ? grid_element_costs : element_costs);
  HOST_WIDE_INT least = 2;
  for (const struct pg_plan_work_array &array : plan->work_arrays)
    if (array.is_reduction && is_grid)
      least = grid_array_iterations;
  plan->threshold = asked >= 0 ? MAX (asked, 1) : MAX (least, pays / MAX (work, 1));
  plan->is_for_library_at_once = is_grid || asked >= 0 || work >= pays_from / 2;
  if (asked < 0 && tree_fits_shwi_p (plan->n_iters) && tree_to_shwi (plan->n_iters) < plan->threshold)
    return pg_refuse (plan, PG_WHY_TOO_SMALL, NULL);
  return true;
}
