/* SPDX-License-Identifier: GPL-3.0-or-later
   Ordered groups: memory that iterations update one after the other, while the rest of what they do is free.

       for (i = 0; i < n; i++)				free part	      ordered part
	 {
	   sum = 0;
	   for (j = 0; j < m; j++)			sum over j
	     sum += a[i][j] * x[j];			left[i] = sum
	   for (j = 0; j < m; j++)						sum = left[i]
	     y[j] += a[i][j] * sum;						y[j] += a[i][j] * sum
	 }

   Each iteration writes all of y, which it has read before: the order of iterations fixes the bits.  But what is added
   does not depend on y, and takes much longer than adding it.  So F is taken apart: the free part is F without what
   touches y, the ordered part is what does, and what that needs.  How they run is the run time's affair
   (runtime/strips.h).

   The ordered part has the loads and stores of ordered groups, and what lies between.  It needs the conditions that
   decide about them, counters and addresses, and what else these use.  Of that it computes again what is cheap, and the
   same when it runs: it comes from what the loop does not write, or from what the iteration has written for good.  The
   rest, for example a sum over an inner loop, is handed on from the free part, in memory, once an iteration.  A product
   that may be fused with the sum that uses it is computed again, too.

   What makes it right: no ordered group has anything in common with others, as the run time has to see, and nothing of
   the free part uses what was loaded from one.  So the free part runs as if the ordered one did not exist, and the
   other way round iterations find in ordered groups what those before left there.  */

#include "ordered.h"
#include "columns.h"
#include "cut.h"
#include "fused.h"
#include "judge.h"
#include "noalias.h"
#include "products.h"
#include "touch.h"

/* More statements than this are not taken.  */
static const unsigned max_statements = 200;

/* Bytes of a value that is handed on, at most.  */
static const int most_bytes = 8;

/* A search for what the ordered part takes.  */
struct search
{
  struct pg_plan *plan;
  hash_map<gimple *, int> refs; /* of loads and stores: the reference */
  hash_set<gimple *> taken;     /* all of ORDERED */
  auto_vec<gimple *> ordered;   /* in the order in which they were found */
};

static bool
ordered_group_p (const struct pg_plan *plan, int group)
{
  return plan->ordered_groups.contains (group);
}

/* Tell the dump that STMT is why a loop cannot be taken apart; returns false.  */
static bool
give_up (gimple *stmt)
{
  if (dump_file)
    {
      fprintf (dump_file, "not taken apart: ");
      print_gimple_stmt (dump_file, stmt, 0);
    }
  return false;
}

/* True if STMT is a load or store of an ordered group.  */
static bool
accesses_ordered_p (struct search *search, gimple *stmt)
{
  const int *ref = search->refs.get (stmt);
  return ref && ordered_group_p (search->plan, search->plan->refs[*ref].group);
}

static bool
inside_p (const struct search *search, gimple *stmt)
{
  return gimple_bb (stmt) && flow_bb_inside_loop_p (search->plan->loop, gimple_bb (stmt));
}

static void
take (struct search *search, gimple *stmt)
{
  if (!search->taken.add (stmt))
    search->ordered.safe_push (stmt);
}

/* Find the groups that are written at the same places in all iterations.  False if there are none.  */
static bool
find_groups (struct pg_plan *plan)
{
  for (const struct pg_plan_ref &ref : plan->refs)
    if ((ref.flags & PG_REF_WRITE) && ref.address.coef[0] < 0 && !pg_work_array_of (plan, ref.group)
	&& !ordered_group_p (plan, ref.group))
      plan->ordered_groups.safe_push (ref.group);
  return !plan->ordered_groups.is_empty ();
}

/* Note which statement is what reference.  False if one is more than a load or a store.  */
static bool
find_refs (struct search *search)
{
  for (const struct pg_plan_access &access : search->plan->accesses)
    if (!gimple_assign_single_p (access.stmt) || search->refs.put (access.stmt, access.ref))
      return give_up (access.stmt);
  return true;
}

/* True if USE, by a statement of the loop, only hands its value on within the ordered part: to a sum, a PHI, a store to
   an ordered group.  */
