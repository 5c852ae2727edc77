/* SPDX-License-Identifier: GPL-3.0-or-later
   Copies of iterations that the compiler knows by number, and what it makes of their products.

   Vectors leave some iterations over.  Of a loop whose count is a constant they are copied one behind the other, each
   with its number, and stand in one piece of code with those of other loops and with what is between:

       for (i = 0; i < 1003; i++)	c[1000] = x[1000] * y[1000] + z[1000];	...
	 c[i] = x[i] * y[i] + z[i];
       for (i = 0; i < 1003; i++)
	 d[i] = x[i] * y[i] + w[i];	d[1000] = the same product + w[1000];

   A product that is made once for two blocks is fused in neither.  And what was stored as a constant is one where it is
   loaded: a product of two such is made by the compiler, and rounded.  F does not know its iterations by number, and
   code behind a guard is no piece of that code any more.  So none of this may be.

   In a copy, all loops but its own go on as before, so that values that depend on their iterations meet only those of
   the same iteration.  Both F and the original do that alike inside the loop of the plan.  */

#include "copies.h"
#include "fate.h"

/* Steps of a walk, after which the answer is the careful one.  */
static const unsigned max_steps = 1000;

/* A value in a copy of an iteration: its SSA version, and the number of the loop.  */
typedef hash_set<int_hash<HOST_WIDE_INT, -1, -2>> value_set;

/* A walk over what values are computed from.  */
struct walk
{
  class loop *known;            /* the one whose iteration is known by number */
  unsigned n_steps = max_steps; /* that are left */
  bool has_changed = true;      /* something more may be a constant */
  value_set seen, constant;
};

static bool foldable_p (tree value, struct walk *walk);

/* True if iterations of LOOP may be copied, with their numbers: the last ones, or all, where arrays bound them.  */
static bool
leaves_copies_p (class loop *loop)
{
  if (!loop_outer (loop))
    return false;
  bool vectors = flag_tree_loop_vectorize && loop_cost_model (loop) != VECT_COST_MODEL_VERY_CHEAP;
  return pg_few_turns_p (loop) || pg_few_vector_turns_p (loop)
	 || ((vectors || flag_predictive_commoning || flag_unroll_jam)
	     && TREE_CODE (number_of_latch_executions (loop)) == INTEGER_CST);
}

/* The innermost loop, of those around LOOP, on whose iteration VALUE depends; the function's if there is none, or that
   is not known.  SEEN are the SSA versions that were looked at.  */
static class loop *
belongs_to (tree value, const class loop *loop, bitmap seen)
{
  class loop *deepest = get_loop (cfun, 0);
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value)
      || !bitmap_set_bit (seen, SSA_NAME_VERSION (value)))
    return deepest;
  gimple *def = SSA_NAME_DEF_STMT (value);
  class loop *in = gimple_bb (def)->loop_father;
  if (is_a<gphi *> (def) && bb_loop_header_p (gimple_bb (def)) && in != loop)
    return flow_loop_nested_p (in, loop) ? in : deepest;
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, def, it, SSA_OP_USE)
    {
      class loop *one = belongs_to (USE_FROM_PTR (use), loop, seen);
      if (loop_depth (one) > loop_depth (deepest))
	deepest = one;
    }
  return deepest;
}

/* The same for all that STMT, of the loop or moved out of it, uses.  */
static class loop *
statement_belongs_to (gimple *stmt, const class loop *loop)
{
  class loop *deepest = get_loop (cfun, 0);
  auto_bitmap seen;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, it, SSA_OP_USE)
    {
      class loop *one = belongs_to (use, loop, seen);
      if (loop_depth (one) > loop_depth (deepest))
	deepest = one;
    }
  return deepest;
}

/* What is asked of stores that may reach a load.  */
struct stores
{
  struct walk *walk;
  basic_block load_bb;
  class loop *in;   /* of those in this loop */
  bool is_constant; /* one of them stores a constant */
};

/* Note if DEF stores a constant in a copy of an iteration: another one than 0 and 1, with which products are exact.  */
static bool
note_constant (ao_ref *ref, tree vdef, void *data)
{
  struct stores *stores = (struct stores *) data;
  struct walk *walk = stores->walk;
  gimple *def = SSA_NAME_DEF_STMT (vdef);
  basic_block bb = gimple_bb (def);
  bool is_behind = bb && bb != stores->load_bb && dominated_by_p (CDI_DOMINATORS, bb, stores->load_bb)
		   && !flow_bb_inside_loop_p (walk->known, bb);
  if (!bb || is_behind || !flow_bb_inside_loop_p (stores->in, bb))
    return false;
  walk->n_steps -= walk->n_steps != 0;
  bool is_constant = gimple_call_builtin_p (def, BUILT_IN_NORMAL);
  if (is_gimple_assign (def) && TREE_CODE (gimple_assign_rhs1 (def)) != CONSTRUCTOR)
    {
      tree value = gimple_assign_rhs1 (def);
      class loop *known = walk->known;
      walk->known = bb->loop_father;
      is_constant = !real_zerop (value) && !real_onep (value) && foldable_p (value, walk);
      walk->known = known;
    }
  stores->is_constant |= is_constant;
  return stmt_kills_ref_p (def, ref);
}

