/* SPDX-License-Identifier: GPL-3.0-or-later
   Columns: where an inner loop goes down columns, the loop around it is cut, and the two are interchanged.

       for (j = lo; j < hi; j++)
	 {
	   sum = 0;
	   for (k = 0; k < m; k++)
	     sum += a[k][j] * b[k];
	   c[j] = sum / m;
	 }
       ==>
       for (strip = lo; strip < hi; strip += LENGTH)
	 {
	   for (j of the strip)
	     part[j - strip] = 0;
	   for (k = 0; k < m; k++)
	     for (j of the strip)
	       part[j - strip] += a[k][j] * b[k];
	   for (j of the strip)
	     c[j] = part[j - strip] / m;
	 }

   So each row is gone through once, and by vectors.  What scalars carry over a cut, and what inner loops add up, lies
   in arrays of a strip.  Each iteration computes what it did, in its order; those of different ones are mixed.  They
   may be: those of the outermost loop of an F that only runs iterations that are free of conflicts; and those of a
   loop in it if what its parts touch is apart, and what is interchanged only adds up.

   It is done where it pays: what the inner loop touches must lie far apart from turn to turn, and close together from
   one iteration of the outer loop to the next, and nothing the other way round.  For few iterations there is the loop
   as it was: rows of which so little is used at once are no better than columns.  GCC itself interchanges loops only
   if nothing stands beside the inner one, and sums of floating-point numbers only in memory.

   Requires: loop-closed SSA, scev, such an F.  Leaves: the same.  */

#include "columns.h"
#include "cut.h"
#include "rows.h"

/* The attribute on functions that may be changed.  No user can write it.  */
static const char attribute[] = "paragon columns";

/* Bytes of the arrays in a function.  */
static const HOST_WIDE_INT max_arrays_len = 8192;

/* References are far apart from here on, and close together up to there, in bytes.  */
static const unsigned HOST_WIDE_INT far_step = 64, near_step = 16;

/* Fewer iterations are better not cut.  */
static const int least_iterations = 16;

/* More parts and statements than this are not looked at.  */
static const unsigned max_parts = 16, max_statements = 500;

HOST_WIDE_INT
pg_columns_frame_len (const_tree decl)
{
  return decl && lookup_attribute (attribute, DECL_ATTRIBUTES (decl)) ? max_arrays_len : 0;
}

void
pg_columns_allow (tree decl)
{
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (attribute), NULL_TREE, DECL_ATTRIBUTES (decl));
}

/* Add the PHIs of BB, in PART, but for memory's.  */
static void
add_phis (struct pg_cut *cut, basic_block bb, int part)
{
  for (gphi_iterator psi = gsi_start_phis (bb); !gsi_end_p (psi); gsi_next (&psi))
    if (!virtual_operand_p (gimple_phi_result (psi.phi ())))
      pg_cut_add (cut, psi.phi (), part);
}

/* Add the others, but for debug statements, which do not count.  */
static void
add_others (struct pg_cut *cut, basic_block bb, int part)
{
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    pg_cut_add (cut, gsi_stmt (gsi), part);
}

int
pg_columns_gain (unsigned HOST_WIDE_INT inner, unsigned HOST_WIDE_INT outer)
{
  bool is_far = inner >= far_step;
  if (is_far && outer != 0 && outer <= near_step)
    return 1;
  return inner != 0 && !is_far && outer >= far_step ? -1 : 0;
}

/* Add to *STEP by how much EXPRESSION steps in LOOP, by a constant; false: it varies, or is unknown.  */
static bool
add_step (class loop *loop, tree expression, HOST_WIDE_INT *step)
{
  affine_iv iv;
  if (!expression)
    return true;
  if (!simple_iv (loop, loop, expression, &iv, true) || !cst_and_fits_in_hwi (iv.step))
    return false;
  *step += int_cst_value (iv.step);
  return true;
}

/* What references of an inner loop gain, and lose, if it is interchanged with LOOP around it.  */
struct gains
{
  class loop *loop, *inner;
  int n_gain, n_lose;
};

