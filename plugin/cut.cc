/* SPDX-License-Identifier: GPL-3.0-or-later
   Cutting a loop.  See columns.cc for what comes out of it.

   First the loop is put into one over strips, then what scalars carry from part to part goes through arrays: each store
   is followed by the load, so nothing changes.  Then there is a copy of the loop for each part, one behind the other,
   in which only that is left, with the addresses that it needs; and those that are nothing but an inner loop are
   interchanged with it: each of the two takes the other one's turns, and counts what the other one did.  */

#include "cut.h"

bool
pg_cut_find_chain (struct pg_cut *cut)
{
  class loop *loop = cut->loop;
  cut->exit = single_exit (loop);
  if (!cut->exit || !single_pred_p (loop->latch) || single_pred (loop->latch) != cut->exit->src
      || !empty_block_p (loop->latch) || cut->exit->flags & EDGE_COMPLEX || !can_duplicate_loop_p (loop)
      || !safe_dyn_cast<gcond *> (last_stmt (cut->exit->src)))
    return false;
  unsigned n = 0;
  for (basic_block bb = loop->header;;)
    {
      cut->chain.safe_push (bb);
      n++;
      if (bb == cut->exit->src)
	break;
      if (!single_succ_p (bb))
	return false;
      class loop *inner = single_succ (bb)->loop_father;
      if (inner == loop)
	{
	  bb = single_succ (bb);
	  continue;
	}
      edge exit = single_exit (inner);
      if (inner->inner || !exit || exit->dest->loop_father != loop || !single_pred_p (exit->dest))
	return false;
      cut->inner.safe_push (inner);
      n += inner->num_nodes;
      bb = exit->dest;
    }
  return n + 1 == loop->num_nodes && !cut->inner.is_empty ();
}

