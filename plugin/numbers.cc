/* SPDX-License-Identifier: GPL-3.0-or-later
   The numbers of SSA names.

   GCC orders the operands of what is commutative, and of comparisons, by the numbers of their names.  If-conversion and
   vectorisation go by that order, and so does what is fused, in the end: a copy of a loop is compiled to other code
   than the loop, as its names were made in another order.  When a loop is outlined its statements go to F, and a copy
   is the original from then on.  So the copy gets the numbers.  What had been the loop's names are on the list of free
   ones by then, or have yet to be put there.  */

#include "numbers.h"

/* Note that what DEF defines, if it is a name, is defined by COPY in the copy.  */
static void
note (gimple *def, gimple *copy, vec<struct pg_numbered> *noted)
{
  tree name = gimple_get_lhs (def), other = gimple_get_lhs (copy);
  if (!name || TREE_CODE (name) != SSA_NAME || virtual_operand_p (name) || !other || TREE_CODE (other) != SSA_NAME)
    return;
  struct pg_numbered numbered = { SSA_NAME_VERSION (name), other };
  noted->safe_push (numbered);
}

void
pg_numbers_note (const class loop *loop, vec<struct pg_numbered> *noted)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      basic_block bb = body[i], copy = get_bb_copy (bb);
      gphi_iterator phi = gsi_start_phis (bb), phi_copy = gsi_start_phis (copy);
      for (; !gsi_end_p (phi) && !gsi_end_p (phi_copy); gsi_next (&phi), gsi_next (&phi_copy))
	note (phi.phi (), phi_copy.phi (), noted);
      gimple_stmt_iterator stmt = gsi_start_nondebug_after_labels_bb (bb);
      gimple_stmt_iterator stmt_copy = gsi_start_nondebug_after_labels_bb (copy);
      for (; !gsi_end_p (stmt) && !gsi_end_p (stmt_copy); gsi_next_nondebug (&stmt), gsi_next_nondebug (&stmt_copy))
	note (gsi_stmt (stmt), gsi_stmt (stmt_copy), noted);
    }
  free (body);
}

/* Enter the free names on LIST by their numbers.  */
static void
enter_free (const vec<tree, va_gc> *list, vec<tree> *by_number)
{
  for (unsigned i = 0; i < vec_safe_length (list); i++)
    if (SSA_NAME_VERSION ((*list)[i]) < by_number->length ())
      (*by_number)[SSA_NAME_VERSION ((*list)[i])] = (*list)[i];
}

void
pg_numbers_exchange (const vec<struct pg_numbered> &noted)
{
  auto_vec<tree> by_number;
  by_number.safe_grow_cleared (num_ssa_names);
  enter_free (cfun->gimple_df->free_ssanames, &by_number);
  enter_free (cfun->gimple_df->free_ssanames_queue, &by_number);
  for (unsigned i = 1; i < num_ssa_names; i++)
    if (ssa_name (i))
      by_number[i] = ssa_name (i);

  for (const struct pg_numbered &numbered : noted)
    {
      unsigned to = numbered.version, from = SSA_NAME_VERSION (numbered.copy);
      tree other = by_number[to];
      if (to == from || !other || ssa_name (from) != numbered.copy)
	continue;
      std::swap ((*SSANAMES (cfun))[to], (*SSANAMES (cfun))[from]);
      std::swap (by_number[to], by_number[from]);
      SSA_NAME_VERSION (numbered.copy) = to;
      SSA_NAME_VERSION (other) = from;
    }
}