/* Count REFERENCE of STMT.  */
static bool
count_gain (gimple *stmt, tree, tree reference, void *data)
{
  struct gains *gains = (struct gains *) data;
  innermost_loop_behavior address;
  HOST_WIDE_INT inner, outer = 0;
  if (!dr_analyze_innermost (&address, reference, gains->inner, stmt)
      || !add_step (gains->loop, address.base_address, &outer) || !add_step (gains->loop, address.offset, &outer))
    {
      gains->n_lose++;
      return false;
    }
  inner = cst_and_fits_in_hwi (address.step) ? int_cst_value (address.step) : HOST_WIDE_INT_MAX;
  int gain = pg_columns_gain (absu_hwi (inner), absu_hwi (outer));
  gains->n_gain += gain > 0;
  gains->n_lose += gain < 0;
  return false;
}

/* True if INNER goes down columns, and LOOP around it along rows.  */
static bool
gains_p (class loop *loop, class loop *inner)
{
  struct gains gains = { loop, inner, 0, 0 };
  basic_block *body = get_loop_body (inner);
  for (unsigned i = 0; i < inner->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      walk_stmt_load_store_ops (gsi_stmt (gsi), &gains, count_gain, count_gain);
  free (body);
  return gains.n_gain > 0 && gains.n_lose == 0;
}

/* True if INNER of CUT's loop is better interchanged with that, and can be, if nothing else stands between them: in all
   iterations it takes the same turns, and carries nothing but counters and sums.  */
static bool
is_columns_p (struct pg_cut *cut, class loop *inner, int part)
{
  edge latch = loop_latch_edge (inner), exit = single_exit (inner);
  unsigned n_before = cut->sums.length (), n_counters = cut->inner_counters.length ();
  bool is_ok = true;
  class tree_niter_desc desc;
  if (!number_of_iterations_exit (inner, exit, &desc, false) || !integer_zerop (desc.may_be_zero)
      || !expr_invariant_in_loop_p (cut->loop, desc.niter) || generic_expr_could_trap_p (desc.niter)
      || !single_pred_p (inner->latch) || single_pred (inner->latch) != exit->src || !empty_block_p (inner->latch))
    return false;
  cut->n_turns.safe_grow_cleared (part + 1, true);
  for (gphi_iterator psi = gsi_start_phis (inner->header); !gsi_end_p (psi); gsi_next (&psi))
    {
      tree name = gimple_phi_result (psi.phi ());
      affine_iv iv;
      if (virtual_operand_p (name))
	continue;
      if (simple_iv (inner, inner, name, &iv, false) && expr_invariant_in_loop_p (cut->loop, iv.base)
	  && expr_invariant_in_loop_p (cut->loop, iv.step) && !generic_expr_could_trap_p (iv.base)
	  && !generic_expr_could_trap_p (iv.step))
	{
	  struct pg_cut_counter counter = { psi.phi (), iv.base, iv.step };
	  cut->inner_counters.safe_push (counter);
	  continue;
	}
      tree next = PHI_ARG_DEF_FROM_EDGE (psi.phi (), latch);
      gimple *def = TREE_CODE (next) == SSA_NAME ? SSA_NAME_DEF_STMT (next) : NULL;
      if (!def || !is_gimple_assign (def) || gimple_bb (def)->loop_father != inner)
	{
	  is_ok = false;
	  break;
	}
      struct pg_cut_sum sum = { psi.phi (), next, NULL_TREE, part };
      cut->sums.safe_push (sum);
    }
  for (gphi_iterator psi = gsi_start_phis (exit->dest); !gsi_end_p (psi); gsi_next (&psi))
    is_ok &= virtual_operand_p (gimple_phi_result (psi.phi ()))
	     || pg_cut_sum_of (cut, n_before, PHI_ARG_DEF_FROM_EDGE (psi.phi (), exit));
  is_ok &= gains_p (cut->loop, inner);
  if (is_ok)
    cut->n_turns[part]
      = fold_build2 (PLUS_EXPR, sizetype, fold_convert (sizetype, unshare_expr (desc.niter)), size_one_node);
  else
    {
      cut->sums.truncate (n_before);
      cut->inner_counters.truncate (n_counters);
    }
  return is_ok;
}

/* Number the parts of CUT, and its statements.  False if there is nothing to cut, or there are too many.  */
static bool
find_parts (struct pg_cut *cut)
{
  unsigned part = 0, next_inner = 0;
  cut->is_columns.safe_push (false);
  int phis_part = 0; /* those behind an inner loop belong to it */
  for (basic_block bb : cut->chain)
    {
      add_phis (cut, bb, phis_part);
      add_others (cut, bb, part);
      phis_part = part;
      if (bb == cut->exit->src || single_succ (bb)->loop_father == cut->loop)
	continue;
      class loop *inner = cut->inner[next_inner++];
      bool is_columns = is_columns_p (cut, inner, part + 1);
      if (is_columns)
	{
	  part++;
	  cut->is_columns.safe_push (true);
	}
      basic_block *body = get_loop_body_in_dom_order (inner);
      for (unsigned i = 0; i < inner->num_nodes; i++)
	{
	  add_phis (cut, body[i], part);
	  add_others (cut, body[i], part);
	}
      free (body);
      phis_part = part;
      if (is_columns)
	{
	  part++;
	  cut->is_columns.safe_push (false);
	}
    }
  return part > 0 && part < max_parts && cut->statements.length () < max_statements;
}

/* True if STMT, in its loop's own blocks, is as well computed once more in a later part: it is about addresses.  */
static bool
again_p (const struct pg_cut *cut, gimple *stmt)
{
  if (gimple_bb (stmt)->loop_father != cut->loop)
    return false;
  if (gimple_code (stmt) == GIMPLE_PHI)
    return gimple_bb (stmt) == cut->loop->header;
  tree type = is_gimple_assign (stmt) ? TREE_TYPE (gimple_assign_lhs (stmt)) : NULL_TREE;
  if (!type || gimple_vuse (stmt) || !(INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type))
      || gimple_assign_rhs_code (stmt) == COND_EXPR || gimple_could_trap_p (stmt))
    return false;
  use_operand_p use;
  ssa_op_iter it;
  FOR_EACH_SSA_USE_OPERAND (use, stmt, it, SSA_OP_USE)
    {
      gimple *def = SSA_NAME_DEF_STMT (USE_FROM_PTR (use));
      int part = pg_cut_part (cut, def);
      if (part >= 0)
	return false;
    }
  return true;
}

