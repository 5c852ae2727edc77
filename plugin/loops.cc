/* SPDX-License-Identifier: GPL-3.0-or-later
   The pass pgloops: each loop of a function is judged, reported and, where the judge says so, handed over.

       for (i ...)                 if (enter (&region_i, ...)) ...;
         for (j ...)      ==>      else for (i ...)                          the fallback arm: what was there
           body                           if (enter (&region_j, ...)) ...;
                                          else for (j ...) body

   Outermost loops first, all of them, because one entry of theirs costs least.  Where the outer loop is not handed
   over, at run time or at compile time, its inner loops are candidates of their own, as long as the function's budget
   lasts, and as long as there is much that the loops around them may not be able to do: each makes a copy or two.

   Requires: loops with recorded exits, loop-closed SSA, scev.  Changes: the function, and adds functions and variables
   to the unit.  Leaves: the same properties, virtual operands to be renamed.  */

#include "loops.h"
#include "monitor.h"
#include "bases.h"
#include "callers.h"
#include "judge.h"
#include "products.h"
#include "rehearse.h"
#include "report.h"
#include "rounding.h"
#include "summary.h"
#include "unswitch.h"

/* Beyond these a function is left alone: the time that its analysis takes must not surprise anybody.  */
static const unsigned max_loops = 400;
static const unsigned max_blocks = 20000;

/* What may be added to a function, in statements: so many times what it has, and what takes a second to compile.  */
static const HOST_WIDE_INT times_budget = 12, least_budget = 10000;

/* Of that, what may go into loops inside one that is free or likely to be: they run only where there are few iterations
   around them.  It is enough for one that is not large.  */
static const HOST_WIDE_INT spare_budget = 200;

/* So many loops of a function may be unswitched in vain: each time the function is put into SSA form anew.  */
static const unsigned unswitched_budget = 30;

/* The loops around one that are handed over: how many whose iterations are free or are likely to be, and how many of
   which that is still to be found out.  */
struct around
{
  unsigned free, uncertain;
};

static bool
enough_p (const struct around *around)
{
  return 2 * around->free + around->uncertain > 2;
}

static bool
likely_free_p (const struct pg_plan *plan)
{
  bool is_likely = (plan->region_flags & PG_REGION_ALL_AFFINE) && !plan->carries && !plan->build_monitor
		   && plan->ordered_groups.is_empty ();
  return plan->klass == PG_CLASS_PARALLEL || plan->reason == PG_WHY_WRAP || is_likely;
}

/* Add PLAN's loop to AROUND.  */
static void
add_around (const struct pg_plan *plan, struct around *around)
{
  ++*(likely_free_p (plan) ? &around->free : &around->uncertain);
}

/* What is added for a region beside copies of its loop, and by a monitor to tell of an access.  */
static const HOST_WIDE_INT region_cost = 100, touch_cost = 25;

/* Report LOOP of FUN, its siblings and all loops in them as not handed over because of WHY, which holds for the whole
   function.  */
static void
report_refused (function *fun, class loop *loop, enum pg_reason why)
{
  for (; loop; loop = loop->next)
    {
      struct pg_plan plan = {};
      plan.loop = loop;
      plan.where = find_loop_location (loop).get_location_t ();
      plan.klass = pg_reasons[why].klass;
      plan.reason = why;
      plan.reason_where = UNKNOWN_LOCATION;
      pg_report_begin (fun, &plan);
      pg_report_loop (&plan);
      report_refused (fun, loop->inner, why);
    }
}

/* Make the analyses good again after the blocks of FUN changed, and check them where the compiler checks itself.  */
static void
refresh (function *fun)
{
  if (loops_state_satisfies_p (fun, LOOPS_NEED_FIXUP))
    fix_loop_structure (NULL);
  free_numbers_of_iterations_estimates (fun);
  scev_reset ();
  calculate_dominance_info (CDI_DOMINATORS);
  if (flag_checking)
    {
      verify_flow_info ();
      verify_loop_structure ();
      verify_loop_closed_ssa (true);
    }
}

/* Hand the loop of PLAN over, which UNSWITCHED may be another one of; false, with nothing changed, if its shape is not
   supported.  On success *FALLBACK is the original loop.  */
static bool
hand_over (function *fun, struct pg_plan *plan, const struct pg_unswitched *unswitched, class loop **fallback)
{
  struct pg_outlined out = {};
  out.region_decl = pg_region_declare ();
  if (!pg_outline_loop (plan, &out, fallback))
    return false;
  if (unswitched->rest)
    {
      pg_unswitch_join (unswitched, *fallback);
      *fallback = unswitched->rest;
    }
  if (pg_rehearsing_p ())
    varpool_node::finalize_decl (out.region_decl);
  else
    {
      pg_region_describe (plan, &out);
      pg_rounding_expect (plan, &out);
    }
  plan->region = out.region_decl;
  pg_bases_keep (fun->decl);
  refresh (fun);
  return true;
}

