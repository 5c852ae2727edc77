/* SPDX-License-Identifier: GPL-3.0-or-later
   What a loop tests at its exit:

       for (j = i + 1; j < n; j += 2)	goes on while j, which is i + 1 at first and 2 more each time, < n

   GCC's own count says how often the test holds, modulo 2^precision; who needs the two ends as they are asks here.  */

#include "judge.h"

bool
pg_find_exit_test (class loop *loop, edge exit, struct pg_exit_test *test)
{
  gcond *cond = safe_dyn_cast<gcond *> (last_stmt (exit->src));
  affine_iv end;
  if (!cond || !simple_iv (loop, loop, gimple_cond_lhs (cond), &test->value, true)
      || !simple_iv (loop, loop, gimple_cond_rhs (cond), &end, true))
    return false;
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
  return integer_zerop (end.step) && !integer_zerop (test->value.step);
}