/* Note which statements are computed again.  */
static void
find_again (struct pg_cut *cut)
{
  for (unsigned i = 0; i < cut->statements.length (); i++)
    if (again_p (cut, cut->statements[i]))
      cut->parts[i] = -1;
}

/* References of the parts of a loop.  */
class references
{
public:
  auto_vec<data_reference_p> all;
  auto_vec<int> parts;

  ~references ()
  {
    free_data_refs (all);
  }
};

/* Find those of CUT.  */
static void
find_references (const struct pg_cut *cut, class references *references)
{
  edge entry = loop_preheader_edge (cut->loop);
  for (unsigned i = 0; i < cut->statements.length (); i++)
    {
      gimple *stmt = cut->statements[i];
      if (gimple_code (stmt) != GIMPLE_PHI)
	graphite_find_data_references_in_stmt (entry, gimple_bb (stmt)->loop_father, stmt, &references->all);
      while (references->parts.length () < references->all.length ())
	references->parts.safe_push (cut->parts[i]);
    }
}

/* True if all iterations of a part of CUT's loop can run before those of the next one.  */
static bool
order_ok_p (const struct pg_cut *cut)
{
  for (gimple *stmt : cut->statements)
    if (!pg_cut_statement_ok_p (stmt))
      return false;
  class references references;
  find_references (cut, &references);
  for (data_reference_p one : references.all)
    {
      tree base = get_base_address (DR_REF (one));
      if (!base || (DECL_P (base) && auto_var_in_fn_p (base, cfun->decl)))
	return false;
    }
  if (cut->is_free)
    return true;
  for (unsigned i = 0; i < references.all.length (); i++)
    {
      data_reference_p a = references.all[i];
      int part = references.parts[i];
      if (DR_IS_WRITE (a) && cut->is_columns[part])
	return false;
      /* Those of an iteration's later part come behind those of later iterations' earlier ones.  */
      for (unsigned j = 0; j < references.all.length (); j++)
	{
	  data_reference_p b = references.all[j];
	  if (part < references.parts[j] && (DR_IS_WRITE (a) || DR_IS_WRITE (b)) && dr_may_alias_p (b, a, cut->loop))
	    return false;
	}
    }
  return true;
}