/* True if the load STMT may give a constant.  */
static bool
loads_constant_p (gimple *stmt, struct walk *walk)
{
  tree reference = gimple_assign_rhs1 (stmt), base = get_base_address (reference);
  if (base && VAR_P (base) && TREE_READONLY (base))
    return true;
  struct stores stores = { walk, gimple_bb (stmt), statement_belongs_to (stmt, walk->known), false };
  ao_ref ref;
  ao_ref_init (&ref, reference);
  return walk_aliased_vdefs (&ref, gimple_vuse (stmt), note_constant, &stores, NULL, NULL, max_steps) < 0
	 || stores.is_constant;
}

/* True if STMT, which defines a value, may compute a constant.  */
static bool
folds_p (gimple *stmt, struct walk *walk)
{
  if (gimple_assign_load_p (stmt) && gimple_vuse (stmt))
    return loads_constant_p (stmt, walk);
  if (gimple_vuse (stmt) || !(is_gimple_assign (stmt) || is_gimple_call (stmt)))
    return false;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, it, SSA_OP_USE)
    if (!foldable_p (use, walk))
      return false;
  return true;
}

/* True if PHI, in a loop's header, counts, or goes on otherwise from a constant, so that the number of the iteration is
   all that need be known, and is.  Another one that only begins with a constant is in no loop that is vectorised.  */
static bool
counts_p (gphi *phi, struct walk *walk)
{
  class loop *loop = gimple_bb (phi)->loop_father;
  if (loop != walk->known && !pg_few_turns_p (loop))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!foldable_p (gimple_phi_arg_def (phi, i), walk))
      return false;
  return true;
}

/* True if DEF, which is no default definition, may give a constant.  */
static bool
gives_constant_p (gimple *def, struct walk *walk)
{
  gphi *phi = dyn_cast<gphi *> (def);
  if (!phi)
    return folds_p (def, walk);
  if (bb_loop_header_p (gimple_bb (phi)))
    return counts_p (phi, walk);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (foldable_p (gimple_phi_arg_def (phi, i), walk))
      return true;
  return false;
}

/* True if VALUE may be a constant in the copy of an iteration that WALK says.  What loops carry is taken for one until
   it is known not to be, anything else only once it is known.  */
static bool
foldable_p (tree value, struct walk *walk)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value);
  if (walk->n_steps == 0)
    return true;
  if (SSA_NAME_IS_DEFAULT_DEF (value))
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  HOST_WIDE_INT key = (HOST_WIDE_INT) SSA_NAME_VERSION (value) * number_of_loops (cfun) + walk->known->num;
  if (walk->constant.contains (key))
    return true;
  if (walk->seen.add (key))
    return false;
  walk->n_steps--;
  bool is_carried = is_a<gphi *> (def) && bb_loop_header_p (gimple_bb (def));
  if (is_carried)
    walk->constant.add (key);
  bool is_constant = gives_constant_p (def, walk);
  if (is_carried && !is_constant)
    walk->constant.remove (key);
  if (is_constant)
    walk->constant.add (key);
  walk->has_changed |= is_constant;
  return is_constant;
}

/* True if the compiler may make PRODUCT itself, which it would not once a loop is behind a guard, or F: a guard calls
   what may store anything.  */
static bool
folds_away_p (gimple *product)
{
  struct walk walk;
  walk.known = gimple_bb (product)->loop_father;
  bool is_constant = false;
  while (walk.has_changed && !is_constant)
    {
      walk.has_changed = false;
      walk.seen.empty ();
      is_constant = foldable_p (gimple_assign_rhs1 (product), &walk);
      is_constant &= foldable_p (gimple_assign_rhs2 (product), &walk);
    }
  return is_constant;
}

static bool alike_p (tree a, tree b, unsigned *n_steps);

/* True if STMT's operands and those of OTHER may be the same, in this order or the other one.  */
static bool
operands_alike_p (gimple *stmt, gimple *other, unsigned *n_steps)
{
  unsigned n = gimple_num_ops (stmt);
  if (n != gimple_num_ops (other))
    return false;
  bool same = true, swapped = n == 3 && is_gimple_assign (stmt);
  for (unsigned i = is_gimple_call (stmt) ? 3 : 1; same && i < n; i++)
    same = alike_p (gimple_op (stmt, i), gimple_op (other, i), n_steps);
  return same
	 || (swapped && alike_p (gimple_op (stmt, 1), gimple_op (other, 2), n_steps)
	     && alike_p (gimple_op (stmt, 2), gimple_op (other, 1), n_steps));
}

