/* SPDX-License-Identifier: GPL-3.0-or-later
   What has to hold before a loop for an edge in it never to be taken:

       for (i = 0; i < n; i++)
	 {
	   if (options->verbose)	options->verbose == 0, unless the rest of the loop may store to it
	     printf ("%d\n", i);
	   if (i >= len)		n <= len
	     abort ();
	   y[i] += x[i];
	 }

   That is so of a test with the same outcome throughout the loop, and of one that compares an induction variable with
   what is the same throughout: then it is enough to look at the first value and at the last.

   Operands may be loaded in the loop, in each iteration again, since for all that GCC knows printf changes them: what
   is left of the loop does not, and that is all that runs where the edge is not taken the first time.  So it is with
   what only changes where the edge is taken.  */

#include "never.h"
#include "extents.h"
#include "judge.h"

/* What takes more steps to compute is left alone.  */
static const unsigned max_steps = 200;

bool
pg_never_reached_p (struct pg_never *never, basic_block bb)
{
  return !bitmap_bit_p (never->reached, bb->index);
}

/* Find out which blocks of NEVER's loop are reached.  */
static void
find_reached (struct pg_never *never)
{
  class loop *loop = never->plan->loop;
  bitmap_clear (never->reached);
  auto_vec<basic_block> found;
  found.safe_push (loop->header);
  while (!found.is_empty ())
    {
      basic_block bb = found.pop ();
      edge e;
      edge_iterator it;
      if (bitmap_set_bit (never->reached, bb->index))
	FOR_EACH_EDGE (e, it, bb->succs)
	  if (!never->off.contains (e) && flow_bb_inside_loop_p (loop, e->dest))
	    found.safe_push (e->dest);
    }
}

void
pg_never_begin (struct pg_never *never)
{
  find_reached (never);
}

static tree on_entry (struct pg_never *never, tree value);

/* The same of PHI, in the header of NEVER's loop, if that keeps it.  */
static tree
kept_on_entry (struct pg_never *never, gphi *phi)
{
  class loop *loop = never->plan->loop;
  tree initial = PHI_ARG_DEF_FROM_EDGE (phi, loop_preheader_edge (loop));
  if (never->carried.contains (phi))
    return initial;
  never->carried.safe_push (phi);
  tree next = on_entry (never, PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop)));
  never->carried.pop ();
  return next && operand_equal_p (next, initial, 0) ? initial : NULL_TREE;
}

/* The same of what PHI merges where no edge of NEVER is taken.  */
static tree
merged_on_entry (struct pg_never *never, gphi *phi)
{
  if (gimple_bb (phi) == never->plan->loop->header)
    return kept_on_entry (never, phi);
  if (bb_loop_header_p (gimple_bb (phi)))
    return NULL_TREE;
  tree merged = NULL_TREE;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      edge e = gimple_phi_arg_edge (phi, i);
      if (never->off.contains (e) || pg_never_reached_p (never, e->src))
	continue;
      tree value = on_entry (never, gimple_phi_arg_def (phi, i));
      if (!value || (merged && !operand_equal_p (merged, value, 0)))
	return NULL_TREE;
      merged = value;
    }
  return merged;
}

/* What may have been stored last before NEVER's loop, of which LOAD is one: a virtual operand.  */
static tree
memory_before (const struct pg_never *never, gimple *load)
{
  class loop *loop = never->plan->loop;
  for (gphi_iterator psi = gsi_start_phis (loop->header); !gsi_end_p (psi); gsi_next (&psi))
    if (virtual_operand_p (gimple_phi_result (psi.phi ())))
      return PHI_ARG_DEF_FROM_EDGE (psi.phi (), loop_preheader_edge (loop));
  return gimple_vuse (load);
}

/* True if the same as LOAD, of NEVER's loop, was done before the loop, and nothing since but stores: the memory is
   still there.  GCC puts the first turn's tests before the loop.  */
static bool
done_before_p (const struct pg_never *never, gimple *load)
{
  basic_block before = loop_preheader_edge (never->plan->loop)->src;
  tree memory = memory_before (never, load);
  for (unsigned n = 0; n < max_steps; n++)
    {
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, memory)
	{
	  gimple *other = USE_STMT (use);
	  if (gimple_assign_load_p (other) && dominated_by_p (CDI_DOMINATORS, before, gimple_bb (other))
	      && operand_equal_p (gimple_assign_rhs1 (other), gimple_assign_rhs1 (load), 0))
	    return true;
	}
      gimple *store = SSA_NAME_DEF_STMT (memory);
      if (!is_gimple_assign (store))
	return false;
      memory = gimple_vuse (store);
    }
  return false;
}

