/* SPDX-License-Identifier: GPL-3.0-or-later
   Floating-point contraction: where the target has fused multiply-add and the flags let the compiler form it, the same
   source may round once or twice, depending on what surrounds it.

       t = a * b;  e = t;  c = t + d;      two roundings if t is also stored, one if the store is seen through

   The original loop, F and the no-alias F are compiled apart, and a guard is in the way of what the compiler does with
   what surrounds a loop.  What becomes of all this is not guessed: it is tried out (rehearse.h), and looked at when it
   is done (rounding.h).  Here F is told what it must not do, as it would round otherwise for sure.  Flags that leave
   the bits open (-ffast-math) make no demand.

   A sum that a loop keeps is the hardest.  Vectorised in order, its products are made apart; scalar, or one for each
   lane where an outer loop is vectorised, they are fused:

       for (j = 0; j < n; j++)
	 for (i = 0; i < m; i++)
	   y[j] += a[j][i] * x[i];

   Which of these it becomes depends on whether the pointers are known to be apart, on interchange, on what is known of
   the number of iterations.  So F assumes nothing of pointers where sums are in memory, and those stay fused in a
   no-alias F (fused.cc).  */

#include "judge.h"
#include "products.h"
#include "rehearse.h"

/* True if VALUE is used by something else than a PHI.  */
static bool
used_in_body_p (tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    if (!is_gimple_debug (USE_STMT (use)) && !is_a<gphi *> (USE_STMT (use)))
      return true;
  return false;
}

/* What there is to know of a loop's products.  */
struct products
{
  bool summed;     /* some sum takes one of them */
  bool floats;     /* the loop has floating-point values at all */
  bool multiplies; /* it has products that the target can fuse */
};

static struct products
find_products (const struct pg_plan *plan)
{
  struct products products = {};
  basic_block *body = get_loop_body_in_dom_order (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
	if (!lhs || !FLOAT_TYPE_P (TREE_TYPE (lhs)))
	  continue;
	products.floats = true;
	products.multiplies |= pg_target_fuses_p (lhs);
	if (!pg_fusable_p (lhs))
	  continue;
	products.summed |= pg_summed_p (lhs);
      }
  free (body);
  return products;
}

/* True if LOOP, or a loop in it, carries a floating-point value to its next iteration: one that is USED for something
   else there, stored for example, or one that is not.  */
static bool
carries_floats_p (class loop *loop, bool used)
{
  for (gphi_iterator gpi = gsi_start_phis (loop->header); !gsi_end_p (gpi); gsi_next (&gpi))
    {
      tree next = PHI_ARG_DEF_FROM_EDGE (gpi.phi (), loop_latch_edge (loop));
      if (FLOAT_TYPE_P (TREE_TYPE (next)) && (TREE_CODE (next) == SSA_NAME && used_in_body_p (next)) == used)
	return true;
    }
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (carries_floats_p (inner, used))
      return true;
  return false;
}

/* True if some loop of PLAN may keep a floating-point sum from one iteration to the next in memory, or in a register
   and in memory.  */
static bool
keeps_sums_in_memory_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &access : plan->accesses)
    {
      const struct pg_plan_ref *ref = &plan->refs[access.ref];
      bool varies = (ref->flags & PG_REF_AFFINE) && ref->address.coef[ref->dim] >= 0
		    && plan->dims[ref->dim].loop == gimple_bb (access.stmt)->loop_father;
      if (access.is_store && !varies && FLOAT_TYPE_P (TREE_TYPE (access.operand)))
	return true;
    }
  return carries_floats_p (plan->loop, true);
}

bool
pg_judge_contraction (struct pg_plan *plan)
{
  struct products products = find_products (plan);
  bool in_registers = products.summed && carries_floats_p (plan->loop, false);
  bool in_memory = products.summed && keeps_sums_in_memory_p (plan);
  plan->vectors_change_bits = in_registers || in_memory;
  /* What the tally computes may be other bits than F's, or a NaN may be taken for larger by one of the two.  */
  if (products.floats && pg_has_tally_p (plan)
      && (flag_associative_math || flag_unsafe_math_optimizations || flag_reciprocal_math || flag_finite_math_only))
    return pg_refuse_carried (plan, NULL);
  if (flag_associative_math || flag_unsafe_math_optimizations || flag_reciprocal_math)
    {
      /* Where iterations conflict, the grid is run in order: what makes a trail would be loaded too late.  */
      if (products.floats && plan->klass == PG_CLASS_POSSIBLY && pg_trails_refer_p (plan))
	return pg_refuse (plan, PG_WHY_CARRIED_SCALAR, plan->trails[0].phi);
      if (products.floats && pg_relies_on_loads_p (plan))
	return pg_refuse (plan, PG_WHY_UNCOUNTABLE, NULL); /* there is no way back to the original */
      plan->region_flags |= products.floats ? PG_REGION_FIXED_GRID : 0;
      plan->vectors_change_bits |= products.floats;
      plan->build_doacross &= !products.floats;
      return true;
    }
  plan->fuses = products.multiplies;
  plan->keep_fused = in_memory;
  if (in_memory)
    plan->sets.truncate (0);
  return true;
}

gimple *
pg_judge_copies (const struct pg_plan *plan)
{
  gimple *uncertain = pg_copies_differ (plan);
  if (!uncertain && (flag_predictive_commoning || flag_unroll_jam || !plan->trails.is_empty ()))
    uncertain = pg_shifted_twin (plan);
  return uncertain;
}

bool
pg_judge_tried (struct pg_plan *plan)
{
  gimple *uncertain = pg_rehearsal_differs (plan);
  plan->fuses &= pg_rehearsed_p ();
  if (!uncertain && plan->fuses)
    uncertain = pg_judge_copies (plan);
  if (!uncertain && plan->fuses)
    pg_judge_versions (plan);
  return !uncertain
	 || pg_refuse (plan, PG_WHY_FP_CONTRACT, uncertain,
		       pg_rehearsal_tried_p () ? NULL : xstrdup ("it cannot be tried out"));
}