static bool
stays_ordered_p (struct search *search, use_operand_p use)
{
  gimple *stmt = USE_STMT (use);
  if (!inside_p (search, stmt))
    return false;
  if (gimple_code (stmt) == GIMPLE_PHI)
    return gimple_bb (stmt) != search->plan->loop->header;
  if (!is_gimple_assign (stmt))
    return false;
  return !gimple_vuse (stmt)
	 || (gimple_store_p (stmt) && accesses_ordered_p (search, stmt) && use->use == gimple_assign_rhs1_ptr (stmt));
}

/* The name that STMT defines.  */
static tree
defined_by (gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_PHI ? gimple_phi_result (stmt) : gimple_get_lhs (stmt);
}

/* Take all loads and stores of ordered groups, and what is made of what they load.  False if something else is.  Where
   there is too much of that, it is not all there; then the search ends later.  */
static bool
take_accesses (struct search *search)
{
  for (const struct pg_plan_access &access : search->plan->accesses)
    if (accesses_ordered_p (search, access.stmt))
      take (search, access.stmt);
  for (unsigned i = 0; i < search->ordered.length () && i < max_statements; i++)
    {
      imm_use_iterator it;
      use_operand_p use;
      tree name = defined_by (search->ordered[i]);
      if (TREE_CODE (name) != SSA_NAME)
	continue;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  if (is_gimple_debug (USE_STMT (use)))
	    continue;
	  if (!stays_ordered_p (search, use))
	    return give_up (USE_STMT (use));
	  take (search, USE_STMT (use));
	}
    }
  return true;
}

/* True if TO may run after FROM, in the same iteration of LOOP.  */
static bool
comes_behind_p (class loop *loop, gimple *from, gimple *to)
{
  auto_vec<basic_block> work;
  auto_bitmap seen;
  if (gimple_bb (from) == gimple_bb (to) && pg_precedes_p (from, to))
    return true;
  work.safe_push (gimple_bb (from));
  while (!work.is_empty ())
    {
      edge e;
      edge_iterator it;
      FOR_EACH_EDGE (e, it, work.pop ()->succs)
	{
	  if (e->dest == loop->header || !flow_bb_inside_loop_p (loop, e->dest))
	    continue;
	  if (e->dest == gimple_bb (to))
	    return true;
	  if (bitmap_set_bit (seen, e->dest->index))
	    work.safe_push (e->dest);
	}
    }
  return false;
}

/* True if LOAD finds the same when all of its iteration is over: nothing that comes later writes to its group.  */
static bool
loads_for_good_p (struct search *search, gimple *load)
{
  const struct pg_plan *plan = search->plan;
  int group = plan->refs[*search->refs.get (load)].group;
  for (const struct pg_plan_access &access : plan->accesses)
    if (access.is_store && plan->refs[access.ref].group == group && comes_behind_p (plan->loop, load, access.stmt))
      return false;
  return true;
}

/* True if NAME counts, or is an address.  */
static bool
counts_p (const_tree name)
{
  return INTEGRAL_TYPE_P (TREE_TYPE (name)) || POINTER_TYPE_P (TREE_TYPE (name));
}

/* True if PHI, in the header of an inner loop, adds nothing up: it counts, or is loaded anew in each turn.  */
static bool
adds_nothing_up_p (gphi *phi)
{
  affine_iv iv;
  class loop *loop = gimple_bb (phi)->loop_father;
  if (counts_p (gimple_phi_result (phi)) && simple_iv (loop, loop, gimple_phi_result (phi), &iv, true))
    return true;
  tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
  return TREE_CODE (next) == SSA_NAME && gimple_assign_load_p (SSA_NAME_DEF_STMT (next));
}

/* True if DEF, in an inner loop, may be computed again in the ordered part.  */
static bool
again_p (struct search *search, gimple *def)
{
  if (gphi *phi = dyn_cast<gphi *> (def))
    return gimple_bb (phi) != gimple_bb (phi)->loop_father->header || adds_nothing_up_p (phi);
  return is_gimple_assign (def) && (!gimple_vuse (def) || (search->refs.get (def) && loads_for_good_p (search, def)));
}

/* True if DEF, once in an iteration, is better computed again than handed on: it counts, or is a product that may be
   fused with what uses it.  */
static bool
rather_again_p (const struct pg_plan *plan, gimple *def)
{
  tree name = defined_by (def);
  if (gphi *phi = dyn_cast<gphi *> (def))
    return gimple_bb (def) == plan->loop->header && pg_induction_p (plan, phi);
  return is_gimple_assign (def) && !gimple_vuse (def)
	 && (counts_p (name) || pg_target_fuses_p (pg_strip_negation (name)));
}