/* True if LOAD, of NEVER's loop, is of memory that is there for sure, or is among the first things that the loop does:
   it can be done before the loop, too.  */
static bool
early_p (const struct pg_never *never, gimple *load)
{
  return !tree_could_trap_p (gimple_assign_rhs1 (load)) || gimple_bb (load) == never->plan->loop->header
	 || done_before_p (never, load);
}

/* True if each iteration of LOOP, directly in which BB is, comes to BB unless one of NEVER's edges is taken before.  */
static bool
in_each_p (struct pg_never *never, class loop *loop, basic_block bb)
{
  if (!dominated_by_p (CDI_DOMINATORS, loop->latch, bb))
    return false;
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (edge exit : exits)
    if (!dominated_by_p (CDI_DOMINATORS, exit->src, bb) && !never->off.contains (exit)
	&& !pg_never_reached_p (never, exit->src))
      return false;
  return true;
}

/* True if the first iteration of NEVER's loop comes to LOAD unless one of its edges is taken before.  */
static bool
certain_p (struct pg_never *never, gimple *load)
{
  basic_block bb = gimple_bb (load);
  while (in_each_p (never, bb->loop_father, bb))
    {
      if (bb->loop_father == never->plan->loop)
	return true;
      bb = loop_preheader_edge (bb->loop_father)->src;
    }
  return false;
}

/* The same of what LOAD loads; where from may itself be loaded.  */
static tree
loaded_on_entry (struct pg_never *never, gassign *load)
{
  if (gimple_has_volatile_ops (load) || stmt_could_throw_p (cfun, load))
    return NULL_TREE;
  bool is_late = !early_p (never, load);
  if (is_late && !certain_p (never, load))
    return NULL_TREE;
  never->is_late |= is_late;
  tree place = unshare_expr (gimple_assign_rhs1 (load)), base = get_base_address (place);
  if (base && TREE_CODE (base) == MEM_REF)
    {
      tree pointer = on_entry (never, TREE_OPERAND (base, 0));
      if (!pointer)
	return NULL_TREE;
      TREE_OPERAND (base, 0) = build_zero_cst (TREE_TYPE (pointer));
      if (!pg_invariant_p (never->plan, place))
	return NULL_TREE;
      TREE_OPERAND (base, 0) = pointer;
    }
  else if (!pg_invariant_p (never->plan, place))
    return NULL_TREE;
  never->loads.safe_push (load);
  return contains_abnormal_ssa_name_p (place) ? NULL_TREE : place;
}

/* VALUE, of NEVER's loop, as an expression that can be evaluated before the loop, as long as the loads that are noted
   load the same each time; NULL_TREE: there is none.  */
static tree
on_entry (struct pg_never *never, tree value)
{
  tree type = TREE_TYPE (value);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || never->n_steps++ >= max_steps)
    return NULL_TREE;
  if (pg_invariant_p (never->plan, value))
    return contains_abnormal_ssa_name_p (value) ? NULL_TREE : unshare_expr (value);
  gimple *stmt = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  if (!stmt || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
    return NULL_TREE;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    return merged_on_entry (never, phi);
  gassign *def = dyn_cast<gassign *> (stmt);
  if (!def)
    return NULL_TREE;
  if (gimple_assign_load_p (def))
    return loaded_on_entry (never, def);
  tree other = gimple_num_ops (def) > 2 ? gimple_assign_rhs2 (def) : NULL_TREE;
  if (gimple_num_ops (def) > 3 || !pg_harmless_p (gimple_assign_rhs_code (def), other))
    return NULL_TREE;
  tree a = on_entry (never, gimple_assign_rhs1 (def));
  tree b = a && other ? on_entry (never, other) : NULL_TREE;
  if (!a || (other && !b))
    return NULL_TREE;
  return pg_compute_on_entry (gimple_assign_rhs_code (def), type, a, b);
}

/* The condition on entry under which LHS is CODE than RHS, in block AT, in no iteration; NULL_TREE: none is known.  */
static tree
never_true (struct pg_never *never, tree lhs, enum tree_code code, tree rhs, basic_block at)
{
  if (!INTEGRAL_TYPE_P (TREE_TYPE (lhs)) && !POINTER_TYPE_P (TREE_TYPE (lhs)))
    return NULL_TREE;
  code = invert_tree_comparison (code, false);
  tree a = on_entry (never, lhs), b = on_entry (never, rhs);
  if (a && b)
    return fold_build2 (code, boolean_type_node, a, b);
  if (b)
    return pg_always (never->plan, lhs, code, b, at);
  return a ? pg_always (never->plan, rhs, swap_tree_comparison (code), a, at) : NULL_TREE;
}