/* The name that STMT defines, or NULL_TREE.  */
static tree
defined_by (gimple *stmt)
{
  tree name = gimple_code (stmt) == GIMPLE_PHI ? gimple_phi_result (stmt) : gimple_get_lhs (stmt);
  return name && TREE_CODE (name) == SSA_NAME && !virtual_operand_p (name) ? name : NULL_TREE;
}

/* True if CUT is known to carry NAME to part TO; to any if that is negative.  */
static bool
carried_p (const struct pg_cut *cut, const_tree name, int to)
{
  for (const struct pg_cut_carried &one : cut->carried)
    if (one.name == name && (to < 0 || one.to == to))
      return true;
  return false;
}

/* The bytes of a strip's array for NAME.  */
static HOST_WIDE_INT
array_len (const_tree name)
{
  const_tree size = TYPE_SIZE_UNIT (TREE_TYPE (name));
  return tree_fits_uhwi_p (size) && tree_to_uhwi (size) < 64 ? tree_to_uhwi (size) * pg_cut_strip : max_arrays_len + 1;
}

/* Find what scalars carry from part to part of CUT's loop.  False if that takes too much memory, or is needed behind
   the loop.  */
static bool
find_carried (struct pg_cut *cut, HOST_WIDE_INT *arrays_len)
{
  for (const struct pg_cut_sum &sum : cut->sums)
    *arrays_len += array_len (sum.next);
  for (unsigned i = 0; i < cut->statements.length (); i++)
    {
      tree name = defined_by (cut->statements[i]);
      int from = cut->parts[i];
      if (!name || from < 0)
	continue;
      imm_use_iterator it;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, it, name)
	{
	  if (is_gimple_debug (USE_STMT (use)) || pg_cut_goes_around_p (cut, name, USE_STMT (use)))
	    continue;
	  int to = pg_cut_part_of_use (cut, USE_STMT (use));
	  if (to < from)
	    return false;
	  if (to == from || carried_p (cut, name, to))
	    continue;
	  if (!cut->is_columns[from] && !carried_p (cut, name, -1))
	    *arrays_len += array_len (name);
	  struct pg_cut_carried one = { name, NULL_TREE, from, to };
	  cut->carried.safe_push (one);
	}
    }
  return *arrays_len <= max_arrays_len;
}

/* True if COND tells the same in all iterations of LOOP.  */
static bool
invariant_p (class loop *loop, const gcond *cond)
{
  tree left = gimple_cond_lhs (cond), right = gimple_cond_rhs (cond);
  return INTEGRAL_TYPE_P (TREE_TYPE (left)) && expr_invariant_in_loop_p (loop, left)
	 && expr_invariant_in_loop_p (loop, right);
}

/* The edge to an inner loop of LOOP, one that is WANTED, that an invariant condition guards, if there is one.  */
static edge
guarded_inner (class loop *loop, bool (*wanted) (class loop *loop, class loop *inner))
{
  if (!single_exit (loop) || !can_duplicate_loop_p (loop))
    return NULL;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    {
      basic_block before = loop_preheader_edge (inner)->src;
      if (!single_pred_p (before) || single_pred (before)->loop_father != loop || single_succ_p (single_pred (before)))
	continue;
      const gcond *cond = safe_dyn_cast<const gcond *> (last_stmt (single_pred (before)));
      if (cond && !loop_exits_from_bb_p (loop, gimple_bb (cond)) && invariant_p (loop, cond) && wanted (loop, inner))
	return single_pred_edge (before);
    }
  return NULL;
}

/* Have LOOP only run if TEST, and a copy otherwise, of whose blocks the one like BB is returned.  */
static basic_block
make_copy (class loop *loop, tree test, basic_block bb)
{
  profile_probability likely = profile_probability::likely (), unlikely = likely.invert ();
  basic_block test_bb;
  initialize_original_copy_tables ();
  loop_version (loop, test, &test_bb, likely, unlikely, likely, unlikely, true);
  basic_block copy = get_bb_copy (bb);
  free_original_copy_tables ();
  return copy;
}

