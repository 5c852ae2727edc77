/* SPDX-License-Identifier: GPL-3.0-or-later
   Which version of an inner loop runs, where the compiler makes several.

   A sum that is made in order by vectors has its products made apart, and those of the iterations that are left over
   are fused.  Where a loop stores, a version without vectors is made for references that turn out to conflict.  How
   many there are is seen once a loop is compiled (rounding.h); what chooses among them is not:

       for (k = 0; k < i; k++)			if (i > 3 && c's column and b's have nothing in common)
	 {					  by vectors, then what is left over
	   c[k][j] += t * a[i][k];		else
	   s += b[k][j] * a[i][k];		  one by one
	 }

   What is compared, and from how many iterations on that is worth while, goes by the references which the compiler
   cannot tell apart.  In F, whose pointers come from memory, it can tell none.  So F chooses as the original does
   where that cannot either.  */

#include "forms.h"
#include "judge.h"

/* True if the compiler compares A and B, of LOOP, when the program runs, in the original and in F; or has no reason to,
   in both.  */
static bool
compared_alike_p (data_reference_p a, data_reference_p b, class loop *loop)
{
  if (DR_IS_READ (a) && DR_IS_READ (b))
    return true;
  return operand_equal_p (DR_REF (a), DR_REF (b))
	 || (!operand_equal_p (DR_BASE_OBJECT (a), DR_BASE_OBJECT (b)) && dr_may_alias_p (a, b, loop));
}

/* Find the REFERENCES of LOOP; false if some are not known.  */
static bool
find_references (class loop *loop, vec<data_reference_p> *references)
{
  edge entry = loop_preheader_edge (loop);
  basic_block *body = get_loop_body (loop);
  bool are_known = true;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      are_known &= graphite_find_data_references_in_stmt (entry, loop, gsi_stmt (gsi), references);
  free (body);
  return are_known;
}

/* True if LOOP stores.  */
static bool
stores_p (class loop *loop)
{
  return pg_any_statement_p (loop, [] (gimple *stmt) { return gimple_vdef (stmt) != NULL_TREE; });
}

/* True if F is told which of PLAN's references never meet (noalias.h).  */
static bool
told_apart_p (const struct pg_plan *plan)
{
  for (int set : plan->sets)
    if (set != plan->sets[0])
      return true;
  return false;
}

/* True if F chooses among the versions of LOOP, an inner one of PLAN's, as the original does.  */
static bool
chosen_alike_p (const struct pg_plan *plan, class loop *loop)
{
  if (!stores_p (loop))
    return true;
  if (told_apart_p (plan))
    return false;
  auto_vec<data_reference_p> references;
  bool are_alike = find_references (loop, &references);
  for (unsigned i = 0; i < references.length (); i++)
    for (unsigned j = 0; j < i; j++)
      are_alike &= compared_alike_p (references[i], references[j], loop);
  free_data_refs (references);
  return are_alike;
}

/* Note in PLAN the sums of LOOP alone that may be another version's in F.  */
static void
note_sums (struct pg_plan *plan, class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	int mark = body[i]->loop_father == loop ? pg_forms_mark_of (gsi_stmt (gsi)) : 0;
	if (mark && pg_forms_at (mark)->is_sum)
	  plan->versioned.safe_push (mark);
      }
  free (body);
}

void
pg_judge_versions (struct pg_plan *plan)
{
  note_sums (plan, plan->loop);
  for (auto loop : loops_list (cfun, 0))
    if (flow_loop_nested_p (plan->loop, loop) && !chosen_alike_p (plan, loop))
      note_sums (plan, loop);
}