/* A condition on entry under which VALUE, which is true or false, IS_TRUE in no iteration, in block AT; NULL_TREE: none
   is known.  Of a & b, it is enough to know one; so GCC writes "verbose && i % 100 == 0".  */
static tree
neither (struct pg_never *never, tree value, bool is_true, basic_block at)
{
  if (tree entry = on_entry (never, value))
    return fold_build2 (is_true ? EQ_EXPR : NE_EXPR, boolean_type_node, entry, build_zero_cst (TREE_TYPE (entry)));
  gassign *def = TREE_CODE (value) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value)) : NULL;
  if (!def || TREE_CODE (TREE_TYPE (value)) != BOOLEAN_TYPE || never->n_steps++ >= max_steps)
    return NULL_TREE;
  enum tree_code code = gimple_assign_rhs_code (def);
  tree lhs = gimple_assign_rhs1 (def), rhs = gimple_assign_rhs2 (def);
  if (TREE_CODE_CLASS (code) == tcc_comparison)
    return never_true (never, lhs, is_true ? code : invert_tree_comparison (code, false), rhs, at);
  if (code != BIT_AND_EXPR && code != BIT_IOR_EXPR)
    return NULL_TREE;
  tree a = neither (never, lhs, is_true, at), b = neither (never, rhs, is_true, at);
  if (is_true == (code == BIT_AND_EXPR))
    return a && b ? fold_build2 (TRUTH_OR_EXPR, boolean_type_node, a, b) : a ? a : b;
  return a && b ? fold_build2 (TRUTH_AND_EXPR, boolean_type_node, a, b) : NULL_TREE;
}

/* The condition on entry under which E, one of two edges out of its block, is taken in no iteration; NULL_TREE: none is
   known.  */
static tree
never_taken (struct pg_never *never, edge e)
{
  gcond *test = safe_dyn_cast<gcond *> (last_stmt (e->src));
  never->n_steps = 0;
  if (!test || never->off.contains (EDGE_SUCC (e->src, EDGE_SUCC (e->src, 0) == e)))
    return NULL_TREE;
  tree lhs = gimple_cond_lhs (test), rhs = gimple_cond_rhs (test);
  enum tree_code code = gimple_cond_code (test);
  bool is_true = e->flags & EDGE_TRUE_VALUE;
  if (TREE_CODE (TREE_TYPE (lhs)) == BOOLEAN_TYPE && integer_zerop (rhs) && (code == NE_EXPR || code == EQ_EXPR))
    return neither (never, lhs, is_true == (code == NE_EXPR), e->src);
  return never_true (never, lhs, is_true ? code : invert_tree_comparison (code, false), rhs, e->src);
}

void
pg_never_return (struct pg_never *never, unsigned n_off, const vec<tree> &conditions, unsigned n_loads)
{
  never->off.truncate (n_off);
  never->conditions.truncate (0);
  never->conditions.safe_splice (conditions);
  never->loads.truncate (n_loads);
  find_reached (never);
}

bool
pg_never_add (struct pg_never *never, edge e)
{
  unsigned n_off = never->off.length (), n_loads = never->loads.length ();
  auto_vec<tree> before;
  before.safe_splice (never->conditions);
  never->off.safe_push (e);
  never->is_late = false;
  find_reached (never);
  tree condition = never_taken (never, e);
  if (condition && (never->conditions.is_empty () || never->is_late))
    never->conditions.safe_push (condition);
  else if (condition)
    never->conditions.last () = fold_build2 (TRUTH_AND_EXPR, boolean_type_node, never->conditions.last (), condition);
  /* If it never goes on, there is nothing left.  */
  if (condition && !integer_zerop (never->conditions.last ()) && !pg_never_reached_p (never, never->plan->loop->latch))
    return true;
  pg_never_return (never, n_off, before, n_loads);
  return false;
}

bool
pg_never_steady_p (struct pg_never *never)
{
  auto_vec<basic_block> body;
  pg_find_body (never->plan, &body);
  for (basic_block bb : body)
    if (!pg_never_reached_p (never, bb))
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	for (gimple *load : never->loads)
	  if (gimple_vdef (gsi_stmt (gsi)) && stmt_may_clobber_ref_p (gsi_stmt (gsi), gimple_assign_rhs1 (load)))
	    return false;
  return true;
}
