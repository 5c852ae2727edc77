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
  class loop *known;         /* the one whose iteration is known by number */
  bool zero_matters = false; /* 0 is a constant of note, and 1 */
  bool one_matters = false;
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

/* True if VALUE is a constant that WALK is not about.  */
static bool
harmless_p (tree value, const struct walk *walk)
{
  return (real_zerop (value) && !walk->zero_matters) || (real_onep (value) && !walk->one_matters);
}

/* Note if DEF stores a constant in a copy of an iteration.  */
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
      is_constant = !harmless_p (value, walk) && foldable_p (value, walk);
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
   what may store anything.  Products by 0 and 1 are exact.  */
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

/* Pairs of SSA versions.  */
typedef hash_set<int_hash<HOST_WIDE_INT, -1, -2>> pair_set;

/* Steps of all comparisons of a function, after which values are alike.  */
static const unsigned max_all_steps = 50000;

/* What values of a function may come from.  */
struct sources
{
  auto_vec<gimple *> stores;        /* all that define memory */
  unsigned n_steps = max_all_steps; /* that are left */
};

/* What is asked of values in copies of iterations.  */
struct comparison
{
  struct sources *sources;
  bool has_changed = true; /* something more may be alike */
  pair_set seen, alike;

  comparison (struct sources *all) : sources (all)
  {
  }
};

/* True if a step can be taken.  */
static bool
step (struct comparison *comparison)
{
  bool can_step = comparison->sources->n_steps > 0;
  comparison->sources->n_steps -= can_step;
  return can_step;
}

static bool alike_p (tree a, tree b, struct comparison *comparison);

/* True if STMT's operands and those of OTHER may be the same, in this order or the other one.  */
static bool
operands_alike_p (gimple *stmt, gimple *other, struct comparison *comparison)
{
  unsigned n = gimple_num_ops (stmt);
  if (n != gimple_num_ops (other))
    return false;
  bool same = true, swapped = n == 3 && is_gimple_assign (stmt);
  for (unsigned i = is_gimple_call (stmt) ? 3 : 1; same && i < n; i++)
    same = alike_p (gimple_op (stmt, i), gimple_op (other, i), comparison);
  return same
	 || (swapped && alike_p (gimple_op (stmt, 1), gimple_op (other, 2), comparison)
	     && alike_p (gimple_op (stmt, 2), gimple_op (other, 1), comparison));
}

/* What the address of REFERENCE is computed from: a pointer, or a variable.  */
static tree
root_of (tree reference)
{
  tree root = get_base_address (reference);
  if (root && TREE_CODE (root) == MEM_REF)
    root = TREE_OPERAND (root, 0);
  while (root && TREE_CODE (root) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (root)))
    {
      gimple *def = SSA_NAME_DEF_STMT (root);
      if (gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR && !gimple_assign_ssa_name_copy_p (def))
	break;
      root = gimple_assign_rhs1 (def);
    }
  if (root && TREE_CODE (root) == ADDR_EXPR)
    root = get_base_address (TREE_OPERAND (root, 0));
  return root;
}

/* True if the pointer VALUE is compared with another one: where they are equal, one may stand for the other.  */
static bool
compared_p (tree value)
{
  imm_use_iterator it;
  use_operand_p use;
  if (TREE_CODE (value) != SSA_NAME)
    return false;
  FOR_EACH_IMM_USE_FAST (use, it, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_a<gcond *> (stmt) && !integer_zerop (gimple_cond_rhs (stmt)))
	return true;
      if (is_gimple_assign (stmt) && TREE_CODE_CLASS (gimple_assign_rhs_code (stmt)) == tcc_comparison)
	return true;
    }
  return false;
}

/* True if the pointer or variable ROOT is itself, and no other one: a parameter, or what a call made.  */
static bool
own_p (tree root)
{
  if (TREE_CODE (root) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (root))
    return true;
  const gcall *call = dyn_cast<const gcall *> (SSA_NAME_DEF_STMT (root));
  return call && gimple_vdef (call) && !(gimple_call_return_flags (call) & ERF_RETURNS_ARG);
}

/* True if A may be where B is for all that the compiler may know: not if what their addresses are computed from may
   only happen to be the same.  What types say does not count: the compiler sees where they are wrong.  */
static bool
same_place_p (tree a, tree b, struct comparison *comparison)
{
  if (!refs_may_alias_p (a, b, false))
    return false;
  tree from_a = root_of (a), from_b = root_of (b);
  if (!from_a || !from_b || operand_equal_p (from_a, from_b, 0) || compared_p (from_a) || compared_p (from_b))
    return true;
  return !(own_p (from_a) && own_p (from_b))
	 && (TREE_CODE (from_a) != SSA_NAME || TREE_CODE (from_b) != SSA_NAME || alike_p (from_a, from_b, comparison));
}

