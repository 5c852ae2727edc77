/* SPDX-License-Identifier: GPL-3.0-or-later
   Floating-point contraction: where the target has fused multiply-add and the flags let the compiler form it, the same
   source may round once or twice, depending on what surrounds it.

       t = a * b;  e = t;  c = t + d;      two roundings if t is also stored, one if the store is seen through

   The original loop, F and the no-alias F are compiled apart, so a product may be fused in one and not in another
   unless nothing but the statements of its block decides (fate.h).  Where only what F may assume of pointers makes a
   difference, it assumes nothing.  Flags that leave the bits open (-ffast-math) make no demand.

   A sum that a loop keeps is the hardest.  Vectorised in order, its products are made apart; scalar, or one for each
   lane where an outer loop is vectorised, they are fused:

       for (j = 0; j < n; j++)
	 for (i = 0; i < m; i++)
	   y[j] += a[j][i] * x[i];

   Which of these it becomes depends on whether the pointers are known to be apart, on interchange, on what is known of
   the number of iterations.  So there is no no-alias F for sums that are in a register at once, those of memory stay
   fused in it (fused.cc), and F's loop must be one whose iterations stay alone, or go together in F, too.

   Code around the loop has its say, too.  Only a product and a sum of one block are fused, and blocks become one when
   what stands between them vanishes: a loop of few turns that is unrolled, one that is replaced by a call of memset.
   With a guard neither happens.  And where a loop of few turns fills a table with constants, products of these are made
   by the compiler, rounded, and there is nothing to be fused; behind a guard, they are loaded.  */

#include "copies.h"
#include "fate.h"
#include "rounding.h"

/* True if STMT stores to memory.  */
static bool
storing_p (gimple *stmt)
{
  return gimple_vdef (stmt) && !gimple_clobber_p (stmt);
}

/* True if STMT calls what may store to memory, errno for example: its loop is not vectorised.  */
static bool
storing_call_p (gimple *stmt)
{
  return is_gimple_call (stmt) && !gimple_call_internal_p (stmt) && gimple_vdef (stmt);
}

static bool
stores_p (const class loop *loop)
{
  return pg_any_statement_p (loop, storing_p);
}

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

/* True if PRODUCT goes into a sum that an inner loop with stores carries to its next iteration and uses for nothing
   else: whether such a loop is vectorised, with the products apart from sums in order, depends on what is known of its
   pointers.  */
static bool
carried_beside_stores_p (const struct pg_plan *plan, gimple *product)
{
  class loop *loop = gimple_bb (product)->loop_father;
  if (loop == plan->loop || !stores_p (loop) || pg_any_statement_p (loop, storing_call_p))
    return false;
  tree value = gimple_assign_lhs (product);
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    if (pg_sum_p (USE_STMT (use)) && !used_in_body_p (gimple_assign_lhs (USE_STMT (use))))
      return true;
  return false;
}

/* True if VALUE, made in block FROM, goes into a sum on the other side of the loop of PLAN, or, if AROUND, that of
   another turn of a loop around it.  N_STEPS bounds the walk.  */
static bool
summed_beyond_p (const struct pg_plan *plan, tree value, basic_block from, bool around, unsigned n_steps)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      basic_block bb = gimple_bb (stmt);
      if (is_gimple_debug (stmt) || flow_bb_inside_loop_p (plan->loop, bb))
	continue;
      bool beyond = bb != from && dominated_by_p (CDI_DOMINATORS, bb, plan->loop->header)
		    && !dominated_by_p (CDI_DOMINATORS, from, plan->loop->header);
      if (pg_sum_p (stmt) && (around || beyond))
	return true;
      bool turn = is_a<gphi *> (stmt) && bb->loop_father->header == bb
		  && flow_bb_inside_loop_p (bb->loop_father, plan->loop->header);
      if (n_steps && (pg_sign_p (stmt) || is_a<gphi *> (stmt))
	  && summed_beyond_p (plan, gimple_get_lhs (stmt), from, around || turn, n_steps - 1))
	return true;
    }
  return false;
}