bool
pg_cut_find_counters (struct pg_cut *cut)
{
  class loop *loop = cut->loop;
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    {
      tree name = gimple_phi_result (psi.phi ()), type = TREE_TYPE (name);
      affine_iv iv;
      if (virtual_operand_p (name))
	continue;
      if (!(INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) || !simple_iv (loop, loop, name, &iv, false)
	  || generic_expr_could_trap_p (iv.base) || generic_expr_could_trap_p (iv.step))
	return false;
      struct pg_cut_counter counter = { psi.phi (), iv.base, iv.step };
      cut->counters.safe_push (counter);
    }
  for (gphi_iterator psi = gsi_start_phis (cut->exit->dest); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      return false;
  class tree_niter_desc desc;
  if (!number_of_iterations_exit (loop, cut->exit, &desc, false) || !integer_zerop (desc.may_be_zero)
      || TYPE_PRECISION (TREE_TYPE (desc.niter)) > 64 || generic_expr_could_trap_p (desc.niter))
    return false;
  cut->n_iters = fold_build2 (PLUS_EXPR, sizetype, fold_convert (sizetype, unshare_expr (desc.niter)), size_one_node);
  return true;
}

bool
pg_cut_statement_ok_p (gimple *stmt)
{
  if (gimple_code (stmt) == GIMPLE_PHI || gimple_code (stmt) == GIMPLE_COND)
    return true;
  if (is_gimple_call (stmt))
    return !gimple_vuse (stmt) && !gimple_has_side_effects (stmt) && gimple_call_lhs (stmt);
  return is_gimple_assign (stmt) && !gimple_has_volatile_ops (stmt) && !stmt_could_throw_p (cfun, stmt)
	 && (!gimple_vuse (stmt) || gimple_assign_single_p (stmt));
}

void
pg_cut_replace_use (gimple *stmt, tree name, tree with)
{
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_PHI_OR_STMT_USE (use, stmt, it, SSA_OP_USE)
    if (USE_FROM_PTR (use) == name)
      SET_USE (use, with);
  if (gimple_code (stmt) != GIMPLE_PHI)
    update_stmt (stmt);
}

tree
pg_cut_count_on (tree base, tree step, tree times)
{
  tree type = TREE_TYPE (base), wraps = POINTER_TYPE_P (type) ? sizetype : unsigned_type_for (type);
  tree offset = fold_build2 (MULT_EXPR, wraps, fold_convert (wraps, unshare_expr (step)), fold_convert (wraps, times));
  return POINTER_TYPE_P (type)
	   ? fold_build_pointer_plus (base, offset)
	   : fold_convert (type, fold_build2 (PLUS_EXPR, wraps, fold_convert (wraps, base), offset));
}

void
pg_cut_add (struct pg_cut *cut, gimple *stmt, int part)
{
  gimple_set_uid (stmt, cut->statements.length ());
  cut->statements.safe_push (stmt);
  cut->parts.safe_push (part);
}

int
pg_cut_part (const struct pg_cut *cut, const gimple *stmt)
{
  unsigned uid = gimple_uid (stmt);
  return uid < cut->statements.length () && cut->statements[uid] == stmt ? cut->parts[uid] : -2;
}

const struct pg_cut_sum *
pg_cut_sum_of (const struct pg_cut *cut, unsigned first, const_tree name)
{
  for (unsigned i = first; i < cut->sums.length (); i++)
    if (cut->sums[i].next == name)
      return &cut->sums[i];
  return NULL;
}

int
pg_cut_part_of_use (const struct pg_cut *cut, const gimple *stmt)
{
  for (const struct pg_cut_sum &sum : cut->sums)
    if (sum.phi == stmt)
      return sum.part - 1;
  return pg_cut_part (cut, stmt);
}

bool
pg_cut_goes_around_p (const struct pg_cut *cut, const_tree name, const gimple *stmt)
{
  const struct pg_cut_sum *sum = pg_cut_sum_of (cut, 0, name);
  return sum && sum->phi == stmt;
}

tree
pg_cut_compute (basic_block bb, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (unshare_expr (expression), &seq, true, NULL_TREE);
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
  return value;
}

/* An array for what NAME is in each turn of a loop.  */
static tree
new_array (const_tree name)
{
  return create_tmp_var (build_array_type_nelts (TREE_TYPE (name), pg_cut_strip), "part");
}

/* Give what CUT carries its arrays: sums have one each, which is also that of what is behind their loops.  */
static void
make_arrays (struct pg_cut *cut)
{
  for (struct pg_cut_sum &sum : cut->sums)
    sum.array = new_array (sum.next);
  for (unsigned i = 0; i < cut->carried.length (); i++)
    {
      struct pg_cut_carried *one = &cut->carried[i];
      if (cut->is_columns[one->from])
	one->array = pg_cut_sum_of (cut, 0, gimple_phi_arg_def (SSA_NAME_DEF_STMT (one->name), 0))->array;
      for (unsigned j = 0; j < i && !one->array; j++)
	if (cut->carried[j].name == one->name)
	  one->array = cut->carried[j].array;
      if (!one->array)
	one->array = new_array (one->name);
    }
}

/* What strips of N_ITERS iterations are long, so that there is none that is much shorter than the others.  */
static tree
strip_length (tree n_iters)
{
  tree most = size_int (pg_cut_strip);
  tree n_strips = fold_build2 (TRUNC_DIV_EXPR, sizetype,
			       fold_build2 (PLUS_EXPR, sizetype, n_iters, size_int (pg_cut_strip - 1)), most);
  tree last = fold_build2 (PLUS_EXPR, sizetype, n_iters, fold_build2 (MINUS_EXPR, sizetype, n_strips, size_one_node));
  return fold_build2 (TRUNC_DIV_EXPR, sizetype, last, n_strips);
}

/* Put CUT's loop into one over strips; have it count its turns.  */
static void
make_strips (struct pg_cut *cut)
{
  class loop *loop = cut->loop;
  basic_block before = loop_preheader_edge (loop)->src;
  tree n_iters = pg_cut_compute (before, cut->n_iters), zero = size_zero_node;
  tree length = pg_cut_compute (before, strip_length (n_iters));

  /* header (strip) -> LOOP -> after, back by latch.  */
  basic_block header = split_edge (loop_preheader_edge (loop)), after = split_edge (cut->exit);
  edge leave = single_succ_edge (after);
  basic_block latch = create_empty_bb (after);
  latch->count = header->count;
  tree strip = make_ssa_name (sizetype), next = make_ssa_name (sizetype);
  gphi *phi = create_phi_node (strip, header);
  add_phi_arg (phi, zero, single_pred_edge (header), UNKNOWN_LOCATION);
  edge again = make_edge (after, latch, EDGE_TRUE_VALUE), back = make_edge (latch, header, EDGE_FALLTHRU);
  leave->flags = EDGE_FALSE_VALUE;
  leave->probability = profile_probability::unlikely ();
  again->probability = leave->probability.invert ();
  back->probability = profile_probability::always ();
  add_phi_arg (phi, next, back, UNKNOWN_LOCATION);
  gimple_stmt_iterator gsi = gsi_last_bb (after);
  gsi_insert_after (&gsi, gimple_build_assign (next, PLUS_EXPR, strip, length), GSI_NEW_STMT);
  gsi_insert_after (&gsi, gimple_build_cond (LT_EXPR, next, n_iters, NULL_TREE, NULL_TREE), GSI_NEW_STMT);

  /* What LOOP counts with begins anew in each.  */
  edge entry = loop_preheader_edge (loop);
  for (const struct pg_cut_counter &counter : cut->counters)
    {
      tree base = fold_convert (TREE_TYPE (gimple_phi_result (counter.phi)), counter.base);
      tree start = pg_cut_count_on (base, counter.step, strip);
      SET_USE (PHI_ARG_DEF_PTR_FROM_EDGE (counter.phi, entry), pg_cut_compute (header, start));
    }

  tree left = fold_build2 (MINUS_EXPR, sizetype, n_iters, strip);
  cut->n_strip_turns = pg_cut_compute (header, fold_build2 (MIN_EXPR, sizetype, left, length));
  for (tree &n_turns : cut->n_turns)
    if (n_turns)
      n_turns = pg_cut_compute (before, n_turns);
  tree turn = make_ssa_name (sizetype), next_turn = make_ssa_name (sizetype);
  cut->turn = create_phi_node (turn, loop->header);
  add_phi_arg (cut->turn, zero, entry, UNKNOWN_LOCATION);
  add_phi_arg (cut->turn, next_turn, loop_latch_edge (loop), UNKNOWN_LOCATION);
  gcond *cond = as_a<gcond *> (last_stmt (cut->exit->src));
  gimple *increment = gimple_build_assign (next_turn, PLUS_EXPR, turn, size_one_node);
  gsi = gsi_for_stmt (cond);
  gsi_insert_before (&gsi, increment, GSI_SAME_STMT);
  edge exit = EDGE_SUCC (cut->exit->src, 0)->dest == loop->latch ? EDGE_SUCC (cut->exit->src, 1)
								 : EDGE_SUCC (cut->exit->src, 0);
  gimple_cond_set_condition (cond, exit->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, next_turn, cut->n_strip_turns);
  update_stmt (cond);
  pg_cut_add (cut, cut->turn, -1);
  pg_cut_add (cut, increment, -1);
  cut->parts[gimple_uid (cond)] = -1;
  loop->any_estimate = loop->any_likely_upper_bound = false;
}

/* Insert STMT, of PART of CUT, at GSI.  */
static void
insert (struct pg_cut *cut, gimple_stmt_iterator gsi, bool is_before, gimple *stmt, int part)
{
  if (is_before)
    gsi_insert_before (&gsi, stmt, GSI_SAME_STMT);
  else
    gsi_insert_after (&gsi, stmt, GSI_NEW_STMT);
  pg_cut_add (cut, stmt, part);
}

/* The element of ARRAY for the turn of CUT's loop.  */
static tree
element (const struct pg_cut *cut, tree array)
{
  return build4 (ARRAY_REF, TREE_TYPE (TREE_TYPE (array)), array, gimple_phi_result (cut->turn), NULL_TREE, NULL_TREE);
}

/* The inner loop that is PART of CUT.  */
static class loop *
inner_of (const struct pg_cut *cut, int part)
{
  for (class loop *inner : cut->inner)
    if (cut->parts[gimple_uid (last_stmt (single_exit (inner)->src))] == part)
      return inner;
  gcc_unreachable ();
}

/* The first block of CUT's own that has something of PART, which is no inner loop.  */
static basic_block
first_block (const struct pg_cut *cut, int part)
{
  if (part == 0)
    return cut->loop->header;
  return single_exit (inner_of (cut, part - 1))->dest;
}

/* Store NAME, of PART of CUT, into ARRAY right behind its definition.  */
static void
store_after (struct pg_cut *cut, tree name, tree array, int part)
{
  gimple *def = SSA_NAME_DEF_STMT (name), *store = gimple_build_assign (element (cut, array), name);
  if (gimple_code (def) == GIMPLE_PHI)
    insert (cut, gsi_after_labels (gimple_bb (def)), true, store, part);
  else
    insert (cut, gsi_for_stmt (def), false, store, part);
}

/* Load an element of ARRAY where BB begins, for PART of CUT.  */
static tree
load_in (struct pg_cut *cut, basic_block bb, tree array, int part)
{
  tree name = make_ssa_name (TREE_TYPE (TREE_TYPE (array)));
  insert (cut, gsi_after_labels (bb), true, gimple_build_assign (name, element (cut, array)), part);
  return name;
}

/* Have ONE loaded where its part begins, in each turn if that is an inner loop, and used there.  */
static void
load_carried (struct pg_cut *cut, const struct pg_cut_carried *one)
{
  auto_vec<gimple *> users;
  imm_use_iterator it;
  gimple *user;
  FOR_EACH_IMM_USE_STMT (user, it, one->name)
    if (!is_gimple_debug (user) && !pg_cut_goes_around_p (cut, one->name, user)
	&& pg_cut_part_of_use (cut, user) == one->to)
      users.safe_push (user);
  basic_block bb = cut->is_columns[one->to] ? inner_of (cut, one->to)->header : first_block (cut, one->to);
  tree loaded = load_in (cut, bb, one->array, one->to);
  for (gimple *stmt : users)
    pg_cut_replace_use (stmt, one->name, loaded);
}

/* Keep SUM in memory.  */
static void
spread_sum (struct pg_cut *cut, const struct pg_cut_sum *sum)
{
  basic_block before = loop_preheader_edge (gimple_bb (sum->phi)->loop_father)->src;
  tree first = PHI_ARG_DEF_FROM_EDGE (sum->phi, single_succ_edge (before)), name = gimple_phi_result (sum->phi);
  insert (cut, gsi_last_bb (before), false, gimple_build_assign (element (cut, sum->array), first), sum->part - 1);
  tree loaded = load_in (cut, gimple_bb (sum->phi), sum->array, sum->part);
  auto_vec<gimple *> users;
  imm_use_iterator it;
  gimple *user;
  FOR_EACH_IMM_USE_STMT (user, it, name)
    if (user != SSA_NAME_DEF_STMT (loaded))
      users.safe_push (user);
  for (gimple *stmt : users)
    pg_cut_replace_use (stmt, name, loaded);
  store_after (cut, sum->next, sum->array, sum->part);
}

/* Have scalars go through arrays from part to part of CUT's loop.  */
static void
spread_scalars (struct pg_cut *cut)
{
  for (unsigned i = 0; i < cut->carried.length (); i++)
    {
      const struct pg_cut_carried *one = &cut->carried[i];
      bool is_stored = cut->is_columns[one->from];
      for (unsigned j = 0; j < i; j++)
	is_stored |= cut->carried[j].name == one->name;
      load_carried (cut, one);
      if (!is_stored)
	store_after (cut, one->name, one->array, one->from);
    }
  for (const struct pg_cut_sum &sum : cut->sums)
    spread_sum (cut, &sum);
}

/* True if PART of CUT stores anything.  */
static bool
stores_p (const struct pg_cut *cut, int part)
{
  for (unsigned i = 0; i < cut->statements.length (); i++)
    if (cut->parts[i] == part && gimple_store_p (cut->statements[i]))
      return true;
  return false;
}

/* Find the statements that PART of CUT needs, by uid.  */
static void
find_needed (const struct pg_cut *cut, int part, bitmap needed)
{
  auto_vec<gimple *> work;
  for (unsigned i = 0; i < cut->statements.length (); i++)
    {
      gimple *stmt = cut->statements[i];
      bool is_cond = gimple_code (stmt) == GIMPLE_COND;
      if ((is_cond && cut->parts[i] == -1) || (cut->parts[i] == part && (is_cond || gimple_store_p (stmt))))
	{
	  bitmap_set_bit (needed, i);
	  work.safe_push (stmt);
	}
    }
  while (!work.is_empty ())
    {
      use_operand_p use;
      ssa_op_iter it;
      gimple *stmt = work.pop ();
      FOR_EACH_PHI_OR_STMT_USE (use, stmt, it, SSA_OP_USE)
	{
	  gimple *def = TREE_CODE (USE_FROM_PTR (use)) == SSA_NAME ? SSA_NAME_DEF_STMT (USE_FROM_PTR (use)) : NULL;
	  int from = def ? pg_cut_part (cut, def) : -2;
	  gcc_assert (from < 0 || from == part);
	  if (from != -2 && bitmap_set_bit (needed, gimple_uid (def)))
	    work.safe_push (def);
	}
    }
}

/* Remove PHIs of BB but those that are NEEDED.  */
static void
remove_phis (basic_block bb, const_bitmap needed)
{
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi);)
    {
      gphi *phi = psi.phi ();
      bool is_virtual = virtual_operand_p (gimple_phi_result (phi));
      if (!is_virtual && needed && bitmap_bit_p (needed, gimple_uid (phi)))
	{
	  gsi_next (&psi);
	  continue;
	}
      if (is_virtual)
	mark_virtual_phi_result_for_renaming (phi);
      remove_phi_node (&psi, true);
    }
}