/* True if STMT copies memory.  */
static bool
copies_memory_p (gimple *stmt)
{
  return gimple_call_builtin_p (stmt, BUILT_IN_MEMCPY) || gimple_call_builtin_p (stmt, BUILT_IN_MEMMOVE)
	 || gimple_call_builtin_p (stmt, BUILT_IN_MEMPCPY)
	 || (gimple_assign_single_p (stmt) && !is_gimple_reg_type (TREE_TYPE (gimple_assign_lhs (stmt))));
}

/* True if values A and B are of one type, or are floating-point numbers.  */
static bool
comparable_p (tree a, tree b)
{
  return types_compatible_p (TREE_TYPE (a), TREE_TYPE (b))
	 || (SCALAR_FLOAT_TYPE_P (TREE_TYPE (a)) && SCALAR_FLOAT_TYPE_P (TREE_TYPE (b)));
}

/* True if what LOAD gives may be B because that was stored there.  */
static bool
may_give_p (gimple *load, tree b, struct comparison *comparison)
{
  for (gimple *store : comparison->sources->stores)
    {
      if (!step (comparison) || copies_memory_p (store))
	return true;
      if (!gimple_assign_single_p (store)
	  || !same_place_p (gimple_assign_rhs1 (load), gimple_assign_lhs (store), comparison))
	continue;
      tree value = gimple_assign_rhs1 (store);
      if (!comparable_p (value, b) || alike_p (value, b, comparison))
	return true;
    }
  return false;
}

/* VALUE without its sign, and in the precision that it was made in.  */
static tree
magnitude (tree value)
{
  while (TREE_CODE (value) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (value)))
    {
      gimple *def = SSA_NAME_DEF_STMT (value);
      tree from = gimple_assign_rhs1 (def);
      bool is_rounded = gimple_assign_cast_p (def) && SCALAR_FLOAT_TYPE_P (TREE_TYPE (value))
			&& TREE_CODE (from) == SSA_NAME && SCALAR_FLOAT_TYPE_P (TREE_TYPE (from));
      if (!pg_sign_p (def) && !is_rounded)
	break;
      value = from;
    }
  return value;
}