/* True if VALUE, made before the loop of PLAN, is used in it.  */
static bool
used_in_loop_p (const struct pg_plan *plan, tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    if (!is_gimple_debug (USE_STMT (use)) && flow_bb_inside_loop_p (plan->loop, gimple_bb (USE_STMT (use))))
      return true;
  return false;
}

/* A product of the function that would be fused with a sum if the loop of PLAN vanished; null if there is none.  */
static gimple *
product_apart (const struct pg_plan *plan)
{
  bool few = pg_few_turns_p (plan->loop), few_of_vectors = pg_few_vector_turns_p (plan->loop);
  bool tells = few_of_vectors && stores_p (plan->loop);
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  {
    if (!pg_fusable_p (name))
      continue;
    basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (name));
    bool outside = !flow_bb_inside_loop_p (plan->loop, bb);
    if (few || (outside && tells) || (outside && few_of_vectors && used_in_loop_p (plan, name))
	|| (outside && summed_beyond_p (plan, name, bb, false, 3)))
      return SSA_NAME_DEF_STMT (name);
  }
  return NULL;
}

/* A product of the loop.  */
struct product
{
  gassign *stmt;
  enum pg_fate fate;
};

/* What there is to know of a loop's products.  */
struct products
{
  auto_vec<struct product> all;
  gimple *uncertain; /* one whose fate is; null if there is none */
  gimple *summed;    /* one that goes into a sum; null if there is none */
  bool floats;       /* the loop has floating-point values at all */
  bool multiplies;   /* it has products that the target can fuse */
  bool accumulates;  /* some sum with a product adds to a value of the previous iteration or of memory */
  bool ordered;      /* the order of some products decides */
  bool shared;       /* some product is the same in all iterations of a loop around its own */
};

static void
find_products (const struct pg_plan *plan, struct products *products)
{
  const class loop *ordered_in = NULL;
  basic_block *body = get_loop_body_in_dom_order (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	tree lhs = is_gimple_assign (stmt) || is_gimple_call (stmt) ? gimple_get_lhs (stmt) : NULL_TREE;
	if (!lhs || !FLOAT_TYPE_P (TREE_TYPE (lhs)))
	  continue;
	products->floats = true;
	products->multiplies |= pg_target_fuses_p (lhs);
	if (!pg_fusable_p (lhs))
	  continue;
	bool accumulates = false;
	struct product product = { as_a<gassign *> (stmt), pg_fate_of (as_a<gassign *> (stmt), &accumulates) };
	products->all.safe_push (product);
	products->accumulates |= accumulates;
	if (product.fate != PG_FATE_APART)
	  {
	    products->summed = stmt;
	    products->shared |= !pg_varies_around_p (plan, product.stmt);
	  }
	if (product.fate == PG_FATE_UNCERTAIN || (accumulates && carried_beside_stores_p (plan, stmt)))
	  products->uncertain = stmt;
	if (product.fate != PG_FATE_ORDERED || ordered_in == body[i]->loop_father)
	  continue;
	products->ordered = true;
	ordered_in = body[i]->loop_father;
	if (!pg_order_certain_p (plan, body[i]->loop_father))
	  products->uncertain = stmt;
      }
  free (body);
}

/* True if the product STMT is stored where the loop stores again: the first store may be left out.  */
static bool
overwritten_p (const struct pg_plan *plan, gassign *stmt)
{
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, it, gimple_assign_lhs (stmt))
    for (const struct pg_plan_access &store : plan->accesses)
      if (store.is_store && store.stmt == USE_STMT (use))
	for (const struct pg_plan_access &other : plan->accesses)
	  if (other.is_store && other.ref == store.ref && other.stmt != store.stmt)
	    return true;
  return false;
}

/* True if numbers may tell that a store of PLAN and another reference to the same array do not meet.  The original's
   counters have known ranges, in which nothing wraps; F's begin anywhere.  */
static bool
numbers_tell_apart_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &store : plan->accesses)
    for (const struct pg_plan_access &other : plan->accesses)
      if (store.is_store && store.ref != other.ref && plan->refs[store.ref].group == plan->refs[other.ref].group
	  && refs_may_alias_p (other.operand, store.operand))
	return true;
  return false;
}