/* Remove what BB does, but for what is NEEDED.  */
static void
remove_statements (basic_block bb, const_bitmap needed)
{
  remove_phis (bb, needed);
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);)
    {
      gimple *stmt = gsi_stmt (gsi);
      if (gimple_code (stmt) == GIMPLE_LABEL
	  || (needed && !is_gimple_debug (stmt) && bitmap_bit_p (needed, gimple_uid (stmt))))
	{
	  gsi_next (&gsi);
	  continue;
	}
      unlink_stmt_vdef (stmt);
      gsi_remove (&gsi, true);
      release_defs (stmt);
    }
}

/* Take INNER out of the loop around it: nothing in it is needed.  */
static void
remove_inner (class loop *inner)
{
  edge entry = loop_preheader_edge (inner);
  basic_block dest = single_exit (inner)->dest;
  unsigned n = inner->num_nodes;
  basic_block *body = get_loop_body (inner);
  remove_phis (dest, NULL);
  redirect_edge_and_branch (entry, dest);
  set_immediate_dominator (CDI_DOMINATORS, dest, entry->src);
  cancel_loop_tree (inner);
  for (unsigned i = 0; i < n; i++)
    remove_statements (body[i], NULL);
  for (unsigned i = 0; i < n; i++)
    delete_basic_block (body[i]);
  free (body);
}

