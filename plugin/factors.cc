/* SPDX-License-Identifier: GPL-3.0-or-later
   Factors of floating-point products: what the compiler knows of them.  */

#include "factors.h"

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