/* True if a loop inside LOOP might be handed over on its own.  */
static bool
inner_candidates_p (class loop *loop)
{
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    {
      struct pg_plan plan = {};
      pg_judge_loop (inner, &plan);
      if (plan.outline || inner_candidates_p (inner))
	return true;
    }
  return false;
}

/* The statements of BB that become code.  */
static HOST_WIDE_INT
count_statements (basic_block bb)
{
  HOST_WIDE_INT n = 0;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    n += !is_gimple_debug (gsi_stmt (gsi));
  return n;
}

/* What may still be added to a function; SPARE is part of ALL.  */
struct budget
{
  HOST_WIDE_INT all, spare;
  unsigned n_unswitched; /* how often a loop may be unswitched in vain */
};

static struct budget
budget_of (function *fun)
{
  HOST_WIDE_INT n = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    n += count_statements (bb);
  return { MAX (least_budget, times_budget * n), spare_budget, unswitched_budget };
}

static HOST_WIDE_INT
loop_len (class loop *loop)
{
  HOST_WIDE_INT n = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    n += count_statements (body[i]);
  free (body);
  return n;
}

/* What handing over PLAN's loop adds.  */
static HOST_WIDE_INT
cost_of (const struct pg_plan *plan)
{
  HOST_WIDE_INT n = loop_len (plan->loop);
  HOST_WIDE_INT monitor = plan->build_monitor ? n : 0;
  for (unsigned i = 0; plan->build_monitor && i < plan->accesses.length (); i++)
    monitor += pg_monitor_tells_p (plan, i) ? touch_cost : 0;
  return n + plan->build_noalias * n + monitor + region_cost;
}

/* A loop that is to be visited, by number.  */
struct candidate
{
  int number;
  struct around around;
};

/* True if STMT may store, or computes what may be fused.  */
static bool
storing_or_summing_p (gimple *stmt)
{
  tree lhs = is_gimple_assign (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
  return (gimple_vdef (stmt) && !gimple_clobber_p (stmt)) || (lhs && FLOAT_TYPE_P (TREE_TYPE (lhs)));
}

/* True if PLAN's loop is the only one of FUN that may be handed over, there is nothing beside it that may store, or be
   fused, and nothing in it that may be fused in two ways.  */
static bool
alone_p (function *fun, const struct pg_plan *plan)
{
  if (plan->inner_candidates || get_loop (fun, 0)->inner != plan->loop || plan->loop->next)
    return false;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (flow_bb_inside_loop_p (plan->loop, bb) ? pg_two_products_p (gsi_stmt (gsi))
						 : storing_or_summing_p (gsi_stmt (gsi)))
	return false;
  return true;
}

/* Refuse PLAN's loop if *BUDGET does not pay for COST, or those AROUND it are enough.  */
static void
judge_cost (struct pg_plan *plan, HOST_WIDE_INT cost, const struct budget *budget, const struct around *around)
{
  if (enough_p (around))
    pg_refuse (plan, PG_WHY_LEVELS, NULL);
  else if (cost > budget->all)
    pg_refuse (plan, PG_WHY_BUDGET, NULL);
  else if (around->free > 0 && cost > budget->spare)
    pg_refuse (plan, PG_WHY_LEVELS, NULL);
}

/* Let PLAN, which is refused, say that it would be without that as well, as REDUCED is.  */
static void
add_reason (struct pg_plan *plan, const struct pg_plan *reduced)
{
  char *detail = xasprintf ("%s, without which it is %s%s%s", reduced->without, pg_reasons[reduced->reason].name,
			    reduced->detail ? ": " : "", reduced->detail ? reduced->detail : "");
  free (plan->detail);
  plan->detail = detail;
}

/* Judge LOOP of FUN, say so, hand it over if that can be, *BUDGET pays for it, and those AROUND it are not enough: then
   it is one of them.  Return the loop whose inner loops come next; null if this process hands nothing over.  */
static class loop *
visit (function *fun, class loop *loop, struct budget *budget, struct around *around)
{
  struct pg_plan whole = {}, reduced = {};
  struct pg_unswitched unswitched = {};
  struct pg_plan *plan = &whole;
  pg_judge_loop (loop, &whole);
  if (!whole.outline && !pg_rehearsal_may_fuse_p () && budget->n_unswitched > 0
      && pg_unswitch (&whole, &reduced, &unswitched))
    plan = &reduced;
  HOST_WIDE_INT cost = plan->outline ? cost_of (plan) : 0;
  if (plan->outline)
    judge_cost (plan, cost, budget, around);
  struct around inner = *around;
  add_around (plan, &inner);
  plan->inner_candidates = plan->outline && !enough_p (&inner) && inner_candidates_p (plan->loop);
  if (plan->outline && !pg_rehearse (plan, alone_p (fun, plan)))
    return NULL;
  if (plan->outline && around->free + around->uncertain > 0 && pg_rehearsal_single_p ())
    pg_refuse (plan, PG_WHY_FP_CONTRACT, NULL);
  if (plan->outline)
    pg_judge_tried (plan);
  if (!plan->outline && unswitched.rest)
    {
      pg_unswitch_undo (&unswitched);
      budget->n_unswitched--;
      plan = &whole;
      add_reason (plan, &reduced);
    }
  pg_report_begin (fun, plan);
  if (plan->outline && hand_over (fun, plan, &unswitched, &loop))
    {
      budget->all -= cost;
      budget->spare -= around->free > 0 ? cost : 0;
      *around = inner;
    }
  else if (plan->outline)
    {
      pg_refuse (plan, PG_WHY_SHAPE, NULL);
      if (unswitched.rest)
	pg_unswitch_undo (&unswitched);
    }
  pg_report_loop (plan);
  return loop;
}

/* True if a statement behind LOOP uses NAME, which is defined in it.  */
static bool
used_behind_p (tree name, class loop *loop)
{
  imm_use_iterator uses;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, uses, name)
    if (!is_gimple_debug (USE_STMT (use)) && !flow_bb_inside_loop_p (loop, gimple_bb (USE_STMT (use))))
      return true;
  return false;
}

