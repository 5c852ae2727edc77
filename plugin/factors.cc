/* SPDX-License-Identifier: GPL-3.0-or-later
   Factors of floating-point products: what the compiler knows of them, or may come to know.  */

#include "factors.h"

/* Steps of a walk over expressions, after which the answer is the one that costs least to be wrong about.  */
static const unsigned max_steps = 200;

/* A walk over what values are computed from.  */
struct walk
{
  auto_vec<gphi *> open; /* of loops' headers, assumed to be foldable */
  unsigned n_steps;
};

static bool foldable_p (tree value, struct walk *walk);

/* True if STMT, which defines a value, computes a constant from constants.  */
static bool
folds_p (gimple *stmt, struct walk *walk)
{
  bool reads = gimple_vuse (stmt);
  if (reads && gimple_assign_load_p (stmt))
    {
      tree base = get_base_address (gimple_assign_rhs1 (stmt));
      reads = !(base && VAR_P (base) && TREE_READONLY (base));
    }
  if (reads || !(is_gimple_assign (stmt) || is_gimple_call (stmt)))
    return false;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, it, SSA_OP_USE)
    if (!foldable_p (use, walk))
      return false;
  return true;
}

/* True if PHI, in a loop's header, counts, or goes on otherwise from a constant, so that its number of iterations is all
   that need be known.  Another one that only begins with a constant is in no loop that is vectorised.  */
static bool
counts_p (gphi *phi, struct walk *walk)
{
  if (walk->open.contains (phi))
    return true;
  walk->open.safe_push (phi);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!foldable_p (gimple_phi_arg_def (phi, i), walk))
      return false;
  return true;
}

/* True if VALUE is a constant in iterations whose numbers are known.  */
static bool
foldable_p (tree value, struct walk *walk)
{
  if (TREE_CODE (value) != SSA_NAME || walk->n_steps == 0)
    return true;
  walk->n_steps--;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (SSA_NAME_IS_DEFAULT_DEF (value))
    return false;
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

bool
pg_foldable_p (gimple *product)
{
  struct walk walk = { {}, max_steps };
  return foldable_p (gimple_assign_rhs1 (product), &walk) && foldable_p (gimple_assign_rhs2 (product), &walk);
}

/* More bits than any float has.  */
static const unsigned too_many_bits = 1000;

/* The bits of the integers in RANGE, without their signs.  */
static unsigned
bits_of (const value_range &range)
{
  if (range.undefined_p () || !range.constant_p () || range.kind () != VR_RANGE)
    return too_many_bits;
  return MAX (wi::min_precision (wi::abs (range.lower_bound ()), UNSIGNED),
	      wi::min_precision (range.upper_bound (), UNSIGNED));
}

/* If VALUE is always a whole number, the bits that it takes at most, without its sign; else too many.  N_STEPS bounds
   the walk.  */
static unsigned
whole_bits (tree value, unsigned n_steps)
{
  if (TREE_CODE (value) == REAL_CST)
    {
      wide_int integer;
      bool fails = false;
      REAL_VALUE_TYPE rounded;
      real_trunc (&rounded, TYPE_MODE (TREE_TYPE (value)), &TREE_REAL_CST (value));
      integer = real_to_integer (&rounded, &fails, 64);
      return !fails && real_identical (&rounded, &TREE_REAL_CST (value))
	       ? wi::min_precision (wi::abs (integer), UNSIGNED)
	       : too_many_bits;
    }
  if (TREE_CODE (value) != SSA_NAME || n_steps == 0 || !is_gimple_assign (SSA_NAME_DEF_STMT (value)))
    return too_many_bits;
  gimple *def = SSA_NAME_DEF_STMT (value);
  tree first = gimple_assign_rhs1 (def), second = gimple_assign_rhs2 (def);
  value_range range;
  switch (gimple_assign_rhs_code (def))
    {
    case FLOAT_EXPR:
      return TREE_CODE (first) == SSA_NAME && get_global_range_query ()->range_of_expr (range, first) ? bits_of (range)
												      : too_many_bits;
    case NEGATE_EXPR:
      return whole_bits (first, n_steps - 1);
    case MULT_EXPR:
      return whole_bits (first, n_steps - 1) + whole_bits (second, n_steps - 1);
    case PLUS_EXPR:
    case MINUS_EXPR:
      return MAX (whole_bits (first, n_steps - 1), whole_bits (second, n_steps - 1)) + 1;
    default:
      return too_many_bits;
    }
}

bool
pg_exact_p (gimple *product)
{
  tree value = gimple_assign_lhs (product);
  if (!SCALAR_FLOAT_TYPE_P (TREE_TYPE (value)))
    return false;
  return whole_bits (value, 4) <= (unsigned) REAL_MODE_FORMAT (TYPE_MODE (TREE_TYPE (value)))->p;
}