/* More products than this are not compared with each other.  */
static const unsigned max_products = 64;

/* A product that is fused or not by what else it may be made one with; null if there is none.  *BY_STORES is set if
   that depends on which stores to other arrays may come between.  */
static gimple *
twin (const struct pg_plan *plan, const struct products *products, bool *by_stores)
{
  if (products->all.length () > max_products)
    return products->all[max_products].stmt;
  bool by_numbers = numbers_tell_apart_p (plan);
  for (unsigned i = 0; i < products->all.length (); i++)
    {
      const struct product *a = &products->all[i];
      bool overwritten = a->fate == PG_FATE_APART && overwritten_p (plan, a->stmt);
      if (overwritten && by_numbers)
	return a->stmt;
      *by_stores |= overwritten;
      for (unsigned j = 0; j < i; j++)
	{
	  const struct product *b = &products->all[j];
	  if (a->fate == b->fate && a->fate != PG_FATE_ORDERED)
	    continue;
	  enum pg_twins twins = pg_twins (plan, a->stmt, b->stmt);
	  bool ordered = a->fate == PG_FATE_ORDERED || b->fate == PG_FATE_ORDERED;
	  bool one_block = gimple_bb (a->stmt) == gimple_bb (b->stmt);
	  if (twins == PG_TWINS_NO || (twins == PG_TWINS_SHIFTED && ordered))
	    continue;
	  if (twins == PG_TWINS_SHIFTED || !one_block || by_numbers)
	    return a->stmt;
	  *by_stores = true;
	}
    }
  return NULL;
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

/* True if for all that the compiler knows a store of PLAN may meet another group's reference.  */
static bool
stores_may_meet_others_p (const struct pg_plan *plan)
{
  for (const struct pg_plan_access &store : plan->accesses)
    for (const struct pg_plan_access &other : plan->accesses)
      if (store.is_store && plan->refs[store.ref].group != plan->refs[other.ref].group
	  && pg_store_may_reach_load (store.operand, other.operand) && refs_may_alias_p (other.operand, store.operand))
	return true;
  return false;
}

/* Where at least that many iterations are possible, for all that is known, none of GCC's decisions rests on them.  */
static const HOST_WIDE_INT many_iterations = 256;

/* True if sums that go on for long are fused in vectors, and not where the other iterations are run one by one.  */
static bool
width_decides_p ()
{
  machine_mode vector = targetm.vectorize.preferred_simd_mode (DFmode);
  return param_avoid_fma_max_bits && maybe_gt (GET_MODE_BITSIZE (vector), (unsigned) param_avoid_fma_max_bits);
}

/* True if a loop right inside PLAN's, with a sum that is kept in a register, has as many iterations each time.  */
static bool
sums_alike_p (const struct pg_plan *plan)
{
  for (class loop *inner = plan->loop->inner; inner; inner = inner->next)
    {
      tree n = number_of_latch_executions (inner);
      if (carries_floats_p (inner, false) && n != chrec_dont_know && expr_invariant_in_loop_p (plan->loop, n))
	return true;
    }
  return false;
}

/* True if GCC may take iterations of PLAN's loop together, or let it change places with the loop around it, by what it
   knows of the original only.  It does neither where references may meet, nor where loops inside differ from turn to
   turn.  */
static bool
joined_in_original_p (const struct pg_plan *plan, const struct products *products)
{
  class loop *loop = plan->loop;
  if (!(flag_tree_loop_vectorize || flag_unroll_jam || flag_loop_interchange) || !sums_alike_p (plan)
      || stores_may_meet_others_p (plan))
    return false;
  HOST_WIDE_INT most = likely_max_stmt_executions_int (loop);
  bool decided_here = TREE_CODE (plan->n_iters) == INTEGER_CST || (most >= 0 && most < many_iterations)
		      || (flag_loop_interchange && loop_depth (loop) > 1) || width_decides_p ();
  return decided_here || products->shared;
}

/* True if iterations of PLAN's loop that GCC takes together make a product once for all of them, apart from its sums:
   it may do so in one of the original and F only.  It does not where references may meet.  */
static bool
shared_in_vectors_p (const struct pg_plan *plan, const struct products *products)
{
  return products->shared && (flag_tree_loop_vectorize || flag_unroll_jam || flag_loop_interchange)
	 && !stores_may_meet_others_p (plan);
}

/* True if some loop in LOOP has several exits: then GCC does not take iterations of LOOP together, nor lets it change
   places with another one.  */
static bool
exits_inside_p (const class loop *loop)
{
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!single_exit (inner) || exits_inside_p (inner))
      return true;
  return false;
}

