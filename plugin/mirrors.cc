/* SPDX-License-Identifier: GPL-3.0-or-later
   Mirrors: scalars that have what memory has at one place, for as long as a loop runs.

       for (i = 0; i < n; i++)		t0 = *s;				F:  t0 = *s;
	 *s += a[i];			t1 = PHI <t0, t2>;			    t1 = PHI <t0, t2>;
					t2 = t1 + a[i];				    t2 = t1 + a[i];
					*s = t2;				    *s = t2;

   GCC makes them of what a loop loads and stores again and again.  Where that memory is an array reduction's
   (array-reductions.cc), its part is what a range begins with: F loads the mirror there.  Behind the loop, the mirror
   is loaded from memory once more.

   At the end of each block it is known which name mirrors the place: what was stored or loaded there last, or the PHI
   that joins such names, or what the blocks before say.  */

#include "cycle.h"

/* Which names mirror a place, where: what holds at the start and at the end of each block of a loop, by its index.  */
struct view
{
  class loop *loop;
  gphi *phi; /* in the loop's header, or NULL: there, none does */
  tree reference;
  auto_vec<tree> at_start, at_end; /* NULL_TREE: not known yet; error_mark_node: none */

  view (class loop *in, gphi *carrier, tree place) : loop (in), phi (carrier), reference (place)
  {
  }
};

static bool
same_place_p (const_tree a, const_tree b)
{
  return operand_equal_p (a, b, OEP_ADDRESS_OF) && types_compatible_p (TREE_TYPE (a), TREE_TYPE (b));
}

/* True if STMT stores to REFERENCE.  */
static bool
stores_to_p (gimple *stmt, const_tree reference)
{
  return gimple_store_p (stmt) && gimple_assign_single_p (stmt) && same_place_p (gimple_assign_lhs (stmt), reference);
}

/* True if STMT loads from REFERENCE.  */
static bool
loads_from_p (gimple *stmt, const_tree reference)
{
  return gimple_assign_load_p (stmt) && TREE_CODE (gimple_assign_lhs (stmt)) == SSA_NAME
	 && same_place_p (gimple_assign_rhs1 (stmt), reference);
}

/* True if STMT may change what is at REFERENCE by another name.  */
static bool
meddles_p (gimple *stmt, tree reference)
{
  ao_ref place;
  ao_ref_init (&place, reference);
  return gimple_vdef (stmt) && !stores_to_p (stmt, reference) && stmt_may_clobber_ref_p_1 (stmt, &place);
}

/* What mirrors V's place at the end of BB, if NAME does at its start.  */
static tree
after_accesses (const struct view *v, basic_block bb, tree name)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (stores_to_p (stmt, v->reference))
	name = gimple_assign_rhs1 (stmt);
      else if (loads_from_p (stmt, v->reference))
	name = gimple_assign_lhs (stmt);
      else if (meddles_p (stmt, v->reference))
	name = error_mark_node;
    }
  return name;
}

/* True if PHI joins what V says of the ends of the blocks before, as far as that is known.  */
static bool
joins_p (const struct view *v, gphi *phi)
{
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree before = v->at_end[gimple_phi_arg_edge (phi, i)->src->index];
      if (before && !operand_equal_p (before, gimple_phi_arg_def (phi, i), 0))
	return false;
    }
  return true;
}

/* What mirrors V's place at the start of BB.  */
static tree
at_start (const struct view *v, basic_block bb)
{
  if (bb == v->loop->header)
    return v->phi ? gimple_phi_result (v->phi) : error_mark_node;
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())) && joins_p (v, psi.phi ()))
      return gimple_phi_result (psi.phi ());
  tree name = NULL_TREE;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->preds)
    {
      tree before = v->at_end[e->src->index];
      if (before)
	name = !name || operand_equal_p (name, before, 0) ? before : error_mark_node;
    }
  return name;
}

/* Fill in V.  False if that takes too long.  */
static bool
look (struct view *v)
{
  static const int most_rounds = 8; /* one for each level of nesting, and some */
  auto_vec<basic_block> body;
  basic_block *blocks = get_loop_body_in_dom_order (v->loop);
  for (unsigned i = 0; i < v->loop->num_nodes; i++)
    body.safe_push (blocks[i]);
  free (blocks);
  v->at_start.safe_grow_cleared (last_basic_block_for_fn (cfun), true);
  v->at_end.safe_grow_cleared (last_basic_block_for_fn (cfun), true);
  bool has_changed = true;
  for (int i = 0; has_changed && i < most_rounds; i++)
    {
      has_changed = false;
      for (basic_block bb : body)
	{
	  tree name = at_start (v, bb);
	  has_changed |= name != v->at_start[bb->index];
	  v->at_start[bb->index] = name;
	  v->at_end[bb->index] = after_accesses (v, bb, name);
	}
    }
  return !has_changed;
}

/* True if there is a name in V everywhere, and its PHI has it at the start of each iteration.  */
static bool
is_whole_p (const struct view *v)
{
  for (tree name : v->at_start)
    if (name == error_mark_node)
      return false;
  tree latest = v->at_end[v->loop->latch->index];
  return latest && operand_equal_p (latest, PHI_ARG_DEF_FROM_EDGE (v->phi, loop_latch_edge (v->loop)), 0);
}

