/* SPDX-License-Identifier: GPL-3.0-or-later
   What the compiler knows about the integers that a loop computes.

   Conditions around the loop say something, too: where its inner loops are entered only if n > 0, they have a count.

   GCC gives new names to what a function computes that blocks are moved to, and knows nothing about these.  It then
   makes worse code: of sums of absolute values, say, a loop that is not vectorised, as nobody can tell any more that
   these are not negative.

   An iteration of F computes what it would compute in the original loop, so what is known stays true, but for what
   reductions carry: F has sums of a part of the iterations, which begin with another value.  Where conditions depend on
   these, nothing is kept: what is known behind them may come from there.

   That is so only where it runs on the values that the program would have.  What looks ahead (M, the tally) may read
   what is going to be overwritten, and must know nothing.  */

#include "ranges.h"
#include "loops.h"

/* The SSA name that STMT defines, or NULL_TREE.  */
static tree
defined_by (gimple *stmt)
{
  tree name = gimple_code (stmt) == GIMPLE_PHI ? gimple_phi_result (stmt) : gimple_get_lhs (stmt);
  return name && TREE_CODE (name) == SSA_NAME ? name : NULL_TREE;
}

/* Add what uses NAME in LOOP, directly or not, to TOUCHED.  False: a condition does.  */
static bool
touch_uses (const class loop *loop, tree name, auto_bitmap &touched)
{
  auto_vec<tree> work;
  bitmap_set_bit (touched, SSA_NAME_VERSION (name));
  work.safe_push (name);
  while (!work.is_empty ())
    {
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, work.pop ())
	{
	  gimple *stmt = USE_STMT (use);
	  if (is_gimple_debug (stmt) || !flow_bb_inside_loop_p (loop, gimple_bb (stmt)))
	    continue;
	  if (is_ctrl_stmt (stmt))
	    return false;
	  tree result = defined_by (stmt);
	  if (result && bitmap_set_bit (touched, SSA_NAME_VERSION (result)))
	    work.safe_push (result);
	}
    }
  return true;
}

/* Note in KNOWN that STMT, or field FIELD, is an integer of RANGE, with no bits but BITS.  */
static void
note_range (unsigned field, gimple *stmt, const value_range &range, const wide_int &bits,
	    vec<struct pg_known_range> *known)
{
  if (!range.constant_p ())
    return;
  const struct pg_known_range one = { stmt, field, range.kind (), range.min (), range.max (), bits };
  known->safe_push (one);
}

/* Note in KNOWN what is known of what STMT defines, unless it is among those TOUCHED.  */
static void
note (gimple *stmt, auto_bitmap &touched, vec<struct pg_known_range> *known)
{
  tree name = defined_by (stmt);
  value_range range;
  if (name && !bitmap_bit_p (touched, SSA_NAME_VERSION (name)) && INTEGRAL_TYPE_P (TREE_TYPE (name))
      && SSA_NAME_RANGE_INFO (name) && get_global_range_query ()->range_of_expr (range, name))
    note_range (0, stmt, range, get_nonzero_bits (name), known);
}

void
pg_ranges_note (const struct pg_plan *plan, vec<struct pg_known_range> *known)
{
  auto_bitmap touched;
  for (const struct pg_plan_reduction &reduction : plan->reductions)
    if (!touch_uses (plan->loop, gimple_phi_result (reduction.phi), touched))
      return;
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    {
      for (gphi_iterator psi = gsi_start_phis (body[i]); !gsi_end_p (psi); gsi_next (&psi))
	note (psi.phi (), touched, known);
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
	note (gsi_stmt (gsi), touched, known);
    }
  free (body);
}

void
pg_ranges_note_live_ins (const struct pg_plan *plan, const struct pg_args *args, vec<struct pg_known_range> *known)
{
  gimple_ranger ranger;
  for (unsigned i = 0; i < args->fields.length (); i++)
    {
      tree value = args->fields[i].is_live_in ? args->fields[i].value : NULL_TREE;
      value_range range;
      if (value && TREE_CODE (value) == SSA_NAME && INTEGRAL_TYPE_P (TREE_TYPE (value))
	  && ranger.range_on_edge (range, loop_preheader_edge (plan->loop), value))
	note_range (i, NULL, range, get_nonzero_bits (value), known);
    }
}

void
pg_ranges_place_live_ins (const struct pg_args *args, vec<struct pg_known_range> *known)
{
  for (struct pg_known_range &one : *known)
    one.stmt = args->fields[one.field].local_def;
}

void
pg_ranges_tell (const vec<struct pg_known_range> &known)
{
  for (const struct pg_known_range &one : known)
    {
      tree name = defined_by (one.stmt);
      if (!name)
	continue;
      set_range_info (name, one.kind, wi::to_wide (one.least), wi::to_wide (one.most));
      set_nonzero_bits (name, one.bits);
    }
}

void
pg_ranges_forget (void)
{
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
  if (!POINTER_TYPE_P (TREE_TYPE (name)))
    SSA_NAME_RANGE_INFO (name) = NULL;
}
