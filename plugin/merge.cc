/* SPDX-License-Identifier: GPL-3.0-or-later
   Touches of neighbours in memory, such as the fields of a structure, become one.

       touch (ctx, 3, &p[k].x, 2);		touch (ctx, 3, &p[k].x, 4);
       touch (ctx, 4, &p[k].y, 2);	==>
       touch (ctx, 5, &p[k].w, 8);		touch (ctx, 5, &p[k].w, 8);

   The first reference speaks for the others, which are never touched then.  So this is only done for references that
   must be inspected against the same ones: opaque, with the same flags, in one loop.  None of them feeds
   the monitor, so it does not matter which of them is met first.  Bytes between them are not touched.

   What writes bytes speaks for what reads them in the same iteration, too, as in a sum that is kept in memory: with
   whatever the read conflicts, the write does.  */

#include "merge.h"
#include "touch.h"

/* A call of touch: LEN bytes, OFFSET behind BASE.  */
struct piece
{
  gcall *call; /* NULL: gone */
  tree base;
  HOST_WIDE_INT offset, len;
};

/* Find what CALL is about.  False: not a single access, at a known distance to some base.  */
static bool
analyse (gcall *call, struct piece *piece)
{
  tree address = gimple_call_arg (call, PG_TOUCH_ADDRESS), len = gimple_call_arg (call, PG_TOUCH_LEN);
  if (gimple_call_num_args (call) != PG_TOUCH_N_ARGS || !tree_fits_shwi_p (len))
    return false;
  piece->call = call;
  piece->len = tree_to_shwi (len);
  for (piece->offset = 0; TREE_CODE (address) == SSA_NAME;)
    {
      gimple *def = SSA_NAME_DEF_STMT (address);
      if (!is_gimple_assign (def))
	break;
      if (gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR && tree_fits_shwi_p (gimple_assign_rhs2 (def)))
	piece->offset += tree_to_shwi (gimple_assign_rhs2 (def));
      else if (gimple_assign_rhs_code (def) != SSA_NAME
	       && !(CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def))
		    && POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (def)))))
	break;
      address = gimple_assign_rhs1 (def);
    }
  piece->base = address;
  return TREE_CODE (address) == SSA_NAME;
}

/* True if reference A of PLAN may speak for reference B.  */
static bool
alike_p (const struct pg_plan *plan, int a, int b)
{
  const struct pg_plan_ref *first = &plan->refs[a], *second = &plan->refs[b];
  return !(first->flags & (PG_REF_FEEDS | PG_REF_AFFINE)) && first->flags == second->flags && first->dim == second->dim;
}

/* True if WRITE, of PLAN, writes all bytes that READ reads.  */
static bool
covers_p (const struct pg_plan *plan, const struct piece *write, const struct piece *read)
{
  unsigned writing = plan->refs[pg_touch_ref (write->call)].flags,
	   reading = plan->refs[pg_touch_ref (read->call)].flags;
  return (writing & PG_REF_WRITE) && !(reading & PG_REF_WRITE)
	 && !((writing | reading) & (PG_REF_FEEDS | PG_REF_AFFINE)) && write->base == read->base
	 && write->offset <= read->offset && read->offset + read->len <= write->offset + write->len;
}

/* True if A and B are reached equally often, in the same iterations: they are in one block, or whoever gets to one gets
   to the other.  */
static bool
together_p (basic_block a, basic_block b)
{
  return a->loop_father == b->loop_father
	 && ((dominated_by_p (CDI_DOMINATORS, b, a) && dominated_by_p (CDI_POST_DOMINATORS, a, b))
	     || (dominated_by_p (CDI_DOMINATORS, a, b) && dominated_by_p (CDI_POST_DOMINATORS, b, a)));
}

/* Take PIECE's call out.  */
static void
drop (struct piece *piece)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (piece->call);
  unlink_stmt_vdef (piece->call);
  gsi_remove (&gsi, true);
  release_defs (piece->call);
  piece->call = NULL;
}

/* If FIRST speaks for SECOND, both reached together, or could if it were longer, let it.  */
static bool
merge (const struct pg_plan *plan, struct piece *first, struct piece *second)
{
  if (covers_p (plan, first, second))
    {
      if (dump_file)
	fprintf (dump_file, "reference %d speaks for %d\n", pg_touch_ref (first->call), pg_touch_ref (second->call));
      drop (second);
      return true;
    }
  if (first->base != second->base || first->offset > second->offset + second->len
      || second->offset > first->offset + first->len
      || !alike_p (plan, pg_touch_ref (first->call), pg_touch_ref (second->call)))
    return false;
  if (dump_file)
    fprintf (dump_file, "merge of references %d and %d\n", pg_touch_ref (first->call), pg_touch_ref (second->call));
  HOST_WIDE_INT end = MAX (first->offset + first->len, second->offset + second->len);
  first->offset = MIN (first->offset, second->offset);
  first->len = end - first->offset;

  gimple_stmt_iterator gsi = gsi_for_stmt (first->call);
  tree address = make_ssa_name (ptr_type_node);
  gimple *sum = gimple_build_assign (address, POINTER_PLUS_EXPR, first->base, size_int (first->offset));
  gsi_insert_before (&gsi, sum, GSI_SAME_STMT);
  gimple_call_set_arg (first->call, PG_TOUCH_ADDRESS, address);
  gimple_call_set_arg (first->call, PG_TOUCH_LEN, build_int_cst (intDI_type_node, first->len));
  update_stmt (first->call);
  drop (second);
  return true;
}

void
pg_merge_touches (const struct pg_plan *plan)
{
  auto_vec<gcall *> calls;
  auto_vec<struct piece> pieces;
  pg_touch_find (&calls);
  for (gcall *call : calls)
    {
      struct piece piece;
      if (analyse (call, &piece))
	pieces.safe_push (piece);
    }

  calculate_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_POST_DOMINATORS);
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned i = 0; i < pieces.length (); i++)
	for (unsigned j = 0; j < pieces.length () && pieces[i].call; j++)
	  if (j != i && pieces[j].call && together_p (gimple_bb (pieces[i].call), gimple_bb (pieces[j].call)))
	    changed |= merge (plan, &pieces[i], &pieces[j]);
    }
  free_dominance_info (CDI_POST_DOMINATORS);
  free_dominance_info (CDI_DOMINATORS);
}