/* True if STMT, in LOOP, does something that is seen once that has ended.  */
static bool
seen_behind_p (gimple *stmt, class loop *loop)
{
  ssa_op_iter it;
  tree name;
  bool is_seen = gimple_vdef (stmt) || gimple_has_side_effects (stmt);
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, it, SSA_OP_DEF)
    is_seen |= used_behind_p (name, loop);
  return is_seen;
}

/* True if nothing of LOOP is seen once it has ended: the compiler is going to remove it, which it could not if it were
   handed over, and the loop may be one that would take years.  */
static bool
idle_p (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  bool is_seen = false;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      for (gphi_iterator gpi = gsi_start_phis (body[i]); !gsi_end_p (gpi); gsi_next (&gpi))
	is_seen |= !virtual_operand_p (gimple_phi_result (gpi.phi ()))
		   && used_behind_p (gimple_phi_result (gpi.phi ()), loop);
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	is_seen |= seen_behind_p (gsi_stmt (gsi), loop);
    }
  free (body);
  return !is_seen;
}

/* Add the loops directly inside OUTER to CANDIDATES.  */
static void
add_inner (class loop *outer, const struct around *around, vec<struct candidate> *candidates)
{
  unsigned at = candidates->length ();
  /* GCC keeps siblings in reverse order of the source.  */
  for (class loop *loop = outer->inner; loop; loop = loop->next)
    if (!idle_p (loop))
      {
	struct candidate candidate = { loop->num, *around };
	candidates->safe_insert (at, candidate);
      }
}

/* Visit the loops of FUN, outer before inner.  Handing over a loop adds its fallback beside it, so what is to be
   visited is noted beforehand, by number.  True if FUN was changed.  */
static bool
visit_loops (function *fun)
{
  bool changed = false;
  struct budget budget = budget_of (fun);
  auto_vec<struct candidate> candidates;
  struct around around = {};
  add_inner (get_loop (fun, 0), &around, &candidates);
  for (unsigned i = 0; i < candidates.length (); i++)
    {
      around = candidates[i].around;
      class loop *loop = get_loop (fun, candidates[i].number);
      if (!loop)
	continue;
      HOST_WIDE_INT left = budget.all;
      class loop *next = visit (fun, loop, &budget, &around);
      if (!next)
	return false;
      changed |= budget.all != left;
      add_inner (next, &around, &candidates);
    }
  return changed;
}

static unsigned
execute_loops (function *fun)
{
  calculate_dominance_info (CDI_DOMINATORS);
  pg_summarise (fun);
  enum pg_reason why = pg_judge_function (fun);
  if (why == PG_N_REASONS && (number_of_loops (fun) > max_loops || (unsigned) n_basic_blocks_for_fn (fun) > max_blocks))
    why = PG_WHY_TOO_LARGE;
  if (why != PG_N_REASONS)
    {
      report_refused (fun, get_loop (fun, 0)->inner, why);
      return 0;
    }

  pg_rehearsal_begin ();
  if (!visit_loops (fun))
    return 0;

  pg_callers_keep ();
  /* Addresses of the function's variables went into calls: they escape now.  */
  pt_solution_reset (&fun->gimple_df->escaped);
  return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
}

namespace
{

const pass_data pass_data_loops = {
  GIMPLE_PASS, "pgloops", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_loops : public gimple_opt_pass
{
public:
  pass_loops (gcc::context *context) : gimple_opt_pass (pass_data_loops, context)
  {
  }

  bool gate (function *fun) final override
  {
    return scev_initialized_p () && !lookup_attribute (PG_OUTLINED_ATTRIBUTE, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    return execute_loops (fun);
  }
};

}

gimple_opt_pass *
pg_make_pass_loops (gcc::context *context)
{
  return new pass_loops (context);
}