/* Leave what is NEEDED in LOOP, a copy of one that was cut.  */
static void
keep_needed (class loop *loop, const_bitmap needed)
{
  auto_vec<class loop *> vain;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!bitmap_bit_p (needed, gimple_uid (last_stmt (single_exit (inner)->src))))
      vain.safe_push (inner);
  for (class loop *inner : vain)
    remove_inner (inner);
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    remove_statements (body[i], needed);
  free (body);
}

/* The counter among COUNTERS that PHI is, or is a copy of.  */
static const struct pg_cut_counter *
counter_of (const vec<struct pg_cut_counter> &counters, gphi *phi)
{
  for (const struct pg_cut_counter &counter : counters)
    if (gimple_uid (counter.phi) == gimple_uid (phi))
      return &counter;
  return NULL;
}

/* Have LOOP count from BASE by STEP, before COND is reached; the value before that, and at *AFTER behind it.  */
static tree
count_in (class loop *loop, tree base, tree step, gcond *cond, tree *after)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (cond);
  tree before;
  create_iv (unshare_expr (base), unshare_expr (step), NULL_TREE, loop, &gsi, false, &before, after);
  return before;
}

void
pg_cut_run_turns (class loop *loop, tree n_turns)
{
  tree after;
  gcond *cond = as_a<gcond *> (last_stmt (single_exit (loop)->src));
  count_in (loop, size_zero_node, size_one_node, cond, &after);
  edge exit = single_exit (loop);
  gimple_cond_set_condition (cond, exit->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, after, n_turns);
  update_stmt (cond);
  loop->nb_iterations = NULL_TREE;
  loop->any_upper_bound = loop->any_likely_upper_bound = loop->any_estimate = false;
  loop->finite_p = true;
}