/* True if what DEF defines can be handed on.  */
static bool
can_hand_on_p (gimple *def)
{
  const_tree type = TREE_TYPE (defined_by (def));
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type))
	 && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)) && tree_to_uhwi (TYPE_SIZE_UNIT (type)) <= (unsigned) most_bytes
	 && known_eq (GET_MODE_BITSIZE (TYPE_MODE (type)), TYPE_PRECISION (type));
}

/* Take what the ordered part needs of what NAME is.  False if that is not possible.  */
static bool
provide (struct search *search, tree name)
{
  struct pg_plan *plan = search->plan;
  gimple *def = SSA_NAME_DEF_STMT (name);
  if (SSA_NAME_IS_DEFAULT_DEF (name) || !inside_p (search, def) || search->taken.contains (def)
      || plan->handed_on.contains (def))
    return true;
  bool is_outer = gimple_bb (def)->loop_father == plan->loop;
  if (is_outer ? rather_again_p (plan, def) : again_p (search, def))
    {
      take (search, def);
      return true;
    }
  if (!is_outer || !can_hand_on_p (def) || (plan->handed_on.length () + 1) * most_bytes > PG_ORDERED_LEN)
    return give_up (def);
  plan->handed_on.safe_push (def);
  return true;
}

/* Take all that those that are taken use.  False if something cannot be, or there is too much.  */
static bool
take_used (struct search *search)
{
  for (unsigned i = 0; i < search->ordered.length (); i++)
    {
      use_operand_p use;
      ssa_op_iter it;
      if (search->ordered.length () > max_statements)
	return false;
      FOR_EACH_PHI_OR_STMT_USE (use, search->ordered[i], it, SSA_OP_USE)
	if (TREE_CODE (USE_FROM_PTR (use)) == SSA_NAME && !provide (search, USE_FROM_PTR (use)))
	  return false;
    }
  return true;
}

/* True if something in BB is taken.  */
static bool
has_taken_p (struct search *search, basic_block bb)
{
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (search->taken.contains (psi.phi ()))
      return true;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (search->taken.contains (gsi_stmt (gsi)))
      return true;
  return false;
}

/* True if what is taken depends on the condition at the end of BB: something on a way from there to where all ways meet
   again, or what they meet with.  Requires: post-dominators.  */
static bool
decides_p (struct search *search, basic_block bb)
{
  basic_block meet = get_immediate_dominator (CDI_POST_DOMINATORS, bb);
  if (loop_exits_from_bb_p (bb->loop_father, bb) || !meet || !flow_bb_inside_loop_p (search->plan->loop, meet))
    return true;
  for (gphi_iterator psi = gsi_start_phis (meet); !gsi_end_p (psi); gsi_next (&psi))
    if (search->taken.contains (psi.phi ()))
      return true;
  auto_vec<basic_block> work;
  auto_bitmap seen;
  for (work.safe_push (bb); !work.is_empty ();)
    {
      edge e;
      edge_iterator it;
      FOR_EACH_EDGE (e, it, work.pop ()->succs)
	if (e->dest != meet && bitmap_set_bit (seen, e->dest->index))
	  {
	    if (has_taken_p (search, e->dest))
	      return true;
	    work.safe_push (e->dest);
	  }
    }
  return false;
}

/* Take the condition at the end of BB, if there is one that decides, other than of the loop's own exit; a switch in
   any case.  True if it was not taken before.  */
static bool
take_condition (struct search *search, basic_block bb)
{
  gimple *last = last_stmt (bb);
  if (!last || bb == search->plan->exit->src || search->taken.contains (last)
      || !(gimple_code (last) == GIMPLE_SWITCH || (gimple_code (last) == GIMPLE_COND && decides_p (search, bb))))
    return false;
  take (search, last);
  return true;
}

/* Take all that those that are taken use, and the conditions that decide about them.  */
static bool
take_all (struct search *search)
{
  basic_block *body = get_loop_body (search->plan->loop);
  bool is_ok = true, is_new = true;
  calculate_dominance_info (CDI_POST_DOMINATORS);
  while (is_ok && is_new)
    {
      is_ok = take_used (search);
      is_new = false;
      for (unsigned i = 0; i < search->plan->loop->num_nodes; i++)
	is_new |= take_condition (search, body[i]);
    }
  free_dominance_info (CDI_POST_DOMINATORS);
  free (body);
  return is_ok;
}