/* True if values A and B may be the same in copies of iterations.  */
static bool
alike_p (tree a, tree b, unsigned *n_steps)
{
  if (operand_equal_p (a, b, 0) || *n_steps == 0)
    return true;
  --*n_steps;
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME || !types_compatible_p (TREE_TYPE (a), TREE_TYPE (b)))
    return false;
  if (INTEGRAL_TYPE_P (TREE_TYPE (a)))
    return true;
  gimple *def_a = SSA_NAME_DEF_STMT (a), *def_b = SSA_NAME_DEF_STMT (b);
  bool loads_a = gimple_assign_load_p (def_a), loads_b = gimple_assign_load_p (def_b);
  if (loads_a && loads_b)
    return refs_may_alias_p (gimple_assign_rhs1 (def_a), gimple_assign_rhs1 (def_b));
  if (is_a<gphi *> (def_a) || is_a<gphi *> (def_b))
    return true;
  if (gimple_code (def_a) != gimple_code (def_b) || loads_a || loads_b)
    return false;
  if (is_gimple_assign (def_a))
    return gimple_assign_rhs_code (def_a) == gimple_assign_rhs_code (def_b) && operands_alike_p (def_a, def_b, n_steps);
  return is_gimple_call (def_a) && gimple_call_same_target_p (def_a, def_b) && operands_alike_p (def_a, def_b, n_steps);
}

/* True if STMT may be copied together with others.  */
static bool
copied_p (gimple *stmt)
{
  class loop *loop = gimple_bb (stmt)->loop_father;
  return !loop_outer (loop) || leaves_copies_p (loop);
}

static bool
inside_p (const struct pg_plan *plan, gimple *stmt)
{
  return flow_bb_inside_loop_p (plan->loop, gimple_bb (stmt));
}

static enum pg_fate
fate_of (gimple *product)
{
  bool accumulates = false;
  return pg_fate_of (as_a<gassign *> (product), &accumulates);
}

/* True if some sum takes PRODUCT.  */
static bool
summed_p (gimple *product)
{
  return fate_of (product) != PG_FATE_APART;
}

/* True if a factor of PRODUCT may be what PLAN's loop touches.  Where it need not be loaded, a copy of PRODUCT is made
   earlier, and the order of products may decide which of them are fused.  */
static bool
takes_what_is_touched_p (const struct pg_plan *plan, gimple *product)
{
  for (unsigned i = 1; i <= 2; i++)
    {
      tree factor = gimple_op (product, i);
      gimple *load = TREE_CODE (factor) == SSA_NAME ? SSA_NAME_DEF_STMT (factor) : NULL;
      if (!load || !gimple_assign_load_p (load))
	continue;
      for (const struct pg_plan_access &access : plan->accesses)
	if (refs_may_alias_p (gimple_assign_rhs1 (load), access.operand))
	  return true;
    }
  return false;
}

/* More products than this are not compared.  */
static const unsigned max_products = 64;

/* Where STMT is in the order of code: where its loop begins, if it is in one.  */
static basic_block
place_of (gimple *stmt)
{
  basic_block bb = gimple_bb (stmt);
  return loop_outer (bb->loop_father) ? bb->loop_father->header : bb;
}

/* True if one of STMT and OTHER comes before the other one, whatever is between.  */
static bool
in_order_p (gimple *stmt, gimple *other)
{
  basic_block a = place_of (stmt), b = place_of (other);
  return dominated_by_p (CDI_DOMINATORS, a, b) || dominated_by_p (CDI_DOMINATORS, b, a);
}

/* True if PRODUCT may be made once together with another one of PRODUCTS, beyond PLAN's loop or across it, in what
   belongs to one iteration of BELONGS.  */
static bool
meets_others_p (const struct pg_plan *plan, gimple *product, const class loop *belongs, const vec<gimple *> &products)
{
  const class loop *own = inside_p (plan, product) ? plan->loop : gimple_bb (product)->loop_father;
  for (gimple *other : products)
    {
      unsigned n_steps = max_steps;
      bool is_elsewhere = other != product && !(loop_outer (own) && flow_bb_inside_loop_p (own, gimple_bb (other)));
      if (is_elsewhere && flow_bb_inside_loop_p (belongs, gimple_bb (other)) && in_order_p (product, other)
	  && (summed_p (product) || summed_p (other)) && operands_alike_p (product, other, &n_steps))
	return true;
    }
  return false;
}

gimple *
pg_copies_differ (const struct pg_plan *plan)
{
  auto_vec<gimple *> products;
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  if (pg_fusable_p (name) && copied_p (SSA_NAME_DEF_STMT (name)))
    products.safe_push (SSA_NAME_DEF_STMT (name));
  for (gimple *product : products)
    {
      class loop *belongs = statement_belongs_to (product, gimple_bb (product)->loop_father);
      if (!flow_bb_inside_loop_p (belongs, plan->loop->header) || belongs == plan->loop)
	continue; /* it meets nothing beyond the loop that is handed over */
      bool is_inside = inside_p (plan, product);
      if (products.length () > max_products || (summed_p (product) && folds_away_p (product))
	  || meets_others_p (plan, product, belongs, products)
	  || (!is_inside && leaves_copies_p (plan->loop) && fate_of (product) > PG_FATE_FUSED
	      && takes_what_is_touched_p (plan, product)))
	return product;
    }
  return NULL;
}