/* The PHIs of LOOP's header.  */
static void
phis_of (class loop *loop, vec<gphi *> *phis)
{
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    phis->safe_push (psi.phi ());
}

/* Have LOOP count, before COND, from START by STEP, what PHI of another one does.  */
static void
move_counter (gphi *phi, tree start, tree step, class loop *loop, gcond *cond)
{
  tree name = gimple_phi_result (phi), after;
  replace_uses_by (name, count_in (loop, start, step, cond, &after));
  gimple_stmt_iterator gsi = gsi_for_stmt (phi);
  remove_phi_node (&gsi, true);
}

/* Move what stands before INNER in LOOP, addresses, into it.  */
static void
move_into (class loop *loop, class loop *inner)
{
  gimple_stmt_iterator to = gsi_after_labels (inner->header);
  for (basic_block bb = loop->header; bb != inner->header; bb = single_succ (bb))
    for (gimple_stmt_iterator from = gsi_after_labels (bb); !gsi_end_p (from);)
      gsi_move_before (&from, &to);
}

bool
pg_cut_remove_unused_in (basic_block bb)
{
  bool has_changed = false;
  for (gimple_stmt_iterator gsi = gsi_last_bb (bb); !gsi_end_p (gsi);)
    {
      gimple *stmt = gsi_stmt (gsi);
      tree name = gimple_get_lhs (stmt);
      gsi_prev (&gsi);
      if (!name || TREE_CODE (name) != SSA_NAME || !has_zero_uses (name) || gimple_has_side_effects (stmt))
	continue;
      gimple_stmt_iterator at = gsi_for_stmt (stmt);
      gsi_remove (&at, true);
      release_defs (stmt);
      has_changed = true;
    }
  return has_changed;
}