/* True if something is left for the free part in an inner loop.  */
static bool
leaves_loop_p (struct search *search)
{
  const class loop *loop = search->plan->loop;
  bool leaves = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      leaves |= body[i]->loop_father != loop && is_gimple_assign (gsi_stmt (gsi))
		&& !search->taken.contains (gsi_stmt (gsi));
  free (body);
  return leaves;
}

/* True if PLAN's loop does nothing that takes more than numbers, loads and stores to say how it can be taken apart, and
   leaves nothing in scalars.  */
static bool
plain_p (const struct pg_plan *plan)
{
  if (!(plan->region_flags & PG_REGION_ALL_AFFINE) || plan->calls || !plan->reductions.is_empty ()
      || !plan->mirrors.is_empty () || !plan->trails.is_empty () || !plan->work_arrays.is_empty ()
      || !plan->privates.is_empty () || !plan->entry_loads.is_empty () || pg_has_tally_p (plan) || flag_associative_math
      || flag_unsafe_math_optimizations || flag_reciprocal_math)
    return false;
  for (gphi_iterator psi = gsi_start_phis (plan->exit->dest); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      return false;
  return true;
}

void
pg_find_ordered (struct pg_plan *plan)
{
  struct search search;
  search.plan = plan;
  if (!plain_p (plan) || !find_groups (plan))
    return;
  if (!find_refs (&search) || !take_accesses (&search) || !take_all (&search) || !leaves_loop_p (&search))
    {
      plan->ordered_groups.truncate (0);
      plan->handed_on.truncate (0);
      return;
    }
  plan->ordered.safe_splice (search.ordered);
  for (struct pg_plan_ref &ref : plan->refs)
    if (ordered_group_p (plan, ref.group))
      ref.flags |= PG_REF_OWN;
}

/* The value that DEF, handed on as number INDEX, has behind memory at CTX, in CHILD.  Notes what is ADDED.  */
static tree
through_memory (const struct pg_child *child, gimple *def, unsigned index, vec<gimple *> *added)
{
  tree name = defined_by (def), type = TREE_TYPE (name);
  tree lo = ssa_default_def (child->fun, DECL_CHAIN (DECL_ARGUMENTS (child->decl)));
  tree pointer = build_pointer_type_for_mode (type, ptr_mode, true), value = make_ssa_name (type);
  gimple_stmt_iterator gsi;
  if (gimple_code (def) == GIMPLE_PHI)
    gsi = gsi_after_labels (gimple_bb (def));
  else
    {
      gsi = gsi_for_stmt (def);
      gsi_next (&gsi);
    }
  tree distance = make_ssa_name (intDI_type_node), bytes = make_ssa_name (sizetype), at = make_ssa_name (ptr_type_node);
  tree scaled = make_ssa_name (sizetype);
  tree place = build2 (MEM_REF, type, at, build_int_cst (pointer, index * most_bytes));
  gimple *const all[] = { gimple_build_assign (distance, MINUS_EXPR, gimple_phi_result (child->counter), lo),
			  gimple_build_assign (bytes, NOP_EXPR, distance),
			  gimple_build_assign (scaled, MULT_EXPR, bytes, size_int (PG_ORDERED_LEN)),
			  gimple_build_assign (at, POINTER_PLUS_EXPR, pg_touch_ctx (), scaled),
			  gimple_build_assign (place, name),
			  gimple_build_assign (value, unshare_expr (place)) };
  for (gimple *stmt : all)
    {
      gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
      added->safe_push (stmt);
    }
  return value;
}

/* A store that is not there for a while.  */
struct removed
{
  gimple *stmt, *nop;
};

static void
remove_store (gimple *stmt, vec<struct removed> *removed)
{
  struct removed one = { stmt, gimple_build_nop () };
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gsi_insert_before (&gsi, one.nop, GSI_SAME_STMT);
  unlink_stmt_vdef (stmt);
  gsi_remove (&gsi, false);
  removed->safe_push (one);
}

static void
put_back (vec<struct removed> *removed)
{
  while (!removed->is_empty ())
    {
      struct removed one = removed->pop ();
      gimple_stmt_iterator gsi = gsi_for_stmt (one.nop);
      gimple_set_vdef (one.stmt, gimple_vop (cfun));
      gimple_set_vuse (one.stmt, gimple_vop (cfun));
      gsi_insert_before (&gsi, one.stmt, GSI_SAME_STMT);
      gsi_remove (&gsi, true);
    }
}

/* A condition that is false for a while.  */
struct settled
{
  gcond *cond;
  enum tree_code code;
  tree left, right;
};

/* Make the conditions of PLAN's loop that its ordered part does not take constant: nothing of that part depends on
   them.  */
static void
settle_conditions (const struct pg_plan *plan, vec<struct settled> *settled)
{
  basic_block *body = get_loop_body (plan->loop);
  for (unsigned i = 0; i < plan->loop->num_nodes; i++)
    {
      gcond *cond = safe_dyn_cast<gcond *> (last_stmt (body[i]));
      if (!cond || plan->ordered.contains (cond) || loop_exits_from_bb_p (plan->loop, body[i]))
	continue;
      struct settled one = { cond, gimple_cond_code (cond), gimple_cond_lhs (cond), gimple_cond_rhs (cond) };
      settled->safe_push (one);
      gimple_cond_make_false (cond);
      update_stmt (cond);
    }
  free (body);
}

static void
unsettle (vec<struct settled> *settled)
{
  while (!settled->is_empty ())
    {
      struct settled one = settled->pop ();
      gimple_cond_set_condition (one.cond, one.code, one.left, one.right);
      update_stmt (one.cond);
    }
}

/* True if STMT of a part must stay whatever uses its value.  */
static bool
essential_p (gimple *stmt, void *)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      return gimple_store_p (stmt);
    case GIMPLE_CALL:
    case GIMPLE_PHI:
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
      return false;
    default:
      return true;
    }
}