/* Make two loops of LOOP: itself, in which GUARDED is always taken, and one in which it never is.  */
static void
unswitch (class loop *loop, edge guarded)
{
  basic_block bb = guarded->src;
  const gcond *cond = as_a<const gcond *> (last_stmt (bb));
  bool is_true = guarded->flags & EDGE_TRUE_VALUE;
  enum tree_code code = gimple_cond_code (cond);
  tree test = build2 (is_true ? code : invert_tree_comparison (code, false), boolean_type_node, gimple_cond_lhs (cond),
		      gimple_cond_rhs (cond));
  basic_block copy = make_copy (loop, test, bb);
  edge past = EDGE_SUCC (bb, 0) == guarded ? EDGE_SUCC (bb, 1) : EDGE_SUCC (bb, 0);
  edge into = EDGE_SUCC (copy, 0);
  if (!(into->flags & guarded->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)))
    into = EDGE_SUCC (copy, 1);
  remove_path (past);
  remove_path (into);
  pg_cut_refresh ();
}

/* Find out how LOOP would be cut.  False: not at all.  *ARRAYS_LEN is what arrays of the function take, with it.  */
static bool
plan_cut (class loop *loop, struct pg_cut *cut, HOST_WIDE_INT *arrays_len)
{
  cut->loop = loop;
  cut->is_free = loop_depth (loop) == 1;
  if (!pg_cut_find_chain (cut) || !pg_cut_find_counters (cut) || !find_parts (cut))
    return false;
  find_again (cut);
  return order_ok_p (cut) && find_carried (cut, arrays_len);
}

/* Have LOOP, of N_ITERS, only run if those are enough to be cut, and a copy otherwise.  False: they never are.  */
static bool
leave_few (class loop *loop, tree n_iters)
{
  tree least = size_int (least_iterations);
  if (TREE_CODE (n_iters) == INTEGER_CST)
    return tree_int_cst_le (least, n_iters);
  tree value = pg_cut_compute (loop_preheader_edge (loop)->src, n_iters);
  make_copy (loop, build2 (GE_EXPR, boolean_type_node, value, least), loop->header);
  pg_cut_refresh ();
  return true;
}

/* Cut LOOP if that pays.  *ARRAYS_LEN is what arrays of the function take.  */
static bool
cut_loop (class loop *loop, HOST_WIDE_INT *arrays_len)
{
  struct pg_cut found = {}, cut = {};
  HOST_WIDE_INT len = *arrays_len;
  if (!plan_cut (loop, &found, &len) || !leave_few (loop, found.n_iters))
    return false;
  len = *arrays_len;
  if (!plan_cut (loop, &cut, &len))
    return true; /* two equal loops */
  if (dump_file)
    fprintf (dump_file, "loop %d: cut into %u parts, %u scalars carried\n", loop->num, cut.is_columns.length (),
	     cut.carried.length ());
  *arrays_len = len;
  pg_cut_make (&cut);
  return true;
}

/* Take iterations of LOOP, the outermost one of a function, several at a time if that pays.  */
static bool
jam_rows (class loop *loop)
{
  bool has_changed = false;
  while (edge guarded = guarded_inner (loop, pg_rows_add_up_p))
    {
      unswitch (loop, guarded);
      has_changed = true;
    }
  return pg_rows_jam (loop) || has_changed;
}

namespace
{

const pass_data pass_data_columns = {
  GIMPLE_PASS, "pgcolumns", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class pass_columns : public gimple_opt_pass
{
public:
  pass_columns (gcc::context *context) : gimple_opt_pass (pass_data_columns, context)
  {
  }

  bool gate (function *fun) final override
  {
    return lookup_attribute (attribute, DECL_ATTRIBUTES (fun->decl));
  }

  unsigned execute (function *fun) final override
  {
    auto_vec<int> loops;
    for (auto loop : loops_list (fun, LI_FROM_INNERMOST))
      if (loop->inner)
	loops.safe_push (loop->num);
    bool has_cut = false;
    HOST_WIDE_INT arrays_len = 0;
    for (int number : loops)
      if (class loop *loop = get_loop (fun, number))
	{
	  edge guarded = guarded_inner (loop, gains_p);
	  if (guarded)
	    unswitch (loop, guarded);
	  has_cut |= cut_loop (loop, &arrays_len) || guarded;
	}
    class loop *outermost = loops_for_fn (fun)->tree_root->inner;
    if (!has_cut && outermost && !outermost->next)
      has_cut = jam_rows (outermost);
    return has_cut ? TODO_cleanup_cfg : 0;
  }
};

}

gimple_opt_pass *
pg_make_pass_columns (gcc::context *context)
{
  return new pass_columns (context);
}
