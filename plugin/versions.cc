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
   cannot tell apart.  In F, whose pointers come from memory, it can tell none; so the original must not, either.  Nor
   may it know of two that one lies a constant number of bytes behind the other, as it compares both as one, with what
   is between them; and F may have no arrays of its own in the place of the original's.

   Which iterations are left over depends on alignment, of which F knows less: where vectors that are not aligned are
   dearer, some iterations come before them, until those of some reference are; and where vectors read numbers from
   between those that are used, the last iteration may have to be left over so that nothing behind an array is read.

   Loops around the sum's own are not looked at: no pass between this and the vectoriser makes one loop of two.  */

#include "forms.h"
#include "judge.h"

/* Vectors take at most so many numbers, from farther apart one by one.  */
static const HOST_WIDE_INT most_lanes = 64;

/* References of a loop that are looked at, pair by pair.  */
static const unsigned max_references = 64;

/* True if vectors of MODE, of ELEMENTs, cost no more if they are not aligned.  */
static bool
alignment_is_free_p (machine_mode mode, tree element)
{
  tree type = build_vector_type_for_mode (element, mode);
  return builtin_vectorization_cost (unaligned_load, type, -1) <= builtin_vectorization_cost (vector_load, type, 0)
	 && builtin_vectorization_cost (unaligned_store, type, -1)
	      <= builtin_vectorization_cost (vector_store, type, 0);
}

/* True if that is so of all vectors of numbers that may be fused.  */
static bool
alignment_is_free_p ()
{
  bool is_free = true;
  machine_mode mode;
  FOR_EACH_MODE_IN_CLASS (mode, MODE_VECTOR_FLOAT)
  for (tree element : { float_type_node, double_type_node })
    if (targetm.vector_mode_supported_p (mode) && GET_MODE_INNER (mode) == TYPE_MODE (element))
      is_free &= alignment_is_free_p (mode, element);
  return is_free;
}

/* True if vectors may be made of what REFERENCE reads, and read more than that.  */
static bool
leaves_gaps_p (data_reference_p reference)
{
  tree step = DR_STEP (reference), size = TYPE_SIZE_UNIT (TREE_TYPE (DR_REF (reference)));
  if (DR_IS_WRITE (reference) || !step || !size || !tree_fits_shwi_p (step) || !tree_fits_shwi_p (size))
    return false;
  HOST_WIDE_INT bytes = abs_hwi (tree_to_shwi (step)), len = tree_to_shwi (size);
  return bytes != 0 && bytes != len && bytes <= most_lanes * len;
}

/* True if A and B, references of one loop, may be as far apart in all iterations, as far as their steps tell.  */
static bool
in_step_p (data_reference_p a, data_reference_p b)
{
  tree step_a = DR_STEP (a), step_b = DR_STEP (b);
  bool are_known = TREE_CODE (step_a) == INTEGER_CST && TREE_CODE (step_b) == INTEGER_CST;
  return !are_known || tree_int_cst_equal (step_a, step_b);
}

/* True if the compiler compares A and B, of LOOP, A before B, when the program runs, in the original and in F; or has
   no reason to, in both.  */
static bool
compared_alike_p (data_reference_p a, data_reference_p b, class loop *loop)
{
  bool are_read = DR_IS_READ (a) && DR_IS_READ (b);
  if (operand_equal_p (DR_REF (a), DR_REF (b)))
    return true;
  if (!DR_BASE_ADDRESS (a) || !DR_BASE_ADDRESS (b))
    return are_read;
  if (operand_equal_p (DR_BASE_ADDRESS (a), DR_BASE_ADDRESS (b)))
    return are_read && !in_step_p (a, b);
  return are_read || dr_may_alias_p (a, b, loop);
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

/* True if REFERENCES of LOOP, which stores, of PLAN's, are compared in F as they are in the original.  */
static bool
all_compared_alike_p (const struct pg_plan *plan, class loop *loop, const vec<data_reference_p> &references)
{
  if (!plan->work_arrays.is_empty () || references.length () > max_references)
    return false;
  for (int set : plan->sets)
    if (set != plan->sets[0])
      return false; /* F is told which never meet (noalias.h) */
  for (unsigned i = 0; i < references.length (); i++)
    for (unsigned j = 0; j < i; j++)
      if (!compared_alike_p (references[j], references[i], loop))
	return false;
  return true;
}

/* True if LOOP stores.  */
static bool
stores_p (class loop *loop)
{
  return pg_any_statement_p (loop, [] (gimple *stmt) { return gimple_vdef (stmt) != NULL_TREE; });
}

/* True if F chooses among the versions of LOOP, an inner one of PLAN's, and what vectors leave over, as the original
   does.  */
static bool
chosen_alike_p (const struct pg_plan *plan, class loop *loop)
{
  auto_vec<data_reference_p> references;
  bool are_alike = find_references (loop, &references);
  for (data_reference_p reference : references)
    are_alike &= !leaves_gaps_p (reference);
  are_alike = are_alike && (!stores_p (loop) || all_compared_alike_p (plan, loop, references));
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
  bool is_free = alignment_is_free_p ();
  note_sums (plan, plan->loop);
  for (auto loop : loops_list (cfun, 0))
    if (flow_loop_nested_p (plan->loop, loop) && !(is_free && chosen_alike_p (plan, loop)))
      note_sums (plan, loop);
}
