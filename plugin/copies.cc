/* SPDX-License-Identifier: GPL-3.0-or-later
   Copies of iterations that the compiler knows by number, as far as they cannot be looked at once it is done
   (rounding.h).  Vectors leave some iterations over, and of a loop whose count is a constant these are copied one
   behind the other, each with its number:

       for (i = 0; i < 1003; i++)	c[1000] = x[1000] * y[1000] + z[1000];	...
	 c[i] = x[i] * y[i] + z[i];

   A product of constants is made by the compiler, and rounded: what was stored as a constant is one where it is loaded.
   And where the sum is a constant, too, nothing of it is left.  Nor is if some other sum is the same, whose product is
   made apart since it is used elsewhere, too:

       t = x[1002] * y[1002];		c[1002] = s;
       s = t + z[1002];

   F does not know its iterations by number, and fuses.  */

#include "forms.h"
#include "judge.h"
#include "products.h"
#include "rehearse.h"
#include "rounding.h"

/* Steps of a walk, after which the answer is the careful one.  */
static const unsigned max_steps = 1000;

/* A value in a copy of an iteration: its SSA version, and the number of the loop.  */
typedef hash_set<int_hash<HOST_WIDE_INT, -1, -2>> value_set;

/* A walk over what values are computed from.  */
struct fold_walk
{
  class loop *known;            /* the one whose iteration is known by number */
  unsigned n_steps = max_steps; /* that are left */
  bool has_changed = true;      /* something more may be a constant */
  value_set seen, constant;
};

static bool foldable_p (tree value, struct fold_walk *walk);

/* True if LOOP may be unrolled until no loop is left, once it is vectorised.  */
static bool
few_vector_turns_p (class loop *loop)
{
  machine_mode vector = targetm.vectorize.preferred_simd_mode (SFmode);
  return !loop->inner && flag_tree_loop_vectorize
	 && pg_few_turns_p (loop, constant_lower_bound (GET_MODE_SIZE (vector)) / GET_MODE_SIZE (SFmode));
}

bool
pg_leaves_copies_p (class loop *loop)
{
  if (!loop_outer (loop))
    return false;
  bool vectors = flag_tree_loop_vectorize && loop_cost_model (loop) != VECT_COST_MODEL_VERY_CHEAP;
  return pg_few_turns_p (loop, 1) || few_vector_turns_p (loop)
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
  struct fold_walk *walk;
  basic_block load_bb;
  class loop *in;   /* of those in this loop */
  bool is_constant; /* one of them stores a constant */
};

/* True if products by VALUE, a constant, are exact.  */
static bool
harmless_p (tree value)
{
  return real_zerop (value) || real_onep (value);
}

/* Note if DEF stores a constant in a copy of an iteration.  */
static bool
note_constant (ao_ref *ref, tree vdef, void *data)
{
  struct stores *stores = (struct stores *) data;
  struct fold_walk *walk = stores->walk;
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
      is_constant = !harmless_p (value) && foldable_p (value, walk);
      walk->known = known;
    }
  stores->is_constant |= is_constant;
  return stmt_kills_ref_p (def, ref);
}

/* True if the load STMT may give a constant.  */
static bool
loads_constant_p (gimple *stmt, struct fold_walk *walk)
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
folds_p (gimple *stmt, struct fold_walk *walk)
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
counts_p (gphi *phi, struct fold_walk *walk)
{
  class loop *loop = gimple_bb (phi)->loop_father;
  if (loop != walk->known && !pg_few_turns_p (loop, 1))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!foldable_p (gimple_phi_arg_def (phi, i), walk))
      return false;
  return true;
}

/* True if DEF, which is no default definition, may give a constant.  */
static bool
gives_constant_p (gimple *def, struct fold_walk *walk)
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
foldable_p (tree value, struct fold_walk *walk)
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

/* True if the compiler may make PRODUCT itself.  */
static bool
folds_away_p (gimple *product)
{
  struct fold_walk walk;
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

/* True if STMT may be copied, with the number of its iteration.  */
static bool
copied_p (gimple *stmt)
{
  class loop *loop = gimple_bb (stmt)->loop_father;
  return !loop_outer (loop) || pg_leaves_copies_p (loop);
}

/* True if SUM is one of a product that may be fused.  */
static bool
sum_of_product_p (gimple *sum)
{
  return pg_sum_p (sum)
	 && (pg_fusable_p (pg_strip_negation (gimple_assign_rhs1 (sum)))
	     || pg_fusable_p (pg_strip_negation (gimple_assign_rhs2 (sum))));
}

/* True if SUM goes on from what its loop made in other iterations, as no other sum does.  */
static bool
goes_on_p (gimple *sum)
{
  class loop *loop = gimple_bb (sum)->loop_father;
  for (unsigned i = 1; i <= 2; i++)
    {
      tree operand = gimple_op (sum, i);
      gphi *phi = TREE_CODE (operand) == SSA_NAME ? dyn_cast<gphi *> (SSA_NAME_DEF_STMT (operand)) : NULL;
      if (phi && gimple_bb (phi) == loop->header && loop_outer (loop) && !pg_few_turns_p (loop, 1))
	return true;
    }
  return false;
}

/* True if SUM may be compiled with its product apart, in some place, as the function stands.  */
static bool
apart_somewhere_p (gimple *sum)
{
  if (pg_rehearsal_open_p ())
    return true;
  struct pg_rounded rounded = pg_rounding_of (sum);
  return rounded.mark && pg_forms_at (rounded.mark)->plain.form != PG_SUM_UNSEEN
	 && pg_rounding_taken_in (&rounded) <= 0;
}

/* True if SUM may be compiled with its product taken in, wherever it is, as the function stands.  */
static bool
fused_everywhere_p (gimple *sum)
{
  struct pg_rounded rounded = pg_rounding_of (sum);
  return pg_rehearsal_open_p () || pg_rounding_taken_in (&rounded) > 0;
}

/* True if a copy of SUM, which is fused, may be one with another sum of the function, which is not.  */
static bool
meets_other_p (gimple *sum)
{
  if (!fused_everywhere_p (sum) || goes_on_p (sum))
    return false;
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  {
    gimple *other = SSA_NAME_DEF_STMT (name);
    if (gimple_bb (other) && gimple_bb (other)->loop_father != gimple_bb (sum)->loop_father
	&& types_compatible_p (TREE_TYPE (name), TREE_TYPE (gimple_assign_lhs (sum))) && sum_of_product_p (other)
	&& apart_somewhere_p (other) && !goes_on_p (other) && copied_p (other))
      return true;
  }
  return false;
}

/* True if STMT is a product, or a sum of one, that copies of iterations may round otherwise.  */
static bool
differs_p (gimple *stmt)
{
  if (!is_gimple_assign (stmt) || !copied_p (stmt))
    return false;
  if (sum_of_product_p (stmt))
    return meets_other_p (stmt);
  return pg_fusable_p (gimple_assign_lhs (stmt)) && pg_summed_p (gimple_assign_lhs (stmt)) && folds_away_p (stmt);
}

gimple *
pg_copies_differ (const struct pg_plan *plan)
{
  gimple *found = NULL;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !found; gsi_next (&gsi))
      if (differs_p (gsi_stmt (gsi)))
	found = gsi_stmt (gsi);
  free (body);
  return found;
}