/* Clone CHILD as SUFFIX, without the stores that are REMOVED, which are put back, and what only they need.  */
static tree
build_part (const struct pg_plan *plan, const struct pg_child *child, const char *suffix, vec<struct removed> *removed)
{
  pg_child_refresh ();
  tree decl = pg_child_clone (child, suffix);
  put_back (removed);
  pg_child_refresh ();
  if (plan->keep_fused)
    pg_fused_keep (decl);
  push_cfun (DECL_STRUCT_FUNCTION (decl));
  pg_child_reduce (essential_p, NULL);
  pg_child_refresh ();
  pop_cfun ();
  return decl;
}

void
pg_ordered_build (const struct pg_plan *plan, const struct pg_child *child, struct pg_outlined *out)
{
  auto_vec<gimple *> added;
  auto_vec<struct removed> removed;
  auto_vec<tree> values;
  struct pg_noalias_saved saved;
  bool are_apart = pg_noalias_begin (plan, child, &saved);
  for (unsigned i = 0; i < plan->handed_on.length (); i++)
    {
      values.safe_push (through_memory (child, plan->handed_on[i], i, &added));
      for (gimple *stmt : plan->ordered)
	pg_cut_replace_use (stmt, defined_by (plan->handed_on[i]), values[i]);
    }

  for (const struct pg_plan_access &access : plan->accesses)
    if (access.is_store && ordered_group_p (plan, plan->refs[access.ref].group))
      remove_store (access.stmt, &removed);
  out->free_part = build_part (plan, child, "free", &removed);
  pg_columns_allow (out->free_part);

  for (const struct pg_plan_access &access : plan->accesses)
    if (access.is_store && !ordered_group_p (plan, plan->refs[access.ref].group))
      remove_store (access.stmt, &removed);
  for (gimple *stmt : added)
    if (gimple_store_p (stmt))
      remove_store (stmt, &removed);
  auto_vec<struct settled> settled;
  settle_conditions (plan, &settled);
  out->ordered_part = build_part (plan, child, "ordered", &removed);
  unsettle (&settled);

  for (unsigned i = 0; i < plan->handed_on.length (); i++)
    for (gimple *stmt : plan->ordered)
      pg_cut_replace_use (stmt, values[i], defined_by (plan->handed_on[i]));
  pg_touch_take_out (&added);
  pg_child_refresh ();
  if (are_apart)
    pg_noalias_end (child, &saved);
}