/* True if LOOP has calls beside the loops in it that touch memory.  */
static bool
calls_beside_p (class loop *loop)
{
  bool found = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && body[i]->loop_father == loop;
	 gsi_next (&gsi))
      found |= is_gimple_call (gsi_stmt (gsi)) && gimple_vuse (gsi_stmt (gsi));
  free (body);
  return found;
}

/* True if GCC may let PLAN's loop change places with the one around it, or take iterations of that together: of the
   original only, the guard is in the way.  It does neither where references may meet.  */
static bool
joined_around_p (const struct pg_plan *plan)
{
  class loop *around = loop_outer (plan->loop);
  if (!loop_outer (around) || plan->loop->next || around->inner != plan->loop || stores_may_meet_others_p (plan))
    return false;
  bool vectors = (flag_tree_loop_vectorize || flag_unroll_jam) && !plan->loop->inner;
  return !calls_beside_p (around) && (flag_loop_interchange || vectors);
}

/* True if no two sums of PLAN can be computed in one vector, side by side: it stores one value, and keeps none.  */
static bool
sums_alone_p (const struct pg_plan *plan)
{
  unsigned n_stores = 0;
  for (const struct pg_plan_access &access : plan->accesses)
    n_stores += access.is_store;
  return n_stores == 1 && !carries_floats_p (plan->loop, true) && !carries_floats_p (plan->loop, false);
}

bool
pg_judge_contraction (struct pg_plan *plan)
{
  struct products products = {};
  find_products (plan, &products);
  bool in_registers = products.summed && carries_floats_p (plan->loop, false);
  bool in_memory = products.summed && keeps_sums_in_memory_p (plan);
  plan->sums_in_registers = in_registers;
  plan->vectors_change_bits = products.ordered || in_registers || in_memory;
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
  bool by_stores = products.ordered;
  gimple *uncertain = products.uncertain;
  plan->fuses = products.multiplies;
  plan->sums_alone = sums_alone_p (plan);
  /* The original, whose count GCC does not know, is not vectorised, and F may be.  */
  if (pg_relies_on_loads_p (plan) && (plan->vectors_change_bits || products.accumulates || products.shared))
    uncertain = products.all[0].stmt;
  if (!uncertain)
    uncertain = twin (plan, &products, &by_stores);
  if (!uncertain && !products.all.is_empty () && !pg_rounding_can_compare_p ())
    uncertain = products.all[0].stmt;
  if (!uncertain)
    uncertain = product_apart (plan);
  if (!uncertain)
    uncertain = pg_copies_differ (plan);
  if (!uncertain && products.summed && !exits_inside_p (plan->loop)
      && (joined_around_p (plan) || shared_in_vectors_p (plan, &products)
	  || (in_registers && joined_in_original_p (plan, &products))))
    uncertain = products.summed;
  if (uncertain)
    return pg_refuse (plan, PG_WHY_FP_CONTRACT, uncertain);

  /* With disjoint groups a sum in memory may be kept in a register, and chains of sums are fused by other rules.  */
  if (by_stores || (products.accumulates && param_avoid_fma_max_bits))
    plan->build_noalias = plan->groups_apart = plan->build_doacross = false;
  plan->build_noalias &= !in_registers && !products.shared;
  plan->cut_columns &= !products.shared; /* they would leave the loop that becomes the innermost one */
  plan->keep_fused = in_memory;
  plan->groups_apart &= !in_memory && !products.shared;
  plan->build_doacross &= !in_registers;
  return true;
}
