/* SPDX-License-Identifier: GPL-3.0-or-later
   The pass pgloops: each loop of a function is judged, reported and, where the judge says so, handed over.

       for (i ...)                 if (enter (&region_i, ...)) ...;
         for (j ...)      ==>      else for (i ...)                          the fallback arm: what was there
           body                           if (enter (&region_j, ...)) ...;
                                          else for (j ...) body

   Outermost loops first, because one entry of theirs costs least.  Where the outer loop is not handed over, at run time
   or at compile time, its inner loops are candidates of their own.

   Requires: loops with recorded exits, loop-closed SSA, scev.  Changes: the function, and adds functions and variables
   to the unit.  Leaves: the same properties, virtual operands to be renamed.  */

#include "loops.h"
#include "plan.h"
#include "report.h"

/* Beyond these a function is left alone: the time that its analysis takes must not surprise anybody.  */
static const unsigned max_loops = 400;
static const unsigned max_blocks = 20000;

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

/* Hand the loop of PLAN over; false, with nothing changed, if its shape is not supported.  On success *FALLBACK is the
   original loop.  */
static bool
hand_over (function *fun, struct pg_plan *plan, class loop **fallback)
{
  struct pg_outlined out = {};
  out.region_decl = pg_region_declare ();
  if (!pg_outline_loop (plan, &out, fallback))
    return false;
  pg_region_describe (plan, &out);
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

/* Judge LOOP of FUN, say so, hand it over if that can be.  Return the loop whose inner loops come next; *CHANGED is
   set if the function was.  */
static class loop *
visit (function *fun, class loop *loop, bool *changed)
{
  struct pg_plan plan = {};
  pg_judge_loop (loop, &plan);
  pg_report_begin (fun, &plan);
  plan.inner_candidates = plan.outline && inner_candidates_p (loop);
  if (plan.outline && hand_over (fun, &plan, &loop))
    *changed = true;
  else if (plan.outline)
    {
      plan.outline = false;
      plan.reason = PG_WHY_SHAPE;
      plan.klass = pg_reasons[plan.reason].klass;
    }
  pg_report_loop (&plan);
  return loop;
}

/* Visit the loops directly inside OUTER, and those inside them.  Handing over a loop adds its fallback beside it, so
   what is to be visited is noted beforehand, by number.  */
static void
visit_inner (function *fun, class loop *outer, bool *changed)
{
  auto_vec<int> numbers;
  for (class loop *loop = outer->inner; loop; loop = loop->next)
    numbers.safe_push (loop->num);
  /* GCC keeps siblings in reverse order of the source.  */
  while (!numbers.is_empty ())
    {
      class loop *loop = get_loop (fun, numbers.pop ());
      if (loop)
	visit_inner (fun, visit (fun, loop, changed), changed);
    }
}

static unsigned
execute_loops (function *fun)
{
  class loop *root = get_loop (fun, 0);
  enum pg_reason why = pg_judge_function (fun);
  if (why == PG_N_REASONS && (number_of_loops (fun) > max_loops || (unsigned) n_basic_blocks_for_fn (fun) > max_blocks))
    why = PG_WHY_TOO_LARGE;
  if (why != PG_N_REASONS)
    {
      report_refused (fun, root->inner, why);
      return 0;
    }

  bool changed = false;
  calculate_dominance_info (CDI_DOMINATORS);
  visit_inner (fun, root, &changed);
  if (!changed)
    return 0;

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