/* True if VALUE may be a constant where it is copied: another one than 0 unless ZERO_MATTERS, and so of 1.  */
static bool
may_be_constant_p (tree value, bool zero_matters, bool one_matters)
{
  struct walk walk;
  bool is_name = TREE_CODE (value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF (value);
  walk.known = is_name ? gimple_bb (SSA_NAME_DEF_STMT (value))->loop_father : get_loop (cfun, 0);
  walk.zero_matters = zero_matters;
  walk.one_matters = one_matters;
  bool is_constant = false;
  while (walk.has_changed && !is_constant)
    {
      walk.has_changed = false;
      walk.seen.empty ();
      is_constant = foldable_p (value, &walk);
    }
  return is_constant;
}

/* True if DEF may be B since it adds nothing, or multiplies or divides by one.  */
static bool
changes_nothing_p (gimple *def, tree b, struct comparison *comparison)
{
  tree_code code = is_gimple_assign (def) ? gimple_assign_rhs_code (def) : ERROR_MARK;
  if (code == COND_EXPR || code == MIN_EXPR || code == MAX_EXPR)
    return true;
  if (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR && code != RDIV_EXPR)
    return false;
  bool adds = code == PLUS_EXPR || code == MINUS_EXPR;
  for (unsigned i = 1; i <= 2; i++)
    if (alike_p (gimple_op (def, i), b, comparison) && may_be_constant_p (gimple_op (def, 3 - i), adds, !adds))
      return true;
  return false;
}

/* True if DEF takes the bits of a value for those of another type.  */
static bool
reinterprets_p (gimple *def)
{
  tree_code code = is_gimple_assign (def) ? gimple_assign_rhs_code (def) : ERROR_MARK;
  return code == VIEW_CONVERT_EXPR || code == BIT_FIELD_REF;
}

/* True if A and B, which are different SSA names, may be the same in copies of iterations.  */
static bool
names_alike_p (tree a, tree b, struct comparison *comparison)
{
  gimple *def_a = SSA_NAME_DEF_STMT (a), *def_b = SSA_NAME_DEF_STMT (b);
  bool loads_a = gimple_assign_load_p (def_a), loads_b = gimple_assign_load_p (def_b);
  if (is_a<gphi *> (def_a) || is_a<gphi *> (def_b) || reinterprets_p (def_a) || reinterprets_p (def_b))
    return true;
  if (loads_a && loads_b && refs_may_alias_p (gimple_assign_rhs1 (def_a), gimple_assign_rhs1 (def_b)))
    return true;
  if ((loads_a && may_give_p (def_a, b, comparison)) || (loads_b && may_give_p (def_b, a, comparison))
      || changes_nothing_p (def_a, b, comparison) || changes_nothing_p (def_b, a, comparison))
    return true;
  if (loads_a || loads_b || gimple_code (def_a) != gimple_code (def_b) || gimple_vdef (def_a))
    return false;
  if (is_gimple_assign (def_a))
    return gimple_assign_rhs_code (def_a) == gimple_assign_rhs_code (def_b)
	   && operands_alike_p (def_a, def_b, comparison);
  return is_gimple_call (def_a) && gimple_call_same_target_p (def_a, def_b)
	 && operands_alike_p (def_a, def_b, comparison);
}

/* True if values A and B, but for their signs, may be the same in copies of iterations.  */
static bool
alike_p (tree a, tree b, struct comparison *comparison)
{
  a = magnitude (a);
  b = magnitude (b);
  if (operand_equal_p (a, b, 0) || !step (comparison))
    return true;
  if (!comparable_p (a, b))
    return false;
  if (is_gimple_min_invariant (a))
    std::swap (a, b);
  if (is_gimple_min_invariant (b))
    return TREE_CODE (a) == SSA_NAME && gimple_assign_load_p (SSA_NAME_DEF_STMT (a))
	   && may_give_p (SSA_NAME_DEF_STMT (a), b, comparison);
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME || INTEGRAL_TYPE_P (TREE_TYPE (a)))
    return true;
  HOST_WIDE_INT key = (HOST_WIDE_INT) SSA_NAME_VERSION (a) * num_ssa_names + SSA_NAME_VERSION (b);
  if (comparison->alike.contains (key))
    return true;
  if (comparison->seen.add (key))
    return false; /* for all that is known yet */
  bool is_alike = names_alike_p (a, b, comparison);
  if (is_alike)
    comparison->alike.add (key);
  comparison->has_changed |= is_alike;
  return is_alike;
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

/* True if PRODUCT and OTHER may be the same, but for the sign.  */
static bool
one_product_p (gimple *product, gimple *other, struct sources *sources)
{
  struct comparison comparison (sources);
  bool is_one = false;
  while (comparison.has_changed && !is_one)
    {
      comparison.has_changed = false;
      comparison.seen.empty ();
      is_one = operands_alike_p (product, other, &comparison);
    }
  return is_one;
}

/* True if PRODUCT may be made once together with another one of PRODUCTS, beyond PLAN's loop or across it, in what
   belongs to one iteration of BELONGS.  */
static bool
meets_others_p (const struct pg_plan *plan, gimple *product, const class loop *belongs, const vec<gimple *> &products,
		struct sources *sources)
{
  const class loop *own = inside_p (plan, product) ? plan->loop : gimple_bb (product)->loop_father;
  for (gimple *other : products)
    {
      bool is_elsewhere = other != product && !(loop_outer (own) && flow_bb_inside_loop_p (own, gimple_bb (other)));
      if (is_elsewhere && flow_bb_inside_loop_p (belongs, gimple_bb (other)) && in_order_p (product, other)
	  && (summed_p (product) || summed_p (other)) && one_product_p (product, other, sources))
	return true;
    }
  return false;
}

/* Find what may store a value of its own in the function.  */
static void
find_stores (vec<gimple *> *stores)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_vdef (gsi_stmt (gsi)) && !gimple_clobber_p (gsi_stmt (gsi)))
	stores->safe_push (gsi_stmt (gsi));
}

gimple *
pg_copies_differ (const struct pg_plan *plan)
{
  auto_vec<gimple *> products;
  struct sources sources;
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  if (pg_fusable_p (name) && copied_p (SSA_NAME_DEF_STMT (name)))
    products.safe_push (SSA_NAME_DEF_STMT (name));
  if (!products.is_empty ())
    find_stores (&sources.stores);
  for (gimple *product : products)
    {
      class loop *belongs = statement_belongs_to (product, gimple_bb (product)->loop_father);
      if (!flow_bb_inside_loop_p (belongs, plan->loop->header) || belongs == plan->loop)
	continue; /* it meets nothing beyond the loop that is handed over */
      bool is_inside = inside_p (plan, product);
      if (products.length () > max_products || (summed_p (product) && folds_away_p (product))
	  || meets_others_p (plan, product, belongs, products, &sources)
	  || (!is_inside && leaves_copies_p (plan->loop) && fate_of (product) > PG_FATE_FUSED
	      && takes_what_is_touched_p (plan, product)))
	return product;
    }
  return NULL;
}