void
pg_cut_remove_unused (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  bool has_changed = true;
  while (has_changed)
    {
      has_changed = false;
      for (unsigned i = 0; i < loop->num_nodes; i++)
	has_changed |= pg_cut_remove_unused_in (body[i]);
    }
  free (body);
}

/* Interchange LOOP, a copy of CUT's, and the only thing in it, the inner loop of PART: they run each other's turns, and
   count what the other one did.  */
static void
interchange (const struct pg_cut *cut, class loop *loop, int part)
{
  class loop *inner = loop->inner;
  gcc_assert (!inner->next);
  gcond *outer_cond = as_a<gcond *> (last_stmt (single_exit (loop)->src));
  gcond *inner_cond = as_a<gcond *> (last_stmt (single_exit (inner)->src));
  auto_vec<gphi *> outer_phis, inner_phis;
  phis_of (loop, &outer_phis);
  phis_of (inner, &inner_phis);
  edge entry = loop_preheader_edge (loop);
  move_into (loop, inner);
  for (gphi *phi : outer_phis)
    {
      const struct pg_cut_counter *counter = counter_of (cut->counters, phi);
      move_counter (phi, PHI_ARG_DEF_FROM_EDGE (phi, entry), counter ? counter->step : size_one_node, inner,
		    inner_cond);
    }
  for (gphi *phi : inner_phis)
    {
      const struct pg_cut_counter *counter = counter_of (cut->inner_counters, phi);
      move_counter (phi, counter->base, counter->step, loop, outer_cond);
    }
  pg_cut_run_turns (inner, cut->n_strip_turns);
  pg_cut_run_turns (loop, cut->n_turns[part]);
  inner->any_upper_bound = true;
  inner->nb_iterations_upper_bound = pg_cut_strip - 1;
  pg_cut_remove_unused (loop);
}