/* The memory that LOOP's first iteration finds, as a virtual operand, or NULL_TREE.  */
static tree
memory_before (class loop *loop)
{
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    if (virtual_operand_p (gimple_phi_result (psi.phi ())))
      return PHI_ARG_DEF_FROM_EDGE (psi.phi (), loop_preheader_edge (loop));
  return NULL_TREE;
}

/* True if VALUE is what MEMORY has at REFERENCE: it was loaded from there, or stored.  */
static bool
holds_p (tree memory, tree reference, tree value)
{
  static const int most_stores = 32;
  gimple *load = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  bool is_loaded = load && loads_from_p (load, reference);
  for (int i = 0; i < most_stores && memory; i++)
    {
      gimple *def = SSA_NAME_DEF_STMT (memory);
      if (is_loaded && gimple_vuse (load) == memory)
	return true;
      if (SSA_NAME_IS_DEFAULT_DEF (memory) || gimple_code (def) == GIMPLE_PHI)
	return false;
      if (stores_to_p (def, reference))
	return operand_equal_p (gimple_assign_rhs1 (def), value, 0);
      if (meddles_p (def, reference))
	return false;
      memory = gimple_vuse (def);
    }
  return false;
}

/* True if all that LOOP does to REFERENCE, it does by that name: then the mirror is right wherever a range begins, and
   behind the loop, whatever meets.  */
static bool
untouched_p (const class loop *loop, tree reference)
{
  bool is_untouched = true;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && is_untouched; gsi_next (&gsi))
      is_untouched = !meddles_p (gsi_stmt (gsi), reference);
  free (body);
  return is_untouched;
}

/* Add PHI, in the header of PLAN's loop, to its mirrors, if it is one of REFERENCE.  */
static bool
take (struct pg_plan *plan, gphi *phi, tree reference)
{
  struct view v (plan->loop, phi, reference);
  if (!types_compatible_p (TREE_TYPE (gimple_phi_result (phi)), TREE_TYPE (reference))
      || !pg_invariant_p (plan, reference)
      || !holds_p (memory_before (v.loop), reference, PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (v.loop)))
      || !untouched_p (v.loop, reference) || !look (&v) || !is_whole_p (&v))
    return false;
  struct pg_plan_mirror mirror = { phi, unshare_expr (reference), v.at_end[plan->exit->src->index], false };
  plan->mirrors.safe_push (mirror);
  return true;
}

bool
pg_match_mirror (struct pg_plan *plan, gphi *phi)
{
  basic_block *body = get_loop_body (plan->loop);
  bool is_found = false;
  for (unsigned i = 0; i < plan->loop->num_nodes && !is_found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !is_found; gsi_next (&gsi))
      is_found = gimple_store_p (gsi_stmt (gsi)) && gimple_assign_single_p (gsi_stmt (gsi))
		 && take (plan, phi, gimple_assign_lhs (gsi_stmt (gsi)));
  free (body);
  return is_found;
}

bool
pg_mirror_of_p (const struct pg_plan_mirror *mirror, const_tree reference)
{
  return same_place_p (mirror->reference, reference);
}

bool
pg_find_held (const struct pg_plan *plan, gphi *phi, tree reference, basic_block before, basic_block behind,
	      struct pg_held *held)
{
  struct view v (plan->loop, phi, reference);
  if (!look (&v))
    return false;
  held->before = v.at_end[before->index];
  held->behind = v.at_start[behind->index];
  for (tree name : v.at_start)
    if (name && TREE_CODE (name) == SSA_NAME && is_a<gphi *> (SSA_NAME_DEF_STMT (name)) && !held->names.contains (name))
      held->names.safe_push (name);
  for (const struct pg_plan_access &access : plan->accesses)
    if (loads_from_p (access.stmt, reference) && !held->names.contains (gimple_assign_lhs (access.stmt)))
      held->names.safe_push (gimple_assign_lhs (access.stmt));
  return true;
}

const struct pg_plan_mirror *
pg_mirror_left (const struct pg_plan *plan, const_tree name)
{
  for (const struct pg_plan_mirror &mirror : plan->mirrors)
    if (mirror.left == name)
      return &mirror;
  return NULL;
}

/* True if MIRROR, of PLAN's loop, is a floating-point sum, which must not be reordered.  */
static bool
ordered_sum_p (const struct pg_plan *plan, const struct pg_plan_mirror *mirror)
{
  struct pg_cycle c;
  c.plan = plan;
  c.seen_op = false;
  c.names.safe_push (gimple_phi_result (mirror->phi));
  return SCALAR_FLOAT_TYPE_P (TREE_TYPE (mirror->reference)) && !flag_associative_math
	 && pg_cycle_reaches (&c, PHI_ARG_DEF_FROM_EDGE (mirror->phi, loop_latch_edge (plan->loop))) && c.seen_op
	 && !pg_cycle_orders_p (&c);
}

bool
pg_judge_mirrors (struct pg_plan *plan)
{
  for (const struct pg_plan_mirror &mirror : plan->mirrors)
    if (!mirror.is_taken)
      return pg_refuse_phi (plan, ordered_sum_p (plan, &mirror) ? PG_WHY_FP_ORDER : PG_WHY_CARRIED_SCALAR, mirror.phi);
  return true;
}
