/* SPDX-License-Identifier: GPL-3.0-or-later
   What a loop tests at its exit:

       for (j = i + 1; j < n; j += 2)	goes on while j, which is i + 1 at first and 2 more each time, < n

       for (j = 0; j < m->n; j++)	goes on while j < m->n: what is loaded then

   GCC's own count says how often the test holds, modulo 2^precision, and of the second loop nothing; who needs the two
   ends as they are asks here.  */

#include "judge.h"

/* Set *IV to what is known of VALUE in LOOP.  False: it is no function of the iteration's number, for all that is
   known, and *IV is VALUE itself.  */
static bool
follow (class loop *loop, tree value, affine_iv *iv)
{
  if (simple_iv (loop, loop, value, iv, true))
    return true;
  *iv = { value, build_zero_cst (INTEGRAL_TYPE_P (TREE_TYPE (value)) ? TREE_TYPE (value) : sizetype), false };
  return false;
}

bool
pg_find_exit_test (class loop *loop, edge exit, struct pg_exit_test *test)
{
  gcond *cond = safe_dyn_cast<gcond *> (last_stmt (exit->src));
  affine_iv end;
  if (!cond)
    return false;
  bool is_known = follow (loop, gimple_cond_lhs (cond), &test->value);
  is_known &= follow (loop, gimple_cond_rhs (cond), &end);
  test->code = gimple_cond_code (cond);
  if (exit->flags & EDGE_TRUE_VALUE)
    test->code = invert_tree_comparison (test->code, false);
  if (integer_zerop (test->value.step))
    {
      test->code = swap_tree_comparison (test->code);
      std::swap (test->value, end);
    }
  test->type = TREE_TYPE (gimple_cond_lhs (cond));
  test->end = end.base;
  test->is_loaded = !is_known;
  return integer_zerop (end.step) && !integer_zerop (test->value.step);
}