void
pg_cut_refresh (void)
{
  free_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  loops_state_set (LOOPS_NEED_FIXUP);
  fix_loop_structure (NULL);
  scev_reset ();
  free_numbers_of_iterations_estimates (cfun);
  mark_virtual_operands_for_renaming (cfun);
  rewrite_into_loop_closed_ssa (NULL, TODO_update_ssa);
}

class loop *
pg_cut_copy_loop (const struct pg_cut *cut)
{
  initialize_original_copy_tables ();
  class loop *copy = slpeel_tree_duplicate_loop_to_edge_cfg (cut->loop, NULL, loop_preheader_edge (cut->loop));
  free_original_copy_tables ();
  for (class loop *inner = copy->inner; inner; inner = inner->next)
    for (gphi_iterator psi = gsi_start_phis (inner->header); !gsi_end_p (psi); gsi_next (&psi))
      {
	use_operand_p first = PHI_ARG_DEF_PTR_FROM_EDGE (psi.phi (), loop_preheader_edge (inner));
	tree name = USE_FROM_PTR (first);
	if (TREE_CODE (name) == SSA_NAME && !virtual_operand_p (name) && gimple_bb (SSA_NAME_DEF_STMT (name))
	    && flow_bb_inside_loop_p (cut->loop, gimple_bb (SSA_NAME_DEF_STMT (name))))
	  SET_USE (first, get_current_def (name));
      }
  delete_update_ssa ();
  return copy;
}

/* Make a loop of each part of CUT.  */
static void
separate (struct pg_cut *cut)
{
  auto_vec<int> parts;
  auto_vec<bitmap> needed;
  for (unsigned part = 0; part < cut->is_columns.length (); part++)
    if (stores_p (cut, part))
      {
	parts.safe_push (part);
	needed.safe_push (BITMAP_ALLOC (NULL));
	find_needed (cut, part, needed.last ());
      }
  for (unsigned i = 0; i < parts.length (); i++)
    {
      class loop *loop = i + 1 < parts.length () ? pg_cut_copy_loop (cut) : cut->loop;
      keep_needed (loop, needed[i]);
      BITMAP_FREE (needed[i]);
      if (cut->is_columns[parts[i]])
	interchange (cut, loop, parts[i]);
    }
}

void
pg_cut_make (struct pg_cut *cut)
{
  make_arrays (cut);
  make_strips (cut);
  spread_scalars (cut);
  pg_cut_refresh ();
  separate (cut);
  pg_cut_refresh ();
}
