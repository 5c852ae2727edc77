/* SPDX-License-Identifier: GPL-3.0-or-later
   Work: from how many iterations on handing a loop over may pay.  An estimate, for the guard; the runtime measures.  */

#include "judge.h"
#include "plugin-options.h"

/* Handing over is considered from this much estimated work, in instructions (about 50 us).  */
static const HOST_WIDE_INT pays_from = 100000;

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

bool
pg_judge_work (struct pg_plan *plan)
{
  HOST_WIDE_INT work = 0;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    {
      HOST_WIDE_INT n = 0;
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	if (!is_gimple_debug (gsi_stmt (gsi)))
	  n += estimate_num_insns (gsi_stmt (gsi), &eni_time_weights);
      work += n * times_run (plan, body[i]);
    }
  free (body);

  HOST_WIDE_INT asked = pg_options.threshold;
  plan->threshold = asked >= 0 ? asked : MAX (2, pays_from / MAX (work, 1));
  if (asked < 0 && tree_fits_shwi_p (plan->n_iters) && tree_to_shwi (plan->n_iters) < plan->threshold)
    return pg_refuse (plan, PG_WHY_TOO_SMALL, NULL);
  return true;
}
